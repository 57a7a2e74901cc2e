// This file defines the ledger: what every outcome says about the calls.

package tool

import (
	"time"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
)

// Status is how a call stands or ended.
type Status string

// The statuses.
const (
	Completed   Status = "completed"
	Failed      Status = "failed"
	Interrupted Status = "interrupted"
	Abandoned   Status = "abandoned"   // the tool ignored the interruption; whether it took effect is unknown
	NotStarted  Status = "not_started" // refused by the limit, by what stands around the tool or with Refusef, or still queued at the end
)

const (
	maxInput     = 1 << 10 // bytes of an input that are kept
	maxInputSize = 1 << 30 // up to which its size is counted
	maxMessage   = 1 << 10
	maxRecords   = 10_000
)

// Record is one call in the ledger.
type Record struct {
	Index     int           `json:"index"`
	Path      string        `json:"path"`
	Input     string        `json:"input"`     // JSON text, its first KiB
	InputSize int           `json:"inputSize"` // bytes of the whole text
	Started   time.Time     `json:"started,omitzero"`
	Duration  time.Duration `json:"duration,omitempty"` // in nanoseconds
	Status    Status        `json:"status"`
	Message   string        `json:"message,omitempty"`
}

func (r *Record) size() int { return len(r.Input) + len(r.Path) + 128 }

// Ledger is the record of the calls of an execution.
type Ledger struct {
	Calls []Record // in the order of calls
	// Folded counts, by path, the oldest completed calls of an execution with
	// more than 10,000 that have no record of their own any more.
	Folded map[string]int
}

type ledger struct {
	records []*Record
	folded  map[string]int
	next    int
	foldAt  int // records at which the next fold is due, if that is later than usual
}

// open appends a record. It may be written to under the session's lock until
// the call is over.
func (l *ledger) open(path string, input data.Value) *Record {
	if len(l.records) >= max(l.foldAt, maxRecords+maxRecords/10) {
		l.fold()
		// Calls that are not over stay: looking for others at each call would cost the square of those that wait.
		l.foldAt = len(l.records) + max(maxRecords/10, len(l.records)/2)
	}
	var room [256]byte
	text, size, _ := data.JSONHead(room[:0], input, maxInput+utf8.UTFMax, maxInputSize)
	r := &Record{Index: l.next, Path: path, Input: clip(string(text), maxInput), InputSize: size, Status: NotStarted}
	l.next++
	l.records = append(l.records, r)
	return r
}

// fold turns the oldest completed calls into counts. It runs once for every
// maxRecords/10 calls, so that its cost a call is constant.
func (l *ledger) fold() {
	if l.folded == nil {
		l.folded = map[string]int{}
	}
	excess := len(l.records) - maxRecords
	kept := make([]*Record, 0, len(l.records))
	for _, r := range l.records {
		if excess > 0 && r.Status == Completed {
			excess--
			l.folded[r.Path]++
			continue
		}
		kept = append(kept, r)
	}
	l.records = kept
}

func (l *ledger) copy() Ledger {
	if len(l.records) > maxRecords {
		l.fold()
	}
	out := Ledger{Calls: make([]Record, len(l.records))}
	for i, r := range l.records {
		out.Calls[i] = *r
	}
	for path, n := range l.folded {
		if out.Folded == nil {
			out.Folded = map[string]int{}
		}
		out.Folded[path] = n
	}
	return out
}

// clip cuts text at a character boundary.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
