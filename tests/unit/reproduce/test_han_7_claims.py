"""Claims of chapter 7 of Han 2012 on made-up results."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.reproduce.cells import read_printed
from holdfast.reproduce.han._claims7 import findings
from holdfast.reproduce.han._found7 import LUNG_INSIDE, Found
from holdfast.reproduce.han._microarrays import (
    ARMS,
    ENSEMBLES,
    IW_RELIEFF,
    LUNG,
    PRINTED_ARMS,
    RELIEFF,
    SVM_ARMS,
)
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, CV_SIZES, Crossed, Repeated
from holdfast.reproduce.han._weighing import CONTROL, ENSEMBLE, PLAIN, WEIGHTED, Value, with_conclusion
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED

PRINTED = read_printed("han-7")


def made_up(names=("Colon", "Leukemia"), but=None, inside=False):
    """Results in which weights and C / n do well and a mean of 1 changes nothing; ``but`` takes it from an arm.

    On Leukemia the ensemble is ahead in signatures, and no variance is lower from the first on.
    """
    good = {WEIGHTED, CONTROL, IW_RELIEFF} - {but}
    around_80 = 80 + np.linspace(-1, 1, 5)
    splits, runs = {}, {}
    for name in (*names, *([LUNG_INSIDE] if inside else [])):
        for arm in PRINTED_ARMS if name == LUNG_INSIDE else ARMS:
            is_good, is_en, is_exception = arm in good, arm in ENSEMBLES, name == "Leukemia"
            level = 0.9 if is_good else 0.5 if arm == ENSEMBLE else 0.4 if arm in SVM_ARMS else 0.6 - 0.05 * is_en
            is_ahead = is_exception and arm == ENSEMBLE
            splits[name, arm] = Repeated(
                name, arm,
                [250, 45, 25] if is_ahead else [300, 40, 20] if is_good else [600, 18, 3],
                0.95 if is_ahead else level,
                Value(level, 0.01),
                {} if name == LUNG_INSIDE else dict.fromkeys(AUC_SIZES, level),
                {(one, size): around_80 for one in CLASSIFIERS for size in AUC_SIZES},
                20.0 if is_en else 1.1 if arm in (WEIGHTED, IW_RELIEFF) else 1.0,
            )  # fmt: skip
            last = 1e-8 * (1 - level)
            first = 5e-11 if is_exception and arm in SVM_ARMS else last / 100
            course = {1000: last} if arm not in SVM_ARMS else {1000: first, 100: last / 10, 10: last}
            runs[name, arm] = Crossed(
                name, arm,
                {(one, size): around_80 for one in CLASSIFIERS for size in CV_SIZES},
                dict.fromkeys(CV_SIZES, level + 0.001 * around_80 / 80),
                {} if name == LUNG_INSIDE else {size: np.full(5, value) for size, value in course.items()},
            )  # fmt: skip
    return Found(splits, runs, list(names), [LUNG_INSIDE] if inside else [])


def verdicts(found):
    return {one.text: one.verdict for one in with_conclusion(findings(found, PRINTED), "chapter 7")}


def starting(found, text):
    (verdict,) = [verdict for one, verdict in verdicts(found).items() if one.startswith(text)]
    return verdict


def test_claims_hold_where_weights_do_well():
    found = verdicts(made_up())
    assert {text: verdict for text, verdict in found.items() if verdict != HOLDS} == {
        "it is the weights of the samples that do this": FAILS,
        "IW ReliefF is almost perfectly stable on Lung (KI over 0.95 for every size)": NOT_TESTED,
    }


def test_what_the_control_has_too_is_no_effect_of_weights():
    assert starting(made_up(), "it is the weights") == FAILS
    assert starting(made_up(but=CONTROL), "it is the weights") == HOLDS


def test_claims_fail_where_weights_do_nothing():
    found = made_up(but=WEIGHTED)
    assert starting(found, "IW SVM-RFE is clearly more stable") == FAILS
    assert starting(found, "fewer different genes") == FAILS


def test_a_claim_that_fails_on_one_table_holds_in_part():
    found = made_up()
    same = replace(found.repeated["Colon", WEIGHTED], counts=[600, 18, 3])
    mixed = replace(found, repeated={**found.repeated, ("Colon", WEIGHTED): same})
    text = "fewer different genes, more in over half and in over 85 % of the signatures"
    (claim,) = [one.claim for one in findings(mixed, PRINTED) if one.claim.text == text]
    assert claim.verdict == IN_PART
    assert claim.evidence.startswith("Colon (not so) SVM-RFE 600/18/3, En SVM-RFE 600/18/3")


LOWER = "with weights it is lower from the first on, but for Leukemia"


def the_claim(found, text):
    (claim,) = [one.claim for one in findings(found, PRINTED) if one.claim.text.startswith(text)]
    return claim


def test_the_ensemble_is_ahead_on_leukemia_as_in_print():
    text = "IW SVM-RFE is nearer to the rectangle than En"
    assert starting(made_up(), text) == HOLDS
    found = made_up()
    behind = replace(found.repeated["Leukemia", ENSEMBLE], overlap=0.5)
    changed = replace(found, repeated={**found.repeated, ("Leukemia", ENSEMBLE): behind})
    assert starting(changed, text) == IN_PART


def test_an_exception_must_be_one():
    found = made_up()
    as_others = {("Leukemia", arm): replace(found.crossed["Colon", arm], data="Leukemia") for arm in ARMS}
    assert "Leukemia (the exception) SVM-RFE" in the_claim(found, LOWER).evidence
    claim = the_claim(replace(found, crossed={**found.crossed, **as_others}), LOWER)
    assert claim.verdict == IN_PART
    assert "Leukemia (no exception) SVM-RFE" in claim.evidence


def test_a_claim_is_not_tested_on_its_exception_alone():
    assert the_claim(made_up(["Leukemia"]), LOWER).verdict == NOT_TESTED


def test_exceptions_are_no_cases_of_what_weights_do():
    (tested,) = [one for one in findings(made_up(), PRINTED) if one.claim.text == LOWER]
    assert len(tested.cases) == 1


def test_lung_without_the_leak_stands_beside_and_changes_no_verdict():
    text = "IW SVM-RFE is clearly more stable"
    found = made_up(("Colon", LUNG), inside=True)
    claim = the_claim(found, text)
    assert claim.verdict == HOLDS
    assert f". {LUNG_INSIDE} SVM-RFE 0.401 to" in claim.evidence
    same = {(LUNG_INSIDE, WEIGHTED): replace(found.crossed[LUNG_INSIDE, PLAIN], arm=WEIGHTED)}
    worse = the_claim(replace(found, crossed={**found.crossed, **same}), text)
    assert worse.verdict == HOLDS
    assert f"{LUNG_INSIDE} (not so)" in worse.evidence
    of_tables = [one.claim for one in findings(found, PRINTED) if one.claim.source.startswith("Table 7.4")]
    assert of_tables[0].evidence == f"60 of 60 pairs are that near; {LUNG_INSIDE} 30 of 30"


def test_signatures_are_compared_with_the_ensemble_too():
    found = made_up()
    assert the_claim(found, "IW SVM-RFE outperforms En").verdict == HOLDS
    short = replace(found.repeated["Colon", ENSEMBLE], counts=[200, 45, 25])
    changed = replace(found, repeated={**found.repeated, ("Colon", ENSEMBLE): short})
    assert the_claim(changed, "IW SVM-RFE outperforms En").verdict == IN_PART
    assert the_claim(changed, "on Colon IW SVM-RFE has a shorter tail").verdict == FAILS
    assert the_claim(found, "fewer different genes").printed.startswith(
        "Colon SVM-RFE 642/18/1, IW SVM-RFE 350/36/16; "
    )


def test_relieff_is_more_stable_than_svm_rfe_by_both_measures():
    found = made_up()
    text = "ReliefF is more stable than SVM-RFE by this measure too"
    assert the_claim(found, text).verdict == HOLDS
    low = replace(found.repeated["Colon", RELIEFF], npogr=dict.fromkeys(AUC_SIZES, 0.1))
    assert the_claim(replace(found, repeated={**found.repeated, ("Colon", RELIEFF): low}), text).verdict == IN_PART


def test_weights_are_compared_with_ensembles_in_prediction_too():
    """Three versions in a row: neighbours near, the ends apart."""
    found = made_up(["Colon"])
    steps = {PLAIN: 0.0, ENSEMBLE: 0.9, WEIGHTED: -0.5}
    apart = {
        ("Colon", arm): replace(
            found.crossed["Colon", arm],
            accuracy={where: values + 0.8 * step for where, values in found.crossed["Colon", arm].accuracy.items()},
        )
        for arm, step in steps.items()
    }
    claims = {
        one.claim.source: one.claim for one in findings(replace(found, crossed={**found.crossed, **apart}), PRINTED)
    }
    assert claims["Table 7.2"].evidence == "20 of 30 pairs are that near"
    assert claims["Table 7.2"].verdict == IN_PART


def test_accuracies_far_apart_are_not_practically_the_same():
    found = made_up()
    far = {
        (data, arm): replace(one, accuracy={where: values + 9 for where, values in one.accuracy.items()})
        for (data, arm), one in found.crossed.items()
        if arm == WEIGHTED
    }
    changed = {
        one.claim.source: one.claim for one in findings(replace(found, crossed={**found.crossed, **far}), PRINTED)
    }
    assert changed["Table 7.2"].verdict == IN_PART
    assert changed["Table 7.2"].evidence == "20 of 60 pairs are that near"
    assert changed["Table 7.2"].printed.endswith("of 120 pairs")
    assert changed["Table 7.4"].verdict == HOLDS
