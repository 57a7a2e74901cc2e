package config

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// FuzzParse: whatever a file holds, reading it ends, with no panic, and nothing secret in what is wrong.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"mcpServers": {"a": {"command": "x", "args": ["${TOKEN}"], "env": {"A": "${B:-${C}}"}}}}`, `{"servers": {"a": {"url": "https://x"}}, "inputs": [{"id": 1}]}`,
		"[mcp_servers.a]\ncommand = 'x'\nargs = [\"\"\"y\"\"\"]", "a.b.c = {d = [1979-05-27]}", "// c\n{\"mcp\": /* */ {\"x\": {\"codemode\": {\"roots\": [{}]}}},}", `{"mcpServers": {"x": {"openapi": "y", "credentials": {"z": {}}}}}`,
	} {
		f.Add("c.json", seed)
		f.Add("c.toml", seed)
		f.Add(".gemini/settings.json", seed)
	}
	f.Fuzz(func(t *testing.T, name, source string) {
		c, err := Parse(name, []byte(source), options())
		if err != nil {
			return
		}
		for _, s := range c.Servers {
			if text := fmt.Sprint(s.Err()); strings.Contains(text, "s3cr3t-token") && !strings.Contains(source, "s3cr3t-token") {
				t.Errorf("a secret is in %s", text)
			}
			if s.Usable() && len(s.Command) == 0 && s.URL.Reveal() == "" && s.OpenAPI == nil {
				t.Errorf("%s is nothing to connect to", s.Name)
			}
		}
	})
}

// Text without the characters that begin a variable stays as it is, and values are never expanded again.
func TestExpansionLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.StringMatching(`[a-zA-Z0-9 }:/_-]{0,12}`).Draw(t, "plain")
		value := rapid.String().Draw(t, "value")
		e := expander{lookup: func(string) (string, bool) { return value, true }, outside: func(string) {}, bareBraces: true, bareDollar: true}
		for _, form := range []string{"${X}", "${env:X}", "$env:X ", "$X ", "{env:X}"} {
			got, err := e.expand(plain + form + plain)
			if want := plain + value + strings.Repeat(" ", strings.Count(form, " ")) + plain; err != nil || got != want {
				t.Fatalf("%q: got %q, %v, want %q", plain+form+plain, got, err, want)
			}
		}
	})
}
