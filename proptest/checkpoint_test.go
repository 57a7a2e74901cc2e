package proptest

// This file defines that a program can be interrupted at each of its checkpoints.

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

// checkpoints is the context of a program; asking whether it is done is a checkpoint. At one of them the scope is
// interrupted.
type checkpoints struct {
	context.Context
	scope  *scope.Scope
	at     int
	passed int
}

func (c *checkpoints) Err() error {
	if c.passed == c.at {
		c.scope.Interrupt(scope.Host)
	}
	c.passed++
	return c.Context.Err()
}

// seat is the interpreter's view of a session.
type seat struct{ *tool.Session }

func (s seat) Invoke(c interpreter.Call) error { return s.Session.Invoke(tool.Call(c)) }

// interrupted runs a program, interrupted at a checkpoint, and checks that nothing of it is left. passed is how many
// checkpoints there were.
func interruptedAt(t *rapid.T, p *interpreter.Program, at int, undisturbed *interpreter.Outcome) (out *interpreter.Outcome, passed int) {
	stage := newStage()
	catalog, err := tool.Resolve(stage.tree())
	if err != nil {
		t.Fatal(err)
	}
	s := scope.Open(context.Background(), scope.Options{})
	session := tool.NewSession(s, catalog, tool.SessionOptions{Hooks: stage.hooks()})
	c := &checkpoints{Context: s.Context(), scope: s, at: at}
	main := s.Fork("main", func(context.Context) error {
		out = p.Run(c, interpreter.RunOptions{Host: seat{session}})
		return nil
	})
	<-main.Done()
	i := scope.InterruptOf(s.Context())
	if i == nil {
		i = &scope.Interrupt{Reason: scope.ScopeClosed}
	}
	session.Stop(i)
	if cause := s.Close(scope.Exit{}); cause != nil {
		t.Fatalf("checkpoint %d: %s", at, cause.Pretty())
	}
	session.Finish()
	if session.Outstanding() != 0 || session.Held() != 0 || s.Running() != 0 || len(s.Abandoned()) != 0 {
		t.Fatalf("checkpoint %d left %d calls, %d permits, %d fibers", at, session.Outstanding(), session.Held(), s.Running())
	}
	for _, call := range session.Ledger().Calls {
		if call.Status == "" || call.Status == tool.Abandoned || (call.Status == tool.NotStarted) != (stage.starts[id(call)] == 0) {
			t.Fatalf("checkpoint %d: %+v", at, call)
		}
	}
	if undisturbed != nil {
		neverADiagnostic(t, at, out, undisturbed)
	}
	return out, c.passed
}

// neverADiagnostic: the outcome says that the program was interrupted, unless it had ended before, and tells no failure
// that it would not have had anyway.
func neverADiagnostic(t *rapid.T, at int, out, undisturbed *interpreter.Outcome) {
	if out.Ended == nil {
		t.Fatalf("checkpoint %d: not interrupted: %+v", at, out)
	}
	if !scope.CauseOf(out.Ended).HasInterruptsOnly() {
		t.Fatalf("checkpoint %d: ended by %v", at, out.Ended)
	}
	if out.Failure != nil && (undisturbed.Failure == nil || out.Failure.Message != undisturbed.Failure.Message) {
		t.Fatalf("checkpoint %d: a diagnostic %v", at, out.Failure)
	}
}

func TestInterruptionAtEveryCheckpointLeavesNothing(t *testing.T) {
	passes := 0
	rapid.Check(t, func(t *rapid.T) {
		program := (&author{t: t, spin: true}).program()
		t.Log(program)
		p, d := interpreter.Compile(program, compileopt.Options{})
		if d != nil {
			t.Fatal(d)
		}
		rapid.SyncTest(t, func(t *rapid.T) {
			undisturbed, total := interruptedAt(t, p, -1, nil)
			if undisturbed.Ended != nil {
				t.Fatal(undisturbed.Ended)
			}
			// All of them, or some where there are many.
			for at := 0; at < total; at += 1 + total/40 {
				interruptedAt(t, p, at, undisturbed)
				passes++
			}
			time.Sleep(time.Hour)
			synctest.Wait()
		})
	})
	t.Log(passes, "interruptions")
}
