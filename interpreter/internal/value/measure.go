package value

// This file defines the memory budget: a running account of allocations and, when it passes the budget, a measurement of
// what the program still reaches, which resets the account. Garbage is never held against a program.

import "github.com/codemode-go/codemode/promise"

// Traced is implemented by the Ext of objects that hold guest values: Trace shows them and returns the bytes of the
// structure itself.
type Traced interface {
	Trace(visit func(Value)) int
}

// budget is the state of the account.
type budget struct {
	max     int64 // 0: none
	charged int64 // since the last measurement, on top of what was live then
	next    int64 // at this account the next measurement is due
	spent   bool  // the budget was exceeded
	base    int64 // base+charged only grows: the bytes charged so far
	// building is base+charged+1 at the begin of the outermost construction, 0 outside; held is the size of buffers.
	building, held int64
	// extra reports bytes and values that the embedding holds for the program.
	extra func(visit func(Value)) int64
}

// LimitMemory sets the budget in bytes; extra shows what the embedding holds: promises of outstanding calls, logs.
func (r *Realm) LimitMemory(bytes int64, extra func(visit func(Value)) int64) {
	r.memory.max, r.memory.next, r.memory.extra = bytes, bytes, extra
}

// OutOfMemory tells that the budget ended the execution.
func (r *Realm) OutOfMemory() bool { return r.memory.spent }

// Charge accounts for n bytes of guest data.
func (r *Realm) Charge(n int) {
	m := &r.memory
	m.charged += int64(n)
	if m.charged > m.next && m.max > 0 {
		r.Fuel = 0 // the next checkpoint measures
	}
}

// Allot asks for a single large allocation before it is made: false if it would pass the budget, which ends the
// execution. Small ones need not ask.
func (r *Realm) Allot(n int) bool {
	m := &r.memory
	if m.max == 0 || m.charged+int64(n) <= m.next {
		return !r.Terminated
	}
	return r.settleMemory(int64(n))
}

// ExceedMemory ends the execution if n bytes at once are more than the whole budget, and reports whether they are. It is for
// what the embedding makes of guest data, where a value that is shared is made as often as it is referred to.
func (r *Realm) ExceedMemory(n int64) bool {
	m := &r.memory
	if m.max == 0 || n <= m.max {
		return false
	}
	m.spent = true
	r.Terminate()
	return true
}

// settleMemory measures and starts a new account; want is what is about to be allocated.
func (r *Realm) settleMemory(want int64) bool {
	if r.Terminated {
		return false
	}
	m := &r.memory
	live := r.measure() + m.unrooted()
	if live+want > m.max {
		m.spent = true
		r.Terminate()
		return false
	}
	m.base += m.charged - live
	m.charged = live
	m.next = max(m.max, live+m.max/8)
	return true
}

// measurer walks everything a program reaches, without recursion.
type measurer struct {
	r     *Realm
	seen  map[*Header]struct{}
	work  []Value
	total int64
}

// Sizes of the fixed structures, rounded up.
const (
	shapeBytes  = 160
	propBytes   = 40
	frameBytes  = 1 << 10 // Go stack of a frame of a live coroutine
	routineSize = 3 << 10
	ropeBytes   = 64
)

func (r *Realm) measure() int64 {
	m := &measurer{r: r, seen: make(map[*Header]struct{}, 1024)}
	m.roots()
	for len(m.work) > 0 {
		v := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		m.scan(v)
	}
	return m.total
}

func (m *measurer) add(v Value) {
	if v.p == nil || v.p.kind < KindExact || v.p.kind > KindObject && v.p.kind != KindCell && v.p.kind != KindAccessor {
		return
	}
	if _, ok := m.seen[v.p]; ok {
		return
	}
	m.seen[v.p] = struct{}{}
	m.work = append(m.work, v)
}

func (m *measurer) object(o *Object) {
	if o != nil {
		m.add(o.Value())
	}
}

func (m *measurer) roots() {
	r := m.r
	m.add(r.exc)
	for _, v := range r.globals {
		m.add(v)
	}
	for _, o := range r.intrinsics {
		m.object(o)
	}
	for _, s := range r.Sites {
		if o, ok := s.(*Object); ok {
			m.object(o)
		}
	}
	for o := range r.protoShapes {
		m.object(o)
	}
	m.total += int64(len(r.protoShapes))*shapeBytes + r.keyBytes
	m.coroutine(r.Main)
	for _, co := range r.all {
		m.total += routineSize
		m.coroutine(co)
	}
	r.Machine.Trace(m)
	if r.memory.extra != nil {
		m.total += r.memory.extra(m.add)
	}
}

