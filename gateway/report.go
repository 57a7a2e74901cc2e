package gateway

// This file defines the report of a gateway: how each server is doing, and what its tools cost a model.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/registry"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// Report is what there is to know about a configuration that is running. Tokens are estimates: a quarter of the
// characters.
type Report struct {
	// OK reports that all servers that are not disabled can be used.
	OK      bool     `json:"ok"`
	Servers []Health `json:"servers"`
	// Clashes are tools that had to be given other names.
	Clashes []string `json:"clashes,omitempty"`
	Tools   int      `json:"tools"`
	// RawTokens are those of the lists of all tools, as a client of the servers puts them before a model; GivenTokens those
	// of the tools that the gateway gives instead.
	RawTokens   int `json:"rawTokens"`
	GivenTokens int `json:"givenTokens"`
}

// Health is how one server is doing.
type Health struct {
	Name      string       `json:"name"`
	Namespace string       `json:"namespace"`
	Place     string       `json:"place"`
	State     client.State `json:"state"`
	Reachable bool         `json:"reachable"`
	Transport string       `json:"transport,omitempty"`
	Protocol  string       `json:"protocol,omitempty"`
	// Era is "stateless" for protocol versions from 2026-07-28 on, "session" for the ones before, empty for others.
	Era       string `json:"era,omitempty"`
	Server    string `json:"server,omitempty"` // name and version as it gives them
	Direct    bool   `json:"direct,omitempty"`
	Tools     int    `json:"tools"`
	RawTokens int    `json:"rawTokens"`
	// Problems are why it cannot be used, or did not do what it should.
	Problems []string `json:"problems,omitempty"`
	// Warnings are keys of the entry that mean nothing and are nearly others.
	Warnings []string `json:"warnings,omitempty"`
	// LeftOut are tools that it has and the gateway has not, with the reason; Schemas those whose schemas cannot be
	// enforced or had to be mended; Unread keys of the entry that mean nothing.
	LeftOut []string `json:"leftOut,omitempty"`
	Schemas []string `json:"schemas,omitempty"`
	Unread  []string `json:"unread,omitempty"`
}

// statelessSince is the first version of the protocol without sessions.
const statelessSince = "2026-07-28"

// Report describes the servers as they are now. The error is about the registry's options.
func (g *Gateway) Report() (*Report, error) {
	snapshot, err := g.registry.Snapshot(registry.Step{})
	if err != nil {
		return nil, err
	}
	r := &Report{OK: true}
	for i, s := range g.Status() {
		h := health(s)
		g.members[i].weigh(&h)
		r.OK = r.OK && (h.Reachable || s.State == Disabled)
		r.Tools += h.Tools
		r.RawTokens += h.RawTokens
		r.Servers = append(r.Servers, h)
	}
	for _, t := range snapshot.Tools() {
		r.GivenTokens += discovery.Estimate(definition(t.Name, t.Description, t.InputSchema, t.OutputSchema))
	}
	r.Clashes = clashes(snapshot)
	return r, nil
}

func clashes(snapshot *registry.Snapshot) (list []string) {
	for _, c := range snapshot.Clashes() {
		for path, name := range c.Tools {
			list = append(list, fmt.Sprintf("%s would be %s and is %s", path, c.Name, name))
		}
	}
	slices.Sort(list)
	return list
}

// Clashes are the tools that have been given other names, as they are now. The error is about the registry's options.
func (g *Gateway) Clashes() ([]string, error) {
	snapshot, err := g.registry.Snapshot(registry.Step{})
	if err != nil {
		return nil, err
	}
	return clashes(snapshot), nil
}

func health(s Status) Health {
	h := Health{
		Name: s.Name, Namespace: s.Namespace, Place: s.Place.String(), State: s.State, Reachable: s.Usable(), Transport: s.Transport,
		Protocol: s.Protocol, Server: strings.TrimSpace(s.Server + " " + s.Version), Direct: s.Direct, Tools: s.Tools, Unread: s.Unread,
	}
	switch {
	case s.Protocol >= statelessSince:
		h.Era = "stateless"
	case s.Protocol != "":
		h.Era = "session"
	}
	if s.Error != "" {
		h.Problems = append(h.Problems, s.Error)
	}
	for _, t := range s.Troubles {
		h.Problems = append(h.Problems, t.String())
	}
	for _, w := range s.Warnings {
		h.Warnings = append(h.Warnings, w.Error())
	}
	for _, l := range s.LeftOut {
		h.LeftOut = append(h.LeftOut, l.Tool+": "+l.Reason)
	}
	h.Schemas = append(h.Schemas, s.Notes...)
	return h
}

// weigh adds what the tools of an entry cost, and what is wrong with their schemas.
func (m *member) weigh(h *Health) {
	m.mu.Lock()
	tree := m.tree
	m.mu.Unlock()
	catalog, err := tool.Resolve(tree)
	if err != nil {
		return
	}
	for _, e := range catalog.All() {
		h.RawTokens += discovery.Estimate(RawDefinition(e))
		for name, s := range map[string]*schema.Schema{"input": e.Tool.Input(), "output": e.Tool.Output()} {
			if s != nil && s.Err() != nil {
				h.Schemas = append(h.Schemas, fmt.Sprintf("%s: the %s schema is not enforced: %s", e.Expression, name, m.hide(s.Err().Error())))
			}
		}
	}
	slices.Sort(h.Schemas)
}

// RawDefinition is a tool as its server lists it, in JSON: what a client without programs puts before a model.
func RawDefinition(e tool.Entry) string {
	return definition(e.Path[len(e.Path)-1], e.Tool.Description(), e.Tool.Input(), e.Tool.Output())
}

func definition(name, description string, input, output *schema.Schema) string {
	members := []data.Member{
		{Key: "name", Value: data.String(name)},
		{Key: "description", Value: data.String(description)},
		{Key: "inputSchema", Value: input.Object()},
	}
	if output != nil {
		members = append(members, data.Member{Key: "outputSchema", Value: output.Object()})
	}
	return data.JSON(data.NewObject(members))
}
