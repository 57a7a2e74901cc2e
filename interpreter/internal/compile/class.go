package compile

// This file defines classes (ECMA-262 15.7.14).

import (
	"github.com/codemode-go/codemode/interpreter/internal/syntax"
	"github.com/codemode-go/codemode/interpreter/internal/value"
)

func (c *fn) classDecl(n *syntax.ClassDecl) stmt {
	x := c.class(n.Class, "")
	write := c.writeSlot(n.Class.Name.Ref.Bind)
	return func(f *Frame) completion {
		v := x(f)
		if v.IsThrow() {
			return throws
		}
		write(f, v)
		return normal
	}
}

// classBuilder is the state of one class evaluation.
type classBuilder struct {
	ctor  *value.Function
	proto *value.Object
	data  *value.ClassData
	// later are static fields and blocks, run in order once the class is complete
	later  []func(f *Frame) bool
	static []value.PrivateMethod
}

func (c *fn) class(n *syntax.Class, inferred string) expr {
	c.enter()
	defer c.leave()
	t := c.temp(2)
	enter := c.enterScope(n.Scope)
	privates := c.privateNames(n)
	var super expr
	if n.Super != nil {
		super = c.expr(n.Super)
	}
	code := c.constructorCode(n, inferred)
	mk := c.constructorClosure(n, code)
	members := make([]func(f *Frame, b *classBuilder) bool, len(n.Members))
	for i := range n.Members {
		mark := c.temps
		members[i] = c.classMember(&n.Members[i])
		c.release(mark)
	}
	inner := func(*Frame, Value) {}
	if n.Inner != nil {
		inner = c.writeSlot(n.Inner)
	}
	derived, pos := n.Super != nil, int32(n.Pos)
	return func(f *Frame) Value {
		r := f.R
		if enter != nil {
			enter(f)
		}
		privates(f)
		protoParent, ctorParent := r.Intrinsic(value.ObjectPrototype), r.Intrinsic(value.FunctionPrototype)
		if super != nil {
			s := super(f)
			if s.IsThrow() {
				return s
			}
			f.S[t] = s
			r.Pos = pos
			var ok bool
			if protoParent, ctorParent, ok = heritage(r, s); !ok {
				return value.Throw
			}
		}
		b := &classBuilder{proto: r.NewObject(protoParent), data: &value.ClassData{Derived: derived}}
		f.S[t] = b.proto.Value()
		b.ctor = mk(f)
		f.S[t+1] = b.ctor.Value()
		r.SetupConstructor(b.ctor, ctorParent, b.proto, b.data)
		for _, m := range members {
			if !m(f, b) {
				return value.Throw
			}
		}
		inner(f, b.ctor.Value())
		if !r.InstallStaticPrivates(&b.ctor.Object, b.static) {
			return value.Throw
		}
		for _, run := range b.later {
			if !run(f) {
				return value.Throw
			}
		}
		return b.ctor.Value()
	}
}

// heritage checks the value after extends.
func heritage(r *value.Realm, s Value) (protoParent, ctorParent *value.Object, ok bool) {
	if s.IsNull() {
		return nil, r.Intrinsic(value.FunctionPrototype), true
	}
	o := s.Object()
	if o == nil || !o.IsConstructor() {
		r.ThrowTypeError("Class extends value %s is not a constructor or null", r.Describe(s))
		return nil, nil, false
	}
	p := r.Get(o, value.Name("prototype"))
	if p.IsThrow() {
		return nil, nil, false
	}
	if !p.IsObject() && !p.IsNull() {
		r.ThrowTypeError("Class extends value does not have valid prototype property %s", r.Describe(p))
		return nil, nil, false
	}
	return p.Object(), o, true
}

// privateNames makes the symbols of a class's private names on each evaluation.
func (c *fn) privateNames(n *syntax.Class) func(f *Frame) {
	type private struct {
		name  string
		write func(f *Frame, v Value)
	}
	var list []private
	for _, b := range n.Scope.List {
		if b.Kind == syntax.BindPrivate {
			list = append(list, private{b.Name[1:], c.writeSlot(b)})
		}
	}
	return func(f *Frame) {
		for _, p := range list {
			f.R.Charge(64)
			p.write(f, value.NewPrivateName(p.name).Value())
		}
	}
}

func (c *fn) constructorCode(n *syntax.Class, inferred string) *value.Code {
	var code *value.Code
	if n.Ctor != nil {
		code = c.unit.function(n.Ctor, nil)
	} else {
		code = defaultConstructor(n.Super != nil)
	}
	code.IsClass, code.Name, code.Start = true, inferred, (*value.Realm).RefuseCall
	code.HasName = true
	if n.Name != nil {
		code.Name = n.Name.Orig
	}
	code.Source = c.sourceOf(n.Pos, n.End)
	return code
}

// defaultConstructor is the constructor of a class that writes none.
func defaultConstructor(derived bool) *value.Code {
	code := &value.Code{NeedNew: true, NeedArgs: derived, StackCost: value.CallCost, Kind: value.CodePlain}
	if !derived {
		code.Body = func(f *Frame) Value { return value.Undefined }
		return code
	}
	code.Body = func(f *Frame) Value {
		r := f.R
		parent := f.Fn.Proto()
		if parent == nil || !parent.IsConstructor() {
			return r.ThrowTypeError("Super constructor %s of anonymous class is not a constructor", r.Describe(value.ObjectOrNull(parent)))
		}
		fn := f.Fn
		v := r.ConstructArgs(parent, f.Args, f.NewTarget.Object())
		if v.IsThrow() {
			return v
		}
		if !r.InitializeInstance(v.Object(), fn) {
			return value.Throw
		}
		return v
	}
	return code
}

