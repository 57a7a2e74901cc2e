package codemode

// This file defines how the interpreter reaches the tools of an execution.

import (
	"github.com/codemode-go/codemode/interpreter"
	"github.com/codemode-go/codemode/tool"
)

// host is the interpreter's view of a session.
type host struct{ session *tool.Session }

var (
	_ interpreter.Host   = host{}
	_ interpreter.Misses = host{}
)

// Invoke implements interpreter.Host.
func (h host) Invoke(c interpreter.Call) error { return h.session.Invoke(tool.Call(c)) }

// Keys implements interpreter.Host.
func (h host) Keys(path []string) ([]string, bool) { return h.session.Keys(path) }

// Lookup implements interpreter.Host.
func (h host) Lookup(path []string) (isTool, isNamespace bool) { return h.session.Lookup(path) }

// Miss implements interpreter.Misses.
func (h host) Miss(path []string) error { return h.session.Miss(path) }
