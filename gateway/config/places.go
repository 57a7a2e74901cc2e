package config

// This file defines where clients keep their files.

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Clients are those whose files [Find] knows.
var Clients = []string{"claude", "cursor", "vscode", "gemini", "codex"}

// system is what the places of files depend on.
type system struct {
	os        string // as runtime.GOOS
	home      string
	workspace string
	lookup    func(string) (string, bool)
}

// Find is the files of a client that are there: those of the user first, then those of the project, so that the latter
// win. The error says that the client is not known, or where there was no file.
func Find(client string, o Options) ([]string, error) {
	o = o.withDefaults()
	s := system{runtime.GOOS, o.Home, o.Workspace, o.Lookup}
	if s.workspace == "" {
		s.workspace = absolute(".")
	}
	if !slices.Contains(Clients, client) {
		return nil, fmt.Errorf("got %q, want one of %s", clip(client, 40), strings.Join(Clients, ", "))
	}
	places := s.places(client)
	var there []string
	for _, file := range places {
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			there = append(there, file)
		}
	}
	if len(there) == 0 {
		return nil, fmt.Errorf("%s has no file here; looked for %s", client, strings.Join(places, ", "))
	}
	return there, nil
}

// places are all files of a client.
func (s system) places(client string) []string {
	home := func(parts ...string) string { return filepath.Join(append([]string{s.home}, parts...)...) }
	project := func(parts ...string) string { return filepath.Join(append([]string{s.workspace}, parts...)...) }
	switch client {
	case "claude":
		return []string{s.settings("Claude", "claude_desktop_config.json"), home(".claude.json"), project(".mcp.json")}
	case "cursor":
		return []string{home(".cursor", "mcp.json"), project(".cursor", "mcp.json")}
	case "vscode":
		return []string{s.settings("Code", "User", "mcp.json"), project(".mcp.json"), project(".vscode", "mcp.json")}
	case "gemini":
		return []string{home(".gemini", "settings.json"), project(".gemini", "settings.json")}
	case "codex":
		folder := home(".codex")
		if own, set := s.lookup("CODEX_HOME"); set && own != "" {
			folder = own
		}
		return []string{filepath.Join(folder, "config.toml"), project(".codex", "config.toml")}
	}
	return nil
}

// settings is a path in the folder where applications keep their settings.
func (s system) settings(parts ...string) string {
	folder := filepath.Join(s.home, ".config")
	switch s.os {
	case "darwin":
		folder = filepath.Join(s.home, "Library", "Application Support")
	case "windows":
		folder = filepath.Join(s.home, "AppData", "Roaming")
		if own, set := s.lookup("APPDATA"); set && own != "" {
			folder = own
		}
	default:
		if own, set := s.lookup("XDG_CONFIG_HOME"); set && own != "" {
			folder = own
		}
	}
	return filepath.Join(append([]string{folder}, parts...)...)
}
