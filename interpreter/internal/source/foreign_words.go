package source

// This file knows the words and characters of other languages that stand in programs by mistake.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/diagnostics"
)

const programsCallTools = "programs are JavaScript or TypeScript that call tools: await tools.<namespace>.<tool>({ … })"

// How what is said about shell commands begins.
const (
	looksLikeShell = "this looks like a shell command; "
	noShell        = "There is no shell: "
)

// IsShell tells a failure that is due to shell commands in the place of a program.
func IsShell(d *diagnostics.Diagnostic) bool {
	return strings.Contains(d.Message, " is not defined. "+noShell) ||
		slices.ContainsFunc(d.Suggestions, func(s string) bool { return strings.HasPrefix(s, looksLikeShell) })
}

// shellCommands are the commands that a line may start with; true for those that programs hardly ever use as names of
// their own.
var shellCommands = map[string]bool{
	"ls": true, "cd": true, "cat": true, "pwd": true, "grep": true, "rg": true, "rm": true, "mv": true, "cp": true, "ps": true, "mkdir": true,
	"rmdir": true, "chmod": true, "chown": true, "curl": true, "wget": true, "sudo": true, "awk": true, "sed": true, "xargs": true, "tar": true,
	"ssh": true, "scp": true, "npm": true, "npx": true, "yarn": true, "pnpm": true, "pip": true, "pip3": true, "apt": true, "brew": true,
	"bash": true, "sh": true, "zsh": true, "whoami": true, "uname": true, "df": true, "du": true, "kubectl": true, "systemctl": true, "rsync": true,
	"find": false, "echo": false, "git": false, "docker": false, "head": false, "tail": false, "sort": false, "wc": false, "touch": false,
	"kill": false, "node": false, "python": false, "python3": false, "make": false, "jq": false, "which": false, "top": false, "env": false,
	"source": false, "gh": false, "go": false, "cargo": false, "less": false, "man": false, "diff": false, "cut": false, "uniq": false, "tee": false,
}

var shellWord = regexp.MustCompile(`^([a-z][a-z0-9]*)(?:$| +[-\w./"'~*$:@])`)

var shellPipe = regexp.MustCompile(`\S \| ?(grep|head|tail|wc|sort|uniq|awk|sed|xargs|jq|less|tee|cut)\b`)

func isShell(line string) bool {
	if strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "#!") || shellPipe.MatchString(line) {
		return true
	}
	m := shellWord.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	_, known := shellCommands[m[1]]
	return known
}

// finders are names that programs guess for the search of tools and for calling one.
var finders = map[string]bool{"searchTools": true, "search_tools": true, "findTools": true, "find_tools": true, "listTools": true, "list_tools": true,
	"searchTool": true, "discoverTools": true, "getTools": true, "search": true, "codemode": true}

var callers = map[string]bool{"callTool": true, "call_tool": true, "useTool": true, "runTool": true, "invokeTool": true, "executeTool": true, "mcp": true}

// NameHint explains an undeclared name that comes from a shell or stands for finding and calling tools, "" if there is
// nothing to say.
func NameHint(name string) string {
	switch {
	case shellCommands[name]:
		return noShell + programsCallTools
	case finders[name]:
		return "Object.keys(tools) lists what there is; where the host offers the search, it is search({ query: \"…\" })"
	case callers[name]:
		return "Call a tool by its path: await tools.<namespace>.<tool>({ … })"
	}
	return ""
}

// lookalikes are characters that word processors and keyboards put in the place of the ASCII ones.
var lookalikes = map[rune]struct{ name, ascii string }{
	'\u2013': {"en dash", "-"}, '\u2014': {"em dash", "-"}, '\u2212': {"minus sign", "-"}, '\u2010': {"hyphen", "-"}, '\u2011': {"hyphen", "-"},
	'\u2260': {"not-equal sign", "!=="}, '\u2264': {"less-or-equal sign", "<="}, '\u2265': {"greater-or-equal sign", ">="},
	'\u00D7': {"multiplication sign", "*"}, '\u00F7': {"division sign", "/"}, '\u2026': {"ellipsis", "..."}, '\u2192': {"arrow", "=>"}, '\u21D2': {"arrow", "=>"},
	'\u2227': {"logical and", "&&"}, '\u2228': {"logical or", "||"}, '\u00AC': {"not sign", "!"}, '\u00AB': {"quotation mark", "\""}, '\u00BB': {"quotation mark", "\""},
	'\u2032': {"prime", "'"}, '\u2033': {"double prime", "\""}, '\u00B4': {"acute accent", "'"}, '\u3001': {"ideographic comma", ","}, '\u3002': {"ideographic full stop", "."},
	'\u3010': {"bracket", "["}, '\u3011': {"bracket", "]"}, '\u300C': {"corner bracket", "\""}, '\u300D': {"corner bracket", "\""},
}

// invisible are characters without a form that are no white space.
const invisible = "\u200B\u2060\u00AD\u200E\u200F"

// lookalike finds the first such character outside of strings, comments and templates; advice has a verb for its place.
func (g *guard) lookalike() (at int, advice string) {
	for i, t := range g.tokens {
		if t.kind != tokenName {
			continue
		}
		for off, r := range g.text(i) {
			if r < utf8.RuneSelf {
				continue
			}
			if strings.ContainsRune(invisible, r) {
				return t.off + off, fmt.Sprintf("take out the invisible character U+%04X (%%s)", r)
			}
			found, ok := lookalikes[r]
			if !ok && r > 0xFF00 && r <= 0xFF5E && !isNameByte(byte(r-0xFEE0)) {
				found.name, found.ascii, ok = "full-width form", string(r-0xFEE0), true
			}
			if ok {
				return t.off + off, fmt.Sprintf("replace the %s %c (%%s) by %s", found.name, r, strings.ReplaceAll(found.ascii, "%", "%%"))
			}
		}
	}
	return -1, ""
}
