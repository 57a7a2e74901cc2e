package codemode

// This file defines the cache of compiled programs.

import (
	"container/list"
	"context"
	"sync"

	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/scope"
)

// maxPrograms is how many compiled programs a Runtime keeps.
const maxPrograms = 256

// cache keeps the programs used last. A text is compiled once however many executions want it at the same time.
type cache struct {
	size    int
	options compileopt.Options

	mu      sync.Mutex
	entries map[string]*list.Element // of *compilation, by text
	recent  *list.List               // newest first
}

// compilation is a text being compiled or compiled. Its fields are valid when done is closed.
type compilation struct {
	text    string
	done    chan struct{}
	program *interpreter.Program
	failure *Diagnostic
	defect  error
	refused bool // it never ran, because the execution that would have done it had ended
}

func newCache(size int, o compileopt.Options) *cache {
	return &cache{size: size, options: o, entries: map[string]*list.Element{}, recent: list.New()}
}

// claim finds the compilation of text, or makes one that the caller must see through.
func (c *cache) claim(text string) (found *compilation, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[text]; e != nil {
		c.recent.MoveToFront(e)
		return e.Value.(*compilation), false
	}
	made := &compilation{text: text, done: make(chan struct{})}
	c.entries[text] = c.recent.PushFront(made)
	return made, true
}

// trim makes room after a program has been added.
func (c *cache) trim() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.recent.Len() > c.size {
		oldest := c.recent.Remove(c.recent.Back()).(*compilation)
		delete(c.entries, oldest.text)
	}
}

// drop forgets a compilation that gave no program.
func (c *cache) drop(dropped *compilation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[dropped.text]; e != nil && e.Value == dropped {
		c.recent.Remove(e)
		delete(c.entries, dropped.text)
	}
}

// load compiles text on a fiber of s, unless it is or is being compiled. The error is the interruption of s, which does
// not wait for the fiber, or a defect. hit reports that nothing had to be compiled.
func (c *cache) load(s *scope.Scope, text string) (found *compilation, hit bool, err error) {
	for {
		found, mine := c.claim(text)
		if mine {
			c.compile(s, found)
		}
		select {
		case <-found.done:
		default:
			select {
			case <-found.done:
			case <-s.Context().Done():
				return nil, false, scope.InterruptOf(s.Context())
			}
		}
		if found.refused {
			if i := scope.InterruptOf(s.Context()); i != nil {
				return nil, false, i
			}
			continue
		}
		return found, !mine, found.defect
	}
}

func (c *cache) compile(s *scope.Scope, made *compilation) {
	fiber := s.Fork("compile", func(context.Context) error {
		made.defect = scope.Protect(func() error {
			made.program, made.failure = interpreter.Compile(made.text, c.options)
			return nil
		})
		if made.program != nil {
			c.trim()
		} else {
			c.drop(made)
		}
		close(made.done)
		return nil
	})
	if fiber.Refused() {
		made.refused = true
		c.drop(made)
		close(made.done)
	}
}
