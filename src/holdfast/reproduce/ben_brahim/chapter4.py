"""Tables 4.2 to 4.9: Relief, mRMR and SVM-RFE with prior knowledge (E5), and SS-l2AROM (E6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from holdfast.evaluate import McNemarResult
from holdfast.reproduce.ben_brahim._apart import set_apart
from holdfast.reproduce.ben_brahim._prior_claims import claims
from holdfast.reproduce.ben_brahim._prior_findings import LEVEL
from holdfast.reproduce.ben_brahim._prior_runs import (
    E5_PAIRS,
    E5_TABLES,
    E6_PAIRS,
    METHODS,
    N_DRAWS,
    PRIORS,
    SCALED,
    SIZES,
    UNSCALED,
    Result,
    chosen,
    controls,
    gathered,
    jobs_on,
    run,
)
from holdfast.reproduce.ben_brahim._prior_tables import TRACES, sections, share_at
from holdfast.reproduce.ben_brahim._sets import DLBCL_TOLD, SETS, STAND_IN, STAND_IN_TOLD
from holdfast.reproduce.cells import Cell, Key, Ours, Printed, missing, noise, read_printed
from holdfast.reproduce.plan import Judgement, Part, Plan
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.verdicts import RULE

PRINTED = "ben-brahim-4"
NAMES = ("Bladder", "DLBCL", "Lung")
N_FOLDS = 10
QUICK_FOLDS, QUICK_SIZES, QUICK_NAMES, QUICK_DRAWS = 3, (10, 100), ("Bladder", "DLBCL"), 2
# How far stabilities may be apart and agree.
STABILITY_WITHIN = 0.1
# χ² of one degree of freedom that has p = 0.05.
CRITICAL = 3.841458820694124
OTHER_PRIOR = "other known genes than in print"
SAME_TEST = "the same test as its p"
BY_CONVENTION, BY_RULE = "0 by convention", "the rule that ends a fold wants 1"
NO_PRIOR = "the eleven known features of Bladder are not listed in the thesis"


def parts(shelf: Shelf, quick: bool) -> Sequence[Part]:
    """One for every table, method, reading and prior; for every number of features too if lists are not nested."""
    names = [name for name in (QUICK_NAMES if quick else NAMES) if name in shelf]
    sizes, n_folds, n_draws = (QUICK_SIZES, QUICK_FOLDS, QUICK_DRAWS) if quick else (SIZES, N_FOLDS, N_DRAWS)
    return [Part(job.key, partial(run, job, n_folds)) for name in names for job in jobs_on(name, sizes, n_draws)]


def judge(made: Mapping[str, Any], shelf: Shelf, quick: bool) -> Judgement:
    """Cells of what is chosen with scaling; claims and tables of both readings."""
    results = gathered(made.values())
    printed = read_printed(PRINTED)
    unscaled = [
        Cell(key, printed[key], one, PLAN.better[key.quantity]) for key, one in beside(results, UNSCALED, printed)
    ]
    ours = dict(beside(results, SCALED, printed)) | (_without_prior(printed) if "Bladder" in shelf else {})
    return Judgement(ours, claims(results, printed), sections(results, printed, unscaled))


def beside(results: Sequence[Result], reading: str, printed: Mapping[Key, Printed]) -> Iterator[tuple[Key, Ours]]:
    """Our number for every printed one of which a reading has its own.

    Accuracies agree within two standard errors, stabilities within 0.1. Two tests agree if both or neither find a
    difference at the level 0.05: the statistic itself hangs on two or three samples.
    """
    by = chosen(results, reading)
    drawn = controls(results) if reading == SCALED else {}
    for (data, method), result in by.items():
        if result.reading != reading:
            continue
        for size in result.subsets:
            for table in (E5_TABLES[data], "4.8"):
                for quantity in ("accuracy", "stability"):
                    key = Key(table, data, method, f"N = {size}", quantity)
                    if key in printed:
                        yield key, _number(result, drawn.get((data, method), ()), size, quantity, printed[key].value)
    yield from _tested(by, reading, printed)
    yield from _shared(by, drawn, reading, printed)


def _number(result: Result, drawn: Sequence[Result], size: int, quantity: str, printed: float) -> Ours:
    value = float(getattr(result, quantity)(size))
    within = noise(value, printed, result.n_samples) if quantity == "accuracy" else STABILITY_WITHIN
    control = [getattr(one, quantity)(size) for one in drawn if size in one.subsets]
    ours = Ours(value, within, honest=float(np.mean(control)) if control else None)
    return set_apart(ours, stand_in(result.data, result.method))


def stand_in(data: str, method: str) -> str:
    """What is not as in print: the genes of Bladder, and those called known of Lung."""
    takes_prior = any(METHODS[one].takes_prior for one in method.split(" vs "))
    return OTHER_PRIOR if data == "Lung" and takes_prior else STAND_IN.get(data, "")


def _tested(
    by: Mapping[tuple[str, str], Result], reading: str, printed: Mapping[Key, Printed]
) -> Iterator[tuple[Key, Ours]]:
    for data in dict.fromkeys(data for data, _ in by):
        for pairs, table in ((E5_PAIRS, E5_TABLES[data]), (E6_PAIRS, "4.9")):
            for one, other in pairs:
                a, b = by.get((data, one)), by.get((data, other))
                if a is None or b is None or reading not in (a.reading, b.reading):
                    continue
                for size in (size for size in a.subsets if size in b.subsets):
                    test = a.against(b, size)
                    for quantity, number in (("p", p_value(test)), ("chi2", statistic(test))):
                        key = Key(table, data, f"{one} vs {other}", f"N = {size}", quantity)
                        if key in printed:
                            told = _none_differ(test, key, printed) if quantity == "p" else ""
                            remark = "; ".join(filter(None, (number.remark, told)))
                            same = SAME_TEST if quantity == "chi2" else ""
                            yield key, set_apart(replace(number, remark=remark), stand_in(data, key.method), same)


def p_value(test: McNemarResult) -> Ours:
    """It agrees with what is on the same side of 0.05."""
    below = float(np.nextafter(LEVEL, 0))
    return Ours(test.p_value, (0.0, below) if test.p_value < LEVEL else (LEVEL, 1.0), remark=_alike(test))


def statistic(test: McNemarResult) -> Ours:
    """The same for the statistic."""
    within = (CRITICAL, float(np.inf)) if test.p_value < LEVEL else (0.0, CRITICAL)
    return Ours(test.statistic, within, remark=_alike(test))


def _none_differ(test: McNemarResult, key: Key, printed: Mapping[Key, Printed]) -> str:
    return "neither is significant" if min(test.p_value, printed[key].value) >= LEVEL else ""


def _alike(test: McNemarResult) -> str:
    return "" if test.n01 + test.n10 else "every sample classified alike"


def _shared(
    by: Mapping[tuple[str, str], Result],
    drawn: Mapping[tuple[str, str], Sequence[Result]],
    reading: str,
    printed: Mapping[Key, Printed],
) -> Iterator[tuple[Key, Ours]]:
    """Our folds are others, so a printed share agrees if it is among those of our folds in that round."""
    for data, table in TRACES.items():
        result = by.get((data, "SS-l2AROM"))
        if result is None or result.reading != reading:
            continue
        control = [trace for one in drawn.get((data, "SS-l2AROM"), ()) for trace in one.traces]
        keys = [key for key in printed if key.table == table]
        last = dict(sorted(map(_fold_and_round, keys)))
        for key in keys:
            fold, turn = _fold_and_round(key)
            shares = [share_at(trace, turn) for trace in result.traces]
            without = float(np.median([share_at(trace, turn) for trace in control])) if control else None
            ours = Ours(float(np.median(shares)), (min(shares), max(shares)), honest=without)
            fixed = BY_CONVENTION if turn == 1 else BY_RULE if turn == last[fold] else ""
            yield key, set_apart(ours, stand_in(data, key.method), fixed)


def _fold_and_round(key: Key) -> tuple[str, int]:
    fold, _, turn = key.setting.partition(", round ")
    return fold, int(turn)


def _without_prior(printed: Mapping[Key, Printed]) -> dict[Key, Ours]:
    with_prior = {method for method, way in METHODS.items() if way.takes_prior}
    return {
        key: missing(NO_PRIOR)
        for key in printed
        if key.data == "Bladder" and with_prior.intersection(key.method.split(" vs "))
    }


_LEAK = (
    "The genes called known come from studies of the same samples, so test folds took part in the choice of the prior."
)
_INSTEAD = (
    "What stands under “without the leak” is a negative control, not the same method with a prior that does not leak, "
    f"which cannot be had: the mean of {N_DRAWS} draws of as many genes at random (Conv: the median of their folds)."
)

PLAN = Plan(
    printed=PRINTED,
    sets={name: SETS[name] for name in NAMES},
    protocol=(
        "Ten stratified folds, N = 10, 20 … 100 features chosen on the training part, a linear SVM (C = 1) on features "
        "standardised by the training part; errors of all folds are pooled. Values are taken as they are in the tables "
        "(average differences of Affymetrix chips, no logarithm, no floor). SVM-RFE drops 10 % a round down to 200 "
        "features, then one at a time, C = 1, standardised; PK-RFE, PS-l2-AROM and SS-l2AROM (100 features at once, "
        "`fixed_size=True`) have C = 10⁴. Known features have the prior 10, others 1.",
        "Accuracy agrees within two standard errors of a share of that many samples, stability within 0.1; p and χ² if "
        "both or neither are significant at 0.05; Conv if it is among the values of our ten folds (ours: the median). "
        "Two p-values that agree because neither is significant say little, and almost all of them do so: the remark "
        "tells it. Counted apart: χ², which is one test with its p; Conv in round 1, which is 0 by convention, and the "
        "last of each printed fold, which is 1 by the rule that ends it.",
        "The thesis mentions no scaling in the selection. Numbers beside the print are those with scaling, our "
        "default; those of values as they are stand in tables of their own. They were run *with the printed numbers in "
        f"view*. {RULE} A claim that comes out differently in the two readings holds in part.",
        "Prior, DLBCL: transferrin receptor (X01060_at) and lactate dehydrogenase A (X02152_at), as in the thesis. "
        "**Prior, Lung: a stand-in.** The thesis takes eight genes of Guan et al. 2009 and does not list them. We take "
        "the eight of the ratio test of Gordon et al. 2002: "
        + ", ".join(f"{gene} ({probe})" for gene, probe in PRIORS["Lung"].items())
        + ". Printed and our numbers with a prior on Lung are therefore not the same experiment and are counted apart.",
        "**These lists leak.** Gordon's genes were found on 32 of the same 181 samples, Guan's were tested on the same "
        "32; the two of DLBCL are named in the paper that these samples come from. What a prior adds to accuracy "
        "proves nothing therefore, and stability is not free of it either. Beside ours stands a **negative control**: "
        f"the mean of {N_DRAWS} priors of as many genes drawn at random, for every method with a prior and every N. It "
        "shows what a fixed list does without knowledge; it is not what the method would give with an honest prior.",
        f"{STAND_IN_TOLD} Only methods without a prior are run on it: its eleven known features are not listed. "
        f"{DLBCL_TOLD}",
    ),
    better={"accuracy": True, "stability": True, "p": None, "chi2": None, "conv": None},
    parts=parts,
    judge=judge,
    leaks={
        **dict.fromkeys(("4.3", "4.4", "4.6", "4.7", "4.8"), f"{_LEAK} {_INSTEAD}"),
        "4.9": f"{_LEAK} The tests have no figure without it.",
    },
    remarks={
        "9": "Tables 4.2 to 4.4 and 4.8 differ in the accuracies of the same SVM-RFE, beyond what chance does.",
        "k": "No number of 181 samples is this share: 175 are 0.967, 176 are 0.972.",
        "11": "Table 4.9 contradicts Table 4.8, and its p-values do not belong to its statistics.",
    },
)
