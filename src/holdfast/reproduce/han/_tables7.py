"""Tables of our own for chapter 7: all arms, also those that the dissertation does not have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.han._found7 import Found
from holdfast.reproduce.han._microarrays import ARMS, RELIEFF_ARMS
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, CV_SIZES
from holdfast.reproduce.plan import Section


def sections(found: Found) -> list[Section]:
    """All tables; none where nothing was run."""
    if not found.sets:
        return []
    return [_signatures(found), _ki(found), _npogr(found), _variances(found), _accuracy(found), _auc(found)]


def _all(found: Found) -> list[tuple[str, str]]:
    """Tables and arms, also those without a leak."""
    both = [*found.sets, *found.without_leak]
    return [(data, arm) for data in both for arm in ARMS if (data, arm) in found.repeated]


def _signatures(found: Found) -> Section:
    rows = [
        [*where, *map(str, one.counts), f"{one.overlap:.3f}", f"{one.ki:.3f}"]
        for where in _all(found)
        for one in [found.repeated[where]]
    ]
    header = ["Data", "Arm", "in at least 1", "in over half", "in over 85 %", "share of the rectangle", "KI"]
    return Section(
        "Signatures of 50 genes (procedure B)",
        "Genes by how many signatures hold them, how much of the rectangle of perfect stability their curve fills, and "
        "Kuncheva's index with two standard errors by Nogueira's formula.",
        header,
        rows,
        2,
    )


def _ki(found: Found) -> Section:
    rows = [[*where, *(f"{found.ki(*where, size):.3f}" for size in CV_SIZES)] for where in _all(found)]
    return Section(
        "KI by number of genes (procedure A, Figures 7.3 and 7.4)",
        "Means of the runs and two standard errors by their scatter.",
        ["Data", "Arm", *(f"{size} genes" for size in CV_SIZES)],
        rows,
        2,
    )


def _npogr(found: Found) -> Section:
    rows = [
        [data, arm, *(f"{found.repeated[data, arm].npogr[size]:.3f}" for size in AUC_SIZES)]
        for data in found.sets
        for arm in ARMS
    ]
    return Section(
        "Symmetric nPOGR by number of genes (procedure B, Figures 7.5 and 7.6)",
        "",
        ["Data", "Arm", *(f"{size} genes" for size in AUC_SIZES)],
        rows,
        2,
    )


def _variances(found: Found) -> Section:
    rows = []
    for data in found.sets:
        for arm in ARMS:
            by_size = sorted(found.crossed[data, arm].variance.items(), reverse=True)
            if not by_size:
                continue
            some = by_size if arm in RELIEFF_ARMS else [by_size[at] for at in (0, len(by_size) // 2, -1)]
            told = [f"{values.mean():.2e} ({size:,} features)" for size, values in some]
            rows.append([data, arm, *told, *["–"] * (3 - len(told))])
    return Section(
        "Average variance of the weights (procedure A, Figures 7.1 and 7.2)",
        "Shares in the sum of absolute weights; of SVM-RFE from about 1,000 features to about 10, of ReliefF all.",
        ["Data", "Arm", "first", "midway", "last"],
        rows,
        2,
    )


def _accuracy(found: Found) -> Section:
    rows = [
        [*where, classifier, *(_told(found.crossed[where].accuracy[classifier, size]) for size in CV_SIZES)]
        for where in _all(found)
        for classifier in CLASSIFIERS
    ]
    header = ["Data", "Arm", "Classifier", *(f"{size} genes" for size in CV_SIZES)]
    return Section("Accuracy of all arms (procedure A), %", "± are standard deviations over the runs.", header, rows, 3)


def _auc(found: Found) -> Section:
    rows = [
        [*where, classifier, *(_told(found.repeated[where].auc[classifier, size]) for size in AUC_SIZES)]
        for where in _all(found)
        for classifier in CLASSIFIERS
    ]
    header = ["Data", "Arm", "Classifier", *(f"{size} genes" for size in AUC_SIZES)]
    text = "AUC of hard labels, × 100; ± are standard deviations over the splits."
    return Section("AUC of all arms (procedure B)", text, header, rows, 3)


def _told(values: Sequence[float] | npt.NDArray[np.float64]) -> str:
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1):.1f}"
