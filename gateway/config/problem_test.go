package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong with an entry is said with file, line and field, and costs that entry alone.
func TestProblems(t *testing.T) {
	for _, test := range []struct{ file, entry, want string }{
		{"c.json", `{"command": "x", "env": {
			"OK": "1",
			"KEY": "${NOT_SET}"}}`, `c.json:4: server "bad": env.KEY: the variable NOT_SET is not set; set it, or write a default: ${NOT_SET:-…}`},
		{"c.json", `{"command": "x", "args": ["a",
			"${env:NOT_SET}"]}`, `c.json:3: server "bad": args[1]: the variable NOT_SET is not set`},
		{"c.json", `{"url": "https://x/${NOT_SET}"}`, `c.json:2: server "bad": url: the variable NOT_SET`},
		{"c.json", `{"url": "https://x", "headers": {"A": "$env:NOT_SET"}}`, `server "bad": headers.A: the variable NOT_SET`},
		{"c.json", `{"command": "x", "env": {"K": "${input:other key}"}}`, `env.K: the file does not declare the input other key, and there is nobody to ask for it; declare it in inputs, or set the variable CODEMODE_INPUT_OTHER_KEY`},
		{"c.json", `{"command": "x", "env": {"K": "${command:pick}"}}`, `env.K: ${command:pick} is none of the forms that are known`},
		{"c.json", `{"command": "x", "env": {"K": "` + strings.Repeat("${A:-", 12) + strings.Repeat("}", 12) + `"}}`, `defaults within defaults more than 8 deep`},
		{"c.json", `{"command": "x", "args": "y"}`, `args: got a text, want a list of texts`},
		{"c.json", `{"command": 5.5e1, "args": [{}]}`, `args[0]: got an object, want a text`},
		{"c.json", `{"command": "x", "env": ["A=b"]}`, `env: got a list, want an object with texts`},
		{"c.json", `{"command": "x", "disabled": "yes"}`, `disabled: got a text, want true or false`},
		{"c.json", `{"command": "x", "timeout": -1}`, `timeout: got -1, want more than 0 and at most 24h`},
		{"c.json", `{"command": "x", "timeout": "soon"}`, `timeout: got "soon", want a number or a text such as "90s"`},
		{"c.json", `{"command": "x", "timeout": 1e300}`, `timeout: got 1e300, want`},
		{"c.json", `{"command": "x", "url": "https://x"}`, `has both a command and a url; say which by type`},
		{"c.json", `{"args": ["x"]}`, `args: there is no command that they are for`},
		{"c.json", `{}`, `has neither a command nor a url`},
		{"c.json", `{"command": ""}`, `has neither a command nor a url`},
		{"c.json", `"x"`, `c.json:2: server "bad": got a text, want an object`},
		{"c.json", `{"type": "websocket", "url": "wss://x"}`, `type: got "websocket", want stdio, http, sse, local or remote`},
		{"c.json", `{"type": "stdio", "url": "https://x"}`, `type: stdio wants a command`},
		{"c.json", `{"type": "sse", "command": "x"}`, `type: sse wants a url`},
		{"c.json", `{"command": "x", "args": ["a ${HOME"]}`, `args[0]: ${HOME has no } for its ${`},
		{"c.json", `{"command": 5}`, `command: got a number, want a text or a list of texts`},
		{"c.json", `{"command": "x", "env": {"A=B": "c"}}`, `env: got the name "A=B", want one without =`},
		{"c.json", `{"httpUrl": "ftp://user:hidden-word@x"}`, `httpUrl: want an absolute http or https address`},
		{"c.json", `{"openapi": "https://x/openapi.json"}`, `openapi: want a file; nothing is fetched`},
		{"c.json", `{"openapi": {"refs": true}}`, `openapi: has no file`},
		{"c.json", `{"openapi": 3}`, `openapi: got a number, want a file, or an object with file`},
		{"c.json", `{"openapi": {"file": "x.json", "retry": 50}}`, `openapi.retry: got 50, want a whole number from 1 to 10`},
		{"c.json", `{"openapi": {"file": "x.json", "maxResponse": "x"}}`, `openapi.maxResponse: got a text, want a number`},
		{"c.json", `{"openapi": {"file": "x.json", "deepObjects": "php"}}`, `openapi.deepObjects: got "php", want flat, indexed or bracketed`},
		{"c.json", `{"openapi": {"file": "x.json", "fixed": {"body": {}}}}`, `openapi.fixed.body: want query, header, path or cookie`},
		{"c.json", `{"openapi": {"file": "x.json", "fixed": {"query": {"a": []}}}}`, `openapi.fixed.query.a: got a list, want a text, a number, true or false`},
		{"c.json", `{"openapi": {"file": "x.json", "undeclared": {"apiKey": "x"}}}`, `openapi.undeclared: want {bearer}, {user, password} or {header, value}`},
		{"c.json", `{"openapi": {"file": "x.json", "origins": "x"}}`, `openapi.origins: got a text, want a list of texts`},
		{"c.json", `{"openapi": {"file": "https://x"}}`, `openapi.file: want a file; nothing is fetched`},
		{"c.json", `{"openapi": "x.json", "command": "x"}`, `command: an entry with openapi has no command`},
		{"c.json", `{"openapi": "x.json", "credentials": {"a": {"token": "x"}}}`, `credentials.a: want {bearer}, {apiKey}`},
		{"c.json", `{"command": "x", "codemode": {"validate": "sometimes"}}`, `codemode.validate: got "sometimes", want hint, strict or off`},
		{"c.json", `{"command": "x", "codemode": {"namespace": "a..b"}}`, `codemode.namespace: got "a..b"`},
		{"c.json", `{"command": "x", "codemode": {"namespace": "good"}}`, `codemode.namespace: good is the namespace of server "good" already`},
		{"c.json", `{"command": "x", "codemode": {"concurrency": 0}}`, `codemode.concurrency: got 0`},
		{"c.json", `{"command": "x", "codemode": {"roots": [1]}}`, `codemode.roots[0]: got a number, want a text`},
		{"c.json", `{"command": "x", "codemode": {"validate": "off",
			"exclde": ["wipe"]}}`, `c.json:3: server "bad": codemode.exclde: there is no such key; did you mean exclude?`},
		{"c.json", `{"command": "x", "codemode": {"nonsense": 1}}`, `codemode.nonsense: there is no such key; want one of namespace, description, `},
		{"c.json", `{"openapi": {"file": "x.json", "ref": true}}`, `openapi.ref: there is no such key; did you mean refs?`},
		{"c.json", `{"command": "x", "codemode": {"namespace": "$codemode.a"}}`, `c.json:2: server "bad": codemode.namespace: $codemode is where every program has tools of its own; name it otherwise`},
		{"c.json", `{"url": "https://x", "headers": {"A": "1",
			"X Y": "hidden-word"}}`, `c.json:3: server "bad": headers.X Y: the name of a header has letters, digits and hyphens only`},
		{"c.json", `{"url": "https://x", "headers": {"": "hidden-word"}}`, `headers.: has no name`},
		{"c.json", `{"url": "https://x", "headers": {"A": "hidden-word\n"}}`, `headers.A: the value of a header has no line ends`},
		{"c.json", `{"url": "https://x", "env_http_headers": {"A": "LINES"}}`, `env_http_headers.A: the value of a header has no line ends`},
		{"c.json", `{"url": "https://x", "bearer_token_env_var": "LINES"}`, `bearer_token_env_var: the value of the variable has line ends`},
		{"c.json", `{"openapi": "x.json", "headers": {"A(": "x"}}`, `headers.A(: the name of a header has`},
		{"c.json", `{"command": "x", "args": ["\u0000"]}`, `args[0]: has the character U+0000`},
		{"c.json", `{"command": "x", "env": {"A": "\u0000"}}`, `env.A: has the character U+0000`},
		{"c.json", `{"command": "x", "codemode": []}`, `codemode: got a list, want an object, or false`},
	} {
		source := `{"mcpServers": {"good": {"command": "g"},` + "\n" + `"bad": ` + test.entry + `}}`
		c, err := Parse(test.file, []byte(source), options())
		if err != nil {
			t.Errorf("%s: %v", test.entry, err)
			continue
		}
		good, bad := c.Servers[0], c.Servers[1]
		if !good.Usable() || bad.Usable() || !strings.Contains(fmt.Sprint(bad.Err()), test.want) || strings.Contains(fmt.Sprint(bad.Err()), "hidden-word") {
			t.Errorf("%s\n got %v\nwant %s", test.entry, bad.Err(), test.want)
		}
	}
}

