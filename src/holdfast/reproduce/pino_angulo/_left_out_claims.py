"""What §4.5.2 says of MRMR+ beside two other filters, and whether it holds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from holdfast.reproduce.cells import Key, Printed, noise, read_said
from holdfast.reproduce.pino_angulo._left_out import JUDGED_METHODS
from holdfast.reproduce.pino_angulo._pair_counts import printed_seconds, ratios
from holdfast.reproduce.pino_angulo._results4 import Results
from holdfast.reproduce.pino_angulo._verdicts import around, by_set
from holdfast.reproduce.plan import Claim
from holdfast.reproduce.verdicts import all_of, counted, most_of

_CLOSE = 5e-4


def left_out_claims(found: Results, printed: Mapping[Key, Printed]) -> list[Claim]:
    """In the order of the section."""
    there, said = found.left_out, read_said("pino-angulo-4")
    times_as_fast = said["MRMR+ is so many times as fast as SFS-LW"]
    n_best, n_sets = said["MRMR is best on so many sets"], said["sets of Table 4.5"]
    best = counted(is_best(one.areas) for one in there.values())
    slower = counted(one.seconds["MRMR"] > one.seconds["SFS-LW"] for one in there.values())
    same = counted(not one.n_other_picks for one in there.values())
    times = {data: one.seconds["SFS-LW"] / one.seconds["MRMR+"] for data, one in there.items()}
    seconds = {method: printed_seconds(printed, "4.5", method) for method in ("SFS-LW", "MRMR", "MRMR+")}
    mean = float(np.mean(list(times.values()))) if times else None
    p_areas = _printed_areas(printed)
    p_best = counted(is_best(areas) for areas in p_areas.values())
    p_slower = counted(value > 1 for value in ratios(seconds["MRMR"], seconds["SFS-LW"]).values())
    p_times = list(ratios(seconds["SFS-LW"], seconds["MRMR+"]).values())
    return [
        _chosen_without(found, p_areas),
        Claim("§4.5.2", f"MRMR has the best AUC, or shares it, on most sets ({n_best:g} of {n_sets:g})", most_of(*best),
              f"{best[0]} of {best[1]}", f"{p_best[0]} of {p_best[1]}"),
        Claim("§4.5.2", "MRMR is slower than SFS-LW on most sets", most_of(*slower),
              f"{slower[0]} of {slower[1]}", f"{p_slower[0]} of {p_slower[1]}"),
        Claim("§4.5.2", "MRMR+ picks what MRMR picks", all_of(*same),
              f"on {same[0]} of {same[1]} tables, whichever sample is left out"),
        Claim("§4.5.2", f"on average MRMR+ is {times_as_fast:g} times as fast as SFS-LW",
              around(mean, times_as_fast), f"{by_set(times)}; mean {mean:.1f}" if mean is not None else "",
              f"mean {np.mean(p_times):.1f}"),
    ]  # fmt: skip


def is_best(areas: Mapping[str, float]) -> bool:
    """Whether MRMR is first, to three decimals."""
    return areas["MRMR"] > max(areas.values()) - _CLOSE


def _printed_areas(printed: Mapping[Key, Printed]) -> dict[str, dict[str, float]]:
    areas: dict[str, dict[str, float]] = {}
    for key, one in printed.items():
        if key.quantity == "AUC":
            areas.setdefault(key.data, {})[key.method] = one.value
    return areas


def _chosen_without(found: Results, in_print: Mapping[str, Mapping[str, float]]) -> Claim:
    """Whether printed areas are those of a choice without the sample asked for, or of one with all samples."""
    pairs = [(data, method) for data in found.left_out if data in in_print for method in JUDGED_METHODS]
    words = []
    near = {"areas": 0, "areas_with_all": 0}
    for data, method in pairs:
        one, value = found.left_out[data], in_print[data][method]
        for what in near:
            ours = getattr(one, what)[method]
            near[what] += abs(ours - value) <= noise(ours, value, one.n_samples)
        words.append(
            f"{data} {method}: {one.areas[method]:.3f} without the sample, {one.areas_with_all[method]:.3f} with all, "
            f"{value:.3f} in print"
        )
    return Claim(
        "§4.5.2",
        "the areas are those of features chosen without the sample that is asked for",
        all_of(near["areas"], len(pairs)),
        f"within noise of print: {near['areas']} of {len(pairs)} if chosen without the sample, "
        f"{near['areas_with_all']} if chosen with all samples. {'; '.join(words)}"
        if pairs
        else "",
    )
