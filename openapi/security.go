package openapi

// This file defines which credentials an operation requires and how the host
// gives them.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/tool"
)

// Scheme is a security scheme that an operation requires.
type Scheme struct {
	Name string // in the document
	Type string // "apiKey", "http", "oauth2", "openIdConnect" or "mutualTLS"
	// HTTP is the authentication scheme of type "http" in lower case, such as
	// "bearer" or "basic".
	HTTP string
	// In and Parameter are where the key of type "apiKey" goes: "header", "query"
	// or "cookie", and its name there.
	In, Parameter string
	Scopes        []string // that the operation requires; must not be changed
	// Definition is the scheme as in the document, with flows and addresses of
	// oauth2 and openIdConnect.
	Definition data.Value
	Operation  Operation
}

// Credentials gives the credential for a scheme, or nil if the host has none; then
// the next alternative of the operation is tried. An error ends the call: the
// program reads the text of a [*tool.Error], and a general sentence of others. It is called on the
// goroutine of the call and may wait until ctx is done.
type Credentials func(ctx context.Context, scheme Scheme) (*Credential, error)

type credentialKind uint8

const (
	keyCredential credentialKind = iota + 1
	bearerCredential
	basicCredential
	headerCredential
	transportCredential
)

// Credential is what a request proves its right with. It is made by [Bearer],
// [Basic], [APIKey], [Header] or [ByTransport].
type Credential struct {
	kind credentialKind
	// texts is behind two pointers: printing may reach fields that are not exported,
	// and follows one.
	texts **credentialTexts
}

type credentialTexts struct{ name, value, subject string }

func credential(kind credentialKind, texts credentialTexts) Credential {
	p := &texts
	return Credential{kind, &p}
}

func (c Credential) reveal() credentialTexts {
	if c.texts == nil {
		return credentialTexts{}
	}
	return **c.texts
}

// Bearer is a token for schemes of the types http bearer, oauth2 and
// openIdConnect.
func Bearer(token string) Credential {
	return credential(bearerCredential, credentialTexts{value: token})
}

// Basic is a user with a password for the scheme http basic.
func Basic(user, password string) Credential {
	return credential(basicCredential, credentialTexts{subject: user, value: password})
}

// APIKey is a key for schemes of the type apiKey, which say where it goes.
func APIKey(key string) Credential { return credential(keyCredential, credentialTexts{value: key}) }

// Header is a whole header, for any scheme but those of the type apiKey.
func Header(name, value string) Credential {
	return credential(headerCredential, credentialTexts{name: name, value: value})
}

// ByTransport says that Options.Transport proves the right, as with mutualTLS.
func ByTransport() Credential { return Credential{kind: transportCredential} }

// Format hides the secret, whatever the verb.
func (Credential) Format(f fmt.State, _ rune) { io.WriteString(f, "[credential]") }

// String hides the secret.
func (Credential) String() string { return "[credential]" }

// GoString hides the secret.
func (Credential) GoString() string { return "[credential]" }

// Static gives credentials by the names of schemes. The map must not be changed
// afterwards.
func Static(byScheme map[string]Credential) Credentials {
	return func(_ context.Context, s Scheme) (*Credential, error) {
		if c, ok := byScheme[s.Name]; ok {
			return &c, nil
		}
		return nil, nil
	}
}

// security reads the alternatives of the operation.
func (b *builder) security() error {
	list := b.op.get("security")
	if list.v == nil {
		list = b.main("security")
	}
	if list.v == nil {
		return nil
	}
	alternatives, ok := list.v.(data.Array)
	if !ok {
		return errors.New("its security is no list")
	}
	if err := b.spend(alternatives.Len()); err != nil {
		return err
	}
	var problem error
	for _, alternative := range list.items() {
		schemes, err := b.alternative(alternative)
		if err != nil {
			problem = err
			continue
		}
		b.plan.security = append(b.plan.security, schemes)
	}
	if len(b.plan.security) == 0 && problem != nil {
		return problem
	}
	return nil
}

