package codemode

// This file defines how an output budget cuts a result.

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// bound cuts the result to a budget in bytes: a quarter of it is for warnings, then comes the value, and the logs have
// what is left. An error is short and never cut.
func (r *Result) bound(budget int) {
	left := budget - r.boundWarnings(budget/4)
	left -= r.boundValue(left)
	r.boundLogs(left)
}

func (r *Result) cut(note string) {
	r.Truncated = true
	r.Notes = append(r.Notes, note)
}

func (r *Result) boundWarnings(budget int) (used int) {
	for i, w := range r.Warnings {
		size := jsonSize(w)
		if used+size > budget {
			r.cut("kept " + strconv.Itoa(i) + " of " + strconv.Itoa(len(r.Warnings)) + " warnings: the output limit is reached")
			r.Warnings = r.Warnings[:i:i]
			break
		}
		used += size
	}
	return used
}

func (r *Result) boundValue(budget int) (used int) {
	if r.Value == nil {
		return 0
	}
	text := data.AppendJSON(nil, r.Value)
	if len(text) <= budget {
		return len(text)
	}
	kept := text[:boundary(text, budget)]
	size := strconv.Itoa(len(kept)) + " of " + strconv.Itoa(len(text)) + " bytes"
	r.Value = data.String(string(kept) + "… [cut: " + size + " of the value's JSON text]")
	r.cut("the value is a text of the first " + size + " of its JSON: the output limit is reached; return less, such as the fields and items that are needed")
	return len(kept)
}

func (r *Result) boundLogs(budget int) {
	used := 0
	for i, l := range r.Logs {
		size := jsonSize(l)
		if used+size > budget {
			r.cut("kept " + strconv.Itoa(i) + " of " + strconv.Itoa(len(r.Logs)) + " console lines: the output limit is reached")
			r.Logs = r.Logs[:i:i]
			return
		}
		used += size
	}
}

// boundary is the largest cut of text no longer than limit that splits no character.
func boundary(text []byte, limit int) int {
	limit = max(0, limit)
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

func jsonSize(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(text)
}
