package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/e2e/npm"
)

// binary builds the command, once, into a folder that the process's end leaves to the system.
var binary = sync.OnceValues(func() (string, error) {
	if err := npm.Install(".."); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "codemode-trace")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "codemode")
	build := exec.Command("go", "build", "-o", path, "./cmd/codemode")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// chromium is the browser of the machine.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no Chromium; install it, as .ci/run does, or leave this package out")
	return ""
}

// shop is an HTTP service with operations of different speed, one of which fails, and its document.
func shop(t *testing.T) string {
	t.Helper()
	operations := map[string]time.Duration{"list": 3, "price": 6, "stock": 9, "reviews": 14, "ship": 4}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, id := strings.TrimPrefix(r.URL.Path, "/"), r.URL.Query().Get("id")
		time.Sleep(operations[name]*time.Millisecond + time.Duration(len(id)%3)*time.Millisecond)
		w.Header().Set("Content-Type", "application/json")
		if name == "ship" {
			w.WriteHeader(http.StatusConflict)
			fmt.Fprint(w, `{"error":"nothing to ship"}`)
			return
		}
		if r.URL.Query().Get("slow") != "" {
			<-r.Context().Done()
			return
		}
		fmt.Fprintf(w, `{"operation":%q,"id":%q,"note":"</script><img src=x onerror=alert(1)><!-- \u2028"}`, name, id)
	}))
	t.Cleanup(server.Close)
	paths := map[string]any{}
	for name := range operations {
		parameter := func(name string) any {
			return map[string]any{"name": name, "in": "query", "schema": map[string]any{"type": "string"}}
		}
		paths["/"+name] = map[string]any{"get": map[string]any{"operationId": name, "summary": name, "parameters": []any{parameter("id"), parameter("slow")},
			"responses": map[string]any{"200": map[string]any{"description": "ok", "content": map[string]any{"application/json": map[string]any{"schema": map[string]any{"type": "object"}}}}}}}
	}
	document, err := json.Marshal(map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "Shop", "version": "1"},
		"servers": []any{map[string]any{"url": server.URL}}, "paths": paths})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "shop.json")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// pageOf runs a program over the shop and returns the page of its trace.
func pageOf(t *testing.T, program string, code int, flags ...string) string {
	t.Helper()
	command, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	file, page := filepath.Join(t.TempDir(), "program.ts"), filepath.Join(t.TempDir(), "trace.html")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(command, append([]string{"run", "--openapi", shop(t), "--trace", page, file}, flags...)...)
	var errs bytes.Buffer
	run.Stderr = &errs
	run.Run()
	if got := run.ProcessState.ExitCode(); got != code || !strings.Contains(errs.String(), "trace: "+page) {
		t.Fatalf("code %d, want %d\n%s", got, code, errs.String())
	}
	return page
}

// drawn is what is on the timeline.
type drawn struct {
	Texts []struct{ Text string }
	Bars  int
}

func (d drawn) has(text string) bool {
	return slices.ContainsFunc(d.Texts, func(t struct{ Text string }) bool { return strings.Contains(t.Text, text) })
}

// sight is what page.mjs saw.
type sight struct {
	Title, Status, Failure                                                     string
	Errors, Requests, Overlaps, Tips, Heat, Logs, Remarks                      []string
	Summary                                                                    map[string]string
	Tools, Lines                                                               [][]string
	Images, Rows                                                               int
	FirstDetail, SecondDetail, LogDetail, Filtered, TipOfPointer               string
	Whole, Closer                                                              drawn
	RangeBefore, RangeCloser, RangeRight, RangeAfter, RangeWheel, RangeDragged string
	RedrawMs                                                                   float64
}

