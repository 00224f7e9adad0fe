"""Verdicts, claims and tables of Michel 2018 on results of the right shape, without a single search."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

from holdfast.reproduce.cells import AGREES, BETTER, DIFFERS, IMPOSSIBLE, WORSE, Cell, Key, Ours, Printed, read_printed
from holdfast.reproduce.michel._arms import ENTROPY, MAXIMUM, MEASURES, PAIRING, Arm, gathered, repeated
from holdfast.reproduce.michel._cells4 import shape_of, sizes_of_tables
from holdfast.reproduce.michel._cells10 import (
    FIGURES,
    FITTED_RULE,
    FITTED_UNITS,
    SIZE,
    VARIANCE,
    agreeing_by_size,
    all_or_nearly,
    key_of,
    mean_size,
    ours,
    variance_of,
    verdict,
)
from holdfast.reproduce.michel._claims import claim
from holdfast.reproduce.michel._rules import READINGS, RULES, SPELT, TESTING
from holdfast.reproduce.michel._searches import CRITERIA, CV, SHIPPED, TRAIN, WITH_P_VALUES, Run
from holdfast.reproduce.michel._splits import CLASSIFIED, MEASURED, SETS
from holdfast.reproduce.michel._wrapper_claims import by_default
from holdfast.reproduce.michel.chapter10 import N_QUICK, N_REPETITIONS, PLAN, QUICK_SETS
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, NOT_TESTED
from holdfast.reproduce.shelf import Shelf
from unit.reproduce.shelves import as_found

N_FEATURES = {"Breast": 30, "Ionosphere": 34, "Parkinson": 22, "Sonar": 60, "Wine": 13, "Diabetes": 10, "Boston": 13}
FILTER_READINGS = [f"{rule}, y as it is" for rule in ("H", "H2S", "HP")] + ["CW, mirrored", "P, mirrored"]
SHELF = Shelf(SETS, dict.fromkeys(SETS, "nowhere"))


def made_up(n_runs=6, but=()):
    """Results of all parts but those of some tables."""
    rng = np.random.default_rng(0)
    made = {}
    for name, criteria in CRITERIA.items():
        for criterion in criteria if name not in but else ():
            readings = SPELT if criterion == SHIPPED else [*READINGS, *(FILTER_READINGS if name in MEASURED else ())]
            d, runs = N_FEATURES[name], []
            for _ in range(n_runs):
                curve = np.sort(rng.random(d)).tolist()
                sizes = {reading: int(rng.integers(0, d + 1)) for reading in readings}
                p_values = dict.fromkeys(TESTING, curve) if criterion in WITH_P_VALUES else {}
                runs.append(asdict(Run(rng.permutation(d).tolist(), curve, curve, curve, sizes, curve, p_values)))
            made[f"{name} shape"] = {"data": name, "shape": [100, d]}
            made[f"{name} {criterion}"] = {"data": name, "criterion": criterion, "runs": runs}
    return made


def wine_in_order(n_runs=4, **sizes):
    """FS-CV of Wine that always takes the features in the order of the table."""
    every = {**dict.fromkeys(READINGS, 1), **sizes}
    one = Run(list(range(13)), [0.0] * 13, [0.0] * 13, [0.0] * 13, every, [])
    return {("Wine", CV): Arm("Wine", CV, [one] * n_runs)}


def judged(value, printed, quantity):
    return verdict(Key(FIGURES[quantity], "Wine", CV, "CW", quantity), Printed(printed), value)


def test_every_printed_number_is_there():
    figures = [key.table for key in read_printed("michel-10")]
    assert {figure: figures.count(figure) for figure in figures} == {
        "4.1": 14, "10.14": 30, "10.15": 30, "10.16": 24, "10.17": 30, "10.18": 30,
    }  # fmt: skip


def test_printed_stability_of_equal_sizes_is_equal():
    """As it must be when it is read at the size; the entropies of H are not (A19)."""
    printed = read_printed("michel-10")
    for key, there in printed.items():
        for rule in RULES:
            same = key._replace(setting=rule)
            if key.quantity not in MEASURES or (key.quantity == ENTROPY and "H" in (key.setting, rule)):
                continue
            if printed[key_of(SIZE, key.data, key.setting)].value == printed[key_of(SIZE, key.data, rule)].value:
                assert printed[same].value == there.value


def test_the_printed_entropies_that_are_called_impossible_are_those_below_one_by_max():
    printed = read_printed("michel-10")
    below = []
    entropies = {key: there for key, there in printed.items() if key.quantity == ENTROPY}
    for key, there in entropies.items():
        largest = printed[key_of(MAXIMUM, key.data, key.setting)].value
        # Both are rounded to two decimals.
        if there.value + 0.005 < 1 / (largest + 0.005):
            below.append(key)
    assert below == [key for key, there in entropies.items() if there.impossible]
    assert [(key.data, key.setting) for key in below] == [("Ionosphere", "H"), ("Wine", "H")]


@pytest.mark.parametrize(("printed", "expected"), [(3, AGREES), (4, AGREES), (6, DIFFERS), (1, DIFFERS)])
def test_a_mean_size_agrees_within_noise_and_the_rounding_of_print(printed, expected):
    """A printed 3 may be a mean of 3.9 that was cut off."""
    assert judged(mean_size(np.tile([3, 5], 50), variance=1.0), printed, SIZE) == expected


@pytest.mark.parametrize(("mean", "expected"), [(13.0, AGREES), (12.2, AGREES), (11.0, DIFFERS)])
def test_all_features_and_one_fewer_are_the_same_for_a_rule_that_never_stops(mean, expected):
    found = all_or_nearly(np.array([mean]), n_features=13)
    assert {judged(found, printed, SIZE) for printed in (12, 13)} == {expected}


@pytest.mark.parametrize(("printed", "expected"), [(1.0, AGREES), (3.0, DIFFERS)])
def test_a_variance_agrees_within_the_noise_of_two(printed, expected):
    assert judged(variance_of(np.tile([3, 5], 50)), printed, VARIANCE) == expected


@pytest.mark.parametrize(("quantity", "expected"), [(ENTROPY, WORSE), (PAIRING, BETTER), (MAXIMUM, BETTER)])
def test_less_entropy_is_better_and_more_pairing_and_max(quantity, expected):
    assert judged(Ours(0.9, 0.1), 0.5, quantity) == expected


def test_a_size_off_by_more_than_noise_but_within_two_features_is_called_near():
    printed = read_printed("michel-10")
    found = ours(wine_in_order(CW=9), printed)[key_of(SIZE, "Wine", "CW")]
    assert judged(found, 7, SIZE) == DIFFERS
    assert found.remark == "near: within 2 features"
    assert not ours(wine_in_order(CW=10), printed)[key_of(SIZE, "Wine", "CW")].remark


def in_any_order(n_runs=4, **sizes):
    """FS-CV of Wine that takes the same seven features first, and the others in an order of the run."""
    every = {**dict.fromkeys(READINGS, 1), **sizes}
    runs = [
        Run([*range(7), *np.roll(range(7, 13), i).tolist()], [0.0] * 13, [0.0] * 13, [0.0] * 13, every, [])
        for i in range(n_runs)
    ]
    return {("Wine", CV): Arm("Wine", CV, runs)}


def test_stability_is_judged_at_the_printed_size_and_told_at_ours():
    key = key_of(PAIRING, "Wine", "CW")
    found = ours(in_any_order(CW=9), read_printed("michel-10"))[key]
    assert found.value == pytest.approx(1.0)
    assert found.remark == "with the printed 7 features; 0.46 with our 9, which agrees"
    assert not ours(in_any_order(CW=7), read_printed("michel-10"))[key].remark


def test_pairing_of_all_features_is_said_to_be_0_by_convention():
    found = ours(wine_in_order(HP=13), read_printed("michel-10"))[key_of(PAIRING, "Wine", "HP")]
    assert found.value == pytest.approx(1.0)
    assert "0.00 with our 13, all of them, where pairing is 0 by convention" in found.remark
    assert found.apart == FITTED_UNITS


def test_cells_that_are_no_target_are_counted_apart():
    printed = read_printed("michel-10")
    found = ours(gathered(made_up()), printed)
    apart = {key: one.apart for key, one in found.items() if one.apart and not printed[key].impossible}
    not_fitted = {key: why for key, why in apart.items() if why not in (FITTED_RULE, FITTED_UNITS)}
    assert {(key.table, key.setting) for key in not_fitted} == {("10.16", "H"), ("10.17", "HP")}
    # Of pairing only that of Breast, where the printed size is all features.
    assert [key.data for key in not_fitted if key.quantity == PAIRING] == ["Breast"]


def test_what_was_fitted_to_printed_numbers_is_counted_apart():
    """Readings of rules were chosen by sizes and variances, but for the variance of HP; some units by pairing too."""
    printed = read_printed("michel-10")
    apart = {key: one.apart for key, one in ours(gathered(made_up()), printed).items()}
    of_rules = {key for key, why in apart.items() if why == FITTED_RULE}
    assert of_rules == {
        key for key in apart if key.quantity == SIZE or (key.quantity == VARIANCE and key.setting != "HP")
    }
    of_units = {key for key, why in apart.items() if why == FITTED_UNITS}
    assert {key.quantity for key in of_units} == {PAIRING}
    assert {key.data for key in of_units} == {"Parkinson", "Sonar", "Wine"}


def test_sizes_of_tables_are_compared_apart():
    printed = read_printed("michel-10")
    made = {name: {"data": name, "shape": [351, 34]} for name in ("Ionosphere", "Breast")}
    found = sizes_of_tables(made, printed)
    verdicts = {
        (key.data, key.quantity): Cell(key, printed[key], one, PLAN.better[key.quantity]).verdict
        for key, one in found.items()
    }
    assert verdicts == {
        ("Breast", "samples"): DIFFERS,
        ("Breast", "features"): DIFFERS,
        ("Ionosphere", "samples"): AGREES,
        ("Ionosphere", "features"): AGREES,
    }
    assert all(one.apart for one in found.values())


def test_a_part_tells_samples_and_features_of_a_table(tmp_path):
    np.savez(tmp_path / "sonar.npz", X=np.zeros((4, 3)), y=[0, 1, 0, 1])
    assert shape_of("Sonar", as_found(SETS, tmp_path)) == {"data": "Sonar", "shape": [4, 3]}


def test_where_stability_agrees_is_counted_at_three_sizes():
    rows = agreeing_by_size(wine_in_order(HP=13), read_printed("michel-10"))
    assert rows[1] == ["pairing (10.17)", "0 of 6", "0 of 6", "0 of 6"]


def test_all_figures_are_filled_for_the_tables_that_were_run():
    found = PLAN.judge(made_up(but=["Parkinson"]), SHELF, False).ours
    printed = read_printed("michel-10")
    assert set(found) == {key for key in printed if key.data != "Parkinson"}
    verdicts = [Cell(key, printed[key], one, PLAN.better[key.quantity]).verdict for key, one in found.items()]
    assert verdicts.count(IMPOSSIBLE) == 2


def test_blocks_of_repetitions_are_joined_in_their_order():
    made = made_up(n_runs=4, but=[name for name in SETS if name != "Wine"])
    whole = made["Wine FS-CV"]
    blocks = {str(i): {**whole, "runs": whole["runs"][i : i + 2]} for i in (0, 2)}
    assert gathered(blocks)["Wine", CV].runs == gathered({"all": whole})["Wine", CV].runs


@pytest.mark.parametrize("but", [(), ("Parkinson",), (*MEASURED, "Breast"), CLASSIFIED, tuple(SETS)])
def test_a_judgement_needs_no_table_in_particular(but):
    found = PLAN.judge(json.loads(json.dumps(made_up(but=but))), SHELF, False)
    assert len(found.claims) == 60
    assert all(one.evidence for one in found.claims)
    assert {one.verdict for one in found.claims} <= {HOLDS, IN_PART, FAILS, NOT_TESTED}
    for section in found.sections:
        assert all(len(row) == len(section.header) for row in section.rows)
        assert "nan" not in str(section.rows)


def test_claims_about_tables_that_were_not_run_are_not_tested():
    found = PLAN.judge(made_up(but=MEASURED), SHELF, False).claims
    assert {one.verdict for one in found if one.source.startswith(("5", "11"))} == {NOT_TESTED}
    assert NOT_TESTED not in {one.verdict for one in found if one.source.startswith("10")}


@pytest.mark.parametrize(
    ("true_of", "expected"), [(("Wine", "Sonar"), HOLDS), (("Wine",), IN_PART), ((), FAILS)]
)  # fmt: skip
def test_a_claim_holds_in_part_if_it_holds_for_some_tables(true_of, expected):
    arms = gathered(made_up())
    pairs = {name: (arms[name, TRAIN], arms[name, CV]) for name in ("Wine", "Sonar")}
    found = claim("1.1", "", pairs, lambda a, b: b.name in true_of, lambda a, b: f"{b.n_features}")
    assert (found.verdict, found.evidence) == (expected, "Wine 13; Sonar 60")


def test_the_order_of_the_table_is_recognised():
    backwards = Run(list(range(12, -1, -1)), [], [], [], {}, [])
    assert by_default(wine_in_order()["Wine", CV]) == 1
    assert by_default(Arm("Wine", CV, [backwards])) == 0


@pytest.mark.parametrize("quick", [False, True])
def test_every_repetition_of_every_search_is_in_one_part(quick):
    parts = PLAN.parts(SHELF, quick)
    assert len({part.key for part in parts}) == len(parts)
    found = [part.call.args for part in parts if part.call.func is repeated]
    done = [(name, criterion, first + i) for name, criterion, first, n in found for i in range(n)]
    names, n_repetitions = (QUICK_SETS, N_QUICK) if quick else (SETS, N_REPETITIONS)
    assert sorted(done) == sorted(
        (name, one, i) for name in names for one in CRITERIA[name] for i in range(n_repetitions)
    )


def test_keys_say_which_parts_hold_p_values():
    keys = {part.key for part in PLAN.parts(SHELF, False)}
    assert {"Wine FS-CV, p-values 0-19", "Wine FS-Train 0-19", "Boston DT-CV, p-values 80-99", "Boston DT 0-19"} <= keys


def test_the_library_spells_every_rule():
    assert set(SPELT) == set(RULES)
