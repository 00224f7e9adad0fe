"""What chapter 2 says of its tables, tested in direction; all tables of the thesis have equal weight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

import numpy as np

from holdfast.reproduce.ben_brahim._beside2 import CLASSIFIER_OF, LENGTH, MCE, SECONDS, STABILITY, TIMES, in_print
from holdfast.reproduce.ben_brahim._best import Best
from holdfast.reproduce.ben_brahim._claims2_places import on_places
from holdfast.reproduce.ben_brahim._curves import (
    BASELINES,
    CLASSIFIERS,
    HYBRIDS,
    INSTANCE_BASED,
    ONE_NN,
    RANDOMIZED,
    WRAPPERS,
)
from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.plan import FAILS, HOLDS, Claim
from holdfast.reproduce.verdicts import all_of, most_of, nearly_all_of, on_all

ON_FILTERS, ON_WRAPPERS = "2.3.3", "2.4.3"
MUCH_SLOWER, SHORT = 10, 10
STABLER, OTHERS = ("IB-WMA", "IB-RA"), ("IB-OF", "IB-RedE")
LESS_STABLE = ("Relief", "mRMR")
# The filters that the wrappers are compared with.
FILTERS = ("t-test", "Relief")
# A difference of stabilities that is called wide.
WIDE = 0.2

# By table, method and classifier.
Values = Mapping[tuple[str, str, str], float]


def claims(results: Sequence[Best], printed: Mapping[Key, Printed]) -> list[Claim]:
    """The statements that can be tested, on the tables of the thesis among the results."""
    sets = {key.data for key in printed}
    results = [one for one in results if one.data in sets]
    if not results:
        return []
    ran = {one.data for one in results}
    there = {quantity: _printed_values(printed, quantity, ran) for quantity in (MCE, STABILITY, LENGTH)}
    said = read_said("ben-brahim-2")
    return [
        *_on_filters(results, there),
        *_on_hybrids(results, there, said),
        *_on_times(results, printed),
        *on_places(results, said),
    ]


def _on_filters(results: Sequence[Best], there: Mapping[str, Values]) -> list[Claim]:
    found = []
    for classifier in CLASSIFIERS:
        mce = _means(_values(results, lambda one: one.mce), (*INSTANCE_BASED, *BASELINES), classifier)
        in_print = _means(there[MCE], (*INSTANCE_BASED, *BASELINES), classifier)
        lowest = sorted(mce, key=mce.__getitem__)
        found.append(
            Claim(
                ON_FILTERS,
                f"IB-OF and IB-RedE have the lowest average MCE ({classifier})",
                _said(set(lowest[:2]) == set(OTHERS)),
                _listed(mce, lowest),
                _listed(in_print, sorted(in_print, key=in_print.__getitem__)),
            )
        )
        stable = _means(_values(results, lambda one: one.stability), INSTANCE_BASED, classifier)
        found.append(
            Claim(
                ON_FILTERS,
                f"IB-WMA and IB-RA are more stable than IB-OF and IB-RedE ({classifier}, each at its own optimum)",
                _said(_are_stabler(stable)),
                _listed(stable, INSTANCE_BASED),
                _listed(_means(there[STABILITY], INSTANCE_BASED, classifier), INSTANCE_BASED),
            )
        )
    fixed = _means(_values(results, lambda one: one.fixed_stability), INSTANCE_BASED, ONE_NN)
    found.append(
        Claim(
            ON_FILTERS,
            "the same with lists of 10 and 50 features for all",
            _said(_are_stabler(fixed)),
            _listed(fixed, INSTANCE_BASED),
            "not in print: a test of ours",
        )
    )
    found.append(_are_all_stabler(results, there))
    ours = [one.length for one in results if one.method in INSTANCE_BASED and one.length is not None]
    printed = [value for (_, method, _), value in there[LENGTH].items() if method in INSTANCE_BASED]
    found.append(
        Claim(
            ON_FILTERS,
            f"the best list length is mostly at most {SHORT}",
            most_of(_n_short(ours), len(ours)),
            f"{_n_short(ours)} of {len(ours)}",
            f"{_n_short(printed)} of {len(printed)}",
        )
    )
    return found


def _are_all_stabler(results: Sequence[Best], there: Mapping[str, Values]) -> Claim:
    methods = (*INSTANCE_BASED, *LESS_STABLE)
    ours = _means(_values(results, lambda one: one.stability), methods, ONE_NN)
    return Claim(
        ON_FILTERS,
        f"all IB filters are more stable than Relief and mRMR ({ONE_NN}, on average, each at its own optimum)",
        _said(min(ours[name] for name in INSTANCE_BASED) > max(ours[name] for name in LESS_STABLE)),
        _listed(ours, methods),
        _listed(_means(there[STABILITY], methods, ONE_NN), methods),
    )


def _on_hybrids(results: Sequence[Best], there: Mapping[str, Values], said: Mapping[str, float]) -> list[Claim]:
    errors, stable = _values(results, lambda one: one.mce), _values(results, lambda one: one.stability)
    sets = _sets_with(errors, HYBRIDS)
    n_lower, n_equal = _n_better(errors, sets, -1), _n_equal(errors, sets)
    n_stabler = _n_better(stable, sets, 1)
    n_wide, in_print = (_n_better(values, sets, 1, by=WIDE) for values in (stable, there[STABILITY]))
    compared = _sets_with(errors, (*WRAPPERS, *FILTERS))
    n_best = _n_among_two_best(errors, compared)
    n_all = int(said["HIB-CSS: sets on which its MCE is among the two best"])
    return [
        Claim(
            ON_WRAPPERS,
            "HIB-CSS has a lower MCE than HIB-SBS on every set",
            all_of(n_lower, len(sets)),
            f"lower on {n_lower} of {len(sets)}, equal on {n_equal}",
            f"lower on {_n_better(there[MCE], sets, -1)} of {len(sets)}",
        ),
        Claim(
            ON_WRAPPERS,
            "HIB-CSS is more stable than HIB-SBS on every set",
            all_of(n_stabler, len(sets)),
            f"on {n_stabler} of {len(sets)}",
            f"on {_n_better(there[STABILITY], sets, 1)} of {len(sets)}",
        ),
        Claim(
            ON_WRAPPERS,
            f"HIB-CSS is more stable than HIB-SBS by a wide margin, more than {WIDE}, on most sets",
            most_of(n_wide, len(sets)),
            f"on {n_wide} of {len(sets)}: {_differences(stable, sets)}",
            f"on {in_print} of {len(sets)}: {_differences(there[STABILITY], sets)}",
        ),
        Claim(
            ON_WRAPPERS,
            "the MCE of HIB-CSS is among the two best of six methods on almost every set",
            nearly_all_of(n_best, len(compared)),
            f"on {n_best} of {len(compared)}",
            f"on {n_all} of all sets, on {_n_among_two_best(there[MCE], compared)} of these {len(compared)}",
        ),
    ]


def _on_times(results: Sequence[Best], printed: Mapping[Key, Printed]) -> list[Claim]:
    ours = _values(results, lambda one: one.seconds)
    sets = _sets_with(ours, HYBRIDS)
    there = {
        (key.data, key.method, key.setting): one.value
        for key, one in printed.items()
        if key.table == TIMES and key.quantity == SECONDS
    }
    factors = _factors(ours, sets)
    n_quicker = _n_quicker(ours, sets)
    return [
        Claim(
            ON_WRAPPERS,
            f"both hybrids are much slower than both filters (more than {MUCH_SLOWER} times)",
            on_all(min(of_set) > MUCH_SLOWER for of_set in zip(*factors.values(), strict=True)),
            f"with all list lengths: {_spans(factors)}",
            _spans(_factors(there, sets)),
        ),
        Claim(
            ON_WRAPPERS,
            "the hybrids are faster than Randomized on most sets",
            most_of(n_quicker, len(sets)),
            f"on {n_quicker} of {len(sets)}; ours is the sum over a walk for every number of features",
            f"on {_n_quicker(there, sets)} of {len(sets)}",
        ),
    ]


def _values(results: Iterable[Best], take: Callable[[Best], float]) -> Values:
    return {(one.data, one.method, one.classifier): take(one) for one in results}


def _printed_values(printed: Mapping[Key, Printed], quantity: str, sets: Iterable[str]) -> Values:
    return {
        (data, method, classifier): there.values[quantity]
        for experiment, classifier in CLASSIFIER_OF.items()
        for (data, method), there in in_print(printed, experiment).items()
        if data in sets and quantity in there.values
    }


def _means(values: Values, methods: Sequence[str], classifier: str) -> dict[str, float]:
    return {
        method: float(np.mean([value for (_, *key), value in values.items() if key == [method, classifier]]))
        for method in methods
    }


def _are_stabler(stable: Mapping[str, float]) -> bool:
    return min(stable[method] for method in STABLER) > max(stable[method] for method in OTHERS)


def _n_short(lengths: Iterable[float]) -> int:
    return sum(length <= SHORT for length in lengths)


def _sets_with(values: Values, methods: Sequence[str]) -> list[str]:
    sets = dict.fromkeys(data for data, _, _ in values)
    return [data for data in sets if all((data, method, ONE_NN) in values for method in methods)]


def _n_better(values: Values, sets: Sequence[str], sign: int, by: float = 0.0) -> int:
    """On how many tables HIB-CSS has more (sign 1) or less (-1) than HIB-SBS."""
    return sum(sign * (values[data, "HIB-CSS", ONE_NN] - values[data, "HIB-SBS", ONE_NN]) > by for data in sets)


def _differences(values: Values, sets: Sequence[str]) -> str:
    return ", ".join(
        f"{data} {values[data, 'HIB-CSS', ONE_NN] - values[data, 'HIB-SBS', ONE_NN]:+.2f}" for data in sets
    )


def _n_among_two_best(errors: Values, sets: Sequence[str]) -> int:
    """On how many tables at most one of the other errors, equal ones counted once, is below that of HIB-CSS."""
    n_sets = 0
    for data in sets:
        lower = {errors[data, name, ONE_NN] for name in (*WRAPPERS, *FILTERS)}
        n_sets += sum(error < errors[data, "HIB-CSS", ONE_NN] for error in lower) <= 1
    return n_sets


def _n_equal(values: Values, sets: Sequence[str]) -> int:
    return sum(values[data, "HIB-CSS", ONE_NN] == values[data, "HIB-SBS", ONE_NN] for data in sets)


def _n_quicker(seconds: Values, sets: Sequence[str]) -> int:
    return sum(
        max(seconds[data, method, ONE_NN] for method in HYBRIDS) < seconds[data, RANDOMIZED, ONE_NN] for data in sets
    )


def _factors(seconds: Values, sets: Sequence[str]) -> dict[str, list[float]]:
    return {
        f"{hybrid} and {name}": [seconds[data, hybrid, ONE_NN] / seconds[data, name, ONE_NN] for data in sets]
        for hybrid, name in product(HYBRIDS, FILTERS)
    }


def _spans(factors: Mapping[str, Sequence[float]]) -> str:
    return ", ".join(f"{pair} {min(some):.0f} to {max(some):.0f} times" for pair, some in factors.items())


def _said(holds: bool) -> str:
    return HOLDS if holds else FAILS


def _listed(values: Mapping[str, float], order: Iterable[str]) -> str:
    return ", ".join(f"{name} {values[name]:.4f}" for name in order)
