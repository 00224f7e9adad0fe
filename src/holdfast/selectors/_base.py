"""The contract of every selector: scikit-learn's, and what Holdfast adds to it.

A method implements ``_choose`` on checked data and says what it found; the checks, the result's form and everything
scikit-learn expects live here. Nothing else belongs in this file.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from holdfast._errors import DataError, NothingSelected
from holdfast._parameters import Rule, check_parameters, nothing, real_number, whole_number
from holdfast.data import Table
from holdfast.data._value_checks import LARGEST
from holdfast.prepare.encode import feature_name
from holdfast.search.ties import Precedence, tie_groups
from holdfast.selectors._notebook import ShowsChosen

Array = npt.NDArray[Any]

COUNT_OR_SHARE = whole_number(at_least=1) | real_number(above=0.0, below=1.0)
_IMPUTE = (
    "Drop these features, or impute inside the fold with a Pipeline such as "
    "make_pipeline(SimpleImputer(strategy='median'), selector)."
)
COUNT_SHARE_OR_NONE = COUNT_OR_SHARE | nothing()


@dataclass(frozen=True)
class Evaluations:
    """How much a selection cost, counted where the specification of each method says.

    Parameters
    ----------
    relevance : int
        Features measured against the target.
    pair : int
        Pairs of features measured.
    subset : int
        Subsets given a merit.
    classifier : int
        Classifiers trained.

    Examples
    --------
    >>> Evaluations(relevance=6, pair=10).pair
    10
    """

    relevance: int = 0
    pair: int = 0
    subset: int = 0
    classifier: int = 0


@dataclass(frozen=True)
class Problem:
    """Checked data: the table as it came, target as codes 0 … n_classes-1 (or measured), names if there are any."""

    given: Array
    target: Array
    names: Array | None
    measured_target: Array | None = None
    sample_weight: Array | None = None

    @cached_property
    def X(self) -> Array:
        """The table as rows of float64: made only when asked for, since discrete data can be counted without it.

        Read-only whatever came, so that kernels are compiled for one kind of array and cannot write to the user's.
        """
        return _read_only(np.ascontiguousarray(self.given, dtype=np.float64))

    @cached_property
    def rows(self) -> Array:
        """The table as rows of float32, if it came as such, or of float64: for kernels that take both."""
        if self.given.dtype != np.float32:
            return self.X
        return _read_only(np.ascontiguousarray(self.given))

    def columns(self, columns: Array) -> Array:
        """Some features as float64, in an array of their own; the rest of the table is not touched."""
        return np.array(self.given[:, columns], dtype=np.float64, order="C")

    @property
    def is_whole(self) -> bool:
        """Whether the table came as whole numbers, which cannot be missing or infinite."""
        return self.given.dtype.kind in "iub"

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.given.shape[1])

    def precedence(self, relevance: Array) -> Precedence:
        """Who goes first among tied features."""
        return Precedence(self, self.target, relevance, self.names)


@dataclass(frozen=True)
class Found:
    """What a method found: the chosen features best first, a score and a rank for every feature."""

    indices: Array
    scores: Array
    ranking: Array
    evaluations: Evaluations
    n_ties: int
    extra: Mapping[str, Any] = field(default_factory=dict)


def ranking_of(indices: Array, n_features: int) -> Array:
    """Rank 1, 2, … for the chosen features and one shared rank behind them for all others."""
    ranking = np.full(n_features, len(indices) + 1, dtype=np.int64)
    ranking[indices] = np.arange(1, len(indices) + 1)
    return ranking


def ranking_by(values: Array, chosen: Array) -> Array:
    """Rank 1, 2, … for the chosen features; behind them by falling value, equal values sharing the best rank."""
    groups = tie_groups(values)
    ranking: Array = np.concatenate([[0], np.cumsum(np.bincount(groups))])[groups] + 1
    ranking[ranking <= len(chosen)] = len(chosen) + 1
    ranking[chosen] = np.arange(1, len(chosen) + 1)
    return ranking


class Selector(ShowsChosen, SelectorMixin, BaseEstimator):
    """Base of all selectors."""

    allowed: ClassVar[Mapping[str, Rule]] = {}
    _takes: ClassVar[str] = "classes"
    _takes_missing: ClassVar[bool] = False
    _found_names: tuple[str, ...] = ()
    # Names that only settle ties, for a table without names that is part of a larger one; see ``named_for_ties``.
    _tie_names: Array | None = None
    # Whether it is one of many whose lists alone are looked at; see ``in_a_loop``.
    _is_in_a_loop: bool = False

    @property
    def _score_means(self) -> str:
        """What a score says, for readers of a result; nothing where it is plain."""
        return ""

    @property
    def _notes(self) -> list[str]:
        """Sentences about a result that a reader needs beside the list."""
        return []

    @property
    def _details(self) -> dict[str, Any]:
        """The same as plain values, by name."""
        return {}

    def fit(self, X: Any, y: Any = None) -> Self:
        """Choose features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Measured or discrete values, no missing ones. A data frame or a Table brings names along.
        y : array-like of shape (n_samples,), default=None
            The target; a Table brings its own.

        Returns
        -------
        self : Selector
            The fitted selector.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        check_parameters(self)
        problem = self._check(X, y, sample_weight)
        found = self._choose(problem)
        for name in self._found_names:
            if name not in found.extra:
                self.__dict__.pop(name, None)
        self._found_names = tuple(found.extra)
        self.indices_ = found.indices
        self.scores_ = found.scores
        self.ranking_ = found.ranking
        self.support_ = np.zeros(self.n_features_in_, dtype=bool)
        self.support_[found.indices] = True
        self.n_evaluations_ = found.evaluations
        self.n_ties_ = found.n_ties
        for name, value in found.extra.items():
            setattr(self, name, value)
        if len(found.indices) == 0:
            warnings.warn(
                f"{type(self).__name__} kept none of {self.n_features_in_} features: {self._why_nothing()}",
                NothingSelected,
                stacklevel=3,
            )
        return self

    def _why_nothing(self) -> str:
        """Why nothing was chosen, and what to do."""
        return "none says anything about y by this method. Try other settings, or a ranking method such as 'f-test'."

    def transform(self, X: Any) -> Any:
        """Keep the chosen features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), data frame or Table
            Samples with the features the selector was fitted on.

        Returns
        -------
        chosen : ndarray or data frame of shape (n_samples, n_selected)
            The chosen columns, in the order of the table.
        """
        if not isinstance(X, Table):
            return super().transform(X)
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", X.feature_names)
        if X.n_features != self.n_features_in_ or list(X.feature_names) != list(names):
            raise DataError(
                "The table has other features, or in another order, than the one the selector was fitted on."
            )
        return X.X[:, self.support_]

    def _choose(self, problem: Problem) -> Found:
        raise NotImplementedError

    def _check(self, X: Any, y: Any, sample_weight: Any = None) -> Problem:
        names = None
        if isinstance(X, Table):
            names = np.array(X.feature_names, dtype=object)
            X, y = X.X, X.target if y is None else y
        _refuse_words(X)
        options = {"dtype": "numeric", "ensure_all_finite": False, "ensure_min_samples": 2}
        if self._takes == "anything":
            X = validate_data(self, X, **options)
            target = measured = np.zeros(len(X))
        else:
            if self._takes == "measures":
                y = _names_as_numbers(y)
            X, y = validate_data(self, X, y, y_numeric=self._takes == "measures", **options)
            target, measured = self._check_target(y)
        if names is not None:
            self.feature_names_in_ = names
        if sample_weight is not None:
            sample_weight = _check_weights(sample_weight, X)
        names = getattr(self, "feature_names_in_", None)
        if names is None and self._tie_names is not None and len(self._tie_names) == X.shape[1]:
            names = self._tie_names
        problem = Problem(X, target.astype(np.int64), names, measured, sample_weight)
        if not problem.is_whole:
            refuse_unusable(problem.rows, problem.names, nan_is_allowed=self._takes_missing)
        return problem

    def _check_target(self, y: Array) -> tuple[Array, Array]:
        """Codes of the classes, or the sides of the median of a measured target, which only settle ties; and y."""
        if self._takes == "classes":
            if y.dtype.kind not in "iubUS":
                check_classification_targets(y)
            self.classes_, target = np.unique(y, return_inverse=True)
            if len(self.classes_) < 2:
                raise DataError(
                    f"y has one class only, {str(self.classes_[0])!r}; a selection needs at least two classes."
                )
            return target, target
        if y.min() == y.max():
            raise DataError(f"y has one value only, {y[0]:g}; a target that does not vary has no correlation.")
        distinct, target = np.unique(y, return_inverse=True)
        return target if len(distinct) == 2 else np.sign(y - np.median(y)) + 1, y

    def named_for_ties(self, names: Array | None) -> Self:
        """The same selector, settling ties by these names where the table has none.

        For resamples: columns that differ in the whole table may be equal in a part of it.
        """
        if names is not None:
            self._tie_names = names
        return self

    def in_a_loop(self) -> Self:
        """The same selector, knowing that it is one of many, of which the lists alone are looked at.

        It says nothing about itself that costs more than the list, and whoever stops it means to stop the loop.
        """
        self._is_in_a_loop = True
        return self

    @property
    def _was_interrupted(self) -> bool:
        """Whether the user ended the search, so that nothing more should be done after it."""
        return False

    def _n_select(self, n_features: int) -> int:
        asked = self.n_features_to_select
        if asked is None:
            return n_features
        if asked < 1:
            return max(1, round(float(asked) * n_features))
        if asked > n_features:
            raise ValueError(
                f"n_features_to_select={asked} but X has {n_features} feature(s). "
                "Lower it, or use a fraction such as 0.05."
            )
        return int(asked)

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._takes != "anything"
        tags.input_tags.allow_nan = self._takes_missing
        return tags


