package proptest

// This file defines tools with a script, and random programs that call them.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

// scripted is the input of a call: how long the tool takes, and what it does then.
type scripted struct {
	ID   int    `json:"id"`
	Ms   int    `json:"ms"`
	Does string `json:"does"`
}

// deeds are what scripted tools can do. The deaf one ignores interruption, the person waits for somebody.
var deeds = []string{"return", "return", "return", "refuse", "break", "panic", "deaf", "person", "own timeout"}

// stage is where scripted tools play: it sees what becomes of each call, as a tool does.
type stage struct {
	mu     sync.Mutex
	starts map[int]int
	ended  map[int]tool.Status // as the tool saw it
	begun  map[int]int         // by the hooks
	told   map[int]tool.Status
	events int
}

func newStage() *stage {
	return &stage{starts: map[int]int{}, ended: map[int]tool.Status{}, begun: map[int]int{}, told: map[int]tool.Status{}}
}

func (s *stage) note(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	f()
}

func (s *stage) play(ctx context.Context, in scripted) (int, error) {
	s.note(func() { s.starts[in.ID]++ })
	status, err := s.act(ctx, in)
	s.mu.Lock()
	s.ended[in.ID] = status
	s.mu.Unlock()
	if in.Does == "panic" && status == tool.Failed {
		panic("the tool's secret")
	}
	return in.ID, err
}

func (s *stage) act(ctx context.Context, in scripted) (tool.Status, error) {
	wait := time.Duration(in.Ms)*time.Millisecond + time.Duration(in.ID*91+17)*time.Microsecond
	switch in.Does {
	case "deaf":
		time.Sleep(wait)
		return tool.Completed, nil
	case "person":
		resume := tool.Waiting(ctx)
		time.Sleep(wait)
		if resume() != nil {
			return tool.Interrupted, ctx.Err()
		}
		return tool.Completed, nil
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		if i := scope.InterruptOf(ctx); in.Does == "own timeout" && i.Reason == scope.Timeout && i.By == "the tool's own limit" {
			return tool.Failed, ctx.Err()
		}
		return tool.Interrupted, ctx.Err()
	}
	switch in.Does {
	case "refuse":
		return tool.Failed, tool.Errorf("refused %d", in.ID)
	case "break":
		return tool.Failed, errors.New("the host's secret")
	case "panic":
		return tool.Failed, nil
	}
	return tool.Completed, nil
}

func (s *stage) hooks() tool.Hooks {
	return tool.Hooks{
		OnToolCallStart: func(c tool.CallStart) { s.note(func() { s.begun[c.Index]++ }) },
		OnToolCallEnd: func(c tool.CallEnd) {
			s.note(func() {
				if s.told[c.Index] != "" {
					c.Outcome += " again"
				}
				s.told[c.Index] = c.Outcome
			})
		},
	}
}

// tree has the scripted tool under three names: plain, with a timeout of its own, and in a namespace that runs two at a
// time.
func (s *stage) tree() tool.Tree {
	return tool.Tree{
		"t":    tool.Tree{"do": tool.New("Do", s.play), "brief": tool.New("Do briefly", s.play, tool.Timeout(7*time.Millisecond))},
		"pair": tool.Namespace{Tools: tool.Tree{"do": tool.New("Do, two at a time", s.play)}, Concurrency: 2},
	}
}

// id is the call that a record of the ledger is about.
func id(r tool.Record) int {
	var in scripted
	if err := json.Unmarshal([]byte(r.Input), &in); err != nil {
		panic(err)
	}
	return in.ID
}

// author draws programs. Every call of a tool goes through call, which logs it.
type author struct {
	t     *rapid.T
	flood bool // endless calls and growth may occur: there are limits against them
	spin  bool // loops that take many steps may occur
}

const opening = `let n = 0, sum = 0;
const call = (tool, ms, does) => { Date.now(); console.log("call " + n); return tool({ id: n++, ms, does }) };
`

// lastLine is the line that a program logs when it has come to its end.
const lastLine = "the program is over"

