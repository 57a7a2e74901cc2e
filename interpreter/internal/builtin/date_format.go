package builtin

// This file defines the fixed text forms of dates (ECMA-262 21.4.4.41).

import (
	"fmt"
	"strconv"
)

var (
	dayNames   = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
)

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func isoText(t float64) string {
	f := fieldsOf(t)
	year := ""
	switch {
	case f.year < 0:
		year = fmt.Sprintf("-%06d", -f.year)
	case f.year > 9999:
		year = fmt.Sprintf("+%06d", f.year)
	default:
		year = fmt.Sprintf("%04d", f.year)
	}
	return year + "-" + two(f.month+1) + "-" + two(f.day) + "T" + hms(f) + "." + fmt.Sprintf("%03d", f.milli) + "Z"
}

func hms(f fields) string { return two(f.hour) + ":" + two(f.minute) + ":" + two(f.second) }

func yearText(y int) string {
	if y < 0 {
		return fmt.Sprintf("-%04d", -y)
	}
	return fmt.Sprintf("%04d", y)
}

func dayText(t float64) string {
	f := fieldsOf(t)
	return dayNames[f.weekday][:3] + " " + monthNames[f.month][:3] + " " + two(f.day) + " " + yearText(f.year)
}

func clockText(t float64) string {
	return hms(fieldsOf(t)) + " GMT+0000 (Coordinated Universal Time)"
}

func utcText(t float64) string {
	f := fieldsOf(t)
	return dayNames[f.weekday][:3] + ", " + two(f.day) + " " + monthNames[f.month][:3] + " " + yearText(f.year) + " " + hms(f) + " GMT"
}
