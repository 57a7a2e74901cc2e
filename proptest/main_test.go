package proptest

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// regexp2 keeps one clock for all timeouts of matches.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}
