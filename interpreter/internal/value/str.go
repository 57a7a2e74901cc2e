package value

// This file defines Str, the guest's string: ASCII text, UTF-16 units, or a rope of two strings.

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxStringLength is the longest string in UTF-16 units (design: 2^28).
const MaxStringLength = 1 << 28

// Str is an immutable string of N UTF-16 units. ASCII text is kept in s and x is nil; anything else lives in x.
type Str struct {
	Header
	s string
	x *strExt
}

type strExt struct {
	u   []uint16 // units of a flat string that is not ASCII
	key string   // WTF-8 form of u, made on demand
}

const (
	flagRope Flags = 1 << iota
	flagWide       // not ASCII (flat or rope)
	flagJoin       // stands in a rope, which may be flat by now; text_use.go has the next
)

var (
	// EmptyString is "".
	EmptyString = &Str{Header: Header{kind: KindString}}
	oneChar     = makeOneChar()
)

func makeOneChar() (out [128]*Str) {
	b := make([]byte, len(out))
	for i := range b {
		b[i] = byte(i)
	}
	all := string(b)
	for i := range out {
		out[i] = &Str{Header: Header{kind: KindString, N: 1}, s: all[i : i+1]}
	}
	return out
}

// ASCII makes a string from text known to be ASCII.
func ASCII(s string) *Str {
	switch len(s) {
	case 0:
		return EmptyString
	case 1:
		return oneChar[s[0]&127]
	}
	return &Str{Header: Header{kind: KindString, N: uint32(len(s))}, s: s}
}

// Short text stands in one piece of memory with its string.
type (
	str16 struct {
		Str
		text [16]byte
	}
	str32 struct {
		Str
		text [32]byte
	}
	str48 struct {
		Str
		text [48]byte
	}
	str64 struct {
		Str
		text [64]byte
	}
)

// newText makes an ASCII string of n units, at least two, and gives the bytes to fill in before anyone sees it.
func newText(n int) (*Str, []byte) {
	var s *Str
	var text []byte
	switch {
	case n <= 16:
		x := &str16{}
		s, text = &x.Str, x.text[:n]
	case n <= 32:
		x := &str32{}
		s, text = &x.Str, x.text[:n]
	case n <= 48:
		x := &str48{}
		s, text = &x.Str, x.text[:n]
	case n <= 64:
		x := &str64{}
		s, text = &x.Str, x.text[:n]
	default:
		s, text = &Str{}, make([]byte, n)
	}
	s.kind, s.N, s.s = KindString, uint32(n), unsafeString(text)
	return s, text
}

// CopyASCII makes a string of its own from text known to be ASCII.
func CopyASCII[T string | []byte](t T) *Str {
	switch len(t) {
	case 0:
		return EmptyString
	case 1:
		return oneChar[t[0]&127]
	}
	s, text := newText(len(t))
	copy(text, t)
	return s
}

// IsASCII tells whether s has only bytes below 0x80.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// NewStr makes a string from WTF-8 text (UTF-8 in which lone surrogates may stand as three bytes); other invalid bytes become U+FFFD.
func NewStr(s string) *Str {
	if IsASCII(s) {
		return ASCII(s)
	}
	return FromUnits(DecodeWTF8(s))
}

// String makes a string Value from WTF-8 text.
func String(s string) Value { return NewStr(s).Value() }

// FromUnits makes a string from units, which it takes over.
func FromUnits(u []uint16) *Str {
	wide := false
	for _, c := range u {
		if c >= 0x80 {
			wide = true
			break
		}
	}
	if !wide {
		b := make([]byte, len(u))
		for i, c := range u {
			b[i] = byte(c)
		}
		return ASCII(string(b))
	}
	return &Str{Header: Header{kind: KindString, Flags: flagWide, N: uint32(len(u))}, x: &strExt{u: u}}
}

// DecodeWTF8 gives the UTF-16 units of WTF-8 text.
func DecodeWTF8(s string) []uint16 {
	u := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			u = append(u, uint16(c))
			i++
			continue
		}
		if c == 0xED && i+2 < len(s) && s[i+1] >= 0xA0 && s[i+1] <= 0xBF && s[i+2]&0xC0 == 0x80 {
			u = append(u, 0xD000|uint16(s[i+1]&0x3F)<<6|uint16(s[i+2]&0x3F))
			i += 3
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		u = utf16.AppendRune(u, r)
	}
	return u
}

