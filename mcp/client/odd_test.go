package client

// This file defines the oddities of servers, each of which costs its call or its
// server and nothing else.

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

var noisy = child("noisy", &fake{
	began: func(t *talk) { t.send("Server starting…", `{"level":"info","message":"ready"}`, `[1,2]`, "") },
	calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send("handling echo", `{"jsonrpc":"1.0","id":1,"result":{}}`, `"text"`, `{"jsonrpc":"2.0","method":7}`)
		t.reply(m, `{"content":[{"type":"text","text":"fine"}]}`)
	}},
})

func TestTextOnStandardOutputIsKeptAside(t *testing.T) {
	var entries atomic.Int32
	c := connected(t, noisy, Callbacks{Log: func(e LogEntry) {
		if e.Source == Stdout {
			entries.Add(1)
		}
	}})
	if o := program(t, c).Call("fake.echo", map[string]any{"message": "x"}); o.Value != data.String("fine") {
		t.Errorf("got %v, %v", o.Value, o.Failure)
	}
	mustSay(t, strings.Join(c.Status().Stderr, "\n"), "Server starting…", `"level":"info"`, "handling echo")
	if entries.Load() < 5 {
		t.Errorf("%d lines were logged", entries.Load())
	}
}

// Each kind of server that does not know the first message.
var (
	silentChild = child("silent", &fake{on: map[string]func(*talk, message){methodDiscover: nothing}})
	exitingOne  = child("exits", &fake{on: map[string]func(*talk, message){methodDiscover: func(*talk, message) { os.Exit(1) }}})
)

func TestServersThatDoNotKnowTheFirstMessageAreStartedAgain(t *testing.T) {
	silent := silentChild
	silent.DiscoverTimeout = 300 * time.Millisecond
	for name, s := range map[string]Server{"silent": silent, "exits": exitingOne} {
		t.Run(name, func(t *testing.T) {
			c := connected(t, s, Callbacks{})
			if got := c.Status(); got.Protocol != "2025-11-25" || got.Tools != 1 || got.Transport != "stdio" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestDiscoverIsWaitedForFiveSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{on: map[string]func(*talk, message){methodDiscover: nothing}}
		start := time.Now()
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		if waited := time.Since(start); waited != 5*time.Second || f.starts() != 2 {
			t.Errorf("waited %v, %d starts", waited, f.starts())
		}
		first := f.last().messages()[0]
		if first.method != methodInitialize || text(first.params, "protocolVersion") != "2025-11-25" {
			t.Errorf("the second start begins with %v", first.whole)
		}
	})
}

func TestAServerThatNeverAnswersIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{on: map[string]func(*talk, message){methodDiscover: nothing, methodInitialize: nothing}}
		start := time.Now()
		_, err := Connect(t.Context(), f.over(), Callbacks{})
		if err == nil {
			t.Fatal("it connected")
		}
		mustSay(t, err.Error(), `mcp server "fake"`, "no session within 1m0s")
		if waited := time.Since(start); waited > 62*time.Second {
			t.Errorf("waited %v", waited)
		}
	})
}

