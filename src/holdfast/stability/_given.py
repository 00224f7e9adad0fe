"""Lists as a user has them in hand (names, column numbers, weights by name, fitted selectors), side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from holdfast.stability.lists import Lists

Array = npt.NDArray[Any]
_KINDS = "a list of names or column numbers, best first, a mapping of names to weights, or a fitted selector"


def lists_of(
    given: Any, *, n_features: int | None, weights: Any, errors: Any, list_size: int | None
) -> tuple[Lists, list[Any]]:
    """Ranks and weights of all listed features, and what the features are called; they are sorted by that."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise TypeError(f"lists={given!r} is not several lists. Pass a sequence of them; each is {_KINDS}.")
    given = list(given)
    if not given:
        raise ValueError("lists is empty: there is nothing to aggregate. Pass at least one list.")
    if list_size is not None and not (isinstance(list_size, Integral) and list_size >= 1):
        raise ValueError(f"list_size={list_size!r} is not allowed: it must be a whole number of at least 1, or None.")
    columns_of = [one.n_features_in_ for one in given if hasattr(one, "n_features_in_")]
    if n_features is None and columns_of:
        n_features = max(columns_of)
    orders, opinions = zip(*(_read(one, number) for number, one in enumerate(given)), strict=True)
    if weights is not None:
        opinions = _given_weights(weights, orders)
    longest = max(map(len, orders))
    size = longest if list_size is None else min(int(list_size), longest)
    opinions = tuple(_opinions(order, opinion, size) for order, opinion in zip(orders, opinions, strict=True))
    orders = tuple(order[:size] for order in orders)
    labels = _labels(orders)
    n_features = _checked_n_features(n_features, labels)
    place_of = {label: place for place, label in enumerate(labels)}
    ranks = np.full((len(orders), len(labels)), size + 1, dtype=np.int64)
    opinion_of = np.zeros(ranks.shape)
    for k, (order, opinion) in enumerate(zip(orders, opinions, strict=True)):
        places = [place_of[label] for label in order]
        ranks[k, places] = np.arange(1, len(order) + 1)
        opinion_of[k, places] = opinion
    errors = None if errors is None else np.asarray(errors, dtype=float)
    features = np.arange(len(labels)) if isinstance(labels[0], str) else np.array(labels)
    return Lists(features, ranks, opinion_of, ranks <= size, size, n_features, errors), labels


def _read(one: Any, number: int) -> tuple[list[Any], list[float] | None]:
    """Features of one list, best first, and their weights if it has any."""
    weights = None
    if isinstance(one, Mapping):
        weights = dict(zip(map(_label, one), _numbers(one.values(), number), strict=True))
        order = sorted(weights, key=lambda label: (-weights[label], label))
    elif hasattr(one, "fit"):
        order = _chosen_by(one, number)
    elif isinstance(one, str) or not isinstance(one, Iterable):
        raise TypeError(f"List {number} is {one!r}, but a list is {_KINDS}.")
    else:
        order = [_label(feature) for feature in one]
    if not order:
        raise ValueError(f"List {number} is empty. Leave it out, or check how it was made.")
    seen: set[Any] = set()
    for label in order:
        if label in seen:
            raise ValueError(f"List {number} names {label!r} twice. A feature has one place in a list.")
        seen.add(label)
    return order, None if weights is None else [weights[label] for label in order]


def _chosen_by(selector: Any, number: int) -> list[Any]:
    check_is_fitted(selector)
    if not hasattr(selector, "indices_"):
        raise TypeError(
            f"List {number} is a {type(selector).__name__}, which does not say which feature is best (it has no "
            "indices_). Pass a selector of holdfast, or its features as a list, best first."
        )
    names = getattr(selector, "feature_names_in_", None)
    return [int(column) if names is None else str(names[column]) for column in selector.indices_]


def _label(feature: Any) -> Any:
    """A name as text or a column number as int."""
    if isinstance(feature, str):
        return str(feature)
    if isinstance(feature, Integral) and not isinstance(feature, bool):
        return int(feature)
    raise TypeError(f"{feature!r} is not a feature: a feature is given by its name or by its column number.")


def _numbers(values: Iterable[Any], number: int) -> list[float]:
    numbers = np.array(list(values), dtype=float)
    if not ((numbers >= 0) & (numbers <= 1)).all():
        raise ValueError(
            f"The weights of list {number} are not all from 0 to 1, so they cannot be compared with those of others. "
            "Rescale each list, for example by the smallest and largest weight of all features."
        )
    return [float(value) for value in numbers]


def _given_weights(weights: Any, orders: tuple[list[Any], ...]) -> tuple[list[float], ...]:
    weights = [list(of_list) for of_list in weights]
    if [len(of_list) for of_list in weights] != [len(order) for order in orders]:
        raise ValueError("weights must hold one weight for each feature of each list, in the order of the lists.")
    return tuple(_numbers(of_list, number) for number, of_list in enumerate(weights))


def _opinions(order: list[Any], opinion: list[float] | None, size: int) -> list[float]:
    """Weights of the first features; without any, they fall in equal steps from 1 at the first place."""
    if opinion is not None:
        return opinion[:size]
    return [1.0 - place / size for place in range(min(len(order), size))]


def _labels(orders: tuple[list[Any], ...]) -> list[Any]:
    found = {label for order in orders for label in order}
    if len({isinstance(label, str) for label in found}) > 1:
        raise TypeError("Some features are given by name and some by column number. Use one or the other in all lists.")
    return sorted(found)


def _checked_n_features(n_features: int | None, labels: list[Any]) -> int:
    by_number = not isinstance(labels[0], str)
    if by_number and labels[0] < 0:
        raise ValueError(f"{labels[0]} is not a column number: columns are numbered from 0.")
    if n_features is None:
        return len(labels)
    if not (isinstance(n_features, Integral) and n_features >= 1):
        raise ValueError(f"n_features={n_features!r} is not allowed: it must be a whole number of at least 1.")
    if by_number and labels[-1] >= n_features:
        raise ValueError(
            f"A list names column {labels[-1]}, but n_features={n_features}: columns are numbered from 0 to "
            f"{n_features - 1}. Raise n_features, or check the lists."
        )
    if len(labels) > n_features:
        raise ValueError(
            f"The lists name {len(labels)} different features, but n_features={n_features}. It is the number of "
            "features they were chosen from."
        )
    return int(n_features)
