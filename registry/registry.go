// Package registry is the kit of an agent host: it keeps the tools of many sources, decides for each step of a model what
// the model may see and call, and makes of that the few tools that the model is given.
//
// A host makes one [Registry] and registers trees of tools with it, for as long as each source of tools is there. Before
// each request to the model it takes a [Snapshot]; that has the tools for the request: those registered as [Direct] each
// by itself, and one, execute, that runs programs against all that are [Deferred]. What the model calls goes to
// [Tool.Call], whatever it is:
//
//	r, err := registry.New(registry.Options{})
//	github, err := r.Register(tree, registry.Deferred)
//	snapshot, err := r.Snapshot(registry.Step{Rules: rules, Ask: ask})
//	for _, t := range snapshot.Tools() { … }
//	output, err := snapshot.Call(ctx, id, name, input)
//
// A tool that a step does not show cannot be told from one that does not exist. Rules, hooks, statuses and attachments
// are the same for a call that a program makes and for a direct one. docs/embedding.md walks through all of it.
package registry

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/codemode-go/codemode"
)

// DefaultOutputBytes bounds what the model gets of a call unless told otherwise.
const DefaultOutputBytes = 64 << 10

// DefaultExecuteName is what the tool that runs programs is called unless told otherwise.
const DefaultExecuteName = "execute"

// Options configure a Registry. The zero value is ready to use.
type Options struct {
	// Runtime configures the execution of programs. Its Tools must be nil, since tools are registered. Hooks see the calls
	// of programs and direct calls. Limits.TimeoutMs and MaxOutputBytes bound direct calls as well; without the latter the
	// bound is DefaultOutputBytes.
	Runtime codemode.Options
	// ExecuteName is what the tool that runs programs is called: letters, digits, _ and -. Empty is the name in
	// Runtime.Discovery.Execute or else DefaultExecuteName.
	ExecuteName string
	// Always offers the tool that runs programs also while there are no tools for them, as where they are still to come:
	// a client may ask but once.
	Always bool
}

// Registry keeps registrations of tools. It may be used from any goroutine and needs no closing.
type Registry struct {
	options     codemode.Options // without hooks and a bound of the output
	hooks       codemode.Hooks
	outputBytes int
	execute     string
	always      bool

	building sync.Mutex    // held while an edition is made
	revision atomic.Uint64 // written under mu

	mu       sync.Mutex
	list     []*Registration // the later wins
	latest   *edition        // of some revision, or nil
	watchers map[*watcher]struct{}
}

// New makes a Registry. The error names the field that is wrong.
func New(o Options) (*Registry, error) {
	r := &Registry{options: o.Runtime, hooks: o.Runtime.Hooks, outputBytes: DefaultOutputBytes, always: o.Always, watchers: map[*watcher]struct{}{}}
	var err error
	if r.execute, err = o.executeName(); err != nil {
		return nil, err
	}
	if o.Runtime.Tools != nil {
		return nil, errors.New("registry: Options.Runtime.Tools: got a tree, want nil; Register takes tools")
	}
	if _, err := codemode.New(o.Runtime); err != nil {
		return nil, fmt.Errorf("registry: Options.Runtime: %w", err)
	}
	if most := o.Runtime.Limits.MaxOutputBytes; most != nil {
		r.outputBytes = *most
	}
	r.options.Limits.MaxOutputBytes, r.options.Hooks, r.options.Discovery.Execute = nil, codemode.Hooks{}, r.execute
	return r, nil
}

func (o Options) executeName() (string, error) {
	name, told := o.ExecuteName, o.Runtime.Discovery.Execute
	switch {
	case name == "" && told == "":
		name = DefaultExecuteName
	case name == "":
		name = told
	case told != "" && told != name:
		return "", fmt.Errorf("registry: Options.ExecuteName: got %q, but Options.Runtime.Discovery.Execute is %q; want one of them", name, told)
	}
	if sanitised(name) != name || len(name) > maxName {
		return "", fmt.Errorf("registry: Options.ExecuteName: got %q, want at most %d letters, digits, _ and -", name, maxName)
	}
	return name, nil
}

// Limits are those of its Options for programs, without MaxOutputBytes; a step may override them.
func (r *Registry) Limits() codemode.Limits { return r.options.Limits }

// ExecuteName is the name of the tool that runs programs.
func (r *Registry) ExecuteName() string { return r.execute }

// Revision counts the changes of registrations.
func (r *Registry) Revision() uint64 { return r.revision.Load() }

// watcher is one subscription.
type watcher struct{ told func(revision uint64) }

// OnChange has f told of every change of registrations, with the revision that the change made, until stop is called. f
// runs on the goroutine that made the change, after it; of concurrent changes it may hear in another order, and of one
// that happens during stop also afterwards. f may use the registry. A panic of f is one of the change, which is made by
// then and told to all others.
func (r *Registry) OnChange(f func(revision uint64)) (stop func()) {
	w := &watcher{f}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers[w] = struct{}{}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.watchers, w)
	}
}

// change runs f under the lock and tells of the change, unless f says that there was none. What a panic of a watcher
// leaves undone of the telling is done nevertheless.
func (r *Registry) change(f func() bool) { r.changed(f)() }

// changed runs f under the lock and returns what tells of the change.
func (r *Registry) changed(f func() bool) (tell func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !f() {
		return func() {}
	}
	revision := r.revision.Add(1)
	var told []func(uint64)
	for w := range r.watchers {
		told = append(told, w.told)
	}
	return func() { tellAll(told, revision) }
}

func tellAll(told []func(uint64), revision uint64) {
	if len(told) > 0 {
		defer tellAll(told[1:], revision)
		told[0](revision)
	}
}
