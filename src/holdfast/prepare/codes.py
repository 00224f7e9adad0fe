"""Codes: binned features as bit masks, the one form in which filters that count see the data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.kernels import information as kernels

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Codes:
    """Discrete variables of the same samples, bit-packed.

    Use it when counts, entropies or mutual information of many features are wanted; ``Codes.of`` makes one.

    Parameters
    ----------
    n_samples : int
        Number of samples.
    bits : ndarray of shape (n_variables, n_masks, n_words), dtype=uint64
        Mask of the samples at level 1, 2, …; level 0 has none.
    sizes : ndarray of shape (n_variables, n_masks), dtype=uint64
        How many samples each mask holds.
    n_levels : ndarray of shape (n_variables,), dtype=int64
        Levels of each variable; some of them may be empty.
    levels : ndarray of shape (n_variables, n_samples) or (0, 0), dtype=uint8
        The codes as bytes; empty when every variable is packed.

    Examples
    --------
    >>> from holdfast.prepare import Codes
    >>> Codes.of([[0, 0, 1, 2], [1, 1, 0, 0]]).n_levels
    array([3, 2])
    """

    n_samples: int
    bits: Array
    sizes: Array
    n_levels: Array
    levels: Array

    @classmethod
    def of(cls, levels: Any, n_levels: Array | None = None) -> Codes:
        """Pack byte codes of shape (n_variables, n_samples), each variable numbered from 0."""
        levels = np.ascontiguousarray(levels, dtype=np.uint8)
        if n_levels is None:
            n_levels = levels.max(axis=1, initial=0).astype(np.int64) + 1
        most = int(n_levels.max(initial=2))
        # A lone variable (the class, a pair of variables) may have as many masks as it likes.
        packable = kernels.MAX_LEVELS if len(levels) == 1 else kernels.MAX_PACKED_LEVELS
        n_masks = max(1, min(most, packable) - 1)
        bits = np.zeros((len(levels), n_masks, (levels.shape[1] + 63) // 64), dtype=np.uint64)
        sizes = np.zeros((len(levels), n_masks), dtype=np.uint64)
        kernels.pack(levels, n_levels, bits, sizes)
        keep_bytes = most > packable or len(levels) == 1
        return cls(levels.shape[1], bits, sizes, n_levels, levels if keep_bytes else np.empty((0, 0), np.uint8))

    def __len__(self) -> int:
        return len(self.bits)

    @property
    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """What kernels take."""
        return self.bits, self.sizes, self.n_levels, self.levels

    @cached_property
    def margins(self) -> Array:
        """Σ c·log2(c) over the levels of each variable, in units of the fixed-point table."""
        table, _ = kernels.log_table(self.n_samples)
        sums = np.empty(len(self), dtype=np.int64)
        kernels.marginal_sums(self.sizes, self.n_levels, self.levels, table, kernels.joint_scratch(), sums)
        return sums

    @property
    def is_constant(self) -> Array:
        """Which variables have one level only."""
        table, _ = kernels.log_table(self.n_samples)
        is_constant: Array = self.margins == table[-1]
        return is_constant

    def as_bytes(self, variables: Array | slice = slice(None)) -> Array:
        """The codes as bytes, of shape (n_variables, n_samples): of all variables, or of some."""
        if self.levels.size:
            return self.levels[variables]
        bits = np.ascontiguousarray(self.bits[variables])
        levels = np.zeros((len(bits), self.n_samples), dtype=np.uint8)
        kernels.unpack(bits, levels)
        return levels

    def one(self, variable: int) -> Codes:
        """One variable on its own."""
        at = slice(variable, variable + 1)
        if self.levels.size:
            return Codes.of(self.levels[at], self.n_levels[at])
        return Codes(self.n_samples, self.bits[at], self.sizes[at], self.n_levels[at], self.levels)

    def joint_sums(self, other: Codes, candidates: Array | None = None) -> Array:
        """Σ c·log2(c) over the joint levels of each candidate and the single variable ``other``."""
        _require_same_samples(self, other)
        if candidates is None:
            candidates = np.arange(len(self))
        if self.levels.size and not other.levels.size:
            other = Codes.of(other.as_bytes(), other.n_levels)
        table, _ = kernels.log_table(self.n_samples)
        sums = np.empty(len(candidates), dtype=np.int64)
        kernels.joint_sums(*self.arrays, candidates, *other.arrays, 0, table, kernels.joint_scratch(), sums)
        return sums


def _require_same_samples(first: Codes, second: Codes) -> None:
    """Refuse to count two variables of different samples together: kernels do not look at lengths."""
    if first.n_samples != second.n_samples:
        raise ValueError(
            f"Variables of {first.n_samples} and of {second.n_samples} samples cannot be counted together; "
            "they must describe the same samples."
        )


def combine(first: Codes, second: Codes) -> Codes:
    """The single variable whose levels are the pairs of levels of two single variables."""
    _require_same_samples(first, second)
    pairs = first.as_bytes()[0].astype(np.int64) * 256 + second.as_bytes()[0]
    observed, levels = np.unique(pairs, return_inverse=True)
    if len(observed) > kernels.MAX_LEVELS:
        raise DataError(
            f"A feature and the class have {len(observed)} levels together; at most {kernels.MAX_LEVELS} can be "
            "counted. Use a discretizer with fewer bins, or a method that looks at no triples, such as 'mrmr+'."
        )
    return Codes.of(levels[np.newaxis, :])
