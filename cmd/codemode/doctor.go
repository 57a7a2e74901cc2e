package main

// This file defines the command doctor: how the servers of a configuration are doing.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/mcp/client"
)

type doctorCommand struct {
	configFlags `embed:""`
	JSON        bool `name:"json" help:"Print the report as JSON."`
	Verbose     bool `short:"v" help:"Also print keys of the files that mean nothing here, and every tool that was left out."`
}

// execute ends with 0 if all servers can be used that are not disabled, 1 if not, 2 if a file cannot be read.
func (c *doctorCommand) execute(ctx context.Context, s streams) int {
	if !c.given() {
		return usage(s, errors.New("no servers: name a file by --config, or a client by --from"))
	}
	loaded, err := c.load(s)
	if err != nil {
		return usage(s, err)
	}
	g, err := gateway.Open(ctx, loaded, c.withTokens(gateway.Options{}))
	if err != nil {
		return usage(s, err)
	}
	defer g.Close(context.WithoutCancel(ctx))
	if c.await(ctx, s, g) != nil {
		return unusable(s, errInterrupted)
	}
	r, err := g.Report()
	if err != nil {
		return usage(s, err)
	}
	if c.JSON {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return usage(s, err)
		}
		fmt.Fprintf(s.out, "%s\n", text)
	} else {
		for _, n := range loaded.Notes {
			fmt.Fprintln(s.err, "note:", visible(n.Error()))
		}
		c.write(s.out, r)
	}
	if !r.OK {
		return exitFailed
	}
	return exitOK
}

// saysAfter is when a person is told what is waited for.
const saysAfter = 3 * time.Second

// await waits until each server has connected or failed. Who waits for long is told for which.
func (c *doctorCommand) await(ctx context.Context, s streams, g *gateway.Gateway) error {
	soon, stop := context.WithTimeout(ctx, saysAfter)
	defer stop()
	if err := g.Wait(soon); err == nil || ctx.Err() != nil {
		return err
	}
	var names []string
	for _, status := range g.Status() {
		if status.State == client.Connecting {
			names = append(names, oneLine(status.Name))
		}
	}
	if len(names) > 0 { // else the last one has just been tried
		fmt.Fprintf(s.err, "codemode: waiting for %s …\n", strings.Join(names, ", "))
	}
	return g.Wait(ctx)
}

// write prints what a person reads.
func (c *doctorCommand) write(w io.Writer, r *gateway.Report) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "server\tstate\ttransport\tprotocol\ttools\traw tokens\twhat it calls itself")
	for _, h := range r.Servers {
		state := string(h.State)
		if h.Direct {
			state += ", direct"
		}
		protocol := h.Protocol
		if h.Era != "" {
			protocol += " (" + h.Era + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%s\n", oneLine(h.Name), state, orDash(h.Transport), orDash(protocol), h.Tools, h.RawTokens, orDash(oneLine(h.Server)))
	}
	t.Flush()
	for _, h := range r.Servers {
		c.writeFindings(w, h)
	}
	if len(r.Clashes) > 0 {
		fmt.Fprintln(w, "\nnames that clash:")
		list(w, r.Clashes, len(r.Clashes))
	}
	fmt.Fprintf(w, "\nA model is given about %d tokens instead of %d for %d tools", r.GivenTokens, r.RawTokens, r.Tools)
	if r.RawTokens > r.GivenTokens {
		fmt.Fprintf(w, ": %.0f%% less", 100*(1-float64(r.GivenTokens)/float64(r.RawTokens)))
	}
	fmt.Fprintln(w, ".")
}

// mostFindings bounds a list of findings unless all are asked for.
const mostFindings = 5

func (c *doctorCommand) writeFindings(w io.Writer, h gateway.Health) {
	most := mostFindings
	if c.Verbose {
		most = 1 << 20
	}
	groups := []struct {
		title string
		list  []string
	}{{"", h.Problems}, {"", h.Warnings}, {"schemas", h.Schemas}, {"left out", h.LeftOut}}
	if c.Verbose {
		groups = append(groups, struct {
			title string
			list  []string
		}{"keys that mean nothing here", h.Unread})
	}
	title := fmt.Sprintf("\n%s (%s)\n", oneLine(h.Name), oneLine(h.Place))
	for _, g := range groups {
		if len(g.list) == 0 {
			continue
		}
		io.WriteString(w, title)
		title = ""
		if g.title != "" {
			fmt.Fprintf(w, "  %s:\n", g.title)
		}
		list(w, g.list, most)
	}
}

// list prints findings, the first ones if there are many.
func list(w io.Writer, findings []string, most int) {
	for i, f := range findings {
		if i == most {
			fmt.Fprintf(w, "    … and %d more; --verbose shows them\n", len(findings)-most)
			return
		}
		fmt.Fprintln(w, "    "+strings.ReplaceAll(visible(strings.TrimSpace(f)), "\n", "\n      "))
	}
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// oneLine keeps a text from breaking the table.
func oneLine(text string) string {
	return visible(strings.Join(strings.Fields(text), " "))
}
