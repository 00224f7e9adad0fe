"""The best point of a method on its curves, as the thesis has it, and figures that the test folds did not choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from holdfast.reproduce.ben_brahim._curves import (
    DEFAULT,
    HYBRIDS,
    INSTANCE_BASED,
    OF_FOLDS,
    POOLED,
    Array,
    Curve,
    as_fractions,
    joined,
)

FIXED_SIZE, FIXED_LENGTH, FIXED_HYBRID_LENGTH = 50, 10, 5


@dataclass(frozen=True)
class Best:
    """What is reported of a method: its best point on the test folds, and two figures that they did not choose.

    ``fixed_mce`` and ``fixed_stability`` are those with 50 features and lists of 10 (hybrids 5), or with as many
    features as there are; ``mce_chosen`` lets for every fold the other nine choose size and list length.
    """

    data: str
    method: str
    classifier: str
    reading: str
    average: str
    length: int | None
    size: int
    mce: float
    other_mce: float
    stability: float
    fixed_size: int
    fixed_mce: float
    fixed_stability: float
    mce_chosen: float
    seconds: float
    n_samples: int
    curves: Mapping[int | None, Curve] = field(repr=False)

    @property
    def label(self) -> str:
        """The method, and the reading if it is not the default."""
        return self.method if self.reading == DEFAULT else f"{self.method}, {self.reading}"

    def most(self, length: int | None) -> int:
        """The largest number of features that all folds have with lists of a length."""
        return int(self.curves[length].sizes.max())

    def ends_before(self, length: int | None, size: int) -> bool:
        """Whether lists of a length were tried, but not all folds find so many features with them."""
        return length in self.curves and self.most(length) < size

    def gap(self, length: int | None, size: int) -> tuple[float, float]:
        """How much larger the error is there than at the best place, and two standard errors of it.

        Both errors are of the same folds, so it is the differences in the folds that count.
        """
        more = self._errors(length, size) - self._errors(self.length, self.size)
        return float(more.mean()), float(2 * more.std(ddof=1) / np.sqrt(len(more)))

    def _errors(self, length: int | None, size: int) -> Array:
        """The share that each fold adds to the error, times the number of folds."""
        one = self.curves[length]
        n_tested = one.n_tested.mean() if self.average == POOLED else one.n_tested
        errors: Array = one.n_wrong[:, one.place(size)] / n_tested
        return errors

    def at(self, length: int | None, size: int) -> tuple[float, float] | None:
        """Error and stability with a list length and a number of features, if all folds have as many."""
        one = self.curves.get(length)
        place = None if one is None else one.place(size)
        if one is None or place is None:
            return None
        return float(one.mce(self.average)[place]), float(one.stability[place])


def all_best(made: Iterable[Mapping[str, Any]]) -> list[Best]:
    """What the parts come to, by table, reading, method and classifier."""
    together: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for part in made:
        together.setdefault((part["data"], part["reading"], part["method"]), []).append(part)
    found = []
    for (data, reading, method), some in together.items():
        seconds = sum(part["seconds"] for part in some)
        for classifier in some[0]["curves"]:
            curves: dict[int | None, Curve] = {
                int(length) if length else None: joined(
                    [Curve.of_json(part["curves"][classifier][length]) for part in some]
                )
                for length in some[0]["curves"][classifier]
            }
            found.append(best(data, method, classifier, reading, curves, seconds))
    return found


def best(
    data: str, method: str, classifier: str, reading: str, curves: Mapping[int | None, Curve], seconds: float
) -> Best:
    """The best point of a method over its curves, one per length of the candidate lists, and the other figures.

    The thesis averages over folds for its own methods and pools the errors for the others; the error is minimised in
    the same form. Of equal errors the shortest lists and the fewest features win.
    """
    average, other = (OF_FOLDS, POOLED) if method in (*INSTANCE_BASED, *HYBRIDS) else (POOLED, OF_FOLDS)
    length = min(curves, key=lambda length: (curves[length].mce(average).min(), length or 0))
    chosen = curves[length]
    at = int(chosen.mce(average).argmin())
    set_before = curves[_length_set_before(method, curves)]
    here = int(np.abs(set_before.sizes - FIXED_SIZE).argmin())
    return Best(
        data,
        method,
        classifier,
        reading,
        average,
        length,
        size=int(chosen.sizes[at]),
        mce=float(chosen.mce(average)[at]),
        other_mce=float(chosen.mce(other)[at]),
        stability=float(chosen.stability[at]),
        fixed_size=int(set_before.sizes[here]),
        fixed_mce=float(set_before.mce(average)[here]),
        fixed_stability=float(set_before.stability[here]),
        mce_chosen=_chosen_by_others(list(curves.values()), average),
        seconds=seconds,
        n_samples=int(chosen.n_tested.sum()),
        curves=curves,
    )


def _length_set_before(method: str, curves: Mapping[int | None, Curve]) -> int | None:
    wanted = FIXED_HYBRID_LENGTH if method in HYBRIDS else FIXED_LENGTH
    return wanted if wanted in curves else max(curves, key=lambda length: length or 0)


def _chosen_by_others(curves: Sequence[Curve], average: str) -> float:
    """Error when the point used in each fold is the best of the other folds."""
    n_wrong = np.hstack([one.n_wrong for one in curves])
    n_tested = curves[0].n_tested[:, np.newaxis]
    parts = n_wrong if average == POOLED else n_wrong / n_tested
    others = as_fractions(parts.sum(axis=0) - parts)
    taken = parts[np.arange(len(parts)), others.argmin(axis=1)]
    return float(taken.sum() / n_tested.sum() if average == POOLED else taken.mean())
