// Package codemode runs small JavaScript and TypeScript programs, written by a language model, against a tree of tools.
//
// A host makes a [Runtime] of its tools once and executes programs on it:
//
//	rt, err := codemode.New(codemode.Options{Tools: tree})
//	res, err := rt.Execute(ctx, `return (await tools.github.list_issues({repo: "acme/api"})).length`)
//
// What a program does wrong is data: Result.Error says what, where and what to do next. A Go error means that the host
// interrupted the execution, that something of ours or of the host's is defective, or that the host passed bad options;
// the first two are an [*Ended] and come with a partial Result. Programs reach nothing but the tools: no files, no
// network, no environment, no modules. See docs/design.md for how an execution runs and ends.
package codemode

import (
	"fmt"
	"regexp"
	"time"

	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/tool"
)

// Hooks observe the calls of tools. See [tool.Hooks].
type Hooks = tool.Hooks

// Diagnostic is one failure or warning. See [diagnostics.Diagnostic].
type Diagnostic = diagnostics.Diagnostic

// Pending says what becomes of calls and async functions that still run when the program has returned.
type Pending uint8

const (
	// Drain lets them run to their end. A promise that never settles is then held by the timeout only.
	Drain Pending = iota
	// Interrupt interrupts them.
	Interrupt
)

// DefaultInterruptGrace is how long an ending waits for tools that do not react to interruption.
const DefaultInterruptGrace = 5 * time.Second

// Options configure a Runtime. The zero value is a runtime without tools and limits.
type Options struct {
	// Tools is what programs can call, below the global `tools`. Nil is no tools.
	Tools tool.Tree
	// Limits bound each execution; there are none by default.
	Limits Limits
	// Hooks observe calls, on the goroutines of the calls.
	Hooks Hooks
	// Clock is what programs read as the time; nil is the system's. Timeouts and the ledger do not use it.
	Clock func() time.Time
	// Random gives programs numbers in [0, 1). It may be called by several executions at once. Nil is a generator
	// seeded from the system for each execution.
	Random func() float64
	// Pending says what becomes of what still runs when the program has returned.
	Pending Pending
	// InterruptGrace bounds how long an ending waits for tools that ignore the interruption; their calls are then
	// recorded as abandoned. Zero is DefaultInterruptGrace. After a timeout the grace is at most the timeout itself or
	// 250 ms, whichever is longer.
	InterruptGrace time.Duration
	// AllowSleep gives programs tools.$codemode.sleep({ms}). Sleeping is on the clock of the timeout, and is no call of a
	// tool: it is neither counted nor in the ledger.
	AllowSleep bool
	// MaxWait bounds how long the clock of the timeout may stand still in all while tools wait for a person. Zero is no
	// bound.
	MaxWait time.Duration
	// Discovery says what instructions show and how they name the tool that executes programs.
	Discovery discovery.Options
}

// Runtime executes programs. It is immutable, may be used from any goroutine, and needs no closing.
type Runtime struct {
	catalog  *tool.Catalog
	settings settings
	cache    *cache
	view     *View // of all tools
}

// New makes a Runtime. The error names the field that is out of range or the tool that is unusable.
func New(o Options) (*Runtime, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	catalog, err := tool.Resolve(o.Tools)
	if err != nil {
		return nil, fmt.Errorf("codemode: Options.Tools: %w", err)
	}
	if _, taken := catalog.Lookup([]string{ownNamespace}); taken || catalog.Tool([]string{ownNamespace}) != nil {
		return nil, fmt.Errorf("codemode: Options.Tools: the name %s is the runtime's own", ownNamespace)
	}
	rt := &Runtime{catalog: catalog, settings: settingsOf(o), cache: newCache(maxPrograms, compileopt.Options{})}
	rt.view = newView(rt, catalog, o, func() *discovery.Index { return discovery.NewIndex(catalog) })
	rt.settings.own = rt.view.own()
	return rt, nil
}

// toolName are the names that clients know tools by, and none.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_./-]{0,128}$`)

func (o Options) check() error {
	switch {
	case o.Pending > Interrupt:
		return fmt.Errorf("codemode: Options.Pending: got %d, want Drain or Interrupt", o.Pending)
	case o.InterruptGrace < 0:
		return fmt.Errorf("codemode: Options.InterruptGrace: got %v, want no less than 0", o.InterruptGrace)
	case o.MaxWait < 0:
		return fmt.Errorf("codemode: Options.MaxWait: got %v, want no less than 0", o.MaxWait)
	}
	if name := o.Discovery.Execute; !toolName.MatchString(name) {
		return fmt.Errorf("codemode: Options.Discovery.Execute: got %q, want the name of a tool: at most 128 letters, digits, and any of _ - . /", name)
	}
	return o.Limits.check("Options.Limits")
}

// Tools is the catalog of what programs can call.
func (rt *Runtime) Tools() *tool.Catalog { return rt.catalog }
