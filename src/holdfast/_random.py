"""Randomness: the parent draws everything, and draw i depends on the seed and on i only."""

from __future__ import annotations

import numpy as np


def seed_sequence(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.SeedSequence:
    """Root of all draws of one call.

    An int gives the same draws every time; a generator is advanced once; None takes fresh entropy.
    """
    if random_state is None:
        return np.random.SeedSequence()
    if isinstance(random_state, np.random.Generator):
        return np.random.SeedSequence(int(random_state.integers(2**63)))
    if isinstance(random_state, np.random.RandomState):
        return np.random.SeedSequence(int(random_state.randint(2**31)))
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return np.random.SeedSequence(int(random_state))
    raise ValueError(
        f"random_state={random_state!r} is not a seed. Pass a whole number of at least 0, a numpy Generator, or None."
    )


def generator(random_state: int | np.random.Generator | np.random.RandomState | None) -> np.random.Generator:
    """One generator for a single stream of draws."""
    return np.random.default_rng(seed_sequence(random_state))


def generators(
    random_state: int | np.random.Generator | np.random.RandomState | None, n_runs: int
) -> list[np.random.Generator]:
    """One independent generator per run; run i can be repeated alone."""
    return [np.random.default_rng(child) for child in seed_sequence(random_state).spawn(n_runs)]


def child(root: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """Seeds of one task, known by numbers, whatever other tasks there are."""
    return np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, *key))
