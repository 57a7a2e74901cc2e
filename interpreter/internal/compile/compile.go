// Package compile turns the resolved tree into Go closures.
//
// An expression becomes an expr, a statement a stmt that reports its completion. Everything the compiler knows is
// captured by the closures; what a run learns (inline caches, template objects) lives in the realm and is found by site
// index, so that one Unit serves many executions at once.
package compile

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

type (
	// Frame and Value are used on every line.
	Frame = value.Frame
	// Value is a guest value.
	Value = value.Value

	expr func(f *Frame) Value
	stmt func(f *Frame) completion
	cond func(f *Frame) uint8
)

// completion is how a statement ended. A break or continue with a label has the label's number in Frame.Label, a return
// its value in Frame.Ret, a throw its value in the realm.
type completion uint8

const (
	normal completion = iota
	breaks
	continues
	returns
	throws
)

// The outcomes of a cond.
const (
	isFalse uint8 = iota
	isTrue
	threw
)

// Unit is a compiled program: immutable, shared by executions.
type Unit struct {
	Main                         *value.Code
	GetSites, SetSites, AnySites int
	// Traced are the places of the sites of a program compiled with tracing, as Activity counts them.
	Traced []int32
}

// Options adjust a compilation.
type Options struct {
	Library *value.Library
	// Source gives a stretch of the program, for Function.prototype.toString; nil gives none.
	Source func(from, to int32) string
	// RegExp compiles a literal; the result becomes a fresh RegExp object at each evaluation through NewRegExp.
	NewRegExp func(r *value.Realm, pattern, flags string, site int) Value
	// FinalValue makes a trailing expression statement the program's value.
	FinalValue bool
	// GlobalHint explains an undeclared name ("" for none).
	GlobalHint func(name string) string
	// Traced has the program tell Realm.Activity, which must then be there, what it does.
	Traced bool
}

// Program compiles a resolved program.
func Program(p *syntax.Program, o Options) *Unit {
	u := &unit{Options: o}
	code := u.function(p.Main, p.Main.Name)
	code.Kind, code.Start = value.CodePlain, nil
	return &Unit{Main: code, GetSites: u.gets, SetSites: u.sets, AnySites: u.anys, Traced: u.sites}
}

type unit struct {
	Options
	gets, sets, anys int
	sites            []int32 // of a traced program
	fieldName        string  // name for the anonymous function of the field initialiser compiled next
}

func (u *unit) getSite() int { u.gets++; return u.gets - 1 }
func (u *unit) setSite() int { u.sets++; return u.sets - 1 }
func (u *unit) anySite() int { u.anys++; return u.anys - 1 }

// fn compiles one function.
type fn struct {
	*unit
	f       *syntax.Function
	info    *syntax.FuncInfo
	temps   int // next free temporary slot
	size    int // high-water mark
	depth   int // nesting of closures now
	deepest int
	labels  []label // enclosing labels, innermost last
	pending []string
	awaited map[*syntax.Await]int // slots of awaits whose value stands ready, in a flat function
	nextLab int32
	keep    int    // one more than the slot in which the next property read keeps its object, 0 for none
	source  origin // what the next pattern takes apart

	declared map[*syntax.Binding]*declared // of variables that are never assigned to
	number   int                           // slot of the activation's number, of a traced fiber
}

type label struct {
	name string
	id   int32
}

// temp reserves n consecutive temporary slots; release gives back everything from a mark on.
func (c *fn) temp(n int) int {
	t := c.temps
	c.temps += n
	c.size = max(c.size, c.temps)
	return t
}

func (c *fn) release(mark int) { c.temps = mark }

// enter counts the nesting of closures, which is what an activation costs of the Go stack.
func (c *fn) enter() {
	c.depth++
	c.deepest = max(c.deepest, c.depth)
}

func (c *fn) leave() { c.depth-- }

// closureBytes is a generous bound for the Go stack of one nested closure call.
const closureBytes = 256

func stackCost(depth int) int { return max(value.CallCost, 2048+depth*closureBytes) }

