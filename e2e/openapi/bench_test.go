package openapi

import (
	"runtime"
	"testing"

	"github.com/codemode-go/codemode/openapi"
)

// BenchmarkLoad loads large documents. MB-held is what a document and its tools
// hold afterwards.
func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"github", "libopenapi/stripe.yaml", "libopenapi/k8s.json", "libopenapi/docusignv3.1.json"} {
		text := document(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for b.Loop() {
				space, _, err := openapi.LoadNamespace(text, openapi.Options{DocumentURL: "https://docs.test/openapi.json"})
				if err != nil {
					b.Fatal(err)
				}
				runtime.KeepAlive(space)
			}
			b.StopTimer()
			space, _, _ := openapi.LoadNamespace(text, openapi.Options{DocumentURL: "https://docs.test/openapi.json"})
			runtime.GC()
			runtime.ReadMemStats(&after)
			runtime.KeepAlive(space)
			b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "MB-held")
		})
	}
}
