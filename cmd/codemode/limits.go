package main

// This file defines which values the flags of limits and names take, said by the names of the flags.

import (
	"fmt"
	"math"
	"regexp"
	"time"
)

// checkLimits reports a limit that none can be. Nil is no limit.
func checkLimits(timeout time.Duration, mib int, calls, output *int) error {
	if most := math.MaxInt32 * time.Millisecond; timeout < 0 || timeout > most {
		return fmt.Errorf("--timeout: got %v, want more than 0 and at most %v, or 0 for no limit", timeout, most.Truncate(time.Hour))
	}
	if most := math.MaxInt32 >> 20; mib < 0 || mib > most {
		return fmt.Errorf("--memory: got %d, want 1 to %d MiB, or 0 for no limit", mib, most)
	}
	if calls != nil && (*calls < 0 || *calls > math.MaxInt32) {
		return fmt.Errorf("--max-calls: got %d, want 0 to %d", *calls, math.MaxInt32)
	}
	if output != nil && (*output < 0 || *output > math.MaxInt32) {
		return fmt.Errorf("--max-output: got %d, want 0 to %d bytes", *output, math.MaxInt32)
	}
	return nil
}

// checkWait reports a --wait that is none.
func checkWait(wait time.Duration) error {
	if wait < 0 {
		return fmt.Errorf("--wait: got %v, want 0 or more", wait)
	}
	return nil
}

// executeName is what the tool that runs programs may be called: what all clients take.
var executeName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func checkName(name string) error {
	if !executeName.MatchString(name) {
		return fmt.Errorf("--name: got %q, want 1 to 64 letters, digits, _ and -", name)
	}
	return nil
}