func (u *unit) function(f *syntax.Function, name *syntax.Ident) *value.Code {
	c := &fn{unit: u, f: f, info: f.Info}
	c.temps = int(f.Info.Slots)
	c.size = c.temps
	c.reserveNumber()
	code := &value.Code{
		Params: len(f.Params), Length: expectedArguments(f), Simple: f.Info.Simple,
		Arrow: f.Kind == syntax.FuncArrow, Method: f.Kind == syntax.FuncMethod || f.Kind == syntax.FuncField,
		NeedArgs: f.Info.UsesArgs || f.Rest != nil, HasAwait: f.Info.HasAwait, Pos: int32(f.Pos),
		NeedNew: f.Info.UsesLexical || f.Kind == syntax.FuncConstructor,
	}
	if name != nil {
		code.Name = name.Orig
	}
	switch {
	case f.Async && f.Generator:
		code.Kind = value.CodeAsyncGenerator
	case f.Generator:
		code.Kind = value.CodeGenerator
	case f.Async:
		code.Kind = value.CodeAsync
	}
	code.Start = starter(code.Kind)
	if code.Kind == value.CodeAsync && f.Info.HasAwait && f.Scope.Parent != nil && !c.Traced {
		code.Flat = c.flatBody()
	}
	if code.Flat != nil {
		code.Start = (*value.Realm).StartFlat
	} else {
		code.Body = c.tracedBody(code, c.functionBody(code))
	}
	code.Slots = int(f.Info.Slots)
	code.Size = max(c.size, code.Params)
	code.StackCost = stackCost(c.deepest)
	code.Source = u.sourceOf(f.Pos, f.End)
	return code
}

func (u *unit) sourceOf(from, to syntax.Pos) func() string {
	if from < 0 || to <= from || u.Source == nil {
		return nil
	}
	source := u.Source
	return func() string { return source(int32(from), int32(to)) }
}

func expectedArguments(f *syntax.Function) int {
	for i, p := range f.Params {
		if p.Default != nil {
			return i
		}
	}
	return len(f.Params)
}

// functionBody compiles prologue and body to one closure that returns the function's value.
func (c *fn) functionBody(code *value.Code) func(f *Frame) Value {
	prologue := c.prologue()
	body := c.bodyClosure()
	if c.f.Kind == syntax.FuncConstructor && c.f.Derived {
		body = c.derivedResult(body)
	}
	if len(prologue) == 0 {
		return body
	}
	return func(f *Frame) Value {
		for _, p := range prologue {
			if p(f) == throws {
				return value.Throw
			}
		}
		return body(f)
	}
}

func (c *fn) bodyClosure() func(f *Frame) Value {
	if len(c.f.Body) == 1 {
		if ret, ok := c.f.Body[0].(*syntax.Return); ok && ret.X != nil && !c.isMain() {
			if name := c.fieldName; name != "" && c.f.Kind == syntax.FuncField {
				c.fieldName = ""
				return c.named(ret.X, name)
			}
			if !c.f.Generator {
				return c.tracedResult(ret.X, c.expr(ret.X))
			}
		}
	}
	var final *syntax.ExprStmt
	stmts := c.f.Body
	if c.isMain() && c.FinalValue && len(stmts) > 0 {
		if x, ok := stmts[len(stmts)-1].(*syntax.ExprStmt); ok {
			final, stmts = x, stmts[:len(stmts)-1]
		}
	}
	run := c.take(c.sequence(c.statements(stmts)))
	last := expr(nil)
	if final != nil {
		last = c.tracedResult(final.X, resultAt(c.expr(final.X), final.X))
	}
	return func(f *Frame) Value {
		switch run(f) {
		case returns:
			v := f.Ret
			f.Ret = Value{}
			return v
		case throws:
			return value.Throw
		}
		if last != nil {
			return last(f)
		}
		return value.Undefined
	}
}

func (c *fn) isMain() bool { return c.f.Scope.Parent == nil }

