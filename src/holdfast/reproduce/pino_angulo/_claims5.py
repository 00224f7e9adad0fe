"""What chapter 5 says of GBC+ and its parts, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.pino_angulo._searched import Results, counted, over_sets, told
from holdfast.reproduce.pino_angulo._verdicts import around
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, Claim
from holdfast.reproduce.verdicts import all_of, on_all
from holdfast.search.colony import ranked_probabilities

PRINTED = "pino-angulo-5"
SAVINGS = {"stop i": "stop i", "stop ii": "stop ii", "look-up": "look-up table", "minor": "all"}
EVALUATIONS, TIME = "% evaluations saved", "% time saved"
SPENT = {EVALUATIONS: "n_evaluations", TIME: "seconds"}
# Within so many points of a printed percentage is about as much.
NEAR = 10
# A sign test with a smaller p says that there is a difference.
SIGNIFICANT = 0.05
N_BEES = 40
_EQUAL = 1e-9

Numbers = Mapping[Key, Printed]
OF_BEES: Mapping[str, Callable[[Mapping[str, Any]], float]] = {
    "mean": lambda one: float(np.mean(one["fitness"])),
    "best": lambda one: float(one["fitness"][0]),
    "size": lambda one: float(np.mean(one["sizes"])),
    "requests": lambda one: float(one["requests"]),
}


def printed_row(printed: Numbers, table: str, method: str, quantity: str) -> dict[str, float]:
    """A method's numbers by data, without the average."""
    return {
        key.data: one.value
        for key, one in printed.items()
        if (key.table, key.method, key.quantity) == (table, method, quantity) and key.data != "AVE"
    }


def claims(found: Results, printed: Numbers) -> list[Claim]:
    """Every claim; those on searches only if there are some."""
    if not found.sets:
        return _draws()
    return [
        _same(found, "MRMR+", "§5.1", "MRMR+ in place of MRMR changes nothing but the time", "same set"),
        *_draws(),
        _first_bees(found),
        _mutation(found),
        _greedy(found),
        _same(found, "look-up", "§5.4", "the look-up table changes nothing but the time", "accuracy does not vary"),
        _same(found, "stop i", "§5.4", "stop i does not change the accuracy", "accuracy does not vary"),
        _same(found, "stop ii", "§5.4", "stop ii does not change the accuracy", "accuracy does not vary"),
        _same(found, "minor", "§5.4", "all three together do not change the accuracy", "accuracy does not vary"),
        *(_saving(found, variant, printed) for variant in SAVINGS),
        *_accuracy(found, printed),
        _equal(found),
        _faster(found, printed),
        *_more_genes(found, printed),
    ]


def _same(found: Results, variant: str, source: str, text: str, printed: str) -> Claim:
    pairs = found.all_pairs(variant)
    n_same = sum(one.features == plain.features for one, plain in pairs)
    gaps = [one.fitness - plain.fitness for one, plain in pairs]
    n_equal = sum(abs(gap) < _EQUAL for gap in gaps)
    is_so = [
        all(abs(one.fitness - plain.fitness) < _EQUAL for one, plain in found.pairs(data, variant))
        for data in found.sets
    ]
    lost = {data: -found.gain(data, variant) for data in found.sets}
    worst = [f"{data} {value:.4f}" for data, value in sorted(lost.items(), key=lambda item: -item[1]) if value > _EQUAL]
    evidence = (
        f"same fitness {n_equal} of {len(pairs)}, same set {n_same}; all the same on {sum(is_so)} of {len(is_so)}"
    )
    evidence += " tables"
    if worst:
        evidence += f"; mean loss {-np.mean(gaps):.4f}, at most {-min(gaps):.4f}; by table {', '.join(worst)}"
    if variant == "MRMR+":
        evidence += f"; pairs measured {sum(a.n_pairs for a, _ in pairs) / sum(b.n_pairs for _, b in pairs):.0%}"
    return Claim(source, text, on_all(is_so), evidence, printed)


