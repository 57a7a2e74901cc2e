package openapi_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/openapi"
)

// The code in docs/openapi.md is that of the examples, and the document names
// every option.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../docs/openapi.md")
	if err != nil {
		t.Fatal(err)
	}
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	have := strings.Join(strings.Fields(string(examples)), " ")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) < 2 {
		t.Errorf("%d blocks of code", len(blocks))
	}
	for _, block := range blocks {
		if !strings.Contains(have, strings.Join(strings.Fields(block[1]), " ")) {
			t.Errorf("not in the examples:\n%s", block[1])
		}
	}
	for field := range reflect.TypeFor[openapi.Options]().Fields() {
		if !strings.Contains(string(text), "`"+field.Name+"`") {
			t.Errorf("the document does not name the option %s", field.Name)
		}
	}
}
