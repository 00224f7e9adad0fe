"""A table of the symmetrical uncertainty of every pair of variables, counted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs

from holdfast._progress import watcher
from holdfast.kernels.information import joint_scratch, log_table
from holdfast.kernels.medoids import fill_uncertainties
from holdfast.prepare.codes import Codes

Array = npt.NDArray[Any]

# Up to so many variables an entry takes eight bytes, half a gigabyte in all; with more it takes four.
MOST_IN_FULL = 8_192
# So many variables make a table of 3.6 gigabytes.
MOST = 30_000
# Variables whose pairs are one piece of work.
_ROWS = 64


@dataclass(frozen=True)
class PairTable:
    """What pairs share, as whole numbers of ``unit`` each; 0 on the diagonal.

    The steps are 2⁻⁴⁶, far below a tie, or 2⁻³¹ where memory asks for it. Sums of the entries are exact: they fit into
    64 bits for as many variables as there may be.
    """

    entries: Array
    unit: float

    def __len__(self) -> int:
        return len(self.entries)


def uncertainty_of_pairs(codes: Codes, variables: Array) -> PairTable:
    """Symmetrical uncertainty of some variables, each with every other of them, in their order."""
    n_variables = len(variables)
    is_full = n_variables <= MOST_IN_FULL
    scale = 2.0**46 if is_full else 2.0**31
    entries = np.zeros((n_variables, n_variables), dtype=np.int64 if is_full else np.uint32)
    table, unit = log_table(codes.n_samples)
    bits, sizes, n_levels, margins = (
        part[variables] for part in (codes.bits, codes.sizes, codes.n_levels, codes.margins)
    )
    levels = codes.levels[variables] if codes.levels.size else codes.levels
    tick = watcher()

    def fill(first: int, last: int) -> None:
        fill_uncertainties(
            bits, sizes, n_levels, levels, margins, table, unit, first, last, scale, joint_scratch(), entries
        )
        tick("Pairs counted", last * (last - 1) // 2, n_variables * (n_variables - 1) // 2)

    pieces = [(first, min(first + _ROWS, n_variables)) for first in range(0, n_variables, _ROWS)]
    n_threads = min(effective_n_jobs(None), len(pieces))
    if n_threads <= 1:
        for piece in pieces:
            fill(*piece)
    else:
        # Pieces write into one table, of which a process would have a copy.
        Parallel(n_jobs=n_threads, require="sharedmem")(delayed(fill)(*piece) for piece in pieces)
    return PairTable(entries, 1.0 / scale)
