"""A small table as a file, and a way to run the command on it."""

import csv
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from holdfast.cli.app import app
from holdfast.data import copies

MADE = copies(40, 30, n_relevant=3, n_copies=2, shift=2.0, random_state=1)
GENES = [f"gene{j:02d}" for j in range(MADE.X.shape[1])]
SAMPLES = [f"p{i}" for i in range(len(MADE.y))]
STATES = np.where(MADE.y == 1, "sick", "well")


def write_table(file, X=MADE.X, states=STATES, genes=GENES, target="state"):
    with open(file, "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["sample", target, *genes])
        for sample, state, row in zip(SAMPLES, states, X, strict=False):
            writer.writerow([sample, state, *("" if np.isnan(value) else value for value in row)])
    return Path(file)


@pytest.fixture
def table(tmp_path):
    return write_table(tmp_path / "blood.csv")


@pytest.fixture
def holdfast():
    def run(*arguments):
        return CliRunner().invoke(app, [str(argument) for argument in arguments])

    return run


@pytest.fixture
def make_table(tmp_path):
    def make(name="odd.csv", **parts):
        return write_table(tmp_path / name, **parts)

    return make