def _read_only(X: Array) -> Array:
    X = X.view()
    X.flags.writeable = False
    return X


def _refuse_words(X: Any) -> None:
    """Refuse columns of a data frame that hold words, naming them: scikit-learn would name the word only."""
    if not hasattr(X, "select_dtypes"):
        return
    words = [
        str(name)
        for name, column in X.select_dtypes(exclude=["number", "bool"]).items()
        if any(isinstance(value, str) for value in column)
    ]
    if words:
        shown = ", ".join(map(repr, words[:5])) + (f" and {len(words) - 5} more" if len(words) > 5 else "")
        raise DataError(
            f"X holds words instead of numbers in {len(words)} feature(s): {shown}. Drop them or turn them into codes, "
            "for example with scikit-learn's OrdinalEncoder; ReliefF(nominal=[…]) then treats codes as names."
        )


def _check_weights(sample_weight: Any, X: Array) -> Array:
    """Weights as floats, none below zero and not all zero."""
    weights: Array = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not weights.any():  # newer versions of scikit-learn have said so already
        raise DataError("sample_weight is 0 for every sample, so nothing counts. Give at least one sample a weight.")
    return weights


def _names_as_numbers(y: Any) -> Any:
    """0 and 1 for two classes that have names; numbers as they are."""
    labels = np.asarray(y)
    if labels.dtype.kind not in "US" and not (labels.dtype == object and all(isinstance(v, str) for v in labels.flat)):
        return y
    classes, codes = np.unique(labels.astype(str), return_inverse=True)
    if len(classes) != 2:
        raise DataError(
            f"y holds {len(classes)} names ({', '.join(map(repr, classes[:5].tolist()))} …), but a correlation takes "
            "numbers or two classes. Use 'f-test' or 'information-gain' for classes."
        )
    return codes.astype(np.float64)


