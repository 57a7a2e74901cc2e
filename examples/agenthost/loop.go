package main

// This file defines the loop of an agent.

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
)

// Message is one of a conversation.
type Message struct {
	Role    string // user, system, assistant or tool
	Text    string
	CallID  string // of a tool's message
	IsError bool
	Files   []File // a model that reads images gets them beside the text
}

// File is an attachment.
type File struct {
	Name, MIMEType string
	Data           []byte
}

// ToolCall is what a model calls.
type ToolCall struct {
	ID, Name  string
	Arguments string // JSON text
}

// Reply is what a model says: calls, or an answer.
type Reply struct {
	Text  string
	Calls []ToolCall
}

// Model is the client of a model's API.
type Model interface {
	Reply(ctx context.Context, messages []Message, tools []registry.Tool) (Reply, error)
}

const maxSteps = 10

// answer runs the loop: for each request to the model a snapshot of the tools, and each call of the model to the snapshot
// that it has seen.
func (h *host) answer(ctx context.Context, request string) (string, error) {
	messages := []Message{{Role: "user", Text: request}}
	var before *registry.Snapshot
	for range maxSteps {
		snapshot, err := h.registry.Snapshot(h.step())
		if err != nil {
			return "", err
		}
		if before != nil {
			if delta := snapshot.Since(before); !delta.Empty() {
				messages = append(messages, Message{Role: "system", Text: delta.String()})
				fmt.Fprint(h.out, "told: ", delta)
			}
		}
		before = snapshot
		reply, err := h.model.Reply(ctx, messages, snapshot.Tools())
		if err != nil || len(reply.Calls) == 0 {
			return reply.Text, err
		}
		messages = append(messages, Message{Role: "assistant", Text: reply.Text})
		for _, c := range reply.Calls {
			message, err := h.call(ctx, snapshot, c)
			if err != nil {
				return "", err
			}
			messages = append(messages, message)
		}
	}
	return "", errors.New("the model does not come to an end")
}

// call makes one call of the model and its message.
func (h *host) call(ctx context.Context, snapshot *registry.Snapshot, c ToolCall) (Message, error) {
	fmt.Fprintf(h.out, "%s calls %s\n", c.ID, c.Name)
	input, err := data.ParseString(c.Arguments)
	if err != nil {
		return Message{Role: "tool", CallID: c.ID, IsError: true, Text: "the arguments are not JSON: " + err.Error()}, nil
	}
	output, err := snapshot.Call(ctx, c.ID, c.Name, input)
	if err != nil { // the host interrupted it, or something is defective
		return Message{}, err
	}
	message := Message{Role: "tool", CallID: c.ID, Text: output.Text, IsError: output.IsError}
	for _, a := range output.Attachments {
		message.Files = append(message.Files, File{a.Name, a.MIMEType, a.Data})
	}
	fmt.Fprintf(h.out, "%s gives:\n%s\n", c.ID, output.Text)
	return message, nil
}
