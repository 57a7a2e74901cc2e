package config

// This file defines which texts of a configuration are secrets by their name or their form, whatever they stand for: passwords
// and keys in addresses, and settings within a text.

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/codemode-go/codemode/diagnostics"
)

var (
	// telling are words in names of variables, flags, headers and parameters whose values are secrets, wherever they stand: APIKEY,
	// PGPWD (the value of PWD is a folder). AUTHOR, MONKEY and MAX_TOKENS tell nothing.
	telling = regexp.MustCompile(`secret|passw|credential|cookie|session|private|dsn|^(pat|pwd|pin|pass|passphrase|keys?|sig|signature|jwt|auth|oauth|authorization|webhooks?)$` +
		`|(api|access|auth|app|sign|signing|encrypt|encryption|master|account|license|licence|ssh|client|admin|service|deploy|write|read|ingest|bot)keys?$|token$|.pwd$`)
	// settles are the last words of names that say how something is done, whatever words are before: AUTH_MODE.
	settles = regexp.MustCompile(`^(mode|type|policy|method|provider|enabled|timeout|ttl|issuer|scopes?|count|size|limit|max|min|path|file|dir)$`)
)

// tells reports that what has the name is a secret.
func tells(name string) bool {
	words := diagnostics.Words(name)
	return len(words) > 0 && !settles.MatchString(words[len(words)-1]) && slices.ContainsFunc(words, telling.MatchString)
}

var (
	// addresses are those within a text, whatever their scheme.
	addresses = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*)://([^\s"'<>|]+)`)
	// login is user:password@host as some drivers have it, without a scheme.
	login = regexp.MustCompile(`^([^\s:/@]+):([^\s/@]+)@(?:(?:tcp|unix)\(|[\w.-]+(?::\d+)?/|[\w.-]+:\d+$)`)
	// setting is a name with its value within a text.
	setting = regexp.MustCompile(`(?:^|[?&;,#\s])([\w.\[\]-]+)=([^?&;,#\s"']+)`)
	port    = regexp.MustCompile(`^\d*$`)
)

// addForms takes note of the secrets that a text has by its form. It reports whether the whole of it is to be hidden as well
// where it is repeated.
func (r *Redactor) addForms(name, text string) (whole bool) {
	if m := login.FindStringSubmatch(text); m != nil {
		r.addPassword(m[1], m[2], "")
		whole = true
	}
	found := addresses.FindAllStringSubmatchIndex(text, -1)
	for _, at := range found {
		if !strings.EqualFold(text[at[2]:at[3]], "file") && r.addAddress(name, text[at[4]:at[5]]) {
			whole = true
			if at[0] > 0 || at[1] < len(text) { // as it may be repeated without what is around it
				r.addAnswer(text[at[0]:at[1]])
			}
		}
	}
	for _, m := range setting.FindAllStringSubmatch(text, -1) {
		value := m[2]
		if len(value) < minSecret || isPlace(value) || !tells(m[1]) || len(found) == 0 && isPlain(value) {
			continue
		}
		r.addAnswer(value)
		if plain, err := url.QueryUnescape(value); err == nil && len(plain) >= minSecret {
			r.addAnswer(plain)
		}
	}
	return whole
}

// addAddress takes note of what is secret in an address, which comes without its scheme.
func (r *Redactor) addAddress(name, address string) (secret bool) {
	end := strings.IndexAny(address, "/?#")
	if end < 0 {
		end = len(address)
	}
	if at := strings.LastIndex(address, "@"); at > end { // a password may have what ends a host, if no port stands there
		if _, after, ok := strings.Cut(address[:end], ":"); ok && !port.MatchString(after) && !strings.HasPrefix(address, "[") {
			end = len(address)
			if next := strings.IndexAny(address[at+1:], "/?#"); next >= 0 {
				end = at + 1 + next
			}
		}
	}
	if at := strings.LastIndex(address[:end], "@"); at >= 0 {
		user, password, _ := strings.Cut(address[:at], ":")
		secret = r.addPassword(user, password, "://")
	}
	path, _, _ := strings.Cut(address[end:], "?")
	path, _, _ = strings.Cut(path, "#")
	isHook := slices.ContainsFunc(diagnostics.Words(name), func(word string) bool { return strings.HasPrefix(word, "webhook") })
	if isHook && len(path) >= minSecret {
		r.addAnswer(path)
		secret = true
	}
	hook := tells(name) || strings.Contains(strings.ToLower(address), "hook") // elsewhere an id is what a program gives back
	return hook && r.addRandom(path) || secret
}

// addRandom takes note of the parts of a path that nobody has chosen.
func (r *Redactor) addRandom(path string) (found bool) {
	for segment := range strings.SplitSeq(path, "/") {
		if isRandom(segment) {
			r.addAnswer(segment)
			found = true
		}
	}
	return found
}

// addPassword takes note of a login. A user that looks like a key is one.
func (r *Redactor) addPassword(user, password, before string) (secret bool) {
	if len(user) >= longUser && !isPlain(user) {
		r.addAnswer(user)
		secret = true
	}
	if password == "" {
		return secret
	}
	for _, form := range []string{password, unescaped(password)} {
		if len(form) >= minSecret {
			r.addAnswer(form)
		}
	}
	if len(password) < minSecret { // by itself it would blot out words
		r.addAnswer(before + user + ":" + password + "@")
	}
	return true
}

// longUser is how long a user's name is at least that is taken for a key.
const longUser = 16

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// addAnswer takes note of a text that is to be kept out of answers too.
func (r *Redactor) addAnswer(text string) {
	r.texts.add(text)
	r.answers.add(text)
}

// isRandom reports that a part of a path is no name that somebody chose: long, of letters and digits without separators between
// words, or of both cases and digits.
func isRandom(segment string) bool {
	const long = 20
	if len(segment) < long {
		return false
	}
	var upper, lower, digit, separator bool
	for _, c := range segment {
		switch {
		case unicode.IsUpper(c):
			upper = true
		case unicode.IsLower(c):
			lower = true
		case unicode.IsDigit(c):
			digit = true
		case strings.ContainsRune("-_=%~+", c):
			separator = true
		default:
			return false
		}
	}
	return digit && (upper && lower || (upper || lower) && !separator)
}

// isPlace reports whether a text names a folder, a file or an address. Programs give such back to the server; what is secret
// in an address is noted by itself.
func isPlace(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || strings.HasPrefix(text, ".") || strings.Contains(text, "://") ||
		strings.HasPrefix(text, `\\`) || len(text) > 2 && text[1] == ':' && (text[2] == '\\' || text[2] == '/')
}

// isPlain reports whether a text consists of words, such as "production" or "application/json": taken out of answers, those
// would leave gaps that have nothing to do with secrets.
func isPlain(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("-_./, ", r) }) < 0
}

// isChosen reports whether a text consists of words, numbers and short names such as v2, as regions, hosts, addresses of mail,
// dates and names of models do: nobody has made it by chance.
func isChosen(text string) bool {
	const short = 4
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("-_./:,@+ ", r) }) {
		letters, digits := 0, 0
		for _, r := range part {
			switch {
			case unicode.IsLetter(r):
				letters++
			case unicode.IsDigit(r):
				digits++
			default:
				return false
			}
		}
		if letters > 0 && digits > 0 && letters+digits > short {
			return false
		}
	}
	return true
}
