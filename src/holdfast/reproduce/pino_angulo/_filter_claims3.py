"""Claims of Tables 3.3 to 3.5 and of Figures 3.12 to 3.17: SWCFS beside other filters, and SALCC."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.evaluate.friedman import friedman
from holdfast.reproduce.cells import Key, Printed
from holdfast.reproduce.pino_angulo._results3 import Annealed, Filtered, Finding
from holdfast.reproduce.pino_angulo._runs3 import FILTERS
from holdfast.reproduce.pino_angulo._verdicts import LEVEL, p_of_gains
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED
from holdfast.reproduce.verdicts import all_of, most_of, nearly_all_of, on_all, share_of, together

Array = npt.NDArray[Any]
Numbers = Mapping[Key, Printed]

AVERAGE = "AVG"
C45 = "C4.5"
# What the thesis calls our classifiers.
NAMED = {"NB": "NB", "tree": C45}
NEAR = 0.01
BEST_FOUND, CAME_NEAR = "on which SALCC finds the best", "on which SALCC comes near"


def printed_column(printed: Numbers, table: str, method: str, quantity: str, setting: str = "") -> list[float]:
    """A column of a printed table, without its average."""
    return [
        one.value
        for key, one in printed.items()
        if key.data != AVERAGE
        and (key.table, key.method, key.setting, key.quantity) == (table, method, setting, quantity)
    ]


def printed_filters(printed: Numbers, quantity: str, setting: str = "") -> Array:
    """Tables by filters of Table 3.3."""
    return np.column_stack([printed_column(printed, "3.3", method, quantity, setting) for method in FILTERS])


def filter_table(found: Sequence[Filtered], of: Callable[[Filtered], float]) -> Array:
    """Tables by filters."""
    by = {(one.data, one.method): of(one) for one in found}
    return np.array([[by[data, method] for method in FILTERS] for data in dict.fromkeys(data for data, _ in by)])


def n_first(table: Array, *, larger: bool) -> dict[str, int]:
    """On how many tables each filter is the best, ties counted for all."""
    best = (table.max if larger else table.min)(axis=1, keepdims=True)
    return dict(zip(FILTERS, (np.abs(table - best) < 5e-4).sum(axis=0).tolist(), strict=True))


def on_filters(found: Sequence[Filtered], printed: Numbers, said: Mapping[str, float]) -> list[Finding]:
    """The claims of Table 3.3 and Figure 3.12, AUC to three digits as printed; none of them without two tables."""
    if len({one.data for one in found}) < 2:
        return []
    sizes = [filter_table(found, lambda one: one.size), filter_table(found, lambda one: one.size_inside)]
    in_print = printed_filters(printed, "features")

    def on_sizes(key: str, text: str, say: Callable[[Array], tuple[str, str]]) -> Finding:
        (verdict, told), (honest, told_inside) = map(say, sizes)
        return Finding(key, "Table 3.3", text, say(in_print)[1], verdict, honest, f"{told}; inside: {told_inside}")

    findings = [
        on_sizes("swcfs-slcc", "SWCFS is never larger than SLCC", _never_larger),
        on_sizes("swcfs-smallest", "SWCFS is the smallest on half of the tables", _smallest),
    ]
    for name in NAMED:
        share = said[f"share of tables that SWCFS tops with {NAMED[name]}"]
        findings += _on_areas(name, found, printed_filters(printed, "AUC", NAMED[name]), share)
    return findings


def _never_larger(table: Array) -> tuple[str, str]:
    slcc, swcfs = FILTERS.index("SLCC"), FILTERS.index("SWCFS")
    n = int((table[:, swcfs] <= table[:, slcc]).sum())
    return all_of(n, len(table)), f"{n} of {len(table)}"


def _smallest(table: Array) -> tuple[str, str]:
    n, mean = n_first(table, larger=False)["SWCFS"], table.mean(axis=0)
    told = ", ".join(f"{name} {value:.1f}" for name, value in zip(FILTERS, mean, strict=True))
    return share_of(n, len(table), 0.5), f"{n} of {len(table)} (mean sizes {told})"


def _on_areas(name: str, found: Sequence[Filtered], printed: Array, share: float) -> list[Finding]:
    """The claims on one classifier; the text says that SWCFS is first on more than a share of the tables."""
    ours = [
        filter_table(found, lambda one: one.auc[name]).round(3),
        filter_table(found, lambda one: one.auc_inside[name]).round(3),
    ]
    n_tables = len(ours[0])
    firsts = [n_first(one, larger=True) for one in (printed, *ours)]
    means = [dict(zip(FILTERS, one.mean(axis=0), strict=True)) for one in (printed, *ours)]
    best_often, best_inside = (HOLDS if one["SWCFS"] == max(one.values()) else FAILS for one in firsts[1:])
    best_mean, best_mean_inside = (HOLDS if one["SWCFS"] == max(one.values()) else FAILS for one in means[1:])
    return [
        Finding(
            f"tops-{name}",
            "Table 3.3",
            f"SWCFS has the best AUC on more tables than any other filter, {name}",
            f"{firsts[0]['SWCFS']} of {len(printed)} = {firsts[0]['SWCFS'] / len(printed):.1%} (the text says > "
            f"{share:.0%})",
            best_often,
            best_inside,
            "; inside: ".join(", ".join(f"{m} {n}" for m, n in one.items()) + f" of {n_tables}" for one in firsts[1:]),
        ),
        Finding(
            f"mean-{name}",
            "Table 3.3",
            f"SWCFS has the best mean AUC, {name}",
            ", ".join(f"{m} {value:.3f}" for m, value in means[0].items()),
            best_mean,
            best_mean_inside,
            "; inside: ".join(", ".join(f"{m} {value:.3f}" for m, value in one.items()) for one in means[1:]),
        ),
        _nemenyi(name, printed, ours),
    ]


def _nemenyi(name: str, printed: Array, ours: Sequence[Array]) -> Finding:
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
    as_there, inside = (on_all(method in one for method in worse[0]) for one in worse[1:])
    return Finding(
        f"nemenyi-{name}",
        "Fig. 3.12",
        f"SWCFS is significantly better than {' and '.join(worse[0])} (Nemenyi, 0.05), {name}",
        f"ranks {told[0]}",
        as_there,
        inside,
        f"ranks {told[1]}; inside: {told[2]}",
    )


def on_annealing(
    found: Sequence[Annealed], filtered: Sequence[Filtered], printed: Numbers, said: Mapping[str, float]
) -> list[Finding]:
    """The claims of Tables 3.4 and 3.5 and of Figures 3.13 to 3.17."""
    if not found:
        return []
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
    of_print = {word: said[f"tables {word}"] for word in (BEST_FOUND, CAME_NEAR, "of the figure")}
    best, near, of = of_print.values()
    return [
        _beside_slcc(found, filtered, printed),
        _improves(found),
        Finding(
            "sets",
            "Table 3.5",
            "SALCC judges fewer sets than there are",
            f"{int((judged < every).sum())} of {len(judged)}; {judged.sum():.0f} of {every.sum():.0f} sets",
            all_of(n_fewer_sets, n),
            "",
            f"{n_fewer_sets} of {n}; {sum(one.n_judged for one in found)} of {sum(one.n_all for one in found)} sets",
        ),
        Finding(
            "salcc-size",
            "Table 3.5",
            "SALCC keeps fewer features than LCC (Mfeat-Pixel in print: more)",
            f"{int((salcc < lcc).sum())} of {len(lcc)}; mean {salcc.mean():.1f} of {lcc.mean():.1f}",
            most_of(n_smaller, n),
            "",
            f"fewer on {n_smaller} of {n}, no more on {n_no_larger}; mean "
            f"{np.mean([one.salcc_size for one in found]):.1f} of {np.mean([one.lcc_size for one in found]):.1f}",
        ),
        Finding(
            "optimum",
            "Fig. 3.16, 3.17",
            "SALCC finds the best threshold on half of the tables and one near it on nearly all others",
            f"best on {best:g}, near on {near:g} of {of:g}",
            together([share_of(n_best, n, 0.5), nearly_all_of(n_near - n_best, n - n_best)]),
            "",
            f"best on {n_best}, within {NEAR} on {n_near} of {n}; largest gap {max(gaps):.4f}",
        ),
    ]


def _beside_slcc(found: Sequence[Annealed], filtered: Sequence[Filtered], printed: Numbers) -> Finding:
    """SALCC against LCC at the usual threshold, AUC of both classifiers to three digits as printed."""
    in_print = [
        theirs - slcc
        for name in NAMED.values()
        for theirs, slcc in zip(
            printed_column(printed, "3.4", "SALCC", "AUC", name),
            printed_column(printed, "3.4", "SLCC", "AUC", name),
            strict=True,
        )
    ]
    slcc = {one.data: one for one in filtered if one.method == "SLCC"}
    as_there = [(one.auc, slcc[one.data].auc) for one in found if one.data in slcc]
    inside = [(one.inside.auc, slcc[one.data].auc_inside) for one in found if one.inside and one.data in slcc]
    (verdict, told), (honest, told_inside) = _never_below(as_there), _never_below(inside)
    return Finding(
        "salcc-slcc",
        "Table 3.4",
        "SALCC is never below SLCC (δ = 0.01) in AUC",
        f"{sum(by > -5e-4 for by in in_print)} of {len(in_print)} cells, mean gain {np.mean(in_print):.3f} (text sets)",
        verdict,
        honest if inside else "",
        f"{told}; inside: {told_inside}" if inside else told,
    )


def _never_below(pairs: Sequence[tuple[Mapping[str, float], Mapping[str, float]]]) -> tuple[str, str]:
    """Whether the first AUC of each pair is never below the second, with any classifier."""
    if not pairs:
        return NOT_TESTED, "no table has both"
    gains = {name: [round(ours[name], 3) - round(theirs[name], 3) for ours, theirs in pairs] for name in NAMED}
    told = "; ".join(
        f"{name} not below on {sum(by > -5e-4 for by in own)} of {len(own)}, mean gain {np.mean(own):+.4f}, "
        f"from {min(own):+.3f} to {max(own):+.3f}"
        for name, own in gains.items()
    )
    return on_all(by > -5e-4 for own in gains.values() for by in own), told


def _improves(found: Sequence[Annealed]) -> Finding:
    gains = {
        "tree AUC": [one.salcc_score - one.lcc_score for one in found],
        "size": [float(one.lcc_size - one.salcc_size) for one in found],
    }
    ps = {what: p_of_gains(own) for what, own in gains.items()}
    return Finding(
        "salcc-improves",
        "§3.7.5",
        "SALCC significantly improves the accuracy and the size of what LCC (δ = Br(F)) keeps",
        "in words only",
        on_all(p < LEVEL for p in ps.values()),
        "",
        "; ".join(f"{what} better by {np.mean(own):.3g} on average, p = {ps[what]:.2g}" for what, own in gains.items())
        + f" (signed ranks over {len(found)} tables); leaky: the AUC is the one that guides SALCC",
    )
