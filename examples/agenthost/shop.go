package main

// This file defines the tools.

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Order is one of the shop's.
type Order struct {
	ID       int     `json:"id"`
	Customer string  `json:"customer"`
	State    string  `json:"state" jsonschema:"enum=sent,enum=broken,enum=refunded"`
	Total    float64 `json:"total" desc:"in euro"`
}

func orders() []Order {
	return []Order{{3, "Acme", "broken", 120}, {5, "Cetus", "sent", 80}, {7, "Borea", "broken", 430}}
}

type shop struct {
	mu     sync.Mutex
	orders []Order
	open   func() error // called when a report has been written
}

type page struct {
	Items []Order `json:"items"`
}

func (s *shop) list(context.Context, struct{}) (page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return page{append([]Order(nil), s.orders...)}, nil
}

type refundIn struct {
	ID int `json:"id"`
}

func (s *shop) refund(_ context.Context, in refundIn) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.orders {
		if s.orders[i].ID == in.ID {
			s.orders[i].State = "refunded"
			return s.orders[i], nil
		}
	}
	return Order{}, tool.Errorf("there is no order %d", in.ID)
}

type reportIn struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

// report gives the file to the host and its name to the program.
func (s *shop) report(ctx context.Context, in reportIn) (string, error) {
	name := strings.ReplaceAll(in.Title, " ", "-") + ".txt"
	tool.Attach(ctx, tool.Attachment{Name: name, MIMEType: "text/plain", Data: []byte(strings.Join(in.Lines, "\n"))})
	return name, s.open()
}

func (s *shop) wipe(context.Context, struct{}) (any, error) {
	return nil, tool.Errorf("never")
}

func (s *shop) tools() tool.Tree {
	return tool.Tree{"shop": tool.Namespace{Description: "Orders of the shop", Tools: tool.Tree{
		"list":     tool.New("List all orders", s.list, tool.Annotate(tool.Annotations{ReadOnly: true})),
		"refund":   tool.New("Pay an order back", s.refund, tool.Annotate(tool.Annotations{Destructive: true})),
		"report":   tool.New("Write a report; gives the name of the file", s.report),
		"wipe_all": tool.New("Delete all orders", s.wipe, tool.Annotate(tool.Annotations{Destructive: true})),
	}}}
}

type mailIn struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

func send(_ context.Context, in mailIn) (string, error) {
	return "sent " + strconv.Itoa(len(in.Text)) + " bytes to " + in.To, nil
}

func mailTools() tool.Tree {
	return tool.Tree{"mail": tool.Namespace{Description: "Mail", Tools: tool.Tree{"send": tool.New("Send mail", send)}}}
}

// toOutside is a condition on the input of a call.
func toOutside(input data.Value) bool {
	o, _ := input.(*data.Object)
	to, _ := o.Get("to")
	text, _ := to.(data.String)
	return !strings.HasSuffix(string(text), "@shop.example")
}
