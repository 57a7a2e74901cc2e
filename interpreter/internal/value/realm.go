package value

// This file defines Realm: everything one execution owns.

import (
	"fmt"

	"github.com/codemode-go/codemode/promise"
)

// Realm is the state of one execution: intrinsics, shapes, inline caches, jobs, the running coroutine, the pending
// exception and the accounts (fuel, depth, memory). It is used by one goroutine at a time.
type Realm struct {
	Fuel        int  // counts down to the next slow checkpoint
	Stack       int  // units of Go stack in use on the running chain
	Terminated  bool // an uncatchable ending is under way: catch and finally are skipped
	Epoch       uint32
	Pos         int32 // place of the operation that may throw, in the stripped text
	ResultPos   int32 // place of the return statement or expression that gave the program\'s value
	AwaitPos    int32 // place of the await that the main body is in
	ThrowPos    int32 // place of the last throw statement that threw something other than an error object
	Co          *Coroutine
	TextUses    []TextUse // fields that it read from texts that look like JSON
	toolTexts   map[*Str]*toolText
	nullArg     nullArgument
	missing     [maxMissing]missing
	ending      ending
	PromiseUses []PromiseUse // what the program did with promises as if they were their values, for warnings
	GetCaches   []GetCache
	SetCaches   []SetCache
	Sites       []any // per-site state of rarer kinds: template objects, regular expressions

	exc    Value
	memory budget
	// keyBytes is the text of the long keys in shared shapes, which stay until the end.
	keyBytes int64

	plainShape    *Shape
	arrayShape    *Shape
	functionShape *Shape
	nullShape     *Shape
	protoShapes   map[*Object]*Shape

	lib        *Library
	intrinsics [intrinsicCount]*Object
	globals    []Value

	Machine    *promise.Machine[Value]
	Main       *Coroutine
	idle       []*Coroutine
	all        []*Coroutine
	live       int // suspended or running activations on coroutines of their own
	checkpoint func() bool
	waitTurn   func() bool
	joining    []*Object // objects whose toString is under way, for cycles
	registry   map[string]*Symbol
	Env        Environment
	Suggest    func(r *Realm, base, name string, this Value) string // what to write instead of a missing method
	Activity   *Activity                                            // of a traced program, else nil
	Agent      any                                                  // the interpreter's own state of this execution

	arrayValues, arrayNext builtinSlot // the builtins behind fast iteration
	promiseThen            Value       // %Promise.prototype.then%
	promiseShape           *Shape
	iterShape              *Shape
}

// PromiseUse is a promise used as if it were its value: a property read that found nothing, or a conversion to text.
type PromiseUse struct {
	What string
	Key  string // of a property read
	Mend string // what to do, "" for awaiting it
	Pos  int32
}

// maxPromiseUses bounds how many are kept.
const maxPromiseUses = 5

// NotePromise notes a use of v if it is a promise.
func (r *Realm) NotePromise(v Value, what, key string) {
	o := v.Object()
	if o == nil || o.Class != ClassPromise || len(r.PromiseUses) >= maxPromiseUses {
		return
	}
	for _, u := range r.PromiseUses {
		if u.Pos == r.Pos && u.Key == key {
			return
		}
	}
	r.PromiseUses = append(r.PromiseUses, PromiseUse{What: what, Key: key, Pos: r.Pos})
}

// NotePromiseAnswer notes a function that answered with a promise where its caller decides at once.
func (r *Realm) NotePromiseAnswer(v Value, what, mend string) {
	n := len(r.PromiseUses)
	if r.NotePromise(v, what, ""); len(r.PromiseUses) > n {
		r.PromiseUses[n].Mend = mend
	}
}

// NoteFields notes that the properties of v were asked for, of which a promise has none.
func (r *Realm) NoteFields(v Value) {
	r.NotePromise(v, "the properties of a Promise were listed, which has none", "")
	r.NoteTextUse(v, "the properties listed are the characters of a text")
}

// missedOnPromise tells whether the property was read from a promise and not found there.
func (r *Realm) missedOnPromise(key string) bool {
	for _, u := range r.PromiseUses {
		if u.Key == key && key != "" {
			return true
		}
	}
	return false
}

// Alias is what an undeclared name means. See [Environment].
func (r *Realm) Alias(name string) (Value, bool) {
	if r.Env.Alias == nil {
		return Undefined, false
	}
	return r.Env.Alias(name)
}

// Environment is what the embedding injects.
type Environment struct {
	NowMillis func() float64
	Random    func() float64
	// RandomBytes fills b; nil is the system's generator.
	RandomBytes func(b []byte)
	// Log receives one console line. LogRoom is how many bytes the longest may have that it keeps; LogTooLong counts a line that
	// was not made because it is longer.
	Log        func(level, text string)
	LogRoom    func() int
	LogTooLong func()
	// Tools and Input make the globals of those names.
	Tools, Input func() Value
	// Alias is what a name means that the program does not declare and the library does not have; false is nothing.
	Alias func(name string) (Value, bool)
	// Meaning is a sentence about what the host knows under a name that nothing declares, or ""; nil knows nothing.
	Meaning func(name string) string
}

// GetCache is the inline cache of one property read.
type GetCache struct {
	Shape  *Shape
	Holder *Object // nil: own property, or missing when Slot < 0
	Epoch  uint32
	Slot   int32
}

