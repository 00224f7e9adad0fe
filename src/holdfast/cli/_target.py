"""Whether a target fits a method, and in which form the method takes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._registry import BINARY, MULTICLASS, REGRESSION, UNLABELLED, Method, methods
from holdfast.cli._takes import takes_in_words
from holdfast.data import Table, is_measured

Array = npt.NDArray[Any]

CLASSES, MEASURED, UNUSED = "classes", "measured", "unused"


def kind_for(table: Table, method: Method) -> str:
    """How the method will read the target; an error if it cannot."""
    if UNLABELLED in method.takes:
        return UNUSED
    if table.target is None:
        raise ValueError(
            f"{method.name} needs to know the class of each sample. Name its column with --target, or give a second "
            "file with --labels. (Without classes: --method laplacian.)"
        )
    is_number = table.target.dtype.kind in "iuf"
    n_values = len(np.unique(table.target))
    if REGRESSION in method.takes and is_number and n_values > 2:
        return MEASURED
    kind = BINARY if n_values == 2 else REGRESSION if is_measured(table.target) else MULTICLASS
    if kind in method.takes:
        return CLASSES
    what = f"the target {table.target_name!r}" if table.target_name else "the target"
    has = f"has {n_values} different values" if kind == REGRESSION else f"has {n_values} classes"
    others = [row.name for row in methods() if kind in row.takes and UNLABELLED not in row.takes]
    if kind == BINARY or not others:
        others = [row.name for row in methods() if UNLABELLED in row.takes]
    raise ValueError(
        f"{method.name} takes {takes_in_words(method)}, but {what} {has}. "
        f"Methods that take it: {', '.join(others[:4])}{' …' if len(others) > 4 else ''}."
    )


def values_for(table: Table, method: Method) -> Array | None:
    """Target in the form the method's fit takes."""
    if UNLABELLED in method.takes or table.target is None:
        return None
    if REGRESSION in method.takes and table.target.dtype.kind not in "iuf":
        codes: Array = np.unique(table.target, return_inverse=True)[1].astype(np.float64)
        return codes
    return table.target


def class_counts(table: Table) -> dict[str, int] | None:
    """How many samples each class has; None for a measured target or none."""
    if table.target is None or is_measured(table.target):
        return None
    names, counts = np.unique(table.target, return_counts=True)
    return {str(name): int(count) for name, count in zip(names, counts, strict=True)}
