// Package bench measures the engine against goja in one process and, where there is one, against node.
//
//	go test ./bench -run Ratios -v
//
// prints medians of interleaved rounds and their ratios. Without -v each program runs once in each engine and only the
// results are compared: a test never asserts a time.
package bench
