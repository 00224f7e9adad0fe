"""SFS-LW: forward search by the distance of the classes beyond their radii (Pino Angulo 2019, §2.2.2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from holdfast._parameters import Rule, nothing, one_of, seed, whole_number
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.centroids import RADII
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors.sequential._criteria import IN_WORDS, LW, separation_score
from holdfast.selectors.sequential._field import Field
from holdfast.selectors.sequential._search import DIRECTION, STOP, SequentialSearch


class SFSLW(SequentialSearch):
    """Add the feature that moves the classes farthest apart, measured between centroids and beyond their radii.

    Use it for classes that form clouds of their own. Squared distances from and between centroids are kept, so that a
    candidate costs one look at its samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them; None for as many as ``max_features`` allows.
    max_features : int or None, default=50
        How far to search when ``n_features_to_select`` is None and no rule stops; None for all features.
    radius : {"max", "mean", "rms"}, default="max"
        Radius of a class: distance of its farthest sample from the centroid, the mean distance, or the root of the mean
        square.
    scale : {"range", "standard", "none"}, default="range"
        Units of the features: by their range, their standard deviation, or as they are.
    stop : str or stop rule, default="none"
        When to stop, as in ForwardSearch; ``"cw:strict_decrease=False"`` stops at the first feature that does not help.
    direction : {"forward", "backward", "floating"}, default="forward"
        Add features; drop them, beginning with all; or add and then drop those that a better set can do without.
    min_features : int, default=1
        A rule keeps at least so many.
    random_state : int, Generator or None, default=0
        Seed of the permutations that a rule asks for.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns in order of joining.
    scores_ : ndarray of shape (n_features,)
        LW index of the set up to each chosen feature; NaN for the others.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features; the others share the rank behind.
    relevance_ : ndarray of shape (n_features,)
        What settles ties: Welch's t for two classes, F for more.
    value_ : float
        LW index of the chosen features.
    path_ : ndarray of shape (n_steps,)
        Every step, as in ForwardSearch.
    sets_ : list of arrays or None
        Best set of each size that a floating search met.
    stopping_ : Stopping
        Where the rule stopped.

    Examples
    --------
    >>> from holdfast import SFSLW
    >>> X = [[0, 5, 1], [1, 3, 1], [2, 4, 0], [8, 3, 1], [9, 5, 0], [7, 4, 0]]
    >>> SFSLW(stop="cw:strict_decrease=False").fit(X, [0, 0, 0, 1, 1, 1]).indices_
    array([0])
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "max_features": whole_number(at_least=1) | nothing(),
        "radius": one_of(*RADII),
        "scale": one_of("range", "standard", "none"),
        "stop": STOP,
        "direction": DIRECTION,
        "min_features": whole_number(at_least=0),
        "random_state": seed(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        max_features: int | None = 50,
        radius: str = "max",
        scale: str = "range",
        stop: Any = "none",
        direction: str = "forward",
        min_features: int = 1,
        random_state: Any = 0,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_features = max_features
        self.radius = radius
        self.scale = scale
        self.stop = stop
        self.direction = direction
        self.min_features = min_features
        self.random_state = random_state

    def _score_of(self, field: Field, seed: np.random.SeedSequence) -> GrowingScore:
        return separation_score(field, self.scale, self.radius)

    @property
    def _score_name(self) -> str:
        return IN_WORDS[LW]
