// This file defines how fibers are observed.

package scope

import (
	"context"
	"sync/atomic"
	"time"
)

// FiberInfo describes a fiber to a [Tracer].
type FiberInfo struct {
	ID     uint64 // unique in the process
	Parent uint64 // the fiber that forked it or in which its scope was opened, or 0
	Name   string
	Scope  string // the name of its scope
	Start  time.Time
	End    time.Time // zero until it has ended
}

// Tracer observes fibers. Its methods are called on the goroutine that forks
// and on the fiber's own, concurrently for different fibers, and must not
// block or panic.
type Tracer interface {
	FiberStarted(FiberInfo)
	FiberEnded(FiberInfo, Exit)
}

type fiberKey struct{}

var lastFiber atomic.Uint64

func (f *Fiber) start(ctx context.Context) {
	f.info = &FiberInfo{ID: lastFiber.Add(1), Name: f.name, Scope: f.scope.name, Start: time.Now()}
	if parent, ok := ctx.Value(fiberKey{}).(*Fiber); ok && parent.info != nil {
		f.info.Parent = parent.info.ID
	}
	f.scope.tracer.FiberStarted(*f.info)
}
