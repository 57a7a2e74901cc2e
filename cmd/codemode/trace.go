package main

// This file defines what --trace does: a page that shows the execution of a program.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/cmd/codemode/internal/trace"
)

// tracing is the page of one execution, nil without --trace.
type tracing struct {
	file    *os.File
	fresh   bool // the file is new
	written bool
	trace   codemode.Trace
}

// openTrace makes the file of the page before the program runs, so that a program with effects does not run in vain. It is
// for its owner alone, since it has inputs and outputs.
func openTrace(path string) (*tracing, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err == nil && !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, fmt.Errorf("--trace: %s is not a file; name one to write, such as trace.html", path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	if err := f.Chmod(0o600); err != nil { // an older file may be for others too
		f.Close()
		return nil, fmt.Errorf("--trace: %w", err)
	}
	return &tracing{file: f, fresh: fresh}, nil
}

// close gives up on a page that was not written, and leaves no empty file.
func (t *tracing) close() {
	if t == nil || t.written {
		return
	}
	t.file.Close()
	if t.fresh {
		os.Remove(t.file.Name())
	}
}

// record is where the execution is to be recorded.
func (t *tracing) record() *codemode.Trace {
	if t == nil {
		return nil
	}
	return &t.trace
}

// write writes the page and says where it is.
func (t *tracing) write(s streams, p program, src string, r *codemode.Result, failure error) {
	if t == nil {
		return
	}
	t.written = true
	err := t.file.Truncate(0)
	if err == nil {
		w := bufio.NewWriter(t.file)
		if err = trace.Write(w, trace.Page{Title: p.title(), Source: src, Trace: &t.trace, Result: r, Err: failure}); err == nil {
			err = w.Flush()
		}
	}
	if closed := t.file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		fmt.Fprintln(s.err, "codemode: --trace:", err)
		return
	}
	io.WriteString(s.err, "trace: "+visible(t.file.Name())+"\n")
}

// title names the program in the page.
func (p program) title() string {
	switch {
	case len(p.Code) > 0:
		return "program of the command line"
	case p.File == "-":
		return "program of standard input"
	}
	return filepath.Base(p.File)
}
