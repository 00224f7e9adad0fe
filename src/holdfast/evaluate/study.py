"""A study: the cells of a plan, put together."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import cached_property
from html import escape
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from holdfast.evaluate._bootstrap import MetricInterval, Predictions, bootstrap_weights, intervals, jackknife_intervals
from holdfast.evaluate.plan import ALL, Cell, Plan

Array = npt.NDArray[Any]
Configuration = tuple[int, int | str, str]

TUNED = "tuned"
_N_DRAWS = 1000


class Cells(Protocol):
    """Where results come from."""

    def get(self, cell: Cell) -> dict[str, Any] | None:
        """A cell's result."""

    def cost(self, cell: Cell) -> dict[str, Any]:
        """What a cell took."""


class Study:
    """Results of comparing methods on one table.

    ``compare`` makes it. Use ``recommendation`` for the answer, ``results`` and ``selections`` for the numbers,
    ``summary()`` for all of it as one dictionary, and ``holdfast.report.write`` for a page to show.

    Parameters
    ----------
    plan : Plan
        What was done.
    cells : Store or Memory
        Where the results are.

    Attributes
    ----------
    plan : Plan
        What was done.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="5cv")
    Study(1 method x 1 size x 1 classifier, 5cv, 40 samples x 60 features)
    """

    def __init__(self, plan: Plan, cells: Cells) -> None:
        self.plan = plan
        self._cells = cells

    @cached_property
    def found(self) -> Mapping[Cell, dict[str, Any]]:
        """Results of the cells that are done."""
        got = ((cell, self._cells.get(cell)) for cell in self.plan.cells)
        return {cell: result for cell, result in got if result is not None}

    @property
    def is_complete(self) -> bool:
        """Whether every cell is done."""
        return len(self.found) == len(self.plan.cells)

    @cached_property
    def splits(self) -> tuple[int, ...]:
        """Numbers of the splits on which every method is done, so that all are judged on the same samples."""
        methods = range(len(self.plan.methods))
        return tuple(
            split for split in range(len(self.plan.splits)) if all((method, split) in self.found for method in methods)
        )

    @cached_property
    def sizes(self) -> tuple[int | str, ...]:
        """Sizes of the plan, and "tuned" if it was asked for."""
        return (*self.plan.sizes, *([TUNED] if self.plan.tune_size else []))

    def chosen(self, method: int, size: int | str, classifier: str | None = None) -> list[Array]:
        """The features chosen on each split, best first; a tuned size belongs to a classifier."""
        cells = [self.found[method, split] for split in self.splits]
        return [
            np.array(cell["chosen"][str(cell["tuned"][classifier] if size == TUNED else size)], dtype=np.int64)
            for cell in cells
        ]

    def runs(self, method: int, size: int | str, classifier: str | None = None) -> Array:
        """The same as a row of True and False per split."""
        lists = self.chosen(method, size, classifier)
        runs = np.zeros((len(lists), self.plan.table.n_features), dtype=bool)
        for run, columns in zip(runs, lists, strict=True):
            run[columns] = True
        return runs

    def predictions(self, method: int, size: int | str, classifier: str) -> list[Predictions]:
        """Predictions for each test part; those of leave-one-out come together as one."""
        parts = []
        for split in self.splits:
            cell = self.found[method, split]
            answers = cell["predictions"][classifier][str(cell["tuned"][classifier] if size == TUNED else size)]
            rows = np.array(cell["test"], dtype=np.int64)
            scores = None if answers["scores"] is None else np.array(answers["scores"], dtype=np.float64)
            predicted = np.array(answers["predicted"], dtype=np.int64)
            parts.append(Predictions(rows, self.plan.classes[rows], predicted, scores, answers["is_probability"]))
        return [_joined(parts)] if self.plan.pools_test_parts and parts else parts

    @cached_property
    def configurations(self) -> tuple[Configuration, ...]:
        """Every method, size and classifier."""
        return tuple(
            (method, size, one.name)
            for method in range(len(self.plan.methods))
            for size in self.sizes
            for one in self.plan.classifiers
        )

    @cached_property
    def metrics(self) -> Mapping[Configuration, Mapping[str, MetricInterval]]:
        """Every metric with an interval by the jackknife over samples, which also holds for small test parts."""
        plan, n_classes = self.plan, len(self.plan.class_names)
        return {
            one: jackknife_intervals(self.predictions(*one), n_classes, plan.table.n_samples, groups=plan.groups)
            for one in self.configurations
        }

    @cached_property
    def bootstraps(self) -> Mapping[Configuration, Mapping[str, MetricInterval]]:
        """Every metric with the percentile interval of 1,000 bootstraps of the samples, short for small test parts."""
        plan, n_classes = self.plan, len(self.plan.class_names)
        weights = bootstrap_weights(plan.table.n_samples, n_draws=_N_DRAWS, seed=plan.seed, groups=plan.groups)
        return {one: intervals(self.predictions(*one), n_classes, weights) for one in self.configurations}

    def is_right(self, method: int, size: int | str, classifier: str) -> list[Array]:
        """Whether each prediction of each split is right."""
        found = []
        for split in self.splits:
            cell = self.found[method, split]
            own = str(cell["tuned"][classifier] if size == TUNED else size)
            found.append(np.array(cell["predictions"][classifier][own]["predicted"]) == self.plan.classes[cell["test"]])
        return found

    def on_all_samples(self, method: int, size: int | str) -> tuple[Array, list[float | None]]:
        """The features chosen from all samples, best first, and their scores."""
        cell = self.found.get((method, ALL))
        if cell is None or size == TUNED:
            return np.zeros(0, dtype=np.int64), []
        return np.array(cell["chosen"][str(size)], dtype=np.int64), cell["scores"][str(size)]

    def costs(self, method: int) -> list[dict[str, Any]]:
        """What each split's cell took."""
        return [self._cells.cost((method, split)) for split in self.splits]

    def peak_megabytes(self, method: int) -> float | None:
        """Memory that the selection from all samples took at its peak."""
        peak = self._cells.cost((method, ALL)).get("peak_megabytes")
        return None if peak is None else float(peak)

    @cached_property
    def _summary(self) -> dict[str, Any]:
        from holdfast.evaluate.summary import summarised

        return summarised(self)

    def summary(self) -> dict[str, Any]:
        """All of the study as one dictionary of plain values, as docs/study-json.md describes it."""
        return deepcopy(self._summary)

    @property
    def results(self) -> list[dict[str, Any]]:
        """One row per method, size and classifier, with every metric and its interval."""
        return deepcopy(self._summary["results"])

    @property
    def selections(self) -> list[dict[str, Any]]:
        """One row per method and size, with every stability index, its interval, and the features."""
        return deepcopy(self._summary["selections"])

    @property
    def recommendation(self) -> dict[str, Any]:
        """Which method, size and classifier to take, with reasons and doubts."""
        return deepcopy(self._summary["recommendation"])

    def __repr__(self) -> str:
        plan = self.plan
        parts = (("method", len(plan.methods)), ("size", len(self.sizes)), ("classifier", len(plan.classifiers)))
        what = " x ".join(f"{number} {name}{'' if number == 1 else 's'}" for name, number in parts)
        return f"Study({what}, {plan.protocol}, {plan.table.n_samples} samples x {plan.table.n_features} features)"

    def _repr_html_(self) -> str:
        from holdfast.evaluate._notebook import study_html

        return study_html(self._summary, escape(repr(self)))


def _joined(parts: list[Predictions]) -> Predictions:
    scores = None if parts[0].scores is None else np.concatenate([np.asarray(part.scores) for part in parts])
    return Predictions(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.predicted for part in parts]),
        scores,
        parts[0].is_probability,
    )
