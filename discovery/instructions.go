package discovery

// This file defines what a model is told: how to work with the one tool that runs programs, and the listing.

import (
	"fmt"
	"strings"
)

// Options say what instructions are made for. The zero value is the defaults.
type Options struct {
	// Tokens is the estimated budget of the listing: its lines of namespaces and tools. Zero is DefaultTokens, negative
	// shows no tools but the pinned ones.
	Tokens int
	// Execute is the name of the tool that runs programs; empty is "execute".
	Execute string
}

// Language is what instructions say of the language.
type Language struct {
	Extra   []string // globals beyond ECMAScript's
	Missing []string // globals that programs written for elsewhere would expect
	Sleep   bool     // tools.$codemode.sleep exists
}

// Instructions tell a model how to write programs and which tools there are.
func Instructions(l Listing, o Options, lang Language) string {
	name := o.Execute
	if name == "" {
		name = "execute"
	}
	var b strings.Builder
	if l.Tools == 0 {
		fmt.Fprintf(&b, introWithout, name)
		language(&b, lang)
		return b.String()
	}
	fmt.Fprintf(&b, intro, name)
	if l.Complete() {
		b.WriteString(workflowComplete)
	} else {
		b.WriteString(workflowPartial)
	}
	b.WriteString(workflow)
	b.WriteString(rules)
	if lang.Sleep {
		b.WriteString(sleep)
	}
	language(&b, lang)
	b.WriteString("\n## Available tools\n\n")
	if l.Complete() {
		fmt.Fprintf(&b, "COMPLETE: %s.\n", counted(l.Tools, "tool"))
	} else {
		fmt.Fprintf(&b, "PARTIAL: %d of %s shown.\n", l.Shown, counted(l.Tools, "tool"))
	}
	switch {
	case !l.guided():
	case l.Complete():
		b.WriteString(guidesComplete)
	default:
		b.WriteString(guidesPartial)
	}
	b.WriteString(l.String())
	return b.String()
}

const introWithout = `Write one JavaScript or TypeScript program for ` + "`%s`" + `. There are no tools at present: a program only computes.
`

const intro = `Write one JavaScript or TypeScript program for ` + "`%s`" + `. The tools below are functions of the program's global ` + "`tools`" + `;
they can be called only inside a program.

## Workflow

`

const workflowComplete = `1. Choose tools from the list below, which is complete.
`

const workflowPartial = `1. Choose tools from the list below. It is partial: find the others by a program of its own, and call them in the next:
   ` + "`return await tools.$codemode.search({ query: \"<what it should do>\" })`" + `
   gives ` + "`{ items: [{ path, description, signature }], total, remaining, next }`" + `; ` + "`path`" + ` is the expression to call.
   Add ` + "`namespace: \"<namespace>\"`" + ` to stay within one, ` + "`...next`" + ` for the next page. Without ` + "`query`" + ` it lists all.
`

const workflow = `2. Do the whole job in one program: call, filter, join; return only what the answer needs.

` + "```js" + `
const [first, second] = await Promise.all([
  tools.<namespace>.<tool>({ <field>: <value> }),
  tools.<namespace>["<tool-name>"]({ <field>: <value> }),
]);
return { first, second };
` + "```" + `
`

const guidesComplete = `GUIDE: ` + "`(await tools.$codemode.search({ namespace: \"<namespace>\" })).about`" + ` says how to use a namespace.
`

const guidesPartial = `GUIDE: ` + "`about`" + ` in a search of the namespace says how to use it.
`

const rules = `
## Rules

- Write the path of a tool exactly as it is shown, with ["…"] where it has it. Do not guess: an unknown path fails.
- A call takes one argument, as its signature shows, or none, and returns a promise: await it. Run independent calls with
  ` + "`Promise.all`" + `, or ` + "`Promise.allSettled`" + ` if some may fail.
- A failed call throws an Error that says why. When the program fails, its result lists the calls that ran: do not repeat
  those that changed something.
- ` + "`unknown`" + ` in a signature may be anything: look at a result before relying on its fields. Text that holds JSON stays
  text: use ` + "`JSON.parse`" + `.
- ` + "`Object.keys(tools)`" + ` gives the names at the top, ` + "`Object.keys(tools.<namespace>)`" + ` those in one.
`

const sleep = "- `await tools.$codemode.sleep({ ms: <number> })` waits.\n"

// language writes the section about the language.
func language(b *strings.Builder, lang Language) {
	b.WriteString(`
## Language

- Modern JavaScript; TypeScript types are erased. ` + "`await`" + ` and ` + "`return`" + ` work at the top level. Without ` + "`return`" + ` the
  last expression is the result.
- Inputs and results are JSON data. A Date becomes ISO text; turn a Map into ` + "`Object.fromEntries(map)`" + ` and a Set into
  ` + "`[...set]`" + `. The time zone is UTC.
- Lines of ` + "`console.log`" + ` come back beside the result.
`)
	if len(lang.Extra) > 0 {
		b.WriteString("- Besides ECMAScript: " + strings.Join(lang.Extra, ", ") + ".\n")
	}
	missing := "modules (import, export, require), eval, decorators"
	if len(lang.Missing) > 0 {
		missing += ", " + strings.Join(lang.Missing, ", ")
	}
	b.WriteString("- Missing: " + missing + ".\n")
}
