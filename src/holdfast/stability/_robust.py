"""Robust rank aggregation: is a feature ranked higher than in lists of random order? (Kolde et al. 2012).

The exact p-value is the chance that the order statistics of as many uniform numbers cross a boundary anywhere. It is
added up over the last place at which they cross, so that all terms are positive and small values keep their digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev
from scipy.special import betainc, betaincinv, expit, gammaln, logit

from holdfast.stability._rules import Aggregated, has_complete_ranks, in_turn, rank_sum
from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]

# Beyond so many different values a polynomial takes over, whose error is that of rounding.
_MOST_DIRECT = 1024
_DEGREE = 24
# Below this the boundaries themselves are not known well.
_LEAST = 1e-80
_PANELS = np.array([-190.0, -128, -64, -32, -16, -8, -4, -2, 0, 2, 4, 8, 16, 40])
_BLOCK = 512


def rra(lists: Lists) -> Aggregated:
    """Robust ranks: how unlikely ranks as good as a feature's best ones are in lists of random order."""
    n_lists = lists.n_lists
    places = lists.ranks / lists.n_features
    if not has_complete_ranks(lists):
        places = np.where(lists.is_listed, places, 1.0)
    least = least_beta(places)
    with np.errstate(divide="ignore"):
        second = in_turn(-np.log(least), -rank_sum(lists))
    return Aggregated(
        np.minimum(1.0, n_lists * least),
        True,
        second,
        np.ones(len(least), dtype=bool),
        {"p_values_": exact_p_values(least, n_lists)},
    )


def least_beta(places: Array) -> Array:
    """For every feature the smallest chance that the k-th best of random places is as good as its own, over k."""
    n_lists = len(places)
    k = np.arange(1, n_lists + 1)[:, None]
    smallest: Array = betainc(k, n_lists - k + 1, np.sort(np.minimum(places, 1.0), axis=0)).min(axis=0)
    return smallest


def exact_p_values(least: Array, n_lists: int) -> Array:
    """The chance that places drawn at random give a smallest beta of at most the one observed."""
    distinct, number = np.unique(least, return_inverse=True)
    inside = (distinct > _LEAST) & (distinct < 1)
    # Smaller ones get the bound that the exact value tends to.
    p_values = np.minimum(distinct * n_lists, 1.0)
    p_values[inside] = _p_values(distinct[inside], n_lists)
    at_most_one: Array = np.minimum(p_values[number], 1.0)
    return at_most_one


def _p_values(least: Array, n_lists: int) -> Array:
    if len(least) <= _MOST_DIRECT:
        return _crossing(least, n_lists)

    def log_ratio(x: Array) -> Array:
        # Rounding takes numbers this close to 1 to it, where the chance is 1 as well.
        at = np.minimum(expit(x), 1.0 - 1e-16)
        return np.asarray(np.log(_crossing(at, n_lists) / at))

    x = logit(least)
    panel = np.clip(np.searchsorted(_PANELS, x) - 1, 0, len(_PANELS) - 2)
    p_values = np.empty(len(least))
    for used in np.unique(panel):
        here = panel == used
        smooth = Chebyshev.interpolate(log_ratio, _DEGREE, domain=_PANELS[used : used + 2])
        p_values[here] = least[here] * np.exp(smooth(x[here]))
    return p_values


def _crossing(least: Array, n_lists: int) -> Array:
    blocks = [least[first : first + _BLOCK] for first in range(0, len(least), _BLOCK)]
    return np.concatenate([_crossing_block(block, n_lists) for block in blocks]) if blocks else np.empty(0)


def _crossing_block(least: Array, n_lists: int) -> Array:
    """The chance that for some k at least k of n uniform numbers lie below the boundary of the k-th smallest.

    If k is the last such place, exactly k numbers lie below its boundary and none between it and the next. Numbers
    above a boundary are counted as a Poisson process would have them; the factor in front conditions on n in all.
    """
    n = n_lists
    k = np.arange(1, n + 1)[:, None]
    boundary = n * betaincinv(k, n - k + 1, least[None, :])
    # above[c]: weight of c numbers above the boundary of place i that keep to those of all later places.
    above = _powers(n - boundary[-1], n)
    total = _power(boundary[-1], n)
    for i in range(n, 1, -1):
        fewest = n - i + 1
        total = total + _power(boundary[i - 2], i - 1) * above[fewest]
        between = _powers(boundary[i - 1] - boundary[i - 2], i)
        wider = np.zeros_like(above)
        for d in range(i):
            wider[fewest + d :] += between[d] * above[fewest : n + 1 - d]
        above = wider
    chance: Array = total * np.exp(gammaln(n + 1) - n * np.log(n))
    return chance


def _power(base: Array, exponent: int) -> Array:
    """Base to a power over the factorial of the power."""
    with np.errstate(divide="ignore"):
        value: Array = np.exp(exponent * np.log(base) - gammaln(exponent + 1))
    return value


def _powers(base: Array, largest: int) -> Array:
    """All powers from 0, each over its factorial."""
    factors = np.concatenate([np.ones((1, len(base))), base / np.arange(1, largest + 1)[:, None]])
    return np.cumprod(factors, axis=0)
