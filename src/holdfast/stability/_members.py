"""What selectors around other selectors have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.pipeline import Pipeline

from holdfast.data import Table
from holdfast.search.ties import Precedence
from holdfast.selectors._base import Evaluations, Found, Problem, Selector, ranking_of
from holdfast.selectors._holds import HoldsSelector
from holdfast.selectors._wrapper import class_separation
from holdfast.stability._repeat import chosen_by, label_of, last_of, members_of, size_parameter

Array = npt.NDArray[Any]
# Of fewer samples of a class in a resample a reader is told.
SMALL_CLASS = 8


class MemberSelector(HoldsSelector, Selector):
    """Base of selectors around others: it takes what its members take."""

    selector: Any
    list_size: Any = None

    def members(self) -> list[Any]:
        """The selectors, as unfitted clones; they keep as many features as a list, or else as this selector."""
        return members_of(self.selector, self.n_features_to_select if self.list_size is None else self.list_size)

    def fitting_members(self, n_features: int, list_size: int | float | None = None) -> list[Any]:
        """The same, if they can choose from so many features, and can be told how many."""
        list_size = self.list_size if list_size is None else list_size
        members = self.members() if list_size is None else members_of(self.selector, list_size)
        for member in members:
            if list_size is not None and size_parameter(member) is None:
                raise ValueError(
                    f"list_size={list_size}, but {label_of(member)} has no parameter n_features_to_select to tell it. "
                    "Leave list_size out and set the number of features of the selector itself."
                )
            n_kept = None if isinstance(member, Pipeline) else getattr(member, "n_features_to_select", None)
            if n_kept is not None and n_kept > n_features:
                self._refuse(n_kept, n_features, label_of(member), list_size)
        return members

    def _refuse(self, n_kept: int, n_features: int, member: str, list_size: int | float | None) -> None:
        """Say who asked for more features than the table has."""
        if list_size is None and self.n_features_to_select is None:
            raise ValueError(
                f"{member} keeps {n_kept} features unless told otherwise, but X has {n_features}. Say how many with "
                "n_features_to_select= or list_size=."
            )
        name = "n_features_to_select" if list_size is None else "list_size"
        raise ValueError(f"{name}={n_kept} but X has {n_features} feature(s). Lower it.")

    @property
    def _takes(self) -> str:  # type: ignore[override]
        kinds = [_kind(member) for member in self.members()]
        return next((kind for kind in ("classes", "measures") if kind in kinds), "anything")

    def _require_one_kind(self, problem: Problem) -> None:
        """Refuse to take more than two classes for measures."""
        kinds = {_kind(member) for member in self.members()}
        if {"classes", "measures"} <= kinds and problem.target.max() > 1:
            raise ValueError(
                "Some of the selectors take classes and others measures, and y has more than two classes, which are no "
                "measures. Use selectors of one kind."
            )

    @property
    def _takes_missing(self) -> bool:  # type: ignore[override]
        return all(getattr(member, "_takes_missing", isinstance(member, Pipeline)) for member in self.members())

    @property
    def _score_means(self) -> str:
        return str(getattr(last_of(self.members()[0]), "_score_means", ""))

    def samples(self, problem: Problem) -> tuple[Any, Array | None]:
        """Checked data for members: a table that knows its names, if there are any, and the target."""
        X = problem.given if problem.names is None else Table(problem.given, problem.names)
        if self._takes == "anything":
            return X, None
        return X, problem.target if self._takes == "classes" else problem.measured_target

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        of_members = [member.__sklearn_tags__().input_tags for member in self.members()]
        tags.input_tags.positive_only = any(tag.positive_only for tag in of_members)
        return tags


class RepeatedSelector(MemberSelector):
    """Base of those that see resamples, which groups of samples enter together."""

    _smallest_class: int

    @property
    def _notes(self) -> list[str]:
        if self._smallest_class >= SMALL_CLASS:
            return []
        few = f"{self._smallest_class} sample" + ("" if self._smallest_class == 1 else "s")
        return [f"A resample had only {few} of a class: how often a feature is chosen is a rough guess."]

    def fit(self, X: Any, y: Any = None, groups: Any = None) -> Self:
        """Choose features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Whatever the selectors take. A data frame or a Table brings names along.
        y : array-like of shape (n_samples,), default=None
            The target; a Table brings its own.
        groups : array-like of shape (n_samples,), default=None
            Samples that resamples keep together, such as those of one patient.

        Returns
        -------
        self : Selector
            The fitted selector.
        """
        self._groups = groups
        try:
            return self._fit(X, y)
        finally:
            del self._groups


def found_by(fitted: Any, X: Any, extra: Mapping[str, Any]) -> Found:
    """The result of a fitted member as one's own, whoever wrote it."""
    if not isinstance(fitted, Selector):
        chosen = chosen_by(fitted, X)
        order = chosen.indices[np.argsort(chosen.places, kind="stable")]
        n_features = len(fitted.get_support())
        scores = np.full(n_features, np.nan)
        scores[chosen.indices] = chosen.weights
        return Found(order, scores, ranking_of(order, n_features), Evaluations(relevance=n_features), 0, extra)
    own = {name: getattr(fitted, name) for name in fitted._found_names}
    return Found(
        fitted.indices_,
        fitted.scores_,
        fitted.ranking_,
        fitted.n_evaluations_,
        fitted.n_ties_,
        {**own, **extra},
    )


def order_of_samples(problem: Problem) -> tuple[Array, Array]:
    """Samples in an order of their own and classes by numbers of their own, so that draws know no row and no name."""
    measured = problem.measured_target
    if measured is not None and np.array_equal(measured, problem.target):
        # Codes of classes, which have an order only by name.
        measured = None
    return Precedence(problem, problem.target, _separation(problem), None).sample_order(measured)


def order_of_features(problem: Problem) -> Array:
    """Features in an order of their own, whatever their places; names tell only equal ones apart."""
    return Precedence(problem, problem.target, np.zeros(problem.n_features), problem.names).feature_order()


def names_for_ties(problem: Problem) -> Array | None:
    """Stand-ins for names that a table has not, in the order of its features; None if it has names."""
    if problem.names is not None:
        return None
    names = np.empty(problem.n_features, dtype=object)
    names[order_of_features(problem)] = [f"{place:09d}" for place in range(problem.n_features)]
    return names


def _separation(problem: Problem) -> Array:
    """How far each feature sets the classes apart, in the digits that no order of the samples changes."""
    if problem.target.max() == 0:
        return np.zeros(problem.n_features)
    # In 32 bits what differs by rounding is equal.
    separation = class_separation(problem).astype(np.float32).astype(np.float64)
    return np.nan_to_num(separation, nan=-1.0, neginf=-1.0)


def _kind(member: Any) -> str:
    """What target a selector takes; one of others is taken to take classes."""
    return str(getattr(last_of(member), "_takes", "classes"))
