package config

// This file defines how one entry is read, by the table of its fields.

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/diagnostics"
)

// reading is an entry while its fields are read.
type reading struct {
	*entry
	set      map[string]bool // the first names of fields that have been read
	program  []Secret        // the words of command
	words    []Secret        // those of args
	document string          // the file of openapi
	typ      string          // the text of type
	urls     map[string]string
}

// field is one thing an entry says, under the names it has in the files of clients.
type field struct {
	names []string
	read  func(r *reading, n *node) error
}

// fields are what an entry may say. A field that several names stand for is read from the first of them in the file.
var fields = []field{
	{[]string{"command", "cmd"}, (*reading).command},
	{[]string{"args"}, (*reading).args},
	{[]string{"env", "environment", "envs"}, (*reading).env},
	{[]string{"envFile", "env_file"}, func(r *reading, n *node) error { return r.path(n, &r.server.EnvFile) }},
	{[]string{"cwd"}, func(r *reading, n *node) error { return r.path(n, &r.server.Dir) }},
	{[]string{"env_vars", "env_keys"}, func(r *reading, n *node) error { return r.inherit(n) }},
	{[]string{"type", "transport", "transportType"}, func(r *reading, n *node) (err error) { r.typ, err = n.asText(); return err }},
	{[]string{"url", "uri"}, func(r *reading, n *node) error { return r.url("url", n) }},
	{[]string{"httpUrl"}, func(r *reading, n *node) error { return r.url("httpUrl", n) }},
	{[]string{"serverUrl"}, func(r *reading, n *node) error { return r.url("serverUrl", n) }},
	{[]string{"headers", "http_headers"}, (*reading).headers},
	{[]string{"env_http_headers"}, (*reading).headersOfVariables},
	{[]string{"bearer_token_env_var"}, (*reading).bearer},
	{[]string{"disabled"}, func(r *reading, n *node) error { return r.off(n, true, "it is disabled in its file") }},
	{[]string{"enabled"}, func(r *reading, n *node) error { return r.off(n, false, "it is not enabled in its file") }},
	{[]string{"timeout"}, func(r *reading, n *node) error { return r.duration(n, &r.server.Timeout, 0) }},
	{[]string{"tool_timeout_sec"}, func(r *reading, n *node) error { return r.duration(n, &r.server.Timeout, seconds) }},
	{[]string{"startup_timeout_sec"}, func(r *reading, n *node) error { return r.duration(n, &r.server.ConnectTimeout, seconds) }},
	{[]string{"startup_timeout_ms"}, func(r *reading, n *node) error { return r.duration(n, &r.server.ConnectTimeout, milliseconds) }},
	{[]string{"includeTools", "allowedTools", "enabled_tools", "include"}, func(r *reading, n *node) error { return r.texts(n, &r.server.Include) }},
	{[]string{"available_tools"}, func(r *reading, n *node) error { return r.available(n) }},
	{[]string{"excludeTools", "disabledTools", "disabled_tools", "exclude"}, func(r *reading, n *node) error { return r.texts(n, &r.server.Exclude) }},
	{[]string{"tools"}, (*reading).tools},
	{[]string{"description"}, func(r *reading, n *node) (err error) { r.server.Description, err = n.asText(); return err }},
	{[]string{"openapi"}, (*reading).openAPI},
	{[]string{"baseUrl", "baseURL"}, func(r *reading, n *node) error { return r.url("baseUrl", n) }},
	{[]string{"documentUrl", "documentURL"}, func(r *reading, n *node) error { return r.url("documentUrl", n) }},
	{[]string{"credentials"}, (*reading).credentials},
	{[]string{"oauth"}, (*reading).oauth},
	{[]string{"auth"}, (*reading).auth},
	{[]string{"scopes"}, (*reading).ownScopes},
	{[]string{"codemode"}, (*reading).own},
}

// ignored are keys of clients that say nothing a gateway could mind.
var ignored = strings.Fields(`trust autoApprove alwaysAllow name display_name gallery version dev icon iconUrl tags note notes
	authProviderType bundled required source sampling settings restart`)

// fieldOf finds a field by a name.
func fieldOf(table []field, name string) *field {
	for i := range table {
		if slices.Contains(table[i].names, name) {
			return &table[i]
		}
	}
	return nil
}

// read reads the whole entry.
func (e *entry) read() {
	r := &reading{entry: e, set: map[string]bool{}, urls: map[string]string{}}
	if e.node.kind != object {
		e.server.problem(e.server.Line, "", e.node.want("an object").Error())
		return
	}
	// What is off needs no variables and asks nobody.
	for _, m := range e.node.members {
		if m.key == "disabled" || m.key == "enabled" {
			r.field(fields, "", m)
		}
	}
	if e.server.Disabled {
		return
	}
	// What is ours has the last word.
	for _, last := range []bool{false, true} {
		for _, m := range e.node.members {
			if (m.key == "codemode") == last && m.key != "disabled" && m.key != "enabled" {
				r.field(fields, "", m)
			}
		}
	}
	e.server.Command = append(r.program, r.words...)
	if len(e.server.Problems) == 0 {
		r.finish()
	}
	r.hide()
}

// field reads one member by a table.
func (r *reading) field(table []field, within string, m member) {
	f := fieldOf(table, m.key)
	switch {
	case f == nil && within == "" && slices.Contains(ignored, m.key):
		return
	case f == nil:
		r.server.Unread = append(r.server.Unread, within+m.key)
		r.suspect(table, within, m)
		return
	case m.value.kind == null || r.set[within+f.names[0]] && m.key != f.names[0]:
		return
	}
	r.set[within+f.names[0]] = true
	if err := f.read(r, m.value); err != nil {
		r.report(m, within+m.key, err)
	}
}

