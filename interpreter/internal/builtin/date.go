package builtin

// This file defines the table of Date, its constructor and getters (ECMA-262 21.4.2–4).

import (
	"math"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// dateData is the Ext of dates: a time value, NaN if invalid.
type dateData struct{ t float64 }

// Text is the ISO form, "Invalid Date" if invalid.
func (d *dateData) Text() string {
	if d.t != d.t {
		return "Invalid Date"
	}
	return isoText(d.t)
}

func dateTemplates() []*value.Template {
	rows := []row{
		{Name: "constructor", Ref: value.DateConstructor},
		{Name: "getTime", Length: 0, Fn: dateGet("getTime", nil), Sig: "(): number"},
		{Name: "getTimezoneOffset", Length: 0, Fn: dateGet("getTimezoneOffset", func(fields) int { return 0 }), Sig: "(): number"},
		{Name: "getYear", Length: 0, Fn: dateGet("getYear", func(f fields) int { return f.year - 1900 }), Sig: "(): number"},
		{Name: "setTime", Length: 1, Fn: dateSetTime, Sig: "(ms: number): number"},
		{Name: "setYear", Length: 1, Fn: dateSetYear, Sig: "(year: number): number"},
		{Name: "toDateString", Length: 0, Fn: dateText("toDateString", dayText), Sig: "(): string"},
		{Name: "toISOString", Length: 0, Fn: dateToISOString, Sig: "(): string"},
		{Name: "toJSON", Length: 1, Fn: dateToJSON, Sig: "(key?: any): string | null"},
		{Name: "toLocaleDateString", Length: 0, Fn: dateToLocale("toLocaleDateString", true, false), Sig: "(locales?: string, options?: DateTimeFormatOptions): string", Doc: "en-US, UTC unless timeZone says otherwise"},
		{Name: "toLocaleString", Length: 0, Fn: dateToLocale("toLocaleString", true, true), Sig: "(locales?: string, options?: DateTimeFormatOptions): string", Doc: "en-US, UTC unless timeZone says otherwise"},
		{Name: "toLocaleTimeString", Length: 0, Fn: dateToLocale("toLocaleTimeString", false, true), Sig: "(locales?: string, options?: DateTimeFormatOptions): string", Doc: "en-US, UTC unless timeZone says otherwise"},
		{Name: "toString", Length: 0, Fn: dateText("toString", isoText), Sig: "(): string", Doc: "the ISO form"},
		{Name: "toTimeString", Length: 0, Fn: dateText("toTimeString", clockText), Sig: "(): string"},
		{Name: "toUTCString", Length: 0, Fn: dateText("toUTCString", utcText), Sig: "(): string"},
		{Name: "toGMTString", Alias: "toUTCString"},
		{Name: "valueOf", Length: 0, Fn: dateGet("valueOf", nil), Sig: "(): number"},
		{Name: "@@toPrimitive", Length: 1, Fn: dateToPrimitive, Attr: value.Configurable},
	}
	for _, p := range dateParts {
		rows = append(rows, row{Name: "get" + p.name, Fn: dateGet("get"+p.name, p.get), Sig: "(): number"},
			row{Name: "getUTC" + p.name, Fn: dateGet("getUTC"+p.name, p.get), Sig: "(): number"})
		if p.set > 0 {
			rows = append(rows, row{Name: "set" + p.name, Length: p.set, Fn: dateSet("set"+p.name, p.first, p.set), Sig: "(value: number, ...rest: number[]): number"},
				row{Name: "setUTC" + p.name, Length: p.set, Fn: dateSet("setUTC"+p.name, p.first, p.set), Sig: "(value: number, ...rest: number[]): number"})
		}
	}
	return []*value.Template{
		{ID: value.DateConstructor, Global: "Date", Proto: value.FunctionPrototype, Name: "Date", Length: 7, Call: dateCall, New: dateNew, Rows: []row{
			{Name: "prototype", Ref: value.DatePrototype, Attr: value.NoAttr},
			{Name: "UTC", Length: 7, Fn: dateUTC, Sig: "(year: number, month?: number, ...rest: number[]): number"},
			{Name: "now", Length: 0, Fn: dateNow, Sig: "(): number"},
			{Name: "parse", Length: 1, Fn: dateParse, Sig: "(text: string): number"},
		}},
		{ID: value.DatePrototype, Proto: value.ObjectPrototype, Rows: rows},
	}
}

// dateParts are the parts with getters and setters; a setter takes up to set parts, beginning with number first of
// year, month, date, hours, minutes, seconds, milliseconds.
var dateParts = []struct {
	name       string
	get        func(f fields) int
	first, set int
}{
	{"FullYear", func(f fields) int { return f.year }, 0, 3},
	{"Month", func(f fields) int { return f.month }, 1, 2},
	{"Date", func(f fields) int { return f.day }, 2, 1},
	{"Day", func(f fields) int { return f.weekday }, 0, 0},
	{"Hours", func(f fields) int { return f.hour }, 3, 4},
	{"Minutes", func(f fields) int { return f.minute }, 4, 3},
	{"Seconds", func(f fields) int { return f.second }, 5, 2},
	{"Milliseconds", func(f fields) int { return f.milli }, 6, 1},
}

func thisDate(r *realm, this val, method string) *dateData {
	if d, ok := extOf[*dateData](this); ok {
		return d
	}
	r.ThrowTypeError("Date.prototype.%s: this is not a Date object, got %s", method, r.Describe(this))
	return nil
}

// dateGet makes a getter; without a part it gives the time value.
func dateGet(method string, part func(fields) int) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		d := thisDate(r, this, method)
		switch {
		case d == nil:
			return value.Throw
		case part == nil || d.t != d.t:
			return value.Num(d.t)
		}
		return value.Int(part(fieldsOf(d.t)))
	}
}