def refuse_unusable(X: Array, names: Array | None, *, nan_is_allowed: bool) -> None:
    """Refuse NaN, infinity and values whose squares overflow, naming the features that have them."""
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.einsum("ij,ij->", X, X, dtype=np.float64)
        if np.isfinite(size) and (size > 0 or not X.any()):
            return
    for kind, is_unusable, remedy in _UNUSABLE:
        if kind == "NaN" and nan_is_allowed:
            continue
        counts = np.zeros(X.shape[1], dtype=np.int64)
        for row in X:
            counts += is_unusable(row)
        columns = np.flatnonzero(counts)
        if len(columns):
            shown = ", ".join(feature_name(names, c) for c in columns[:5])
            more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
            raise DataError(
                f"Input X contains {kind}: {counts.sum()} value(s) in {len(columns)} feature(s) ({shown}{more}). "
                f"{remedy}"
            )


_UNUSABLE: tuple[tuple[str, Callable[[Array], Array], str], ...] = (
    ("NaN", np.isnan, _IMPUTE),
    ("inf", np.isinf, _IMPUTE),
    (
        "values too large to square",
        lambda row: np.abs(row) > LARGEST,
        "Rescale them, for example by taking logarithms.",
    ),
    (
        "values too small to square",
        lambda row: (row != 0) & (np.abs(row) < 1 / LARGEST),
        "Rescale them, for example by their range.",
    ),
)
