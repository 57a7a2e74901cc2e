package openapi

// This file defines where large documents come from.

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/internal/fixture"
)

// document is the text of a document by its name.
func document(t testing.TB, name string) []byte {
	t.Helper()
	switch {
	case name == "github":
		return github(t)
	case strings.HasPrefix(name, "libopenapi/"):
		text, err := os.ReadFile(filepath.Join(oracleFolder(t), "test_specs", strings.TrimPrefix(name, "libopenapi/")))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return fixture.Text("openapi/" + name)
}

var oracleOnce = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/pb33f/libopenapi").Output()
})

// oracleFolder is where the module libopenapi lies, with its documents.
func oracleFolder(t testing.TB) string {
	t.Helper()
	out, err := oracleOnce()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// githubPackage is packed once and kept: it has 28 MB, and 400 MB unpacked.
const githubPackage = "@octokit/openapi@23.0.2"

// github is GitHub's document.
func github(t testing.TB) []byte {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "codemode-e2e")
	file := filepath.Join(dir, "octokit-openapi-23.0.2.tgz")
	if _, err := os.Stat(file); err != nil {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		fresh, err := os.MkdirTemp(dir, "pack")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(fresh)
		cmd := exec.Command("npm", "pack", "--silent", githubPackage)
		cmd.Dir = fresh
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("npm pack: %v\n%s", err, out)
		}
		if err := os.Rename(filepath.Join(fresh, filepath.Base(file)), file); err != nil {
			t.Fatal(err)
		}
	}
	return member(t, file, "package/generated/api.github.com.json")
}

// member is one file of a packed archive.
func member(t testing.TB, archive, name string) []byte {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("%s has no %s: %v", archive, name, err)
		}
		if h.Name == name {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
}
