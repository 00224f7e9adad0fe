"""The main job: from a table to a short list, with what speaks for it and against it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.impute import SimpleImputer
from threadpoolctl import threadpool_limits

from holdfast._errors import DataError, NothingSelected
from holdfast._progress import Tick, silent, watching
from holdfast._registry import UNLABELLED, Method, find
from holdfast.cli import _target
from holdfast.cli._repeats import Repeats, repeats_behind
from holdfast.data import Finding, Table, screen
from holdfast.data._wording import counted, listed, percent, shown
from holdfast.knowledge import Matched
from holdfast.selectors import Selector
from holdfast.stability import selection_frequency

Array = npt.NDArray[Any]

N_BELOW = 3
_TIE = 1e-12
# Half of two, rounded up to what a variance needs, would be both.
_SMALLEST_HALVED = 3
_STOPPED = (
    "Chosen in: not known, for the half-samples were stopped. Run it again to see how far the list holds, with fewer "
    "--repeats if it takes long."
)
_OPTION_OF = {"n_features_to_select": "-k", "discretizer": "--discretizer", "prior": "--prior"}


@dataclass(frozen=True)
class Request:
    """What the user asked for; ``n_jobs`` is None if a cluster has as many workers as it has."""

    method: str = "mrmr+"
    k: int | float | None = None
    impute: str | None = None
    discretizer: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    prior: Matched | None = None
    n_repeats: int = 50
    seed: int = 0
    n_jobs: int | None = 1


@dataclass(frozen=True)
class Feature:
    """One feature of a result; ``times`` counts the selections on resamples that chose it."""

    name: str
    index: int
    score: float | None
    relevance: float | None = None
    times: int | None = None
    rank: int | None = None


@dataclass(frozen=True)
class Selection:
    """A result with everything a report says about it."""

    request: Request
    method: Method
    parameters: dict[str, Any]
    source: str
    n_samples: int
    n_features: int
    target_name: str | None
    classes: dict[str, int] | None
    chosen: tuple[Feature, ...]
    below: tuple[Feature, ...]
    often: tuple[Feature, ...]
    n_asked: int | None
    repeats: Repeats | None
    n_ties: int
    evaluations: dict[str, int]
    score_means: str
    details: dict[str, Any]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]

    @property
    def n_repeats(self) -> int:
        """How many selections on resamples stand behind the list."""
        return 0 if self.repeats is None else self.repeats.n_runs

    @property
    def is_tied_at_cut(self) -> bool:
        """Whether the first feature below the cut scores as the last one above it."""
        if not self.below:
            return False
        last, first = self.chosen[-1].score, self.below[0].score
        if last is None or first is None:
            return False
        return last == first or abs(last - first) <= _TIE * max(1.0, abs(last))


class _Filled(BaseEstimator):
    """Impute and select, both on the samples given, so that no sample outside of them is looked at."""

    takes_table = True
    _is_in_a_loop = False

    def __init__(self, selector: Any, strategy: str = "median") -> None:
        self.selector = selector
        self.strategy = strategy

    def in_a_loop(self) -> Self:
        """The same for the selector inside."""
        self._is_in_a_loop = True
        return self

    def fit(self, X: Table, y: Any = None) -> Self:
        # A feature that no sample of a half has measured stays as a constant, so that columns keep their places.
        imputer = SimpleImputer(strategy=self.strategy, keep_empty_features=True)
        filled = Table(imputer.fit_transform(X.X), X.feature_names, X.sample_names, X.target)
        selector = clone(self.selector)
        self.selector_ = (selector.in_a_loop() if self._is_in_a_loop else selector).fit(filled, y)
        return self

    def get_support(self) -> Array:
        support: Array = self.selector_.get_support()
        return support


def choose(table: Table, request: Request, tick: Tick = silent) -> Selection:
    """Select, repeat on half-samples, and look below the cut."""
    method = find(request.method)
    is_unlabelled = UNLABELLED in method.takes
    findings = _usable(replace(table, target=None) if is_unlabelled else table, method, request)
    kind = _target.kind_for(table, method)
    y = _target.values_for(table, method)
    tick(f"{method.name} on {table.n_samples} x {table.n_features}", 0, None)
    # Matrix products keep to one thread: their rounding may depend on the number, and so on the machine.
    with threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        selector = _build(method, request, table.n_features)
        with watching(tick):
            core = _fitted(_with_workers(selector, request), request, table, y)
        if len(core.indices_) == 0:
            raise NothingSelected(f"{method.name} kept none of the {table.n_features} features: {_why(core)}")
        below, below_scores = _below(core, method, request, table, y)
        is_repeated = request.n_repeats > 0 and not core._was_interrupted
        stopped: tuple[str, ...] = ()
        on_halves = partial(_on_halves, selector, request, table, y, tick) if is_repeated else None
        try:
            repeats = repeats_behind(core, table.n_features, on_halves)
        except KeyboardInterrupt:
            # The list is there; only how far it holds is not known.
            repeats, stopped = None, (_STOPPED,)
        times = None if repeats is None else repeats.times
    score = np.where(np.isnan(core.scores_), below_scores, core.scores_)

    def feature(j: int, rank: int | None = None) -> Feature:
        return Feature(
            name=table.feature_names[j],
            index=int(j),
            score=_number(score[j]),
            relevance=_number(core.relevance_[j]) if hasattr(core, "relevance_") else None,
            times=None if times is None else int(times[j]),
            rank=rank,
        )

    return Selection(
        request=request,
        method=method,
        parameters=selector.get_params(),
        source=Path(table.source).name if table.source else "table",
        n_samples=table.n_samples,
        n_features=table.n_features,
        target_name=table.target_name,
        classes=_target.class_counts(table) if kind == _target.CLASSES else None,
        chosen=tuple(feature(j, rank) for rank, j in enumerate(core.indices_, start=1)),
        below=tuple(feature(j) for j in below),
        often=tuple(feature(j) for j in _often(times, core.indices_, table)),
        n_asked=_n_asked(core, table.n_features),
        repeats=repeats,
        n_ties=int(core.n_ties_),
        evaluations=asdict(core.n_evaluations_),
        score_means=core._score_means,
        details=core._details,
        notes=(*core._notes, *stopped),
        findings=findings,
        remarks=tuple(dict.fromkeys(str(warning.message) for warning in caught)),
    )


def known_among_chosen(selection: Selection) -> list[Feature]:
    """The chosen features that prior knowledge spoke for."""
    prior = selection.request.prior
    known = set() if prior is None else set(prior.indices.tolist())
    return [feature for feature in selection.chosen if feature.index in known]


def _usable(table: Table, method: Method, request: Request) -> tuple[Finding, ...]:
    """Return the findings, or refuse the table if one of them forbids a selection."""
    findings = tuple(_for_the_shell(finding, table, method, request) for finding in screen(table))
    errors = [finding.message for finding in findings if finding.severity == "error"]
    if errors:
        raise DataError(f"{table.source or 'The table'} cannot be used yet. {' '.join(errors)}")
    return findings


def _for_the_shell(finding: Finding, table: Table, method: Method, request: Request) -> Finding:
    """Say of missing values what a user of the command line can do, or what was done."""
    if finding.kind != "missing":
        return finding
    is_missing = np.isnan(table.X)
    what = (
        f"{counted(len(finding.names), 'feature has', 'features have')} missing values "
        f"({counted(int(is_missing.sum()), 'cell')}, {percent(is_missing.mean())} of the table): "
        f"{listed(finding.names)}."
    )
    if request.impute:
        done = f"{what} They are filled with the {request.impute} of the feature inside each selection."
        return replace(finding, severity="warning", message=done)
    if method.takes_missing:
        taken = f"{what} {method.name} takes them: each differs from a known value as those of its class do on average."
        return replace(finding, severity="warning", message=taken)
    ask = f"{what} Pass --impute median to fill them inside each selection, or remove these features."
    return replace(finding, severity="error", message=ask)


def _build(method: Method, request: Request, n_features: int) -> Any:
    parameters: dict[str, Any] = {}
    if request.discretizer is not None:
        parameters["discretizer"] = None if request.discretizer == "none" else request.discretizer
    if request.k is not None:
        if request.k > n_features:
            raise ValueError(f"-k {request.k} asks for more than the {n_features} features of the table. Lower it.")
        parameters["n_features_to_select"] = request.k
    if request.prior is not None:
        parameters["prior"] = request.prior.weights
    for name in parameters.keys() & request.settings.keys():
        raise ValueError(f"--set {name} says again what {_OPTION_OF[name]} says. Leave one of them out.")
    if "random_state" in method.selector_class._get_param_names():
        # A method that draws itself does so with the seed of the command.
        parameters["random_state"] = request.seed
    selector = method.build(**{**parameters, **request.settings})
    default = selector.n_features_to_select
    if request.k is None and isinstance(default, int) and default > n_features:
        raise ValueError(
            f"{method.name} keeps {default} features unless told otherwise, but the table has {n_features}. "
            "Say how many with -k."
        )
    return selector


def _n_asked(selector: Any, n_features: int) -> int | None:
    """How many features were asked for, if any number was; a fraction is one of the table's features."""
    asked = selector.n_features_to_select
    if asked is None:
        return None
    return int(asked) if asked >= 1 else max(1, round(asked * n_features))


