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
	related := ex.causes(o)
	count := len(related)
	if errs, ok := builtin.AggregateErrors(ex.r, o); ok {
		count += len(errs)
		for _, e := range errs[:min(len(errs), diagnostics.MaxRelated)] { // no more are shown
			if e.Object() == o {
				count--
				continue
			}
			related = append(related, ex.part(e, d))
		}
	}
	if d = d.WithRelated(related); count > len(d.Related) {
		d.RelatedCount = count
	}
	return d
}

// part is the diagnostic of one error of many; whole is that of all.
func (ex *execution) part(v value.Value, whole diagnostics.Diagnostic) diagnostics.Diagnostic {
	d := diagnostics.Diagnostic{Kind: whole.Kind, Origin: whole.Origin}
	o := v.Object()
	data, _ := errorData(o)
	if data == nil {
		d.Message = builtin.Inspect(ex.r, v)
		return d
	}
	if host, ok := data.Host.(diagnostics.Diagnostic); ok {
		return host
	}
	d.Message, d.Location = builtin.ErrorText(ex.r, o), ex.p.text.Locate(data.Pos)
	return d
}

// The bounds on what is told of a thrown error beside its message.
const (
	maxCauses     = 5
	maxFields     = 10
	maxFieldsText = 300 // UTF-16 units
)

// causes tells the own fields of an error and the chain of its causes.
func (ex *execution) causes(o *value.Object) []diagnostics.Diagnostic {
	var out []diagnostics.Diagnostic
	tell := func(label, text string, pos int32) {
		out = append(out, diagnostics.Diagnostic{Kind: diagnostics.ExecutionFailure, Origin: diagnostics.OriginProgram,
			Message: label + clipped(text), Location: ex.p.text.Locate(pos)})
	}
	if fields := ex.ownFields(o); fields != "" {
		tell("its fields: ", fields, -1)
	}
	seen := map[*value.Object]bool{o: true}
	for range maxCauses {
		cause, ok := ex.r.GetOwnValue(o, value.Name("cause"))
		if !ok || seen[cause.Object()] {
			break
		}
		o = cause.Object()
		data, isError := errorData(o)
		if !isError {
			tell("cause: ", builtin.Inspect(ex.r, cause), -1)
			break
		}
		seen[o] = true
		tell("cause: ", builtin.ErrorText(ex.r, o), data.Pos)
	}
	return out
}

// ownFields shows the enumerable data fields that a program gave an error.
func (ex *execution) ownFields(o *value.Object) string {
	r := ex.r
	shown := r.NewObject(r.Intrinsic(value.ObjectPrototype))
	keys, _ := r.OwnKeys(o)
	n := 0
	for _, k := range keys {
		switch k.String() {
		case "name", "message", "stack", "cause", "errors":
			continue
		}
		if d, ok := r.GetOwn(o, k); ok && d.Attr&value.Enumerable != 0 && !d.IsAccessor() && n < maxFields {
			r.DefineOwn(shown, k, value.DataDesc(d.Value, value.Enumerable|value.Writable|value.Configurable))
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return builtin.Inspect(r, shown.Value())
}

// clipped bounds a text in a related diagnostic.
func clipped(s string) string {
	if t := value.NewStr(s); t.Len() > maxFieldsText {
		return t.Slice(0, maxFieldsText).String() + "…"
	}
	return s
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
