package config

// This file defines how an entry is found that would start this very gateway.

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// refuseSelf turns off an entry that runs the command serve of this program, or that connects to where it serves: through
// the file of a client that has the gateway among its servers, the gateway would start itself for ever or wait for itself.
func (e *entry) refuseSelf(o Options) {
	if e.server.OpenAPI == nil && sameAddress(e.server.URL.Reveal(), o.Address) {
		e.server.Disabled, e.server.Why = true, "it is this gateway itself"
		return
	}
	words := make([]string, 0, len(e.server.Command))
	for _, w := range e.server.Command {
		words = append(words, strings.Fields(w.Reveal())...) // sh -c "codemode serve"
	}
	serve := slices.Index(words, "serve")
	if serve < 0 {
		return
	}
	for _, w := range words[:serve] {
		if slices.ContainsFunc(o.Executables, func(own string) bool { return sameProgram(w, own) }) {
			e.server.Disabled, e.server.Why = true, "it starts this gateway itself"
			return
		}
	}
}

// sameAddress reports whether a URL leads to a host and port. All names of this machine are one.
func sameAddress(address, own string) bool {
	u, err := url.Parse(address)
	host, port, splitErr := net.SplitHostPort(own)
	if err != nil || splitErr != nil || u.Host == "" || port == "0" {
		return false
	}
	theirs := u.Port()
	if theirs == "" {
		theirs = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return theirs == port && (strings.EqualFold(u.Hostname(), host) || isLocal(u.Hostname()) && isLocal(host))
}

// isLocal reports whether a host is this machine: by loopback, or as one that listens everywhere.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "" || strings.EqualFold(host, "localhost") || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

// sameProgram reports whether a word names a program: by its file or by its name.
func sameProgram(word, own string) bool {
	word = strings.Trim(word, `"'`)
	if strings.HasPrefix(word, "-") {
		return false
	}
	if programName(word) == programName(own) {
		return true
	}
	found, err := exec.LookPath(word)
	if err != nil {
		return false
	}
	a, errA := os.Stat(found)
	b, errB := os.Stat(own)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func programName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}