func (m *measurer) coroutine(co *Coroutine) {
	m.values(co.stack)
	for _, c := range co.chunks[:co.chunk] {
		m.values(c)
	}
	m.values(co.roots)
	m.add(co.sent)
	m.add(co.newTarget)
	m.add(co.ReturnValue)
	for _, f := range co.frames[:co.fp] {
		m.total += frameBytes
		m.add(f.This)
		m.add(f.NewTarget)
		m.add(f.Ret)
		m.values(f.Args)
		if f.Fn != nil {
			m.object(&f.Fn.Object)
		}
		m.cells(f.Caps)
	}
}

func (m *measurer) values(vs []Value) {
	m.total += int64(16 * cap(vs))
	for _, v := range vs {
		m.add(v)
	}
}

func (m *measurer) cells(cs []*Cell) {
	for _, c := range cs {
		m.add(c.Value())
	}
}

// Value, Promise and Continuation implement promise.Visitor.
func (m *measurer) Value(v Value) { m.add(v) }

// Promise visits a promise that may have no object yet.
func (m *measurer) Promise(p *promise.Promise[Value]) {
	if o, ok := p.Tag.(*Object); ok {
		m.object(o)
		return
	}
	m.total += 96
	m.add(p.Value())
}

// Continuation visits what is resumed; coroutines are roots already.
func (m *measurer) Continuation(k promise.Continuation[Value]) {
	m.total += 32
	if a, ok := k.(*flatActivation); ok {
		m.total += flatBytes
		m.values(a.slots)
		m.values(a.args)
		m.add(a.this)
		m.object(&a.fn.Object)
		m.Promise(a.promise)
	}
}

func (m *measurer) scan(v Value) {
	switch v.p.kind {
	case KindString:
		m.str(v.Str())
	case KindSymbol:
		m.total += 48
	case KindBigInt:
		m.total += 48 + int64(v.BigInt().Int.BitLen()/8)
	case KindExact:
		m.total += 48 + int64(len(v.Exact().Text))
	case KindCell:
		m.total += 24
		m.add(v.Cell().V)
	case KindAccessor:
		a := v.accessor()
		m.total += 32
		m.object(a.Get)
		m.object(a.Set)
	case KindObject:
		m.scanObject(v.Object())
	}
}

func (m *measurer) str(s *Str) {
	m.total += 32 + int64(len(s.s))
	if s.x != nil {
		m.total += 48 + int64(2*len(s.x.u)+len(s.x.key))
	}
	if s.Flags&flagJoin != 0 {
		m.total += ropeBytes - 32
		if s.Flags&flagRope != 0 {
			m.add(s.rope().left.Value())
			m.add(s.rope().right.Value())
		}
	}
}

func (m *measurer) scanObject(o *Object) {
	m.total += objectBytes + int64(o.leftRoom())
	m.values(o.Slots)
	m.values(o.Elems)
	m.object(o.Shape.Proto)
	if o.Shape.owned && !o.Shape.cow {
		m.total += shapeBytes + int64(propBytes*cap(o.Shape.props)+48*len(o.Shape.names)) + o.Shape.longKeys()
	}
	if f := o.asFunction(); f != nil {
		m.total += functionBytes - objectBytes
		if f.native != nil {
			m.total += nativeBytes - functionBytes
		}
		m.cells(f.Caps)
		m.add(f.This)
		m.object(f.Home)
	}
	m.ext(o.Ext)
}

func (m *measurer) ext(x any) {
	switch x := x.(type) {
	case nil:
	case Value:
		m.add(x)
	case *Str:
		m.add(x.Value())
	case *promise.Promise[Value]:
		m.total += 64
		x.Trace(m)
	case *Bound:
		m.object(x.Target)
		m.add(x.This)
		m.values(x.Args)
	case *Iterator:
		m.total += 64
		m.add(x.Object)
		m.add(x.Next)
	case *Generator:
		m.total += 160
		m.add(x.this)
		m.add(x.out)
		m.values(x.args)
		for _, q := range x.queue {
			m.total += 64
			m.add(q.v)
			m.Promise(q.promise)
		}
	case Traced:
		m.total += int64(x.Trace(m.add))
	}
}
