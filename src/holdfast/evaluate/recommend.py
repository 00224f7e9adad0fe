"""A recommendation in plain words: what to take, why, and what speaks against trusting it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate._bootstrap import MetricInterval
from holdfast.evaluate.comparisons import LEVEL, baseline_accuracy, per_split, sizes_of_parts
from holdfast.evaluate.mcnemar import mcnemar
from holdfast.evaluate.protocol import shared_by_training_parts
from holdfast.evaluate.resampled_t import corrected_resampled_t
from holdfast.evaluate.study import TUNED, Study

Array = npt.NDArray[Any]

_SHARED = 0.6
_HOLDS = 0.6
_WORDS = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy"}


@dataclass(frozen=True)
class Row:
    """One configuration: a method, a size and a classifier, with what was found of it."""

    method: int
    name: str
    size: int | str
    classifier: str
    metrics: Mapping[str, MetricInterval]
    selection: Mapping[str, Any]

    @property
    def stability(self) -> float:
        """Nogueira's index; NaN if it is undefined."""
        value = self.selection["stability"]["nogueira"]["value"]
        return math.nan if value is None else float(value)

    @property
    def n_features(self) -> float:
        """How many features were chosen on average."""
        return float(self.selection["n_selected"]["mean"] or 0.0)

    @property
    def words(self) -> str:
        """What it is called in a sentence."""
        if isinstance(self.size, str):
            return f"{self.name} with about {self.n_features:.1f} features of its own choice and {self.classifier}"
        return f"{self.name} with {self.size} feature{'' if self.size == 1 else 's'} and {self.classifier}"


def recommended(study: Study, rows: list[Row]) -> dict[str, Any]:
    """Of the configurations within a standard error of the most accurate one the most stable, or else the shortest."""
    metric = _metric(study, rows)
    fixed = [row for row in rows if row.size != TUNED]
    known = [row for row in fixed if math.isfinite(row.metrics[metric].value)] or fixed
    best = min(known, key=lambda row: (-round(_mean(row, metric), 12), row.n_features, row.name, row.classifier))
    close = [row for row in known if _is_close(study, best, row, metric)]
    taken = min(
        close,
        key=lambda row: (
            -round(_or(row.stability, -1.0), 3),
            row.n_features,
            -round(_mean(row, metric), 12),
            row.name,
            row.classifier,
        ),
    )
    rivals = [row for row in known if row is not taken and _within_noise(study, taken, row, metric)]
    others = list(dict.fromkeys(row.name for row in rivals if row.name != taken.name))
    value = taken.metrics[metric]
    features, _ = study.on_all_samples(taken.method, taken.size)
    return {
        "method": taken.name,
        "size": taken.size,
        "classifier": taken.classifier,
        "metric": metric,
        "sentence": f"{taken.words}: {_WORDS[metric]} {_plus_minus(value)}, {_stability(taken)}{_noise(others)}.",
        "reasons": _reasons(taken, best, len(close), len(known), metric),
        "doubts": _doubts(study, taken, rows, len(known), metric),
        "within_noise": [{"method": row.name, "size": row.size, "classifier": row.classifier} for row in rivals],
        "features": [study.plan.table.feature_names[j] for j in features],
    }


def _metric(study: Study, rows: list[Row]) -> str:
    """Balanced accuracy for unbalanced classes, if every configuration has one."""
    has_balanced = all(math.isfinite(row.metrics["balanced_accuracy"].value) for row in rows)
    return study.plan.judged_by if has_balanced else "accuracy"


def _is_close(study: Study, best: Row, row: Row, metric: str) -> bool:
    """Whether a configuration is at most one standard error of the difference behind the best."""
    if row is best:
        return True
    behind = _mean(best, metric) - _mean(row, metric)
    return behind <= _difference(study, best, row, metric)[0]


def _within_noise(study: Study, taken: Row, row: Row, metric: str) -> bool:
    return _difference(study, taken, row, metric)[1] >= LEVEL


def _difference(study: Study, a: Row, b: Row, metric: str) -> tuple[float, float]:
    """Standard error of the difference of two configurations, and how likely so large a one is by chance."""
    values = [per_split(study, row.method, row.size, row.classifier, metric) for row in (a, b)]
    differences = values[0] - values[1]
    differences = differences[np.isfinite(differences)]
    if len(differences) > 1:
        found = corrected_resampled_t(differences, *sizes_of_parts(study))
        return found.std_error, found.p_value
    # One test part: only its samples can tell.
    right = [np.concatenate(study.is_right(row.method, row.size, row.classifier)) for row in (a, b)]
    n = len(right[0])
    spread = float((right[0].astype(float) - right[1]).std()) / math.sqrt(n)
    return spread, mcnemar(right[0], right[1]).p_value


