package config

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each snippet for a client in the documentation is read as that client's file, and starts what it says.
func TestSnippetsOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/gateway.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "## Five minutes to the first program")
	section, _, ok := strings.Cut(text2, "\n## ")
	if !ok {
		t.Fatal("the section is not there")
	}
	t.Setenv("GITHUB_TOKEN", "a-token-of-the-test")
	clients := []string{"Move the servers", "Claude Desktop", "Claude Code", "Cursor", "VS Code", "Gemini CLI", "Codex", "Windsurf", "extensions"}
	snippets := regexp.MustCompile("(?s)([^`]*(?:`[^`\n]+`[^`]*)*)```(json|toml|yaml)\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(snippets) != len(clients) {
		t.Fatalf("got %d snippets, want one for each of %v", len(snippets), clients)
	}
	for i, s := range snippets {
		client := clients[i]
		if !strings.Contains(s[1], client) {
			t.Errorf("snippet %d is not introduced as that of %s: %s", i, client, s[1])
		}
		file := filepath.Join(t.TempDir(), "servers."+s[2])
		if err := os.WriteFile(file, []byte(s[3]), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load([]string{file}, Options{})
		if err != nil {
			t.Errorf("%s: %v", client, err)
			continue
		}
		for _, server := range c.Servers {
			if len(server.Problems) > 0 || len(server.Unread) > 0 && client != "extensions" {
				t.Errorf("%s: %v, %v", client, server.Problems, server.Unread)
			}
		}
		if i == 0 {
			if len(c.Servers) != 2 || !c.Servers[0].Usable() || !c.Servers[1].Usable() {
				t.Errorf("%s: %+v", client, c.Servers)
			}
			continue
		}
		var words []string
		for _, word := range c.Servers[0].Command {
			words = append(words, word.Reveal())
		}
		words[0] = filepath.Base(words[0])
		if want := []string{"codemode", "serve", "--config", "/home/you/codemode/servers.json"}; len(c.Servers) != 1 || c.Servers[0].Name != "codemode" || !slices.Equal(words, want) {
			t.Errorf("%s: got %d servers, %v", client, len(c.Servers), words)
		}
	}
}
