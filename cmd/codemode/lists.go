package main

// This file defines how tool lists are read that MCP servers sent: only to look at, not to call.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/cmd/codemode/internal/demo"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// catalogFlags say which tools a command is about.
type catalogFlags struct {
	configFlags  `embed:""`
	openapiFlags `embed:""`
	waitFlag     `embed:""`
	Catalog      []string `placeholder:"FILE…" sep:"none" help:"Tool lists as MCP servers send them ({\"tools\": […]}), each a namespace of the file's name without .tools.json or .json; the demo tools if none is given. All words up to the next flag are files."`
}

// runtime offers the tools of the lists or the servers, or those of the demo. The caller is done with it when it needs
// no more calls.
func (f catalogFlags) runtime(ctx context.Context, s streams, o codemode.Options) (rt *codemode.Runtime, done func(), err error) {
	tree, done, err := f.tree(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	return newRuntime(tree, done, o)
}

func newRuntime(tree tool.Tree, done func(), o codemode.Options) (*codemode.Runtime, func(), error) {
	o.Tools, o.AllowSleep = tree, true
	rt, err := codemode.New(o)
	if err != nil {
		done()
		return nil, nil, err
	}
	return rt, done, nil
}

func (f catalogFlags) tree(ctx context.Context, s streams) (tree tool.Tree, done func(), err error) {
	return f.treeReporting(ctx, s, countSkipped(s.err, f.lister()))
}

// treeReporting is tree with a place for what of OpenAPI documents is skipped.
func (f catalogFlags) treeReporting(ctx context.Context, s streams, skipped func(string, []openapi.Skipped)) (tree tool.Tree, done func(), err error) {
	switch {
	case f.given() && len(f.Catalog) > 0:
		return nil, nil, errors.New("give either --catalog, or --config and --from")
	case f.used() && (f.given() || len(f.Catalog) > 0):
		return nil, nil, errors.New("give either --openapi, or --catalog, or --config and --from; a file for --config may name documents too")
	case f.used():
		tree, err = f.openapiFlags.tree(skipped)
	case f.given():
		return f.connect(ctx, s, f.Wait, skipped)
	case len(f.Catalog) == 0:
		tree, err = demo.Tree()
	default:
		tree, err = f.lists(s.err)
	}
	return tree, func() {}, err
}

// lister is the command that lists what is skipped.
func (f catalogFlags) lister() string {
	if f.used() {
		return "codemode catalog --openapi"
	}
	return "codemode catalog -v"
}

// lists reads the files. What cannot be used of them is told to report and left out; a file that is no list is an error.
func (f catalogFlags) lists(report io.Writer) (tool.Tree, error) {
	tree := tool.Tree{}
	for _, file := range f.Catalog {
		leave := func(format string, args ...any) {
			fmt.Fprintf(report, "codemode: %s: %s; it is left out\n", visible(file), visible(fmt.Sprintf(format, args...)))
		}
		space, err := readList(file, leave)
		name := namespaceOf(file)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		case name == "":
			leave("its name gives no name of a namespace")
			continue
		case tree[name] != nil:
			leave("another file already is the namespace %s", name)
			continue
		}
		if _, err := codemode.New(codemode.Options{Tools: tool.Tree{name: space}}); err != nil {
			leave("%v", err)
			continue
		}
		tree[name] = space
	}
	return tree, nil
}

// namespaceOf is the name of a list's namespace: that of the file without its endings. Dots in it would make several.
func namespaceOf(file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".json"), ".tools")
	return strings.ReplaceAll(name, ".", "-")
}

// readList reads one list; leave is told of each tool that cannot be used.
func readList(file string, leave func(format string, args ...any)) (tool.Namespace, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return tool.Namespace{}, errors.Unwrap(err) // the caller names the file
	}
	document, err := data.Parse(text)
	if err != nil {
		return tool.Namespace{}, err
	}
	list, ok := toolsOf(document)
	if !ok {
		return tool.Namespace{}, errors.New(`not a tool list: want {"tools": […]}`)
	}
	space := tool.Namespace{Guide: textAt(document, "_server", "instructions"),
		Description: cmp.Or(textAt(document, "_server", "serverInfo", "description"), textAt(document, "_server", "serverInfo", "title")), Tools: tool.Tree{}}
	for i, v := range list.All() {
		name := textAt(v, "name")
		t := listed(v)
		switch {
		case name == "":
			leave("tool %d has no name", i+1)
			continue
		case space.Tools[name] != nil:
			leave("tool %d is called %q like one before it", i+1, name)
			continue
		}
		if _, err := tool.Resolve(tool.Tree{name: t}); err != nil {
			leave("tool %d: %v", i+1, err)
			continue
		}
		space.Tools[name] = t
	}
	return space, nil
}

// toolsOf finds the list: of a reply, of its result, or bare.
func toolsOf(document data.Value) (data.Array, bool) {
	if list, ok := document.(data.Array); ok {
		return list, true
	}
	list, ok := at(document, "tools").(data.Array)
	if !ok {
		list, ok = at(at(document, "result"), "tools").(data.Array)
	}
	return list, ok
}

// listed is a tool of a list, which cannot be called.
func listed(v data.Value) *tool.Tool {
	description := textAt(v, "description")
	if description == "" {
		description = textAt(v, "title")
	}
	var hints tool.Annotations
	if a, ok := at(v, "annotations").(*data.Object); ok {
		_ = data.Decode(a, &hints) // hints of another form are none
	}
	return tool.Raw(description, schema.New(at(v, "inputSchema")), refuse, tool.OutputSchema(schema.New(at(v, "outputSchema"))), tool.Annotate(hints))
}

func refuse(context.Context, data.Value) (data.Value, error) {
	return nil, tool.Errorf("the tool is only known from a list; its server is not connected")
}

func at(v data.Value, name string) data.Value {
	o, _ := v.(*data.Object)
	member, _ := o.Get(name)
	return member
}

func textAt(v data.Value, path ...string) string {
	for _, name := range path {
		v = at(v, name)
	}
	s, _ := v.(data.String)
	return string(s)
}

// spread lets --catalog take all words up to the next flag, as the shell makes of a pattern.
func spread(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--":
			return append(out, args[i:]...)
		case "--catalog":
			first := i + 1
			for i+1 < len(args) && (args[i+1] == "-" || !strings.HasPrefix(args[i+1], "-")) {
				i++
				out = append(out, "--catalog="+args[i])
			}
			if i < first {
				out = append(out, "--catalog") // for the parser to complain
			}
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// budget is the option of commands that show a listing.
type budget struct {
	Budget int `default:"2000" help:"Estimated tokens for the lines of namespaces and tools (${default}); 0 shows no tools."`
}

func (b budget) options() (codemode.Options, error) {
	if b.Budget < 0 {
		return codemode.Options{}, fmt.Errorf("--budget: got %d, want 0 or more", b.Budget)
	}
	tokens := b.Budget
	if tokens == 0 {
		tokens = -1
	}
	return codemode.Options{Discovery: discovery.Options{Tokens: tokens}}, nil
}
