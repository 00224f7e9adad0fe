"""Tables of our own numbers: where sizes and stability come from, every reading, curves by size, and the filter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import MAXIMUM, MEASURES, PAIRING, Arm, Arms
from holdfast.reproduce.michel._cells10 import Numbers, agreeing_by_size
from holdfast.reproduce.michel._rules import READINGS, RULES
from holdfast.reproduce.michel._searches import CV, DELTA_TESTS, DT_CV, SHIPPED, TRAIN
from holdfast.reproduce.michel._splits import CLASSIFIED, MEASURED
from holdfast.reproduce.plan import Section

Array = npt.NDArray[Any]

SHOWN_SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50)
SHOWN_FILTER_SIZES = (1, 2, 3, 5, 7)


def sections(arms: Arms, printed: Numbers) -> list[Section]:
    """All of them, for the tables that were run."""
    found = []
    if any(name in CLASSIFIED for name, _ in arms):
        found += [
            _on_h2s(arms),
            _on_where(arms, printed),
            _sizes(arms),
            _readings(arms),
            _shipped(arms),
            _curves(arms),
        ]
    if any(name in MEASURED for name, _ in arms):
        found += [_filters(arms), _filter_rules(arms)]
    return found


def _of(arms: Arms, criterion: str) -> list[Arm]:
    return [arm for (_, one), arm in arms.items() if one == criterion]


def _on_h2s(arms: Arms) -> Section:
    both = [*_of(arms, CV), *_of(arms, TRAIN)]
    same = sum(int((arm.sizes("H2S") == arm.sizes("CW, also if equal")).sum()) for arm in both)
    n_all = sum(len(arm.runs) for arm in both)
    bound = ", ".join(f"{arm.name} {arm.sizes('H2S, δ = 0.05').mean():.1f}" for arm in _of(arms, CV))
    return Section(
        "What H2S adds to CW",
        "With ε = 0, which gives the printed sizes, H2S stops where CW stops that takes an equal score as a reason to "
        f"stop: in {same} of {n_all} searches. **If that is how the thesis's code ran, then what H2S gains over CW is "
        "stopping at the first step that brings nothing instead of the first that does harm, and no effect of "
        f"Hoeffding's bound.** With the bound at δ = 0.05 and as many observations as samples, H2S keeps {bound} "
        "features. We have not seen the thesis's code, so this stays a condition.",
    )


def _on_where(arms: Arms, printed: Numbers) -> Section:
    return Section(
        "Where stability was read",
        "How many printed values agree with ours at our own mean size, at the printed size, and at one feature less "
        "than printed; all rules, impossible values too.",
        ("measure", "at our size", "at the printed size", "one feature less"),
        agreeing_by_size(arms, printed),
    )


def _sizes(arms: Arms) -> Section:
    rows = [
        [arm.name, rule, _with_error(arm.sizes(rule)), _with_error(arm.sizes(rule, 1)), f"{arm.sizes(rule).var():.2f}"]
        for arm in _of(arms, CV)
        for rule in RULES
    ]
    return Section(
        "Sizes with FS-CV",
        "Means with two standard errors; a rule that refuses the first feature counts 0, or keeps at least that one.",
        ("data", "rule", "size", "at least 1", "variance"),
        rows,
        2,
    )


def _with_error(sizes: Array) -> str:
    return f"{sizes.mean():.2f} ± {2 * sizes.std() / np.sqrt(len(sizes)):.2f}"


def _moments(sizes: Array) -> str:
    return f"{sizes.mean():.1f} ({sizes.var():.1f})"


def _sorted(readings: Iterable[str]) -> list[str]:
    return sorted(readings, key=lambda one: RULES.index(one.split(",")[0]))


def _readings(arms: Arms) -> Section:
    rows = []
    for reading in _sorted(READINGS):
        for criterion in (CV, TRAIN):
            some = _of(arms, criterion)
            rows.append([reading, criterion, *(_moments(arm.sizes(reading)) for arm in some)])
            if any((arm.sizes(reading) == 0).any() for arm in some):
                rows.append([f"{reading}, at least 1", criterion, *(_moments(arm.sizes(reading, 1)) for arm in some)])
    header = ("reading", "search", *(arm.name for arm in _of(arms, CV)))
    return Section("Every reading of every rule", "Mean size (variance). FS-Train is printed nowhere.", header, rows, 2)


def _shipped(arms: Arms) -> Section:
    rows = []
    for other in _of(arms, SHIPPED):
        ours = arms[other.name, CV]
        for rule in RULES:
            change = other.sizes(rule) - ours.sizes(rule)
            at = [arm.read_when_stopped(PAIRING, rule) for arm in (ours, other)]
            at_same = other.read(PAIRING, ours.kept(rule))
            sizes = [f"{arm.sizes(rule).mean():.1f}" for arm in (ours, other)]
            spread = f"{change.mean():+.1f} ± {2 * change.std() / np.sqrt(len(change)):.1f}"
            rows.append([other.name, rule, *sizes, spread, *(f"{one:.2f}" for one in (*at, at_same))])
    return Section(
        "The library as it is",
        "`ForwardSearch` on the same splits, folds and units. It takes the more relevant of features that do equally "
        "well, so that no order of the columns changes what it finds; the thesis takes the first of the table. Between "
        "equal distances and equal votes it chooses by the content of samples, too.",
        ("data", "rule", "size by index", "by relevance", "change", "pairing by index", "by relevance",
         "by relevance, at the size by index"),
        rows,
        2,
    )  # fmt: skip


def _curves(arms: Arms) -> Section:
    rows = []
    for cv in _of(arms, CV):
        both = arms[cv.name, TRAIN], cv
        for size in sorted({*(one for one in SHOWN_SIZES if one < cv.n_features), cv.n_features}):
            means = [curve[size - 1] for curve in (*(arm.scores for arm in both), *(arm.tests for arm in both))]
            stable = [arm.read(measure, size) for measure in (PAIRING, MAXIMUM) for arm in both]
            rows.append([cv.name, str(size), *(f"{one:.3f}" for one in means), *(f"{one:.2f}" for one in stable)])
    what = ("score", "test accuracy", "pairing", "max")
    return Section(
        "Scores and stability by size (E1)",
        "A score is that of the samples that features and neighbours were chosen by; the test accuracy is that of the "
        "30 % that had no part in it.",
        ("data", "features", *(f"{one}, {criterion}" for one in what for criterion in (TRAIN, CV))),
        rows,
    )


def _filters(arms: Arms) -> Section:
    rows = []
    for (name, criterion), arm in arms.items():
        if criterion not in DELTA_TESTS:
            continue
        learned = np.mean([one.learned for one in arm.runs], axis=0)
        for size in sorted({*SHOWN_FILTER_SIZES, arm.n_features}):
            values = [-arm.scores[size - 1] * 100, learned[size - 1], arm.tests[size - 1]]
            stable = [f"{arm.read(one, size):.2f}" for one in MEASURES]
            rows.append([name, criterion, str(size), *(f"{one:.3f}" for one in values), *stable])
    return Section(
        "Delta test by size (E2)",
        f"{DT_CV}: ϑ of what is left without each part; inside: of each part; across: of each part, with neighbours "
        "outside it.",
        ("data", "search", "features", "100 ϑ, y from 0 to 1", "R² in cross-validation", "test R²", *MEASURES),
        rows,
        2,
    )


def _filter_rules(arms: Arms) -> Section:
    return Section(
        "Rules with the delta test (E4)",
        f"{DT_CV}, y from 0 to 1, so that the bound means something; *y as it is* has the bound at δ = 0.05 and ϑ in "
        "units of y; *mirrored* takes a larger ϑ for better. Without features ϑ is the variance of y. Test R² with at "
        "least one feature. Chapter 11 has no numbers.",
        ("data", "reading", "size (variance)", "of", "test R²", PAIRING, MAXIMUM),
        [_stopped(arm, reading) for arm in _of(arms, DT_CV) for reading in _sorted(arm.runs[0].sizes)],
        2,
    )


def _stopped(arm: Arm, reading: str) -> list[str]:
    stable = [f"{arm.read_when_stopped(one, reading):.2f}" for one in (PAIRING, MAXIMUM)]
    found = [_moments(arm.sizes(reading)), str(arm.n_features), f"{arm.stop_tests(reading).mean():.3f}"]
    return [arm.name, reading, *found, *stable]
