package client

// This file defines tests of connections that are closed before they are there.

import (
	"context"
	"testing"
	"time"
)

// mute reads and never answers.
var mute = child("mute", &fake{on: map[string]func(*talk, message){
	methodDiscover: nothing, methodInitialize: nothing,
}})

// Whenever the end comes, a child that has just started ends as well.
func TestClosingWhileAChildStarts(t *testing.T) {
	for i := range 20 {
		g := Open(t.Context(), []Server{mute, {Name: "other", Command: mute.Command, Env: mute.Env}}, Callbacks{})
		for range i * 500 { // other moments
			g.Status()
		}
		start := time.Now()
		if err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > closeGrace {
			t.Errorf("it took %v", took)
		}
	}
}
