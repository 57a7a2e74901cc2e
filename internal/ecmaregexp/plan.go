package ecmaregexp

// This file defines plan, the form of a pattern that the patient matcher runs, and its making from the matcher library's tree.

import (
	"fmt"
	"math"

	"github.com/dlclark/regexp2/v2/syntax"
)

// plan is a program of steps. Its registers are offsets, counters and stack heights; all of them are -1 at first.
type plan struct {
	steps     []step
	registers int
	options   syntax.RegexOptions
}

type opcode uint8

const (
	opMatch     opcode = iota
	opFail             // no way on
	opTake             // one character that the step accepts
	opText             // text
	opRepeat           // between min and max characters that the step accepts, as many as possible
	opLazy             // the same, as few as possible
	opGulp             // opRepeat without giving any back
	opGroup            // what group a took
	opJump             // to step a
	opFork             // on with the next step; then, with what it leaves, at step a
	opMark             // register a := position
	opClose            // group a took what is between register b and the position
	opForget           // group a took no part
	opEnter            // register a := height of the stack, b := position
	opCut              // drop the choices above the height in register a; with back, to the position in register b
	opReject           // opCut, then fail
	opCount            // register a := 0
	opLoop             // another round of a loop, or on at step b: see loop
	opRound            // the end of a round; to step a
	opLineStart        // assertions
	opLineEnd
	opStart
	opEnd
	opHere // at the index where the search began
	opWord
	opNotWord
)

// step is one instruction.
type step struct {
	op       opcode
	accept   accept
	negated  bool // accept any other character
	fold     bool // without regard to case
	backward bool // against the direction of the text, in a lookbehind
	lazy     bool
	back     bool
	char     rune
	a, b     int
	min, max int
	set      *syntax.CharSet
	ascii    [2]uint64 // of set
	text     []rune
}

type accept uint8

const (
	acceptChar accept = iota
	acceptSet
)

// Each group has three registers; those of the loops and assertions come after them.
const groupRegisters = 3

func startOf(group int) int { return groupRegisters * group }
func endOf(group int) int   { return groupRegisters*group + 1 }
func openOf(group int) int  { return groupRegisters*group + 2 }

// planner makes a plan.
type planner struct {
	plan
	groups int
}

// newPlan makes the plan of a tree; an error is a kind of node that it does not know.
func newPlan(tree *syntax.RegexTree, groups int) (*plan, error) {
	p := &planner{groups: groups, plan: plan{registers: groupRegisters * (groups + 1), options: tree.Options}}
	if err := p.node(tree.Root); err != nil {
		return nil, err
	}
	p.add(step{op: opMatch})
	return &p.plan, nil
}

func (p *planner) add(s step) int {
	p.steps = append(p.steps, s)
	return len(p.steps) - 1
}

func (p *planner) register() int {
	p.registers++
	return p.registers - 1
}

func (p *planner) all(nodes []*syntax.RegexNode) error {
	for _, n := range nodes {
		if err := p.node(n); err != nil {
			return err
		}
	}
	return nil
}

var assertions = map[syntax.NodeType]opcode{
	syntax.NtBol: opLineStart, syntax.NtEol: opLineEnd, syntax.NtBeginning: opStart, syntax.NtEndZ: opEnd, syntax.NtEnd: opEnd,
	syntax.NtStart: opHere, syntax.NtECMABoundary: opWord, syntax.NtNonECMABoundary: opNotWord,
}

func (p *planner) node(n *syntax.RegexNode) error {
	if op, ok := assertions[n.T]; ok {
		p.add(step{op: op, fold: n.Options&syntax.IgnoreCase != 0})
		return nil
	}
	switch n.T {
	case syntax.NtEmpty, syntax.NtUpdateBumpalong: // the latter is a hint for the search
		return nil
	case syntax.NtNothing:
		p.add(step{op: opFail})
		return nil
	case syntax.NtConcatenate, syntax.NtGroup:
		return p.all(n.Children)
	case syntax.NtAlternate:
		return p.alternatives(n.Children)
	case syntax.NtLoop, syntax.NtLazyloop:
		return p.loop(n)
	case syntax.NtCapture:
		return p.capture(n)
	case syntax.NtResetCapture:
		p.add(step{op: opForget, a: n.M})
		return nil
	case syntax.NtPosLook, syntax.NtNegLook, syntax.NtAtomic:
		return p.apart(n)
	case syntax.NtRef:
		p.add(step{op: opGroup, a: n.M, fold: n.Options&syntax.IgnoreCase != 0, backward: backward(n)})
		return p.known(n.M)
	}
	return p.characters(n)
}

