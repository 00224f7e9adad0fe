"""All repetitions of one search on one table: mean curves, stability by size, and where rules stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._cells4 import is_shape
from holdfast.reproduce.michel._searches import Run
from holdfast.reproduce.michel._searches import run as searched
from holdfast.reproduce.michel._splits import load
from holdfast.reproduce.shelf import Shelf
from holdfast.stability import by_size, nogueira_by_size

Array = npt.NDArray[Any]

SEED = 0
ENTROPY, PAIRING, MAXIMUM = MEASURES = ("entropy", "pairing", "max")


def repeated(name: str, criterion: str, first: int, n_repetitions: int, shelf: Shelf) -> dict[str, Any]:
    """So many repetitions of a search, from one on."""
    data = load(shelf, name)
    runs = [asdict(searched(data, criterion, SEED, first + i)) for i in range(n_repetitions)]
    return {"data": name, "criterion": criterion, "runs": runs}


@dataclass
class Arm:
    """All repetitions of one search on one table."""

    name: str
    criterion: str
    runs: Sequence[Run]

    @property
    def n_features(self) -> int:
        """Features of the table."""
        return len(self.runs[0].order)

    @cached_property
    def scores(self) -> Array:
        """Mean score of every size."""
        mean: Array = np.mean([one.scores for one in self.runs], axis=0)
        return mean

    @cached_property
    def tests(self) -> Array:
        """Mean accuracy or R² on the test part, of every size."""
        mean: Array = np.mean([one.tests for one in self.runs], axis=0)
        return mean

    @cached_property
    def p_values(self) -> Mapping[str, Array]:
        """Mean p-value of every size, by rule; empty for searches without."""
        return {rule: np.mean([one.p_values[rule] for one in self.runs], axis=0) for rule in self.runs[0].p_values}

    @cached_property
    def stability(self) -> Mapping[str, Array]:
        """Entropy, pairing and max of every size."""
        found = by_size([one.order for one in self.runs], n_features=self.n_features)
        return {ENTROPY: found.entropy, PAIRING: found.pairing, MAXIMUM: found.maximum}

    @cached_property
    def errors(self) -> Mapping[str, Array]:
        """Standard errors of these; that of the entropy by the delta method."""
        orders = [one.order for one in self.runs]
        found = by_size(orders, n_features=self.n_features)
        share = found.colours
        logs = np.log(np.where(share > 0, share, 1.0))
        spread = np.sqrt(np.maximum((share * logs**2).sum(axis=0) - (share * logs).sum(axis=0) ** 2, 0.0))
        root = np.sqrt(len(orders))
        pairing = np.nan_to_num(nogueira_by_size(orders, n_features=self.n_features).std_error)
        largest = np.sqrt(found.maximum * (1 - found.maximum)) / root
        return {ENTROPY: found.entropy * spread / root, PAIRING: pairing, MAXIMUM: largest}

    def sizes(self, reading: str, least: int = 0) -> Array:
        """Size that a reading keeps in every repetition, at least so many."""
        kept: Array = np.maximum([one.sizes[reading] for one in self.runs], least)
        return kept

    def stop_tests(self, reading: str) -> Array:
        """Accuracy or R² on the test part where a reading stops, in every repetition; with at least one feature."""
        sizes = self.sizes(reading, least=1)
        return np.array([one.tests[size - 1] for one, size in zip(self.runs, sizes, strict=True)])

    def kept(self, reading: str) -> int:
        """Mean size, rounded, where stability is read; at least one feature."""
        return max(1, int(np.floor(self.sizes(reading).mean() + 0.5)))

    def read(self, measure: str, size: int) -> float:
        """Stability at a size."""
        return float(self.stability[measure][size - 1])

    def read_when_stopped(self, measure: str, reading: str) -> float:
        """Stability where a reading stops."""
        return self.read(measure, self.kept(reading))


Arms = Mapping[tuple[str, str], Arm]


def gathered(made: Mapping[str, Any]) -> Arms:
    """Arms by table and criterion, from the results of parts in the order of their repetitions."""
    runs: dict[tuple[str, str], list[Run]] = {}
    for part in made.values():
        if not is_shape(part):
            runs.setdefault((part["data"], part["criterion"]), []).extend(Run(**one) for one in part["runs"])
    return {key: Arm(*key, found) for key, found in runs.items()}
