// Package resolve binds names: it builds the scopes of a program, gives every binding a frame slot, finds out which are
// captured by inner functions, and which reads may meet a binding in its temporal dead zone.
//
// The walk follows evaluation order, so that a binding already passed needs no check; hoisted function declarations are
// visited where they are hoisted to.
package resolve

import "github.com/codemode-go/codemode/interpreter/internal/syntax"

// Special binding names; they cannot clash with identifiers.
const (
	thisName = "\x00this"
)

// Program resolves all names of a program in place. known tells the names that need no declaration.
func Program(p *syntax.Program, known func(name string) bool) {
	r := &resolver{known: known}
	r.function(p.Main, nil)
	r.hint()
}

type resolver struct {
	fn       *state
	scope    *syntax.Scope
	known    func(name string) bool
	bindings []*syntax.Binding
	missing  []missing
	certain  map[*syntax.Ident]string // hints that the place gives, of names that may be undeclared
}

// state is what the resolver knows about the function it is in.
type state struct {
	f      *syntax.Function
	info   *syntax.FuncInfo
	outer  *state
	scope  *syntax.Scope // scope in which the function was created
	caps   map[*syntax.Binding]int32
	inited map[*syntax.Binding]bool
}

func newScope(fn *syntax.Function, parent *syntax.Scope) *syntax.Scope {
	return &syntax.Scope{Func: fn, Parent: parent, Names: map[string]*syntax.Binding{}}
}

// declare adds a binding to s, or returns the one already there.
func (r *resolver) declare(s *syntax.Scope, name, orig string, kind syntax.BindKind, pos syntax.Pos) *syntax.Binding {
	if b := s.Names[name]; b != nil {
		if kind == syntax.BindFunction && b.Kind == syntax.BindVar {
			b.Kind = kind
		}
		return b
	}
	b := &syntax.Binding{Name: name, Orig: orig, Kind: kind, Pos: pos, Scope: s, Index: r.slot()}
	switch kind {
	case syntax.BindLet, syntax.BindConst, syntax.BindClass, syntax.BindClassName:
		b.TDZ = true
	}
	s.Names[name] = b
	s.List = append(s.List, b)
	r.bindings = append(r.bindings, b)
	return b
}

func (r *resolver) slot() int32 {
	r.fn.info.Slots++
	return r.fn.info.Slots - 1
}

func (r *resolver) push(s *syntax.Scope) func() {
	old := r.scope
	r.scope = s
	return func() { r.scope = old }
}

// function resolves a function created in the current scope; self is the binding of its own name, nil if it has none.
func (r *resolver) function(f *syntax.Function, self *syntax.Binding) {
	oldFn, oldScope := r.fn, r.scope
	st := &state{f: f, info: &syntax.FuncInfo{}, outer: oldFn, scope: r.scope, caps: map[*syntax.Binding]int32{}, inited: map[*syntax.Binding]bool{}}
	f.Info = st.info
	r.fn = st
	r.scope = newScope(f, oldScope)
	f.Scope = r.scope
	st.info.Simple = simple(f)
	st.info.Slots = int32(len(f.Params))
	if self != nil {
		self.Index = r.slot()
	}
	if f.Derived && f.Kind == syntax.FuncConstructor {
		b := r.declare(f.Scope, thisName, "this", syntax.BindThis, f.Pos)
		b.TDZ, b.Checked = true, true
	}
	r.params(f)
	r.body(f)
	if self != nil && self.Used {
		f.Info.Self = self
	}
	r.fn, r.scope = oldFn, oldScope
}

func simple(f *syntax.Function) bool {
	for _, p := range f.Params {
		if _, ok := p.Target.(*syntax.Ident); !ok || p.Default != nil {
			return false
		}
	}
	_, ident := f.Rest.(*syntax.Ident)
	return f.Rest == nil || ident
}

func (r *resolver) params(f *syntax.Function) {
	s := f.Scope
	if f.Info.Simple {
		for i, p := range f.Params {
			id := p.Target.(*syntax.Ident)
			b := &syntax.Binding{Name: id.Name, Orig: id.Orig, Kind: syntax.BindParam, Pos: id.Pos, Scope: s, Index: int32(i)}
			s.Names[id.Name] = b
			s.List = append(s.List, b)
			r.fn.inited[b] = true
			id.Ref = syntax.Ref{Kind: syntax.RefLocal, Bind: b}
		}
	} else {
		for _, p := range f.Params {
			r.declareTarget(s, p.Target, syntax.BindParam)
		}
	}
	if f.Rest != nil {
		r.declareTarget(s, f.Rest, syntax.BindParam)
	}
	for _, b := range s.List {
		if b.Kind == syntax.BindParam && !f.Info.Simple {
			b.TDZ = true
		}
	}
	if !f.Info.Simple {
		for _, p := range f.Params {
			if p.Default != nil {
				r.expr(p.Default)
			}
			r.bindTarget(p.Target)
		}
	}
	if f.Rest != nil {
		r.bindTarget(f.Rest)
	}
}

