package ecmaregexp

// This file defines the patient matcher: it finds what MatchAt finds, in its own time, and can be told to stop at any moment.

import (
	"errors"

	"github.com/dlclark/regexp2/v2/syntax"
)

// ErrStopped says that the caller ended a match.
var ErrStopped = errors.New("the match was stopped")

const (
	// patience is how many steps pass until the caller is asked: well below a millisecond's work.
	patience = 1 << 14
	// maxChoices and maxTrail bound the memory of a match, about 16 MiB each.
	maxChoices = 1 << 19
	maxTrail   = 1 << 20
)

// MatchPatiently is MatchAt without a limit of time. goOn is called every millisecond or more often; false ends the match with
// ErrStopped. It is for matches that take long: there is no search ahead for where one may begin.
func (r *Regexp) MatchPatiently(in *Input, index int, dst []int, goOn func() bool) ([]int, error) {
	if index < 0 || index > len(in.units) {
		return nil, nil
	}
	p, err := r.patient()
	if err != nil {
		return nil, err
	}
	text, starts := in.units, []int32(nil)
	if r.flags.fullUnicode() {
		in.codePoints()
		text, starts = in.points, in.starts
		index = pointAt(starts, index)
	}
	m := &matching{plan: p, text: text, from: index, reg: make([]int, p.registers), goOn: goOn, left: patience}
	for at := index; at <= len(text); at++ {
		found, err := m.match(at)
		if err != nil {
			return nil, err
		}
		if found {
			return m.offsets(dst[:0], r.groups, starts), nil
		}
		if r.flags.Sticky {
			break
		}
	}
	return nil, nil
}

// patient gives the plan, which is made when it is first needed.
func (r *Regexp) patient() (*plan, error) {
	r.plan.once.Do(func() {
		tree, err := syntax.Parse(r.pattern, syntax.ParseOptions{RegexOptions: syntax.RegexOptions(r.options), MaintainCaptureOrder: true})
		if err == nil {
			r.plan.plan, err = newPlan(tree, r.groups)
		}
		r.plan.err = err
	})
	return r.plan.plan, r.plan.err
}

// choice is a way that is left to try: step pc at a position. With a count it is what step pc itself left open: a greedy one took
// that many characters more than it must, a lazy one may take that many more, a loop can go the other way.
type choice struct {
	pc, pos int
	count   int
	trail   int // height of the trail then
}

// change is the former value of a register.
type change struct{ reg, was int }

// matching is one search.
type matching struct {
	*plan
	text    []rune
	from    int // where the search began
	reg     []int
	choices []choice
	trail   []change
	goOn    func() bool
	left    int // steps until goOn
}

func (m *matching) offsets(dst []int, groups int, starts []int32) []int {
	for g := range groups + 1 {
		from, to := m.reg[startOf(g)], m.reg[endOf(g)]
		if starts != nil && from >= 0 {
			from, to = int(starts[from]), int(starts[to])
		}
		dst = append(dst, from, to)
	}
	return dst
}

// spend counts n steps; false ends the match.
func (m *matching) spend(n int) bool {
	if m.left -= n; m.left > 0 {
		return true
	}
	m.left = patience
	return m.goOn()
}

func (m *matching) set(reg, v int) {
	m.trail = append(m.trail, change{reg, m.reg[reg]})
	m.reg[reg] = v
}

func (m *matching) push(pc, pos, count int) {
	m.choices = append(m.choices, choice{pc, pos, count, len(m.trail)})
}

// match tries to match at one position.
func (m *matching) match(at int) (bool, error) {
	for i := range m.reg {
		m.reg[i] = -1
	}
	m.left -= len(m.reg) >> 4
	m.choices, m.trail = m.choices[:0], m.trail[:0]
	pc, pos := 0, at
	for {
		if !m.spend(1) {
			return false, ErrStopped
		}
		if len(m.choices) > maxChoices || len(m.trail) > maxTrail {
			return false, ErrTooComplex
		}
		s := &m.steps[pc]
		if s.op == opMatch {
			return true, nil
		}
		var ok bool
		if pc, pos, ok = m.step(s, pc, pos); ok {
			continue
		}
		if pc, pos, ok = m.retry(); !ok {
			return false, nil
		}
	}
}

// retry takes the last choice; false if there is none.
func (m *matching) retry() (pc, pos int, ok bool) {
	for len(m.choices) > 0 {
		c := &m.choices[len(m.choices)-1]
		for len(m.trail) > c.trail {
			last := m.trail[len(m.trail)-1]
			m.reg[last.reg] = last.was
			m.trail = m.trail[:len(m.trail)-1]
		}
		s := &m.steps[c.pc]
		switch {
		case c.count == 0:
		case s.op == opRepeat: // gives one back
			c.pos += s.unit(-1)
			pc, pos = c.pc+1, c.pos
			if c.count--; c.count == 0 {
				m.choices = m.choices[:len(m.choices)-1]
			}
			return pc, pos, true
		case s.op == opLazy: // takes one more
			if m.take(s, c.pos, 1) == 0 {
				m.choices = m.choices[:len(m.choices)-1]
				continue
			}
			c.pos += s.unit(1)
			pc, pos = c.pc+1, c.pos
			if c.count--; c.count == 0 {
				m.choices = m.choices[:len(m.choices)-1]
			}
			return pc, pos, true
		default: // opLoop: the other way
			pc, pos = c.pc, c.pos
			m.choices = m.choices[:len(m.choices)-1]
			if s.lazy {
				m.round(s, pos)
				return pc + 1, pos, true
			}
			return s.b, pos, true
		}
		pc, pos = c.pc, c.pos
		m.choices = m.choices[:len(m.choices)-1]
		return pc, pos, true
	}
	return 0, 0, false
}

