package oauth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/mcp/client"
	"github.com/codemode-go/codemode/mcp/oauth/oauthtest"
	"github.com/codemode-go/codemode/scope"
)

func grantFor(url, id string) *Grant {
	return &Grant{URL: url, Client: Client{ID: id}, AccessToken: "access-token", SignedIn: time.Now()}
}

func TestStoreIsForItsOwner(t *testing.T) {
	store := newStore(t)
	if all, err := store.All(); err != nil || all != nil {
		t.Errorf("got %v, %v", all, err)
	}
	if err := store.Put(t.Context(), grantFor("https://a.example.com/mcp", "x")); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{store.Path(): 0o600, filepath.Dir(store.Path()): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.Chmod(store.Path(), 0o640); err != nil {
		t.Fatal(err)
	}
	want := "others may read them: " + store.Path() + " has mode 0640, want 0600; run chmod 600 on it"
	_, err := store.All()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if err := store.Put(t.Context(), grantFor("https://b.example.com", "x")); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestStoreThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": 1, "grants": [{"accessToken": "access-token"`: "is not what codemode writes; delete it and sign in again",
		`{"version": 2}`: "has version 2, want 1; another version of codemode wrote it; use that, or delete the file and sign in again",
		`null`:           "is not what codemode writes; delete it and sign in again",
		`{"x": 1}`:       "is not what codemode writes; delete it and sign in again",
		`[]`:             "is not what codemode writes",
		``:               "is not what codemode writes",
	} {
		store := NewStore(filepath.Join(t.TempDir(), "tokens.json"))
		if err := os.WriteFile(store.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Find("https://a.example.com", ""); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), store.Path()) || strings.Contains(err.Error(), "access-token") {
			t.Errorf("%s: got %v", text, err)
		}
		if err := store.Put(t.Context(), grantFor("https://a.example.com", "x")); err == nil {
			t.Error("what cannot be read was overwritten")
		}
		if after, err := os.ReadFile(store.Path()); err != nil || string(after) != text {
			t.Errorf("the file is %q, %v", after, err)
		}
	}
	folder := NewStore(t.TempDir())
	if _, err := folder.All(); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("got %v", err)
	}
}

// Writers with stores of their own, as processes have, lose nothing of each other's.
func TestStoreIsShared(t *testing.T) {
	path := newStore(t).Path()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 5 {
				if err := NewStore(path).Put(within(t), grantFor(fmt.Sprintf("https://%d.example.com/%d", i, j), "x")); err != nil {
					t.Error(err)
				}
				if _, err := NewStore(path).All(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if all, err := NewStore(path).All(); err != nil || len(all) != 40 {
		t.Errorf("%d grants, %v", len(all), err)
	}
	left, err := filepath.Glob(path + ".*")
	if err != nil || len(left) != 1 || left[0] != path+".lock" {
		t.Errorf("left behind: %v, %v", left, err)
	}
	release, err := NewStore(path).lock(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := NewStore(path).Put(ctx, grantFor("https://x.example.com", "x")); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "another process holds") {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	store := newStore(t)
	for _, g := range []*Grant{grantFor("https://a.example.com/mcp", "one"), grantFor("https://a.example.com/mcp", "two"), grantFor("https://a.example.com/mcp?team=1", "three")} {
		if err := store.Put(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	for address, want := range map[string]string{
		"https://a.example.com/mcp": "two", "HTTPS://A.example.com:443/mcp#x": "two", "https://ada:pw@a.example.com/mcp": "two", "https://a.example.com/mcp?team=1": "three",
		"https://a.example.com/MCP": "", "http://a.example.com/mcp": "", "https://a.example.com:8443/mcp": "", "https://a.example.com/mcp/x": "",
	} {
		g, err := store.Find(address, "")
		if got := ""; err != nil || g != nil && g.Client.ID != want || g == nil && got != want {
			t.Errorf("%s: got %v, %v", address, g, err)
		}
	}
	if g, err := store.Find("https://a.example.com/mcp", "one"); err != nil || g == nil || g.Client.ID != "one" {
		t.Errorf("got %v, %v", g, err)
	}
	if g, err := store.Find("https://a.example.com/mcp", "four"); err != nil || g != nil {
		t.Errorf("got %v, %v", g, err)
	}
}

// Tokens that cannot be read cost a server that wants some, with the reason, and no other.
func TestTokensThatCannotBeRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such modes")
	}
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	if _, err := signIn(t, store, Server{URL: as.URL}, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(store.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := guarded(t, as, store)
	var u *client.Unauthorized
	if !errors.As(err, &u) || !strings.Contains(err.Error(), "has mode 0644, want 0600") || u.Reason != "its tokens cannot be read; the host has the details" {
		t.Errorf("got %v", err)
	}
}

// What was refreshed stays in use if it cannot be written.
func TestStoreThatCannotBeWritten(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Log("this user may write everywhere")
	}
	as, store := oauthtest.New(t, oauthtest.Behaviour{}), newStore(t)
	g, err := signIn(t, store, Server{URL: as.URL}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := scope.Open(context.Background(), scope.Options{Name: "test"})
	defer s.Close(scope.Exit{})
	tokens := NewTokens(s, store, Server{Name: "x", URL: as.URL})
	if token, err := tokens.Token(t.Context()); err != nil || token != string(g.AccessToken) {
		t.Fatal(err)
	}
	newer := *g
	newer.AccessToken, newer.Saved = "kept-in-memory", time.Now().Add(time.Second)
	tokens.keep(&newer)
	if err := os.Chtimes(store.Path(), time.Now(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if token, err := tokens.Token(t.Context()); err != nil || token != "kept-in-memory" {
		t.Errorf("got %s, %v", token, err)
	}
	if token, err := tokens.Refused(t.Context(), client.Refusal{Status: 401, Token: string(g.AccessToken)}); err != nil || token != "kept-in-memory" {
		t.Errorf("got %s, %v", token, err)
	}
}
