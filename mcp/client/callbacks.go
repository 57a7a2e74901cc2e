package client

// This file defines what the host is asked and told.

import (
	"context"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/schema"
)

// Callbacks are the host's part in what goes on. All are optional, may be
// called from several goroutines at once, and should return soon, but for
// Elicit and Sample. None may call Close, which waits for them.
type Callbacks struct {
	// Changed is told that Tree gives other tools from now on.
	Changed func(*Client)
	// Progress is told about a call that goes on. ctx is the call's.
	Progress func(ctx context.Context, p Progress)
	// Log is given the lines that are for people: what a server wrote beside the
	// protocol, its log messages, and what does not fit into a result.
	Log func(LogEntry)
	// Trouble is told about each new trouble of a server. See [Status].
	Trouble func(server string, t Trouble)
	// Elicit asks a person a server's question. Nil does not offer that to
	// servers. While it runs, the call that asks waits and its execution's clock
	// can stand. ctx is done when the call or the session ends, and has the values
	// of the call's context if the call is known. An error tells the server that
	// the question failed.
	Elicit func(ctx context.Context, e Elicitation) (Answer, error)
	// ElicitURL offers questions that send the person to an address.
	ElicitURL bool
	// Sample has a model complete messages for a server. Nil does not offer that.
	// The result is that of sampling/createMessage: role, content, model,
	// stopReason. For the rest see Elicit.
	Sample func(ctx context.Context, s Sampling) (*data.Object, error)
}

// Progress is a server's report about a call.
type Progress struct {
	Server, Tool string
	Done, Total  float64 // Total is 0 if unknown
	Message      string  // may be empty
}

// LogEntry is a line for people.
type LogEntry struct {
	Server string
	Source Source
	Level  string // of a message: debug, info, notice, warning, error …; else ""
	Tool   string // the tool whose result it belongs to, or ""
	Text   string
}

// Source is where a log entry comes from.
type Source string

// The sources.
const (
	Stderr  Source = "stderr"  // the server's standard error
	Stdout  Source = "stdout"  // what it wrote between its messages
	Message Source = "message" // a log message of the protocol
	Notice  Source = "client"  // a remark of the client about the server
	Result  Source = "result"  // the part of a result that the program did not get
)

// Elicitation is a question of a server to a person.
type Elicitation struct {
	Server  string
	Tool    string // whose call asks, "" if that is not known
	Message string
	// Schema describes the object that is wanted, with its properties in the
	// server's order. Nil if the person is only to open URL.
	Schema *schema.Schema
	URL    string // to open, or ""
	ID     string // of the question with a URL, or ""
	// Calls is how many calls it may belong to: one if it is known, several if a
	// server of the older protocol asks while it works on several.
	Calls int
	// Guessed reports that the server did not say which call it asks for, as none
	// of the older protocol does on a stream: it may be one of During, or one that
	// has ended. Tool and the values of ctx are then those of the only one under
	// way, if it is one.
	Guessed bool
	// During are the contexts of the calls it may belong to.
	During []context.Context
}

// Answer is a person's answer.
type Answer struct {
	Action  Action
	Content *data.Object // with Accept, nil is an empty object
}

// Action is what the person did, in the protocol's words.
type Action string

// The actions.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel" // dismissed the question
)

// Sampling is a server's request for a completion.
type Sampling struct {
	Server string
	Tool   string // whose call asks, "" if that is not known
	// Params are those of sampling/createMessage: messages, systemPrompt,
	// maxTokens …
	Params *data.Object
	Calls  int // see [Elicitation]
}

func (c *Client) log(e LogEntry) {
	if f := c.callbacks.Log; f != nil {
		e.Server = c.server.Name
		c.guard(func() { f(e) })
	}
}
