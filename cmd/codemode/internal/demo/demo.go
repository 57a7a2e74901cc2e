// Package demo defines the tools of an issue tracker with the data of four made-up repositories, so that a newcomer can
// run a program at once. docs/demo.md describes them.
package demo

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/tool"
)

//go:embed data.json
var dataJSON []byte

// Tree makes the tools over a fresh copy of the data.
func Tree() (tool.Tree, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	read := tool.Annotate(tool.Annotations{ReadOnly: true})
	return tool.Tree{
		"repos": tool.Namespace{Description: "Repositories", Tools: tool.Tree{
			"list": tool.New("List the repositories", t.listRepos, read),
			"get":  tool.New("Read one repository with the numbers of its issues and its labels", t.getRepo, read),
		}},
		"issues": tool.Namespace{Description: "Issues of the repositories", Tools: tool.Tree{
			"list":     tool.New("List the issues of a repository, newest first, a page at a time, without bodies", t.listIssues, read),
			"get":      tool.New("Read one issue with its body", t.getIssue, read),
			"comments": tool.New("Read the comments of an issue, oldest first", t.listComments, read),
			"search":   tool.New("Find issues of all repositories by words of title and body; all words must occur", t.search, read),
			"update":   tool.New("Change the state, labels, assignee or milestone of an issue; what is left out stays", t.update),
			"comment":  tool.New("Add a comment to an issue", t.comment),
		}},
		"users": tool.Namespace{Description: "People who work on the repositories", Tools: tool.Tree{
			"list": tool.New("List the users, or those of one team", t.listUsers, read),
			"get":  tool.New("Read one user", t.getUser, read),
		}},
		"tracker": tool.Namespace{Description: "The tracker itself", Tools: tool.Tree{
			"today": tool.New("The date of the tracker's data, on which all of it was recorded", func(context.Context, struct{}) (string, error) { return t.data.Today, nil }, read),
		}},
	}, nil
}

func load() (*tracker, error) {
	t := &tracker{}
	return t, json.Unmarshal(dataJSON, &t.data)
}

// User is somebody who works on the repositories, or a bot, which has no name.
type User struct {
	Login    string  `json:"login"`
	Name     *string `json:"name"`
	Team     *string `json:"team"`
	TimeZone *string `json:"timeZone"`
}

// Label of a repository.
type Label struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

// Repo is a repository.
type Repo struct {
	Name        string   `json:"name" desc:"owner/name"`
	Description string   `json:"description"`
	Language    string   `json:"language"`
	Stars       int      `json:"stars"`
	Owners      []string `json:"owners" desc:"logins"`
	Archived    bool     `json:"archived"`
}

// Comment on an issue.
type Comment struct {
	Author    string `json:"author"`
	CreatedAt string `json:"createdAt"`
	Body      string `json:"body"`
}

// Reactions to an issue.
type Reactions struct {
	Up   int `json:"+1"`
	Down int `json:"-1"`
}

// Summary is an issue without its body.
type Summary struct {
	Repo      string    `json:"repo"`
	Number    int       `json:"number"`
	Title     string    `json:"title"`
	State     string    `json:"state" jsonschema:"enum=open,enum=closed"`
	Author    string    `json:"author"`
	Assignee  *string   `json:"assignee"`
	Labels    []string  `json:"labels"`
	Milestone *string   `json:"milestone"`
	Reactions Reactions `json:"reactions"`
	Comments  int       `json:"comments" desc:"how many there are"`
	CreatedAt string    `json:"createdAt" desc:"RFC 3339"`
	UpdatedAt string    `json:"updatedAt"`
	ClosedAt  *string   `json:"closedAt"`
}

// Issue is an issue with its body.
type Issue struct {
	Summary
	Body string `json:"body" desc:"Markdown"`
}

// issue is how the file keeps an issue.
type issue struct {
	Issue
	Comments []Comment `json:"comments"`
}

func (i *issue) summary() Summary {
	s := i.Summary
	s.Comments = len(i.Comments)
	s.Labels = slices.Clone(s.Labels)
	return s
}

// tracker is the data, under a lock since calls run at the same time.
type tracker struct {
	mu   sync.Mutex
	data struct {
		Today  string             `json:"today"`
		Users  []User             `json:"users"`
		Repos  []Repo             `json:"repos"`
		Labels map[string][]Label `json:"labels"`
		Issues []*issue           `json:"issues"`
	}
}

func (t *tracker) repo(name string) (*Repo, error) {
	var names []string
	for i := range t.data.Repos {
		if t.data.Repos[i].Name == name {
			return &t.data.Repos[i], nil
		}
		names = append(names, t.data.Repos[i].Name)
	}
	return nil, tool.Errorf("there is no repository %q; there are %s", name, strings.Join(names, ", "))
}

func (t *tracker) issue(repo string, number int) (*issue, error) {
	if _, err := t.repo(repo); err != nil {
		return nil, err
	}
	for _, i := range t.data.Issues {
		if i.Repo == repo && i.Number == number {
			return i, nil
		}
	}
	return nil, tool.Errorf("%s has no issue %d", repo, number)
}

func (t *tracker) user(login string) (User, error) {
	for _, u := range t.data.Users {
		if u.Login == login {
			return u, nil
		}
	}
	return User{}, tool.Errorf("there is no user %q", login)
}

// newestFirst sorts by creation; the dates have one form, so their texts compare as they do.
func newestFirst(found []Summary) {
	slices.SortStableFunc(found, func(a, b Summary) int { return strings.Compare(b.CreatedAt, a.CreatedAt) })
}

// now is a time after all recorded ones, for what the program writes.
func (t *tracker) now() string {
	at, err := time.Parse(time.RFC3339, t.data.Today)
	if err != nil {
		return t.data.Today
	}
	return at.Add(time.Minute).Format(time.RFC3339)
}
