package builtin

// This file holds what to write instead of methods that a kind of value does not have: those of other languages and
// libraries, and those that are functions here. "%" stands for the value.

type baseKind uint8

const (
	baseOther baseKind = iota
	baseString
	baseNumber
	baseArray
	baseDate
	baseMap
	baseSet
	baseFunction
	baseClass  // or a function of the library
	baseObject // plain
)

// kindNouns name a value that has no expression.
var kindNouns = map[baseKind]string{
	baseOther: "value", baseString: "text", baseNumber: "n", baseArray: "list", baseDate: "date", baseMap: "map", baseSet: "set",
	baseFunction: "fn", baseClass: "Class", baseObject: "obj",
}

var insteadOf = map[baseKind]map[string]string{
	baseString: {
		"contains": "use %.includes(…)", "has": "use %.includes(…)", "append": "use + or %.concat(…)", "add": "use + or %.concat(…)", "push": "use + or %.concat(…)",
		"strip": "use %.trim()", "lstrip": "use %.trimStart()", "rstrip": "use %.trimEnd()", "upper": "use %.toUpperCase()", "lower": "use %.toLowerCase()",
		"startswith": "use %.startsWith(…)", "endswith": "use %.endsWith(…)", "find": "use %.indexOf(…)", "count": "use %.split(…).length - 1",
		"size": "use %.length", "isEmpty": "use % === \"\"", "reverse": "use [...%].reverse().join(\"\")", "json": "use JSON.parse(%)", "sub": "use %.replace(…)", "gsub": "use %.replaceAll(…)",
		"toNumber": "use Number(%)", "toInt": "use parseInt(%, 10)", "toArray": "use [...%]",
	},
	baseNumber: {"toNumber": "use it as it is", "toInt": "use Math.trunc(%)", "toText": "use String(%)"},
	baseArray: {
		"max": "use Math.max(...%)", "min": "use Math.min(...%)", "sum": "use %.reduce((a, b) => a + b, 0)", "fold": "use %.reduce(…)", "inject": "use %.reduce(…)",
		"average": "use %.reduce((a, b) => a + b, 0) / %.length", "mean": "use %.reduce((a, b) => a + b, 0) / %.length",
		"substring": "use %.slice(…)", "substr": "use %.slice(…)", "add": "use %.push(…)", "append": "use %.push(…)", "size": "use %.length", "count": "use %.length, or %.filter(…).length",
		"isEmpty": "use %.length === 0", "empty": "use %.length === 0", "first": "use %[0]", "last": "use %.at(-1)", "get": "use %[i]", "set": "use %[i] = …", "has": "use %.includes(…)", "contains": "use %.includes(…)",
		"each": "use %.forEach(…)", "collect": "use %.map(…)", "select": "use %.filter(…)", "where": "use %.filter(…)", "reject": "use %.filter(x => !…)", "any": "use %.some(…)", "all": "use %.every(…)",
		"remove": "use %.filter(…), or %.splice(i, 1)", "delete": "use %.filter(…), or %.splice(i, 1)", "clear": "use %.length = 0", "insert": "use %.splice(i, 0, …)", "extend": "use %.push(...more)",
		"uniq": "use [...new Set(%)]", "unique": "use [...new Set(%)]", "distinct": "use [...new Set(%)]", "sortBy": "use %.toSorted((a, b) => …)", "orderBy": "use %.toSorted((a, b) => …)",
		"groupBy": "use Object.groupBy(%, …)", "flatten": "use %.flat(Infinity)", "take": "use %.slice(0, n)", "skip": "use %.slice(n)", "drop": "use %.slice(n)", "pluck": "use %.map(x => x.key)", "compact": "use %.filter(Boolean)",
		"toArray": "use it as it is", "json": "use it as it is, it is data already", "item": "use %.at(i)", "clone": "use [...%]", "copy": "use [...%]",
	},
	baseDate: {
		"getYears": "use %.getUTCFullYear()", "getYear": "use %.getUTCFullYear()", "format": "use %.toISOString() or %.toLocaleDateString(\"en-US\", { … })", "toISODate": "use %.toISOString().slice(0, 10)",
		"getTimestamp": "use %.getTime()", "toTimestamp": "use %.getTime()", "unix": "use Math.floor(%.getTime() / 1000)", "addDays": "use %.setUTCDate(%.getUTCDate() + n)",
	},
	baseMap: {
		"add": "use %.set(key, value)", "push": "use %.set(key, value)", "put": "use %.set(key, value)", "contains": "use %.has(key)", "includes": "use %.has(key)", "containsKey": "use %.has(key)", "remove": "use %.delete(key)",
		"length": "use %.size", "count": "use %.size", "toArray": "use [...%]", "toObject": "use Object.fromEntries(%)", "isEmpty": "use %.size === 0", "getOrDefault": "use %.get(key) ?? …",
	},
	baseSet: {
		"push": "use %.add(…)", "append": "use %.add(…)", "set": "use %.add(…)", "put": "use %.add(…)", "get": "use %.has(…)", "contains": "use %.has(…)", "includes": "use %.has(…)", "remove": "use %.delete(…)",
		"length": "use %.size", "count": "use %.size", "toArray": "use [...%]", "isEmpty": "use %.size === 0",
	},
	baseObject: {
		"values": "use Object.values(%)", "keys": "use Object.keys(%)", "entries": "use Object.entries(%)", "items": "use Object.entries(%)", "get": "use %[key]", "set": "use %[key] = …", "has": "use key in %, or Object.hasOwn(%, key)", "delete": "use delete %[key]",
		"size": "use Object.keys(%).length", "length": "use Object.keys(%).length", "assign": "use Object.assign(%, …)", "json": "use it as it is, it is data already", "toJSON": "use JSON.stringify(%)", "stringify": "use JSON.stringify(%)",
		"toArray": "use Object.values(%)", "containsKey": "use key in %", "text": "use JSON.stringify(%)",
	},
	baseClass: {
		"isString": "use typeof x === \"string\"", "isNumber": "use typeof x === \"number\"", "isBoolean": "use typeof x === \"boolean\"", "isFunction": "use typeof x === \"function\"",
		"isObject": "use typeof x === \"object\" && x !== null", "isMap": "use x instanceof Map", "isSet": "use x instanceof Set", "isDate": "use x instanceof Date", "isEmpty": "use Object.keys(x).length === 0",
		"range": "use Array.from({ length: n }, (_, i) => i)",
	},
}

// annexB are methods that ECMA-262 keeps for old pages only (Annex B); they are never suggested.
var annexB = map[string]bool{
	"anchor": true, "big": true, "blink": true, "bold": true, "fixed": true, "fontcolor": true, "fontsize": true, "italics": true, "link": true, "small": true,
	"strike": true, "sub": true, "sup": true, "getYear": true, "setYear": true, "toGMTString": true, "compile": true,
	"__defineGetter__": true, "__defineSetter__": true, "__lookupGetter__": true, "__lookupSetter__": true, "__proto__": true,
}