func TestOddEntriesCostThemselves(t *testing.T) {
	f := &fake{tools: strings.Join([]string{
		`{"name":"hints","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes","destructiveHint":true}}`,
		`{"name":7,"inputSchema":{"type":"object"}}`,
		`"text"`, `null`, `{}`, `{"name":""}`, `{"name":"a..b"}`,
		`{"name":"number","inputSchema":5}`,
		`{"name":"none"}`,
		`{"name":"bad","inputSchema":{"type":"object","properties":{"x":{"type":"strin"}},"required":"x"},"outputSchema":{"enum":[]}}`,
		`{"name":"remote","inputSchema":{"$ref":"file:///etc/passwd"}}`,
		`{"name":"app","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}}`,
		`{"name":"both","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app","model"]}}}`,
		`{"name":"task","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}`,
		`{"name":"get_sum","inputSchema":{"type":"object"}}`,
		`{"name":"get-sum","inputSchema":{"type":"object"}}`,
		`{"name":"export","inputSchema":{"type":"object"}}`,
		`{"name":"__proto__","inputSchema":{"type":"object"}}`,
		`{"name":"files/read","inputSchema":{"type":"object"}}`,
		`{"name":"ns.read","inputSchema":{"type":"object"}}`,
		`{"name":"headers","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A b"}}}}`,
		`{"name":"huge","description":"` + strings.Repeat("x", 100_000) + `","inputSchema":{"type":"object"}}`,
	}, ","),
		calls: map[string]func(*talk, message){"task": func(t *talk, m message) {
			t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"error":{"code":-32601,"message":"MCP error -32601: Tool task requires task augmentation (taskSupport: 'required')"}}`)
		}},
	}
	c := connected(t, f.over(), Callbacks{})
	want := `__proto__ bad both export files/read get-sum get_sum headers hints huge none ns.read number remote task`
	if got := names(t, c); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s := c.Status()
	var left []string
	for _, l := range s.LeftOut {
		left = append(left, l.Tool+": "+l.Reason)
	}
	mustSay(t, strings.Join(left, "\n"), "(number 2 of the list): its name is no text", "(number 3 of the list): it is no object",
		"a..b: its name is empty between its dots", "app: it is for the user interface of an application only")
	if len(left) != 7 {
		t.Errorf("left out: %q", left)
	}
	mustSay(t, strings.Join(s.Notes, "\n"), "number: its input schema", "bad: its input schema cannot be enforced", "remote: ",
		"get-sum: the name is nearly that of get_sum", "task: it runs as a task only")
	p := program(t, c)
	for _, path := range strings.Fields(want) {
		if path == "task" {
			continue
		}
		if o := p.Call("fake."+path, map[string]any{"x": 1}); o.Value != data.String("called "+path) {
			t.Errorf("%s: got %v, %v", path, o.Value, o.Failure)
		}
	}
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.task"), "requires task augmentation")
	catalog := c.Namespace()
	if a := catalog.Tools["hints"]; a == nil {
		t.Error("hints is not there")
	}
}

func TestEndlessPages(t *testing.T) {
	page := func(tools, next string) string { return `{"tools":[` + tools + `],"nextCursor":"` + next + `"}` }
	pages := map[string]map[string]string{
		"complete": {"": page(named("a", "b"), "2"), "2": page(named("c"), "3"), "3": page(named("d"), "")},
		"the same": {"": page(named("a", "b"), "again"), "again": page(named("c"), "again")},
		"in turns": {"": page(named("a"), "1"), "1": page(named("b"), "2"), "2": page(named("c"), "1")},
		"twice":    {"": page(named("a", "b"), "2"), "2": page(named("b", "c"), "")},
		"not text": {"": `{"tools":[` + named("a") + `],"nextCursor":5}`},
		"breaks":   {"": page(named("a"), "2")},
		"itself":   {"": page(named("a"), "")},
	}
	for name, want := range map[string]struct{ tools, trouble string }{
		"complete": {"a b c d", ""},
		"the same": {"a b c", "repeats itself after 3"},
		"in turns": {"a b c", "repeats itself after 3"},
		"twice":    {"a b c", ""},
		"not text": {"a", "goes on after 1 at a place that is no text but a number"},
		"breaks":   {"a", "breaks off after 1: no such page (code -32602)"},
		"itself":   {"a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
				if p, ok := pages[name][text(m.params, "cursor")]; ok {
					t.reply(m, p)
					return
				}
				t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"error":{"code":-32602,"message":"no such page"}}`)
			}}}
			c := connected(t, f.over(), Callbacks{})
			if got := names(t, c); got != want.tools {
				t.Errorf("got %s, want %s", got, want.tools)
			}
			if got := troubles(c); !strings.Contains(got, want.trouble) || want.trouble == "" && got != "" {
				t.Errorf("troubles: %q, want %q", got, want.trouble)
			}
			if left := c.Status().LeftOut; name == "twice" && (len(left) != 1 || !strings.Contains(left[0].Reason, "twice")) {
				t.Errorf("left out: %v", left)
			}
		})
	}
}

