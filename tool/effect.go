// This file defines tools made of effects.

package tool

import (
	"context"

	"github.com/codemode-go/codemode/fx"
)

// NewEffect is [New] for a function that returns an effect. The effect runs in
// a scope of its own: what it acquires is released, and what it forks has
// ended, when the call ends.
func NewEffect[In, Out any](description string, f func(In) fx.Effect[Out], options ...Option) *Tool {
	if f == nil {
		return New[In, Out](description, nil, options...)
	}
	return New(description, func(ctx context.Context, in In) (Out, error) { return fx.Run(ctx, f(in)) }, options...)
}
