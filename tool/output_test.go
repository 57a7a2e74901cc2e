package tool_test

import (
	"context"
	"math/big"
	"net/url"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// An output by value is what encoding/json writes of it where methods of
// pointers count, and a URL is what it reads again.
func TestOutputsByValue(t *testing.T) {
	type linked struct {
		URL url.URL  `json:"url"`
		N   big.Int  `json:"n"`
		M   *big.Int `json:"m"`
	}
	same := func(_ context.Context, in linked) (linked, error) { return in, nil }
	number := func(context.Context, struct{}) (big.Int, error) { return *big.NewInt(12), nil }
	p := tooltest.New(t, tool.Tree{"same": tool.New("", same), "number": tool.New("", number),
		"value": tool.New("", func(context.Context, struct{}) (data.String, error) { return "x", nil })})
	u, err := url.Parse("https://example.org/a?b")
	if err != nil {
		t.Fatal(err)
	}
	in := linked{URL: *u, N: *big.NewInt(5), M: big.NewInt(6)}
	if out := tooltest.Result[linked](p, "same", &in); out.URL.String() != u.String() || out.N.Int64() != 5 || out.M.Int64() != 6 {
		t.Errorf("got %+v", out)
	}
	if n := tooltest.Result[int](p, "number"); n != 12 {
		t.Errorf("got %d", n)
	}
	if s := tooltest.Result[string](p, "value"); s != "x" {
		t.Errorf("got %q", s)
	}
}
