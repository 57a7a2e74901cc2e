package builtin

// This file defines the prototypes of generators and async generators (ECMA-262 27.3–27.6).

import "github.com/codemode-go/codemode/interpreter/internal/value"

func generatorTemplates() []*value.Template {
	refuse := func(id, proto value.ID, name string) *value.Template {
		return &value.Template{ID: id, Proto: value.FunctionConstructor, Name: name, Length: 1, Call: refuseCode, New: refuseCodeNew,
			Rows: []row{{Name: "prototype", Ref: proto, Attr: value.NoAttr}}}
	}
	return []*value.Template{
		refuse(value.GeneratorFunctionConstructor, value.GeneratorFunctionPrototype, "GeneratorFunction"),
		{ID: value.GeneratorFunctionPrototype, Proto: value.FunctionPrototype, Rows: []row{
			{Name: "constructor", Ref: value.GeneratorFunctionConstructor, Attr: value.Configurable},
			{Name: "prototype", Ref: value.GeneratorPrototype, Attr: value.Configurable},
			tagRow("GeneratorFunction"),
		}},
		{ID: value.GeneratorPrototype, Proto: value.IteratorPrototype, Rows: []row{
			{Name: "constructor", Ref: value.GeneratorFunctionPrototype, Attr: value.Configurable},
			{Name: "next", Length: 1, Fn: generatorResume(value.SentNext), Steps: value.GeneratorPrototype, Sig: "(value?: any): IteratorResult<any>"},
			{Name: "return", Length: 1, Fn: generatorResume(value.SentReturn), Sig: "(value?: any): IteratorResult<any>"},
			{Name: "throw", Length: 1, Fn: generatorResume(value.SentThrow), Sig: "(reason?: any): IteratorResult<any>"},
			tagRow("Generator"),
		}},
		refuse(value.AsyncGeneratorFunctionConstructor, value.AsyncGeneratorFunctionPrototype, "AsyncGeneratorFunction"),
		{ID: value.AsyncGeneratorFunctionPrototype, Proto: value.FunctionPrototype, Rows: []row{
			{Name: "constructor", Ref: value.AsyncGeneratorFunctionConstructor, Attr: value.Configurable},
			{Name: "prototype", Ref: value.AsyncGeneratorPrototype, Attr: value.Configurable},
			tagRow("AsyncGeneratorFunction"),
		}},
		{ID: value.AsyncGeneratorPrototype, Proto: value.AsyncIteratorPrototype, Rows: []row{
			{Name: "constructor", Ref: value.AsyncGeneratorFunctionPrototype, Attr: value.Configurable},
			{Name: "next", Length: 1, Fn: asyncGeneratorResume(value.SentNext), Sig: "(value?: any): Promise<IteratorResult<any>>"},
			{Name: "return", Length: 1, Fn: asyncGeneratorResume(value.SentReturn), Sig: "(value?: any): Promise<IteratorResult<any>>"},
			{Name: "throw", Length: 1, Fn: asyncGeneratorResume(value.SentThrow), Sig: "(reason?: any): Promise<IteratorResult<any>>"},
			tagRow("AsyncGenerator"),
		}},
	}
}

func generatorResume(mode value.SentMode) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		o := this.Object()
		if o == nil || o.Class != value.ClassGenerator {
			return r.ThrowTypeError("next method called on incompatible receiver %s", r.Describe(this))
		}
		return o.Ext.(*value.Generator).Resume(r, arg(args, 0), mode)
	}
}

func asyncGeneratorResume(mode value.SentMode) value.NativeFn {
	return func(r *realm, this val, args []val) val {
		o := this.Object()
		if o == nil || o.Class != value.ClassAsyncGenerator {
			p, pv := r.NewPromise()
			r.Machine.Reject(p, r.NewError(value.TypeError, "next method called on incompatible receiver "+r.Describe(this)).Value())
			return pv
		}
		return o.Ext.(*value.Generator).AsyncEnqueue(r, arg(args, 0), mode)
	}
}
