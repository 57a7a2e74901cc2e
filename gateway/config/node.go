package config

// This file defines what a file is read into, whatever its notation: values that know their lines.

import (
	"fmt"
	"strconv"
)

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

// String is the kind as messages name it.
func (k kind) String() string {
	return [...]string{"null", "true or false", "a number", "a text", "a list", "an object"}[k]
}

// node is a value of a file.
type node struct {
	kind    kind
	text    string // of a text or number, or true or false
	items   []*node
	members []member
	line    int // from 1; 0 if that is not known
}

// member is a member of an object, in the order of the file.
type member struct {
	key   string
	line  int
	value *node
}

// get is the value of the last member of that key, nil if there is none or n is no object.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return n.members[i].value
		}
	}
	return nil
}

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// want is the error of a value of another kind.
func (n *node) want(what string) error {
	return fmt.Errorf("got %s, want %s", n.kind, what)
}

func (n *node) asText() (string, error) {
	if n.kind != text {
		return "", n.want("a text")
	}
	return n.text, nil
}

// asWord is a text, number or boolean as text: files have ports and switches without quotes.
func (n *node) asWord() (string, error) {
	switch n.kind {
	case text, number, boolean:
		return n.text, nil
	}
	return "", n.want("a text")
}

func (n *node) asBool() (bool, error) {
	if n.kind != boolean {
		return false, n.want("true or false")
	}
	return n.text == "true", nil
}

func (n *node) asNumber() (float64, error) {
	if n.kind != number {
		return 0, n.want("a number")
	}
	return strconv.ParseFloat(n.text, 64)
}

// maxDepth bounds how deep files nest. Real ones have less than ten levels.
const maxDepth = 64

// maxFile bounds the size of a file, in bytes. One client keeps its conversations beside its servers.
const maxFile = 64 << 20
