"""Figures 4.1 to 4.3 and Table 4.5: what chapter 4 says of them, and whether it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS
from holdfast.reproduce.hosseini._experiments import N_ITERATIONS, TIMED
from holdfast.reproduce.hosseini._fixed import OWN
from holdfast.reproduce.hosseini._results import BINS_KEY, DIVERSE, DIVERSE_KEY, RESPLIT, Results, Run
from holdfast.reproduce.hosseini._tables import PER_SET, Array, published_models
from holdfast.reproduce.hosseini._verdicts import listed, not_the_prints, on_tables
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all

Said = Mapping[str, float]
# How far a share of splits may be from "almost" another.
_ALMOST = 0.05


def on_figures(found: Results, said: Said) -> list[Claim]:
    """All of them."""
    return [
        *_on_ranges(found),
        *_on_splits(found, said),
        *_on_diversity(found, said),
        *_on_bins(found.made.get(BINS_KEY, [])),
        _on_pools(found.times_of_pools),
    ]


def mean_overlap(ranges: Sequence[Mapping[str, Any]], part: str) -> float:
    """Length that the ranges of both classes share, in units of the whole range: mean over the features of a model."""
    return float(np.mean([one["overlap"] for one in ranges if one["part"] == part]))


def _on_ranges(found: Results) -> list[Claim]:
    overlap = {
        part: {name: mean_overlap(one["ranges"], part) for name, one in found.published.items()}
        for part in ("train", "test")
    }
    perfect = [
        name
        for name, one in found.published.items()
        if any(one["scores"][PER_SET][classifier]["J_tr"] == 1 for classifier in CLASSIFIERS)
    ]
    rest = [overlap["train"][name] for name in found.published if name not in perfect]
    told = {part: listed(numbers, ".2f") for part, numbers in overlap.items()}
    return [
        Claim(
            "§ 4.2, Fig. 4.1",
            "where some classifier makes no error in training, the ranges of the classes overlap less there than in "
            "every other table",
            *on_tables(
                {name: overlap["train"][name] < min(rest) for name in perfect} if rest else {},
                f"no error: {', '.join(perfect)}; mean overlap in units of the range: {told['train']}",
            ),
            printed="little or no overlap, as on Lung and Leukemia",
        ),
        Claim(
            "§ 4.2, Fig. 4.1",
            "the ranges of the classes overlap more in the test part",
            *on_tables(
                {name: overlap["test"][name] > overlap["train"][name] for name in found.published},
                f"training: {told['train']}; test: {told['test']}" if found.published else "",
            ),
            printed="distributions turn out to be different on the test set",
        ),
    ]


def _on_splits(found: Results, said: Said) -> list[Claim]:
    """Figure 4.2, as published, which leaks, and with a search in every split."""
    leaky = np.array(found.published[RESPLIT]["resplit"] if RESPLIT in found.published else [])
    inside = found.resplit_inside[:, list(CLASSIFIERS).index(OWN[RESPLIT])]
    return [
        *_on_kind_of_split("the published model, leaky", leaky, said),
        *_on_kind_of_split("a model chosen on each training part, no leak", inside, said),
    ]


def _on_kind_of_split(kind: str, accuracy: Array, said: Said) -> list[Claim]:
    few, low = said["share of splits as good as the nominal one is below"], said["low accuracy"]
    share = said["share of splits with a low accuracy is almost"]
    texts = (
        f"{RESPLIT}: as good as the nominal split of the print, that is without error, on fewer than half",
        f"{RESPLIT}: an accuracy of {low:g} or less on almost {100 * share:g} % of the splits (give or take "
        f"{100 * _ALMOST:g} points)",
    )
    in_print = (f"fewer than {100 * few:g} % of {said['other splits']:g}", f"almost {100 * share:g} %")
    verdicts, evidence = (NOT_TESTED, NOT_TESTED), ("", "")
    if len(accuracy):
        all_right, at_most = float(np.mean(accuracy == 1)), float(np.mean(np.round(accuracy, 2) <= low))
        verdicts = (HOLDS if all_right < few else FAILS, HOLDS if abs(at_most - share) <= _ALMOST else FAILS)
        told = f"{len(accuracy)} splits; {not_the_prints([RESPLIT])}"
        evidence = (
            f"no error on {100 * all_right:.1f} %, mean {accuracy.mean():.4f}; {told}",
            f"{100 * at_most:.1f} %, least {accuracy.min():.4f}; {told}",
        )
    return [
        Claim("§ 4.4, Fig. 4.2", f"{text}; {kind}", *row)
        for text, *row in zip(texts, verdicts, evidence, in_print, strict=True)
    ]


def _on_diversity(found: Results, said: Said) -> list[Claim]:
    models = [features for (table, _, _), features in published_models().items() if table == "4.5"]
    in_print = f"{len(models)} models, {said['errors of every diverse model']:g} errors"
    one = found.published_left_out.get(DIVERSE)
    errors = {} if one is None else one["errors"]
    published = Claim(
        "§ 4.6, Table 4.5",
        f"{DIVERSE}: the published models make no error of leave-one-out (NB)",
        on_all(count == 0 for count in errors.values()),
        f"errors of {one['n_samples']}: {listed(errors)}; {not_the_prints([DIVERSE])}" if one is not None else "",
        in_print,
    )
    return [published, *_on_own_diversity(found, len(models), in_print)]


def diverse_models(searched: Mapping[str, Any]) -> list[list[int]]:
    """The first model, and the different ones that make no more errors."""
    first = searched["first"]
    found = [first["model"]]
    for other in searched["others"]:
        if other["errors"] <= first["errors"] and other["model"] not in found:
            found.append(other["model"])
    return found


def _on_own_diversity(found: Results, n_printed: int, in_print: str) -> list[Claim]:
    texts = (
        f"{DIVERSE}: leaving out a feature at a time gives as many models as in print that do as well as the first",
        f"{DIVERSE}: some of these models have no feature in common",
    )
    searched = found.made.get(DIVERSE_KEY)
    if searched is None:
        return [Claim("§ 4.6, Table 4.5", text, NOT_TESTED, "", in_print) for text in texts]
    models = diverse_models(searched)
    apart = sum(not set(a) & set(b) for a, b in combinations(models, 2))
    verdicts = (
        HOLDS if len(models) >= n_printed else IN_PART if len(models) > 1 else FAILS,
        HOLDS if apart else FAILS,
    )
    told = (
        f"{len(models)} models in {len(searched['others'])} searches, {searched['first']['errors']} errors of "
        f"{searched['n_samples']} at most; leaky, as published; {not_the_prints([DIVERSE])}"
    )
    evidence = (told, f"{apart} pairs of {len(models)} models; {not_the_prints([DIVERSE])}")
    return [
        Claim("§ 4.6, Table 4.5", *row, in_print) for row in zip(texts, verdicts, evidence, strict=True)
    ]  # fmt: skip


def _on_bins(runs: Sequence[Run]) -> list[Claim]:
    """Figure 4.3, top."""
    texts = (
        "time of DCORFS rises with the size of a bin, for every limit of iterations",
        "it saturates where the iterations are used up, which a higher limit shifts to larger bins",
    )
    in_print = "by eye, no numbers"
    if not runs:
        return [Claim("§ 4.7, Fig. 4.3 (top)", text, NOT_TESTED, f"no {TIMED}", in_print) for text in texts]
    limits = [limit for limit in N_ITERATIONS if any(run["limit"] == limit for run in runs)]
    sizes = sorted({run["size"] for run in runs})
    seconds = {limit: [mean_of(runs, "seconds", size=size, limit=limit) for size in sizes] for limit in limits}
    used_up = {limit: _used_up(runs, limit, sizes) for limit in limits}
    order = list(used_up.values())
    is_shifted = order == sorted(order) and order[0] < order[-1]
    return [
        Claim(
            "§ 4.7, Fig. 4.3 (top)",
            texts[0],
            on_all(times[-1] > times[0] for times in seconds.values()),
            "; ".join(f"{limit} iterations: {1000 * t[0]:.0f} … {1000 * t[-1]:.0f} ms" for limit, t in seconds.items())
            + f" for bins of {sizes[0]} … {sizes[-1]} features of {TIMED}",
            in_print,
        ),
        Claim(
            "§ 4.7, Fig. 4.3 (top)",
            texts[1],
            HOLDS if is_shifted else FAILS,
            "smallest bin on which half of the runs do not converge: "
            + ", ".join(f"{limit} iterations {_told(size)}" for limit, size in used_up.items()),
            in_print,
        ),
    ]


def mean_of(runs: Sequence[Run], what: str, **where: int) -> float:
    """Mean of a quantity over some runs."""
    return float(np.mean([run[what] for run in runs if all(run[key] == value for key, value in where.items())]))


def _used_up(runs: Sequence[Run], limit: int, sizes: Sequence[int]) -> float:
    """Smallest size at which half of the runs do not converge before the limit, or infinity."""
    stuck = [size for size in sizes if mean_of(runs, "converged", size=size, limit=limit) <= 0.5]
    return float(min(stuck, default=np.inf))


def _told(size: float) -> str:
    return f"{size:g}" if np.isfinite(size) else "none"


def _on_pools(runs: Sequence[Run]) -> Claim:
    """Figure 4.3, bottom."""
    source, text = (
        "§ 4.7, Fig. 4.3 (bottom)",
        "time of D²CORFS falls as the number of bins grows, then rises, for every number of features",
    )
    in_print = "by eye, no numbers"
    if not runs:
        return Claim(source, text, NOT_TESTED, f"no {TIMED}", in_print)
    bins = sorted({run["n_bins"] for run in runs})
    holds, told = [], []
    for n_features in sorted({run["n_features"] for run in runs}):
        seconds = [mean_of(runs, "seconds", n_features=n_features, n_bins=n) for n in bins]
        least = int(np.argmin(seconds))
        holds.append(0 < least < len(bins) - 1)
        told.append(
            f"{n_features} features: {seconds[0]:.1f} s with {bins[0]}, least {seconds[least]:.1f} s with "
            f"{bins[least]}, {seconds[-1]:.1f} s with {bins[-1]}"
        )
    why = "; with one bin the search ends after a round, and sets met before are not judged again"
    return Claim(source, text, on_all(holds), f"{'; '.join(told)} ({TIMED}, one core){why}", in_print)
