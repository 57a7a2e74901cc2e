package registry

// This file defines steps: what a model may see and call in one request, and the snapshot made of that.

import (
	"context"
	"fmt"
	"slices"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/tool"
)

// Step configures the tools of one request to a model. The zero value shows and allows everything. Its functions may be
// called from several goroutines at once.
type Step struct {
	// Visible says which tools are shown; nil shows all. It is called for every tool by Snapshot and not afterwards.
	Visible func(tool.Entry) bool
	// Rules say which calls are allowed, asked about and refused.
	Rules []Rule
	// Ask answers a question that a rule asks. Meanwhile the call is off the clock of the execution and holds no permit.
	// Its context is done when the call is interrupted; the answer then counts no more. An error turns the call away,
	// which has not started then, whatever ends it: the program reads the text of a [tool.Error], of others that the reason
	// is internal.
	Ask func(context.Context, Question) (Decision, error)
	// Before runs before each call that is allowed. An error turns that call alone away: it has not started, and the tool
	// does not run. The program reads it as that of Ask. It is on the clock. A panic of Before, Ask or a rule's Input does
	// the same, and is a defect of the host that Call returns.
	Before func(context.Context, Call) error
	// After is given the outcome of each call that has started, also if it was refused or interrupted, once, before the
	// program learns of it. The context has the values of the one the execution was called with and is never done.
	After func(context.Context, Call, Outcome)
	// OnStatus is told how calls stand, for a user interface: [Running] first, then perhaps [Waiting] and Running again,
	// and one of the other statuses last, each at once. Calls that never start, such as those beyond a limit, are only in
	// the result.
	OnStatus func(CallStatus)
	// Limits override those of the Registry's Options, field by field where they are not nil.
	Limits codemode.Limits
}

func (s Step) check() error {
	if s.Limits != (codemode.Limits{}) {
		if _, err := codemode.New(codemode.Options{Limits: s.Limits}); err != nil {
			return fmt.Errorf("registry: Step: %w", err)
		}
	}
	return s.checkRules()
}

// Snapshot is the tools of one request to a model. It stays as it is when registrations change, but a call of a tool
// that has been removed or replaced meanwhile is refused. It may be used from any goroutine.
type Snapshot struct {
	registry *Registry
	step     Step
	rules    []rule
	surface  *surface
}

// Snapshot makes the tools of one request. The error names the field of the step that is wrong. What is made for a
// revision and a choice of tools is kept for the next step: then a snapshot costs a look at each tool.
func (r *Registry) Snapshot(s Step) (*Snapshot, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e, err := r.edition()
	if err != nil {
		return nil, err
	}
	made := &Snapshot{registry: r, step: s, rules: compiled(s.Rules)}
	shown := made.shows
	if s.Visible == nil && len(s.Rules) == 0 {
		shown = nil
	}
	made.surface = e.surface(shown)
	return made, nil
}

func (s *Snapshot) shows(d *definition) bool {
	return (s.step.Visible == nil || s.step.Visible(d.entry)) && !hides(s.rules, d)
}

// Revision is that of the registry when the snapshot was made.
func (s *Snapshot) Revision() uint64 { return s.surface.edition.revision }

// View is what programs see: its Search, Catalog and Instructions are for hosts that offer those themselves. It is nil
// if no deferred tool is shown.
func (s *Snapshot) View() *codemode.View { return s.surface.view }

// Clashes are the direct tools that could not have the names of their paths. A host shows them to whoever can rename.
func (s *Snapshot) Clashes() []Clash { return slices.Clone(s.surface.clashes) }
