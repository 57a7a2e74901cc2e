// This file defines the names of declarations.

package schema

import (
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// Names gives declarations names that do not clash, and remembers them, so that
// all schemas of one tool (or of a whole file) can be rendered with the same Names. The zero value is ready. A
// Names belongs to one goroutine.
type Names struct {
	taken map[string]string // name → declaration
	next  map[string]int    // base → the number that the next name like it tries first
}

// Reserve keeps declarations from taking a name.
func (n *Names) Reserve(name string) { n.take(name, "") }

func (n *Names) take(name, declaration string) {
	if n.taken == nil {
		n.taken = map[string]string{}
	}
	n.taken[name] = declaration
}

// reserved are names that a type alias cannot have or that would hide a type
// which renderings use.
var reserved = func() map[string]bool {
	words := strings.Fields(`any unknown never number bigint boolean string symbol void object undefined null
		break case catch class const continue debugger default delete do else enum export extends false finally for function if import in
		instanceof new return super switch this throw true try typeof var while with implements interface let package private protected
		public static yield await async type declare namespace module abstract as asserts infer is keyof readonly require unique global
		intrinsic tools Promise Record Array`)
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}()

const maxName = 60

// baseName is a legal name near to what the document calls a definition.
func baseName(d *definition) string {
	name := typeName(calledIn(d))
	if name == "" || '0' <= name[0] && name[0] <= '9' {
		name = "T" + name
	}
	if reserved[name] {
		name = strings.ToUpper(name[:1]) + name[1:] + "Type"
	}
	return name
}

// calledIn is the last name on the way to a definition: of a definition or a
// property. The root is called by its title.
func calledIn(d *definition) string {
	name := ""
	for i := 0; i+1 < len(d.steps); i++ {
		switch d.steps[i] {
		case "properties":
			name = d.steps[i+1]
			if name != "" {
				name = strings.ToUpper(name[:1]) + name[1:]
			}
			i++
		case "$defs", "definitions", "schemas":
			name = d.steps[i+1]
			i++
		}
	}
	if name == "" {
		o, _ := d.schema.(*data.Object)
		name = text(o, "title")
	}
	if name == "" {
		name = "Node"
	}
	return name
}

// typeName keeps an identifier and joins the words of anything else.
func typeName(name string) string {
	if len(name) > maxName {
		name = name[:maxName]
	}
	if data.IsIdentifier(name) {
		return name
	}
	var b strings.Builder
	for _, part := range strings.FieldsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '$')
	}) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// fresh is a name like base that is neither taken nor among those used.
func (n *Names) fresh(base string, used map[string]bool) string {
	free := func(name string) bool {
		_, taken := n.taken[name]
		return !taken && !used[name]
	}
	if free(base) {
		return base
	}
	if n.next == nil {
		n.next = map[string]int{}
	}
	for i := max(2, n.next[base]); ; i++ {
		if name := base + strconv.Itoa(i); free(name) {
			n.next[base] = i
			return name
		}
	}
}

// naming assigns names to the definitions of one rendering.
type naming struct {
	names  *Names
	of     map[*definition]string
	used   map[string]bool
	shared map[*definition]bool // has the name of an earlier declaration that may be the same
	differ map[*definition]bool // it is not
}

func newNaming(names *Names) *naming {
	return &naming{names: names}
}

func (n *naming) reset() {
	n.of, n.used, n.shared = nil, nil, nil
}

// mark keeps a definition from the name of an earlier one.
func (n *naming) mark(d *definition) {
	if n.differ == nil {
		n.differ = map[*definition]bool{}
	}
	n.differ[d] = true
}

func (n *naming) name(d *definition) string {
	if name := n.of[d]; name != "" {
		return name
	}
	if n.of == nil {
		n.of, n.used, n.shared = map[*definition]string{}, map[string]bool{}, map[*definition]bool{}
	}
	base := baseName(d)
	name := base
	if n.names.taken[base] != "" && !n.differ[d] && !n.used[base] {
		n.shared[d] = true
	} else {
		name = n.names.fresh(base, n.used)
	}
	n.of[d], n.used[name] = name, true
	return name
}