// ours reads one member of an object that no client has: what it does not know is a mistake, which could leave in what was to be
// left out.
func (r *reading) ours(table []field, within string, m member) {
	if fieldOf(table, m.key) != nil {
		r.field(table, within, m)
		return
	}
	names := namesOf(table)
	text := "there is no such key; want one of " + strings.Join(names, ", ")
	if meant, ok := diagnostics.Nearest(m.key, names); ok {
		text = "there is no such key; did you mean " + meant + "?"
	}
	r.server.problem(m.line, within+clip(m.key, 60), text)
}

// suspect warns of a key that means nothing here and is nearly one that does.
func (r *reading) suspect(table []field, within string, m member) {
	if meant, ok := diagnostics.Nearest(m.key, namesOf(table)); ok {
		r.server.Warnings = append(r.server.Warnings, Problem{Place: Place{r.server.File, m.line}, Server: r.server.Name, Field: within + clip(m.key, 60),
			Text: "means nothing here; did you mean " + meant + "?"})
	}
}

func namesOf(table []field) (names []string) {
	for _, f := range table {
		names = append(names, f.names...)
	}
	return names
}

// below is the error of something within a field.
type below struct {
	name string
	line int
	err  error
}

func (b *below) Error() string { return b.name + ": " + b.err.Error() }

func (r *reading) report(m member, name string, err error) {
	line := m.line
	var within *below
	if errors.As(err, &within) {
		name, err = name+within.name, within.err
		if within.line > 0 {
			line = within.line
		}
	}
	r.server.problem(line, name, err.Error())
}

func (r *reading) command(n *node) error {
	switch n.kind {
	case array:
		return r.list(n, &r.program)
	case object: // of one client: path, args, env
		for _, key := range []string{"path", "args", "env"} {
			m := n.get(key)
			if m == nil {
				continue
			}
			if err := map[string]func(*node) error{"path": r.command, "args": r.args, "env": r.env}[key](m); err != nil {
				return err
			}
		}
		return nil
	}
	if n.kind != text {
		return n.want("a text or a list of texts")
	}
	word, err := r.expanded(n)
	if r.program = nil; err == nil && word != "" {
		r.program = []Secret{Hide(word)}
	}
	return err
}

func (r *reading) args(n *node) error { return r.list(n, &r.words) }

// list reads words in which variables are expanded.
func (r *reading) list(n *node, into *[]Secret) error {
	if n.kind != array {
		return n.want("a list of texts")
	}
	*into = nil
	for i, item := range n.items {
		word, err := r.expanded(item)
		if err != nil {
			return &below{fmt.Sprintf("[%d]", i), item.line, err}
		}
		*into = append(*into, Hide(word))
	}
	return nil
}

// tools is a list of tools to take in the files of one client, and other settings in those of another.
func (r *reading) tools(n *node) error {
	if n.kind != array || r.set["includeTools"] {
		return nil
	}
	return r.texts(n, &r.server.Include)
}

func (r *reading) expanded(n *node) (string, error) {
	source, err := n.asWord()
	if err != nil {
		return "", err
	}
	value, err := r.expander.expand(source)
	if err == nil && strings.ContainsRune(value, 0) {
		err = errors.New("has the character U+0000, which no program can be given")
	}
	return value, err
}

func (r *reading) env(n *node) error {
	values, err := r.table(n)
	if r.server.Env == nil {
		r.server.Env = map[string]Secret{}
	}
	for name := range values {
		if err == nil && (name == "" || strings.ContainsAny(name, "=\x00")) {
			err = fmt.Errorf("got the name %q, want one without =", clip(name, 40))
		}
	}
	maps.Copy(r.server.Env, values)
	return err
}

// table reads texts by name, and takes them for secrets.
func (r *reading) table(n *node) (map[string]Secret, error) {
	if n.kind != object {
		return nil, n.want("an object with texts")
	}
	values := map[string]Secret{}
	for _, m := range n.members {
		if m.value.kind == null {
			continue
		}
		value, err := r.expanded(m.value)
		if err != nil {
			return nil, &below{"." + m.key, m.line, err}
		}
		values[m.key] = Hide(value)
		r.server.Redactor.addNamed(m.key, value)
	}
	return values, nil
}

func (r *reading) path(n *node, into *string) error {
	source, err := n.asText()
	if err == nil {
		source, err = r.expander.expand(source)
	}
	if err == nil && source != "" {
		*into = r.resolve(source)
	}
	return err
}

// resolve is a path relative to the file.
func (r *reading) resolve(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && r.expander.home != "" {
		return filepath.Join(r.expander.home, rest)
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(absolute(filepath.Dir(r.server.File)), path)
}

func (r *reading) inherit(n *node) error { return r.texts(n, &r.server.InheritEnv) }

// texts reads a list of texts, in which variables are not expanded: they are names and patterns.
func (r *reading) texts(n *node, into *[]string) error {
	if n.kind != array {
		return n.want("a list of texts")
	}
	list := []string{}
	for i, item := range n.items {
		word, err := item.asText()
		if err != nil {
			return &below{fmt.Sprintf("[%d]", i), item.line, err}
		}
		list = append(list, word)
	}
	*into = list
	return nil
}

// available is a list of tools of the clients that write an empty one for all.
func (r *reading) available(n *node) error {
	err := r.texts(n, &r.server.Include)
	if len(r.server.Include) == 0 {
		r.server.Include = nil
	}
	return err
}

func (r *reading) off(n *node, when bool, why string) error {
	on, err := n.asBool()
	if err == nil && on == when {
		r.server.Disabled, r.server.Why = true, why
	}
	return err
}
