"""How a stopping rule follows a sequential search, step by step (Michel 2018, Algorithms 4 and 5).

The first step that a rule does not go along with ends the search, and the set before that step is kept. Scores are
larger for better sets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, fields
from math import nan
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, check_parameters

Array = npt.NDArray[Any]

STEP = np.dtype(
    [
        ("size", np.int64),
        ("feature", np.int64),
        ("score", np.float64),
        ("goes_on", np.bool_),
        ("gap", np.float64),
        ("p_value", np.float64),
        ("p_low", np.float64),
        ("p_high", np.float64),
        ("n_permutations", np.int64),
    ]
)


@dataclass(frozen=True)
class Step:
    """A step of a search: the size of the set after it, who came or went, and scores.

    ``previous`` is the score before the step; ``runner_up`` what the second best candidate would have given, -infinity
    if there was none.
    """

    size: int
    feature: int
    score: float
    previous: float
    runner_up: float
    is_removal: bool = False

    @property
    def is_first(self) -> bool:
        """Whether the set was empty before."""
        return self.size == 1 and not self.is_removal


class Asking(Protocol):
    """What a rule may ask about the step it sees."""

    n_samples: int

    def permuted_feature(self, first: int, last: int) -> Array:
        """Scores when the feature's samples come in other orders, numbered from first to last."""

    def permuted_set(self, first: int, last: int) -> Array:
        """Scores of the set when its samples come in other orders."""

    def information(self, n_bins: int, first: int, last: int) -> tuple[float, Array]:
        """Mutual information of the feature with the target, and of copies of it in other orders."""


@dataclass(frozen=True)
class Verdict:
    """What a rule says of a step."""

    goes_on: bool
    gap: float = nan
    p_value: float = nan
    p_low: float = nan
    p_high: float = nan
    n_permutations: int = 0


@dataclass(frozen=True)
class Stopping:
    """Where a rule stops a search, and what it said of every step it saw.

    Parameters
    ----------
    rule : str
        Name of the rule.
    n_features : int
        Size of the set that it keeps.
    bound : float
        What a gap had to exceed; NaN for rules without such a bound.
    trace : ndarray of shape (n_steps,)
        Every step: ``size`` after it, ``feature``, ``score``, whether the rule ``goes_on``, the ``gap`` it looks at,
        its ``p_value``, from where to where that can lie when not all permutations were needed (``p_low``, ``p_high``),
        and ``n_permutations``. NaN where a rule has no such thing.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import ForwardSearch
    >>> X = np.random.default_rng(0).normal(size=(40, 6))
    >>> search = ForwardSearch(criterion="dcor").fit(X, X[:, 2] + X[:, 4] > 0)
    >>> search.stop_at("cw").n_features
    2
    """

    rule: str
    n_features: int
    bound: float
    trace: Array

    def __repr__(self) -> str:
        return f"Stopping({self.rule!r}, n_features={self.n_features}, {len(self.trace)} steps seen)"


@dataclass(frozen=True, repr=False)
class StopRule:
    """Base of the rules; as such it never stops."""

    name: ClassVar[str] = "none"
    asks: ClassVar[bool] = False
    allowed: ClassVar[Mapping[str, Rule]] = {}

    def __post_init__(self) -> None:
        check_parameters(self)

    def __repr__(self) -> str:
        changed = [f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if not self._is_usual(one)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _is_usual(self, one: Field[Any]) -> bool:
        return bool(getattr(self, one.name) == one.default)

    def bound(self, n_samples: int) -> float:
        """What a gap has to exceed."""
        return nan

    def judge(self, step: Step, ask: Asking) -> Verdict:
        """Whether the search goes on after this step."""
        return Verdict(True)

    def completed(self) -> StopRule:
        """The same rule, which looks at every permutation also when the decision is certain."""
        return self


class Follower:
    """A rule that follows a search step by step and remembers what it said."""

    def __init__(self, rule: StopRule, n_samples: int, size_before: int = 0) -> None:
        self.rule = rule
        self._n_samples = n_samples
        self._kept = size_before
        self._has_stopped = False
        self._said: list[tuple[Any, ...]] = []

    def sees(self, step: Step, ask: Asking) -> bool:
        """Whether the rule goes along with this step, and has with all before."""
        verdict = self.rule.judge(step, ask)
        self._said.append(
            (
                step.size, step.feature, step.score, verdict.goes_on, verdict.gap, verdict.p_value, verdict.p_low,
                verdict.p_high, verdict.n_permutations,
            )
        )  # fmt: skip
        self._has_stopped |= not verdict.goes_on
        if not self._has_stopped:
            self._kept = step.size
        return not self._has_stopped

    def stopping(self, names: Iterable[int] | None = None) -> Stopping:
        """Where the rule has stopped; ``names`` numbers the features anew."""
        trace = np.array(self._said, dtype=STEP)
        if names is not None:
            trace["feature"] = np.asarray(names)[trace["feature"]]
        return Stopping(self.rule.name, self._kept, self.rule.bound(self._n_samples), trace)
