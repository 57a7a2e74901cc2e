package interpreter

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
)

type noHost struct{}

func (noHost) Invoke(Call) error                         { return fmt.Errorf("none") }
func (noHost) Keys(path []string) ([]string, bool)       { return nil, len(path) == 0 }
func (noHost) Lookup(path []string) (bool, bool)         { return false, len(path) == 0 }

func TestSmoke(t *testing.T) {
	src, _ := os.ReadFile(os.Getenv("SRC"))
	p, d := Compile(string(src), compileopt.Options{})
	if d != nil {
		t.Fatalf("%+v", d)
	}
	out := p.Run(context.Background(), RunOptions{Host: noHost{}})
	for _, l := range out.Logs {
		fmt.Println(l.Level, l.Text)
	}
	fmt.Println(data.JSON(out.Value), out.Failure, out.Ended, out.Warnings)
}
