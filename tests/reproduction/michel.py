"""The experiments of Michel 2018: forward search by nearest neighbours and by the delta test, and when it stops.

Features that do equally well are taken in the order of the table, as in the thesis; ``shipped`` runs the library as it
is, which takes the more relevant one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import ceil
from pathlib import Path

import numpy as np
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from holdfast import ForwardSearch
from holdfast.measures._folds import Folds
from holdfast.measures.growing._base import GrowingScore
from holdfast.measures.growing.neighbours import COMPLEMENT, CROSS, FOLD, WHOLE, DeltaTest, NeighbourScore
from holdfast.search.sequential import Choice, forward_steps
from holdfast.search.stop_rules import ClassicStop, HoeffdingStop, MarginStop, PermutationStop, hoeffding_bound
from holdfast.search.stopping import Asking, Follower, Step, StopRule, Verdict
from holdfast.selectors.sequential._asking import StepAsked
from reproduction.protocol import FOLDER

N_REPETITIONS = 100
TEST_SHARE = 0.3
N_FOLDS = 10
GRID = tuple(range(1, 11))
RAW, STANDARD = "none", "standard"


@dataclass(frozen=True)
class Source:
    """A file, its number of features, whether it holds classes, and in which units its columns are taken."""

    file: str
    n_features: int
    has_classes: bool
    units: str


# Raw or standardised columns as reproduces more (specification, section 12); the thesis does not say.
SETS: Mapping[str, Source] = {
    "Breast": Source("wdbc", 30, True, RAW),
    "Ionosphere": Source("ionosphere", 34, True, RAW),
    "Parkinson": Source("parkinsons", 22, True, STANDARD),
    "Sonar": Source("sonar", 60, True, RAW),
    "Wine": Source("wine", 13, True, STANDARD),
    "Diabetes": Source("diabetes_regression", 10, False, STANDARD),
    "Boston": Source("boston_housing", 13, False, STANDARD),
}
CLASSIFIED = tuple(name for name, source in SETS.items() if source.has_classes)
MEASURED = tuple(name for name, source in SETS.items() if not source.has_classes)
TRAIN, CV, SHIPPED = "FS-Train", "FS-CV", "ForwardSearch"
DT, DT_CV = "DT", "DT-CV"
# What the ten parts of DT-CV may be; the thesis does not say.
PARTS = {DT: WHOLE, DT_CV: COMPLEMENT, "DT-CV, inside": FOLD, "DT-CV, across": CROSS}
RULES = ("CW", "WM", "H", "H2S", "HP", "P")
# The reading of each rule that reproduces the printed sizes, and the one that is written in the thesis.
READINGS: Mapping[str, StopRule] = {
    "CW": ClassicStop(),
    "CW, also if equal": ClassicStop(strict_decrease=False),
    "WM": MarginStop(0.005),
    "WM, 0.01": MarginStop(0.01),
    "H": HoeffdingStop("runner-up", epsilon=0),
    "H, δ = 0.05": HoeffdingStop("runner-up"),
    "H2S": HoeffdingStop("previous", epsilon=0, start=0),
    "H2S, δ = 0.05": HoeffdingStop("previous", start=0),
    "P": PermutationStop(),
    "P, ties not counted": PermutationStop(count_ties=False),
    "HP": HoeffdingStop("permuted", epsilon=0),
    "HP, δ = 0.05": HoeffdingStop("permuted"),
}


@dataclass(frozen=True)
class Data:
    """A table by the thesis's name."""

    name: str
    X: np.ndarray
    y: np.ndarray


@lru_cache
def load(name: str, folder: Path = FOLDER) -> Data | None:
    """A table by the thesis's name; None if it is not there.

    Classes are numbered by their names, as those of the UCI files are in scikit-learn (B before M, M before R): of two
    that have as many votes the first wins.
    """
    path = folder / f"{SETS[name].file}.npz"
    if not path.exists():
        return None
    with np.load(path) as data:
        X, y = data["X"].astype(np.float64), data["y"].astype(np.float64)
        if SETS[name].has_classes:
            y = np.unique(data["class_names"][data["y"]], return_inverse=True)[1].astype(np.int64)
        return Data(name, X, y)


@dataclass(frozen=True)
class Parts:
    """The two parts of a repetition; ``X`` and ``others`` in the units of the table, by the training part."""

    X: np.ndarray
    y: np.ndarray
    others: np.ndarray
    truth: np.ndarray


