"""What chapter 7 says of prediction and of time, tested on real tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from holdfast.reproduce.cells import Key, Printed
from holdfast.reproduce.han._found7 import Found
from holdfast.reproduce.han._microarrays import RELIEFF_ARMS, SVM_ARMS
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, CV_SIZES
from holdfast.reproduce.han._weighing import Tested
from holdfast.reproduce.plan import Claim
from holdfast.reproduce.verdicts import nearly_all_of, on_all

# An ensemble of 20 that takes about 20 times as long, and weights that take hardly longer.
ABOUT_20, HARDLY = (10, 40), 2


def on_prediction(found: Found, printed: Mapping[Key, Printed]) -> list[Tested]:
    """Whether the three versions have the same accuracy and AUC, each with each."""
    tested = []
    for table, arms, sizes, what in (
        ("7.2", SVM_ARMS[:3], CV_SIZES, "accuracy"),
        ("7.3", RELIEFF_ARMS[:3], CV_SIZES, "accuracy"),
        ("7.4", SVM_ARMS[:3], AUC_SIZES, "AUC"),
        ("7.5", RELIEFF_ARMS[:3], AUC_SIZES, "AUC"),
    ):
        near = _near(found, found.sets, what, arms, sizes)
        evidence = f"{sum(near)} of {len(near)} pairs are that near"
        for data in found.without_leak:
            inside = _near(found, [data], what, arms, sizes)
            evidence += f"; {data} {sum(inside)} of {len(inside)}"
        in_print = _near_in_print(printed, table, what, arms)
        text = (
            f"the three versions have practically the same {what} (within the larger standard deviation, apart from a "
            "few cases)"
        )
        verdict = nearly_all_of(sum(near), len(near))
        tested.append(
            Tested(Claim(f"Table {table}", text, verdict, evidence, f"{sum(in_print)} of {len(in_print)} pairs"))
        )
    return tested


def _near(found: Found, sets: Sequence[str], what: str, arms: Sequence[str], sizes: Sequence[int]) -> list[bool]:
    """For every pair of arms, table, classifier and size whether the means are within the larger deviation."""
    near = []
    for data in sets:
        for pair in combinations(arms, 2):
            for where in ((classifier, size) for classifier in CLASSIFIERS for size in sizes):
                one, other = (
                    found.crossed[data, arm].accuracy[where]
                    if what == "accuracy"
                    else found.repeated[data, arm].auc[where]
                    for arm in pair
                )
                near.append(bool(abs(one.mean() - other.mean()) <= max(one.std(ddof=1), other.std(ddof=1))))
    return near


def _near_in_print(printed: Mapping[Key, Printed], table: str, what: str, arms: Sequence[str]) -> list[bool]:
    """The same of the printed means and deviations."""
    near = []
    for key in printed:
        if key.table != table or key.quantity != what or key.method != arms[0]:
            continue
        for pair in combinations(arms, 2):
            keys = [key._replace(method=arm) for arm in pair]
            one, other = (printed[at].value for at in keys)
            deviation = max(printed[at._replace(quantity=f"{what} sd")].value for at in keys)
            near.append(abs(one - other) <= deviation + 1e-9)
    return near


def on_time(found: Found) -> list[Tested]:
    """How many times as long ensembles and weights take."""
    tested = []
    for family in (SVM_ARMS, RELIEFF_ARMS):
        plain, ensemble, weighted = family[:3]
        ratios = {
            arm: [found.repeated[data, arm].seconds / found.repeated[data, plain].seconds for data in found.sets]
            for arm in (ensemble, weighted)
        }
        is_20 = [ABOUT_20[0] <= ratio <= ABOUT_20[1] for ratio in ratios[ensemble]]
        is_quick = [ratio < HARDLY for ratio in ratios[weighted]]
        tested.append(
            Tested(
                Claim(
                    "7.9",
                    f"{ensemble} takes about 20 times as long as {plain} ({ABOUT_20[0]} to {ABOUT_20[1]}), {weighted} "
                    f"hardly longer (less than {HARDLY} times)",
                    on_all([*is_20, *is_quick]),
                    f"on {', '.join(found.sets)}: "
                    + "; ".join(f"{arm} {', '.join(f'{ratio:.1f}' for ratio in some)}" for arm, some in ratios.items()),
                )
            )
        )
    return tested
