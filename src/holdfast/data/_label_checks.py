"""What screening finds in the labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.data._finding import Finding
from holdfast.data._target import is_measured, missing_labels
from holdfast.data._wording import counted, listed, shown

# Below this a resample of the class is close to chance; holdfast warns at the same size everywhere.
SMALLEST_CLASS = 8


def label_findings(target: NDArray[Any], samples: tuple[str, ...], target_name: str | None = None) -> Iterator[Finding]:
    """Missing labels, a single class, names in place of classes, classes too small to learn from."""
    is_missing = missing_labels(target)
    if is_missing.any():
        names = tuple(samples[i] for i in np.flatnonzero(is_missing))
        yield Finding(
            "missing-label",
            "error",
            f"{counted(len(names), 'sample has', 'samples have')} no label: {listed(names)}. "
            "Label these samples or remove them.",
            names,
        )
    present = target[~is_missing]
    classes, counts = np.unique(present, return_counts=True)
    if len(classes) < 2:
        what = f"Every sample has the label {shown(classes[0])}" if len(classes) else "No sample has a label"
        yield Finding(
            "one-class",
            "error",
            f"{what}, so there is nothing to tell apart. Add samples of another class, or choose another target.",
            tuple(str(name) for name in classes),
        )
        return
    if is_measured(present):
        return
    single = tuple(str(name) for name, count in zip(classes, counts, strict=True) if count == 1)
    # Whole numbers may still be measures, and two samples may well be of two classes.
    if present.dtype.kind == "U" and len(single) > 2 and len(single) * 2 > len(present):
        what = f"The target {shown(target_name)}" if target_name else "The target"
        yield Finding(
            "identifier",
            "error",
            f"{what} looks like an identifier, not a class: {len(single)} of {counted(len(present), 'sample')} have a "
            f"label that no other sample has ({listed(single, 3)}). Choose a target whose labels repeat.",
            single,
        )
        return
    if single:
        yield Finding(
            "single-sample",
            "warning",
            f"{counted(len(single), 'class has', 'classes have')} one sample only: {listed(single)}. It "
            "cannot be in a "
            "training part and a test part; join it with another class or remove it.",
            single,
        )
    tiny = [(str(name), int(count)) for name, count in zip(classes, counts, strict=True) if count < SMALLEST_CLASS]
    if tiny:
        sizes = ", ".join(f"{shown(name)} ({count})" for name, count in tiny[:5])
        more = f" and {len(tiny) - 5} more" if len(tiny) > 5 else ""
        yield Finding(
            "tiny-class",
            "warning",
            f"{counted(len(tiny), 'class has', 'classes have')} fewer than {SMALLEST_CLASS} samples: "
            f"{sizes}{more}. "
            "A selection that rests on so few is close to chance; look at its stability before believing it.",
            tuple(name for name, _ in tiny),
        )
