package toolsets

// This file defines the tools that wait and the ones that keep state.

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

func wait(ctx context.Context, in data.Value) error {
	t := time.NewTimer(time.Duration(number(in, "ms", 0) * float64(time.Millisecond)))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func after(ctx context.Context, in data.Value) (data.Value, error) {
	return get(in, "value"), wait(ctx, in)
}

func fail(ctx context.Context, in data.Value) (data.Value, error) {
	if err := wait(ctx, in); err != nil {
		return nil, err
	}
	return nil, tool.Errorf("%s", text(in, "message", ""))
}

// store is a map that each program has for itself.
type store struct {
	mu     sync.Mutex
	values map[string]data.Value
}

func newStore() *store {
	s := &store{values: map[string]data.Value{}}
	for k, v := range object(content, "store").All() {
		s.values[k] = v
	}
	return s
}

func (s *store) get(_ context.Context, in data.Value) (data.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[text(in, "key", "")], nil
}

func (s *store) put(_ context.Context, in data.Value) (data.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := text(in, "key", "")
	previous := s.values[key]
	s.values[key] = get(in, "value")
	return data.NewObject([]data.Member{{Key: "ok", Value: data.Bool(true)}, {Key: "previous", Value: previous}}), nil
}

func (s *store) list(_ context.Context, in data.Value) (data.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var keys []string
	for k := range s.values {
		if strings.HasPrefix(k, text(in, "prefix", "")) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) })
	items := make([]data.Value, len(keys))
	for i, k := range keys {
		items[i] = data.String(k)
	}
	return data.NewArray(items), nil
}
