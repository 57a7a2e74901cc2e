package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/mcp/oauth/oauthtest"
)

// browserVariable makes this test binary a browser, which goes to the address it is given.
const browserVariable = "CODEMODE_TEST_BROWSER"

func TestMain(m *testing.M) {
	if os.Getenv(browserVariable) != "" {
		if _, err := oauthtest.Visit(os.Args[len(os.Args)-1]); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(code)
}

// folder has the command that was built, "" if none was.
var folder string

// built is the command as a user has it.
var built = sync.OnceValues(func() (_ string, err error) {
	if folder, err = os.MkdirTemp("", "codemode"); err != nil {
		return "", err
	}
	bin := filepath.Join(folder, "codemode.exe")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return bin, err
})

// user is somebody with the command, a configuration and a browser.
type user struct {
	*testing.T
	as     *oauthtest.Server
	config string
	env    []string
	file   string // of the tokens
	output strings.Builder
}

func newUser(t *testing.T, b oauthtest.Behaviour) *user {
	u := &user{T: t, as: oauthtest.New(t, b), file: filepath.Join(t.TempDir(), "made", "tokens.json")}
	u.config = written(t, "mcp.json", fmt.Sprintf(`{"mcpServers": {
		"guarded": {"type": "http", "url": %q},
		"header": {"type": "http", "url": %[1]q, "headers": {"authorization": "Bearer sk-of-the-file"}},
		"off": {"type": "http", "url": %[1]q, "oauth": false},
		"local": {"command": "codemode-test-no-such-program"}}}`, u.as.URL))
	u.env = append(os.Environ(), "CODEMODE_LOGIN_FILE="+u.file, "BROWSER="+os.Args[0], browserVariable+"=1")
	t.Cleanup(func() {
		if leak := u.as.Leak(u.output.String()); leak != "" {
			t.Errorf("something printed %s:\n%s", leak, &u.output)
		}
	})
	return u
}

// command is one of the user's.
func (u *user) command(args ...string) *exec.Cmd {
	u.Helper()
	bin, err := built()
	if err != nil {
		u.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	u.Cleanup(cancel)
	c := exec.CommandContext(ctx, bin, args...)
	c.Env = u.env
	return c
}

// run runs a command to its end.
func (u *user) run(stdin string, args ...string) (code int, out, errs string) {
	u.Helper()
	c := u.command(args...)
	var o, e bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &o, &e
	_ = c.Run()
	u.output.WriteString(o.String() + e.String())
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

// expect runs a command and checks what it gives.
func (u *user) expect(code int, out, errs string, args ...string) {
	u.Helper()
	gotCode, gotOut, gotErrs := u.run("", append(args, "--config", u.config)...)
	if gotCode != code || !strings.Contains(gotOut, out) || !strings.Contains(gotErrs, errs) {
		u.Errorf("%q: code %d, want %d\n%s\nwant %s\n%s\nwant %s", args, gotCode, code, gotOut, out, gotErrs, errs)
	}
}

const (
	needs  = `server "guarded": needs sign-in: run codemode login guarded`
	whoami = `return await tools.guarded.whoami({})`
)

// A person signs in by a browser and out again; every command sees it.
func TestSigningInAndOut(t *testing.T) {
	u := newUser(t, oauthtest.Behaviour{})
	u.expect(1, "", needs, "run", "-e", whoami)
	u.expect(1, "needs sign-in: run codemode login guarded", "", "doctor")
	u.expect(1, "guarded  needs sign-in", "", "status")
	u.expect(0, "header  header", "", "status", "header")
	u.expect(0, "off     none", "", "status", "off")
	u.expect(0, "local   none", "", "status", "local")

	u.expect(0, "", "Signed in to guarded at "+u.as.Issuer+", until ", "login", "guarded")
	u.expect(0, "\"ada\"\n", "", "run", "-e", whoami)
	u.expect(0, "Bearer [hidden]", "", "run", "-e", "return await tools.guarded.quote({})")
	u.expect(0, "guarded  signed in", "", "status", "guarded")
	u.expect(1, "guarded  connected", "", "doctor") // 1 for the other servers
	u.status()

	// The token expires in the middle of a program, with calls at once after it.
	u.expect(0, "[\n  \"ada\",\n  \"ada\",\n  \"ada\",\n  \"ada\"\n]\n", "", "run", "-e", "await tools.guarded.expire({}); return await Promise.all([1, 2, 3, 4].map(() => tools.guarded.whoami({})))")
	if n := u.as.Count("refresh"); n != 1 {
		t.Errorf("%d refreshes", n)
	}
	u.expect(0, "\"ada\"\n", "", "run", "-e", whoami) // by what the last process stored
	u.expect(1, "", `MCP server guarded: the sign-in lacks the scope "admin": run codemode login guarded --scope admin`, "run", "-e", "await tools.guarded.admin({})")
	u.expect(0, "", ", for read admin", "login", "guarded", "--scope", "admin")
	u.expect(0, "administrated", "", "run", "-e", "return await tools.guarded.admin({})")

	u.serve()

	u.as.RefuseRefresh("invalid_grant")
	u.expect(1, "", "MCP server guarded: needs sign-in (its authorisation server refuses to refresh: invalid_grant", "run", "-e", "await tools.guarded.expire({}); "+whoami)
	u.expect(1, "", needs, "run", "-e", whoami)
	u.expect(1, "guarded  needs sign-in", "", "status", "guarded")
	u.as.RefuseRefresh("")
	u.expect(0, "", "Signed in", "login", "guarded")
	access, refresh := u.as.Good()
	u.expect(0, "", "Signed out of guarded; the tokens are revoked.", "logout", "guarded")
	if a, r := u.as.Good(); a != access-1 || r != refresh-1 {
		t.Errorf("%d and %d tokens are good after %d and %d", a, r, access, refresh)
	}
	u.expect(0, "", "Nobody was signed in to guarded.", "logout", "guarded")
	u.expect(1, "", needs, "run", "-e", whoami)
}

// status reads what status tells other programs, and looks at the file.
func (u *user) status() {
	_, out, _ := u.run("", "status", "--json", "-c", u.config)
	var s struct {
		File    string
		Servers []struct {
			Name, State, Issuer, Client string
			Scopes                      []string
			Expires                     time.Time
			Refreshes                   bool
		}
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil || len(s.Servers) != 4 {
		u.Fatal(err, out)
	}
	g := s.Servers[0]
	if s.File != u.file || g.Name != "guarded" || g.State != "signed in" || g.Issuer != u.as.Issuer || !strings.HasPrefix(g.Client, "client-") || strings.Join(g.Scopes, " ") != "read" || !g.Refreshes || time.Until(g.Expires) < 30*time.Minute {
		u.Errorf("got %s", out)
	}
	if info, err := os.Stat(u.file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		u.Errorf("the file: %v, %v", info, err)
	}
}

// serve has an MCP client run a program, and looks at what the audit log has.
func (u *user) serve() {
	audit := filepath.Join(u.TempDir(), "audit.jsonl")
	call := strings.Replace(callFrame, "run_it", "execute", 1)
	call = regexp.MustCompile(`"code":"(?:[^"\\]|\\.)*"`).ReplaceAllString(call, `"code":"await tools.guarded.expire({}); return [await tools.guarded.quote({}), await tools.guarded.whoami({})]"`)
	s := u.start("serve", "-c", u.config, "--audit", audit, "--audit-inputs")
	fmt.Fprintln(s.in, strings.Join([]string{helloFrame, listFrame, call}, "\n"))
	u.await(&s.out, `(?m)^(.*"id":3.*)\n`)
	s.in.Close()
	if err := s.Wait(); err != nil {
		u.Error(err)
	}
	out := s.out.find(`(?s)(.*)`)
	var result struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(replies(u.T, out)[3], &result); err != nil || result.Content[0].Text != "[\n  \"Bearer [hidden]\",\n  \"ada\"\n]" {
		u.Errorf("%v\n%s\n%s", err, out, s.errs.find(`(?s)(.*)`))
	}
	log, err := os.ReadFile(audit)
	if err != nil || !bytes.Contains(log, []byte("tools.guarded.whoami")) {
		u.Errorf("%v\n%s", err, log)
	}
	u.output.Write(log)
}

// started is a command that runs on.
type started struct {
	*exec.Cmd
	in   io.WriteCloser
	errs said
	out  said
}

func (u *user) start(args ...string) *started {
	u.Helper()
	s := &started{Cmd: u.command(args...)}
	s.Stdout, s.Stderr = &s.out, &s.errs
	var err error
	if s.in, err = s.StdinPipe(); err == nil {
		err = s.Start()
	}
	if err != nil {
		u.Fatal(err)
	}
	u.Cleanup(func() {
		_ = s.Process.Kill()
		u.output.WriteString(s.errs.find(`(?s)(.*)`) + s.out.find(`(?s)(.*)`))
	})
	return s
}

// await waits until a command has printed something.
func (u *user) await(from *said, pattern string) string {
	u.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if found := from.find(pattern); found != "" {
			return found
		}
	}
	u.Fatalf("nothing came like %s, but\n%s", pattern, from.find(`(?s)(.*)`))
	return ""
}

const anAddress = `(?m)^(http\S+/authorize\S+)$`

// On a machine without a browser the answer is pasted.
func TestSigningInWithoutBrowser(t *testing.T) {
	for name, text := range map[string]func(answer string) string{
		"the address": func(answer string) string { return answer },
		"the code":    func(answer string) string { return regexp.MustCompile(`code=([^&]+)`).FindStringSubmatch(answer)[1] },
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t, oauthtest.Behaviour{})
			s := u.start("login", "guarded", "--no-browser", "-c", u.config)
			answer, err := oauthtest.Browse(u.await(&s.errs, anAddress))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(s.in, "what is this?")
			u.await(&s.errs, `(That is no answer)`)
			fmt.Fprintln(s.in, text(answer))
			if err := s.Wait(); err != nil {
				t.Errorf("%v\n%s", err, s.errs.find(`(?s)(.*)`))
			}
			u.expect(0, "\"ada\"\n", "", "run", "-e", whoami)
		})
	}
	u := newUser(t, oauthtest.Behaviour{})
	u.expect(1, "", "nothing was pasted: standard input has ended", "login", "guarded", "--no-browser")
}

func TestLoginIsInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be sent an interrupt there")
	}
	u := newUser(t, oauthtest.Behaviour{})
	u.env = append(u.env, "BROWSER=/nonexistent/browser")
	for _, args := range [][]string{{"login", "guarded"}, {"login", "guarded", "--no-browser"}} {
		s := u.start(append(args, "-c", u.config)...)
		u.await(&s.errs, anAddress)
		if err := s.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = s.Wait()
		if s.ProcessState.ExitCode() != exitInterrupted || s.errs.find(`(interrupted)`) == "" {
			t.Errorf("%v: code %d\n%s", args, s.ProcessState.ExitCode(), s.errs.find(`(?s)(.*)`))
		}
	}
	u.expect(1, "", "nobody signed in, and the time is over", "login", "guarded", "--timeout", "300ms")
	if _, err := os.Stat(u.file); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
}

// A server that runs already takes up a sign-in.
func TestServeTakesUpASignIn(t *testing.T) {
	u := newUser(t, oauthtest.Behaviour{})
	s := u.start("serve", "-c", u.config)
	u.await(&s.errs, `(needs sign-in: run codemode login guarded)`)
	fmt.Fprintln(s.in, helloFrame)
	u.expect(0, "", "Signed in", "login", "guarded")
	for deadline := time.Now().Add(time.Minute); u.as.Count("authorized") < 3 && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
	}
	call := strings.Replace(callFrame, "run_it", "execute", 1)
	call = regexp.MustCompile(`"code":"(?:[^"\\]|\\.)*"`).ReplaceAllString(call, `"code":"return Object.keys(tools)"`)
	for i := 100; s.out.find(`(guarded\\")`) == ""; i++ {
		if i > 400 {
			t.Fatal("the tools do not come:", s.out.find(`(?s)(.*)`), s.errs.find(`(?s)(.*)`))
		}
		fmt.Fprintln(s.in, strings.Replace(call, `"id":3`, fmt.Sprintf(`"id":%d`, i), 1))
		time.Sleep(50 * time.Millisecond)
	}
	s.in.Close()
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
}