// unit is n characters in the direction of the step.
func (s *step) unit(n int) int {
	if s.backward {
		return -n
	}
	return n
}

// room is how many characters there are in the direction of the step.
func (m *matching) room(s *step, pos int) int {
	if s.backward {
		return pos
	}
	return len(m.text) - pos
}

// take is how many characters from pos on the step accepts, at most n.
func (m *matching) take(s *step, pos, n int) int {
	n = min(n, m.room(s, pos))
	for i := range n {
		at := pos + i
		if s.backward {
			at = pos - 1 - i
		}
		if !s.accepts(m.text[at]) {
			return i
		}
	}
	return n
}

func (s *step) accepts(c rune) bool {
	if s.accept == acceptSet {
		if c >= 0 && c < 128 {
			return s.ascii[c>>6]&(1<<(c&63)) != 0
		}
		return s.set.Contains(c)
	}
	return (c == s.char) != s.negated
}

// round begins a round of a loop.
func (m *matching) round(s *step, pos int) {
	m.set(s.a, m.reg[s.a]+1)
	m.set(s.a+1, pos)
}

// step does one step; false if there is no way on.
func (m *matching) step(s *step, pc, pos int) (int, int, bool) {
	switch s.op {
	case opFail:
		return pc, pos, false
	case opTake, opText, opRepeat, opLazy, opGulp, opGroup:
		return m.characters(s, pc, pos)
	case opJump:
		return s.a, pos, true
	case opFork:
		m.push(s.a, pos, 0)
	case opMark:
		m.set(s.a, pos)
	case opClose:
		from := m.reg[s.b]
		m.set(startOf(s.a), min(from, pos))
		m.set(endOf(s.a), max(from, pos))
	case opForget:
		m.set(startOf(s.a), -1)
		m.set(endOf(s.a), -1)
	case opEnter:
		m.set(s.a, len(m.choices))
		m.set(s.b, pos)
	case opCut:
		m.choices = m.choices[:m.reg[s.a]]
		if s.back {
			pos = m.reg[s.b]
		}
	case opReject:
		m.choices = m.choices[:m.reg[s.a]]
		return pc, pos, false
	case opCount:
		m.set(s.a, 0)
	case opLoop:
		return m.loop(s, pc, pos)
	case opRound:
		if m.reg[s.b] > s.min && m.reg[s.b+1] == pos {
			return pc, pos, false
		}
		return s.a, pos, true
	default:
		return pc + 1, pos, m.holds(s, pos)
	}
	return pc + 1, pos, true
}

func (m *matching) loop(s *step, pc, pos int) (int, int, bool) {
	n := m.reg[s.a]
	switch {
	case n < s.min:
	case n >= s.max:
		return s.b, pos, true
	case s.lazy:
		m.push(pc, pos, 1)
		return s.b, pos, true
	default:
		m.push(pc, pos, 1)
	}
	m.round(s, pos)
	return pc + 1, pos, true
}

func (m *matching) characters(s *step, pc, pos int) (int, int, bool) {
	n := 0
	switch s.op {
	case opTake:
		if n = m.take(s, pos, 1); n == 0 {
			return pc, pos, false
		}
	case opText:
		if n = len(s.text); n > m.room(s, pos) || !m.same(s, pos, s.text, false) {
			return pc, pos, false
		}
	case opGroup:
		from, to := m.reg[startOf(s.a)], m.reg[endOf(s.a)]
		if from < 0 {
			break
		}
		if n = to - from; n > m.room(s, pos) || !m.same(s, pos, m.text[from:to], s.fold) {
			return pc, pos, false
		}
	case opRepeat, opGulp:
		if n = m.take(s, pos, s.max); n < s.min {
			return pc, pos, false
		}
		if s.op == opRepeat && n > s.min {
			m.push(pc, pos+s.unit(n), n-s.min)
		}
	case opLazy:
		if n = m.take(s, pos, s.min); n < s.min {
			return pc, pos, false
		}
		if s.max > s.min {
			m.push(pc, pos+s.unit(n), s.max-s.min)
		}
	}
	m.left -= n >> 4
	return pc + 1, pos + s.unit(n), true
}

// same tells whether the text at pos is the given one.
func (m *matching) same(s *step, pos int, text []rune, fold bool) bool {
	if s.backward {
		pos -= len(text)
	}
	for i, c := range text {
		if d := m.text[pos+i]; c != d && !(fold && syntax.IsCaseEquivalent(c, d, m.options)) {
			return false
		}
	}
	return true
}

// holds decides an assertion.
func (m *matching) holds(s *step, pos int) bool {
	switch s.op {
	case opStart:
		return pos == 0
	case opEnd:
		return pos == len(m.text)
	case opHere:
		return pos == m.from
	case opLineStart:
		return pos == 0 || syntax.IsECMALineTerminator(m.text[pos-1])
	case opLineEnd:
		return pos == len(m.text) || syntax.IsECMALineTerminator(m.text[pos])
	}
	options := syntax.RegexOptions(0)
	if s.fold {
		options = syntax.IgnoreCase | syntax.Unicode
	}
	left := pos > 0 && syntax.IsECMAWordCharWithOptions(options, m.text[pos-1])
	right := pos < len(m.text) && syntax.IsECMAWordCharWithOptions(options, m.text[pos])
	return (left != right) == (s.op == opWord)
}
