"""Fast correlation-based filter (Yu and Liu 2003; Pino Angulo 2019, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, nothing, real_number, yes_or_no
from holdfast.kernels.lazy import TIE
from holdfast.measures.information import symmetrical_uncertainty
from holdfast.prepare.encode import DISCRETIZER
from holdfast.search.forward import Path
from holdfast.search.shared import SharedInformation
from holdfast.search.ties import best_tied
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem, Selector
from holdfast.selectors._codes import codes_and_target
from holdfast.selectors.pairwise._greedy import found_on

Array = npt.NDArray[Any]


class FCBF(Selector):
    """Walk down the ranking and drop each feature that a better one predicts better than the class does.

    Use it for a quick subset with little redundancy, of a size the method finds itself. A feature that shares exactly
    as much with a better one as with the class stays (a copy of a perfect predictor does); ``strict=False`` drops it.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them; None keeps all that survive.
    min_su : float or None, default=None
        Features whose symmetrical uncertainty with the class is not above this are never looked at.
    strict : bool, default=True
        Drop a feature only when it shares more with a better one than with the class; False drops it on equality
        too, as the original paper does.
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels; None for data that is discrete already.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, best first.
    scores_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each chosen feature with the class; NaN for the others.
    relevance_ : ndarray of shape (n_features,)
        Symmetrical uncertainty of each feature with the class.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … in order of relevance; the others share the rank behind.

    Examples
    --------
    >>> from holdfast import FCBF
    >>> X = [[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [1, 1, 1], [1, 1, 0], [1, 1, 1]]
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> FCBF(discretizer=None).fit(X, y).indices_
    array([0, 2])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "min_su": real_number(at_least=0.0, below=1.0) | nothing(),
        "strict": yes_or_no(),
        "discretizer": DISCRETIZER,
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        min_su: float | None = None,
        strict: bool = True,
        discretizer: Any = "mdl",
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.min_su = min_su
        self.strict = strict
        self.discretizer = discretizer

    def _choose(self, problem: Problem) -> Found:
        n_select = self._n_select(problem.n_features)
        codes, target = codes_and_target(problem, self.discretizer)
        relevance = symmetrical_uncertainty(codes, target)
        precedence = problem.precedence(relevance)
        shared_by = SharedInformation(codes, scaled=True)
        alive = np.flatnonzero(~codes.is_constant & (relevance > (-1.0 if self.min_su is None else self.min_su)))
        chosen: list[int] = []
        n_pairs = 0
        # A tie is settled among survivors only, when its turn comes: most tied features are gone by then.
        while len(alive) and len(chosen) < n_select:
            feature = precedence.first(alive[best_tied(relevance[alive])])
            chosen.append(feature)
            alive = alive[alive != feature]
            shared = shared_by.with_feature(feature, alive)
            n_pairs += len(alive)
            slack = TIE if self.strict else -TIE
            alive = alive[shared <= relevance[alive] + slack]
        features = np.array(chosen, dtype=np.int64)
        evaluations = Evaluations(relevance=len(relevance), pair=n_pairs)
        return found_on(Path(features, relevance[features]), relevance, precedence, evaluations)