func (c *fn) constructorClosure(n *syntax.Class, code *value.Code) func(f *Frame) *value.Function {
	var caps []syntax.Capture
	if n.Ctor != nil {
		caps = n.Ctor.Info.Captures
	}
	return func(f *Frame) *value.Function { return f.R.NewFunction(code, captureCells(f, caps)) }
}

func (c *fn) classMember(m *syntax.ClassMember) func(f *Frame, b *classBuilder) bool {
	switch m.Kind {
	case syntax.MemberStaticBlock:
		mk := c.closure(c.unit.function(m.Func, nil), m.Func)
		return func(f *Frame, b *classBuilder) bool {
			fn := mk(f).Function()
			fn.Home = &b.ctor.Object
			b.later = append(b.later, func(f *Frame) bool { return !f.R.Call(fn.Value(), b.ctor.Value()).IsThrow() })
			return true
		}
	case syntax.MemberField:
		return c.classField(m)
	}
	if m.Key.Private {
		return c.privateMethod(m)
	}
	static, dynamic := c.propKey(&m.Key)
	mk := c.methodFunction(m.Func, static, m.Kind, dynamic != nil)
	kind, isStatic := m.Kind, m.Static
	return func(f *Frame, b *classBuilder) bool {
		o := b.proto
		if isStatic {
			o = &b.ctor.Object
		}
		k := static
		if dynamic != nil {
			var ok bool
			if k, ok = dynamic(f); !ok {
				return false
			}
		}
		return defineMethod(f.R, o, k, mk(f, o, k), kind, value.AttrMethod)
	}
}

func (c *fn) privateMethod(m *syntax.ClassMember) func(f *Frame, b *classBuilder) bool {
	name := c.privateSymbol(m)
	prefix := ""
	switch m.Kind {
	case syntax.MemberGetter:
		prefix = "get "
	case syntax.MemberSetter:
		prefix = "set "
	}
	code := c.unit.function(m.Func, nil)
	code.Name = prefix + "#" + m.Key.Name
	mk := c.closure(code, m.Func)
	kind, isStatic := m.Kind, m.Static
	return func(f *Frame, b *classBuilder) bool {
		fn := mk(f).Function()
		fn.Home = b.proto
		list := &b.data.Methods
		if isStatic {
			fn.Home, list = &b.ctor.Object, &b.static
		}
		addPrivateMethod(list, name(f), fn, kind)
		return true
	}
}

func addPrivateMethod(list *[]value.PrivateMethod, name *value.Symbol, fn *value.Function, kind syntax.MemberKind) {
	at := -1
	for i := range *list {
		if (*list)[i].Name == name {
			at = i
		}
	}
	if at < 0 {
		*list = append(*list, value.PrivateMethod{Name: name})
		at = len(*list) - 1
	}
	p := &(*list)[at]
	switch kind {
	case syntax.MemberGetter:
		p.Get = &fn.Object
	case syntax.MemberSetter:
		p.Set = &fn.Object
	default:
		p.Method = fn.Value()
	}
}

// privateSymbol reads the symbol of a member's private name in the class scope, which is this function's.
func (c *fn) privateSymbol(m *syntax.ClassMember) func(f *Frame) *value.Symbol {
	read := c.readSlot(m.Bind)
	return func(f *Frame) *value.Symbol { return read(f).Symbol() }
}

func (c *fn) classField(m *syntax.ClassMember) func(f *Frame, b *classBuilder) bool {
	var static value.Key
	var dynamic func(f *Frame) (value.Key, bool)
	var private func(f *Frame) *value.Symbol
	name := m.Key.Name
	if m.Key.Private {
		private, name = c.privateSymbol(m), "#"+name
	} else {
		static, dynamic = c.propKey(&m.Key)
	}
	init, anonymous := c.fieldInitializer(m, name)
	isStatic := m.Static
	return func(f *Frame, b *classBuilder) bool {
		fd := value.Field{Key: static, Private: private != nil}
		switch {
		case private != nil:
			fd.Key = value.SymbolKey(private(f))
		case dynamic != nil:
			var ok bool
			if fd.Key, ok = dynamic(f); !ok {
				return false
			}
		}
		if init != nil {
			fd.Init = init(f).Function()
			fd.Init.Home = b.proto
			if isStatic {
				fd.Init.Home = &b.ctor.Object
			}
			if anonymous && dynamic != nil {
				fd.NameAnonymous = true
			}
		}
		if isStatic {
			b.later = append(b.later, func(f *Frame) bool { return f.R.DefineField(&b.ctor.Object, &fd) })
			return true
		}
		b.data.Fields = append(b.data.Fields, fd)
		return true
	}
}

// fieldInitializer compiles the synthesised initialiser function; an anonymous function or class in it takes the field's name.
func (c *fn) fieldInitializer(m *syntax.ClassMember, name string) (mk expr, anonymous bool) {
	if m.Func == nil {
		return nil, false
	}
	if ret, ok := m.Func.Body[0].(*syntax.Return); ok && ret.X != nil {
		anonymous = isAnonymous(ret.X)
		if anonymous && m.Key.Computed == nil {
			c.unit.fieldName = name
		}
	}
	code := c.unit.function(m.Func, nil)
	c.unit.fieldName = ""
	return c.closure(code, m.Func), anonymous
}
