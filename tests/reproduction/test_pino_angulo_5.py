"""GBC and GBC+ of Pino Angulo 2019 on real tables.

The tables are no part of the project: set HOLDFAST_DATA to a folder of npz files, or keep it in ../shared/data.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from holdfast.reproduce.pino_angulo._searched import gathered
from holdfast.reproduce.pino_angulo._sets5 import ABLATION, SETS
from holdfast.reproduce.pino_angulo._two_stage import FULL, N_FOLDS, ablation, load, partitioned
from holdfast.reproduce.pino_angulo.chapter5 import INSEPARABLE
from holdfast.reproduce.shelf import stocked

FOLDER = Path(os.environ.get("HOLDFAST_DATA", Path(__file__).parents[3] / "shared" / "data"))

pytestmark = pytest.mark.slow


def shelf_with(name):
    shelf = stocked(SETS, FOLDER)
    if name not in shelf:
        pytest.skip(f"{shelf.absence(name)}: set HOLDFAST_DATA to a folder that has it")
    return shelf


@pytest.mark.parametrize(
    ("name", "size"),
    [("Colon", (62, 2000, 2)), ("Prostate", (102, 12600, 2)), ("BRE", (97, 13547, 2)), ("St Jude", (248, 2526, 6))],
)
def test_tables_have_the_size_that_is_told_of_them(name, size):
    table = load(shelf_with(name), name)
    assert (*table.X.shape, len(np.unique(table.y))) == size
    assert not np.isnan(table.X).any()


def test_the_table_without_outer_folds_has_a_class_of_two():
    name = INSEPARABLE[0]
    assert np.bincount(load(shelf_with(name), name).y).min() == 2


@pytest.mark.parametrize("name", ["Colon", "SRBCT"])
def test_on_real_tables_gbc_plus_does_with_a_fraction_of_the_evaluations(name):
    shelf = shelf_with(name)
    made = {f"ablation/{name}/{seed}": ablation(name, seed, FULL, False, shelf) for seed in range(2)}
    found = gathered(made, ABLATION)
    for (_, variant, seed), one in found.searches.items():
        plain = found.searches[name, "GBC", seed]
        fitness = [queen[2] for queen in one.queens]
        assert fitness == sorted(fitness)
        assert fitness[-1] == one.fitness == one.best_at(one.n_evaluations)
        # The pool as a whole is evaluated, but not asked for by the search.
        assert one.n_evaluations <= one.n_requests + 1
        if variant in ("MRMR+", "look-up"):
            assert (one.features, one.fitness) == (plain.features, plain.fitness)
        if variant == "stop i":
            assert one.fitness == plain.fitness
        if variant in ("stop ii", "minor"):
            assert one.fitness <= plain.fitness
    for variant, least in {"stop ii": 50, "look-up": 10, "minor": 60, "GBC+": 60}.items():
        assert found.saved(name, variant, "n_evaluations") > least
    plus, plain_by_then, _ = found.at_stop(name).mean(axis=0)
    assert plus >= plain_by_then - 1e-9


def test_the_fitness_promises_too_much_on_cns():
    made = partitioned("CNS", 0, range(N_FOLDS), ["GBC+"], FULL, shelf_with("CNS"))
    accuracy, fitness, _ = gathered({"outer/CNS/0": made}, ABLATION).outer_mean("CNS", "GBC+")
    assert fitness - accuracy > 0.1
