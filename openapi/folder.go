package openapi

// This file defines the files of a folder, as what programs may send.

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/codemode-go/codemode/tool"
)

// Folder offers the regular files below a folder for [Options.Files]: the handle
// of one is its path below the folder, with slashes. What leads out of the folder,
// by .. or by a symbolic link, is refused, also if it comes to do so later. The
// folder need not exist yet. The function may be called from any goroutine.
func Folder(dir string) func(ctx context.Context, handle string) (File, error) {
	return func(_ context.Context, handle string) (File, error) {
		name := filepath.FromSlash(handle)
		if !filepath.IsLocal(name) {
			return File{}, tool.Errorf("the file %s is not below the folder that the host offers; name one by its path below it", quoted(handle))
		}
		info, err := inFolder(dir, name, (*os.Root).Stat)
		switch {
		case err != nil:
			return File{}, &tool.Error{Message: "there is no file " + quoted(handle) + " below the folder that the host offers", Err: err}
		case !info.Mode().IsRegular():
			return File{}, tool.Errorf("%s is no regular file, which alone can be sent", quoted(handle))
		}
		open := func() (io.ReadCloser, error) { return inFolder(dir, name, (*os.Root).Open) }
		return File{Name: path.Base(filepath.ToSlash(name)), Size: info.Size(), Open: open}, nil
	}
}

// inFolder does something with a file of a folder, which nothing keeps open.
func inFolder[A any](dir, name string, f func(*os.Root, string) (A, error)) (A, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		var none A
		return none, err
	}
	defer root.Close()
	return f(root, name)
}
