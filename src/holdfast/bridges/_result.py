"""A selection with what resamples say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline

from holdfast._registry import find
from holdfast.data import Table
from holdfast.stability import Frequency, selection_frequency
from holdfast.stability._members import RepeatedSelector
from holdfast.stability._repeat import SELECTOR, chosen_by, label_of, last_of, size_parameter, takes_table

Array = npt.NDArray[Any]

_FILLS = ("mean", "median", "most_frequent")
_N_RUNS, _PERTURB = 50, "half-samples"


@dataclass(frozen=True)
class Result:
    """What was chosen, and what resamples say about it."""

    order: Array
    scores: Array
    runs: Array | None
    perturb: str

    def columns(self) -> dict[str, Array]:
        """One value for each feature, by the end of its column's name."""
        rank = np.full(len(self.scores), np.nan)
        rank[self.order] = np.arange(1, len(self.order) + 1)
        found = {"selected": ~np.isnan(rank), "rank": rank, "score": self.scores}
        return found if self.runs is None else {**found, "frequency": self.runs.mean(axis=0)}

    def about(self, names: tuple[str, ...]) -> dict[str, Any]:
        """The rest, in types that h5ad files hold."""
        found: dict[str, Any] = {"features": np.array([names[j] for j in self.order], dtype=object), "n_runs": 0}
        if self.runs is None:
            return found
        found |= {"n_runs": len(self.runs), "perturb": self.perturb}
        if len(self.runs) > 1:
            stability = Frequency(self.runs).stability
            found["stability"] = {"value": stability.value, "low": stability.low, "high": stability.high}
        return found


def model_of(
    method: Any,
    size: int | float | None,
    n_runs: int | None,
    perturb: Any,
    random_state: int,
    n_jobs: int | None,
    parameters: dict[str, Any],
) -> tuple[str, Any]:
    """The selector, unfitted, and what to call it; one that resamples by itself is told how."""
    told = {} if size is None else {"n_features_to_select": size}
    own = {"n_runs": n_runs or None, "perturb": perturb}
    if isinstance(method, str):
        row = find(method)
        known = row.selector_class._get_param_names()
        own |= {"random_state": random_state, "n_jobs": n_jobs}
        told |= {name: value for name, value in own.items() if name in known and value is not None}
        return row.name, row.build(**{**told, **parameters})
    if isinstance(method, type) or not SELECTOR.accepts(method):
        raise TypeError(f"method={method!r} is not allowed: it must be {SELECTOR.words}.")
    model = clone(method)
    last, place = last_of(model), size_parameter(model)
    if size is not None:
        if place is None:
            raise ValueError(f"{label_of(method)} has no parameter for the number of features. Leave it out.")
        told = {place: size}
    known = list(last.get_params(deep=False))
    told |= {name: value for name, value in own.items() if name in known and value is not None}
    last.set_params(**{**told, **parameters})
    return label_of(method), model


def filling(model: Any, impute: str) -> Any:
    """The same selector behind an imputer."""
    if impute not in _FILLS:
        raise ValueError(f"impute={impute!r} is not allowed. Pass one of {', '.join(map(repr, _FILLS))}.")
    # A feature without any value in a resample stays as a constant, so that columns keep their places.
    return Pipeline([("fill", SimpleImputer(strategy=impute, keep_empty_features=True)), ("select", model)])


def found(
    model: Any, data: Table, groups: Array | None, n_runs: int | None, perturb: Any, random_state: int, n_jobs: Any
) -> Result:
    """Select from all samples, and from resamples unless the method has done so itself."""
    y = data.target
    X: Any = data if takes_table(model) else data.X
    last = last_of(model)
    routed = {} if groups is None or not isinstance(last, RepeatedSelector) else {"groups": groups}
    if isinstance(model, Pipeline):
        routed = {f"{model.steps[-1][0]}__{name}": value for name, value in routed.items()}
    if hasattr(last, "named_for_ties"):
        last.named_for_ties(np.array(data.feature_names, dtype=object))
    model.fit(X, y, **routed)
    chosen = chosen_by(model, data.X)
    order = chosen.indices[np.argsort(chosen.places, kind="stable")]
    scores = _scores(model, order, data.n_features)
    if hasattr(last, "frequency_") and last.n_features_in_ == data.n_features:
        kind = last.perturb if isinstance(last.perturb, str) else "own"
        return Result(order, scores, _own_runs(last), kind)
    if n_runs == 0:
        return Result(order, scores, None, "")
    perturb = _PERTURB if perturb is None else perturb
    repeated = selection_frequency(
        model,
        data,
        y,
        n_runs=_N_RUNS if n_runs is None else n_runs,
        perturb=perturb,
        groups=groups,
        random_state=random_state,
        n_jobs=n_jobs,
    )
    return Result(order, scores, repeated.runs, perturb if isinstance(perturb, str) else "own")


def _scores(model: Any, order: Array, n_features: int) -> Array:
    """The score of each feature; if a pipeline drops columns, of the chosen ones only. NaN where there is none."""
    last = last_of(model)
    scores: Array = np.full(n_features, np.nan)
    given = np.asarray(getattr(last, "scores_", scores), dtype=np.float64)
    if given.shape == (n_features,):
        return given.copy()
    if hasattr(last, "indices_"):
        scores[order] = given[last.indices_]
    return scores


def _own_runs(last: Any) -> Array:
    """Which features each run of a method chose that resamples by itself."""
    if hasattr(last, "runs_"):
        return np.asarray(last.runs_)
    runs = np.zeros((len(last.lists_), last.n_features_in_), dtype=bool)
    for run, columns in zip(runs, last.lists_, strict=True):
        run[columns] = True
    return runs
