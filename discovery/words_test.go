package discovery

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"listOpen_issues":        "list open issues",
		"HTTPServerURL":          "http server url",
		"userIDs":                "user ids",
		"get-file.contents/v2":   "get file contents v2",
		"k8s n8n-mcp context7":   "k8s n8n mcp context7",
		"ÜBERGRÖSSE Straße":      "ubergrosse strasse",
		"İSTANBUL ıssız":         "istanbul issiz",
		"ΣΊΣΥΦΟΣ σίσυφος":        "σίσυφοσ σίσυφοσ",
		"cafe\u0301 café":        "cafe cafe",
		"ФАЙЛЫ создать_файл":     "файлы создать файл",
		"the user's file, don't": "the users file dont",
		"Ｆｕｌｌ　ｗｉｄｔｈ":             "full width",
		"創建問題":                   "創 創建 建問 問題",
		"open 問題 now":            "open 問 問題 now",
		"":                       "",
		" .,;- ":                 "",
		"\xff\xfeabc":            "abc",
		"a__b":                   "a b",
	} {
		if got := strings.Join(words(text, 100), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := words(strings.Repeat("word ", 100), 7); len(got) != 7 {
		t.Errorf("%d words", len(got))
	}
	if got := words(strings.Repeat("x", 10_000), 7); len(got) != 1 || len(got[0]) > maxWord {
		t.Errorf("%d bytes", len(got[0]))
	}
}

func TestKeysForgetSpelling(t *testing.T) {
	for _, name := range []string{"listIssues", "list_issues", "list-issues", "List Issues", "LIST.ISSUES", "LístIssues"} {
		if key(name) != "listissues" {
			t.Errorf("%s: %s", name, key(name))
		}
	}
}

// Words of one row are forms of one word; those of different rows are not.
func TestBases(t *testing.T) {
	rows := [][]string{
		{"issue", "issues"}, {"repository", "repositories"}, {"box", "boxes"}, {"branch", "branches"}, {"class", "classes"},
		{"status", "statuses"}, {"cache", "caches", "cached", "caching"}, {"create", "creates", "created", "creating"},
		{"list", "lists", "listed", "listing"}, {"update", "updates", "updated", "updating"}, {"run", "runs", "running", "ran"},
		{"merge", "merges", "merged", "merging"}, {"note", "notes", "noted", "noting"}, {"not"}, {"copy", "copies", "copied", "copying"},
		{"database", "databases"}, {"index", "indexes", "indices"}, {"person", "people"}, {"send", "sent", "sends", "sending"},
		{"schema", "schemas"}, {"alias", "aliases"}, {"address", "addresses"}, {"analysis", "analyses"}, {"use", "uses", "used", "using"},
		{"string", "strings"}, {"bus"}, {"kubernetes"}, {"news"}, {"stop", "stopped", "stopping"}, {"modify", "modifies", "modified"},
		{"file", "files"}, {"fill", "fills", "filled"}, {"key", "keys"}, {"day", "days"}, {"need", "needs", "needed"}, {"agree", "agreed"},
	}
	row := map[string]string{}
	for _, forms := range rows {
		for _, w := range forms {
			if got := base(w); got != base(forms[0]) {
				t.Errorf("%s: %s, want that of %s, %s", w, got, forms[0], base(forms[0]))
			}
		}
		if other, taken := row[base(forms[0])]; taken {
			t.Errorf("%s and %s are the same", forms[0], other)
		}
		row[base(forms[0])] = forms[0]
	}
	for _, w := range []string{"файлы", "創建", "k8s", "é", "a", "us", "ids"} {
		if got := base(w); got != w && got+"s" != w {
			t.Errorf("%s became %s", w, got)
		}
	}
}

func TestRoots(t *testing.T) {
	for _, family := range [][]string{
		{"deploy", "deployment", "deployments"}, {"create", "creation"}, {"delete", "deletion"}, {"configure", "configuration"},
		{"validate", "validation"}, {"notify", "notification"}, {"subscribe", "subscription"}, {"remove", "removal"}, {"act", "action"},
		{"translate", "translation"}, {"organize", "organization"}, {"document", "documentation"}, {"execute", "execution"}, {"pay", "payment"},
		{"retrieve", "retrieval"}, {"locate", "location"},
	} {
		for _, w := range family {
			if root(w) != root(family[0]) {
				t.Errorf("%s: %s, %s: %s", family[0], root(family[0]), w, root(w))
			}
		}
	}
	for _, pair := range [][2]string{{"comment", "common"}, {"application", "apply"}, {"user", "use"}, {"server", "serve"}, {"general", "generate"}, {"state", "status"}} {
		if root(pair[0]) == root(pair[1]) {
			t.Errorf("%s and %s are both %s", pair[0], pair[1], root(pair[0]))
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"issue", "issue", 0}, {"isue", "issue", 1}, {"isseu", "issue", 1}, {"issuee", "issue", 1}, {"ixsue", "issue", 1},
		{"repositroy", "repository", 1}, {"reposiotry", "repository", 1}, {"repostry", "repository", 2}, {"merge", "fetch", 3}, {"", "ab", 2}, {"abc", "", 3},
	} {
		if got := distance(test.a, test.b, 2); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a, 2); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.b, test.a, got, test.want)
		}
		if test.want < 3 && !alike(letterMask(test.a), letterMask(test.b), test.want) {
			t.Errorf("%s, %s are taken for too different", test.a, test.b)
		}
	}
}

func TestFirstSentences(t *testing.T) {
	for text, want := range map[string]string{
		"List issues. With labels.":              "List issues.",
		"List issues":                            "List issues",
		"List e.g. issues. More":                 "List e.g. issues.",
		"Version 2.1 of it. More":                "Version 2.1 of it.",
		"# Title\n\nText.":                       "Title",
		"\n  Indented line\nmore":                "Indented line",
		"創建問題。其他":                                "創建問題。",
		"Really? Yes.":                           "Really?",
		"":                                       "",
		"Ends with a dot.":                       "Ends with a dot.",
		"Read (incl. drafts, etc.) things. Next": "Read (incl. drafts, etc.) things.",
	} {
		if got, _ := firstSentence(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The lists contain what their format says.
func TestListsOfWords(t *testing.T) {
	plainWords := func(text string) bool {
		return !slices.ContainsFunc(strings.Fields(text), func(w string) bool {
			return strings.Join(words(w, 9), "") != w && w != "+"
		})
	}
	for name, text := range map[string]string{"families": familiesText, "faint": faintText, "idle": idleText} {
		for row := range rows(text) {
			if row != "0.5" && row != "0.3" && !plainWords(row) {
				t.Errorf("%s: %q", name, row)
			}
		}
	}
	for name, text := range map[string]string{"senses": sensesText, "phrases": phrasesText} {
		for row := range rows(text) {
			said, meant, ok := strings.Cut(row, ":")
			if !ok || strings.TrimSpace(meant) == "" || !plainWords(said) || !plainWords(meant) {
				t.Errorf("%s: %q", name, row)
			}
		}
	}
}
