package interpreter

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter/internal/builtin"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// echo is a host whose every tool answers with a few fields, for programs that are run for what they exercise.
type echo struct{}

func (echo) Keys([]string) ([]string, bool)    { return []string{"a"}, true }
func (echo) Lookup(path []string) (bool, bool) { return len(path) > 0, true }
func (echo) Invoke(c Call) error {
	c.Done(data.NewObject([]data.Member{{Key: "items", Value: data.NewArray(nil)}}), nil)
	return nil
}

// Every builtin is used by a line of conformance/testdata: functions, constructors and accessors run, constants are named.
func TestEveryRowIsUsed(t *testing.T) {
	used := map[string]bool{}
	observed := builtin.Observed(func(path string) { used[path] = true })
	before := library
	library = func() *value.Library { return observed }
	defer func() { library = before }()

	var texts strings.Builder
	for _, program := range conformancePrograms(t) {
		texts.WriteString(program)
		p, problem := Compile(program, compileopt.Options{})
		if problem != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		calls := 0
		p.Run(ctx, RunOptions{Host: &limited{echo{}, &calls, cancel}, MaxMemory: 1 << 28})
		cancel()
	}
	all := texts.String()
	for _, e := range builtin.Describe() {
		name := e.Path[strings.LastIndexByte(e.Path, '.')+1:]
		switch {
		case used[e.Path]:
		case e.Kind == "value" || e.Kind == "namespace":
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.TrimSuffix(name, "]")) + `\b`).MatchString(all) {
				t.Errorf("no line names %s", e.Path)
			}
		default:
			t.Errorf("no line runs %s", e.Path)
		}
	}
}

// limited ends programs that call without end.
type limited struct {
	Host
	calls *int
	end   func()
}

func (l *limited) Invoke(c Call) error {
	if *l.calls++; *l.calls > 10_000 {
		l.end()
	}
	return l.Host.Invoke(c)
}

func conformancePrograms(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../conformance/testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	var programs []string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct {
				Program string
				Limits  any
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatal(name, err)
			}
			if line.Limits == nil { // the others are about endings
				programs = append(programs, line.Program)
			}
		}
		f.Close()
	}
	return programs
}
