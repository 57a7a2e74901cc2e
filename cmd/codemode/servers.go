package main

// This file defines how the servers of configuration files are connected for a command.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/codemode-go/codemode/gateway"
	"github.com/codemode-go/codemode/gateway/config"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// configFlags say which servers a command is about.
type configFlags struct {
	Config    []string `short:"c" sep:"none" placeholder:"FILE" help:"A file in which an MCP client keeps its servers, to be connected. May be given several times; of servers with the same name that of the later file counts."`
	From      []string `sep:"none" placeholder:"CLIENT" help:"The usual files of a client: claude, cursor, vscode, gemini or codex. Files of --config come after them."`
	address   string   // at which the command will serve itself, "" if nowhere
	LoginFile string   `placeholder:"FILE" env:"CODEMODE_LOGIN_FILE" help:"The file in which the tokens of codemode login are kept (codemode/tokens.json in the user's configuration folder)."`
}

func (f configFlags) given() bool { return len(f.Config)+len(f.From) > 0 }

// waitFlag bounds the waiting of commands that need the tools at once.
type waitFlag struct {
	Wait time.Duration `default:"10s" help:"How long to wait for servers that still connect; then it goes on without them (${default})."`
}

// load reads the files.
func (f configFlags) load(s streams) (*config.Config, error) {
	o := config.Options{Prompt: s.prompt, Address: f.address}
	var files []string
	for _, from := range f.From {
		found, err := config.Find(from, o)
		if err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		files = append(files, found...)
	}
	return config.Load(append(files, f.Config...), o)
}

// open begins to connect to the servers. The caller closes the gateway.
func (f configFlags) open(ctx context.Context, s streams, o gateway.Options) (*gateway.Gateway, error) {
	c, err := f.load(s)
	if err != nil {
		return nil, err
	}
	return gateway.Open(ctx, c, f.withTokens(o))
}

// connect connects to the servers and waits for all of them, as long as is given. What is wrong with one is said, and costs
// that one alone; skipped is told what of OpenAPI documents is no tool.
func (f configFlags) connect(ctx context.Context, s streams, wait time.Duration, skipped func(string, []openapi.Skipped)) (tree tool.Tree, done func(), err error) {
	if err := checkWait(wait); err != nil {
		return nil, nil, err
	}
	g, err := f.open(ctx, s, gateway.Options{})
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = g.Close(context.WithoutCancel(ctx)) }
	waiting, stop := context.WithTimeout(ctx, wait)
	defer stop()
	if _ = g.Wait(waiting); ctx.Err() != nil {
		done()
		return nil, nil, errInterrupted
	}
	for _, status := range g.Status() {
		for _, w := range status.Warnings {
			fmt.Fprintln(s.err, "codemode: warning:", visible(w.Error()))
		}
		if status.State == client.Connecting {
			fmt.Fprintf(s.err, "codemode: %s: server %q: still connecting after %v, so that its tools are not there; give it longer by --wait\n", visible(status.Place.String()), visible(status.Name), wait)
			continue
		}
		if !status.Usable() && status.State != gateway.Disabled {
			fmt.Fprintln(s.err, "codemode:", visible(serverError(status)))
		}
	}
	for _, status := range g.Status() {
		if len(status.Skipped) > 0 {
			skipped(status.Name, status.Skipped)
		}
	}
	return g.Tree(), done, nil
}

// errInterrupted says that a person did not want to wait.
var errInterrupted = errors.New("interrupted")

// serverError says what is wrong with a server, and which.
func serverError(s gateway.Status) string {
	if len(s.Problems) > 0 {
		return s.Error // has the place and the name
	}
	return fmt.Sprintf("%s: server %q: %s", s.Place, s.Name, s.Error)
}

// terminalPrompt asks for an input on the terminal; a password is not shown.
func terminalPrompt(i config.Input) (string, error) {
	question := i.Description
	if question == "" {
		question = i.ID
	}
	if i.Choices != nil {
		question += " (" + strings.Join(i.Choices, ", ") + ")"
	}
	if i.Default != "" && !i.Password {
		question += " [" + i.Default + "]"
	}
	fmt.Fprint(os.Stderr, visible(question), ": ")
	value, err := readAnswer(i.Password)
	if err == nil && value == "" {
		value = i.Default
	}
	return value, err
}

func readAnswer(password bool) (string, error) {
	if password {
		text, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(os.Stderr)
		return string(text), err
	}
	line, err := bufio.NewReaderSize(os.Stdin, 1).ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}
