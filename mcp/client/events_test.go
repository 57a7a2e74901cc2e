package client

// This file defines tests of how event streams are read (HTML Living Standard,
// 9.2.5 and 9.2.6).

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/codemode-go/codemode/data"
)

// Lines end with a line feed, a carriage return or both, and a mark of the byte
// order may come first.
func TestEventStreamsOfAllKinds(t *testing.T) {
	var body string
	web := (&fake{}).web()
	s := serveHTTP(t, over(web, func(w http.ResponseWriter, _ *http.Request, m message) bool {
		if m.method != methodCall {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, strings.ReplaceAll(body, "ID", m.id))
		return true
	}))
	p := program(t, connected(t, s, Callbacks{}))
	result := `"result":{"content":[{"type":"text","text":"here"}]}}`
	for _, ending := range []string{"\n", "\r", "\r\n"} {
		for _, mark := range []string{"", "\ufeff"} {
			body = mark + strings.ReplaceAll(": hello\n\nevent: message\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\ndata:\"id\":ID,"+result+"\n\n", "\n", ending)
			if o := p.Call("fake.echo", map[string]any{"message": ""}); o.Value != data.String("here") {
				t.Errorf("%q: got %v, %v", body, o.Value, o.Failure)
			}
		}
	}
	for text, want := range map[string]string{"a\rb": "a\nb", "a\r\nb\r\r\n\n": "a\nb\n\n\n", "\r": "\n", "\n\r": "\n\n"} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(&lineFeeds{r: r}); string(got) != want || err != nil {
				t.Errorf("%q: got %q, %v", text, got, err)
			}
		}
	}
}

// An event that does not end takes up no more than its last fields.
func TestAnEventWithoutEnd(t *testing.T) {
	c := &Client{server: Server{MaxMessageBytes: 1 << 20}}
	body := strings.Repeat("data: x\ndata:\n", 1<<20) + strings.Repeat("id: "+strings.Repeat("a", 1<<10)+"\nid: "+strings.Repeat("b", 100)+"\nretry: 7\nevent: x\n", 1000)
	r := newEventReader(io.NopCloser(strings.NewReader(body)), c.newWire(), nil, true)
	if n, err := io.Copy(io.Discard, r); n != 0 || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	if kept := len(r.name) + len(r.id) + len(r.retry) + max(0, r.data.Len()-1<<20) + cap(r.ready); kept > 3*maxField {
		t.Errorf("%d bytes are kept", kept)
	}
}
