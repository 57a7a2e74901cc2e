package main

// This file defines the commands login and logout.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/oauth"
)

type loginCommand struct {
	configFlags `embed:""`

	Server          string        `arg:"" help:"The name of the server in its file."`
	NoBrowser       bool          `help:"Open no browser: read the address that it was sent to in the end, or the code, from standard input."`
	ClientID        string        `name:"client-id" placeholder:"ID" help:"The client that was registered with the server's authorisation server by hand, or the address of a client ID metadata document. Without it one is registered."`
	ClientSecretEnv string        `placeholder:"NAME" help:"The environment variable with the secret of that client."`
	Scope           []string      `sep:"none" placeholder:"SCOPE" help:"Ask for this scope beside those that were given before. May be given several times, or with several scopes between spaces."`
	Timeout         time.Duration `default:"5m" help:"How long to wait for the person (${default})."`
}

type logoutCommand struct {
	configFlags `embed:""`
	Server      string `arg:"" help:"The name of the server in its file."`
}

// tokens is the store of the tokens.
func (f configFlags) tokens() (*oauth.Store, error) {
	path := f.LoginFile
	if path == "" {
		var err error
		if path, err = oauth.DefaultPath(); err != nil {
			return nil, fmt.Errorf("--login-file: %w", err)
		}
	}
	return oauth.NewStore(path), nil
}

// withTokens are the options of a gateway with the store: without a folder for tokens, as in a container, nobody can have signed in.
func (f configFlags) withTokens(o gateway.Options) gateway.Options {
	if store, err := f.tokens(); err == nil {
		o.Tokens = store
	}
	return o
}

// entries are those of the files, and the store of their tokens.
func (f configFlags) entries(s streams) ([]config.Server, *oauth.Store, error) {
	if !f.given() {
		return nil, nil, errors.New("no servers: name a file by --config, or a client by --from")
	}
	loaded, err := f.load(s)
	if err != nil {
		return nil, nil, err
	}
	store, err := f.tokens()
	return loaded.Servers, store, err
}

// entry is the one of a name.
func (f configFlags) entry(s streams, name string) (config.Server, *oauth.Store, error) {
	all, store, err := f.entries(s)
	if err != nil {
		return config.Server{}, nil, err
	}
	var names []string
	for _, e := range all {
		if e.Name == name {
			return e, store, nil
		}
		names = append(names, e.Name)
	}
	return config.Server{}, nil, fmt.Errorf("there is no server %q, want one of %s", name, strings.Join(names, ", "))
}

// execute ends with 0 if a person has signed in, 1 if not, 2 if there is nothing to sign in to.
func (c *loginCommand) execute(ctx context.Context, s streams) int {
	e, store, err := c.entry(s, c.Server)
	if err == nil {
		err = signable(e)
	}
	if err != nil {
		return usage(s, err)
	}
	server, err := c.server(e)
	if err != nil {
		return usage(s, err)
	}
	waiting, stop := context.WithTimeoutCause(ctx, c.Timeout, errNobody)
	defer stop()
	grant, err := oauth.Login(waiting, store, server, c.options(s))
	switch {
	case ctx.Err() != nil:
		return unusable(s, errInterrupted)
	case err != nil && grant == nil && waiting.Err() != nil: // whatever was under way then
		err = errNobody
	}
	if err != nil {
		fmt.Fprintf(s.err, "codemode: %s: %s\n", c.Server, visible(err.Error()))
		return exitFailed
	}
	fmt.Fprintf(s.err, "Signed in to %s at %s%s.\n", c.Server, visible(grant.Issuer), details(grant))
	return exitOK
}

// errNobody says that the time for a login is over.
var errNobody = errors.New("nobody signed in, and the time is over; run it again, with more --timeout if need be")

// signable reports an entry that nobody can sign in to.
func signable(e config.Server) error {
	switch {
	case e.Disabled:
		return fmt.Errorf("server %q: %s", e.Name, e.Why)
	case !e.Usable():
		return e.Err()
	case e.OpenAPI != nil, e.URL.Reveal() == "":
		return fmt.Errorf("%s: server %q has no address to sign in to: it is started by a command, or described by a document", e.Place, e.Name)
	case e.HasAuthorization():
		return fmt.Errorf("%s: server %q has a header Authorization, which is used instead of a sign-in; take it out to sign in", e.Place, e.Name)
	case e.OAuth.Off:
		return fmt.Errorf("%s: server %q has oauth: false; take it out to sign in", e.Place, e.Name)
	}
	return nil
}

