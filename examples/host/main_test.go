package main

import (
	"bytes"
	"context"
	"testing"
)

func TestHost(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	// 10 × 2.5 and 10 × 0.2 at Borea.
	want := `{"order":["A-100 from Borea","C-300 from Borea"],"total":27} after 4 calls` + "\n" + `ToolFailure: there is no part Z-999` + "\n"
	if out.String() != want {
		t.Errorf("got %s\nwant %s", &out, want)
	}
}
