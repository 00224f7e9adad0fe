"""Known: names and how much is known to speak for each."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import Any

from holdfast.data._wording import counted, listed, shown

WEIGHT = 10.0


class Known(Mapping[str, float]):
    """Names known to be relevant, each with a positive weight.

    Use it as the ``prior`` of a selector if the names are those of the features; if not, `match` finds out which
    features are meant. `read` makes one from a file.

    Parameters
    ----------
    weights : mapping or iterable of str
        A positive number for every name, or the names alone, each of weight 10.
    source : str, default=None
        Where they are from.
    sets : sequence of str, default=()
        The gene sets they were taken from.

    Examples
    --------
    >>> from holdfast.knowledge import Known
    >>> known = Known({"TP53": 10.0, "MYC": 3.0})
    >>> known["MYC"]
    3.0
    >>> known
    Known(2 names)
    """

    def __init__(
        self, weights: Mapping[str, float] | Iterable[str], source: str | None = None, sets: Iterable[str] = ()
    ) -> None:
        self.source = source
        self.sets = tuple(sets)
        if isinstance(weights, str):
            raise TypeError(f"weights={shown(weights)} is a single name. Put it into a list.")
        if not isinstance(weights, Mapping):
            weights = dict.fromkeys(weights, WEIGHT)
        for name, weight in weights.items():
            if not isinstance(name, str) or not name.strip():
                raise ValueError(f"{name!r} is no name. Names are texts that are not blank.")
            if not is_weight(weight):
                raise ValueError(f"The weight of {shown(name)} is {weight!r}, but it must be a positive number.")
        if not weights:
            raise ValueError("There is no name at all. Give at least one.")
        self._weights = {name: float(weight) for name, weight in weights.items()}

    def __getitem__(self, name: str) -> float:
        return self._weights[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        where = f" from {self.source}" if self.source else ""
        which = f", {counted(len(self.sets), 'set')}: {listed(self.sets, 3)}" if self.sets else ""
        return f"Known({counted(len(self), 'name')}{where}{which})"


def is_weight(value: Any) -> bool:
    """Whether it is a positive finite number."""
    number: Any = value
    return isinstance(value, Real) and not isinstance(value, bool) and bool(0 < number <= sys.float_info.max)
