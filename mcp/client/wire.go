package client

// This file defines the wire: what passes between the SDK and a server is read
// on its way. The SDK decodes strictly, loses the order of keys and the digits
// of integers, and one odd member costs it a whole message or the session. So
// results are taken out here as data, and the SDK is given what it can read.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/codemode-go/codemode/data"
)

// Methods of the protocol that the wire knows.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
	methodList       = "tools/list"
	methodCall       = "tools/call"
	methodElicit     = "elicitation/create"
	methodSample     = "sampling/createMessage"
	methodProgress   = "notifications/progress"
	methodLog        = "notifications/message"
)

// askKey is the member of _meta by which the wire tells the handler of a
// question which one it is.
const askKey = "codemode/ask"

// wire is what passes in one session. All methods may be called from any
// goroutine.
type wire struct {
	limit int
	// aside is given what is no message.
	aside func(text string)
	// logged is given the params of the server's log messages.
	logged func(params data.Value)
	// trouble is told what is wrong with the server that costs no request.
	trouble func(format string, args ...any)
	// offers are the methods of questions that the host answers.
	offers map[string]bool
	// hide takes secrets out of what comes in; nil if there are none.
	hide func(text string) string
	// clean takes them out of single texts; nil if there are none.
	clean func(text string) string
	// heard is set when the server has answered anything.
	heard atomic.Bool

	mu       sync.Mutex
	requests map[string]*request  // ours, by token
	sent     map[string]*exchange // unanswered, by id
	streams  map[string]*exchange // whose replies can be resumed, by the id of their last event
	retired  func()               // to be called when no call is under way, or nil
	asks     map[string]ask       // of the server, by key
	count    int
}

// ask is a question of the server.
type ask struct {
	request *request // during which it came, nil if that is not known
	part    bool     // it is part of the request's result
	params  data.Value
}

func (c *Client) newWire() *wire {
	return &wire{
		limit: c.server.MaxMessageBytes, clean: c.server.Hide, aside: c.aside, logged: c.logMessage,
		trouble:  func(format string, args ...any) { c.trouble("", format, args...) },
		offers:   map[string]bool{methodElicit: c.callbacks.Elicit != nil, methodSample: c.callbacks.Sample != nil},
		requests: map[string]*request{}, sent: map[string]*exchange{}, streams: map[string]*exchange{}, asks: map[string]ask{},
	}
}

// begin registers a request; its token goes into the message.
func (w *wire) begin(r *request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	r.token = "codemode-" + strconv.Itoa(w.count)
	w.requests[r.token] = r
}

// done forgets a request.
func (w *wire) done(r *request) {
	w.mu.Lock()
	delete(w.requests, r.token)
	if r.id != "" {
		delete(w.sent, r.id)
	}
	maps.DeleteFunc(w.asks, func(_ string, a ask) bool { return a.part && a.request == r })
	maps.DeleteFunc(w.streams, func(_ string, x *exchange) bool { return x.request == r })
	w.mu.Unlock()
	w.rest()
}

// retire calls f when no call is under way any more, which may be at once.
func (w *wire) retire(f func()) {
	w.mu.Lock()
	w.retired = f
	w.mu.Unlock()
	w.rest()
}

func (w *wire) rest() {
	w.mu.Lock()
	f := w.retired
	for _, r := range w.requests {
		if r.tool != "" {
			f = nil
		}
	}
	if f != nil {
		w.retired = nil
	}
	w.mu.Unlock()
	if f != nil {
		f()
	}
}

// open reports whether an exchange has no answer yet.
func (w *wire) open(x *exchange) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent[x.id] == x
}

// running are the calls that wait for their result.
func (w *wire) running() []*request {
	w.mu.Lock()
	defer w.mu.Unlock()
	var calls []*request
	for _, r := range w.requests {
		if r.tool != "" {
			calls = append(calls, r)
		}
	}
	return calls
}

