package builtin

// This file defines how time zones are named in dates (CLDR, en).

import (
	"strconv"
	"strings"
	"time"
)

// americanZones are the long names of the zones whose abbreviations en-US uses.
var americanZones = map[string]string{
	"EST": "Eastern Standard Time", "EDT": "Eastern Daylight Time", "CST": "Central Standard Time", "CDT": "Central Daylight Time",
	"MST": "Mountain Standard Time", "MDT": "Mountain Daylight Time", "PST": "Pacific Standard Time", "PDT": "Pacific Daylight Time",
	"AST": "Atlantic Standard Time", "ADT": "Atlantic Daylight Time",
	"AKST": "Alaska Standard Time", "AKDT": "Alaska Daylight Time", "HST": "Hawaii-Aleutian Standard Time",
}

// otherZones are the long names, by abbreviation or zone, of zones that en-US shows by their offset when short.
var otherZones = map[string]string{
	"JST": "Japan Standard Time", "CET": "Central European Standard Time", "CEST": "Central European Summer Time",
	"GMT": "Greenwich Mean Time", "BST": "British Summer Time", "EET": "Eastern European Standard Time", "EEST": "Eastern European Summer Time",
	"AEST": "Australian Eastern Standard Time", "AEDT": "Australian Eastern Daylight Time", "KST": "Korean Standard Time",
	"NZST": "New Zealand Standard Time", "NZDT": "New Zealand Daylight Time", "SAST": "South Africa Standard Time", "HKT": "Hong Kong Standard Time",
	"MSK": "Moscow Standard Time", "Asia/Kolkata": "India Standard Time", "Asia/Shanghai": "China Standard Time",
	"Asia/Singapore": "Singapore Standard Time", "Asia/Dubai": "Gulf Standard Time", "America/Sao_Paulo": "Brasilia Standard Time",
}

// zoneText names the zone as the option timeZoneName says; without a name it is the offset.
func (f *dateFormat) zoneText(at time.Time) string {
	_, offset := at.Zone()
	zone := f.zone.String()
	long := strings.HasPrefix(f.zoneName, "long")
	generic := strings.HasSuffix(f.zoneName, "Generic")
	switch {
	case strings.HasSuffix(f.zoneName, "Offset"), zone == "UTC" && generic:
		return offsetText(offset/60, long, true)
	case zone == "UTC" && long:
		return "Coordinated Universal Time"
	case zone == "UTC":
		return "UTC"
	}
	if name := f.zoneByName(at, long, generic && changesClock(at)); name != "" {
		return name
	}
	return offsetText(offset/60, long, false)
}

// zoneByName is the name of a zone, "" if it has none here. neutral: it must not tell summer from winter.
func (f *dateFormat) zoneByName(at time.Time, long, neutral bool) string {
	abbr, _ := at.Zone()
	zone := f.zone.String()
	american := strings.HasPrefix(zone, "America/") || strings.HasPrefix(zone, "US/") || zone == "Pacific/Honolulu"
	name, ok := americanZones[abbr]
	switch {
	case american && ok && !long && neutral:
		return abbr[:len(abbr)-2] + "T"
	case american && ok && !long:
		return abbr
	case !long:
		return ""
	case !american || !ok:
		name = otherZones[zone]
		if n, ok := otherZones[abbr]; ok && !american {
			name = n
		}
		if neutral && (abbr == "GMT" || abbr == "BST") {
			return "United Kingdom Time"
		}
	}
	if neutral {
		name = neutralName.Replace(name)
	}
	return name
}

var neutralName = strings.NewReplacer(" Standard", "", " Daylight", "", " Summer", "")

// changesClock tells whether the zone has summer time in the year of t.
func changesClock(t time.Time) bool {
	_, winter := time.Date(t.Year(), 1, 1, 0, 0, 0, 0, t.Location()).Zone()
	_, summer := time.Date(t.Year(), 7, 1, 0, 0, 0, 0, t.Location()).Zone()
	return winter != summer
}

// offsetText is "GMT+5:30". zero: it is written if it is nothing, too.
func offsetText(minutes int, long, zero bool) string {
	if minutes == 0 && !zero {
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
