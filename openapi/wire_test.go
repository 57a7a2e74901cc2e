package openapi_test

// This file defines the server that the tests send to: it keeps what arrives.

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool/tooltest"
)

// arrival is one request as it came over the wire.
type arrival struct {
	Method, Target, Body string // Target is the raw path and query
	Header               http.Header
	Host                 string
}

// wire is a server that answers every request with answer, or with {}.
type wire struct {
	*httptest.Server
	mu       sync.Mutex
	arrivals []arrival
	answer   http.HandlerFunc
}

func newWire(t testing.TB, answer http.HandlerFunc) *wire {
	t.Helper()
	w := &wire{answer: answer}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *wire) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	content, _ := io.ReadAll(r.Body)
	w.mu.Lock()
	w.arrivals = append(w.arrivals, arrival{r.Method, r.RequestURI, string(content), r.Header.Clone(), r.Host})
	w.mu.Unlock()
	if w.answer != nil {
		w.answer(rw, r)
		return
	}
	rw.Header().Set("Content-Type", "application/json")
	io.WriteString(rw, "{}")
}

func (w *wire) last(t testing.TB) arrival {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.arrivals) == 0 {
		t.Fatal("nothing was sent")
	}
	return w.arrivals[len(w.arrivals)-1]
}

func (w *wire) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.arrivals)
}

// load makes a program over the tools of a document that must load.
func load(t testing.TB, document string, o openapi.Options) (*tooltest.Program, []openapi.Skipped) {
	t.Helper()
	tree, skipped, err := openapi.Load([]byte(document), o)
	if err != nil {
		t.Fatal(err)
	}
	return tooltest.New(t, tree), skipped
}

// reasons are the skipped ones, a line each.
func reasons(skipped []openapi.Skipped) string {
	lines := make([]string, len(skipped))
	for i, s := range skipped {
		lines[i] = s.String()
	}
	return strings.Join(lines, "\n")
}

// one is a document of the operation "op" at a path; what is the operation in
// YAML's flow form without its braces.
func one(method, path, what string) string {
	return fmt.Sprintf("openapi: 3.1.0\nservers: [{url: 'http://api.test'}]\npaths: {%q: {%s: {operationId: op, responses: {}, %s}}}\n", path, method, what)
}

// recorder notes the address of the last request.
type recorder struct {
	transport
	sent *string
}

func (r recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	*r.sent = req.URL.String()
	return r.transport.RoundTrip(req)
}
