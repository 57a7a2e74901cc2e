// Package bench measures the engine against goja in one process and, where there is one, against node.
//
//	go test ./bench -run Ratios -v
//
// prints medians of interleaved rounds and their ratios: of small programs that each ask for one thing, and of everyday
// ones (testdata) that are like what models write. Without -v each program runs once in each engine and only the
// results are compared: a test never asserts a time.
//
// To compare two commits, build a test binary of each (go test -c) and run -test.bench Own of both in turn.
package bench
