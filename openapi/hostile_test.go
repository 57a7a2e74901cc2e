package openapi_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
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
	"many lines":           {"openapi: 3.1.0\nx:\n" + strings.Repeat("-\n", 2_100_000), "more than 2000000 lines, commas, brackets and dashes"},
	"brackets":             {"openapi: 3.1.0\nx:\n" + strings.Repeat("- "+strings.Repeat("[", 900)+strings.Repeat("]", 900)+"\n", 2300), "more than 2000000"},
	"dashes":               {"openapi: 3.1.0\nx:\n" + strings.Repeat(strings.Repeat("- ", 900)+"\n", 2300), "more than 2000000"},
	"many values":          {`{"openapi":"3.1.0","x":[` + strings.Repeat("{},", 4_100_000) + "1]}", "more than 4000000 values"},
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
	// Each of these was quadratic.
	"names of definitions": {`{"openapi":"3.0.3","paths":{` + repeat(25_000, func(i int) string {
		return fmt.Sprintf(`"/p%d":{"get":{"parameters":[{"name":"q","in":"query","schema":{"$ref":"#/components/schemas/S%d/properties/v"}}]}}`, i, i)
	}) + `},"components":{"schemas":{` + repeat(25_000, func(i int) string { return fmt.Sprintf(`"S%d":{"properties":{"v":{"type":"string"}}}`, i) }) + `}}}`, ""},
	"places of a path": {`{"openapi":"3.0.3","paths":{"/` + strings.Repeat("{a}", 400_000) + `":{"get":{"operationId":"op","parameters":[{"name":"a","in":"path","required":true,"schema":{}},` +
		repeat(40_000, func(i int) string { return fmt.Sprintf(`{"name":"q%d","in":"path","schema":{}}`, i) }) + `]}}}}`, ""},
	"required and read only": {`{"openapi":"3.0.3","paths":{"/p":{"post":{"requestBody":{"content":{"application/json":{"schema":{"anyOf":[{"allOf":[` + ref("A0") + `]}]}}}}}},` +
		repeat(20_000, func(i int) string {
			return fmt.Sprintf(`"/p%d":{"post":{"requestBody":{"content":{"application/json":{"schema":%s}}}}}`, i, ref(fmt.Sprint("A", i)))
		}) + `},"components":{"schemas":{"Big":{"required":[` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"r%d"`, i) }) + `]},` +
		repeat(20_000, func(i int) string {
			return fmt.Sprintf(`"A%d":{"properties":{"x":{"readOnly":true}},"allOf":[%s]}`, i, ref("Big"))
		}) + `}}}`, ""},
	"servers and variables": {`{"openapi":"3.0.3","servers":[{"url":"http://{a}{a}{a}.test","variables":{"a":{"default":"x","enum":[` + repeat(50_000, func(i int) string { return fmt.Sprintf(`"v%d"`, i) }) + `]}}},` +
		repeat(50_000, func(i int) string { return `{"url":"/"}` }) + `],"paths":{` + repeat(50_000, func(i int) string { return fmt.Sprintf(`"/p%d":{"get":{}}`, i) }) + `}}`, ""},
	"shared tags and words": {`{"openapi":"3.0.3","paths":{` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"/p%d":{"$ref":"#/components/pathItems/P"}`, i) }) +
		`},"components":{"pathItems":{"P":{"get":{"deprecated":true,"summary":"s","tags":[` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"t%d"`, i) }) + `],"description":"` + strings.Repeat("word ", 200_000) + `"}}}}}`, ""},
	"shared bodies": {`{"openapi":"3.0.3","paths":{` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"/p%d":{"$ref":"#/components/pathItems/P"}`, i) }) +
		`},"components":{"pathItems":{"P":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"object","additionalProperties":false,"properties":{` +
		repeat(10_000, func(i int) string { return fmt.Sprintf(`"f%d":{}`, i) }) + `}}},` + repeat(10_000, func(i int) string { return fmt.Sprintf(`"application/x%d":{}`, i) }) + `}}}}}}}`, ""},
	"shared Swagger": {`{"swagger":"2.0","consumes":[` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"application/x%d"`, i) }) + `],"produces":[` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"application/x%d"`, i) }) +
		`],"paths":{` + repeat(20_000, func(i int) string {
		return fmt.Sprintf(`"/p%d":{"post":{"parameters":[{"$ref":"#/parameters/Q"},{"name":"b","in":"body","schema":{}}],"responses":{"200":{"schema":{}}}}}`, i)
	}) + `},"parameters":{"Q":{"name":"q","in":"query","type":"string",` + repeat(20_000, func(i int) string { return fmt.Sprintf(`"y%d":1`, i) }) + `}}}`, ""},
	"security": {`{"openapi":"3.0.3","security":[` + repeat(5000, func(i int) string { return fmt.Sprintf(`{"k%d":[]}`, i) }) + `],"paths":{` + repeat(20_000, func(i int) string {
		return fmt.Sprintf(`"/p%d":{"get":{"parameters":[{"name":"f","in":"query","schema":{"type":"object"}}]}}`, i)
	}) + `},"components":{"securitySchemes":{` + repeat(5000, func(i int) string { return fmt.Sprintf(`"k%d":{"type":"apiKey","in":"query","name":"k%d"}`, i, i) }) + `}}}`, ""},
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

