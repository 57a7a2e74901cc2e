package tool_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/tool"
	"github.com/codemode-go/codemode/tool/tooltest"
)

type half struct {
	N int `json:"n"`
}

func TestAround(t *testing.T) {
	var seen []string
	halve := tool.New("Halve", func(_ context.Context, in half) (int, error) {
		seen = append(seen, "runs")
		if in.N%2 != 0 {
			return 0, tool.Errorf("%d is odd", in.N)
		}
		return in.N / 2, nil
	}, tool.Annotate(tool.Annotations{ReadOnly: true}))
	around := halve.Around(func(ctx context.Context, next func(context.Context) (data.Value, error)) (data.Value, error) {
		c, ok := tool.Current(ctx)
		seen = append(seen, c.Path+" "+data.JSON(c.Input))
		if !ok || c.Index != 0 {
			t.Errorf("the call is %+v, %v", c, ok)
		}
		switch n, _ := c.Input.(*data.Object).Get("n"); n.(data.Number).Float64() {
		case 0:
			return nil, tool.Errorf("nothing to halve")
		case 2:
			return nil, errors.New("secret")
		case 4:
			return data.String("two"), nil
		}
		return next(ctx)
	})
	for _, c := range []struct {
		n    int
		want string
		seen string
	}{
		{8, "4", "tools.halve {\"n\":8} runs"},
		{3, "3 is odd", "tools.halve {\"n\":3} runs"},
		{0, "nothing to halve", "tools.halve {\"n\":0}"},
		{2, "tools.halve was not called; the reason is internal to the host, which has the details", "tools.halve {\"n\":2}"},
		{4, "the call ran, but its output is not what tools.halve promises", "tools.halve {\"n\":4}"},
	} {
		seen = nil
		o := tooltest.New(t, tool.Tree{"halve": around}).Call("halve", half{c.n})
		got := ""
		if o.Failure != nil {
			got = o.Failure.Message
		} else {
			got = data.JSON(o.Value)
		}
		if !strings.HasPrefix(got, c.want) || strings.Join(seen, " ") != c.seen {
			t.Errorf("%d: got %q after %q, want %q after %q", c.n, got, seen, c.want, c.seen)
		}
	}
	tooltest.New(t, tool.Tree{"halve": around}).Fails(diagnostics.InvalidToolInput, "halve", map[string]any{"n": "x"})
	if !around.Annotations().ReadOnly || around.Input() != halve.Input() || around.Description() != "Halve" {
		t.Error("what describes the tool is gone")
	}
	if _, ok := tool.Current(context.Background()); ok {
		t.Error("there is a call outside of calls")
	}
	if _, err := tool.Resolve(tool.Tree{"halve": halve.Around(nil)}); err == nil || !strings.Contains(err.Error(), "around: got nil") {
		t.Errorf("got %v", err)
	}
}