// SetCache is the inline cache of one property write; New non-nil means the write adds the property.
type SetCache struct {
	Shape, New *Shape
	Epoch      uint32
	Slot       int32
}

// Config sets up a Realm.
type Config struct {
	Library *Library
	// Checkpoint is called every FuelBatch steps; false ends the execution uncatchably.
	Checkpoint func() bool
	// WaitTurn waits for a host completion and delivers it; false when none is outstanding or the execution ended.
	WaitTurn           func() bool
	GetSites, SetSites int
	AnySites           int
	Env                Environment
}

// FuelBatch is how many loop iterations and calls pass between two slow checkpoints.
const FuelBatch = 1024

// NewRealm makes a fresh realm.
func NewRealm(c Config) *Realm {
	r := &Realm{
		lib: c.Library, Fuel: FuelBatch, checkpoint: c.Checkpoint, waitTurn: c.WaitTurn,
		GetCaches: make([]GetCache, c.GetSites), SetCaches: make([]SetCache, c.SetSites), Sites: make([]any, c.AnySites),
		globals: make([]Value, len(c.Library.Globals)), Env: c.Env, Epoch: 1,
	}
	r.nullShape = newRootShape(nil)
	op := r.materialize(ObjectPrototype)
	r.plainShape = newRootShape(op)
	fp := r.materialize(FunctionPrototype)
	r.functionShape = newRootShape(fp)
	r.arrayShape = newRootShape(r.materialize(ArrayPrototype))
	r.Main = newCoroutine(r, mainStack)
	r.Main.isMain = true
	r.Co = r.Main
	r.Machine = promise.NewMachine[Value](agent{r})
	r.Machine.New = r.newPromiseData
	return r
}

// rootShape is the empty shape under proto.
func (r *Realm) rootShape(proto *Object) *Shape {
	switch proto {
	case nil:
		return r.nullShape
	case r.intrinsics[ObjectPrototype]:
		return r.plainShape
	case r.intrinsics[ArrayPrototype]:
		return r.arrayShape
	case r.intrinsics[FunctionPrototype]:
		return r.functionShape
	}
	if s := r.protoShapes[proto]; s != nil {
		return s
	}
	proto.markProto()
	s := newRootShape(proto)
	if r.protoShapes == nil {
		r.protoShapes = map[*Object]*Shape{}
	}
	r.protoShapes[proto] = s
	r.Charge(128)
	return s
}

// Step spends n units of fuel in builtins that iterate; false means the execution is ending.
func (r *Realm) Step(n int) bool {
	r.Fuel -= n
	return r.Fuel > 0 || r.Refuel()
}

// Owe accounts for work that is already done; the next Step is a checkpoint if it was much. It is for what cannot be
// interrupted and takes a bounded time.
func (r *Realm) Owe(n int) { r.Fuel -= n }

// oweText is Owe for a pass over n units of text.
func (r *Realm) oweText(n int) {
	if n > 1<<12 {
		r.Fuel -= n >> 12
	}
}

// Refuel is the slow checkpoint; false means the execution is ending and the caller must return Throw.
func (r *Realm) Refuel() bool {
	r.Fuel = FuelBatch
	if r.Terminated {
		return false
	}
	if r.checkpoint != nil && !r.checkpoint() {
		r.Terminate()
		return false
	}
	if m := &r.memory; m.max > 0 && m.charged > m.next {
		return r.settleMemory(0)
	}
	return true
}

// Terminate starts the uncatchable ending.
func (r *Realm) Terminate() Value {
	if !r.Terminated {
		r.ending.near = r.Pos
	}
	r.Terminated = true
	r.Fuel = 0
	r.exc = Undefined
	return Throw
}

// ThrowValue makes v the pending exception.
func (r *Realm) ThrowValue(v Value) Value {
	if !r.Terminated {
		r.exc = v
	}
	return Throw
}

// ThrowFrom is the throw statement.
func (r *Realm) ThrowFrom(v Value, pos int32) {
	r.ThrowPos = pos
	r.ThrowValue(v)
}

// Exception returns the pending exception.
func (r *Realm) Exception() Value { return r.exc }

// ThrowError throws a new error of the given type (TypeError, RangeError, …).
func (r *Realm) ThrowError(kind ID, format string, args ...any) Value {
	if r.Terminated {
		return Throw
	}
	msg := format
	if len(args) > 0 {
		msg = fmt.Sprintf(format, args...)
	}
	return r.ThrowValue(r.NewError(kind, msg).Value())
}

// ThrowTypeError is ThrowError(TypeError, …).
func (r *Realm) ThrowTypeError(format string, args ...any) Value {
	return r.ThrowError(TypeError, format, args...)
}

// ErrorData is the Ext of error objects.
type ErrorData struct {
	Pos int32 // where it was made, in the stripped text; -1 unknown
	// Host is the host failure behind it, kept so that an uncaught error keeps its kind; nil for the program's own errors.
	Host any
}

// NewError makes an error object with a message.
func (r *Realm) NewError(kind ID, msg string) *Object {
	o := r.NewClass(ClassError, r.Intrinsic(kind), &ErrorData{Pos: r.Pos})
	r.addProp(o, Name("message"), String(msg), AttrMethod)
	return o
}
