package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTraceIsWrittenHoweverAProgramEnds(t *testing.T) {
	for _, test := range []struct {
		name  string
		flags []string
		code  int
		page  string // what is in the page
	}{
		{"success", []string{"-e", "return (await tools.repos.list()).length"}, 0, `"status":"succeeded"`},
		{"failure", []string{"-e", "await tools.repos.list(); throw new Error('no')"}, 1, `"status":"failed"`},
		{"no program", []string{"-e", "let a = ;"}, 1, "ParseError"},
		{"timeout", []string{"-e", "for (;;);", "--timeout", "50ms"}, 3, `"status":"limit reached"`},
		{"json", []string{"--json", "-e", "1"}, 0, `"status":"succeeded"`},
	} {
		file := filepath.Join(t.TempDir(), "page.html")
		code, _, errs := invoke(t, context.Background(), "", append([]string{"run", "--trace", file}, test.flags...)...)
		page, err := os.ReadFile(file)
		if code != test.code || err != nil || !strings.Contains(string(page), test.page) || !strings.HasSuffix(errs, "trace: "+file+"\n") {
			t.Errorf("%s: code %d, %v\n%s", test.name, code, err, errs)
		}
		if info, err := os.Stat(file); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("%s: others may read it: %v", test.name, info.Mode())
		}
	}
}

func TestTraceOfAnInterruptedProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	file := filepath.Join(t.TempDir(), "page.html")
	w := &trigger{text: "< completed", act: cancel}
	s := streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: w, terminal: true}
	code := execute(ctx, []string{"run", "--trace", file, "-e", "await tools.repos.list(); for (;;);"}, s)
	page, err := os.ReadFile(file)
	if code != exitInterrupted || err != nil || !strings.Contains(string(page), `"status":"interrupted"`) || !strings.Contains(string(page), `"headline":"The program was interrupted before its end.`) || !strings.Contains(string(page), "tools.repos.list") {
		t.Errorf("code %d, %v, %s", code, err, &w.seen)
	}
}

// TestUnwritableTrace refuses before the program runs.
func TestUnwritableTrace(t *testing.T) {
	folder := t.TempDir()
	for file, want := range map[string]string{filepath.Join(folder, "no", "page.html"): "no such file", folder: "--trace: "} {
		code, out, errs := invoke(t, context.Background(), "", "run", "--trace", file, "-e", "console.log('ran'); return 1")
		if code != exitUsage || out != "" || strings.Contains(errs, "ran") || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %s %s", file, code, out, errs)
		}
	}
	unused := filepath.Join(folder, "unused.html")
	if code, _, errs := invoke(t, context.Background(), "", "run", "--trace", unused, "-e", "1", "-c", "/nonexistent.json"); code != exitUsage || !strings.Contains(errs, "no such file") {
		t.Errorf("code %d, %s", code, errs)
	}
	if _, err := os.Stat(unused); err == nil {
		t.Error("an empty page was left")
	}
	old := filepath.Join(folder, "old.html")
	if err := os.WriteFile(old, bytes.Repeat([]byte("x"), 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, context.Background(), "", "run", "--trace", old, "-e", "1")
	if info, err := os.Stat(old); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("others may read the page in an older file: %v", err)
	}
	if page, err := os.ReadFile(old); err != nil || !bytes.HasPrefix(page, []byte("<!doctype html>")) || !bytes.HasSuffix(bytes.TrimSpace(page), []byte("</html>")) {
		t.Errorf("an older file was not replaced: %v", err)
	}
}
