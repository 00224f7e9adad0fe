"""What two-stage selectors share: a pool from a filter, a search in it that may be stopped, and what is said of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, real_number, seed, whole_number, yes_or_no
from holdfast._random import seed_sequence
from holdfast.data._wording import counted
from holdfast.measures._folds import checked_splits
from holdfast.measures.wrapper_score import SCORING, SVM, WrapperScore
from holdfast.search.elimination import ordered_by_loss
from holdfast.search.evolution import HISTORY, TRACE, Ending, Evolution
from holdfast.search.fitness import Fitness, OutOfTime
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors._wrapper import CLASSIFIER, SPLITS
from holdfast.selectors.evolutionary._outer import STOPPED, Outer, outer_estimate
from holdfast.selectors.evolutionary._pool import FILTER, Blocks, Pool, Ranked, grow_pool

Array = npt.NDArray[Any]

TIME, INTERRUPTED = "max_time", "interrupted"
_IN_WORDS = {
    "target_fitness": "it reached target_fitness",
    "patience": "the best set stayed the same for as many {rounds} as patience allows",
    "rounds": "all {rounds} were done",
    TIME: "max_time was over",
    INTERRUPTED: "it was interrupted",
}

COMMON: Mapping[str, Rule] = {
    "n_features_to_select": COUNT_SHARE_OR_NONE,
    "filter": FILTER,
    "look_up": yes_or_no(),
    "target_fitness": real_number() | nothing(),
    "patience": whole_number(at_least=1) | nothing(),
    "prefer_smaller": yes_or_no(),
    "estimator": CLASSIFIER,
    "cv": SPLITS,
    "scoring": SCORING,
    "outer_cv": SPLITS,
    "max_time": real_number(above=0.0) | nothing(),
    "random_state": seed(),
    "n_jobs": jobs(),
}


@dataclass(frozen=True)
class Ordered:
    """A set as places in the pool, best first, what was lost as each went, its fitness, and why the search ended."""

    places: Array
    losses: Array
    inner: float
    ended: str


class TwoStageSelector(Selector):
    """Base of selectors that search a pool of features with a classifier."""

    rounds: ClassVar[str] = "rounds"

    filter: Any
    look_up: bool
    target_fitness: float | None
    patience: int | None
    prefer_smaller: bool
    estimator: Any
    cv: Any
    scoring: Any
    outer_cv: Any
    max_time: float | None
    n_jobs: int | None
    random_state: Any

    @property
    def _blocks(self) -> Blocks:
        raise NotImplementedError

    @property
    def _n_rounds(self) -> int:
        raise NotImplementedError

    def _search(self, *given: Any) -> tuple[Evolution, Any]:
        """A search that is ready to run, and what ``run`` takes."""
        raise NotImplementedError

    def _choose(self, problem: Problem) -> Found:
        began = time.monotonic()
        most = self._n_select(problem.n_features)
        fold_seed, draw_seed, outer_seed = seed_sequence(self.random_state).spawn(3)
        outer_cv = self._outer_splits(problem)
        share = self._share_of_time(outer_cv)
        deadline = None if share is None else began + share
        labels = self.classes_[problem.target]
        spent: list[WrapperScore] = []

        def judge(columns: Array) -> WrapperScore:
            spent.append(self._judge(problem, labels, columns, int(fold_seed.generate_state(1)[0])))
            return spent[-1]

        def asked(pool: Pool) -> Fitness:
            return Fitness(
                pool.judge.scores, prefer_smaller=self.prefer_smaller, deadline=deadline,
                n_judged=lambda: pool.judge.n_subsets,
            )  # fmt: skip

        def begun(pool: Pool) -> tuple[Evolution, Any]:
            return self._search(
                asked(pool), len(pool.columns), most, Ending(self._n_rounds, self.target_fitness, self.patience),
                np.random.default_rng(draw_seed), lambda: pool.judge.n_subsets,
            )  # fmt: skip

        ranked = Ranked(self.filter, problem, labels)
        pools: list[Pool] = []
        search: Evolution | None = None
        try:
            grow_pool(ranked, self._blocks, judge, partial(_is_late, deadline), pools)
            if not pools:
                return self._nothing(problem, ranked)
            search, manner = begun(pools[-1])
            search.run(manner)
            ended = search.ended
        except OutOfTime:
            ended = TIME
        except KeyboardInterrupt:
            if self._is_in_a_loop:
                raise
            ended = INTERRUPTED
            if not pools:
                columns = ranked.taken_or_relevant(self._blocks.size)
                if len(columns) == 0:
                    return self._nothing(problem, ranked)
                pools = [Pool(columns, judge(columns), np.nan)]
        pool = pools[-1]
        search = search or begun(pool)[0]
        order = self._ordered(pool, search, ranked, ended, asked(pool))
        outer = self._outer(problem, labels, pool, outer_cv, share, outer_seed, order.ended)
        return self._found(problem, ranked, pool, search, order, outer, spent)

    def _nothing(self, problem: Problem, ranked: Ranked) -> Found:
        """The result where the filter left nothing to search."""
        none = np.zeros(0, dtype=np.int64)
        outer = Outer.none(problem.n_features, "there is nothing to test")
        idle = Evolution(Fitness(lambda sets: []), 0, 0, Ending(0), np.random.default_rng(0), lambda: 0)
        told = _told(ranked, none, np.nan, outer, idle, "")
        return Found(
            none,
            np.full(problem.n_features, np.nan),
            ranking_of(none, problem.n_features),
            Evaluations(relevance=problem.n_features, pair=ranked.n_pairs),
            ranked.precedence.n_ties,
            {**told, "inner_fitness_": np.nan, "n_requests_": 0, "n_cache_hits_": 0},
        )

    def _judge(self, problem: Problem, labels: Array, columns: Array, fold_seed: int) -> WrapperScore:
        return WrapperScore(
            problem.columns(columns),
            labels,
            estimator=SVM if self.estimator is None else self.estimator,
            scoring=self.scoring,
            cv=self.cv,
            random_state=fold_seed,
            n_jobs=self.n_jobs,
            remembers=self.look_up,
        )

    @property
    def _has_outer(self) -> bool:
        return self.outer_cv is not None and not self._is_in_a_loop

    def _outer_splits(self, problem: Problem) -> Any:
        """The outer splits, checked before any work is done: a number, or a list; None for no estimate."""
        if not self._has_outer:
            return None
        # Splits that were made by hand know more about the samples than a number does.
        is_list = isinstance(self.cv, (list, tuple)) and isinstance(self.outer_cv, (int, np.integer))
        cv = self.cv if is_list else self.outer_cv
        if isinstance(cv, (int, np.integer)):
            return cv
        name = "cv" if is_list else "outer_cv"
        splits = checked_splits(cv, problem.given, self.classes_[problem.target], name=name)
        for number, (train, test) in enumerate(splits):
            n_both = len(np.intersect1d(train, test))
            if n_both:
                raise ValueError(
                    f"{name}: split {number} tests on {counted(n_both, 'sample')} that it trains on, so that its score "
                    "would not be one of new samples. Pass splits whose parts have no sample in common, or "
                    "outer_cv=None."
                )
        return splits

    def _share_of_time(self, outer_cv: Any) -> float | None:
        """Seconds for one search: the outer ones get as much as the first."""
        if self.max_time is None or outer_cv is None:
            return self.max_time
        return self.max_time / (1 + (outer_cv if isinstance(outer_cv, (int, np.integer)) else len(outer_cv)))

    def _outer(
        self, problem: Problem, labels: Array, pool: Pool, cv: Any, share: float | None, seeds: Any, ended: str
    ) -> Outer:
        if not self._has_outer:
            return Outer.none(problem.n_features, "outer_cv=None asked for none")
        if ended == INTERRUPTED:
            return Outer.none(problem.n_features, "the search was interrupted")
        try:
            return outer_estimate(self, problem.X, labels, problem.names, pool.columns, cv, seeds, max_time=share)
        except KeyboardInterrupt:
            return Outer.none(problem.n_features, STOPPED)

    def _ordered(self, pool: Pool, search: Evolution, ranked: Ranked, ended: str, fitness: Fitness) -> Ordered:
        """The best set, in an order of its own if there is time for it."""
        best, inner = np.flatnonzero(search.queen), search.queen_value
        met = search.fitness
        if met.best is not None and met.is_better(met.best_value, len(met.best), inner, len(best)):
            # Met in a phase that was stopped before it ended.
            best, inner = met.best, met.best_value
        if len(best) == 0:
            # Stopped before any set was judged: what the filter has taken.
            best = np.arange(min(search.max_features, len(pool.columns)))
            inner = pool.value if len(best) == len(pool.columns) else np.nan
        unordered = Ordered(best, np.full(len(best), np.nan), inner, ended)
        if ended in (TIME, INTERRUPTED):
            return unordered
        try:
            order, losses = ordered_by_loss(partial(_values, fitness), best, pool.columns, ranked.precedence)
        except OutOfTime:
            return unordered
        except KeyboardInterrupt:
            if self._is_in_a_loop:
                raise
            return replace(unordered, ended=INTERRUPTED)
        return Ordered(order, losses, inner, ended)

    def _found(
        self, problem: Problem, ranked: Ranked, pool: Pool, search: Evolution, order: Ordered, outer: Outer,
        spent: list[WrapperScore],
    ) -> Found:  # fmt: skip
        indices = pool.columns[order.places]
        scores = np.full(problem.n_features, np.nan)
        scores[indices] = order.losses
        return Found(
            indices,
            scores,
            ranking_of(indices, problem.n_features),
            Evaluations(
                relevance=problem.n_features,
                pair=ranked.n_pairs,
                subset=sum(judge.n_subsets for judge in spent),
                classifier=sum(judge.n_trained for judge in spent),
            ),
            ranked.precedence.n_ties,
            {
                **_told(ranked, pool.columns, pool.value, outer, search, order.ended),
                "inner_fitness_": order.inner,
                "n_requests_": sum(judge.n_requests for judge in spent),
                "n_cache_hits_": sum(judge.n_cache_hits for judge in spent),
            },
        )

    @property
    def _was_interrupted(self) -> bool:
        return bool(self.ended_ == INTERRUPTED or self.outer_note_ == STOPPED)

    @property
    def _has_scores(self) -> bool:
        return bool(np.isfinite(self.scores_[self.indices_]).any())

    @property
    def _score_means(self) -> str:
        if not self._has_scores:
            return ""
        return "what the inner fitness of the set lost when the feature went, each time the one of the least loss"

    @property
    def _details(self) -> dict[str, Any]:
        return {
            "inner_fitness": _known(self.inner_fitness_),
            "outer_score": _known(self.outer_score_),
            "outer_interval": [_known(end) for end in self.outer_interval_],
            "n_outer_splits": self.n_outer_splits_,
            "ended": self.ended_,
            "n_rounds": max(0, len(self.history_) - 1),
            "pool_size": len(self.pool_),
            "n_requests": self.n_requests_,
            "n_cache_hits": self.n_cache_hits_,
        }

    @property
    def _notes(self) -> list[str]:
        what = self.scoring if isinstance(self.scoring, str) else "score"
        notes = [
            f"Inner fitness: {what} {self.inner_fitness_:.4g}, cross-validated on the very samples the set was "
            f"searched on, and the best of {self.n_evaluations_.subset} sets. It is what was maximised, not what to "
            "expect."
            if np.isfinite(self.inner_fitness_)
            else "Inner fitness: not known, for the search was stopped before any set was judged."
        ]
        if self.n_outer_splits_:
            low, high = self.outer_interval_
            between = f" (95 % interval {low:.4g} to {high:.4g})" if np.isfinite(low) else ""
            part = (
                counted(self.n_outer_splits_, "outer split")
                if self.n_outer_splits_ == self._n_outer_asked
                else f"{self.n_outer_splits_} of {self._n_outer_asked} outer splits, for {self.outer_note_}"
            )
            notes.append(
                f"Outer score: {what} {self.outer_score_:.4g}{between} on samples that took no part, filter and search "
                f"being repeated without them in {part}. Expect this of new samples."
            )
        else:
            notes.append(
                f"Outer score: not known, for {self.outer_note_.rstrip('.')}. Without it nothing is known about new "
                "samples."
            )
        ended = _IN_WORDS.get(self.ended_, "").format(rounds=self.rounds)
        if self.ended_ in (TIME, INTERRUPTED):
            notes.append(
                f"The search ended early, since {ended}: the list is the best so far, in the order of the filter, "
                "without scores."
            )
        elif ended:
            n_rounds = max(0, len(self.history_) - 1)
            notes.append(f"The search ended after {n_rounds} {self.rounds}: {ended}.")
            if not self._has_scores:
                notes.append(
                    "There was no time left to put the list in order: it is in that of the filter, without scores."
                )
        return notes

    def _why_nothing(self) -> str:
        return f"the filter, {self.filter!r}, left none that varies. Look at the table, or try another filter."


def _told(ranked: Ranked, columns: Array, value: float, outer: Outer, search: Evolution, ended: str) -> dict[str, Any]:
    """What a fitted selector says beyond its list, but for what was asked of the judges."""
    return {
        "outer_score_": outer.score,
        "outer_interval_": outer.interval,
        "outer_frequency_": outer.runs.mean(axis=0) if len(outer.runs) else None,
        "n_outer_splits_": len(outer.runs),
        "relevance_": ranked.relevance,
        "pool_": columns,
        "pool_fitness_": value,
        "population_": search.sets,
        "population_fitness_": search.values,
        "queens_": np.array(search.queens, dtype=bool).reshape(len(search.queens), len(columns)),
        "queen_trace_": np.array(search.trace, dtype=TRACE),
        "history_": np.array(search.history, dtype=HISTORY),
        "ended_": ended,
        "outer_note_": outer.why_not,
        "_n_outer_asked": outer.n_splits,
    }


def _values(fitness: Fitness, members: Array, starts: Array) -> Array:
    """Scores of sets that lie one after the other."""
    return fitness(np.split(members, starts[1:-1]))


def _is_late(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
