package builtin

// This file defines Date.parse: the format of ECMA-262 21.4.1.32, and the looser forms that V8 accepts.

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// maxDateText bounds the text; longer ones are invalid dates.
const maxDateText = 1 << 10

func parseDate(s *value.Str) float64 {
	s = s.Trim(true, true)
	if s.Len() == 0 || s.Len() > maxDateText {
		return math.NaN()
	}
	text := s.String()
	if t, ok := parseISO(text); ok {
		return t
	}
	return parseLooseDate(text)
}

// isoReader reads fixed-width digits.
type isoReader struct {
	s  string
	at int
}

func (p *isoReader) digits(n int) (int, bool) {
	if p.at+n > len(p.s) {
		return 0, false
	}
	v := 0
	for _, c := range []byte(p.s[p.at : p.at+n]) {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	p.at += n
	return v, true
}

func (p *isoReader) skip(c byte) bool {
	if p.at < len(p.s) && p.s[p.at] == c {
		p.at++
		return true
	}
	return false
}

// parseISO reads a date-time string in the format of the specification.
func parseISO(s string) (float64, bool) {
	p := &isoReader{s: s}
	year, ok := p.year()
	if !ok {
		return 0, false
	}
	month, day := 1, 1
	if p.skip('-') {
		if month, ok = p.digits(2); !ok {
			return 0, false
		}
		if p.skip('-') {
			if day, ok = p.digits(2); !ok {
				return 0, false
			}
		}
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	time, offset := 0.0, 0
	if p.at < len(s) {
		if !p.skip('T') && !p.skip('t') {
			return 0, false
		}
		if time, offset, ok = p.time(); !ok || p.at != len(s) {
			return 0, false
		}
	}
	return timeClip(makeDate(makeDay(float64(year), float64(month-1), float64(day)), time) - float64(offset*msPerMinute)), true
}

func (p *isoReader) year() (int, bool) {
	if p.skip('+') {
		return p.digits(6)
	}
	if p.skip('-') {
		y, ok := p.digits(6)
		return -y, ok && y != 0
	}
	return p.digits(4)
}

func (p *isoReader) time() (ms float64, offset int, ok bool) {
	hour, ok := p.digits(2)
	if !ok || !p.skip(':') {
		return 0, 0, false
	}
	minute, ok := p.digits(2)
	if !ok {
		return 0, 0, false
	}
	second, milli := 0, 0
	if p.skip(':') {
		if second, ok = p.digits(2); !ok {
			return 0, 0, false
		}
		if p.skip('.') {
			from := p.at
			for p.at < len(p.s) && isDigit(p.s[p.at]) {
				p.at++
			}
			if p.at == from {
				return 0, 0, false
			}
			milli = milliseconds(p.s[from:p.at])
		}
	}
	if !validTime(hour, minute, second, milli) {
		return 0, 0, false
	}
	offset, ok = p.offset()
	return makeTime(float64(hour), float64(minute), float64(second), float64(milli)), offset, ok
}

func validTime(hour, minute, second, milli int) bool {
	return hour < 24 && minute < 60 && second < 60 || hour == 24 && minute == 0 && second == 0 && milli == 0
}

// milliseconds reads the first three digits of a fraction.
func milliseconds(digits string) int {
	digits = (digits + "00")[:3]
	return int(digits[0]-'0')*100 + int(digits[1]-'0')*10 + int(digits[2]-'0')
}

func (p *isoReader) offset() (int, bool) {
	if p.skip('Z') || p.skip('z') || p.at == len(p.s) {
		return 0, true
	}
	sign := 1
	if p.skip('-') {
		sign = -1
	} else if !p.skip('+') {
		return 0, false
	}
	h, ok := p.digits(2)
	if !ok {
		return 0, false
	}
	p.skip(':')
	m, ok := p.digits(2)
	return sign * (h*60 + m), ok && h < 24 && m < 60
}

// dateToken is a part of a loosely written date: a number, a word, or one character.
type dateToken struct {
	kind   byte // '0' number, 'a' word, ' ' space, else the character; 0 at the end
	n      int
	length int
	text   string
}

type dateScanner struct {
	s    string
	at   int
	next dateToken
}

func (d *dateScanner) advance() dateToken {
	t := d.next
	d.next = d.scan()
	return t
}

func (d *dateScanner) scan() dateToken {
	if d.at >= len(d.s) {
		return dateToken{}
	}
	from := d.at
	c := d.s[d.at]
	d.at++
	switch {
	case isDigit(c):
		n := int(c - '0')
		for d.at < len(d.s) && isDigit(d.s[d.at]) {
			if n < 1e8 {
				n = n*10 + int(d.s[d.at]-'0')
			}
			d.at++
		}
		return dateToken{kind: '0', n: n, length: d.at - from, text: d.s[from:d.at]}
	case c == ' ' || c >= '\t' && c <= '\r':
		return dateToken{kind: ' '}
	case c >= 'A':
		d.at = from + d.wordLength()
		if d.at == from { // a space beyond ASCII
			_, size := utf8.DecodeRuneInString(d.s[from:])
			d.at += size
			return dateToken{kind: ' '}
		}
		return dateToken{kind: 'a', length: d.at - from, text: strings.ToLower(d.s[from:d.at])}
	}
	return dateToken{kind: c}
}

// wordLength is the length of the word that begins here: like V8, it takes all characters from A upwards but spaces.
func (d *dateScanner) wordLength() int {
	end := strings.IndexFunc(d.s[d.at-1:], func(c rune) bool { return c < 'A' || value.IsSpace(uint16(min(c, 0xffff))) })
	if end < 0 {
		return len(d.s) - d.at + 1
	}
	return end
}

func (d *dateScanner) skip(kind byte) bool {
	if d.next.kind == kind {
		d.advance()
		return true
	}
	return false
}

// zones are the time zone words, in minutes.
var zones = map[string]int{"z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420}

const none = math.MinInt

// looseDate collects the parts of a loosely written date, in any order.
type looseDate struct {
	sc         dateScanner
	day        []int
	month      int // from a name, 1–12; 0: none
	time       []int
	hourOffset int // of AM and PM
	sign       int // of the offset; none: no zone
	zoneHour   int
	zoneMinute int
	readNumber bool
}

// parseLooseDate takes numbers and words as V8 does: words before the first number and text in parentheses mean nothing,
// a number before a colon is a time, a sign after a time begins an offset, other numbers are day, month and year.
func parseLooseDate(text string) float64 {
	d := &looseDate{sc: dateScanner{s: text}, hourOffset: none, sign: none, zoneHour: none, zoneMinute: none}
	d.sc.advance()
	for d.sc.next.kind != 0 {
		if !d.token(d.sc.advance()) {
			return math.NaN()
		}
	}
	return d.value()
}

func (d *looseDate) token(t dateToken) bool {
	switch {
	case t.kind == '0':
		d.readNumber = true
		return d.number(t)
	case t.kind == 'a':
		return d.word(t)
	case (t.kind == '+' || t.kind == '-') && (d.sign != none && d.zoneHour == 0 && d.zoneMinute == 0 || len(d.time) > 0):
		return d.offset(t.kind)
	case (t.kind == '+' || t.kind == '-' || t.kind == ')') && d.readNumber:
		return false
	case t.kind == '(':
		for depth := 1; depth > 0 && d.sc.next.kind != 0; {
			switch d.sc.advance().kind {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
	}
	return true
}

// expectsTime tells whether the time is begun and n can be its next part.
func (d *looseDate) expectsTime(n int) bool {
	return len(d.time) == 1 && n < 60 || len(d.time) == 2 && n < 60 || len(d.time) == 3 && n < 1000
}

func (d *looseDate) endTime(n int) {
	d.time = append(d.time, n)
	for len(d.time) < 4 {
		d.time = append(d.time, 0)
	}
}

func (d *looseDate) number(t dateToken) bool {
	switch {
	case d.sc.next.kind == ':':
		d.sc.advance()
		if d.sc.skip(':') {
			if len(d.time) > 0 {
				return false
			}
			d.time = append(d.time, t.n, 0)
			return true
		}
		if len(d.time) >= 4 {
			return false
		}
		d.time = append(d.time, t.n)
		d.sc.skip('.')
		return true
	case d.sc.next.kind == '.' && d.expectsTime(t.n):
		d.sc.advance()
		d.time = append(d.time, t.n)
		if d.sc.next.kind != '0' {
			return false
		}
		d.endTime(milliseconds(d.sc.advance().text))
		return true
	case d.zoneHour != none && d.zoneMinute == none && t.n < 60:
		d.zoneMinute = t.n
		return true
	case d.expectsTime(t.n):
		d.endTime(t.n)
		k := d.sc.next.kind
		return k == 0 || k == ' ' || k == '+' || k == '-' || k == 'a' && d.sc.next.text == "z"
	}
	d.sc.skip('.')
	if len(d.day) >= 3 {
		return false
	}
	d.day = append(d.day, t.n)
	d.sc.skip('-')
	return true
}

func (d *looseDate) word(t dateToken) bool {
	zone, isZone := zones[t.text]
	switch month := monthOf(t.text); {
	case (t.text == "am" || t.text == "pm") && len(d.time) > 0:
		d.hourOffset = 0
		if t.text == "pm" {
			d.hourOffset = 12
		}
	case month > 0:
		d.month = month
		d.sc.skip('-')
	case isZone && d.readNumber:
		d.setZone(zone)
	default:
		return !d.readNumber && d.sc.next.kind != '0'
	}
	return true
}

func monthOf(word string) int {
	if len(word) < 3 {
		return 0
	}
	for i, m := range monthNames {
		if strings.EqualFold(m[:3], word[:3]) {
			return i + 1
		}
	}
	return 0
}

func (d *looseDate) setZone(minutes int) {
	d.sign = 1
	if minutes < 0 {
		d.sign, minutes = -1, -minutes
	}
	d.zoneHour, d.zoneMinute = minutes/60, minutes%60
}

func (d *looseDate) offset(sign byte) bool {
	d.sign = 1
	if sign == '-' {
		d.sign = -1
	}
	n, length := 0, 0
	if d.sc.next.kind == '0' {
		t := d.sc.advance()
		n, length = t.n, t.length
	}
	d.readNumber = true
	switch {
	case d.sc.next.kind == ':':
		d.zoneHour, d.zoneMinute = n, none
	case length == 1 || length == 2:
		d.zoneHour, d.zoneMinute = n, 0
	case length == 3 || length == 4:
		d.zoneHour, d.zoneMinute = n/100, n%100
	default:
		return false
	}
	return true
}

func (d *looseDate) value() float64 {
	year, month, day, ok := d.date()
	if !ok {
		return math.NaN()
	}
	for len(d.time) < 4 {
		d.time = append(d.time, 0)
	}
	hour := d.time[0]
	if d.hourOffset != none {
		if hour < 0 || hour > 12 {
			return math.NaN()
		}
		hour = hour%12 + d.hourOffset
	}
	if !validTime(hour, d.time[1], d.time[2], d.time[3]) {
		return math.NaN()
	}
	t := makeDate(makeDay(float64(year), float64(month-1), float64(day)), makeTime(float64(hour), float64(d.time[1]), float64(d.time[2]), float64(d.time[3])))
	if d.sign != none {
		t -= float64(d.sign * (max(d.zoneHour, 0)*60 + max(d.zoneMinute, 0)) * msPerMinute)
	}
	return timeClip(t)
}

// date sorts the numbers into year, month and day.
func (d *looseDate) date() (year, month, day int, ok bool) {
	if len(d.day) < 1 {
		return 0, 0, 0, false
	}
	c := append(d.day, 1, 1)
	isDay := func(n int) bool { return n >= 1 && n <= 31 }
	switch {
	case d.month != 0 && !isDay(c[0]):
		year, month, day = c[0], d.month, c[1]
	case d.month != 0:
		day, month, year = c[0], d.month, c[1]
	case !isDay(c[0]):
		year, month, day = c[0], c[1], c[2]
	default:
		month, day, year = c[0], c[1], c[2]
	}
	switch {
	case year >= 0 && year <= 49:
		year += 2000
	case year >= 50 && year <= 99:
		year += 1900
	}
	return year, month, day, month >= 1 && month <= 12 && isDay(day)
}
