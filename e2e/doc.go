// Package e2e has the tests that need peers from outside Go, such as the
// TypeScript compiler from npm. They run by .ci/run, not with those of the main
// module.
package e2e