// derivedResult gives a derived constructor's result: the object returned, or this, which must be initialised.
func (c *fn) derivedResult(body func(f *Frame) Value) func(f *Frame) Value {
	b := c.f.Scope.List[0]
	read := c.readSlot(b)
	return func(f *Frame) Value {
		v := body(f)
		if v.IsThrow() || v.IsObject() {
			return v
		}
		if !v.IsUndefined() {
			return f.R.ThrowTypeError("Derived constructors may only return object or undefined")
		}
		this := read(f)
		if this.IsTDZ() {
			return throwThis(f)
		}
		return this
	}
}

func throwThis(f *Frame) Value {
	return f.R.ThrowError(value.ReferenceError, "Must call super constructor in derived class before accessing 'this' or returning from derived constructor")
}

// readSlot reads a binding of this function without a check.
func (c *fn) readSlot(b *syntax.Binding) expr {
	i := int(b.Index)
	if b.Captured {
		return func(f *Frame) Value { return f.S[i].Cell().V }
	}
	return func(f *Frame) Value { return f.S[i] }
}

// writeSlot stores into a binding of this function without a check.
func (c *fn) writeSlot(b *syntax.Binding) func(f *Frame, v Value) {
	i := int(b.Index)
	if b.Captured {
		return func(f *Frame, v Value) { f.S[i].Cell().V = v }
	}
	return func(f *Frame, v Value) { f.S[i] = v }
}

// prologue sets up cells, the arguments object, parameters, var and function bindings.
func (c *fn) prologue() []stmt {
	var out []stmt
	info, s := c.info, c.f.Scope
	for _, b := range s.List {
		if b.Kind == syntax.BindParam && info.Simple && b.Captured && int(b.Index) < len(c.f.Params) {
			at := int(b.Index)
			out = append(out, func(f *Frame) completion {
				f.R.Charge(24)
				f.S[at] = value.NewCell(f.S[at]).Value()
				return normal
			})
		} else if st := c.enterBinding(b); st != nil {
			out = append(out, st)
		}
	}
	if b := info.Self; b != nil {
		at := int(b.Index)
		if b.Captured {
			out = append(out, func(f *Frame) completion { f.S[at] = value.NewCell(f.Fn.Value()).Value(); return normal })
		} else {
			out = append(out, func(f *Frame) completion { f.S[at] = f.Fn.Value(); return normal })
		}
	}
	if info.UsesArgs {
		write := c.writeSlot(s.Names["arguments"])
		out = append(out, func(f *Frame) completion { write(f, newArguments(f)); return normal })
	}
	out = append(out, c.parameters()...)
	if !info.Simple {
		out = append(out, c.bodyBindings()...)
	}
	out = append(out, c.hoistedFunctions(info.BodyScope)...)
	if c.f.Generator && !info.Simple {
		out = append(out, c.initialYield())
	}
	return out
}

// enterBinding prepares a binding's slot on scope entry: a fresh cell if captured, the dead-zone mark if it is checked.
func (c *fn) enterBinding(b *syntax.Binding) stmt {
	at := int(b.Index)
	start := value.Undefined
	if b.TDZ && b.Checked {
		start = value.TDZ
	}
	switch {
	case b.Captured:
		return func(f *Frame) completion {
			f.R.Charge(24)
			f.S[at] = value.NewCell(start).Value()
			return normal
		}
	case start.IsTDZ():
		return func(f *Frame) completion { f.S[at] = value.TDZ; return normal }
	}
	return nil
}

func newArguments(f *Frame) Value {
	r := f.R
	o := r.NewClass(value.ClassArguments, r.Intrinsic(value.ObjectPrototype), nil)
	o.Elems = append([]Value(nil), f.Args...)
	r.DefineOwn(o, value.Name("length"), value.DataDesc(value.Int(len(f.Args)), value.AttrMethod))
	thrower := r.Intrinsic(value.ThrowTypeErrorFunction)
	r.DefineOwn(o, value.Name("callee"), value.AccessorDesc(thrower, thrower, 0))
	values, _ := r.GetOwnValue(r.Intrinsic(value.ArrayPrototype), value.Name("values"))
	r.DefineOwn(o, value.SymbolKey(value.SymIterator), value.DataDesc(values, value.AttrMethod))
	return o.Value()
}

