package builtin

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestMathIsRoundedOnce checks the functions of Math against values computed with many more digits and rounded once.
func TestMathIsRoundedOnce(t *testing.T) {
	fn := map[string]func(float64) float64{}
	for _, f := range mathFunctions {
		fn[f.name] = f.fn
	}
	file, err := os.Open("testdata/math.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for sc := bufio.NewScanner(file); sc.Scan(); {
		part := strings.Fields(sc.Text())
		if part[0] == "#" {
			continue
		}
		x, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseFloat(part[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := fn[part[0]](x); got != want {
			t.Errorf("%s(%v) = %v, want %v", part[0], x, got, want)
		}
		n++
	}
	if n < 200 {
		t.Errorf("only %d values", n)
	}
}
