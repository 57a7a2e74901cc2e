// Package npm installs what the tests need from npm.
package npm

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Install installs what package.json in a folder asks for, unless it is there.
// Tests of several packages may call it at once.
func Install(folder string) error {
	manifest, err := os.Open(filepath.Join(folder, "package.json"))
	if err != nil {
		return err
	}
	defer manifest.Close()
	if err := syscall.Flock(int(manifest.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	var wanted struct{ Dependencies map[string]string }
	if err := json.NewDecoder(manifest).Decode(&wanted); err != nil {
		return err
	}
	if installed(folder, wanted.Dependencies) {
		return nil
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir, npm.Stderr = folder, os.Stderr
	if err := npm.Run(); err != nil {
		return fmt.Errorf("npm ci: %w", err)
	}
	return nil
}

func installed(folder string, wanted map[string]string) bool {
	for name, version := range wanted {
		var there struct{ Version string }
		text, err := os.ReadFile(filepath.Join(folder, "node_modules", filepath.FromSlash(name), "package.json"))
		if err != nil || json.Unmarshal(text, &there) != nil || there.Version != version {
			return false
		}
	}
	return true
}
