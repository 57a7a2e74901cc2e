// Command quickstart is the example of the README.
package main

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

type Weather struct {
	City    string  `json:"city"`
	Celsius float64 `json:"celsius"`
}

func main() {
	get := tool.New("Read the weather of a city", func(_ context.Context, in struct {
		City string `json:"city"`
	}) (Weather, error) {
		return Weather{in.City, float64(len(in.City))}, nil
	})
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{"weather": tool.Tree{"get": get}}, Limits: codemode.Limits{TimeoutMs: new(5000)}})
	if err != nil {
		panic(err)
	}
	res, err := rt.Execute(context.Background(), `
		const all = await Promise.all(["Oslo", "Rome", "Lagos"].map(city => tools.weather.get({ city })));
		return all.filter(w => w.celsius > 4).map(w => w.city)`)
	if err != nil {
		panic(err)
	}
	fmt.Println(res.OK, data.JSON(res.Value), len(res.Calls), "calls")
}
