"""Fingerprints of samples and features that depend neither on the order of the samples nor on that of the features.

A sample is known by the values it has, then by the features in which it has them; a feature by its values, then by
the samples that have them. Sums modulo 2**64 forget the order, and two rounds tell apart what is not the mirror image
of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.kernels._jit import Array, inlined, kernel

_MINUS_ZERO = np.uint64(1 << 63)
# The constants of SplitMix64 (Steele, Lea and Flood 2014).
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


@inlined
def _mixed(word: Any, key: Any) -> Any:
    word = (np.uint64(0) if word == _MINUS_ZERO else word) + key + _STEP
    word = (word ^ (word >> np.uint64(30))) * _FIRST
    word = (word ^ (word >> np.uint64(27))) * _SECOND
    return word ^ (word >> np.uint64(31))


@kernel
def add_row_fingerprints(words: Array, column_keys: Array, row_keys: Array) -> None:
    """Add to the key of each row what it holds, and where; ``words`` are float64 seen as uint64."""
    for r in range(words.shape[0]):
        row = words[r]
        total = np.uint64(0)
        for f in range(row.shape[0]):
            total += _mixed(row[f], column_keys[f])
        row_keys[r] += total


@kernel
def add_column_fingerprints(words: Array, row_keys: Array, column_keys: Array) -> None:
    """Add to the key of each column what it holds, and where."""
    for r in range(words.shape[0]):
        row = words[r]
        for f in range(row.shape[0]):
            column_keys[f] += _mixed(row[f], row_keys[r])
