package tool_test

import (
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/tool"
)

func TestClashes(t *testing.T) {
	c, err := tool.Resolve(tool.Tree{
		"read_file": raw(null), "readFile": raw(null), "read-file": raw(null), "read": raw(null), "_": raw(null), "-": raw(null),
		"a": tool.Tree{"X1": raw(null), "x.1": raw(null), "y": raw(null)}, "A": tool.Tree{"y": raw(null)}, "b": tool.Tree{"Z": raw(null), "z": raw(null)},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"tools.A", "tools.a"}, {"tools.b.Z", "tools.b.z"}, {"tools.readFile", "tools.read_file", `tools["read-file"]`}}
	if got := c.Clashes(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}