func dateText(method string, text func(t float64) string) value.NativeFn {
	return func(r *realm, this val, _ []val) val {
		d := thisDate(r, this, method)
		if d == nil {
			return value.Throw
		}
		if d.t != d.t {
			return str("Invalid Date")
		}
		return newText(r, value.ASCII(text(d.t)))
	}
}

func now(r *realm) float64 { return math.Floor(r.Env.NowMillis()) }

func dateNow(r *realm, _ val, _ []val) val { return value.Num(now(r)) }

// dateCall is Date(…) without new: the current time as text.
func dateCall(r *realm, _ val, _ []val) val { return newText(r, value.ASCII(isoText(now(r)))) }

func dateNew(r *realm, args []val, newTarget *object) val {
	t, ok := dateArgument(r, args)
	if !ok {
		return value.Throw
	}
	proto := r.PrototypeFromConstructor(newTarget, value.DatePrototype)
	if proto == nil {
		return value.Throw
	}
	return r.NewClass(value.ClassDate, proto, &dateData{t}).Value()
}

// dateArgument is the time value of new Date(…args).
func dateArgument(r *realm, args []val) (t float64, ok bool) {
	switch len(args) {
	case 0:
		return now(r), true
	case 1:
		if d, ok := extOf[*dateData](args[0]); ok {
			return d.t, true
		}
		v := r.ToPrimitive(args[0], value.HintDefault)
		if v.IsThrow() {
			return 0, false
		}
		if s := v.Str(); s != nil {
			return parseDate(s), true
		}
		t, ok = r.ToNumber(v)
		return timeClip(t), ok
	}
	return componentTime(r, args)
}

// componentTime computes a time value from year, month and so on (21.4.2.1 step 5, 21.4.3.4).
func componentTime(r *realm, args []val) (t float64, ok bool) {
	c := [7]float64{math.NaN(), 0, 1}
	for i := range min(len(args), 7) {
		if c[i], ok = r.ToNumber(args[i]); !ok {
			return 0, false
		}
	}
	return timeClip(makeDate(makeDay(makeFullYear(c[0]), c[1], c[2]), makeTime(c[3], c[4], c[5], c[6]))), true
}

