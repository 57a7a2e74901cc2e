package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

type issue struct {
	Number int     `json:"number"`
	Title  string  `json:"title"`
	Parent *issue  `json:"parent,omitempty"`
	Closed *string `json:"closed"`
}

type listIn struct {
	Repo  string `json:"repo" jsonschema:"description=owner/name"`
	State string `json:"state,omitempty" jsonschema:"enum=open,enum=closed,default=open"`
	Limit uint8  `json:"limit,omitempty"`
}

func entryOf(t *testing.T, name string, of *tool.Tool) tool.Entry {
	t.Helper()
	c, err := tool.Resolve(tool.Tree{"github": tool.Namespace{Description: "Issues of repositories", Tools: tool.Tree{name: of}}})
	if err != nil {
		t.Fatal(err)
	}
	return c.All()[0]
}

func shaped(t *testing.T, text string) *tool.Tool {
	t.Helper()
	s, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tool.Raw("", s, func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil })
}

func TestSignature(t *testing.T) {
	type nothing struct{}
	list := tool.New("List", func(context.Context, listIn) ([]issue, error) { return nil, nil })
	for _, c := range []struct {
		tool *tool.Tool
		want string
	}{
		{list, `tools.github["list-it"](input: { repo: string; state?: "open" | "closed"; limit?: number }): Promise<Issue[]>; ` +
			`type Issue = { number: number; title: string; parent?: Issue; closed: string | null }`},
		{tool.New("", func(context.Context, nothing) (string, error) { return "", nil }), `tools.github["list-it"](): Promise<string>`},
		{tool.New("", func(context.Context, any) (any, error) { return nil, nil }), `tools.github["list-it"](input?: unknown): Promise<unknown>`},
		{tool.Raw("", nil, func(context.Context, data.Value) (data.Value, error) { return nil, nil }), `tools.github["list-it"](input?: unknown): Promise<unknown>`},
		{shaped(t, `{"$schema":"http://json-schema.org/draft-07/schema#"}`), `tools.github["list-it"](input?: Record<string, unknown>): Promise<unknown>`},
		{shaped(t, `{"type":"object","additionalProperties":{"type":"number"}}`), `tools.github["list-it"](input?: Record<string, number>): Promise<unknown>`},
		{shaped(t, `{"type":"object"}`), `tools.github["list-it"](): Promise<unknown>`},
		{shaped(t, `{"properties":{"a":{"type":"string"}}}`), `tools.github["list-it"](input?: { a?: string }): Promise<unknown>`},
		{shaped(t, `{"type":"wrong"}`), `tools.github["list-it"](input: unknown): Promise<unknown>`},
	} {
		if got := entryOf(t, "list-it", c.tool).Signature(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestDeclaration(t *testing.T) {
	list := tool.New("List the issues of a repository. */\nNewest first.", func(context.Context, listIn) ([]issue, error) { return nil, nil },
		tool.Annotate(tool.Annotations{ReadOnly: true, Idempotent: true}), tool.WithExample("open ones", map[string]any{"repo": "a/b"}))
	const want = `/**
 * List the issues of a repository. * /
 * Newest first.
 * @readOnly
 * @idempotent
 * @example open ones
 * await tools.github.list({"repo":"a/b"})
 */
tools.github.list(input: {
  /** owner/name */
  repo: string;
  /** @default "open" */
  state?: "open" | "closed";
  /** @integer @minimum 0 @maximum 255 */
  limit?: number;
}): Promise<Issue[]>;
type Issue = {
  /** @integer */
  number: number;
  title: string;
  parent?: Issue;
  closed: string | null;
};
`
	if got := entryOf(t, "list", list).Declaration(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestTypes(t *testing.T) {
	leaf := shaped(t, `{"properties":{"a":{"type":"string","description":"A."}},"required":["a"]}`)
	c, err := tool.Resolve(tool.Tree{"ns": tool.Namespace{Description: "Both.", Self: leaf, Tools: tool.Tree{"new": leaf, "x-y": leaf}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `declare namespace ToolTypes {
  interface Tools {
    /** Both. */
    readonly ns: {
      (input: {
        /** A. */
        a: string;
      }): Promise<unknown>;
      "new"(input: {
        /** A. */
        a: string;
      }): Promise<unknown>;
      "x-y"(input: {
        /** A. */
        a: string;
      }): Promise<unknown>;
    };
  }
}

declare const tools: ToolTypes.Tools;
`
	if got := c.Types(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func BenchmarkSignatures(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		var entries []tool.Entry
		for _, l := range fixture.Lists() {
			for name, node := range l.Tree() {
				entries = append(entries, tool.Entry{Expression: tool.PathString([]string{l.Server, name}), Tool: node.(*tool.Tool)})
			}
		}
		b.StartTimer()
		n := 0
		for _, e := range entries {
			n += len(e.Signature())
		}
		if len(entries) != 946 || strings.Contains(entries[0].Signature(), "\n") {
			b.Fatal(len(entries))
		}
	}
}

func TestHintsBehindSignatures(t *testing.T) {
	answer := func(context.Context, data.Value) (data.Value, error) { return data.Null{}, nil }
	for behind, a := range map[string]tool.Annotations{
		"":                          {},
		" // @destructive":          {Destructive: true},
		" // @readOnly @idempotent": {ReadOnly: true, Idempotent: true},
	} {
		e := entryOf(t, "wipe", tool.Raw("Wipes all", nil, answer, tool.Annotate(a)))
		if got := e.Hinted(); got != e.Signature()+behind {
			t.Errorf("got %s, want %s behind the signature", got, behind)
		}
	}
}
