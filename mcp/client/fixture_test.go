package client

// This file defines tests on what real servers sent.

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/tool"
)

// recorded is a server that lists the tools of a recorded one. Its tools answer
// with their name.
func recorded(l fixture.List) *fake {
	whole := make([]string, len(l.Tools))
	for i, t := range l.Tools {
		whole[i] = data.JSON(t.Whole)
	}
	return &fake{tools: strings.Join(whole, ","), on: map[string]func(*talk, message){
		methodInitialize: answers(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"},"instructions":` + data.JSON(data.String(l.Instructions)) + `}`),
		methodCall: func(t *talk, m message) {
			t.reply(m, `{"content":[],"structuredContent":`+data.JSON(member(m.params, "name"))+`}`)
		},
	}}
}

// appTools are the recorded tools that are for an application only, official-pdf's.
const appTools = 6

func TestAllRecordedToolsCanBeCalledByTheirPaths(t *testing.T) {
	var servers []Server
	wanted := map[string]fixture.Tool{}
	for _, l := range fixture.Lists() {
		s := recorded(l).over()
		// What they answer is not what their output schemas want.
		s.Name, s.Validate = l.Server, Off
		servers = append(servers, s)
		for _, tool := range l.Tools {
			wanted[l.Server+" "+tool.Name] = tool
		}
	}
	if len(wanted) != 946 {
		t.Fatalf("%d tools were recorded, want 946", len(wanted))
	}
	g := Open(t.Context(), servers, Callbacks{})
	defer g.Close(context.Background())
	if err := g.Wait(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	catalog, err := tool.Resolve(g.Tree())
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, s := range g.Status() {
		left += len(s.LeftOut)
		for _, l := range s.LeftOut {
			if s.Name != "official-pdf" || !strings.Contains(l.Reason, "application") {
				t.Errorf("%s leaves out %s: %s", s.Name, l.Tool, l.Reason)
			}
		}
		if len(s.Troubles) != 0 {
			t.Errorf("%s: %v", s.Name, s.Troubles)
		}
	}
	if all := catalog.All(); len(all) != 946-appTools || left != appTools {
		t.Fatalf("%d tools are there and %d left out", len(all), left)
	}
	rt, err := codemode.New(codemode.Options{Tools: g.Tree()})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range chunks(catalog.All(), 100) {
		var b strings.Builder
		b.WriteString("return await Promise.all([\n")
		for _, e := range part {
			fmt.Fprintf(&b, "%s({}),\n", e.Expression)
		}
		b.WriteString("])")
		result, err := rt.Execute(within(t), b.String())
		if err != nil || !result.OK {
			t.Fatalf("got %v, %v", result.Error, err)
		}
		for i, v := range result.Value.(data.Array).All() {
			if want := data.String(part[i].Path[1]); v != data.Value(want) {
				t.Errorf("%s reached %v", part[i].Expression, v)
			}
		}
	}
	for _, e := range catalog.All() {
		was := wanted[strings.Join(e.Path, " ")]
		if !equal(e.Tool.Input().Document(), was.Input) || e.Tool.Description() != was.Description || e.Tool.Annotations() != was.Annotations {
			t.Errorf("%s is not what was listed", e.Expression)
		}
		if was.Output != nil && data.JSON(e.Tool.Output().Document()) != data.JSON(was.Output) {
			t.Errorf("%s has another output schema", e.Expression)
		}
	}
}

func equal(a, b data.Value) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return data.JSON(a) == data.JSON(b) // the order of keys counts
}

func chunks[T any](all []T, n int) (parts [][]T) {
	for len(all) > n {
		parts = append(parts, all[:n])
		all = all[n:]
	}
	return append(parts, all)
}

// player answers with the recorded results of a server, in turn.
func player(t *testing.T, server string) (*fake, data.Array) {
	v, err := data.Parse(fixture.Text("mcp/calls/" + server + ".calls.json"))
	if err != nil {
		t.Fatal(err)
	}
	calls := v.(data.Array)
	for _, l := range fixture.Lists() {
		if l.Server != server {
			continue
		}
		f := recorded(l)
		f.on[methodCall] = func(t *talk, m message) {
			for _, call := range calls.All() {
				if text(call, "name") == text(m.params, "name") && data.Equal(member(call, "arguments"), member(m.params, "arguments")) {
					if e := member(call, "error"); e != nil {
						t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"error":` + data.JSON(e) + `}`)
						return
					}
					t.reply(m, data.JSON(member(call, "result")))
					return
				}
			}
		}
		return f, calls
	}
	t.Fatal("no list of", server)
	return nil, data.Array{}
}

// The value that a program gets of each recorded call, or what the failure says.
var shaped = map[string]string{
	`everything echo {"message":"hi"}`:                                             `"Echo: hi"`,
	`everything echo {"message":5}`:                                                `failure: Input validation error: Invalid arguments for tool echo: Invalid input: expected string, received number at message`,
	`everything get-sum {"a":1,"b":2}`:                                             `"The sum of 1 and 2 is 3."`,
	`everything get-structured-content {"location":"New York"}`:                    `{"temperature":33,"conditions":"Cloudy","humidity":82}`,
	`everything get-annotated-message {"messageType":"error","includeImage":true}`: `"Error: Operation failed" + 1 image/png`,
	`everything gzip-file-as-resource {"name":"x.gz","data":"data:text/plain;base64,aGVsbG8=","outputType":"resource"}`: `"[1 file attached: x.gz]" + 1 application/gzip`,
	`filesystem list_directory {"path":"/srv/demo"}`:                                                                    `{"content":"[FILE] a.txt\n[FILE] r.png"}`,
	`filesystem read_text_file {"path":"/srv/demo/a.txt"}`:                                                              `{"content":"hello world\n"}`,
	`filesystem read_text_file {"path":"/etc/passwd"}`:                                                                  `failure: Access denied - path outside allowed directories: /etc/passwd not in /srv/demo`,
	`filesystem read_media_file {"path":"/srv/demo/r.png"}`:                                                             `{"content":[{"type":"image","data":"[image attached]","mimeType":"image/png"}]} + 1 image/png`,
	`filesystem directory_tree {"path":"/srv/demo"}`:                                                                    `{"content":"[\n  {\n    \"name\": \"a.txt\",\n    \"type\": \"file\"\n  },\n  {\n    \"name\": \"r.png\",\n    \"type\": \"file\"\n  }\n]"}`,
	`filesystem list_allowed_directories {}`:                                                                            `{"content":"Allowed directories:\n/srv/demo"}`,
	`memory create_entities {"entities":[{"name":"Go","entityType":"lang","observations":["compiled"]}]}`:               `{"entities":[{"name":"Go","entityType":"lang","observations":["compiled"]}]}`,
	`memory read_graph {}`:                    `{"entities":[{"name":"Go","entityType":"lang","observations":["compiled"]}],"relations":[]}`,
	`memory search_nodes {"query":"Go"}`:      `{"entities":[{"name":"Go","entityType":"lang","observations":["compiled"]}],"relations":[]}`,
	`memory create_entities {"entities":"x"}`: `failure: Input validation error: Invalid arguments for tool create_entities: Invalid input: expected array, received string at entities`,
	`sequential-thinking sequentialthinking {"thought":"a","nextThoughtNeeded":false,"thoughtNumber":1,"totalThoughts":1}`:     `{"thoughtNumber":1,"totalThoughts":1,"nextThoughtNeeded":false,"branches":[],"thoughtHistoryLength":1}`,
	`sequential-thinking sequentialthinking {"thought":"a","nextThoughtNeeded":"false","thoughtNumber":"1","totalThoughts":1}`: `{"thoughtNumber":1,"totalThoughts":1,"nextThoughtNeeded":false,"branches":[],"thoughtHistoryLength":2}`,
}

func TestRecordedCallsAreShaped(t *testing.T) {
	seen := map[string]bool{}
	for _, server := range []string{"everything", "filesystem", "memory", "sequential-thinking"} {
		f, calls := player(t, server)
		s := f.over()
		s.Name = server
		c := connected(t, s, Callbacks{Log: func(e LogEntry) {
			if e.Source == Result {
				t.Errorf("%s: the log has %q, though the text says what the structured content says", server, e.Text)
			}
		}})
		tree := c.Tree()
		for _, call := range calls.All() {
			name := text(call, "name")
			key := server + " " + name + " " + data.JSON(member(call, "arguments"))
			if _, there := tree[server].(tool.Namespace).Tools[name]; !there {
				if name != "nope" {
					t.Errorf("there is no %s", name)
				}
				continue
			}
			p := program(t, c)
			o := p.Call("tools"+string(data.AppendKey(nil, server))+string(data.AppendKey(nil, name)), member(call, "arguments"))
			var got string
			if o.Failure != nil {
				got = "failure: " + strings.Split(o.Failure.Message, "\n")[0]
			} else {
				got = data.JSON(o.Value)
			}
			if a := p.Attachments(); len(a) > 0 {
				got += fmt.Sprintf(" + %d %s", len(a), a[0].MIMEType)
			}
			want, known := shaped[key]
			if !known {
				want = recordedElsewhere(t, key, call)
			}
			seen[key] = true
			if got != want {
				t.Errorf("%s\ngot  %.2000s\nwant %.2000s", key, got, want)
			}
		}
	}
	for key := range shaped {
		if !seen[key] {
			t.Errorf("there is no call %s", key)
		}
	}
}

// recordedElsewhere is the shape of calls with longer texts, taken from their
// blocks by the rule alone: text, else a remark.
func recordedElsewhere(t *testing.T, key string, call data.Value) string {
	result := member(call, "result")
	if e := member(call, "error"); e != nil {
		return "failure: " + strings.TrimPrefix(text(e, "message"), "MCP error "+data.JSON(member(e, "code"))+": ") + " (code " + data.JSON(member(e, "code")) + ")"
	}
	var lines []string
	media := ""
	for _, b := range member(result, "content").(data.Array).All() {
		switch text(b, "type") {
		case "text":
			lines = append(lines, text(b, "text"))
		case "resource":
			if s := text(member(b, "resource"), "text"); s != "" {
				lines = append(lines, s)
				continue
			}
			media = " + 1 " + text(member(b, "resource"), "mimeType")
		case "resource_link":
			lines = append(lines, text(b, "name")+": "+text(b, "uri"))
		case "image", "audio":
			media = " + 1 " + text(b, "mimeType")
		default:
			t.Errorf("%s has a block of type %s", key, text(b, "type"))
		}
	}
	if failed, _ := member(result, "isError").(data.Bool); bool(failed) {
		return "failure: " + strings.TrimPrefix(strings.Join(lines, "\n"), "MCP error -32602: ")
	}
	return data.JSON(data.String(strings.Join(lines, "\n"))) + media
}

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// Results by the rules of shaping: value, names and types of the attachments,
// and what the host's log has.
func TestShaping(t *testing.T) {
	blob := base64.StdEncoding.EncodeToString([]byte("%PDF"))
	image := `{"type":"image","data":"` + pixel + `","mimeType":"image/png"}`
	for name, c := range map[string]struct {
		result, value, attached, log string
	}{
		"texts":             {`{"content":[{"type":"text","text":"a"},{"type":"text","text":""},{"type":"text","text":"b"}]}`, `"a\n\nb"`, "", ""},
		"empty text":        {`{"content":[{"type":"text","text":""}]}`, `""`, "", ""},
		"text and image":    {`{"content":[{"type":"text","text":"ok"},` + image + `]}`, `"ok"`, " image/png", ""},
		"an image":          {`{"content":[` + image + `]}`, `"[1 image attached]"`, " image/png", ""},
		"images":            {`{"content":[` + image + `,` + image + `]}`, `"[2 images attached]"`, " image/png;  image/png", ""},
		"image and audio":   {`{"content":[` + image + `,{"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}`, `"[2 files attached]"`, " image/png;  audio/wav", ""},
		"image of no type":  {`{"content":[{"type":"image","data":"AAAA"}]}`, `"[1 image attached]"`, " image/*", ""},
		"resource text":     {`{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"file:///x","text":"b"}}]}`, `"a\nb"`, "", ""},
		"resource blob":     {`{"content":[{"type":"resource","resource":{"uri":"file:///tmp/my%20report.pdf?x=1","mimeType":"application/pdf","blob":"` + blob + `"}}]}`, `"[1 file attached: my report.pdf]"`, "my report.pdf application/pdf", ""},
		"blob without name": {`{"content":[{"type":"resource","resource":{"uri":"demo://","blob":"` + blob + `"}}]}`, `"[1 file attached]"`, " ", ""},
		"some with names":   {`{"content":[` + image + `,{"type":"resource","resource":{"uri":"file:///b.pdf","blob":"` + blob + `"}}]}`, `"[2 files attached]"`, " image/png; b.pdf ", ""},
		"links":             {`{"content":[{"type":"resource_link","uri":"file:///a","name":"A"},{"type":"resource_link","uri":"file:///b"}]}`, `"A: file:///a\nfile:///b"`, "", ""},
		"link without uri":  {`{"content":[{"type":"resource_link","name":"A"}]}`, `"[the result had content this client cannot read: a link without an address]"`, "", "the result had content"},
		"image, unknown":    {`{"content":[` + image + `,{"type":"hologram"}]}`, `"[1 image attached]\n[the result had content this client cannot read: hologram]"`, " image/png", "hologram"},
		"structured, same":  {`{"content":[{"type":"text","text":"{\"hits\": 6}"}],"structuredContent":{"hits":6}}`, `{"hits":6}`, "", ""},
		"structured, other": {`{"content":[{"type":"text","text":"Found 6 …"}],"structuredContent":{"hits":6}}`, `{"hits":6}`, "", "text beside the structured content: Found 6 …"},
		"structured, part":  {`{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"list":[1]}}`, `{"list":[1]}`, "", ""},
		"structured false":  {`{"content":[],"structuredContent":false}`, `false`, "", ""},
		"structured image":  {`{"content":[` + image + `],"structuredContent":{"deep":[["` + pixel + `"]],"other":"x"}}`, `{"deep":[["[image attached]"]],"other":"x"}`, " image/png", ""},
		"like JSON":         {`{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7}]}"}]}`, `"{\"rows\":[{\"id\":7}]}"`, "", ""},
		"wrapped, no mark":  {`{"content":[],"structuredContent":{"result":[1]}}`, `{"result":[1]}`, "", ""},
	} {
		f := &fake{calls: map[string]func(*talk, message){"echo": answers(c.result)}}
		var log []string
		client, err := Connect(t.Context(), f.over(), Callbacks{Log: func(e LogEntry) {
			if e.Source == Result {
				log = append(log, e.Text)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		p := program(t, client)
		o := p.Call("fake.echo", map[string]any{"message": ""})
		if o.Failure != nil || data.JSON(o.Value) != c.value {
			t.Errorf("%s: got %v, %v, want %s", name, o.Value, o.Failure, c.value)
		}
		var attached []string
		for _, a := range p.Attachments() {
			attached = append(attached, a.Name+" "+a.MIMEType)
		}
		if got := strings.Join(attached, "; "); got != c.attached {
			t.Errorf("%s: %q is attached, want %q", name, got, c.attached)
		}
		if got := strings.Join(log, "\n"); !strings.Contains(got, c.log) || c.log == "" && got != "" {
			t.Errorf("%s: the log has %q, want %q", name, got, c.log)
		}
		closeClient(t, client)
	}
}

func TestWrappedResultsAreKnownByTheirMark(t *testing.T) {
	wrap := func(mark string) string {
		return `{"name":"list","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/Row"}}},"required":["result"],"$defs":{"Row":{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}}` + mark + `}}`
	}
	result := `{"content":[],"structuredContent":{"result":[{"id":7}]}}`
	for mark, want := range map[string]struct{ value, signature string }{
		`,"x-fastmcp-wrap-result":true`:   {`[{"id":7}]`, "Promise<{ id: number }[]>"},
		`,"x-fastmcp-wrap-result":false`:  {`{"result":[{"id":7}]}`, "Promise<{ result: { id: number }[] }>"},
		`,"x-fastmcp-wrap-result":"true"`: {`{"result":[{"id":7}]}`, "Promise<{ result: { id: number }[] }>"},
		``:                                {`{"result":[{"id":7}]}`, "Promise<{ result: { id: number }[] }>"},
	} {
		f := &fake{tools: wrap(mark), calls: map[string]func(*talk, message){"list": answers(result)}}
		p := program(t, connected(t, f.over(), Callbacks{}))
		if o := p.Call("fake.list"); o.Failure != nil || data.JSON(o.Value) != want.value {
			t.Errorf("%s: got %v, %v, want %s", mark, o.Value, o.Failure, want.value)
		}
		mustSay(t, p.Signature("fake.list"), want.signature)
	}
}

func TestOutputsThatAreNotWhatIsPromised(t *testing.T) {
	f := &fake{tools: `{"name":"get","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"id":{"type":"number"}},"required":["id"]}}`,
		calls: map[string]func(*talk, message){"get": answers(`{"content":[],"structuredContent":{"id":"7"}}`)}}
	rt, err := codemode.New(codemode.Options{Tools: connected(t, f.over(), Callbacks{}).Tree()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := rt.Execute(within(t), `try { await tools.fake.get({}) } catch (e) { return e.kind + ": " + e.message }`)
	if err != nil || !r.OK {
		t.Fatal(r.Error, err)
	}
	got := string(r.Value.(data.String))
	mustSay(t, got, "InvalidToolOutput: ", "the call ran, but its output", "output.id")
}

func TestTextThatIsJSON(t *testing.T) {
	texts := map[string]struct{ off, on string }{
		`{"rows":[{"id":12345678901234567890}]}`: {`"{\"rows\":[{\"id\":12345678901234567890}]}"`, `{"rows":[{"id":12345678901234567890}]}`},
		` [1, 2] `:                               {`" [1, 2] "`, `[1,2]`},
		`42`:                                     {`"42"`, `"42"`},
		`true`:                                   {`"true"`, `"true"`},
		`null`:                                   {`"null"`, `"null"`},
		`"x"`:                                    {`"\"x\""`, `"\"x\""`},
		`{oops`:                                  {`"{oops"`, `"{oops"`},
		`[FILE] a`:                               {`"[FILE] a"`, `"[FILE] a"`},
	}
	current := ""
	f := &fake{
		tools: named("plain") + `,{"name":"promising","inputSchema":{"type":"object"},"outputSchema":{"type":"string"}}`,
		on: map[string]func(*talk, message){methodCall: func(t *talk, m message) {
			t.reply(m, `{"content":[{"type":"text","text":`+data.JSON(data.String(current))+`}]}`)
		}},
	}
	for _, on := range []bool{false, true} {
		s := f.over()
		s.ParseJSONText = on
		p := program(t, connected(t, s, Callbacks{}))
		for given, want := range texts {
			current = given
			wanted := want.off
			if on {
				wanted = want.on
			}
			if o := p.Call("fake.plain"); data.JSON(o.Value) != wanted {
				t.Errorf("%s: got %v, %v, want %s", given, o.Value, o.Failure, wanted)
			}
			if o := p.Call("fake.promising"); data.JSON(o.Value) != want.off {
				t.Errorf("%s with an output schema: got %v, %v", given, o.Value, o.Failure)
			}
		}
	}
}

// Files reach the host beside the value, and nothing of them is in values, logs
// and the ledger.
func TestThreeMegabytesOfImage(t *testing.T) {
	raw := make([]byte, 3<<20)
	for i := range raw {
		raw[i] = byte(i * 7)
	}
	encoded := base64.StdEncoding.EncodeToString(raw)
	f := &fake{tools: named("shot"), calls: map[string]func(*talk, message){"shot": answers(`{"content":[{"type":"text","text":"ok"},{"type":"image","data":"` + encoded + `","mimeType":"image/png"}]}`)}}
	rt, err := codemode.New(codemode.Options{Tools: connected(t, f.over(), Callbacks{}).Tree()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := rt.Execute(within(t), `console.log(await tools.fake.shot({})); return await tools.fake.shot({})`)
	if err != nil || !r.OK || r.Value != data.Value(data.String("ok")) {
		t.Fatalf("got %v, %v, %v", r.Value, r.Error, err)
	}
	if len(r.Attachments) != 2 || r.Attachments[0].MIMEType != "image/png" || string(r.Attachments[1].Data) != string(raw) {
		t.Errorf("got %d attachments", len(r.Attachments))
	}
	whole, err := r.JSON("")
	if err != nil || strings.Contains(string(whole), encoded[:100]) || len(whole) > 10_000 {
		t.Errorf("the result has %d bytes, %v", len(whole), err)
	}
}
