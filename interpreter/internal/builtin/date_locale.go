package builtin

// This file defines toLocaleDateString, toLocaleTimeString and toLocaleString of dates by the rules of en-US (ECMA-402 17).

import (
	"strings"
	"time"
	_ "time/tzdata" // zones must not depend on the machine

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// dateFormat are the resolved options of a date format; "" leaves a part out.
type dateFormat struct {
	weekday, era, year, month, day, hour, minute, second, zoneName, dayPeriod string
	fraction                                                                  int
	h12, h24                                                                  bool
	zone                                                                      *time.Location
	dateStyle, timeStyle                                                      string
	locale                                                                    *dateLocale
}

func dateToLocale(method string, date, clock bool) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		d := thisDate(r, this, method)
		if d == nil {
			return value.Throw
		}
		f, ok := dateFormatOf(r, arg(args, 0), arg(args, 1), date, clock)
		if !ok {
			return value.Throw
		}
		if d.t != d.t {
			return str("Invalid Date")
		}
		return newText(r, value.NewStr(f.text(d.t)))
	}
}

func dateFormatOf(r *realm, locales, opts val, date, clock bool) (*dateFormat, bool) {
	if !checkLocales(r, locales) {
		return nil, false
	}
	p, ok := readOptions(r, opts)
	if !ok {
		return nil, false
	}
	l := dateLocaleOf(firstLocale(locales))
	f := &dateFormat{zone: time.UTC, h12: l.h12, locale: l}
	f.read(p)
	if p.threw {
		return nil, false
	}
	if f.dateStyle != "" || f.timeStyle != "" {
		if !f.checkStyles(r, date, clock) {
			return nil, false
		}
		f.applyStyles()
		return f, true
	}
	f.defaults(date, clock)
	return f, true
}

func (f *dateFormat) read(p *options) {
	hour12 := p.get("hour12")
	cycle := p.choice("hourCycle", "", "h11", "h12", "h23", "h24")
	zone := p.text("timeZone")
	f.weekday = p.choice("weekday", "", "narrow", "short", "long")
	f.era = p.choice("era", "", "narrow", "short", "long")
	f.year = p.choice("year", "", "2-digit", "numeric")
	f.month = p.choice("month", "", "2-digit", "numeric", "narrow", "short", "long")
	f.day = p.choice("day", "", "2-digit", "numeric")
	f.dayPeriod = p.choice("dayPeriod", "", "narrow", "short", "long")
	f.hour = p.choice("hour", "", "2-digit", "numeric")
	f.minute = p.choice("minute", "", "2-digit", "numeric")
	f.second = p.choice("second", "", "2-digit", "numeric")
	f.fraction = max(0, p.integer("fractionalSecondDigits", 1, 3))
	f.zoneName = p.choice("timeZoneName", "", "short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric")
	f.dateStyle = p.choice("dateStyle", "", "full", "long", "medium", "short")
	f.timeStyle = p.choice("timeStyle", "", "full", "long", "medium", "short")
	if p.threw {
		return
	}
	switch {
	case !hour12.IsUndefined():
		f.h12 = value.ToBoolean(hour12)
	case cycle == "h23" || cycle == "h24":
		f.h12, f.h24 = false, cycle == "h24"
	}
	if zone != "" {
		f.readZone(p, zone)
	}
}

func (f *dateFormat) readZone(p *options, name string) {
	loc, err := time.LoadLocation(canonicalZone(name))
	if err != nil || strings.EqualFold(name, "local") {
		p.r.ThrowError(value.RangeError, "Invalid time zone specified: %s", name)
		p.threw = true
		return
	}
	f.zone = loc
}

// canonicalZone gives the usual capitals to a zone name, which may be written in any.
func canonicalZone(name string) string {
	if strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") || strings.EqualFold(name, "etc/utc") {
		return "UTC"
	}
	if name != strings.ToLower(name) && name != strings.ToUpper(name) {
		return name
	}
	b := []byte(strings.ToLower(name))
	for i := range b {
		if isLetter(b[i]) && (i == 0 || b[i-1] == '/' || b[i-1] == '_' || b[i-1] == '-') {
			b[i] -= 32
		}
	}
	return string(b)
}

func (f *dateFormat) hasDate() bool { return f.weekday+f.year+f.month+f.day != "" }
func (f *dateFormat) hasTime() bool {
	return f.dayPeriod+f.hour+f.minute+f.second != "" || f.fraction > 0
}

func (f *dateFormat) checkStyles(r *realm, date, clock bool) bool {
	switch {
	case f.hasDate() || f.hasTime() || f.zoneName != "" || f.era != "":
		r.ThrowTypeError("Can't set option %s when %s is used", f.firstPart(), map[bool]string{true: "dateStyle", false: "timeStyle"}[f.dateStyle != ""])
	case f.timeStyle != "" && !clock:
		r.ThrowTypeError("Invalid option : timeStyle")
	case f.dateStyle != "" && !date:
		r.ThrowTypeError("Invalid option : dateStyle")
	default:
		return true
	}
	return false
}

func (f *dateFormat) firstPart() string {
	for _, p := range []struct{ name, v string }{{"weekday", f.weekday}, {"era", f.era}, {"year", f.year}, {"month", f.month}, {"day", f.day},
		{"hour", f.hour}, {"minute", f.minute}, {"second", f.second}, {"timeZoneName", f.zoneName}} {
		if p.v != "" {
			return p.name
		}
	}
	return "fractionalSecondDigits"
}

func (f *dateFormat) applyStyles() {
	switch f.dateStyle {
	case "full":
		f.weekday, f.month, f.day, f.year = "long", "long", "numeric", "numeric"
	case "long":
		f.month, f.day, f.year = "long", "numeric", "numeric"
	case "medium":
		f.month, f.day, f.year = "short", "numeric", "numeric"
	case "short":
		f.month, f.day, f.year = "numeric", "numeric", "numeric"
	}
	switch f.timeStyle {
	case "full":
		f.hour, f.minute, f.second, f.zoneName = "numeric", "2-digit", "2-digit", "long"
	case "long":
		f.hour, f.minute, f.second, f.zoneName = "numeric", "2-digit", "2-digit", "short"
	case "medium":
		f.hour, f.minute, f.second = "numeric", "2-digit", "2-digit"
	case "short":
		f.hour, f.minute = "numeric", "2-digit"
	}
}

// defaults adds the parts that a method shows when the options name none of its own.
func (f *dateFormat) defaults(date, clock bool) {
	if date && f.hasDate() || clock && f.hasTime() {
		return
	}
	if date {
		f.year, f.month, f.day = "numeric", "numeric", "numeric"
	}
	if clock {
		f.hour, f.minute, f.second = "numeric", "numeric", "numeric"
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
