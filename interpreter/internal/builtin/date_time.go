package builtin

// This file defines time values and their parts (ECMA-262 21.4.1). Local time is UTC.

import "math"

const (
	msPerDay    = 86400000
	maxTime     = 8.64e15
	msPerHour   = 3600000
	msPerMinute = 60000
)

// fields are the parts of a time value in the proleptic Gregorian calendar.
type fields struct {
	year, month, day, weekday   int // month 0–11, weekday 0 = Sunday
	hour, minute, second, milli int
}

// fieldsOf takes a finite time value apart.
func fieldsOf(t float64) fields {
	ms := int64(t)
	days := floorDiv(ms, msPerDay)
	rest := int(ms - days*msPerDay)
	f := fields{weekday: int(((days+4)%7 + 7) % 7), hour: rest / msPerHour, minute: rest / msPerMinute % 60, second: rest / 1000 % 60, milli: rest % 1000}
	f.year, f.month, f.day = civil(days)
	return f
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// civil gives year, month and day of a day number; years run from March, so that the leap day is the last.
func civil(days int64) (year, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy-(153*mp+2)/5) + 1
	month = int(mp) + 2
	year = int(yoe + era*400)
	if month >= 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// dayNumber is the inverse of civil for the first day of a month.
func dayNumber(year, month int64) int64 {
	if month < 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	yoe := year - era*400
	doy := (153*(month-2) + 2) / 5
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

// makeDay (21.4.1.28).
func makeDay(year, month, date float64) float64 {
	if notFinite(year) || notFinite(month) || notFinite(date) {
		return math.NaN()
	}
	y, m, d := math.Trunc(year), math.Trunc(month), math.Trunc(date)
	y += math.Floor(m / 12)
	if math.Abs(y) > 400000 {
		return math.NaN()
	}
	m = math.Mod(m, 12)
	if m < 0 {
		m += 12
	}
	return float64(dayNumber(int64(y), int64(m))) + d - 1
}

// makeTime (21.4.1.27).
func makeTime(hour, minute, second, ms float64) float64 {
	if notFinite(hour) || notFinite(minute) || notFinite(second) || notFinite(ms) {
		return math.NaN()
	}
	return math.Trunc(hour)*msPerHour + math.Trunc(minute)*msPerMinute + math.Trunc(second)*1000 + math.Trunc(ms)
}

// makeDate (21.4.1.29).
func makeDate(day, time float64) float64 {
	tv := day*msPerDay + time
	if notFinite(tv) {
		return math.NaN()
	}
	return tv
}

// timeClip (21.4.1.31).
func timeClip(t float64) float64 {
	if notFinite(t) || math.Abs(t) > maxTime {
		return math.NaN()
	}
	return math.Trunc(t) + 0
}

// makeFullYear (21.4.1.30): 0–99 mean the twentieth century.
func makeFullYear(year float64) float64 {
	if year != year {
		return year
	}
	if t := math.Trunc(year); t >= 0 && t <= 99 {
		return 1900 + t
	}
	return math.Trunc(year)
}
