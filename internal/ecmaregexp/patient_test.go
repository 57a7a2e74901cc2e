package ecmaregexp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func goOn() bool { return true }

// atMost goes on n times.
func atMost(n int) func() bool { return func() bool { n--; return n >= 0 } }

// TestPatienceCanEnd: whoever waits is asked again and again, wherever the time goes, and can end the match.
func TestPatienceCanEnd(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for pattern, text := range map[string]string{
		"^(a+)+$": strings.Repeat("a", 60) + "b", "(?:a|aa)+c": strings.Repeat("a", 60) + "d", "(?=(a*)*b)c": strings.Repeat("a", 60),
		"a*?b": long, "a*b": long, "(?:a{5}|a{3})*b": strings.Repeat("a", 500), `(?<!a*b)c`: long, "x": long, `(a*)\1b`: long,
	} {
		calls := 0
		_, err := mustCompile(t, pattern, "").MatchPatiently(NewInput(text), 0, nil, func() bool { calls++; return calls < 3 })
		if !errors.Is(err, ErrStopped) && !errors.Is(err, ErrTooComplex) || calls > 3 {
			t.Errorf("/%s/ was ended by %v after %d calls", pattern, err, calls)
		}
	}
}

func TestPatienceIsBounded(t *testing.T) {
	re := mustCompile(t, "^(?:(a)|(b))*c", "")
	if _, err := re.MatchPatiently(NewInput(strings.Repeat("ab", 20000)), 0, nil, goOn); err != nil {
		t.Errorf("ordinary text: %v", err)
	}
	if _, err := re.MatchPatiently(NewInput(strings.Repeat("ab", 1<<20)), 0, nil, goOn); !errors.Is(err, ErrTooComplex) {
		t.Errorf("long text: %v", err)
	}
}

// TestBothMatchersAgree compares the two on random patterns; TestMatches compares each with another engine.
func TestBothMatchersAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	flags := []string{"", "i", "m", "s", "u", "iu", "y", "v"}
	compared := 0
	for range 3000 {
		pattern, flag := randomPattern(rng, 4), flags[rng.IntN(len(flags))]
		if flag == "iu" && strings.Contains(pattern, `\W`) {
			continue // takes long to compile
		}
		re, err := Compile(pattern, flag)
		if err != nil {
			continue
		}
		re = re.WithTimeout(time.Minute)
		for range 3 {
			text := randomText(rng)
			want, err := re.MatchAt(NewInput(text), 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := re.MatchPatiently(NewInput(text), 0, nil, goOn)
			if compared++; err != nil || !slices.Equal(got, want) {
				t.Fatalf("/%s/%s on %q: %v %v, want %v", pattern, flag, text, got, err, want)
			}
		}
	}
	if compared < 2500 {
		t.Errorf("only %d matches", compared)
	}
}

func randomText(rng *rand.Rand) string {
	b := make([]byte, rng.IntN(12))
	for i := range b {
		b[i] = "aabbcAB\n_ 1"[rng.IntN(11)]
	}
	return string(b)
}

// randomPattern makes a pattern so deep.
func randomPattern(rng *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "c", "A", ".", "[ab]", "[^a]", `\w`, `\W`, `\d`, `\s`, `\b`, `\B`, "^", "$", `\1`, `\2`, "ab", "abc", "[]", "[^]", "aa"}
	if depth == 0 {
		return atoms[rng.IntN(len(atoms))]
	}
	part := func() string { return randomPattern(rng, depth-1) }
	switch rng.IntN(12) {
	case 0, 1:
		return part() + part()
	case 2:
		return part() + part() + part()
	case 3:
		return "(" + part() + ")"
	case 4:
		return "(?:" + part() + "|" + part() + ")"
	case 5:
		return "(" + part() + "|" + part() + "|" + part() + ")"
	case 6:
		return "(?" + []string{"=", "!", "<=", "<!"}[rng.IntN(4)] + part() + ")"
	case 7, 8, 9:
		return "(?:" + part() + ")" + []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}?", "{0,2}", "{0}"}[rng.IntN(11)]
	case 10:
		return "(" + part() + ")" + []string{"*", "+", "?", "*?", "{2}", "{1,2}?"}[rng.IntN(6)]
	}
	return atoms[rng.IntN(len(atoms))]
}
