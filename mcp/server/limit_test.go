package server_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/mcp/server"
)

// A loop, a bomb and a stuck tool cost their own calls; meanwhile and afterwards others are served.
func TestHostilePrograms(t *testing.T) {
	soon := server.DefaultRuntime()
	soon.Limits.TimeoutMs = new(500) // instead of five minutes
	f := newFixture(t, soon, server.Options{})
	f.leaves = "tools.deaf"
	survives(t, f, []hostile{
		{`for (;;);`, "TimeoutExceeded: "},
		{`await tools.deaf()`, "TimeoutExceeded: "},
		{`throw { toString() { for (;;); } }`, ""},
	})
	survives(t, newFixture(t, server.DefaultRuntime(), server.Options{}), []hostile{
		{`const all = []; for (;;) all.push(new Array(100_000).fill(all.length))`, "MemoryLimitExceeded: "},
		{`let s = "x"; for (;;) s += s`, ""}, // the length of texts has a limit too
		{`const f = () => f(); f()`, "ExecutionFailure: RangeError"},
	})
}

// hostile is a program with how its failure begins.
type hostile struct{ code, want string }

func survives(t *testing.T, f *fixture, programs []hostile) {
	t.Helper()
	session, other := f.overStream(older, nil), f.overStream(newer, nil)
	for _, c := range programs {
		done := make(chan result, 1)
		go func() {
			r, err := tryCall(context.Background(), session, "execute", map[string]any{"code": c.code})
			if err != nil {
				t.Error(err)
			}
			done <- r
		}()
		if r := run(t, other, `return tools.mail.send({ to: "ann" })`); r.text != "sent to ann" {
			t.Errorf("meanwhile: %+v", r)
		}
		if r := <-done; !r.isError || !strings.HasPrefix(r.text, c.want) {
			t.Errorf("%s: got %.300s", c.code, r.text)
		}
	}
	if r := run(t, session, `return 1`); r.text != "1" {
		t.Errorf("afterwards: %+v", r)
	}
}

// Under the default limits a program that waits for ever ends after five minutes, and a stuck tool then too.
func TestDefaultTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, server.DefaultRuntime(), server.Options{})
		f.leaves = "tools.deaf"
		session := f.overStream(newer, nil)
		for _, code := range []string{`await tools.hang({ to: "x" })`, `await tools.deaf()`} {
			start := time.Now()
			if r := run(t, session, code); !r.isError || !strings.HasPrefix(r.text, "TimeoutExceeded: ") {
				t.Errorf("%+v", r)
			}
			if took := time.Since(start); took < 5*time.Minute || took > 5*time.Minute+10*time.Second {
				t.Errorf("took %v", took)
			}
		}
	})
}

// Beyond the number of programs, others are refused and told so.
func TestTooManyPrograms(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{MaxPrograms: 2})
	session := f.overStream(newer, nil)
	ctx, stop := context.WithCancel(context.Background())
	for range 2 {
		go tryCall(ctx, session, "execute", map[string]any{"code": `await tools.hang({ to: "x" })`})
	}
	eventually(t, "two run", func() bool { return f.counted("x") == 2 })
	if r := run(t, session, `return 1`); !r.isError || r.text != "nothing was run: too many programs are under way; try again when one has ended" {
		t.Errorf("%+v", r)
	}
	stop()
	eventually(t, "they end", func() bool { return f.server.Running() == 0 })
	if r := run(t, session, `return 1`); r.text != "1" {
		t.Errorf("%+v", r)
	}
}