def _fitted(selector: Any, request: Request, table: Table, y: Any) -> Any:
    """Fit a selector to all samples."""
    fitted = _with_imputer(selector, request).fit(table, y)
    return fitted.selector_ if isinstance(fitted, _Filled) else fitted


def _with_workers(selector: Any, request: Request) -> Any:
    """A selector with the workers of the command, unless it was given some: no part of the result, and so no parameter.

    Half-samples do without, each of which has a worker already.
    """
    if "n_jobs" in selector.get_params(deep=False) and "n_jobs" not in request.settings:
        return clone(selector).set_params(n_jobs=request.n_jobs)
    return selector


def _with_imputer(selector: Any, request: Request) -> Any:
    return selector if request.impute is None else _Filled(selector, request.impute)


def _below(core: Any, method: Method, request: Request, table: Table, y: Any) -> tuple[Array, Array]:
    """The features just below the cut, and the score of each."""
    n_features, n_chosen = len(core.scores_), len(core.indices_)
    unknown = np.full(n_features, np.nan)
    if (~np.isnan(core.scores_)).sum() > n_chosen or n_chosen == n_features:
        order = np.lexsort((np.array(table.feature_names), core.ranking_))
        return order[n_chosen : n_chosen + N_BELOW], unknown
    if not method.is_prefix or n_chosen != _n_asked(core, n_features):
        return np.arange(0), unknown
    # A greedy search gives no score to what it did not pick: let it pick on.
    longer = min(n_features, n_chosen + N_BELOW)
    further = _fitted(method.build(**{**core.get_params(), "n_features_to_select": longer}), request, table, y)
    return further.indices_[n_chosen:], further.scores_


