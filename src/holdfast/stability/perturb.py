"""Perturbations: lists of rows, drawn in the parent, one per run, so that run i depends on the seed and on i only."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast._random import generators
from holdfast.data import is_measured

Array = npt.NDArray[Any]
_PATIENCE = 1000


def half_samples(target: Any, n_runs: int, random_state: Any = None, *, groups: Any = None) -> list[Array]:
    """Half of the samples of every class, once per run.

    Use it to see which features a selection keeps when the data shift a little.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes; each gives half of its samples, rounded up, and two if it has two or three. A measured target
        is halved above and below its median.
    n_runs : int
        How many times to draw.
    random_state : int, Generator or None, default=None
        Seed; run i depends on it and on i only.
    groups : array-like of shape (n_samples,), default=None
        Samples that belong together, such as those of one patient: they are drawn together or not at all.

    Returns
    -------
    rows : list of n_runs arrays
        Row numbers of each run, ascending.

    Examples
    --------
    >>> [len(rows) for rows in half_samples([0, 0, 0, 0, 1, 1, 1, 1], n_runs=2, random_state=0)]
    [4, 4]
    """
    return subsamples(target, n_runs, random_state, share=0.5, groups=groups)


def subsamples(
    target: Any,
    n_runs: int,
    random_state: Any = None,
    *,
    share: float = 2 / 3,
    stratified: bool = True,
    groups: Any = None,
) -> list[Array]:
    """A share of the samples, none twice, once per run.

    Use it for training sets a little smaller than the data, as in repeated random splits.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes, or a measured target, which is split at its median.
    n_runs : int
        How many times to draw.
    random_state : int, Generator or None, default=None
        Seed; run i depends on it and on i only.
    share : float, default=2/3
        Share of the samples, above 0 and below 1; a half is rounded up.
    stratified : bool, default=True
        Draw from every class by itself, at least two of each that has two.
    groups : array-like of shape (n_samples,), default=None
        Samples that are drawn together or not at all.

    Returns
    -------
    rows : list of n_runs arrays
        Row numbers of each run, ascending.

    Examples
    --------
    >>> subsamples([0, 0, 0, 1, 1, 1], n_runs=1, random_state=0)[0].shape
    (4,)
    """
    if not 0 < share < 1:
        raise ValueError(f"share={share} is no share of the samples. Pass a number above 0 and below 1, such as 0.5.")
    units = _Units.of(target, groups, stratified=stratified)
    drawn = []
    for rng in generators(random_state, _checked(n_runs)):
        parts = [
            rng.choice(unit, size=min(len(unit), max(2, int(share * len(unit) + 0.5))), replace=False)
            for unit in units.strata
        ]
        drawn.append(units.rows(np.concatenate(parts)))
    return drawn


def complementary_pairs(target: Any, n_runs: int, random_state: Any = None, *, groups: Any = None) -> list[Array]:
    """Two halves that share no sample, one pair after the other.

    Use it for stability selection with the bounds of Shah and Samworth, which hold for any selector.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes, of which both halves get half (a single sample left over goes to one of them in turn), or a measured
        target, which is split at its median.
    n_runs : int
        How many halves, an even number: runs 0 and 1 are the first pair.
    random_state : int, Generator or None, default=None
        Seed; pair i depends on it and on i only.
    groups : array-like of shape (n_samples,), default=None
        Samples that stay in one half.

    Returns
    -------
    rows : list of n_runs arrays
        Row numbers of each run, ascending.

    Examples
    --------
    >>> first, second = complementary_pairs([0, 0, 0, 0, 1, 1, 1, 1], n_runs=2, random_state=0)
    >>> len(first), len(set(first) & set(second))
    (4, 0)
    """
    if _checked(n_runs) % 2:
        raise ValueError(f"n_runs={n_runs} is odd, but complementary halves come in pairs. Pass an even number.")
    units = _Units.of(target, groups)
    if sum(map(len, units.strata)) < 2:
        raise DataError("There is only one sample, and a pair of halves needs two.")
    drawn = []
    for rng in generators(random_state, n_runs // 2):
        halves: list[list[Array]] = [[], []]
        larger = 0
        for unit in units.strata:
            shuffled = rng.permutation(unit)
            cut = (len(unit) + 1 - larger) // 2 if len(unit) % 2 else len(unit) // 2
            halves[0].append(shuffled[:cut])
            halves[1].append(shuffled[cut:])
            larger = (larger + len(unit)) % 2
        drawn += [units.rows(np.concatenate(half)) for half in halves]
    return drawn


def bootstraps(
    target: Any, n_runs: int, random_state: Any = None, *, stratified: bool = True, groups: Any = None
) -> list[Array]:
    """As many samples as there are, drawn with replacement, once per run.

    Use it to build ensembles; about 37 % of the samples are left out of each run.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes, or a measured target, which is split at its median.
    n_runs : int
        How many times to draw.
    random_state : int, Generator or None, default=None
        Seed; run i depends on it and on i only.
    stratified : bool, default=True
        Draw from every class as many as it has, at least two different ones if it has two; otherwise draw from all, and
        again while a class is missing.
    groups : array-like of shape (n_samples,), default=None
        Samples that are drawn together.

    Returns
    -------
    rows : list of n_runs arrays
        Row numbers of each run, ascending; a sample drawn twice is there twice.

    Examples
    --------
    >>> bootstraps([0, 0, 0, 1, 1, 1], n_runs=1, random_state=0)[0].shape
    (6,)
    """
    units = _Units.of(target, groups)
    draw_units = _by_class if stratified else _of_every_class
    return [units.rows(draw_units(units, rng)) for rng in generators(random_state, _checked(n_runs))]


def folds(
    target: Any, n_folds: int = 10, random_state: Any = None, *, n_repeats: int = 1, groups: Any = None
) -> list[Array]:
    """Training parts of cross-validation: each leaves out one part of the samples.

    Use it to see how far a selection agrees with itself between the folds of an evaluation.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes, which are spread evenly over the parts, or a measured target, which is split at its median.
    n_folds : int, default=10
        Number of parts.
    random_state : int, Generator or None, default=None
        Seed; repeat i depends on it and on i only.
    n_repeats : int, default=1
        How many times to part the samples anew.
    groups : array-like of shape (n_samples,), default=None
        Samples that stay in one part.

    Returns
    -------
    rows : list of n_folds · n_repeats arrays
        Row numbers of each training part, ascending.

    Examples
    --------
    >>> [len(rows) for rows in folds([0, 0, 0, 1, 1, 1], n_folds=3, random_state=0)]
    [4, 4, 4]
    """
    units = _Units.of(target, groups)
    n_units = sum(map(len, units.strata))
    if not 2 <= n_folds <= n_units:
        what = "samples" if groups is None else "groups"
        raise ValueError(f"n_folds={n_folds} but there are {n_units} {what}. Pass a whole number from 2 to {n_units}.")
    drawn = []
    for rng in generators(random_state, _checked(n_repeats, "n_repeats")):
        # Dealt out like cards, class after class, so that parts differ by one sample at most.
        dealt = np.concatenate([rng.permutation(unit) for unit in units.strata])
        part = np.empty(n_units, dtype=np.int64)
        part[dealt] = np.arange(n_units) % n_folds
        drawn += [units.rows(np.flatnonzero(part != left_out)) for left_out in range(n_folds)]
    return drawn


def leave_one_out(target: Any, *, groups: Any = None) -> list[Array]:
    """All samples but one, for every sample; nothing is drawn.

    Use it to see whether a single sample, or a single group of samples, decides what is chosen.

    Parameters
    ----------
    target : array-like of shape (n_samples,)
        Classes or a measured target; only its length matters.
    groups : array-like of shape (n_samples,), default=None
        Samples that are left out together.

    Returns
    -------
    rows : list of arrays
        Row numbers of each run, ascending; one run for each sample or group.

    Examples
    --------
    >>> [rows.tolist() for rows in leave_one_out([0, 0, 1])]
    [[1, 2], [0, 2], [0, 1]]
    """
    units = _Units.of(target, groups, stratified=False)
    every = units.strata[0]
    if len(every) < 2:
        raise DataError("There is only one sample, and nothing is left without it.")
    return [units.rows(np.delete(every, i)) for i in range(len(every))]


def group_numbers(groups: Any, n_samples: int) -> Array:
    """Numbers 0, 1, … for the groups of all samples, which must be known and more than one."""
    given = np.asarray(groups)
    if given.shape != (n_samples,):
        raise ValueError(f"groups has shape {given.shape}, but there are {n_samples} samples: give one for each.")
    if any(one is None or one != one for one in given.tolist()):
        raise DataError("Some groups are missing (None or NaN). Give every sample a group, also those alone.")
    numbers: Array = np.unique(given.astype(str) if given.dtype == object else given, return_inverse=True)[1]
    if numbers.max(initial=0) == 0:
        raise DataError("All samples are of one group, so they cannot be split or drawn apart. Use other groups.")
    return numbers


class _Units:
    """What is drawn: samples, or groups of samples that stay together, by class."""

    def __init__(self, strata: list[Array], members: list[Array] | None) -> None:
        self.strata = strata
        self.members = members

    @classmethod
    def of(cls, target: Any, groups: Any, *, stratified: bool = True) -> _Units:
        target = np.asarray(target)
        if target.ndim != 1 or len(target) == 0:
            raise ValueError(f"target has shape {target.shape}, but one label for each sample is needed.")
        if is_measured(target):
            target = target > np.median(target)
        _, target = np.unique(target, return_inverse=True)
        members = None
        if groups is not None:
            group = group_numbers(groups, len(target))
            members = [np.flatnonzero(group == g) for g in range(group.max() + 1)]
            # A group of several classes counts for the one most of its samples have.
            target = np.array([np.bincount(target[rows]).argmax() for rows in members])
        if not stratified:
            target = np.zeros_like(target)
        return cls([np.flatnonzero(target == c) for c in np.unique(target)], members)

    def rows(self, units: Array) -> Array:
        """Rows of some units, ascending; repeated units repeat."""
        if self.members is None:
            return np.sort(units)
        return np.sort(np.concatenate([self.members[unit] for unit in units]))


def _by_class(units: _Units, rng: np.random.Generator) -> Array:
    """As many of every class as there are, at least two different ones if there are two."""
    parts = []
    for unit in units.strata:
        drawn = rng.choice(unit, size=len(unit))
        while len(unit) > 1 and (drawn == drawn[0]).all():
            drawn = rng.choice(unit, size=len(unit))
        parts.append(drawn)
    return np.concatenate(parts)


def _of_every_class(units: _Units, rng: np.random.Generator) -> Array:
    every = np.sort(np.concatenate(units.strata))
    for _ in range(_PATIENCE):
        drawn = rng.choice(every, size=len(every))
        if all(np.isin(unit, drawn).any() for unit in units.strata):
            return drawn
    raise DataError(
        f"{_PATIENCE} bootstraps in a row left out a class: the smallest has {min(map(len, units.strata))} sample(s). "
        "Draw from every class by itself (stratified=True), or drop small classes."
    )


def _checked(n_runs: int, name: str = "n_runs") -> int:
    if n_runs < 1:
        raise ValueError(f"{name}={n_runs} gives nothing to draw. Pass a whole number of at least 1, such as 50.")
    return n_runs
