// Package syntax holds the program's abstract syntax tree and the step that makes it from JavaScript text.
//
// The tree is our own: the third-party parser's nodes end in this package. Every node carries an offset into the
// stripped text (the JavaScript that type erasure printed); package source alone turns offsets into lines and columns.
// The tree is mutable only until package resolve has annotated it; afterwards it is read by package compile and dropped.
package syntax

// Pos is a byte offset into the stripped text; NoPos means unknown.
type Pos int32

// NoPos marks a node whose place could not be restored.
const NoPos Pos = -1

// Node is any part of the tree.
type Node interface{ Start() Pos }

// Expr is an expression. Assignment targets and binding patterns are expressions too: Ident, Member, Index,
// PrivateMember, SuperMember, ArrayPattern, ObjectPattern.
type Expr interface {
	Node
	expr()
}

// Stmt is a statement or declaration.
type Stmt interface {
	Node
	stmt()
}

// At is embedded in every node and holds its place.
type At struct{ Pos Pos }

// Start returns the offset of the node's first known token.
func (a At) Start() Pos { return a.Pos }

// Program is one submitted program: the async function body, already unwrapped from its carrier function.
type Program struct {
	Main *Function
	// Notes say what Parse changed: a wrapper function unwrapped, a lone main function called.
	Notes []string
	// RegExps are all regular expression literals, in source order; their patterns are not checked yet.
	RegExps []*RegExpLit
}

// FuncKind tells how a function was written.
type FuncKind uint8

// The kinds of function.
const (
	FuncNormal      FuncKind = iota // function declaration or expression
	FuncArrow                       // arrow function: no own this, arguments, super, new.target
	FuncMethod                      // object or class method, getter, setter
	FuncConstructor                 // class constructor
	FuncField                       // synthesised body of a class field initialiser or static block
)

// Function is a function of any kind. Body is always statements; an expression-bodied arrow has a single Return
// and Concise set.
type Function struct {
	At
	Kind      FuncKind
	Async     bool
	Generator bool
	Concise   bool
	Derived   bool   // constructor of a class with extends
	Name      *Ident // own binding name of a declaration or named expression, nil otherwise
	Params    []Param
	Rest      Expr // binding target of the rest parameter, nil if none
	Body      []Stmt
	End       Pos // offset just past the function's text, for Function.prototype.toString
	Scope     *Scope
	Info      *FuncInfo
	Depth     int32 // deepest nesting of expressions and statements inside, without inner functions: bounds the Go stack of one activation
}

// Param is one formal parameter.
type Param struct {
	Target  Expr // Ident, ArrayPattern or ObjectPattern
	Default Expr // nil if none
}

// Class is a class declaration or expression.
type Class struct {
	At
	Name    *Ident // nil if anonymous
	Super   Expr   // nil if none
	Members []ClassMember
	End     Pos
	Scope   *Scope // holds the inner name binding and the private names
	Ctor    *Function
	Inner   *Binding // the inner name binding, nil if anonymous
}

// MemberKind tells what a class member or object property is.
type MemberKind uint8

// The kinds of member.
const (
	MemberMethod MemberKind = iota
	MemberGetter
	MemberSetter
	MemberField       // class only; Value nil means undefined
	MemberStaticBlock // class only; Func holds the body
	MemberInit        // object only: key: value
	MemberShorthand   // object only: {x}
	MemberSpread      // object only: ...x
	MemberProto       // object only: __proto__: v as written (not computed, not shorthand)
)

// ClassMember is one element of a class body. The constructor is in Class.Ctor, not here.
type ClassMember struct {
	At
	Kind   MemberKind
	Static bool
	Key    PropName
	Bind   *Binding  // of a private name; filled by package resolve
	Func   *Function // method, getter, setter, static block; for a field: the synthesised initialiser returning the value, nil without one
}

// PropName is a property name in a literal, class body or object pattern.
type PropName struct {
	At
	Name     string // cooked text (WTF-8), canonical numeric text for number keys
	Private  bool   // #name; Name has no #
	Computed Expr   // [expr]; nil otherwise
}

// Property is one entry of an object literal.
type Property struct {
	At
	Kind  MemberKind
	Key   PropName
	Value Expr // init, shorthand (an Ident), spread, proto; methods: a *FunctionExpr
}