// An entry whose name makes no namespace is told so, with its line.
func TestNamesThatMakeNoNamespace(t *testing.T) {
	for name, want := range map[string]string{
		"": "the entry has no name; name it otherwise, or set codemode.namespace", "$codemode": "$codemode is where every program has tools of its own",
		"a..b": "nothing stands between two dots of its name", ".a": "nothing stands between two dots", "a.": "or at an end of it",
	} {
		c, err := Parse("c.json", fmt.Appendf(nil, "{\"mcpServers\": {\n%q: {\"command\": \"x\"}}}", name), options())
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(c.Servers[0].Err()); !strings.HasPrefix(got, "c.json:2: ") || !strings.Contains(got, want) {
			t.Errorf("%q: %s", name, got)
		}
		c, err = Parse("c.json", fmt.Appendf(nil, `{"mcpServers": {%q: {"command": "x", "codemode": {"namespace": "fine"}}}}`, name), options())
		if err != nil || !c.Servers[0].Usable() {
			t.Errorf("%q with a namespace: %v %v", name, err, c.Servers[0].Err())
		}
	}
}

// What is wrong is said once.
func TestAProblemOnce(t *testing.T) {
	for _, entry := range []string{`{"command": "x", "disabled": "yes"}`, `{"enabled": 1, "command": "x"}`} {
		c, err := Parse("c.json", []byte(`{"mcpServers": {"x": `+entry+`}}`), options())
		if err != nil || len(c.Servers[0].Problems) != 1 {
			t.Errorf("%s: %v %v", entry, err, c.Servers[0].Problems)
		}
	}
}

