package registry

// This file defines the names under which a model is given direct tools.

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
)

// maxName is the longest name that all known models take.
const maxName = 64

// Clash are direct tools that would have the same name, or a single one that would have the name of the tool that runs
// programs or too long a name. Each has a name with a part of the hash of its path instead, so that none is taken for
// another, also in the next step, where the others may be gone.
type Clash struct {
	Name  string            // what it would have been
	Tools map[string]string // expressions of the paths, to the names they have
}

// named is a direct tool with its name.
type named struct {
	name string
	*definition
}

// sanitised is text in the characters that names of tools may have.
func sanitised(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, text)
}

// nameAll names tools: by their paths, or by those and a hash where that would not be unique.
func nameAll(tools []*definition, execute string) (all []named, clashes []Clash) {
	wanted := map[string][]*definition{}
	taken := map[string]bool{execute: true}
	for _, d := range tools {
		name := sanitised(strings.Join(d.entry.Path, "_"))
		wanted[name] = append(wanted[name], d)
		taken[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		who := wanted[name]
		if len(who) == 1 && name != execute && len(name) <= maxName {
			all = append(all, named{name, who[0]})
			continue
		}
		c := Clash{name, map[string]string{}}
		for _, d := range who {
			unique := hashed(name, d.key, taken)
			taken[unique] = true
			all = append(all, named{unique, d})
			c.Tools[d.entry.Expression] = unique
		}
		clashes = append(clashes, c)
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	slices.SortFunc(clashes, func(a, b Clash) int { return cmp.Compare(a.Name, b.Name) })
	return all, clashes
}

// hashed is a name with as much of the hash of the key as makes it unique.
func hashed(name, key string, taken map[string]bool) string {
	sum := sha256.Sum256([]byte(key))
	hash := hex.EncodeToString(sum[:])
	for n := 6; ; n++ {
		full := name[:min(len(name), maxName-n-1)] + "_" + hash[:n]
		if !taken[full] {
			return full
		}
	}
}
