"""Claims of Figures 3.4 to 3.10: what searches over thresholds keep, and features that go at once.

Features are chosen on the samples that judge them, as in the thesis, and on no others: claims on AUC are leaky.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate.friedman import FriedmanResult, friedman
from holdfast.reproduce.pino_angulo._areas3 import CLASSIFIERS
from holdfast.reproduce.pino_angulo._results3 import FIGURE, Finding, Removed, Swept
from holdfast.reproduce.pino_angulo._runs3 import DELTA, SEARCHES
from holdfast.reproduce.pino_angulo._verdicts import LEVEL, p_of_gains
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED
from holdfast.reproduce.verdicts import all_of, most_of, nearly_all_of, on_all, together

Array = npt.NDArray[Any]

LEAKY = "leaky: chosen on the samples that judge"


def ranks(found: Sequence[Swept], delta: float, quantity: str) -> FriedmanResult:
    """Friedman's test of the searches at a threshold, 90 %; of AUC more is better, of all else less."""
    return friedman(
        values(found, delta, quantity), list(SEARCHES), larger_is_better=quantity in CLASSIFIERS, level=0.10
    )


def values(found: Sequence[Swept], delta: float, quantity: str) -> Array:
    """Tables by searches at a threshold; a table that no machine judged has no row for it."""
    by = {(one.data, one.method): one.mean(quantity) for one in found if one.delta == delta and one.of(quantity)}
    return np.array([[by[data, method] for method in SEARCHES] for data in dict.fromkeys(data for data, _ in by)])


def judged_by(found: Sequence[Swept]) -> list[str]:
    """Classifiers that judged two tables at least, so that there are ranks."""
    n = {name: len({one.data for one in found if one.of(name)}) for name in CLASSIFIERS}
    return [name for name in CLASSIFIERS if n[name] > 1]


def on_sweep(found: Sequence[Swept]) -> list[Finding]:
    """The claims of Figures 3.4 to 3.7 and 3.9; none of them without two tables."""
    if len({one.data for one in found}) < 2:
        return []
    deltas = sorted({one.delta for one in found})
    above = [delta for delta in deltas if delta > 0]
    judges = judged_by(found)
    texts = (
        ("size-lcc", "FSDCC keeps significantly fewer features than LCC for δ ≥ 0.01", above, "LCC"),
        (
            "size-sdcc",
            "FSDCC keeps significantly fewer features than SDCC for δ > 0.01",
            [delta for delta in above if delta > DELTA],
            "SDCC",
        ),
    )
    findings = [_ranked(key, text, found, at, "FSDCC", other, "size") for key, text, at, other in texts]
    findings += [
        _least("least-size", "FSDCC keeps the fewest features for nearly all δ", found, above, "FSDCC", "size"),
        _least("least-risk", "FSDCC leaves the least undecided for nearly all δ", found, above, "FSDCC", "risk"),
        _best_ranked("risk-sdcc", "SDCC has the best rank in Br for small δ", found, above[:3]),
    ]
    findings += [
        _ranked(
            f"auc-{method}-{classifier}",
            f"{method} has a significantly better AUC than SDCC for all δ, {classifier}",
            found,
            deltas,
            method,
            "SDCC",
            classifier,
        )
        for classifier in judges
        for method in ("FSDCC", "ASDCC")
    ]
    for classifier in ("tree", "SVM"):
        if classifier in judges:
            findings += [_not_clear(classifier, found, above), _tends(classifier, found, above)]
    findings += [_most_accurate(classifier, found, above) for classifier in judges]
    return [*findings, _more_consistent(found, above), _ALPHAS, _corrected(found, above)]


_ALPHAS = Finding(
    "alphas",
    "Fig. 3.4",
    "of several α, 0.75 is a good one for ASDCC",
    FIGURE,
    NOT_TESTED,
    "",
    "only α = 0.75 is run; the figure names neither the others nor a number",
)


def is_ahead(result: FriedmanResult, method: str, other: str) -> bool:
    """Whether a method is the best ranked or not different from it, and another one is: Bonferroni-Dunn's shadow."""
    different = result.different_from()
    return other in different and method not in different


