package codemode

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/scope"
)

func TestCacheCompilesOnce(t *testing.T) {
	c := newCache(4, compileopt.Options{})
	s := scope.Open(context.Background(), scope.Options{})
	defer s.Close(scope.Exit{})
	var wg sync.WaitGroup
	found := make([]*compilation, 32)
	for i := range found {
		wg.Go(func() { found[i], _, _ = c.load(s, `return 1`) })
	}
	wg.Wait()
	for _, f := range found {
		if f == nil || f.program == nil || f != found[0] {
			t.Fatal("compiled more than once")
		}
	}
}

func TestCacheKeepsTheLatest(t *testing.T) {
	c := newCache(4, compileopt.Options{})
	s := scope.Open(context.Background(), scope.Options{})
	defer s.Close(scope.Exit{})
	load := func(i int) bool {
		_, hit, err := c.load(s, "return "+strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		return hit
	}
	for i := range 4 {
		load(i)
	}
	if !load(0) { // now 1 is the oldest
		t.Error("0 is gone")
	}
	load(4)
	if load(1) {
		t.Error("1 is still there")
	}
	if !load(0) || !load(4) {
		t.Error("0 or 4 is gone")
	}
	if c.load(s, "return ("); len(c.entries) != 4 || c.recent.Len() != 4 {
		t.Error("a failure was kept", len(c.entries))
	}
}

func TestCacheOutlivesAnInterruptedCompile(t *testing.T) {
	c := newCache(4, compileopt.Options{})
	gone := scope.Open(context.Background(), scope.Options{})
	gone.Close(scope.Exit{})
	if _, _, err := c.load(gone, `return 1`); err == nil {
		t.Error("a closed scope compiled")
	}
	s := scope.Open(context.Background(), scope.Options{})
	defer s.Close(scope.Exit{})
	if f, _, err := c.load(s, `return 1`); err != nil || f.program == nil {
		t.Error(f, err)
	}
}
