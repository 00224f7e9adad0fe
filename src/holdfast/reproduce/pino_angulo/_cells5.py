"""Our numbers beside Tables 4.6 and 5.1 to 5.4: one table of theirs is at hand, and averages over tables of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import AGREES, Cell, Key, Ours, Printed, missing, noise, timed
from holdfast.reproduce.pino_angulo._claims5 import NEAR, SPENT, Numbers
from holdfast.reproduce.pino_angulo._searched import BY_ONE, Results, accuracy_and_area
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, Claim

BREAST, ST_JUDE = "BRE", "St Jude"
LABELS = "row labels are lost in print, so it is not known which set this is; none of the six is at hand"
STAND_IN = "only a filtered part of it is at hand, which is another table; see A stand-in for STJ"
NO_TABLE = "none of our tables is there to average over"
# Accuracies are printed with two decimals.
LAST_DIGIT = 0.005
# Of the filter and of the whole in Table 4.6: what was timed.
TIMED = {"GBC": "mrmr", "GBC with MRMR+": "mrmr+", "MRMR-GA": "mrmr", "MRMR-GA with MRMR+": "mrmr+"}
# Of a search on all samples.
MEASURED = {"accuracy": "fitness", "seconds": "seconds", "genes": "size"}


def ours_beside(found: Results, printed: Numbers) -> dict[Key, Ours]:
    """Our number for every printed one that has one, and why others have none."""
    made: dict[Key, Ours] = {}
    for key, one in printed.items():
        if key.table == "5.1":
            made[key] = _average(found, key)
        elif key.data == "STJ":
            made[key] = missing(STAND_IN)
        elif key.data == BREAST and BREAST in found.shapes:
            made[key] = _of_breast(found, key, one)
    return made


def _average(found: Results, key: Key) -> Ours:
    if key.data != "AVE":
        return missing(LABELS)
    if not found.sets:
        return missing(NO_TABLE)
    by = [found.saved(data, key.method, SPENT[key.quantity]) for data in found.sets]
    words = f"{len(by)} other tables, {min(by):.0f} to {max(by):.0f}"
    return Ours(float(np.mean(by)), NEAR, remark=words)


def _of_breast(found: Results, key: Key, printed: Printed) -> Ours:
    if key.table == "4.6":
        return timed(float(np.mean(_seconds(found, key))))
    values = found.values(BREAST, key.method, MEASURED[key.quantity])
    if key.quantity == "seconds":
        return timed(float(np.mean(values)))
    mean = float(np.mean(values))
    if key.quantity == "genes":
        return Ours(mean, _two_sd(values) * float(np.sqrt(1 + 1 / len(values))))
    within = noise(mean, printed.value, found.shapes[BREAST][0]) + LAST_DIGIT
    if (BREAST, BY_ONE) not in found.outer:
        return Ours(mean, within)
    accuracy, area = honest(found, key.method)
    return Ours(mean, within, honest=accuracy, remark=f"AUC without the leak {area:.3f}" if np.isfinite(area) else "")


def _seconds(found: Results, key: Key) -> Sequence[float]:
    """What Table 4.6 has: of the filter for all that the search ranks, or of the whole."""
    name, times = TIMED[key.method], found.filters[BREAST]
    is_bees = key.method.startswith("GBC")
    if key.quantity == "seconds of the filter":
        seconds: Sequence[float] = times[f"{name} {times['n_ranked'] if is_bees else 50}"]["seconds"]
    elif is_bees:
        seconds = found.values(BREAST, "GBC" if name == "mrmr" else "MRMR+", "seconds")
    else:
        seconds = times[f"genetic {name}"]["seconds"]
    return seconds


def _two_sd(values: Sequence[float]) -> float:
    return float(2 * np.std(values, ddof=1)) if len(values) > 1 else 0.0


def honest(found: Results, method: str) -> tuple[float, float]:
    """Accuracy and area by leave-one-out, filter and search being repeated without the sample."""
    given = [answer for one in found.outer[BREAST, BY_ONE] for answer in one[method]["answers"]]
    return accuracy_and_area(given)


def readings(found: Results, method: str) -> dict[str, float]:
    """What an accuracy of Breast in Table 5.2 could mean, each with our number."""
    values = {}
    if (BREAST, 0) in found.outer:
        values["accuracy in five folds, choice inside"] = float(found.outer_mean(BREAST, method)[0])
    if (BREAST, BY_ONE) in found.outer:
        accuracy, area = honest(found, method)
        values |= {"accuracy by leave-one-out, choice inside": accuracy, "AUC by leave-one-out, choice inside": area}
    leaky = [one for (name, by, _), one in found.leaky.items() if (name, by) == (BREAST, method)]
    if leaky:
        accuracy, area = np.mean(leaky, axis=0)
        values |= {
            "accuracy by leave-one-out, choice on all samples (leaky)": float(accuracy),
            "AUC by leave-one-out, choice on all samples (leaky)": float(area),
        }
    values["fitness in five folds, choice on all samples (leaky)"] = found.mean(BREAST, method, "fitness")
    if method == "GBC+":
        unstopped = found.values(BREAST, "GBC+ unstopped", "fitness")
        ones = [one.fitness for (name, _), one in found.by_one.items() if name == BREAST]
        for reading, fitness in (("five folds, without the stops", unstopped), ("leave-one-out", ones)):
            if fitness:
                values[f"fitness in {reading}, choice on all samples (leaky)"] = float(np.mean(fitness))
    return values


def verdict_on(found: Results, method: str, printed: Printed, value: float) -> str:
    """The verdict that a reading would have."""
    within = noise(value, printed.value, found.shapes[BREAST][0]) + LAST_DIGIT
    return Cell(Key("5.2", BREAST, method, "", "accuracy"), printed, Ours(value, within), larger_is_better=True).verdict


def protocol_claim(found: Results, printed: Numbers) -> list[Claim]:
    """Whether the accuracies of Breast are what the text says: leave-one-out, the choice made without the sample."""
    if (BREAST, BY_ONE) not in found.outer:
        return []
    words, is_inside, is_leaky = [], [], []
    in_print: Mapping[str, Printed] = {
        method: printed[Key("5.2", BREAST, method, "", "accuracy")] for method in ("GBC", "GBC+")
    }
    for method, one in in_print.items():
        values = readings(found, method)
        inside = [values[f"{what} by leave-one-out, choice inside"] for what in ("accuracy", "AUC")]
        leaky = found.mean(BREAST, method, "fitness")
        is_inside.append(any(verdict_on(found, method, one, value) == AGREES for value in inside))
        is_leaky.append(verdict_on(found, method, one, leaky) == AGREES)
        words.append(f"{method} {inside[0]:.3f} (AUC {inside[1]:.3f}), fitness of the search itself {leaky:.3f}")
    return [
        Claim(
            "§5.5, Table 5.2",
            f"{BREAST} is classified as well as printed by leave-one-out, features chosen without the sample left out",
            HOLDS if all(is_inside) else IN_PART if any(is_inside) else FAILS,
            "; ".join(words) + (", which agrees with the print" if all(is_leaky) else ""),
            ", ".join(f"{method} {one.value:g}" for method, one in in_print.items()),
        )
    ]