func (a *author) program() string {
	return opening + a.block(3) + "console.log('" + lastLine + "');\n" + a.pick("end", "return n;\n", "return 'end';\n", "", "throw new Error('the end');\n")
}

func (a *author) pick(name string, from ...string) string {
	return rapid.SampledFrom(from).Draw(a.t, name)
}

func (a *author) block(depth int) string {
	var b strings.Builder
	for range rapid.IntRange(0, 4).Draw(a.t, "statements") {
		b.WriteString(a.statement(depth) + "\n")
	}
	return b.String()
}

func (a *author) call() string {
	does := rapid.SampledFrom(deeds).Draw(a.t, "does")
	at := a.pick("tool", "tools.t.do", "tools.t.do", "tools.pair.do", "tools.t.brief")
	if at == "tools.t.brief" && does != "deaf" {
		does = "own timeout"
	}
	return fmt.Sprintf("call(%s, %d, %q)", at, rapid.IntRange(0, 40).Draw(a.t, "ms"), does)
}

func (a *author) statement(depth int) string {
	kinds := []string{"await", "await", "fire", "quiet", "log", "sleep", "chain"}
	if depth > 0 {
		kinds = append(kinds, "try", "all", "race", "async", "async", "loop", "generator")
	}
	if rapid.IntRange(0, 9).Draw(a.t, "rare") == 0 || a.flood && depth == 3 && rapid.IntRange(0, 4).Draw(a.t, "flood") == 0 {
		kinds = []string{"stall", "unknown", "invalid", "throw", "reject"}
		if a.flood {
			kinds = append(kinds, "flood", "hoard")
		}
	}
	if a.spin {
		kinds = append(kinds, "spin", "sort")
	}
	switch a.pick("kind", kinds...) {
	case "await":
		return "await " + a.call() + ";"
	case "fire":
		return a.call() + ";"
	case "quiet":
		return a.call() + ".catch((e) => console.log('caught ' + e.kind + ' ' + e.origin));"
	case "log":
		return "console.log('line');"
	case "sleep":
		return fmt.Sprintf("await tools.$codemode.sleep({ ms: %d });", rapid.IntRange(0, 30).Draw(a.t, "ms"))
	case "chain":
		return a.call() + ".then((v) => { sum += v; " + a.pick("then", "", "return "+a.call(), "throw 'chained'") + " }).finally(() => console.log('finally'));"
	case "try":
		return "try {\n" + a.block(depth-1) + "} catch (e) { console.log('caught') } finally { console.log('finally') }"
	case "all":
		return fmt.Sprintf("await Promise.%s([%s, %s, %s]);", a.pick("all", "all", "allSettled"), a.call(), a.call(), a.call())
	case "race":
		return fmt.Sprintf("await Promise.%s([%s, %s]);", a.pick("race", "race", "any"), a.call(), a.call())
	case "async":
		return a.pick("use", "", "await ") + "(async () => {\n" + a.block(depth-1) + "})();"
	case "loop":
		return fmt.Sprintf("for (let i = 0; i < %d; i++) {\n%s}", rapid.IntRange(1, 12).Draw(a.t, "times"), a.block(depth-1))
	case "generator":
		return "for await (const v of (async function* () { yield " + a.call() + "; try { yield " + a.call() + " } finally { console.log('closed') } })()) { sum += v; " + a.pick("leave", "", "break;") + " }"
	case "stall":
		return a.pick("use", "", "await ") + "new Promise(() => {});"
	case "unknown":
		return "await tools.nothere({});"
	case "invalid":
		return "await tools.t.do({ id: 'x' });"
	case "throw":
		return "throw new TypeError('thrown');"
	case "reject":
		return "Promise.reject('rejected');"
	case "flood":
		return "for (;;) { try { await call(tools.t.do, 0, 'return') } catch {} }"
	case "hoard":
		return "{ const a = []; try { for (;;) a.push({ x: a.length }) } catch { console.log('hoarded') } }"
	case "spin":
		return "for (let i = 0; i < 40000; i++) sum += i & 3;"
	case "sort":
		return "[...Array(3000).keys()].sort((a, b) => b - a);"
	}
	panic("no statement")
}
