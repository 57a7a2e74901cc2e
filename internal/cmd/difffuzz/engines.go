package main

// This file defines the two engines: a node process fed over pipes, and the interpreter.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// driver runs programs in node: a JSON array of texts a line in, a JSON array of outcomes a line out.
const driver = `
const AsyncFunction = (async () => {}).constructor;
process.on("unhandledRejection", () => {});
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", async (line) => {
  const out = [];
  for (const text of JSON.parse(line)) {
    let f;
    try { f = new AsyncFunction('"use strict";' + text) } catch (e) { out.push("syntax " + e.name); continue }
    try { out.push(await Promise.race([f(), new Promise((r) => setTimeout(r, 3000, "timeout"))])) }
    catch (e) { out.push("throws " + (e instanceof Error ? e.name : typeof e)) }
  }
  console.log(JSON.stringify(out));
});
`

type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startNode() (*peer, error) {
	cmd := exec.Command("node", "--stack-size=900", "-e", driver)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=en_US.UTF-8")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("node is needed: %w", err)
	}
	return &peer{cmd, in, bufio.NewReaderSize(out, 1<<20)}, nil
}

func (p *peer) stop() {
	p.in.Close()
	_ = p.cmd.Wait()
}

func (p *peer) run(texts []string) ([]string, error) {
	line, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	answer, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var out []string
	if err := json.Unmarshal(answer, &out); err != nil {
		return nil, err
	}
	if len(out) != len(texts) {
		return nil, fmt.Errorf("node answered %d of %d programs", len(out), len(texts))
	}
	return out, nil
}

type noTools struct{}

func (noTools) Invoke(interpreter.Call) error { return errors.New("there are no tools") }

func (noTools) Keys(path []string) ([]string, bool) { return nil, len(path) == 0 }

func (noTools) Lookup(path []string) (isTool, isNamespace bool) { return false, len(path) == 0 }

func runOwn(text string) (outcome string) {
	defer func() {
		if r := recover(); r != nil {
			outcome = fmt.Sprintf("panic %v", r)
		}
	}()
	p, d := interpreter.Compile(text, compileopt.Options{NoSizeLimit: true, IgnoreUnhandled: true})
	if d != nil {
		if d.Kind == "ParseError" {
			return "syntax SyntaxError"
		}
		return d.Error()
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	out := p.Run(ctx, interpreter.RunOptions{Host: noTools{}})
	switch {
	case out.Ended != nil:
		return "timeout"
	case out.Failure != nil:
		name, _, _ := strings.Cut(out.Failure.Message, ":")
		return "throws " + name
	}
	if s, ok := out.Value.(data.String); ok {
		return string(s)
	}
	return data.JSON(out.Value)
}
