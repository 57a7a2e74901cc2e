package main

// This file defines the command status: which servers are signed in to.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/oauth"
	"github.com/codemode-go/codemode/scope"
)

type statusCommand struct {
	configFlags `embed:""`
	Server      string `arg:"" optional:"" help:"The name of a server in its file; all without it."`
	JSON        bool   `name:"json" help:"Print it as JSON."`
}

// standing is how a server is signed in to.
type standing struct {
	Name  string `json:"name"`
	State string `json:"state"` // one of those below
	// Why says what the state alone does not.
	Why    string   `json:"why,omitempty"`
	Issuer string   `json:"issuer,omitempty"`
	Client string   `json:"client,omitempty"`
	Scopes []string `json:"scopes,omitempty"`
	// Expires is when the access token does, Refreshes that it is then replaced without a person.
	Expires   *time.Time `json:"expires,omitempty"`
	Refreshes bool       `json:"refreshes,omitempty"`
}

// The states of the command.
const (
	signedIn    = "signed in"
	expired     = "expired"
	needsSignIn = "needs sign-in"
	byHeader    = "header" // the configuration has the credentials
	noSignIn    = "none"   // there is nothing to sign in to
	unreachable = "unknown"
)

// execute ends with 0 if no server that was asked for waits for a person, 1 if one does, 2 if a file cannot be read.
func (c *statusCommand) execute(ctx context.Context, s streams) int {
	all, store, err := c.entries(s)
	if err == nil && c.Server != "" {
		var one config.Server
		one, store, err = c.entry(s, c.Server)
		all = []config.Server{one}
	}
	if err != nil {
		return usage(s, err)
	}
	if _, err := store.All(); err != nil {
		return usage(s, err)
	}
	list := standings(ctx, store, all)
	if ctx.Err() != nil {
		return unusable(s, errInterrupted)
	}
	if c.JSON {
		text, err := json.MarshalIndent(struct {
			File    string     `json:"file"`
			Servers []standing `json:"servers"`
		}{store.Path(), list}, "", "  ")
		if err != nil {
			return usage(s, err)
		}
		fmt.Fprintf(s.out, "%s\n", text)
	} else {
		c.write(s, list)
	}
	for _, one := range list {
		if one.State == needsSignIn || one.State == expired {
			return exitFailed
		}
	}
	return exitOK
}

// standings asks the servers without a grant whether they want one, all at once.
func standings(ctx context.Context, store *oauth.Store, all []config.Server) []standing {
	list := make([]standing, len(all))
	asking := scope.Open(ctx, scope.Options{Name: "status"})
	defer asking.Close(scope.Exit{})
	fibers := make([]*scope.Fiber, len(all))
	for i, e := range all {
		fibers[i] = asking.Fork("status "+e.Name, func(ctx context.Context) error {
			list[i] = stand(ctx, store, e)
			return nil
		})
	}
	for _, f := range fibers {
		<-f.Done()
	}
	return list
}

// stand is how one server is signed in to.
func stand(ctx context.Context, store *oauth.Store, e config.Server) standing {
	out := standing{Name: e.Name, State: noSignIn}
	switch {
	case e.Disabled:
		out.Why = e.Why
		return out
	case !e.Usable():
		out.State, out.Why = unreachable, e.Err().Error()
		return out
	case e.HasAuthorization() && e.URL.Reveal() != "":
		out.State = byHeader
		return out
	case !e.SignsIn():
		return out
	}
	g, err := store.Find(e.URL.Reveal(), e.OAuth.ClientID)
	switch {
	case err != nil:
		out.State, out.Why = unreachable, err.Error()
	case g == nil:
		out.State, out.Why = ask(ctx, e)
	default:
		out.describe(g)
	}
	return out
}

func (out *standing) describe(g *oauth.Grant) {
	out.Issuer, out.Client, out.Scopes = g.Issuer, g.Client.ID, g.Scopes
	out.Refreshes = g.RefreshToken != ""
	if !g.Expires.IsZero() {
		out.Expires = new(g.Expires)
	}
	switch {
	case g.Usable():
		out.State = signedIn
	case g.AccessToken == "":
		out.State, out.Why = needsSignIn, "the authorisation server refused to refresh the token: run "+oauth.Command(out.Name)
	default:
		out.State, out.Why = expired, "run "+oauth.Command(out.Name)
	}
}

// ask asks a server without a grant.
func ask(ctx context.Context, e config.Server) (state, why string) {
	wants, err := oauth.Wanted(ctx, gateway.SignIn(e))
	switch {
	case errors.Is(err, oauth.ErrNoSignIn):
		return noSignIn, e.Redactor.Redact(err.Error())
	case err != nil:
		return unreachable, e.Redactor.Redact(err.Error())
	case wants:
		return needsSignIn, "run " + oauth.Command(e.Name)
	}
	return noSignIn, ""
}

func (c *statusCommand) write(s streams, list []standing) {
	t := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "server\tstate\texpires\tscopes\tauthorisation server")
	for _, one := range list {
		expires := ""
		if one.Expires != nil {
			expires = one.Expires.Local().Format(time.DateTime)
		}
		if one.Refreshes {
			expires = strings.TrimSpace(expires + " (refreshes)")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", oneLine(one.Name), one.State, orDash(expires), orDash(oneLine(strings.Join(one.Scopes, " "))), orDash(oneLine(one.Issuer)))
	}
	t.Flush()
	for _, one := range list {
		if one.Why != "" {
			fmt.Fprintf(s.out, "%s: %s\n", oneLine(one.Name), visible(one.Why))
		}
	}
}
