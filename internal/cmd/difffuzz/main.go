// Command difffuzz compares the interpreter with node on random programs. It prints every program on which the two
// disagree, reduced to a small one, and exits 1 if there was any.
//
//	go run ./internal/cmd/difffuzz -n 20000 -seed 1
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
)

func main() {
	n := flag.Int("n", 1000, "how many programs")
	seed := flag.Uint64("seed", 1, "seed of the first program; program i has seed+i")
	only := flag.String("kind", "", "only this kind of program: "+kindNames())
	show := flag.Bool("print", false, "print the programs instead of running them")
	limit := flag.Int("max", 10, "stop after this many disagreements")
	flag.Parse()
	if err := fuzz(*n, *seed, *only, *show, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "difffuzz:", err)
		os.Exit(1)
	}
}

// batch is how many programs go to node at a time.
const batch = 500

func fuzz(n int, seed uint64, only string, show bool, limit int) error {
	var node *peer
	if !show {
		var err error
		if node, err = startNode(); err != nil {
			return err
		}
		defer node.stop()
	}
	bad := 0
	for at := 0; at < n; at += batch {
		programs := make([]*program, 0, batch)
		for i := at; i < min(n, at+batch); i++ {
			programs = append(programs, generate(rand.New(rand.NewPCG(seed+uint64(i), 0)), seed+uint64(i), only))
		}
		if show {
			for _, p := range programs {
				fmt.Printf("// seed %d, %s\n%s\n", p.seed, p.kind, p.source())
			}
			continue
		}
		found, err := compare(node, programs)
		if err != nil {
			return err
		}
		for _, p := range found {
			report(node, p)
			if bad++; bad >= limit {
				return fmt.Errorf("%d disagreements; stopped", bad)
			}
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d disagreements in %d programs", bad, n)
	}
	if !show {
		fmt.Printf("%d programs, seeds %d to %d: no disagreement\n", n, seed, seed+uint64(n)-1)
	}
	return nil
}

func compare(node *peer, programs []*program) ([]*program, error) {
	texts := make([]string, len(programs))
	for i, p := range programs {
		texts[i] = p.source()
	}
	own := make([]string, len(texts))
	for i := range texts {
		// Node cannot be stopped in a loop without end, so a program that does not end here does not go there.
		if own[i] = runOwn(texts[i]); own[i] == "timeout" {
			fmt.Printf("seed %d, %s, does not end\n", programs[i].seed, programs[i].kind)
			texts[i] = "return 'timeout'"
		}
	}
	want, err := node.run(texts)
	if err != nil {
		return nil, err
	}
	var found []*program
	for i, p := range programs {
		if own[i] != want[i] {
			p.got, p.want = own[i], want[i]
			found = append(found, p)
		}
	}
	return found, nil
}

func report(node *peer, p *program) {
	minimise(node, p)
	fmt.Printf("---- seed %d, %s\n%s\n     got %s\nnode got %s\n", p.seed, p.kind, p.body(), clip(p.got), clip(p.want))
}

func clip(s string) string {
	if len(s) > 2000 {
		return s[:2000] + "…"
	}
	return s
}