func withOperation(operation, rest string) string {
	return `{"openapi":"3.0.3","paths":{"/p":{"post":{` + operation + `}}}` + rest + `}`
}

// axes are documents of n things of a kind.
var axes = map[string]func(n int) string{
	"operations": func(n int) string {
		return `{"openapi":"3.0.3","paths":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"/p%d/{id}":{"post":{"parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}],"requestBody":{"content":{"application/json":{"schema":%s}}}}}`, i, ref(fmt.Sprint("A", i)))
		}) + `},"components":{"schemas":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"A%d":{"type":"object","properties":{"a":{"type":"string","readOnly":true},"b":{"type":"array","items":%s}}}`, i, ref(fmt.Sprint("A", i/10*10)))
		}) + `}}}`
	},
	"parameters": func(n int) string {
		return withOperation(`"parameters":[`+repeat(n, func(i int) string { return fmt.Sprintf(`{"name":"q%d","in":"query","schema":{"type":"string"}}`, i) })+`]`, "")
	},
	"names that clash": func(n int) string {
		return withOperation(`"parameters":[`+repeat(n, func(i int) string {
			return fmt.Sprintf(`{"name":"q%d","in":"query","schema":{}},{"name":"q%d","in":"header","schema":{}},{"name":"query_q0_%d","in":"cookie","schema":{}}`, i, i, i)
		})+`]`, "")
	},
	"operations of one name": func(n int) string {
		return `{"openapi":"3.0.3","paths":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"/%s%s":{"get":{"operationId":"same"}}`, strings.Repeat("-", i%100+1), strings.Repeat("+", i/100))
		}) + `}}`
	},
	"definitions of one name": func(n int) string {
		return `{"openapi":"3.0.3","paths":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"/p%d":{"get":{"parameters":[{"name":"q","in":"query","schema":{"$ref":"#/components/schemas/S%d/properties/v"}}]}}`, i, i)
		}) + `},"components":{"schemas":{` + repeat(n, func(i int) string { return fmt.Sprintf(`"S%d":{"properties":{"v":{"type":"string"}}}`, i) }) + `}}}`
	},
	"references": func(n int) string {
		return withSchemas(ref("A0"), repeat(n, func(i int) string {
			return fmt.Sprintf(`"A%d":{"properties":{"next":%s}}`, i, ref(fmt.Sprint("A", i+1)))
		}))
	},
	"properties": func(n int) string {
		return withSchemas(ref("A"), `"A":{"properties":{`+repeat(n, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string","readOnly":%v}`, i, i%2 == 0) })+
			`},"required":[`+repeat(n, func(i int) string { return fmt.Sprintf(`"p%d"`, i) })+`]}`)
	},
	"fields of a form": func(n int) string {
		return withOperation(`"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{`+repeat(n, func(i int) string { return fmt.Sprintf(`"p%d":{"type":"string"}`, i) })+`}}}}}`, "")
	},
	"values of an enum": func(n int) string {
		return withSchemas(`{"nullable":true,"type":"string","enum":[`+repeat(n, func(i int) string { return fmt.Sprintf(`"e%d"`, i) })+`]}`, "")
	},
	"parts of a path": func(n int) string {
		return strings.Replace(withOperation(`"operationId":"op","parameters":[`+repeat(n, func(i int) string {
			return fmt.Sprintf(`{"name":"a%d","in":"path","required":true,"schema":{}}`, i)
		})+`]`, ""), "/p", "/"+strings.ReplaceAll(repeat(n, func(i int) string { return fmt.Sprintf("{a%d}", i) }), ",", "/"), 1)
	},
	"alternatives of security": func(n int) string {
		return withOperation(`"security":[`+repeat(n, func(i int) string { return fmt.Sprintf(`{"k%d":[]}`, i) })+`]`,
			`,"components":{"securitySchemes":{`+repeat(n, func(i int) string { return fmt.Sprintf(`"k%d":{"type":"apiKey","in":"query","name":"k%d"}`, i, i) })+`}}`)
	},
	"tags": func(n int) string {
		return withOperation(`"tags":[`+repeat(n, func(i int) string { return fmt.Sprintf(`"t%d"`, i) })+`]`, `,"tags":[`+repeat(n, func(i int) string { return fmt.Sprintf(`{"name":"t%d"}`, i) })+`]`)
	},
	"servers": func(n int) string {
		return withOperation(`"servers":[`+repeat(n, func(i int) string { return `{"url":"/"}` })+`]`, `,"servers":[{"url":"http://{a}.test","variables":{"a":{"default":"x","enum":[`+repeat(n, func(i int) string { return fmt.Sprintf(`"x%d"`, i) })+`]}}}]`)
	},
	"media types": func(n int) string {
		media := repeat(n, func(i int) string { return fmt.Sprintf(`"application/x%d+json":{"schema":{"title":"%d"}}`, i, i) })
		return withOperation(`"requestBody":{"content":{`+media+`}},"responses":{"200":{"content":{`+media+`}}}`, "")
	},
	"parameters of Swagger": func(n int) string {
		return `{"swagger":"2.0","paths":{` + repeat(n, func(i int) string {
			return fmt.Sprintf(`"/p%d":{"post":{"parameters":[{"$ref":"#/parameters/Q"},{"name":"f%d","in":"formData","type":"string"}],"responses":{"200":{"schema":{}}}}}`, i, i)
		}) + `},"parameters":{"Q":{"name":"q","in":"query","type":"array","items":{"type":"string"}}}}`
	},
}

