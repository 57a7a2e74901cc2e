package codemode

// This file defines the tools of the runtime itself, below tools.$codemode.

import (
	"context"
	"time"

	"github.com/codemode-go/codemode/fx"
	"github.com/codemode-go/codemode/tool"
)

// ownNamespace is the name below which the runtime's own tools are.
const ownNamespace = "$codemode"

type sleepInput struct {
	Ms float64 `json:"ms" jsonschema:"description=how long in milliseconds,minimum=0,maximum=86400000"`
}

// sleeping is the tool sleep.
var sleeping = tool.New("Wait for a time.", func(ctx context.Context, in sleepInput) (any, error) {
	_, err := fx.Sleep(time.Duration(in.Ms * float64(time.Millisecond))).Do(ctx)
	return nil, err
}, tool.OutputSchema(parsed(`{"type":"null"}`)), tool.Annotate(tool.Annotations{ReadOnly: true}))

// ownTools are the tools of the runtime for those to whom v is shown.
func ownTools(v *View) *tool.Catalog {
	tree := tool.Tree{"search": searching(v)}
	if v.options.AllowSleep {
		tree["sleep"] = sleeping
	}
	own, err := tool.Resolve(tool.Tree{ownNamespace: tree})
	if err != nil {
		panic(err)
	}
	return own
}
