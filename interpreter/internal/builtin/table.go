// Package builtin is the guest's standard library: one table row for each builtin.
//
// A family file holds its rows and their functions. The rows say name, length, code, TypeScript signature and one line of
// prose; the realm, the support document and the hints about what is missing all read them.
package builtin

import (
	"slices"
	"sync"

	"github.com/codemode-go/codemode/interpreter/internal/value"
)

type (
	realm  = value.Realm
	val    = value.Value
	object = value.Object
	row    = value.Row
)

// Library returns the process-wide templates, built on first use.
var Library = sync.OnceValue(func() *value.Library {
	return value.NewLibrary(templates(), globals())
})

// templates lists every intrinsic object of the library.
func templates() []*value.Template {
	return slices.Concat(
		objectTemplates(), functionTemplates(), errorTemplates(), symbolTemplates(), arrayTemplates(), iteratorTemplates(),
		promiseTemplates(), generatorTemplates(), reflectTemplates(), consoleTemplates(), jsonTemplates(), stringTemplates(),
		numberTemplates(), mathTemplates(), bigintTemplates(), regExpTemplates(), mapTemplates(), setTemplates(), dateTemplates(), iteratorConstructor(),
		uint8arrayTemplates(), encodingTemplates(), cryptoTemplates(), urlTemplates(), searchParamsTemplates(), headersTemplates(),
	)
}

// arg returns argument i, undefined if absent.
func arg(args []val, i int) val {
	if i < len(args) {
		return args[i]
	}
	return value.Undefined
}

// done turns the outcome of an internal method into a result: undefined, or Throw; Failed becomes a TypeError.
func done(r *realm, d value.Done, format string, args ...any) bool {
	if d == value.Failed {
		r.ThrowTypeError(format, args...)
	}
	return d == value.OK
}

// put creates or overwrites a property as strict code does (Set with throw).
func put(r *realm, o *object, k value.Key, v val) bool { return r.PutV(o.Value(), k, v) }

// create is CreateDataPropertyOrThrow.
func create(r *realm, o *object, k value.Key, v val) bool {
	return done(r, r.CreateDataProperty(o, k, v), "Cannot define property %s, object is not extensible", k)
}

func str(s string) val { return value.String(s) }

func notObject(r *realm, v val, what string) val {
	return r.ThrowTypeError("%s called on %s, which is not an object", what, r.Describe(v))
}