def parts(data: Data, seed: int, repetition: int) -> Parts:
    """A random 70/30 split, not stratified."""
    order = np.random.default_rng([seed, repetition]).permutation(len(data.y))
    n_test = ceil(TEST_SHARE * len(data.y))
    test, train = order[:n_test], order[n_test:]
    X, others = data.X[train], data.X[test]
    if SETS[data.name].units == STANDARD:
        mean, spread = X.mean(axis=0), X.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        X, others = (X - mean) / spread, (others - mean) / spread
    return Parts(X, data.y[train], others, data.y[test])


@dataclass(frozen=True)
class Run:
    """A whole search: order, scores, those of the second best, and what each size scores on the test part.

    ``sizes`` is where each reading stops; 0 if it does not go along with the first feature. For filters ``learned`` is
    the cross-validated R² of each size.
    """

    order: tuple[int, ...]
    scores: tuple[float, ...]
    runners_up: tuple[float, ...]
    tests: tuple[float, ...]
    sizes: Mapping[str, int]
    learned: tuple[float, ...] = ()

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, found: Mapping[str, object]) -> Run:
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})


def by_index(n_features: int) -> Choice:
    """The first of features that do as well."""
    return Choice(first=lambda tied: int(min(tied)), last=lambda tied: int(max(tied)), varies=np.ones(n_features, bool))


class Remembered(StepAsked):
    """Answers about a step, each worked out once for all rules."""

    def __init__(self, *about: object) -> None:
        super().__init__(*about)
        self._known: dict[tuple[str, int, int], np.ndarray] = {}

    def permuted_feature(self, first: int, last: int) -> np.ndarray:
        key = ("feature", first, last)
        if key not in self._known:
            self._known[key] = super().permuted_feature(first, last)
        return self._known[key]

    def permuted_set(self, first: int, last: int) -> np.ndarray:
        key = ("set", first, last)
        if key not in self._known:
            self._known[key] = super().permuted_set(first, last)
        return self._known[key]


@dataclass(frozen=True)
class Mirrored(StopRule):
    """Another rule that is told the opposite of every score: what a slip in the orientation would do."""

    rule: StopRule

    def judge(self, step: Step, ask: Asking) -> Verdict:
        return self.rule.judge(replace(step, score=-step.score, previous=-step.previous), _Opposite(ask))


class _Opposite:
    def __init__(self, ask: Asking) -> None:
        self._ask = ask
        self.n_samples = ask.n_samples

    def permuted_feature(self, first: int, last: int) -> np.ndarray:
        return -self._ask.permuted_feature(first, last)


@dataclass
class Walked:
    """Steps of a search to the end, sizes by reading, and the neighbours chosen for every size, if any are."""

    steps: list[Step]
    sizes: dict[str, int]
    n_neighbors: list[int]


def walk(score: GrowingScore, X: np.ndarray, y: np.ndarray, rules: Mapping[str, StopRule], seed: list[int]) -> Walked:
    """Search to the end; a rule that has stopped is not asked again."""
    root = np.random.SeedSequence(seed)
    followers = {name: Follower(rule, len(y)) for name, rule in rules.items()}
    going = dict(followers)
    found = Walked([], {}, [])
    for step in forward_steps(score, by_index(X.shape[1]), X.shape[1]):
        found.steps.append(step)
        if isinstance(score, NeighbourScore):
            found.n_neighbors.append(score.n_neighbors_with(step.feature))
        ask = Remembered(score, step, X, y, root)
        going = {name: one for name, one in going.items() if one.sees(step, ask)}
        ask.take()
    found.sizes = {name: one.stopping().n_features for name, one in followers.items()}
    return found


def folds_of(y: np.ndarray) -> Folds:
    """Ten folds as they come: stratified for classes."""
    folds = StratifiedKFold(N_FOLDS) if y.dtype.kind in "iu" else KFold(N_FOLDS)
    return Folds.of(list(folds.split(np.zeros(len(y)), y)))


