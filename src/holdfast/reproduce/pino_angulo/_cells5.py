"""Our numbers beside Tables 4.6 and 5.1 to 5.4, of every set of the thesis that is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from holdfast.measures._pooled import weighted_area
from holdfast.reproduce.cells import AGREES, Cell, Key, Ours, Printed, missing, noise, noise_of_runs, timed
from holdfast.reproduce.pino_angulo._claims5 import Numbers
from holdfast.reproduce.pino_angulo._searched import BY_ONE, Results, accuracy_and_area
from holdfast.reproduce.pino_angulo._sets5 import BREAST, OWN
from holdfast.reproduce.pino_angulo._two_stage import SVM, TREE
from holdfast.reproduce.plan import Claim
from holdfast.reproduce.verdicts import on_all

LABELS = "row labels are lost in print, so it is not known which set this is; none of the six is at hand"
OTHER_TABLES = (
    "an average over DA1 to DA6, none of which is at hand; ours over other tables are in the claims and in Evaluations "
    "and time saved"
)
STAND_IN = "only a filtered part of it is at hand, which is another table; see A stand-in for STJ"
NO_CHOICE = "no choice without a sample was run"
ONE_CLASS = "the samples left out are of one class"
FEWER_FEATURES = "ours is on the 13,547 of 24,481 features without a gap, so on other data"
# Accuracies are printed with two decimals, genes with none.
LAST_DIGIT, LAST_GENE = 0.005, 0.5
# Of the filter and of the whole in Table 4.6: what was timed.
TIMED = {"GBC": "mrmr", "GBC with MRMR+": "mrmr+", "MRMR-GA": "mrmr", "MRMR-GA with MRMR+": "mrmr+"}


def ours_beside(found: Results, printed: Numbers) -> dict[Key, Ours]:
    """Our number for every printed one that has one, and why others have none."""
    made: dict[Key, Ours] = {}
    for key, one in printed.items():
        if key.table == "5.1":
            made[key] = missing(OTHER_TABLES if key.data == "AVE" else LABELS)
        elif key.data in OWN and key.data in found.shapes:
            made[key] = _told(key, _of_own(found, key, one))
        elif key.data == "STJ":
            made[key] = missing(STAND_IN)
    return made


def _of_own(found: Results, key: Key, printed: Printed) -> Ours:
    if key.table == "4.6":
        return timed(float(np.mean(_seconds(found, key))))
    if (key.data, BY_ONE) not in found.outer:
        return missing(NO_CHOICE)
    choices = [one[key.method] for one in found.outer[key.data, BY_ONE]]
    if key.quantity == "seconds":
        return timed(float(np.mean([one["seconds"] for one in choices])))
    if key.quantity == "genes":
        sizes = [one["size"] for one in choices]
        return Ours(float(np.mean(sizes)), noise_of_runs(sizes, found.shapes[key.data][0]) + LAST_GENE)
    areas = left_out_areas(found, key.data, key.method)
    if np.isnan(areas[SVM]):
        return missing(ONE_CLASS)
    within = noise(areas[SVM], printed.value, len(choices)) + LAST_DIGIT
    accuracy = honest(found, key.method, key.data)[0]
    words = f"AUC of the SVM; its accuracy {accuracy:.3f}; AUC of a tree that is not pruned {areas[TREE]:.3f}"
    return Ours(areas[SVM], within, remark=words)


def _told(key: Key, one: Ours) -> Ours:
    """Of Breast, that features with gaps are left out: seconds of others say little."""
    if key.data != BREAST or one.not_run:
        return one
    if key.quantity.startswith("seconds"):
        return replace(one, apart=FEWER_FEATURES)
    words = [one.remark] if one.remark else []
    return replace(one, remark="; ".join([*words, "the 13,547 of 24,481 features without a gap"]))


def _seconds(found: Results, key: Key) -> Sequence[float]:
    """What Table 4.6 has: of the filter for all that the search ranks, or of the whole."""
    name, times = TIMED[key.method], found.filters[key.data]
    is_bees = key.method.startswith("GBC")
    if key.quantity == "seconds of the filter":
        seconds: Sequence[float] = times[f"{name} {times['n_ranked'] if is_bees else 50}"]["seconds"]
    elif is_bees:
        seconds = found.values(key.data, "GBC" if name == "mrmr" else "MRMR+", "seconds")
    else:
        seconds = times[f"genetic {name}"]["seconds"]
    return seconds


def left_out_areas(found: Results, data: str, method: str) -> dict[str, float]:
    """By classifier the area over all left-out samples together; NaN if these are of one class."""
    choices = [one[method] for one in found.outer[data, BY_ONE]]
    classes = np.array([one["class"] for one in choices])
    if len(np.unique(classes)) < 2:
        return dict.fromkeys((SVM, TREE), np.nan)
    return {by: weighted_area(classes, np.array([one["scores"][by] for one in choices])) for by in (SVM, TREE)}


def honest(found: Results, method: str, data: str = BREAST) -> tuple[float, float]:
    """Accuracy and area by leave-one-out, filter and search being repeated without the sample."""
    given = [answer for one in found.outer[data, BY_ONE] for answer in one[method]["answers"]]
    return accuracy_and_area(given)


def readings(found: Results, method: str) -> dict[str, float]:
    """What an accuracy of Breast in Table 5.2 could mean, each with our number; the first is the text's own."""
    values: dict[str, float] = {}
    if (BREAST, BY_ONE) in found.outer:
        areas = left_out_areas(found, BREAST, method)
        values |= {
            "AUC by leave-one-out, choice inside": areas[SVM],
            "AUC of a tree by leave-one-out, choice inside": areas[TREE],
            "accuracy by leave-one-out, choice inside": honest(found, method)[0],
        }
    if (BREAST, 0) in found.outer:
        values["accuracy in five folds, choice inside"] = float(found.outer_mean(BREAST, method)[0])
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
    return {reading: value for reading, value in values.items() if np.isfinite(value)}


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
        inside = {reading: value for reading, value in values.items() if "by leave-one-out, choice inside" in reading}
        leaky = found.mean(BREAST, method, "fitness")
        is_inside.append(any(verdict_on(found, method, one, value) == AGREES for value in inside.values()))
        is_leaky.append(verdict_on(found, method, one, leaky) == AGREES)
        told = ", ".join(f"{reading.partition(' by ')[0]} {value:.3f}" for reading, value in inside.items())
        words.append(f"{method} {told}; fitness of the search itself (leaky) {leaky:.3f}")
    near = ". The latter agrees with print, which lets one guess, but not know, that print has it" * all(is_leaky)
    return [
        Claim(
            "§5.5, Table 5.2",
            f"{BREAST} is classified as well as printed by leave-one-out, features chosen without the sample left out",
            on_all(is_inside),
            "; ".join(words) + near,
            ", ".join(f"{method} {one.value:g}" for method, one in in_print.items()),
        )
    ]
