"""The ``criterion=`` of a sequential search: from what the user said to a score of growing sets."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier, is_regressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from holdfast._parameters import Rule, having, nothing, one_of, whole_number
from holdfast.measures._folds import Folds
from holdfast.measures._neighbour_votes import Rule as NeighbourRule
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.centroids import SeparationScore
from holdfast.measures.growing.counts import InformationScore, MeritScore
from holdfast.measures.growing.neighbours import MEAN, WHOLE, DeltaTest, NeighbourScore, everything
from holdfast.measures.growing.sets import DistanceScore, EstimatorScore, FunctionScore
from holdfast.prepare.encode import encode
from holdfast.prepare.scaling import scaled
from holdfast.selectors.sequential._field import Field

Array = npt.NDArray[Any]

TRAIN, CV, DELTA, DELTA_CV, DCOR, MI, CFS, LW = CRITERIA = (
    "train",
    "cv",
    "delta",
    "delta-cv",
    "dcor",
    "mi",
    "cfs",
    "lw",
)
FOR_CLASSES = (MI, CFS, LW)
IN_WORDS = {
    CV: "score in cross-validation",
    TRAIN: "score in training",
    DELTA: "delta test, negative",
    DELTA_CV: "mean delta test, negative",
    DCOR: "distance correlation",
    MI: "mutual information",
    CFS: "merit of CFS",
    LW: "LW index",
}
MOST_NEIGHBOURS = 10

CRITERION = one_of(*CRITERIA) | Rule(
    lambda value: callable(value) and not isinstance(value, type) and not hasattr(value, "fit"),
    "a function (X, y) -> number",
    (object(), dict),
)
ESTIMATOR = having("fit", "predict", words="an estimator with fit and predict") | nothing()
_COUNT = whole_number(at_least=1)
NEIGHBOURS = (
    _COUNT
    | Rule(
        lambda value: (
            isinstance(value, (list, tuple, range, np.ndarray)) and len(value) > 0 and all(map(_COUNT.accepts, value))
        ),
        "a list of such numbers",
        ([], [0]),
    )
    | nothing()
)  # fmt: skip


class Searching(Protocol):
    """What a selector says about its criterion."""

    criterion: Any
    estimator: Any
    n_neighbors: Any
    cv: Any
    scoring: Any
    aggregate: str
    scale: str
    delta_part: str
    radius: str
    discretizer: Any
    n_jobs: int | None


def growing_score(search: Searching, field: Field, seed: np.random.SeedSequence) -> GrowingScore:
    """The score that a search goes by."""
    criterion = search.criterion
    _refuse_what_does_not_count(search, field)
    if field.is_measured and criterion in FOR_CLASSES:
        raise ValueError(
            f"criterion={criterion!r} needs classes, but y_is='numbers'. Use 'cv', 'delta', 'delta-cv' or 'dcor' for "
            "numbers, or a function."
        )
    if callable(criterion):
        return FunctionScore(field.X, field.labels, criterion, search.n_jobs)
    if criterion in (TRAIN, CV):
        return _by_estimator(search, field, np.random.default_rng(seed))
    if criterion in (DELTA, DELTA_CV):
        return _delta(search, field, np.random.default_rng(seed))
    if criterion == DCOR:
        return DistanceScore(scaled(field.X, _scale(search, "range")), field.target, field.kind)
    if criterion == LW:
        return separation_score(field, _scale(search, "range"), search.radius)

    def encoded(X: Array) -> Any:
        return encode(X, field.classes, search.discretizer, None)

    return (InformationScore if criterion == MI else MeritScore)(field.X, field.classes, encoded)


def _refuse_what_does_not_count(search: Searching, field: Field) -> None:
    """Refuse settings that would be left aside in silence."""
    by_model = search.criterion in (TRAIN, CV)
    if search.estimator is not None and not by_model:
        raise ValueError(
            f"estimator={search.estimator!r} does not count with criterion={search.criterion!r}. Use criterion='cv' or "
            "'train', or leave it out."
        )
    if search.n_neighbors is not None and (search.estimator is not None or not by_model):
        what = "an estimator of your own" if search.estimator is not None else f"criterion={search.criterion!r}"
        raise ValueError(f"n_neighbors={search.n_neighbors!r} does not count with {what}. Leave one of the two out.")
    if field.is_measured and isinstance(search.scoring, str):
        raise ValueError(
            f"scoring={search.scoring!r} is for classes, but y_is='numbers'. Leave it out for R², or pass a scorer, as "
            "make_scorer(mean_absolute_error, greater_is_better=False) is one."
        )


def separation_score(field: Field, scale: str, radius: str) -> SeparationScore:
    """The LW index of features in comparable units."""
    return SeparationScore(np.ascontiguousarray(scaled(field.X, scale).T), field.classes, radius)


def _scale(search: Searching, usual: str) -> str:
    return usual if search.scale == "auto" else search.scale


def _by_estimator(search: Searching, field: Field, rng: np.random.Generator) -> GrowingScore:
    _refuse_other_kind(search.estimator, field)
    in_training = search.criterion == TRAIN
    rule = _neighbours(search, field)
    if rule is None:
        folds = everything(len(field.order)) if in_training else _folds(search, field, rng)
        return EstimatorScore(
            field.X, field.labels, folds, search.estimator, field.kind, scoring=search.scoring,
            aggregate=search.aggregate, n_jobs=search.n_jobs,
        )  # fmt: skip
    grid, scale, target = rule
    needs_folds = not in_training or grid is None or len(grid) > 1
    folds = _folds(search, field, rng) if needs_folds else everything(len(target))
    return NeighbourScore(
        np.ascontiguousarray(field.X.T), target, folds, _grid(grid, folds), in_training=in_training,
        aggregate=search.aggregate, scale=scale, n_jobs=search.n_jobs,
    )  # fmt: skip


def _folds(search: Searching, field: Field, rng: np.random.Generator) -> Folds:
    """Splits of the cross-validation, refused where the score has no value in one of them."""
    folds = field.folds(search.cv, rng)
    is_by_part = field.is_measured and search.aggregate == MEAN and search.scoring is None
    if is_by_part and np.diff(folds.test_starts).min() < 2:
        raise ValueError(
            "aggregate='mean' takes R² in every test part, but some part has one sample, which has none. Use "
            "aggregate='pooled', or fewer folds."
        )
    return folds


def _refuse_other_kind(estimator: Any, field: Field) -> None:
    """Refuse a classifier for numbers and a regressor for classes."""
    if estimator is None or not (is_classifier if field.is_measured else is_regressor)(estimator):
        return
    came, needed, example, other = (
        ("classifier", "regressor", "KNeighborsRegressor(5)", "classes")
        if field.is_measured
        else ("regressor", "classifier", "KNeighborsClassifier(5)", "numbers")
    )
    raise ValueError(
        f"estimator={estimator!r} is a {came}, but y_is={field.kind!r}. Pass a {needed} such as {example}, or "
        f"y_is={other!r}."
    )


def _neighbours(search: Searching, field: Field) -> tuple[tuple[int, ...] | None, str, Array] | None:
    """Numbers of neighbours, scale and target, if the estimator is nearest neighbours and the score the usual one."""
    if search.estimator is None:
        if search.scoring is not None:
            raise ValueError(
                f"scoring={search.scoring!r} needs an estimator; without one the nearest neighbours are judged by "
                "accuracy or R². Pass estimator=KNeighborsClassifier(5), say, or leave scoring out."
            )
        given = search.n_neighbors
        grid = None if given is None else tuple(int(k) for k in np.atleast_1d(given))
        return grid, _scale(search, "standard"), field.target
    rule = NeighbourRule.behind(search.estimator, KNeighborsRegressor if field.is_measured else KNeighborsClassifier)
    if rule is None or search.scoring not in (None, "accuracy"):
        return None
    # Of classes that have as many votes scikit-learn takes the one whose name comes first.
    target = field.target if field.is_measured else np.unique(field.labels, return_inverse=True)[1].astype(np.int64)
    return (rule.n_neighbors,), "standard" if rule.is_scaled else "none", target


def _grid(asked: tuple[int, ...] | None, folds: Folds) -> tuple[int, ...]:
    most = folds.smallest_training_part
    if asked is None:
        return tuple(range(1, min(MOST_NEIGHBOURS, most) + 1))
    if max(asked) > most:
        raise ValueError(
            f"n_neighbors={max(asked)}, but the smallest training part of the cross-validation has {most} samples. "
            "Lower n_neighbors, or raise the number of folds."
        )
    return asked


def _delta(search: Searching, field: Field, rng: np.random.Generator) -> GrowingScore:
    part = WHOLE if search.criterion == DELTA else search.delta_part
    folds = None if part == WHOLE else field.folds(search.cv, rng)
    columns = np.ascontiguousarray(scaled(field.X, _scale(search, "standard")).T)
    return DeltaTest(columns, field.target, folds, part, n_jobs=search.n_jobs)
