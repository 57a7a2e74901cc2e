package builtin

// This file defines how the parts of a date are put together by the rules of a locale (UTS 35, skeletons).

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dateLocale are the rules of a locale. In patterns of numbers d, M and y are the parts, doubled for two digits.
type dateLocale struct {
	h12                 bool
	am, pm              string
	md, ym, ymd, yymd   string // patterns for parts that are all numeric
	weekMd, weekYmd     string // the date behind a weekday
	short               string // dateStyle short
	dayFirst            bool   // with the name of the month
	dayOfWeek           bool   // "5 Tue" instead of "Tue 5"
	padded              bool   // two digits in ymd even if options ask for them elsewhere only
	plainDay, plainYear bool   // no comma between the weekday and a date with the name of the month, without and with a year
	plainLong           bool   // no comma there either, unless both names are short
	plainMd             bool   // no comma between the weekday and a date of numbers without a year
	plainFull           bool   // no comma in dateStyle full
	glue                string // between date and time
}

var (
	american = dateLocale{h12: true, am: "AM", pm: "PM", md: "M/d", ym: "M/y", ymd: "M/d/y", yymd: "M/d/y", weekMd: "M/d", weekYmd: "M/d/y", short: "M/d/yy", dayOfWeek: true, glue: ", "}
	british  = dateLocale{am: "am", pm: "pm", md: "dd/MM", ym: "MM/y", ymd: "dd/MM/y", yymd: "dd/MM/y", weekMd: "dd/MM", weekYmd: "dd/MM/y", short: "dd/MM/y", dayFirst: true, plainDay: true, plainMd: true, glue: ", "}
	irish    = dateLocale{am: "am", pm: "pm", md: "d/M", ym: "MM/y", ymd: "d/M/y", yymd: "d/M/y", weekMd: "d/M", weekYmd: "d/M/y", short: "dd/MM/y", dayFirst: true, plainYear: true, plainFull: true, glue: ", "}
	aussie   = dateLocale{h12: true, am: "am", pm: "pm", md: "d/M", ym: "MM/y", ymd: "dd/MM/y", yymd: "d/M/y", weekMd: "d/M", weekYmd: "dd/MM/y", short: "d/M/yy", dayFirst: true, padded: true, plainLong: true, glue: ", "}
	kiwi     = dateLocale{h12: true, am: "am", pm: "pm", md: "d/M", ym: "MM/y", ymd: "d/MM/y", yymd: "d/MM/y", weekMd: "dd/MM", weekYmd: "dd/MM/y", short: "dd/MM/y", dayFirst: true, glue: ", "}
	canadian = dateLocale{h12: true, am: "a.m.", pm: "p.m.", md: "MM-dd", ym: "y-MM", ymd: "y-MM-dd", yymd: "y-MM-dd", weekMd: "MM-dd", weekYmd: "y-MM-dd", short: "y-MM-dd", glue: ", "}
	swedish  = dateLocale{am: "AM", pm: "PM", md: "d/M", ym: "y-MM", ymd: "y-MM-dd", yymd: "y-MM-dd", weekMd: "d/M", weekYmd: "y-MM-dd", short: "y-MM-dd", dayFirst: true, plainDay: true, plainYear: true, plainMd: true, glue: " "}
	quebec   = dateLocale{am: "AM", pm: "PM", md: "MM-dd", ym: "y-MM", ymd: "y-MM-dd", yymd: "y-MM-dd", weekMd: "MM-dd", weekYmd: "y-MM-dd", short: "y-MM-dd", dayFirst: true, plainDay: true, plainYear: true, plainMd: true, glue: " "}
)

// dateLocales are the locales other than en-US that have their own way; programs ask for them to get their order.
var dateLocales = map[string]*dateLocale{"en-GB": &british, "en-IE": &irish, "en-AU": &aussie, "en-NZ": &kiwi, "en-CA": &canadian, "sv-SE": &swedish, "sv": &swedish, "fr-CA": &quebec}

func dateLocaleOf(name string) *dateLocale {
	if l, ok := dateLocales[name]; ok {
		return l
	}
	return &american
}

func (f *dateFormat) text(t float64) string {
	at := time.UnixMilli(int64(t)).In(f.zone)
	_, offset := at.Zone()
	p := fieldsOf(t + float64(offset)*1000)
	date, clock := f.dateText(p), f.clockText(p)
	if f.zoneName != "" {
		if f.hour != "" && f.minute+f.second == "" && !f.h12 {
			clock += "h"
		}
		clock = strings.TrimLeft(clock+" "+f.zoneText(at), " ")
	}
	switch {
	case date == "":
		return clock
	case clock == "":
		return date
	case f.month == "long" && f.locale.glue == ", ":
		return date + " at " + clock
	case f.weekday != "" && f.day+f.month+f.year == "" && (f.h12 || f.minute != "") && f.zoneName == "":
		return date + " " + clock
	}
	return date + f.locale.glue + clock
}

// isNumber tells whether the month is shown as a number.
func isNumber(month string) bool { return month == "numeric" || month == "2-digit" }

func (f *dateFormat) dateText(p fields) string {
	weekday := named(dayNames[p.weekday], f.weekday)
	date, comma := f.withoutWeekday(p)
	switch {
	case weekday == "":
		return date
	case date == "":
		return weekday
	case f.month == "":
		return f.weekdayAlone(weekday, p)
	case f.day == "":
		if f.year == "" && f.weekday != "long" && (f.month == "2-digit" || f.month == "long") {
			return weekday + " (month: " + date + ")"
		}
		return date + " " + weekday
	case comma:
		return weekday + ", " + date
	}
	return weekday + " " + date
}

