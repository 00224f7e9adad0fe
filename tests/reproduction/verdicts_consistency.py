"""Claims of Pino Angulo 2019, chapter 3, that its own tables or figures support, tested on our runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from holdfast.evaluate.friedman import FriedmanResult, friedman
from reproduction.consistency import FILTERS, SEARCHES, Compared, Effort, Removed, Swept
from reproduction.consistency_tables import CLASSIFIERS
from reproduction.printed import Printed, read_numbers

PRINTED = Path(__file__).with_name("printed_consistency.csv")
COLUMNS = ("table", "data", "method", "quantity")
HOLDS, DIRECTION, FAILS = "holds", "direction only", "does not hold"
FIGURE = "figure only"
# Names of the tables of the thesis that are at hand, in Tables 3.3 and 3.5.
PRINTED_AS = {"Arrhythmia": "ARR", "Optdigits": "OPT", "Splice": "SPL", "Madelon": "MAD"}
# At least so many features are many: SDCC can be at most (n + 1) / 2 times as dear as a search of n evaluations.
MANY = 100
NEAR = 0.01
# This share of the thresholds is nearly all.
MOST = 0.8

Key = tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """A claim, what is printed of it, and whether it holds, as in the thesis and with a choice inside the folds."""

    key: str
    source: str
    text: str
    printed: str
    verdict: str
    inside: str
    evidence: str


def read_printed() -> dict[Key, Printed]:
    """Every number of Tables 3.2 to 3.5."""
    return read_numbers(PRINTED, COLUMNS)


def printed_column(printed: Mapping[Key, Printed], table: str, method: str, quantity: str) -> list[float]:
    """A column of a printed table, without its average."""
    return [
        one.value
        for (in_table, data, *rest), one in printed.items()
        if in_table == table and data != "AVG" and rest == [method, quantity]
    ]


def ranks(found: Sequence[Swept], delta: float, quantity: str) -> FriedmanResult:
    """Friedman's test of the searches at a threshold, 90 %; of AUC more is better, of all else less."""
    return friedman(
        values(found, delta, quantity), list(SEARCHES), larger_is_better=quantity in CLASSIFIERS, level=0.10
    )


def values(found: Sequence[Swept], delta: float, quantity: str) -> np.ndarray:
    """Tables by searches at a threshold."""
    by = {(one.data, one.method): one.mean(quantity) for one in found if one.delta == delta}
    return np.array([[by[data, method] for method in SEARCHES] for data in dict.fromkeys(data for data, _ in by)])


def on_sweep(found: Sequence[Swept]) -> list[Verdict]:
    """The claims of Figures 3.4 to 3.7 and 3.9, and of Table 3.2."""
    deltas = sorted({one.delta for one in found})
    above = [delta for delta in deltas if delta > 0]
    verdicts = [
        _ranked(
            "size-lcc",
            "FSDCC keeps significantly fewer features than LCC for δ ≥ 0.01",
            found,
            above,
            "FSDCC",
            "LCC",
            "size",
        ),
        _ranked(
            "size-sdcc",
            "FSDCC keeps significantly fewer features than SDCC for δ > 0.01",
            found,
            [delta for delta in above if delta > 0.01],
            "FSDCC",
            "SDCC",
            "size",
        ),
        _least("least-size", "FSDCC keeps the fewest features for nearly all δ", found, above, "FSDCC", "size"),
        _least("least-risk", "FSDCC leaves the least undecided for nearly all δ", found, above, "FSDCC", "risk"),
        _best_ranked("risk-sdcc", "SDCC has the best rank in Br for small δ", found, above[:3]),
    ]
    verdicts += [
        _ranked(
            f"auc-{method}-{classifier}",
            f"{method} has a significantly better AUC than SDCC for all δ, {classifier}",
            found,
            deltas,
            method,
            "SDCC",
            classifier,
        )
        for classifier in CLASSIFIERS
        for method in ("FSDCC", "ASDCC")
    ]
    verdicts += [_not_clear(classifier, found, above) for classifier in ("tree", "SVM")]
    return [*verdicts, *_on_evaluations(found, above), _corrected(found, above)]


