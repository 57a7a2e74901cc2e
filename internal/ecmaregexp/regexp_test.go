package ecmaregexp

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// units reads a JSON string literal as UTF-16, lone surrogates included.
func units(t *testing.T, literal json.RawMessage) []uint16 {
	var out []uint16
	s := string(literal[1 : len(literal)-1])
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r, n := utf8.DecodeRuneInString(s[i:])
			out = utf16.AppendRune(out, r)
			i += n
			continue
		}
		if s[i+1] == 'u' {
			v, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, uint16(v))
			i += 6
			continue
		}
		ch := s[i+1]
		if k := strings.IndexByte("nrtfb", ch); k >= 0 {
			ch = "\n\r\t\f\b"[k]
		}
		out = append(out, uint16(ch))
		i += 2
	}
	return out
}

// unlike lists where V8 parts from the specification.
var unlike = map[[2]string]string{
	{`\B`, "u"}:                "matches inside a surrogate pair there",
	{`\B`, "iu"}:               "matches inside a surrogate pair there",
	{`\B`, "v"}:                "matches inside a surrogate pair there",
	{`\B`, "iv"}:               "matches inside a surrogate pair there",
	{`(?<=[[a-z]--b])c`, "iv"}: "does not fold the operands of a subtraction there",
}

// TestMatches compares errors and matches with V8.
func TestMatches(t *testing.T) {
	f, err := os.Open("testdata/matches.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	patterns := 0
	for ; s.Scan(); patterns++ {
		var e struct {
			P, F, Error string
			M           [][2]json.RawMessage
		}
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if unlike[[2]string{e.P, e.F}] != "" {
			continue
		}
		re, err := Compile(e.P, e.F)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if message != e.Error {
			t.Errorf("/%s/%s: error %q, want %q", e.P, e.F, message, e.Error)
			continue
		}
		for _, m := range e.M {
			checkMatch(t, re, e.P+"/"+e.F, m)
		}
	}
	if patterns < 1600 {
		t.Errorf("only %d patterns", patterns)
	}
}

func checkMatch(t *testing.T, re *Regexp, name string, m [2]json.RawMessage) {
	var want []int
	if err := json.Unmarshal(m[1], &want); err != nil {
		t.Fatal(err)
	}
	text := units(t, m[0])
	got, err := re.MatchAt(NewInputUnits(text), 0, nil)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("/%s on %s: %v %v, want %v", name, m[0], got, err, want)
	}
	got, err = re.MatchPatiently(NewInputUnits(text), 0, nil, goOn)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("patiently /%s on %s: %v %v, want %v", name, m[0], got, err, want)
	}
	if len(text) == 0 || slices.Max(text) < 0x80 {
		if got, _ := re.MatchAt(NewInput(string(utf16.Decode(text))), 0, nil); !slices.Equal(got, want) {
			t.Errorf("/%s on ASCII %s: %v, want %v", name, m[0], got, want)
		}
	}
}

func mustCompile(t testing.TB, pattern, flags string) *Regexp {
	t.Helper()
	re, err := Compile(pattern, flags)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

func TestMatchAtIndex(t *testing.T) {
	emoji := utf16.Encode([]rune("a😀b😀"))
	for _, c := range []struct {
		pattern, flags string
		index          int
		want           []int
	}{
		{"a", "", 0, []int{0, 1}},
		{"a", "", 1, nil},
		{"b", "", 1, []int{3, 4}},
		{"b", "y", 1, nil},
		{"b", "y", 3, []int{3, 4}},
		{"😀", "u", 0, []int{1, 3}},
		{"😀", "u", 2, []int{1, 3}}, // inside the pair: the code point it belongs to
		{"😀", "", 2, []int{4, 6}},
		{"😀", "uy", 2, []int{1, 3}},
		{"^", "", 1, nil},
		{"$", "", 6, []int{6, 6}},
		{"$", "u", 6, []int{6, 6}},
		{"", "", 7, nil},
		{"", "", -1, nil},
		{"(?<=a)(.)", "u", 1, []int{1, 3, 1, 3}},
	} {
		got, err := mustCompile(t, c.pattern, c.flags).MatchAt(NewInputUnits(emoji), c.index, nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("/%s/%s at %d: %v %v, want %v", c.pattern, c.flags, c.index, got, err, c.want)
		}
		got, err = mustCompile(t, c.pattern, c.flags).MatchPatiently(NewInputUnits(emoji), c.index, nil, goOn)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("patiently /%s/%s at %d: %v %v, want %v", c.pattern, c.flags, c.index, got, err, c.want)
		}
	}
}