// weekdayAlone is a weekday with a day or a year but no month.
func (f *dateFormat) weekdayAlone(weekday string, p fields) string {
	day, year := numbered(p.day, f.day), f.yearText(p.year)
	switch {
	case f.day == "" && (f.year == "numeric" || f.weekday == "long"):
		return year + " " + weekday
	case f.day == "":
		return weekday + " " + year
	case f.locale.dayOfWeek:
		return strings.TrimSpace(day + " " + weekday + " " + year)
	}
	return strings.TrimSpace(weekday + " " + day + " " + year)
}

// withoutWeekday is the date, and whether a comma follows a weekday before it.
func (f *dateFormat) withoutWeekday(p fields) (string, bool) {
	l := f.locale
	year, day := strings.TrimSpace(f.yearText(p.year)+" "+f.eraText(p.year)), numbered(p.day, f.day)
	switch {
	case f.month == "" && f.year+day == "":
		return f.eraText(p.year), false
	case f.month == "":
		return f.monthless(year, day), false
	case f.dateStyle == "short":
		return f.numbers(l.short, p), false
	case isNumber(f.month):
		return f.numbers(f.pattern(), p), f.year != "" && l != &quebec || !l.plainMd
	}
	month := named(monthNames[p.month], f.month)
	comma := !l.plainDay
	if f.year != "" {
		comma = !l.plainYear
	}
	switch {
	case f.dateStyle == "full":
		comma = !l.plainFull
	case l.plainLong:
		comma = f.weekday == "short" && f.month == "short"
	}
	switch {
	case l.dayFirst:
		return strings.TrimSpace(strings.TrimSpace(day+" "+month) + " " + year), comma
	case day != "" && year != "":
		return month + " " + day + ", " + year, comma
	}
	return strings.TrimSpace(strings.TrimSpace(month+" "+day) + " " + year), comma
}

// monthless is a year, a day or both; there is no usual way to write the latter.
func (f *dateFormat) monthless(year, day string) string {
	switch {
	case year == "" || day == "":
		return year + day
	case f.year == "2-digit" && f.day == "numeric":
		return day + " " + year
	}
	return year + " (day: " + day + ")"
}

// pattern is the one for the parts that are shown.
func (f *dateFormat) pattern() string {
	l := f.locale
	switch {
	case f.era != "" && l == &canadian:
		return american.ymd
	case f.era != "" && l.short == "dd/MM/y":
		return l.short
	case f.day == "" && f.year == "":
		return "M"
	case f.day == "":
		return l.ym
	case f.year == "" && f.weekday != "":
		return l.weekMd
	case f.year == "":
		return l.md
	case f.weekday != "":
		return l.weekYmd
	case f.year == "2-digit":
		return l.yymd
	}
	return l.ymd
}

// numbers fills a pattern. Where the options ask for two digits of one part, they say it of the others too.
func (f *dateFormat) numbers(pattern string, p fields) string {
	l := f.locale
	own := f.day != "2-digit" && f.month != "2-digit" || f.weekday != "" || f.day == "" || l.padded && pattern == l.ymd
	width := func(n int, doubled bool, option string) string {
		if option == "2-digit" || own && doubled {
			return two(n)
		}
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for at := 0; at < len(pattern); at++ {
		c := pattern[at]
		doubled := at+1 < len(pattern) && pattern[at+1] == c
		switch c {
		case 'd':
			b.WriteString(width(p.day, doubled, f.day))
		case 'M':
			b.WriteString(width(p.month+1, doubled, f.month))
		case 'y':
			if doubled {
				b.WriteString(two(yearOfEra(p.year) % 100))
			} else {
				b.WriteString(f.yearText(p.year))
			}
		default:
			b.WriteByte(c)
		}
		if doubled {
			at++
		}
	}
	if f.year != "" && f.era != "" {
		b.WriteString(" " + f.eraText(p.year))
	}
	return b.String()
}

func (f *dateFormat) yearText(y int) string {
	y = yearOfEra(y)
	switch f.year {
	case "":
		return ""
	case "2-digit":
		return two(y % 100)
	}
	return strconv.Itoa(y)
}

func yearOfEra(y int) int {
	if y <= 0 {
		return 1 - y
	}
	return y
}

func (f *dateFormat) eraText(y int) string {
	switch {
	case f.era == "":
		return ""
	case y <= 0:
		return "BC"
	}
	return "AD"
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
			return s + " " + f.locale.am
		}
		return s + " " + f.locale.pm
	}
	return s
}

// plainHour tells whether an hour of 24 has one digit where that does: only in locales of 24 hours, where the options match
// none of their patterns exactly.
func (f *dateFormat) plainHour() bool {
	switch {
	case f.locale.h12 || f.timeStyle != "" || f.hour == "2-digit" || f.minute == "":
		return false
	case f.zoneName != "":
		return f.second != ""
	case f.weekday != "" && f.day+f.month+f.year == "":
		return false
	}
	return f.minute == "2-digit" && f.second != "numeric"
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
		if f.plainHour() {
			return strconv.Itoa(h)
		}
		return two(h)
	}
	if h %= 12; h == 0 {
		h = 12
	}
	return numbered(h, f.hour)
}
