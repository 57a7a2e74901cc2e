package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
)

// TestHammer executes more programs than are kept from many goroutines at once, some of them interrupted. It is for the
// race detector.
func TestHammer(t *testing.T) {
	rt := runtime(t, codemode.Options{Tools: clockTree(nil), Limits: codemode.Limits{TimeoutMs: new(60_000)}, AllowSleep: true})
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range 60 {
				ctx, cancel := context.WithCancel(context.Background())
				n := (worker*37 + i*i) % 300
				if i%5 == 0 {
					time.AfterFunc(time.Duration(i)*20*time.Microsecond, cancel)
				}
				r, err := rt.Execute(ctx, fmt.Sprintf("console.log(%d); await tools.$codemode.sleep({ms: 0.1}); return (await Promise.all([tools.t.echo(%d), tools.t.echo(1)]))[0]", n, n))
				switch {
				case err != nil && (i%5 != 0 || !errors.Is(err, context.Canceled)):
					t.Error(err)
				case err == nil && (!r.OK || data.JSON(r.Value) != fmt.Sprint(n)):
					t.Errorf("%+v, want %d", r, n)
				}
				cancel()
			}
		})
	}
	wg.Wait()
}
