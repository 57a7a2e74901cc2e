package main

// This file defines the command search: for people by words, for programs a query a line.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/discovery"
)

type searchCommand struct {
	catalogFlags `embed:""`
	Words        []string `arg:"" optional:"" help:"What the tool should do, or its path. With --json: the file with the queries, or - for standard input, which is the default."`
	Namespace    string   `short:"n" placeholder:"NAME" help:"Only tools at or below this path."`
	Limit        int      `default:"10" help:"How many tools at most (${default})."`
	Offset       int      `default:"0" help:"How many of the best to leave out."`
	Explain      bool     `help:"Say which words led to each tool."`
	JSON         bool     `name:"json" help:"Read queries, a JSON object a line with query and optionally namespace and limit, and print a line for each: query, namespace, paths, and an error where there is no such namespace."`
}

func (c *searchCommand) execute(ctx context.Context, s streams) int {
	c.sortFiles()
	if c.Limit < 1 || c.Offset < 0 {
		return usage(s, fmt.Errorf("--limit: got %d, want 1 or more; --offset: got %d, want 0 or more", c.Limit, c.Offset))
	}
	rt, done, err := c.runtime(ctx, s, codemode.Options{})
	if err != nil {
		return unusable(s, err)
	}
	defer done()
	if c.JSON {
		err = c.answerAll(rt, s)
	} else {
		err = c.answer(rt, s.out)
	}
	if err != nil {
		return usage(s, err)
	}
	return exitOK
}

// sortFiles tells the file with queries from the tool lists, among which it stands if it comes behind --catalog.
func (c *searchCommand) sortFiles() {
	if !c.JSON || len(c.Words) > 0 {
		return
	}
	if n := len(c.Catalog); n > 0 && (c.Catalog[n-1] == "-" || strings.HasSuffix(c.Catalog[n-1], ".jsonl")) {
		c.Words, c.Catalog = c.Catalog[n-1:], c.Catalog[:n-1]
	}
}

// answer prints what a person reads.
func (c *searchCommand) answer(rt *codemode.Runtime, w io.Writer) error {
	if len(c.Words) == 0 && c.Namespace == "" {
		return errors.New("no words: say what the tool should do, or --namespace")
	}
	q := discovery.Query{Text: strings.Join(c.Words, " "), Namespace: c.Namespace, Limit: c.Limit, Offset: c.Offset, Explain: c.Explain}
	r := rt.Search(q)
	if r.Total == 0 && c.Namespace != "" && rt.Search(discovery.Query{Namespace: c.Namespace}).Total == 0 {
		return fmt.Errorf("there is no namespace %s; there are %s", c.Namespace, names(rt.Tools()))
	}
	for _, h := range r.Hits {
		if r.Exact {
			io.WriteString(w, visible(h.Entry.Declaration()))
			continue
		}
		fmt.Fprintf(w, "%s\n    %s\n", visible(h.Entry.Hinted()), visible(short(strings.Join(strings.Fields(h.Entry.Tool.Description()), " "))))
		for _, why := range h.Why {
			fmt.Fprintf(w, "    %6.2f  %s → %s (%s), in %s\n", why.Score, visible(why.Word), visible(why.Found), why.Relation, strings.Join(why.Fields, ", "))
		}
	}
	if rest := r.Total - c.Offset - len(r.Hits); rest > 0 {
		fmt.Fprintf(w, "%d more; --offset %d shows the next\n", rest, c.Offset+len(r.Hits))
	} else if r.Total == 0 {
		fmt.Fprintln(w, "nothing found; use other words, or see codemode catalog")
	}
	return nil
}

// maxQueryLine bounds one line of queries, in bytes.
const maxQueryLine = 1 << 20

// answerAll answers queries, a line each.
func (c *searchCommand) answerAll(rt *codemode.Runtime, s streams) error {
	if len(c.Words) > 1 {
		return fmt.Errorf("--json takes one file with queries, got %d: %s; tool lists come behind --catalog", len(c.Words), strings.Join(c.Words, " "))
	}
	in := s.in
	if len(c.Words) == 1 && c.Words[0] != "-" {
		f, err := os.Open(c.Words[0])
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	lines, out := bufio.NewScanner(in), bufio.NewWriter(s.out)
	lines.Buffer(nil, maxQueryLine)
	defer out.Flush()
	n := 1
	for ; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" {
			continue
		}
		answer, err := c.answerLine(rt, text)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		out.WriteString(answer + "\n")
		out.Flush() // so that a program can wait for each answer
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			return fmt.Errorf("line %d is longer than %d bytes, the limit of a query", n, maxQueryLine)
		}
		return err
	}
	return nil
}

func (c *searchCommand) answerLine(rt *codemode.Runtime, text string) (string, error) {
	v, err := data.ParseString(text)
	if err != nil {
		return "", err
	}
	asked, ok := v.(*data.Object)
	query, isText := at(v, "query").(data.String)
	if !ok || !isText {
		return "", errors.New(`want a JSON object with a text query, such as {"query": "create issue"}`)
	}
	q := discovery.Query{Text: string(query), Namespace: c.Namespace, Limit: c.Limit, Offset: c.Offset}
	namespace, given := asked.Get("namespace")
	if name, ok := namespace.(data.String); ok {
		q.Namespace = string(name)
	} else if _, null := namespace.(data.Null); given && !null {
		return "", errors.New("namespace: want a text")
	}
	if limit, given := asked.Get("limit"); given {
		n, isNumber := limit.(data.Number)
		if f := n.Float64(); !isNumber || f < 1 || f != math.Trunc(f) {
			return "", fmt.Errorf("limit: got %s, want a whole number from 1", data.JSON(limit))
		}
		q.Limit = int(min(n.Float64(), 1<<30))
	}
	paths := []data.Value{}
	for _, h := range rt.Search(q).Hits {
		paths = append(paths, data.String(h.Entry.Expression))
	}
	var within data.Value = data.Null{}
	if q.Namespace != "" {
		within = data.String(q.Namespace)
	}
	members := []data.Member{{Key: "query", Value: query}, {Key: "namespace", Value: within}, {Key: "paths", Value: data.NewArray(paths)}}
	if q.Namespace != "" && len(paths) == 0 && rt.Search(discovery.Query{Namespace: q.Namespace}).Total == 0 {
		message := fmt.Sprintf("there is no namespace %s; there are %s", q.Namespace, names(rt.Tools()))
		members = append(members, data.Member{Key: "error", Value: data.String(message)})
	}
	return data.JSON(data.NewObject(members)), nil
}
