"""Selections repeated on lists of rows; every parallel loop of this layer is here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from joblib import delayed
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from holdfast._errors import DataError
from holdfast._parallel import in_order
from holdfast._parameters import Rule
from holdfast._registry import find
from holdfast.data import Table
from holdfast.selectors._base import Found, Selector
from holdfast.selectors._holds import PLAIN_SELECTOR
from holdfast.selectors._ranker import Ranker
from holdfast.stability.noise import Noise

Array = npt.NDArray[Any]

_PIPELINE = Rule(
    lambda value: isinstance(value, Pipeline) and hasattr(value[-1], "get_support"), "a Pipeline that ends in one", ()
)
SELECTOR = PLAIN_SELECTOR | _PIPELINE
SELECTORS = SELECTOR | Rule(
    lambda value: isinstance(value, (list, tuple)) and len(value) > 0 and all(map(SELECTOR.accepts, value)),
    "a list of these",
    ([], [0]),
)


@dataclass(frozen=True)
class Chosen:
    """What one run chose: the places of features in its list (1, 2, … or shared) and what it thinks of each, 0 to 1.

    ``ranking`` holds a rank for every feature of the table, if that was asked for.
    """

    indices: Array
    places: Array
    weights: Array
    ranking: Array | None = None

    def only(self, is_kept: Array) -> Chosen:
        """The same without some of the features, which come last in a list if they come at all."""
        return (
            self
            if is_kept.all()
            else replace(
                self, indices=self.indices[is_kept], places=self.places[is_kept], weights=self.weights[is_kept]
            )
        )

    @classmethod
    def in_order(cls, indices: Array, weights: Array | None = None, ranking: Array | None = None) -> Chosen:
        """Features best first; without weights the first has 1 and the last 1 / n."""
        places = np.arange(1, len(indices) + 1)
        if weights is None:
            weights = 1.0 - (places - 1) / max(len(indices), 1)
        return cls(indices, places, weights, ranking)


class Resampler(Protocol):
    """A function from rows to the features chosen from them, which shares work between resamples."""

    def __call__(self, rows: Array) -> Array:
        """Whether each feature is chosen."""

    def found(self, rows: Array) -> Found:
        """What is chosen, in order, with scores and ranks."""


def members_of(selector: Any, n_kept: int | float | None = None) -> list[Any]:
    """Selectors by name or as given, cloned; they keep so many features, if that is said and they can be told."""
    given = list(selector) if isinstance(selector, (list, tuple)) else [selector]
    members = [find(one).build() if isinstance(one, str) else clone(one) for one in given]
    for member in members:
        name = size_parameter(member)
        if n_kept is not None and name is not None:
            last_of(member).set_params(**{name: n_kept})
    return members


def last_of(member: Any) -> Any:
    """The selector at the end of a pipeline, or the selector itself."""
    return member[-1] if isinstance(member, Pipeline) else member


def size_parameter(member: Any) -> str | None:
    """The parameter that says how many features a selector keeps, if it has one."""
    known = last_of(member).get_params(deep=False)
    return next((name for name in ("n_features_to_select", "k") if name in known), None)


def label_of(selector: Any) -> str:
    """What a reader knows a member by."""
    return selector if isinstance(selector, str) else type(last_of(selector)).__name__


def require_classes(selector: Any, y: Array | None, drawn: Sequence[Any]) -> None:
    """Refuse a run of one class for a selector that needs two, and say which it is."""
    if y is None or getattr(last_of(selector), "_takes", "") != "classes":
        return
    for number, rows in enumerate(drawn):
        if not isinstance(rows, Noise) and (y[rows] == y[rows[0]]).all():
            raise DataError(
                f"Run {number} has samples of one class only, so nothing can be chosen from it. Use a perturbation "
                "that draws from every class (and groups that do not go with the classes), or drop small classes."
            )


def supports(
    selector: Any,
    X: Any,
    y: Array | None,
    drawn: Sequence[Any],
    *,
    tie_names: Array | None = None,
    n_jobs: int | None,
    tick: Callable[[int], None],
) -> Array:
    """Which features are chosen from each list of rows (runs × features)."""
    require_classes(selector, y, drawn)
    make = partial(_made, selector, tie_names)
    shared = _resampler(make(), X, y, drawn)
    choose = partial(_support, make, X, y) if shared is None else partial(_shared_support, shared, X)
    return np.array(in_parallel([partial(choose, rows) for rows in drawn], n_jobs, tick))


def lists(
    selector: Any,
    X: Any,
    y: Array | None,
    drawn: Sequence[Any],
    *,
    complete: bool,
    tie_names: Array | None = None,
    n_jobs: int | None,
    tick: Callable[[int], None],
) -> list[Chosen]:
    """What is chosen from each list of rows, in order."""
    require_classes(selector, y, drawn)
    make = partial(_made, selector, tie_names)
    shared = _resampler(make(), X, y, drawn)
    if shared is not None:
        tasks = [partial(_chosen_by, selector, shared, X, rows, complete) for rows in drawn]
    else:
        tasks = [partial(_refitted, make, X, y, rows, complete) for rows in drawn]
    return in_parallel(tasks, n_jobs, tick)


def in_parallel(tasks: Sequence[Callable[[], Any]], n_jobs: int | None, tick: Callable[[int], None]) -> list[Any]:
    done: list[Any] = []
    for result in in_order((delayed(task)() for task in tasks), n_jobs):
        done.append(result)
        tick(len(done))
    return done


def _resampler(selector: Any, X: Any, y: Array | None, drawn: Sequence[Any]) -> Resampler | None:
    """What a selector offers for resamples; noise leaves nothing to share."""
    if not hasattr(selector, "resampler") or any(isinstance(rows, Noise) for rows in drawn):
        return None
    shared: Resampler | None = selector.resampler(X, y)
    return shared


def _made(selector: Any, tie_names: Array | None) -> Any:
    """An unfitted clone that knows features by these names where ties ask for them."""
    made = clone(selector)
    for step in [made] if not isinstance(made, Pipeline) else [step for _, step in made.steps]:
        if isinstance(step, Selector):
            step.named_for_ties(tie_names)
        if hasattr(step, "in_a_loop"):
            step.in_a_loop()
            break
    return made


def _fitted(make: Callable[[], Any], X: Any, y: Array | None, rows: Any) -> tuple[Any, Any]:
    selector = make()
    is_noise = isinstance(rows, Noise)
    some = rows.added_to(X) if is_noise else some_rows(X, rows)
    if isinstance(some, Table) and not takes_table(selector):
        some = some.X
    return selector.fit(some, y if y is None or is_noise else y[rows]), some


def takes_table(selector: Any) -> bool:
    """Whether a selector is ours, and so knows what a Table is."""
    return isinstance(selector, Selector) or getattr(selector, "takes_table", False)


def _support(make: Callable[[], Any], X: Any, y: Array | None, rows: Any) -> Array:
    fitted, some = _fitted(make, X, y, rows)
    columns = _traced(fitted, some) if isinstance(fitted, Pipeline) else np.flatnonzero(fitted.get_support())
    support = np.zeros(len(some.feature_names) if isinstance(some, Table) else some.shape[1], dtype=bool)
    support[columns[vary(some, None, columns)]] = True
    return support


def _shared_support(shared: Resampler, X: Any, rows: Array) -> Array:
    support = shared(rows)
    columns = np.flatnonzero(support)
    support[columns] = vary(X, rows, columns)
    return support


def vary(X: Any, rows: Array | None, columns: Array) -> Array:
    """Which of some columns have more than one known value among some rows: a list filled with others says nothing."""
    values: Any = X.X if isinstance(X, Table) else X
    if hasattr(values, "columns"):
        values = (values.iloc[:, columns] if hasattr(values, "iloc") else values[:, columns.tolist()]).to_numpy()
        columns = np.arange(len(columns))
    values = values[:, columns] if rows is None else values[np.ix_(rows, columns)]
    values = np.asarray(values, dtype=np.float64)
    varies: Array = np.fmax.reduce(values, axis=0) > np.fmin.reduce(values, axis=0)
    return varies


def _refitted(make: Callable[[], Any], X: Any, y: Array | None, rows: Any, complete: bool) -> Chosen:
    fitted, some = _fitted(make, X, y, rows)
    chosen = chosen_by(fitted, some, complete=complete)
    return chosen.only(vary(some, None, chosen.indices))


def chosen_by(fitted: Any, X: Any, *, complete: bool = False) -> Chosen:
    """What a fitted selector chose, whoever wrote it; columns are those of X."""
    if isinstance(fitted, Pipeline):
        columns, last = _traced(fitted, X), chosen_by(fitted[-1], X)
        own = np.searchsorted(np.sort(last.indices), last.indices)
        return Chosen(columns[own], last.places, last.weights)
    support = np.flatnonzero(fitted.get_support())
    if hasattr(fitted, "indices_"):
        ranking = fitted.ranking_ if complete else None
        return Chosen.in_order(fitted.indices_, _opinions(fitted, fitted.indices_, fitted.scores_), ranking)
    scores = np.asarray(getattr(fitted, "scores_", np.zeros(0)), dtype=np.float64)
    if scores.shape == fitted.get_support().shape and not np.isnan(scores[support]).any():
        return Chosen.in_order(support[np.argsort(-scores[support], kind="stable")])
    # A set without an order: all share the middle of the list.
    return Chosen(support, np.full(len(support), (len(support) + 1) / 2), np.full(len(support), 0.5))


def _chosen_by(selector: Any, shared: Resampler, X: Any, rows: Array, complete: bool) -> Chosen:
    found = shared.found(rows)
    weights = _opinions(selector, found.indices, found.scores)
    chosen = Chosen.in_order(found.indices, weights, found.ranking if complete else None)
    return chosen.only(vary(X, rows, chosen.indices))


def _opinions(selector: Any, indices: Array, scores: Array) -> Array | None:
    """Scores between the worst and the best of all features, where they mean the same for all; None otherwise."""
    if not isinstance(selector, Ranker):
        return None
    known = scores[np.isfinite(scores)]
    if len(known) == 0 or known.max() == known.min():
        return None
    best, worst = (known.min(), known.max()) if selector._smaller_is_better else (known.max(), known.min())
    share = np.clip((scores[indices] - worst) / (best - worst), 0.0, 1.0)
    return np.where(np.isnan(share), 0.0, share)


def _traced(pipeline: Pipeline, X: Any) -> Array:
    """Which columns of X come out of a pipeline of selectors and transformers that keep their columns."""
    n_features = X.shape[1]
    inputs = [str(name) for name in X.columns] if hasattr(X, "columns") else [f"x{i}" for i in range(n_features)]
    kept = [str(name) for name in pipeline.get_feature_names_out(np.array(inputs, dtype=object))]
    place_of = {name: i for i, name in enumerate(inputs)}
    if len(place_of) < len(inputs) or not set(kept) <= set(place_of):
        raise ValueError(
            "The features that come out of the pipeline cannot be traced back to columns of X: its steps must keep or "
            "drop columns under their (unique) names, as imputers, scalers and selectors do."
        )
    return np.array([place_of[name] for name in kept], dtype=np.int64)


def some_rows(X: Any, rows: Array) -> Any:
    """Some samples of a Table, a data frame (pandas or polars) or an array; names come along."""
    if isinstance(X, Table):
        return X.take(rows)
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]
