package builtin

// This file defines line, in which the text of a console line comes together.

import (
	"strings"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// line collects the text of one console line. It takes no more than the log has room for: a longer line is dropped as a whole, so
// that the rest of it need not be made. What it holds counts for the memory budget until release.
type line struct {
	r      *realm
	b      strings.Builder
	room   int    // bytes that the log still takes
	held   int    // bytes that count for the memory budget
	over   bool   // the line is longer than the room, or the execution is over budget
	lead   string // stands before the first text that is not empty
	indent string // of the open groups
}

// indentStep is the indentation of one group.
const indentStep = "  "

func newLine(r *realm) *line {
	l := &line{r: r, room: r.Env.LogRoom()}
	if n := min(consoleOf(r).groups, maxIndent); n > 0 {
		l.indent = strings.Repeat(indentStep, n)
	}
	return l
}

// log writes the line.
func (l *line) log(level string) val {
	if l.r.Terminated {
		return value.Throw
	}
	if l.b.Len() == 0 {
		l.write(l.indent)
	}
	if l.over {
		l.r.Env.LogTooLong()
	} else {
		l.r.Env.Log(level, l.b.String())
	}
	return value.Undefined
}

// release ends the account of the line; whoever makes one defers it.
func (l *line) release() {
	l.r.Hold(-l.held)
	l.held = 0
}

// write appends s as it is.
func (l *line) write(s string) {
	if l.over = l.over || l.b.Len()+len(s) > l.room; l.over {
		return
	}
	if more := l.b.Len() + len(s) - l.b.Cap(); more > 1<<16 && !l.r.Allot(l.b.Len()+len(s)) {
		l.over = true
		return
	}
	l.b.WriteString(s)
	if more := l.b.Cap() - l.held; more > 1<<16 {
		l.r.Charge(more)
		l.r.Hold(more)
		l.held += more
		l.over = !l.r.Allot(0)
	}
	if n := len(s) >> 10; n > 0 && !l.r.Step(n) {
		l.over = true
	}
}

// text appends s, indented after each end of a line.
func (l *line) text(s string) {
	if s == "" || l.over {
		return
	}
	if lead := l.lead; lead != "" {
		l.lead = ""
		l.text(lead)
	}
	if l.indent == "" {
		l.write(s)
		return
	}
	if l.b.Len() == 0 {
		l.write(l.indent)
	}
	for !l.over {
		at := strings.IndexByte(s, '\n')
		if at < 0 {
			l.write(s)
			return
		}
		l.write(s[:at+1])
		l.write(l.indent)
		if s = s[at+1:]; !l.r.Step(1) {
			l.over = true
		}
	}
}

// str appends a string as it is.
func (l *line) str(s *value.Str) {
	if l.over = l.over || l.b.Len()+s.Len() > l.room; l.over {
		return
	}
	if s.IsASCII() {
		l.text(s.ASCII())
		return
	}
	eachPart(l.r, s, func(text string) bool { l.text(text); return !l.over })
}

// value appends what a console prints for a value.
func (l *line) value(v val) {
	if s := v.Str(); s != nil {
		l.str(s)
	} else if !l.over {
		l.text(Inspect(l.r, v))
	}
}

// values appends the arguments with a space between two of them, after %-substitution in a leading string.
func (l *line) values(args []val) {
	between := false
	if len(args) > 1 && args[0].IsString() && l.isFormat(args[0].Str()) {
		args, between = l.substitute(args[0].Str(), args[1:]), true
	}
	l.expect(args)
	for _, v := range args {
		if between {
			l.text(" ")
		}
		between = true
		if l.value(v); l.over || !l.r.Step(1) {
			l.over = true
			return
		}
	}
}

// isFormat reports whether a string may be a format.
func (l *line) isFormat(s *value.Str) bool {
	if !l.r.Step(1 + s.Len()>>8) {
		l.over = true
		return false
	}
	return s.Index(value.ASCII("%"), 0) >= 0
}

// expect finds out early that strings are too long together, and makes room for short ones.
func (l *line) expect(args []val) {
	n := l.b.Len()
	for _, v := range args {
		if n++; v.IsString() {
			n += v.Str().Len()
		} else {
			n += 16
		}
		if n > l.room+16*len(args) {
			l.over = true
			return
		}
	}
	if n < 1<<12 {
		l.b.Grow(n + len(l.indent))
	}
}

// substitute writes a format with %s %d %i %f %j %o %O %c and %% replaced, and returns the arguments left over.
func (l *line) substitute(s *value.Str, args []val) []val {
	size := 0
	if !s.IsASCII() {
		size = 3 * s.Len()
	}
	if l.over = l.over || s.Len() > l.room+2*len(args) || size > textPart && !l.r.Take(size); l.over {
		return nil
	}
	l.r.Hold(size)
	defer l.r.Hold(-size)
	format := s.String()
	for format != "" && !l.over {
		at := strings.IndexByte(format, '%')
		if at < 0 || at+1 == len(format) {
			l.text(format)
			break
		}
		l.text(format[:at])
		c := format[at+1]
		format = format[at+1:]
		switch {
		case c == '%':
			l.text("%")
			format = format[1:]
		case len(args) == 0 || strings.IndexByte("sdifjoOc", c) < 0:
			l.text("%")
		default:
			l.substitution(c, args[0])
			args, format = args[1:], format[1:]
		}
		if !l.r.Step(1) {
			l.over = true
		}
	}
	return args
}

func (l *line) substitution(c byte, v val) {
	r := l.r
	switch c {
	case 'c':
	case 's':
		l.shallow(v)
	case 'd', 'i', 'f':
		l.text(numberText(r, c, v))
	case 'j':
		// What JSON.stringify refuses, such as a cycle, is printed as usual.
		if s := jsonStringify(r, value.Undefined, []val{v}); !s.IsThrow() {
			v = s
		}
		l.value(v)
	default:
		l.text(Inspect(r, v))
	}
}

// shallow is %s: the source of a function, and objects without what is in their parts.
func (l *line) shallow(v val) {
	o := v.Object()
	switch {
	case o == nil:
		l.value(v)
	case o.Class == value.ClassFunction:
		l.str(functionToString(l.r, v, nil).Str())
	default:
		l.text(inspectDeep(l.r, v, 0))
	}
}
