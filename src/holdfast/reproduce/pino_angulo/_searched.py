"""What came of the searches: one search, all of them by table, and how two of them compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest, wilcoxon
from sklearn.metrics import roc_auc_score

Array = npt.NDArray[Any]
Queen = tuple[int, str, float, int, int, int]

# The partition of which every fold is one sample.
BY_ONE = -1
_EQUAL = 1e-9


@dataclass(frozen=True)
class Search:
    """One search on all samples; counts are those of bees and queen, without what puts the list in order.

    ``queens`` are (cycle, phase, fitness, size, requests, evaluations), ``cycles`` requests and evaluations so far.
    """

    data: str
    variant: str
    seed: int
    seconds: float
    n_pairs: int
    n_pool: int
    pool_fitness: float
    fitness: float
    features: tuple[int, ...]
    ended: str
    queens: tuple[Queen, ...]
    cycles: tuple[tuple[int, int], ...]

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Search:
        """Lists back into tuples."""
        rows = {name: tuple(map(tuple, found[name])) for name in ("queens", "cycles")}
        return cls(**{**found, **rows, "features": tuple(found["features"])})

    @property
    def size(self) -> int:
        """Features that were found."""
        return len(self.features)

    @property
    def n_requests(self) -> int:
        """How often a fitness was asked for."""
        return self.cycles[-1][0]

    @property
    def n_evaluations(self) -> int:
        """How many sets were evaluated."""
        return self.cycles[-1][1]

    def queen_at(self, budget: int, *, requests: bool = False) -> tuple[float, float]:
        """Fitness and size of the queen when so many sets were evaluated, or asked for; NaN before there is one."""
        at = 4 if requests else 5
        queens = [queen for queen in self.queens if int(queen[at]) <= budget]
        return (queens[-1][2], queens[-1][3]) if queens else (np.nan, np.nan)

    def best_at(self, budget: int, *, requests: bool = False) -> float:
        """Its fitness."""
        return self.queen_at(budget, requests=requests)[0]


@dataclass
class Results:
    """Everything that was run, for the tables that are there; ``names`` are those of the ablation, in order."""

    names: Sequence[str] = ()
    shapes: dict[str, list[int]] = field(default_factory=dict)
    searches: dict[tuple[str, str, int], Search] = field(default_factory=dict)
    bees: dict[tuple[str, str, int], Mapping[str, Any]] = field(default_factory=dict)
    otherwise: dict[tuple[str, str], Search] = field(default_factory=dict)
    filters: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    outer: dict[tuple[str, int], list[Mapping[str, Any]]] = field(default_factory=dict)
    leaky: dict[tuple[str, str, int], Sequence[float]] = field(default_factory=dict)
    by_one: dict[tuple[str, int], Search] = field(default_factory=dict)

    def of(self, data: str, variant: str) -> list[Search]:
        """Searches by seed."""
        return [one for (name, by, _), one in self.searches.items() if (name, by) == (data, variant)]

    def all_of(self, variant: str) -> list[Search]:
        """Searches of all tables of the ablation."""
        return [one for data in self.sets for one in self.of(data, variant)]

    def values(self, data: str, variant: str, what: str) -> list[float]:
        """An attribute of searches, by seed."""
        return [float(getattr(one, what)) for one in self.of(data, variant)]

    def mean(self, data: str, variant: str, what: str) -> float:
        """Its mean."""
        return float(np.mean(self.values(data, variant, what)))

    def pairs(self, data: str, variant: str, other: str = "GBC") -> list[tuple[Search, Search]]:
        """Searches of a variant, each with that of another one with the same seed."""
        return [(one, self.searches[data, other, one.seed]) for one in self.of(data, variant)]

    def all_pairs(self, variant: str) -> list[tuple[Search, Search]]:
        """The same of all tables of the ablation, the other one being GBC."""
        return [pair for data in self.sets for pair in self.pairs(data, variant)]

    def gain(self, data: str, variant: str) -> float:
        """Mean over seeds of the fitness less that of GBC."""
        return float(np.mean([one.fitness - plain.fitness for one, plain in self.pairs(data, variant)]))

    def saved(self, data: str, variant: str, what: str) -> float:
        """Percentage of GBC's evaluations or seconds that a variant does without."""
        ours, plain = np.array([[getattr(one, what) for one in pair] for pair in self.pairs(data, variant)]).sum(axis=0)
        return float(100 * (1 - ours / plain))

    @property
    def sets(self) -> list[str]:
        """Tables of the ablation that were there, in order."""
        return [name for name in self.names if name in self.shapes]

    @property
    def judged_sets(self) -> list[str]:
        """Those with partitions into folds."""
        return [name for name in self.sets if (name, 0) in self.outer]

    def outer_means(self, data: str, method: str) -> Array:
        """By partition: accuracy over all folds, mean inner fitness, mean size; NaN for a method that was not run."""
        partitions = sorted(at for name, at in self.outer if name == data and at >= 0)
        if method not in self.outer[data, 0][0]:
            return np.full((len(partitions), 3), np.nan)
        return np.array([judged([fold[method] for fold in self.outer[data, at]]) for at in partitions])

    def outer_mean(self, data: str, method: str) -> Array:
        """Their mean over partitions."""
        mean: Array = self.outer_means(data, method).mean(axis=0)
        return mean

    def phases(self, variant: str) -> tuple[Counter[str], dict[str, float], int]:
        """By phase how many queens came after the first, and what they gained in all; and the number of searches."""
        number: Counter[str] = Counter()
        gain: dict[str, float] = {}
        runs = self.all_of(variant)
        for one in runs:
            for before, queen in zip(one.queens, one.queens[1:], strict=False):
                number[queen[1]] += 1
                gain[queen[1]] = gain.get(queen[1], 0.0) + queen[2] - before[2]
        return number, gain, len(runs)

    def at_stop(self, data: str, *, requests: bool = False) -> Array:
        """GBC+ when it stopped beside GBC after as many evaluations, or requests: fitness of both, and size of GBC's.

        A row for each seed; left out are seeds with which GBC is still busy with its first bees by then.
        """
        rows = [
            (one.fitness, *plain.queen_at(one.n_requests if requests else one.n_evaluations, requests=requests))
            for one, plain in self.pairs(data, "GBC+")
        ]
        found = np.array(rows, dtype=float).reshape(-1, 3)
        known: Array = found[np.isfinite(found[:, 1])]
        return known

    def first_bees(self, data: str, start: str) -> list[Mapping[str, Any]]:
        """First bees by seed."""
        return [one for (name, by, _), one in self.bees.items() if (name, by) == (data, start)]

    def filter_times(self, data: str) -> tuple[float, float, float]:
        """Seconds of MRMR and MRMR+ for what GBC ranks, and of the rest of GBC."""
        one = self.filters[data]
        slow, fast = (min(one[f"{name} {one['n_ranked']}"]["seconds"]) for name in ("mrmr", "mrmr+"))
        return slow, fast, max(self.mean(data, "GBC", "seconds") - slow, 0.0)


