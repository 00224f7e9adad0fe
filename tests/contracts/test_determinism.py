"""Same bits for any number of jobs, any backend and any hash seed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import joblib
import numpy as np
import pytest

import holdfast
from holdfast import selection_frequency
from oracles import datasets

METHODS = holdfast.methods()


def _runs(method, seed, **options):
    data = datasets.suited(method, datasets.tied(seed, n_samples=40, n_features=16))
    return selection_frequency(datasets.build(method, 4), data.X, data.y, n_runs=4, random_state=seed, **options).runs


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_the_number_of_jobs_changes_no_run(method, seed):
    alone = _runs(method, seed, n_jobs=1)
    assert np.array_equal(alone, _runs(method, seed, n_jobs=2))
    assert np.array_equal(alone, _runs(method, seed))


@pytest.mark.parametrize("backend", ["threading", "loky", "sequential"])
def test_the_backend_changes_no_run(backend, seed):
    for method in METHODS:
        alone = _runs(method, seed, n_jobs=1)
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert np.array_equal(alone, _runs(method, seed)), method.name


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_second_fit_gives_the_same_bits(method, seed):
    for data in datasets.bundle(method, seed):
        selector = datasets.build(method, 3)
        first = datasets.fit(selector, data.X, data.y).scores_.tobytes(), selector.indices_.tolist()
        again = datasets.fit(selector, data.X, data.y).scores_.tobytes(), selector.indices_.tolist()
        assert first == again


_SCRIPT = """
import json, sys
import holdfast
from oracles import datasets

found = {}
for method in holdfast.methods():
    for data in datasets.bundle(method, int(sys.argv[1])):
        fitted = datasets.fit(datasets.build(method, 5), data.frame, data.y)
        found[f"{method.name} on {data.name}"] = [fitted.indices_.tolist(), fitted.scores_.tobytes().hex()]
print(json.dumps(found))
"""


def test_the_hash_seed_changes_no_bit_of_any_method(seed):
    answers = []
    for hash_seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT, str(seed)], env=environment, capture_output=True, text=True, check=True
        )
        answers.append(json.loads(done.stdout))
    assert len(answers[0]) >= len(METHODS)
    assert answers[0] == answers[1]
