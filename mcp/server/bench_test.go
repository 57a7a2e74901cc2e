package server_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/mcp/server"
)

// BenchmarkCall is a program with one call of a tool, from the client's request to its result.
func BenchmarkCall(b *testing.B) {
	f := newFixture(b, server.DefaultRuntime(), server.Options{})
	url := f.web(server.HTTPOptions{})
	for _, c := range []struct {
		name string
		dial func() *mcp.ClientSession
	}{
		{"stream", func() *mcp.ClientSession { return f.overStream(newer, nil) }},
		{"http with sessions", func() *mcp.ClientSession { return f.connect(older, nil, &mcp.StreamableClientTransport{Endpoint: url}) }},
		{"http", func() *mcp.ClientSession { return f.connect(newer, nil, &mcp.StreamableClientTransport{Endpoint: url}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			session := c.dial()
			b.ReportAllocs()
			for b.Loop() {
				if r := run(b, session, `return tools.mail.send({ to: "ann" })`); r.text != "sent to ann" {
					b.Fatal(r.text)
				}
			}
		})
	}
}
