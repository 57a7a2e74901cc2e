package syntax

// RefKind says where a resolved name lives.
type RefKind uint8

// The places a name can live in.
const (
	RefUnresolved RefKind = iota
	RefLocal              // slot Index of the running frame
	RefCell               // slot Index of the running frame holds a cell (captured by an inner function)
	RefCaptured           // captured cell Index of the running function
	RefGlobal             // a global of the realm by name
)

// Ref is what package resolve writes into a name's node.
type Ref struct {
	Kind  RefKind
	Check bool // the binding may still be in its temporal dead zone here
	Index int32
	Bind  *Binding // nil for globals
}

// BindKind is how a name was declared.
type BindKind uint8

// The ways a name is declared.
const (
	BindVar BindKind = iota
	BindParam
	BindLet
	BindConst
	BindFunction // function declaration
	BindClass
	BindCatch
	BindFuncName  // own name of a function expression: assignments throw
	BindClassName // inner name of a class: assignments throw
	BindArguments
	BindThis      // this of a non-arrow function captured by arrows
	BindNewTarget // new.target likewise
	BindPrivate   // a private name of a class
	BindHome      // home object for super, captured by arrows
	BindFunc      // active function, for super calls, captured by arrows
)

// Binding is one declared name.
type Binding struct {
	Name, Orig string
	Kind       BindKind
	Captured   bool // some inner function uses it: lives in a cell
	TDZ        bool // starts uninitialised
	Checked    bool // some reference must check the dead zone, so the slot must say so
	Used       bool
	Assigned   bool // written to after its declaration
	Index      int32
	Pos        Pos
	Scope      *Scope
}

// Scope is an environment record of the source: the names declared in one block, function or class.
type Scope struct {
	Func     *Function // function the scope belongs to
	Parent   *Scope
	Names    map[string]*Binding
	List     []*Binding // in order of declaration
	Funcs    []*Function
	HasCells bool // some binding is captured: fresh cells on entry
	Switch   bool // of a switch statement: clauses can be entered past a declaration
}

// FuncInfo is what the resolver found out about a function.
type FuncInfo struct {
	Slots       int32      // frame slots for names (temporaries come after)
	Captures    []Capture  // cells to take from the creating frame
	Hoisted     []*Binding // vars to start as undefined
	UsesThis    bool
	UsesArgs    bool
	HasAwait    bool // contains an await of its own (for await included)
	HasYield    bool
	UsesLexical bool     // this function, or an arrow inside it, uses super or new.target
	Self        *Binding // own name of a function expression, if used
	Simple      bool     // parameters are plain identifiers without defaults
	BodyScope   *Scope
}

// Capture says where the creating frame finds a captured cell.
type Capture struct {
	FromParent bool // the creating frame's own captured cell Index, else its frame slot Index
	Index      int32
}
