package client

// This file defines event streams: the bodies of replies over HTTP that carry
// several messages.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// asEvents are messages, a line each, as events.
func asEvents(lines []byte) (events []byte) {
	for line := range bytes.Lines(lines) {
		events = append(append(append(events, "data: "...), bytes.TrimSpace(line)...), "\n\n"...)
	}
	return events
}

// eventReader passes the messages of an event stream through the wire.
type eventReader struct {
	io.Closer
	lines *bufio.Reader
	wire  *wire
	x     *exchange // whose answer the stream is, or nil
	ready []byte
	// resumes says that an event without data tells where to resume.
	resumes bool

	// Of the event that is being read. What is longer than such things are is left
	// out, so that an event without end takes up no more.
	name, id, retry string
	data            bytes.Buffer
	size            int
	cut             *outline // of data that are too long to be kept, or nil

	begun  bool
	lastID string // of the events before
}

func newEventReader(body io.ReadCloser, w *wire, x *exchange, resumes bool) *eventReader {
	return &eventReader{Closer: body, lines: bufio.NewReaderSize(&lineFeeds{r: body}, 64<<10), wire: w, x: x, resumes: resumes}
}

// Read implements io.Reader.
func (r *eventReader) Read(p []byte) (int, error) {
	for len(r.ready) == 0 {
		line, err := readLine(r.lines, r.wire.limit+ends, r.cutting)
		r.line(line)
		if err != nil && len(r.ready) == 0 {
			r.ended(err)
			return 0, err // an event without its end is dropped
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// cutting makes the outline of a line that is too long: of the event's data, if
// the line is part of them.
func (r *eventReader) cutting(held []byte) *outline {
	value, ok := bytes.CutPrefix(held, []byte("data:"))
	if !ok {
		return nil
	}
	if r.cut == nil {
		r.cut = outlined(r.data.Bytes())
	}
	r.cut.write(value)
	return r.cut
}

// ended says why there is no answer, if there has been none.
func (r *eventReader) ended(err error) {
	if r.x == nil || r.x.request == nil || errors.Is(err, context.Canceled) {
		return
	}
	if err == io.EOF {
		r.x.request.explain(r.x.undone("its reply ended without an answer"))
		return
	}
	r.x.request.explain(r.x.undone("its reply broke off"))
	r.x.request.because(err)
}

func (r *eventReader) line(l longLine) {
	if l.size == 0 {
		return
	}
	r.size += l.size
	text := bytes.TrimRight(l.head, "\n")
	if !r.begun {
		r.begun = true
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	name, value, _ := bytes.Cut(text, []byte{':'})
	switch string(name) {
	case "": // the end, or a comment
		if len(text) == 0 {
			r.event()
		}
	case "data":
		if r.data.Len() > 0 && r.cut == nil {
			r.data.WriteByte('\n')
		}
		switch {
		case l.cut: // cutting has seen to it
		case r.cut == nil && r.data.Len()+len(value) > r.wire.limit:
			r.cut = outlined(r.data.Bytes())
			fallthrough
		case r.cut != nil:
			r.cut.write(value)
		default:
			r.data.Write(bytes.TrimPrefix(value, []byte{' '}))
		}
	case "event":
		r.name = field(value)
	case "id":
		r.id = field(value)
	case "retry":
		r.retry = field(value)
	}
}

// maxField bounds the fields of an event but for its data.
const maxField = 1 << 10

func field(value []byte) string {
	if len(value) > maxField {
		return ""
	}
	return string(bytes.TrimPrefix(value, []byte{' '}))
}

// event passes on the event that has been read.
func (r *eventReader) event() {
	defer func() {
		r.data = bytes.Buffer{} // the next one may be small
		r.name, r.id, r.retry, r.size, r.cut = "", "", "", 0, nil
	}()
	if r.name != "" && r.name != "message" {
		r.pass(r.data.Bytes())
		return
	}
	var messages []byte
	switch {
	case r.cut != nil:
		messages = r.wire.oversized(r.cut, r.size, r.x)
	case r.data.Len() > 0:
		messages = r.wire.incoming(bytes.TrimSpace(r.data.Bytes()), r.x)
	}
	if len(messages) == 0 {
		r.pass(nil)
		return
	}
	for message := range bytes.Lines(messages) {
		r.pass(bytes.TrimSpace(message))
	}
}

// pass writes an event with the fields that were read. Without data it may
// still say where to resume.
func (r *eventReader) pass(data []byte) {
	if len(data) == 0 && (!r.resumes || r.id == "" && r.retry == "") {
		return
	}
	for _, f := range [...]struct{ name, value string }{{"event", r.name}, {"id", r.id}, {"retry", r.retry}} {
		if f.value != "" {
			r.ready = append(r.ready, f.name+": "+f.value+"\n"...)
		}
	}
	if len(data) > 0 {
		r.ready = append(append(append(r.ready, "data: "...), data...), '\n')
	}
	r.ready = append(r.ready, '\n')
	if r.id != "" && r.x != nil {
		r.wire.resumable(r.lastID, r.id, r.x)
		r.lastID = r.id
	}
}

// resumable notes by which event's id the reply of an exchange can be resumed.
func (w *wire) resumable(before, id string, x *exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.streams, before)
	if w.sent[x.id] == x {
		w.streams[id] = x
	}
}

// lineFeeds ends lines with a line feed that end with a carriage return, or with
// both.
type lineFeeds struct {
	r  io.Reader
	cr bool // the last one was a carriage return
}

// Read implements io.Reader.
func (l *lineFeeds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	kept := p[:0]
	for _, c := range p[:n] {
		if c == '\n' && l.cr {
			l.cr = false
			continue
		}
		if l.cr = c == '\r'; l.cr {
			c = '\n'
		}
		kept = append(kept, c)
	}
	return len(kept), err
}
