"""Claims of Figures 3.4 to 3.10 and of Table 3.2: searches over thresholds, and features that go at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate.friedman import FriedmanResult, friedman
from holdfast.reproduce.pino_angulo._areas3 import CLASSIFIERS
from holdfast.reproduce.pino_angulo._results3 import FIGURE, Finding, Removed, Swept
from holdfast.reproduce.pino_angulo._runs3 import DELTA, SEARCHES
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

Array = npt.NDArray[Any]

# At least so many features are many: SDCC can be at most (n + 1) / 2 times as dear as a search of n evaluations.
MANY = 100
# This share of the thresholds is nearly all.
MOST = 0.8


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
    """The claims of Figures 3.4 to 3.7 and 3.9, and of Table 3.2; none of them without two tables."""
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
    findings += [_not_clear(classifier, found, above) for classifier in ("tree", "SVM") if classifier in judges]
    return [*findings, *_on_evaluations(found, above), _corrected(found, above)]


def _ranked(
    key: str, text: str, found: Sequence[Swept], deltas: Sequence[float], method: str, other: str, quantity: str
) -> Finding:
    """Whether a method ranks before another at every threshold, by Bonferroni-Dunn's difference."""
    ahead = []
    for delta in deltas:
        result = ranks(found, delta, quantity)
        rank = dict(zip(result.methods, result.mean_ranks, strict=True))
        ahead.append((rank[other] - rank[method], result.bonferroni_dunn_difference))
    n_before = sum(by > 0 for by, _ in ahead)
    n_significant = sum(by >= needed for by, needed in ahead)
    verdict = HOLDS if n_significant == len(ahead) else IN_PART if n_before >= MOST * len(ahead) else FAILS
    least, most = min(by for by, _ in ahead), max(by for by, _ in ahead)
    evidence = (
        f"better mean rank at {n_before} of {len(ahead)} δ, by {least:.2f} to {most:.2f}; significant (≥ "
        f"{ahead[0][1]:.2f}) at {n_significant}; means {_means(found, deltas, quantity, (method, other))}"
    )
    return Finding(key, "Fig. 3.4–3.7", text, FIGURE, verdict, "", evidence)


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
    verdict = HOLDS if n >= MOST * len(deltas) else FAILS
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
    verdict = HOLDS if n == len(best) else IN_PART if n else FAILS
    return Finding(key, "Fig. 3.6", text, FIGURE, verdict, "", f"best at {n} of {len(best)} δ; mean ranks {told}")


