package proptest

// This file defines that an execution is an effect like any other.

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
	"pgregory.net/rapid"
)

// outcome is what an effect of an execution gives, in words.
func outcome(r *codemode.Result, err error) string {
	switch {
	case err != nil:
		return "error: " + err.Error()
	case r.Error != nil:
		return "failed: " + r.Error.Message
	}
	return data.JSON(r.Value)
}

func TestTimeoutRaceAndRetryAroundAnExecutionFollowTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program := (&author{t: t}).program()
		t.Log(program)
		after := time.Duration(rapid.IntRange(0, 120).Draw(t, "ms"))*time.Millisecond + 7
		rapid.SyncTest(t, func(t *rapid.T) {
			grace := 10 * time.Millisecond
			// The clock of the tools' ids starts anew with each execution, so all runs take the same time.
			run := func(around func(fx.Effect[*codemode.Result]) fx.Effect[*codemode.Result]) (string, time.Duration, error) {
				stage := newStage()
				rt := newRuntime(t, codemode.Options{Tools: stage.tree(), AllowSleep: true, InterruptGrace: grace})
				start := time.Now()
				r, err := fx.Run(context.Background(), around(rt.Effect(program)))
				took := time.Since(start)
				return outcome(r, err), took, err
			}
			same := func(e fx.Effect[*codemode.Result]) fx.Effect[*codemode.Result] { return e }
			alone, took, err := run(same)
			if err != nil {
				t.Fatal(err)
			}
			late := took > after
			timed, timedTook, err := run(func(e fx.Effect[*codemode.Result]) fx.Effect[*codemode.Result] { return fx.Timeout(e, after) })
			switch {
			case late && (!errors.Is(err, fx.ErrTimeout) || timedTook > after+grace):
				t.Fatalf("%v after %v, want a timeout after %v", err, timedTook, after)
			case !late && (timed != alone || timedTook != took):
				t.Fatalf("%s after %v, want %s after %v", timed, timedTook, alone, took)
			}
			raced, racedTook, _ := run(func(e fx.Effect[*codemode.Result]) fx.Effect[*codemode.Result] {
				return fx.Race(e, fx.As(fx.Sleep(after), &codemode.Result{OK: true, Value: data.String("other")}))
			})
			switch {
			case late && (raced != `"other"` || racedTook > after+grace):
				t.Fatalf("%s after %v, want the other after %v", raced, racedTook, after)
			case !late && (raced != alone || racedTook != took):
				t.Fatalf("%s after %v, want %s after %v", raced, racedTook, alone, took)
			}
			retried, _, _ := run(func(e fx.Effect[*codemode.Result]) fx.Effect[*codemode.Result] {
				return fx.Retry(e, fx.Recurs(2))
			})
			if retried != alone {
				t.Fatalf("%s, want %s", retried, alone)
			}
			time.Sleep(time.Hour)
			synctest.Wait()
		})
	})
}

func TestInterruptedExecutionAsEffectCarriesItsCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		after := time.Duration(rapid.IntRange(1, 30).Draw(t, "ms")) * time.Millisecond
		rapid.SyncTest(t, func(t *rapid.T) {
			stage := newStage()
			rt := newRuntime(t, codemode.Options{Tools: stage.tree()})
			ctx, cancel := context.WithTimeout(context.Background(), after)
			defer cancel()
			exit := fx.RunExit(ctx, fx.Scoped(fx.Map(rt.Effect(opening+"for (;;) await call(tools.t.do, 2, 'return')"), func(*codemode.Result) int { return 0 })))
			var ended *codemode.Ended
			if !exit.Cause.HasInterruptsOnly() || !errors.As(exit.Cause, &ended) || !errors.Is(exit.Cause, context.DeadlineExceeded) {
				t.Fatal(exit.Cause)
			}
			calls := ended.Result.Calls
			if len(calls) != len(stage.starts) || len(calls) == 0 || calls[len(calls)-1].Status != tool.Interrupted {
				t.Fatalf("%+v", calls)
			}
			if !scope.CauseOf(exit.Cause).HasInterrupts() {
				t.Fatal(exit.Cause)
			}
		})
	})
}
