"""Hosseini 2018, Tables 2.11 and 2.12, with all repetitions."""

import numpy as np
import pytest

from holdfast.reproduce.cells import Key, read_printed
from holdfast.reproduce.hosseini.chapter2 import DISTRIBUTIONS, N_REPETITIONS, RESPONSES, repeated
from holdfast.reproduce.shelf import Shelf

# A lognormal mean of 1,000 repetitions varies more than the others.
TOLERANCE = {"Normal": 0.003, "Poisson": 0.003, "Lognormal": 0.01}


@pytest.mark.slow
@pytest.mark.parametrize("table", list(RESPONSES))
@pytest.mark.parametrize("name", list(DISTRIBUTIONS))
def test_columns_that_say_nothing_lower_dcor_as_in_print(table, name):
    printed = read_printed("hosseini-2")
    means = repeated(table, name, N_REPETITIONS, Shelf({}, {}))["mean"]
    assert (np.diff(means) < 0).all()
    for k, mean in enumerate(means):
        there = printed[Key(table, name, "dCor", f"{k} added", "mean")].value
        assert mean == pytest.approx(there, abs=TOLERANCE[name])
