"""Selectors on weighted samples: IW SVM-RFE and IW ReliefF (Han 2012, section 5.2.2, Eq. 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from holdfast._parameters import Rule, having, nothing, one_of
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Found, Problem
from holdfast.selectors._holds import PLAIN_SELECTOR
from holdfast.stability._members import MemberSelector, found_by
from holdfast.stability._repeat import takes_table
from holdfast.stability.weigh import InstanceWeighting

Array = npt.NDArray[Any]

SCALES = ("sum", "mean", "uniform")


class InstanceWeightedSelector(MemberSelector):
    """Weigh the samples, then let a selector choose with them.

    Use it for lists that hang less on single samples, at hardly more than the cost of the selector. For linear models
    the weights multiply what an error costs, and weights that sum to 1 make C on average C / n, which by itself holds
    a list more stable: always compare with ``weight_scale="uniform"``, which has that effect and no weighting.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to keep, or which share of them; None leaves it to the selector.
    selector : str or estimator, default="svm-rfe"
        A method's name, or a selector whose fit takes ``sample_weight``.
    weighting : InstanceWeighting or None, default=None
        How samples are weighed; None is ``InstanceWeighting()``.
    weight_scale : {"sum", "mean", "uniform"}, default="sum"
        Weights that sum to 1 (as published), weights of mean 1 (equal ones change nothing), or the control arm: all
        1 / n, so that SVM-RFE has C / n and nothing else differs.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Scores of the selector.
    ranking_ : ndarray of shape (n_features,)
        Ranks of the selector.
    weights_ : ndarray of shape (n_samples,)
        Weight that each sample of the training data had.
    selector_ : estimator
        The fitted selector.

    Examples
    --------
    >>> from holdfast import InstanceWeightedSelector
    >>> X = [[1, 5, 0], [2, 3, 1], [3, 4, 0], [7, 5, 1], [8, 3, 0], [9, 4, 1]]
    >>> InstanceWeightedSelector(1, selector="relieff").fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "selector": PLAIN_SELECTOR,
        "weighting": having("weigh", "fit_transform", words="an InstanceWeighting") | nothing(),
        "weight_scale": one_of(*SCALES),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        selector: Any = "svm-rfe",
        weighting: Any = None,
        weight_scale: str = "sum",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selector = selector
        self.weighting = weighting
        self.weight_scale = weight_scale

    @property
    def _takes_missing(self) -> bool:  # type: ignore[override]
        return False

    def _choose(self, problem: Problem) -> Found:
        (member,) = self.fitting_members(problem.n_features)
        if not _takes_weights(member):
            raise ValueError(
                f"{type(member).__name__} takes no sample_weight, so weights cannot change what it chooses. Use a "
                "selector that does, such as 'svm-rfe', 'relieff', 'relief', 'surf' or 'multisurf'."
            )
        weights = self._weigh(problem)
        X, y = self.samples(problem)
        X = X if takes_table(member) else problem.given
        self.selector_ = member.fit(X, y, sample_weight=weights)
        return found_by(self.selector_, X, {"weights_": weights})

    @property
    def _notes(self) -> list[str]:
        if self.weight_scale != "sum" or not hasattr(self.selector_, "C"):
            return []
        return [
            "Weights sum to 1, so that C counts as C / n on average, which by itself makes a list more stable: compare "
            "with weight_scale=uniform, which has this effect and no weighting."
        ]

    def _weigh(self, problem: Problem) -> Array:
        n_samples = len(problem.target)
        if self.weight_scale == "uniform":
            return np.full(n_samples, 1.0 / n_samples)
        weighting = InstanceWeighting() if self.weighting is None else clone(self.weighting)
        weights: Array = weighting.weigh(problem.rows, problem.target).weights
        return weights * n_samples if self.weight_scale == "mean" else weights


def _takes_weights(selector: Any) -> bool:
    """Whether fit takes sample_weight, by name or among others that it passes on."""
    known = signature(selector.fit).parameters
    return "sample_weight" in known or any(one.kind is Parameter.VAR_KEYWORD for one in known.values())