func TestListsWithoutEnd(t *testing.T) {
	for name, tools := range map[string]int{"of tools": 1000, "of nothing": 0} {
		t.Run(name, func(t *testing.T) {
			n := 0
			f := &fake{on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
				n++
				var list []string
				for i := range tools {
					list = append(list, fmt.Sprintf("t%d_%d", n, i))
				}
				t.reply(m, `{"tools":[`+named(list...)+`],"nextCursor":"`+fmt.Sprint(n)+`"}`)
			}}}
			c := connected(t, f.over(), Callbacks{})
			if got := c.Status().Tools; got != min(tools, 1)*10_000 {
				t.Errorf("got %d tools", got)
			}
			mustSay(t, troubles(c), "does not end")
		})
	}
}

// The bound is one of a page as well, and of what is no tool.
func TestAPageWithoutEnd(t *testing.T) {
	many := make([]string, 30_000)
	for i := range many {
		many[i] = fmt.Sprint("t", i)
	}
	for list, want := range map[string]int{named(many...): 10_000, strings.Repeat("1,", 100_000) + named("a"): 0} {
		c := connected(t, (&fake{tools: list}).over(), Callbacks{})
		if s := c.Status(); s.Tools != want || len(s.LeftOut) != 10_000-want {
			t.Errorf("%d tools, %d left out", s.Tools, len(s.LeftOut))
		}
		mustSay(t, troubles(c), "the list of tools does not end; the first 10000 are taken")
	}
}

// The reply that comes is larger than what is read.
var largeChild = child("large", &fake{
	tools: named("large", "first", "small"),
	calls: map[string]func(*talk, message){
		// As the TypeScript SDK writes it, the id comes last.
		"large": func(t *talk, m message) {
			t.send(`{"result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 20<<20) + `"}]},"jsonrpc":"2.0","id":` + m.id + `}`)
		},
		"first": func(t *talk, m message) {
			t.reply(m, `{"content":[{"type":"text","text":"`+strings.Repeat("x", 20<<20)+`"}]}`)
		},
	},
})

func TestAReplyOfTwentyMegabytesCostsItsCall(t *testing.T) {
	f := fakes["large"]
	for name, s := range map[string]Server{"stdio": largeChild, "stream": f.over(), "http": serveHTTP(t, f.web())} {
		t.Run(name, func(t *testing.T) {
			p := program(t, connected(t, s, Callbacks{}))
			for _, path := range []string{"fake.large", "fake.first"} {
				mustSay(t, p.Fails(diagnostics.ToolFailure, path), "MCP server fake: its reply is too large: ", "at most 16.0 MiB are read")
			}
			if o := p.Call("fake.small"); o.Value != data.String("called small") {
				t.Errorf("afterwards: %v, %v", o.Value, o.Failure)
			}
		})
	}
}

func TestALimitOfOnesOwn(t *testing.T) {
	f := &fake{calls: map[string]func(*talk, message){"echo": answers(`{"content":[{"type":"text","text":"` + strings.Repeat("x", 5000) + `"}]}`)}}
	s := f.over()
	s.MaxMessageBytes = 4000
	p := program(t, connected(t, s, Callbacks{}))
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo", map[string]any{"message": ""}), "too large: 50", " bytes, at most 4000 bytes are read")
}

func TestAnIDAsTextIsUnderstood(t *testing.T) {
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","id":"` + m.id + `","result":{"content":[{"type":"text","text":"here"}]}}`)
	}}}
	if o := program(t, connected(t, f.over(), Callbacks{})).Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
		t.Errorf("got %v, %v", o.Value, o.Failure)
	}
}

