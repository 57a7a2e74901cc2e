package main

import (
	"context"
	"errors"
	"time"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/schema"
	"github.com/codemode-go/codemode/tool"
)

// tracker is what the tools work on.
type tracker struct {
	issues map[string][]Issue
	fetch  func(ctx context.Context, url string) (string, error)
}

func (t *tracker) list(_ context.Context, in ListIn) ([]Issue, error) {
	issues, ok := t.issues[in.Repo]
	if !ok {
		return nil, tool.Errorf("there is no repository %q; the names are owner/name", in.Repo)
	}
	state, limit := in.State, in.Limit
	if state == "" {
		state = "open"
	}
	if limit == 0 {
		limit = 30
	}
	var found []Issue
	for _, issue := range issues {
		if issue.State == state && len(found) < limit {
			found = append(found, issue)
		}
	}
	return found, nil
}

var errLocked = errors.New("row locked by session 4711 on db-7.internal")

func (t *tracker) close(_ context.Context, in CloseIn) (Issue, error) {
	for i := range t.issues[in.Repo] {
		issue := &t.issues[in.Repo][i]
		switch {
		case issue.Number != in.Number:
		case issue.Title == "Locked":
			return Issue{}, errLocked // the program reads a generic sentence, the host's hook the whole error
		default:
			issue.State, issue.Closed = "closed", new("you")
			if in.Comment != "" {
				issue.Comments = append(issue.Comments, in.Comment)
			}
			return *issue, nil
		}
	}
	return Issue{}, tool.Errorf("there is no issue %d in %s", in.Number, in.Repo)
}

// page is an effect: tried three times, a minute at most.
func (t *tracker) page(url string) fx.Effect[string] {
	once := fx.Try(func(ctx context.Context) (string, error) { return t.fetch(ctx, url) })
	return fx.Timeout(fx.Retry(once, fx.Exponential(100*time.Millisecond, 2).And(fx.Recurs(3))), time.Minute)
}

// export hands a file to the host; the program gets its name alone.
func (t *tracker) export(ctx context.Context, in IssueIn) (string, error) {
	name := in.Repo + ".txt"
	tool.Attach(ctx, tool.Attachment{Name: name, MIMEType: "text/plain", Data: []byte("…")})
	return name, nil
}

const labelsSchema = `{
	"type": "object",
	"properties": {"repo": {"type": "string"}, "prefix": {"type": "string", "minLength": 1}},
	"required": ["repo"]
}`

// labels has a JSON Schema instead of Go types.
func (t *tracker) labels(_ context.Context, input data.Value) (data.Value, error) {
	repo, _ := input.(*data.Object).Get("repo")
	return data.NewArray([]data.Value{repo}), nil
}

// tools is the tree: names to tools and namespaces.
func (t *tracker) tools() (tool.Tree, error) {
	labels, err := schema.Parse([]byte(labelsSchema))
	if err != nil {
		return nil, err
	}
	readOnly := tool.Annotate(tool.Annotations{ReadOnly: true})
	return tool.Tree{
		"issues": tool.Namespace{
			Description: "Issues of repositories",
			Concurrency: 4,
			Tools: tool.Tree{
				"list": tool.New("List the issues of a repository", t.list, readOnly, tool.Pinned(),
					tool.WithExample("what is open", ListIn{Repo: "acme/api", State: "open"})),
				"close": tool.New("Close an issue", t.close, tool.Annotate(tool.Annotations{Idempotent: true}), tool.Timeout(10*time.Second)),
				// Any name will do; programs write tools.issues["export-file"].
				"export-file": tool.New("Export an issue as a file", t.export, readOnly),
				"labels":      tool.Raw("List the labels of a repository", labels, t.labels, readOnly),
			},
		},
		"web.fetch": tool.NewEffect("Fetch a page as text", t.page, readOnly),
	}, nil
}
