package builtin

// This file defines toLocaleDateString, toLocaleTimeString and toLocaleString of dates by the rules of en-US (ECMA-402 17).

import (
	"fmt"
	"strconv"
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
	order                                                                     dateOrder
}

// dateOrder is how a date of numbers is written. Everything but en-US is here only because programs ask for these
// locales to get their order.
type dateOrder uint8

const (
	monthFirst dateOrder = iota // en-US: 3/15/2024
	dayFirst                    // en-GB: 15/03/2024
	yearFirst                   // en-CA, sv-SE: 2024-03-15
)

var dateOrders = map[string]dateOrder{"en-GB": dayFirst, "en-AU": dayFirst, "en-IE": dayFirst, "en-NZ": dayFirst, "en-CA": yearFirst, "sv-SE": yearFirst, "sv": yearFirst, "fr-CA": yearFirst}

func dateLocale(method string, date, clock bool) value.NativeFn {
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
	f := &dateFormat{zone: time.UTC, h12: true, order: dateOrders[firstLocale(locales)]}
	if f.order == dayFirst || f.order == yearFirst && !strings.HasPrefix(firstLocale(locales), "en") {
		f.h12 = false
	}
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
	if strings.EqualFold(name, "utc") || strings.EqualFold(name, "gmt") {
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
		f.month, f.day, f.year = "numeric", "numeric", "2-digit"
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

func (f *dateFormat) text(t float64) string {
	at := time.UnixMilli(int64(t)).In(f.zone)
	_, offset := at.Zone()
	p := fieldsOf(t + float64(offset)*1000)
	date, clock := f.dateText(p), f.clockText(p)
	if f.zoneName != "" {
		if clock != "" {
			clock += " "
		} else if date != "" {
			date += ", "
		}
		clock += f.zoneText(at)
		if !f.hasTime() {
			return date + clock
		}
	}
	switch {
	case date == "":
		return clock
	case clock == "":
		return date
	case f.month == "long":
		return date + " at " + clock
	case f.weekday != "" && f.day+f.month+f.year == "", f.order == yearFirst && !f.h12 && !f.h24:
		return date + " " + clock
	}
	return date + ", " + clock
}

func (f *dateFormat) dateText(p fields) string {
	weekday := named(dayNames[p.weekday], f.weekday)
	year, day := f.yearText(p.year), numbered(p.day, f.day)
	rest := ""
	switch f.month {
	case "":
		rest = strings.TrimSpace(year + " " + day)
		if f.weekday != "" && day != "" && year == "" {
			return day + " " + weekday
		}
	case "numeric", "2-digit":
		if f.order != monthFirst {
			rest = f.ordered(p)
			break
		}
		parts := []string{numbered(p.month+1, f.month)}
		if day != "" {
			parts = append(parts, day)
		}
		if year != "" {
			parts = append(parts, year)
		}
		rest = strings.Join(parts, "/")
	default:
		rest = named(monthNames[p.month], f.month)
		if f.order == dayFirst {
			rest = strings.TrimSpace(strings.TrimSpace(day+" "+rest) + " " + year)
			break
		}
		if day != "" {
			rest += " " + day
		}
		if year != "" && day != "" {
			rest += ","
		}
		if year != "" {
			rest += " " + year
		}
	}
	switch {
	case weekday == "":
		return rest
	case rest == "":
		return weekday
	}
	return weekday + ", " + rest
}

// ordered writes a date of numbers in an order other than that of en-US; months and days have two digits.
func (f *dateFormat) ordered(p fields) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	day := ""
	if f.day != "" {
		day = two(p.day)
	}
	if f.order == yearFirst {
		add(f.yearText(p.year))
		add(two(p.month + 1))
		add(day)
		return strings.Join(parts, "-")
	}
	add(day)
	add(two(p.month + 1))
	add(f.yearText(p.year))
	return strings.Join(parts, "/")
}

func (f *dateFormat) yearText(y int) string {
	era := ""
	if f.era != "" {
		era = " AD"
	}
	if y <= 0 {
		y = 1 - y
		if era != "" {
			era = " BC"
		}
	}
	switch f.year {
	case "":
		return ""
	case "2-digit":
		return two(y%100) + era
	}
	return strconv.Itoa(y) + era
}

func named(name, width string) string {
	switch width {
	case "long":
		return name
	case "short":
		return name[:3]
	case "narrow":
		return name[:1]
	}
	return ""
}

func numbered(n int, width string) string {
	switch width {
	case "":
		return ""
	case "2-digit":
		return two(n)
	}
	return strconv.Itoa(n)
}

func (f *dateFormat) clockText(p fields) string {
	var parts []string
	if f.hour != "" {
		parts = append(parts, f.hourText(p.hour))
	}
	if f.minute != "" {
		if f.hour != "" || f.second != "" {
			parts = append(parts, two(p.minute))
		} else {
			parts = append(parts, strconv.Itoa(p.minute))
		}
	}
	if f.second != "" || f.fraction > 0 {
		s := two(p.second)
		if len(parts) == 0 && (f.fraction == 0 || f.second == "numeric") {
			s = strconv.Itoa(p.second)
		}
		if f.fraction > 0 {
			ms := fmt.Sprintf("%03d", p.milli)[:f.fraction]
			if s += "." + ms; f.second == "" {
				s = ms
			}
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 && f.dayPeriod != "" {
		return dayPeriodText(p, f.dayPeriod, true)
	}
	s := strings.Join(parts, ":")
	if f.hour != "" && f.h12 {
		if f.dayPeriod != "" {
			return s + " " + dayPeriodText(p, f.dayPeriod, len(parts) == 1)
		}
		if p.hour < 12 {
			return s + " AM"
		}
		return s + " PM"
	}
	return s
}

// dayPeriodText names a part of the day (CLDR, en); noon is only said of the whole hour.
func dayPeriodText(p fields, width string, whole bool) string {
	switch h := p.hour; {
	case h == 12 && whole && width == "narrow":
		return "n"
	case h == 12 && whole:
		return "noon"
	case h < 12:
		return "in the morning"
	case h < 18:
		return "in the afternoon"
	case h < 21:
		return "in the evening"
	}
	return "at night"
}

func (f *dateFormat) hourText(h int) string {
	if !f.h12 {
		if f.h24 && h == 0 {
			h = 24
		}
		return two(h)
	}
	if h %= 12; h == 0 {
		h = 12
	}
	return numbered(h, f.hour)
}

// zoneNames are the long names of the zones that en-US abbreviates.
var zoneNames = map[string]string{
	"EST": "Eastern Standard Time", "EDT": "Eastern Daylight Time", "CST": "Central Standard Time", "CDT": "Central Daylight Time",
	"MST": "Mountain Standard Time", "MDT": "Mountain Daylight Time", "PST": "Pacific Standard Time", "PDT": "Pacific Daylight Time",
	"AKST": "Alaska Standard Time", "AKDT": "Alaska Daylight Time", "HST": "Hawaii-Aleutian Standard Time",
}

// offsetNames are long names by zone and abbreviation, for zones that en-US shows by their offset when short.
var offsetNames = map[string]string{
	"JST": "Japan Standard Time", "CET": "Central European Standard Time", "CEST": "Central European Summer Time",
	"GMT": "Greenwich Mean Time", "BST": "British Summer Time", "EET": "Eastern European Standard Time", "EEST": "Eastern European Summer Time",
	"AEST": "Australian Eastern Standard Time", "AEDT": "Australian Eastern Daylight Time", "KST": "Korean Standard Time",
}

func (f *dateFormat) zoneText(at time.Time) string {
	abbr, offset := at.Zone()
	long := strings.HasPrefix(f.zoneName, "long")
	if f.zone == time.UTC || f.zone.String() == "UTC" {
		if long {
			return "Coordinated Universal Time"
		}
		return "UTC"
	}
	if !strings.HasSuffix(f.zoneName, "Offset") {
		american := strings.HasPrefix(f.zone.String(), "America/") || strings.HasPrefix(f.zone.String(), "US/") || strings.HasPrefix(f.zone.String(), "Pacific/Honolulu")
		if name, ok := zoneNames[abbr]; ok && american {
			if long {
				return name
			}
			return abbr
		}
		switch name, ok := offsetNames[abbr]; {
		case ok && long && !american:
			return name
		case f.zone.String() == "Asia/Kolkata" && long:
			return "India Standard Time"
		case f.zone.String() == "Asia/Shanghai" && long:
			return "China Standard Time"
		}
	}
	return offsetText(offset/60, long)
}

func offsetText(minutes int, long bool) string {
	if minutes == 0 {
		return "GMT"
	}
	sign := "+"
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	if long {
		return "GMT" + sign + two(minutes/60) + ":" + two(minutes%60)
	}
	s := "GMT" + sign + strconv.Itoa(minutes/60)
	if minutes%60 != 0 {
		s += ":" + two(minutes%60)
	}
	return s
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