def wrapper(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """FS-Train or FS-CV on one split, with every reading of every rule."""
    part = parts(data, seed, repetition)
    columns = np.ascontiguousarray(part.X.T)
    score = NeighbourScore(columns, part.y, folds_of(part.y), GRID, in_training=criterion == TRAIN, scale="none")
    found = walk(score, part.X, part.y, READINGS, [seed, repetition])
    return _run(found, tested(part, [step.feature for step in found.steps], found.n_neighbors))


def _run(found: Walked, tests: tuple[float, ...], learned: tuple[float, ...] = ()) -> Run:
    steps = found.steps
    return Run(
        tuple(step.feature for step in steps),
        tuple(step.score for step in steps),
        tuple(step.runner_up if np.isfinite(step.runner_up) else step.score for step in steps),
        tests,
        found.sizes,
        learned,
    )


def tested(part: Parts, order: list[int], n_neighbors: list[int]) -> tuple[float, ...]:
    """Accuracy or R² on the test part of scikit-learn's nearest neighbours, for every size."""
    found = []
    for size, k in enumerate(n_neighbors, 1):
        chosen = order[:size]
        if part.y.dtype.kind in "iu":
            model = KNeighborsClassifier(k).fit(part.X[:, chosen], part.y)
            found.append(float((model.predict(part.others[:, chosen]) == part.truth).mean()))
        else:
            model = KNeighborsRegressor(k).fit(part.X[:, chosen], part.y)
            found.append(float(r2_score(part.truth, model.predict(part.others[:, chosen]))))
    return tuple(found)


# Readings of the rules as the library spells them.
SPELT = {"CW": "cw", "WM": "wm:margin=0.005", "H": "h:epsilon=0", "H2S": "h2s:epsilon=0:start=0",
         "HP": "hp:epsilon=0", "P": "p"}  # fmt: skip


def shipped(data: Data, seed: int, repetition: int) -> Run:
    """The library's own search on the same split and folds: ties go to the more relevant feature."""
    part = parts(data, seed, repetition)
    search = ForwardSearch(
        criterion="cv", cv=StratifiedKFold(N_FOLDS), scale="none", min_features=0, random_state=repetition
    ).fit(part.X, part.y)
    path = search.path_
    runners_up = np.where(np.isfinite(path["runner_up"]), path["runner_up"], path["score"])
    sizes = {rule: search.stop_at(name, part.X, part.y, complete=False).n_features for rule, name in SPELT.items()}
    return Run(
        tuple(path["feature"].tolist()), tuple(path["score"].tolist()), tuple(runners_up.tolist()), (), sizes
    )  # fmt: skip


def filtered(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """The delta test on one split, with every reading of every rule; y from 0 to 1, so that bounds hold."""
    part = parts(data, seed, repetition)
    columns = np.ascontiguousarray(part.X.T)
    width = float(np.ptp(part.y))
    target = (part.y - part.y.min()) / width
    folds = folds_of(part.y)
    score = DeltaTest(columns, target, folds, PARTS[criterion])
    # In units of y a gap is larger by the square of its width, the bound is not.
    of_y = {"delta": 0.05, "epsilon": hoeffding_bound(len(target)) / width**2}
    rules = {
        **READINGS,
        "H, y as it is": HoeffdingStop("runner-up", **of_y),
        "H2S, y as it is": HoeffdingStop("previous", start=score.of_nothing, **of_y),
        "HP, y as it is": HoeffdingStop("permuted", **of_y),
        "CW, mirrored": Mirrored(ClassicStop()),
        "P, mirrored": Mirrored(PermutationStop()),
    }
    # Without features ϑ is the variance of y; 0 would stand for no noise at all.
    rules["H2S"] = replace(rules["H2S"], start=score.of_nothing)
    rules["H2S, δ = 0.05"] = replace(rules["H2S, δ = 0.05"], start=score.of_nothing)
    found = walk(score, part.X, target, rules, [seed, repetition])
    order = [step.feature for step in found.steps]
    learned, n_neighbors = _learner(columns, part.y, folds, order)
    return _run(found, tested(part, order, n_neighbors), learned)


def _learner(columns: np.ndarray, y: np.ndarray, folds: Folds, order: list[int]) -> tuple[tuple[float, ...], list[int]]:
    """Cross-validated R² and number of neighbours of every size; every fold counts alike."""
    score = NeighbourScore(columns, y, folds, GRID, aggregate="mean", scale="none")
    learned, n_neighbors = [], []
    for feature in order:
        learned.append(float(score.with_each(np.array([feature]))[0]))
        n_neighbors.append(score.n_neighbors_with(feature))
        score.add(feature)
    return tuple(learned), n_neighbors


CRITERIA = {**dict.fromkeys(CLASSIFIED, (CV, TRAIN, SHIPPED)), **dict.fromkeys(MEASURED, tuple(PARTS))}


def run(data: Data, criterion: str, seed: int, repetition: int) -> Run:
    """One search of one repetition."""
    if criterion == SHIPPED:
        return shipped(data, seed, repetition)
    return (filtered if criterion in PARTS else wrapper)(data, criterion, seed, repetition)
