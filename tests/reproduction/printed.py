"""Printed numbers, and what our numbers beside them are called; the same for all chapters."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

AGREES, BETTER, WORSE = "agrees", "better", "worse"
NOT_REACHED, NOT_PRINTED = "not reached", "not printed"
UNRELIABLE, IMPOSSIBLE = "unreliable", "printed value impossible"


@dataclass(frozen=True)
class Printed:
    """A number of the thesis, and the remark of our audit of it (spec, section 12) that calls it unreliable."""

    value: float
    audit: str


@dataclass(frozen=True)
class Claim:
    """A statement of the thesis (spec, end of section 12), whether it holds here, and the numbers."""

    text: str
    holds: bool
    evidence: str


def read_numbers(path: Path, columns: Sequence[str]) -> dict[tuple[str, ...], Printed]:
    """Every printed number by the entries of some columns; of repeated ones the first."""
    found: dict[tuple[str, ...], Printed] = {}
    with path.open(newline="") as lines:
        for row in csv.DictReader(lines):
            key = tuple(row[name] for name in columns)
            found.setdefault(key, Printed(float(row["value"]), row["audit"]))
    return found


def noise(ours: float, printed: float, n_samples: int) -> float:
    """Two standard errors of a share of so many samples."""
    share = (ours + printed) / 2
    return float(2 * np.sqrt(share * (1 - share) / n_samples))


def judge(printed: Printed, difference: float, tolerance: float, *, smaller_is_better: bool) -> str:
    """A verdict on ours minus printed."""
    if abs(difference) <= tolerance + 1e-9:
        return marked(AGREES, printed)
    return marked(BETTER if (difference < 0) == smaller_is_better else WORSE, printed)


def marked(verdict: str, printed: Printed, word: str = UNRELIABLE) -> str:
    """The verdict, with the remark of the audit if there is one."""
    return f"{word} ({printed.audit}): {verdict}" if printed.audit else verdict
