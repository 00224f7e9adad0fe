"""Verdicts: our numbers beside the printed ones of Ben Brahim 2015, chapter 2, and what the thesis says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reproduction.chapter2 import BASELINES, INSTANCE_BASED, Result
from reproduction.printed import (
    AGREES,
    NOT_PRINTED,
    NOT_REACHED,
    WORSE,
    Claim,
    Printed,
    judge,
    marked,
    noise,
    read_numbers,
)
from reproduction.protocol import kuncheva

PRINTED = Path(__file__).with_name("printed_chapter2.csv")

CLASSIFIER_NAMES = {"1-nn": "1-NN", "svm": "linear SVM"}
Key = tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """One method on one table: what is printed, what we get, and a verdict on each of the three."""

    result: Result
    printed: Mapping[str, Printed]
    at_printed: tuple[float, float] | None
    verdicts: Mapping[str, str]


def read_printed(path: Path = PRINTED) -> dict[Key, Printed]:
    """Every printed number by data set, method, classifier and quantity; of repeated ones the first."""
    return read_numbers(path, ("data", "method", "classifier", "quantity"))


def beside(result: Result, printed: Mapping[Key, Printed]) -> Beside:
    """Compare a result with what is printed.

    The error is compared with the printed error. Where the minimum lies is chance on a flat curve, so list length and
    number of features agree if our error there is within noise of our smallest; stability is compared there too.
    """
    names = ("mce", "candidate_size", "size", "stability", "seconds")
    known = {
        name: printed[key]
        for name in names
        if (key := (result.data, result.method, result.classifier, name)) in printed
    }
    if "mce" not in known:
        return Beside(result, known, None, dict.fromkeys(("mce", "size", "stability"), NOT_PRINTED))
    there = _at(result, known)
    verdicts = {
        "mce": judge(known["mce"], result.mce - known["mce"].value, _noise(result, known), smaller_is_better=True),
        "size": _judge_place(result, known["size"], there),
        "stability": judge(
            known["stability"],
            (result.stability if there is None else there[1]) - known["stability"].value,
            0.1,
            smaller_is_better=False,
        ),
    }
    return Beside(result, known, there, verdicts)


def _noise(result: Result, known: Mapping[str, Printed]) -> float:
    return noise(result.mce, known["mce"].value, result.n_samples)


def _at(result: Result, known: Mapping[str, Printed]) -> tuple[float, float] | None:
    """Our error and stability with the printed list length and number of features, if all folds have as many."""
    length = int(known["candidate_size"].value) if "candidate_size" in known else None
    curve, size = result.curves.get(length), int(known["size"].value)
    if curve is None or size not in curve.subsets:
        return None
    error = curve.mce(result.average)[curve.sizes.tolist().index(size)]
    return float(error), kuncheva(curve.subsets[size], curve.n_features)


def _judge_place(result: Result, printed: Printed, there: tuple[float, float] | None) -> str:
    if there is None:
        return marked(NOT_REACHED, printed)
    is_flat = there[0] - result.mce <= noise(there[0], result.mce, result.n_samples) + 1e-9
    return marked(AGREES if is_flat else WORSE, printed)


def claims(results: Sequence[Result]) -> list[Claim]:
    """The statements on chapter 2 that can be tested in direction; all tables have equal weight."""
    found = []
    for classifier, name in CLASSIFIER_NAMES.items():
        methods = (*INSTANCE_BASED, *BASELINES)
        mce = {method: _mean(results, method, classifier, "mce") for method in methods}
        lowest = sorted(mce, key=mce.__getitem__)
        found.append(
            Claim(
                f"IB-OF and IB-RedE have the lowest average MCE ({name})",
                set(lowest[:2]) == {"IB-OF", "IB-RedE"},
                _listed(mce, lowest),
            )
        )
        stable = {method: _mean(results, method, classifier, "stability") for method in INSTANCE_BASED}
        found.append(
            Claim(
                f"IB-WMA and IB-RA are more stable than IB-OF and IB-RedE ({name}, each at its own optimum)",
                min(stable["IB-WMA"], stable["IB-RA"]) > max(stable["IB-OF"], stable["IB-RedE"]),
                _listed(stable, INSTANCE_BASED),
            )
        )
    fixed = {method: _mean(results, method, "svm", "fixed_stability") for method in INSTANCE_BASED}
    found.append(
        Claim(
            "the same with lists of 10 and 50 features for all",
            min(fixed["IB-WMA"], fixed["IB-RA"]) > max(fixed["IB-OF"], fixed["IB-RedE"]),
            _listed(fixed, INSTANCE_BASED),
        )
    )
    lengths = [result.candidate_size for result in results if result.method in INSTANCE_BASED]
    found.append(
        Claim(
            "the best list length is mostly at most 10",
            sum(length <= 10 for length in lengths) > len(lengths) / 2,
            f"{sum(length <= 10 for length in lengths)} of {len(lengths)}",
        )
    )
    return found + _claims_on_wrappers(results)


def _claims_on_wrappers(results: Sequence[Result]) -> list[Claim]:
    by = {(result.data, result.method): result for result in results if result.classifier == "1-nn"}
    sets = sorted({data for data, method in by if method == "HIB-CSS"})
    if not sets:
        return []
    pairs = [(by[data, "HIB-CSS"], by[data, "HIB-SBS"]) for data in sets]
    n_lower = sum(css.mce < sbs.mce for css, sbs in pairs)
    n_equal = sum(css.mce == sbs.mce for css, sbs in pairs)
    n_stabler = sum(css.stability > sbs.stability for css, sbs in pairs)
    n_quicker = sum(max(css.seconds, sbs.seconds) < by[css.data, "Randomized"].seconds for css, sbs in pairs)
    factor = [css.seconds / by[css.data, "t-test"].seconds for css, _ in pairs]
    return [
        Claim(
            "HIB-CSS has a lower MCE than HIB-SBS on every set",
            n_lower == len(sets),
            f"lower on {n_lower} of {len(sets)}, equal on {n_equal}",
        ),
        Claim(
            "HIB-CSS is more stable than HIB-SBS on every set", n_stabler == len(sets), f"on {n_stabler} of {len(sets)}"
        ),
        Claim(
            "the hybrids are much slower than a filter",
            min(factor) > 10,
            f"HIB-CSS with ten list lengths takes {min(factor):.0f} to {max(factor):.0f} times as long as t-test",
        ),
        Claim(
            "the hybrids are faster than Randomized on most sets",
            n_quicker > len(sets) / 2,
            f"on {n_quicker} of {len(sets)}",
        ),
    ]


def _mean(results: Iterable[Result], method: str, classifier: str, what: str) -> float:
    return float(np.mean([getattr(r, what) for r in results if (r.method, r.classifier) == (method, classifier)]))


def _listed(values: Mapping[str, float], order: Iterable[str]) -> str:
    return ", ".join(f"{name} {values[name]:.4f}" for name in order)
