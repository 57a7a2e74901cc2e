package openapi

// This file defines which names in queries and cookies are taken, so that no
// input can say something in the place of the host, of a credential or of another
// parameter.

import (
	"net/url"
	"strings"

	"github.com/codemode-go/codemode/data"
)

// claims are the names of one place that inputs cannot choose, as servers read
// them.
type claims struct {
	hosts  map[string]string // by the name in lower case, what it is the name of
	others map[string]*parameter
}

const (
	credentialClaim = "a credential"
	hostClaim       = "a value of the host"
	pathClaim       = "a value in the path itself"
)

// claimHosts notes what the path, the credentials and the host's headers say.
func (b *builder) claimHosts() {
	b.plan.claims = map[string]*claims{}
	for _, in := range []string{"query", "cookie"} {
		b.plan.claims[in] = &claims{map[string]string{}, map[string]*parameter{}}
	}
	for part := range strings.FieldsFuncSeq(b.plan.static, func(r rune) bool { return r == '&' || r == ';' }) {
		name, _, _ := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		b.claimHost("query", name, pathClaim)
	}
	for _, alternative := range b.plan.security {
		for _, s := range alternative {
			if s.Type == "apiKey" && s.In != "header" {
				b.claimHost(s.In, s.Parameter, credentialClaim)
			}
		}
	}
	for name := range b.settings.cookies {
		b.claimHost("cookie", name, hostClaim)
	}
}

func (b *builder) claimHost(in, name, what string) {
	b.plan.claims[in].hosts[strings.ToLower(name)] = what
}

// claimParameters notes the parameters of the operation.
func (b *builder) claimParameters() {
	for _, p := range b.plan.parameters {
		c := b.plan.claims[p.in]
		switch {
		case c == nil:
		case p.fixed == nil:
			c.others[p.name] = p
		default:
			b.claimHost(p.in, p.name, hostClaim)
			if o, ok := p.fixed.(*data.Object); ok && p.style == "form" && p.explode {
				for key := range o.All() {
					b.claimHost(p.in, key, hostClaim)
				}
			}
		}
	}
}

// free refuses names that an input chooses and that are taken, also those that
// servers read as a part of one: a[b] is one of a.
func (p *plan) free(q *parameter, pairs []pair) error {
	c := p.claims[q.in]
	if c == nil || q.fixed != nil {
		return nil
	}
	for _, pair := range pairs {
		if pair.own == "" {
			continue
		}
		what := c.taken(q, pair.own)
		for i := 1; i < len(pair.own) && what == ""; i++ {
			if pair.own[i] == '[' {
				what = c.taken(q, pair.own[:i])
			}
		}
		if what == "" {
			continue
		}
		place := pair.place
		if place == "" {
			place = string(data.AppendKey([]byte(q.place()), pair.own))
		}
		return &unwritable{place, "is the name of " + what}
	}
	return nil
}

// taken says whose name it is, "" for nobody's but q's.
func (c *claims) taken(q *parameter, name string) string {
	if what := c.hosts[strings.ToLower(name)]; what != "" {
		return what
	}
	if other := c.others[name]; other != nil && other != q {
		return "another parameter"
	}
	return ""
}

// cookieNames are the names in the value of a header Cookie.
func cookieNames(value string) []string {
	var names []string
	for c := range strings.SplitSeq(value, ";") {
		if name, _, ok := strings.Cut(strings.TrimSpace(c), "="); ok {
			names = append(names, name)
		}
	}
	return names
}
