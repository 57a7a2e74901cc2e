package server

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever programs come and go, what they have together stays within the bound, each has something, and the first one all
// that it may have.
func TestBudget(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, total := range []int64{1, 7, 1 << 20, 512 << 20, 2 << 30} {
		b := &budget{total: total}
		var sum int64
		var given []int64
		for range 2000 {
			if len(given) > 0 && random.IntN(3) == 0 {
				i := random.IntN(len(given))
				b.give(given[i])
				sum -= given[i]
				given = append(given[:i], given[i+1:]...)
				continue
			}
			limit := 1 + random.Int64N(1<<30)
			granted, _ := b.try(min(limit, total))
			if granted == 0 {
				continue // there is nothing left
			}
			if granted < 0 || granted > limit || sum == 0 && granted != min(limit, total) {
				t.Fatalf("of %d: %d of %d granted beside %d", total, granted, limit, sum)
			}
			sum += granted
			given = append(given, granted)
			if sum > total {
				t.Fatalf("%d of %d are granted", sum, total)
			}
		}
	}
}

// As many programs as are planned for have their part, though none of them ends.
func TestBudgetOfAllPlaces(t *testing.T) {
	for _, total := range []int64{2600 << 20, 4500 << 20, 64 << 30} {
		b := &budget{total: total, places: 40}
		for i := range 40 {
			granted, _ := b.try(512 << 20)
			if granted < leastMemory || i == 0 && granted != 512<<20 {
				t.Fatalf("of %d MiB: the program %d has %d", total>>20, i, granted)
			}
		}
	}
}

// A program waits for others to give back what they have, and not for ever.
func TestBudgetWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &budget{total: 8}
		var held []int64
		for {
			granted, _ := b.try(8)
			if granted == 0 {
				break
			}
			held = append(held, granted)
		}
		start := time.Now()
		if granted, ok := b.take(t.Context(), 8); ok || time.Since(start) != memoryWait {
			t.Errorf("got %d after %v", granted, time.Since(start))
		}
		time.AfterFunc(time.Second, func() { b.give(held[0]) })
		start = time.Now()
		if granted, ok := b.take(t.Context(), 8); !ok || granted == 0 || time.Since(start) != time.Second {
			t.Errorf("got %d after %v", granted, time.Since(start))
		}
		stopped, stop := context.WithCancel(t.Context())
		stop()
		if _, ok := (&budget{total: 8, given: 8}).take(stopped, 8); ok {
			t.Error("it was given to one that had been stopped")
		}
		if granted, ok := (&budget{total: -1}).take(t.Context(), 99); !ok || granted != 99 {
			t.Errorf("got %d", granted)
		}
	})
}

func TestMachineMemory(t *testing.T) {
	if got := memTotal([]byte("MemTotal:       16315920 kB\nMemFree: 1 kB\n")); got != 16315920<<10 {
		t.Errorf("got %d", got)
	}
	for _, text := range []string{"", "MemFree: 1 kB", "MemTotal:", "MemTotal: x kB"} {
		if got := memTotal([]byte(text)); got != 0 {
			t.Errorf("%q: got %d", text, got)
		}
	}
	if got := MachineMemory(); got <= 0 || got == math.MaxInt64 {
		t.Errorf("got %d", got)
	}
}
