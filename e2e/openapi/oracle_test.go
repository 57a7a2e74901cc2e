package openapi

// This file defines the comparison with another reader of documents, libopenapi:
// the same operations, inputs and required ones, or a reason.

import (
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v2 "github.com/pb33f/libopenapi/datamodel/high/v2"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/openapi"
	"github.com/codemode-go/codemode/tool"
)

// input is one of an operation: a parameter, or the body with its properties if
// these might be inputs of their own.
type input struct {
	in, name   string
	required   bool
	properties []string // of a body
	needed     []string // of these
	empty      bool     // a body that can have no properties
}

// operations are the inputs by method and path.
type operations map[string][]input

func isTrue(b *bool) bool { return b != nil && *b }

// add puts a parameter in, over one with the same place and name.
func add(list []input, p input) []input {
	if p.in == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, strings.ToLower(p.name)) {
		return list
	}
	p.required = p.required || p.in == "path"
	i := slices.IndexFunc(list, func(q input) bool { return q.in == p.in && q.name == p.name })
	if i >= 0 {
		list[i] = p
		return list
	}
	return append(list, p)
}

func body(required bool, proxy *base.SchemaProxy) input {
	b := input{in: "body", name: "body", required: required}
	if proxy == nil {
		return b
	}
	if s := proxy.Schema(); s != nil && s.Properties != nil {
		for name, p := range s.Properties.FromOldest() {
			if property := p.Schema(); property == nil || !isTrue(property.ReadOnly) {
				b.properties = append(b.properties, name)
			}
		}
		b.needed = s.Required
		b.empty = s.Properties.Len() == 0 && s.AdditionalProperties != nil && s.AdditionalProperties.IsB() && !s.AdditionalProperties.B
	}
	return b
}

func oracleV3(d *v3.Document) operations {
	all := operations{}
	for path, item := range d.Paths.PathItems.FromOldest() {
		for method, op := range item.GetOperations().FromOldest() {
			var list []input
			for _, p := range append(slices.Clone(item.Parameters), op.Parameters...) {
				list = add(list, input{in: p.In, name: p.Name, required: isTrue(p.Required)})
			}
			if op.RequestBody != nil && op.RequestBody.Content != nil && op.RequestBody.Content.Len() > 0 {
				list = append(list, body(isTrue(op.RequestBody.Required), op.RequestBody.Content.First().Value().Schema))
			}
			all[strings.ToUpper(method)+" "+path] = list
		}
	}
	return all
}

func oracleV2(d *v2.Swagger) operations {
	all := operations{}
	for path, item := range d.Paths.PathItems.FromOldest() {
		for method, op := range item.GetOperations().FromOldest() {
			var list []input
			form := input{in: "body", name: "body"}
			for _, p := range append(slices.Clone(item.Parameters), op.Parameters...) {
				switch p.In {
				case "body":
					list = append(list, body(isTrue(p.Required), p.Schema))
				case "formData":
					form.properties = append(form.properties, p.Name)
					if isTrue(p.Required) {
						form.needed = append(form.needed, p.Name)
					}
				default:
					list = add(list, input{in: p.In, name: p.Name, required: isTrue(p.Required)})
				}
			}
			if form.properties != nil {
				list = append(list, form)
			}
			all[strings.ToUpper(method)+" "+path] = list
		}
	}
	return all
}

