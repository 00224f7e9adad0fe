"""A small plan on made-up tables."""

import numpy as np
import pytest

from holdfast.reproduce.plans import HAN
from unit.reproduce.made_up import PRINTED, MadeUp


@pytest.fixture
def folder(tmp_path):
    """Two of the three sets that the plan asks for."""
    place = tmp_path / "data"
    place.mkdir()
    rng = np.random.default_rng(0)
    for name, n_samples in (("one", 20), ("two", 30)):
        np.savez(place / f"{name}.npz", X=rng.normal(size=(n_samples, 4)), y=np.arange(n_samples) % 2)
    return place


@pytest.fixture
def row(monkeypatch):
    """The plan in the list of plans."""
    made = MadeUp("made-up", HAN, "means of tables", ("1.1", "1.2"), 1, "nowhere")
    monkeypatch.setattr("holdfast.reproduce.run.read_printed", lambda name: PRINTED)
    monkeypatch.setattr("holdfast.reproduce.plans.ROWS", (made,))
    monkeypatch.setattr("holdfast.cli.reproduce.ROWS", (made,))
    return made
