package main

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
)

func TestServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		if err := serve(context.Background(), &out); err != nil {
			t.Fatal(err)
		}
		want := `session opened
session closed
value: [5,10]
session opened
slow call interrupted
session closed
too late: the answer of yesterday
session opened
session closed
failed: "drop table" is not allowed here
`
		if out.String() != want {
			t.Errorf("got\n%s", &out)
		}
	})
}

func TestInterruptedRequestClosesItsSession(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out strings.Builder
	if err := serve(ctx, &out); err == nil || strings.Count(out.String(), "opened") != strings.Count(out.String(), "closed") {
		t.Errorf("%v\n%s", err, &out)
	}
}