def _not_clear(classifier: str, found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    n = {"FSDCC": 0, "ASDCC": 0}
    for delta in deltas:
        result = ranks(found, delta, classifier)
        rank = dict(zip(result.methods, result.mean_ranks, strict=True))
        for method in n:
            n[method] += rank["LCC"] - rank[method] >= result.bonferroni_dunn_difference
    verdict = HOLDS if max(n.values()) <= len(deltas) / 2 else FAILS
    told = ", ".join(f"{method} at {count} of {len(deltas)} δ" for method, count in n.items())
    return Finding(
        f"unclear-{classifier}",
        "Fig. 3.7",
        f"the advantage of FSDCC and ASDCC over LCC is not clearly significant, {classifier}",
        FIGURE,
        verdict,
        "",
        f"significant {told}; means {_means(found, deltas, classifier, ('LCC', 'FSDCC', 'ASDCC'))}",
    )


def evaluation_ratios(found: Sequence[Swept], delta: float, method: str) -> dict[str, float]:
    """Evaluations of SDCC over those of a method, by table."""
    by = {(one.data, one.method): one.mean("evaluations") for one in found if one.delta == delta}
    return {data: by[data, "SDCC"] / by[data, method] for data, one in by if one == method}


def of_many_features(found: Sequence[Swept]) -> list[str]:
    """Tables of many features."""
    return list(dict.fromkeys(one.data for one in found if one.n_features >= MANY))


def _on_evaluations(found: Sequence[Swept], deltas: Sequence[float]) -> list[Finding]:
    many = of_many_features(found)
    findings = []
    for method in ("FSDCC", "ASDCC"):
        ratio = {delta: evaluation_ratios(found, delta, method) for delta in deltas}
        of_all = [float(np.mean(list(one.values()))) for one in ratio.values()]
        verdict, told = NOT_TESTED, f"no table of ≥ {MANY} features"
        if many:
            of_many = [float(np.mean([one[data] for data in many])) for one in ratio.values()]
            verdict = HOLDS if min(of_many) >= 20 else IN_PART if min(of_many) > 1 else FAILS
            told = f"mean ratio over {', '.join(many)}: {min(of_many):.0f} to {max(of_many):.0f}"
        findings.append(
            Finding(
                f"evaluations-{method}",
                "Fig. 3.5, §3.4",
                f"SDCC needs at least 20 times the evaluations of {method} for δ > 0, where features are many "
                f"(≥ {MANY})",
                "about 30 times" if method == "FSDCC" else "20 to 30 times",
                verdict,
                "",
                f"{told}; over all tables {min(of_all):.1f} to {max(of_all):.1f}; at δ = {deltas[0]:g} "
                + ", ".join(f"{data} {value:.1f}" for data, value in ratio[deltas[0]].items()),
            )
        )
    return [*findings, _same_at_0(found), _seconds(found)]


def _same_at_0(found: Sequence[Swept]) -> Finding:
    lazy = {(one.data, one.method): one for one in found if one.delta == 0.0}
    same = [
        list(one.subsets) == list(lazy[data, "LCC"].subsets) and list(one.n_evaluations) == [one.n_features]
        for (data, method), one in lazy.items()
        if method in ("FSDCC", "ASDCC")
    ]
    return Finding(
        "same-at-0",
        "§3.4",
        "at δ = 0 FSDCC and ASDCC keep what LCC keeps, from n evaluations",
        "proved",
        HOLDS if all(same) else FAILS,
        "",
        f"{sum(same)} of {len(same)}",
    )


def _seconds(found: Sequence[Swept]) -> Finding:
    seconds = {m: sum(one.mean("seconds") for one in found if (one.delta, one.method) == (DELTA, m)) for m in SEARCHES}
    times = {method: seconds["SDCC"] / max(seconds[method], 1e-9) for method in ("LCC", "FSDCC", "ASDCC")}
    return Finding(
        "seconds",
        "Table 3.2",
        "at δ = 0.01 SDCC takes far longer than the others (sums over all tables)",
        "45.6, 34.6, 33.4 times LCC, FSDCC, ASDCC",
        HOLDS if min(times.values()) >= 10 else IN_PART if min(times.values()) > 1 else FAILS,
        "",
        ", ".join(f"{value:.1f} times {method}" for method, value in times.items()),
    )


def _corrected(found: Sequence[Swept], deltas: Sequence[float]) -> Finding:
    at = list(SEARCHES).index
    told, is_better = [], []
    for quantity, sign in (("tree", 1), ("risk", -1), ("size", -1)):
        gains = [
            sign * float((table[:, at("FSDCC")] - table[:, at("SDCC")]).mean())
            for table in (values(found, delta, quantity) for delta in deltas)
        ]
        is_better.append(sum(gain > 0 for gain in gains) > len(gains) / 2)
        told.append(f"{quantity} better at {sum(gain > 0 for gain in gains)} of {len(gains)} δ")
    return Finding(
        "corrected",
        "Fig. 3.9",
        "the corrected SDCC (which is FSDCC) is better than SDCC in tree AUC, Br and size",
        FIGURE,
        HOLDS if all(is_better) else IN_PART if sum(is_better) > 1 else FAILS,
        "",
        f"means over tables: {', '.join(told)}",
    )


def on_removal(found: Sequence[Removed]) -> list[Finding]:
    """The claim of Figure 3.10; none without a table of many features."""
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
    wide = [value for name, value in share.items() if name != "n ≤ 100"]
    if not wide:
        return []
    return [
        Finding(
            "mass",
            "Fig. 3.10",
            "l/n, the share of features that go at once, is close to 1 for high-dimensional data",
            FIGURE,
            HOLDS if min(wide) > 0.9 else FAILS,
            "",
            "mean l/n, " + "; ".join(told),
        )
    ]
