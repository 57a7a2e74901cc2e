// Package otel turns the fibers of executions into OpenTelemetry spans: one span for each fiber (the program itself, each
// call of a tool, each branch of a race), a child of the span of the fiber that forked it.
//
//	s := scope.Open(ctx, scope.Options{Name: "request", Tracer: otel.NewTracer(ctx, provider.Tracer("codemode"))})
//	defer s.Close(scope.Exit{})
//	result, err := rt.Execute(s.Context(), program)
package otel

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/codemode-go/codemode/scope"
)

// Tracer is a scope.Tracer that makes spans. It may be used from any goroutine.
type Tracer struct {
	root   context.Context // its span is the parent of fibers that no fiber forked
	tracer trace.Tracer

	mu   sync.Mutex
	open map[uint64]trace.Span // by fiber
}

var _ scope.Tracer = (*Tracer)(nil)

// NewTracer makes a tracer. Spans of fibers that no fiber forked are children of ctx's span.
func NewTracer(ctx context.Context, tracer trace.Tracer) *Tracer {
	return &Tracer{root: ctx, tracer: tracer, open: map[uint64]trace.Span{}}
}

// FiberStarted implements scope.Tracer.
func (t *Tracer) FiberStarted(f scope.FiberInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ctx := t.root
	if parent := t.open[f.Parent]; parent != nil {
		ctx = trace.ContextWithSpan(ctx, parent)
	}
	_, t.open[f.ID] = t.tracer.Start(ctx, f.Name, trace.WithTimestamp(f.Start),
		trace.WithAttributes(attribute.String("codemode.scope", f.Scope), attribute.Int64("codemode.fiber", int64(f.ID))))
}

// FiberEnded implements scope.Tracer.
func (t *Tracer) FiberEnded(f scope.FiberInfo, exit scope.Exit) {
	t.mu.Lock()
	span := t.open[f.ID]
	delete(t.open, f.ID)
	t.mu.Unlock()
	switch {
	case exit.OK():
	case exit.Cause.HasInterruptsOnly():
		span.SetAttributes(attribute.String("codemode.interrupted", exit.Cause.Error()))
	default:
		span.RecordError(exit.Cause, trace.WithTimestamp(f.End))
		span.SetStatus(codes.Error, exit.Cause.Error())
	}
	span.End(trace.WithTimestamp(f.End))
}
