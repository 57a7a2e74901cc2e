package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/tool"
)

// evil is what every text of the test is: markup, ends of elements and comments, separators of lines.
const evil = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u2028\u2029 \x00 \" ' & ]]>"

// written runs a program whose tool, names and console are hostile, and gives its page.
func written(t *testing.T) (page string, r *codemode.Result, tr *codemode.Trace) {
	t.Helper()
	tools := tool.Tree{"a": tool.Tree{"</title><b>": tool.New(evil, func(ctx context.Context, in struct{ X string }) (string, error) {
		tool.Attach(ctx, tool.Attachment{Name: "</ul><b>.png", MIMEType: "image/png", Data: []byte("secret picture")})
		return in.X + evil, nil
	})}}
	rt, err := codemode.New(codemode.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	src := "const evil = `</script><!--`;\nconsole.log(evil + input);\nawait tools.a['</title><b>']({ X: input });\nthrow new Error(input)"
	tr = &codemode.Trace{}
	r, err = rt.ExecuteWith(t.Context(), src, codemode.ExecOptions{Trace: tr, Input: evil})
	if err != nil || len(r.Calls) != 1 || r.Calls[0].Status != tool.Completed {
		t.Fatal(r.Error, err)
	}
	var b bytes.Buffer
	if err := Write(&b, Page{Title: "</title><b>" + evil, Source: src, Trace: tr, Result: r}); err != nil {
		t.Fatal(err)
	}
	return b.String(), r, tr
}

// elements counts the elements of a document and finds the text of those with an id or a name.
func elements(t *testing.T, page string) (count map[string]int, texts map[string]string, policy string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	count, texts = map[string]int{}, map[string]string{}
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.CommentNode {
			count["comment"]++
		}
		if n.Type == html.ElementNode {
			count[n.Data]++
			key := n.Data
			for _, a := range n.Attr {
				switch {
				case a.Key == "id":
					key = a.Val
				case a.Key == "content" && strings.Contains(a.Val, "default-src"):
					policy = a.Val
				case strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" || a.Key == "style":
					t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
				}
			}
			if n.FirstChild != nil {
				texts[key] = n.FirstChild.Data
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(root)
	return count, texts, policy
}

func TestHostileTextsAreNoMarkup(t *testing.T) {
	page, _, _ := written(t)
	count, texts, policy := elements(t, page)
	if count["script"] != 2 || count["img"] != 0 || count["b"] != 0 || count["comment"] != 0 || count["style"] != 1 || count["link"] != 0 {
		t.Errorf("got %v", count)
	}
	if want := "</title><b>" + evil; texts["title"] != strings.ReplaceAll(want, "\x00", "\uFFFD") && !strings.HasPrefix(texts["title"], "</title><b></script>") {
		t.Errorf("title %q", texts["title"])
	}
	for _, want := range []string{"default-src 'none'", hash(texts["script"]), hash(texts["style"]), "require-trusted-types-for 'script'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy has no %q: %s", want, policy)
		}
	}
	if regexp.MustCompile(`innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|fetch\(|import\(|https?://`).MatchString(texts["script"] + texts["style"]) {
		t.Error("the script makes markup or code of texts, or goes outside")
	}
	if strings.Contains(page, "secret picture") || !strings.Contains(page, `14 bytes`) {
		t.Error("attachments are shown by more than type and size, or not at all")
	}
}

// model is the data of the page as its script reads it.
type model struct {
	Title, Status, Failure, Source   string
	FailedLine                       int
	Duration                         float64
	Texts, Statuses, Kinds, Outcomes []string
	Remarks                          []string
	Fibers, Awaits, Calls, Logs      [][]any
	Lines                            [][]float64
}

func modelOf(t *testing.T, page string) model {
	t.Helper()
	_, texts, _ := elements(t, page)
	var m model
	if err := json.Unmarshal([]byte(texts["data"]), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDataOfThePage(t *testing.T) {
	page, r, tr := written(t)
	m := modelOf(t, page)
	if m.Status != "failed" || m.FailedLine != 4 || !strings.Contains(m.Failure, "--> 4:7") || len(m.Fibers) != 1 || len(m.Awaits) != 1 || len(m.Lines) != 4 {
		t.Errorf("got %+v", m)
	}
	call := m.Calls[0]
	text := func(i any) string { return m.Texts[int(i.(float64))] }
	if text(call[0]) != tr.Calls[0].Path || m.Statuses[int(call[4].(float64))] != "completed" || call[6].(float64) != 3 || call[8].(float64) != 0 {
		t.Errorf("call %v", call)
	}
	if !strings.HasPrefix(text(call[9]), `{"X":"</script><script>`) || !strings.Contains(text(call[10]), "\u2028") || r.Calls[0].Path != text(call[0]) {
		t.Errorf("input %q, output %q", text(call[9]), text(call[10]))
	}
	if made, ended := call[1].(float64), call[3].(float64); made <= 0 || ended < made || ended > m.Duration {
		t.Errorf("made at %v, ended at %v of %v", made, ended, m.Duration)
	}
	if !strings.HasPrefix(text(m.Logs[0][2]), "</script><!--</script>") || m.Logs[0][3].(float64) != 2 {
		t.Errorf("log %v", m.Logs[0])
	}
}

func TestTimesAreInMicroseconds(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0", 1500 * time.Nanosecond: "0.001", 12345678 * time.Nanosecond: "12.345", -1: "-1", time.Hour: "3600000"} {
		if got, _ := millis(d).MarshalJSON(); string(got) != want {
			t.Errorf("%v: got %s, want %s", d, got, want)
		}
	}
}

func TestDroppedAndIncompleteAreSaid(t *testing.T) {
	p := Page{Result: &codemode.Result{}, Trace: &codemode.Trace{Incomplete: true, Dropped: codemode.TraceDropped{Calls: 3}}, Err: context.Canceled}
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	m := modelOf(t, b.String())
	if all := strings.Join(m.Remarks, "\n"); m.Status != "ended" || !strings.Contains(all, "only its calls") || !strings.Contains(all, "3 more calls") {
		t.Errorf("got %q %q", m.Status, m.Remarks)
	}
}

// TestScriptIsWellFormed has node read the script, where node is installed; e2e runs it in a browser.
func TestScriptIsWellFormed(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		return
	}
	page, _, _ := written(t)
	_, texts, _ := elements(t, page)
	check := exec.Command(node, "--check", "-")
	check.Stdin = strings.NewReader(texts["script"])
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