// EncodeWTF8 is the inverse of DecodeWTF8.
func EncodeWTF8(u []uint16) string {
	var b strings.Builder
	b.Grow(len(u) + len(u)/2)
	for i := 0; i < len(u); i++ {
		c := u[i]
		switch {
		case c < 0x80:
			b.WriteByte(byte(c))
		case utf16.IsSurrogate(rune(c)):
			if i+1 < len(u) {
				if r := utf16.DecodeRune(rune(c), rune(u[i+1])); r != utf8.RuneError {
					b.WriteRune(r)
					i++
					continue
				}
			}
			b.Write([]byte{0xED, byte(0x80 | c>>6&0x3F), byte(0x80 | c&0x3F)})
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}

// Len is the length in UTF-16 units.
func (s *Str) Len() int { return int(s.N) }

// IsASCII tells whether all units are below 0x80.
func (s *Str) IsASCII() bool { return s.Flags&flagWide == 0 }

// ASCII returns the text of a string for which IsASCII holds.
func (s *Str) ASCII() string {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	return s.s
}

// Units returns the UTF-16 units; the caller must not change them. For ASCII strings it makes a new slice.
func (s *Str) Units() []uint16 {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide != 0 {
		return s.x.u
	}
	u := make([]uint16, len(s.s))
	for i := 0; i < len(s.s); i++ {
		u[i] = uint16(s.s[i])
	}
	return u
}

// At returns unit i.
func (s *Str) At(i int) uint16 {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide != 0 {
		return s.x.u[i]
	}
	return uint16(s.s[i])
}

// String returns the WTF-8 text.
func (s *Str) String() string {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide == 0 {
		return s.s
	}
	if s.x.key == "" {
		s.x.key = EncodeWTF8(s.x.u)
	}
	return s.x.key
}

// Freeze makes every derived form now, so that the string can be shared between executions.
func (s *Str) Freeze() *Str {
	_ = s.String()
	return s
}

// rope is a string made of two. Once it is flat, nothing but the text is left in it.
type rope struct {
	Str
	left, right *Str
	realm       *Realm // whose account its text is on when it is made, nil for none
}

// copyBelow is the length under which concatenation copies instead of making a rope.
const copyBelow = 48

// Concat joins two strings whose summed length the caller has checked.
func Concat(a, b *Str) *Str {
	if a.N == 0 {
		return b
	}
	if b.N == 0 {
		return a
	}
	n := a.N + b.N
	wide := (a.Flags | b.Flags) & flagWide
	if n < copyBelow {
		if wide == 0 {
			r, text := newText(int(n))
			copy(text[copy(text, a.ASCII()):], b.ASCII())
			return r
		}
		u := make([]uint16, 0, n)
		return FromUnits(b.appendUnits(a.appendUnits(u)))
	}
	r := &rope{Str: Str{Header: Header{kind: KindString, Flags: flagRope | flagJoin | wide, N: n}}, left: a, right: b}
	return &r.Str
}

func (s *Str) appendUnits(u []uint16) []uint16 {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide != 0 {
		return append(u, s.x.u...)
	}
	for i := 0; i < len(s.s); i++ {
		u = append(u, uint16(s.s[i]))
	}
	return u
}

// flatten turns a rope into flat text; it walks iteratively, since a rope can be very deep. It charges for the text.
func (s *Str) flatten() {
	own := s.rope()
	if r := own.realm; r != nil {
		r.Charge(int(s.N) << (s.Flags & flagWide >> 1))
		own.realm = nil
	}
	stack := make([]*Str, 0, 32)
	if s.Flags&flagWide == 0 {
		b := make([]byte, s.N)
		at := len(b)
		for cur := s; ; {
			for cur.Flags&flagRope != 0 {
				stack = append(stack, cur.rope().left)
				cur = cur.rope().right
			}
			at -= len(cur.s)
			copy(b[at:], cur.s)
			if len(stack) == 0 {
				break
			}
			cur = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
		s.s = unsafeString(b)
	} else {
		u := make([]uint16, s.N)
		at := len(u)
		for cur := s; ; {
			for cur.Flags&flagRope != 0 {
				stack = append(stack, cur.rope().left)
				cur = cur.rope().right
			}
			at -= int(cur.N)
			if cur.Flags&flagWide != 0 {
				copy(u[at:], cur.x.u)
			} else {
				for i := 0; i < len(cur.s); i++ {
					u[at+i] = uint16(cur.s[i])
				}
			}
			if len(stack) == 0 {
				break
			}
			cur = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
		s.x = &strExt{u: u}
	}
	own.left, own.right = nil, nil
	s.Flags &^= flagRope
}

// Slice returns units [from, to). Short parts of long strings are copied so that they do not keep the parent alive.
func (s *Str) Slice(from, to int) *Str {
	if from >= to {
		return EmptyString
	}
	if from == 0 && to == int(s.N) {
		return s
	}
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide == 0 {
		t := s.s[from:to]
		if len(s.s) > 256 && len(t) < len(s.s)/8 {
			return CopyASCII(t)
		}
		return ASCII(t)
	}
	u := s.x.u[from:to]
	for _, c := range u {
		if c >= 0x80 {
			if len(s.x.u) > 256 && len(u) < len(s.x.u)/8 {
				u = append([]uint16(nil), u...)
			}
			return &Str{Header: Header{kind: KindString, Flags: flagWide, N: uint32(len(u))}, x: &strExt{u: u}}
		}
	}
	return FromUnits(u)
}

// CharAt returns the one-unit string at i.
func (s *Str) CharAt(i int) *Str {
	c := s.At(i)
	if c < 128 {
		return oneChar[c]
	}
	return FromUnits([]uint16{c})
}

// CodePointAt returns the code point that starts at i and its length in units.
func (s *Str) CodePointAt(i int) (rune, int) {
	c := rune(s.At(i))
	if c >= 0xD800 && c < 0xDC00 && i+1 < int(s.N) {
		if d := rune(s.At(i + 1)); d >= 0xDC00 && d < 0xE000 {
			return (c-0xD800)<<10 + (d - 0xDC00) + 0x10000, 2
		}
	}
	return c, 1
}

// Equal compares the texts.
func (s *Str) Equal(t *Str) bool {
	if s == t {
		return true
	}
	if s.N != t.N || (s.Flags^t.Flags)&flagWide != 0 {
		return false
	}
	if s.Flags&flagWide == 0 && t.Flags&flagWide == 0 {
		return s.ASCII() == t.ASCII()
	}
	a, b := s.Units(), t.Units()
	for i, c := range a {
		if b[i] != c {
			return false
		}
	}
	return true
}

// Compare orders by UTF-16 units.
func (s *Str) Compare(t *Str) int {
	if s.Flags&flagWide == 0 && t.Flags&flagWide == 0 {
		return strings.Compare(s.ASCII(), t.ASCII())
	}
	n := min(s.Len(), t.Len())
	for i := 0; i < n; i++ {
		if a, b := s.At(i), t.At(i); a != b {
			return int(a) - int(b)
		}
	}
	return s.Len() - t.Len()
}

// Index returns the first place of t at or after from, or -1.
func (s *Str) Index(t *Str, from int) int {
	if from > s.Len() {
		return -1
	}
	if t.N == 0 {
		return from
	}
	if s.IsASCII() {
		if !t.IsASCII() {
			return -1
		}
		i := strings.Index(s.ASCII()[from:], t.ASCII())
		if i < 0 {
			return -1
		}
		return i + from
	}
	u, v := s.Units(), t.Units()
	for i := from; i+len(v) <= len(u); i++ {
		if u[i] == v[0] && unitsAt(u, v, i) {
			return i
		}
	}
	return -1
}

// LastIndex returns the last place of t at or before from, or -1.
func (s *Str) LastIndex(t *Str, from int) int {
	i := min(from, s.Len()-t.Len())
	if s.IsASCII() && t.IsASCII() {
		if i < 0 {
			return -1
		}
		return strings.LastIndex(s.ASCII()[:i+t.Len()], t.ASCII())
	}
	u, v := s.Units(), t.Units()
	for ; i >= 0; i-- {
		if unitsAt(u, v, i) {
			return i
		}
	}
	return -1
}

func unitsAt(u, v []uint16, i int) bool {
	for j, c := range v {
		if u[i+j] != c {
			return false
		}
	}
	return true
}

// JoinSurrogates turns WTF-8 text in which a pair of surrogates stands as two three-byte sequences into proper WTF-8.
func JoinSurrogates(s string) string {
	if !strings.Contains(s, "\xED") {
		return s
	}
	return EncodeWTF8(DecodeWTF8(s))
}
