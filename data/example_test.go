package data_test

import (
	"fmt"

	"github.com/codemode-go/codemode/data"
)

func Example() {
	v, err := data.ParseString(`{"id": 12345678901234567890, "tags": ["b", "a"]}`)
	if err != nil {
		panic(err)
	}
	id, _ := v.(*data.Object).Get("id")
	fmt.Println(id.(data.Number).Text())
	fmt.Println(data.JSON(v))
	// Output:
	// 12345678901234567890
	// {"id":12345678901234567890,"tags":["b","a"]}
}

func ExampleFrom() {
	v, err := data.From(map[string]any{"b": 1, "a": []any{true, nil}})
	fmt.Println(data.JSON(v), err)
	_, err = data.From(map[string]any{"a": []any{func() {}}})
	fmt.Println(err)
	// Output:
	// {"a":[true,null],"b":1} <nil>
	// .a[0]: a Go func has no JSON form
}
