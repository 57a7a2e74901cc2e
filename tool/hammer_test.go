package tool_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// TestHammer looks at sessions from outside while their calls wait, attach, fail and are stopped, in real time. It is
// for the race detector, and checks what must be whole at the end.
func TestHammer(t *testing.T) {
	for round := range 20 {
		var running, starts, ends atomic.Int64
		work := tool.New("", func(ctx context.Context, in addIn) (int, error) {
			if n := running.Add(1); n > tool.MaxConcurrent {
				t.Errorf("%d run at once", n)
			}
			tool.Attach(ctx, tool.Attachment{Name: fmt.Sprint(in.B)})
			running.Add(-1)
			first, second := tool.Waiting(ctx), tool.Waiting(ctx)
			var group sync.WaitGroup
			group.Go(func() { _ = first() })
			err := second()
			group.Wait()
			if in.B%3 == 0 {
				return 0, tool.Errorf("refused")
			}
			select {
			case <-time.After(time.Duration(in.B%5) * 100 * time.Microsecond):
			case <-ctx.Done():
				return 0, ctx.Err()
			}
			return in.B, err
		})
		clock := scope.NewDeadline(time.Hour, -1, func() {})
		b := open(t, tool.Tree{"a": work, "few": tool.Namespace{Tools: tool.Tree{"a": work}, Concurrency: 2}}, tool.SessionOptions{
			Deadline: clock,
			Hooks:    tool.Hooks{OnToolCallStart: func(tool.CallStart) { starts.Add(1) }, OnToolCallEnd: func(tool.CallEnd) { ends.Add(1) }},
		}, 0)
		watching, watched := make(chan struct{}), sync.WaitGroup{}
		for range 3 {
			watched.Go(func() {
				for {
					select {
					case <-watching:
						return
					default:
						b.session.Ledger()
						b.session.Attachments()
						b.session.Outstanding()
						b.session.Held()
						clock.Left()
						clock.Waited()
					}
				}
			})
		}
		for i := range 60 {
			b.call([]string{"a", "few a"}[i%2], fmt.Sprintf(`{"a": 1, "b": %d}`, i))
		}
		time.Sleep(time.Duration(round) * 100 * time.Microsecond)
		b.session.Stop(&scope.Interrupt{Reason: scope.Host})
		b.scope.Close(scope.Exit{})
		b.session.Finish()
		b.wait.Wait()
		close(watching)
		watched.Wait()
		clock.Stop()
		if b.session.Held() != 0 || b.session.Outstanding() != 0 || starts.Load() != ends.Load() {
			t.Errorf("%d permits, %d calls, %d starts, %d ends", b.session.Held(), b.session.Outstanding(), starts.Load(), ends.Load())
		}
		for _, call := range b.session.Ledger().Calls {
			if call.Status == tool.Abandoned || call.Status == tool.Status("") {
				t.Errorf("%+v", call)
			}
		}
	}
}
