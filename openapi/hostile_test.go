package openapi_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// nothing fails a test when something is read or sent.
type nothing struct{ t *testing.T }

func (n nothing) Open(name string) (fs.File, error) {
	n.t.Errorf("the file %s was opened", name)
	return nil, fs.ErrNotExist
}

func (n nothing) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("a request went to %s", r.URL)
	return nil, fs.ErrInvalid
}

func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f(i))
	}
	return b.String()
}

func withSchemas(body, schemas string) string {
	return `{"openapi":"3.0.3","paths":{"/p":{"post":{"operationId":"op","requestBody":{"content":{"application/json":{"schema":` + body + `}}}}}},"components":{"schemas":{` + schemas + `}}}`
}

// withForm has a field that is a list of such lists.
func withForm(media string) string {
	return `{"openapi":"3.0.3","paths":{"/p":{"post":{"requestBody":{"content":{"` + media + `":{"schema":{"type":"object","properties":{"a":{"type":"string"},"tree":` + ref("Tree") +
		`}}}}}}}},"components":{"schemas":{"Tree":{"type":"array","items":` + ref("Tree") + `}}}}`
}

func ref(name string) string { return `{"$ref":"#/components/schemas/` + name + `"}` }

// bombs are documents that are small for what they could cost. wrong is what the
// error says, "" if they load.
var bombs = map[string]struct{ document, wrong string }{
	"aliases":              {"openapi: 3.1.0\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + bombOfAliases(20), "aliases expand to more than"},
	"a cycle of aliases":   {"openapi: 3.1.0\nx: &a {b: &b {c: *a}}\n", "stands for what it is part of"},
	"merged aliases":       {"openapi: 3.1.0\n" + bombOfMerges(60_000), "more than 2000000"},
	"deep YAML":            {"openapi: 3.1.0\nx: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "nested deeper than"},
	"deeper YAML":          {"openapi: 3.1.0\nx: " + strings.Repeat("{a: ", 100_000), ""},
	"deep JSON":            {`{"openapi":"3.1.0","x":` + strings.Repeat("[", 2_000_000), "nested"},
	"many lines":           {"openapi: 3.1.0\nx:\n" + strings.Repeat("-\n", 2_100_000), "more than 2000000 lines and commas"},
	"deep schemas":         {withSchemas(strings.Repeat(`{"items":`, 900)+"{}"+strings.Repeat("}", 900), ""), ""},
	"deep allOf":           {withSchemas(strings.Repeat(`{"allOf":[`, 450)+"{}"+strings.Repeat("]}", 450), ""), ""},
	"a schema of itself":   {withSchemas(ref("A"), `"A":`+ref("A")), ""},
	"a ring of references": {withSchemas(ref("A0"), repeat(1000, func(i int) string { return fmt.Sprintf(`"A%d":%s`, i, ref(fmt.Sprint("A", (i+1)%1000))) })), ""},
	"allOf of itself":      {withSchemas(ref("A"), `"A":{"required":["x"],"properties":{"x":{"readOnly":true}},"allOf":[`+repeat(50, func(int) string { return ref("A") })+`]}`), ""},
	"a chain of schemas": {withSchemas(ref("A0"), repeat(50_000, func(i int) string {
		return fmt.Sprintf(`"A%d":{"properties":{"next":%s}}`, i, ref(fmt.Sprint("A", i+1)))
	})), ""},
	"a tree of allOf": {withSchemas(ref("A0"), repeat(40, func(i int) string {
		r := ref(fmt.Sprint("A", i+1))
		return fmt.Sprintf(`"A%d":{"required":["x"],"allOf":[%s,%s,%s],"properties":{"x":{"readOnly":true,"allOf":[%s,%s]}}}`, i, r, r, r, r, r)
	})), ""},
	"operations": {`{"openapi":"3.1.0","paths":{` + repeat(50_000, func(i int) string {
		return fmt.Sprintf(`"/p%d/{id}":{"get":{"operationId":"op%d","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"responses":{"200":{"content":{"application/json":{"schema":%s}}}}}}`, i, i, ref("A"))
	}) + `},"components":{"schemas":{"A":{"properties":{"b":` + ref("B") + `}},"B":{"properties":{"a":` + ref("A") + `}}}}}`, ""},
	"operations of one name": {`{"openapi":"3.1.0","paths":{` + repeat(50_000, func(i int) string {
		return fmt.Sprintf(`"/%s":{"get":{"operationId":"same"}}`, strings.Repeat("-", i%500+1)+strings.Repeat("+", i/500))
	}) + `}}`, ""},
	"too many operations": {`{"openapi":"3.1.0","paths":{` + repeat(100_001, func(i int) string { return fmt.Sprintf(`"/%d":{"get":{}}`, i) }) + `}}`, "more than 100000 operations"},
	"operations that share much": {`{"openapi":"3.1.0","paths":{` + repeat(10_000, func(i int) string {
		return fmt.Sprintf(`"/p%d":{"post":{"operationId":"op%d","requestBody":{"content":{"application/json":{"schema":%s}}}}}`, i, i, ref(fmt.Sprint("A", i%2000)))
	}) + `},"components":{"schemas":{` + repeat(2000, func(i int) string {
		return fmt.Sprintf(`"A%d":{"properties":{"a":%s,"b":%s}}`, i, ref(fmt.Sprint("A", (i+1)%2000)), ref(fmt.Sprint("A", (i*7)%2000)))
	}) + `}}}`, ""},
	"paths that share much": {`{"openapi":"3.1.0","paths":{` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"/p%d":{"$ref":"#/components/pathItems/P"}`, i) }) +
		`},"components":{"pathItems":{"P":{"parameters":[` + repeat(2000, func(i int) string { return fmt.Sprintf(`{"name":"q%d","in":"query","schema":%s}`, i, ref("Wide")) }) +
		`],"get":{"responses":{"200":{"$ref":"#/components/responses/R"}}}}},"responses":{"R":{"content":{` + repeat(2000, func(i int) string { return fmt.Sprintf(`"application/x%d+json":{"schema":{"title":"%d"}}`, i, i) }) +
		`}}},"schemas":{"Wide":{"anyOf":[` + repeat(2000, func(i int) string { return `{"type":"string"}` }) + `]}}}}`, ""},
	"a form of itself": {`{"openapi":"3.0.3","paths":{"/p":{"post":{"requestBody":{"content":{"multipart/form-data":{"schema":` + ref("F") +
		`}}}}}},"components":{"schemas":{"F":{"properties":{"a":{}},"allOf":[` + repeat(60, func(int) string { return ref("F") }) + `],"anyOf":[` + ref("F") + `,` + ref("F") + `]}}}}`, ""},
	"a list of itself in a form":           {withForm("application/x-www-form-urlencoded"), ""},
	"a list of itself in a multipart form": {withForm("multipart/form-data"), ""},
	"a wide base": {`{"openapi":"3.0.3","paths":{` + repeat(2000, func(i int) string {
		return fmt.Sprintf(`"/p%d":{"post":{"requestBody":{"content":{"application/json":{"schema":%s}}}}}`, i, ref(fmt.Sprint("A", i)))
	}) + `},"components":{"schemas":{"B":{"properties":{` + repeat(10_000, func(i int) string { return fmt.Sprintf(`"x%d":{"readOnly":true}`, i) }) + `}},` +
		repeat(2000, func(i int) string { return fmt.Sprintf(`"A%d":{"allOf":[%s]}`, i, ref("B")) }) + `}}}`, ""},
	"references elsewhere": {`{"openapi":"3.1.0","servers":[{"url":"http://169.254.169.254"}],"paths":{
		"/a":{"$ref":"file:///etc/passwd"},"/b":{"$ref":"http://169.254.169.254/x"},"/c":{"$ref":"//evil.test/x"},"/d":{"$ref":"..\\..\\x"},"/e":{"$ref":"../../etc/passwd"},
		"/f":{"get":{"operationId":"f","servers":[{"url":"http://evil.test"}],"parameters":[{"$ref":"https://evil.test/p"}],"requestBody":{"$ref":"/etc/shadow"}}}}}`, ""},
}

func bombOfAliases(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "a%d: &a%d [", i+1, i+1)
		for range 10 {
			fmt.Fprintf(&b, "*a%d, ", i)
		}
		b.WriteString("]\n")
	}
	return b.String()
}

func bombOfMerges(n int) string {
	var b strings.Builder
	b.WriteString("m: &m {" + repeat(100, func(i int) string { return fmt.Sprintf("k%d: 1", i) }) + "}\nlist:\n")
	for range n {
		b.WriteString("- {<<: *m}\n")
	}
	return b.String()
}

// Whatever a document holds, loading it is quick and small, reads and sends
// nothing, and what it makes can be shown and checked.
func TestHostileDocuments(t *testing.T) {
	for name, bomb := range bombs {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			tree, _, err := openapi.Load([]byte(bomb.document), openapi.Options{BaseURL: "http://api.test", References: nothing{t}, Transport: nothing{t}})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%d bytes: %v, %d MiB allocated, %v", len(bomb.document), took, (after.TotalAlloc-before.TotalAlloc)>>20, err)
			if took > time.Minute {
				t.Errorf("took %v", took)
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 2<<30 {
				t.Errorf("allocated %d MiB", allocated>>20)
			}
			if bomb.wrong != "" && (err == nil || !strings.Contains(err.Error(), bomb.wrong)) {
				t.Errorf("got %v, want %s", err, bomb.wrong)
			}
			if err != nil {
				return
			}
			use(t, tree)
		})
	}
}

// use shows and checks the first tools of a tree.
func use(t *testing.T, tree tool.Tree) {
	c, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range c.All() {
		if i == 3 {
			break
		}
		if len(e.Signature()) > 1<<20 {
			t.Errorf("%s has a signature of %d bytes", e.Expression, len(e.Signature()))
		}
		_ = e.Tool.Input().Err()
		_ = e.Tool.Output().Err()
	}
}

// The time grows in proportion to the operations.
func TestLoadingIsLinear(t *testing.T) {
	document := func(n int) []byte {
		return []byte(`{"openapi":"3.0.3","paths":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"/p%d/{id}":{"post":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"requestBody":{"content":{"application/json":{"schema":%s}}}}}`, i, ref(fmt.Sprint("A", i)))
		}) + `},"components":{"schemas":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"A%d":{"type":"object","properties":{"a":{"type":"string","readOnly":true},"b":{"type":"array","items":%s}}}`, i, ref(fmt.Sprint("A", i/10*10)))
		}) + `}}}`)
	}
	allocated := func(n int) uint64 {
		text := document(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := openapi.Load(text, openapi.Options{BaseURL: "http://api.test"}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if small, large := allocated(1000), allocated(4000); float64(large) > 4.6*float64(small) {
		t.Errorf("4000 operations allocate %d bytes, 1000 allocate %d", large, small)
	}
}

// Loading never panics, and what loads can be resolved.
func FuzzLoad(f *testing.F) {
	for _, bomb := range bombs {
		if len(bomb.document) < 10_000 {
			f.Add([]byte(bomb.document))
		}
	}
	f.Add([]byte(secured))
	f.Add([]byte(simple))
	f.Add([]byte(petsV2))
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(document) > 20_000 {
			return
		}
		tree, _, err := openapi.Load(document, openapi.Options{BaseURL: "http://api.test", DeepObjects: openapi.Indexed, Transport: nothing{t}})
		if err == nil {
			use(t, tree)
		}
	})
}
