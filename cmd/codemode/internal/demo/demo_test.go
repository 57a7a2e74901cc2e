package demo

import (
	"context"
	"slices"
	"testing"

	"github.com/codemode-go/codemode/tool"
)

func TestTreeResolves(t *testing.T) {
	tree, err := Tree()
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := tool.Resolve(tree)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(catalog.All()); n != 11 {
		t.Errorf("%d tools", n)
	}
}

func fresh(t *testing.T) *tracker {
	t.Helper()
	tr, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The references of the data lead somewhere: authors, owners, labels.
func TestDataIsConsistent(t *testing.T) {
	tr := fresh(t)
	known := func(login string) {
		if _, err := tr.user(login); err != nil {
			t.Error(err)
		}
	}
	for _, r := range tr.data.Repos {
		for _, o := range r.Owners {
			known(o)
		}
	}
	for _, i := range tr.data.Issues {
		known(i.Author)
		for _, l := range i.Labels {
			if !slices.ContainsFunc(tr.data.Labels[i.Repo], func(x Label) bool { return x.Name == l }) {
				t.Errorf("%s#%d has the unknown label %s", i.Repo, i.Number, l)
			}
		}
		for _, c := range i.Comments {
			known(c.Author)
			if c.CreatedAt < i.CreatedAt || c.CreatedAt > tr.data.Today {
				t.Errorf("%s#%d has a comment from %s", i.Repo, i.Number, c.CreatedAt)
			}
		}
		if (i.State == "closed") != (i.ClosedAt != nil) || i.UpdatedAt < i.CreatedAt || i.UpdatedAt > tr.data.Today {
			t.Errorf("%s#%d has impossible dates", i.Repo, i.Number)
		}
	}
}

func TestPages(t *testing.T) {
	tr := fresh(t)
	var seen []int
	in := listIn{Repo: "harbor/gateway", State: "all", PerPage: 4}
	for {
		p, err := tr.listIssues(context.Background(), in)
		if err != nil || p.Total != 15 {
			t.Fatal(p, err)
		}
		for _, s := range p.Items {
			seen = append(seen, s.Number)
		}
		if p.NextPage == nil {
			break
		}
		in.Page = *p.NextPage
	}
	slices.Sort(seen)
	if len(slices.Compact(seen)) != 15 {
		t.Errorf("saw %v", seen)
	}
}

func TestUpdate(t *testing.T) {
	tr := fresh(t)
	ctx := context.Background()
	for _, bad := range []updateIn{
		{Repo: "harbor/none", Number: 1}, {Repo: "harbor/gateway", Number: 99},
		{Repo: "harbor/gateway", Number: 1, Labels: &[]string{"nope"}}, {Repo: "harbor/gateway", Number: 1, Assignee: new("nobody-such")},
	} {
		if _, err := tr.update(ctx, bad); err == nil {
			t.Errorf("accepted %+v", bad)
		}
	}
	got, err := tr.update(ctx, updateIn{Repo: "harbor/gateway", Number: 1, State: new("closed"), Assignee: new(""), Labels: &[]string{"bug"}})
	if err != nil || got.State != "closed" && got.ClosedAt == nil || got.Assignee != nil || !slices.Equal(got.Labels, []string{"bug"}) {
		t.Fatal(got, err)
	}
	if _, err := tr.comment(ctx, commentIn{"harbor/gateway", 1, "done"}); err != nil {
		t.Fatal(err)
	}
	comments, err := tr.listComments(ctx, issueIn{"harbor/gateway", 1})
	if err != nil || comments[len(comments)-1].Body != "done" {
		t.Fatal(comments, err)
	}
	if other := fresh(t); len(other.data.Issues[0].Comments) == len(comments) {
		t.Error("the change is seen by others")
	}
}
