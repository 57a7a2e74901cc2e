package source

// This file refuses code blocks that are marked as another language.

import (
	"fmt"
	"sort"

	"github.com/codemode-go/codemode/diagnostics"
)

// languages names what the marks of code blocks stand for.
var languages = map[string]string{
	"python": "Python", "py": "Python", "python3": "Python", "ipython": "Python", "tool_code": "Python",
	"bash": "shell", "sh": "shell", "shell": "shell", "zsh": "shell", "fish": "shell", "console": "shell", "terminal": "shell", "shellsession": "shell",
	"powershell": "PowerShell", "ps1": "PowerShell", "bat": "batch", "cmd": "batch",
	"sql": "SQL", "graphql": "GraphQL", "ruby": "Ruby", "rb": "Ruby", "go": "Go", "golang": "Go", "rust": "Rust", "rs": "Rust", "java": "Java",
	"kotlin": "Kotlin", "swift": "Swift", "php": "PHP", "perl": "Perl", "lua": "Lua", "r": "R", "c": "C", "cpp": "C++", "c++": "C++",
	"csharp": "C#", "cs": "C#", "c#": "C#", "html": "HTML", "css": "CSS", "diff": "diff", "markdown": "Markdown", "md": "Markdown",
	"text": "text", "txt": "text", "plaintext": "text",
}

// dataLanguages are the marks of data.
var dataLanguages = map[string]string{
	"json": "JSON", "jsonc": "JSON", "json5": "JSON", "jsonl": "JSON", "yaml": "YAML", "yml": "YAML", "toml": "TOML", "xml": "XML", "csv": "CSV",
}

const writeCall = "write the call: return await tools.<namespace>.<tool>({ … })"

// refusal says that the block is no program.
func (f *fence) refusal() problem {
	p := problem{off: f.mark, end: f.mark + f.length + len(f.tag), kind: diagnostics.ParseError, suggestions: []string{writeCall}}
	if name := dataLanguages[f.tag]; name != "" {
		p.message = fmt.Sprintf("this is a block of data (%s), not a program; programs are JavaScript or TypeScript", name)
		return p
	}
	name := languages[f.tag]
	if name == "" {
		name = "'" + f.tag + "'"
	}
	p.message = fmt.Sprintf("this is a %s block; programs are JavaScript or TypeScript", name)
	return p
}

// startsToken tells whether a token starts at off, which nothing inside of a string, template or comment does.
func (g *guard) startsToken(off int) bool {
	i := sort.Search(len(g.tokens), func(i int) bool { return g.tokens[i].off >= off })
	return i < len(g.tokens) && g.tokens[i].off == off
}
