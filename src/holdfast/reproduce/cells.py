"""Printed numbers, ours beside them, and a verdict on each pair."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

AGREES, BETTER, WORSE, DIFFERS = "agrees", "better", "worse", "differs"
IMPOSSIBLE, NOT_RUN = "printed value impossible", "not run"
VERDICTS = (AGREES, BETTER, WORSE, DIFFERS, IMPOSSIBLE, NOT_RUN)

# Seconds of two machines that differ by less say nothing.
TIMES_ALIKE = 2.0
_COLUMNS = ("table", "data", "method", "setting", "quantity")
# Differences that only the last bit of a sum makes.
_ROUNDING = 1e-9


class Key(NamedTuple):
    """Where a number is printed; ``setting`` is what else it depends on, such as a classifier or a size."""

    table: str
    data: str
    method: str
    setting: str
    quantity: str


@dataclass(frozen=True)
class Printed:
    """A printed number, the mark of a remark on it, and why it cannot be right if that is known."""

    value: float
    remark: str = ""
    impossible: str = ""


@dataclass(frozen=True)
class Ours:
    """Our number for the same cell.

    Parameters
    ----------
    value : float
        The number, by the protocol of the source.
    within : float or (low, high)
        How far off the printed number may be and still agree, or the interval that must hold it; 0 for exact targets.
    honest : float or None, default=None
        The figure without the leak, where the source's protocol leaks.
    remark : str, default=""
        Words on this cell alone.
    not_run : str, default=""
        Why there is no number of ours; the value is NaN then.
    apart : str, default=""
        Why the comparison says little, if it does: ours are other data, a setting was fitted to the printed number, a
        value is fixed by convention. Such a cell is judged, but counted apart from the others.
    """

    value: float
    within: float | tuple[float, float] = 0.0
    honest: float | None = None
    remark: str = ""
    not_run: str = ""
    apart: str = ""

    @property
    def interval(self) -> tuple[float, float]:
        """From the least to the largest printed number that agrees."""
        if isinstance(self.within, tuple):
            return self.within
        return self.value - self.within, self.value + self.within


def timed(seconds: float, remark: str = "") -> Ours:
    """Our seconds beside those of another machine and program, which agree within a factor of two."""
    words = f"another machine and program; {remark}" if remark else "another machine and program"
    return Ours(seconds, (seconds / TIMES_ALIKE, seconds * TIMES_ALIKE), remark=words)


def missing(why: str) -> Ours:
    """No number, and the reason."""
    return Ours(np.nan, not_run=why)


@dataclass(frozen=True)
class Cell:
    """A printed number with ours beside it; ``larger_is_better`` is None where neither direction is."""

    key: Key
    printed: Printed
    ours: Ours
    larger_is_better: bool | None = field(default=None)

    @property
    def verdict(self) -> str:
        """What the two together say."""
        if self.printed.impossible:
            return IMPOSSIBLE
        if self.ours.not_run or np.isnan(self.ours.value):
            return NOT_RUN
        low, high = self.ours.interval
        slack = _ROUNDING * max(1.0, abs(self.printed.value))
        if low - slack <= self.printed.value <= high + slack:
            return AGREES
        if self.larger_is_better is None:
            return DIFFERS
        return BETTER if (self.ours.value > self.printed.value) == self.larger_is_better else WORSE

    @property
    def is_apart(self) -> bool:
        """Whether its verdict says little about the printed number."""
        return bool(self.ours.apart) and self.verdict not in (IMPOSSIBLE, NOT_RUN)


def noise(ours: float, printed: float, n_samples: int) -> float:
    """Two standard errors of a share of so many samples."""
    share = min(max((ours + printed) / 2, 0.0), 1.0)
    return float(2 * np.sqrt(share * (1 - share) / n_samples))


def noise_of_runs(values: npt.ArrayLike, n_printed: int) -> float:
    """Two standard errors of the difference between the mean of our runs and a printed mean of so many."""
    ours = np.asarray(values, dtype=np.float64)
    if ours.size < 2:
        return 0.0
    return float(2 * ours.std(ddof=1) * np.sqrt(1 / ours.size + 1 / n_printed))


def read_printed(name: str) -> dict[Key, Printed]:
    """Every printed number of a file in the folder ``printed``."""
    place = files("holdfast.reproduce") / "printed" / f"{name}.csv"
    found: dict[Key, Printed] = {}
    for row in csv.DictReader(place.read_text(encoding="utf-8").splitlines()):
        key = Key(*(row[column] for column in _COLUMNS))
        if key in found:
            raise ValueError(f"{name}.csv has {', '.join(key)} twice.")
        found[key] = Printed(float(row["value"]), row["remark"], row["impossible"])
    return found


def read_said(name: str) -> dict[str, float]:
    """Numbers that stand in the words of a thesis, not in a table, by what they are of: ``printed/NAME-said.csv``."""
    place = files("holdfast.reproduce") / "printed" / f"{name}-said.csv"
    found: dict[str, float] = {}
    for row in csv.DictReader(place.read_text(encoding="utf-8").splitlines()):
        if row["what"] in found:
            raise ValueError(f"{name}-said.csv has {row['what']} twice.")
        found[row["what"]] = float(row["value"])
    return found


def counted(cells: Iterable[Cell]) -> Mapping[str, int]:
    """How many cells have each verdict, in the order that verdicts are told in."""
    count = Counter(cell.verdict for cell in cells)
    return {verdict: count[verdict] for verdict in VERDICTS}