// TestEdition2025 covers what ES2025 adds: modifiers (22.2.1, Pattern Modifiers) and names repeated in alternatives.
func TestEdition2025(t *testing.T) {
	for _, c := range []struct {
		pattern, flags, text string
		want                 []int
	}{
		{"(?i:a)b", "", "Ab", []int{0, 2}},
		{"(?i:a)b", "", "AB", nil},
		{"(?-i:a)b", "i", "aB", []int{0, 2}},
		{"(?-i:a)b", "i", "AB", nil},
		{"(?s:.)", "", "\n", []int{0, 1}},
		{"(?m:^)b", "", "a\nb", []int{2, 3}},
		{"(?m-i:^b)", "i", "a\nB", nil},
		{"(?<a>x)|(?<a>y)", "", "y", []int{0, 1, -1, -1, 0, 1}},
		{"(?:(?<a>x)|(?<a>y))\\k<a>", "", "xyy", []int{1, 3, -1, -1, 1, 2}},
	} {
		got, err := mustCompile(t, c.pattern, c.flags).MatchAt(NewInput(c.text), 0, nil)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("/%s/%s on %q: %v %v, want %v", c.pattern, c.flags, c.text, got, err, c.want)
		}
		got, err = mustCompile(t, c.pattern, c.flags).MatchPatiently(NewInput(c.text), 0, nil, goOn)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("patiently /%s/%s on %q: %v %v, want %v", c.pattern, c.flags, c.text, got, err, c.want)
		}
	}
	for _, pattern := range []string{"(?ii:a)", "(?i-i:a)", "(?-:a)", "(?x:a)", "(?i)", "(?<a>x)(?<a>y)", "(?<a>x)|(?<a>y)(?<a>z)"} {
		var syntaxError *SyntaxError
		if _, err := Compile(pattern, ""); !errors.As(err, &syntaxError) {
			t.Errorf("/%s/: %v", pattern, err)
		}
	}
}

func TestNamesAndGroups(t *testing.T) {
	re := mustCompile(t, `(a)(?<x>b)(?:c)(?<𝒳>d)|(?<x>e)`, "dg")
	if want := []Name{{"x", 2}, {"𝒳", 3}, {"x", 4}}; re.Groups() != 4 || !slices.Equal(re.Names(), want) {
		t.Errorf("%d %v", re.Groups(), re.Names())
	}
	if f := re.Flags(); !f.HasIndices || !f.Global || f.Sticky {
		t.Errorf("%+v", f)
	}
}

// The message of a pattern that is far too long does not repeat all of it.
func TestHugePattern(t *testing.T) {
	_, err := Compile(strings.Repeat("x", 1<<20), "g")
	if err == nil || !strings.HasSuffix(err.Error(), "x…/g: Regular expression too large") || len(err.Error()) > 200 {
		t.Errorf("%.300v", err)
	}
}

func TestPropertiesOfStringsAreRefusedByName(t *testing.T) {
	_, err := Compile(`^\p{RGI_Emoji}$`, "v")
	if err == nil || !strings.Contains(err.Error(), `\p{RGI_Emoji} is a property of strings`) {
		t.Errorf("%v", err)
	}
}

