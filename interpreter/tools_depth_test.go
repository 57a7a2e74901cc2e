package interpreter_test

import (
	"strings"
	"testing"
)

func TestDeepPathsOfToolsAreRefused(t *testing.T) {
	got := text(run(t, `let t = tools; for (let i = 0; i < 64; i++) t = t.a; try { t.a } catch (e) { return e.name + ': ' + e.message }`, 0))
	if want := "TypeError: no path of tools has more than 64 names, this one begins with tools.a.a.a"; !strings.Contains(got, want) {
		t.Errorf("got %s", got)
	}
}