func look(t *testing.T, page, name string, width int, scheme string) sight {
	t.Helper()
	folder := os.Getenv("CODEMODE_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	node := exec.Command("node", "page.mjs", page, folder, name, fmt.Sprint(width), scheme)
	node.Env = append(os.Environ(), "CHROMIUM="+chromium(t))
	var errs bytes.Buffer
	node.Stderr = &errs
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var s sight
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if len(s.Errors)+len(s.Requests)+s.Images > 0 {
		t.Errorf("%s: errors %q, requests %q, %d foreign elements", name, s.Errors, s.Requests, s.Images)
	}
	if len(s.Overlaps) > 0 {
		t.Errorf("%s: texts overlap or are cut:\n%s", name, strings.Join(s.Overlaps[:min(12, len(s.Overlaps))], "\n"))
	}
	if s.RangeCloser == s.RangeBefore || s.RangeRight == s.RangeCloser || s.RangeAfter != s.RangeBefore || s.RangeWheel == s.RangeAfter || s.RangeDragged == s.RangeWheel {
		t.Errorf("%s: zoom and move: %q, closer %q, right %q, all %q, wheel %q, dragged %q", name, s.RangeBefore, s.RangeCloser, s.RangeRight, s.RangeAfter, s.RangeWheel, s.RangeDragged)
	}
	return s
}

func anyHas(list []string, parts ...string) bool {
	return slices.ContainsFunc(list, func(text string) bool {
		return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
	})
}

const three = `// Three calls, one of which fails.
async function offer(id: string) {
  const price = await tools.shop.price({ id });
  console.log("price of", id, price.note);
  return price.operation;
}

const both = await Promise.all([offer("a"), tools.shop.reviews({ id: "b" })]);
try {
  await tools.shop.ship({ id: "a" });
} catch (e) {
  console.error("not shipped");
}
let sum = 0;
for (let i = 0; i < 20_000; i++) sum += i % 7;
return { both, sum };
`

func TestPageWithThreeCalls(t *testing.T) {
	page := pageOf(t, three, 0)
	for _, width := range []int{1280, 420} {
		scheme := map[int]string{1280: "light", 420: "dark"}[width]
		s := look(t, page, fmt.Sprintf("three-%d-%s", width, scheme), width, scheme)
		if s.Title != "program.ts" || s.Status != "succeeded" || s.Summary["Calls"] != "3" || s.Summary["Fibers"] != "2" || s.Summary["At once"] != "2" {
			t.Errorf("got %q %q %v", s.Title, s.Status, s.Summary)
		}
		for _, text := range []string{"Program", "Functions", "Calls", "Console", "offer"} {
			if !s.Whole.has(text) {
				t.Errorf("the timeline does not show %q: %v", text, s.Whole.Texts)
			}
		}
		if !anyHas(s.Tips, "tools.shop.price", "completed", "line 3", `"id":"a"`, "</script><img") || !anyHas(s.Tips, "await Promise.all(...)", "line 8") ||
			!anyHas(s.Tips, "offer", "async", "returned") || !anyHas(s.Tips, "tools.shop.ship", "failed") || s.TipOfPointer == "" {
			t.Errorf("tooltips: %q", s.Tips)
		}
		if !strings.Contains(s.FirstDetail, "tools.shop.price") || !strings.Contains(s.SecondDetail, "tools.shop.reviews") || !strings.Contains(s.SecondDetail, `"b"`) {
			t.Errorf("details: %q, %q", s.FirstDetail, s.SecondDetail)
		}
		if !slices.Contains(s.Heat, "line-15") || s.Lines[14][0] != "40,002" || s.Lines[2][1] != "1" || len(s.Lines) != 16 {
			t.Errorf("heat on %v, lines %q", s.Heat, s.Lines)
		}
		if len(s.Logs) != 2 || !strings.HasPrefix(s.Logs[0], "price of a </script><img src=x") || s.Logs[1] != "not shipped" || !strings.Contains(s.LogDetail, "console.log") {
			t.Errorf("console: %q, %q", s.Logs, s.LogDetail)
		}
		if len(s.Tools) != 3 || s.Filtered != "1 of 3" || s.Rows != 1 {
			t.Errorf("tools %q, filtered %q, %d rows", s.Tools, s.Filtered, s.Rows)
		}
	}
}

const threeThousand = `const ids = Array.from({ length: 750 }, (_, i) => "x".repeat(i % 5) + i);

async function article(id: string) {
  const [price, stock] = await Promise.all([tools.shop.price({ id }), tools.shop.stock({ id })]);
  if (id.length === 3) console.info("article", id);
  const reviews = await tools.shop.reviews({ id });
  const more = await (id.endsWith("7") ? tools.shop.ship({ id }).catch(() => null) : tools.shop.list({ id }));
  return [price, stock, reviews, more].filter(Boolean).length;
}

const counts = await Promise.all(ids.map(article));
return counts.reduce((a, b) => a + b, 0);
`

func TestPageWithThreeThousandCalls(t *testing.T) {
	page := pageOf(t, threeThousand, 0)
	s := look(t, page, "thousands", 1280, "light")
	if s.Summary["Calls"] != "3,000" || s.Summary["Fibers"] != "751" || s.Summary["At once"] != "8" {
		t.Errorf("got %v", s.Summary)
	}
	if len(s.Tools) != 5 || s.Rows != 50 || !strings.HasSuffix(s.Filtered, " of 3,000") || len(s.Logs) != 200 && len(s.Logs) < 100 {
		t.Errorf("tools %q, %d rows, filtered %q, %d console lines", s.Tools, s.Rows, s.Filtered, len(s.Logs))
	}
	if s.Whole.Bars < 3000 || !s.Whole.has("750 functions, at most 750 at once") || !anyHas(s.Tips, "tools.shop.") {
		t.Errorf("%d bars, texts %v, tips %q", s.Whole.Bars, s.Whole.Texts, s.Tips)
	}
	if s.Closer.Bars >= s.Whole.Bars/4 || !s.Closer.has("stock") && !s.Closer.has("price") {
		t.Errorf("zoomed in: %d bars instead of %d, texts %v", s.Closer.Bars, s.Whole.Bars, s.Closer.Texts)
	}
	if s.RedrawMs > 2000 {
		t.Errorf("a redraw takes %v ms", s.RedrawMs)
	}
}

const endless = `console.warn("this will not end");
const all = Array.from({ length: 20 }, (_, i) => tools.shop.list({ id: String(i), slow: i > 2 ? "yes" : undefined }));
await Promise.all(all);
`

func TestPageOfATimeout(t *testing.T) {
	s := look(t, pageOf(t, endless, 3, "--timeout", "400ms"), "timeout", 1280, "dark")
	if s.Status != "limit reached" || !strings.Contains(s.Failure, "TimeoutExceeded") || s.Summary["Calls"] != "20" || !s.Whole.has("Not started") || !anyHas(s.Tips, "interrupted") {
		t.Errorf("got %q %q %v %v %q", s.Status, s.Failure, s.Summary, s.Whole.Texts, s.Tips)
	}
}

func TestPageOfAProgramThatDoesNotCompile(t *testing.T) {
	command, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "trace.html")
	exec.Command(command, "run", "--trace", page, "-e", "const a = 1;\nlet b = ;").Run()
	s := look(t, page, "broken", 1280, "light")
	if s.Status != "failed" || !strings.Contains(s.Failure, "2 | let b = ;") || len(s.Lines) != 2 {
		t.Errorf("got %q %q %q", s.Status, s.Failure, s.Lines)
	}
}
