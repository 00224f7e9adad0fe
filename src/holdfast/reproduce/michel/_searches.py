"""The searches of Michel 2018: forward by nearest neighbours and by the delta test, and the library's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from holdfast.measures._folds import Folds
from holdfast.measures.growing.neighbours import COMPLEMENT, CROSS, FOLD, WHOLE, DeltaTest, NeighbourScore
from holdfast.reproduce.michel._rules import READINGS, SPELT, Mirrored, Walked, walk
from holdfast.reproduce.michel._splits import CLASSIFIED, MEASURED, Data, Split, split
from holdfast.search.stop_rules import ClassicStop, HoeffdingStop, PermutationStop, hoeffding_bound
from holdfast.search.stopping import StopRule
from holdfast.selectors.sequential import ForwardSearch

Array = npt.NDArray[Any]

N_FOLDS = 10
GRID = tuple(range(1, 11))
TRAIN, CV, SHIPPED = "FS-Train", "FS-CV", "ForwardSearch"
DT, DT_CV = "DT", "DT-CV"
# Searches of which p-values are drawn, in Figures 10.19 to 10.21 and 11.7.
WITH_P_VALUES = (CV, DT_CV)
# What the ten parts of DT-CV may be; the thesis does not say.
DELTA_TESTS = {DT: WHOLE, DT_CV: COMPLEMENT, "DT-CV, inside": FOLD, "DT-CV, across": CROSS}
CRITERIA: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(CLASSIFIED, (CV, TRAIN, SHIPPED)),
    **dict.fromkeys(MEASURED, tuple(DELTA_TESTS)),
}


@dataclass(frozen=True)
class Run:
    """A whole search: order, scores, those of the second best, and what each size scores on the test part.

    ``sizes`` is where each reading stops; 0 if it does not go along with the first feature. For filters ``learned`` is
    the cross-validated R² of each size. ``p_values`` are those of every size, by rule, in the searches that have them.
    """

    order: list[int]
    scores: list[float]
    runners_up: list[float]
    tests: list[float]
    sizes: Mapping[str, int]
    learned: list[float]
    p_values: Mapping[str, list[float]] = field(default_factory=dict)


def run(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """One search of one repetition."""
    if criterion == SHIPPED:
        return shipped(data, seed, repetition)
    return (filtered if criterion in DELTA_TESTS else wrapper)(data, criterion, seed, repetition)


def wrapper(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """FS-Train or FS-CV on one split, with every reading of every rule."""
    part = split(data, seed, repetition)
    columns = np.ascontiguousarray(part.X.T)
    score = NeighbourScore(columns, part.y, folds_of(part.y), GRID, in_training=criterion == TRAIN, scale="none")
    found = walk(score, part.X, part.y, READINGS, [seed, repetition], with_p_values=criterion in WITH_P_VALUES)
    return _run(found, tested(part, [step.feature for step in found.steps], found.n_neighbors))


def shipped(data: Data, seed: int, repetition: int) -> Run:
    """The library's own search on the same split and folds: ties go to the more relevant feature."""
    part = split(data, seed, repetition)
    search = ForwardSearch(
        criterion="cv", cv=StratifiedKFold(N_FOLDS), scale="none", min_features=0, random_state=repetition
    ).fit(part.X, part.y)
    path = search.path_
    runners_up = np.where(np.isfinite(path["runner_up"]), path["runner_up"], path["score"])
    sizes = {rule: search.stop_at(name, part.X, part.y, complete=False).n_features for rule, name in SPELT.items()}
    return Run(path["feature"].tolist(), path["score"].tolist(), runners_up.tolist(), [], sizes, [])


def filtered(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """The delta test on one split, with every reading of every rule; y from 0 to 1, so that bounds hold."""
    part = split(data, seed, repetition)
    columns = np.ascontiguousarray(part.X.T)
    width = float(np.ptp(part.y))
    target = (part.y - part.y.min()) / width
    folds = folds_of(part.y)
    score = DeltaTest(columns, target, folds, DELTA_TESTS[criterion])
    rules = _filter_rules(len(target), width, score.of_nothing)
    found = walk(score, part.X, target, rules, [seed, repetition], with_p_values=criterion in WITH_P_VALUES)
    order = [step.feature for step in found.steps]
    learned, n_neighbors = _learner(columns, part.y, folds, order)
    return _run(found, tested(part, order, n_neighbors), learned)


def _filter_rules(n_samples: int, width: float, of_nothing: float) -> dict[str, StopRule]:
    """Every reading for a score of which less is better, and some for y in its own units, so many of them wide."""
    # In units of y a gap is larger by the square of its width, the bound is not.
    of_y: dict[str, Any] = {"delta": 0.05, "epsilon": hoeffding_bound(n_samples) / width**2}
    # Without features ϑ is the variance of y; 0 would stand for no noise at all.
    start: dict[str, Any] = {"start": of_nothing}
    return {
        **READINGS,
        "H2S": replace(READINGS["H2S"], **start),
        "H2S, δ = 0.05": replace(READINGS["H2S, δ = 0.05"], **start),
        "H, y as it is": HoeffdingStop("runner-up", **of_y),
        "H2S, y as it is": HoeffdingStop("previous", **start, **of_y),
        "HP, y as it is": HoeffdingStop("permuted", **of_y),
        "CW, mirrored": Mirrored(ClassicStop()),
        "P, mirrored": Mirrored(PermutationStop()),
    }


def folds_of(y: Array) -> Folds:
    """Ten folds as they come: stratified for classes."""
    folds = StratifiedKFold(N_FOLDS) if y.dtype.kind in "iu" else KFold(N_FOLDS)
    return Folds.of(list(folds.split(np.zeros(len(y)), y)))


def _run(found: Walked, tests: list[float], learned: list[float] | None = None) -> Run:
    steps = found.steps
    return Run(
        [step.feature for step in steps],
        [step.score for step in steps],
        [step.runner_up if np.isfinite(step.runner_up) else step.score for step in steps],
        tests,
        found.sizes,
        learned or [],
        found.p_values,
    )


def tested(part: Split, order: list[int], n_neighbors: list[int]) -> list[float]:
    """Accuracy or R² on the test part of scikit-learn's nearest neighbours, for every size."""
    found = []
    for size, k in enumerate(n_neighbors, 1):
        chosen = order[:size]
        if part.y.dtype.kind in "iu":
            model = KNeighborsClassifier(k).fit(part.X[:, chosen], part.y)
            found.append(float((model.predict(part.others[:, chosen]) == part.truth).mean()))
        else:
            model = KNeighborsRegressor(k).fit(part.X[:, chosen], part.y)
            found.append(float(r2_score(part.truth, model.predict(part.others[:, chosen]))))
    return found


def _learner(columns: Array, y: Array, folds: Folds, order: list[int]) -> tuple[list[float], list[int]]:
    """Cross-validated R² and number of neighbours of every size; every fold counts alike."""
    score = NeighbourScore(columns, y, folds, GRID, aggregate="mean", scale="none")
    learned, n_neighbors = [], []
    for feature in order:
        learned.append(float(score.with_each(np.array([feature]))[0]))
        n_neighbors.append(score.n_neighbors_with(feature))
        score.add(feature)
    return learned, n_neighbors
