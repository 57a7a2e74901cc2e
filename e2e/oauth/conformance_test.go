package oauth

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/e2e/npm"
)

// What this test binary is when it is started by something else than go test.
const (
	roleVariable    = "CODEMODE_TEST_ROLE"
	commandVariable = "CODEMODE_TEST_COMMAND"
	clientVariable  = "CODEMODE_TEST_CLIENT_ID"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "browser":
		resp, err := http.Get(os.Args[len(os.Args)-1])
		if err != nil {
			os.Exit(1)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	case "client":
		os.Exit(beClient(os.Args[len(os.Args)-1]))
	default:
		os.Exit(m.Run())
	}
}

// asked is the command line that a message names.
var asked = regexp.MustCompile(`run codemode (login s(?: --scope '?[^'\n)]+'?)?)`)

// beClient is a person who signs in to a server and calls its tools, and does what the messages say.
func beClient(address string) int {
	folder, err := os.MkdirTemp("", "oauth")
	if err != nil {
		return 1
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "mcp.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"mcpServers": {"s": {"url": %q}}}`, address), 0o600); err != nil {
		return 1
	}
	command := func(args ...string) (string, error) {
		c := exec.Command(os.Getenv(commandVariable), append(args, "--config", file)...)
		c.Env = append(os.Environ(), roleVariable+"=browser", "BROWSER="+os.Args[0], "CODEMODE_LOGIN_FILE="+filepath.Join(folder, "tokens.json"))
		out, err := c.CombinedOutput()
		os.Stderr.Write(out)
		return string(out), err
	}
	login := []string{"login", "s"}
	if id := os.Getenv(clientVariable); id != "" {
		login = append(login, "--client-id", id)
	}
	for range 3 {
		if _, err := command(login...); err != nil {
			return 1
		}
		out, err := command("run", "-e", `for (const name of Object.keys(tools.s)) await tools.s[name]({})`)
		if err == nil {
			return 0
		}
		next := asked.FindStringSubmatch(out)
		if next == nil {
			return 1
		}
		line, scope, stepsUp := strings.Cut(next[1], " --scope ")
		if login = strings.Fields(line); stepsUp {
			login = append(login, "--scope", strings.Trim(scope, "'"))
		}
	}
	return 1
}

// scenarios are those of the authorisation code. Left out are metadata-var2 and -var3, whose authorisation server has
// another issuer in its metadata than the one it was found by, which RFC 8414 §3.3 forbids to use, and scope-retry-limit:
// each step up is a person's.
var scenarios = []string{
	"metadata-default", "metadata-var1", "basic-cimd", "2025-03-26-oauth-metadata-backcompat", "2025-03-26-oauth-endpoint-fallback",
	"scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined", "scope-step-up",
	"token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none",
}

func TestConformanceOfSigningIn(t *testing.T) {
	if err := npm.Install(".."); err != nil {
		t.Fatal(err)
	}
	command := filepath.Join(t.TempDir(), "codemode")
	build := exec.Command("go", "build", "-o", command, "./cmd/codemode")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, scenario := range scenarios {
		t.Run(scenario, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
			defer stop()
			c := exec.CommandContext(ctx, "node", filepath.Join("..", "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"client", "--command", os.Args[0], "--scenario", "auth/"+scenario, "--timeout", "90000")
			c.Env = append(os.Environ(), roleVariable+"=client", commandVariable+"="+command)
			if scenario == "basic-cimd" {
				c.Env = append(c.Env, clientVariable+"=https://conformance-test.local/client-metadata.json")
			}
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "0 failed, 0 warnings") || strings.Contains(string(out), "Passed: 0") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