def _reasons(taken: Row, best: Row, n_close: int, n_all: int, metric: str) -> list[str]:
    words = _WORDS[metric]
    if n_all == 1:
        reasons = ["It is the only configuration of the study."]
    elif taken is best:
        reasons = [f"It has the highest {words} of {n_all} configurations."]
    else:
        reasons = [
            f"The highest {words} of {n_all} configurations, {_mean(best, metric):.3f}, is that of {best.words}; "
            f"this one has {_mean(taken, metric):.3f}, which is within one standard error of the difference."
        ]
    if n_close > 1 and math.isfinite(taken.stability):
        reasons.append(f"Of the {n_close} configurations that come so close, none is more stable.")
    elif n_close > 1:
        reasons.append(f"Of the {n_close} configurations that come so close, none has fewer features.")
    if taken.stability >= _HOLDS:
        reasons.append(_stability_in_words(taken))
    return reasons


def _doubts(study: Study, taken: Row, rows: list[Row], n_all: int, metric: str) -> list[str]:
    doubts = []
    value = taken.metrics[metric]
    n_classes = len(study.plan.class_names)
    # Leaving out one of equally many samples makes its class the rarer one, so that the baseline is 0.
    largest = float(np.bincount(study.plan.classes).max() / len(study.plan.classes))
    chance = 1 / n_classes if metric == "balanced_accuracy" else max(largest, baseline_accuracy(study))
    if math.isfinite(value.low) and value.low <= chance:
        doubts.append(
            f"The interval of its {_WORDS[metric]} reaches down to {value.low:.2f}, and naming the most frequent class "
            f"would give {chance:.2f}: it may have learned nothing."
        )
    if n_all > 1:
        doubts.append(
            f"It was picked among {n_all} configurations on the same samples, so expect a little less on new ones"
            + _honest(study, taken, rows, metric)
        )
    if taken.stability < _HOLDS:
        doubts.append(_stability_in_words(taken))
    shared = shared_by_training_parts([study.plan.splits[s] for s in study.splits], study.plan.table.n_samples)
    if math.isfinite(shared) and shared > _SHARED:
        doubts.append(
            f"Two training parts share {100 * shared:.0f} % of their samples; lists from other samples would agree "
            "less than the stability here says."
        )
    if metric != study.plan.judged_by:
        doubts.append(
            "The classes are unbalanced, and accuracy flatters whoever names the larger one; balanced accuracy is "
            "unknown, because no test part has every class."
        )
    doubts += _empty(study, taken)
    if not study.is_complete:
        doubts.append(f"The study is not finished: {len(study.found)} of {len(study.plan.cells)} parts are done.")
    return doubts


def _empty(study: Study, taken: Row) -> list[str]:
    """Whether the method kept nothing, on some splits or on all samples."""
    n_empty = sum(len(chosen) == 0 for chosen in study.chosen(taken.method, taken.size))
    said = []
    if n_empty:
        said.append(
            f"In {n_empty} of {len(study.splits)} splits {taken.name} kept no feature at all; the most frequent class "
            "is named then."
        )
    if len(study.on_all_samples(taken.method, taken.size)[0]) == 0:
        said.append(f"From all samples {taken.name} keeps no feature, so there is no list to use.")
    return said


def _honest(study: Study, taken: Row, rows: list[Row], metric: str) -> str:
    tuned = [r for r in rows if r.size == TUNED and r.name == taken.name and r.classifier == taken.classifier]
    if not tuned:
        return "."
    return (
        f": with the size chosen inside each training part, {taken.name} and {taken.classifier} have "
        f"{_plus_minus(tuned[0].metrics[metric])}."
    )


def _stability_in_words(row: Row) -> str:
    value = row.stability
    if value >= 0.9:
        return f"Stability {value:.2f}: nearly the same list every time."
    if value >= 0.6:
        return f"Stability {value:.2f}: most of the list comes back with other samples, some does not."
    if value >= 0.3:
        return f"Stability {value:.2f}: much of the list changes with the samples; trust the frequent names only."
    return f"Stability {value:.2f}: most of the list changes with the samples, so trust single names little."


def _stability(row: Row) -> str:
    found = row.selection["stability"]["nogueira"]
    if found["value"] is None:
        return "stability unknown"
    if found["low"] is None:
        return f"stability {found['value']:.2f}"
    return f"stability {found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"


def _plus_minus(value: MetricInterval) -> str:
    if not math.isfinite(value.value):
        return "unknown"
    if not math.isfinite(value.low):
        return f"{value.value:.2f}"
    if value.low <= 0.0 or value.high >= 1.0:
        # Cut at the end of the scale, so that both sides differ.
        return f"{value.value:.2f} [{value.low:.2f}, {value.high:.2f}]"
    return f"{value.value:.2f} ± {(value.high - value.low) / 2:.2f}"


def _noise(others: list[str]) -> str:
    if not others:
        return ""
    shown = others[:4] if len(others) <= 4 else [*others[:3], f"{len(others) - 3} more"]
    names = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
    return f"; {names} {'is' if len(others) == 1 else 'are'} within noise"


def _mean(row: Row, metric: str) -> float:
    return _or(row.metrics[metric].value, -math.inf)


def _or(value: float, otherwise: float) -> float:
    return value if math.isfinite(value) else otherwise
