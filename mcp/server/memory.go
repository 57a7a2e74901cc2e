package server

// This file defines how much memory programs have together: each is given a budget of its own when it starts, so that the sum
// stays within bounds whatever they do.

import (
	"bytes"
	"context"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"time"
)

const (
	// leastMemory is the least budget that a program starts with, in bytes. Most need less than a tenth of it.
	leastMemory = 16 << 20
	// memoryWait is how long a program waits for others to end when they have all the memory.
	memoryWait = 10 * time.Second
	// unknownMemory is what a machine is taken to have that does not say.
	unknownMemory = 8 << 30
)

// budget hands out memory to programs. The first program is given all that it may have; each further one a quarter of what is
// left at most, without the least for each that may still come: programs that wait for an answer keep what they have.
type budget struct {
	total  int64 // 0 or less is no bound
	places int   // of programs for which the least is kept, from at most a quarter of all

	mu    sync.Mutex
	given int64
	to    int           // programs
	freed chan struct{} // closed when something was given back; nil while nobody waits
}

// take gives a program its budget: limit bytes at most, 0 being no limit of its own. It waits until there is something to give
// or ctx is done; then it gives nothing.
func (b *budget) take(ctx context.Context, limit int64) (granted int64, ok bool) {
	if b.total <= 0 {
		return limit, true
	}
	if limit == 0 || limit > b.total {
		limit = b.total
	}
	ctx, stop := context.WithTimeout(ctx, memoryWait)
	defer stop()
	for {
		granted, freed := b.try(limit)
		if granted > 0 {
			return granted, true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return 0, false
		}
	}
}

func (b *budget) try(limit int64) (granted int64, freed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.total - b.given
	least := min(limit, leastMemory, max(b.total/8, 1))
	switch {
	case b.given == 0:
		granted = limit
	case left >= least:
		reserve := min(least*int64(max(b.places-b.to-1, 0)), b.total/4)
		granted = min(limit, max((left-reserve)/4, least))
	default:
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		return 0, b.freed
	}
	b.given += granted
	b.to++
	return granted, nil
}

// give takes a budget back.
func (b *budget) give(granted int64) {
	if b.total <= 0 || granted == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.given -= granted
	b.to--
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// MachineMemory is how much memory this process may use, in bytes: that of the machine, or less if its control group or
// GOMEMLIMIT say so. Where the system does not tell, 8 GiB.
func MachineMemory() int64 {
	most := debug.SetMemoryLimit(-1) // reads it
	known := most != math.MaxInt64
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64); err == nil && n > 0 {
				most = min(most, n)
			}
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if n := memTotal(text); n > 0 {
			most, known = min(most, n), true
		}
	}
	if !known {
		return min(most, unknownMemory)
	}
	return most
}

// memTotal reads the first line of /proc/meminfo: "MemTotal: 16315920 kB".
func memTotal(text []byte) int64 {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	fields := bytes.Fields(line)
	if len(fields) < 2 || string(fields[0]) != "MemTotal:" {
		return 0
	}
	n, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	return n << 10
}
