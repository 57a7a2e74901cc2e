package main

//go:generate go run github.com/codemode-go/codemode/schema/comments

// Issue is a report about a repository.
type Issue struct {
	Number   int      `json:"number"`
	Title    string   `json:"title"`
	State    State    `json:"state"`
	Labels   []string `json:"labels"`
	Closed   *string  `json:"closed"` // by whom, null while it is open
	Comments []string `json:"comments,omitempty"`
}

// State is an enumeration: the method Enum lists its values.
type State string

// Enum is read by the schema.
func (State) Enum() []any { return []any{"open", "closed"} }

// ListIn asks for issues.
type ListIn struct {
	// Repo is written owner/name.
	Repo  string `json:"repo"`
	State State  `json:"state,omitempty" jsonschema:"default=open"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100,default=30"`
}

// IssueIn names one issue.
type IssueIn struct {
	Repo   string `json:"repo" desc:"owner/name"`
	Number int    `json:"number"`
}

// CloseIn closes an issue.
type CloseIn struct {
	IssueIn
	Comment string `json:"comment,omitempty" desc:"to leave behind"`
}
