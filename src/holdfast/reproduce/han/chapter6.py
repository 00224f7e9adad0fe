"""Figures 6.1 to 6.4: error, bias, variance, stability and accuracy of SVM-RFE on drawn data, with and without weights.

No numbers are printed, so the figures are rerun as the claims in their prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from holdfast.reproduce.han._claims6 import on_iterations, on_sizes
from holdfast.reproduce.han._synthetic import ITERATIONS, N_TEST, NEAREST_50, Round, Synthetic, gathered, on_block
from holdfast.reproduce.han._weighing import ABOUT_ARMS, with_conclusion
from holdfast.reproduce.plan import Judgement, Part, Plan, Section
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.verdicts import RULE

# How many training sets of each number of samples, in print and here, and how many make a part of a minute at most.
N_IN_PRINT = 500
N_SETS: Mapping[int, int] = {50: 500, 100: 500, 200: 500, 500: 200, 1000: 100}
N_QUICK: Mapping[int, int] = {50: 3, 100: 4, 200: 3, 500: 2, 1000: 2}
IN_A_PART: Mapping[int, int] = {50: 100, 100: 50, 200: 100, 500: 50, 1000: 10}
COURSE = 100


def parts(shelf: Shelf, quick: bool) -> Sequence[Part]:
    """Blocks of training sets of each number of samples."""
    found = []
    for n_samples, n_sets in (N_QUICK if quick else N_SETS).items():
        iterations = ITERATIONS if n_samples == COURSE else (NEAREST_50,)
        for first in range(0, n_sets, IN_A_PART[n_samples]):
            stop = min(first + IN_A_PART[n_samples], n_sets)
            call = partial(on_block, n_samples, n_sets, first, stop, iterations)
            found.append(Part(f"{n_samples} samples, sets {first}-{stop - 1} of {n_sets}", call))
    return found


def judge(made: Mapping[str, Any], shelf: Shelf, quick: bool) -> Judgement:
    """Claims and tables; there is nothing printed to compare with."""
    by_size: dict[int, list[Mapping[str, Any]]] = {}
    for part in parts(shelf, quick):
        by_size.setdefault(made[part.key]["n_samples"], []).append(made[part.key])
    found = {n_samples: gathered(some) for n_samples, some in by_size.items()}
    tested = [*on_iterations(found[COURSE]), *on_sizes(found)]
    return Judgement(
        claims=with_conclusion(tested, "chapter 6"),
        sections=[_over_iterations(found[COURSE]), _over_sizes(found), _weights(found[COURSE])],
    )


def _over_iterations(found: Synthetic) -> Section:
    rows = []
    for arm, rounds in found.arms.items():
        for at, one in rounds.items():
            stability = "–" if np.isnan(one.ki.value) else f"{one.ki:.3f}"
            rows.append(
                [arm, str(at), str(one.size), stability]
                + [f"{part.value:.2e}" for part in (one.variance, one.bias, one.error)]
                + [f"{one.bias.value / one.error.value:.2f}", f"{one.accuracy:.4f}"]
            )
    header = ["Arm", "iteration", "features", "KI", "variance", "bias", "error", "share of the bias", "accuracy"]
    return Section(f"Over iterations, {COURSE} samples (Figures 6.1 and 6.2)", "", header, rows)


def _over_sizes(found: Mapping[int, Synthetic]) -> Section:
    rows = [
        [str(n_samples), str(one.n_sets), arm, *_told(rounds[NEAREST_50]), f"{one.bias_itself(arm, NEAREST_50):.2e}"]
        for n_samples, one in sorted(found.items())
        for arm, rounds in one.arms.items()
    ]
    header = ["n", "sets", "Arm", "KI", "variance", "bias", "error", "accuracy", "relevant among 48",
              "bias itself"]  # fmt: skip
    text = "*Bias itself* is the bias without what the variance adds to it, about variance / sets."
    return Section("Over numbers of samples, 48 features left (Figures 6.3 and 6.4)", text, header, rows, 3)


def _told(one: Round) -> list[str]:
    return [
        f"{one.ki:.3f}",
        f"{one.variance:.2e}",
        f"{one.bias:.2e}",
        f"{one.error:.2e}",
        f"{one.accuracy:.4f}",
        f"{one.n_relevant:.1f}",
    ]


def _weights(found: Synthetic) -> Section:
    low, high, spread = found.weights
    text = (
        f"n times the weight of a sample, sets of {found.n_samples}: from {low:.2f} to {high:.2f}, standard deviation "
        f"{spread:.3f}. The weights are nearly flat."
    )
    return Section("Weights of samples", text)


PLAN = Plan(
    printed="han-6",
    sets={},
    protocol=(
        "1,000 features in 100 blocks of ten with a correlation of 0.8, of which the first 50 are relevant; two normal "
        "components with means of ±0.5 on these; the label is the sign of their mean (section 6.1). "
        f"Training sets of {', '.join(f'{n_samples:,}' for n_samples in N_SETS)} samples: "
        f"{', '.join(map(str, N_SETS.values()))} of them ({N_IN_PRINT} of each published; fewer of the large ones, for "
        "time), all arms on the same sets; accuracy of a linear SVM (C = 1, range of the training part) on "
        f"{N_TEST:,} samples. Iterations are followed in steps of {ITERATIONS[1] - ITERATIONS[0]}, from the first "
        f"with all features to the {ITERATIONS[-1]}th with 10; sizes other than {COURSE} only at the "
        f"{NEAREST_50}th, with 48.",
        ABOUT_ARMS,
        "± are two standard errors of the mean over training sets; those of KI by Nogueira's formula. A bias found "
        "from q sets is too large by variance / q, which is taken off where sets of different numbers are compared "
        f"(Figure 6.3). {RULE} What is said of the course of one arm is one thing, and holds or does not.",
    ),
    better={},
    parts=parts,
    judge=judge,
)
