package codemode

// This file defines how an output budget cuts a result.

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// Bound cuts r to a budget in bytes, as Limits.MaxOutputBytes does at the end of an execution: up to a quarter of it is
// for warnings, another for the first console lines, and the value has the rest; what it leaves goes to further console
// lines. An error is short and never cut. Truncated and Notes
// say what was cut; the result reports whether the value was. A host that keeps the whole value for itself sets no limit
// and calls this.
func (r *Result) Bound(budget int) (valueCut bool) {
	left := budget - r.boundWarnings(budget/4)
	used, valueCut := r.boundValue(left - r.logsWithin(budget/4))
	r.boundLogs(left - used)
	return valueCut
}

// logsWithin is the size of the first console lines that fit a budget.
func (r *Result) logsWithin(budget int) (used int) {
	for _, l := range r.Logs {
		size := jsonSize(l)
		if used+size > budget {
			break
		}
		used += size
	}
	return used
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

func (r *Result) boundValue(budget int) (used int, cut bool) {
	if r.Value == nil {
		return 0, false
	}
	text, total, counted := data.JSONHead(nil, r.Value, max(budget, 0)+1, max(budget, maxCounted))
	if counted && total <= budget {
		return total, false
	}
	whole := strconv.Itoa(total)
	if !counted {
		whole = "more than " + strconv.Itoa(maxCounted)
	}
	head, n := cutText(text, whole, budget)
	size := strconv.Itoa(n) + " of " + whole + " bytes"
	r.Value = head
	r.cut("the value is a text of the first " + size + " of its JSON: the output limit is reached; return less, such as the fields and items that are needed")
	return len(data.AppendJSON(nil, head)), true
}

// maxCounted is up to where the length of a value's JSON text is counted: what is shared counts as often as it is referred to.
const maxCounted = 1 << 30

// cutText is the longest beginning of text, n bytes, whose JSON form as a string with a remark is within the budget;
// null if not even the remark is. whole says how long all of it is.
func cutText(text []byte, whole string, budget int) (cut data.Value, n int) {
	remark := func(n int) string {
		return "… [cut: " + strconv.Itoa(n) + " of " + whole + " bytes of the value's JSON text]"
	}
	left := budget - len(data.AppendJSON(nil, data.String(remark(len(text)))))
	if left < 0 { // the note says it all
		remark = func(int) string { return "…" }
		left = budget - len(`"…"`)
	}
	if left < 0 {
		return data.Null{}, 0
	}
	for n < len(text) {
		_, size := utf8.DecodeRune(text[n:])
		escaped := size
		if text[n] == '"' || text[n] == '\\' {
			escaped = 2
		}
		if left -= escaped; left < 0 {
			break
		}
		n += size
	}
	return data.String(string(text[:n]) + remark(n)), n
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

func jsonSize(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(text)
}