// What loading allocates, which is most of its work, grows in proportion to the document along each of its axes. Time is
// only told.
func TestLoadingIsLinear(t *testing.T) {
	for name, document := range axes {
		allocated := func(n int) uint64 {
			text := []byte(document(n))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			if _, _, err := openapi.Load(text, openapi.Options{BaseURL: "http://api.test"}); err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%s: %d: %v, %d KiB", name, n, took, (after.TotalAlloc-before.TotalAlloc)>>10)
			return after.TotalAlloc - before.TotalAlloc
		}
		if small, _, large := allocated(1000), allocated(2000), allocated(4000); float64(large) > 5.5*float64(small) {
			t.Errorf("%s: 4000 allocate %d bytes, 1000 allocate %d", name, large, small)
		}
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

// Files that a document refers to count together with it.
func TestValuesOfAllFiles(t *testing.T) {
	files := fstest.MapFS{}
	for i := range 5 {
		files[fmt.Sprintf("%d.json", i)] = &fstest.MapFile{Data: []byte(`{"p":{"get":{}},"x":[` + strings.Repeat("1,", 900_000) + `1]}`)}
	}
	_, skipped, err := openapi.Load([]byte(`{"openapi":"3.1.0","paths":{`+repeat(5, func(i int) string { return fmt.Sprintf(`"/%d":{"$ref":"%d.json#/p"}`, i, i) })+`}}`),
		openapi.Options{BaseURL: "http://api.test", References: files})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := reasons(skipped), `/4: the reference "4.json#/p": the file: it has, with all before it, more than 4000000 values`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
