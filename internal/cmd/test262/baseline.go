package main

// This file defines the baseline of known failures: ids grouped under the reason they share.

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// baseline maps the ids of known failures to their reasons; order keeps the reasons as the file has them.
type baseline struct {
	reason map[string]string
	order  []string
}

// readBaseline reads lines "# reason" followed by the ids that fail for it.
func readBaseline(path string) (*baseline, error) {
	b := &baseline{reason: map[string]string{}}
	if path == "" {
		return b, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	reason := ""
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		switch {
		case text == "":
		case strings.HasPrefix(text, "#"):
			reason = strings.TrimSpace(text[1:])
			b.order = append(b.order, reason)
		case reason == "":
			return nil, fmt.Errorf("%s:%d: %s stands under no reason", path, n, text)
		default:
			b.reason[text] = reason
		}
	}
	return b, lines.Err()
}

// check compares results with the baseline: an unexpected pass is as wrong as an unexpected failure.
func (b *baseline) check(results []verdict) error {
	wrong := 0
	for _, v := range results {
		_, known := b.reason[v.test.ID]
		switch {
		case v.problem != "" && !known:
			fmt.Printf("unexpected failure: %s: %s\n", v.test.ID, v.problem)
		case v.problem == "" && known:
			fmt.Printf("unexpected pass: %s\n", v.test.ID)
		default:
			continue
		}
		wrong++
	}
	if wrong > 0 {
		return fmt.Errorf("%d tests differ from the baseline", wrong)
	}
	return nil
}
