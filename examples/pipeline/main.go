// Command pipeline composes executions with the rest of a host: a database session that lives as long as the request, a
// tool that asks two mirrors at once and retries, a timeout around the whole program, and a cheaper answer if it comes
// too late.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/data"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

func main() {
	if err := serve(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, out io.Writer) error {
	h := &host{out: out}
	rt, err := codemode.New(codemode.Options{Tools: h.tools()})
	if err != nil {
		return err
	}
	for _, program := range []string{
		`const rows = await tools.db.query({sql: "select price"});
return (await Promise.all(rows.map((r) => tools.rates.convert({amount: r})))).map((x) => Math.round(x))`,
		`return await tools.rates.slow()`,
		`return await tools.db.query({sql: "drop table"})`,
	} {
		answer, err := fx.Run(ctx, h.request(rt, program))
		if err != nil {
			return err
		}
		fmt.Fprintln(out, answer)
	}
	return nil
}

// host has what the tools use.
type host struct {
	out io.Writer
}

// session is a database session; it exists once for each request.
type session struct{ rows []float64 }

// errUnavailable is a failure that goes away.
var errUnavailable = errors.New("mirror unavailable")

// request is everything around one program. Whatever happens, and whenever, the session is closed once.
func (h *host) request(rt *codemode.Runtime, program string) fx.Effect[string] {
	open := fx.AcquireRelease(
		fx.Sync(func() *session { fmt.Fprintln(h.out, "session opened"); return &session{[]float64{10, 20}} }),
		func(*session, scope.Exit) fx.Effect[fx.Unit] {
			return fx.Sync(func() fx.Unit { fmt.Fprintln(h.out, "session closed"); return fx.Unit{} })
		})
	return fx.Scoped(fx.FlatMap(open, func(s *session) fx.Effect[string] {
		run := fx.Map(fx.Provide(rt.Effect(program), s), show)
		return fx.TimeoutTo(run, 200*time.Millisecond, fx.Succeed("too late: the answer of yesterday"))
	}))
}

func show(r *codemode.Result) string {
	if r.Error != nil {
		return "failed: " + r.Error.Message
	}
	return "value: " + data.JSON(r.Value)
}

type queryIn struct {
	SQL string `json:"sql"`
}

type amountIn struct {
	Amount float64 `json:"amount"`
}

func (h *host) tools() tool.Tree {
	return tool.Tree{
		"db": tool.Tree{"query": tool.NewEffect("Query the database", h.query)},
		"rates": tool.Tree{
			"convert": tool.NewEffect("Convert an amount into euros", h.convert),
			"slow": tool.NewEffect("Ask a rate that never comes", func(struct{}) fx.Effect[float64] {
				return fx.Ensuring(fx.Never[float64](), fx.Sync(func() fx.Unit { fmt.Fprintln(h.out, "slow call interrupted"); return fx.Unit{} }))
			}),
		},
	}
}

// query uses the session of the request, which no tool has to be given.
func (h *host) query(in queryIn) fx.Effect[[]float64] {
	return fx.FlatMap(fx.Service[*session](), func(s *session) fx.Effect[[]float64] {
		if in.SQL != "select price" {
			return fx.Fail[[]float64](tool.Errorf("%q is not allowed here", in.SQL))
		}
		return fx.Succeed(s.rows)
	})
}

// convert takes whichever mirror answers first, and tries again if none does.
func (h *host) convert(in amountIn) fx.Effect[float64] {
	rate := fx.Race(h.mirror(time.Millisecond, 0), h.mirror(time.Second, 1.1), h.mirror(2*time.Millisecond, 0.5))
	careful := fx.Retry(fx.Timeout(rate, 50*time.Millisecond), fx.Exponential(time.Millisecond, 2).And(fx.Recurs(3)))
	return fx.Map(careful, func(rate float64) float64 { return in.Amount * rate })
}

// mirror answers with a rate after a time, or fails if the rate is zero.
func (h *host) mirror(delay time.Duration, rate float64) fx.Effect[float64] {
	return fx.FlatMap(fx.Sleep(delay), func(fx.Unit) fx.Effect[float64] {
		if rate == 0 {
			return fx.Fail[float64](errUnavailable)
		}
		return fx.Succeed(rate)
	})
}