// Expressions.
type (
	// Ident is an identifier reference or binding. Name is the resolved text in the stripped source; Orig the name as
	// submitted (erasure may rename), used in messages and for inferred function names.
	Ident struct {
		At
		Name, Orig string
		Ref        Ref
		Hint       string // of an undeclared name: what may have been meant, a sentence or ""
		Certain    bool   // the place of the name gives the hint, and nothing else is to be said
	}
	// NumberLit is a numeric literal.
	NumberLit struct {
		At
		Value float64
	}
	// StringLit is a string literal, cooked, as WTF-8.
	StringLit struct {
		At
		Value string
	}
	// BigIntLit holds the decimal, 0x, 0o or 0b digits without the n and without separators.
	BigIntLit struct {
		At
		Text string
	}
	// BoolLit is true or false.
	BoolLit struct {
		At
		Value bool
	}
	// NullLit is null.
	NullLit struct{ At }
	// UndefinedLit is `void 0` with a constant operand (erasure prints undefined so).
	UndefinedLit struct{ At }
	// RegExpLit is a regular expression literal.
	RegExpLit struct {
		At
		Pattern, Flags string
	}
	// TemplateElement is one literal chunk. Cooked is meaningless when Invalid (allowed in tagged templates only).
	TemplateElement struct {
		Cooked, Raw string
		Invalid     bool
	}
	// TemplateLit has len(Quasis) == len(Exprs)+1.
	TemplateLit struct {
		At
		Quasis []TemplateElement
		Exprs  []Expr
	}
	// TaggedTemplate calls Tag.
	TaggedTemplate struct {
		At
		Tag   Expr
		Quasi *TemplateLit
	}
	// ArrayLit has nil for holes and *Spread for spreads.
	ArrayLit struct {
		At
		Elems []Expr
	}
	// ObjectLit is an object literal.
	ObjectLit struct {
		At
		Props []Property
	}
	// FunctionExpr is a function or arrow expression, or the value of an object method.
	FunctionExpr struct {
		At
		Func *Function
	}
	// ClassExpr is a class expression.
	ClassExpr struct {
		At
		Class *Class
	}
	// Unary is -x +x !x ~x typeof void delete.
	Unary struct {
		At
		Op Op
		X  Expr
	}
	// Update is ++x x++ --x x--.
	Update struct {
		At
		Op     Op // OpInc or OpDec
		Prefix bool
		X      Expr
	}
	// Binary is an arithmetic, bitwise, relational or equality operator, in, instanceof.
	Binary struct {
		At
		Op   Op
		L, R Expr
	}
	// Logical is && || ??.
	Logical struct {
		At
		Op   Op
		L, R Expr
	}
	// Conditional is a ? b : c.
	Conditional struct {
		At
		Test, Then, Else Expr
	}
	// Assign is = or a compound assignment; Op is OpNone for plain =, otherwise the binary or logical operator.
	// Target is a pattern only for plain =.
	Assign struct {
		At
		Op     Op
		Target Expr
		Value  Expr
	}
	// Sequence is a, b.
	Sequence struct {
		At
		List []Expr
	}
	// Call is callee(args); Args may hold *Spread. Optional is callee?.(args).
	Call struct {
		At
		Callee   Expr
		Args     []Expr
		Optional bool
	}
	// New is new callee(args).
	New struct {
		At
		Callee Expr
		Args   []Expr
	}
	// Member is obj.name. Pos is the name's place; Optional is obj?.name.
	Member struct {
		At
		Obj      Expr
		Name     string
		Optional bool
	}
	// Index is obj[index].
	Index struct {
		At
		Obj, Index Expr
		Optional   bool
	}
	// PrivateMember is obj.#name.
	PrivateMember struct {
		At
		Obj      Expr
		Name     string
		Optional bool
		Ref      Ref // the private name's binding
	}
	// PrivateIn is #name in right.
	PrivateIn struct {
		At
		Name  string
		Right Expr
		Ref   Ref
	}
	// SuperMember is super.name or super[index] (Index non-nil).
	SuperMember struct {
		At
		Name  string
		Index Expr
		This  Ref
	}
	// SuperCall is super(args).
	SuperCall struct {
		At
		Args []Expr
		This Ref
	}
	// OptionalChain marks where a chain that contains an Optional link ends: a short-circuit yields undefined here.
	OptionalChain struct {
		At
		X Expr
	}
	// This is this.
	This struct {
		At
		Ref Ref
	}
	// NewTarget is new.target.
	NewTarget struct {
		At
		Ref Ref
	}
	// Await is await x. Done is the compiler's: the value stands ready when the expression around it is evaluated.
	Await struct {
		At
		X    Expr
		Done bool
	}
	// Yield is yield x or yield* x; X nil means undefined.
	Yield struct {
		At
		X        Expr
		Delegate bool
	}
	// Spread is ...x inside array literals and arguments.
	Spread struct {
		At
		X Expr
	}
	// ArrayPattern is a destructuring target.
	ArrayPattern struct {
		At
		Elems []PatternElem // Target nil: elision
		Rest  Expr
	}
	// PatternElem is a target with an optional default.
	PatternElem struct {
		Target  Expr
		Default Expr
	}
	// ObjectPattern is a destructuring target.
	ObjectPattern struct {
		At
		Props []PatternProp
		Rest  Expr
	}
	// PatternProp is one property of an ObjectPattern.
	PatternProp struct {
		At
		Key PropName
		PatternElem
	}
)

// DeclKind is the keyword of a declaration.
type DeclKind uint8

