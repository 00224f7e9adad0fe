"""The ``prior=`` parameter: from what is known about features to one weight for each (Ben Brahim 2015, §4.2.2)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError, PriorWarning
from holdfast._parameters import Rule, real_number
from holdfast.data._wording import counted, listed, shown
from holdfast.knowledge._guess import guess
from holdfast.knowledge.known import WEIGHT, is_weight

Array = npt.NDArray[Any]

OTHERS = 1.0
LARGEST_RATIO = 1e3
_OPEN_ENDED = (str, bytes, bytearray)


def _is_prior(value: Any) -> bool:
    if value is None:
        return True
    if isinstance(value, _OPEN_ENDED) or not (hasattr(value, "__len__") and hasattr(value, "__iter__")):
        return False
    return getattr(value, "ndim", 1) == 1 and len(value) > 0


PRIOR = Rule(
    _is_prior,
    "None, a list of names of features known to be relevant, a {name: weight} mapping, or an array with a positive "
    "number (or True and False) for every feature",
    ("TP53", 3, True, [], {}),
)
PRIOR_SCALE = real_number(at_least=0.0)


def prior_weights(prior: Any, names: Array | None, n_features: int) -> Array | None:
    """One positive weight for each feature, or None if nothing is known.

    Parameters
    ----------
    prior : None, array, list or mapping
        A positive number for every feature; True and False for every feature (10 and 1); {name: weight}, others 1; or
        names of features known to be relevant (10), others 1.
    names : ndarray of shape (n_features,) or None
        Names of the features, if they have any.
    n_features : int
        How many features there are.

    Returns
    -------
    weights : ndarray of shape (n_features,) or None
        Read-only, so that it can be kept.
    """
    if prior is None:
        return None
    if _is_labelled(prior):
        prior = dict(prior.items())
    weights = _by_name(prior, names, n_features) if isinstance(prior, Mapping) else _listed(prior, names, n_features)
    weights.flags.writeable = False
    return weights


def prior_factors(prior: Any, names: Array | None, n_features: int) -> Array | None:
    """Weights that are multiplied with those of a model, again and again: too large a ratio would drown the data."""
    weights = prior_weights(prior, names, n_features)
    if weights is not None and weights.max() > LARGEST_RATIO * weights.min():
        raise ValueError(
            f"prior has weights from {weights.min():g} to {weights.max():g}, but this method multiplies by them in "
            f"every round, and can do so up to a ratio of {LARGEST_RATIO:,.0f}. Use weights such as 10 for a relevant "
            "feature and 1 for others."
        )
    return weights


def prior_gain(weights: Array | None, scale: float) -> Array | float:
    """What a prior adds to the scores of features; 0 without one."""
    if weights is None:
        return 0.0
    if float(weights.max()) * scale == math.inf:
        raise ValueError(
            f"prior_scale={scale!r} times the largest weight of the prior, {weights.max():g}, is too large."
        )
    gain: Array = scale * weights
    return gain


def _is_labelled(prior: Any) -> bool:
    """Whether it is a column of a data frame whose rows have names."""
    index: Any = getattr(prior, "index", None)
    return hasattr(prior, "items") and hasattr(index, "dtype") and index.dtype.kind not in "iu"


def _listed(prior: Any, names: Array | None, n_features: int) -> Array:
    if isinstance(prior, (set, frozenset)):
        entries = sorted(prior, key=str)
    else:
        entries = np.asarray(prior).tolist() if hasattr(prior, "dtype") else list(prior)
    kinds = {_kind(kind) for kind in set(map(type, entries))}
    if kinds == {"name"}:
        return _by_name(dict.fromkeys(entries, WEIGHT), names, n_features)
    if len(kinds) > 1 or "" in kinds:
        kind = _kind(type(entries[0]))
        place = 0 if not kind else next(i for i, entry in enumerate(entries) if _kind(type(entry)) != kind)
        before = f" while those before it are {_PLURAL[kind]}" if place else ""
        raise ValueError(
            f"prior has {shown(entries[place])} ({type(entries[place]).__name__}) at place {place}{before}. It must be "
            "names only, numbers only, or True and False only."
        )
    if isinstance(prior, (set, frozenset)):
        raise ValueError("prior is a set of values that are no names, and a set has no order. Pass a list or an array.")
    if len(entries) != n_features:
        what = "number" if kinds == {"number"} else "value of True and False"
        raise ValueError(
            f"prior has {counted(len(entries), what, _PLURAL_OF[what])}, but X has {counted(n_features, 'feature')}. "
            "Give one for each feature, in the order of the columns, or a {name: weight} mapping for some."
        )
    if kinds == {"mark"}:
        return np.where(np.array(entries, dtype=bool), WEIGHT, OTHERS)
    wrong = [place for place, entry in enumerate(entries) if not is_weight(entry)]
    if wrong:
        whose = f"column {wrong[0]}" if names is None else shown(names[wrong[0]])
        raise ValueError(_not_a_weight(entries[wrong[0]], whose, more=len(wrong) - 1))
    return np.array(entries, dtype=np.float64)


_PLURAL = {"name": "names", "number": "numbers", "mark": "True and False"}
_PLURAL_OF = {"number": "numbers", "value of True and False": "values of True and False"}


def _kind(kind: type) -> str:
    if issubclass(kind, str):
        return "name"
    if issubclass(kind, (bool, np.bool_)):
        return "mark"
    return "number" if issubclass(kind, Real) else ""


def _by_name(prior: Mapping[Any, Any], names: Array | None, n_features: int) -> Array:
    for name, weight in prior.items():
        if not isinstance(name, str):
            raise ValueError(
                f"prior names a feature {name!r} ({type(name).__name__}), but names are texts. To give weights by "
                "column, pass an array with a positive number for every feature."
            )
        if not is_weight(weight):
            raise ValueError(_not_a_weight(weight, shown(name)))
    if names is None:
        raise ValueError(
            f"prior names features ({listed(list(prior), 3)}), but X has no names. Pass X as a data frame or a Table, "
            f"or pass prior as an array with a positive number for each of the {n_features} columns."
        )
    weights = np.full(n_features, OTHERS)
    found = set()
    for feature, name in enumerate(map(str, names)):
        if name in prior:
            weights[feature] = prior[name]
            found.add(name)
    missing = [name for name in prior if name not in found]
    low = [name for name in found if prior[name] < OTHERS]
    if low:
        warnings.warn(
            f"prior gives {counted(len(low), 'feature')} ({listed(sorted(low), 3)}) a weight below {OTHERS:g}, which "
            "all others have: that holds them back. Give features known to be relevant a weight above 1, such as 10.",
            PriorWarning,
            stacklevel=2,
        )
    if not found:
        raise DataError(_nothing_known(missing, [str(name) for name in names]))
    if missing:
        warnings.warn(
            f"prior names {counted(len(missing), 'feature')} that X does not have, out of {len(prior)}: "
            f"{listed(missing)}. The other {len(found)} are used.",
            PriorWarning,
            stacklevel=2,
        )
    return weights


def _not_a_weight(weight: Any, whose: str, more: int = 0) -> str:
    others = f" (and {more} more)" if more else ""
    marks = " To mark known features, pass their names or True and False." if isinstance(weight, Real) else ""
    return (
        f"prior has the weight {weight!r} for {whose}{others}, but a weight is a positive number: 1 for a feature of "
        f"which nothing is known, 10 for a relevant one.{marks}"
    )


def _nothing_known(known: Sequence[str], names: Sequence[str]) -> str:
    reason = guess(known, names)
    reason = f" {reason}" if reason else ""
    return (
        f"prior names {counted(len(known), 'feature')}, such as {listed(known, 3)}, but X has none of them: its "
        f"features are called {listed(names, 3)}.{reason} Use the names of X; "
        "holdfast.knowledge.match translates between the two, by case, aliases or a map from probes to genes."
    )
