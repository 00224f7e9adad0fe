"""Numbers of ours for the cells of chapter 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from holdfast.reproduce.ben_brahim._best import Best
from holdfast.reproduce.ben_brahim._curves import OF_FOLDS, ONE_NN, POOLED, SVM
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
    """What an experiment has in print, by table and method."""
    keys: dict[tuple[str, str], dict[str, list[Key]]] = {}
    for key in printed:
        if key.table in EXPERIMENTS[experiment]:
            keys.setdefault((key.data, key.method), {}).setdefault(key.quantity, []).append(key)
    return {
        row: InPrint(found, {quantity: printed[some[0]].value for quantity, some in found.items()})
        for row, found in keys.items()
    }


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
            found[key] = timed(by[key.data, key.method, key.setting].seconds)
    return found


def beside(one: Best, there: InPrint) -> dict[str, Ours]:
    """Our numbers by quantity.

    Where the minimum lies is chance on a flat curve, so list length and number of features agree if our error there is
    within noise of our smallest; stability is compared there too.
    """
    found = _place(one, there)
    other = POOLED if one.average == OF_FOLDS else OF_FOLDS
    found[MCE] = Ours(
        one.mce,
        noise(one.mce, there.values[MCE], one.n_samples),
        honest=one.fixed_mce,
        remark=_told(one, f"{one.mce_chosen:.4f} if the other folds choose; {other} {one.other_mce:.4f}"),
    )
    if STABILITY in there.values:
        at = one.at(*there.place)
        found[STABILITY] = Ours(
            one.stability if at is None else at[1],
            NEAR,
            honest=one.fixed_stability,
            remark=_told(one, "at our best place" if at is None else f"{one.stability:.4f} at our best place"),
        )
    return found


def _place(one: Best, there: InPrint) -> dict[str, Ours]:
    at = one.at(*there.place)
    places = {FEATURES: float(one.size)} | ({LENGTH: float(one.length)} if one.length is not None else {})
    if at is None:
        why = "the printed place was not tried, or not all folds have so many features"
        return {quantity: missing(f"{why}; ours is {ours:.0f}") for quantity, ours in places.items()}
    is_flat = at[0] - one.mce <= noise(at[0], one.mce, one.n_samples) + _ROUNDING
    remark = _told(one, f"our MCE at the printed place {at[0]:.4f}, at ours {one.mce:.4f}")
    found = {}
    for quantity, ours in places.items():
        ends = (ours, there.values[quantity]) if is_flat else (ours, ours)
        found[quantity] = Ours(ours, (min(ends), max(ends)), remark=remark)
    return found


def _told(one: Best, words: str) -> str:
    return f"{STAND_IN[one.data]}; {words}" if one.data in STAND_IN else words
