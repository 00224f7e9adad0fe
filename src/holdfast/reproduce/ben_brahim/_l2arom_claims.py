"""What chapter 4 says of SS-l2AROM beside PS-l2-AROM and SVM-RFE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.reproduce.ben_brahim._prior_findings import (
    LEVEL,
    NOT_PRINTED,
    ByMethod,
    Finding,
    InPrint,
    gains,
    listed,
)
from holdfast.reproduce.verdicts import nearly_all_of, on_all

E6 = "4.3.2"
OWN, PARTIAL, PLAIN = "SS-l2AROM", "PS-l2-AROM", "SVM-RFE"
ACCURACIES, TESTS = "4.8", "4.9"


def on_l2arom(by: ByMethod, sets: Sequence[str], there: InPrint, said: Mapping[str, float]) -> list[Finding]:
    """Stability, accuracy, significance and rounds."""
    size = max(by[sets[0], OWN].is_right)
    return [
        *(_is_stabler(by, sets, other, there) for other in (PARTIAL, PLAIN)),
        *(_is_more_accurate(by, sets, one, size, there) for one in (OWN, PARTIAL)),
        _is_significantly_better(by, sets, size, there, said),
        _are_alike(by, sets, size, there),
        *(_comes_to_rest(by, data, size, int(said[f"{data}: rounds at most"])) for data in sets),
    ]


def _is_stabler(by: ByMethod, sets: Sequence[str], other: str, there: InPrint) -> Finding:
    more = {data: gains(by[data, OWN], by[data, other]) for data in sets}
    n_more = sum(gain > 0 for data in sets for gain in more[data].values())
    n_all = sum(map(len, more.values()))
    pairs = [
        [there.value(ACCURACIES, data, method, size, "stability") for method in (OWN, other)]
        for data in sets
        for size in more[data]
    ]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return Finding(
        E6,
        f"{OWN} is more stable than {other} in almost all cells",
        nearly_all_of(n_more, n_all),
        f"in {n_more} of {n_all}; gain " + "; ".join(f"{data} {listed(more[data])}" for data in sets),
        f"in {sum(a > b for a, b in known)} of {len(known)}" if known else NOT_PRINTED,
    )


def _is_more_accurate(by: ByMethod, sets: Sequence[str], one: str, size: int, there: InPrint) -> Finding:
    tests = {data: by[data, one].against(by[data, PLAIN], size) for data in sets}
    return Finding(
        E6,
        f"{one} is more accurate than {PLAIN} at N = {size}",
        on_all(test.better == "a" for test in tests.values()),
        ", ".join(
            f"{data} {by[data, one].accuracy(size):.3f} and {by[data, PLAIN].accuracy(size):.3f} "
            f"(p = {test.p_value:.2f})"
            for data, test in tests.items()
        ),
        ", ".join(
            f"{data} " + " and ".join(there.shown(ACCURACIES, data, name, size, "accuracy") for name in (one, PLAIN))
            for data in sets
        ),
    )


def _is_significantly_better(
    by: ByMethod, sets: Sequence[str], size: int, there: InPrint, said: Mapping[str, float]
) -> Finding:
    """Where it is so in print; Bladder, where it is not, has no known features."""
    tests = {data: by[data, OWN].against(by[data, PLAIN], size) for data in sets}
    n_sets = int(said[f"{OWN} against {PLAIN}: sets with a significant difference"])
    return Finding(
        E6,
        f"{OWN} is significantly more accurate than {PLAIN} at N = {size} on DLBCL and Lung",
        on_all(test.better == "a" and test.p_value < LEVEL for test in tests.values()),
        ", ".join(f"{data} p = {test.p_value:.3f}" for data, test in tests.items()),
        f"on {n_sets} of three sets: "
        + ", ".join(f"{data} p = {there.shown(TESTS, data, f'{OWN} vs {PLAIN}', size, 'p')}" for data in sets)
        + " (impossible with the accuracies in print)",
    )


def _are_alike(by: ByMethod, sets: Sequence[str], size: int, there: InPrint) -> Finding:
    tests = {data: by[data, OWN].against(by[data, PARTIAL], size) for data in sets}
    return Finding(
        E6,
        f"the accuracies of {OWN} and {PARTIAL} do not differ significantly at N = {size}",
        on_all(test.p_value >= LEVEL for test in tests.values()),
        ", ".join(f"{data} p = {test.p_value:.3f}" for data, test in tests.items()),
        ", ".join(f"{data} p = {there.shown(TESTS, data, f'{OWN} vs {PARTIAL}', size, 'p')}" for data in sets),
    )


def _comes_to_rest(by: ByMethod, data: str, size: int, most: int) -> Finding:
    traces = by[data, OWN].traces
    rounds = [len(trace) for trace in traces]
    return Finding(
        E6,
        f"{OWN} comes to rest in every fold of {data} within {most} rounds (N = {size})",
        on_all(trace[-1] == 1 and len(trace) <= most for trace in traces),
        f"{min(rounds)} to {max(rounds)} rounds",
        f"{most}",
    )
