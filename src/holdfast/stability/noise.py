"""Noise on the values: what a second measurement of the same samples might have given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._random import seed_sequence
from holdfast.data import Table

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Noise:
    """The noise of one run, drawn when it is asked for.

    Samples and features may have an order of their own, so that the same seed gives each the same noise wherever it
    stands in the table.
    """

    seed: np.random.SeedSequence
    scale: float
    samples: Array | None = None
    features: Array | None = None

    def among(self, samples: Array, features: Array) -> Noise:
        """The same noise, dealt out in these orders."""
        return replace(self, samples=samples, features=features)

    def added_to(self, X: Any) -> Any:
        """A Table, data frame or array with noise on every value; names come along."""
        if isinstance(X, Table):
            return Table(self.added_to(X.X), X.feature_names, X.sample_names, X.target, X.target_name, X.source)
        if hasattr(X, "columns"):
            noisy = self.added_to(X.to_numpy())
            return (
                type(X)(noisy, index=X.index, columns=X.columns)
                if hasattr(X, "iloc")
                else type(X)(noisy, schema=list(X.columns))
            )
        values = np.asarray(X, dtype=np.float64)
        drawn = np.random.default_rng(self.seed).standard_normal(values.shape)
        if self.samples is not None and self.features is not None:
            dealt = np.empty_like(drawn)
            dealt[np.ix_(self.samples, self.features)] = drawn
            drawn = dealt
        spread: Array = self.scale * np.nanstd(values, axis=0)
        return values + spread * drawn


@dataclass(frozen=True)
class FeatureNoise:
    """A perturbation that keeps all samples and adds noise to every feature.

    Use it as ``perturb`` of a selector that repeats itself, for measured values whose last digits are uncertain.

    Parameters
    ----------
    scale : float, default=0.1
        Standard deviation of the noise as a share of that of the feature.

    Examples
    --------
    >>> from holdfast import TTest, selection_frequency
    >>> from holdfast.data import copies
    >>> from holdfast.stability import FeatureNoise
    >>> made = copies(n_features=30, n_relevant=2, n_copies=3, random_state=0)
    >>> selection_frequency(TTest(5), made.X, made.y, n_runs=4, perturb=FeatureNoise(0.2)).runs.shape
    (4, 30)
    """

    scale: float = 0.1

    def __post_init__(self) -> None:
        if not self.scale >= 0:
            raise ValueError(f"scale={self.scale} is no standard deviation. Pass a number of at least 0, such as 0.1.")

    def __call__(self, target: Any, n_runs: int, random_state: Any = None) -> list[Noise]:
        """The noise of every run."""
        return [Noise(child, self.scale) for child in seed_sequence(random_state).spawn(n_runs)]


def feature_noise(X: Any, n_runs: int, random_state: Any = None, *, scale: float = 0.1) -> Iterator[Any]:
    """The table with noise added to every feature, once per run.

    Use it to see whether a selection hangs on digits that a second measurement would not repeat.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), data frame or Table
        Measured values.
    n_runs : int
        How many noisy tables.
    random_state : int, Generator or None, default=None
        Seed; run i depends on it and on i only.
    scale : float, default=0.1
        Standard deviation of the noise as a share of that of the feature.

    Yields
    ------
    noisy : ndarray, data frame or Table of shape (n_samples, n_features)
        One table at a time, so that they need not fit into memory together.

    Examples
    --------
    >>> [noisy.shape for noisy in feature_noise([[1.0, 2.0], [3.0, 5.0]], n_runs=2, random_state=0)]
    [(2, 2), (2, 2)]
    """
    for noise in FeatureNoise(scale)(None, n_runs, random_state):
        yield noise.added_to(X)
