"""Discretisers: scikit-learn transformers that turn measured values into a few ordered levels.

Each learns cut points from the samples it is fitted on and nothing else, so that inside a pipeline no test sample is
ever looked at. ``codes`` gives the same levels as bit masks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast._parameters import Rule, check_parameters, real_number, whole_number
from holdfast.kernels import binning, information
from holdfast.kernels import mdl as mdl_kernels
from holdfast.kernels.moments import BLOCK
from holdfast.prepare.codes import Codes
from holdfast.prepare.moments import mean_and_length
from holdfast.prepare.ranks import sorted_blocks

Array = npt.NDArray[Any]
MAX_CUTS = information.MAX_LEVELS - 1
# A value this close to a threshold, in units of σ or of a bin, counts as on it: rounding must not decide its level.
SLACK = 1e-9


class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Cut each feature at points learnt from the data; a value equal to a cut point belongs below it."""

    allowed: ClassVar[Mapping[str, Rule]] = {}

    def _cut(self, X: Array, target: Array | None) -> tuple[Array, Array]:
        """Cut points of all features in one row, and where each feature's begin."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the cut points.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Measured values.
        y : array-like of shape (n_samples,), default=None
            Classes; only supervised discretisers look at them.

        Returns
        -------
        self : Discretizer
            The fitted discretiser.
        """
        check_parameters(self)
        target = None
        if self.__sklearn_tags__().target_tags.required:
            X, y = validate_data(self, X, y, dtype=np.float64, order="C")
            check_classification_targets(y)
            _, target = np.unique(y, return_inverse=True)
        else:
            X = validate_data(self, X, dtype=np.float64, order="C")
        self._learn(X, target)
        return self

    def _learn(self, X: Array, target: Array | None) -> None:
        self.cuts_, self.first_cut_ = self._cut(X, target)

    @property
    def cut_points_(self) -> list[Array]:
        """Cut points of each feature, ascending."""
        check_is_fitted(self)
        return np.split(self.cuts_, self.first_cut_[1:-1])

    def transform(self, X: Any) -> Array:
        """Level of every value, 0 for the lowest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Measured values.

        Returns
        -------
        levels : ndarray of shape (n_samples, n_features), dtype=uint8
            The levels.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return np.ascontiguousarray(self._levels(X).T)

    def _levels(self, X: Array) -> Array:
        levels = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        binning.assign_levels(X, self.cuts_, self.first_cut_, levels)
        return levels

    def codes(self, X: Array, target: Array | None = None) -> Codes:
        """Learn from checked data and return its levels bit-packed; the short way that selectors take."""
        self._learn(X, target)
        return Codes.of(self._levels(X), np.diff(self.first_cut_) + 1)


class MDLDiscretizer(Discretizer):
    """Cut where the classes change, as long as each cut pays for its own description (Fayyad and Irani).

    Use it for measures that reward features with many levels (SU, information gain, CFS, FCBF): a feature that says
    nothing about the classes gets no cut and becomes constant. Equal to Weka's supervised default wherever the best
    cut is unique.

    Attributes
    ----------
    cut_points_ : list of n_features arrays
        Cut points of each feature, ascending.

    Examples
    --------
    >>> from holdfast.prepare import MDLDiscretizer
    >>> X = [[1.0], [2.0], [3.0], [4.0], [11.0], [12.0], [13.0], [14.0]]
    >>> MDLDiscretizer().fit(X, [0, 0, 0, 0, 1, 1, 1, 1]).cut_points_
    [array([7.5])]
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _cut(self, X: Array, target: Array | None) -> tuple[Array, Array]:
        assert target is not None  # noqa: S101  (tags ask for y, and codes() passes it)
        n_samples, n_features = X.shape
        n_classes = int(target.max(initial=0)) + 1
        table, unit = information.log_table(n_samples)
        max_cuts = min(MAX_CUTS, n_samples - 1)

        def spare(*shape: int) -> Array:
            return np.zeros(shape, dtype=np.int64)

        scratch = (
            np.empty(n_samples), spare(n_samples), spare(n_samples + 2, 2),
            spare(4, n_classes), spare(n_classes), spare(n_classes),
        )  # fmt: skip
        n_cuts = spare(n_features)
        found = []
        for block, columns, order in sorted_blocks(X):
            cuts = np.empty((len(columns), max(max_cuts, 1)))
            mdl_kernels.mdl_cuts(columns, order, target, table, unit, max_cuts, cuts, n_cuts[block], *scratch)
            found.append(cuts[np.arange(cuts.shape[1]) < n_cuts[block, np.newaxis]])
        return np.concatenate(found), np.concatenate([[0], np.cumsum(n_cuts)])