func TestTimeout(t *testing.T) {
	re := mustCompile(t, "(a+)+$", "").WithTimeout(50 * time.Millisecond)
	start := time.Now()
	_, err := re.MatchAt(NewInput(strings.Repeat("a", 40)+"b"), 0, nil)
	if !errors.Is(err, ErrTimeout) || time.Since(start) > 2*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestBacktrackingIsBounded(t *testing.T) {
	re := mustCompile(t, "^(?:(a)|(b))*c", "")
	if _, err := re.MatchAt(NewInput(strings.Repeat("ab", 20000)), 0, nil); err != nil {
		t.Errorf("ordinary text: %v", err)
	}
	if _, err := re.MatchAt(NewInput(strings.Repeat("ab", 1<<20)), 0, nil); !errors.Is(err, ErrTooComplex) {
		t.Errorf("long text: %v", err)
	}
}

func TestHostilePatterns(t *testing.T) {
	for name, pattern := range map[string]string{
		"groups": strings.Repeat("(", 30000) + strings.Repeat(")", 30000), "classes": strings.Repeat("[", 30000), "counts": strings.Repeat("(?:", 200) + "a" + strings.Repeat("){1000}", 200),
		"alternatives": strings.Repeat("a|", 30000), "lookaheads": strings.Repeat("(?=", 20000), "too long": strings.Repeat("a", 70000), "names": strings.Repeat("(?<a>a)|", 5000) + "b",
		"count": "a{99999999999999999999}", "stars": strings.Repeat("(?:a*)*", 200), "cases": strings.Repeat("\\W", 30000), "cases of classes": strings.Repeat("[\\W_]", 10000), "cases of ranges": strings.Repeat("[\u0100-\uFFFF]", 10000), "ranges": "[" + strings.Repeat("a-z", 20000) + "]",
	} {
		for _, flags := range []string{"", "u", "v", "i", "iu", "iv"} {
			start := time.Now()
			re, err := Compile(pattern, flags)
			if err == nil {
				re.WithTimeout(100*time.Millisecond).MatchAt(NewInput("aaaaaaaaaab"), 0, nil)
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("%s with %q took %v", name, flags, took)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	re := mustCompile(t, `(\w+)@(\w+)`, "g")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			own := re.WithTimeout(time.Second)
			for range 200 {
				if m, err := own.MatchAt(NewInput("to x@y now"), 0, nil); err != nil || !slices.Equal(m, []int{3, 6, 3, 4, 5, 6}) {
					t.Errorf("%v %v", m, err)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzCompile(f *testing.F) {
	for _, p := range []string{"a", "[a--b]", `\u{1F600}`, "(?<n>a)\\k<n>", "(?i-s:.)", `[\q{ab|c}&&x]`, "\xed\xa0\xbd", "a{2,1}"} {
		for _, flags := range []string{"", "u", "v", "i"} {
			f.Add(p, flags, "ab")
		}
	}
	f.Fuzz(func(t *testing.T, pattern, flags, text string) {
		re, err := Compile(pattern, flags)
		if err != nil {
			return
		}
		in := NewInputUnits(utf16.Encode([]rune(text)))
		m, err := re.WithTimeout(50*time.Millisecond).MatchAt(in, 0, nil)
		if again, problem := re.MatchPatiently(in, 0, nil, atMost(200)); err == nil && problem == nil && !slices.Equal(again, m) {
			t.Errorf("/%s/%s on %q: %v, patiently %v", pattern, flags, text, m, again)
		}
		if err == nil && m != nil && (len(m) != 2*(re.Groups()+1) || m[0] < 0 || m[1] > in.Len() || m[0] > m[1]) {
			t.Errorf("/%s/%s on %q: %v", pattern, flags, text, m)
		}
	})
}

func BenchmarkMatchASCII(b *testing.B) {
	re := mustCompile(b, `(\d+)-(\d+)`, "")
	in := NewInput(strings.Repeat("words and words ", 8) + "12-34")
	var dst []int
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = re.MatchAt(in, 0, dst)
	}
}
