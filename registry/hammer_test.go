package registry_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// Registrations come, change and go while steps take snapshots and run programs.
func TestHammer(t *testing.T) {
	r := newRegistry(t, registry.Options{})
	register(t, r, tool.Tree{"base.x": answering("base"), "base.y": answering("base")}, registry.Deferred)
	s := scope.Open(context.Background(), scope.Options{Name: "hammer"})
	stop := r.OnChange(func(uint64) {})
	const rounds = 60
	for w := range 4 {
		s.Fork("writer", func(context.Context) error {
			for i := range rounds {
				answer := strconv.Itoa(w*rounds + i)
				g, err := r.RegisterIn(s, tool.Tree{"base.x": answering(answer), "own.w" + strconv.Itoa(w): answering(answer)}, registry.Mode(i%2))
				if err != nil {
					return err
				}
				if err := g.Replace(tool.Tree{"base.y": answering(answer)}); err != nil {
					return err
				}
				g.Dispose()
			}
			return nil
		})
		s.Fork("reader", func(ctx context.Context) error {
			var before *registry.Snapshot
			for range rounds {
				snapshot, err := r.Snapshot(registry.Step{OnStatus: func(registry.CallStatus) {}, Rules: []registry.Rule{{Path: "own.*", Effect: registry.Deny}}})
				if err != nil {
					return err
				}
				_ = snapshot.Since(before).String()
				before = snapshot
				o, err := snapshot.Call(ctx, "c", "execute", code(`
					return Promise.all(Object.keys(tools.base ?? {}).map((name) => tools.base[name]().then(() => "ran", (e) => e.message)))`))
				if err != nil {
					return err
				}
				if strings.Contains(data.JSON(o.Value), "internal") || o.IsError && !strings.Contains(o.Text, "there is no tool") {
					return fmt.Errorf("got %s", o.Text)
				}
			}
			return nil
		})
	}
	s.AddFinalizer(func(scope.Exit) { stop() })
	for s.Running() > 0 {
		if _, err := r.Snapshot(registry.Step{}); err != nil {
			t.Fatal(err)
		}
	}
	if cause := s.Close(scope.Exit{}); cause != nil {
		t.Error(cause)
	}
	if got := data.JSON(program(t, step(t, r, registry.Step{}), `return [await tools.base.x(), await tools.base.y(), Object.keys(tools)]`).Value); got != `["base","base",["base"]]` {
		t.Error(got)
	}
}