// alternative is one that needs all of its schemes.
func (b *builder) alternative(n node) ([]Scheme, error) {
	if n.object() == nil {
		return nil, errors.New("a security requirement is no object")
	}
	schemes := []Scheme{}
	if err := b.spend(n.object().Len()); err != nil {
		return nil, err
	}
	for name, v := range n.object().All() {
		s, err := b.scheme(name)
		if err != nil {
			return nil, err
		}
		scopes, ok := v.(data.Array)
		if !ok {
			return nil, fmt.Errorf("the scopes of the security scheme %q are no list", clip(name, 100))
		}
		if err := b.spend(scopes.Len()); err != nil {
			return nil, err
		}
		for _, scope := range scopes.All() {
			s.Scopes = append(s.Scopes, text(scope))
		}
		if s.Type == "apiKey" {
			b.secret[placeKey(s.In, s.Parameter)] = true
		}
		schemes = append(schemes, s)
	}
	return schemes, nil
}

func (b *builder) scheme(name string) (Scheme, error) {
	all := b.main("components").get("securitySchemes")
	if b.swagger {
		all = b.main("securityDefinitions")
	}
	n := all.get(name)
	if n.v == nil {
		return Scheme{}, fmt.Errorf("the security scheme %q is not defined", clip(name, 100))
	}
	n, err := b.resolve(n)
	if err != nil {
		return Scheme{}, fmt.Errorf("the security scheme %q: %w", clip(name, 100), err)
	}
	if b.swagger {
		n = swaggerScheme(n)
	}
	s := Scheme{Name: name, Type: n.text("type"), HTTP: strings.ToLower(n.text("scheme")), In: n.text("in"), Parameter: n.text("name"), Definition: n.v, Operation: b.op.Operation}
	switch s.Type {
	case "apiKey":
		if s.Parameter == "" || !slices.Contains([]string{"header", "query", "cookie"}, s.In) || s.In != "query" && !isToken(s.Parameter) {
			return s, fmt.Errorf("the security scheme %q does not say where its key goes", clip(name, 100))
		}
	case "http":
		if s.HTTP == "" {
			return s, fmt.Errorf("the security scheme %q names no scheme of HTTP", clip(name, 100))
		}
	case "oauth2", "openIdConnect", "mutualTLS":
	default:
		return s, fmt.Errorf("the security scheme %q has the unknown type %q", clip(name, 100), clip(s.Type, 100))
	}
	return s, nil
}

// authorize puts the credentials of the first alternative that the host has all
// of into a request.
func (p *plan) authorize(ctx context.Context, r *request) error {
	if len(p.security) == 0 {
		if c := p.settings.Undeclared; c != nil {
			return r.apply(*c, Scheme{})
		}
		return nil
	}
	var tried []string
	for _, alternative := range p.security {
		found, err := p.credentials(ctx, alternative)
		if err != nil {
			return err
		}
		if found == nil {
			tried = append(tried, listed(alternative))
			continue
		}
		for i, c := range found {
			if err := r.apply(c, alternative[i]); err != nil {
				return err
			}
		}
		if len(alternative) == 0 && p.settings.Undeclared != nil {
			return r.apply(*p.settings.Undeclared, Scheme{})
		}
		return nil
	}
	return tool.Errorf("%s needs credentials, and the host has none for it: the document names %s. The program cannot give them; say so to the user",
		p.op, clip(strings.Join(tried, ", or "), maxInfo))
}

// listed are the names of the schemes of an alternative.
func listed(alternative []Scheme) string {
	list := make([]string, len(alternative))
	for i, s := range alternative {
		list[i] = s.Name
	}
	return strings.Join(list, " with ")
}

// credentials are those for all schemes of an alternative, or nil.
func (p *plan) credentials(ctx context.Context, alternative []Scheme) ([]Credential, error) {
	found := []Credential{}
	for _, s := range alternative {
		if p.settings.Credentials == nil {
			return nil, nil
		}
		c, err := p.settings.Credentials(ctx, s)
		if err != nil {
			return nil, credentialError(ctx, p, s, err)
		}
		if c == nil {
			return nil, nil
		}
		found = append(found, *c)
	}
	return found, nil
}

