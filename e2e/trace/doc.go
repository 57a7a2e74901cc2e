// Package trace tests the pages of codemode run --trace in a real browser. It needs Chromium, which .ci/run installs where
// it can.
package trace
