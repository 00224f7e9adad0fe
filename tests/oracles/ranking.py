"""Slow twins of the ranking filters: score every column by its formula, sort, cut."""

from __future__ import annotations

from math import inf

from oracles import information, separation
from oracles.discretize import columns_of
from oracles.ties import best_first_order


def n_to_select(parameters, n_features):
    asked = parameters.get("n_features_to_select")
    if asked is None:
        return n_features
    return max(1, round(asked * n_features)) if asked < 1 else asked


def _ranked(scores, relevance, X, y, parameters, names):
    columns = list(zip(*X, strict=True))
    order = best_first_order(relevance, n_to_select(parameters, len(columns)), columns, y, relevance, names)
    return order, [scores[f] for f in order]


def _by_column(statistic):
    def oracle(X, y, parameters, names=None):
        scores = [statistic(column, y) for column in zip(*X, strict=True)]
        return _ranked(scores, scores, X, y, parameters, names)

    return oracle


def _by_levels(measure):
    def oracle(X, y, parameters, names=None):
        scores = [measure(levels, y) for levels in columns_of(X, y, parameters["discretizer"])]
        return _ranked(scores, scores, X, y, parameters, names)

    return oracle


def _by_correlation(measure):
    def oracle(X, y, parameters, names=None):
        scores = [abs(measure(column, y)) for column in zip(*X, strict=True)]
        return _ranked(scores, scores, X, _halves(y), parameters, names)

    return oracle


def _halves(y):
    """Classes that settle ties for a measured target: its two values, or below, at and above the median."""
    values = sorted(float(v) for v in y)
    if len(set(values)) == 2:
        return [int(v == values[-1]) for v in map(float, y)]
    middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
    return [(v > middle) - (v < middle) for v in map(float, y)]


def laplacian(X, y, parameters, names=None):
    options = {key: parameters[key] for key in ("n_neighbors", "bandwidth", "squared", "weighted_mean")}
    scores = separation.laplacian(X, **options)
    relevance = [-s if s < inf else -inf for s in scores]
    return _ranked(scores, relevance, X, [0] * len(X), parameters, names)


t_test = _by_column(separation.t_test)
pooled_t = _by_column(separation.pooled_t)
f_test = _by_column(separation.f_test)
fisher = _by_column(separation.fisher)
relative_entropy = _by_column(separation.relative_entropy)
chi2 = _by_column(separation.chi2)
information_gain = _by_levels(information.mutual_information)
symmetrical_uncertainty = _by_levels(information.symmetrical_uncertainty)
pearson = _by_correlation(separation.pearson)
spearman = _by_correlation(separation.spearman)
