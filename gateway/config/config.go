// Package config reads the files in which MCP clients keep their servers, and turns each entry into what can be
// connected to.
//
//	c, err := config.Load([]string{".mcp.json"}, config.Options{})
//	for _, s := range c.Servers { … }
//
// The files of all clients are read by the same rules, whatever client one is of; docs/gateway.md has them. What is wrong
// with one entry costs that entry alone and is in its Problems; the error of Load is for files that cannot be read at
// all. What may be secret has the type [Secret], which printing does not show.
package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/mcp/client"
)

// Options say what expansion refers to. The zero value is that of this process.
type Options struct {
	// Lookup finds variables of the environment; nil is os.LookupEnv.
	Lookup func(name string) (string, bool)
	// Home is ${userHome}; empty is the user's home folder.
	Home string
	// Workspace is ${workspaceFolder}. Empty is the folder of the project that a file belongs to, else the working
	// directory.
	Workspace string
	// Prompt asks a person for an input that a file declares. Nil, or an error, leaves out the servers that want it. It is
	// asked for each input once, after the variable CODEMODE_INPUT_<ID> has been looked for.
	Prompt func(Input) (string, error)
	// Executables are the paths of this very program, which no entry may start as a gateway; nil is os.Executable.
	Executables []string
	// Address is the host and port at which this very program will serve, which no entry may connect to; "" for none.
	Address string
}

// Input is a value that a file has a person asked for.
type Input struct {
	ID          string
	Description string
	Default     string
	Password    bool     // not to be shown while it is typed
	Choices     []string // of which one is wanted; nil is any text
}

// Config is what the files say.
type Config struct {
	Files []string
	// Servers are all entries, those that are off included, in the order of the files. No two have the same name.
	Servers []Server
	// Notes are what a person may want to know that is not wrong: entries that a later file replaces.
	Notes []Problem
}

// Place is where something stands.
type Place struct {
	File string
	Line int // from 1; 0 if that is not known
}

// String is FILE:LINE.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Problem is a mistake in a file. Its text has no values of variables.
type Problem struct {
	Place
	Server string // the name of the entry, or empty
	Field  string // such as env.TOKEN, or empty
	Text   string
}

// Error is all of it on one line.
func (p Problem) Error() string {
	parts := []string{p.Place.String()}
	if p.Server != "" {
		parts = append(parts, fmt.Sprintf("server %q", p.Server))
	}
	if p.Field != "" {
		parts = append(parts, p.Field)
	}
	return strings.Join(append(parts, p.Text), ": ")
}

// Server is one entry: an MCP server that is started (Command) or reached (URL), or an OpenAPI document (OpenAPI).
type Server struct {
	Place
	Name string
	// Namespace is where its tools are; the name unless the entry says otherwise.
	Namespace   string
	Description string
	// Disabled entries are not connected, by the choice of the user, which Why says.
	Disabled bool
	Why      string
	// Problems keep the entry from being used.
	Problems []Problem
	// Unread are keys of the entry that mean nothing here; Warnings name those that are nearly others which do.
	Unread   []string
	Warnings []Problem

	Command    []Secret
	Dir        string
	Env        map[string]Secret
	EnvFile    string
	InheritEnv []string

	URL       Secret
	Transport client.Transport
	Headers   map[string]Secret
	OAuth     OAuth

	OpenAPI *Document

	Include, Exclude []string
	Validate         client.Validation
	// Timeout is how long a call may go on without a sign of progress, ConnectTimeout how long a session may take to
	// begin; zero is the client's own.
	Timeout, ConnectTimeout time.Duration
	Roots                   []client.Root
	ParseJSONText           bool
	Concurrency             int
	Protocol                string
	// Direct passes the tools on to the model each by itself instead of to programs.
	Direct bool

	// Redactor knows the secrets of the entry.
	Redactor *Redactor
}

// Usable reports whether the entry is to be connected.
func (s *Server) Usable() bool { return !s.Disabled && len(s.Problems) == 0 }

// Err is what is wrong with the entry, nil if nothing is.
func (s *Server) Err() error {
	var errs []error
	for _, p := range s.Problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}

// Load reads files. Of entries with the same name in several files the one of the later file counts, as a whole. A file
// without servers is a note if another one has some. The error is a [Problem] for each file that cannot be read, joined;
// then there is no Config.
func Load(files []string, o Options) (*Config, error) {
	m := merger{options: o.withDefaults()}
	var errs, empty []error
	for i, name := range files {
		if slices.ContainsFunc(files[:i], func(earlier string) bool { return absolute(earlier) == absolute(name) }) {
			continue
		}
		source, err := readFile(name)
		if err == nil {
			err = m.add(name, source)
		}
		switch {
		case errors.Is(err, errNoServers):
			empty = append(empty, problemOf(name, err))
		case err != nil:
			errs = append(errs, problemOf(name, err))
		}
	}
	if len(m.entries) == 0 {
		errs = append(errs, empty...)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	c := m.config()
	for _, err := range empty {
		c.Notes = append(c.Notes, err.(Problem))
	}
	return c, nil
}

// Parse is Load of a single file that has been read. Its name says of what kind it is and what relative paths refer to.
func Parse(name string, source []byte, o Options) (*Config, error) {
	m := merger{options: o.withDefaults()}
	if err := m.add(name, source); err != nil {
		return nil, problemOf(name, err)
	}
	return m.config(), nil
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, errors.Unwrap(err) // the caller names the file
	case info.IsDir():
		return nil, errors.New("is a folder, want a file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("has %d bytes, want at most %d", info.Size(), maxFile)
	}
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	return source, nil
}

func problemOf(file string, err error) Problem {
	p := Problem{Place: Place{File: file}, Text: err.Error()}
	var syntax *syntaxError
	if errors.As(err, &syntax) {
		p.Line = syntax.line
	}
	return p
}

func (o Options) withDefaults() Options {
	if o.Lookup == nil {
		o.Lookup = os.LookupEnv
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	if o.Executables == nil {
		if own, err := os.Executable(); err == nil {
			o.Executables = []string{own}
		}
	}
	return o
}

// workspaceOf is ${workspaceFolder} for a file: the folder of its project, unless that is the user's home.
func (o Options) workspaceOf(file string) string {
	if o.Workspace != "" {
		return o.Workspace
	}
	folder := absolute(filepath.Dir(file))
	project := ""
	switch base := filepath.Base(folder); {
	case strings.HasPrefix(base, ".") && len(base) > 1: // .vscode, .cursor, .gemini
		project = filepath.Dir(folder)
	case filepath.Base(file) == ".mcp.json":
		project = folder
	}
	if project != "" && project != o.Home {
		return project
	}
	return absolute(".")
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