class MeanSigmaDiscretizer(Discretizer):
    """Three levels: below, within and above mean ± width·σ, with σ over n - 1.

    Use it for mRMR on gene expression, where it is the custom; it looks at no class and every feature keeps its say.

    Parameters
    ----------
    width : float, default=0.5
        Half-width of the middle level in standard deviations.

    Attributes
    ----------
    cut_points_ : list of n_features arrays
        The two cut points of each feature.

    Examples
    --------
    >>> from holdfast.prepare import MeanSigmaDiscretizer
    >>> MeanSigmaDiscretizer().fit_transform([[0.0], [4.0], [5.0], [6.0], [10.0]]).ravel()
    array([0, 1, 1, 1, 2], dtype=uint8)
    """

    allowed: ClassVar[Mapping[str, Rule]] = {"width": real_number(above=0.0)}

    def __init__(self, width: float = 0.5) -> None:
        self.width = width

    def _limits(self, X: Array) -> tuple[Array, Array]:
        centre, length = mean_and_length(X)
        sigma = length / np.sqrt(max(len(X) - 1, 1))
        return centre, np.where(sigma > 0, sigma * (self.width + SLACK), np.inf)

    def _cut(self, X: Array, target: Array | None) -> tuple[Array, Array]:
        centre, reach = self._limits(X)
        cuts = np.column_stack([np.nextafter(centre - reach, -np.inf), centre + reach])
        return cuts.ravel(), np.arange(0, cuts.size + 1, 2)

    def codes(self, X: Array, target: Array | None = None) -> Codes:
        """Learn from checked data and return its levels bit-packed, without the detour over bytes."""
        centre, reach = self._limits(X)
        bits = np.zeros((X.shape[1], 2, (X.shape[0] + 63) // 64), dtype=np.uint64)
        sizes = np.zeros((X.shape[1], 2), dtype=np.uint64)
        binning.three_levels(X, centre, reach, bits, sizes, np.empty((2, BLOCK), dtype=np.uint64))
        n_levels = np.full(X.shape[1], 3, dtype=np.int64)
        return Codes(X.shape[0], bits, sizes, n_levels, np.empty((0, 0), np.uint8))


class _UnsupervisedBins(Discretizer):
    allowed: ClassVar[Mapping[str, Rule]] = {"n_bins": whole_number(at_least=2, at_most=information.MAX_LEVELS)}

    def __init__(self, n_bins: int = 5) -> None:
        self.n_bins = n_bins


class EqualWidthDiscretizer(_UnsupervisedBins):
    """Bins of the same width between the smallest and the largest value.

    Use it when the distances between values carry the meaning; outliers can leave most bins empty.

    Parameters
    ----------
    n_bins : int, default=5
        Number of bins, 2 to 255.

    Attributes
    ----------
    cut_points_ : list of n_features arrays
        Cut points of each feature, ascending.

    Examples
    --------
    >>> from holdfast.prepare import EqualWidthDiscretizer
    >>> EqualWidthDiscretizer(n_bins=2).fit_transform([[0.0], [1.0], [2.0], [9.0]]).ravel()
    array([0, 0, 0, 1], dtype=uint8)
    """

    def _cut(self, X: Array, target: Array | None) -> tuple[Array, Array]:
        lowest = np.empty(X.shape[1])
        highest = np.empty(X.shape[1])
        binning.column_range(X, lowest, highest)
        fraction = np.arange(1, self.n_bins) / self.n_bins
        cuts = lowest[:, np.newaxis] * (1 - fraction) + highest[:, np.newaxis] * fraction
        # A value that lies on a cut belongs below it, and rounding must not say otherwise.
        cuts += SLACK * (highest - lowest)[:, np.newaxis] / self.n_bins
        is_kept = np.repeat((lowest < highest)[:, np.newaxis], len(fraction), axis=1)
        return cuts[is_kept], np.concatenate([[0], np.cumsum(is_kept.sum(axis=1))])


class EqualFrequencyDiscretizer(_UnsupervisedBins):
    """Bins that hold about the same number of samples; equal values always share a bin.

    Use it when only the order of the values is to be trusted, as with skewed expression data. A cut that would part
    equal values moves to the nearest place where values differ: counts and zeros give fewer bins, not none.

    Parameters
    ----------
    n_bins : int, default=5
        Number of bins, 2 to 255.

    Attributes
    ----------
    cut_points_ : list of n_features arrays
        Cut points of each feature, ascending.

    Examples
    --------
    >>> from holdfast.prepare import EqualFrequencyDiscretizer
    >>> EqualFrequencyDiscretizer(n_bins=2).fit_transform([[0.0], [1.0], [2.0], [9.0]]).ravel()
    array([0, 0, 1, 1], dtype=uint8)
    """

    def _cut(self, X: Array, target: Array | None) -> tuple[Array, Array]:
        ordered = np.sort(X, axis=0)
        n_samples, n_features = ordered.shape
        wanted = np.rint(np.arange(1, self.n_bins) * n_samples / self.n_bins).astype(int)
        wanted = np.unique(wanted[(wanted > 0) & (wanted < n_samples)])
        places = np.tile(wanted, (n_features, 1))
        is_tied = ~(ordered[wanted - 1] < ordered[wanted])
        tied = np.flatnonzero(is_tied.any(axis=0))
        for first in range(0, len(tied), BLOCK):
            block = tied[first : first + BLOCK]
            places[block] = _nearest_steps(ordered[:, block], wanted)
        places.sort(axis=1)
        is_kept = places > 0
        is_kept[:, 1:] &= places[:, 1:] > places[:, :-1]
        features = np.nonzero(is_kept)[0]
        below, over = ordered[places[is_kept] - 1, features], ordered[places[is_kept], features]
        middle = 0.5 * below + 0.5 * over
        cuts: Array = np.where(middle < over, middle, below)
        return cuts, np.concatenate([[0], np.cumsum(is_kept.sum(axis=1))])


def _nearest_steps(ordered: Array, wanted: Array) -> Array:
    """For each column, the place nearest to each wanted one at which the sorted values rise; 0 for none.

    Of two equally near the one nearer to the middle is taken, and none if both are equally far from that too: which of
    them it is would hang on the direction of the feature.
    """
    n_samples = len(ordered)
    place = np.arange(1, n_samples)[:, np.newaxis]
    rises = ordered[1:] > ordered[:-1]
    before = np.maximum.accumulate(np.where(rises, place, 0), axis=0)[wanted - 1]
    behind = np.minimum.accumulate(np.where(rises, place, n_samples)[::-1], axis=0)[::-1][wanted - 1]
    to_before = np.where(before > 0, wanted[:, np.newaxis] - before, n_samples)
    to_behind = np.where(behind < n_samples, behind - wanted[:, np.newaxis], n_samples)
    off_before, off_behind = np.abs(2 * before - n_samples), np.abs(2 * behind - n_samples)
    is_as_near = to_before == to_behind
    takes_before = (before == behind) | (to_before < to_behind) | (is_as_near & (off_before < off_behind))
    takes_behind = (to_behind < to_before) | (is_as_near & (off_behind < off_before))
    nearest: Array = np.where(takes_before, before, np.where(takes_behind, behind, 0)).T
    return nearest
