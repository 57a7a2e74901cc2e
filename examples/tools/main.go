// Command tools shows a tree of typed tools as their author writes it, as a
// program sees it, and a program that calls them. docs/tools.md walks through
// it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

const program = `
const issues = await tools.issues.list({ repo: "acme/api" });
const closed = await Promise.all(issues.map((i) => tools.issues.close({ repo: "acme/api", number: i.number, comment: "stale" })));
return closed.map((i) => i.title + " " + i.state);`

func sample() *tracker {
	return &tracker{
		issues: map[string][]Issue{"acme/api": {
			{Number: 1, Title: "Crash on start", State: "open", Labels: []string{"bug"}},
			{Number: 2, Title: "Typo", State: "open"},
			{Number: 3, Title: "Old", State: "closed", Closed: new("ann")},
		}},
		fetch: func(context.Context, string) (string, error) { return "", errors.New("there is no network here") },
	}
}

func run(ctx context.Context, w io.Writer) error {
	tree, err := sample().tools()
	if err != nil {
		return err
	}
	catalog, err := tool.Resolve(tree)
	if err != nil {
		return err
	}
	for _, e := range catalog.All() {
		fmt.Fprintln(w, e.Signature())
	}
	rt, err := codemode.New(codemode.Options{Tools: tree})
	if err != nil {
		return err
	}
	result, err := rt.Execute(ctx, program)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, data.JSON(result.Value))
	return nil
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}