func TestRepliesThatCannotBeRead(t *testing.T) {
	current := ""
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(strings.ReplaceAll(current, "ID", m.id))
	}}}
	for name, s := range map[string]Server{"stream": f.over(), "http": serveHTTP(t, f.web())} {
		p := program(t, connected(t, s, Callbacks{}))
		for _, current = range []string{
			`{"jsonrpc":"2.0","id":ID,"result":{"structuredContent":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}`,
			`{"result":{"structuredContent":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + `},"jsonrpc":"2.0","id":ID}`,
			`{"jsonrpc":"2.0","id":ID,"result":{"content":[`,
		} {
			mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo", map[string]any{"message": name}), "MCP server fake: its reply is no JSON that can be read")
		}
	}
}

func TestAnswersToNobodyAreDropped(t *testing.T) {
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","id":4711,"result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
			`{"jsonrpc":"2.0","id":{"a":1},"result":{}}`, `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/odd","params":7}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"nobody","progress":"much"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":5}`, `{"jsonrpc":"2.0","id":9,"method":"no/such","params":{}}`)
		t.reply(m, `{"content":[{"type":"text","text":"here"}]}`)
	}}}
	p := program(t, connected(t, f.over(), Callbacks{}))
	for range 2 {
		if o := p.Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
			t.Errorf("got %v, %v", o.Value, o.Failure)
		}
	}
}

func TestACallWithoutAnswerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: map[string]func(*talk, message){"echo": nothing}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		start := time.Now()
		_, err = c.call(t.Context(), c.listing.tools[0], nil)
		if err == nil || time.Since(start) != time.Minute {
			t.Fatalf("got %v after %v", err, time.Since(start))
		}
		mustSay(t, err.Error(), "MCP server fake: echo has neither answered nor reported progress for 1m0s")
		synctest.Wait()
		all := f.last().messages()
		if m := all[len(all)-1]; m.method != "notifications/cancelled" {
			t.Errorf("the server was told %v", m.whole)
		}
	})
}

// A result, and the value or the message a program gets.
var oddResults = map[string]struct{ result, value, message string }{
	"no content":         {`{}`, `null`, ""},
	"content null":       {`{"content":null}`, `null`, ""},
	"result null":        {`null`, `null`, ""},
	"result a list":      {`[1]`, `null`, ""},
	"toolResult":         {`{"toolResult":{"a":1}}`, `{"a":1}`, ""},
	"content no list":    {`{"content":"text"}`, `null`, ""},
	"unknown type":       {`{"content":[{"type":"hologram","x":1}]}`, `"[the result had content this client cannot read: hologram]"`, ""},
	"unknown and text":   {`{"content":[{"type":"hologram"},{"type":"text","text":"ok"}]}`, `"ok"`, ""},
	"a block of nothing": {`{"content":[null,5,{},{"type":"text","text":"ok"}]}`, `"ok"`, ""},
	"bad base64":         {`{"content":[{"type":"image","data":"%%%","mimeType":"image/png"}]}`, `"[the result had content this client cannot read: image data that is no base64]"`, ""},
	"no data":            {`{"content":[{"type":"image"}]}`, `"[the result had content this client cannot read: image data that is no base64]"`, ""},
	"URL-safe base64":    {`{"content":[{"type":"image","data":"-_-_","mimeType":"image/png"}]}`, `"[1 image attached]"`, ""},
	"error":              {`{"isError":true,"content":[{"type":"text","text":"MCP error -32602: Tool nope not found"}]}`, "", "Tool nope not found"},
	"error of nothing":   {`{"isError":true}`, "", "echo failed without saying why"},
	"error of fields":    {`{"isError":true,"content":[],"structuredContent":{"error":"quota exceeded","retryAfter":30}}`, "", `{"error":"quota exceeded","retryAfter":30}`},
	"error of null":      {`{"isError":true,"structuredContent":null}`, "", "echo failed without saying why"},
	"error, an image":    {`{"isError":true,"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`, "", "echo failed: [1 image attached]"},
	"error, both":        {`{"isError":true,"content":[{"type":"image","data":"aGk="}],"structuredContent":{"shot":"aGk="}}`, "", `{"shot":"[image attached]"}`},
	"error, unknown":     {`{"isError":true,"content":[{"type":"hologram"}]}`, "", "echo failed: [the result had content this client cannot read: hologram]"},
	"error, large":       {`{"isError":true,"structuredContent":"` + strings.Repeat("x", 9000) + `"}`, "", `"` + strings.Repeat("x", 8191) + "… (810 bytes more)"},
	"isError a text":     {`{"isError":"yes","content":[{"type":"text","text":"ok"}]}`, `"ok"`, ""},
	"error with content": {`{"isError":true,"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"structuredContent":{"x":1}}`, "", "a\nb"},
	"digits":             {`{"content":[],"structuredContent":{"id":12345678901234567890,"z":1,"a":2}}`, `{"id":12345678901234567890,"z":1,"a":2}`, ""},
	"structured null":    {`{"content":[{"type":"text","text":"ok"}],"structuredContent":null}`, `"ok"`, ""},
	"structured a list":  {`{"content":[],"structuredContent":[1,2]}`, `[1,2]`, ""},
	"asks oddly":         {`{"resultType":"input_required","inputRequests":[1],"content":[]}`, "", "MCP server fake: echo asks for input in a form this client cannot read"},
	"asks for nothing":   {`{"resultType":"input_required"}`, "", "MCP server fake: echo asks for input in a form this client cannot read"},
	"odd _meta":          {`{"_meta":7,"content":[{"type":"text","text":"ok","annotations":"x"}]}`, `"ok"`, ""},
}

func TestOddResultsCostTheirCall(t *testing.T) {
	current := ""
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) { t.reply(m, oddResults[current].result) }}}
	p := program(t, connected(t, f.over(), Callbacks{}))
	for name, want := range oddResults {
		current = name
		o := p.Call("fake.echo", map[string]any{"message": ""})
		if want.message != "" {
			if o.Failure == nil || o.Failure.Message != want.message {
				t.Errorf("%s: got %v, %v, want the message %q", name, o.Value, o.Failure, want.message)
			}
			continue
		}
		if o.Failure != nil || data.JSON(o.Value) != want.value {
			t.Errorf("%s: got %v, %v, want %s", name, o.Value, o.Failure, want.value)
		}
	}
}

