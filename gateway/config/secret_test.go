package config

// This file defines tests of what is kept out of answers, and what is not.

import (
	"fmt"
	"strings"
	"testing"
)

// redactorOf is that of an entry.
func redactorOf(t *testing.T, entry string) *Redactor {
	t.Helper()
	o := options()
	lookup := o.Lookup
	o.Lookup = func(name string) (string, bool) {
		if name == "DB" {
			return "postgres://ada:swordfish@db.example.com/shop", true
		}
		return lookup(name)
	}
	c, err := Parse("c.json", []byte(`{"mcpServers": {"x": `+entry+`}}`), o)
	if err != nil || !c.Servers[0].Usable() {
		t.Fatalf("%s: %v %v", entry, err, c.Servers[0].Err())
	}
	return c.Servers[0].Redactor
}

func env(name, value string) string {
	return fmt.Sprintf(`{"command": "x", "env": {%q: %q}}`, name, value)
}

func arg(words ...string) string {
	return fmt.Sprintf(`{"command": "x", "args": ["%s"]}`, strings.Join(words, `", "`))
}

// What is a secret by its form or its name is in no answer, whatever an entry calls it and however the server repeats it.
func TestSecretsByFormAndName(t *testing.T) {
	for _, test := range []struct {
		entry   string
		answers []string // in each the secret is hidden
		secret  string
	}{
		{env("REDIS", "redis://:redispass77@localhost:6379/0"), []string{"redis://:redispass77@localhost:6379/0", "redis://:redispass77@localhost:6379/1", "password redispass77"}, "redispass77"},
		{env("DATABASE_URL", "postgres://ada:swordfish@db/shop"), []string{"postgres://ada:swordfish@db/shop", "auth failed for swordfish"}, "swordfish"},
		{env("X", "postgres://ada:sword%66ish@db/shop"), []string{"sword%66ish", "swordfish"}, "sword"},
		{env("X", "postgres://ada:pa/swordfish@db/shop"), []string{"pa/swordfish"}, "swordfish"},
		{env("X", "postgres://ada:swordfish@[::1]:5432/shop"), []string{"swordfish"}, "swordfish"},
		{env("X", "postgres://u:p@h/db"), []string{"postgres://u:p@h/db", "postgres://u:p@other/db"}, "u:p"},
		{env("X", "ada:swordfish@tcp(db:3306)/shop"), []string{"ada:swordfish@tcp(db:3306)/shop", "swordfish"}, "swordfish"},
		{env("X", "ada:swordfish@db.example.com:3306/shop"), []string{"swordfish"}, "swordfish"},
		{env("X", "jdbc:mysql://db/shop?user=ada&password=swordfish"), []string{"swordfish"}, "swordfish"},
		{env("X", "host=db user=ada password=sw0rdfish"), []string{"sw0rdfish"}, "sw0rdfish"},
		{env("X", "Server=db;Pwd=sw0rdfish;Database=shop"), []string{"sw0rdfish"}, "sw0rdfish"},
		{env("X", "primary postgres://ada:swordfish@db/shop then more"), []string{"postgres://ada:swordfish@db/shop", "swordfish"}, "swordfish"},
		{env("X", "https://ghp0123456789abcdef:x-oauth@github.com/a.git"), []string{"ghp0123456789abcdef"}, "ghp0"},
		{env("X", "https://${DB}"), []string{"postgres://ada:swordfish@db.example.com/shop", "swordfish"}, "swordfish"},
		{arg("${DB}"), []string{"postgres://ada:swordfish@db.example.com/shop", "swordfish"}, "swordfish"},
		{arg("postgres://ada:swordfish@db/shop"), []string{"postgres://ada:swordfish@db/shop", "swordfish"}, "swordfish"},
		{arg("--dsn=postgres://ada:swordfish@db/shop"), []string{"--dsn=postgres://ada:swordfish@db/shop", "swordfish"}, "swordfish"},
		{arg("--url=postgres://ada:swordfish@db/shop"), []string{"--url=postgres://ada:swordfish@db/shop", "postgres://ada:swordfish@db/shop"}, "swordfish"},
		{arg("--dsn", "ada/swordfish"), []string{"ada/swordfish"}, "swordfish"},
		{arg("--pwd", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("SLACK_WEBHOOK_URL", "https://hooks.example.com/services/T0/B0/swordfish"), []string{"https://hooks.example.com/services/T0/B0/swordfish", "/services/T0/B0/swordfish"}, "swordfish"},
		{env("NOTIFY", "https://hooks.example.com/services/T0/B0/a1B2c3D4e5F6g7H8i9J0k1L2"), []string{"https://hooks.example.com/services/T0/B0/a1B2c3D4e5F6g7H8i9J0k1L2", "a1B2c3D4e5F6g7H8i9J0k1L2"}, "a1B2"},
		{env("X", "https://blob.example.com/f?sv=2024&sig=swordfish%2Fx"), []string{"sig=swordfish%2Fx", "swordfish/x"}, "swordfish"},
		{`{"url": "https://x.example.com/mcp?sig=swordfish"}`, []string{"swordfish"}, "swordfish"},
		{`{"url": "https://x.example.com/s/a1B2c3D4e5F6g7H8i9J0k1L2/mcp"}`, []string{"a1B2c3D4e5F6g7H8i9J0k1L2"}, "a1B2"},
		{`{"url": "https://x.example.com/mcp", "headers": {"X-DB": "redis://:swordfish@cache/0"}}`, []string{"swordfish"}, "swordfish"},
		{env("GH_PAT", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("OPENAI_APIKEY", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("openaiApiKey", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("BOTTOKEN", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("AUTH_HEADER", "Basic swordfish"), []string{"swordfish"}, "swordfish"},
		{env("X_AUTH", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("KEY", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("X", "sk-live-4f9a8b7c"), []string{"sk-live-4f9a8b7c"}, "4f9a8b7c"},
		{env("X", "hunter22"), []string{"hunter22"}, "hunter22"},
		{env("X", "550e8400-e29b-41d4-a716-446655440000"), []string{"550e8400-e29b-41d4-a716-446655440000"}, "550e8400"},
		{env("githubPat", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("PGPWD", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("MYSQL_PWD", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("DB_PASS", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("WEBHOOK", "swordfish"), []string{"swordfish"}, "swordfish"},
		{env("X_SIGNATURE", "swordfish"), []string{"swordfish"}, "swordfish"},
	} {
		r := redactorOf(t, test.entry)
		for _, answer := range test.answers {
			if got := r.RedactAnswer("it said " + answer + "!"); strings.Contains(got, test.secret) || !strings.HasPrefix(got, "it said ") || !strings.HasSuffix(got, "!") {
				t.Errorf("%s: %s is %s in an answer", test.entry, answer, got)
			}
			if got := r.Redact(answer); strings.Contains(got, test.secret) {
				t.Errorf("%s: %s is %s in a message", test.entry, answer, got)
			}
		}
	}
	if got := redactorOf(t, env("X", "postgres://ada:swordfish@db/shop")).RedactAnswer("at postgres://ada:swordfish@db/shop."); got != "at [hidden]." {
		t.Errorf("the whole address: %s", got)
	}
}

// Folders, files, plain addresses and words of a configuration stay in answers: programs work with them.
func TestWhatIsNoSecret(t *testing.T) {
	for _, test := range []struct{ entry, answer string }{
		{env("PATH", "/usr/local/bin:/usr/bin"), "/usr/local/bin:/usr/bin"},
		{env("PATTERN", "invoices"), "invoices"},
		{env("PATCH_MODE", "careful"), "careful"},
		{env("DESIGN", "minimal"), "minimal"},
		{env("AWS_REGION", "eu-west-1"), "eu-west-1"},
		{env("DB_HOST", "127.0.0.1"), "http://127.0.0.1:80/x"},
		{env("HOST", "localhost:3000"), "http://localhost:3000"},
		{env("GIT_AUTHOR_NAME", "Ada Lovelace"), "Ada Lovelace"},
		{env("KEYBOARD", "qwertz"), "qwertz"},
		{env("MONKEY", "swinging"), "swinging"},
		{env("MAX_TOKENS", "100000"), "100000"},
		{env("MODEL", "gpt-4o-mini"), "gpt-4o-mini"},
		{env("EMAIL", "ada@example.com"), "ada@example.com"},
		{env("SINCE", "2024-01-31"), "2024-01-31"},
		{env("FILE", "report-2024.csv"), "report-2024.csv"},
		{env("AUTH_MODE", "oauth-device"), "oauth-device"},
		{env("COOKIE_POLICY", "strict"), "strict"},
		{env("SHEET", "https://docs.example.com/d/1AbCdEfGh2IjKlMnOp3QrStUv/edit"), "https://docs.example.com/d/1AbCdEfGh2IjKlMnOp3QrStUv/edit"},
		{env("PWD", "/home/ada/work"), "/home/ada/work/a.txt"},
		{env("API_URL", "https://api.example.com/v2/items"), "https://api.example.com/v2/items/7"},
		{env("AUTH_URL", "https://login.example.com/oauth/authorize"), "https://login.example.com/oauth/authorize"},
		{env("PROXY", "http://proxy.example.com:8080"), "http://proxy.example.com:8080"},
		{env("LIST", "https://api.example.com/items?sort=created&limit=100000"), "created 100000"},
		{env("SORT", "key=created"), "created"},
		{env("GIT", "ssh://git@example.com/ada/notes.git"), "git ssh://git@example.com/ada/notes.git"},
		{env("GIT", "git@example.com:ada/notes.git"), "ada/notes.git"},
		{env("IMAGE", "postgres:latest@sha256:abc"), "latest"},
		{env("DB", "postgres://ada@db.example.com/shop"), "ada db.example.com shop"},
		{env("DB", "postgres://ada:swordfish@db.example.com/shop"), "db.example.com ada shop"},
		{env("WEBHOOK_HOST", "https://hooks.example.com"), "https://hooks.example.com"},
		{arg("-y", "@modelcontextprotocol/server-filesystem", "/home/ada/notes"), "/home/ada/notes/b.md @modelcontextprotocol/server-filesystem"},
		{arg("npm:left-pad@1.3.0"), "left-pad"},
		{arg("--root=/home/ada/notes"), "/home/ada/notes"},
		{arg("--url=https://api.example.com/v1"), "https://api.example.com/v1"},
		{arg("file:///home/ada/a1B2c3D4e5F6g7H8i9J0k1L2"), "file:///home/ada/a1B2c3D4e5F6g7H8i9J0k1L2"},
		{`{"url": "https://x.example.com/projects/my-long-project-name-2024/mcp"}`, "my-long-project-name-2024"},
		{`{"url": "https://x.example.com/projects/123e4567-e89b-12d3-a456-426614174000"}`, "123e4567-e89b-12d3-a456-426614174000"},
		{`{"url": "https://x.example.com:8443/mcp"}`, "https://x.example.com:8443/mcp"},
	} {
		if got := redactorOf(t, test.entry).RedactAnswer(test.answer); got != test.answer {
			t.Errorf("%s: %s is %s", test.entry, test.answer, got)
		}
	}
}

// The forms that are looked for cost no more than the text is long.
func TestLongValues(t *testing.T) {
	for _, part := range []string{"a://", "a://b:c@", "?a=b", "x=y;", ":@/", "a:b@"} {
		redactorOf(t, env("X", strings.Repeat(part, 20000)))
	}
	var pairs strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&pairs, "key%d=value-%d;", i, i)
	}
	redactorOf(t, env("X", pairs.String()))
}
