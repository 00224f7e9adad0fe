"""compare: which selector, how many features, how sure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdfast._errors import DataError
from holdfast._parameters import check_parameters, jobs, nothing, one_of, whole_number, yes_or_no
from holdfast._progress import Tick, watcher
from holdfast.evaluate._contestants import contestants
from holdfast.evaluate._request import judges, plan_for, table_of
from holdfast.evaluate.plan import Plan
from holdfast.evaluate.run import Memory, Where, run
from holdfast.evaluate.store import Store
from holdfast.evaluate.study import Study

METHODS = ("mrmr+", "svm-rfe", "relieff", "f-test")
CLASSIFIERS = ("svm", "knn", "nb")


def compare(
    X: Any,
    y: Any = None,
    *,
    methods: Any = METHODS,
    sizes: Sequence[int | float | str] | None = None,
    classifiers: Any = CLASSIFIERS,
    protocol: Any = "10x10cv",
    groups: Any = None,
    seed: int = 0,
    impute: str | None = None,
    tune_size: bool = False,
    positive: Any = None,
    prior: Any = None,
    out: str | Path | None = None,
    workers: int | None = 1,
    cluster: str | None = None,
    progress: Tick | None = None,
    so_far: bool = False,
) -> Study:
    """Compare methods on one table: how accurate their lists are, how stable, at which size.

    Use it to choose a method and a number of features and to know how sure that choice is. Everything that looks at the
    data (filling, binning, scaling, selection, tuning) happens inside the training part of each split.

    Parameters
    ----------
    X : Table, data frame or array-like of shape (n_samples, n_features)
        The data; ``holdfast.read`` makes a Table from a file.
    y : array-like of shape (n_samples,), default=None
        The classes; a Table brings its own.
    methods : list of str or selector, or mapping of labels to these
        Names such as "mrmr+" or "svm-rfe(C=0.01)", or objects with fit and get_support.
    sizes : list of int, float or "own", default=None
        Numbers of features to keep, or shares of all; "own" lets each method decide. None for 5, 10, 20 and 50, as far
        as the table has so many.
    classifiers : list of str or classifier, or mapping of labels to these
        Names such as "svm", "knn", "nb", "logistic", "lda", "tree", "forest", "1nn", "svm-rbf", or classifiers.
    protocol : str, splitter or list of (train, test), default="10x10cv"
        "10x10cv", "5cv", "loocv", "bootstrap", "holdout", "random-2/3x100" and the like, or splits of your own.
    groups : array-like of shape (n_samples,), default=None
        Samples that stay on one side of every split, such as those of one patient.
    seed : int, default=0
        Behind every draw.
    impute : {"median", "mean", "most_frequent"} or None, default=None
        Fill missing values by what the training part tells; None refuses them.
    tune_size : bool, default=False
        Also choose the size inside each training part, by cross-validation there, as a user would have to.
    positive : label, default=None
        Of two classes the one that sensitivity speaks of; by default the one that is not called control, normal,
        healthy or the like, and otherwise the second in the order of their names.
    prior : array, mapping or list of names, default=None
        Prior knowledge, for the methods that take it.
    out : str or path, default=None
        Folder to keep the study in: run again, it goes on where it stopped. None keeps it in memory.
    workers : int or None, default=1
        Cells worked on at a time, -1 for one per core. No result depends on it.
    cluster : str, default=None
        Address of a Dask scheduler, such as "tcp://10.0.0.1:8786"; then ``workers`` does not count.
    progress : function of (what, how many done, of how many), default=None
        Called after each cell.
    so_far : bool, default=False
        Work on nothing: report on the cells that ``out`` holds already.

    Returns
    -------
    study : Study
        Results, stability, tests and a recommendation; ``study.summary()`` is all of it as one dictionary.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> study = holdfast.compare(made.X, made.y, methods=["f-test", "mrmr+"], sizes=[3, 6], classifiers=["nb"],
    ...                          protocol="2x5cv")
    >>> study.recommendation["method"] in ("f-test", "mrmr+")
    True
    """
    check_parameters(_Settings(seed, impute, tune_size, workers))
    plan = plan_for(
        table_of(X, y), groups, contestants(methods, prior), sizes, judges(classifiers), protocol, seed, impute,
        tune_size, positive,
    )  # fmt: skip
    tick = watcher() if progress is None else progress
    if so_far:
        return _so_far(plan, out)
    where = Where(1 if workers is None else int(workers), cluster)
    with where.ready():
        if out is None:
            memory = Memory()
            run(
                plan,
                memory,
                where,
                tick,
                what_is_kept=" and lost: pass out= next time, and a study goes on where it stopped.",
            )
            return Study(plan, memory)
        store = Store(Path(out).expanduser(), plan)
        store.begin()
        with store.working() as is_first:
            _drop_damaged(store, plan)
            kept = f" and kept in {out}; run the same again to go on."
            run(plan, store, where, tick, what_is_kept=kept, is_first=is_first)
    return Study(plan, store)


class _Settings:
    """Plain settings, to be checked like those of a selector."""

    allowed = {  # noqa: RUF012
        "seed": whole_number(at_least=0),
        "impute": one_of("median", "mean", "most_frequent") | nothing(),
        "tune_size": yes_or_no(),
        "workers": jobs(),
    }

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.allowed, values, strict=True):
            setattr(self, name, value)


# The name that messages give.
_Settings.__name__ = "compare"


def _so_far(plan: Plan, out: str | Path | None) -> Study:
    """What is done of a study, if anything is."""
    if out is None:
        raise ValueError("so_far=True reports on a study that was begun, so it needs out=, the folder of that study.")
    store = Store(Path(out).expanduser(), plan)
    store.require_begun()
    study = Study(plan, store)
    if not study.splits:
        raise DataError(
            f"No split of the study is done by every method yet ({len(study.found)} of {len(study.plan.cells)} parts "
            "are there). Let it run a little longer."
        )
    return study


def _drop_damaged(store: Store, plan: Plan) -> None:
    """Have cells that cannot be read made again."""
    for cell in plan.cells:
        if store.has(cell) and store.get(cell) is None:
            store.drop(cell)
