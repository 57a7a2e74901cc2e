// Package proptest has the laws of the runtime as properties over random effects, scopes, promise programs and whole
// programs. It has no code of its own to import: `go test ./proptest` checks every property on at least a hundred
// cases, -rapid.checks sets another number, and what fails is shrunk and printed in readable form. What waits does so in
// virtual time. docs/effects.md says which property checks which law, and which line of the code breaks it.
package proptest