// envelope is what the wire reads of a message that goes out.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Meta struct {
			Token any `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// outgoing notes a message that goes out. It returns the exchange it opens, or
// nil.
func (w *wire) outgoing(message []byte) *exchange {
	var e envelope
	if json.Unmarshal(message, &e) != nil || e.Method == "" || e.ID == nil {
		return nil
	}
	x := &exchange{id: string(e.ID), method: e.Method}
	w.mu.Lock()
	defer w.mu.Unlock()
	if token, ok := e.Params.Meta.Token.(string); ok {
		if r := w.requests[token]; r != nil {
			x.request = r
			delete(w.sent, r.id) // an earlier round of the same call
			r.id = x.id
			r.mu.Lock()
			r.sent = true
			r.mu.Unlock()
		}
	}
	w.sent[x.id] = x
	return x
}

// incoming reads what came in and returns what the SDK is to be given, a
// message a line; nothing if there is no message in it. during is the exchange
// that it came as part of, nil if that is not known.
func (w *wire) incoming(line []byte, during *exchange) []byte {
	if w.hide != nil {
		whole := string(line)
		if clean := w.hide(whole); clean != whole {
			line = []byte(clean)
		}
	}
	v, err := data.Parse(line)
	if err == nil && w.clean != nil && w.unclean(string(line)) {
		v = cleaned(v, false, w.clean)
		line = []byte(data.JSON(v))
	}
	if batch, ok := v.(data.Array); ok && err == nil {
		var out []byte
		for _, item := range batch.All() {
			out = append(out, w.message(item, []byte(data.JSON(item)), during)...)
		}
		return out
	}
	if err != nil {
		w.aside(string(line))
		return w.unreadable(line, err, during)
	}
	return w.message(v, line, during)
}

// unreadable answers for a text that is no JSON, or JSON nested too deeply, if it
// is a reply as far as it can be read.
func (w *wire) unreadable(line []byte, err error, during *exchange) []byte {
	x := w.owner(outlined(line), during)
	if x == nil {
		return nil
	}
	return w.broken(x, "its reply is no JSON that can be read: %v", err)
}

// owner is the exchange that a reply belongs to of which only the outline is
// known, nil if it is no reply or there is no telling. A reply that does not say
// whose it is can only be that of the stream it came on, or of the one request
// that is under way.
func (w *wire) owner(o *outline, during *exchange) *exchange {
	if !o.reply() {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if o.id != "" {
		return w.sent[o.id]
	}
	if during != nil {
		return during
	}
	var only *exchange
	for _, x := range w.sent {
		if x.request != nil && only != nil {
			return nil
		}
		if x.request != nil {
			only = x
		}
	}
	return only
}

// message reads one message.
func (w *wire) message(v data.Value, raw []byte, during *exchange) []byte {
	if text(v, "jsonrpc") != "2.0" {
		w.aside(string(raw))
		return nil
	}
	method := member(v, "method")
	if method == nil {
		return w.answer(v.(*data.Object), raw)
	}
	name, ok := method.(data.String)
	id := member(v, "id")
	if _, isText := id.(data.String); !ok || id != nil && !isText && !isInteger(id) {
		w.aside(string(raw))
		return nil
	}
	switch name {
	case methodProgress:
		w.progress(member(v, "params"))
		return nil
	case methodLog:
		w.logged(member(v, "params"))
		return nil
	case methodElicit, methodSample:
		if id == nil { // a question that takes no answer
			w.aside(string(raw))
			return nil
		}
		a := ask{params: member(v, "params")}
		if during != nil {
			a.request = during.request
		}
		raw = data.AppendJSON(nil, set(v.(*data.Object), "params", w.marked(string(name), a)))
	}
	return terminated(raw)
}

// terminated is a copy of a message on a line of its own.
func terminated(raw []byte) []byte {
	if slices.Contains(raw, '\n') || slices.Contains(raw, '\r') { // a message may be written over several lines in HTTP
		if v, err := data.Parse(raw); err == nil {
			raw = data.AppendJSON(nil, v)
		}
	}
	return append(slices.Clip(raw), '\n')
}

func isInteger(v data.Value) bool {
	n, ok := v.(data.Number)
	return ok && !strings.ContainsAny(n.Text(), ".eEINn")
}

// marked keeps a question for its handler and returns the params by which the
// handler finds it.
func (w *wire) marked(method string, a ask) *data.Object {
	if !w.offers[method] { // the SDK refuses it
		w.trouble("it asks by %s, which it was not offered", method)
		return plainQuestion(method, "")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count++
	key := strconv.Itoa(w.count)
	if len(w.asks) < maxAsks {
		w.asks[key] = a
	}
	return plainQuestion(method, key)
}

// asked is the question under a key, once.
func (w *wire) asked(key any) (ask, bool) {
	name, _ := key.(string)
	w.mu.Lock()
	defer w.mu.Unlock()
	a, ok := w.asks[name]
	delete(w.asks, name)
	return a, ok
}

func (w *wire) progress(params data.Value) {
	w.mu.Lock()
	r := w.requests[text(params, "progressToken")]
	w.mu.Unlock()
	if r != nil && r.progress != nil {
		r.progress(params)
	}
}

// answer reads a reply to one of our messages.
func (w *wire) answer(o *data.Object, raw []byte) []byte {
	id := ""
	switch v := member(o, "id").(type) {
	case data.String: // some send numbers back as text
		id = string(v)
	case data.Number:
		id = v.Text()
	}
	w.mu.Lock()
	x := w.sent[id]
	delete(w.sent, id)
	w.mu.Unlock()
	if x == nil {
		// An answer that comes too late is no trouble; the SDK would drop it.
		if member(o, "id") == nil || id == "" {
			w.aside(string(raw))
		}
		return nil
	}
	w.heard.Store(true)
	if e, failed := o.Get("error"); failed && member(o, "result") == nil {
		return w.refuse(x, e)
	}
	return x.reply(w.result(x, member(o, "result")))
}

// codeUnsupported is JSON-RPC's code for errors of the implementation.
const codeUnsupported = -32000

// refuse reads an error reply, which may be of any form.
func (w *wire) refuse(x *exchange, e data.Value) []byte {
	f := refusal{code: codeUnsupported, message: text(e, "message")}
	if n, ok := member(e, "code").(data.Number); ok && isInteger(n) {
		f.code = int64(n.Float64())
	}
	if s, ok := e.(data.String); ok {
		f.message = string(s)
	}
	if x.request != nil {
		x.request.mu.Lock()
		x.request.refusal = &f
		x.request.mu.Unlock()
	}
	return x.fail(f, member(e, "data"))
}

// broken answers an exchange whose reply cannot be had. It says why without
// what came.
func (w *wire) broken(x *exchange, format string, args ...any) []byte {
	w.mu.Lock()
	delete(w.sent, x.id)
	w.mu.Unlock()
	w.heard.Store(true)
	f := refusal{codeUnsupported, fmt.Sprintf(format, args...)}
	if x.request != nil {
		x.request.explain(f.message)
	}
	return x.fail(f, nil)
}

// untaken answers an exchange that the server certainly did not take up, and
// keeps how it said so. Nil means that it had taken it up before.
func (w *wire) untaken(x *exchange, says string) []byte {
	x.request.mu.Lock()
	taken := x.request.rounds > 0
	if !taken {
		x.request.sent, x.request.lost = false, says
	}
	x.request.mu.Unlock()
	if taken {
		return nil
	}
	w.mu.Lock()
	delete(w.sent, x.id)
	w.mu.Unlock()
	return x.fail(refusal{codeUnsupported, says}, nil)
}

// oversized answers for a message that was too long to be read. One that is no
// reply of ours costs nobody anything.
func (w *wire) oversized(o *outline, size int, during *exchange) []byte {
	if x := w.owner(o, during); x != nil {
		return w.broken(x, "%s", tooLarge(size, w.limit))
	}
	w.aside("a text of " + megabytes(size) + ", of which at most " + megabytes(w.limit) + " are read")
	w.trouble("it sent %s that answer no request, and at most %s are read of a message", megabytes(size), megabytes(w.limit))
	return nil
}

func tooLarge(size, limit int) string {
	return fmt.Sprintf("its reply is too large: %s, at most %s are read", megabytes(size), megabytes(limit))
}

func megabytes(n int) string {
	if n < 1<<20 {
		return strconv.Itoa(n) + " bytes"
	}
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
}

// result takes a result out of its reply and returns what the SDK is given
// instead.
func (w *wire) result(x *exchange, result data.Value) data.Value {
	if x.request != nil {
		if asks, ok := member(result, "inputRequests").(*data.Object); ok {
			x.request.mu.Lock()
			x.request.rounds++
			x.request.mu.Unlock()
			var f fields
			f.str(result, "resultType")
			f.str(result, "requestState")
			f.add("content", data.NewArray(nil))
			f.add("inputRequests", w.markedAll(asks, x.request))
			return f.object()
		}
		if result == nil {
			result = data.Null{}
		}
		x.request.mu.Lock()
		x.request.result = result
		x.request.mu.Unlock()
	}
	switch x.method {
	case methodCall:
		return plainCall(result)
	case methodList:
		return plainList(result)
	case methodInitialize, methodDiscover:
		return plainHandshake(result)
	}
	return result
}

// markedAll marks the questions of a result that asks.
func (w *wire) markedAll(asks *data.Object, r *request) *data.Object {
	var members []data.Member
	for key, one := range asks.All() {
		method := text(one, "method")
		var params data.Value = data.NewObject(nil)
		if method == methodElicit || method == methodSample {
			params = w.marked(method, ask{r, true, member(one, "params")})
		}
		members = append(members, data.Member{Key: key, Value: data.NewObject([]data.Member{
			{Key: "method", Value: data.String(method)}, {Key: "params", Value: params}})})
	}
	return data.NewObject(members)
}

// set is o, which may be nil, with a member more or replaced.
func set(o *data.Object, key string, v data.Value) *data.Object {
	members := make([]data.Member, 0, o.Len()+1)
	for k, old := range o.All() {
		members = append(members, data.Member{Key: k, Value: old})
	}
	return data.NewObject(append(members, data.Member{Key: key, Value: v}))
}