func (r *resolver) body(f *syntax.Function) {
	s := f.Scope
	if !f.Info.Simple {
		s = newScope(f, f.Scope)
		r.scope = s
	}
	f.Info.BodyScope = s
	r.hoistVars(f.Body, s)
	r.declareLexical(f.Body, s)
	r.statements(f.Body, s)
	r.finish(f.Scope)
	r.finish(s)
}

func (r *resolver) finish(s *syntax.Scope) {
	for _, b := range s.List {
		if b.Captured {
			s.HasCells = true
		}
	}
}

// hoistVars declares the var names of a function body, blocks included.
func (r *resolver) hoistVars(body []syntax.Stmt, s *syntax.Scope) {
	for _, st := range body {
		r.hoistVar(st, s)
	}
}

func (r *resolver) hoistVar(st syntax.Stmt, s *syntax.Scope) {
	switch n := st.(type) {
	case *syntax.VarDecl:
		if n.Kind == syntax.DeclVar {
			for _, d := range n.Decls {
				r.declareVar(s, d.Target)
			}
		}
	case *syntax.If:
		r.hoistVar(n.Then, s)
		if n.Else != nil {
			r.hoistVar(n.Else, s)
		}
	case *syntax.For:
		if n.Init != nil {
			r.hoistVar(n.Init, s)
		}
		r.hoistVar(n.Body, s)
	case *syntax.ForIn:
		if n.Kind == syntax.DeclVar {
			r.declareVar(s, n.Target)
		}
		r.hoistVar(n.Body, s)
	case *syntax.ForOf:
		if n.Kind == syntax.DeclVar {
			r.declareVar(s, n.Target)
		}
		r.hoistVar(n.Body, s)
	case *syntax.While:
		r.hoistVar(n.Body, s)
	case *syntax.DoWhile:
		r.hoistVar(n.Body, s)
	case *syntax.Block:
		r.hoistVars(n.Body, s)
	case *syntax.Try:
		r.hoistVars(n.Block.Body, s)
		if n.Handler != nil {
			r.hoistVars(n.Handler.Body, s)
		}
		if n.Finally != nil {
			r.hoistVars(n.Finally.Body, s)
		}
	case *syntax.Switch:
		for _, c := range n.Cases {
			r.hoistVars(c.Body, s)
		}
	case *syntax.Labeled:
		r.hoistVar(n.Body, s)
	}
}

func (r *resolver) declareVar(s *syntax.Scope, target syntax.Expr) {
	eachName(target, func(id *syntax.Ident) {
		if s.Names[id.Name] == nil {
			b := r.declare(s, id.Name, id.Orig, syntax.BindVar, id.Pos)
			r.fn.info.Hoisted = append(r.fn.info.Hoisted, b)
			r.fn.inited[b] = true
		}
	})
}

// declareLexical declares the let, const, class and function names of one statement list.
func (r *resolver) declareLexical(body []syntax.Stmt, s *syntax.Scope) {
	for _, st := range body {
		for l, ok := st.(*syntax.Labeled); ok; l, ok = st.(*syntax.Labeled) {
			st = l.Body
		}
		switch n := st.(type) {
		case *syntax.VarDecl:
			switch n.Kind {
			case syntax.DeclLet:
				r.declareEach(s, n, syntax.BindLet)
			case syntax.DeclConst:
				r.declareEach(s, n, syntax.BindConst)
			}
		case *syntax.ClassDecl:
			id := n.Class.Name
			r.declare(s, id.Name, id.Orig, syntax.BindClass, id.Pos)
		case *syntax.FunctionDecl:
			id := n.Func.Name
			b := r.declare(s, id.Name, id.Orig, syntax.BindFunction, id.Pos)
			r.fn.inited[b] = true
			s.Funcs = append(s.Funcs, n.Func)
		}
	}
}

func (r *resolver) declareEach(s *syntax.Scope, n *syntax.VarDecl, kind syntax.BindKind) {
	for _, d := range n.Decls {
		r.declareTarget(s, d.Target, kind)
	}
}

