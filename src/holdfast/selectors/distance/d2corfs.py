"""D²CORFS: DCORFS, or any other selector, on random bins of features that share what they find (Hosseini 2018)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from joblib import delayed
from sklearn.base import clone

from holdfast._parallel import in_order
from holdfast._parameters import Rule, jobs, nothing, real_number, seed, whole_number
from holdfast._progress import report
from holdfast._random import child, seed_sequence
from holdfast._registry import find
from holdfast.measures.wrapper_score import SCORING
from holdfast.selectors._base import COUNT_SHARE_OR_NONE, Evaluations, Found, Problem
from holdfast.selectors._holds import PLAIN_SELECTOR, HoldsSelector
from holdfast.selectors._wrapper import SPLITS
from holdfast.selectors.distance._base import CONFIDENCE, KIND, DistanceSelector, Field
from holdfast.selectors.distance._bins import ROUND, Local, Rounds, partition, search_bin
from holdfast.selectors.distance._judge import INDEX, MEASURE, SCALE, Measuring

Array = npt.NDArray[Any]

_WHY_ENDED = {
    "perfect": "the value of the best set is 1",
    "agreement": "all bins found the same set",
    "rounds": "max_rounds was reached",
    "stall": "the best value stayed the same",
}


class D2CORFS(HoldsSelector, DistanceSelector):
    """Deal the features to bins, search every bin, give the best set to all bins, and repeat.

    Use it as DCORFS where there are many features: a bin has about half as many features as there are samples, bins are
    searched side by side, and memory is that of the bins under way. Any selector can search the bins. Features that
    tell something only together may miss each other in different bins.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        At most so many features, or this share of them: those whose loss would cost most. None keeps all found.
    selector : str or selector, default="dcorfs"
        What searches a bin: the name of a method, or any selector. A DCORFS takes from here what a set is worth (the
        parameters from ``measure`` on, but for ``confidence``, as features were tested already); so does a D2CORFS.
    list_size : int or None, default=None
        How many features a selector that has to be told keeps of a bin. None leaves it to the selector.
    n_bins : int or None, default=None
        Number of bins; None for twice the features over the samples, so that a bin has half as many features as there
        are samples.
    max_rounds : int, default=5
        Rounds at most.
    patience : int, default=3
        Rounds with the same best value that end the search.
    share_top : int, default=1
        With 1, bins get the best set found so far; with more, also the best sets of so many bins of the round before.
    measure : "dcor", classifier or callable, default="dcor"
        What a set is worth: its distance correlation with the target, the cross-validated score of a classifier, or a
        function of the values of a set, of shape (n_samples, n_features), and of y.
    index : {"biased", "biased-squared", "unbiased"}, default="biased"
        Form of the distance correlation. The biased one has given all published numbers.
    scale : {"range", "standard", "none"}, default="range"
        Units in which distances are measured: each feature by its range or standard deviation among the samples given,
        or as it is.
    confidence : float or None, default=0.95
        Leave out features that a test of dependence on the target does not find at this confidence, from 0.785 on. None
        searches among all.
    scoring : {"auc", "accuracy", "balanced-accuracy"} or callable, default="accuracy"
        What of a classifier counts.
    cv : int, splitter, list of (train, test) or None, default=10
        How a classifier is judged: so many stratified folds (at most the size of the smallest class), or any splits.
    y_is : {"classes", "numbers"}, default="classes"
        What the target holds.
    value_of_nothing : float, default=0.0
        What a function as measure would say of no features: a set is chosen only if it is worth more.
    random_state : int, Generator or None, default=0
        Seed of the bins and of every search; that of bin b in round r depends on it, on r and on b only.
    n_jobs : int or None, default=None
        Bins searched in parallel, as in joblib: threads, or whatever ``joblib.parallel_config`` says, also a Dask
        cluster. A worker gets the columns of its bin only. No result depends on it.

    Attributes
    ----------
    indices_ : ndarray of shape (n_selected,)
        Chosen columns, the one whose loss costs most first.
    scores_ : ndarray of shape (n_features,)
        What the set lost when each chosen feature went, as they went one by one with the least loss; they add up to
        the value of all found. NaN for the others.
    ranking_ : ndarray of shape (n_features,)
        1, 2, … for the chosen features; the others share the rank behind.
    value_ : float
        What the chosen features are worth together.
    relevance_ : ndarray of shape (n_features,)
        Distance correlation of each feature alone.
    bin_ : ndarray of shape (n_features,)
        Number of the bin that each feature was dealt to; -1 for features that did not take part.
    n_bins_ : int
        Number of bins.
    rounds_ : ndarray of shape (n_rounds_,)
        After every round: ``value`` and ``n_features`` of the best set so far, ``n_shared`` features that bins had got
        before it, and of the sets found in it how many are different (``n_sets``) or empty (``n_empty``).
    n_rounds_ : int
        Rounds worked on, the last one perhaps in part.
    stop_ : {"perfect", "agreement", "rounds", "stall"}
        Why it ended: a value of 1 (which says nothing of a function or scorer of yours), all bins of one opinion, no
        round left, or the best value the same for ``patience`` rounds.
    n_searches_ : int
        Bins searched, over all rounds.
    n_screened_out_ : int
        Features that did not take part.
    n_evaluations_ : Evaluations
        What all searches cost together.
    n_cache_hits_ : int
        Sets that a search met again, and empty ones.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast import D2CORFS
    >>> X = np.random.default_rng(7).standard_normal((60, 300))
    >>> found = D2CORFS(confidence=None).fit(X, X[:, 10] + X[:, 150] + X[:, 290] > 0)
    >>> sorted(found.indices_.tolist()), round(found.value_, 6), found.n_bins_, found.stop_
    ([10, 150, 290], 0.685613, 10, 'agreement')
    """

    allowed: ClassVar[Mapping[str, Rule]] = {
        "n_features_to_select": COUNT_SHARE_OR_NONE,
        "selector": PLAIN_SELECTOR,
        "list_size": whole_number(at_least=1) | nothing(),
        "n_bins": whole_number(at_least=1) | nothing(),
        "max_rounds": whole_number(at_least=1),
        "patience": whole_number(at_least=2),
        "share_top": whole_number(at_least=1),
        "measure": MEASURE,
        "index": INDEX,
        "scale": SCALE,
        "confidence": CONFIDENCE,
        "scoring": SCORING,
        "cv": SPLITS,
        "y_is": KIND,
        "value_of_nothing": real_number(),
        "random_state": seed(),
        "n_jobs": jobs(),
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        selector: Any = "dcorfs",
        list_size: int | None = None,
        n_bins: int | None = None,
        max_rounds: int = 5,
        patience: int = 3,
        share_top: int = 1,
        measure: Any = "dcor",
        index: str = "biased",
        scale: str = "range",
        confidence: float | None = 0.95,
        scoring: Any = "accuracy",
        cv: Any = 10,
        y_is: str = "classes",
        value_of_nothing: float = 0.0,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.selector = selector
        self.list_size = list_size
        self.n_bins = n_bins
        self.max_rounds = max_rounds
        self.patience = patience
        self.share_top = share_top
        self.measure = measure
        self.index = index
        self.scale = scale
        self.confidence = confidence
        self.scoring = scoring
        self.cv = cv
        self.y_is = y_is
        self.value_of_nothing = value_of_nothing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _choose(self, problem: Problem) -> Found:
        self._n_select(problem.n_features)
        root = seed_sequence(self.random_state)
        deal, folds, searches = root.spawn(3)
        field = self._field(problem, np.random.default_rng(folds))
        n_pool = len(field.pool)
        n_bins = self._n_bins(n_pool, len(problem.target))
        bins = partition(n_pool, n_bins, np.random.default_rng(deal)) if n_pool else []
        rounds = Rounds(
            bins,
            partial(self._searched, problem, field, searches),
            max_rounds=self.max_rounds if n_pool else 0,
            patience=self.patience,
            share_top=self.share_top,
            floor=field.judge(problem.X[:, field.pool[:1]]).of_nothing,
            perfect=field.measuring.most,
        ).run()
        kept = rounds.best.features
        columns = field.pool[kept]
        bin_of = np.full(problem.n_features, -1, dtype=np.int32)
        for number, places in enumerate(bins):
            bin_of[field.pool[places]] = number
        extra = {
            "bin_": bin_of,
            "n_bins_": n_bins,
            "rounds_": np.array(rounds.history, dtype=ROUND),
            "n_rounds_": len(rounds.history),
            "stop_": rounds.stop,
            "n_searches_": len(rounds.searched),
        }
        judge = field.judge(problem.X[:, columns])
        spent = _together(rounds.searched)
        hits = sum(local.n_cache_hits for local in rounds.searched)
        return self._found(problem, field, judge, columns, np.arange(len(columns)), extra, spent, hits)

    def _n_bins(self, n_pool: int, n_samples: int) -> int:
        asked = max(1, round(2 * n_pool / n_samples)) if self.n_bins is None else self.n_bins
        return min(asked, max(1, n_pool))

    def _searched(
        self, problem: Problem, field: Field, seeds: np.random.SeedSequence, number: int, bins: Sequence[Array]
    ) -> Generator[Local]:
        """Search every bin of a round; what each found, in order."""
        # Workers that search a bin each need no workers of their own.
        measuring = replace(field.measuring, n_jobs=None)
        tasks = (
            delayed(search_bin)(
                self._local(len(places), measuring, child(seeds, number, b)),
                measuring,
                problem.columns(field.pool[places]),
                field.target,
                field.labels,
                places,
                field.names_for_ties(places),
            )
            for b, places in enumerate(bins)
        )
        with closing(in_order(tasks, self.n_jobs)) as found:
            for done, local in enumerate(found, start=1):
                report(f"Bins of round {number + 1} of at most {self.max_rounds}", done, len(bins))
                yield local

    def _local(self, n_features: int, measuring: Measuring, seed_of: np.random.SeedSequence) -> Any:
        """What searches a bin of so many features."""
        local = find(self.selector).build() if isinstance(self.selector, str) else clone(self.selector)
        known = local.get_params(deep=False)
        if isinstance(local, DistanceSelector):
            local.set_params(
                measure=self.measure,
                index=self.index,
                scale=self.scale,
                scoring=self.scoring,
                cv=self.cv if measuring.cv is None else measuring.cv,
                y_is=self.y_is,
                value_of_nothing=self.value_of_nothing,
                confidence=None,
            )
        size = next((name for name in ("n_features_to_select", "k") if name in known), None)
        if size is None and self.list_size is not None:
            raise ValueError(
                f"list_size={self.list_size}, but {type(local).__name__} has no parameter n_features_to_select. Leave "
                "list_size out and set the number of features of the selector itself."
            )
        if size is not None:
            local.set_params(**{size: self._size(known[size], n_features)})
        if "random_state" in known:
            local.set_params(random_state=int(seed_of.generate_state(1)[0]))
        return local

    def _size(self, own: Any, n_features: int) -> Any:
        """How many features a selector keeps of a bin, if it has to be told."""
        if self.list_size is not None:
            return min(self.list_size, n_features)
        if own is None or not isinstance(own, Integral):
            return own
        if isinstance(self.selector, str):
            raise ValueError(
                f"selector={self.selector!r} keeps {own} features unless told otherwise, and a bin has {n_features}. "
                "Say how many it keeps of a bin with list_size, such as list_size=5."
            )
        return min(int(own), n_features)

    @property
    def _notes(self) -> list[str]:
        return [f"{self.n_bins_} bins, {self.n_rounds_} rounds; it ended because {_WHY_ENDED[self.stop_]}."]

    @property
    def _details(self) -> dict[str, Any]:
        return {**super()._details, "bins": self.n_bins_, "rounds": self.n_rounds_, "stop": self.stop_}

    def _why_none_kept(self) -> str:
        return (
            f"no bin found a set that is worth more than none, in {self.n_rounds_} round(s). Let the search in a bin "
            "go on for longer, such as selector=DCORFS(n_iterations=300), use another selector, or, for a function as "
            "measure, say what it is worth to have no features: value_of_nothing."
        )


def _together(found: Sequence[Local]) -> Evaluations:
    """What several searches cost."""
    return Evaluations(
        relevance=sum(local.evaluations.relevance for local in found),
        pair=sum(local.evaluations.pair for local in found),
        subset=sum(local.evaluations.subset for local in found),
        classifier=sum(local.evaluations.classifier for local in found),
    )
