package mcp

// This file defines programs over the four real servers.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/tool"
)

// both runs a test with the servers on stdio and over HTTP.
func both(t *testing.T, f func(t *testing.T, dir string, servers []client.Server)) {
	for name, way := range map[string]func(testing.TB, string) []client.Server{"stdio": overStdio, "http": overHTTP} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t)
			f(t, dir, way(t, dir))
		})
	}
}

const tour = `
const [sum, entries, created] = await Promise.all([
	tools.everything["get-sum"]({ a: 2, b: 40 }),
	tools.files.list_directory({ path: input.dir }),
	tools.memory.create_entities({ entities: [
		{ name: "Ada", entityType: "person", observations: ["wrote the first program"] },
		{ name: "Engine", entityType: "machine", observations: [] },
	] }),
]);
await tools.memory.create_relations({ relations: [{ from: "Ada", to: "Engine", relationType: "programs" }] });
const graph = await tools.memory.read_graph({});
const thought = await tools.thinking.sequentialthinking({ thought: "Is it done?", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 });
let refused = "";
try {
	await tools.files.read_text_file({ path: input.outside });
} catch (e) {
	refused = e.kind + ": " + e.message;
}
const image = await tools.everything["get-tiny-image"]({});
const { content } = await tools.files.read_text_file({ path: input.dir + "/notes.txt" });
const slow = await tools.everything["trigger-long-running-operation"]({ duration: 0.4, steps: 4 });
// The one that loses is interrupted at the end of the program.
const first = await Promise.race([
	tools.everything["trigger-long-running-operation"]({ duration: 600, steps: 100000 }),
	tools.everything.echo({ message: "quick" }),
]);
return { sum, entries, created: created.entities.length, relations: graph.relations, done: !thought.nextThoughtNeeded,
	refused, image, lines: content.trim().split("\n").length, slow, first };
`

func TestAProgramOverFourServers(t *testing.T) {
	both(t, func(t *testing.T, dir string, servers []client.Server) {
		var mu sync.Mutex
		steps := 0.0
		g := opened(t, servers, client.Callbacks{Progress: func(_ context.Context, p client.Progress) {
			mu.Lock()
			defer mu.Unlock()
			if p.Total == 4 {
				steps = max(steps, p.Done)
			}
		}})
		rt, err := codemode.New(codemode.Options{Tools: g.Tree(), Pending: codemode.Interrupt})
		if err != nil {
			t.Fatal(err)
		}
		outside := filepath.Join(filepath.Dir(dir), "secret.txt")
		r, err := rt.ExecuteWith(t.Context(), tour, codemode.ExecOptions{Input: map[string]string{"dir": dir, "outside": outside}})
		if err != nil || !r.OK {
			t.Fatalf("got %v, %v", r.Error, err)
		}
		want := map[string]string{
			"sum":       `"The sum of 2 and 40 is 42."`,
			"entries":   `{"content":"[FILE] notes.txt"}`,
			"created":   `2`,
			"relations": `[{"from":"Ada","to":"Engine","relationType":"programs"}]`,
			"done":      `true`,
			"refused":   fmt.Sprintf(`"ToolFailure: Access denied - path outside allowed directories: %s not in %s"`, outside, dir),
			"lines":     `2`,
			"slow":      `"Long running operation completed. Duration: 0.4 seconds, Steps: 4."`,
			"first":     `"Echo: quick"`,
		}
		value := r.Value.(*data.Object)
		for key, wanted := range want {
			parsed, err := data.ParseString(wanted)
			if v, _ := value.Get(key); err != nil || !data.Equal(v, parsed) {
				t.Errorf("%s: got %s, want %s", key, data.JSON(v), wanted)
			}
		}
		if v, _ := value.Get("image"); !strings.Contains(data.JSON(v), "image") || len(data.JSON(v)) > 300 {
			t.Errorf("image: got %.300s", data.JSON(v))
		}
		if len(r.Attachments) != 1 || r.Attachments[0].MIMEType != "image/png" || !strings.HasPrefix(string(r.Attachments[0].Data), "\x89PNG") {
			t.Errorf("%d attachments", len(r.Attachments))
		}
		mu.Lock()
		if steps != 4 {
			t.Errorf("the last report was of step %v", steps)
		}
		mu.Unlock()
		counts := map[string]int{}
		for _, c := range r.Calls {
			counts[string(c.Status)]++
		}
		if fmt.Sprint(counts) != "map[completed:10 failed:1 interrupted:1]" {
			t.Errorf("the ledger has %v", counts)
		}
		for _, s := range g.Status() {
			if s.State != client.Connected || len(s.Troubles) > 0 {
				t.Errorf("%s is %s with the troubles %v", s.Name, s.State, s.Troubles)
			}
		}
	})
}

