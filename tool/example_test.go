package tool_test

import (
	"context"
	"fmt"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

func Example() {
	type listIn struct {
		Repo  string `json:"repo" desc:"owner/name"`
		State string `json:"state,omitempty" jsonschema:"enum=open,enum=closed"`
	}
	type issue struct {
		Number int    `json:"number"`
		Title  string `json:"title"`
	}
	list := tool.New("List a repository's issues", func(_ context.Context, in listIn) ([]issue, error) {
		if in.Repo != "acme/api" {
			return nil, tool.Errorf("no repository %s", in.Repo)
		}
		return []issue{{1, "Crash on start"}}, nil
	}, tool.Annotate(tool.Annotations{ReadOnly: true}))

	tree := tool.Tree{"github": tool.Namespace{Description: "Issues and pull requests", Tools: tool.Tree{"list_issues": list}}}
	catalog, err := tool.Resolve(tree)
	if err != nil {
		panic(err)
	}
	for _, e := range catalog.All() {
		fmt.Println(e.Expression, "-", e.Tool.Description())
		fmt.Println(data.JSON(e.Tool.Input().Document()))
	}
	// Output:
	// tools.github.list_issues - List a repository's issues
	// {"properties":{"repo":{"type":"string","description":"owner/name"},"state":{"type":"string","enum":["open","closed"]}},"additionalProperties":false,"type":"object","required":["repo"]}
}

func ExampleRaw() {
	document, err := schema.Parse([]byte(`{"type":"object","properties":{"key":{"type":"string"}},"required":["key"]}`))
	if err != nil {
		panic(err)
	}
	get := tool.Raw("Read a key; null when absent", document, func(_ context.Context, input data.Value) (data.Value, error) {
		key, _ := input.(*data.Object).Get("key")
		return key, nil
	})
	fmt.Println(get.Input().Properties(), get.Output().Document())
	// Output: [key] <nil>
}

func ExampleNewEffect() {
	fetch := tool.NewEffect("Fetch a page", func(url string) fx.Effect[string] {
		page := fx.Try(func(context.Context) (string, error) { return "the text of " + url, nil })
		return fx.Timeout(fx.Retry(page, fx.Exponential(time.Second, 2).And(fx.Recurs(3))), time.Minute)
	})
	fmt.Println(data.JSON(fetch.Input().Document()))
	// Output: {"type":"string"}
}

func ExampleTree_Merge() {
	nothing := tool.New("", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil })
	base := tool.Tree{"files": tool.Tree{"read": nothing, "write": nothing}}
	logged := tool.New("Write, with a log", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil })
	merged, replaced := base.Merge(tool.Tree{"files.write": logged})
	catalog, _ := tool.Resolve(merged)
	fmt.Println(len(catalog.All()), replaced)
	// Output: 2 [tools.files.write]
}
