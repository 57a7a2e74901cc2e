package mcp

// This file defines the measurement of what a program costs beside the server.

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/tool"
)

const (
	calls  = 1000
	wanted = 0.9 // the rate of a program's calls, of that of the SDK alone
	rounds = 5   // that a median is taken of
	tries  = 6   // medians, of which the best counts: a busy machine spoils some, but a slow client all
)

// TestTheRateOfNestedCalls compares a program's calls with calls of the SDK
// alone, at the same server and the same concurrency, in turns.
func TestTheRateOfNestedCalls(t *testing.T) {
	server := client.Server{Name: "everything", Command: []string{binary(t, "everything")}}
	rt, err := codemode.New(codemode.Options{Tools: opened(t, []client.Server{server}, client.Callbacks{}).Tree()})
	if err != nil {
		t.Fatal(err)
	}
	session := direct(t, server, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	throughProgram(t, rt) // warms up
	throughSDK(t, session)
	best := 0.0
	for try := 0; try < tries && best < wanted; try++ {
		var ratios []float64
		for range rounds {
			ours, theirs := throughProgram(t, rt), throughSDK(t, session)
			ratios = append(ratios, theirs.Seconds()/ours.Seconds())
			t.Logf("%d calls: %v through a program, %v with the SDK alone", calls, ours, theirs)
		}
		slices.Sort(ratios)
		t.Logf("ratios of the rates: %.2f", ratios)
		best = max(best, ratios[rounds/2])
	}
	if best < wanted {
		t.Errorf("the best median of the ratios is %.2f, want %v", best, wanted)
	}
}

func throughProgram(t *testing.T, rt *codemode.Runtime) time.Duration {
	start := time.Now()
	r, err := rt.ExecuteWith(t.Context(), `const all = await Promise.all(Array.from({ length: input }, (_, i) => tools.everything.echo({ message: "m" + i })));
		return all.filter((text, i) => text === "Echo: m" + i).length`, codemode.ExecOptions{Input: calls})
	took := time.Since(start)
	if err != nil || !r.OK || data.JSON(r.Value) != fmt.Sprint(calls) {
		t.Fatalf("got %v, %v, %v", r.Value, r.Error, err)
	}
	return took
}

func throughSDK(t *testing.T, session *mcp.ClientSession) time.Duration {
	start := time.Now()
	next := make(chan int)
	var all sync.WaitGroup
	for range tool.MaxConcurrent {
		all.Go(func() {
			for i := range next {
				r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"message": fmt.Sprint("m", i)}})
				if err != nil || r.Content[0].(*mcp.TextContent).Text != fmt.Sprint("Echo: m", i) {
					t.Errorf("got %v, %v", r, err)
				}
			}
		})
	}
	for i := range calls {
		next <- i
	}
	close(next)
	all.Wait()
	return time.Since(start)
}
