package value

import "unsafe"

// unsafeString gives b as a string without copying; b must not be changed afterwards.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
