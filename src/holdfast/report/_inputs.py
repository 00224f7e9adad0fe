"""What figures are drawn from, checked: numbers without gaps, names that fit, one curve or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def numbers(values: Any, what: str, *, dimensions: int = 1) -> Array:
    """Finite numbers of that many dimensions, at least one."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} must be numbers, but {type(values).__name__} came.") from error
    if found.ndim != dimensions:
        shape = "a list of numbers" if dimensions == 1 else "a table of numbers"
        raise ValueError(f"{what} must be {shape}, but {found.ndim} dimensions came.")
    if found.size == 0:
        raise ValueError(f"{what} is empty: there is nothing to draw.")
    if not np.isfinite(found).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(found))[0])
        place = where[0] if dimensions == 1 else where
        n_bad = int((~np.isfinite(found)).sum())
        raise ValueError(
            f"{what} has {n_bad} value(s) that are missing or infinite, the first at {place}. Leave those places out."
        )
    return found


def shares(values: Any, what: str, *, dimensions: int = 1) -> Array:
    """Numbers from 0 to 1."""
    found = numbers(values, what, dimensions=dimensions)
    if found.min() < 0 or found.max() > 1 + 1e-9:
        raise ValueError(
            f"{what} must be shares of runs, from 0 to 1, but goes from {found.min():g} to {found.max():g}. "
            "Divide counts by the number of runs."
        )
    return found


def frequency_of(source: Any, what: str) -> Array:
    """The frequencies of an array, of what selection_frequency returns, or of a fitted selector."""
    for attribute in ("frequency", "frequency_"):
        if hasattr(source, attribute):
            return shares(getattr(source, attribute), what)
    return shares(source, what)


def by_name(source: Any, single: str) -> dict[str, Any]:
    """A mapping as it is, anything else as the only entry."""
    if not isinstance(source, Mapping):
        return {single: source}
    if not source:
        raise ValueError("The mapping is empty: give at least one method, as {'its name': its values}.")
    return {str(name): value for name, value in source.items()}


def labels(names: Any, n_needed: int, what: str, *, prefix: str) -> list[str]:
    """One name for each of what is drawn; numbered names where none are given."""
    if names is None:
        return [f"{prefix}{i}" for i in range(n_needed)]
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise TypeError(f"names must be a list of names, but {names!r} came.")
    found = [str(name) for name in names]
    if len(found) != n_needed:
        raise ValueError(f"There are {n_needed} {what} but {len(found)} names; give one name for each.")
    return found


def whole(value: Any, name: str) -> int:
    """A whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"{name}={value!r} is not allowed. Pass a whole number of at least 1.")
    return int(value)


def share(value: Any, name: str) -> float:
    """One number above 0 and at most 1."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value <= 1:
        raise ValueError(f"{name}={value!r} is not allowed. Pass a share of runs above 0 and at most 1, such as 0.6.")
    return float(value)


def percent(value: float) -> str:
    """A share in words, without needless decimals."""
    return f"{100 * value:.3g}%"