// parameters binds parameters that are not plain, and the rest parameter.
func (c *fn) parameters() []stmt {
	var out []stmt
	if !c.info.Simple {
		for i, p := range c.f.Params {
			at := i
			arg := expr(func(f *Frame) Value { return f.S[at] })
			out = append(out, c.bindDefault(p.Target, p.Default, arg))
		}
	}
	if c.f.Rest != nil {
		from := len(c.f.Params)
		rest := expr(func(f *Frame) Value {
			var elems []Value
			if len(f.Args) > from {
				elems = append(elems, f.Args[from:]...)
			}
			return f.R.NewArray(elems).Value()
		})
		out = append(out, c.bindDefault(c.f.Rest, nil, rest))
	}
	return out
}

func (c *fn) bindDefault(target, def syntax.Expr, v expr) stmt {
	if def != nil {
		v = c.withDefault(v, def, target)
	}
	mark := c.temps
	bind := c.bind(target, true)
	c.release(mark)
	return func(f *Frame) completion {
		x := v(f)
		if x.IsThrow() || !bind(f, x) {
			return throws
		}
		return normal
	}
}

// bodyBindings prepares the body scope of a function with parameter expressions: vars of a parameter's name start with
// its value.
func (c *fn) bodyBindings() []stmt {
	var out []stmt
	for _, b := range c.info.BodyScope.List {
		if st := c.enterBinding(b); st != nil {
			out = append(out, st)
		}
		if p := c.f.Scope.Names[b.Name]; p != nil && b.Kind == syntax.BindVar {
			read, write := c.readSlot(p), c.writeSlot(b)
			out = append(out, func(f *Frame) completion { write(f, read(f)); return normal })
		}
	}
	return out
}

// hoistedFunctions creates the function declarations of a scope.
func (c *fn) hoistedFunctions(s *syntax.Scope) []stmt {
	var out []stmt
	for _, decl := range s.Funcs {
		mk := c.closure(c.unit.function(decl, decl.Name), decl)
		write := c.writeSlot(decl.Name.Ref.Bind)
		out = append(out, func(f *Frame) completion { write(f, mk(f)); return normal })
	}
	return out
}

// enterScope returns what to run on entry to a block: nil if nothing.
func (c *fn) enterScope(s *syntax.Scope) func(f *Frame) {
	if s == nil {
		return nil
	}
	var steps []stmt
	for _, b := range s.List {
		if st := c.enterBinding(b); st != nil {
			steps = append(steps, st)
		}
	}
	steps = append(steps, c.hoistedFunctions(s)...)
	switch len(steps) {
	case 0:
		return nil
	case 1:
		one := steps[0]
		return func(f *Frame) { one(f) }
	}
	return func(f *Frame) {
		for _, st := range steps {
			st(f)
		}
	}
}

// closure returns an expression that makes the function object of f in the running frame.
func (c *fn) closure(code *value.Code, f *syntax.Function) expr {
	caps := f.Info.Captures
	arrow := f.Kind == syntax.FuncArrow
	usesThis, lexical := arrow && f.Info.UsesThis, arrow && f.Info.UsesLexical
	return func(fr *Frame) Value {
		o := fr.R.NewFunction(code, captureCells(fr, caps))
		if usesThis {
			o.This = fr.This
		}
		if lexical {
			o.Lexical = lexicalOf(fr)
		}
		return o.Value()
	}
}

func captureCells(fr *Frame, caps []syntax.Capture) []*value.Cell {
	if len(caps) == 0 {
		return nil
	}
	cells := make([]*value.Cell, len(caps))
	for i, cp := range caps {
		if cp.FromParent {
			cells[i] = fr.Caps[cp.Index]
		} else {
			cells[i] = fr.S[cp.Index].Cell()
		}
	}
	return cells
}

// lexicalOf is what an arrow made in fr takes over.
func lexicalOf(fr *Frame) *value.Lexical {
	if l := fr.Fn.Lexical; l != nil {
		return l
	}
	return &value.Lexical{NewTarget: fr.NewTarget, Func: fr.Fn}
}
