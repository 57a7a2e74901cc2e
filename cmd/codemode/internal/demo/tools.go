package demo

// This file defines the tools.

import (
	"context"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/tool"
)

type none = struct{}

func (t *tracker) listRepos(context.Context, none) ([]Repo, error) { return t.data.Repos, nil }

type nameIn struct {
	Name string `json:"name" desc:"owner/name"`
}

type repoOut struct {
	Repo
	OpenIssues   int     `json:"openIssues"`
	ClosedIssues int     `json:"closedIssues"`
	Labels       []Label `json:"labels"`
}

func (t *tracker) getRepo(_ context.Context, in nameIn) (repoOut, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, err := t.repo(in.Name)
	if err != nil {
		return repoOut{}, err
	}
	out := repoOut{Repo: *r, Labels: t.data.Labels[in.Name]}
	for _, i := range t.data.Issues {
		switch {
		case i.Repo != in.Name:
		case i.State == "open":
			out.OpenIssues++
		default:
			out.ClosedIssues++
		}
	}
	return out, nil
}

type listIn struct {
	Repo     string `json:"repo" desc:"owner/name"`
	State    string `json:"state,omitempty" jsonschema:"enum=open,enum=closed,enum=all,default=open"`
	Label    string `json:"label,omitempty"`
	Assignee string `json:"assignee,omitempty" desc:"a login, or none for issues without one"`
	Page     int    `json:"page,omitempty" jsonschema:"minimum=1,default=1"`
	PerPage  int    `json:"perPage,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
}

type page struct {
	Items    []Summary `json:"items"`
	Total    int       `json:"total"`
	NextPage *int      `json:"nextPage" desc:"null on the last page"`
}

func (in listIn) matches(s Summary) bool {
	assignee := "none"
	if s.Assignee != nil {
		assignee = *s.Assignee
	}
	return s.Repo == in.Repo &&
		(in.State == "all" || s.State == in.State || in.State == "" && s.State == "open") &&
		(in.Label == "" || slices.Contains(s.Labels, in.Label)) &&
		(in.Assignee == "" || in.Assignee == assignee)
}

func (t *tracker) listIssues(_ context.Context, in listIn) (page, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := t.repo(in.Repo); err != nil {
		return page{}, err
	}
	var found []Summary
	for _, i := range t.data.Issues {
		if s := i.summary(); in.matches(s) {
			found = append(found, s)
		}
	}
	newestFirst(found)
	return paged(found, max(1, in.Page), in.PerPage), nil
}

func paged(found []Summary, number, size int) page {
	if size == 0 {
		size = 10
	}
	from := min((number-1)*size, len(found))
	to := min(from+size, len(found))
	p := page{Items: found[from:to], Total: len(found)}
	if to < len(found) {
		p.NextPage = new(number + 1)
	}
	return p
}

type issueIn struct {
	Repo   string `json:"repo" desc:"owner/name"`
	Number int    `json:"number"`
}

func (t *tracker) getIssue(_ context.Context, in issueIn) (Issue, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.issue(in.Repo, in.Number)
	if err != nil {
		return Issue{}, err
	}
	return Issue{i.summary(), i.Body}, nil
}

func (t *tracker) listComments(_ context.Context, in issueIn) ([]Comment, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.issue(in.Repo, in.Number)
	if err != nil {
		return nil, err
	}
	return slices.Clone(i.Comments), nil
}

type searchIn struct {
	Query string `json:"query" jsonschema:"minLength=1"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50,default=10"`
}

func (t *tracker) search(_ context.Context, in searchIn) ([]Summary, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	words := strings.Fields(strings.ToLower(in.Query))
	var found []Summary
	for _, i := range t.data.Issues {
		text := strings.ToLower(i.Title + "\n" + i.Body)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			found = append(found, i.summary())
		}
	}
	newestFirst(found)
	if in.Limit == 0 {
		in.Limit = 10
	}
	return found[:min(in.Limit, len(found))], nil
}

type updateIn struct {
	Repo      string    `json:"repo" desc:"owner/name"`
	Number    int       `json:"number"`
	State     *string   `json:"state,omitempty" jsonschema:"enum=open,enum=closed"`
	Labels    *[]string `json:"labels,omitempty" desc:"all labels from now on; each must be one of the repository's"`
	Assignee  *string   `json:"assignee,omitempty" desc:"a login, or an empty text for nobody"`
	Milestone *string   `json:"milestone,omitempty" desc:"an empty text for none"`
}

func (t *tracker) update(_ context.Context, in updateIn) (Issue, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.issue(in.Repo, in.Number)
	if err != nil {
		return Issue{}, err
	}
	if err := t.updatable(in); err != nil {
		return Issue{}, err
	}
	if in.Labels != nil {
		i.Labels = slices.Clone(*in.Labels)
	}
	i.Assignee = changed(i.Assignee, in.Assignee)
	i.Milestone = changed(i.Milestone, in.Milestone)
	i.UpdatedAt = t.now()
	if in.State != nil && *in.State != i.State {
		i.State, i.ClosedAt = *in.State, nil
		if i.State == "closed" {
			i.ClosedAt = new(i.UpdatedAt)
		}
	}
	return Issue{i.summary(), i.Body}, nil
}

// updatable refuses an update before any of it is done.
func (t *tracker) updatable(in updateIn) error {
	r, err := t.repo(in.Repo)
	switch {
	case err != nil:
		return err
	case r.Archived:
		return tool.Errorf("%s is archived and cannot be changed", in.Repo)
	}
	if in.Assignee != nil && *in.Assignee != "" {
		if _, err := t.user(*in.Assignee); err != nil {
			return err
		}
	}
	if in.Labels == nil {
		return nil
	}
	for _, name := range *in.Labels {
		if !slices.ContainsFunc(t.data.Labels[in.Repo], func(l Label) bool { return l.Name == name }) {
			return tool.Errorf("%s has no label %q", in.Repo, name)
		}
	}
	return nil
}

// changed is what a text that may be absent becomes.
func changed(old, to *string) *string {
	switch {
	case to == nil:
		return old
	case *to == "":
		return nil
	}
	return to
}

type commentIn struct {
	Repo   string `json:"repo" desc:"owner/name"`
	Number int    `json:"number"`
	Body   string `json:"body" desc:"Markdown" jsonschema:"minLength=1"`
}

func (t *tracker) comment(_ context.Context, in commentIn) (Comment, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	i, err := t.issue(in.Repo, in.Number)
	if err != nil {
		return Comment{}, err
	}
	c := Comment{Author: "you", CreatedAt: t.now(), Body: in.Body}
	i.Comments = append(i.Comments, c)
	i.UpdatedAt = c.CreatedAt
	return c, nil
}

type teamIn struct {
	Team string `json:"team,omitempty" jsonschema:"enum=platform,enum=web,enum=data,enum=docs,enum=mobile"`
}

func (t *tracker) listUsers(_ context.Context, in teamIn) ([]User, error) {
	var found []User
	for _, u := range t.data.Users {
		if in.Team == "" || u.Team != nil && *u.Team == in.Team {
			found = append(found, u)
		}
	}
	return found, nil
}

type loginIn struct {
	Login string `json:"login"`
}

func (t *tracker) getUser(_ context.Context, in loginIn) (User, error) { return t.user(in.Login) }