def _saving(found: Results, variant: str, printed: Numbers) -> Claim:
    ours, in_print, words = [], [], []
    for quantity, what in SPENT.items():
        by = {data: found.saved(data, variant, what) for data in found.sets}
        ours.append(float(np.mean(list(by.values()))))
        in_print.append(printed[Key("5.1", "AVE", variant, "", quantity)].value)
        rows = printed_row(printed, "5.1", variant, quantity).values()
        words.append(
            f"{ours[-1]:.0f} % of {quantity.split()[1]} ({min(by.values()):z.0f} … {max(by.values()):z.0f}; in print "
            f"{min(rows):.0f} … {max(rows):.0f})"
        )
    is_near = all(abs(a - b) <= NEAR for a, b in zip(ours, in_print, strict=True))
    return Claim(
        "Table 5.1",
        f"{SAVINGS[variant]} saves evaluations and time, within {NEAR} points of the printed average",
        HOLDS if is_near else IN_PART if min(ours) > 0 else FAILS,
        "; ".join(words),
        f"{in_print[0]:.0f} / {in_print[1]:.0f} %" + (" (one row)" if variant == "stop ii" else ""),
    )


def _draws() -> list[Claim]:
    """The probabilities of Eq. 5.4 and 5.5, by arithmetic."""
    small = np.array([ranked_probabilities(5, number) for number in (1, 2, 3)])
    falling = np.all(np.diff(small, axis=0) < 0, axis=0).tolist()
    falls = [f"P({at + 1}) {', '.join(f'{p:.3f}' for p in small[:, at])}" for at in (0, 4)]
    ratios = {}
    for number in (N_BEES // 2, N_BEES, 2 * N_BEES):
        drawn = ranked_probabilities(50, number)
        ratios[number] = float(drawn[0] / drawn[-1])
    words = ", ".join(f"{value:.1f} for bee {number}" for number, value in ratios.items())
    return [
        Claim(
            "Eq. 5.7",
            "with each further bee every ranked feature is less likely to be drawn",
            on_all(falling),
            f"for the first features, not for the last; of 5 features, bees 1, 2, 3: {'; '.join(falls)}",
            "P falls with j",
        ),
        Claim(
            "Eq. 5.8",
            "the second half of the bees draws nearly uniformly",
            HOLDS if ratios[N_BEES // 2] < 1.1 else FAILS,
            f"the first of 50 features against the last: {words} times as likely (of {N_BEES} bees)",
            "for j ≥ SN/2",
        ),
    ]


def _first_bees(found: Results) -> Claim:
    words: list[str] = []
    better: list[bool] = []
    for what in ("mean", "best"):
        gaps = [
            float(np.mean([OF_BEES[what](one) for one in found.first_bees(data, "ranked")]))
            - float(np.mean([OF_BEES[what](one) for one in found.first_bees(data, "uniform")]))
            for data in found.sets
        ]
        n_better = sum(gap > 0 for gap in gaps)
        better += [gap > 0 for gap in gaps]
        words.append(f"{what} fitness higher on {n_better} of {len(gaps)}, {over_sets(gaps)}")
    text = "first bees drawn by rank are more accurate, on average and the best of them"
    return Claim("Fig. 5.4", text, on_all(better), "; ".join(words), "figure only")


def _mutation(found: Results) -> Claim:
    number, gain, n_runs = found.phases("GBC")
    share = gain.get("mutation", 0.0) / max(sum(gain.values()), 1e-12)
    return Claim(
        "§5.3",
        "the queen's mutation has no effect (less than a twentieth of what is gained)",
        HOLDS if share < 0.05 else FAILS,
        f"{number['mutation']} of {sum(number.values())} better queens in {n_runs} searches, {share:.1%} of the gain",
        "in words",
    )


def _greedy(found: Results) -> Claim:
    number, gain, n_runs = found.phases("greedy queen")
    share = (gain.get("forward", 0.0) + gain.get("backward", 0.0)) / max(sum(gain.values()), 1e-12)
    gaps = [found.gain(data, "greedy queen") for data in found.sets]
    count = counted(*np.array([(one.fitness, plain.fitness) for one, plain in found.all_pairs("greedy queen")]).T)
    return Claim(
        "Fig. 5.5",
        "GBC with the greedy queen ends higher than GBC",
        HOLDS if _is_ahead(count) else IN_PART if np.mean(gaps) > 0 else FAILS,
        f"won/equal/lost {told(count)}; {over_sets(gaps)}; {number['forward']} + {number['backward']} better queens by "
        f"adding and dropping in {n_runs} searches, {share:.0%} of the gain",
        "figure only",
    )


def _is_ahead(count: tuple[int, int, int, float]) -> bool:
    return count[0] > count[2] and count[3] < SIGNIFICANT


def _equal(found: Results) -> Claim:
    words, ahead = [], []
    n_searches = len(found.all_of("GBC+"))
    for requests in (False, True):
        by = [rows for data in found.sets if len(rows := found.at_stop(data, requests=requests))]
        if not by:
            continue
        every = np.concatenate(by)
        count = counted(every[:, 0], every[:, 1])
        ahead.append(_is_ahead(count))
        gaps = [float((rows[:, 0] - rows[:, 1]).mean()) for rows in by]
        words.append(f"as many {'requests' if requests else 'evaluations'}: {told(count)}, {over_sets(gaps)}")
        if len(every) < n_searches:
            words[-1] += f" ({n_searches - len(every)} left out, in which GBC was still busy with its first bees)"
    return Claim(
        "ours, to Table 5.2",
        "GBC+ is ahead of GBC when it stops, at equal evaluations; and at equal requests",
        on_all(ahead),
        "; ".join(words) or "GBC was still busy with its first bees whenever GBC+ stopped",
    )


def _accuracy(found: Results, printed: Numbers) -> list[Claim]:
    plain, plus = (printed_row(printed, "5.2", method, "accuracy") for method in ("GBC", "GBC+"))
    in_print = f"{sum(plus[data] >= value for data, value in plain.items())} of {len(plain)}; the text says "
    in_print += f"{read_said(PRINTED)['sets on which GBC+ is at least as accurate']:g}"
    inner = [found.gain(data, "GBC+") for data in found.sets]
    honest = [float(found.outer_mean(data, "GBC+")[0] - found.outer_mean(data, "GBC")[0]) for data in found.judged_sets]
    made = []
    for gaps, where in (
        (honest, "on samples that took no part in the search"),
        (inner, "by the fitness of the search (leaky)"),
    ):
        n = sum(gap > -_EQUAL for gap in gaps)
        made.append(
            Claim(
                "Table 5.2",
                f"GBC+ is at least as accurate as GBC on every table, {where}",
                all_of(n, len(gaps)),
                f"{n} of {len(gaps)}, {over_sets(gaps)}" if gaps else "no table with outer folds",
                in_print,
            )
        )
    return made


def _faster(found: Results, printed: Numbers) -> Claim:
    sums = [sum(found.mean(data, variant, "seconds") for data in found.sets) for variant in ("GBC", "GBC+")]
    ratios = [found.mean(data, "GBC", "seconds") / found.mean(data, "GBC+", "seconds") for data in found.sets]
    plain, plus = (printed_row(printed, "5.3", method, "seconds") for method in ("GBC", "GBC+"))
    in_print = sum(plain.values()) / sum(plus[data] for data in plain)
    wanted = read_said(PRINTED)["GBC+ is so many times as fast as GBC"]
    return Claim(
        "Table 5.3, Chapter 7",
        f"GBC+ is around {wanted:g} times as fast as GBC",
        around(sums[0] / sums[1], wanted),
        f"{sums[0] / sums[1]:.1f} times (sums), by table {min(ratios):.1f} to {max(ratios):.1f}",
        f"{in_print:.1f} times (sums)",
    )


def _more_genes(found: Results, printed: Numbers) -> list[Claim]:
    inner = [[found.mean(data, variant, "size") for variant in ("GBC", "GBC+")] for data in found.sets]
    honest = [[found.outer_mean(data, variant)[2] for variant in ("GBC", "GBC+")] for data in found.judged_sets]
    plain, plus = (printed_row(printed, "5.4", method, "genes") for method in ("GBC", "GBC+"))
    in_print = f"{sum(plus[data] > value for data, value in plain.items())} of {len(plain)}"
    in_print += f"; mean {np.mean([plus[data] for data in plain]):.1f} against {np.mean(list(plain.values())):.1f}"
    made = []
    for sizes, where in ((inner, "chosen on all samples"), (honest, "chosen without a fold")):
        n = sum(of_plus > of_plain for of_plain, of_plus in sizes)
        evidence = "no table with outer folds"
        if sizes:
            means = np.mean(sizes, axis=0)
            evidence = f"{n} of {len(sizes)}; mean {means[1]:.1f} against {means[0]:.1f}"
        made.append(
            Claim(
                "Table 5.4",
                f"GBC+ chooses more genes than GBC on every table, {where}",
                all_of(n, len(sizes)),
                evidence,
                in_print,
            )
        )
    return made
