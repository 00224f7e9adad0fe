"""Our numbers beside Tables 3.2 to 3.5, of every set of the thesis that was there; numbers are cut into ten bins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from holdfast.reproduce.cells import Key, Ours, missing, noise, timed
from holdfast.reproduce.pino_angulo._filter_claims3 import AVERAGE, C45, NAMED, Numbers
from holdfast.reproduce.pino_angulo._results3 import Annealed, Results
from holdfast.reproduce.pino_angulo._runs3 import DELTA
from holdfast.reproduce.pino_angulo._tables3 import ANNEALED, BESIDE, FILTERED, JUDGED, SOURCES, SWEPT, TEXTS

# AUC is printed with three decimals.
LAST_DIGIT = 0.0005
TEXT_FILTERS = ("RF", "CFS", "FCBF", "SLCC")
FITTED = "the cut of RELIEFF's weights is not in print and was fitted to the printed numbers of features"
FORMS = {"AUC": ".3f", "seconds": ".3g", "features": ".0f", "sets judged": ".0f", "all sets": ".0f"}
_OURS = {theirs: ours for ours, theirs in NAMED.items()}


def ours_beside(found: Mapping[str, Results], printed: Numbers) -> dict[Key, Ours]:
    """Our number for every printed one that has one, with that of the other cuts in words."""
    numbers, others = (_of_reading(found[reading], printed) for reading in (JUDGED, BESIDE))
    return {key: _told(key, one, others.get(key)) for key, one in numbers.items() if key in printed}


def _of_reading(found: Results, printed: Numbers) -> dict[Key, Ours]:
    """Averages only over all sets of a table."""
    made = {**_seconds(found), **_filters(found, printed), **_texts(found, printed), **_effort(found)}
    for table, own in (("3.3", FILTERED), ("3.4", tuple(TEXTS))):
        for key in printed:
            if (key.table, key.data) == (table, AVERAGE):
                made[key] = _average([made.get(key._replace(data=name)) for name in own])
    return made


def _told(key: Key, one: Ours, other: Ours | None) -> Ours:
    """With words on what is different from the thesis, and the number of the other cuts."""
    if one.not_run:
        return one
    words = [one.remark] if one.remark else []
    if key.setting == C45 or (key.table, key.method) == ("3.5", "SALCC"):
        words.append("a tree that is not pruned")
    if (key.table, key.method, key.quantity) == ("3.5", "LCC", "features"):
        words.append("δ = Br(F); the thesis names none")
    if key.data in SOURCES:
        words += [SOURCES[key.data].copy] if SOURCES[key.data].copy else []
        if SOURCES[key.data].is_cut and other is not None and not other.not_run:
            words.append(f"{BESIDE}: {other.value:{FORMS[key.quantity]}}")
    return replace(one, remark="; ".join(words), apart=FITTED if key.method == "RF" else "")


def _seconds(found: Results) -> dict[Key, Ours]:
    return {
        Key("3.2", one.data, one.method, f"δ = {DELTA:g}", "seconds"): timed(one.mean("seconds"))
        for one in found.swept
        if one.delta == DELTA and one.data in SWEPT
    }


def _filters(found: Results, printed: Numbers) -> dict[Key, Ours]:
    made = {}
    for one in found.filtered:
        if one.data in FILTERED:
            made[Key("3.3", one.data, one.method, "", "features")] = Ours(
                one.size, _two_sd(one.sizes_inside), honest=one.size_inside
            )
            made |= _areas("3.3", one.data, one.method, one.auc, one.auc_inside, found, printed)
    return made


def _texts(found: Results, printed: Numbers) -> dict[Key, Ours]:
    made: dict[Key, Ours] = {}
    for one in found.filtered:
        if one.data in TEXTS and one.method in TEXT_FILTERS:
            made |= _areas("3.4", one.data, one.method, one.auc, one.auc_inside, found, printed)
    for walk in found.annealed:
        if walk.data in TEXTS:
            inside = walk.inside.auc if walk.inside else {}
            made |= _areas("3.4", walk.data, "SALCC", walk.auc, inside, found, printed)
    return made


def _areas(
    table: str,
    data: str,
    method: str,
    auc: Mapping[str, float],
    inside: Mapping[str, float],
    found: Results,
    printed: Numbers,
) -> dict[Key, Ours]:
    made = {}
    size = found.size_of(data)
    for theirs, ours in _OURS.items():
        key = Key(table, data, method, theirs, "AUC")
        if key in printed and ours in auc and size is not None:
            within = noise(auc[ours], printed[key].value, size.n_samples) + LAST_DIGIT
            made[key] = Ours(auc[ours], within, honest=inside.get(ours))
    return made


def _effort(found: Results) -> dict[Key, Ours]:
    made = {}
    columns: Sequence[tuple[str, str, Callable[[Annealed], int], str]] = (
        ("SALCC", "sets judged", lambda one: one.n_judged, "n_judged"),
        ("LCC", "all sets", lambda one: one.n_all, ""),
        ("LCC", "features", lambda one: one.lcc_size, "lcc_sizes"),
        ("SALCC", "features", lambda one: one.salcc_size, "sizes"),
    )
    for one in found.annealed:
        if one.data in ANNEALED:
            for method, quantity, of, by_fold in columns:
                within = _two_sd(getattr(one.inside, by_fold)) if one.inside and by_fold else 0.0
                made[Key("3.5", one.data, method, "", quantity)] = Ours(of(one), within)
    return made


def _average(of: Sequence[Ours | None]) -> Ours:
    """A mean of cells; its noise is that of a mean of independent numbers."""
    there = [one for one in of if one is not None]
    if len(there) < len(of):
        return missing(f"an average over {len(of)} sets, of which {len(there)} were run")
    within = [one.within for one in there if isinstance(one.within, float)]
    honest = [one.honest for one in there if one.honest is not None]
    return Ours(
        float(np.mean([one.value for one in there])),
        float(np.sqrt(np.square(within).sum())) / len(there),
        honest=float(np.mean(honest)) if len(honest) == len(there) else None,
    )


def _two_sd(values: Sequence[float]) -> float:
    return float(2 * np.std(values, ddof=1)) if len(values) > 1 else 0.0