def _ranked(
    key: str, text: str, found: Sequence[Swept], deltas: Sequence[float], method: str, other: str, quantity: str
) -> Finding:
    """Whether a method ranks before another at every threshold, the best ranked one being the control."""
    results = [ranks(found, delta, quantity) for delta in deltas]
    ahead = [_lead(one, method, other) for one in results]
    n_before = sum(by > 0 for by in ahead)
    n_significant = sum(is_ahead(one, method, other) for one in results)
    verdict = all_of(n_significant, len(ahead))
    evidence = (
        f"better mean rank at {n_before} of {len(ahead)} δ, by {min(ahead):.2f} to {max(ahead):.2f}; significant "
        f"(beside the best ranked, {results[0].bonferroni_dunn_difference:.2f}) at {n_significant}; means "
        f"{_means(found, deltas, quantity, (method, other))}{_leaky(quantity)}"
    )
    return Finding(key, "Fig. 3.4–3.7", text, FIGURE, verdict, "", evidence)


def _lead(result: FriedmanResult, method: str, other: str) -> float:
    """By how much a method's mean rank is better."""
    rank = dict(zip(result.methods, result.mean_ranks, strict=True))
    return rank[other] - rank[method]


def _leaky(quantity: str) -> str:
    return f"; {LEAKY}" if quantity in CLASSIFIERS else ""


def _means(found: Sequence[Swept], deltas: Sequence[float], quantity: str, methods: Sequence[str]) -> str:
    at = list(SEARCHES)
    form = {"size": ".1f", "risk": ".4f"}.get(quantity, ".3f")
    shown = [delta for delta in deltas if delta in (deltas[0], 0.05, deltas[-1])]
    return "; ".join(
        f"δ = {delta:g}: "
        + ", ".join(f"{name} {values(found, delta, quantity).mean(axis=0)[at.index(name)]:{form}}" for name in methods)
        for delta in shown
    )


def _least(key: str, text: str, found: Sequence[Swept], deltas: Sequence[float], method: str, quantity: str) -> Finding:
    at = list(SEARCHES)
    means = [values(found, delta, quantity).mean(axis=0) for delta in deltas]
    first = [at[int(one.argmin())] for one in means]
    n = first.count(method)
    told = ", ".join(f"{name} {first.count(name)}" for name in at if name in first)
    verdict = nearly_all_of(n, len(deltas))
    evidence = f"smallest mean at {n} of {len(deltas)} δ ({told}); {_means(found, deltas, quantity, at)}"
    return Finding(key, "Fig. 3.4–3.7", text, FIGURE, verdict, "", evidence)


