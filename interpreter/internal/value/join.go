package value

// This file defines how the parts of a template literal, or of a sum that is a text, become one string.

import "github.com/codemode-go/codemode/data"

// shortPart is up to which length a part is copied. Longer ones become parts of a rope, so that a text that grows by a
// template in each turn of a loop costs its length and not the square of it.
const shortPart = 64

// Joined takes the parts of one text in order. The zero value is ready for Begin.
type Joined struct {
	r   *Realm
	buf [192]byte
	n   int  // bytes in buf
	one *Str // what is in buf if that is a single part
	acc *Str // what stands before buf, nil for nothing
}

// Begin starts a text.
func (j *Joined) Begin(r *Realm) { j.r = r }

// Literal adds a text of the program; false if the whole is too long, which throws.
func (j *Joined) Literal(s *Str) bool { return j.add(s) }

// Primitive adds ToString of anything but an object or a symbol; false as with Literal.
func (j *Joined) Primitive(v Value) bool {
	switch v.p.kind {
	case KindNumber:
		if j.n+32 > len(j.buf) && !j.flush() {
			return false
		}
		j.one = nil
		j.n = len(data.AppendNumber(j.buf[:j.n], v.Float()))
		return true
	case KindBigInt:
		j.r.oweBig(v.BigInt().Int)
	}
	return j.add(PrimitiveToString(v))
}

func (j *Joined) add(s *Str) bool {
	if s.N == 0 {
		return true
	}
	if s.N > shortPart || s.Flags&(flagRope|flagWide) != 0 {
		return j.flush() && j.append(s)
	}
	if j.n+len(s.s) > len(j.buf) && !j.flush() {
		return false
	}
	if j.one = nil; j.n == 0 {
		j.one = s
	}
	j.n += copy(j.buf[j.n:], s.s)
	return true
}

// flush moves what is in the buffer to the text before it.
func (j *Joined) flush() bool {
	if j.n == 0 {
		return true
	}
	s := j.one
	if s == nil {
		j.r.Charge(32 + j.n)
		s = CopyASCII(j.buf[:j.n])
	}
	j.n = 0
	return j.append(s)
}

func (j *Joined) append(s *Str) bool {
	if j.acc == nil {
		j.acc = s
		return true
	}
	v := j.r.ConcatStr(j.acc, s)
	if v.IsThrow() {
		return false
	}
	j.acc = v.Str()
	return true
}

// End is the text, or Throw if it is too long.
func (j *Joined) End() Value {
	if !j.flush() {
		return Throw
	}
	if j.acc == nil {
		return EmptyString.Value()
	}
	return j.acc.Value()
}

// JoinPart makes ready what a template or a sum takes: objects and symbols become text at once, other values are left
// as they are, since nobody sees when they do. hint is how objects are asked.
func (r *Realm) JoinPart(v Value, hint Hint) Value {
	if v.p.kind == KindObject && hint != HintString {
		if v = r.ToPrimitive(v, hint); v.IsThrow() {
			return v
		}
	}
	if v.p.kind != KindObject && v.p.kind != KindSymbol {
		return v
	}
	s := r.ToString(v)
	if s == nil {
		return Throw
	}
	return s.Value()
}