// A key that means nothing and is nearly one that does is warned of; others are keys of other programs.
func TestKeysThatAreNearlyOthers(t *testing.T) {
	for key, meant := range map[string]string{
		"excludeTool": "excludeTools", "includeTool": "includeTools", "disabledTool": "disabledTools", "exclude_tools": "excludeTools", "allowedTool": "allowedTools",
		"disable": "disabled", "codeMode": "codemode", "header": "headers", "enabledTools": "enabled_tools",
		"someKey": "", "trust": "", "autoApprove": "", "icons": "", "x-vendor": "", "metadata": "",
	} {
		c, err := Parse("c.json", fmt.Appendf(nil, "{\"mcpServers\": {\"x\": {\"command\": \"x\",\n%q: [\"wipe\"]}}}", key), options())
		if err != nil || !c.Servers[0].Usable() {
			t.Errorf("%s: %v", key, err)
			continue
		}
		want := "[]"
		if meant != "" {
			want = `[c.json:2: server "x": ` + key + `: means nothing here; did you mean ` + meant + `?]`
		}
		if got := fmt.Sprint(c.Servers[0].Warnings); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// An entry that would start this gateway is off.
func TestSelf(t *testing.T) {
	for _, entry := range []string{
		`{"command": "/opt/bin/codemode", "args": ["serve", "--from", "claude"]}`,
		`{"command": "npx", "args": ["codemode", "--x", "serve"]}`,
		`{"command": "sh", "args": ["-c", "exec '/usr/bin/codemode.exe' serve"]}`,
	} {
		c, err := Parse("c.json", []byte(`{"mcpServers": {"x": `+entry+`}}`), options())
		if err != nil || !c.Servers[0].Disabled || c.Servers[0].Why != "it starts this gateway itself" {
			t.Error(entry, err, c.Servers[0].Why)
		}
	}
}

func TestSelfByAddress(t *testing.T) {
	for _, test := range []struct {
		url, own string
		self     bool
	}{
		{"http://127.0.0.1:3900/mcp", "127.0.0.1:3900", true},
		{"http://localhost:3900/mcp", "127.0.0.1:3900", true},
		{"http://[::1]:3900/", ":3900", true},
		{"https://gw.example.com/mcp", "gw.example.com:443", true},
		{"http://127.0.0.1:3901/mcp", "127.0.0.1:3900", false},
		{"http://gw.example.com:3900/mcp", "127.0.0.1:3900", false},
		{"http://127.0.0.1:3900/mcp", "", false},
		{"http://127.0.0.1:3900/mcp", "127.0.0.1:0", false},
	} {
		o := options()
		o.Address = test.own
		c, err := Parse("c.json", fmt.Appendf(nil, `{"mcpServers": {"x": {"url": %q}}}`, test.url), o)
		if err != nil || c.Servers[0].Disabled != test.self || test.self && c.Servers[0].Why != "it is this gateway itself" {
			t.Error(test, err, c.Servers[0].Why)
		}
	}
}

// A program of another name that takes the word serve, and this one with another command, are no gateway.
func TestOthersThatServe(t *testing.T) {
	for _, entry := range []string{`{"command": "github-mcp", "args": ["serve"]}`, `{"command": "codemode", "args": ["run", "x.ts"]}`, `{"command": "srv", "args": ["serve", "codemode"]}`, `{"command": "srv", "args": ["--codemode", "serve"]}`} {
		c, err := Parse("c.json", []byte(`{"mcpServers": {"x": `+entry+`}}`), options())
		if err != nil || !c.Servers[0].Usable() {
			t.Error(entry, err, c.Servers[0].Err())
		}
	}
}

// Names of the same file that stand for one program are found by the file.
func TestSelfUnderAnotherName(t *testing.T) {
	folder := t.TempDir()
	own, link := filepath.Join(folder, "codemode-1.2"), filepath.Join(folder, "gw")
	if err := os.WriteFile(own, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, link); err != nil {
		t.Skip(err) // some systems allow it to administrators only
	}
	o := options()
	o.Executables = []string{own}
	c, err := Parse("c.json", fmt.Appendf(nil, `{"mcpServers": {"x": {"command": %q, "args": ["serve"]}}}`, link), o)
	if err != nil || c.Servers[0].Usable() {
		t.Error("the link is not recognised", err)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for _, test := range []struct{ file, source, want string }{
		{"c.json", "{\"mcpServers\": {\n\"a\": {\"command\": }}}", "c.json:2: "},
		{"c.json", `[]`, "c.json: got a list, want an object"},
		{"c.json", `{"other": {}}`, "has no servers: want an object mcpServers"},
		{"c.json", `{"mcpServers": []}`, "has no servers"},
		{"c.json", "{\n" + strings.Repeat(`{"a":[`, 100000), "c.json:2: nests deeper than 64 levels"},
		{"c.toml", "a = 1\nb = ]\n", "c.toml:2: "},
		{"c.toml", "[mcp_servers.a]\nargs = " + strings.Repeat("[", 100000), "c.toml:2: nests deeper than 64 levels"},
		{"c.toml", strings.Repeat("a.", 100000) + "a = 1", "c.toml:1: nests deeper than 64 levels"},
		{"c.yaml", "a: 1\nextensions: [x\n", "c.yaml:"},
		{"c.yaml", "other: {}", "has no servers: want an object mcpServers"},
		{"c.yml", "- a\n", "c.yml: got a list, want an object"},
		{"c.yaml", "", "c.yaml: got null, want an object"},
		{"c.yaml", "a: &a [*a]\n", "c.yaml:1: the alias *a stands for what it is part of"},
		{"c.yaml", "x: 1\nextensions:\n  a: " + strings.Repeat("[", 100), "c.yaml:"},
		{"c.yaml", "x: 1\nextensions:\n  a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), "c.yaml:3: nests deeper than 64 levels"},
		{"c.yaml", "a: " + strings.Repeat("x", 1<<20), "bytes, want at most 1048576"},
	} {
		c, err := Parse(test.file, []byte(test.source), options())
		var p Problem
		if c != nil || !errors.As(err, &p) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: got %v, want %s", test.source, err, test.want)
		}
	}
	if _, err := Load([]string{filepath.Join(t.TempDir(), "none.json"), t.TempDir()}, options()); err == nil || !strings.Contains(err.Error(), "none.json: no such file") || !strings.Contains(err.Error(), "is a folder") {
		t.Error(err)
	}
}

// Lines in TOML are those of the keys.
func TestLinesInTOML(t *testing.T) {
	source := "# mcp_servers.a\n[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.b]\ncommand = \"b\"\nargs = [\n  \"${NOT_SET}\",\n]\n[mcp_servers.b.env]\nX = 5\nKEY = \"${NOT_SET}\"\n"
	c, err := Parse("c.toml", []byte(source), options())
	if err != nil {
		t.Fatal(err)
	}
	b := c.Servers[1]
	if c.Servers[0].Line != 2 || b.Line != 5 || len(b.Problems) != 2 || b.Problems[0].Line != 7 || b.Problems[1].Line != 12 || b.Problems[1].Field != "env.KEY" {
		t.Errorf("got %d, %d, %v", c.Servers[0].Line, b.Line, b.Err())
	}
}

func written(t *testing.T, name, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The later file wins, entry by entry; what is replaced asks nothing and needs no variables.
func TestSeveralFiles(t *testing.T) {
	first := written(t, "a.json", `{"mcpServers": {"x": {"command": "${NOT_SET}", "env": {"A": "1"}}, "y": {"command": "y"}, "z": {"command": "z"}}}`)
	second := written(t, "b.toml", "[mcp_servers.x]\ncommand = \"new\"\n[mcp_servers.z]\ncommand = \"z\"\nenabled = false\n[mcp_servers.w]\ncommand = \"w\"")
	empty := written(t, "c.json", `{"theme": "dark"}`)
	c, err := Load([]string{first, second, empty, first[:len(first)-len("a.json")] + "./a.json"}, options())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range c.Servers {
		got = append(got, fmt.Sprintf("%s %d%d%v", s.Name, len(s.Command), len(s.Env), s.Usable()))
	}
	if want := "[x 10true y 10true z 00false w 10true]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if len(c.Notes) != 3 || !strings.Contains(c.Notes[0].Error(), `b.toml:1: server "x": counts instead of that in `+first+":1") || !strings.Contains(c.Notes[2].Text, "has no servers") {
		t.Errorf("got %v", c.Notes)
	}
	if _, err := Load([]string{empty}, options()); err == nil {
		t.Error("no servers at all are no error")
	}
}

// Each input is asked for once, and its servers are off if nobody answers.
func TestInputs(t *testing.T) {
	source := `{"inputs": [{"id": "a", "type": "promptString", "description": "The A", "password": true, "default": "d"}, {"id": "p", "type": "pickString", "options": ["x", {"label": "Y", "value": "y"}]}, {"id": "c", "type": "command"}],
		"servers": {"one": {"command": "${input:a}", "args": ["${input:a}", "${input:p}"]}, "two": {"command": "${input:p}"}, "three": {"command": "${input:c}"}, "four": {"command": "${input:none}"}}}`
	var asked []Input
	answers := map[string]string{"a": "${TOKEN}", "p": "y"}
	o := options()
	o.Prompt = func(i Input) (string, error) {
		asked = append(asked, i)
		if v, ok := answers[i.ID]; ok {
			return v, nil
		}
		return "", errors.New("nobody answered")
	}
	c, err := Parse("mcp.json", []byte(source), o)
	if err != nil {
		t.Fatal(err)
	}
	if got := actual(c.Servers[0]).command; fmt.Sprint(got) != "[${TOKEN} ${TOKEN} y]" {
		t.Errorf("got %q", got)
	}
	if len(asked) != 3 || asked[0].Description != "The A" || !asked[0].Password || asked[0].Default != "d" || fmt.Sprint(asked[1].Choices) != "[x y]" || !asked[2].Password {
		t.Errorf("asked %+v", asked)
	}
	if c.Servers[2].Usable() || !strings.Contains(c.Servers[3].Err().Error(), "nobody answered") {
		t.Error(c.Servers[2].Err(), c.Servers[3].Err())
	}
	answers["p"] = "z"
	if c, _ = Parse("mcp.json", []byte(source), o); !strings.Contains(c.Servers[1].Err().Error(), "none of its options: x, y") {
		t.Error(c.Servers[1].Err())
	}
	if c, _ = Parse("mcp.json", []byte(source), options()); !strings.Contains(fmt.Sprint(c.Servers[0].Err()), "CODEMODE_INPUT_P") || strings.Contains(fmt.Sprint(c.Servers[0].Err()), "CODEMODE_INPUT_A") {
		t.Error("the default is not taken", c.Servers[0].Err())
	}
}

// Whatever prints a configuration, the secrets are not in it.
func TestSecretsAreNotPrinted(t *testing.T) {
	source := `{"mcpServers": {"a": {"command": "a", "args": ["--api-key", "sk-argument", "--token=sk-equals"], "env": {"K": "${TOKEN}", "L": "sk-literal"}},
		"b": {"url": "https://u:sk-password@x/?key=sk-query", "headers": {"A": "Bearer sk-header"}}, "c": {"openapi": "x.json", "credentials": {"s": {"bearer": "sk-bearer"}}}}}`
	c, err := Parse("c.json", []byte(source), options())
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	for _, s := range c.Servers {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			fmt.Fprintf(&printed, verb+"\n", s)
			fmt.Fprintf(&printed, verb+"\n", s.URL)
			for _, w := range s.Command {
				fmt.Fprintf(&printed, verb+"\n", w)
			}
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Error(err)
		}
		printed.Write(text)
		slog.New(slog.NewTextHandler(&printed, nil)).Info("x", "server", s, "url", s.URL)
	}
	for _, secret := range []string{"sk-", "s3cr3t", "736b2d"} {
		if at := strings.Index(printed.String(), secret); at >= 0 {
			t.Errorf("%s is printed: …%s", secret, printed.String()[max(0, at-60):at+30])
		}
	}
	for server, said := range map[int][]string{
		0: {"sk-argument", "sk-equals", "s3cr3t-token", "sk-literal", `"sk-literal"`, "c2stbGl0ZXJhbA=="},
		1: {"sk-password", "sk-query", "Bearer sk-header", "sk-header"},
		2: {"sk-bearer"},
	} {
		for _, text := range said {
			if got := c.Servers[server].Redactor.Redact("it said " + text + "!"); strings.Contains(got, "sk-") || strings.Contains(got, "s3cr3t") || strings.Contains(got, "c2st") || !strings.HasPrefix(got, "it said ") {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	none := func(string) (string, bool) { return "", false }
	for _, test := range []struct {
		s      system
		client string
		want   string
	}{
		{system{"darwin", "/Users/a", "/p", none}, "claude", "/Users/a/Library/Application Support/Claude/claude_desktop_config.json /Users/a/.claude.json /p/.mcp.json"},
		{system{"linux", "/home/a", "/p", none}, "vscode", "/home/a/.config/Code/User/mcp.json /p/.mcp.json /p/.vscode/mcp.json"},
		{system{"windows", "/u/a", "/p", func(n string) (string, bool) { return "/u/a/Roaming", n == "APPDATA" }}, "claude", "/u/a/Roaming/Claude/claude_desktop_config.json /u/a/.claude.json /p/.mcp.json"},
		{system{"linux", "/home/a", "/p", none}, "cursor", "/home/a/.cursor/mcp.json /p/.cursor/mcp.json"},
		{system{"linux", "/home/a", "/p", none}, "gemini", "/home/a/.gemini/settings.json /p/.gemini/settings.json"},
		{system{"linux", "/home/a", "/p", func(n string) (string, bool) { return "/cx", n == "CODEX_HOME" }}, "codex", "/cx/config.toml /p/.codex/config.toml"},
	} {
		if got := filepath.ToSlash(strings.Join(test.s.places(test.client), " ")); got != test.want {
			t.Errorf("%s on %s: got %s, want %s", test.client, test.s.os, got, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	o := options()
	o.Home, o.Workspace = t.TempDir(), t.TempDir()
	if _, err := Find("cursor", o); err == nil || !strings.Contains(err.Error(), "looked for "+o.Home) {
		t.Error(err)
	}
	if _, err := Find("emacs", o); err == nil || !strings.Contains(err.Error(), "claude, cursor, vscode, gemini, codex") {
		t.Error(err)
	}
	file := filepath.Join(o.Home, ".claude.json")
	source := fmt.Sprintf(`{"numStartups": 3, "projects": {"/other": {"mcpServers": {"no": {"command": "no"}}}, %q: {"mcpServers": {"local": {"command": "l"}, "both": {"command": "project"}}}}, "mcpServers": {"user": {"command": "u"}, "both": {"command": "user"}}}`, o.Workspace)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := Find("claude", o)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	c, err := Load(files, o)
	if err != nil || len(c.Servers) != 3 {
		t.Fatal(c, err)
	}
	for i, want := range []string{"user", "both", "local"} {
		if c.Servers[i].Name != want {
			t.Errorf("got %s, want %s", c.Servers[i].Name, want)
		}
	}
	if got := actual(c.Servers[1]).command[0]; got != "project" {
		t.Errorf("got %s", got)
	}
}

func TestLinesInYAML(t *testing.T) {
	c, err := Parse("c.yaml", []byte("extensions:\n  a:\n    cmd: x\n    envs:\n      ONE: 1\n      KEY: ${CODEMODE_NOT_SET}\n  b:\n    args: [1]\n"), options())
	if err != nil || len(c.Servers) != 2 {
		t.Fatal(err, c)
	}
	a, b := c.Servers[0], c.Servers[1]
	if a.Line != 2 || len(a.Problems) != 1 || a.Problems[0].Line != 6 || a.Problems[0].Field != "envs.KEY" || b.Line != 7 || len(b.Problems) != 1 || b.Problems[0].Line != 8 {
		t.Errorf("%+v\n%+v", a.Problems, b.Problems)
	}
}

// Some clients write an empty list of tools for all of them, others for none.
func TestEmptyListsOfTools(t *testing.T) {
	for key, all := range map[string]bool{"available_tools": true, "includeTools": false} {
		c, err := Parse("c.json", []byte(`{"extensions": {"x": {"cmd": "x", "type": "stdio", "`+key+`": []}}}`), Options{})
		if err != nil || !c.Servers[0].Usable() || (c.Servers[0].Include == nil) != all {
			t.Errorf("%s: %v %+v", key, err, c.Servers)
		}
	}
}