def _best_ranked(key: str, text: str, found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    best = {delta: ranks(found, delta, "risk") for delta in deltas}
    n = sum(one.control == "SDCC" for one in best.values())
    told = "; ".join(
        f"δ = {delta:g}: "
        + ", ".join(f"{name} {rank:.2f}" for name, rank in zip(one.methods, one.mean_ranks, strict=True))
        for delta, one in best.items()
    )
    verdict = all_of(n, len(best))
    return Finding(key, "Fig. 3.6", text, FIGURE, verdict, "", f"best at {n} of {len(best)} δ; mean ranks {told}")


def _not_clear(classifier: str, found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    n = {"FSDCC": 0, "ASDCC": 0}
    for delta in deltas:
        result = ranks(found, delta, classifier)
        for method in n:
            n[method] += is_ahead(result, method, "LCC")
    verdict = together(most_of(len(deltas) - count, len(deltas)) for count in n.values())
    told = ", ".join(f"{method} at {count} of {len(deltas)} δ" for method, count in n.items())
    return Finding(
        f"unclear-{classifier}",
        "Fig. 3.7",
        f"the advantage of FSDCC and ASDCC over LCC is not clearly significant, {classifier}",
        FIGURE,
        verdict,
        "",
        f"significant {told}; means {_means(found, deltas, classifier, ('LCC', 'FSDCC', 'ASDCC'))}; {LEAKY}",
    )


def _tends(classifier: str, found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    results = [ranks(found, delta, classifier) for delta in deltas]
    n = {method: sum(_lead(one, method, "LCC") > 0 for one in results) for method in ("FSDCC", "ASDCC")}
    return Finding(
        f"tends-{classifier}",
        "§3.4, Fig. 3.7",
        f"the mean rank of FSDCC and ASDCC tends to be better than that of LCC, {classifier}",
        FIGURE,
        together(most_of(count, len(deltas)) for count in n.values()),
        "",
        ", ".join(f"{method} better at {count} of {len(deltas)} δ" for method, count in n.items()) + f"; {LEAKY}",
    )


def _most_accurate(classifier: str, found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    at = list(SEARCHES)
    first = [at[int(values(found, delta, classifier).mean(axis=0).argmax())] for delta in deltas]
    return Finding(
        f"accurate-{classifier}",
        "§3.4, Fig. 3.5",
        f"speaking generally, the sets of ASDCC are the most accurate of all, {classifier}",
        FIGURE,
        most_of(first.count("ASDCC"), len(deltas)),
        "",
        f"largest mean AUC at {first.count('ASDCC')} of {len(deltas)} δ; {_means(found, deltas, classifier, at)}; "
        f"{LEAKY}",
    )


def _more_consistent(found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    at = list(SEARCHES).index
    means = [values(found, delta, "risk").mean(axis=0) for delta in deltas]
    n = sum(one[at("ASDCC")] < one[at("LCC")] for one in means)
    return Finding(
        "consistent",
        "§3.4, Fig. 3.5",
        "speaking generally, the sets of ASDCC are more consistent than those of LCC",
        FIGURE,
        most_of(n, len(deltas)),
        "",
        f"smaller mean Br at {n} of {len(deltas)} δ; {_means(found, deltas, 'risk', ('ASDCC', 'LCC'))}",
    )


def _corrected(found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    """The gain of each table is a mean over thresholds."""
    at = list(SEARCHES).index
    told, ps = [], []
    for quantity, sign in (("tree", 1), ("risk", -1), ("size", -1)):
        tables = np.mean([values(found, delta, quantity) for delta in deltas], axis=0)
        gain = sign * (tables[:, at("FSDCC")] - tables[:, at("SDCC")])
        ps.append(p_of_gains(gain))
        told.append(f"{quantity} better by {gain.mean():.4g} on average, p = {ps[-1]:.2g}")
    return Finding(
        "corrected",
        "§3.5, Fig. 3.9",
        "the corrected SDCC (which is FSDCC) is significantly better than SDCC in tree AUC, Br and size",
        FIGURE,
        on_all(p < LEVEL for p in ps),
        "",
        f"{', '.join(told)} (signed ranks over {len(tables)} tables, which are not the 50 of the figure); AUC {LEAKY}",
    )


def on_removal(found: Sequence[Removed]) -> list[Finding]:
    """The claim of Figure 3.10; none without a table of more than 10,000 features."""
    classes = {"n ≤ 100": (0, 100), "100 < n ≤ 10,000": (100, 10_000), "n > 10,000": (10_000, np.inf)}
    share, told = {}, []
    for name, (low, high) in classes.items():
        part = [one for one in found if low < one.n_features <= high]
        if part:
            share[name] = float(np.mean([one.share for one in part]))
            lowest = min(one.share for one in part)
            constant = np.mean([one.n_constant / one.n_features for one in part])
            told.append(
                f"{name}: {share[name]:.3f} (smallest {lowest:.3f}; {len(part)} tables; constant {constant:.2f})"
            )
    wide = list(classes)[-1]
    if wide not in share:
        return []
    return [
        Finding(
            "mass",
            "Fig. 3.10",
            f"l/n, the share of features that go at once, is close to 1 for high-dimensional data ({wide})",
            FIGURE,
            HOLDS if share[wide] > 0.9 else FAILS,
            "",
            "mean l/n, " + "; ".join(told),
        )
    ]
