package main

// This file defines the commands that show tools: catalog, instructions and types.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

type catalogCommand struct {
	catalogFlags `embed:""`
	budget       `embed:""`
	Verbose      bool `short:"v" help:"With --config and --from, also list what of OpenAPI documents is skipped, and why; with --openapi it always is."`
	Tokens       bool `help:"Print what the namespaces cost in estimated tokens instead: as raw lists, as signatures, and as shown."`
}

func (c *catalogCommand) execute(ctx context.Context, s streams) int {
	o, err := c.budget.options()
	if err != nil {
		return unusable(s, err)
	}
	skipped := map[string][]openapi.Skipped{}
	report := func(name string, list []openapi.Skipped) { skipped[name] = list }
	names := flags
	if c.given() {
		if names = config.DocumentFields; !c.Verbose {
			report = countSkipped(s.err, c.lister())
		}
	}
	tree, done, err := c.treeReporting(ctx, s, report)
	if err != nil {
		return unusable(s, err)
	}
	rt, done, err := newRuntime(tree, done, o)
	if err != nil {
		return unusable(s, err)
	}
	defer done()
	for _, clash := range rt.Tools().Clashes() {
		fmt.Fprintf(s.err, "codemode: names that differ in case and separators alone: %s\n", visible(strings.Join(clash, ", ")))
	}
	l := rt.Catalog()
	if c.Tokens {
		writeCosts(s.out, rt, l)
		return exitOK
	}
	state := "COMPLETE"
	if !l.Complete() {
		state = "PARTIAL"
	}
	fmt.Fprintf(s.out, "%s: %d of %d tools\n%s", state, l.Shown, l.Tools, visible(l.String()))
	for _, name := range slices.Sorted(maps.Keys(skipped)) {
		listSkipped(s.out, name, skipped[name], names)
	}
	return exitOK
}

func runtimeWith(ctx context.Context, s streams, f catalogFlags, b budget) (rt *codemode.Runtime, done func(), err error) {
	o, err := b.options()
	if err != nil {
		return nil, nil, err
	}
	return f.runtime(ctx, s, o)
}

// writeCosts prints a table of what tools cost a model in estimated tokens.
func writeCosts(w io.Writer, rt *codemode.Runtime, l discovery.Listing) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "namespace\ttools\traw lists\tsignatures\tshown\ttokens shown\t")
	raw, signatures := map[string]int{}, map[string]int{}
	for _, e := range rt.Tools().All() {
		raw[e.Path[0]] += discovery.Estimate(gateway.RawDefinition(e))
		signatures[e.Path[0]] += discovery.Estimate(e.Signature())
	}
	var sums [4]int
	for _, n := range l.Namespaces {
		cost := 0
		for _, line := range n.Lines {
			cost += discovery.Estimate(line.String())
		}
		for i, v := range []int{raw[n.Name], signatures[n.Name], len(n.Lines), cost} {
			sums[i] += v
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t\n", visible(n.Name), n.Tools, raw[n.Name], signatures[n.Name], len(n.Lines), cost)
	}
	fmt.Fprintf(t, "all\t%d\t%d\t%d\t%d\t%d\t\n", l.Tools, sums[0], sums[1], sums[2], sums[3])
	t.Flush()
	fmt.Fprintf(w, "\nA model is given about %d tokens of instructions instead of %d of tool lists.\n", discovery.Estimate(rt.Instructions()), sums[0])
}

type instructionsCommand struct {
	catalogFlags `embed:""`
	budget       `embed:""`
}

func (c *instructionsCommand) execute(ctx context.Context, s streams) int {
	rt, done, err := runtimeWith(ctx, s, c.catalogFlags, c.budget)
	if err != nil {
		return unusable(s, err)
	}
	defer done()
	io.WriteString(s.out, rt.Instructions())
	return exitOK
}

type typesCommand struct {
	catalogFlags `embed:""`
	Below        []string `arg:"" optional:"" name:"path" help:"Only tools at or below these paths, such as issues or tools.issues.list; all if none is given."`
}

func (c *typesCommand) execute(ctx context.Context, s streams) int {
	rt, done, err := c.runtime(ctx, s, codemode.Options{})
	if err != nil {
		return unusable(s, err)
	}
	defer done()
	catalog := rt.Tools()
	if len(c.Below) > 0 {
		keep := map[string]bool{}
		for _, path := range c.Below {
			hits := rt.Search(discovery.Query{Namespace: path, Limit: len(catalog.All())}).Hits
			if len(hits) == 0 {
				return usage(s, fmt.Errorf("there is no tool at or below %s; the namespaces are %s", path, names(catalog)))
			}
			for _, h := range hits {
				keep[h.Entry.Expression] = true
			}
		}
		catalog = catalog.Filter(func(e tool.Entry) bool { return keep[e.Expression] })
	}
	io.WriteString(s.out, catalog.Types()+ownTypes)
	return exitOK
}

// ownTypes declare what a program has beside the tools of the catalog.
const ownTypes = `
declare namespace CodemodeTypes {
  interface SearchInput {
    query?: string;
    namespace?: string;
    limit?: number;
    offset?: number;
  }
  interface SearchOutput {
    items: { path: string; description: string; signature: string }[];
    total: number;
    remaining: number;
    next: { offset: number } | null;
  }
  type Search = (input?: SearchInput | string) => Promise<SearchOutput>;
  interface Own {
    search: Search;
    /** only where the host allows it */
    sleep(input: { ms: number }): Promise<unknown>;
  }
}

declare namespace ToolTypes {
  interface Tools {
    readonly $codemode: CodemodeTypes.Own;
  }
}

declare const $codemode: CodemodeTypes.Own;
declare const search: CodemodeTypes.Search;
declare const input: any;
`

func names(c *tool.Catalog) string {
	list, _ := c.Keys(nil)
	return strings.Join(list, ", ")
}
