// Command codemode runs and checks programs from the command line, and shows and finds tools.
//
// Exit codes: 0 success, 1 the program failed, 2 usage or configuration, 3 a limit or the timeout was reached,
// 130 interrupted.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/codemode-go/codemode/gateway/config"
)

const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitLimit       = 3
	exitInterrupted = 130
)

// streams are what a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
	// prompt asks for an input of a configuration file; nil if there is nobody to ask.
	prompt func(config.Input) (string, error)
}

type commands struct {
	Run          runCommand          `cmd:"" help:"Run a program and print its value as JSON. Its tools are those of the servers in --config, or of a demo (an issue tracker)."`
	Check        checkCommand        `cmd:"" help:"Compile a program without running it."`
	Search       searchCommand       `cmd:"" help:"Find tools by what they do."`
	Catalog      catalogCommand      `cmd:"" help:"List the tools as a model is shown them."`
	Instructions instructionsCommand `cmd:"" help:"Print what a model is told: how to write programs, and the catalog."`
	Types        typesCommand        `cmd:"" help:"Print TypeScript declarations of the tools."`
	Doctor       doctorCommand       `cmd:"" help:"Connect to the servers of configuration files, and say how each is doing and what its tools cost a model."`
	Serve        serveCommand        `cmd:"" help:"Serve the tools to MCP clients as one tool that runs programs: those of the servers in --config, or of a demo."`
	Login        loginCommand        `cmd:"" help:"Sign in to a server that asks for it, in a browser; its tokens are kept in a file."`
	Logout       logoutCommand       `cmd:"" help:"End a sign-in: revoke the tokens and remove them."`
	Status       statusCommand       `cmd:"" help:"Say which servers are signed in to, until when and for what."`
	Version      kong.VersionFlag    `help:"Print the version and quit."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the process at once.
	context.AfterFunc(ctx, stop)
	s := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if s.terminal && term.IsTerminal(int(os.Stdin.Fd())) {
		s.prompt = terminalPrompt
	}
	os.Exit(execute(ctx, os.Args[1:], s))
}

// execute runs a command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	var c commands
	exit := -1
	parser, err := kong.New(&c, kong.Name("codemode"), kong.Description("Runs small JavaScript and TypeScript programs over a tree of tools."),
		kong.Writers(s.out, s.err), kong.Vars{"version": version(), "openapi_options": settingNames()}, kong.Exit(func(code int) { exit = code }), kong.UsageOnError())
	if err != nil {
		return usage(s, err)
	}
	if len(args) == 1 && args[0] == "help" {
		args = []string{"--help"}
	}
	command, err := parser.Parse(spread(args))
	if exit >= 0 { // --help or --version
		return exit
	}
	if err != nil {
		return usage(s, err)
	}
	switch command.Selected().Name {
	case "check":
		return c.Check.execute(ctx, s)
	case "search":
		return c.Search.execute(ctx, s)
	case "catalog":
		return c.Catalog.execute(ctx, s)
	case "instructions":
		return c.Instructions.execute(ctx, s)
	case "doctor":
		return c.Doctor.execute(ctx, s)
	case "serve":
		return c.Serve.execute(ctx, s)
	case "types":
		return c.Types.execute(ctx, s)
	case "login":
		return c.Login.execute(ctx, s)
	case "logout":
		return c.Logout.execute(ctx, s)
	case "status":
		return c.Status.execute(ctx, s)
	}
	return c.Run.execute(ctx, s)
}

func usage(s streams, err error) int {
	io.WriteString(s.err, "codemode: "+err.Error()+"\nRun codemode --help for the usage.\n")
	return exitUsage
}

// unusable tells that there are no tools to work with.
func unusable(s streams, err error) int {
	if errors.Is(err, errInterrupted) {
		io.WriteString(s.err, "interrupted\n")
		return exitInterrupted
	}
	return usage(s, err)
}

// version is that of the module the binary was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "codemode " + info.Main.Version
	}
	return "codemode (devel)"
}
