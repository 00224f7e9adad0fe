"""A fingerprint of every sample that does not depend on the order of the features."""

from __future__ import annotations

import numpy as np

from holdfast.kernels._jit import Array, kernel

_MINUS_ZERO = np.uint64(1 << 63)
# The mixing constants of SplitMix64 (Steele, Lea and Flood 2014).
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)


@kernel
def row_fingerprints(words: Array, fingerprints: Array) -> None:
    """Sum, modulo 2**64, of the mixed bits of a row's values; ``words`` are float64 seen as uint64."""
    for r in range(words.shape[0]):
        total = np.uint64(0)
        for f in range(words.shape[1]):
            word = words[r, f]
            if word == _MINUS_ZERO:
                word = np.uint64(0)
            word += _STEP
            word = (word ^ (word >> np.uint64(30))) * _FIRST
            word = (word ^ (word >> np.uint64(27))) * _SECOND
            total += word ^ (word >> np.uint64(31))
        fingerprints[r] = total