func oracle(t *testing.T, text []byte) operations {
	t.Helper()
	d, err := libopenapi.NewDocumentWithConfiguration(text, &datamodel.DocumentConfiguration{
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), IgnorePolymorphicCircularReferences: true, IgnoreArrayCircularReferences: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(d.GetVersion(), "2") {
		m, err := d.BuildV2Model()
		if m == nil {
			t.Fatal(err)
		}
		return oracleV2(&m.Model)
	}
	m, err := d.BuildV3Model()
	if m == nil {
		t.Fatal(err)
	}
	return oracleV3(&m.Model)
}

// expected are the names that the inputs have in a tool, and which are required.
// ours decides whether a body is one field; that its properties may stand for it
// is checked by them being all there.
func expected(list []input, ours *data.Object) (names, required []string) {
	properties, _ := ours.Get("properties")
	has := func(name string) bool { _, ok := properties.(*data.Object).Get(name); return ok }
	count := map[string]int{}
	var fields []input
	for _, p := range list {
		if p.in == "body" && p.properties != nil && !has("body") && !has("body_body") {
			for _, name := range p.properties {
				fields = append(fields, input{in: "body", name: name, required: slices.Contains(p.needed, name)})
			}
			continue
		}
		fields = append(fields, p)
	}
	for _, f := range fields {
		count[f.name]++
	}
	for _, f := range fields {
		name := f.name
		if count[name] > 1 {
			name = f.in + "_" + name
		}
		names = append(names, name)
		if f.required {
			required = append(required, name)
		}
	}
	slices.Sort(names)
	slices.Sort(required)
	return names, required
}

// got are the properties and the required ones of an input schema.
func got(ours *data.Object) (names, required []string) {
	properties, _ := ours.Get("properties")
	for name := range properties.(*data.Object).All() {
		names = append(names, name)
	}
	if list, ok := ours.Get("required"); ok {
		for _, v := range list.(data.Array).All() {
			required = append(required, string(v.(data.String)))
		}
	}
	slices.Sort(names)
	slices.Sort(required)
	return names, required
}

// byOperation names tools by method and path, in which a dot would separate.
func byOperation(op openapi.Operation) []string {
	return []string{strings.ReplaceAll(op.String(), ".", "·")}
}

var documents = []struct {
	name  string
	count int // operations, as the oracle's authors or our own count of the text have it
}{
	{"rclone-1.75.openapi.json", 101}, {"powerdns-4.7.swagger.yaml", 36}, {"httpbin-parameters-style.openapi.json", 25}, {"notion.openapi.json", 24},
	{"github", 1223}, {"libopenapi/stripe.yaml", 494}, {"libopenapi/k8s.json", 853}, {"libopenapi/docusignv3.1.json", 402}, {"libopenapi/asana.yaml", 152},
	{"libopenapi/petstorev3.json", 19}, {"libopenapi/petstorev2.json", 20},
}

func TestAgainstLibopenapi(t *testing.T) {
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			text := document(t, d.name)
			theirs := oracle(t, text)
			start := time.Now()
			tree, skipped, err := openapi.Load(text, openapi.Options{DocumentURL: "https://docs.test/openapi.json", Name: byOperation})
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			reason, left := map[string]string{}, map[string][]string{}
			for _, s := range skipped {
				op := s.Method + " " + s.Path
				if s.Parameter == "" {
					reason[op] = s.Reason
				} else {
					left[op] = append(left[op], s.Parameter)
				}
			}
			t.Logf("%d operations, %d skipped, %d inputs left out, %v", len(theirs), len(reason), len(skipped)-len(reason), took)
			if len(theirs) != d.count {
				t.Errorf("libopenapi has %d operations, want %d", len(theirs), d.count)
			}
			compare(t, tree, theirs, reason, left)
			if len(tree)+len(reason) != len(theirs) {
				t.Errorf("%d tools and %d skipped, want %d", len(tree), len(reason), len(theirs))
			}
		})
	}
}

func compare(t *testing.T, tree tool.Tree, theirs operations, reason map[string]string, left map[string][]string) {
	t.Helper()
	for op, list := range theirs {
		node, ok := tree[strings.ReplaceAll(op, ".", "·")].(*tool.Tool)
		if !ok {
			if reason[op] == "" {
				t.Errorf("%s is neither a tool nor skipped", op)
			}
			continue
		}
		list = slices.DeleteFunc(list, func(p input) bool {
			return slices.Contains(left[op], p.in+":"+p.name) || p.in == "body" && (p.empty || slices.Contains(left[op], "body"))
		})
		for i, p := range list {
			list[i].properties = slices.DeleteFunc(p.properties, func(name string) bool { return slices.Contains(left[op], "body:"+name) })
		}
		ours := node.Input().Object()
		wantNames, wantRequired := expected(list, ours)
		names, required := got(ours)
		if !slices.Equal(names, wantNames) || !slices.Equal(required, wantRequired) {
			t.Errorf("%s: got %q, required %q; want %q, required %q", op, names, required, wantNames, wantRequired)
		}
	}
}

// At least 97 of 100 operations of all documents are tools, without any option.
func TestShareOfCallableOperations(t *testing.T) {
	tools, all := 0, 0
	for _, d := range documents {
		tree, skipped, err := openapi.Load(document(t, d.name), openapi.Options{DocumentURL: "https://docs.test/openapi.json", Name: byOperation})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range skipped {
			if s.Parameter == "" {
				n++
				t.Logf("%s: %s", d.name, s)
			}
		}
		t.Logf("%s: %d of %d", d.name, len(tree), len(tree)+n)
		tools, all = tools+len(tree), all+len(tree)+n
	}
	if t.Logf("all: %d of %d", tools, all); float64(tools) < 0.97*float64(all) {
		t.Errorf("%d of %d operations are tools", tools, all)
	}
}

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	os.Exit(m.Run())
}
