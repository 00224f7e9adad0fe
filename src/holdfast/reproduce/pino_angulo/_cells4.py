"""Our numbers beside Tables 4.2, 4.4 and 4.5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from holdfast.reproduce.cells import Key, Ours, Printed, missing, noise, timed
from holdfast.reproduce.pino_angulo._pair_counts import in_thousands, mrmr_pairs, sizes
from holdfast.reproduce.pino_angulo._results4 import LeftOut, Results

# Counts that hang on levels and on the order of columns agree within this share of the printed one.
NEAR = 0.1
# Why a printed set is not run although a table like it is there.
NOT_THE_SAME = {
    "TUM": "as many samples, features and classes as CNS; whether it is the same table cannot be told, so it is not "
    "counted twice",
    "STJ": "a filtered part is at hand (248 of 327 samples, 2,526 of 12,558 features), which is another table",
    "GCM": "a filtered part is at hand (1,363 of 16,063 features), which is another table",
    "AVE": "an average over fifteen sets, most of which are not at hand",
}
FITTED = "the levels were chosen so that CFS keeps about as many features as in print"
BY_ARITHMETIC = "the printed number of features fixes it: no data went into it"
FEWER_FEATURES = "ours is on the 13,547 of 24,481 features without a gap, so on other data"
WHICH_39 = "Table 4.1 has 39 samples of ARC, and does not say which; the seconds of all 100 are in a table below"


def ours_beside(found: Results, printed: Mapping[Key, Printed]) -> dict[Key, Ours]:
    """For every printed cell that was run or is arithmetic, and for those that could be mistaken for it."""
    ours: dict[Key, Ours] = {}
    for key, one in printed.items():
        if key.table == "4.2":
            made = _table_42(key, found)
        elif key.table == "4.4":
            made = _table_44(key, one, found)
        else:
            made = _table_45(key, one, found.left_out[key.data]) if key.data in found.left_out else {}
        if not made and key.data in NOT_THE_SAME:
            made = {key: missing(NOT_THE_SAME[key.data])}
        ours |= made
    return ours


def _table_42(key: Key, found: Results) -> dict[Key, Ours]:
    if key.data == "ARC":
        return {key: missing(WHICH_39)} if "ARC" in found.seconds else {}
    if key.method == "FCFS":
        return {key: timed(found.seconds[key.data]["FCFS"])} if key.data in found.seconds else {}
    return {key: timed(found.naive[key.data]["seconds"])} if key.data in found.naive else {}


def _table_44(key: Key, one: Printed, found: Results) -> dict[Key, Ours]:
    if key.quantity == "seconds":
        # The CFS of this table keeps its pairs, so it is FCFS.
        method = "FCFS" if key.method == "CFS" else key.method
        return {key: timed(found.seconds[key.data][method])} if key.data in found.seconds else {}
    if key.data not in found.judged:
        # A closed form is worth something where counts of ours have met it.
        return {key: by_closed_form(key, one)} if found.judged and key.method == "MRMR" else {}
    counted = found.judged[key.data][key.method.rstrip("+")]
    if not key.method.endswith("+"):
        return {key: Ours(in_thousands(counted["pairs"], one.value), apart=FITTED if key.method == "CFS" else "")}
    count = in_thousands(counted["pairs_in_print_order"], one.value)
    sooner = f"{counted['pairs_lazy'] / 1000:.3g} in the order that the library takes"
    apart = f"{FITTED}, from which the pairs of CFS+ follow" if key.method == "CFS+" else ""
    return {key: Ours(count, NEAR * one.value, remark=sooner, apart=apart)}


def by_closed_form(key: Key, one: Printed) -> Ours:
    """What MRMR measures on a set that is not at hand: its number of features alone decides."""
    pairs = mrmr_pairs(sizes()["4.3", key.data].n_features)
    return Ours(in_thousands(pairs, one.value), remark="from the closed form (n − q/2)(q − 1)", apart=BY_ARITHMETIC)


def _table_45(key: Key, one: Printed, left_out: LeftOut) -> dict[Key, Ours]:
    if key.quantity == "seconds":
        seconds = timed(left_out.seconds[key.method])
        return {key: replace(seconds, apart=FEWER_FEATURES) if key.data == "BRE" else seconds}
    value = left_out.areas[key.method]
    remark = f"{left_out.areas_with_all[key.method]:.3f} if the sample asked for takes part in the choice of features"
    if key.data == "BRE":
        remark += "; the 13,547 of 24,481 features without a gap"
    return {key: Ours(value, noise(value, one.value, left_out.n_samples), remark=remark)}