func TestAnInterruptionInTheMiddle(t *testing.T) {
	both(t, func(t *testing.T, dir string, servers []client.Server) {
		ctx, interrupt := context.WithCancel(t.Context())
		defer interrupt()
		g := opened(t, servers, client.Callbacks{Progress: func(context.Context, client.Progress) { interrupt() }})
		rt, err := codemode.New(codemode.Options{Tools: g.Tree()})
		if err != nil {
			t.Fatal(err)
		}
		r, err := rt.ExecuteWith(ctx, `
			await tools.files.write_file({ path: input + "/out.txt", content: "written" });
			await tools.everything["trigger-long-running-operation"]({ duration: 600, steps: 6000 });
			await tools.files.write_file({ path: input + "/never.txt", content: "" });`, codemode.ExecOptions{Input: dir})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if len(r.Calls) != 2 || r.Calls[0].Status != tool.Completed || r.Calls[1].Status != tool.Interrupted {
			t.Errorf("the ledger has %+v", r.Calls)
		}
		if text, _ := os.ReadFile(filepath.Join(dir, "out.txt")); string(text) != "written" {
			t.Errorf("out.txt has %q", text)
		}
		if _, err := os.Stat(filepath.Join(dir, "never.txt")); err == nil {
			t.Error("a call ran after the interruption")
		}
		after, err := rt.Execute(t.Context(), `return await tools.everything.echo({ message: "still here" })`)
		if err != nil || after.Value != data.Value(data.String("Echo: still here")) {
			t.Errorf("got %v, %v", after.Error, err)
		}
	})
}

// The tools that depend on what the client offers are announced after the first
// list.
func TestQuestionsOfARealServer(t *testing.T) {
	for name, server := range map[string]client.Server{
		"stdio": {Name: "everything", Command: []string{binary(t, "everything")}},
		"http":  {Name: "everything", URL: serveEverything(t, binary(t, "everything"))},
	} {
		t.Run(name, func(t *testing.T) {
			changed := make(chan struct{}, 8)
			callbacks := client.Callbacks{
				Changed: func(*client.Client) { changed <- struct{}{} },
				Elicit: func(_ context.Context, e client.Elicitation) (client.Answer, error) {
					if e.Tool != "trigger-elicitation-request" || len(e.Schema.Properties()) < 5 || e.Schema.Properties()[0] != "name" {
						t.Errorf("got %+v with %v", e, e.Schema.Properties())
					}
					return client.Answer{Action: client.Accept, Content: data.NewObject([]data.Member{{Key: "name", Value: data.String("Ada")}, {Key: "check", Value: data.Bool(true)}})}, nil
				},
				Sample: func(context.Context, client.Sampling) (*data.Object, error) {
					v, err := data.ParseString(`{"role":"assistant","content":{"type":"text","text":"forty-two"},"model":"test-model"}`)
					return v.(*data.Object), err
				},
			}
			c, err := client.Connect(t.Context(), server, callbacks)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close(context.Background())
			for c.Namespace().Tools["trigger-elicitation-request"] == nil || c.Namespace().Tools["trigger-sampling-request"] == nil {
				<-changed
			}
			rt, err := codemode.New(codemode.Options{Tools: c.Tree()})
			if err != nil {
				t.Fatal(err)
			}
			r, err := rt.Execute(t.Context(), `return [await tools.everything["trigger-elicitation-request"]({}),
				await tools.everything["trigger-sampling-request"]({ prompt: "6*7?", maxTokens: 9 })].join("\n")`)
			if err != nil || !r.OK {
				t.Fatalf("got %v, %v", r.Error, err)
			}
			for _, part := range []string{"Ada", "forty-two", "test-model"} {
				if !strings.Contains(data.JSON(r.Value), part) {
					t.Errorf("%s is not in %s", part, data.JSON(r.Value))
				}
			}
		})
	}
}

func TestAWebServerThatIsStartedAgain(t *testing.T) {
	path, port := binary(t, "everything"), freePort(t)
	stop := startEverything(t, path, port)
	defer stop()
	c, err := client.Connect(t.Context(), client.Server{Name: "everything", URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", port)}, client.Callbacks{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	rt, err := codemode.New(codemode.Options{Tools: c.Tree()})
	if err != nil {
		t.Fatal(err)
	}
	const echo = `return await tools.everything.echo({ message: "hi" })`
	if r, err := rt.Execute(t.Context(), echo); err != nil || !r.OK {
		t.Fatalf("got %v, %v", r.Error, err)
	}
	stop()
	r, err := rt.Execute(t.Context(), echo)
	if err != nil || r.OK || !strings.Contains(r.Error.Message, "MCP server everything: ") || strings.Contains(r.Error.Message, "127.0.0.1") {
		t.Errorf("without the server: %v, %v", r.Error, err)
	}
	stop = startEverything(t, path, port)
	defer stop()
	if r, err := rt.Execute(t.Context(), echo); err != nil || !r.OK {
		t.Errorf("with another one: %v, %v; %v", r.Error, err, c.Status().Troubles)
	}
}
