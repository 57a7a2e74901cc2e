// This file defines schedules and the loops they drive.

package fx

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Schedule says how long to wait before the next time, and when to stop. n
// counts from 0, elapsed is the time since the first run began. It is stateless
// and may be shared.
type Schedule func(n int, elapsed time.Duration) (delay time.Duration, again bool)

// Recurs goes on n times without waiting.
func Recurs(n int) Schedule {
	return func(i int, _ time.Duration) (time.Duration, bool) { return 0, i < n }
}

// Spaced goes on for ever, waiting d each time.
func Spaced(d time.Duration) Schedule {
	return func(int, time.Duration) (time.Duration, bool) { return d, true }
}

// Exponential goes on for ever, waiting base, then factor times as long each
// time, at most an hour.
func Exponential(base time.Duration, factor float64) Schedule {
	return func(n int, _ time.Duration) (time.Duration, bool) {
		return time.Duration(min(float64(base)*math.Pow(factor, float64(n)), float64(time.Hour))), true
	}
}

// Jittered waits between 80 % and 120 % of what s says.
func (s Schedule) Jittered() Schedule {
	return func(n int, elapsed time.Duration) (time.Duration, bool) {
		d, again := s(n, elapsed)
		return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64())), again
	}
}

// UpTo stops when the elapsed time has reached d.
func (s Schedule) UpTo(d time.Duration) Schedule {
	return func(n int, elapsed time.Duration) (time.Duration, bool) {
		delay, again := s(n, elapsed)
		return delay, again && elapsed < d
	}
}

// And goes on while both do, waiting the longer of their delays:
// Exponential(…).And(Recurs(5)).
func (s Schedule) And(other Schedule) Schedule {
	return func(n int, elapsed time.Duration) (time.Duration, bool) {
		a, againA := s(n, elapsed)
		b, againB := other(n, elapsed)
		return max(a, b), againA && againB
	}
}

// pause waits as s says. It returns false when s stops.
func (s Schedule) pause(ctx context.Context, n int, start time.Time) (bool, error) {
	delay, again := s(n, time.Since(start))
	if !again {
		return false, nil
	}
	if ctx.Err() != nil {
		return false, interrupted(ctx)
	}
	if delay > 0 {
		if _, err := Sleep(delay).Do(ctx); err != nil {
			return false, err
		}
	}
	return true, nil
}

// Retry runs e again while it fails and s goes on, and then fails as it did
// last. Defects and interruption are not retried.
func Retry[A any](e Effect[A], s Schedule) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		start := time.Now()
		for n := 0; ; n++ {
			a, err := e.Do(ctx)
			if err == nil || !expected(ctx, err) {
				return a, err
			}
			if again, stop := s.pause(ctx, n, start); stop != nil {
				return a, stop
			} else if !again {
				return a, err
			}
		}
	}}
}

// Repeat runs e and, while it succeeds and s goes on, again; its result is the
// last one.
func Repeat[A any](e Effect[A], s Schedule) Effect[A] {
	return Effect[A]{func(ctx context.Context) (A, error) {
		start := time.Now()
		for n := 0; ; n++ {
			a, err := e.Do(ctx)
			if err != nil {
				return a, err
			}
			if again, stop := s.pause(ctx, n, start); stop != nil || !again {
				return a, stop
			}
		}
	}}
}
