"""Numbers of ours for the cells of chapter 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from holdfast.reproduce.ben_brahim._apart import NO_TARGET, repeats, set_apart
from holdfast.reproduce.ben_brahim._best import Best
from holdfast.reproduce.ben_brahim._curves import OF_FOLDS, ONE_NN, POOLED, RANDOMIZED, SVM
from holdfast.reproduce.ben_brahim._sets import STAND_IN
from holdfast.reproduce.cells import Key, Ours, Printed, missing, noise, timed

MCE, FEATURES, LENGTH, STABILITY, SECONDS = "MCE", "features", "list length", "stability", "seconds"
NEAR = 0.1
# List lengths are printed apart from the errors that belong to them.
EXPERIMENTS = {
    "E1, 1-NN (Tables 2.3 and 2.5)": ("2.3", "2.5"),
    "E1, linear SVM (Tables 2.4 and 2.6)": ("2.4", "2.6"),
    "E2, 1-NN (Tables 2.7 and 2.8)": ("2.7", "2.8"),
}
CLASSIFIER_OF = dict(zip(EXPERIMENTS, (ONE_NN, SVM, ONE_NN), strict=True))
TIMES = "2.9"
AVERAGE = "AVG"
MARKS_APART = {"6": NO_TARGET, "12": "the printed time most likely lost an exponent"}
SAME_TEST = "the same test as that of the number of features"
_ROUNDING = 1e-9


class InPrint(NamedTuple):
    """What is printed of one method on one table in one experiment: by quantity the number and where it stands."""

    keys: Mapping[str, list[Key]]
    values: Mapping[str, float]

    @property
    def place(self) -> tuple[int | None, int]:
        """List length, if the method has any, and number of features."""
        length = self.values.get(LENGTH)
        return None if length is None else int(length), int(self.values[FEATURES])


def in_print(printed: Mapping[Key, Printed], experiment: str) -> dict[tuple[str, str], InPrint]:
    """What an experiment has in print, by table and method; for an impossible number that of another table."""
    keys: dict[tuple[str, str], dict[str, list[Key]]] = {}
    for key in printed:
        if key.table in EXPERIMENTS[experiment]:
            keys.setdefault((key.data, key.method), {}).setdefault(key.quantity, []).append(key)
    return {
        row: InPrint(found, {quantity: _possible(printed, some[0]) for quantity, some in found.items()})
        for row, found in keys.items()
    }


def _possible(printed: Mapping[Key, Printed], key: Key) -> float:
    if not printed[key].impossible:
        return printed[key].value
    others = (one.value for other, one in printed.items() if other[1:] == key[1:] and not one.impossible)
    return next(others, printed[key].value)


def ours_beside(results: Iterable[Best], printed: Mapping[Key, Printed]) -> dict[Key, Ours]:
    """Our number for every printed one that some results, all of one reading, speak of."""
    by = {(one.data, one.method, one.classifier): one for one in results}
    found: dict[Key, Ours] = {}
    for experiment, classifier in CLASSIFIER_OF.items():
        for (data, method), there in in_print(printed, experiment).items():
            one = by.get((data, method, classifier))
            if one is not None:
                for quantity, ours in beside(one, there).items():
                    found |= dict.fromkeys(there.keys[quantity], ours)
    for key in printed:
        if key.table == TIMES and (key.data, key.method, key.setting) in by:
            found[key] = _seconds(by[key.data, key.method, key.setting])
    repeated = repeats(printed)
    return {
        key: set_apart(
            ours,
            STAND_IN.get(key.data, ""),
            MARKS_APART.get(printed[key].remark, ""),
            SAME_TEST if key.quantity == LENGTH else "",
            repeated.get(key, ""),
        )
        for key, ours in found.items()
    }


def _seconds(one: Best) -> Ours:
    n_walks = sum(len(curve.sizes) for curve in one.curves.values())
    walks = f"the sum over {n_walks} walks, one for every number of features" if one.method == RANDOMIZED else ""
    return timed(one.seconds, walks)


def beside(one: Best, there: InPrint) -> dict[str, Ours]:
    """Our numbers by quantity.

    Where the minimum lies is chance on a flat curve, so list length and number of features agree if the folds do not
    tell our error there from our smallest; stability is compared there too.
    """
    found = _place(one, there)
    other = POOLED if one.average == OF_FOLDS else OF_FOLDS
    found[MCE] = Ours(
        one.mce,
        noise(one.mce, there.values[MCE], one.n_samples),
        honest=one.fixed_mce,
        remark=f"{one.mce_chosen:.4f} if the other folds choose; {other} {one.other_mce:.4f}",
    )
    if STABILITY in there.values:
        at = one.at(*there.place)
        best = f"{one.stability:.4f} at our best place"
        found[STABILITY] = (
            missing(f"{_why_not_there(one, there)}; ours is {best}")
            if at is None
            else Ours(at[1], NEAR, honest=one.fixed_stability, remark=best)
        )
    return found


def _place(one: Best, there: InPrint) -> dict[str, Ours]:
    places = {FEATURES: float(one.size)} | ({LENGTH: float(one.length)} if one.length is not None else {})
    at = one.at(*there.place)
    if at is None:
        why = _why_not_there(one, there)
        if one.ends_before(*there.place):
            return {quantity: Ours(ours, remark=why) for quantity, ours in places.items()}
        return {quantity: missing(f"{why}; ours is {ours:.0f}") for quantity, ours in places.items()}
    gap, within = one.gap(*there.place)
    is_flat = gap <= within + _ROUNDING
    remark = f"our MCE at the printed place {at[0]:.4f}, at ours {one.mce:.4f}"
    found = {}
    for quantity, ours in places.items():
        ends = (ours, there.values[quantity]) if is_flat else (ours, ours)
        found[quantity] = Ours(ours, (min(ends), max(ends)), remark=remark)
    return found


def _why_not_there(one: Best, there: InPrint) -> str:
    length, size = there.place
    if one.ends_before(length, size):
        return f"with lists of that length all folds have at most {one.most(length)} features, not {size}"
    return "the printed place was not tried"


def averages(ours: Mapping[Key, Ours], printed: Mapping[Key, Printed]) -> dict[Key, Ours]:
    """Means over all sets of the rows above a printed average, if every set has a number of ours."""
    return {key: _average(key, ours, printed) for key in printed if key.data == AVERAGE}


def _average(key: Key, ours: Mapping[Key, Ours], printed: Mapping[Key, Printed]) -> Ours:
    rows = [other for other in printed if other.data != AVERAGE and other == key._replace(data=other.data)]
    lacking = [row.data for row in rows if row not in ours or ours[row].not_run]
    if lacking:
        return missing(f"no number of ours for {', '.join(lacking)}")
    some = [ours[row] for row in rows]
    honest = [one.honest for one in some if one.honest is not None]
    found = Ours(
        float(np.mean([one.value for one in some])),
        _mean_noise(some) if key.quantity == MCE else _mean_interval(some),
        honest=float(np.mean(honest)) if len(honest) == len(some) else None,
    )
    apart = [row.data for row, one in zip(rows, some, strict=True) if one.apart]
    return replace(found, apart=f"{', '.join(apart)} in the mean: counted apart" if apart else "")


def _mean_noise(some: Iterable[Ours]) -> float:
    ends = np.array([one.interval for one in some])
    return float(np.sqrt((((ends[:, 1] - ends[:, 0]) / 2) ** 2).sum()) / len(ends))


def _mean_interval(some: Iterable[Ours]) -> tuple[float, float]:
    low, high = np.mean([one.interval for one in some], axis=0)
    return float(low), float(high)
