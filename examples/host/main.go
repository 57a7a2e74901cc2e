// Command host shows a Go program that offers typed tools to programs and runs two of them.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// QuoteIn asks for the price of a number of parts.
type QuoteIn struct {
	Part  string `json:"part" desc:"the part's number"`
	Count int    `json:"count,omitempty" jsonschema:"minimum=1,default=1"`
}

// Quote is an offer.
type Quote struct {
	Part     string  `json:"part"`
	Supplier string  `json:"supplier"`
	Total    float64 `json:"total" desc:"in euro"`
	Days     int     `json:"days" desc:"until delivery"`
}

var prices = map[string]float64{"A-100": 2.5, "B-200": 14, "C-300": 0.2}

// supplier is a tool of one supplier.
func supplier(name string, factor float64, days int) *tool.Tool {
	return tool.New("Ask "+name+" for a quote", func(_ context.Context, in QuoteIn) (Quote, error) {
		price, ok := prices[in.Part]
		if !ok {
			// The program reads this text; any other error would reach it only as a generic sentence.
			return Quote{}, tool.Errorf("there is no part %s", in.Part)
		}
		return Quote{in.Part, name, price * factor * float64(max(1, in.Count)), days}, nil
	}, tool.Annotate(tool.Annotations{ReadOnly: true}))
}

const cheapest = `
const parts = input.parts;
const best = await Promise.all(parts.map(async (part) => {
  const quotes = await Promise.all(Object.values(tools.quotes).map((ask) => ask({ part, count: input.count })));
  return quotes.sort((a, b) => a.total - b.total)[0];
}));
console.log("asked for", parts.length, "parts");
return { order: best.map((q) => q.part + " from " + q.supplier), total: best.reduce((s, q) => s + q.total, 0) };`

func run(ctx context.Context, w io.Writer) error {
	rt, err := codemode.New(codemode.Options{
		Tools: tool.Tree{"quotes": tool.Namespace{Description: "Suppliers of parts", Tools: tool.Tree{
			"acme":  supplier("Acme", 1.1, 2),
			"borea": supplier("Borea", 1.0, 9),
		}}},
		Limits: codemode.Limits{TimeoutMs: new(10_000), MaxToolCalls: new(50)},
	})
	if err != nil {
		return err
	}
	for _, parts := range [][]string{{"A-100", "C-300"}, {"A-100", "Z-999"}} {
		r, err := rt.ExecuteWith(ctx, cheapest, codemode.ExecOptions{Input: map[string]any{"parts": parts, "count": 10}})
		if err != nil {
			return err
		}
		if r.OK {
			fmt.Fprintf(w, "%s after %d calls\n", data.JSON(r.Value), len(r.Calls))
		} else {
			fmt.Fprintf(w, "%s: %s\n", r.Error.Kind, r.Error.Message)
		}
	}
	return nil
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}
