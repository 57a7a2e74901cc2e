package main

// This file defines which tests of the suite the interpreter can be asked to run: those of strict programs that need no
// module, eval, host object, shared memory or proxy.

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// What is left out for good: not part of what the language here promises.
var (
	withoutFeature = set(`SharedArrayBuffer Atomics Atomics.waitAsync Atomics.pause Proxy proxy-missing-checks Reflect
		Reflect.construct Reflect.set Reflect.setPrototypeOf WeakRef FinalizationRegistry
		FinalizationRegistry.prototype.cleanupSome host-gc-required dynamic-import import.meta import-attributes
		import-defer import-text import-bytes source-phase-imports source-phase-imports-module-source json-modules Temporal
		ShadowRealm cross-realm tail-call-optimization IsHTMLDDA explicit-resource-management decorators ArrayBuffer
		DataView TypedArray resizable-arraybuffer arraybuffer-transfer immutable-arraybuffer Float16Array Float32Array
		Float64Array Int8Array Int16Array Int32Array Uint16Array Uint8ClampedArray Uint32Array
		Intl.DateTimeFormat-datetimestyle Intl-enumeration Intl.Locale Intl.DurationFormat legacy-regexp caller
		nonextensible-applies-to-private await-dictionary joint-iteration iterator-sequencing symbols-as-weakmap-keys
		stable-typedarray-sort regexp-legacy align-detached-buffer-semantics-with-web-reality
		DataView.prototype.getFloat32 canonical-tz Math.clamp error-stack-accessor uint8array-base64`)
	withoutFlag    = set(`module raw noStrict CanBlockIsFalse CanBlockIsTrue non-deterministic`)
	withoutInclude = set(`detachArrayBuffer.js testTypedArray.js testBigIntTypedArray.js testAtomics.js atomicsHelper.js
		resizableArrayBufferUtils.js fnGlobalObject.js nativeFunctionMatcher.js wellKnownIntrinsicObjects.js
		proxyTrapsHelper.js tcoHelper.js temporalHelpers.js testIntl.js hidden-constructors.js`)
	withoutFolder = regexp.MustCompile(`^language/(eval-code|module-code|import|export|directive-prologue|global-code|source-text)/` +
		`|/(dynamic-import|import\.meta)/` +
		`|^built-ins/(eval|Function|GeneratorFunction|AsyncFunction|AsyncGeneratorFunction|ArrayBuffer|Atomics|DataView|FinalizationRegistry|Proxy|Reflect|ShadowRealm|SharedArrayBuffer|Temporal|TypedArray|TypedArrayConstructors|WeakRef|AbstractModuleSource|AsyncDisposableStack|DisposableStack|Uint8Array|global|ThrowTypeError)/` +
		`|^built-ins/(BigInt64Array|BigUint64Array)`)
	withoutText = regexp.MustCompile(`\$262|\beval\b|\bnew Function\b|\bFunction\(|createRealm|detachArrayBuffer|ArrayBuffer|DataView|\bProxy\b|\bReflect\b|Function\.prototype\.caller|(Int|Uint|Float)\d+(Clamped)?Array|fnGlobalObject|globalThis|\bwith\s*\(`)

	comments    = regexp.MustCompile(`(?s:/\*.*?\*/)|//[^\n\r\x{2028}\x{2029}]*`)
	frontMatter = regexp.MustCompile(`(?s)/\*---\r?\n(.*?)---\*/`)
	negativeOf  = regexp.MustCompile(`(?m)^negative:\s*\n((?:\s+\w+:.*\n?)+)`)
	phaseOf     = regexp.MustCompile(`phase:\s*(\w+)`)
	typeOf      = regexp.MustCompile(`type:\s*(\w+)`)
	bullet      = regexp.MustCompile(`(?m)^\s*-\s*`)
	lineEnds    = regexp.MustCompile(`\r\n?`)
)

// selectTests lists the tests of a checkout whose id contains filter, in the order of their ids.
func selectTests(dir, filter string) ([]test, error) {
	var out []test
	root := filepath.Join(dir, "test")
	for _, top := range []string{"language", "built-ins"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".js") || strings.Contains(path, "_FIXTURE") {
				return err
			}
			id, err := filepath.Rel(root, path)
			if id = filepath.ToSlash(id); err != nil || withoutFolder.MatchString(id) || !strings.Contains(id, filter) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if t, ok := readTest(id, string(text)); ok {
				out = append(out, t)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readTest reads a test's front matter; ok is false if it is left out.
func readTest(id, text string) (t test, ok bool) {
	meta := ""
	if m := frontMatter.FindStringSubmatch(text); m != nil {
		meta = lineEnds.ReplaceAllString(m[1], "\n")
	}
	t = test{ID: id, Source: text, Includes: list(meta, "includes"), Area: area(id)}
	flags := list(meta, "flags")
	for words, without := range map[*[]string]map[string]bool{&flags: withoutFlag, &t.Includes: withoutInclude} {
		if slices.ContainsFunc(*words, func(w string) bool { return without[w] }) {
			return t, false
		}
	}
	if slices.ContainsFunc(list(meta, "features"), func(w string) bool { return withoutFeature[w] }) ||
		withoutText.MatchString(comments.ReplaceAllString(text, "")) {
		return t, false
	}
	t.Async = slices.Contains(flags, "async")
	if m := negativeOf.FindStringSubmatch(meta); m != nil {
		t.Negative = &negative{Phase: first(phaseOf, m[1]), Type: first(typeOf, m[1])}
	}
	return t, true
}

func first(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// area is the part of the suite that a test is counted under.
func area(id string) string {
	parts := strings.Split(id, "/")
	n := 2
	if parts[0] == "language" {
		n = 3
	}
	return strings.Join(parts[:min(n, len(parts)-1)], "/")
}

// list reads a list of the front matter, in either of YAML's two forms.
func list(meta, key string) []string {
	var out []string
	if m := regexp.MustCompile(`(?m)^` + key + `:\s*\[([^\]]*)\]`).FindStringSubmatch(meta); m != nil {
		for _, w := range strings.Split(m[1], ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
		return out
	}
	if m := regexp.MustCompile(`(?m)^` + key + `:\s*\n((?:\s+-.*\n?)+)`).FindStringSubmatch(meta); m != nil {
		for _, line := range strings.Split(m[1], "\n") {
			if w := strings.TrimSpace(bullet.ReplaceAllString(line, "")); w != "" {
				out = append(out, w)
			}
		}
	}
	return out
}