def _ranked(
    key: str, text: str, found: Sequence[Swept], deltas: Sequence[float], method: str, other: str, quantity: str
) -> Verdict:
    """Whether a method ranks before another at every threshold, by Bonferroni-Dunn's difference."""
    ahead = []
    for delta in deltas:
        result = ranks(found, delta, quantity)
        rank = dict(zip(result.methods, result.mean_ranks, strict=True))
        ahead.append((rank[other] - rank[method], result.bonferroni_dunn_difference))
    n_before = sum(by > 0 for by, _ in ahead)
    n_significant = sum(by >= needed for by, needed in ahead)
    verdict = HOLDS if n_significant == len(ahead) else DIRECTION if n_before >= MOST * len(ahead) else FAILS
    least, most = min(by for by, _ in ahead), max(by for by, _ in ahead)
    evidence = (
        f"better mean rank at {n_before} of {len(ahead)} δ, by {least:.2f} to {most:.2f}; significant (≥ "
        f"{ahead[0][1]:.2f}) at {n_significant}; means {_means(found, deltas, quantity, (method, other))}"
    )
    return Verdict(key, "Fig. 3.4–3.7", text, FIGURE, verdict, "", evidence)


def _means(found: Sequence[Swept], deltas: Sequence[float], quantity: str, methods: Sequence[str]) -> str:
    at = list(SEARCHES)
    form = {"size": ".1f", "risk": ".4f"}.get(quantity, ".3f")
    shown = [delta for delta in deltas if delta in (deltas[0], 0.05, deltas[-1])]
    return "; ".join(
        f"δ = {delta:g}: "
        + ", ".join(f"{name} {values(found, delta, quantity).mean(axis=0)[at.index(name)]:{form}}" for name in methods)
        for delta in shown
    )


def _least(key: str, text: str, found: Sequence[Swept], deltas: Sequence[float], method: str, quantity: str) -> Verdict:
    at = list(SEARCHES)
    means = [values(found, delta, quantity).mean(axis=0) for delta in deltas]
    first = [at[int(one.argmin())] for one in means]
    n = first.count(method)
    told = ", ".join(f"{name} {first.count(name)}" for name in at if name in first)
    verdict = HOLDS if n >= MOST * len(deltas) else FAILS
    evidence = f"smallest mean at {n} of {len(deltas)} δ ({told}); {_means(found, deltas, quantity, at)}"
    return Verdict(key, "Fig. 3.4–3.7", text, FIGURE, verdict, "", evidence)


def _best_ranked(key: str, text: str, found: Sequence[Swept], deltas: Sequence[float]) -> Verdict:
    best = {delta: ranks(found, delta, "risk") for delta in deltas}
    n = sum(one.control == "SDCC" for one in best.values())
    told = "; ".join(
        f"δ = {delta:g}: "
        + ", ".join(f"{name} {rank:.2f}" for name, rank in zip(one.methods, one.mean_ranks, strict=True))
        for delta, one in best.items()
    )
    verdict = HOLDS if n == len(best) else DIRECTION if n else FAILS
    return Verdict(key, "Fig. 3.6", text, FIGURE, verdict, "", f"best at {n} of {len(best)} δ; mean ranks {told}")


