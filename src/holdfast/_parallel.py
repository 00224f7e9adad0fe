"""Loops that joblib shares out: on threads, processes or a cluster, as the caller has said; in order all the same."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable
from typing import Any

from joblib import Parallel
from joblib.parallel import get_active_backend as joblib_backend

from holdfast._errors import NothingSelected

Task = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def in_order(tasks: Iterable[Task], n_jobs: int | None) -> Generator[Any]:
    """Results of tasks made by ``joblib.delayed``, as they come but in the order of the tasks.

    Who wants no more of them closes it, and the rest is given up. That nothing was selected in one is not said.
    """
    gives = "generator" if joblib_backend()[0].supports_return_generator else "list"
    # Filters of warnings belong to the process, not to a thread, so they are set once around all tasks.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingSelected)
        # joblib's words to those who did not know how many results they would need.
        warnings.filterwarnings("ignore", message=".*tasks which were still being processed", category=UserWarning)
        warnings.filterwarnings("ignore", message=".*tasks have been successfully executed", category=UserWarning)
        yield from Parallel(n_jobs=n_jobs, prefer="threads", return_as=gives)(tasks)
