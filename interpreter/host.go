package interpreter

// This file defines what the interpreter needs of the host.

import (
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/diagnostics"
)

// Host is the tool tree as the guest reaches it. The interpreter holds no tool, only paths. All methods are called on
// the goroutine that runs the program.
type Host interface {
	// Invoke admits a call. An error rejects the call's promise at once; otherwise Call.Done is called exactly once.
	Invoke(c Call) error
	// Keys lists the children of a path, sorted; false if there is no such path.
	Keys(path []string) ([]string, bool)
	// Lookup tells what stands at a path; it may be tool and namespace at once.
	Lookup(path []string) (isTool, isNamespace bool)
}

// Misses is implemented by a Host that can say more about a path where there is nothing.
type Misses interface {
	// Miss is the error for an unknown path.
	Miss(path []string) error
}

// Aliases is implemented by a Host whose tools have second names as globals. The program may declare these names itself.
type Aliases interface {
	// Alias is the path that an undeclared name stands for; false is none.
	Alias(name string) (path []string, ok bool)
}

// Meanings is implemented by a Host that knows what programs may mean by names that they do not declare.
type Meanings interface {
	// Meaning is a sentence about what is meant, such as "Did you mean tools.issues.list?", or "".
	Meaning(name string) string
}

// Call is one call of a tool.
type Call struct {
	Path []string
	// Argc is how many arguments the program wrote.
	Argc int
	// Args copies the arguments across the boundary. It runs guest code (getters, toJSON), so it may be called only
	// inside Invoke, on its goroutine, and at most once.
	Args func() ([]data.Value, error)
	// At is the place of the call in the submitted text.
	At func() diagnostics.Location
	// Done delivers the outcome; it may be called from any goroutine, once.
	Done func(data.Value, error)
}
