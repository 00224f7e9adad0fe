"""The stopping rules of Michel 2018 in all their readings, and a search to the last feature that they all follow.

Features that do equally well are taken in the order of the table, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.neighbours import NeighbourScore
from holdfast.search.sequential import Choice, forward_steps
from holdfast.search.stop_rules import ClassicStop, HoeffdingStop, MarginStop, PermutationStop
from holdfast.search.stopping import Asking, Follower, Step, StopRule, Verdict
from holdfast.selectors.sequential._asking import StepAsked

Array = npt.NDArray[Any]

RULES = ("CW", "WM", "H", "H2S", "HP", "P")
# Rules that have a p-value. The permutation test comes first: it asks about a set that the others may then extend.
TESTING = ("P", "H", "H2S", "HP")
# The reading of each rule that reproduces the printed sizes, and the one that is written in the thesis.
READINGS: Mapping[str, StopRule] = {
    "CW": ClassicStop(),
    "CW, also if equal": ClassicStop(strict_decrease=False),
    "WM": MarginStop(0.005),
    "WM, 0.01": MarginStop(0.01),
    "H": HoeffdingStop("runner-up", epsilon=0),
    "H, δ = 0.05": HoeffdingStop("runner-up"),
    "H2S": HoeffdingStop("previous", epsilon=0, start=0),
    "H2S, δ = 0.05": HoeffdingStop("previous", start=0),
    "P": PermutationStop(),
    "P, ties not counted": PermutationStop(count_ties=False),
    "HP": HoeffdingStop("permuted", epsilon=0),
    "HP, δ = 0.05": HoeffdingStop("permuted"),
}
# The first readings as ``ForwardSearch.stop_at`` spells them.
SPELT = {"CW": "cw", "WM": "wm:margin=0.005", "H": "h:epsilon=0", "H2S": "h2s:epsilon=0:start=0",
         "HP": "hp:epsilon=0", "P": "p"}  # fmt: skip


def by_index(n_features: int) -> Choice:
    """The first of features that do as well."""
    return Choice(first=lambda tied: int(min(tied)), last=lambda tied: int(max(tied)), varies=np.ones(n_features, bool))


class _Remembered(StepAsked):
    """Answers about a step, each worked out once for all rules."""

    def __init__(self, score: GrowingScore, step: Step, X: Array, target: Array, root: np.random.SeedSequence) -> None:
        super().__init__(score, step, X, target, root)
        self._known: dict[tuple[str, int, int], Array] = {}

    def permuted_feature(self, first: int, last: int) -> Array:
        key = ("feature", first, last)
        if key not in self._known:
            self._known[key] = super().permuted_feature(first, last)
        return self._known[key]

    def permuted_set(self, first: int, last: int) -> Array:
        key = ("set", first, last)
        if key not in self._known:
            self._known[key] = super().permuted_set(first, last)
        return self._known[key]


@dataclass(frozen=True)
class Mirrored(StopRule):
    """Another rule that is told the opposite of every score: what a slip in the orientation would do."""

    rule: StopRule

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """What the rule says of the opposite."""
        return self.rule.judge(replace(step, score=-step.score, previous=-step.previous), _Opposite(ask))


class _Opposite:
    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self.n_samples = ask.n_samples

    def permuted_feature(self, first: int, last: int) -> Array:
        return -self._ask.permuted_feature(first, last)

    def permuted_set(self, first: int, last: int) -> Array:
        return -self._ask.permuted_set(first, last)

    def information(self, n_bins: int, first: int, last: int) -> tuple[float, Array]:
        return self._ask.information(n_bins, first, last)


@dataclass
class Walked:
    """Steps of a search to the end, sizes by reading, the neighbours chosen for every size, and p-values, if any."""

    steps: list[Step]
    sizes: dict[str, int]
    n_neighbors: list[int]
    p_values: dict[str, list[float]] = field(default_factory=dict)


def walk(
    score: GrowingScore,
    X: Array,
    y: Array,
    rules: Mapping[str, StopRule],
    seed: list[int],
    *,
    with_p_values: bool = False,
) -> Walked:
    """Search to the end; a rule that has stopped is asked again for nothing but its p-values, which all sizes have."""
    root = np.random.SeedSequence(seed)
    followers = {name: Follower(rule, len(y)) for name, rule in rules.items()}
    going = dict(followers)
    tests = {name: rules[name].completed() for name in TESTING if with_p_values}
    found = Walked([], {}, [], {name: [] for name in tests})
    for step in forward_steps(score, by_index(X.shape[1]), X.shape[1]):
        found.steps.append(step)
        if isinstance(score, NeighbourScore):
            found.n_neighbors.append(score.n_neighbors_with(step.feature))
        ask = _Remembered(score, step, X, y, root)
        for name, rule in tests.items():
            found.p_values[name].append(rule.judge(step, ask).p_value)
        going = {name: one for name, one in going.items() if one.sees(step, ask)}
        ask.take()
    found.sizes = {name: one.stopping().n_features for name, one in followers.items()}
    return found
