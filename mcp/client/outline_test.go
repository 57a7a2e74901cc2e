package client

// This file defines tests of what is no message, or too large a one, and of whom
// it concerns.

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

func TestOutlines(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 10_000)
	for text, want := range map[string]string{ // the id, or - for what is no reply
		`{"jsonrpc":"2.0","id":7,"result":{"id":8,"method":"x"}}`:              "7",
		`  {"result":{"id":8},"jsonrpc":"2.0","id": "7" }`:                     "7",
		`{"id":7,"jsonrpc":"2.0","result":"}{\"id\":9,"}`:                      "7",
		`{"result":` + deep + `,"jsonrpc":"2.0","id":7`:                        "-", // the end belongs to what is within
		`{"jsonrpc":"2.0","id":7,"result":` + deep:                             "7",
		`{"jsonrpc":"2.0","result":1,"id":7,"_meta":{"id":8}}{"id":9}`:         "7",
		`{"jsonrpc":"2.0","result":[1,2`:                                       "",
		`{"jsonrpc":"2.0","error":{"code":1},"id":null}`:                       "null",
		`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"result":1}}`:       "-",
		`{"method":"tools/call","params":{"name":"x"},"jsonrpc":"2.0","id":7}`: "-",
		`{"level":"info","result":1,"id":7}`:                                   "-",
		`{"jsonrpc":"1.0","result":1,"id":7}`:                                  "-",
		`{"jsonrpc":"2.0","id":7}`:                                             "-",
		`INFO {"jsonrpc":"2.0","id":7,"result":1}`:                             "-",
		`[{"jsonrpc":"2.0","id":7,"result":1}]`:                                "-",
		`{"a":{"jsonrpc":"2.0","id":7,"result":1}}`:                            "-",
		`{"jsonrpc":"2.0","params":"\"result\":","id":7}`:                      "-",
		``: "-",
		`{"jsonrpc":"2.0","result":1,"id":` + strings.Repeat("7", 100):                        "",
		`{"jsonrpc":"2.0","result":1,"id":` + strings.Repeat("7", 100) + `}`:                  strings.Repeat("7", maxToken),
		`{` + strings.Repeat(`"x":"y",`, 1000) + `"jsonrpc":"2.0","error":"\\","id":7 ,"z":1`: "7",
	} {
		whole := outlined([]byte(text))
		parts := new(outline)
		for i := range len(text) {
			parts.write([]byte(text[i : i+1]))
		}
		for _, o := range []*outline{whole, parts} {
			got := "-"
			if o.reply() {
				got = o.id
			}
			if got != want {
				t.Errorf("%.100s: got %s, want %s", text, got, want)
			}
		}
	}
}

// What is written between the messages costs no call anything, be it the text of
// a message, and be it large.
func TestNoiseCostsNobody(t *testing.T) {
	large := strings.Repeat("x", 200_000)
	noise := map[string]string{
		"request in a log":  `2026-12-01 INFO handling {"method":"tools/call","params":{"name":"echo"},"jsonrpc":"2.0","id":ID}`,
		"reply in a log":    `[debug] sending {"result":{"content":[]},"jsonrpc":"2.0","id":ID}`,
		"log of JSON":       `{"level":"info","msg":NaN,"jsonrpc":"2.0","id":ID}`,
		"request":           `{"method":"tools/call","params":{"name":NaN},"jsonrpc":"2.0","id":ID}`,
		"large line":        large,
		"large log":         `{"level":"info","msg":"` + large + `","id":ID}`,
		"large notice":      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + large + `","id":ID}}`,
		"large other reply": `{"jsonrpc":"2.0","id":4711,"result":"` + large + `"}`,
	}
	current := ""
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		t.send(strings.ReplaceAll(noise[current], "ID", m.id))
		t.reply(m, `{"content":[{"type":"text","text":"here"}]}`)
	}}}
	for way, s := range map[string]Server{"stream": f.over(), "http": serveHTTP(t, f.web())} {
		s.MaxMessageBytes = 100_000
		c := connected(t, s, Callbacks{})
		p := program(t, c)
		for current = range noise {
			if o := p.Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
				t.Errorf("%s, %s: got %v, %v", way, current, o.Value, o.Failure)
			}
		}
		mustSay(t, troubles(c), "it sent 2000", " bytes that answer no request, and at most 100000 bytes are read of a message")
	}
}

// A large notice on the stream that belongs to no call.
func TestALargeNoticeBesideTheCalls(t *testing.T) {
	notice := make(chan bool)
	read := make(chan bool)
	f := &fake{calls: map[string]func(*talk, message){"echo": func(t *talk, m message) {
		notice <- true
		<-read
		t.reply(m, `{"content":[{"type":"text","text":"here"}]}`)
	}}}
	web := f.web()
	s := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			web.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		select {
		case <-notice:
			for _, text := range []string{strings.Repeat("x", 20<<20), "small"} {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"%s\"}}\n\n", text)
			}
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case <-r.Context().Done():
		}
	}))
	c := connected(t, s, Callbacks{Log: func(e LogEntry) {
		if e.Text == "small" {
			close(read)
		}
	}})
	if o := program(t, c).Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
		t.Errorf("got %v, %v", o.Value, o.Failure)
	}
	mustSay(t, troubles(c), "answer no request")
}

// A large reply that does not say whose it is belongs to the one call that is
// under way. With several nobody can tell; their clocks end them.
func TestALargeReplyToNobody(t *testing.T) {
	f := &fake{tools: named("large", "wait"), calls: map[string]func(*talk, message){
		"wait": nothing,
		"large": func(t *talk, m message) {
			t.send(`{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"` + strings.Repeat("x", 5000) + `"}]}}`)
		},
	}}
	s := f.over()
	s.MaxMessageBytes, s.Timeout = 4000, 2*time.Second
	p := program(t, connected(t, s, Callbacks{}))
	mustSay(t, p.Fails(diagnostics.ToolFailure, "fake.large"), "its reply is too large")
	waited := make(chan string)
	go func() { waited <- p.Fails(diagnostics.ToolFailure, "fake.wait") }()
	f.last().awaits(t, func(m message) bool { return text(m.params, "name") == "wait" })
	for _, got := range []string{p.Fails(diagnostics.ToolFailure, "fake.large"), <-waited} {
		mustSay(t, got, "has neither answered nor reported progress")
	}
}