func credentialError(ctx context.Context, p *plan, s Scheme, err error) error {
	var told *tool.Error
	if errors.As(err, &told) || ctx.Err() != nil {
		return err
	}
	return &tool.Error{Message: fmt.Sprintf("%s was not sent: the host could not get the credential for %s", p.op, s.Name), Err: err}
}

// apply puts a credential where its scheme says.
func (r *request) apply(c Credential, s Scheme) error {
	misfit := func(want string) error {
		return &tool.Error{
			Message: fmt.Sprintf("%s was not sent: the host's credential does not fit the scheme %s", r.op, s.Name),
			Err:     fmt.Errorf("openapi: the scheme %q wants %s", s.Name, want),
		}
	}
	basic, bearer := s.Type == "http" && s.HTTP == "basic" || s.Type == "", s.Type == "oauth2" || s.Type == "openIdConnect" || s.HTTP == "bearer" || s.Type == ""
	t := c.reveal()
	switch {
	case c.kind == transportCredential:
		return nil
	case s.Type == "apiKey":
		if c.kind != keyCredential {
			return misfit("APIKey")
		}
		return r.key(s, t.value)
	case c.kind == headerCredential:
		return r.secretHeader(t.name, t.value)
	case c.kind == bearerCredential && bearer:
		r.secrets.add(t.value)
		return r.secretHeader("Authorization", "Bearer "+t.value)
	case c.kind == basicCredential && basic:
		encoded := base64.StdEncoding.EncodeToString([]byte(t.subject + ":" + t.value))
		r.secrets.part(t.value)
		r.secrets.part(t.subject + ":" + t.value)
		return r.secretHeader("Authorization", "Basic "+encoded)
	case s.Type == "mutualTLS":
		return misfit("ByTransport")
	case s.HTTP == "basic":
		return misfit("Basic or Header")
	case bearer:
		return misfit("Bearer or Header")
	}
	return misfit("Header")
}

// secretHeader sets a header that carries a secret. Two credentials for one
// header are a mistake of the document or the host.
func (r *request) secretHeader(name, value string) error {
	r.secrets.addHeader(name, value)
	if !isToken(name) || !isHeaderValue(value) {
		return r.conflict("the credential has characters that no header can have")
	}
	key := strings.ToLower(name)
	if r.claimed[key] {
		return r.conflict("two credentials want the header " + name)
	}
	r.claim(key)
	if key == "cookie" {
		for _, c := range cookieNames(value) {
			if place, taken := r.chosen[c]; taken {
				return &unwritable{place, "sets a cookie with the name of " + credentialClaim}
			}
		}
	}
	r.header.Set(name, value)
	return nil
}

func (r *request) key(s Scheme, value string) error {
	r.secrets.add(value)
	switch s.In {
	case "header":
		return r.secretHeader(s.Parameter, value)
	case "query":
		if r.claimed["?"+s.Parameter] {
			return r.conflict("two credentials want the query parameter " + s.Parameter)
		}
		r.claim("?" + s.Parameter)
		r.query = append(r.query, escapedQuery(s.Parameter, false)+"="+escapedQuery(value, false))
	default:
		if r.claimed["cookie:"+s.Parameter] {
			return r.conflict("two credentials want the cookie " + s.Parameter)
		}
		r.claim("cookie:" + s.Parameter)
		r.cookies = append(r.cookies, s.Parameter+"="+escapedCookie(value))
	}
	return nil
}

func (r *request) claim(what string) {
	if r.claimed == nil {
		r.claimed = map[string]bool{}
	}
	r.claimed[what] = true
}

func (r *request) conflict(why string) error {
	return &tool.Error{Message: fmt.Sprintf("%s was not sent: the host's credentials cannot be used", r.op), Err: errors.New("openapi: " + why)}
}
