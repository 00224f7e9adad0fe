"""FCBF subsets of two packages on seeded discrete data; both drop on equality, so strict=False."""

import json
from pathlib import Path

import numpy as np
import pytest

import holdfast
from golden import datasets

GOLDEN = json.loads((Path(__file__).parent / "fcbf.json").read_text())["data"]


def first_copies(X, columns):
    """Each column by its first copy, also one whose codes were only renamed."""
    kinds = {}
    for column in range(X.shape[1]):
        _, kind = np.unique(X[:, column], return_inverse=True)
        seen = {}
        kinds.setdefault(tuple(seen.setdefault(value, len(seen)) for value in kind), []).append(column)
    first = {column: same[0] for same in kinds.values() for column in same}
    return [first[column] for column in columns]


@pytest.mark.parametrize("name", list(GOLDEN))
@pytest.mark.parametrize("package", ["orange", "fcbf"])
def test_fcbf_keeps_the_features_the_package_keeps(name, package):
    data = getattr(datasets, name)()
    assert data.fingerprint == GOLDEN[name]["fingerprint"]
    fitted = holdfast.FCBF(discretizer=None, strict=False, min_su=0.0).fit(data.X, data.y)
    # Among copies the packages take the lowest or the highest column and we the one the tie rule names.
    assert first_copies(data.X, fitted.indices_) == first_copies(data.X, GOLDEN[name][package])
