package client_test

import (
	"context"
	"fmt"
	"io"
	"net"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/mcp/client"
)

// greeter stands for a server; most are a Command or a URL.
func greeter(context.Context) (io.ReadWriteCloser, error) {
	type in struct {
		Name string `json:"name"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "say-hello", Description: "Greet somebody"}, func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello, " + in.Name + "!"}}}, nil, nil
	})
	ours, theirs := net.Pipe()
	_, err := s.Connect(context.Background(), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
	return ours, err
}

func ExampleConnect() {
	ctx := context.Background()
	c, err := client.Connect(ctx, client.Server{Name: "greeter", Dial: greeter}, client.Callbacks{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close(ctx)
	rt, err := codemode.New(codemode.Options{Tools: c.Tree()})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := rt.Execute(ctx, `return await Promise.all(["Ada", "Alan"].map((name) => tools.greeter["say-hello"]({ name })))`)
	fmt.Println(data.JSON(r.Value), err)
	// Output: ["Hello, Ada!","Hello, Alan!"] <nil>
}
