"""What sequential searches share: the walk, the rule that ends it, and rules asked afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from holdfast._errors import DataError
from holdfast._parameters import Rule, one_of
from holdfast._progress import report
from holdfast._random import child, seed_sequence
from holdfast.measures._distances import CLASSES, NUMBERS
from holdfast.measures.growing._base import GrowingScore
from holdfast.search.sequential import backward_steps, floating_sets, forward_steps
from holdfast.search.stop_rules import BY_NAME, stop_rule
from holdfast.search.stopping import Follower, Step, Stopping, StopRule
from holdfast.selectors._base import Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors.sequential._asking import StepAsked
from holdfast.selectors.sequential._field import Field

Array = npt.NDArray[Any]

FORWARD, BACKWARD, FLOATING = DIRECTIONS = ("forward", "backward", "floating")
DIRECTION = one_of(*DIRECTIONS)
PATH = np.dtype(
    [
        ("size", np.int64),
        ("feature", np.int64),
        ("score", np.float64),
        ("previous", np.float64),
        ("runner_up", np.float64),
    ]
)


def _is_rule(value: Any) -> bool:
    try:
        stop_rule(value)
    except (TypeError, ValueError):
        return False
    return True


STOP = Rule(
    lambda value: isinstance(value, StopRule) or (isinstance(value, str) and (_is_rule(value) or ":" in value)),
    "one of " + ", ".join(map(repr, BY_NAME)) + " or a stop rule",
    ("no-such-rule", 0),
)


@dataclass(frozen=True)
class Walk:
    """Steps of a search, and the sets that it passed, where they are not the first features of one order."""

    steps: list[Step]
    sets: list[tuple[int, ...]] | None = None


class SequentialSearch(Selector):
    """Base of the searches that add or drop one feature at a time."""

    stop: Any
    direction: str = FORWARD
    min_features: int = 1
    max_features: int | None = None
    random_state: Any
    y_is: str = CLASSES

    @property
    def _takes(self) -> str:  # type: ignore[override]
        return "measures" if self.y_is == NUMBERS else "classes"

    @property
    def _score_name(self) -> str:
        """What a set is judged by, in words."""
        raise NotImplementedError

    @property
    def _score_means(self) -> str:
        if self.direction == FLOATING:
            return f"what the set loses without the feature ({self._score_name})"
        return f"{self._score_name}, of the set up to the feature and on the samples it was chosen on"

    def _score_of(self, field: Field, seed: np.random.SeedSequence) -> GrowingScore:
        raise NotImplementedError

    def _more(self, score: GrowingScore, places: Array) -> dict[str, Any]:
        """What else there is to say of the chosen features."""
        return {}

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        if self.min_features > n_select:
            raise ValueError(
                f"min_features={self.min_features} is more than the {n_select} feature(s) to select at most. Lower it."
            )
        root = seed_sequence(self.random_state)
        field = self._field(problem)
        score = self._score_of(field, child(root, 0))
        rule = stop_rule(self.stop)
        asker = _Asker(score, field, child(root, 1))
        walk, stopping = _WALKS[self.direction](self, asker, rule, n_select)
        size = n_select if rule.name == "none" else min(max(stopping.n_features, self.min_features), n_select)
        stopping = replace(stopping, n_features=size)
        places = self._members(walk, size, problem.n_features)
        indices = field.pool[places]
        scores = np.full(problem.n_features, np.nan)
        scores[indices] = _scores(walk, places, score)
        return Found(
            indices,
            scores,
            ranking_of(indices, problem.n_features),
            Evaluations(relevance=problem.n_features, subset=score.n_sets, classifier=score.n_trained),
            field.precedence.n_ties,
            {
                "relevance_": field.relevance,
                "path_": _path(walk.steps, field.pool),
                "sets_": None if walk.sets is None else [field.pool[list(one)] for one in walk.sets],
                "stopping_": stopping,
                "value_": _values(walk, score)[size],
                "seed_": root.entropy,
                "n_samples_": len(field.order),
                "direction_": self.direction,
                **self._more(score, places),
            },
        )

    def _n_select(self, n_features: int) -> int:
        if self.n_features_to_select is None:
            return n_features if self.max_features is None else min(self.max_features, n_features)
        return super()._n_select(n_features)

    def _field(self, problem: Problem) -> Field:
        is_measured = self.y_is == NUMBERS
        labels = problem.measured_target if is_measured else self.classes_[problem.target]
        if labels is None:
            raise DataError("y is missing; a search needs a target.")
        return Field.of(problem, self.y_is, labels)

    def stop_at(self, rule: Any, X: Any = None, y: Any = None, *, complete: bool = True) -> Stopping:
        """Where a rule would have stopped the search, without searching again.

        Parameters
        ----------
        rule : str or stop rule
            A name such as "h2s", with options after colons ("h2s:epsilon=0"), or a rule.
        X, y : array-like, default=None
            The data that the search was fitted on, for rules that permute samples.
        complete : bool, default=True
            Whether a rule looks at all steps and all permutations, so that p-values are there for every size. False
            ends with the decision.

        Returns
        -------
        stopping : Stopping
            Size that the rule keeps, and what it said of every step. The whole path is kept if it never stops; a
            search that was ended by a rule of its own has no more steps.
        """
        check_is_fitted(self)
        rule = stop_rule(rule)
        rule = rule.completed() if complete else rule
        n_samples = self.n_samples_
        if not rule.asks:
            asked: Iterable[tuple[Step, Any]] = ((step, _Silent(n_samples)) for step in self._steps())
        elif X is None:
            raise ValueError(
                f"The rule {rule.name!r} permutes samples, so it needs the data: stop_at({rule.name!r}, X, y) with "
                "what the search was fitted on."
            )
        else:
            asked = self._asked_again(X, y)
        follower = Follower(rule, n_samples, self._size_before())
        for step, ask in asked:
            if not follower.sees(step, ask) and not complete:
                break
        found = follower.stopping()
        most = self._n_select(self.n_features_in_)
        return replace(found, n_features=min(max(found.n_features, self.min_features), most))

    def compare_stops(self, X: Any = None, y: Any = None, rules: Any = None) -> dict[str, Stopping]:
        """Where each of several rules would have stopped the search.

        Parameters
        ----------
        X, y : array-like, default=None
            The data that the search was fitted on; without it only rules that need no samples are asked.
        rules : rule or iterable of rules, default=None
            Names, with options if need be, or rules themselves; None for all there are.

        Returns
        -------
        stoppings : dict of str to Stopping
            By the name of the rule, or as it was asked for.
        """
        check_is_fitted(self)
        if isinstance(rules, (str, StopRule)):
            rules = [rules]
        if rules is None:
            rules = [name for name, rule in BY_NAME.items() if X is not None or not rule.asks]
        return {str(rule) if isinstance(rule, StopRule) else rule: self.stop_at(rule, X, y) for rule in rules}

    def _size_before(self) -> int:
        return self.n_features_in_ if self.direction_ == BACKWARD else 0

    def _steps(self) -> Iterator[Step]:
        for row in self.path_:
            size, feature, score, previous, runner_up = row.item()
            yield Step(size, feature, score, previous, runner_up, self.direction_ == BACKWARD)

    def _asked_again(self, X: Any, y: Any) -> Iterator[tuple[Step, StepAsked]]:
        """Steps of the path with their data, the score standing before each."""
        other = clone(self)
        field = other._field(other._check(X, y))
        if not _are_equal(field.relevance, self.relevance_) or len(field.order) != self.n_samples_:
            raise DataError(
                "X and y are not what the search was fitted on: the features have another relevance. Pass "
                "the same data."
            )
        root = np.random.SeedSequence(self.seed_)
        score = other._score_of(field, child(root, 0))
        asker = _Asker(score, field, child(root, 1))
        place = np.empty(len(field.pool), dtype=np.int64)
        place[field.pool] = np.arange(len(field.pool))
        if self.direction_ == BACKWARD:
            for feature in range(len(field.pool)):
                score.add(feature)
        for number, step in enumerate(self._steps()):
            own = int(place[step.feature])
            if self.sets_ is not None:
                score.clear()
                for feature in self.sets_[number]:
                    if feature != step.feature:
                        score.add(int(place[feature]))
            again = (score.without_each if step.is_removal else score.with_each)(np.array([own]))[0]
            if not _are_equal(again, np.asarray(step.score)):
                raise DataError(
                    f"The score of {step.size} feature(s) is {again:.6g} now and was {step.score:.6g} in the search. "
                    "The data or the settings are others, or cv draws other splits each time: give it a random_state, "
                    "or a list of splits."
                )
            ask = asker.about(replace(step, feature=own))
            yield step, ask
            ask.take()
            report("Steps asked about", number + 1, len(self.path_))

    def _members(self, walk: Walk, size: int, n_features: int) -> Array:
        """The set of a size, its features in order."""
        if walk.sets is not None:
            return np.array(walk.sets[size - 1] if size else [], dtype=np.int64)
        features = [step.feature for step in walk.steps]
        if self.direction == BACKWARD:
            last = set(range(n_features)) - set(features)
            features = [*last, *features[::-1]]
        return np.array(features[:size], dtype=np.int64)

    @property
    def _details(self) -> dict[str, Any]:
        return {"value": self.value_, "stop": self.stopping_.rule, "steps": len(self.path_)}

    @property
    def _notes(self) -> list[str]:
        return _in_words(self)

    def _why_nothing(self) -> str:
        return (
            f"the rule {self.stopping_.rule!r} did not go along with the first feature. Use another rule, or "
            "min_features=1."
        )


class _Asker:
    """Makes what a rule asks about steps."""

    def __init__(self, score: GrowingScore, field: Field, root: np.random.SeedSequence) -> None:
        self.score = score
        self.field = field
        self._root = root

    def about(self, step: Step) -> StepAsked:
        return StepAsked(self.score, step, self.field.X, self.field.target, self._root)


@dataclass(frozen=True)
class _Silent:
    """For rules that ask nothing."""

    n_samples: int


def _forward(search: SequentialSearch, asker: _Asker, rule: StopRule, n_most: int) -> tuple[Walk, Stopping]:
    follower = Follower(rule, len(asker.field.order))
    steps = []
    for step in forward_steps(asker.score, asker.field.choice(), n_most):
        steps.append(step)
        ask = asker.about(step)
        if not follower.sees(step, ask) and step.size > search.min_features:
            break
        ask.take()
    return Walk(steps), follower.stopping(asker.field.pool)


def _backward(search: SequentialSearch, asker: _Asker, rule: StopRule, n_most: int) -> tuple[Walk, Stopping]:
    follower = Follower(rule, len(asker.field.order), search.n_features_in_)
    steps, goes_on = [], True
    for step in backward_steps(asker.score, asker.field.choice()):
        steps.append(step)
        ask = asker.about(step)
        goes_on = goes_on and follower.sees(step, ask)
        ask.take()
    return Walk(steps), follower.stopping(asker.field.pool)


def _floating(search: SequentialSearch, asker: _Asker, rule: StopRule, n_most: int) -> tuple[Walk, Stopping]:
    follower = Follower(rule, len(asker.field.order))
    best = floating_sets(asker.score, asker.field.choice(), n_most)
    for one in best:
        asker.score.clear()
        for feature in one.members:
            asker.score.add(feature)
        if not follower.sees(one.step, asker.about(one.step)):
            break
    return Walk([one.step for one in best], [one.members for one in best]), follower.stopping(asker.field.pool)


_WALKS = {FORWARD: _forward, BACKWARD: _backward, FLOATING: _floating}


def _path(steps: list[Step], pool: Array) -> Array:
    rows = [(step.size, pool[step.feature], step.score, step.previous, step.runner_up) for step in steps]
    return np.array(rows, dtype=PATH)


def _values(walk: Walk, score: GrowingScore) -> dict[int, float]:
    """Score of the set of every size that the search passed."""
    by_size = {0: score.of_nothing, **{step.size: step.score for step in walk.steps}}
    if not walk.steps:
        by_size[1] = float(score.with_each(np.arange(1))[0])
    elif walk.steps[0].is_removal:
        by_size[walk.steps[0].size + 1] = walk.steps[0].previous
    return by_size


def _scores(walk: Walk, places: Array, score: GrowingScore) -> Array:
    """Score of the set up to each feature; for a floating search what the set loses without it."""
    by_size = _values(walk, score)
    if walk.sets is None or len(places) == 0:
        return np.array([by_size[size] for size in range(1, len(places) + 1)])
    score.clear()
    for feature in places.tolist():
        score.add(feature)
    lost: Array = by_size[len(places)] - score.without_each(places)
    return lost


def _are_equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True)


def _in_words(search: SequentialSearch) -> list[str]:
    """Where the search stopped and why, for readers of a result."""
    stopping = search.stopping_
    if stopping.rule == "none" or len(stopping.trace) == 0 or stopping.trace["goes_on"].all():
        return []
    last = stopping.trace[np.argmin(stopping.trace["goes_on"])]
    if last["n_permutations"] > 1:
        why = f"{last['p_value']:.0%} of {last['n_permutations']} permuted copies of the next feature do as well"
    elif np.isnan(stopping.bound):
        why = f"the next step would change the score by {last['gap']:+.3g}"
    else:
        why = f"the gap at the next step is {last['gap']:.3g}, and the bound {stopping.bound:.3g}"
    # Of a walk that adds features, every step before the one that was refused has added one.
    n_accepted = int(np.argmin(stopping.trace["goes_on"]))
    is_forced = search.direction_ != BACKWARD and n_accepted < stopping.n_features
    kept = f"{stopping.n_features} feature(s)" + (f" (min_features={search.min_features})" if is_forced else "")
    return [f"The rule {stopping.rule!r} stopped the search at {kept}: {why}."]