// Programs that hoard memory have no more of it together than there is for all, and one that needs little runs beside them.
func TestMemoryOfAllPrograms(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{MaxMemory: 48 << 20})
	session, other := f.overStream(older, nil), f.overStream(newer, nil)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	holding := make(chan struct{})
	go func() { // the first one may have all, and does
		defer close(holding)
		tryCall(ctx, session, "execute", map[string]any{"code": `const all = []; for (let i = 0; i < 100; i++) all.push(new Array(10_000).fill(i)); await tools.hang({ to: "x" }); return all.length`})
	}()
	eventually(t, "it holds its part", func() bool { return f.counted("x") == 1 })
	done := make(chan result, 1)
	go func() {
		r, err := tryCall(context.Background(), other, "execute", map[string]any{"code": `return 1`})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	select {
	case r := <-done:
		t.Errorf("beside a program that has all: %+v", r)
	case <-time.After(50 * time.Millisecond):
	}
	stop() // it waits for the memory
	<-holding
	if r := <-done; r.text != "1" {
		t.Errorf("%+v", r)
	}
	bombs := make(chan result)
	small := server.DefaultRuntime()
	small.Limits.MaxMemoryBytes = new(12 << 20)
	f = newFixture(t, small, server.Options{MaxMemory: 48 << 20})
	session, other = f.overStream(older, nil), f.overStream(newer, nil)
	for range 12 {
		go func() {
			r, _ := tryCall(context.Background(), session, "execute", map[string]any{"code": `const all = []; for (;;) all.push(new Array(10_000).fill(all.length))`})
			bombs <- r
		}()
	}
	if r := run(t, other, `return tools.mail.send({ to: "ann" })`); r.text != "sent to ann" {
		t.Errorf("beside bombs: %+v", r)
	}
	less := 0
	for range 12 {
		r := <-bombs
		if !r.isError || !strings.HasPrefix(r.text, "MemoryLimitExceeded: ") {
			t.Errorf("%+v", r)
		}
		if strings.Contains(r.text, "MiB, less than usual, as others ran") {
			less++
		}
	}
	if less == 0 {
		t.Error("none of them had less than usual")
	}
}

// One client does not take the places of all others.
func TestTooManyProgramsOfOneClient(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{MaxPrograms: 4, MaxSessionPrograms: 3})
	session, other := f.overStream(newer, nil), f.overStream(newer, nil)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for range 3 {
		go tryCall(ctx, session, "execute", map[string]any{"code": `await tools.hang({ to: "x" })`})
	}
	eventually(t, "three run", func() bool { return f.counted("x") == 3 })
	if r := run(t, session, `return 1`); !r.isError || r.text != "nothing was run: 3 programs of this client are under way, its share while others run many; try again when one has ended" {
		t.Errorf("%+v", r)
	}
	if r := run(t, other, `return 1`); r.text != "1" {
		t.Errorf("%+v", r)
	}
	stop()
	eventually(t, "they end", func() bool { return f.server.Running() == 0 })
}

// Who closes the server has the results of programs that ran go out, with what had run.
func TestClose(t *testing.T) {
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	session := f.overStream(newer, nil)
	done := make(chan result, 1)
	go func() {
		r, err := tryCall(context.Background(), session, "execute", map[string]any{"code": `await tools.mail.send({ to: "ann" }); await tools.hang({ to: "x" })`})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	eventually(t, "it runs", func() bool { return f.counted("x") == 1 })
	if err := f.server.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if r := <-done; !r.isError || !strings.Contains(r.text, `1. tools.mail.send({"to":"ann"}): completed`) {
		t.Errorf("%+v", r)
	}
	if err := f.server.ServeStream(context.Background(), strings.NewReader(""), &lockedBuffer{}); err == nil {
		t.Error("a closed server serves")
	}
}

func TestBadOptions(t *testing.T) {
	if _, err := server.New(nil, server.Options{}); err == nil {
		t.Error("no registry")
	}
	f := newFixture(t, server.DefaultRuntime(), server.Options{})
	for want, o := range map[string]server.Options{
		"server: Options.MaxPrograms: got -1, want 0 or more": {MaxPrograms: -1},
		"server: Options.ParkedFor: got -1, want 0 or more":   {ParkedFor: -1},
	} {
		if _, err := server.New(f.registry, o); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
