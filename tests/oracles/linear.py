"""Slow twins of the methods that ask a linear machine for its weights: refitted from scratch in every round.

Weights of several hyperplanes make one: the root of the sum of their squares. Where features are compared, the largest
is 1 and what differs by less than 1e-12 ties; where rescaling found it, orders of magnitude within 1e-9 tie.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import wraps
from itertools import pairwise
from math import ceil, inf, log

import numpy as np
from scipy.optimize import linprog

from oracles.prior import KNOWN, OTHERS, beta
from oracles.ranking import n_to_select
from oracles.svm import DIGITS, Machines, NotSeparable, scaled
from oracles.ties import first_of, tied_best

GONE = Decimal("1e-12")
NEAR = Decimal("1e-10")
ALIKE = 1e-9


def prior_of(prior, names, n_features):
    """A weight for every feature; 1 for all if nothing is known."""
    found = beta(prior.tolist() if hasattr(prior, "tolist") else prior, names, n_features)
    return [OTHERS] * n_features if found is None else found


def of_counted_samples(choose):
    """The same of the samples of a weight above 0: others are absent."""

    @wraps(choose)
    def chosen(X, y, parameters, names=None, sample_weight=None):
        if sample_weight is None:
            return choose(X, y, parameters, names)
        counted = [row for row, weight in enumerate(sample_weight) if weight > 0]
        X, y, weights = ([values[row] for row in counted] for values in (X, y, sample_weight))
        return choose(X, y, parameters, names, weights)

    return chosen


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


@of_counted_samples
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


@of_counted_samples
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


def apart(Z, y, parameters, sample_weight=None):
    """How far apart the means of the two sides of a machine lie in each feature, the largest over the machines."""
    with localcontext() as context:
        context.prec = DIGITS
        found = [Decimal(0)] * Z.shape[1]
        for rows, signs, _ in Machines(list(y), parameters["multiclass"], 1.0, sample_weight).parts:
            sides = Z[rows[signs > 0]], Z[rows[signs < 0]]
            gaps = abs(sum(sides[0]) / len(sides[0]) - sum(sides[1]) / len(sides[1]))
            found = list(map(max, found, gaps))
        return found


def tied_together(values, tolerance):
    """Values, but the largest of its group for each; a group ends where the next is smaller by more than that."""
    order = sorted(range(len(values)), key=lambda f: -values[f])
    merged = list(values)
    for before, f in pairwise(order):
        if values[before] - values[f] <= tolerance:
            merged[f] = merged[before]
    return merged


def ordered(used, n_best, X, y, parameters, names=None, sample_weight=None):
    """The features of the largest weights; vanished ones by how far apart the classes lie in them; constants last.

    Ties go to what is known beforehand, if anything is.
    """
    columns = list(zip(*X, strict=True))
    known = parameters["prior"]
    gaps = _shares(apart(scaled(X, parameters["scale"]), y, parameters, sample_weight))
    values = [
        1 - log(share) / log(GONE) if v > GONE * max(used) else gap - 2
        for v, share, gap in zip(used, _shares(used), gaps, strict=True)
    ]
    values = tied_together(values, ALIKE)
    values = [-3.0 if len(set(column)) == 1 else value for column, value in zip(columns, values, strict=True)]
    relevance = values if known is None else prior_of(known, names, len(columns))
    return best_of(range(len(columns)), values, n_best, columns, list(y), names, relevance)


@of_counted_samples
def ps_l2_arom(X, y, parameters, names=None, sample_weight=None):
    """Multiply the columns by the weights of a machine on them, again and again; known features by 10 each time."""
    columns, y = list(zip(*X, strict=True)), list(y)
    prior = prior_of(parameters["prior"], names, len(columns))
    Z = scaled(X, parameters["scale"])
    asked = parameters["n_features_to_select"]
    n_select = None if asked is None else n_to_select(parameters, len(columns))
    used, _, _ = arom_weights(Z, y, prior, n_select, parameters, sample_weight)
    n_select = max(1, sum(v > parameters["tol"] * float(max(used)) for v in used)) if n_select is None else n_select
    order = ordered(used, n_select, X, y, parameters, names, sample_weight)
    return order, [float(used[f]) for f in order]


l2_arom = ps_l2_arom


GOLDEN = 0.6180339887498949


def l1_machine(X, y, cost, prices=None):
    """Least price of absolute weights plus cost times slack (None: no slack) that keeps the margins, by the whole LP.

    Weights, zero if they are rounding, and the price in all.
    """
    n, p = X.shape
    prices = np.ones(p) if prices is None else prices
    signs = np.asarray(y, dtype=float)[:, np.newaxis]
    soft = np.eye(n) if cost is not None else np.zeros((n, 0))
    A = -np.hstack([signs * X, -signs * X, signs, soft])
    c = np.concatenate([prices, prices, [0.0], cost if cost is not None else []])
    bounds = [(0, None)] * (2 * p) + [(None, None)] + [(0, None)] * soft.shape[1]
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(c, A_ub=A, b_ub=-np.ones(n), bounds=bounds, method="highs-ds", options=tight)
    if found.status == 2:
        raise NotSeparable
    w = found.x[:p] - found.x[p : 2 * p]
    return np.where(np.abs(w) > 1e-9 * np.abs(w).max(initial=0.0), w, 0.0), found.fun


def are_copies(first, second):
    """Whether two centred columns are equal, or opposite, but for their size."""
    first, second = first / np.abs(first).max(), second / np.abs(second).max()
    return min(np.abs(first - second).max(), np.abs(first + second).max()) < 1e-9


def l1_prices(X, y, parameters, names=None, sample_weight=None):
    """What a unit of weight costs for each feature, hardly more than 1 so that ties are settled; None for no part.

    Places are by how far apart the classes are after scaling, prior included. Of copies the first takes part.
    """
    columns, y = list(zip(*X, strict=True)), list(y)
    prior = prior_of(parameters["prior"], names, len(columns))
    Z = scaled(X, parameters["scale"])
    gaps = apart(Z * np.array([Decimal(b) for b in prior]), y, parameters, sample_weight)
    gaps = [float(gap) for gap in gaps]
    varies = [f for f, column in enumerate(columns) if len(set(column)) > 1]
    centred = {f: (Z[:, f] - sum(Z[:, f]) / len(y)).astype(float) for f in varies}
    prices, taken = [None] * len(columns), []
    for place, f in enumerate(best_of(varies, [gaps[f] for f in varies], len(varies), columns, y, names)):
        if not any(are_copies(centred[f], centred[g]) for g in taken):
            taken.append(f)
            prices[f] = 1 + 1e-6 * (place * GOLDEN % 1)
    return prices


def l1_iterates(X, y, parameters, names=None, sample_weight=None):
    """Weights of the unscaled features, and their factors, after every l1 machine on columns multiplied by these."""
    Z = scaled(X, parameters["scale"]).astype(float)
    prior = np.array(prior_of(parameters["prior"], names, Z.shape[1]), dtype=float)
    prices = l1_prices(X, y, parameters, names, sample_weight)
    factors = np.where([price is None for price in prices], 0.0, prior)
    parts = Machines(list(y), parameters["multiclass"], parameters["C"], sample_weight).parts
    while True:
        left = np.flatnonzero(factors > 1e-12 * factors.max())
        squares = np.zeros(Z.shape[1])
        for rows, signs, costs in parts if len(left) else []:
            cost = None if parameters["C"] is None else np.array(costs, dtype=float)
            found, _ = l1_machine(
                Z[np.ix_(rows, left)] * factors[left], signs, cost, np.array(prices)[left].astype(float)
            )
            squares[left] += found**2
        size = factors * np.sqrt(squares)
        factors = size * prior
        yield size, factors


@of_counted_samples
def l1_arom(X, y, parameters, names=None, sample_weight=None):
    """Features of the last l1 iterate that has enough of them, but of the first at least."""
    asked = parameters["n_features_to_select"]
    n_select = None if asked is None else n_to_select(parameters, len(X[0]))
    used = last = None
    for turn, (size, factors) in enumerate(l1_iterates(X, y, parameters, names, sample_weight), start=1):
        n_left = int((factors > 1e-12 * factors.max()).sum())
        if used is not None and n_left < (n_select or 1):
            break
        used = factors
        if last is not None and np.abs(size - last).max() < parameters["tol"] * size.max():
            break
        if turn == parameters["max_iter"]:
            break
        last = size
    used = [Decimal(float(v)) for v in used]
    n_select = max(1, sum(v > parameters["tol"] * float(max(used)) for v in used)) if n_select is None else n_select
    order = ordered(used, n_select, X, y, parameters, names, sample_weight)
    return order, [float(used[f]) for f in order]


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
    relevant, before, seen = known, None, []
    for left in reversed(range(parameters["max_iter"])):
        grown = learn(X, relevant, parameters["n_neighbors"], parameters["distance"]) & varies
        size = ceil((1 + Fraction(str(parameters["growth"]))) * len(grown))
        size = n_select if parameters["fixed_size"] or not grown or not left else min(n_select, size)
        chosen = choose(grown, max(size, len(always)))
        agreement = 0.0 if before is None else conv(before, set(chosen))
        yield len(grown), chosen, agreement
        is_settled = before is not None and 1 - agreement <= parameters["tol"]
        # What was chosen before leads to what followed it then.
        if len(chosen) >= n_select and (is_settled or set(chosen) in seen):
            return
        relevant = before = set(chosen)
        seen.append(before)


def ss_l2arom(X, y, parameters, names=None):
    """Let the neighbours of relevant features be relevant, choose with these as prior, and again until it stays."""
    *_, (_, chosen, _) = ss_l2arom_rounds(X, y, parameters, names)
    return list(chosen), list(chosen.values())