func dateUTC(r *realm, _ val, args []val) val {
	t, ok := componentTime(r, args)
	return completed(value.Num(t), ok)
}

func dateParse(r *realm, _ val, args []val) val {
	s := r.ToString(arg(args, 0))
	if s == nil {
		return value.Throw
	}
	return value.Num(parseDate(s))
}

func dateSetTime(r *realm, this val, args []val) val {
	d := thisDate(r, this, "setTime")
	if d == nil {
		return value.Throw
	}
	t, ok := r.ToNumber(arg(args, 0))
	if !ok {
		return value.Throw
	}
	d.t = timeClip(t)
	return value.Num(d.t)
}

// dateSet makes a setter of up to n parts from number first on.
func dateSet(method string, first, n int) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		d := thisDate(r, this, method)
		if d == nil {
			return value.Throw
		}
		t := d.t
		given := max(1, min(n, len(args)))
		var in [4]float64
		for i := range given {
			var ok bool
			if in[i], ok = r.ToNumber(arg(args, i)); !ok {
				return value.Throw
			}
		}
		if t != t {
			if first != 0 {
				return value.NaN
			}
			t = 0
		}
		f := fieldsOf(t)
		c := [7]float64{float64(f.year), float64(f.month), float64(f.day), float64(f.hour), float64(f.minute), float64(f.second), float64(f.milli)}
		copy(c[first:], in[:given])
		d.t = timeClip(makeDate(makeDay(c[0], c[1], c[2]), makeTime(c[3], c[4], c[5], c[6])))
		return value.Num(d.t)
	}
}

// dateSetYear (B.2.3.2).
func dateSetYear(r *realm, this val, args []val) val {
	d := thisDate(r, this, "setYear")
	if d == nil {
		return value.Throw
	}
	y, ok := r.ToNumber(arg(args, 0))
	if !ok {
		return value.Throw
	}
	t := d.t
	if t != t {
		t = 0
	}
	f := fieldsOf(t)
	d.t = timeClip(makeDate(makeDay(makeFullYear(y), float64(f.month), float64(f.day)), t-math.Floor(t/msPerDay)*msPerDay))
	return value.Num(d.t)
}

func dateToISOString(r *realm, this val, _ []val) val {
	d := thisDate(r, this, "toISOString")
	if d == nil {
		return value.Throw
	}
	if d.t != d.t {
		return r.ThrowError(value.RangeError, "Invalid time value")
	}
	return newText(r, value.ASCII(isoText(d.t)))
}

// dateToJSON (21.4.4.37).
func dateToJSON(r *realm, this val, _ []val) val {
	o := r.ToObject(this)
	if o == nil {
		return value.Throw
	}
	tv := r.ToPrimitive(o.Value(), value.HintNumber)
	if tv.IsThrow() || tv.IsNumber() && notFinite(tv.Float()) {
		return completed(value.Null, !tv.IsThrow())
	}
	return r.InvokeMethod(o.Value(), value.Name("toISOString"))
}

// dateToPrimitive (21.4.4.45).
func dateToPrimitive(r *realm, this val, args []val) val {
	o := this.Object()
	if o == nil {
		return notObject(r, this, "Date.prototype[Symbol.toPrimitive]")
	}
	names := [2]string{"toString", "valueOf"}
	switch h := arg(args, 0).Str(); {
	case h != nil && (h.String() == "default" || h.String() == "string"):
	case h != nil && h.String() == "number":
		names = [2]string{"valueOf", "toString"}
	default:
		return r.ThrowTypeError("Invalid hint: %s", r.Describe(arg(args, 0)))
	}
	for _, name := range names {
		fn := r.Get(o, value.Name(name))
		if fn.IsThrow() {
			return fn
		}
		if fn.IsCallable() {
			if p := r.Call(fn, this); !p.IsObject() {
				return p
			}
		}
	}
	return r.ThrowTypeError("Cannot convert object to primitive value")
}
