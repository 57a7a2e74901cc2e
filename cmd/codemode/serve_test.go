package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	helloFrame = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	listFrame  = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	callFrame  = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run_it","arguments":{"code":"console.log('on it'); return (await tools.repos.list()).length"}}}`
)

// replies are the results by id; every line has to be a message.
func replies(t *testing.T, out string) map[float64]json.RawMessage {
	t.Helper()
	byID := map[float64]json.RawMessage{}
	for line := range strings.Lines(out) {
		var m struct {
			JSONRPC string
			ID      float64
			Result  json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("not a message: %s", line)
		}
		byID[m.ID] = m.Result
	}
	return byID
}

func TestServeDemo(t *testing.T) {
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(audit, nil, 0o644); err != nil { // an older one
		t.Fatal(err)
	}
	start := time.Now()
	code, out, errs := invoke(t, context.Background(), strings.Join([]string{helloFrame, listFrame, callFrame}, "\n")+"\n",
		"serve", "--name", "run_it", "--search", "--audit", audit)
	if code != 0 || !strings.Contains(errs, "serving over standard input and output") || time.Since(start) > 3*time.Second {
		t.Errorf("code %d after %v: %s", code, time.Since(start), errs)
	}
	got := replies(t, out)
	var list struct {
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal(got[2], &list); err != nil || len(list.Tools) != 3 || list.Tools[0].Name != "run_it" || list.Tools[1].Name != "run_it_more" || list.Tools[2].Name != "search" ||
		!strings.Contains(list.Tools[0].Description, "program for `run_it`") {
		t.Errorf("%v %.300s", err, got[2])
	}
	var result struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(got[3], &result); err != nil || result.Content[0].Text != "5\n\nLogs:\non it" {
		t.Errorf("%v %s", err, got[3])
	}
	lines, err := os.ReadFile(audit)
	if info, statErr := os.Stat(audit); err != nil || statErr != nil || info.Mode().Perm()&0o077 != 0 || strings.Count(string(lines), "\n") != 2 || strings.Contains(string(lines), "console") {
		t.Errorf("%v %s", err, lines)
	}
}

func TestServeUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"--stateless: is for --http":          {"--stateless"},
		"--token-env: is for --http":          {"--token-env", "X"},
		"CODEMODE_TEST_UNSET is not set":      {"--http", "127.0.0.1:0", "--token-env", "CODEMODE_TEST_UNSET"},
		"--audit-inputs: there is no --audit": {"--audit-inputs"},
		"--http: got \"0.0.0.0:0\", which others can reach; want a loopback address, such as 127.0.0.1:3900, or --token-env": {"--http", "0.0.0.0:0"},
		"--http: got \"3900\", want HOST:PORT":                               {"--http", "3900"},
		"--memory: got 9000000000000, want 1 to 2047 MiB, or 0 for no limit": {"--memory", "9000000000000"},
		"--all-memory: got -1, want 0 or more MiB":                           {"--all-memory=-1"},
		"--audit: open /nonexistent/a":                                       {"--audit", "/nonexistent/a"},
		"--name: got \"a b\", want 1 to 64 letters, digits, _ and -":         {"--name", "a b"},
		"--name: got \"\", want":                                             {"--name", ""},
		"--max-output: got -1, want 0 to 2147483647 bytes":                   {"--max-output=-1"},
		"--max-calls: got -1, want 0 to 2147483647":                          {"--max-calls=-1"},
		"--timeout: got -1s, want more than 0":                               {"--timeout=-1s"},
		"--wait: got -1s, want 0 or more":                                    {"--config", written(t, "none.json", `{"mcpServers": {}}`), "--wait=-1s"},
		"can't be used together":                                             {"-q", "-v"},
		"no such file":                                                       {"--config", "/nonexistent/c.json"},
	} {
		if code, out, errs := invoke(t, context.Background(), "", append([]string{"serve"}, args...)...); code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %s, want %s", args, code, errs, want)
		}
	}
}

// said is what a command writes while it runs.
type said struct {
	mu   sync.Mutex
	text string
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text += string(p)
	return len(p), nil
}

func (s *said) find(pattern string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := regexp.MustCompile(pattern).FindStringSubmatch(s.text); m != nil {
		return m[1]
	}
	return ""
}

func TestServeHTTP(t *testing.T) {
	t.Setenv("CODEMODE_TEST_TOKEN", "t0ken")
	ctx, stop := context.WithCancel(context.Background())
	var errs said
	done := make(chan int, 1)
	go func() {
		done <- execute(ctx, []string{"serve", "--http", "127.0.0.1:0", "--stateless", "--token-env", "CODEMODE_TEST_TOKEN"}, streams{in: strings.NewReader(""), out: io.Discard, err: &errs})
	}()
	url := ""
	for deadline := time.Now().Add(10 * time.Second); url == "" && time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		url = errs.find(`url=(\S+)`)
	}
	for token, status := range map[string]int{"": 401, "Bearer t0ken": 200} {
		r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(strings.Replace(callFrame, "run_it", "execute", 1)))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != status || status == 200 && !strings.Contains(string(body), `"text":"5\n\nLogs:\non it"`) {
			t.Errorf("%d %s", resp.StatusCode, body)
		}
	}
	stop()
	select {
	case code := <-done:
		if code != 0 {
			t.Errorf("code %d", code)
		}
	case <-time.After(5 * time.Second):
		t.Error("it does not end")
	}
	if errs.find(`(t0ken)`) != "" {
		t.Error("the token was printed")
	}
}
