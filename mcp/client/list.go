package client

// This file defines how a server's list of tools is read.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// maxTools and maxPages bound the list of one server. The largest seen has 401 tools, on one page.
const (
	maxTools = 10_000
	maxPages = 1000
)

// listing is what a server's list says.
type listing struct {
	tools   []*definition
	leftOut []LeftOut
	notes   []string
}

// list reads all pages.
func (c *Client) list(ctx context.Context, s *session) (*listing, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.server.ConnectTimeout, errSlow)
	defer cancel()
	l := &lister{client: c, seen: map[string]bool{}, folded: map[string]string{}, cursors: map[string]bool{}}
	for cursor, more := "", true; more; {
		page, err := c.page(ctx, s, cursor)
		if err != nil && l.read == 0 {
			return nil, err
		}
		if err != nil {
			l.warn("the list of tools breaks off after %d: %v", l.read, err)
			break
		}
		list, ok := member(page, "tools").(data.Array)
		if !ok && l.read == 0 {
			return nil, errors.New("the answer to tools/list has no list of tools")
		}
		for _, v := range list.All() {
			if l.read == maxTools {
				l.warn("the list of tools does not end; the first %d are taken", l.read)
				return &l.listing, nil
			}
			l.add(v)
		}
		l.cursors[cursor] = true
		cursor, more = l.next(page)
	}
	return &l.listing, nil
}

// next is the cursor of the page after a page, if there is any use in it.
func (l *lister) next(page data.Value) (cursor string, more bool) {
	switch v := member(page, "nextCursor").(type) {
	case nil, data.Null:
		return "", false
	case data.String:
		return string(v), v != "" && l.goesOn(string(v))
	default:
		l.warn("the list of tools goes on after %d at a place that is no text but %s; the rest cannot be read", l.read, article(v.Kind()))
		return "", false
	}
}

// goesOn reports whether there is any use in the page at a cursor.
func (l *lister) goesOn(cursor string) bool {
	switch {
	case l.cursors[cursor]:
		l.warn("the list of tools repeats itself after %d; the rest cannot be read", l.read)
	case l.read >= maxTools:
		l.warn("the list of tools does not end; the first %d are taken", l.read)
	case len(l.cursors) >= maxPages: // pages without tools would make a list without end as well
		l.warn("the list of tools does not end after %d pages", len(l.cursors))
	default:
		return true
	}
	return false
}

func (l *lister) warn(format string, args ...any) { l.client.trouble("", format, args...) }

// page asks for one page and returns it as it came.
func (c *Client) page(ctx context.Context, s *session, cursor string) (data.Value, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &request{ctx: ctx, withdraw: cancel}
	s.wire.begin(r)
	defer s.wire.done(r)
	params := &mcp.ListToolsParams{Cursor: cursor, Meta: mcp.Meta{"progressToken": r.token}}
	_, err := s.sdk.ListTools(ctx, params)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.result != nil:
		return r.result, nil
	case r.refusal != nil:
		return nil, fmt.Errorf("%s (code %d)", clip(r.refusal.message, maxMessage), r.refusal.code)
	case r.trouble != "":
		return nil, r.failure()
	case r.lost != "":
		return nil, errors.New(r.lost)
	case err == nil:
		return nil, errors.New("there is no answer")
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, err
}

// failure is the trouble of a request for the host.
func (r *request) failure() error {
	if r.detail != nil {
		return fmt.Errorf("%s: %w", r.trouble, r.detail)
	}
	return errors.New(r.trouble)
}

// lister reads tools of a list, each of which may be of any form.
type lister struct {
	listing
	client  *Client
	read    int
	seen    map[string]bool
	folded  map[string]string // names as they may be confused
	cursors map[string]bool   // of the pages that were read
}

func (l *lister) add(v data.Value) {
	l.read++
	d, reason := l.client.read(v)
	name := text(v, "name")
	switch {
	case d == nil && name == "":
		l.skip(fmt.Sprintf("(number %d of the list)", l.read), reason)
	case d == nil:
		l.skip(name, reason)
	case !l.client.server.takes(name):
		l.skip(name, Excluded)
	case l.seen[name]:
		l.skip(name, "the list has it twice; the first one counts")
	default:
		l.seen[name] = true
		l.compare(name)
		if d.note != "" {
			l.notes = append(l.notes, name+": "+d.note)
		}
		l.tools = append(l.tools, d)
	}
}

