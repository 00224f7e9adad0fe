"""McNemar's test of two classifiers on the same samples.

Only the samples on which one is right and the other wrong tell the two apart (McNemar 1947; Ben Brahim 2015, Eq. 4.6;
mid-p: Fagerland, Lydersen and Laake 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.stats import binom, chi2

from holdfast._errors import DataError
from holdfast._parameters import check_parameters, one_of, whole_number, yes_or_no

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class McNemarResult:
    """What McNemar's test says about two classifiers, A and B.

    Use ``mcnemar`` for two lists of right and wrong answers; ``from_predictions`` and ``from_counts`` start elsewhere.

    Parameters
    ----------
    n00 : int or None
        Samples on which both are wrong; None where only the differing samples were given.
    n01 : int
        Samples on which A is wrong and B right.
    n10 : int
        Samples on which A is right and B wrong.
    n11 : int or None
        Samples on which both are right; None where only the differing samples were given.
    method : str
        The test: "exact", "mid-p" or "chi2".
    continuity : bool
        Whether the χ² statistic was corrected for continuity.
    statistic : float
        χ² of one degree of freedom, or for the exact tests the smaller of ``n01`` and ``n10``.
    p_value : float
        Chance of a difference at least as large between two classifiers that are equally good.

    Examples
    --------
    >>> from holdfast.evaluate import McNemarResult
    >>> result = McNemarResult.from_counts(1, 8, method="chi2")
    >>> result.statistic, round(result.p_value, 4), result.better
    (4.0, 0.0455, 'a')
    """

    n00: int | None
    n01: int
    n10: int
    n11: int | None
    method: str
    continuity: bool
    statistic: float
    p_value: float

    @property
    def better(self) -> str | None:
        """Who is right more often, "a" or "b", significantly or not; None if they are right equally often."""
        if self.n01 == self.n10:
            return None
        return "a" if self.n10 > self.n01 else "b"

    @classmethod
    def from_counts(
        cls,
        n01: int,
        n10: int,
        *,
        n00: int | None = None,
        n11: int | None = None,
        method: str = "exact",
        continuity: bool = True,
    ) -> Self:
        """Test two counts of samples.

        Parameters
        ----------
        n01 : int
            Samples on which A is wrong and B right.
        n10 : int
            Samples on which A is right and B wrong.
        n00 : int, default=None
            Samples on which both are wrong; kept, but no part of the test.
        n11 : int, default=None
            Samples on which both are right; kept, but no part of the test.
        method : {"exact", "mid-p", "chi2"}, default="exact"
            As in ``mcnemar``.
        continuity : bool, default=True
            As in ``mcnemar``.

        Returns
        -------
        result : McNemarResult
            Counts, statistic and p-value.
        """
        check_parameters(_Settings(method, continuity))
        counts = {"n00": n00, "n01": n01, "n10": n10, "n11": n11}
        for name, count in counts.items():
            if count is None and name in ("n00", "n11"):
                continue
            if not _COUNT.accepts(count):
                raise ValueError(f"{name}={count!r} is not allowed: it must be {_COUNT.words}, a number of samples.")
        kept = {name: None if count is None else int(count) for name, count in counts.items()}
        statistic, p_value = _test(int(n01), int(n10), method, continuity)
        return cls(**kept, method=method, continuity=continuity, statistic=statistic, p_value=p_value)  # type: ignore[arg-type]

    @classmethod
    def from_predictions(
        cls, y_true: Any, pred_a: Any, pred_b: Any, *, method: str = "exact", continuity: bool = True
    ) -> Self:
        """Test two lists of predicted classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            The classes.
        pred_a : array-like of shape (n_samples,)
            The classes A predicts for the same samples.
        pred_b : array-like of shape (n_samples,)
            The classes B predicts for the same samples.
        method : {"exact", "mid-p", "chi2"}, default="exact"
            As in ``mcnemar``.
        continuity : bool, default=True
            As in ``mcnemar``.

        Returns
        -------
        result : McNemarResult
            Counts, statistic and p-value.
        """
        vectors = {name: _vector(v, name) for name, v in (("y_true", y_true), ("pred_a", pred_a), ("pred_b", pred_b))}
        _check_lengths(vectors)
        truth, a, b = vectors.values()
        for name, predicted in (("pred_a", a), ("pred_b", b)):
            if (truth.dtype.kind in "US") != (predicted.dtype.kind in "US"):
                raise DataError(
                    f"y_true holds {_kind(truth)} and {name} {_kind(predicted)}, so no prediction could be right. "
                    "Give the classes the same names in all lists."
                )
        return cls._from_correct(truth == a, truth == b, method, continuity)

    @classmethod
    def _from_correct(cls, a: Array, b: Array, method: str, continuity: bool) -> Self:
        n00, n01, n10, n11 = np.bincount(2 * a.astype(np.int64) + b, minlength=4).tolist()
        return cls.from_counts(n01, n10, n00=n00, n11=n11, method=method, continuity=continuity)


def mcnemar(correct_a: Any, correct_b: Any, *, method: str = "exact", continuity: bool = True) -> McNemarResult:
    """Test whether two classifiers are right on different numbers of the same samples.

    Use it to compare two selectors by the classifiers built on their features, over the test samples of all folds
    together. The folds share training samples, so take a p-value near the limit with caution.

    Parameters
    ----------
    correct_a : array-like of shape (n_samples,), dtype=bool
        Where classifier A is right.
    correct_b : array-like of shape (n_samples,), dtype=bool
        Where classifier B is right, on the same samples in the same order.
    method : {"exact", "mid-p", "chi2"}, default="exact"
        "exact" is the two-sided binomial test, right for any number of samples; "mid-p" counts outcomes as extreme as
        the observed one half, which is less cautious; "chi2" is the approximation for 25 or more differing samples.
    continuity : bool, default=True
        Take 1 off the difference of the counts before squaring it; for "chi2" only.

    Returns
    -------
    result : McNemarResult
        Counts, statistic, p-value, and who is right more often. Without any differing sample the statistic is 0 and the
        p-value 1.

    Examples
    --------
    >>> from holdfast.evaluate import mcnemar
    >>> result = mcnemar([1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1, 0])
    >>> result.n10, result.n01, result.p_value, result.better
    (6, 0, 0.03125, 'a')
    """
    a, b = _correct(correct_a, "correct_a"), _correct(correct_b, "correct_b")
    _check_lengths({"correct_a": a, "correct_b": b})
    return McNemarResult._from_correct(a, b, method, continuity)


@dataclass(frozen=True)
class _Settings:
    """The options of the test, declared as those of a selector are."""

    method: Any
    continuity: Any
    allowed = {"method": one_of("exact", "mid-p", "chi2"), "continuity": yes_or_no()}  # noqa: RUF012


_COUNT = whole_number(at_least=0)


def _test(n01: int, n10: int, method: str, continuity: bool) -> tuple[float, float]:
    n = n01 + n10
    if method == "chi2":
        # With n01 = n10 > 0 and the correction this is 1 / n, as the formula has it, and not 0.
        statistic = (abs(n01 - n10) - int(continuity)) ** 2 / n if n else 0.0
        return statistic, float(chi2.sf(statistic, 1))
    fewer = min(n01, n10)
    p_value = min(1.0, 2 * float(binom.cdf(fewer, n, 0.5)))
    if method == "mid-p" and n:
        as_extreme = float(binom.pmf(fewer, n, 0.5)) * (1 if n01 == n10 else 2)
        p_value -= as_extreme / 2
    return float(fewer), p_value


def _vector(values: Any, name: str) -> Array:
    vector = np.asarray(values)
    if vector.ndim != 1 or len(vector) == 0:
        raise DataError(
            f"{name} has the shape {vector.shape}, but a list with one entry per sample is needed. "
            "Put the test samples of all folds in one list."
        )
    if vector.dtype == object:
        if any(value is None or value != value for value in vector):
            raise DataError(f"{name} has missing entries. Leave these samples out of all lists.")
        if all(isinstance(value, str) for value in vector):
            return vector.astype(str)
    elif vector.dtype.kind == "f" and np.isnan(vector).any():
        raise DataError(f"{name} has missing entries. Leave these samples out of all lists.")
    return vector


def _correct(values: Any, name: str) -> Array:
    vector = _vector(values, name)
    if vector.dtype.kind not in "biufO" or not all(value in (0, 1) for value in np.unique(vector)):
        raise DataError(
            f"{name} holds {_kind(vector)} other than True and False (or 1 and 0). It must say where the classifier is "
            "right; for predicted classes use McNemarResult.from_predictions(y_true, pred_a, pred_b)."
        )
    return vector.astype(bool)


def _kind(vector: Array) -> str:
    return "words" if vector.dtype.kind in "US" else "values"


def _check_lengths(vectors: dict[str, Array]) -> None:
    if len({len(vector) for vector in vectors.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(vector)}" for name, vector in vectors.items())
        raise DataError(f"The lists must be about the same samples, but {lengths} entries. Give one entry per sample.")
