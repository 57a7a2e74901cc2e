package value

// This file defines the hash under which keyed collections keep values.

import (
	"hash/maphash"
	"math"
	"unsafe"
)

var hashSeed = maphash.MakeSeed()

const hashPrime = 0x9E3779B97F4A7C15

// Hash is equal for values that SameValueZero holds equal. It is stable within a process: heap values do not move.
func (v Value) Hash() uint32 {
	switch v.p.kind {
	case KindNumber:
		return hashFloat(v.Float())
	case KindExact:
		return hashFloat(v.Exact().F)
	case KindString:
		return v.Str().hash()
	case KindBigInt:
		return mix(uint64(v.BigInt().Int.BitLen())<<32 ^ v.BigInt().Int.Uint64())
	case KindBool:
		return mix(v.n + 1)
	}
	return mix(uint64(uintptr(unsafe.Pointer(v.p))) >> 4)
}

// mix folds before it multiplies: the low bits of most doubles are zero.
func mix(n uint64) uint32 { return uint32((n ^ n>>32) * hashPrime >> 32) }

func hashFloat(f float64) uint32 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return 1
	}
	return mix(math.Float64bits(f))
}

func (s *Str) hash() uint32 {
	if s.Flags&flagRope != 0 {
		s.flatten()
	}
	if s.Flags&flagWide == 0 {
		return uint32(maphash.String(hashSeed, s.s))
	}
	h := uint64(s.N)
	for _, c := range s.x.u {
		h = (h ^ uint64(c)) * hashPrime
		h ^= h >> 29
	}
	return uint32(h >> 32)
}