func (l *lister) skip(name, reason string) {
	l.leftOut = append(l.leftOut, LeftOut{clip(name, 200), reason})
}

// compare notes a name that is nearly another one's.
func (l *lister) compare(name string) {
	key := fold(name)
	if other, ok := l.folded[key]; ok && key != "" {
		l.notes = append(l.notes, fmt.Sprintf("%s: the name is nearly that of %s; both stay as they are", name, other))
		return
	}
	l.folded[key] = name
}

// fold is a name without what a reader may get wrong: case, and what is
// neither letter nor digit.
func fold(name string) string {
	var key []rune
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			key = append(key, unicode.ToLower(r))
		}
	}
	return string(key)
}

// install makes a listing the current one and reports whether it differs. The
// lock is held.
func (c *Client) install(l *listing) (changed bool) {
	tree := tool.Tree{}
	for _, d := range l.tools {
		tree[d.name] = d.tool
	}
	same := c.tree != nil && sameTools(c.listing.tools, l.tools)
	if same {
		c.listing.leftOut, c.listing.notes = l.leftOut, l.notes
		return false
	}
	c.listing, c.tree = *l, tree
	return true
}

func sameTools(a, b []*definition) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !data.Equal(a[i].whole, b[i].whole) {
			return false
		}
	}
	return true
}

// relist reads the tools again after the server said that they changed.
func (c *Client) relist(ctx context.Context) error {
	defer c.debounce.ended()
	c.mu.Lock()
	s, starting := c.session, c.starting
	c.mu.Unlock()
	if s == nil && starting != nil { // the notice came with the first list
		if _, err := starting.Await(ctx); err != nil {
			return err
		}
		c.mu.Lock()
		s = c.session
		c.mu.Unlock()
	}
	if s == nil {
		return nil // the next session lists them
	}
	l, err := c.list(ctx, s)
	if err != nil {
		if ctx.Err() == nil {
			c.trouble("", "its tools changed and cannot be listed: %v", err)
		}
		return nil
	}
	c.mu.Lock()
	changed := c.session == s && c.install(l) // a newer session has listed them itself
	c.mu.Unlock()
	c.debounce.settled(changed)
	if changed {
		c.changed()
	}
	return nil
}

// How long notices are collected before the tools are listed again. It doubles
// with each time nothing had changed, so that a server which answers a list with
// another notice is left in peace.
const (
	collect      = 200 * time.Millisecond
	maxCollect   = 30 * time.Second
	collectAtAll = 2 * time.Second // after the first notice, however many follow
)

// debounce runs something after notices have ceased.
type debounce struct {
	run func()

	mu      sync.Mutex
	timer   *time.Timer
	running bool      // a run is under way; there is one at a time, so that the last one counts
	again   bool      // a notice came meanwhile
	first   time.Time // of the notices that wait
	quiet   int       // runs in a row after which nothing had changed
	stopped bool
}

func (d *debounce) trigger() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	if d.running {
		d.again = true
		return
	}
	now := time.Now()
	wait := min(collect<<min(d.quiet, 10), maxCollect)
	if d.timer == nil {
		d.first = now
		d.timer = time.AfterFunc(wait, d.fire)
		return
	}
	if left := max(wait, collectAtAll) - now.Sub(d.first); left < wait {
		wait = max(left, 0)
	}
	d.timer.Reset(wait)
}

func (d *debounce) fire() {
	d.mu.Lock()
	idle := d.stopped || d.timer == nil // it has run: a reset came while it began to
	d.timer = nil
	d.running = d.running || !idle
	d.mu.Unlock()
	if !idle {
		d.run()
	}
}

// settled says whether the run was worth it.
func (d *debounce) settled(changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.quiet++
	if changed {
		d.quiet = 0
	}
}

// ended says that the run is over.
func (d *debounce) ended() {
	d.mu.Lock()
	again := d.again
	d.running, d.again = false, false
	d.mu.Unlock()
	if again {
		d.trigger()
	}
}

func (d *debounce) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	if d.timer != nil {
		d.timer.Stop()
	}
}