func TestLoginUsage(t *testing.T) {
	as := oauthtest.New(t, oauthtest.Behaviour{NoRegistration: true})
	file := written(t, "mcp.json", fmt.Sprintf(`{"mcpServers": {
		"guarded": {"url": %q}, "header": {"url": %[1]q, "headers": {"Authorization": "x"}}, "off": {"url": %[1]q, "oauth": false},
		"local": {"command": "x"}, "disabled": {"url": %[1]q, "disabled": true}, "broken": {"url": "nonsense"}, "gone": {"url": "http://127.0.0.1:1/mcp"}}}`, as.URL))
	wide := written(t, "tokens.json", `{"version": 1, "grants": []}`)
	if err := os.Chmod(wide, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CODEMODE_LOGIN_FILE", filepath.Join(t.TempDir(), "tokens.json"))
	t.Setenv("BROWSER", "/nonexistent/browser")
	for _, test := range []struct {
		code int
		errs string
		args []string
	}{
		{2, "no servers: name a file by --config", []string{"login", "guarded"}},
		{2, "no servers: name a file by --config", []string{"status"}},
		{2, `expected "<server>"`, []string{"login", "-c", file}},
		{2, `there is no server "x", want one of guarded, header, off, local, disabled, broken, gone`, []string{"login", "x", "-c", file}},
		{2, `server "header" has a header Authorization`, []string{"login", "header", "-c", file}},
		{2, `server "off" has oauth: false`, []string{"login", "off", "-c", file}},
		{2, `server "local" has no address to sign in to`, []string{"login", "local", "-c", file}},
		{2, `server "local" has no address to sign in to`, []string{"logout", "local", "-c", file}},
		{2, `server "disabled": it is disabled in its file`, []string{"login", "disabled", "-c", file}},
		{2, `server "broken": url: want an absolute http or https address`, []string{"login", "broken", "-c", file}},
		{1, "gone: it cannot be reached: ", []string{"login", "gone", "-c", file}},
		{1, "registers no clients by itself: register one there with the redirect address http://127.0.0.1:", []string{"login", "guarded", "-c", file}},
		{2, "--client-secret-env: is for --client-id", []string{"login", "guarded", "-c", file, "--client-secret-env", "X"}},
		{2, "--client-secret-env: the environment variable CODEMODE_TEST_UNSET is not set", []string{"login", "guarded", "-c", file, "--client-id", "x", "--client-secret-env", "CODEMODE_TEST_UNSET"}},
		{2, "--timeout: got 0s, want more than 0", []string{"login", "guarded", "-c", file, "--timeout", "0"}},
		{1, "has mode 0644, want 0600; run chmod 600", []string{"login", "guarded", "-c", file, "--login-file", wide}},
		{2, "has mode 0644, want 0600; run chmod 600", []string{"status", "-c", file, "--login-file", wide}},
		{1, "has mode 0644, want 0600; run chmod 600", []string{"logout", "guarded", "-c", file, "--login-file", wide}},
	} {
		if runtime.GOOS == "windows" && strings.Contains(test.errs, "chmod") {
			continue
		}
		if code, _, errs := invoke(t, context.Background(), "", test.args...); code != test.code || !strings.Contains(errs, test.errs) {
			t.Errorf("%q: code %d, want %d\n%s\nwant %s", test.args, code, test.code, errs, test.errs)
		}
	}
}

// A client that was registered by hand, by flags and by the file.
func TestClientsRegisteredByHand(t *testing.T) {
	const id, secret = "by-hand", "s3cret&of-the-client"
	b := oauthtest.Behaviour{NoRegistration: true, Clients: map[string]string{id: secret}}
	u := newUser(t, b)
	u.env = append(u.env, "MY_SECRET="+secret)
	u.expect(0, "", "Signed in", "login", "guarded", "--client-id", id, "--client-secret-env", "MY_SECRET")
	u.expect(0, "\"ada\"\n", "", "run", "-e", "await tools.guarded.expire({}); "+whoami)

	u = newUser(t, b)
	u.env = append(u.env, "MY_SECRET="+secret)
	u.config = written(t, "mcp.json", fmt.Sprintf(`{"mcpServers": {"guarded": {"url": %q, "oauth": {"clientId": %q, "clientSecret": "${MY_SECRET}", "scopes": ["one", "two"]}}}}`, u.as.URL, id))
	u.expect(0, "", ", for one two", "login", "guarded")
	u.expect(0, "\"ada\"\n", "", "run", "-e", "await tools.guarded.expire({}); "+whoami)
	u.expect(0, "", "the tokens are revoked", "logout", "guarded")
}
