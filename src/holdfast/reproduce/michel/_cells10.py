"""Figures 10.14 to 10.18: sizes, their variances and stability with FS-CV, each with what may be noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.cells import AGREES, Cell, Key, Ours, Printed
from holdfast.reproduce.michel._arms import ENTROPY, MAXIMUM, MEASURES, PAIRING, Arm, Arms
from holdfast.reproduce.michel._searches import CV

Array = npt.NDArray[Any]

SIZE, VARIANCE = "size", "variance"
FIGURES = {SIZE: "10.14", VARIANCE: "10.15", ENTROPY: "10.16", PAIRING: "10.17", MAXIMUM: "10.18"}
BETTER: Mapping[str, bool | None] = {SIZE: None, VARIANCE: None, ENTROPY: False, PAIRING: True, MAXIMUM: True}
READ_ELSEWHERE, NEVER_STOPS = "A19", "A20"
# What was chosen with printed numbers in view, which then prove little: readings of rules, and units of some tables.
FITTED_RULE = "the reading of this rule was chosen by the printed sizes, with their variances in view"
FITTED_UNITS = "raw or standardised columns were chosen with the printed sizes and pairings of this table in view"
WITH_FITTED_UNITS = ("Parkinson", "Sonar", "Wine")
N_IN_PRINT = 100
# What a reproduction was asked to reach before it was made.
SIZE_TOLERANCE, BREAST_TOLERANCE, PAIRING_TOLERANCE = 2.0, 4.0, 0.05
# A printed size is a whole number: a mean that was rounded, or cut off.
ROUNDED_UP, CUT_OFF = 0.5, 1.0
# The others are printed with two decimals.
LAST_DIGIT = 0.005

Numbers = Mapping[Key, Printed]


def key_of(quantity: str, name: str, rule: str) -> Key:
    """Where a quantity of a table and a rule is printed."""
    return Key(FIGURES[quantity], name, CV, rule, quantity)


def ours(arms: Arms, printed: Numbers) -> dict[Key, Ours]:
    """Our number for every printed one whose table was run."""
    found = {}
    for key in printed:
        if key.quantity in FIGURES and (key.data, CV) in arms:
            arm = arms[key.data, CV]
            tell = {SIZE: _size, VARIANCE: _variance}.get(key.quantity, _stability)
            found[key] = tell(arm, key, printed)
    return found


def _size(arm: Arm, key: Key, printed: Numbers) -> Ours:
    there = printed[key]
    spread = printed[key_of(VARIANCE, arm.name, key.setting)].value
    sizes = arm.sizes(key.setting)
    if there.remark == NEVER_STOPS:
        return replace(all_or_nearly(sizes, arm.n_features), apart=FITTED_RULE)
    found = replace(mean_size(sizes, spread), apart=FITTED_RULE)
    tolerance = BREAST_TOLERANCE if arm.name == "Breast" and key.setting in ("CW", "WM") else SIZE_TOLERANCE
    return _near(key, there, found, tolerance, f"{tolerance:g} features")


def all_or_nearly(sizes: Array, n_features: int) -> Ours:
    """The mean of a rule that hardly stops: all features, or one fewer, are the same."""
    mean = float(sizes.mean())
    return Ours(mean, (n_features - 1.0, float(n_features)) if mean >= n_features - 1 else 0.0)


def mean_size(sizes: Array, variance: float) -> Ours:
    """The mean, within two standard errors of both means and the rounding of the printed one."""
    mean = float(sizes.mean())
    noise = float(2 * np.sqrt(sizes.var() / len(sizes) + variance / N_IN_PRINT))
    return Ours(mean, (mean - CUT_OFF - noise, mean + ROUNDED_UP + noise))


def _variance(arm: Arm, key: Key, printed: Numbers) -> Ours:
    """The variance of HP had no part in the choice of its reading."""
    found = variance_of(arm.sizes(key.setting))
    return found if printed[key].remark == NEVER_STOPS else replace(found, apart=FITTED_RULE)


def variance_of(sizes: Array) -> Ours:
    """The variance, within two standard errors of the difference of two, by the fourth moment of ours."""
    value = float(sizes.var())
    fourth = float(((sizes - sizes.mean()) ** 4).mean())
    noise = 2 * np.sqrt(max(fourth - value**2, 0.0) * (1 / len(sizes) + 1 / N_IN_PRINT))
    return Ours(value, float(noise) + LAST_DIGIT)


def _stability(arm: Arm, key: Key, printed: Numbers) -> Ours:
    """Ours at the printed size, where stability can be compared; ours at our own size stands in the remark."""
    there, size = printed[key], size_in_print(key, printed)
    found = replace(stability_at(arm, key.quantity, size), apart=_why_apart(arm, key, printed))
    if key.quantity == PAIRING:
        found = _near(key, there, found, PAIRING_TOLERANCE + LAST_DIGIT, f"{PAIRING_TOLERANCE:g}")
    return found if arm.kept(key.setting) == size else _with_remark(found, _at_our_size(arm, key, printed))


def _why_apart(arm: Arm, key: Key, printed: Numbers) -> str:
    """Why a comparison of stability says little, if it does."""
    if key.quantity == PAIRING and size_in_print(key, printed) == arm.n_features:
        return "pairing of all features is 0 by convention"
    if printed[key].remark == READ_ELSEWHERE:
        return "the column may have been read at another size"
    return FITTED_UNITS if key.quantity == PAIRING and arm.name in WITH_FITTED_UNITS else ""


def _at_our_size(arm: Arm, key: Key, printed: Numbers) -> str:
    """Stability at our own size, where that is not the printed one."""
    size = arm.kept(key.setting)
    other = stability_at(arm, key.quantity, size)
    is_settled = key.quantity == PAIRING and size == arm.n_features
    words = f"with the printed {size_in_print(key, printed)} features; {other.value:.2f} with our {size}"
    words += ", all of them, where pairing is 0 by convention" if is_settled else ""
    if printed[key].impossible:
        return words
    agrees = verdict(key, printed[key], other) == AGREES
    return f"{words}, which {'agrees' if agrees else 'does not agree'}"


def size_in_print(key: Key, printed: Numbers) -> int:
    """The size that is printed for the same table and rule."""
    return int(printed[key_of(SIZE, key.data, key.setting)].value)


def stability_at(arm: Arm, measure: str, size: int) -> Ours:
    """Stability at a size, within two standard errors of the difference of two such runs."""
    n_runs = len(arm.runs)
    noise = 2 * arm.errors[measure][size - 1] * np.sqrt(1 + n_runs / N_IN_PRINT)
    return Ours(arm.read(measure, size), float(noise) + LAST_DIGIT)


def verdict(key: Key, printed: Printed, found: Ours) -> str:
    """What a number of ours says of a printed one."""
    return Cell(key, printed, found, BETTER[key.quantity]).verdict


def _near(key: Key, printed: Printed, found: Ours, tolerance: float, words: str) -> Ours:
    """Say so if ours is off by more than noise but within what was asked for."""
    if verdict(key, printed, found) == AGREES or abs(found.value - printed.value) > tolerance:
        return found
    return _with_remark(found, f"near: within {words}")


def _with_remark(found: Ours, words: str) -> Ours:
    return replace(found, remark="; ".join(part for part in (found.remark, words) if part))


def agreeing_by_size(arms: Arms, printed: Numbers) -> list[list[str]]:
    """For each measure how many printed values agree at our size, at the printed one, and one step before that."""
    rows = []
    for measure in MEASURES:
        keys = [key for key in printed if key.quantity == measure and (key.data, CV) in arms]
        agree = [0, 0, 0]
        for key in keys:
            arm, there = arms[key.data, CV], size_in_print(key, printed)
            for at, size in enumerate((arm.kept(key.setting), there, max(1, there - 1))):
                plain = Printed(printed[key].value)
                agree[at] += verdict(key, plain, stability_at(arm, measure, size)) == AGREES
        rows.append([f"{measure} ({FIGURES[measure]})", *(f"{n} of {len(keys)}" for n in agree)])
    return rows
