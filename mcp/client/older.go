package client

// This file defines what the newest protocol deprecates and the ones before
// have: sampling and roots.

//lint:file-ignore SA1019 Servers of the older protocols use them, and of the newest for a time.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/scope"
)

// offerSampling offers servers to have a model complete messages, if the host
// can.
func (c *Client) offerSampling(s *session, options *mcp.ClientOptions) {
	if c.callbacks.Sample == nil {
		return
	}
	options.CreateMessageHandler = func(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
		return c.sample(ctx, s, r.Params)
	}
}

func (c *Client) sample(ctx context.Context, s *session, p *mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
	q, err := c.question(ctx, s, p.Meta)
	if err != nil {
		return nil, err
	}
	defer q.done()
	params, ok := q.params.(*data.Object)
	if !ok {
		return nil, c.unanswered(ctx, errors.New("the params are no object"))
	}
	var completed *data.Object
	err = scope.Protect(func() (err error) {
		completed, err = c.callbacks.Sample(q.ctx, Sampling{Server: c.server.Name, Tool: q.tool, Params: params, Calls: q.calls})
		return err
	})
	if err != nil {
		return nil, c.unanswered(ctx, err)
	}
	var result mcp.CreateMessageResult
	if err := json.Unmarshal(data.AppendJSON(nil, completed), &result); err != nil {
		return nil, c.unanswered(ctx, fmt.Errorf("the result of Sample is none: %w", err))
	}
	return &result, nil
}

// offerRoots offers the roots that are configured, if there are any.
func (c *Client) offerRoots(options *mcp.ClientOptions) {
	if len(c.server.Roots) > 0 {
		options.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
}

// addRoots gives the SDK's client the roots.
func (c *Client) addRoots(client *mcp.Client) {
	for _, root := range c.server.Roots {
		client.AddRoots(&mcp.Root{URI: root.URI, Name: root.Name})
	}
}
