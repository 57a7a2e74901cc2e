// Command agenthost shows an agent host: a loop that gives a model one tool for programs and a direct one, asks a person
// before money moves, shows calls as they happen, and tells the model when tools come. The model is a script, so that the
// example runs anywhere. docs/embedding.md walks through it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

// host is an agent host with one shop, one person and one model.
type host struct {
	registry *registry.Registry
	session  *scope.Scope // what is registered in it is gone when it closes
	model    Model
	person   map[string]registry.Decision // answers, by the input that is asked about
	out      io.Writer
}

func newHost(ctx context.Context, model Model, out io.Writer) (*host, error) {
	r, err := registry.New(registry.Options{
		Runtime: codemode.Options{Limits: codemode.Limits{TimeoutMs: new(30_000), MaxToolCalls: new(200), MaxMemoryBytes: new(64 << 20)}},
	})
	if err != nil {
		return nil, err
	}
	return &host{
		registry: r, session: scope.Open(ctx, scope.Options{Name: "session"}), model: model, out: out,
		person: map[string]registry.Decision{
			`{"id":3}`: {Allow: true},
			`{"id":7}`: {Reason: "Borea is in court with us"},
		},
	}, nil
}

// register makes tools known: those of the shop for programs, and a direct one.
func (h *host) register() error {
	s := &shop{orders: orders(), open: h.connectMail}
	if _, err := h.registry.RegisterIn(h.session, s.tools(), registry.Deferred); err != nil {
		return err
	}
	_, err := h.registry.RegisterIn(h.session, tool.Tree{"notes.add": tool.New("Note something for the person", h.note)}, registry.Direct)
	return err
}

// connectMail is a source of tools that comes later.
func (h *host) connectMail() error {
	_, err := h.registry.RegisterIn(h.session, mailTools(), registry.Deferred)
	return err
}

type noteIn struct {
	Text string `json:"text"`
}

func (h *host) note(_ context.Context, in noteIn) (any, error) {
	fmt.Fprintf(h.out, "  note: %s\n", in.Text)
	return nil, nil
}

// step is what the model may see and do.
func (h *host) step() registry.Step {
	return registry.Step{
		Rules: []registry.Rule{
			{Path: "shop.wipe*", Effect: registry.Deny},
			{Path: "shop.refund", Effect: registry.Ask, Reason: "money leaves the house"},
			{Path: "mail.*", Input: toOutside, Effect: registry.Deny, Reason: "mail goes to addresses of the shop only"},
		},
		Ask:      h.ask,
		OnStatus: h.show,
	}
}

// ask asks the person. It may take as long as it takes: the clock of the program stands.
func (h *host) ask(_ context.Context, q registry.Question) (registry.Decision, error) {
	d := h.person[data.JSON(q.Input)]
	fmt.Fprintf(h.out, "  asked: %s%s, %s? %v\n", q.Entry.Expression, data.JSON(q.Input), q.Reason, d.Allow)
	return d, nil
}

// show is the user interface.
func (h *host) show(c registry.CallStatus) {
	fmt.Fprintf(h.out, "  %s %s %s\n", c.ID, c.Entry.Expression, c.Status)
}

func run(ctx context.Context, out io.Writer) error {
	h, err := newHost(ctx, script(), out)
	if err != nil {
		return err
	}
	defer h.session.Close(scope.Exit{})
	if err := h.register(); err != nil {
		return err
	}
	answer, err := h.answer(ctx, "Refund the broken orders and mail me what you did.")
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "answer:", answer)
	return nil
}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}
