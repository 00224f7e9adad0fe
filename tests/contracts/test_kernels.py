"""Every compiled kernel gives what its slow twin gives."""

from __future__ import annotations

import numpy as np
import pytest

from oracles.kernels import TWINS


@pytest.mark.parametrize("name", sorted(TWINS))
def test_a_kernel_gives_what_its_slow_twin_gives(name, seed):
    twin = TWINS[name]
    for draw in range(25):
        fast, slow = twin.compare(np.random.default_rng([seed, draw, *name.encode()]))
        if twin.tolerance:
            np.testing.assert_allclose(fast, slow, rtol=twin.tolerance, atol=twin.tolerance)
        else:
            assert fast == slow
