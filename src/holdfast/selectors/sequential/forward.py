"""Sequential search by any criterion, with rules that know when to stop (Michel 2018, Algorithms 1 to 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, jobs, nothing, one_of, seed, whole_number
from holdfast.measures._distances import CLASSES, KINDS
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.centroids import RADII
from holdfast.measures.growing.neighbours import AGGREGATES, COMPLEMENT, PARTS, WHOLE, NeighbourScore
from holdfast.measures.wrapper_score import SCORING
from holdfast.prepare.encode import DISCRETIZER
from holdfast.selectors._base import COUNT_SHARE_OR_NONE
from holdfast.selectors._wrapper import SPLITS
from holdfast.selectors.sequential._criteria import CRITERION, ESTIMATOR, IN_WORDS, NEIGHBOURS, growing_score
from holdfast.selectors.sequential._field import Field
from holdfast.selectors.sequential._search import DIRECTION, STOP, SequentialSearch

Array = npt.NDArray[Any]


class ForwardSearch(SequentialSearch):
    """Add one feature at a time, whichever makes the best set, and know when to stop.

    Use it for a short list of features that do well together, by any measure of a set: what nearest neighbours or any
    other model make of it, or a filter. The whole path is kept, so that every stopping rule can be asked afterwards
    where it would have stopped. With few samples many features do equally well; then the more relevant one comes first.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them; None for as many as ``max_features`` allows.
    max_features : int or None, default=None
        How far to search when ``n_features_to_select`` is None and no rule stops; None for all features, which takes
        half their number squared sets. The methods by name have 50.
    criterion : {"cv", "train", "delta", "delta-cv", "dcor", "mi", "cfs", "lw"} or callable, default="cv"
        What a set is worth. "cv" and "train": the score of ``estimator`` in cross-validation or on the samples it was
        trained with. "delta": the delta test, an estimate of the noise that the set leaves in y, on all samples; and
        "delta-cv", its mean over parts of them. "dcor": distance correlation. "mi": mutual information with the class.
        "cfs": the merit of CFS. "lw": the LW index. Or a function of the values of a set, of shape (n_samples,
        n_features), and of y; more is better.
    stop : str or stop rule, default="none"
        "none" for the full order; "cw" (the score falls) or "wm" (by more than a margin); "h", "h2s" and "hp"
        (Hoeffding's bound on the gap to the second best feature, to the set before, to a permuted copy); "p" or "mi"
        (permutation tests by the criterion and by mutual information). Options come after colons, "h2s:epsilon=0", or
        with the rule itself: ``HoeffdingStop(epsilon=0)``.
    direction : {"forward", "backward", "floating"}, default="forward"
        Add features; drop them, beginning with all; or add and then drop those that a better set can do without.
    estimator : classifier, regressor or None, default=None
        Any estimator of scikit-learn's kind; None for nearest neighbours, whose number is chosen for every set.
    n_neighbors : int, list of int or None, default=None
        Numbers of neighbours to choose from by cross-validation, without ``estimator``; None for 1 to 10.
    cv : int, splitter, list of (train, test) or None, default=10
        Folds of the cross-validation, and parts of the delta test: so many (stratified for classes), or any splits.
    scoring : {"auc", "accuracy", "balanced-accuracy"}, callable or None, default=None
        What of ``estimator`` counts; None for accuracy or R².
    aggregate : {"pooled", "mean"}, default="pooled"
        Whether all test samples count alike, or every fold, as in scikit-learn.
    scale : {"auto", "standard", "range", "none"}, default="auto"
        Units of the features where distances count: by their standard deviation or range (among training samples) or
        as they are. "auto" for "range" with "dcor" and "lw", else "standard". An estimator of yours sees features as
        they came.
    delta_part : {"complement", "fold", "cross"}, default="complement"
        What "delta-cv" looks at for each part: the samples outside it, those inside it, or those inside it with
        neighbours outside it.
    radius : {"max", "mean", "rms"}, default="max"
        Radius of a class in "lw".
    discretizer : {"mdl", "mean-sigma", "equal-width", "equal-frequency"}, transformer or None, default="mdl"
        How values become levels for "mi" and "cfs"; None for data that is discrete already.
    min_features : int, default=1
        A rule keeps at least so many.
    y_is : {"classes", "numbers"}, default="classes"
        What the target holds.
    random_state : int, Generator or None, default=0
        Seed of the folds and permutations.
    n_jobs : int or None, default=None
        Candidates and permutations judged in parallel, as in joblib, by nearest neighbours, an estimator or a function;
        no result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns in order of joining; backward, the one that would have been dropped last first.
    scores_ : ndarray of shape (n_features,)
        Score of the set up to each chosen feature; of a floating search, what the set loses without it. NaN for others.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features; the others share the rank behind.
    relevance_ : ndarray of shape (n_features,)
        What settles ties: Welch's t for two classes, F for more, the absolute correlation for numbers.
    value_ : float
        Score of the chosen features, on the samples they were chosen on: too good to be expected of others.
    path_ : ndarray of shape (n_steps,)
        Every step: ``size`` after it, ``feature``, ``score``, the ``previous`` one, and that of the ``runner_up``.
    sets_ : list of arrays or None
        Best set of each size that a floating search met; None for other directions.
    stopping_ : Stopping
        Where the rule stopped, with gaps, bounds and p-values of every step it saw.
    n_neighbors_ : int
        Number of neighbours chosen for the chosen features; only where nearest neighbours are the estimator.
    n_evaluations_ : Evaluations
        ``subset`` counts sets given a score, ``classifier`` the models that stands for.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import ForwardSearch
    >>> X = np.random.default_rng(3).normal(size=(60, 8))
    >>> y = X[:, 1] + X[:, 6] > 0
    >>> search = ForwardSearch(n_features_to_select=4).fit(X, y)
    >>> search.indices_
    array([6, 1, 7, 5])
    >>> {name: stopping.n_features for name, stopping in search.compare_stops(X, y, ["cw", "h2s", "p"]).items()}
    {'cw': 3, 'h2s': 2, 'p': 3}
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "max_features": whole_number(at_least=1) | nothing(),
        "criterion": CRITERION,
        "stop": STOP,
        "direction": DIRECTION,
        "estimator": ESTIMATOR,
        "n_neighbors": NEIGHBOURS,
        "cv": SPLITS,
        "scoring": SCORING | nothing(),
        "aggregate": one_of(*AGGREGATES),
        "scale": one_of("auto", "standard", "range", "none"),
        "delta_part": one_of(*(part for part in PARTS if part != WHOLE)),
        "radius": one_of(*RADII),
        "discretizer": DISCRETIZER,
        "min_features": whole_number(at_least=0),
        "y_is": one_of(*KINDS),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        max_features: int | None = None,
        criterion: Any = "cv",
        stop: Any = "none",
        direction: str = "forward",
        estimator: Any = None,
        n_neighbors: Any = None,
        cv: Any = 10,
        scoring: Any = None,
        aggregate: str = "pooled",
        scale: str = "auto",
        delta_part: str = COMPLEMENT,
        radius: str = "max",
        discretizer: Any = "mdl",
        min_features: int = 1,
        y_is: str = "classes",
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.max_features = max_features
        self.criterion = criterion
        self.stop = stop
        self.direction = direction
        self.estimator = estimator
        self.n_neighbors = n_neighbors
        self.cv = cv
        self.scoring = scoring
        self.aggregate = aggregate
        self.scale = scale
        self.delta_part = delta_part
        self.radius = radius
        self.discretizer = discretizer
        self.min_features = min_features
        self.y_is = y_is
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _score_of(self, field: Field, seed: np.random.SeedSequence) -> GrowingScore:
        return growing_score(self, field, seed)

    def _check_target(self, y: Array) -> tuple[Array, Array]:
        if self.y_is == CLASSES and y.dtype.kind == "f" and (y != np.floor(y)).any():
            raise ValueError(
                f"Unknown label type: y holds numbers such as {y[y != np.floor(y)][0]:g}, but y_is='classes'. Pass "
                "y_is='numbers' (the methods 'fs-cv-regression', 'dt' and 'dt-cv' have it), or classes."
            )
        return super()._check_target(y)

    def _more(self, score: GrowingScore, places: Array) -> dict[str, Any]:
        if not isinstance(score, NeighbourScore) or len(places) == 0:
            return {}
        score.clear()
        for place in places[:-1].tolist():
            score.add(place)
        return {"n_neighbors_": score.n_neighbors_with(int(places[-1]))}

    @property
    def _score_name(self) -> str:
        return IN_WORDS[self.criterion] if isinstance(self.criterion, str) else "score by a function"