// server is the entry with what the flags say.
func (c *loginCommand) server(e config.Server) (oauth.Server, error) {
	server := gateway.SignIn(e)
	if c.Timeout <= 0 {
		return server, fmt.Errorf("--timeout: got %v, want more than 0", c.Timeout)
	}
	if c.ClientID != "" && c.ClientID != server.ClientID {
		server.ClientID, server.ClientSecret = c.ClientID, ""
	}
	if c.ClientSecretEnv == "" {
		return server, nil
	}
	if server.ClientID == "" {
		return server, errors.New("--client-secret-env: is for --client-id, or oauth.clientId in the file, and there is none")
	}
	if server.ClientSecret = os.Getenv(c.ClientSecretEnv); server.ClientSecret == "" {
		return server, fmt.Errorf("--client-secret-env: the environment variable %s is not set", c.ClientSecretEnv)
	}
	return server, nil
}

// options are how the person is met: the address is printed in any case, since a browser may open where nobody sees it.
func (c *loginCommand) options(s streams) oauth.Options {
	o := oauth.Options{}
	for _, list := range c.Scope {
		o.Scopes = append(o.Scopes, strings.Fields(list)...)
	}
	if !c.NoBrowser {
		o.Show = func(address string) {
			opened := "Open this address in a browser"
			if openBrowser(address) {
				opened = "A browser opens. If it does not, open this address"
			}
			fmt.Fprintf(s.err, "%s to sign in to %s:\n\n%s\n\n", opened, c.Server, visible(address))
		}
		return o
	}
	o.Show = func(address string) {
		fmt.Fprintf(s.err, "Open this address in a browser, on any machine, to sign in to %s:\n\n%s\n\nIn the end the browser is sent to an address that it may not be able to show. Paste that address, or the code, here:\n", c.Server, visible(address))
	}
	lines := bufio.NewReader(io.LimitReader(s.in, maxPasted))
	tries := 0
	o.Paste = func(context.Context) (string, error) {
		if tries++; tries > 1 {
			fmt.Fprintln(s.err, "That is no answer of the authorisation server. Paste the whole address that the browser was sent to in the end:")
		}
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) == "" && err != nil {
			return "", errors.New("nothing was pasted: standard input has ended")
		}
		return line, nil
	}
	return o
}

// maxPasted bounds what is read of standard input, in bytes.
const maxPasted = 1 << 20

// openBrowser opens a browser if there is one, and reports whether it seems so.
func openBrowser(address string) bool {
	var words []string
	switch chosen := os.Getenv("BROWSER"); {
	case chosen != "":
		words = []string{chosen}
	case runtime.GOOS == "darwin":
		words = []string{"open"}
	case runtime.GOOS == "windows":
		words = []string{"rundll32", "url.dll,FileProtocolHandler"}
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		words = []string{"xdg-open"}
	default:
		return false
	}
	command := exec.Command(words[0], append(slices.Clone(words[1:]), address)...)
	if command.Start() != nil {
		return false
	}
	_ = command.Process.Release() // it outlives this process
	return true
}

// details are what a person may want to know of a grant.
func details(g *oauth.Grant) string {
	var b strings.Builder
	if !g.Expires.IsZero() {
		fmt.Fprintf(&b, ", until %s", g.Expires.Local().Format(time.DateTime))
	}
	if g.RefreshToken != "" {
		b.WriteString(", refreshed by itself")
	}
	if len(g.Scopes) > 0 {
		b.WriteString(", for " + visible(strings.Join(g.Scopes, " ")))
	}
	return b.String()
}

// execute ends with 0 if there are no tokens left, revoked or not.
func (c *logoutCommand) execute(ctx context.Context, s streams) int {
	e, store, err := c.entry(s, c.Server)
	if err == nil && e.URL.Reveal() == "" {
		err = signable(e)
	}
	if err != nil {
		return usage(s, err)
	}
	out, err := oauth.Logout(ctx, store, gateway.SignIn(e))
	if err != nil {
		fmt.Fprintf(s.err, "codemode: %s: %s\n", c.Server, visible(err.Error()))
		return exitFailed
	}
	for _, why := range out.Unrevoked {
		fmt.Fprintf(s.err, "warning: the tokens are removed here and were not revoked, so that they stay good until they expire: %s\n", visible(why.Error()))
	}
	switch {
	case out.Removed == 0:
		fmt.Fprintf(s.err, "Nobody was signed in to %s.\n", c.Server)
	case len(out.Unrevoked) == 0 && out.Revoked > 0:
		fmt.Fprintf(s.err, "Signed out of %s; the tokens are revoked.\n", c.Server)
	default:
		fmt.Fprintf(s.err, "Signed out of %s.\n", c.Server)
	}
	return exitOK
}
