package gateway

// This file defines what a gateway tells about its servers.

import (
	"errors"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// Disabled is the state of an entry that is off by the user's choice, beside those of the client.
const Disabled client.State = "disabled"

// Status describes an entry of the configuration and how its server is doing, for the host. It has no secrets of the
// configuration.
type Status struct {
	// Status is the server's; its Name is that of the entry. Of an entry that is not used it has State and Error alone, of
	// an OpenAPI document the transport "openapi" and the skipped operations as LeftOut.
	client.Status
	Namespace string
	Place     config.Place
	Direct    bool
	Problems  []config.Problem // of the entry
	Unread    []string         // keys of the entry that mean nothing
	Warnings  []config.Problem // keys of the entry that are nearly others
	// Skipped is what of an OpenAPI document is no tool.
	Skipped []openapi.Skipped
}

// Usable reports whether there are tools, or will be as soon as one is called.
func (s Status) Usable() bool { return s.State == client.Connected || s.State == client.Down }

// Status describes all entries, in the order of the configuration.
func (g *Gateway) Status() []Status {
	connected := map[string]client.Status{}
	for _, s := range g.group.Status() {
		connected[s.Name] = s
	}
	all := make([]Status, len(g.members))
	for i, m := range g.members {
		all[i] = m.status(connected)
	}
	return all
}

func (m *member) status(connected map[string]client.Status) Status {
	s := Status{Namespace: m.server.Namespace, Place: m.server.Place, Direct: m.server.Direct, Problems: m.server.Problems, Unread: m.server.Unread, Warnings: m.server.Warnings}
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.server.Disabled:
		s.State, s.Error = Disabled, m.server.Why
	case m.registration == nil:
		s.State, s.Error = client.Failed, problemTexts(m.server.Problems)
	case m.server.OpenAPI != nil:
		s.Status, s.Skipped = m.document(), slices.Clone(m.skipped)
		for i := range s.Skipped {
			s.Skipped[i].Reason = m.hide(s.Skipped[i].Reason)
		}
	default:
		s.Status = connected[m.server.Namespace]
	}
	if s.Name = m.server.Name; m.err != nil {
		s.State, s.Error = client.Failed, m.err.Error()
	}
	if len(m.problems) > 0 {
		s.Problems, s.Error = m.problems, problemTexts(m.problems)
	}
	if said := lastLines(s.Stderr); s.State == client.Failed && said != "" && !strings.Contains(strings.ReplaceAll(s.Error, "\n  ", "\n"), said) { // the client indents what it quotes
		s.Error += "; it wrote:\n" + said
	}
	m.redact(&s.Status)
	return s
}

// Absent says for a model why there is no tool at an expression such as tools.files.read, if that is of an entry which is not
// connected: its name and state and nothing of its configuration. Empty is that no entry is to blame.
func (g *Gateway) Absent(expression string) string {
	for _, s := range g.Status() {
		root := tool.PathString(strings.Split(s.Namespace, "."))
		rest, below := strings.CutPrefix(expression, root)
		if s.Usable() || !below || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		named := "the server " + s.Namespace + " is configured but "
		switch s.State {
		case Disabled:
			return named + "disabled, so that its tools are not there"
		case client.Connecting:
			return named + "still connects; its tools are there for a program that begins when it has"
		case client.NeedsSignIn:
			return named + "a person has to sign in to it first, by codemode login; its tools are not there until then"
		}
		return named + "not connected, so that its tools are not there; who runs codemode can see why in its log, or by codemode doctor"
	}
	return ""
}

// lastLines are the last words of a server.
func lastLines(said []string) string {
	const most = 5
	return strings.Join(said[max(0, len(said)-most):], "\n")
}

// document is the status of an OpenAPI document.
func (m *member) document() client.Status {
	s := client.Status{State: client.Connecting, Transport: "openapi"}
	if m.loaded {
		s.State = client.Connected
	}
	if space, ok := m.tree[m.server.Namespace].(tool.Namespace); ok {
		s.Title = space.Description
		if catalog, err := tool.Resolve(space.Tools); err == nil {
			s.Tools = len(catalog.All())
		}
	}
	for _, skipped := range m.skipped {
		reason := skipped.Reason
		if mend := skipped.Mend(config.DocumentFields); mend != "" {
			reason += "; set " + mend
		}
		s.LeftOut = append(s.LeftOut, client.LeftOut{Tool: skipped.What(), Reason: reason})
	}
	return s
}

func problemTexts(problems []config.Problem) string {
	var errs []error
	for _, p := range problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...).Error()
}

// redact takes the secrets of an entry out of what its server said. The slices are the status's own.
func (m *member) redact(s *client.Status) {
	for _, text := range []*string{&s.Error, &s.Title, &s.Server, &s.Version} {
		*text = m.hide(*text)
	}
	for _, list := range [][]string{s.Notes, s.Stderr} {
		for i := range list {
			list[i] = m.hide(list[i])
		}
	}
	for i := range s.Troubles {
		s.Troubles[i].Text = m.hide(s.Troubles[i].Text)
	}
	for i := range s.LeftOut {
		s.LeftOut[i].Reason = m.hide(s.LeftOut[i].Reason)
	}
}
