package oauth

// This file defines the file in which grants are kept.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Store keeps grants in a file that is for its owner alone. Several processes may use the file at once. All methods may
// be called from any goroutine.
type Store struct{ path string }

// NewStore is the store of a file, which need not be there; it is made with the first grant.
func NewStore(path string) *Store { return &Store{path} }

// DefaultPath is tokens.json in the folder codemode of the user's configuration.
func DefaultPath() (string, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("the folder for tokens is not known: %w", err)
	}
	return filepath.Join(folder, "codemode", "tokens.json"), nil
}

// Path is the file.
func (s *Store) Path() string { return s.path }

// contents is what the file says.
type contents struct {
	Version int      `json:"version"`
	Grants  []*Grant `json:"grants"`
}

const (
	version = 1
	// maxStore bounds the file, in bytes. A grant has a few kB.
	maxStore = 16 << 20
	// wait is between two looks at a lock that somebody has.
	wait = 20 * time.Millisecond
)

// All are the grants in the order of the file. The error names the file and says how to mend it; a file that is not
// there has no grants.
func (s *Store) All() ([]*Grant, error) {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the tokens cannot be read: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("the tokens cannot be read: %s is no file", s.path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("the tokens are not read, since others may read them: %s has mode %04o, want 0600; run chmod 600 on it", s.path, info.Mode().Perm())
	case info.Size() > maxStore:
		return nil, fmt.Errorf("the tokens cannot be read: %s has %d bytes, want at most %d", s.path, info.Size(), maxStore)
	}
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the tokens cannot be read: %w", err)
	}
	var c contents
	if err := json.Unmarshal(text, &c); err != nil || c.Version == 0 { // whose text may be a token
		return nil, fmt.Errorf("the tokens cannot be read: %s is not what codemode writes; delete it and sign in again", s.path)
	}
	if c.Version != version {
		return nil, fmt.Errorf("the tokens cannot be read: %s has version %d, want %d; another version of codemode wrote it; use that, or delete the file and sign in again", s.path, c.Version, version)
	}
	return slices.DeleteFunc(c.Grants, func(g *Grant) bool { return g == nil }), nil
}

// Find is the grant for an address, nil if there is none: that of a client, or with an empty clientID the one that was
// signed in last.
func (s *Store) Find(address, clientID string) (*Grant, error) {
	u, err := canonical(address)
	if err != nil {
		return nil, err
	}
	all, err := s.All()
	if err != nil {
		return nil, err
	}
	return find(all, u.String(), clientID), nil
}

func find(all []*Grant, key, clientID string) (found *Grant) {
	for _, g := range all {
		if g.URL == key && (clientID == "" || g.Client.ID == clientID) && (found == nil || g.SignedIn.After(found.SignedIn)) {
			found = g
		}
	}
	return found
}

// Put writes a grant in the place of the one for its address and client. A client that was registered takes the place
// of one that was registered before it.
func (s *Store) Put(ctx context.Context, g *Grant) error {
	return s.change(ctx, func(all []*Grant) []*Grant {
		all = slices.DeleteFunc(all, func(old *Grant) bool {
			return old.URL == g.URL && (old.Client.ID == g.Client.ID || old.Client.Registered && g.Client.Registered)
		})
		return append(all, g)
	})
}

// Remove takes out the grants for an address, of all clients, and returns them.
func (s *Store) Remove(ctx context.Context, address string) (removed []*Grant, err error) {
	u, err := canonical(address)
	if err != nil {
		return nil, err
	}
	err = s.change(ctx, func(all []*Grant) []*Grant {
		return slices.DeleteFunc(all, func(g *Grant) bool {
			if g.URL == u.String() {
				removed = append(removed, g)
			}
			return g.URL == u.String()
		})
	})
	return removed, err
}

// change replaces the file by what f makes of it, while no other process does.
func (s *Store) change(ctx context.Context, f func([]*Grant) []*Grant) error {
	release, err := s.lock(ctx, "")
	if err != nil {
		return err
	}
	defer release()
	all, err := s.All()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(contents{version, f(all)}, "", "  ")
	if err == nil {
		err = s.replace(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("the tokens cannot be written: %w", err)
	}
	return nil
}

// replace writes the whole file beside the old one, and puts it in its place: a reader finds one or the other.
func (s *Store) replace(text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+".*.new") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// lock waits for a lock among processes. Without a name it is that of the file, held for as long as a write takes; the
// others are each held for one server, for as long as its authorisation server takes.
func (s *Store) lock(ctx context.Context, name string) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return nil, fmt.Errorf("the tokens cannot be written: %w", err)
	}
	path := s.path + ".lock"
	if name != "" {
		hash := sha256.Sum256([]byte(name))
		path = s.path + "." + hex.EncodeToString(hash[:8]) + ".lock"
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, wait); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("another process holds %s: %w", path, err)
		}
		return nil, fmt.Errorf("the tokens cannot be locked: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

// stamp tells versions of the file apart.
type stamp struct {
	changed time.Time
	size    int64
	mode    fs.FileMode
}

func (s *Store) stamp() (st stamp) {
	if info, err := os.Stat(s.path); err == nil {
		st = stamp{info.ModTime(), info.Size(), info.Mode()}
	}
	return st
}