def _why(core: Any) -> str:
    """Why nothing was chosen, and what to do at the shell."""
    if type(core)._why_nothing is not Selector._why_nothing:
        return str(core._why_nothing())
    return "none says anything about the class by this method. Try --method f-test, or another --discretizer."


def _on_halves(selector: Any, request: Request, table: Table, y: Any, tick: Tick) -> Array:
    _require_halves(table, y)
    n_runs = request.n_repeats
    tick("Half-samples", 0, n_runs)
    found = selection_frequency(
        _with_imputer(selector, request),
        table,
        np.zeros(len(table), dtype=np.int64) if y is None else y,
        n_runs=n_runs,
        random_state=request.seed,
        n_jobs=request.n_jobs,
        progress=lambda done: tick("Half-samples", done, n_runs),
    )
    return found.runs


def _require_halves(table: Table, y: Any) -> None:
    """Refuse what half-samples would hold as a whole."""
    if y is None:
        if len(table) < _SMALLEST_HALVED:
            raise DataError(
                f"The table has {counted(len(table), 'sample')}, too few to be halved: at least {_SMALLEST_HALVED} are "
                "needed. Add samples, or pass --repeats 0 to select without half-samples."
            )
        return
    counts = _target.class_counts(table) or {}
    small = [f"{shown(name)} ({count})" for name, count in counts.items() if count < _SMALLEST_HALVED]
    if small:
        more = f" and {len(small) - 5} more" if len(small) > 5 else ""
        raise DataError(
            f"{counted(len(small), 'class has', 'classes have')} too few samples to be halved: "
            f"{', '.join(small[:5])}{more}; at least {_SMALLEST_HALVED} are needed. Remove such a class, join it to "
            "another, or pass --repeats 0 to select without half-samples."
        )


def _often(times: Array | None, chosen: Array, table: Table) -> Array:
    """Features outside the list that resamples chose more often than half of the listed ones."""
    if times is None:
        return np.arange(0)
    outside = times.copy()
    outside[chosen] = -1
    order = np.lexsort((np.array(table.feature_names), -outside))
    is_often: Array = outside[order] > max(np.median(times[chosen]), 0)
    return order[is_often]


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
