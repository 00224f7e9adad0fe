"""What chapter 4 says of prior knowledge, tested in both readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.reproduce.ben_brahim._l2arom_claims import E6, on_l2arom
from holdfast.reproduce.ben_brahim._prior_findings import LEVEL, ByMethod, Finding, InPrint, gains, listed
from holdfast.reproduce.ben_brahim._prior_runs import E5_PAIRS, READINGS, Result, chosen
from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all, together

E5 = "4.2.3"
# Stabilities nearer than this are called the same.
NEAR = 0.05
# A share of cells that is called few.
FEW = 0.1
# How far a stability that is told in words may be off.
ABOUT = 0.1
LOST = "in curves that are lost"
IN_WORDS = {"Lung": ("PK-RFE", "SVM-RFE"), "Bladder": ("PK-mRMR", "mRMR")}


def claims(results: Sequence[Result], printed: Mapping[Key, Printed]) -> list[Claim]:
    """The statements that can be tested in direction, in both readings together."""
    scaled = chosen(results, next(iter(READINGS)))
    sets = [data for data, method in scaled if method == "SS-l2AROM"]
    if not sets:
        return []
    said, there = read_said("ben-brahim-4"), InPrint(printed)
    columns = {
        reading: [
            *_on_extensions(chosen(results, reading), sets, there),
            *on_l2arom(chosen(results, reading), sets, there, said),
        ]
        for reading in READINGS
    }
    found = []
    for row in zip(*columns.values(), strict=True):
        verdict = together(one.verdict for one in row)
        evidence = ". ".join(
            f"{reading.capitalize()}: {one.evidence}" for reading, one in zip(columns, row, strict=True)
        )
        found.append(Claim(row[0].source, row[0].text, verdict, evidence, row[0].printed))
    return [*found, *_not_tested(sets, said), *_told_in_words(scaled, said)]


def _on_extensions(by: ByMethod, sets: Sequence[str], there: InPrint) -> list[Finding]:
    found = []
    for pk, plain in E5_PAIRS:
        more = {data: gains(by[data, pk], by[data, plain]) for data in sets}
        told = f"gain {'; '.join(f'{data} {listed(more[data])}' for data in sets)}"
        first = [next(iter(more[data].values())) for data in sets]
        last = [next(reversed(more[data].values())) for data in sets]
        if pk == "PK-Relief":
            is_alike = [max(map(abs, more[data].values())) <= NEAR for data in sets]
            text = f"{pk} is about as stable as {plain} (within {NEAR})"
            found.append(Finding(E5, text, on_all(is_alike), told, LOST))
            continue
        text = f"{pk} is more stable than {plain} with 10 features"
        found.append(Finding(E5, text, on_all(gain > NEAR for gain in first), told, LOST))
        found.append(
            Finding(
                E5,
                f"the gain of {pk} shrinks as N grows",
                on_all(later < sooner for sooner, later in zip(first, last, strict=True)),
                ", ".join(
                    f"{data} {sooner:+.3f} to {later:+.3f}"
                    for data, sooner, later in zip(sets, first, last, strict=True)
                ),
                LOST,
            )
        )
    return [*found, _differ_seldom(by, sets, there), _best_has_a_prior(by, sets, there)]


def _differ_seldom(by: ByMethod, sets: Sequence[str], there: InPrint) -> Finding:
    tests = [
        by[data, pk].against(by[data, plain], size).p_value
        for data in sets
        for pk, plain in E5_PAIRS
        for size in by[data, pk].is_right
    ]
    n_different, in_print = (sum(p < LEVEL for p in some) for some in (tests, there.p_values(sets)))
    return Finding(
        E5,
        "the prior changes accuracy significantly in few cells",
        HOLDS if n_different <= FEW * len(tests) else FAILS,
        f"p < {LEVEL} in {n_different} of {len(tests)}",
        f"in {in_print} of {len(there.p_values(sets))} on {' and '.join(sets)}",
    )


def _best_has_a_prior(by: ByMethod, sets: Sequence[str], there: InPrint) -> Finding:
    """Over all numbers of features; an equal accuracy without a prior is no contradiction, as in print on Lung."""

    def best(data: str, method: str) -> float:
        return max(by[data, method].accuracy(size) for size in by[data, method].is_right)

    ours = {(data, method): best(data, method) for data in sets for pair in E5_PAIRS for method in pair}
    printed = {about: there.best(*about) for about in ours}
    return Finding(
        E5,
        "the best accuracy is that of a method with a prior (or equal to it)",
        on_all(
            max(ours[data, pk] for pk, _ in E5_PAIRS) >= max(ours[data, plain] for _, plain in E5_PAIRS)
            for data in sets
        ),
        _of_each(ours, sets),
        _of_each(printed, sets),
    )


def _of_each(accuracy: Mapping[tuple[str, str], float], sets: Sequence[str]) -> str:
    return "; ".join(
        f"{data} " + ", ".join(f"{method} {value:.3f}" for (name, method), value in accuracy.items() if name == data)
        for data in sets
    )


def _not_tested(sets: Sequence[str], said: Mapping[str, float]) -> list[Claim]:
    if "Bladder" in sets:
        return []
    most = int(said["Bladder: rounds at most"])
    text = f"SS-l2AROM comes to rest in every fold of Bladder within {most} rounds"
    return [Claim(E6, text, NOT_TESTED, "its known features are not listed", f"{most}")]


def _told_in_words(by: ByMethod, said: Mapping[str, float]) -> list[Claim]:
    """Stabilities with 10 features that stand in the text only."""
    found = []
    for data, methods in IN_WORDS.items():
        wanted = {method: said[f"{data}, N = 10: stability of {method}"] for method in methods}
        ours = {method: by[data, method].stability(10) for method in methods if (data, method) in by}
        is_near = on_all(abs(ours[method] - wanted[method]) <= ABOUT for method in ours)
        found.append(
            Claim(
                E5,
                f"with 10 features on {data} " + " and ".join(f"{name} has {wanted[name]}" for name in methods),
                is_near if len(ours) == len(methods) else NOT_TESTED,
                ", ".join(f"{method} {value:.3f}" for method, value in ours.items()) or "not run",
                "about " + ", ".join(f"{method} {value}" for method, value in wanted.items()),
            )
        )
    return found
