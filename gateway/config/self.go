package config

// This file defines how an entry is found that would start this very gateway.

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// refuseSelf turns off an entry that runs the command serve of this program: through the file of a client that has the
// gateway among its servers, the gateway would start itself for ever.
func (e *entry) refuseSelf(executables []string) {
	words := make([]string, 0, len(e.server.Command))
	for _, w := range e.server.Command {
		words = append(words, strings.Fields(w.Reveal())...) // sh -c "codemode serve"
	}
	serve := slices.Index(words, "serve")
	if serve < 0 {
		return
	}
	for _, w := range words[:serve] {
		if slices.ContainsFunc(executables, func(own string) bool { return sameProgram(w, own) }) {
			e.server.Disabled, e.server.Why = true, "it starts this gateway itself"
			return
		}
	}
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
