"""Which features hold names instead of numbers, however the user says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import Rule, nearest

Array = npt.NDArray[Any]


def _is_list(value: Any) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict))


NOMINAL = Rule(
    lambda value: value is None or (isinstance(value, str) and value == "all") or _is_list(value),
    "None, 'all', or a list of names, of column numbers, or of True and False for every feature",
    ("some", 3),
)


def nominal_mask(nominal: Any, names: Array | None, n_features: int) -> Array:
    """True for the features that hold names."""
    mask = np.full(n_features, isinstance(nominal, str))
    if nominal is None or isinstance(nominal, str):
        return mask
    listed = [entry.item() if isinstance(entry, np.generic) else entry for entry in nominal]
    if listed and all(isinstance(entry, bool) for entry in listed):
        if len(listed) != n_features:
            raise ValueError(f"nominal has {len(listed)} values of True and False, but X has {n_features} feature(s).")
        return np.array(listed)
    mask[[_column_of(entry, names, n_features) for entry in listed]] = True
    return mask


def _column_of(entry: Any, names: Array | None, n_features: int) -> int:
    if isinstance(entry, str):
        known = [] if names is None else names.tolist()
        if entry in known:
            return int(known.index(entry))
        near = nearest(entry, known, n=1)
        raise ValueError(
            f"nominal names the feature {entry!r}, which X does not have."
            + (f" Did you mean {near[0]!r}?" if near else " X has no names; use column numbers." if not known else "")
        )
    if not isinstance(entry, int) or isinstance(entry, bool) or not -n_features <= entry < n_features:
        raise ValueError(f"nominal lists {entry!r}, which is no column of X: there are {n_features}, from 0 on.")
    return entry