func TestErrorReplies(t *testing.T) {
	current := ""
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(`{"jsonrpc":"2.0","id":` + m.id + `,"error":` + current + `}`)
	}}}
	p := program(t, connected(t, f.over(), Callbacks{}))
	for e, want := range map[string]string{
		`{"code":-32602,"message":"bad args"}`:                            "bad args (code -32602)",
		`{"code":-32602,"message":"MCP error -32602: bad args"}`:          "bad args (code -32602)",
		`{"code":-32042,"message":"look","data":{"elicitations":"none"}}`: "look (code -32042)",
		`"just text"`:                                             "just text (code -32000)",
		`{"code":"E_BAD","message":["x"]}`:                        "the server refused the call without saying why (code -32000)",
		`{"code":1.5,"message":"half"}`:                           "half (code -32000)",
		`{"code":7,"message":"` + strings.Repeat("x", 1e6) + `"}`: "bytes more) (code 7)",
	} {
		current = e
		got := p.Fails(diagnostics.ToolFailure, "fake.echo", map[string]any{"message": ""})
		if !strings.HasSuffix(got, want) || len(want) < len(got) && len(got) < 8000 {
			t.Errorf("%.100s: got %.200q, want %q", e, got, want)
		}
	}
}

func TestHandshakesOfOddForm(t *testing.T) {
	for name, h := range map[string]string{
		"capabilities": `{"protocolVersion":"2025-11-25","capabilities":{"tools":true,"prompts":[],"logging":"yes"},"serverInfo":{"name":"fake","version":"1"}}`,
		"server":       `{"protocolVersion":"2025-11-25","capabilities":null,"serverInfo":"fake"}`,
		"words":        `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":5,"version":1.2,"icons":7},"instructions":["a"],"_meta":[]}`,
		"old":          `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`,
	} {
		f := &fake{on: map[string]func(*talk, message){methodInitialize: answers(h)}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := names(t, c); got != "echo" {
			t.Errorf("%s: got %q", name, got)
		}
		closeClient(t, c)
	}
}

func TestAnUnknownVersionIsNamed(t *testing.T) {
	f := &fake{on: map[string]func(*talk, message){methodInitialize: answers(`{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"f","version":"1"}}`)}}
	_, err := Connect(t.Context(), f.over(), Callbacks{})
	if err == nil {
		t.Fatal("it connected")
	}
	mustSay(t, err.Error(), "1999-01-01")
}

// The server dies in the middle of a call, with another one beside it.
var dying = child("dying", &fake{
	tools: named("die", "wait", "pid"),
	calls: map[string]func(*talk, message){
		"die":  func(*talk, message) { fmt.Fprintln(os.Stderr, "out of memory"); os.Exit(7) },
		"wait": nothing,
		"pid":  func(t *talk, m message) { t.reply(m, fmt.Sprintf(`{"structuredContent":{"pid":%d}}`, os.Getpid())) },
	},
})

func TestAServerThatDiesIsStartedAgain(t *testing.T) {
	c := connected(t, dying, Callbacks{})
	p := program(t, c)
	first := p.Call("fake.pid").Value
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.die"), "MCP server fake: it ended with exit status 7 while die ran", "the next call starts the server again")
	if s := c.Status(); s.State != Down {
		t.Errorf("got %v", s.State)
	}
	mustSay(t, strings.Join(c.Status().Stderr, "\n"), "out of memory")
	mustSay(t, troubles(c), "it ended with exit status 7; the next call starts it again; it wrote:\n  out of memory")
	second := p.Call("fake.pid")
	if second.Failure != nil || data.Equal(first, second.Value) {
		t.Errorf("got %v, %v after %v", second.Value, second.Failure, first)
	}
}

func TestRestartsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, _ message) { t.end() }}}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		call := func() error {
			_, err := c.call(t.Context(), c.listing.tools[0], nil)
			return err
		}
		start := time.Now()
		for i := range 4 {
			mustSay(t, call().Error(), "the connection ended while echo ran")
			if i == 3 && time.Since(start) != 2500*time.Millisecond {
				t.Errorf("the restarts were delayed by %v in all", time.Since(start))
			}
		}
		mustSay(t, call().Error(), "MCP server fake: it ended 3 times within a minute")
		if f.starts() != 4 {
			t.Errorf("%d starts", f.starts())
		}
		time.Sleep(time.Minute)
		mustSay(t, call().Error(), "while echo ran")
		if f.starts() != 5 {
			t.Errorf("%d starts", f.starts())
		}
	})
}

func TestOneRestartServesAllCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tools: echoTool}
		c, err := Connect(t.Context(), f.over(), Callbacks{})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		f.last().end()
		synctest.Wait()
		done := make(chan error, 8)
		for range 8 {
			go func() {
				_, err := c.call(t.Context(), c.listing.tools[0], nil)
				done <- err
			}()
		}
		for range 8 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if f.starts() != 2 {
			t.Errorf("%d starts", f.starts())
		}
	})
}

func TestAServerThatComesBackWithOtherTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tools: named("one")}
		changed := 0
		c, err := Connect(t.Context(), f.over(), Callbacks{Changed: func(*Client) { changed++ }})
		if err != nil {
			t.Fatal(err)
		}
		defer closeClient(t, c)
		before := c.listing.tools[0]
		f.tools = named("one", "two")
		f.last().end()
		synctest.Wait()
		if _, err := c.call(t.Context(), before, nil); err != nil {
			t.Fatal(err)
		}
		if got := names(t, c); got != "one two" || changed != 1 {
			t.Errorf("got %q, %d changes", got, changed)
		}
	})
}

func TestAServerThatCannotBeStarted(t *testing.T) {
	_, err := Connect(t.Context(), Server{Name: "gone", Command: []string{"/no/such/program"}}, Callbacks{})
	if err == nil {
		t.Fatal("it connected")
	}
	mustSay(t, err.Error(), `mcp server "gone": cannot be started`, "no such file")
}