// The declaration keywords. DeclNone in a for head means an assignment target.
const (
	DeclNone DeclKind = iota
	DeclVar
	DeclLet
	DeclConst
)

// Statements.
type (
	// ExprStmt is an expression statement.
	ExprStmt struct {
		At
		X Expr
	}
	// VarDecl is var, let or const.
	VarDecl struct {
		At
		Kind  DeclKind
		Decls []Declarator
	}
	// Declarator binds Target to Init (nil: undefined for let, nothing for var).
	Declarator struct {
		Target Expr
		Init   Expr
	}
	// FunctionDecl is a hoisted function declaration.
	FunctionDecl struct {
		At
		Func *Function
	}
	// ClassDecl is a class declaration.
	ClassDecl struct {
		At
		Class *Class
	}
	// Return is return x; X nil means undefined.
	Return struct {
		At
		X Expr
	}
	// If is if/else.
	If struct {
		At
		Test       Expr
		Then, Else Stmt
	}
	// For is the three-part loop; any part may be nil. Init is a *VarDecl or an *ExprStmt.
	For struct {
		At
		Init   Stmt
		Test   Expr
		Update Expr
		Body   Stmt
		Scope  *Scope
	}
	// ForIn iterates keys.
	ForIn struct {
		At
		Kind   DeclKind
		Target Expr
		Right  Expr
		Body   Stmt
		Scope  *Scope // loop binding, fresh per iteration
		TDZ    *Scope // names in TDZ while Right is evaluated
	}
	// ForOf iterates values.
	ForOf struct {
		At
		Kind   DeclKind
		Target Expr
		Right  Expr
		Body   Stmt
		Await  bool
		Scope  *Scope
		TDZ    *Scope
	}
	// While is while.
	While struct {
		At
		Test Expr
		Body Stmt
	}
	// DoWhile is do … while.
	DoWhile struct {
		At
		Body Stmt
		Test Expr
	}
	// Block is { … }.
	Block struct {
		At
		Body  []Stmt
		Scope *Scope
	}
	// Break leaves the loop, switch or label.
	Break struct {
		At
		Label string
	}
	// Continue goes to the next iteration.
	Continue struct {
		At
		Label string
	}
	// Throw is throw x.
	Throw struct {
		At
		X Expr
	}
	// Try has Handler nil or Finally nil, not both.
	Try struct {
		At
		Block      *Block
		Param      Expr // nil without a binding
		Handler    *Block
		Finally    *Block
		ParamScope *Scope
	}
	// Switch is switch.
	Switch struct {
		At
		Disc  Expr
		Cases []Case
		Scope *Scope
	}
	// Case is one clause; Test nil is default.
	Case struct {
		At
		Test Expr
		Body []Stmt
	}
	// Labeled is label: body.
	Labeled struct {
		At
		Label string
		Body  Stmt
	}
	// Empty is ; and debugger.
	Empty struct{ At }
)

func (*Ident) expr()          {}
func (*NumberLit) expr()      {}
func (*StringLit) expr()      {}
func (*BigIntLit) expr()      {}
func (*BoolLit) expr()        {}
func (*NullLit) expr()        {}
func (*UndefinedLit) expr()   {}
func (*RegExpLit) expr()      {}
func (*TemplateLit) expr()    {}
func (*TaggedTemplate) expr() {}
func (*ArrayLit) expr()       {}
func (*ObjectLit) expr()      {}
func (*FunctionExpr) expr()   {}
func (*ClassExpr) expr()      {}
func (*Unary) expr()          {}
func (*Update) expr()         {}
func (*Binary) expr()         {}
func (*Logical) expr()        {}
func (*Conditional) expr()    {}
func (*Assign) expr()         {}
func (*Sequence) expr()       {}
func (*Call) expr()           {}
func (*New) expr()            {}
func (*Member) expr()         {}
func (*Index) expr()          {}
func (*PrivateMember) expr()  {}
func (*PrivateIn) expr()      {}
func (*SuperMember) expr()    {}
func (*SuperCall) expr()      {}
func (*OptionalChain) expr()  {}
func (*This) expr()           {}
func (*NewTarget) expr()      {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*Spread) expr()         {}
func (*ArrayPattern) expr()   {}
func (*ObjectPattern) expr()  {}

func (*ExprStmt) stmt()     {}
func (*VarDecl) stmt()      {}
func (*FunctionDecl) stmt() {}
func (*ClassDecl) stmt()    {}
func (*Return) stmt()       {}
func (*If) stmt()           {}
func (*For) stmt()          {}
func (*ForIn) stmt()        {}
func (*ForOf) stmt()        {}
func (*While) stmt()        {}
func (*DoWhile) stmt()      {}
func (*Block) stmt()        {}
func (*Break) stmt()        {}
func (*Continue) stmt()     {}
func (*Throw) stmt()        {}
func (*Try) stmt()          {}
func (*Switch) stmt()       {}
func (*Labeled) stmt()      {}
func (*Empty) stmt()        {}
