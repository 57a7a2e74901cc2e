package otel

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/codemode-go/codemode"
	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/scope"
	"github.com/codemode-go/codemode/tool"
)

func TestSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	ctx, request := provider.Tracer("test").Start(context.Background(), "request")
	rt, err := codemode.New(codemode.Options{Tools: tool.Tree{
		"broken": tool.New("Fail", func(context.Context, struct{}) (int, error) { return 0, errors.New("no disk") }),
		"mirror": tool.NewEffect("Race", func(struct{}) fx.Effect[int] { return fx.Race(fx.As(fx.Sleep(time.Millisecond), 1), fx.Never[int]()) }),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := scope.Open(ctx, scope.Options{Name: "request", Tracer: NewTracer(ctx, provider.Tracer("codemode"))})
	r, err := rt.Execute(s.Context(), `try { await tools.broken() } catch {} return await tools.mirror()`)
	if err != nil || !r.OK {
		t.Fatal(r.Error, err)
	}
	failing := s.Fork("failing", func(context.Context) error { return errors.New("no disk") })
	_, _ = failing.Await(ctx)
	s.Close(scope.Exit{})
	request.End()

	spans := map[string][]trace.ReadOnlySpan{}
	for _, span := range recorder.Ended() {
		spans[span.Name()] = append(spans[span.Name()], span)
		if span.SpanContext().TraceID() != request.SpanContext().TraceID() || span.EndTime().Before(span.StartTime()) {
			t.Errorf("%s is in another trace, or ends before it starts", span.Name())
		}
	}
	for name, n := range map[string]int{"main": 1, "tools.broken": 1, "tools.mirror": 1, "race": 2, "failing": 1} {
		if len(spans[name]) != n {
			t.Fatalf("%d spans %s, want %d: %v", len(spans[name]), name, n, spans)
		}
	}
	for _, race := range spans["race"] {
		if race.Parent().SpanID() != spans["tools.mirror"][0].SpanContext().SpanID() {
			t.Error("a branch of the race is not a child of its call")
		}
	}
	if spans["main"][0].Parent().SpanID() != request.SpanContext().SpanID() {
		t.Error("the program is not a child of the request")
	}
	if status := spans["failing"][0].Status(); status.Code != codes.Error || status.Description != "no disk" {
		t.Errorf("status %+v", status)
	}
	if len(recorder.Started()) != len(recorder.Ended()) {
		t.Errorf("%d spans started, %d ended", len(recorder.Started()), len(recorder.Ended()))
	}
}
