package bench

import "testing"

// BenchmarkOwn runs each program in a fresh realm: for profiles, and for comparing two commits by their test binaries.
func BenchmarkOwn(b *testing.B) {
	for _, p := range append(programs, everyday(b)...) {
		b.Run(p.name, func(b *testing.B) {
			c := compiled(b, p.source)
			b.ReportAllocs()
			for b.Loop() {
				own(b, c)
			}
		})
	}
}
