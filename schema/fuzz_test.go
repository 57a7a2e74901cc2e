package schema_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/fixture"
	"github.com/codemode-go/codemode/schema"
)

// FuzzSchema renders any document and validates any value against it: neither
// may panic, go on for ever, or write without bound, and a comment ends where
// it should.
func FuzzSchema(f *testing.F) {
	for _, c := range compact {
		f.Add(c.schema, `{"a":[1,"x",null]}`)
	}
	for i, l := range fixture.Lists() {
		f.Add(data.JSON(l.Tools[i%len(l.Tools)].Input), `{}`)
	}
	f.Add(sample, `{"query":"ok","limit":"5"}`)
	f.Fuzz(func(t *testing.T, document, value string) {
		d, err := data.ParseString(document)
		if err != nil {
			return
		}
		start := time.Now()
		defer func() {
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
		}()
		s := schema.New(d)
		var names schema.Names
		for _, style := range []schema.Style{schema.Compact, schema.Pretty} {
			r := s.Render(style, &names)
			all := r.Type + strings.Join(r.Declarations, "")
			if len(all) > 800<<10 || !utf8.ValidString(all) {
				t.Fatalf("%d bytes", len(all))
			}
			if style == schema.Compact && strings.ContainsAny(all, "\n\r") {
				t.Fatalf("more than one line: %s", all)
			}
		}
		s.Argument()
		s.Outline()
		if v, err := data.ParseString(value); err == nil {
			s.Validate("v", v)
			s.Normalize(v)
		}
	})
}
