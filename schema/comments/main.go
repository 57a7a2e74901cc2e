// Command comments makes the comments of Go structs the descriptions of their
// schemas. In the package of the structs:
//
//	//go:generate go run github.com/codemode-go/codemode/schema/comments
//
// It writes schema_comments.go, with a method SchemaComments for each struct
// that has exported fields and comments on these or itself; given arguments, only for the
// structs they name. Descriptions in field tags win over comments.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const output = "schema_comments.go"

func main() {
	text, err := generate(".", os.Args[1:])
	if err == nil {
		err = os.WriteFile(output, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "comments:", err)
		os.Exit(1)
	}
}

// generate is the text of the file for the package in a folder.
func generate(dir string, only []string) ([]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, name := range names {
		if filepath.Base(name) == output || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "// Code generated from the comments of this package. DO NOT EDIT.\n\npackage %s\n", file.Name.Name)
		}
		for _, s := range structs(file) {
			if len(only) == 0 || slices.Contains(only, s.name) {
				s.write(&b)
			}
		}
	}
	if b.Len() == 0 {
		return nil, errors.New("there are no Go files here")
	}
	return format.Source(b.Bytes())
}

// structure is a struct type with what its comments say, in order.
type structure struct {
	name       string
	parameters int
	exported   bool        // some field is
	comments   [][2]string // key and text
}

func structs(file *ast.File) []structure {
	var all []structure
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			declared := spec.(*ast.TypeSpec)
			of, ok := declared.Type.(*ast.StructType)
			if !ok || declared.Assign.IsValid() {
				continue
			}
			doc := declared.Doc
			if doc == nil {
				doc = group.Doc
			}
			if s := structureOf(declared, of, doc); s.exported && len(s.comments) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

func structureOf(declared *ast.TypeSpec, of *ast.StructType, doc *ast.CommentGroup) structure {
	s := structure{name: declared.Name.Name, parameters: declared.TypeParams.NumFields()}
	s.add(s.name, doc.Text())
	for _, field := range of.Fields.List {
		text := field.Doc.Text()
		if text == "" {
			text = field.Comment.Text()
		}
		for _, name := range field.Names {
			if name.IsExported() {
				s.exported = true
				s.add(s.name+"."+name.Name, text)
			}
		}
	}
	return s
}

func (s *structure) add(key, text string) {
	if text = strings.TrimSpace(text); text != "" {
		s.comments = append(s.comments, [2]string{key, text})
	}
}

func (s structure) write(b *bytes.Buffer) {
	receiver := s.name
	if s.parameters > 0 {
		receiver += "[" + strings.TrimSuffix(strings.Repeat("_, ", s.parameters), ", ") + "]"
	}
	fmt.Fprintf(b, "\n// SchemaComments describes %s and its fields in schemas.\nfunc (%s) SchemaComments() map[string]string {\nreturn map[string]string{\n", s.name, receiver)
	for _, c := range s.comments {
		fmt.Fprintf(b, "%q: %q,\n", c[0], c[1])
	}
	b.WriteString("}\n}\n")
}
