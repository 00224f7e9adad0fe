"""Tables 7.2 to 7.6: accuracy, AUC and stability of SVM-RFE and ReliefF, their ensembles and their weighted kin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.cells import Key, Ours, Printed, read_printed
from holdfast.reproduce.han._claims7 import Found, findings
from holdfast.reproduce.han._microarrays import (
    ARMS,
    ENSEMBLES,
    IW_NORMALISED,
    IW_RELIEFF,
    LUNG,
    LUNG_GENES,
    N_BOOTSTRAPS,
    PRINTED_ARMS,
    SETS,
    SVM_ARMS,
)
from holdfast.reproduce.han._procedures import (
    AUC_SIZES,
    CLASSIFIERS,
    COUNTS,
    CV_SIZES,
    Repeated,
    cross_validated,
    crossed,
    random_splits,
    repeated,
)
from holdfast.reproduce.han._tables7 import sections
from holdfast.reproduce.han._weighing import ABOUT_ARMS, SIGNATURE, with_conclusion
from holdfast.reproduce.plan import Judgement, Part, Plan
from holdfast.reproduce.shelf import Shelf

Array = npt.NDArray[Any]

PRINTED = "han-7"
N_SPLITS, N_RUNS, N_FOLDS = 100, 10, 10
QUICK_SPLITS, QUICK_RUNS, QUICK_FOLDS, QUICK_NAMES = 3, 2, 3, ("Colon", LUNG)
# Runs of procedure A that make a part, for ensembles and for all others.
RUNS_IN_A_PART = {True: 5, False: 10}
# Bands of the specification: 15 % of the first count, 6 genes of the others.
COUNT_SHARE, COUNT_GENES = 0.15, 6
# Means and standard deviations are printed with one decimal.
LAST_DIGIT = 0.05


def parts(shelf: Shelf, quick: bool) -> Sequence[Part]:
    """Both procedures for every table and arm; Lung once more with its genes filtered in the training parts."""
    n_splits, n_runs, n_folds = (QUICK_SPLITS, QUICK_RUNS, QUICK_FOLDS) if quick else (N_SPLITS, N_RUNS, N_FOLDS)
    found = []
    for name in QUICK_NAMES if quick else SETS:
        if name not in shelf:
            continue
        for inside in (False, True) if name == LUNG else (False,):
            for arm in PRINTED_ARMS if inside else ARMS:
                about = f"{name}{' filtered inside' if inside else ''} {arm}"
                found.append(Part(f"splits {about}", partial(random_splits, name, arm, n_splits, inside)))
                step = RUNS_IN_A_PART[arm in ENSEMBLES]
                for first in range(0, n_runs, step):
                    stop = min(first + step, n_runs)
                    call = partial(cross_validated, name, arm, first, stop, n_folds, inside)
                    found.append(Part(f"runs {first}-{stop - 1} {about}", call))
    return found


def judge(made: Mapping[str, Any], shelf: Shelf, quick: bool) -> Judgement:
    """Cells of both procedures, claims on figures, and tables of all arms."""
    parts_made = list(made.values())
    by_splits, by_runs = repeated(parts_made, False), crossed(parts_made, False)
    found = Found(by_splits, by_runs, [name for name in SETS if (name, ARMS[0]) in by_splits])
    printed = read_printed(PRINTED)
    ours = dict(_means(found, repeated(parts_made, True), crossed(parts_made, True), printed))
    ours |= dict(_counts(by_splits, repeated(parts_made, True), printed))
    return Judgement(ours, with_conclusion(findings(found), "chapter 7"), sections(found))


def _means(
    found: Found,
    splits_inside: Mapping[tuple[str, str], Any],
    runs_inside: Mapping[tuple[str, str], Any],
    printed: Mapping[Key, Printed],
) -> Iterator[tuple[Key, Ours]]:
    """Means and standard deviations of Tables 7.2 to 7.5."""
    for data in found.sets:
        for arm in PRINTED_ARMS:
            is_svm = arm in SVM_ARMS
            for table, quantity, sizes, n_in_print in (
                ("7.2" if is_svm else "7.3", "accuracy", CV_SIZES, N_RUNS),
                ("7.4" if is_svm else "7.5", "AUC", AUC_SIZES, N_SPLITS),
            ):
                by, inside = (found.crossed, runs_inside) if quantity == "accuracy" else (found.repeated, splits_inside)
                for classifier in CLASSIFIERS:
                    for size in sizes:
                        key = Key(table, data, arm, f"{classifier}, {size} genes", quantity)
                        spread = key._replace(quantity=f"{quantity} sd")
                        values = getattr(by[data, arm], quantity.lower())[classifier, size]
                        honest = (
                            getattr(inside[data, arm], quantity.lower())[classifier, size]
                            if (data, arm) in inside
                            else None
                        )
                        yield key, mean_beside(values, honest, printed[spread].value, n_in_print)
                        yield spread, deviation_beside(values, honest, printed[spread].value, n_in_print)


def mean_beside(values: Array, honest: Array | None, printed_sd: float, n_in_print: int) -> Ours:
    """It agrees within the printed standard deviation, or two standard errors of the difference where that is more."""
    sd = float(np.std(values, ddof=1))
    by_chance = 2 * np.sqrt(printed_sd**2 / n_in_print + sd**2 / len(values))
    return Ours(
        float(np.mean(values)),
        float(max(printed_sd, by_chance)) + LAST_DIGIT,
        honest=None if honest is None else float(np.mean(honest)),
    )


def deviation_beside(values: Array, honest: Array | None, printed_sd: float, n_in_print: int) -> Ours:
    """It agrees within two standard errors of the difference of two standard deviations."""
    sd = float(np.std(values, ddof=1))
    by_chance = 2 * np.sqrt(printed_sd**2 / (2 * n_in_print - 2) + sd**2 / (2 * len(values) - 2))
    return Ours(sd, float(by_chance) + LAST_DIGIT, honest=None if honest is None else float(np.std(honest, ddof=1)))


def _counts(
    by_splits: Mapping[tuple[str, str], Repeated],
    inside: Mapping[tuple[str, str], Repeated],
    printed: Mapping[Key, Printed],
) -> Iterator[tuple[Key, Ours]]:
    """Numbers of genes of Table 7.6."""
    for (data, arm), one in by_splits.items():
        if arm not in PRINTED_ARMS or arm not in SVM_ARMS:
            continue
        honest = inside.get((data, arm))
        for at, quantity in enumerate(COUNTS):
            key = Key("7.6", data, arm, f"{SIGNATURE} genes", quantity)
            yield (
                key,
                Ours(
                    one.counts[at],
                    count_within(quantity, printed[key].value),
                    honest=None if honest is None else honest.counts[at],
                ),
            )


def count_within(quantity: str, printed: float) -> float:
    """How far off a count may be."""
    return COUNT_SHARE * printed if quantity == COUNTS[0] else COUNT_GENES


_LEAK = (
    f"The {LUNG_GENES:,} genes of Lung are chosen by a t-test over all samples, before any split. Without the leak: "
    "by a t-test in each training part."
)

PLAN = Plan(
    printed=PRINTED,
    sets=SETS,
    protocol=(
        f"Procedure A (Tables 7.2 and 7.3): {N_RUNS} times {N_FOLDS}-fold cross-validation in random parts, 10 to 50 "
        "genes; accuracy of all folds pooled, mean and standard deviation over the runs. (Stratified parts were tried "
        "too, and came out a little farther from the print.) Procedure B (Tables 7.4 to 7.6): "
        f"{N_SPLITS} stratified splits, two thirds for the choice and the machine, 10 to 200 genes; AUC of hard labels "
        "on the rest (half the sum of sensitivity and specificity), mean and standard deviation over the splits. "
        "Linear SVM (C = 1) and 1-NN (Euclidean) on genes divided by their range in the training part.",
        ABOUT_ARMS,
        f"En joins {N_BOOTSTRAPS} bootstraps by the sum of ranks. ReliefF has 10 neighbours; {IW_RELIEFF} has weights "
        f"of neighbours as they are, *{IW_NORMALISED}* divided by their sum.",
        "Prostate: values of Singh et al. cut to 10 … 16,000 and genes with a ratio of at least 5 and a range of at "
        "least 50 kept, which leaves exactly the 6,034 genes of the dissertation; their logarithms, standardised by "
        "array, are our guess, made *with the printed numbers in view*.",
        "A mean agrees within the printed standard deviation (the band of our specification), or two standard errors "
        "of the difference of two such means where that is more; a standard deviation within two standard errors. "
        "Counts of Table 7.6 agree within 15 % (at least one signature) or 6 genes (the others).",
    ),
    better={
        "accuracy": True,
        "accuracy sd": None,
        "AUC": True,
        "AUC sd": None,
        "at least 1": False,
        "more than 50": True,
        "more than 85": True,
    },
    parts=parts,
    judge=judge,
    leaks=dict.fromkeys(("7.2", "7.3", "7.4", "7.5", "7.6"), _LEAK),
)
