"""Other sets that do as well: leave out a feature, select again, and go on from there (Hosseini 2018, §4.6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, nothing, real_number, seed, whole_number
from holdfast._progress import report
from holdfast._random import generators
from holdfast._registry import UNLABELLED
from holdfast.data import Table
from holdfast.evaluate._contestants import OWN, Contestant, contestants
from holdfast.evaluate._cross_validated import CROSS_VALIDATION, CrossValidatedErrors, splits_by
from holdfast.evaluate._sets import require, table_for
from holdfast.evaluate.cell import alone
from holdfast.evaluate.classifiers import classifier as as_classifier
from holdfast.kernels.lazy import TIE
from holdfast.selectors._base import refuse_unusable
from holdfast.selectors.distance._judge import INDEX, MEASURE, SCALE, Measuring, is_classifier
from holdfast.stability._repeat import SELECTOR, chosen_by, last_of, size_parameter, takes_table

Array = npt.NDArray[Any]

ALL_TRIED, MODELS, SEARCHES = "all tried", "max_models", "max_searches"


@dataclass(frozen=True, eq=False)
class AlternativeSet:
    """One of several sets of features that do about as well.

    Parameters
    ----------
    features : tuple of str
        Names, best first as the selector has them.
    columns : ndarray of shape (n_features,)
        Their columns.
    value : float
        What the set is worth.
    errors : int or None
        Samples that the classifier told wrong in cross-validation; None without a classifier.
    excluded : tuple of str
        Features that were left out on the way to this set, first one first.
    parent : int or None
        Place of the set that the last of these was taken from; None for the first set.

    Examples
    --------
    >>> import numpy as np
    >>> from holdfast.evaluate import AlternativeSet
    >>> AlternativeSet(("MYC",), np.array([4]), 0.9, None, ("TP53",), 0).excluded
    ('TP53',)
    """

    features: tuple[str, ...]
    columns: Array
    value: float
    errors: int | None
    excluded: tuple[str, ...]
    parent: int | None


@dataclass(frozen=True, eq=False)
class Diversity:
    """Sets of features that do about as well as the first, and what they share.

    Use ``diversity`` to make one, and ``report.diversity_matrix`` to see it.

    Parameters
    ----------
    models : tuple of AlternativeSet
        The sets, in the order in which they were found; the first is that of all features.
    features : tuple of str
        Names of all features in any set, those of most sets first.
    columns : ndarray of shape (n_features,)
        Their columns.
    incidence : ndarray of shape (n_features, n_models), dtype=bool
        Which feature is in which set.
    shared : ndarray of shape (n_models, n_models)
        Features that two sets have in common; on the diagonal their sizes.
    jaccard : ndarray of shape (n_models, n_models)
        The same over the features that are in either.
    n_searches : int
        Selections made after the first.
    n_rejected : int
        New sets that were not good enough.
    stop : {"all tried", "max_models", "max_searches"}
        Why it ended.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate.diversity import diversity
    >>> made = copies(n_samples=60, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = diversity("f-test(n_features_to_select=2)", made.X, made.y, max_models=3)
    >>> result.incidence.shape[1] == len(result.models)
    True
    """

    models: tuple[AlternativeSet, ...]
    features: tuple[str, ...]
    columns: Array
    incidence: Array
    shared: Array
    jaccard: Array
    n_searches: int
    n_rejected: int
    stop: str

    @property
    def names(self) -> tuple[str, ...]:
        """S0, S1, … for the sets."""
        return tuple(f"S{number}" for number in range(len(self.models)))

    def table(self) -> list[dict[str, Any]]:
        """One row for each set."""
        return [
            {
                "model": name,
                "features": ", ".join(model.features),
                "n_features": len(model.features),
                "value": model.value,
                "errors": model.errors,
                "excluded": ", ".join(model.excluded),
                "parent": None if model.parent is None else self.names[model.parent],
            }
            for name, model in zip(self.names, self.models, strict=True)
        ]

    def incidence_table(self) -> list[dict[str, Any]]:
        """One row for each feature, with True and False for each set."""
        return [
            {"feature": name, **dict(zip(self.names, row.tolist(), strict=True))}
            for name, row in zip(self.features, self.incidence, strict=True)
        ]

    def pairs(self) -> list[dict[str, Any]]:
        """One row for each pair of sets: how many features they share, and that over those in either."""
        return [
            {
                "model": self.names[a],
                "other": self.names[b],
                "shared": int(self.shared[a, b]),
                "jaccard": float(self.jaccard[a, b]),
            }
            for a in range(len(self.models))
            for b in range(a + 1, len(self.models))
        ]


def diversity(
    selector: Any,
    X: Any,
    y: Any = None,
    *,
    accept: Callable[[AlternativeSet], bool] | None = None,
    classifier: Any = None,
    cv: Any = 10,
    slack: float = 0.05,
    max_models: int = 20,
    max_searches: int = 50,
    measure: Any = "dcor",
    index: str = "biased",
    scale: str = "range",
    feature_names: Any = None,
    random_state: Any = 0,
) -> Diversity:
    """Sets of features that do about as well as the one a selector finds, by leaving out its features in turn.

    Use it before you read much into one set: where many features tell the same, quite different sets do as well. One
    feature of a set is left out and the selector run again on all others; from a set that is new and good enough it
    goes on, with what was left out on the way staying out. Sets near the first come first.

    Parameters
    ----------
    selector : str or selector
        What finds a set: the name of a method, with settings in parentheses if wanted, or any selector.
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,), default=None
        The classes; a Table brings its own.
    accept : callable, default=None
        From an ``AlternativeSet`` to whether it is good enough. None for the rule of ``classifier`` or ``slack``.
    classifier : str, classifier or None, default=None
        Keep sets with which it makes no more errors in cross-validation than with the first. The samples have taken
        part in the choice of the sets, so the errors compare sets and promise nothing for new samples.
    cv : int, str, splitter or list of (train, test), default=10
        Cross-validation of the classifier: so many stratified folds (at most the size of the smallest class), a name
        such as "loocv" or "5x10cv", or any splits.
    slack : float, default=0.05
        Without a classifier, keep sets whose value is at most this share below that of the first.
    max_models : int, default=20
        Sets to find at most, the first among them.
    max_searches : int, default=50
        Selections at most, after the first.
    measure : "dcor" or callable, default="dcor"
        What a set is worth: its distance correlation with the target, or a function of the values of a set, of shape
        (n_samples, n_features), and of y.
    index : {"biased", "biased-squared", "unbiased"}, default="biased"
        Form of the distance correlation.
    scale : {"range", "standard", "none"}, default="range"
        Units of the features: for distances among all samples, for the classifier in each training part.
    feature_names : list of str, default=None
        Names of all columns, where X has none.
    random_state : int, Generator or None, default=0
        Seed of the folds, and of a method given by name or a selector left without a seed.

    Returns
    -------
    result : Diversity
        The sets, which features are in which, and what they share; ``result.table()`` has a row for each set.

    Examples
    --------
    >>> from holdfast.data import copies
    >>> from holdfast.evaluate.diversity import diversity
    >>> made = copies(n_samples=60, n_features=20, n_relevant=2, n_copies=2, random_state=0)
    >>> result = diversity("dcorfs(confidence=None)", made.X, made.y, classifier="nb", cv="loocv", max_searches=6)
    >>> result.table()[0]["model"], result.table()[0]["excluded"], result.n_searches
    ('S0', '', 6)
    """
    require(
        "diversity", _ALLOWED, accept=accept, cv=cv, slack=slack, max_models=max_models, max_searches=max_searches,
        measure=measure, index=index, scale=scale, random_state=random_state,
    )  # fmt: skip
    if is_classifier(measure):
        raise ValueError("measure is a classifier. Pass it as classifier=, and sets are kept by its errors.")
    if isinstance(selector, type) or not SELECTOR.accepts(selector):
        raise TypeError(f"selector={selector!r} is not allowed: it must be {SELECTOR.words}.")
    table = table_for("diversity", X, y, feature_names)
    refuse_unusable(table.X, np.array(table.feature_names, dtype=object), nan_is_allowed=False)
    folds, drawn = generators(random_state, 2)
    search = _Search(contestants(selector)[0], table, int(drawn.integers(2**31)))
    judge = Measuring(measure, index, scale).judge(table.X, search.codes, np.asarray(table.target))
    errors = None
    if classifier is not None:
        splits = splits_by(cv, table.X, search.codes, folds)
        errors = CrossValidatedErrors(as_classifier(classifier), table.X, search.codes, splits, scale)
    found = _Found(search, judge.of, errors, accept, slack, max_models, max_searches)
    with alone():
        found.run()
    return _result(found, table.feature_names)


def _a_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


_ALLOWED = {
    "accept": Rule(_a_function, "a function from a set to True or False", ()) | nothing(),
    "cv": CROSS_VALIDATION,
    "slack": real_number(at_least=0.0, below=1.0),
    "max_models": whole_number(at_least=1),
    "max_searches": whole_number(at_least=0),
    "measure": MEASURE,
    "index": INDEX,
    "scale": SCALE,
    "random_state": seed(),
}


class _Search:
    """A selector on all features but some; columns are those of the whole table."""

    def __init__(self, contestant: Contestant, table: Table, drawn: int) -> None:
        self.contestant = contestant
        self.table = table
        self.names = np.array(table.feature_names, dtype=object)
        self.classes, codes = np.unique(np.asarray(table.target), return_inverse=True)
        self.codes: Array = codes.astype(np.int64)
        self._seed = drawn

    def without(self, excluded: tuple[int, ...]) -> Array:
        """What is chosen, best first; nothing where too few features are left."""
        columns = np.setdiff1d(np.arange(self.table.n_features), excluded)
        selector = self.contestant.build(OWN, self._seed)
        last = last_of(selector)
        asked = getattr(last, str(size_parameter(last)), None)
        if len(columns) < (int(asked) if isinstance(asked, Integral) else 1):
            return columns[:0]
        data: Any = self.table.X[:, columns]
        if takes_table(selector):
            data = Table(data, self.names[columns])
        row = self.contestant.method
        is_unlabelled = row is not None and UNLABELLED in row.takes
        chosen = chosen_by(selector.fit(data, None if is_unlabelled else self.classes[self.codes]), data)
        return columns[chosen.indices[np.argsort(chosen.places, kind="stable")]]


@dataclass
class _Found:
    """The walk over sets, those with the fewest features left out first."""

    search: _Search
    value: Callable[[Array], float]
    errors: CrossValidatedErrors | None
    accept: Callable[[AlternativeSet], bool] | None
    slack: float
    max_models: int
    max_searches: int
    models: list[AlternativeSet] = field(init=False, default_factory=list)
    n_searches: int = field(init=False, default=0)
    n_rejected: int = field(init=False, default=0)
    stop: str = field(init=False, default=ALL_TRIED)

    def run(self) -> None:
        """Search until nothing is left to leave out, or a limit is reached."""
        first = self.search.without(())
        if len(first) == 0:
            raise ValueError(
                f"{self.search.contestant.name} chose nothing from all {self.search.table.n_features} features, so "
                "there is no set to compare others with. Use other settings, or another selector."
            )
        self.models.append(self._judged(first, (), None))
        met = {frozenset(first.tolist())}
        tried: set[frozenset[int]] = set()
        queue: deque[tuple[int, Array, tuple[int, ...]]] = deque([(0, first, ())])
        while queue:
            parent, columns, path = queue.popleft()
            for excluded in ((*path, column) for column in columns.tolist()):
                if frozenset(excluded) in tried:
                    continue
                if len(self.models) == self.max_models or self.n_searches == self.max_searches:
                    self.stop = MODELS if len(self.models) == self.max_models else SEARCHES
                    return
                tried.add(frozenset(excluded))
                found = self._searched(excluded)
                if len(found) and frozenset(found.tolist()) not in met:
                    met.add(frozenset(found.tolist()))
                    model = self._judged(found, excluded, parent)
                    if self._is_accepted(model):
                        queue.append((len(self.models), found, excluded))
                        self.models.append(model)
                    else:
                        self.n_rejected += 1

    def _searched(self, excluded: tuple[int, ...]) -> Array:
        found = self.search.without(excluded)
        self.n_searches += 1
        report(f"Selections, {len(self.models)} sets so far", self.n_searches, self.max_searches)
        return found

    def _judged(self, columns: Array, excluded: tuple[int, ...], parent: int | None) -> AlternativeSet:
        names = self.search.names
        return AlternativeSet(
            features=tuple(names[columns].tolist()),
            columns=columns,
            value=self.value(columns),
            errors=None if self.errors is None else self.errors(columns),
            excluded=tuple(names[list(excluded)].tolist()),
            parent=parent,
        )

    def _is_accepted(self, model: AlternativeSet) -> bool:
        if self.accept is not None:
            return bool(self.accept(model))
        first = self.models[0]
        if model.errors is not None and first.errors is not None:
            return model.errors <= first.errors
        return model.value >= first.value - self.slack * abs(first.value) - TIE


def _result(found: _Found, names: tuple[str, ...]) -> Diversity:
    sets = [set(model.columns.tolist()) for model in found.models]
    columns = np.array(sorted(set.union(*sets)), dtype=np.int64)
    incidence = np.array([[column in one for one in sets] for column in columns.tolist()])
    # Those of most sets first, of equals the one met first.
    met = np.argmax(incidence, axis=1)
    order = np.lexsort((columns, met, -incidence.sum(axis=1)))
    columns, incidence = columns[order], incidence[order]
    shared = incidence.T.astype(np.int64) @ incidence
    sizes = np.diag(shared)
    return Diversity(
        models=tuple(found.models),
        features=tuple(names[column] for column in columns),
        columns=columns,
        incidence=incidence,
        shared=shared,
        jaccard=shared / (sizes[:, np.newaxis] + sizes - shared),
        n_searches=found.n_searches,
        n_rejected=found.n_rejected,
        stop=found.stop,
    )
