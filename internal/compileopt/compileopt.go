// Package compileopt holds compilation options that the public API does not show.
package compileopt

// Options changes how a program is compiled. The zero value is what executions of the public API use that are not
// traced; most fields serve test suites whose programs were not written for it.
type Options struct {
	// NoSizeLimit lifts the limit on the program's length. The nesting and growth limits stay.
	NoSizeLimit bool
	// DiscardValue makes the value of a program undefined whatever its last statement is.
	DiscardValue bool
	// IgnoreUnhandled drops rejections that nobody observed instead of failing the execution.
	IgnoreUnhandled bool
	// Traced has the program record what it does. It then is several times slower.
	Traced bool
}
