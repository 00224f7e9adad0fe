"""Slow twins of the methods that ask a linear machine for its weights: refitted from scratch in every round.

Weights of several hyperplanes make one: the root of the sum of their squares. Where features are compared, the largest
is 1 and what differs by less than 1e-12 ties.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, inf

import numpy as np
from scipy.optimize import linprog

from oracles.prior import KNOWN, OTHERS, beta
from oracles.ranking import n_to_select
from oracles.svm import DIGITS, Machines, decimals, machines, scaled
from oracles.ties import first_of, tied_best

GONE = Decimal("1e-12")
NEAR = Decimal("1e-10")


def prior_of(prior, names, n_features):
    """A weight for every feature; 1 for all if nothing is known."""
    found = beta(prior.tolist() if hasattr(prior, "tolist") else prior, names, n_features)
    return [OTHERS] * n_features if found is None else found


def _shares(values):
    """Values over the largest, as floats; all 0 if that is 0."""
    largest = max(values)
    with localcontext() as context:
        context.prec = DIGITS
        return [float(v / largest) if largest else 0.0 for v in values]


def best_of(features, values, n_best, columns, y, names, relevance=None):
    """The best of some features, one after the other, ties settled by the order-blind rule."""
    values = dict(zip(features, values, strict=True))
    relevance = [values.get(f, -inf) for f in range(len(columns))] if relevance is None else relevance
    left, order = list(features), []
    while len(order) < n_best:
        pick = first_of(tied_best(left, values.get), columns, y, relevance, names)
        order.append(pick)
        left.remove(pick)
    return order


def n_kept(n_left, n_features, n_select, parameters):
    """How many features stay after a round; the last one stays alone once."""
    step = parameters["step"]
    is_share = step < 1
    if n_left <= parameters["one_by_one_below"]:
        dropped = 1
    elif parameters["step_of"] == "all":
        dropped = max(1, int(Fraction(str(step)) * n_features)) if is_share else step
    elif is_share:
        dropped = max(1, n_left - int((1 - Fraction(str(step))) * n_left))
    else:
        dropped = step
    last = n_select if parameters["step_of"] == "all" else 1
    return max(last, n_left - dropped) if n_left > last else 0


def svm_rfe_rounds(X, y, parameters, names=None, sample_weight=None):
    """Every round: the features that take part, best first, their weights, and how many of them stay."""
    columns, y = list(zip(*X, strict=True)), list(y)
    n_features = len(columns)
    Z = scaled(X, parameters["scale"])
    prior = prior_of(parameters["prior"], names, n_features)
    fitted = Machines(y, parameters["multiclass"], parameters["C"], sample_weight)
    n_select = n_to_select(parameters, n_features)
    left = list(range(n_features))
    while left:
        weights = fitted.magnitude(Z[:, left])
        values = _shares([w * Decimal(prior[f]) for f, w in zip(left, weights, strict=True)])
        values = [-1.0 if len(set(columns[f])) == 1 else v for f, v in zip(left, values, strict=True)]
        order = best_of(left, values, len(left), columns, y, names)
        n_keep = n_kept(len(left), n_features, n_select, parameters)
        yield order, dict(zip(left, _parts(weights), strict=True)), n_keep
        left = sorted(order[:n_keep])


def _parts(values):
    total = sum(values)
    return [float(v / total) if total else 0.0 for v in values]


def svm_rfe(X, y, parameters, names=None, sample_weight=None):
    """Drop the features of the least weights, refit, and go on; the last to go is the best."""
    ranked, scores = [], {}
    for order, share, n_keep in svm_rfe_rounds(X, y, parameters, names, sample_weight):
        ranked = order[n_keep:] + ranked
        scores |= share
    chosen = ranked[: n_to_select(parameters, len(ranked))]
    return chosen, [scores[f] for f in chosen]


def _n_survivors(values):
    return sum(v > GONE * max(values) for v in values)


def rescalings(X, y, parameters, names=None, sample_weight=None, *, largest_is_one=False):
    """Weights of the machine on the rescaled columns, the step, and the factors of the columns, iteration by iteration.

    A machine that allows errors allows more the smaller its columns are, so that the largest factor may be kept at 1.
    """
    prior = np.array([Decimal(b) for b in prior_of(parameters["prior"], names, len(X[0]))], dtype=object)
    Z = scaled(X, parameters["scale"])
    fitted = Machines(list(y), parameters["multiclass"], parameters["C"], sample_weight)
    factors = np.array([Decimal(1)] * len(prior), dtype=object)
    with localcontext() as context:
        context.prec = DIGITS
        while True:
            weights = fitted.magnitude(Z * factors)
            step = weights * prior
            norm = (step @ step).sqrt()
            step = step / norm if norm else step
            factors = factors * step
            factors = factors / max(factors) if largest_is_one and norm else factors
            yield weights, step, factors


def pk_rfe(X, y, parameters, names=None, sample_weight=None):
    """Rescale columns by weight times prior until nothing changes; or drop those of the least weight times prior."""
    if parameters["prior_by"] == "criterion" or parameters["prior"] is None:
        return svm_rfe(X, y, parameters, names, sample_weight)
    columns, y = list(zip(*X, strict=True)), list(y)
    n_select = n_to_select(parameters, len(columns))
    used, last = None, None
    iterates = rescalings(X, y, parameters, names, sample_weight, largest_is_one=True)
    for turn, (_, step, factors) in enumerate(iterates, start=1):
        if used is not None and _n_survivors(factors) < n_select:
            break
        used = list(factors)
        if turn == 100 or (last is not None and max(abs(step - last)) < Decimal("1e-6")):
            break
        last = step
    order = ordered(used, n_select, X, y, parameters, names, sample_weight)
    return order, [float(used[f]) for f in order]


def arom_iterates(Z, y, prior, parameters, sample_weight=None):
    """The feature weights before each iteration, and u: machine weights times feature weights, one row a hyperplane."""
    prior = np.array([Decimal(float(b)) for b in prior], dtype=object)
    fitted = Machines(list(y), parameters["multiclass"], parameters["C"], sample_weight)
    weights = prior
    with localcontext() as context:
        context.prec = DIGITS
        while True:
            found = fitted.weights(Z * weights)
            magnitude = np.array([sum(w * w for w in column).sqrt() for column in found.T], dtype=object)
            following = weights * magnitude * prior
            yield weights, found * weights, following
            weights = following


def arom_weights(Z, y, prior, n_select, parameters, sample_weight=None):
    """Feature weights of the last iterate with enough survivors, but of the first at least; and their numbers."""
    survivors, last, used, converged = [], None, None, False
    iterates = arom_iterates(Z, y, prior, parameters, sample_weight)
    for _ in range(parameters["max_iter"]):
        _, u, after = next(iterates)
        survivors.append(_n_survivors(after))
        if used is not None and survivors[-1] < (n_select or 1):
            break
        used = after
        size = np.array([sum(w * w for w in column).sqrt() for column in u.T], dtype=object)
        if last is not None and max(abs(size - last)) < Decimal(parameters["tol"]) * max(size):
            converged = True
            break
        last = size
    return list(used), survivors, converged


def apart(X, y, parameters, sample_weight=None):
    """How far apart the sides of the machines lie in each feature: the largest |Σ side · value| of centred values."""
    with localcontext() as context:
        context.prec = DIGITS
        Z = scaled(X, parameters["scale"])
        for column in Z.T:
            is_standard = parameters["scale"] == "standard"
            column[:] = column - (sum(column) / len(column) if is_standard else (min(column) + max(column)) / 2)
        parts = Machines(list(y), parameters["multiclass"], 1.0, sample_weight).parts
        return [max(abs(Z[rows, f] @ decimals(signs)) for rows, signs, _ in parts) for f in range(Z.shape[1])]


def ordered(used, n_best, X, y, parameters, names=None, sample_weight=None):
    """The features of the largest weights; vanished ones by how far apart the classes lie in them; constants last."""
    columns = list(zip(*X, strict=True))
    known = parameters["prior"]
    relevance = None if known is None else prior_of(known, names, len(columns))
    gaps = _shares(apart(X, y, parameters, sample_weight))
    values = [
        -2.0 if len(set(column)) == 1 else gap - 1.0 if v <= GONE * max(used) else share
        for column, v, share, gap in zip(columns, used, _shares(used), gaps, strict=True)
    ]
    return best_of(range(len(columns)), values, n_best, columns, list(y), names, relevance)


def ps_l2_arom(X, y, parameters, names=None, sample_weight=None):
    """Multiply the columns by the weights of a machine on them, again and again; known features by 10 each time."""
    columns, y = list(zip(*X, strict=True)), list(y)
    prior = prior_of(parameters["prior"], names, len(columns))
    Z = scaled(X, parameters["scale"])
    asked = parameters["n_features_to_select"]
    n_select = None if asked is None else n_to_select(parameters, len(columns))
    used, _, _ = arom_weights(Z, y, prior, n_select, parameters, sample_weight)
    n_select = max(1, _n_survivors(used)) if n_select is None else n_select
    order = ordered(used, n_select, X, y, parameters, names, sample_weight)
    return order, [float(used[f]) for f in order]


l2_arom = ps_l2_arom


def l1_machine(X, y, cost):
    """Least sum of absolute weights plus cost times slack (None: no slack) that keeps the margins, by the whole LP."""
    n, p = X.shape
    signs = np.asarray(y, dtype=float)[:, np.newaxis]
    soft = np.eye(n) if cost is not None else np.zeros((n, 0))
    A = -np.hstack([signs * X, -signs * X, signs, soft])
    c = np.concatenate([np.ones(2 * p), [0.0], cost if cost is not None else []])
    bounds = [(0, None)] * (2 * p) + [(None, None)] + [(0, None)] * soft.shape[1]
    found = linprog(c, A_ub=A, b_ub=-np.ones(n), bounds=bounds, method="highs-ds")
    if found.status == 2:
        return None
    w = found.x[:p] - found.x[p : 2 * p]
    return np.where(np.abs(w) > 1e-9 * max(np.abs(w).max(), 1e-300), w, 0.0)


def l1_iterates(X, y, parameters, names=None):
    """Feature weights after every iteration of the l1 machine on columns multiplied by them."""
    Z = scaled(X, parameters["scale"]).astype(float)
    prior = np.array(prior_of(parameters["prior"], names, Z.shape[1]))
    weights = prior.copy()
    while True:
        total = np.zeros(Z.shape[1])
        for rows, signs in machines(list(y), parameters["multiclass"]):
            cost = None if parameters["C"] is None else np.full(len(rows), float(parameters["C"]))
            total += l1_machine(Z[rows] * weights, signs, cost) ** 2
        weights = weights * np.sqrt(total) * prior
        yield weights


def l1_arom(X, y, parameters, names=None):
    """Features of the last l1 iterate that has enough of them."""
    columns, y = list(zip(*X, strict=True)), list(y)
    asked = parameters["n_features_to_select"]
    used = None
    for turn, weights in enumerate(l1_iterates(X, y, parameters, names), start=1):
        if used is not None and (weights > 1e-12 * weights.max()).sum() < (asked or 1):
            break
        last, used = used, weights
        converged = last is not None and np.abs(used - last).max() < parameters["tol"] * used.max()
        if turn == parameters["max_iter"] or converged:
            break
    n_select = int((used > 1e-12 * used.max()).sum()) if asked is None else n_to_select(parameters, len(columns))
    order = best_of(range(len(columns)), (used / used.max()).tolist(), n_select, columns, y, names)
    return order, used[order].tolist()


def feature_distances(X, distance):
    """Squared distance of every two columns, after scaling them to mean 0 and deviation 1 or as they are."""
    with localcontext() as context:
        context.prec = DIGITS
        columns = scaled(X, "standard" if distance == "standard" else "none").T
        return [[sum((a - b) ** 2 for a, b in zip(f, g, strict=True)) for g in columns] for f in columns]


def ssrl(X, relevant, n_neighbors, distance="standard"):
    """Relevant features, and every other whose k nearest features are all relevant; equally near ones count too."""
    apart = feature_distances(X, distance)
    found = set(relevant)
    for f, row in enumerate(apart):
        others = sorted((row[g], g) for g in range(len(apart)) if g != f)
        if f in found or len(others) < n_neighbors:
            continue
        farthest = others[n_neighbors - 1][0].sqrt()
        near = {g for d, g in others if d.sqrt() <= farthest * (1 + NEAR)}
        if near <= set(relevant):
            found.add(f)
    return found


def conv(before, after):
    """Features common to two sets over all in either."""
    return len(before & after) / len(before | after)


def ss_l2arom_rounds(X, y, parameters, names=None, *, learn=ssrl, choose=None):
    """Sizes of the grown sets, features chosen (best first, with weights), and Conv of every round.

    Constant features are never relevant. Known features keep the weight they came with.
    """
    columns, y = list(zip(*X, strict=True)), list(y)
    weight = prior_of(parameters["prior"], names, len(columns))
    varies = {f for f, column in enumerate(columns) if len(set(column)) > 1}
    known = {f for f in varies if weight[f] > OTHERS}
    n_select = n_to_select(parameters, len(columns))
    always = known if parameters["keep_prior"] else set()
    options = {"max_iter": 100, "tol": 1e-4, **{key: parameters[key] for key in ("C", "scale", "multiclass")}}

    def by_arom(grown, size):
        prior = [OTHERS if f not in grown else weight[f] if weight[f] > OTHERS else KNOWN for f in range(len(columns))]
        used, _, _ = arom_weights(scaled(X, options["scale"]), y, prior, size, options)
        order = ordered(used, len(columns), X, y, parameters, names)
        others = [f for f in order if f not in always][: size - len(always)]
        return {f: float(used[f]) for f in order if f in always or f in others}

    choose = by_arom if choose is None else choose
    relevant, before = known, None
    for _ in range(parameters["max_iter"]):
        grown = learn(X, relevant, parameters["n_neighbors"], parameters["distance"]) & varies
        size = ceil((1 + Fraction(str(parameters["growth"]))) * len(grown))
        size = n_select if parameters["fixed_size"] or not grown else min(n_select, size)
        chosen = choose(grown, max(size, len(always)))
        agreement = 0.0 if before is None else conv(before, set(chosen))
        yield len(grown), chosen, agreement
        if before is not None and len(chosen) >= n_select and 1 - agreement <= parameters["tol"]:
            return
        relevant = before = set(chosen)


def ss_l2arom(X, y, parameters, names=None):
    """Let the neighbours of relevant features be relevant, choose with these as prior, and again until it stays."""
    *_, (_, chosen, _) = ss_l2arom_rounds(X, y, parameters, names)
    return list(chosen), list(chosen.values())
