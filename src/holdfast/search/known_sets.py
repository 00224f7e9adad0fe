"""Sets of features met before, by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.kernels.sampling import look_up

Array = npt.NDArray[Any]
_FIRST = 1024


class KnownSets:
    """Numbers sets in the order in which they come; number 0 is the empty one.

    Examples
    --------
    >>> sets = KnownSets()
    >>> sets.numbers(np.array([3, 5, 7, 3, 5]), np.array([0, 2, 2, 3, 5])).tolist()
    [1, 0, 2, 1]
    """

    def __init__(self) -> None:
        self._members = np.empty(_FIRST, dtype=np.int64)
        self._starts = np.zeros(_FIRST, dtype=np.int64)
        self._slots = np.full(2 * _FIRST, -1, dtype=np.int64)
        self._n_sets = 0
        self.numbers(np.zeros(0, dtype=np.int64), np.zeros(2, dtype=np.int64))

    def __len__(self) -> int:
        return self._n_sets

    def numbers(self, members: Array, starts: Array) -> Array:
        """The number of every set, whose features ascend; new ones get the next."""
        which = np.empty(len(starts) - 1, dtype=np.int64)
        self._make_room(len(members), len(which))
        self._n_sets = look_up(members, starts, self._slots, self._members, self._starts, self._n_sets, which)
        return which

    def since(self, number: int) -> tuple[Array, Array]:
        """The sets from a number on: features one after the other, and where each set begins."""
        starts = self._starts[number : self._n_sets + 1]
        return self._members[starts[0] : starts[-1]], starts - starts[0]

    def _make_room(self, n_members: int, n_sets: int) -> None:
        n_used = int(self._starts[self._n_sets])
        if n_used + n_members > len(self._members):
            self._members = np.resize(self._members, 2 * (n_used + n_members))
        needed = self._n_sets + n_sets + 1
        if needed > len(self._starts):
            self._starts = np.concatenate([self._starts, np.zeros(needed, dtype=np.int64)])
        if 2 * needed > len(self._slots):
            self._slots = np.full(1 << int(np.ceil(np.log2(4 * needed))), -1, dtype=np.int64)
            known, starts = self._members[:n_used].copy(), self._starts[: self._n_sets + 1].copy()
            which = np.empty(self._n_sets, dtype=np.int64)
            # All of them are different, so that each gets its number again.
            look_up(known, starts, self._slots, self._members, self._starts, 0, which)
