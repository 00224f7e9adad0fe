"""How many features of a stability selection may be there by chance.

Meinshausen and Bühlmann 2010, Theorem 1; for complementary pairs Shah and Samworth 2013, Theorems 1 and 2 and their
bound under r-concavity. Any two of the length of the lists, the threshold and the bound give the third.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from holdfast._parameters import one_of, real_number, whole_number
from holdfast.stability._tails import concave_tail, unimodal_tail

BOUNDS = ("meinshausen-buhlmann", "worst-case", "unimodal", "r-concave")

_POSITIVE = real_number(above=0.0)
_ALLOWED = {
    "n_features": whole_number(at_least=1),
    "list_size": _POSITIVE,
    "threshold": real_number(above=0.0, at_most=1.0),
    "max_false": _POSITIVE,
    "n_runs": whole_number(at_least=2),
    "bound": one_of(*BOUNDS),
}
# Shah and Samworth 2013: shapes of how often both halves of a pair choose a feature, and of how often a half does.
_BOTH, _EITHER = -1 / 2, -1 / 4


def expected_false(
    n_features: int, list_size: float, threshold: float, *, n_runs: int = 100, bound: str = "r-concave"
) -> float:
    """Upper bound on the expected number of false features among those chosen often enough.

    Use it to say how far a stability selection can be trusted. False are features that a single run on half of the
    samples takes no more often than a feature drawn by lot would be.

    Parameters
    ----------
    n_features : int
        Features to choose from.
    list_size : float
        Features that a run chooses, on average.
    threshold : float
        Share of the runs that must choose a feature for it to be kept: this share or more.
    n_runs : int, default=100
        Runs in all, two for each complementary pair. The first bound does not depend on it.
    bound : {"meinshausen-buhlmann", "worst-case", "unimodal", "r-concave"}, default="r-concave"
        What is assumed. "meinshausen-buhlmann": half-samples of any kind; all false features are alike, and a run is
        no worse than drawing by lot. The others need complementary pairs: "worst-case" nothing else, "unimodal" that
        the number of pairs that agree on a false feature has one peak, "r-concave" that it and the number of runs fall
        off smoothly. Each is lower than the one before. All but the last need a threshold above 0.5.

    Returns
    -------
    n_false : float
        The bound, no more than ``n_features``.

    Examples
    --------
    >>> from holdfast.stability.bounds import expected_false
    >>> round(expected_false(1000, 50, 0.6, bound="meinshausen-buhlmann"), 3)
    12.5
    >>> round(expected_false(1000, 50, 0.6), 3)
    2.605
    """
    _check(n_features=n_features, list_size=list_size, threshold=threshold, n_runs=n_runs, bound=bound)
    if threshold <= 0.5 and bound != "r-concave":
        raise ValueError(
            f"threshold={threshold}, but the bound {bound!r} holds above 0.5 only. Raise it, for example to 0.6, or "
            "take bound='r-concave'."
        )
    share = list_size / n_features
    if bound == "meinshausen-buhlmann":
        return min(share * list_size / (2 * threshold - 1), float(n_features))
    n_pairs = n_runs // 2
    # Frequencies are whole numbers of runs; the slack takes 0.6 · 100 for 60.
    least = max(ceil(threshold * n_runs - 1e-9), 1)
    # A feature of so many runs has both halves of at least so many pairs.
    least_pairs = least - n_pairs
    if bound == "worst-case":
        chance = share**2 * n_pairs / least_pairs
    elif bound == "unimodal":
        chance = unimodal_tail(share**2 * n_pairs, least_pairs, n_pairs)
    else:
        chance = concave_tail(share * n_runs, least, n_runs, _EITHER)
        if least_pairs > 0:
            chance = min(chance, concave_tail(share**2 * n_pairs, least_pairs, n_pairs, _BOTH))
    return n_features * min(chance, 1.0)


def threshold_for(
    n_features: int, list_size: float, max_false: float, *, n_runs: int = 100, bound: str = "r-concave"
) -> float:
    """Smallest threshold above one half that keeps the expected number of false features within a limit.

    Use it if the length of the lists is given, for example by what can be measured afterwards.

    Parameters
    ----------
    n_features : int
        Features to choose from.
    list_size : float
        Features that a run chooses, on average.
    max_false : float
        Largest expected number of false features, such as 1.
    n_runs : int, default=100
        Runs in all, two for each complementary pair; thresholds are whole numbers of runs.
    bound : {"meinshausen-buhlmann", "worst-case", "unimodal", "r-concave"}, default="r-concave"
        What is assumed; see ``expected_false``.

    Returns
    -------
    threshold : float
        Share of the runs that must choose a feature for it to be kept: this share or more.

    Examples
    --------
    >>> from holdfast.stability.bounds import threshold_for
    >>> threshold_for(1000, 50, 1.0)
    0.7
    >>> threshold_for(1000, 30, 2.0, bound="meinshausen-buhlmann")
    0.73
    """
    _check(n_features=n_features, list_size=list_size, max_false=max_false, n_runs=n_runs, bound=bound)

    def is_met(runs: int) -> bool:
        return expected_false(n_features, list_size, runs / n_runs, n_runs=n_runs, bound=bound) <= max_false

    if not is_met(n_runs):
        raise ValueError(
            f"No threshold keeps the expected number of false features at {max_false:g} with lists of {list_size:g} "
            f"of {n_features} features: even a threshold of 1 gives "
            f"{expected_false(n_features, list_size, 1.0, n_runs=n_runs, bound=bound):.3g}. "
            + _way_out(n_features, max_false, n_runs, bound)
        )
    return _first(n_runs // 2 + 1, n_runs, is_met) / n_runs


def list_size_for(
    n_features: int, threshold: float, max_false: float, *, n_runs: int = 100, bound: str = "r-concave"
) -> int:
    """Longest lists that keep the expected number of false features within a limit.

    Use it if the threshold is given: longer lists give true features more chances.

    Parameters
    ----------
    n_features : int
        Features to choose from.
    threshold : float
        Share of the runs that must choose a feature for it to be kept: this share or more.
    max_false : float
        Largest expected number of false features, such as 1.
    n_runs : int, default=100
        Runs in all, two for each complementary pair.
    bound : {"meinshausen-buhlmann", "worst-case", "unimodal", "r-concave"}, default="r-concave"
        What is assumed; see ``expected_false``.

    Returns
    -------
    list_size : int
        Features that a run may choose.

    Examples
    --------
    >>> from holdfast.stability.bounds import list_size_for
    >>> list_size_for(1000, 0.6, 1.0)
    31
    >>> list_size_for(1000, 0.6, 1.0, bound="meinshausen-buhlmann")
    14
    """
    _check(n_features=n_features, threshold=threshold, max_false=max_false, n_runs=n_runs, bound=bound)

    def is_missed(list_size: int) -> bool:
        return expected_false(n_features, list_size, threshold, n_runs=n_runs, bound=bound) > max_false

    if is_missed(1):
        raise ValueError(
            f"Even lists of one feature out of {n_features} let the expected number of false features rise above "
            f"{max_false:g} at threshold={threshold:g}. Raise threshold or max_false."
        )
    return n_features if not is_missed(n_features) else _first(1, n_features, is_missed) - 1


def _first(low: int, high: int, holds: Any) -> int:
    """Smallest whole number for which something holds, if it holds at ``high`` and, once true, stays true."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _way_out(n_features: int, max_false: float, n_runs: int, bound: str) -> str:
    try:
        longest = list_size_for(n_features, 1.0, max_false, n_runs=n_runs, bound=bound)
    except ValueError:
        return "Raise max_false; no length of the lists would do."
    return f"Lists of at most {longest} would do, or raise max_false."


def _check(**given: Any) -> None:
    for name, value in given.items():
        if not _ALLOWED[name].accepts(value):
            raise ValueError(f"{name}={value!r} is not allowed: it must be {_ALLOWED[name].words}.")
    if "list_size" in given and given["list_size"] > given["n_features"]:
        raise ValueError(
            f"list_size={given['list_size']} but there are {given['n_features']} features. Lower list_size: a run "
            "cannot choose more features than there are."
        )
    if given["n_runs"] % 2 and given["bound"] != "meinshausen-buhlmann":
        raise ValueError(
            f"n_runs={given['n_runs']} is odd, but complementary pairs are two runs each. Take {given['n_runs'] + 1}, "
            "or bound='meinshausen-buhlmann'."
        )
