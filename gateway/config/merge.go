package config

// This file defines how the files of clients are told apart, and how several become one configuration.

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// dialect is where a file has its servers, and what is special about how they are written there.
type dialect struct {
	path []string
	// http is a server of type http that may also speak the older transport.
	httpOrSSE bool
	// bareBraces expands {env:NAME}.
	bareBraces bool
	// gemini expands $NAME, and a url without type is of the older transport.
	gemini bool
}

// dialects are tried in this order; the first path to an object counts.
var dialects = []dialect{
	{path: []string{"mcpServers"}},
	{path: []string{"servers"}, httpOrSSE: true},
	{path: []string{"mcp", "servers"}, httpOrSSE: true},
	{path: []string{"mcp_servers"}},
	{path: []string{"context_servers"}},
	{path: []string{"extensions"}},
	{path: []string{"mcp"}, bareBraces: true},
}

// merger collects entries.
type merger struct {
	options Options
	files   []string
	entries []*entry
	notes   []Problem
	inputs  map[string]answer
}

// entry is one server before it is read.
type entry struct {
	server   Server
	node     *node
	dialect  dialect
	inputs   *node // what the file declares
	expander expander
	outside  []string // values of variables and inputs that it has
}

// answer is what became of an input.
type answer struct {
	value string
	err   error
}

// errNoServers is the error of a file without servers.
var errNoServers = errors.New("has no servers: want an object mcpServers, servers, mcp, mcp_servers, context_servers or extensions, by the names of the servers")

func (m *merger) add(file string, source []byte) error {
	root, err := parse(file, source)
	if err != nil {
		return err
	}
	m.files = append(m.files, file)
	if root.kind != object {
		return root.want("an object")
	}
	found := false
	for _, d := range dialects {
		if list := at(root, d.path); list.is(object) && !(d.path[0] == "mcp" && isGemini(file)) {
			d.gemini = isGemini(file)
			m.list(file, root, list, d)
			found = true
			break
		}
	}
	if m.projects(file, root) || found {
		return nil
	}
	return errNoServers
}

// parse reads a file in the notation that its name says.
func parse(file string, source []byte) (*node, error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	switch strings.ToLower(filepath.Ext(file)) {
	case ".toml":
		return readTOML(source)
	case ".yaml", ".yml":
		return readYAML(source)
	}
	return readJSON(source)
}

func at(n *node, path []string) *node {
	for _, key := range path {
		n = n.get(key)
	}
	return n
}

// isGemini reports whether a file is of the client that expands $NAME.
func isGemini(file string) bool {
	return filepath.Base(filepath.Dir(absolute(file))) == ".gemini" || filepath.Base(file) == "gemini-extension.json"
}

// projects adds the servers that ~/.claude.json has for the folder worked in.
func (m *merger) projects(file string, root *node) bool {
	all := root.get("projects")
	if filepath.Base(file) != ".claude.json" || !all.is(object) {
		return false
	}
	workspace := m.options.Workspace
	if workspace == "" {
		workspace = absolute(".")
	}
	if list := at(all, []string{workspace, "mcpServers"}); list.is(object) {
		m.list(file, root, list, dialects[0])
	}
	return true
}

// list adds the entries of one list.
func (m *merger) list(file string, root, list *node, d dialect) {
	inputs := root.get("inputs")
	if inputs == nil {
		inputs = at(root, []string{"mcp", "inputs"})
	}
	for _, member := range list.members {
		e := &entry{node: member.value, dialect: d, inputs: inputs}
		e.server = Server{Name: member.key, Namespace: member.key, Place: Place{file, member.line}, Redactor: &Redactor{}}
		if d.gemini {
			e.gate(root.get("mcp"))
		}
		m.put(e)
	}
}

// gate turns off what the file's lists of allowed and excluded servers leave out.
func (e *entry) gate(lists *node) {
	has := func(list *node) bool {
		return slices.ContainsFunc(list.items, func(n *node) bool { return n.text == e.server.Name })
	}
	if allowed := lists.get("allowed"); allowed.is(array) && !has(allowed) {
		e.server.Disabled, e.server.Why = true, "mcp.allowed does not name it"
	}
	if excluded := lists.get("excluded"); excluded.is(array) && has(excluded) {
		e.server.Disabled, e.server.Why = true, "mcp.excluded names it"
	}
}

// put adds an entry; it takes the place of an earlier one of its name.
func (m *merger) put(e *entry) {
	i := slices.IndexFunc(m.entries, func(other *entry) bool { return other.server.Name == e.server.Name })
	if i < 0 {
		m.entries = append(m.entries, e)
		return
	}
	note := Problem{Place: e.server.Place, Server: e.server.Name, Text: fmt.Sprintf("counts instead of that in %s", m.entries[i].server.Place)}
	m.notes = append(m.notes, note)
	m.entries[i] = e
}

// config reads the entries that count.
func (m *merger) config() *Config {
	c := &Config{Files: m.files, Notes: m.notes}
	for _, e := range m.entries {
		e.expander = m.expander(e)
		e.read()
		if e.server.Usable() {
			e.refuseName()
			e.refuseSelf(m.options)
		}
		e.server.Redactor.finish()
		c.Servers = append(c.Servers, e.server)
	}
	c.refuseNamesakes()
	return c
}

func (m *merger) expander(e *entry) expander {
	return expander{
		lookup: m.options.Lookup, home: m.options.Home, workspace: m.options.workspaceOf(e.server.File), current: absolute("."),
		bareDollar: e.dialect.gemini, bareBraces: e.dialect.bareBraces,
		outside: func(value string) {
			e.server.Redactor.add(value)
			e.outside = append(e.outside, value)
		},
		input: func(id string) (string, error) { return m.input(e.inputs, e.server.File, id) },
	}
}

// refuseName refuses an entry whose name makes no namespace.
func (e *entry) refuseName() {
	s := &e.server
	first, _, _ := strings.Cut(s.Namespace, ".")
	wrong := ""
	switch {
	case s.Namespace == "":
		wrong = "the entry has no name"
	case first == ownNamespace:
		wrong = ownNamespace + " is where every program has tools of its own"
	case slices.Contains(strings.Split(s.Namespace, "."), ""):
		wrong = "nothing stands between two dots of its name, or at an end of it"
	default:
		return
	}
	line, field := s.Line, ""
	if own := e.node.get("codemode").get("namespace"); own != nil {
		line, field = own.line, "codemode.namespace"
	}
	s.problem(line, field, wrong+"; name it otherwise, or set codemode.namespace")
}

// ownNamespace is the namespace of the runtime's own tools.
const ownNamespace = "$codemode"

// refuseNamesakes refuses entries whose namespace an earlier one has.
func (c *Config) refuseNamesakes() {
	owners := map[string]string{}
	for i := range c.Servers {
		s := &c.Servers[i]
		if s.Disabled {
			continue
		}
		if owner, taken := owners[s.Namespace]; taken {
			s.problem(s.Line, "codemode.namespace", fmt.Sprintf("%s is the namespace of server %q already; choose another one", s.Namespace, owner))
			continue
		}
		owners[s.Namespace] = s.Name
	}
}

func (s *Server) problem(line int, field, text string) {
	s.Problems = append(s.Problems, Problem{Place: Place{s.File, line}, Server: s.Name, Field: field, Text: text})
}