func backward(n *syntax.RegexNode) bool { return n.Options&syntax.RightToLeft != 0 }

func (p *planner) known(group int) error {
	if group < 0 || group > p.groups {
		return fmt.Errorf("ecmaregexp: no group %d", group)
	}
	return nil
}

// characters plans what takes characters one by one.
func (p *planner) characters(n *syntax.RegexNode) error {
	s := step{backward: backward(n), char: n.Ch, min: n.M, max: n.N}
	switch n.T {
	case syntax.NtMulti:
		s.op, s.text = opText, n.Str
		p.add(s)
		return nil
	case syntax.NtOne, syntax.NtNotone, syntax.NtSet:
		s.op = opTake
	case syntax.NtOneloop, syntax.NtNotoneloop, syntax.NtSetloop:
		s.op = opRepeat
	case syntax.NtOnelazy, syntax.NtNotonelazy, syntax.NtSetlazy:
		s.op = opLazy
	case syntax.NtOneloopatomic, syntax.NtNotoneloopatomic, syntax.NtSetloopatomic:
		s.op = opGulp
	default:
		return fmt.Errorf("ecmaregexp: no plan for node %d", n.T)
	}
	switch {
	case n.IsSetFamily():
		s.accept, s.set = acceptSet, n.Set
		for c := range rune(128) {
			if n.Set.Contains(c) {
				s.ascii[c>>6] |= 1 << (c & 63)
			}
		}
	case n.IsNotoneFamily():
		s.negated = true
	}
	p.add(s)
	return nil
}

func (p *planner) alternatives(nodes []*syntax.RegexNode) error {
	var ends []int
	for i, n := range nodes {
		fork := -1
		if i < len(nodes)-1 {
			fork = p.add(step{op: opFork})
		}
		if err := p.node(n); err != nil {
			return err
		}
		if fork >= 0 {
			ends = append(ends, p.add(step{op: opJump}))
			p.steps[fork].a = len(p.steps)
		}
	}
	for _, e := range ends {
		p.steps[e].a = len(p.steps)
	}
	return nil
}

// loop plans a quantifier (RepeatMatcher, ECMA-262 22.2.2.3.1) with a counter and the position where the round began.
func (p *planner) loop(n *syntax.RegexNode) error {
	count := p.register()
	p.register() // where the round began
	p.add(step{op: opCount, a: count})
	head := p.add(step{op: opLoop, a: count, min: n.M, max: n.N, lazy: n.T == syntax.NtLazyloop})
	if err := p.all(n.Children); err != nil {
		return err
	}
	p.add(step{op: opRound, a: head, b: count, min: n.M})
	p.steps[head].b = len(p.steps)
	if n.N == 0 || n.N < n.M {
		p.steps[head].max = min(n.N, math.MaxInt32)
	}
	return nil
}

func (p *planner) capture(n *syntax.RegexNode) error {
	if err := p.known(n.M); err != nil || n.N != -1 {
		return fmt.Errorf("ecmaregexp: no plan for group %d of %d", n.M, n.N)
	}
	p.add(step{op: opMark, a: openOf(n.M)})
	if err := p.all(n.Children); err != nil {
		return err
	}
	p.add(step{op: opClose, a: n.M, b: openOf(n.M)})
	return nil
}

// apart plans what is not entered again once it has matched.
func (p *planner) apart(n *syntax.RegexNode) error {
	height, at := p.register(), p.register()
	p.add(step{op: opEnter, a: height, b: at})
	fork := -1
	if n.T == syntax.NtNegLook {
		fork = p.add(step{op: opFork})
	}
	if err := p.all(n.Children); err != nil {
		return err
	}
	if fork >= 0 {
		p.add(step{op: opReject, a: height})
		p.steps[fork].a = len(p.steps)
		return nil
	}
	p.add(step{op: opCut, a: height, b: at, back: n.T == syntax.NtPosLook})
	return nil
}
