"""The distributed scheme (Hosseini 2018, §3.1, Algorithm 1): bins of features, searched apart, share the best set."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._errors import NothingSelected
from holdfast.kernels.lazy import TIE
from holdfast.selectors._base import Evaluations, Selector
from holdfast.selectors.distance._judge import Measuring

Array = npt.NDArray[Any]

PERFECT, AGREEMENT, ROUNDS, STALL = "perfect", "agreement", "rounds", "stall"
ROUND = np.dtype([
    ("value", float), ("n_features", np.int64), ("n_shared", np.int64), ("n_sets", np.int64), ("n_empty", np.int64),
])  # fmt: skip


@dataclass(frozen=True)
class Local:
    """What a bin found: features as numbered in the pool, ascending, what they are worth, and the cost."""

    features: Array
    value: float
    evaluations: Evaluations = field(default_factory=Evaluations)
    n_cache_hits: int = 0


# Given the number of a round and what each bin holds in it: what each found, in order.
Search: TypeAlias = Callable[[int, Sequence[Array]], Generator[Local]]


@dataclass
class Rounds:
    """Rounds over all bins until a rule ends them.

    ``floor`` is what no features are worth, ``perfect`` what no set can be worth more than.
    """

    bins: Sequence[Array]
    search: Search
    max_rounds: int = 5
    patience: int = 3
    share_top: int = 1
    floor: float = 0.0
    perfect: float = 1.0
    best: Local = field(init=False)
    stop: str = field(init=False, default=ROUNDS)
    history: list[tuple[float, int, int, int, int]] = field(init=False, default_factory=list)
    searched: list[Local] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.best = Local(np.zeros(0, dtype=np.int64), self.floor)

    def run(self) -> Rounds:
        """Work on all rounds."""
        shared = np.zeros(0, dtype=np.int64)
        for number in range(self.max_rounds):
            found = self._round(number, shared)
            sets = {local.features.tobytes() for local in found}
            n_empty = sum(len(local.features) == 0 for local in found)
            self.history.append((self.best.value, len(self.best.features), len(shared), len(sets), n_empty))
            if self.stop == PERFECT:
                return self
            if len(sets) == 1:
                self.stop = AGREEMENT
                return self
            values = [row[0] for row in self.history]
            if number + 1 < self.max_rounds and values[-self.patience :] == [values[-1]] * self.patience:
                self.stop = STALL
                return self
            shared = self._shared(found)
        return self

    def _round(self, number: int, shared: Array) -> list[Local]:
        found: list[Local] = []
        with closing(self.search(number, [np.union1d(own, shared) for own in self.bins])) as answers:
            for local in answers:
                found.append(local)
                self.searched.append(local)
                # The first bin keeps its set against an equal one, also one that only rounding tells apart.
                if local.value > self.best.value + TIE:
                    self.best = local
                if self.best.value >= self.perfect - TIE:
                    self.stop = PERFECT
                    break
        return found

    def _shared(self, found: Sequence[Local]) -> Array:
        """The best set so far, and with ``share_top`` above 1 the best sets of this round."""
        if self.share_top == 1:
            return self.best.features
        by_value = sorted(found, key=lambda local: -round(local.value, 12))
        top = [local.features for local in by_value[: self.share_top]]
        return np.unique(np.concatenate([self.best.features, *top]))


def partition(n_features: int, n_bins: int, rng: np.random.Generator) -> list[Array]:
    """Bins that differ by one feature at most, drawn at random."""
    return [np.sort(part) for part in np.array_split(rng.permutation(n_features), n_bins)]


def search_bin(
    selector: Any,
    measuring: Measuring,
    X: Array,
    target: Array,
    labels: Array,
    features: Array,
    names: Array | None,
) -> Local:
    """Select from the columns of a bin, which is all that is known here of the table."""
    local = clone(selector)
    if isinstance(local, Selector):
        local.named_for_ties(names)
    with _silence_at_home():
        local.fit(X, labels)
    kept = np.flatnonzero(local.get_support())
    value = measuring.judge(X, target, labels).of(kept)
    spent = getattr(local, "n_evaluations_", Evaluations(relevance=X.shape[1]))
    return Local(features[kept], value, spent, getattr(local, "n_cache_hits_", 0))


@contextmanager
def _silence_at_home() -> Iterator[None]:
    """Not say that a bin has nothing, where this is the main thread of its process: filters belong to processes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        yield
