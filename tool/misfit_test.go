package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

type (
	picky   struct{ s string }
	telling string
	secret  struct{}
)

var errInternal = errors.New("table users_v2 is locked")

func (p *picky) UnmarshalText(b []byte) error { p.s = string(b); return errInternal }
func (*secret) UnmarshalJSON([]byte) error    { return errInternal }
func (t *telling) UnmarshalText(b []byte) error {
	if *t = telling(b); *t != "a" {
		return tool.Errorf("only %q is known", "a")
	}
	return nil
}

// Whatever an input's Go type refuses is told with its path and without the
// text of the host's types, unless that is meant for the program.
func TestWhatGoTypesRefuse(t *testing.T) {
	type inner struct {
		Addr netip.Addr
		Now  *time.Time `json:",omitempty"`
		Tell telling    `json:",omitempty"`
		P    *picky     `json:",omitempty"`
	}
	type in struct {
		List  []inner                  `json:"list,omitempty"`
		Map   map[string]map[int8]bool `json:"a map,omitempty"`
		ByIP  map[netip.Addr]inner     `json:",omitempty"`
		Any   secret                   `json:"any,omitzero"`
		Small int8                     `json:"small,string,omitempty"`
		Uint  map[uint]int             `json:"u,omitempty"`
	}
	f := func(context.Context, in) (int, error) { return 0, nil }
	root := func(context.Context, netip.Addr) (int, error) { return 0, nil }
	p := tooltest.New(t, tool.Tree{"f": tool.New("", f), "root": tool.New("", root)})
	for text, want := range map[string]string{
		`{"list":[{"Addr":"::1"},{"Addr":"x"}]}`: `input.list[1].Addr: expected a value that Addr accepts, got string "x"`,
		`{"list":[{"Addr":"::1","Tell":"b"}]}`:   `input.list[0].Tell: only "a" is known`,
		`{"list":[{"Addr":"::1","P":"b"}]}`:      `input.list[0].P: expected a value that P accepts, got string "b"`,
		`{"a map":{"k":{"300":true}}}`:           `input["a map"].k: expected keys that are 8-bit integers, got string "300"`,
		`{"a map":{"k":{"a":true}}}`:             `input["a map"].k: the name "a" is not allowed here: the keys are integers`,
		`{"u":{"-1":1}}`:                         `input.u: the name "-1" is not allowed here: the keys are integers from 0`,
		`{"ByIP":{"a":{"Addr":"::1"}}}`:          `input.ByIP: expected keys that are accepted, got string "a"`,
		`{"ByIP":{"::1":{"Addr":"b"}}}`:          `input.ByIP["::1"].Addr: expected a value that Addr accepts`,
		`{"any":{"a":1}}`:                        `input.any: expected a value that any accepts, got object`,
		`{"small":"300"}`:                        `input.small: expected an 8-bit integer, got string "300"`,
	} {
		message := p.Fails(diagnostics.InvalidToolInput, "f", json.RawMessage(text))
		if !strings.HasPrefix(message, "tools.f was not called: "+want) || strings.Contains(message, "ParseAddr") || strings.Contains(message, "users_v2") || strings.Contains(message, "json:") {
			t.Errorf("%s:\n got %s\nwant %s", text, message, want)
		}
	}
	if message := p.Fails(diagnostics.InvalidToolInput, "root", "x"); !strings.HasPrefix(message, `tools.root was not called: input: expected a value that input accepts, got string "x"`) {
		t.Error(message)
	}
}
