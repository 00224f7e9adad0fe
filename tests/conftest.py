"""What every test may use: the seed, and small Hypothesis budgets that draw the same examples every time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import holdfast

# numba keeps a compiled kernel until its own file changes, also when a kernel it inlines from another file did.
_kernels = Path(holdfast.__file__).parent / "kernels"
_sources = b"".join(path.read_bytes() for path in sorted(_kernels.glob("*.py")))
_cache = Path(__file__).parents[1] / ".numba_cache" / hashlib.sha256(_sources).hexdigest()[:12]
os.environ.setdefault("NUMBA_CACHE_DIR", str(_cache))

settings.register_profile(
    "quick",
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.register_profile("long", parent=settings.get_profile("quick"), max_examples=2000, derandomize=False)
settings.load_profile(os.environ.get("HOLDFAST_HYPOTHESIS", "quick"))


def _seeds():
    """Seeds to draw with: 0, or ``HOLDFAST_SEEDS=0-99`` for all that the tests promise to hold for."""
    first, _, last = os.environ.get("HOLDFAST_SEEDS", "0").partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.fixture(params=_seeds(), ids=lambda seed: f"seed{seed}")
def seed(request):
    return request.param


def pytest_collection_modifyitems(items):
    """Refuse names with an address in memory, which differs from worker to worker: then no test runs at all."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: give the parameter an id without an address.")
