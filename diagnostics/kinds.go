// This file defines the table of kinds.

package diagnostics

// Kind is the stable name of a class of failures.
type Kind string

// The kinds. Each has a row in the table that [Kinds] returns.
const (
	ParseError            Kind = "ParseError"
	UnsupportedSyntax     Kind = "UnsupportedSyntax"
	UnknownTool           Kind = "UnknownTool"
	InvalidToolInput      Kind = "InvalidToolInput"
	InvalidToolOutput     Kind = "InvalidToolOutput"
	InvalidDataValue      Kind = "InvalidDataValue"
	ToolFailure           Kind = "ToolFailure"
	ToolCallLimitExceeded Kind = "ToolCallLimitExceeded"
	TimeoutExceeded       Kind = "TimeoutExceeded"
	MemoryLimitExceeded   Kind = "MemoryLimitExceeded"
	ExecutionFailure      Kind = "ExecutionFailure"
)

// KindRow documents one kind.
type KindRow struct {
	Kind Kind
	When string // what brings it about
	Next string // what a reader can do about it
	// Catchable reports whether the program's catch can see it.
	Catchable bool
}

var kinds = []KindRow{
	{ParseError, "the text is not a JavaScript or TypeScript program, or passes a limit of the source", "correct the text at the place given", false},
	{UnsupportedSyntax, "the program uses a form of the language that is out of bounds", "write it with the alternative that the message names", false},
	{UnknownTool, "a call or enumeration names a path where there is no tool", "use a suggested path, or search for one", true},
	{InvalidToolInput, "the input of a call does not fit the tool's input schema", "correct the fields that the message names", true},
	{InvalidToolOutput, "a tool ran, but what it returned does not fit its output schema or has no data form", "report it to the host; the call has taken effect", true},
	{InvalidDataValue, "a value that has no data form reached the boundary: a result or a tool's input", "convert or await the part that the message names", true},
	{ToolFailure, "a tool refused or failed", "read the message; retry only if it says so", true},
	{ToolCallLimitExceeded, "the program made more calls than the host allows", "make fewer calls: filter first, or split the work", true},
	{TimeoutExceeded, "the execution took longer than the host allows", "do less in one execution, or run independent calls together", false},
	{MemoryLimitExceeded, "the program held more data than the host allows", "keep less: map and filter page by page", false},
	{ExecutionFailure, "the program threw, rejected or stalled", "read the message and correct the program at the place given", true},
}

// Kinds returns one row for each kind, in a stable order.
func Kinds() []KindRow { return append([]KindRow(nil), kinds...) }

// Row returns the table row of k, and whether there is one.
func (k Kind) Row() (KindRow, bool) {
	for _, row := range kinds {
		if row.Kind == k {
			return row, true
		}
	}
	return KindRow{}, false
}
