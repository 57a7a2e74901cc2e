package schema_test

import (
	"database/sql"
	"encoding/json"
	"html/template"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/mail"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

type (
	octet    uint8
	proto    int32
	readText string
	withURL  struct{ url.URL }
)

func (proto) EnumDescriptor() ([]byte, []int) { return nil, nil }
func (r *readText) UnmarshalText(b []byte) error {
	*r = readText(strings.ToUpper(string(b)))
	return nil
}

func parsedURL(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

// Whatever encoding/json writes of a value fits the schema of its type, and is
// read again.
func TestWhatIsWrittenIsValid(t *testing.T) {
	u := parsedURL("https://you:secret@example.org/a%2fb?q#f")
	for _, v := range []any{
		u, *u, struct{ U *url.URL }{}, struct{ U url.URL }{*u}, withURL{*u}, []url.URL{*u, {}}, map[string]*url.URL{"a": u, "b": nil},
		net.IPv4(1, 2, 3, 4), net.ParseIP("::1"), net.IP(nil), net.IPNet{IP: net.IPv4(1, 2, 3, 0), Mask: net.CIDRMask(24, 32)}, net.HardwareAddr{1, 2}, net.TCPAddr{Port: 1},
		netip.MustParseAddr("1.2.3.4"), netip.Addr{}, netip.MustParsePrefix("1.2.0.0/16"), netip.MustParseAddrPort("[::1]:80"), map[netip.Addr]int{netip.MustParseAddr("::1"): 1},
		json.RawMessage(`{"a":[1]}`), json.RawMessage(nil), []json.RawMessage{json.RawMessage("1")}, json.Number("12345678901234567890"), struct{ N json.Number }{},
		time.Second, time.Now(), time.Time{}, time.March, time.Monday, []time.Duration{1}, map[time.Month]string{1: "a"},
		*big.NewInt(7), big.NewInt(-7), struct{ B *big.Int }{}, struct{ B big.Int }{*big.NewInt(8)}, *big.NewFloat(1.5), *big.NewRat(1, 3),
		sql.NullString{String: "a", Valid: true}, sql.NullTime{}, sql.Null[int]{V: 1}, mail.Address{Name: "a", Address: "b"}, http.Header{"A": {"b", "c"}}, url.Values{"a": nil},
		template.HTML("<b>"), slog.LevelInfo, *regexp.MustCompile("a+"), http.Cookie{Name: "a"},
		[]byte("abc"), []byte(nil), []octet{1, 2}, [3]octet{1, 2, 3}, [2]byte{1, 2}, []int8{1}, [][]byte{{1}}, []proto{1}, proto(3), uintptr(9), readText("A"), struct{ R readText }{"B"},
		struct {
			M map[int8]bool
			N map[uint64]string
		}{map[int8]bool{-1: true}, map[uint64]string{1 << 63: "a"}},
		struct {
			A int     `json:",string"`
			B *bool   `json:",string"`
			C float64 `json:",string"`
			D string  `json:",string"`
			E uintptr `json:",string"`
		}{A: -1, C: 1e300, D: "x\"y\nz"},
	} {
		at := reflect.New(reflect.TypeOf(v)) // as a tool's output, so that methods of pointers count
		at.Elem().Set(reflect.ValueOf(v))
		text, err := json.Marshal(at.Interface())
		if err != nil {
			t.Fatal(err)
		}
		value := parse(t, string(text))
		for _, d := range []schema.Direction{schema.Input, schema.Output} {
			s, err := schema.FromType(at.Elem().Type(), d)
			if err != nil {
				t.Errorf("%T: %v", v, err)
				continue
			}
			if err := s.Err(); err != nil {
				t.Errorf("%T: %v", v, err)
			}
			normal := s.Normalize(value)
			if err := s.Validate("value", normal); err != nil {
				t.Errorf("%T as %s: %s: %v\n%s", v, d, text, err, data.JSON(s.Document()))
			}
			again := reflect.New(at.Elem().Type())
			if err := data.Decode(normal, again.Interface()); err != nil {
				t.Errorf("%T: %v", v, err)
			} else if back, err := json.Marshal(again.Interface()); err != nil || !data.Equal(parse(t, string(back)), value) && !data.Equal(parse(t, string(back)), normal) {
				t.Errorf("%T: wrote %s, read %s (%v)", v, text, back, err)
			}
		}
	}
}

// In a map, values cannot be addressed: encoding/json does not see the methods
// of their pointers, and the schema of an output does not promise what they make.
func TestMethodsThatAreNotSeen(t *testing.T) {
	for _, v := range []any{map[string]big.Int{"a": *big.NewInt(1)}, map[string]struct{ B [1]big.Float }{"a": {}}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s, err := schema.FromType(reflect.TypeOf(v), schema.Output)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate("output", parse(t, string(text))); err != nil {
			t.Errorf("%T: %s: %v", v, text, err)
		}
	}
}

func TestKeysWithoutJSONForm(t *testing.T) {
	for _, v := range []any{map[bool]int{}, map[float64]int{}, map[struct{}]int{}, struct{ M []map[any]int }{}} {
		for _, d := range []schema.Direction{schema.Input, schema.Output} {
			if _, err := schema.FromType(reflect.TypeOf(v), d); err == nil || !strings.Contains(err.Error(), "neither strings nor integers") {
				t.Errorf("%T as %s: %v", v, d, err)
			}
		}
	}
}
