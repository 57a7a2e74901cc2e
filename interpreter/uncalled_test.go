package interpreter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/internal/compileopt"
	"github.com/codemode-go/codemode/interpreter"
)

// users has one tool, tools.users.list, which answers with an empty list.
type users struct{}

func (users) Lookup(path []string) (isTool, isNamespace bool) {
	at := strings.Join(path, ".")
	return at == "users.list", at == "" || at == "users"
}

func (users) Keys(path []string) ([]string, bool) {
	switch strings.Join(path, ".") {
	case "":
		return []string{"users"}, true
	case "users":
		return []string{"list"}, true
	}
	return nil, false
}

func (users) Invoke(c interpreter.Call) error { c.Done(data.NewArray(nil), nil); return nil }

func runUsers(t *testing.T, src string) *interpreter.Outcome {
	p, problem := interpreter.Compile(src, compileopt.Options{})
	if problem != nil {
		t.Fatal(src, problem)
	}
	return p.Run(context.Background(), interpreter.RunOptions{Host: users{}})
}

// A tool that was not called gives what functions have; that is warned of.
func TestToolsThatWereNotCalled(t *testing.T) {
	const uncalled = "property 'length' was read from tools.users.list, a tool that was not called; call it first: "
	for src, want := range map[string]string{
		"return (await tools.users.list).length":                            uncalled + "(await tools.users.list({ … })).length",
		"const u = await tools.users.list; return u.rows.length":            uncalled + "(await tools.users.list({ … })).rows.length",
		"const { length } = tools.users.list; return length":                uncalled + "(await tools.users.list({ … })).length",
		"return tools.users.list.name":                                      strings.Replace(uncalled, "length", "name", 1) + "(await tools.users.list({ … })).name",
		"return tools.users.length":                                         "property 'length' was read from tools.users, which is a namespace of tools; Object.keys(tools.users).length is how many it has",
		"return `${await tools.users.list}`":                                "tools.users.list was turned into text, a tool that was not called; call it first: await tools.users.list({ … })",
		"return 'got ' + tools.users.list.rows":                             "tools.users.list was turned into text, a tool that was not called; call it first: (await tools.users.list({ … })).rows",
		"const p = tools.users.list(); console.log(p); await p":             "a Promise was logged that has not settled; await it first",
		"const p = [tools.users.list()]; console.log('got', p); await p[0]": "a list of Promises was logged that have not settled; await Promise.all(list) first",

		"const p = tools.users.list(); await p; console.log(p, [p])":               "",
		"return `${tools} ${typeof tools.users.list} ${Object.keys(tools.users)}`": "",
		"return tools.users.name + tools.length":                                   "",
		"return (await tools.users.list()).length":                                 "",
		"return [await tools.users.list.call(null, {}), 'list' in tools.users]":    "",
	} {
		out := runUsers(t, src)
		got := ""
		for _, w := range out.Warnings {
			got += w.Message
		}
		if out.Failure != nil || got != want {
			t.Errorf("%s: %v\n got %s\nwant %s", src, out.Failure, got, want)
		}
	}
}

func TestIterationOverToolsSaysWhatTheyAre(t *testing.T) {
	for src, want := range map[string]string{
		"for (const x of tools) ;":           "tools is not iterable; Object.keys(tools) lists what there is",
		"for (const x of tools.users) ;":     "tools.users is not iterable; Object.keys(tools.users) lists what there is",
		"return [...await tools.users.list]": "tools.users.list is not iterable; call it and await the result",
	} {
		if f := runUsers(t, src).Failure; f == nil || f.Message != "TypeError: "+want {
			t.Errorf("%s: %v, want %s", src, f, want)
		}
	}
}
