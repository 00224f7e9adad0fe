"""Tables of our own numbers: where sizes and stability come from, every reading, curves by size, and the filter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import MAXIMUM, MEASURES, PAIRING, Arm, Arms
from holdfast.reproduce.michel._cells10 import Numbers, agreeing_by_size
from holdfast.reproduce.michel._rules import READINGS, RULES, TESTING
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
            _p_values(arms, CV, "Figures 10.19 to 10.21", SHOWN_SIZES),
        ]
    if any(name in MEASURED for name, _ in arms):
        found += [_filters(arms), _filter_rules(arms), _p_values(arms, DT_CV, "Figure 11.7", SHOWN_FILTER_SIZES)]
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
            means = [_in_interval([getattr(run, what)[size - 1] for run in arm.runs])
                     for what in ("scores", "tests") for arm in both]  # fmt: skip
            stable = [f"{arm.read(measure, size):.2f}" for measure in MEASURES for arm in both]
            rows.append([cv.name, str(size), *means, *stable])
    what = ("score", "test accuracy", *MEASURES)
    return Section(
        "Scores and stability by size (E1)",
        "A score is that of the samples that features and neighbours were chosen by; the test accuracy is that of the "
        "30 % that had no part in it. Means with their 95 % intervals.",
        ("data", "features", *(f"{one}, {criterion}" for one in what for criterion in (TRAIN, CV))),
        rows,
    )


def _in_interval(values: Sequence[float]) -> str:
    """Mean over repetitions and its 95 % interval."""
    return f"{np.mean(values):.3f} ± {1.96 * np.std(values) / np.sqrt(len(values)):.3f}"


def _p_values(arms: Arms, criterion: str, figures: str, shown: Sequence[int]) -> Section:
    rows = []
    for arm in _of(arms, criterion):
        for size in sorted({*(one for one in shown if one < arm.n_features), arm.n_features}):
            # The last feature has no rival.
            told = ["–" if rule == "H" and size == arm.n_features else f"{arm.p_values[rule][size - 1]:.3f}"
                    for rule in sorted(arm.p_values)]  # fmt: skip
            rows.append([arm.name, str(size), *told])
    return Section(
        f"p-values by size, {criterion} ({figures})",
        "Means over the repetitions, at every size, also where a rule had stopped. H, H2S and HP: the least risk at "
        "which a gap exceeds Hoeffding's bound for as many observations as training samples, exp(-2 n gap²); P: the "
        "share of 50 permuted copies that do as well. The thesis draws such curves, but neither gives a formula for "
        "them nor says what they show.",
        ("data", "features", *sorted(TESTING)),
        rows,
    )


def _filters(arms: Arms) -> Section:
    rows = []
    for (name, criterion), arm in arms.items():
        if criterion not in DELTA_TESTS:
            continue
        for size in sorted({*SHOWN_FILTER_SIZES, arm.n_features}):
            at = size - 1
            values = [[-100 * one.scores[at] for one in arm.runs], [one.learned[at] for one in arm.runs],
                      [one.tests[at] for one in arm.runs]]  # fmt: skip
            stable = [f"{arm.read(one, size):.2f}" for one in MEASURES]
            rows.append([name, criterion, str(size), *map(_in_interval, values), *stable])
    return Section(
        "Delta test by size (E2)",
        f"{DT_CV}: ϑ of what is left without each part; inside: of each part; across: of each part, with neighbours "
        "outside it. Means with their 95 % intervals.",
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
