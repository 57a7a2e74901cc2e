// Command quickstart is the example of the README.
package main

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

func main() {
	type in struct {
		City string `json:"city"`
	}
	weather := tool.New("Degrees in a city", func(_ context.Context, in in) (int, error) { return len(in.City), nil })
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{"weather": tool.Tree{"get": weather}}})
	if err != nil {
		panic(err)
	}
	res, err := rt.Execute(context.Background(), `
		const all = await Promise.all(["Oslo", "Lagos"].map(city => tools.weather.get({ city })));
		return { warmest: Math.max(...all) }`)
	fmt.Println(data.JSON(res.Value), res.Error, len(res.Calls), err)
}
