package interpreter

// This file defines how guest errors become diagnostics and host errors become guest errors.

import (
	"github.com/codemode-go/codemode/diagnostics"
	"github.com/codemode-go/codemode/interpreter/internal/builtin"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

// uncaught is the diagnostic of a value that nobody caught; pos is where it was thrown if it is not an error object.
func (ex *execution) uncaught(v value.Value, pos int32) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{Kind: diagnostics.ExecutionFailure, Origin: diagnostics.OriginProgram}
	o := v.Object()
	data, _ := errorData(o)
	if data == nil {
		d.Message = "Uncaught " + builtin.Inspect(ex.r, v)
		if v.IsString() {
			d.Message = "Uncaught " + builtin.ReportedText(v.Str())
		}
		d.Location = ex.p.text.Locate(pos)
		return d
	}
	if host, ok := data.Host.(diagnostics.Diagnostic); ok {
		d = host
		if d.Location.IsZero() {
			d.Location = ex.p.text.Locate(data.Pos)
		}
		return d
	}
	d.Location = ex.p.text.Locate(data.Pos)
	d.Message = builtin.ErrorText(ex.r, o)
	if errs, ok := builtin.AggregateErrors(ex.r, o); ok {
		var related []diagnostics.Diagnostic
		for _, e := range errs {
			if eo := e.Object(); eo == o {
				continue
			} else if ed, _ := errorData(eo); ed != nil {
				rd := diagnostics.Diagnostic{Kind: d.Kind, Origin: d.Origin, Message: builtin.ErrorText(ex.r, eo), Location: ex.p.text.Locate(ed.Pos)}
				if host, ok := ed.Host.(diagnostics.Diagnostic); ok {
					rd = host
				}
				related = append(related, rd)
			} else {
				related = append(related, diagnostics.Diagnostic{Kind: d.Kind, Origin: d.Origin, Message: builtin.Inspect(ex.r, e)})
			}
		}
		d = d.WithRelated(related)
	}
	return d
}

func errorData(o *value.Object) (*value.ErrorData, bool) {
	if o == nil || o.Class != value.ClassError {
		return nil, false
	}
	d, ok := o.Ext.(*value.ErrorData)
	return d, ok
}

// hostError makes the guest error of a host failure: an Error with the message safe for the model, which keeps its kind
// if it is never caught. A program that catches it finds kind and origin on it, not enumerable.
func (ex *execution) hostError(err error, pos int32) value.Value {
	d := diagnostics.From(err)
	if d.Location.IsZero() {
		d.Location = ex.p.text.Locate(pos)
	}
	r := ex.r
	r.Pos = pos
	kind := value.Error
	if d.Kind == diagnostics.InvalidDataValue {
		kind = value.TypeError
	}
	o := r.NewError(kind, d.Message)
	o.Ext.(*value.ErrorData).Host = d
	r.DefineOwn(o, value.Name("kind"), value.DataDesc(value.String(string(d.Kind)), value.AttrMethod))
	r.DefineOwn(o, value.Name("origin"), value.DataDesc(value.String(string(d.Origin)), value.AttrMethod))
	return o.Value()
}
