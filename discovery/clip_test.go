package discovery

import (
	"strings"
	"testing"
)

// A query is read up to a bound: what stands behind it counts for nothing, whatever its length.
func TestLongQueryIsClipped(t *testing.T) {
	if got := clip(strings.Repeat("é", 3<<10)); len(got) != maxQueryBytes || strings.ToValidUTF8(got, "?") != got {
		t.Errorf("got %d bytes", len(got))
	}
	if got := clip(strings.Repeat("é", 3<<10) + "a"); len(got) > maxQueryBytes {
		t.Errorf("got %d bytes", len(got))
	}
	if got := clip("a" + strings.Repeat("é", 3<<10)); len(got) != maxQueryBytes-1 {
		t.Errorf("half a character was kept: %d bytes", len(got))
	}
}
