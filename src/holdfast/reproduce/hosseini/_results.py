"""Which runs there are, and where among the results of the parts each is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS, THREE
from holdfast.reproduce.hosseini._experiments import POOLS
from holdfast.reproduce.hosseini._searches import OUTSIDE
from holdfast.reproduce.hosseini._tables import CONFIDENCE, HOLD_OUT, LEAVE_ONE_OUT, SETS, SPLIT, Array

# Step coefficients: the default, and one that gives models of about the published sizes.
STEPS = (10, 70)
N_RUNS = 10
# Leave-one-out with the larger step shows the sizes; so many runs do.
N_RUNS_LATER = 3
# Behind a mean or a best one in print.
N_PRINTED: Mapping[str, int] = {"4.4": 10, "4.6": 5, "4.7": 10}
N_FOLDS = 10
# Figure 4.2: its table, and the splits that have a search of their own.
RESPLIT, N_SPLITS_INSIDE = "Leukemia", 50
# Table 4.5: searches without a feature.
DIVERSE, N_SEARCHES = "Leukemia", 20
DIVERSE_KEY, BINS_KEY = f"diverse-{DIVERSE}", "times-bins"
N_RUNS_OF_BINS, N_RUNS_OF_POOLS = 10, 3
# Partitions into folds, each with a seed of its own; a run inside every fold takes long on the larger tables.
N_PARTITIONS: Mapping[str, int] = {
    "Breast": 1, "CNS": 5, "Colon": 5, "DLBCL": 1, "Leukemia": 5, "Lung": 1, "Ovarian": 1, "Prostate": 1,
}  # fmt: skip
OF_THREE = [list(CLASSIFIERS).index(name) for name in THREE]

Run = Mapping[str, Any]


def screening_key(name: str, protocol: str) -> str:
    """Part of a count of Table 4.1."""
    return f"screening-{protocol}-{name}"


def published_key(name: str, protocol: str) -> str:
    """Part of a published model."""
    return f"published-{protocol}-{name}"


def search_key(protocol: str, name: str, step: int, seed: int) -> str:
    """Part of a run on all samples of a protocol."""
    return f"search-{protocol}-{name}-step{step}-seed{seed}"


def inside_key(name: str, seed: int, fold: int) -> str:
    """Part of a run inside a fold of a partition."""
    return f"inside-{name}-partition{seed}-fold{fold}"


def in_turn_key(seed: int) -> str:
    """Part of two timed runs."""
    return f"in-turn-seed{seed}"


def counts_key(name: str) -> str:
    """Part of what Table 4.1 says of a table."""
    return f"counts-{name}"


def resplit_key(split: int) -> str:
    """Part of a run on the training part of another split."""
    return f"resplit-{RESPLIT}-split{split}"


def pools_key(n_features: int, seed: int) -> str:
    """Part of timed runs with few bins and with many."""
    return f"times-pool{n_features}-seed{seed}"


@dataclass(frozen=True)
class Results:
    """Results of the parts that were made, which may be few."""

    made: Mapping[str, Any]

    @property
    def screened(self) -> dict[tuple[str, str], Any]:
        """Counts of the screening by data set and protocol."""
        keys = {pair: screening_key(*pair) for pair in CONFIDENCE}
        return {pair: self.made[key] for pair, key in keys.items() if key in self.made}

    @property
    def published(self) -> dict[str, Any]:
        """Published models on the nominal split."""
        keys = {name: published_key(name, HOLD_OUT) for name in SPLIT}
        return {name: self.made[key] for name, key in keys.items() if key in self.made}

    @property
    def published_left_out(self) -> dict[str, Any]:
        """Published models under leave-one-out."""
        keys = {name: published_key(name, LEAVE_ONE_OUT) for name in SETS}
        return {name: self.made[key] for name, key in keys.items() if key in self.made}

    def runs(self, protocol: str, name: str, step: int) -> list[Run]:
        """Runs on all samples of a protocol, by seed."""
        keys = [search_key(protocol, name, step, seed) for seed in range(N_RUNS)]
        return [self.made[key] for key in keys if key in self.made]

    def names(self, protocol: str, step: int) -> list[str]:
        """Data sets with such runs."""
        return [name for name in SETS if self.runs(protocol, name, step)]

    def accuracy(self, protocol: str, name: str, step: int, scaling: str) -> Array:
        """Accuracy by run and classifier."""
        runs = self.runs(protocol, name, step)
        return np.array([[run["accuracy"][scaling][one] for one in CLASSIFIERS] for run in runs])

    def inside(self, name: str) -> Array:
        """Accuracy of models chosen inside folds, by partition and classifier."""
        found = []
        for seed in range(N_PARTITIONS[name]):
            keys = [inside_key(name, seed, fold) for fold in range(N_FOLDS)]
            folds = [self.made[key] for key in keys if key in self.made]
            if folds:
                n_judged = sum(fold["n_judged"] for fold in folds)
                found.append([sum(fold["right"][one] for fold in folds) / n_judged for one in CLASSIFIERS])
        return np.array(found).reshape(-1, len(CLASSIFIERS))

    def optimism(self, name: str) -> Array:
        """By partition and classifier: accuracy of models chosen on all samples less that of models chosen inside."""
        inside = self.inside(name)
        outside = self.accuracy(LEAVE_ONE_OUT, name, STEPS[0], OUTSIDE)
        n_both = min(len(inside), len(outside))
        gaps: Array = outside[:n_both] - inside[:n_both]
        return gaps

    @property
    def counted(self) -> dict[str, Any]:
        """Features and samples of the tables."""
        keys = {name: counts_key(name) for name in SETS}
        return {name: self.made[key] for name, key in keys.items() if key in self.made}

    def chosen(self, name: str, n_runs: int = N_RUNS) -> Run | None:
        """Of the first runs on a nominal training part, the one of the highest dCor there."""
        runs = self.runs(HOLD_OUT, name, STEPS[0])[:n_runs]
        return best_of(runs) if runs else None

    @property
    def resplit_inside(self) -> Array:
        """Accuracy on other splits of models chosen on their training parts, by split and classifier."""
        keys = [resplit_key(split) for split in range(N_SPLITS_INSIDE)]
        parts = [self.made[key] for key in keys if key in self.made]
        found = [[part["right"][one] / part["n_judged"] for one in CLASSIFIERS] for part in parts]
        return np.array(found).reshape(-1, len(CLASSIFIERS))

    @property
    def times_of_pools(self) -> list[Run]:
        """Timed runs with few bins and with many."""
        keys = [pools_key(n_features, seed) for n_features in POOLS for seed in range(N_RUNS_OF_POOLS)]
        return [run for key in keys for run in self.made.get(key, ())]

    @property
    def in_turn(self) -> dict[str, list[Run]]:
        """Timed runs on Lung and Leukemia."""
        found: dict[str, list[Run]] = {}
        for seed in range(N_RUNS):
            for name, run in self.made.get(in_turn_key(seed), {}).items():
                found.setdefault(name, []).append(run)
        return found


def best_of(runs: Sequence[Run]) -> Run:
    """The run of the highest dCor, the first of equal ones: a choice that no test sample has a say in."""
    return max(runs, key=lambda run: float(run["value"]))
