package config

// This file defines the settings of ours, under the key codemode of an entry.

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/mcp/client"
)

// ownFields are the fields of the object codemode.
var ownFields = []field{
	{[]string{"namespace"}, (*reading).namespace},
	{[]string{"description"}, func(r *reading, n *node) (err error) { r.server.Description, err = n.asText(); return err }},
	{[]string{"validate"}, (*reading).validate},
	{[]string{"inheritEnv"}, (*reading).inheritEnv},
	{[]string{"roots"}, (*reading).roots},
	{[]string{"timeout"}, func(r *reading, n *node) error { return r.duration(n, &r.server.Timeout, 0) }},
	{[]string{"connectTimeout"}, func(r *reading, n *node) error { return r.duration(n, &r.server.ConnectTimeout, 0) }},
	{[]string{"include"}, func(r *reading, n *node) error { return r.texts(n, &r.server.Include) }},
	{[]string{"exclude"}, func(r *reading, n *node) error {
		earlier := r.server.Exclude
		err := r.texts(n, &r.server.Exclude)
		r.server.Exclude = append(r.server.Exclude, earlier...)
		return err
	}},
	{[]string{"direct"}, func(r *reading, n *node) (err error) { r.server.Direct, err = n.asBool(); return err }},
	{[]string{"parseJSONText"}, func(r *reading, n *node) (err error) { r.server.ParseJSONText, err = n.asBool(); return err }},
	{[]string{"concurrency"}, (*reading).concurrency},
	{[]string{"protocol"}, func(r *reading, n *node) (err error) { r.server.Protocol, err = n.asText(); return err }},
}

// own reads the object codemode. False is {direct: true}: no code mode for this server.
func (r *reading) own(n *node) error {
	if n.kind == boolean {
		r.server.Direct = n.text == "false"
		return nil
	}
	if n.kind != object {
		return n.want("an object, or false")
	}
	for _, m := range n.members {
		r.ours(ownFields, "codemode.", m)
	}
	return nil
}

func (r *reading) namespace(n *node) error {
	name, err := n.asText()
	if err == nil && slices.Contains(strings.Split(name, "."), "") {
		err = fmt.Errorf("got %q, want text that is not empty between its dots", clip(name, 60))
	}
	if err == nil {
		r.server.Namespace = name
	}
	return err
}

func (r *reading) validate(n *node) error {
	modes := map[string]client.Validation{"hint": client.Hint, "strict": client.Strict, "off": client.Off}
	word, err := n.asWord()
	if err != nil {
		return err
	}
	mode, known := modes[word]
	if !known {
		return fmt.Errorf("got %q, want hint, strict or off", clip(word, 40))
	}
	r.server.Validate = mode
	return nil
}

// inheritEnv reads names of variables, or true for all of them.
func (r *reading) inheritEnv(n *node) error {
	if n.kind == boolean {
		if n.text == "true" {
			r.server.InheritEnv = []string{"*"}
		}
		return nil
	}
	earlier := r.server.InheritEnv
	err := r.inherit(n)
	r.server.InheritEnv = append(r.server.InheritEnv, earlier...)
	return err
}

// roots reads folders, as paths or file: addresses, or objects with uri and name.
func (r *reading) roots(n *node) error {
	if n.kind != array {
		return n.want("a list of folders")
	}
	for i, item := range n.items {
		root, err := r.root(item)
		if err != nil {
			return &below{fmt.Sprintf("[%d]", i), item.line, err}
		}
		r.server.Roots = append(r.server.Roots, root)
	}
	return nil
}

func (r *reading) root(n *node) (root client.Root, err error) {
	place := n
	if n.kind == object {
		if place = n.get("uri"); place == nil {
			return root, fmt.Errorf("has no uri")
		}
		if name := n.get("name"); name != nil {
			root.Name = name.text
		}
	}
	source, err := place.asText()
	if err == nil {
		source, err = r.expander.expand(source)
	}
	if err != nil {
		return root, err
	}
	if root.URI = source; !strings.Contains(source, "://") {
		root.URI = fileAddress(r.resolve(source))
	}
	return root, nil
}

// fileAddress is the file: address of an absolute path.
func fileAddress(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/…
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func (r *reading) concurrency(n *node) error {
	f, err := n.asNumber()
	if err == nil && (f < 1 || f > 1000 || f != float64(int(f))) {
		err = fmt.Errorf("got %s, want a whole number from 1 to 1000", n.text)
	}
	if err == nil {
		r.server.Concurrency = int(f)
	}
	return err
}

const (
	seconds      = time.Second
	milliseconds = time.Millisecond
)

// maxTimeout bounds what a file may ask for.
const maxTimeout = 24 * time.Hour

// duration reads a number of a unit, or a text such as "90s". Without a unit, 1000 and more are milliseconds, less are
// seconds: clients differ, and nobody waits a second of milliseconds or 17 minutes.
func (r *reading) duration(n *node, into *time.Duration, unit time.Duration) error {
	var d time.Duration
	switch n.kind {
	case text:
		var err error
		if d, err = time.ParseDuration(n.text); err != nil {
			return fmt.Errorf("got %q, want a number or a text such as \"90s\"", clip(n.text, 40))
		}
	case number:
		f, err := n.asNumber()
		if err != nil {
			return err
		}
		if unit == 0 {
			if unit = seconds; f >= 1000 {
				unit = milliseconds
			}
		}
		d = time.Duration(min(f*float64(unit), float64(2*maxTimeout)))
	default:
		return n.want(`a number or a text such as "90s"`)
	}
	if d <= 0 || d > maxTimeout {
		return fmt.Errorf("got %s, want more than 0 and at most 24h", clip(n.text, 40))
	}
	*into = d
	return nil
}

// isName reports that a text is the name of a flag or a variable, and no address.
func isName(text string) bool { return !strings.ContainsAny(text, ":/?&@ ") }

// hide takes note of secrets that no variable stands for: the values of flags, of the file of variables, and of what is
// inherited.
func (r *reading) hide() {
	for i, w := range r.server.Command {
		word, before := w.Reveal(), ""
		if i > 0 {
			before = r.server.Command[i-1].Reveal()
		}
		if name, value, ok := strings.Cut(word, "="); ok && isName(name) && tells(name) {
			r.server.Redactor.addNamed(name, value)
		} else if strings.HasPrefix(before, "-") && tells(before) {
			r.server.Redactor.addNamed(before, word)
		} else if r.server.Redactor.addForms(before, word) {
			r.server.Redactor.addAnswer(word)
		}
	}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if slices.Contains(r.server.InheritEnv, name) || slices.Contains(r.server.InheritEnv, "*") && tells(name) {
			r.server.Redactor.addNamed(name, value)
		}
	}
	if r.server.EnvFile == "" {
		return
	}
	source, err := os.ReadFile(r.server.EnvFile)
	if err != nil {
		return // the start of the server says so
	}
	for line := range strings.Lines(string(source)) {
		name, value, _ := strings.Cut(line, "=")
		r.server.Redactor.addNamed(name, strings.Trim(strings.TrimSpace(value), `"'`))
	}
}
