"""Tests between the methods of a study, at one size and with one classifier."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate.friedman import friedman
from holdfast.evaluate.mcnemar import mcnemar
from holdfast.evaluate.metrics import larger_is_better
from holdfast.evaluate.pairs import holm, wilcoxon_holm
from holdfast.evaluate.resampled_t import corrected_resampled_t
from holdfast.evaluate.study import Study

Array = npt.NDArray[Any]

LEVEL = 0.05
_SHARED = (
    "The splits share samples, so the p-values of Friedman's and Wilcoxon's tests are smaller than they should be: "
    "take them as a first look. The corrected t test allows for it; McNemar's uses each sample once."
)
_UNDEFINED = "{} of {} splits have no {} and are left out of the tests."


def per_split(study: Study, method: int, size: int | str, classifier: str, metric: str) -> Array:
    """A metric on every split; with leave-one-out, whether the sample was named right.

    These are weighed such that their mean is the metric: in balanced accuracy, samples of a small class count more.
    """
    if study.plan.pools_test_parts:
        right = study.is_right(method, size, classifier)
        classes = [study.plan.classes[study.plan.splits[split].test] for split in study.splits]
        counts = np.bincount(np.concatenate(classes), minlength=len(study.plan.class_names))
        each = np.ones(len(counts))
        if metric == "balanced_accuracy":
            each = counts.sum() / (np.count_nonzero(counts) * np.maximum(counts, 1))
        # A test part may be a group of several samples.
        per_part = counts.sum() / len(right)
        return np.array([(each[codes] * one).sum() / per_part for codes, one in zip(classes, right, strict=True)])
    values: Array = study.metrics[method, size, classifier][metric].per_split
    return values


def number(value: float) -> float | None:
    """A value as JSON has it."""
    return float(value) if math.isfinite(value) else None


def baseline_accuracy(study: Study) -> float:
    """What is right by naming the class that is most frequent among the training samples; NaN without splits."""
    plan, shares = study.plan, []
    for split in (plan.splits[number] for number in study.splits):
        most = int(np.bincount(plan.classes[split.train]).argmax())
        shares.append(float((plan.classes[split.test] == most).mean()))
    return float(np.mean(shares)) if shares else math.nan


def sizes_of_parts(study: Study) -> tuple[float, float]:
    """Mean numbers of samples that train, each counted once, and that test."""
    splits = [study.plan.splits[split] for split in study.splits]
    return float(np.mean([len(np.unique(s.train)) for s in splits])), float(np.mean([len(s.test) for s in splits]))


def compared(study: Study, size: int | str, classifier: str, metric: str, control: str) -> dict[str, Any] | None:
    """Every test; None with a single method or a single split to compare on."""
    names = [one.name for one in study.plan.methods]
    if len(names) < 2 or len(study.splits) < 1:
        return None
    values = np.column_stack([per_split(study, m, size, classifier, metric) for m in range(len(names))])
    is_known = np.isfinite(values).all(axis=1)
    notes = [] if len(study.splits) < 2 else [_SHARED]
    if not is_known.all():
        notes.append(_UNDEFINED.format(int((~is_known).sum()), len(values), metric))
    values = values[is_known]
    return {
        "metric": metric,
        "size": size,
        "classifier": classifier,
        **_ranks(values, names, metric, control),
        "pairs": _pairs(study, values, names, size, classifier),
        "notes": notes,
    }


def _ranks(values: Array, names: list[str], metric: str, control: str) -> dict[str, Any]:
    if len(names) < 3 or len(values) < 2:
        return {"friedman": None, "nemenyi": None, "bonferroni_dunn": None}
    found = friedman(values, names, larger_is_better=larger_is_better[metric], level=LEVEL, control=control)
    return {
        "friedman": {
            "n_blocks": len(values),
            "methods": names,
            "mean_ranks": list(map(float, found.mean_ranks)),
            "statistic": float(found.statistic),
            "p_value": float(found.p_value),
            "f_statistic": number(found.f_statistic),
            "f_p_value": float(found.f_p_value),
        },
        "nemenyi": {
            "level": LEVEL,
            "critical_difference": float(found.nemenyi_difference),
            "groups": [list(group) for group in found.groups],
        },
        "bonferroni_dunn": {
            "level": LEVEL,
            "control": control,
            "critical_difference": float(found.bonferroni_dunn_difference),
            "different": list(found.different_from(control)),
        },
    }


def _pairs(study: Study, values: Array, names: list[str], size: int | str, classifier: str) -> list[dict[str, Any]]:
    n_train, n_test = sizes_of_parts(study)
    pairs = list(combinations(range(len(names)), 2))
    if len(values) > 1:
        resampled = [corrected_resampled_t(values[:, a] - values[:, b], n_train, n_test) for a, b in pairs]
        t_holm = holm([one.p_value for one in resampled])
        ranked = wilcoxon_holm(values, names)
    tested = _first_tests(study, size, classifier)
    counted = [mcnemar(tested[a], tested[b]) for a, b in pairs]
    m_holm = holm([one.p_value for one in counted])
    found = []
    for i, (a, b) in enumerate(pairs):
        difference = float((values[:, a] - values[:, b]).mean()) if len(values) else math.nan
        row: dict[str, Any] = {
            "a": names[a],
            "b": names[b],
            "difference": number(difference),
            "low": None,
            "high": None,
        }
        row["corrected_t"] = row["wilcoxon"] = None
        if len(values) > 1:
            t = resampled[i]
            row |= {"low": number(t.low), "high": number(t.high)}
            row["corrected_t"] = _test(t.statistic, t.p_value, float(t_holm[i]))
            row["wilcoxon"] = _test(ranked[i].statistic, ranked[i].p_value, ranked[i].p_holm)
        row["mcnemar"] = {
            "n01": counted[i].n01,
            "n10": counted[i].n10,
            "p_value": counted[i].p_value,
            "p_holm": float(m_holm[i]),
        }
        found.append(row)
    return found


def _first_tests(study: Study, size: int | str, classifier: str) -> list[Array]:
    """Whether each sample was named right the first time it was tested, by method."""
    tested = np.concatenate([study.plan.splits[split].test for split in study.splits])
    first = np.sort(np.unique(tested, return_index=True)[1])
    return [
        np.concatenate(study.is_right(method, size, classifier))[first] for method in range(len(study.plan.methods))
    ]


def _test(statistic: float, p_value: float, p_holm: float) -> dict[str, Any] | None:
    if not math.isfinite(p_value):
        return None
    return {"statistic": number(statistic), "p_value": p_value, "p_holm": p_holm}