func TestWhatAServerSaidIsPartOfTheError(t *testing.T) {
	_, err := Connect(t.Context(), Server{Name: "sh", Command: []string{"sh", "-c", "echo no API key >&2; exit 4"}}, Callbacks{})
	if err == nil {
		t.Fatal("it connected")
	}
	mustSay(t, err.Error(), `mcp server "sh"`, "exit status 4", "no API key")
}

func TestAWebServerThatComesBack(t *testing.T) {
	var calls, lists atomic.Int32
	f := &fake{
		calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
			calls.Add(1)
			t.reply(m, `{"content":[{"type":"text","text":"here"}]}`)
		}},
		on: map[string]func(*talk, message){methodList: func(t *talk, m message) {
			lists.Add(1)
			t.reply(m, `{"tools":[`+echoTool+`]}`)
		}},
	}
	// It has sessions, and forgets them when it is started again.
	var session atomic.Int32
	web := f.web()
	c := connected(t, serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current := fmt.Sprint(session.Load())
		if got := r.Header.Get("Mcp-Session-Id"); got != "" && got != current {
			http.Error(w, "no such session", http.StatusNotFound)
			return
		}
		w.Header().Set("Mcp-Session-Id", current)
		web.ServeHTTP(w, r)
	})), Callbacks{})
	p := program(t, c)
	if o := p.Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
		t.Fatalf("got %v, %v", o.Value, o.Failure)
	}
	session.Add(1)
	if o := p.Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") || lists.Load() != 2 || calls.Load() != 2 {
		t.Errorf("got %v, %v, %d lists, %d calls", o.Value, o.Failure, lists.Load(), calls.Load())
	}
}

func TestWebRepliesThatAreNone(t *testing.T) {
	reply := func(kind, body string, status int) http.Handler {
		f := &fake{}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && r.Header.Get("X-Call") == "" {
				var m message
				r2 := peek(r, &m)
				if m.method == methodCall && text(m.params, "name") == "echo" {
					if kind != "" {
						w.Header().Set("Content-Type", kind)
					}
					w.WriteHeader(status)
					fmt.Fprint(w, body)
					return
				}
				r = r2
			}
			f.web().ServeHTTP(w, r)
		})
	}
	for name, h := range map[string]struct {
		handler http.Handler
		says    string
	}{
		"page":      {reply("text/html", "<html>Sign in</html>", 200), "it answered with text/html instead of JSON"},
		"garbage":   {reply("application/json", "{oops", 200), "its reply is no message of the protocol"},
		"other id":  {reply("application/json", `{"jsonrpc":"2.0","id":999,"result":{}}`, 200), "its reply is no message of the protocol"},
		"forbidden": {reply("text/plain", "no", 403), "it answered with HTTP 403 Forbidden"},
		"busy":      {reply("text/plain", "no", 503), "it answered with HTTP 503 Service Unavailable"},
		"events":    {reply("text/event-stream", "data: hello\n\ndata: {oops\n\n", 200), "its reply ended without an answer"},
		"large":     {reply("application/json", strings.Repeat(" ", 17<<20), 200), "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			p := program(t, connected(t, serveHTTP(t, h.handler), Callbacks{}))
			mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.echo", map[string]any{"message": ""}), "MCP server fake: ", h.says)
		})
	}
}

func TestURLSafeImagesAreTheSame(t *testing.T) {
	raw := []byte{0xfb, 0xff, 0xfe, 1, 2}
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
		if got, ok := decodeBase64(e.EncodeToString(raw)); !ok || string(got) != string(raw) {
			t.Errorf("got %v, %v", got, ok)
		}
	}
	if got, ok := decodeBase64("+//+\n AQI="); !ok || string(got) != string(raw) {
		t.Errorf("with spaces: got %v, %v", got, ok)
	}
}

func TestInterruptionOfAConnect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{on: map[string]func(*talk, message){methodDiscover: nothing}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if _, err := Connect(ctx, f.over(), Callbacks{}); err == nil {
			t.Fatal("it connected")
		}
		if time.Since(start) != time.Second {
			t.Errorf("took %v", time.Since(start))
		}
	})
}
