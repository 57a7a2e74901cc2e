package discovery

// This file defines how English words lose their endings. Two forms are used: the base, without the endings of number
// and tense (issues, listing, created), and the root, without those that make one kind of word of another
// (deployment, creation). The rules are M. F. Porter's of 1980 with plurals mended.

import "strings"

// irregular are words whose base no rule finds, by their form.
var irregular = pairs(`people:person children:child men:man women:woman indices:index indexes:index vertices:vertex matrices:matrix
	criteria:criterion analyses:analysis statuses:status aliases:alias series:series news:news lens:lens gas:gas alias:alias canvas:canvas
	atlas:atlas bias:bias kubernetes:kubernetes uses:use used:use using:use does:do did:do done:do doing:do goes:go went:go gone:go going:go
	sent:send wrote:write written:write found:find made:make ran:run running:run got:get gotten:get kept:keep shown:show showed:show
	saw:see seen:see paid:pay sold:sell built:build bought:buy brought:bring took:take taken:take gave:give given:give told:tell
	said:say left:leave held:hold lost:lose met:meet read:read set:set setting:setting settings:setting chose:choose chosen:choose
	drew:draw drawn:draw drove:drive driven:drive broke:break broken:break began:begin begun:begin hid:hide hidden:hide
	threw:throw thrown:throw knew:know known:know grew:grow grown:grow spoke:speak spoken:speak stole:steal stuck:stick
	understood:understand was:be were:be is:be are:be am:be been:be being:be has:have had:have having:have
	during:during string:string strings:string thing:thing things:thing nothing:nothing something:something everything:everything
	anything:anything building:building buildings:building meeting:meeting meetings:meeting`)

func pairs(rows string) map[string]string {
	m := map[string]string{}
	for _, row := range strings.Fields(rows) {
		from, to, _ := strings.Cut(row, ":")
		m[from] = to
	}
	return m
}

// base takes number and tense away. Words that are not lower-case English letters are left as they are.
func base(w string) string {
	if to, ok := irregular[w]; ok {
		return to
	}
	if len(w) < 3 || !letters(w) {
		return w
	}
	b := []byte(w)
	b = plural(b)
	b = tense(b)
	if n := len(b); n > 2 && b[n-1] == 'y' && !vowel(b, n-2) {
		b[n-1] = 'i'
	}
	return string(b)
}

func letters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

func plural(b []byte) []byte {
	n := len(b)
	switch {
	case n < 4 && !ends(b, "s"), n < 3:
	case ends(b, "ies") && n > 4:
		return b[:n-2]
	case ends(b, "caches"):
		return b[:n-1]
	case ends(b, "sses"), ends(b, "xes"), ends(b, "ches"), ends(b, "shes"), ends(b, "uses") && n > 6:
		return b[:n-2]
	case ends(b, "ss"), ends(b, "us"), ends(b, "is"):
	case ends(b, "s"):
		return b[:n-1]
	}
	return b
}

// tense removes -ed and -ing and restores the ending that they replaced.
func tense(b []byte) []byte {
	switch {
	case ends(b, "eed"):
		if measure(b[:len(b)-3]) > 0 {
			b = b[:len(b)-1]
		}
		return b
	case ends(b, "ied") && len(b) > 4:
		b[len(b)-3] = 'y'
		return b[:len(b)-2]
	case ends(b, "ed") && hasVowel(b[:len(b)-2]):
		b = b[:len(b)-2]
	case ends(b, "ing") && hasVowel(b[:len(b)-3]):
		b = b[:len(b)-3]
	default:
		return final(b)
	}
	n := len(b)
	switch {
	case ends(b, "at"), ends(b, "bl"), ends(b, "iz"):
		b = append(b[:n:n], 'e')
	case n > 1 && b[n-1] == b[n-2] && !vowel(b, n-1) && !strings.ContainsRune("lsz", rune(b[n-1])):
		return b[:n-1]
	case measure(b) == 1 && cvc(b):
		b = append(b[:n:n], 'e')
	}
	return final(b)
}

// final removes the silent e of words in which nothing hangs on it.
func final(b []byte) []byte {
	n := len(b)
	if n > 3 && b[n-1] == 'e' && b[n-2] != 'e' {
		if m := measure(b[:n-1]); m > 1 || m == 1 && !cvc(b[:n-1]) {
			return b[:n-1]
		}
	}
	return b
}

// suffixes make one kind of word of another. The first that leaves enough goes; the silent e is already gone.
var suffixes = []struct {
	from, to string
	least    int // measure of what is left
}{
	{"ification", "ify", 1}, {"scription", "scrib", 0}, {"solution", "solv", 0}, {"ution", "ut", 1}, {"ation", "at", 1}, {"ition", "it", 1},
	{"action", "act", 0}, {"etion", "et", 1}, {"rsion", "rt", 1}, {"tion", "t", 0}, {"sion", "s", 2}, {"payment", "pay", 0}, {"ment", "", 2},
	{"oval", "ov", 0}, {"ewal", "ew", 0}, {"ieval", "iev", 0}, {"ability", "abl", 1}, {"ibility", "ibl", 1}, {"ator", "at", 1}, {"ness", "", 1},
	{"enc", "", 2}, {"anc", "", 2}, {"at", "", 2},
}

// root is what related words share. It takes a folded word.
func root(w string) string {
	b := base(w)
	if len(b) < 5 || !letters(b) {
		return b
	}
	if b[len(b)-1] == 'i' {
		b = b[:len(b)-1] + "y"
	}
	for range 2 {
		for _, s := range suffixes {
			if rest, ok := strings.CutSuffix(b, s.from); ok && (rest == "" || len(rest) > 2) && measure([]byte(rest)) >= s.least {
				b = rest + s.to
				break
			}
		}
	}
	if len(b) > 4 {
		b = strings.TrimSuffix(b, "e")
	}
	return b
}

func ends(b []byte, suffix string) bool { return strings.HasSuffix(string(b), suffix) }

func vowel(b []byte, i int) bool {
	switch b[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !vowel(b, i-1)
	}
	return false
}

func hasVowel(b []byte) bool {
	for i := range b {
		if vowel(b, i) {
			return true
		}
	}
	return false
}

// measure counts the changes from vowels to consonants.
func measure(b []byte) int {
	n, was := 0, false
	for i := range b {
		is := vowel(b, i)
		if was && !is {
			n++
		}
		was = is
	}
	return n
}

// cvc reports an ending consonant, vowel, consonant whose last is none of w, x, y.
func cvc(b []byte) bool {
	n := len(b)
	return n > 2 && !vowel(b, n-1) && vowel(b, n-2) && !vowel(b, n-3) && !strings.ContainsRune("wxy", rune(b[n-1]))
}
