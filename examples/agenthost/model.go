package main

// This file defines the model: a script, one reply for each request.

import (
	"context"
	"errors"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/registry"
)

// scripted replies what it is told to. A real one sends messages and tools to its API: the name, the description and the
// schema of each tool.
type scripted struct {
	replies []Reply
	seen    [][]Message
	tools   [][]registry.Tool
}

// Reply implements Model.
func (s *scripted) Reply(_ context.Context, messages []Message, tools []registry.Tool) (Reply, error) {
	s.seen, s.tools = append(s.seen, messages), append(s.tools, tools)
	if len(s.seen) > len(s.replies) {
		return Reply{}, errors.New("the script is over")
	}
	return s.replies[len(s.seen)-1], nil
}

func program(id, text string) ToolCall {
	arguments := data.NewObject([]data.Member{{Key: "code", Value: data.String(text)}})
	return ToolCall{ID: id, Name: "execute", Arguments: data.JSON(arguments)}
}

// mistaken takes the page for the list.
const mistaken = `
const orders = await tools.shop.list();
return orders.filter((o) => o.state === "broken");`

const mended = `
const { items } = await tools.shop.list();
const lines = [];
for (const { id, customer } of items.filter((o) => o.state === "broken")) {
  try {
    const { total } = await tools.shop.refund({ id });
    lines.push(customer + ": " + total + " paid back");
  } catch (e) {
    lines.push(customer + ": " + e.message);
  }
}
return { file: await tools.shop.report({ title: "broken orders", lines }), lines };`

const mailed = `
const text = "One of two orders is paid back.";
const outside = await tools.mail.send({ to: "ann@elsewhere.example", text }).catch((e) => e.message);
return [outside, await tools.mail.send({ to: "ann@shop.example", text }), "wipe_all" in tools.shop];`

func script() *scripted {
	return &scripted{replies: []Reply{
		{Calls: []ToolCall{{ID: "call_1", Name: "notes_add", Arguments: `{"text":"looking at broken orders"}`}, program("call_2", mistaken)}},
		{Calls: []ToolCall{program("call_3", mended)}},
		{Calls: []ToolCall{program("call_4", mailed)}},
		{Text: "Acme is paid back, Borea is not; the report is attached."},
	}}
}
