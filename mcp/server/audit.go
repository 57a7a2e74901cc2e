package server

// This file defines the audit log: what ran, for whom, with what outcome, and nothing of the contents unless asked.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
)

// audit writes lines, one at a time. A nil audit writes none.
type audit struct {
	inputs bool
	log    *slog.Logger
	key    [32]byte // of the hashes: without it, a short input could be found by trying

	mu     sync.Mutex
	out    io.Writer
	broken bool
}

func newAudit(o Options) *audit {
	if o.Audit == nil {
		return nil
	}
	a := &audit{inputs: o.AuditInputs, log: o.Log, out: o.Audit}
	_, _ = rand.Read(a.key[:]) // which never fails
	return a
}

// line is one line. Absent members say nothing.
type line struct {
	Time       time.Time `json:"time"`
	Event      string    `json:"event"` // program, call or question
	ID         string    `json:"id"`
	Session    string    `json:"session,omitempty"`
	Client     string    `json:"client,omitempty"`
	Tool       string    `json:"tool,omitempty"` // of a program or direct call: the tool the client called
	Path       string    `json:"path,omitempty"` // of a call: the tool the program called
	Status     string    `json:"status"`
	Kind       string    `json:"kind,omitempty"` // of the failure of a program
	DurationMs float64   `json:"durationMs"`
	InputBytes int       `json:"inputBytes"`
	InputHash  string    `json:"inputHash,omitempty"`
	Input      any       `json:"input,omitempty"`

	OutputBytes int  `json:"outputBytes,omitempty"`
	Calls       int  `json:"calls,omitempty"`
	Attachments int  `json:"attachments,omitempty"`
	Truncated   bool `json:"truncated,omitempty"`
}

func (a *audit) write(l line) {
	text, err := json.Marshal(l)
	if err != nil {
		a.log.Error("a line of the audit log has no JSON form", "error", err)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.out.Write(append(text, '\n')); err != nil && !a.broken {
		a.broken = true
		a.log.Error("the audit log cannot be written", "error", err)
	}
}

// input notes an input.
func (a *audit) input(l *line, v data.Value) {
	text := data.AppendJSON(nil, v)
	mac := hmac.New(sha256.New, a.key[:])
	mac.Write(text)
	l.InputBytes, l.InputHash = len(text), hex.EncodeToString(mac.Sum(nil)[:8])
	if a.inputs {
		l.Input = json.RawMessage(text)
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// run notes a run that has ended.
func (a *audit) run(r *run) {
	if a == nil {
		return
	}
	now := time.Now()
	l := line{Time: now, Event: "program", ID: r.id, Session: r.label(), Client: r.client.name, Tool: r.name, Status: r.status(), DurationMs: millis(now.Sub(r.started))}
	a.input(&l, r.input)
	if o := r.output; o != nil {
		l.OutputBytes, l.Attachments = len(o.Text), len(o.Attachments)
		if o.Program == "" && o.Result != nil {
			l.Event = "direct"
		}
		if o.Result != nil {
			l.Calls, l.Truncated = o.Result.Stats.ToolCalls, o.Result.Truncated
			if o.Result.Error != nil {
				l.Kind = string(o.Result.Error.Kind)
			}
		}
	}
	a.write(l)
}

// call notes a call that has ended.
func (a *audit) call(r *run, c registry.Call, o registry.Outcome) {
	if a == nil {
		return
	}
	l := line{Time: time.Now(), Event: "call", ID: c.ID, Session: r.label(), Path: c.Entry.Expression, Status: string(o.Status), DurationMs: millis(o.Duration)}
	a.input(&l, c.Input)
	if o.Value != nil {
		l.OutputBytes = len(data.AppendJSON(nil, o.Value))
	}
	a.write(l)
}

// question notes a question and what the person did, without the answer.
func (a *audit) question(r *run, q Question, answer Answer, err error, took time.Duration) {
	if a == nil {
		return
	}
	l := line{Time: time.Now(), Event: "question", ID: r.id, Session: r.label(), Path: q.From, Status: string(answer.Action), DurationMs: millis(took)}
	switch {
	case errors.Is(err, ErrUnasked):
		l.Status = "unanswered"
	case err != nil:
		l.Status = "withdrawn"
	}
	a.input(&l, data.String(q.Message))
	a.write(l)
}