def _not_clear(classifier: str, found: Sequence[Swept], deltas: Sequence[float]) -> Verdict:
    n = {"FSDCC": 0, "ASDCC": 0}
    for delta in deltas:
        result = ranks(found, delta, classifier)
        rank = dict(zip(result.methods, result.mean_ranks, strict=True))
        for method in n:
            n[method] += rank["LCC"] - rank[method] >= result.bonferroni_dunn_difference
    verdict = HOLDS if max(n.values()) <= len(deltas) / 2 else FAILS
    told = ", ".join(f"{method} at {count} of {len(deltas)} δ" for method, count in n.items())
    return Verdict(
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


def _on_evaluations(found: Sequence[Swept], deltas: Sequence[float]) -> list[Verdict]:
    n_features = {one.data: one.n_features for one in found}
    many = [data for data, n in n_features.items() if n >= MANY]
    verdicts = []
    for method in ("FSDCC", "ASDCC"):
        ratio = {delta: evaluation_ratios(found, delta, method) for delta in deltas}
        of_many = [np.mean([one[data] for data in many]) for one in ratio.values()] if many else [np.nan]
        of_all = [np.mean(list(one.values())) for one in ratio.values()]
        verdicts.append(
            Verdict(
                f"evaluations-{method}",
                "Fig. 3.5, §3.4",
                f"SDCC needs at least 20 times the evaluations of {method} for δ > 0, where features are many "
                f"(≥ {MANY})",
                "about 30 times" if method == "FSDCC" else "20 to 30 times",
                HOLDS if min(of_many) >= 20 else DIRECTION if min(of_many) > 1 else FAILS,
                "",
                f"mean ratio over {', '.join(many)}: {min(of_many):.0f} to {max(of_many):.0f}; over all tables "
                f"{min(of_all):.1f} to {max(of_all):.1f}; at δ = {deltas[0]:g} "
                + ", ".join(f"{data} {value:.1f}" for data, value in ratio[deltas[0]].items()),
            )
        )
    lazy = {(one.data, one.method): one for one in found if one.delta == 0.0}
    same = [
        lazy[data, method].subsets == lazy[data, "LCC"].subsets
        and lazy[data, method].n_evaluations == (n_features[data],)
        for data in n_features
        for method in ("FSDCC", "ASDCC")
    ]
    seconds = {m: sum(one.mean("seconds") for one in found if (one.delta, one.method) == (0.01, m)) for m in SEARCHES}
    times = {method: seconds["SDCC"] / seconds[method] for method in ("LCC", "FSDCC", "ASDCC")}
    return [
        *verdicts,
        Verdict(
            "same-at-0",
            "§3.4",
            "at δ = 0 FSDCC and ASDCC keep what LCC keeps, from n evaluations",
            "proved",
            HOLDS if all(same) else FAILS,
            "",
            f"{sum(same)} of {len(same)}",
        ),
        Verdict(
            "seconds",
            "Table 3.2",
            "at δ = 0.01 SDCC takes far longer than the others (sums over all tables)",
            "45.6, 34.6, 33.4 times LCC, FSDCC, ASDCC",
            HOLDS if min(times.values()) >= 10 else DIRECTION if min(times.values()) > 1 else FAILS,
            "",
            ", ".join(f"{value:.1f} times {method}" for method, value in times.items()),
        ),
    ]


def _corrected(found: Sequence[Swept], deltas: Sequence[float]) -> Verdict:
    at = list(SEARCHES).index
    told, is_better = [], []
    for quantity, sign in (("tree", 1), ("risk", -1), ("size", -1)):
        gains = [
            sign * float((table[:, at("FSDCC")] - table[:, at("SDCC")]).mean())
            for table in (values(found, delta, quantity) for delta in deltas)
        ]
        is_better.append(sum(gain > 0 for gain in gains) > len(gains) / 2)
        told.append(f"{quantity} better at {sum(gain > 0 for gain in gains)} of {len(gains)} δ")
    return Verdict(
        "corrected",
        "Fig. 3.9",
        "the corrected SDCC (which is FSDCC) is better than SDCC in tree AUC, Br and size",
        FIGURE,
        HOLDS if all(is_better) else DIRECTION if sum(is_better) > 1 else FAILS,
        "",
        f"means over tables: {', '.join(told)}",
    )


def on_removal(found: Sequence[Removed]) -> list[Verdict]:
    """The claim of Figure 3.10."""
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
    return [
        Verdict(
            "mass",
            "Fig. 3.10",
            "l/n, the share of features that go at once, is close to 1 for high-dimensional data",
            FIGURE,
            HOLDS if wide and min(wide) > 0.9 else FAILS,
            "",
            "mean l/n, " + "; ".join(told),
        )
    ]


def filter_table(found: Sequence[Compared], of: Callable[[Compared], float]) -> np.ndarray:
    """Tables by filters."""
    by = {(one.data, one.method): of(one) for one in found}
    return np.array([[by[data, method] for method in FILTERS] for data in dict.fromkeys(data for data, _ in by)])


def printed_filters(printed: Mapping[Key, Printed], quantity: str) -> np.ndarray:
    """Tables by filters of Table 3.3."""
    return np.column_stack([printed_column(printed, "3.3", method, quantity) for method in FILTERS])


def n_first(table: np.ndarray, *, larger: bool) -> dict[str, int]:
    """On how many tables each filter is the best, ties counted for all."""
    best = (table.max if larger else table.min)(axis=1, keepdims=True)
    return dict(zip(FILTERS, (np.abs(table - best) < 5e-4).sum(axis=0).tolist(), strict=True))


def on_filters(found: Sequence[Compared], printed: Mapping[Key, Printed]) -> list[Verdict]:
    """The claims of Table 3.3 and Figure 3.12; AUC to three digits, as printed."""
    sizes = [filter_table(found, lambda one: one.size), filter_table(found, lambda one: one.size_inside)]
    slcc, swcfs = FILTERS.index("SLCC"), FILTERS.index("SWCFS")
    in_print = printed_filters(printed, "features")
    n_tables = len(sizes[0])

    def on_sizes(key: str, text: str, say: Callable[[np.ndarray], tuple[bool, str]]) -> Verdict:
        (as_there, told), (inside, told_inside) = map(say, sizes)
        verdict, honest = (HOLDS if one else FAILS for one in (as_there, inside))
        return Verdict(key, "Table 3.3", text, say(in_print)[1], verdict, honest, f"{told}; inside: {told_inside}")

    def never_larger(table: np.ndarray) -> tuple[bool, str]:
        n = int((table[:, swcfs] <= table[:, slcc]).sum())
        return n == len(table), f"{n} of {len(table)}"

    def smallest(table: np.ndarray) -> tuple[bool, str]:
        n, mean = n_first(table, larger=False)["SWCFS"], table.mean(axis=0)
        told = ", ".join(f"{name} {value:.1f}" for name, value in zip(FILTERS, mean, strict=True))
        return n >= len(table) / 2, f"{n} of {len(table)} (mean sizes {told})"

    verdicts = [
        on_sizes("swcfs-slcc", "SWCFS is never larger than SLCC", never_larger),
        on_sizes("swcfs-smallest", "SWCFS is the smallest on half of the tables", smallest),
    ]
    for name, there in (("NB", "AUC NB"), ("tree", "AUC C4.5")):
        table = printed_filters(printed, there)
        ours = [
            filter_table(found, lambda one, name=name: one.auc[name]).round(3),
            filter_table(found, lambda one, name=name: one.auc_inside[name]).round(3),
        ]
        firsts = [n_first(one, larger=True) for one in (table, *ours)]
        means = [dict(zip(FILTERS, one.mean(axis=0), strict=True)) for one in (table, *ours)]
        said = "the text says > 68 %" if name == "NB" else "the text says > 62 %"
        verdicts += [
            Verdict(
                f"tops-{name}",
                "Table 3.3",
                f"SWCFS has the best AUC on more tables than any other filter, {name}",
                f"{firsts[0]['SWCFS']} of 16 = {firsts[0]['SWCFS'] / 16:.1%} ({said})",
                *(HOLDS if one["SWCFS"] == max(one.values()) else FAILS for one in firsts[1:]),
                "; inside: ".join(
                    ", ".join(f"{m} {n}" for m, n in one.items()) + f" of {n_tables}" for one in firsts[1:]
                ),
            ),
            Verdict(
                f"mean-{name}",
                "Table 3.3",
                f"SWCFS has the best mean AUC, {name}",
                ", ".join(f"{m} {value:.3f}" for m, value in means[0].items()),
                *(HOLDS if one["SWCFS"] == max(one.values()) else FAILS for one in means[1:]),
                "; inside: ".join(", ".join(f"{m} {value:.3f}" for m, value in one.items()) for one in means[1:]),
            ),
            _nemenyi(name, table, ours),
        ]
    return verdicts


def _nemenyi(name: str, printed: np.ndarray, ours: Sequence[np.ndarray]) -> Verdict:
    """Filters that SWCFS differs from by Nemenyi at 0.05, in print (recomputed) and here."""
    found = [friedman(table, list(FILTERS)) for table in (printed, *ours)]
    worse = []
    for one in found:
        rank = dict(zip(one.methods, one.mean_ranks, strict=True))
        worse.append([m for m in FILTERS if rank[m] - rank["SWCFS"] >= one.nemenyi_difference])
    told = [
        ", ".join(f"{m} {rank:.2f}" for m, rank in zip(one.methods, one.mean_ranks, strict=True))
        + f", p = {one.p_value:.2g}"
        for one in found
    ]
    return Verdict(
        f"nemenyi-{name}",
        "Fig. 3.12",
        f"SWCFS is significantly better than {' and '.join(worse[0])} (Nemenyi, 0.05), {name}",
        f"ranks {told[0]}",
        *(HOLDS if set(worse[0]) <= set(one) else FAILS for one in worse[1:]),
        f"ranks {told[1]}; inside: {told[2]}",
    )


def on_effort(found: Sequence[Effort], compared: Sequence[Compared], printed: Mapping[Key, Printed]) -> list[Verdict]:
    """The claims of Tables 3.4 and 3.5 and of Figures 3.13 to 3.17."""
    judged, every = (
        np.array(printed_column(printed, "3.5", *what)) for what in (("SALCC", "sets judged"), ("LCC", "all sets"))
    )
    lcc, salcc = (np.array(printed_column(printed, "3.5", method, "features")) for method in ("LCC", "SALCC"))
    n = len(found)
    n_fewer_sets = sum(one.n_judged < one.n_all for one in found)
    n_smaller = sum(one.salcc_size < one.lcc_size for one in found)
    n_no_larger = sum(one.salcc_size <= one.lcc_size for one in found)
    gaps = [one.best_score - one.salcc_score for one in found]
    n_best, n_near = sum(gap < 1e-12 for gap in gaps), sum(gap < NEAR for gap in gaps)
    above = [one.salcc_score - one.slcc_score for one in found]
    guided = f"not below on {sum(by >= -1e-12 for by in above)} of {n}, mean gain {np.mean(above):.4f}"
    honest, told = "", ""
    slcc = {one.data: one.auc_inside for one in compared if one.method == "SLCC"}
    if all(one.auc_inside for one in found):
        below = {
            name: [one.auc_inside[name] - slcc[one.data][name] for one in found if one.data in slcc]
            for name in ("NB", "tree")
        }
        honest = HOLDS if min(map(min, below.values())) >= 0 else FAILS
        told = "; inside: " + "; ".join(
            f"{name} not below on {sum(by >= 0 for by in gains)} of {len(gains)}, mean gain {np.mean(gains):+.4f}, "
            f"from {min(gains):+.3f} to {max(gains):+.3f}"
            for name, gains in below.items()
        )
    return [
        Verdict(
            "salcc-slcc",
            "Table 3.4",
            "SALCC is never below SLCC (δ = 0.01) in AUC",
            "16 of 16 cells, mean gain 0.011 (text sets)",
            HOLDS if min(above) >= -1e-12 else FAILS,
            honest,
            f"score that guided it: {guided}{told}",
        ),
        Verdict(
            "sets",
            "Table 3.5",
            "SALCC judges fewer sets than there are",
            f"{int((judged < every).sum())} of {len(judged)}; {judged.sum():.0f} of {every.sum():.0f} sets",
            HOLDS if n_fewer_sets == n else FAILS,
            "",
            f"{n_fewer_sets} of {n}; {sum(one.n_judged for one in found)} of {sum(one.n_all for one in found)} sets",
        ),
        Verdict(
            "salcc-size",
            "Table 3.5",
            "SALCC keeps fewer features than LCC (PIX in print: more)",
            f"{int((salcc < lcc).sum())} of {len(lcc)}; mean {salcc.mean():.1f} of {lcc.mean():.1f}",
            HOLDS if n_smaller >= 15 / 16 * n else DIRECTION if n_smaller > n / 2 else FAILS,
            "",
            f"fewer on {n_smaller} of {n}, no more on {n_no_larger}; mean "
            f"{np.mean([one.salcc_size for one in found]):.1f} of {np.mean([one.lcc_size for one in found]):.1f}",
        ),
        Verdict(
            "optimum",
            "Fig. 3.16, 3.17",
            "SALCC finds the best threshold on half of the tables and one near it on nearly all others",
            "best on 8, near on 7 of 16",
            HOLDS if n_best >= n / 2 and n_near >= 15 / 16 * n else FAILS,
            "",
            f"best on {n_best}, within {NEAR} on {n_near} of {n}; largest gap {max(gaps):.4f}",
        ),
    ]