def judged(parts: Sequence[Mapping[str, Any]]) -> tuple[float, float, float]:
    """Accuracy over all answers, mean inner fitness and mean size."""
    is_right = [answer[1] for part in parts for answer in part["answers"]]
    fitness, size = (float(np.mean([part[what] for part in parts])) for what in ("fitness", "size"))
    return float(np.mean(is_right)), fitness, size


def accuracy_and_area(given: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Over all answers together; the area is NaN with more than two classes, or less."""
    _, is_right, scores, labels = np.array(given, dtype=float).T
    is_curve = np.isfinite(scores).all() and len(np.unique(labels)) == 2
    return float(is_right.mean()), float(roc_auc_score(labels, scores)) if is_curve else np.nan


def gathered(made: Mapping[str, Any], names: Sequence[str]) -> Results:
    """Put parts together again; a key is kind/table/number."""
    found = Results(names)
    for key, part in made.items():
        kind, data, number = key.split("/")
        at = int(number)
        if kind in ("ablation", "aside"):
            found.shapes[data] = part["shape"]
            for variant, one in part["searches"].items():
                found.searches[data, variant, at] = Search.from_json(one)
            found.bees |= {(data, start, at): one for start, one in part.get("bees", {}).items()}
            found.leaky |= {(data, variant, at): one for variant, one in part.get("leaky", {}).items()}
        elif kind == "otherwise":
            found.otherwise |= {(data, label): Search.from_json(one) for label, one in part.items()}
        elif kind == "filters":
            found.filters[data] = part
        elif kind == "outer":
            found.outer[data, at] = part
        elif kind == "outer-fold":
            found.outer.setdefault((data, 0), []).extend(part)
        elif kind == "without-one":
            found.outer.setdefault((data, BY_ONE), []).extend(part)
        elif kind == "by-one":
            found.by_one[data, at] = Search.from_json(part)
    return found


def counted(ours: npt.ArrayLike, others: npt.ArrayLike) -> tuple[int, int, int, float]:
    """How often larger, equal and smaller, and the sign test's p."""
    gaps = np.subtract(ours, others)
    wins, losses = int((gaps > _EQUAL).sum()), int((gaps < -_EQUAL).sum())
    p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    return wins, len(gaps) - wins - losses, losses, float(p)


def told(count: tuple[int, int, int, float]) -> str:
    """Wins, ties and losses with p."""
    wins, ties, losses, p = count
    return f"{wins}/{ties}/{losses} (p = {p:.2g})"


def over_sets(gaps: Sequence[float]) -> str:
    """Mean of differences over tables, and Wilcoxon's p."""
    rounded = np.round(gaps, 9)
    p = wilcoxon(rounded).pvalue if np.any(rounded) else 1.0
    return f"mean {np.mean(rounded):+.4f} over {len(rounded)} tables, p = {p:.2g}"


def spread(values: Sequence[float] | Array, digits: int = 3) -> str:
    """Mean and standard deviation, if there is anything."""
    return f"{np.mean(values):.{digits}f} ± {np.std(values):.{digits}f}" if len(values) else "–"


def range_of(values: Sequence[float], form: str) -> str:
    """Mean, least and largest."""
    return f"mean {np.mean(values):{form}}, {min(values):{form}} to {max(values):{form}}"