func (r *resolver) declareTarget(s *syntax.Scope, target syntax.Expr, kind syntax.BindKind) {
	eachName(target, func(id *syntax.Ident) { r.declare(s, id.Name, id.Orig, kind, id.Pos) })
}

// eachName visits the identifiers that a binding target declares.
func eachName(target syntax.Expr, visit func(*syntax.Ident)) {
	switch n := target.(type) {
	case *syntax.Ident:
		visit(n)
	case *syntax.ArrayPattern:
		for _, e := range n.Elems {
			if e.Target != nil {
				eachName(e.Target, visit)
			}
		}
		if n.Rest != nil {
			eachName(n.Rest, visit)
		}
	case *syntax.ObjectPattern:
		for _, p := range n.Props {
			eachName(p.Target, visit)
		}
		if n.Rest != nil {
			eachName(n.Rest, visit)
		}
	}
}

// statements resolves a statement list whose scope is s: hoisted functions first.
func (r *resolver) statements(body []syntax.Stmt, s *syntax.Scope) {
	for _, f := range s.Funcs {
		f.Name.Ref = r.lookup(f.Name.Name, f.Name.Pos)
		r.function(f, nil)
	}
	for _, st := range body {
		r.stmt(st)
	}
}

func (r *resolver) block(body []syntax.Stmt) *syntax.Scope {
	s := newScope(r.fn.f, r.scope)
	defer r.push(s)()
	r.declareLexical(body, s)
	r.statements(body, s)
	r.finish(s)
	return s
}

// lookup finds the binding of a name from the current scope and notes captures.
func (r *resolver) lookup(name string, pos syntax.Pos) syntax.Ref {
	st := r.fn
	for s := r.scope; s != nil; s = s.Parent {
		if b := s.Names[name]; b != nil {
			b.Used = true
			return r.refer(st, b)
		}
		if name == "arguments" && r.ownsArguments(s) {
			return r.refer(st, r.declareArguments(s))
		}
	}
	return syntax.Ref{Kind: syntax.RefGlobal}
}

// ownsArguments tells the parameter scope of a function with an arguments object; the main body has none.
func (r *resolver) ownsArguments(s *syntax.Scope) bool {
	return s == s.Func.Scope && s.Func.Kind != syntax.FuncArrow && s.Parent != nil
}

func (r *resolver) declareArguments(s *syntax.Scope) *syntax.Binding {
	st := r.fn
	for st.f != s.Func {
		st = st.outer
	}
	st.info.Slots++
	st.info.UsesArgs = true
	b := &syntax.Binding{Name: "arguments", Orig: "arguments", Kind: syntax.BindArguments, Scope: s, Index: st.info.Slots - 1, Used: true}
	s.Names["arguments"] = b
	s.List = append(s.List, b)
	st.inited[b] = true
	return b
}

// refer makes the reference to b from the current function, through the captures of the functions between.
func (r *resolver) refer(st *state, b *syntax.Binding) syntax.Ref {
	check := b.TDZ && !r.initialized(st, b)
	if check {
		b.Checked = true
	}
	if b.Scope.Func == st.f {
		return syntax.Ref{Kind: syntax.RefLocal, Bind: b, Check: check}
	}
	b.Captured = true
	return syntax.Ref{Kind: syntax.RefCaptured, Bind: b, Index: capture(st, b), Check: check}
}

func (r *resolver) initialized(st *state, b *syntax.Binding) bool {
	for ; st != nil; st = st.outer {
		if st.f == b.Scope.Func {
			return st.inited[b]
		}
	}
	return false
}

func capture(st *state, b *syntax.Binding) int32 {
	if i, ok := st.caps[b]; ok {
		return i
	}
	c := syntax.Capture{Index: b.Index}
	if st.outer.f != b.Scope.Func {
		c = syntax.Capture{FromParent: true, Index: capture(st.outer, b)}
	}
	i := int32(len(st.info.Captures))
	st.info.Captures = append(st.info.Captures, c)
	st.caps[b] = i
	return i
}

// initialize notes that the walk has passed the initialisation of a target's names.
func (r *resolver) initialize(target syntax.Expr) {
	eachName(target, func(id *syntax.Ident) {
		if id.Ref.Bind != nil && !r.inSwitch(id.Ref.Bind.Scope) {
			r.fn.inited[id.Ref.Bind] = true
		}
	})
}

// inSwitch: clauses can be entered past a declaration, so the order of the text proves nothing there.
func (r *resolver) inSwitch(s *syntax.Scope) bool { return s.Switch }
