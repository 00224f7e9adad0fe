"""A slow twin for every compiled kernel, and the comparison of the two.

``TWINS`` maps ``module.kernel`` to a comparison: given a random generator it makes small inputs, runs the kernel
(through the thinnest function that allocates for it) and its twin, and returns both answers. A kernel that is not
listed fails ``contracts/test_completeness.py``; a listed one is compared by ``contracts/test_kernels.py``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import fsum, log2, sqrt

import numpy as np

from holdfast.kernels import binning, classes, correlation, fingerprints, lazy, moments, neighbours
from holdfast.kernels import information as counting
from holdfast.measures.correlation import Standardised
from holdfast.measures.information import information_with_others
from holdfast.measures.separation import Moments
from holdfast.prepare import (
    Codes,
    EqualFrequencyDiscretizer,
    MDLDiscretizer,
    MeanSigmaDiscretizer,
    ranks,
)
from holdfast.search.recompute import RecomputingCandidates
from holdfast.search.shared import Formula, LazyCandidates, SharedCorrelation, SharedInformation
from oracles import (
    discretize,
    distance_kernels,
    exhaustive_kernels,
    information,
    neighbour_kernels,
    partition_kernels,
    penalised_kernels,
    rbf_kernels,
    separation,
    sequential_kernels,
    silhouette_kernels,
    svm_kernels,
    ties,
    wrappers,
)
from oracles.datasets import precedence
from oracles.pairwise import LEAST_CORRELATION, cfs_merit

N_SAMPLES = (2, 5, 20, 63, 64, 65, 127, 128, 129)


@dataclass(frozen=True)
class Twin:
    """``compare(rng)`` gives (fast, slow); they are equal to the last bit, or within ``tolerance``."""

    compare: object
    tolerance: float = 0.0


def _levels(rng, *, most=None):
    """Byte codes (variables × samples) with two to many levels, among them constants."""
    n_samples = int(rng.choice(N_SAMPLES))
    n_levels = rng.integers(1, (most or rng.choice([2, 3, 6, 16, 17, 40, 200])) + 1, size=int(rng.integers(2, 7)))
    return np.array([rng.integers(0, k, size=n_samples) for k in n_levels], dtype=np.uint8)


def _column_values(rng, n_samples, n_features):
    """Measured, tied and constant columns."""
    X = rng.normal(size=(n_samples, n_features)) * 10.0 ** rng.integers(-2, 3, size=n_features)
    is_tied = rng.random(n_features) < 0.5
    X[:, is_tied] = rng.integers(-2, 3, size=(n_samples, int(is_tied.sum())))
    X[:, rng.random(n_features) < 0.1] = rng.choice([0.0, 0.1, -3.0])
    return X


def _matrix(rng, least=4):
    n_samples = max(least, int(rng.choice(N_SAMPLES[:-3])))
    # More columns than a block of the kernels, now and then.
    return _column_values(rng, n_samples, int(rng.choice([1, 7, 30, 260])))


def _classes(rng, n_samples, most=4):
    n_classes = int(rng.integers(2, most + 1))
    return rng.permutation(np.arange(n_samples) % n_classes)


def pack(levels):
    """Masks as lists of bits: one per level above 0, with the sample at that level marked."""
    return [[[int(v == level) for v in row] for level in range(1, max(row) + 1)] for row in levels.tolist()]


def _compare_pack(rng):
    levels = _levels(rng, most=16)
    codes = Codes.of(levels)
    fast = []
    for variable, n_levels in enumerate(codes.n_levels):
        words = codes.bits[variable, : n_levels - 1]
        fast.append([[int(w[r // 64]) >> (r % 64) & 1 for r in range(codes.n_samples)] for w in words])
    assert [[sum(mask) for mask in masks] for masks in fast] == [
        codes.sizes[v, : n - 1].tolist() for v, n in enumerate(codes.n_levels)
    ]
    return fast, pack(levels)


def unpack(masks, n_samples):
    """Level of every sample: the number of the mask that holds it, 0 if none does."""
    return [[next((i + 1 for i, mask in enumerate(row) if mask[r]), 0) for r in range(n_samples)] for row in masks]


def _compare_unpack(rng):
    levels = _levels(rng, most=16)
    return Codes.of(levels).as_bytes().tolist(), unpack(pack(levels), levels.shape[1])


def c_log_c(counts):
    """Σ c·log2(c)."""
    return fsum(c * log2(c) for c in counts)


def _in_bits(sums, n_samples):
    return np.asarray(sums, dtype=float) * counting.log_table(n_samples)[1] * n_samples


def _compare_marginal_sums(rng):
    levels = _levels(rng)
    slow = [c_log_c(Counter(row).values()) for row in levels.tolist()]
    return _in_bits(Codes.of(levels).margins, levels.shape[1]), slow


def _compare_joint_sums(rng):
    levels = _levels(rng)
    codes = Codes.of(levels)
    other = int(rng.integers(len(levels)))
    slow = [c_log_c(Counter(zip(row, levels[other].tolist(), strict=True)).values()) for row in levels.tolist()]
    return _in_bits(codes.joint_sums(codes.one(other)), levels.shape[1]), slow


def _compare_shared_with_others(rng):
    levels = _levels(rng)
    rows = levels.tolist()
    slow = [
        fsum(information.mutual_information(x, z) for j, z in enumerate(rows) if j != i) for i, x in enumerate(rows)
    ]
    return information_with_others(Codes.of(levels)), slow


def _compare_three_levels(rng):
    X = _matrix(rng)
    return MeanSigmaDiscretizer().codes(X).as_bytes().tolist(), [discretize.mean_sigma(column) for column in X.T]


def _compare_column_range(rng):
    X = _matrix(rng).astype(rng.choice([np.float32, np.float64]))
    X[rng.random(X.shape) < rng.choice([0.0, 0.02, 0.5])] = np.nan
    lowest, highest = np.empty((2, X.shape[1]), dtype=X.dtype)
    binning.column_range(X, lowest, highest)
    columns = X.T.tolist()
    slow = [(None, None) if any(v != v for v in c) else (min(c), max(c)) for c in columns]
    both_missing = np.isnan(lowest) & np.isnan(highest)
    fast = [(None, None) if m else e for m, *e in zip(both_missing, lowest.tolist(), highest.tolist(), strict=True)]
    return list(map(tuple, fast)), slow


def whole_levels(X, most):
    """The values as levels, or None unless all are whole and from 0 to below ``most``."""
    is_whole = all(v in range(most) for row in X for v in row)
    return [[int(v) for v in column] for column in zip(*X, strict=True)] if is_whole else None


def _compare_whole_levels(rng):
    X = rng.integers(0, 18, size=(int(rng.choice(N_SAMPLES)), int(rng.choice([1, 5, 300])))).astype(float)
    spoil = rng.integers(4)
    if spoil:
        X[rng.integers(len(X)), rng.integers(X.shape[1])] = [-1.0, 0.5, 20.0][spoil - 1]
    levels = np.zeros(X.T.shape, dtype=np.uint8)
    is_whole = binning.whole_levels(X, 20, levels)
    return levels.tolist() if is_whole else None, whole_levels(X.tolist(), 20)


def _compare_assign_levels(rng):
    X = _matrix(rng)
    fitted = EqualFrequencyDiscretizer(n_bins=int(rng.integers(2, 9))).fit(X)
    slow = [discretize.levels_of(c, cuts) for c, cuts in zip(X.T, fitted.cut_points_, strict=True)]
    return fitted.transform(X).T.tolist(), slow


def _compare_mdl_cuts(rng):
    n_samples = int(rng.choice([6, 10, 20, 30, 48]))
    y = np.sort(_classes(rng, n_samples)) if rng.random() < 0.7 else _classes(rng, n_samples)
    X = _column_values(rng, n_samples, 8) + rng.choice([0, 1, 3, 20], 8) * y[:, np.newaxis]
    symmetric = np.minimum(np.arange(n_samples), np.arange(n_samples)[::-1]) // rng.integers(1, 4)
    X = np.column_stack([X, symmetric, np.arange(n_samples), -np.arange(n_samples)])
    cuts = [own.tolist() for own in MDLDiscretizer().fit(X, y).cut_points_]
    return cuts, [discretize.mdl_cuts(column, y.tolist()) for column in X.T.tolist()]


def _compare_rank_profiles(rng):
    n_samples = int(rng.choice([6, 9, 20, 40]))
    X, y = _column_values(rng, n_samples, 6), _classes(rng, n_samples)
    profiles = precedence(X, y, np.zeros(6))._profiles(np.arange(6), with_sequences=True)
    columns, y = X.T.tolist(), y.tolist()
    return (
        [np.round(profiles[0], 9).tolist(), profiles[1].tolist()],
        [[round(ties.separation(c, y), 9) for c in columns], [ties.sequence(c, y) for c in columns]],
    )


def _keys(rng, size):
    return rng.integers(0, 2**64, size=size, dtype=np.uint64)


def _compare_add_row_fingerprints(rng):
    X = _matrix(rng)
    X[0, 0] = -0.0
    of_columns, of_rows = _keys(rng, X.shape[1]), _keys(rng, len(X))
    slow = ties.joined(of_rows.tolist(), X.tolist(), of_columns.tolist())
    fingerprints.add_row_fingerprints(X.view(np.uint64), of_columns, of_rows)
    return of_rows.tolist(), slow


def _compare_add_column_fingerprints(rng):
    X = _matrix(rng)
    X[0, 0] = -0.0
    of_columns, of_rows = _keys(rng, X.shape[1]), _keys(rng, len(X))
    slow = ties.joined(of_columns.tolist(), X.T.tolist(), of_rows.tolist())
    fingerprints.add_column_fingerprints(X.view(np.uint64), of_rows, of_columns)
    return of_columns.tolist(), slow


def _compare_mid_ranks(rng):
    X = _matrix(rng)
    return ranks(X).T.tolist(), [separation.mid_ranks(column) for column in X.T]


def _groups_of(values, labels, start, step, n):
    """Values as they are met, and for every class how often it comes at each."""
    met = [(values[start + step * i], labels[start + step * i]) for i in range(n)]
    order = list(dict.fromkeys(v for v, _ in met))
    return lambda c: [sum(v == value and label == c for v, label in met) for value in order]


def _sorted_labels(rng):
    n = int(rng.integers(2, 14))
    values = np.sort(rng.integers(0, 4, size=n)).astype(float)
    labels = rng.integers(0, 3, size=n)
    low = int(rng.integers(n))
    part = int(rng.integers(1, n - low + 1))
    return (values, labels, low, 1, part) if rng.random() < 0.5 else (values, labels, low + part - 1, -1, part)


def _compare_appears_before(rng):
    place = _sorted_labels(rng)
    count_of = _groups_of(*place)
    pairs = [(d, c) for d in range(3) for c in range(3) if count_of(d) != count_of(c)]
    fast = [bool(classes.appears_before(*place, d, c)) for d, c in pairs]
    return fast, [count_of(d) > count_of(c) for d, c in pairs]


def _compare_number_by_appearance(rng):
    place = _sorted_labels(rng)
    count_of = _groups_of(*place)
    number = np.full(3, -1)
    classes.number_by_appearance(*place, number)
    assert sorted(number.tolist()) == [0, 1, 2]
    fast = [count_of(c) for c in np.argsort(number).tolist()]
    return fast, sorted((count_of(c) for c in range(3)), reverse=True)


def _compare_class_moments(rng):
    X = _matrix(rng, least=8)
    y = _classes(rng, len(X))
    own_moments = Moments(X, y)
    means, squares = [], []
    for c in sorted(set(y.tolist())):
        own = [column[y == c].tolist() for column in X.T]
        means.append([fsum(v) / len(v) for v in own])
        squares.append([fsum((x - fsum(v) / len(v)) ** 2 for x in v) for v in own])
    size = np.abs(X).max(axis=0) + 1.0
    return [own_moments.means / size, own_moments.squares / size**2], [means / size, squares / size**2]


def _compare_column_moments(rng):
    X = _matrix(rng)
    means, squares = np.empty(X.shape[1]), np.empty(X.shape[1])
    moments.column_moments(X, means, squares)
    slow = [fsum(column) / len(column) for column in X.T]
    spread = [fsum((v - m) ** 2 for v in column) for column, m in zip(X.T, slow, strict=True)]
    size = np.abs(X).max(axis=0) + 1.0
    return [means / size, squares / size**2], [slow / size, spread / size**2]


def _compare_standardise(rng):
    X = _matrix(rng)
    columns = Standardised(X).all_columns()
    slow = []
    for column in X.T.tolist():
        mean = fsum(column) / len(column)
        length = sqrt(fsum((v - mean) ** 2 for v in column))
        slow.append([(v - mean) / length if len(set(column)) > 1 else 0.0 for v in column])
    return columns, slow


def _compare_correlate(rng):
    X = _matrix(rng)
    own = Standardised(X)
    other = int(rng.integers(X.shape[1]))
    slow = [separation.pearson(column, X[:, other]) for column in X.T]
    return own.with_column(own.column(other)), slow


def _compare_column_product(rng):
    columns = rng.normal(size=(3, int(rng.integers(2, 30))))
    fast = [float(correlation.column_product(columns, f, g, np.empty(8))) for f in range(3) for g in range(3)]
    return fast, [fsum(a * b for a, b in zip(columns[f], columns[g], strict=True)) for f in range(3) for g in range(3)]


def _compare_reaches(rng):
    values = [-np.inf, np.inf, 0.0, 1.0, 1 - 1e-13, 1 + 1e-13, 1 - 1e-11, -5.0, 1e6, 1e6 + 1e-7, 1e6 + 1e-5]
    values += rng.normal(size=3).tolist()
    pairs = [(a, b) for a in values for b in values]
    fast = [bool(lazy.reaches(a, b)) for a, b in pairs]
    return fast, [a > b or bool(ties.ties_with(a, b)) for a, b in pairs]


def merit_of(formula, relevance, shared, n_chosen, weight, chosen_relevance, chosen_shared):
    """The three merits with all terms summed."""
    if formula == "difference":
        return relevance - weight * shared / n_chosen
    if formula == "quotient":
        return relevance / (shared / n_chosen) if shared > 0 else float("inf") if relevance > 0 else relevance
    return (chosen_relevance + relevance) / sqrt(n_chosen + 1 + 2 * (chosen_shared + shared))


def _compare_merit_of(rng):
    fast, slow = [], []
    for code, formula in enumerate(("difference", "quotient", "subset")):
        for relevance in (0.0, 0.4, float(rng.random())):
            for shared in (0.0, float(rng.random())):
                n, weight = int(rng.integers(1, 6)), float(rng.random())
                fast.append(lazy.merit_of(code, relevance, shared, n, n, weight, 0.0, 0.7, 0.2))
                slow.append(merit_of(formula, relevance, shared, n, weight, 0.7, 0.2))
    return fast, slow


def lazy_round(relevance, shared_of, formula, weight, chosen):
    """All features of the best merit, every candidate measured against every pick."""
    rest = [f for f in range(len(relevance)) if f not in chosen]
    own = sum(relevance[f] for f in chosen)
    pairs = sum(shared_of(f, g) for i, f in enumerate(chosen) for g in chosen[:i])
    merit = {
        f: merit_of(formula, relevance[f], sum(shared_of(f, g) for g in chosen), len(chosen), weight, own, pairs)
        for f in rest
    }
    return sorted(ties.tied_best(rest, merit.get)), max(merit.values(), default=float("-inf"))


def _compare_lazy_round(rng):
    formula = str(rng.choice(["difference", "quotient", "subset"]))
    n_samples = int(rng.choice([12, 64, 70]))
    levels = rng.integers(0, 3, size=(9, n_samples))
    levels[4], levels[5] = levels[0], 2 - levels[1]
    y = rng.integers(0, 2, size=n_samples)
    measure = information.symmetrical_uncertainty if formula == "subset" else information.mutual_information
    if rng.random() < 0.3 and formula != "subset":
        relevance = np.array([abs(separation.pearson(row, y)) for row in levels])
        # Rounding leaves no correlation at exactly 0, so a quotient has a floor, as in MRMR.
        floor = LEAST_CORRELATION if formula == "quotient" else 0.0
        shared_by = SharedCorrelation(np.ascontiguousarray(levels.T, dtype=float), floor)

        def measure(x, z):
            return max(abs(separation.pearson(x, z)), floor)
    else:
        relevance = np.array([measure(row, y) for row in levels])
        shared_by = SharedInformation(Codes.of(levels), scaled=formula == "subset")
    weight = float(rng.choice([0.0, 0.5, 1.0, 2.0]))
    kind = {"difference": lazy.DIFFERENCE, "quotient": lazy.QUOTIENT, "subset": lazy.SUBSET}[formula]
    candidates = LazyCandidates(
        relevance, shared_by, Formula(kind, weight=weight, floor=getattr(shared_by, "floor", 0.0))
    )
    chosen, fast, slow = [], [], []
    for _ in range(6):
        tied, merit = candidates.best()
        if chosen:
            fast.append((sorted(tied.tolist()), round(merit, 9)))
            best, value = lazy_round(
                relevance.tolist(), lambda f, g: measure(levels[f], levels[g]), formula, weight, chosen
            )
            slow.append((best, round(value, 9)))
        pick = int(rng.choice(tied))
        candidates.take(pick)
        chosen.append(pick)
    return fast, slow


def _compare_subset_merits(rng):
    levels = _levels(rng, most=int(rng.choice([3, 16, 30])))
    n_samples = levels.shape[1]
    y = _classes(rng, max(n_samples, 2))[:n_samples]
    target = Codes.of(y[np.newaxis])
    relevance = [information.symmetrical_uncertainty(row, y) for row in levels.tolist()]
    candidates = RecomputingCandidates(Codes.of(levels), target, np.array(relevance))
    fast, slow, chosen = [], [], []
    for f in rng.permutation(len(levels))[:-1].tolist():
        candidates.best()
        rest = [g for g in range(len(levels)) if g not in chosen]
        fast.extend(candidates.merits[rest].tolist())
        slow.extend(cfs_merit([*chosen, g], levels.tolist(), relevance) for g in rest)
        candidates.take(f)
        chosen.append(f)
    return fast, slow


def _compare_mark_varying(rng):
    X = rng.integers(0, 3, size=(int(rng.integers(2, 9)), int(rng.choice([1, 7, 300])))).astype(float)
    rows = rng.integers(0, len(X), size=int(rng.integers(1, 5)))
    fast = np.zeros(X.shape[1], dtype=bool)
    neighbours.mark_varying(X, rows, fast)
    return fast.tolist(), [len(set(column)) > 1 for column in X[rows].T.tolist()]


TWINS = {
    "binning.assign_levels": Twin(_compare_assign_levels),
    "binning.column_range": Twin(_compare_column_range),
    "binning.three_levels": Twin(_compare_three_levels),
    "binning.whole_levels": Twin(_compare_whole_levels),
    "classes.appears_before": Twin(_compare_appears_before),
    "classes.number_by_appearance": Twin(_compare_number_by_appearance),
    "correlation.column_product": Twin(_compare_column_product, 1e-12),
    "correlation.correlate": Twin(_compare_correlate, 1e-9),
    "correlation.standardise": Twin(_compare_standardise, 1e-10),
    "fingerprints.add_column_fingerprints": Twin(_compare_add_column_fingerprints),
    "fingerprints.add_row_fingerprints": Twin(_compare_add_row_fingerprints),
    "incomplete.sample_differences": Twin(neighbour_kernels.compare_sample_differences, 1e-12),
    "information.joint_sum": Twin(_compare_joint_sums, 1e-9),
    "information.joint_sums": Twin(_compare_joint_sums, 1e-9),
    "information.marginal_sums": Twin(_compare_marginal_sums, 1e-9),
    "information.pack": Twin(_compare_pack),
    "information.shared_with_others": Twin(_compare_shared_with_others, 1e-9),
    "information.unpack": Twin(_compare_unpack),
    "knn.add_feature": Twin(wrappers.compare_add_feature, 1e-9),
    "knn.count_wrong": Twin(wrappers.compare_count_wrong),
    "knn.count_wrong_without": Twin(wrappers.compare_count_wrong_without),
    "knn.training_scales": Twin(wrappers.compare_training_scales, 1e-9),
    "lazy.lazy_round": Twin(_compare_lazy_round),
    "lazy.merit_of": Twin(_compare_merit_of, 1e-12),
    "lazy.reaches": Twin(_compare_reaches),
    "margins.feature_margins": Twin(neighbour_kernels.compare_feature_margins),
    "margins.sample_margins": Twin(neighbour_kernels.compare_sample_margins),
    "margins.track_margins": Twin(neighbour_kernels.compare_track_margins),
    "mdl.mdl_cuts": Twin(_compare_mdl_cuts),
    "moments.class_moments": Twin(_compare_class_moments, 1e-12),
    "moments.column_moments": Twin(_compare_column_moments, 1e-12),
    "neighbours.add_smaller": Twin(neighbour_kernels.compare_add_smaller),
    "neighbours.add_weighted_differences": Twin(neighbour_kernels.compare_add_weighted_differences),
    "neighbours.count_pairs": Twin(neighbour_kernels.compare_count_pairs),
    "neighbours.group_reach": Twin(neighbour_kernels.compare_group_reach),
    "neighbours.list_pairs": Twin(neighbour_kernels.compare_list_pairs),
    "neighbours.mark_beyond": Twin(neighbour_kernels.compare_mark_beyond),
    "neighbours.mark_nearest": Twin(neighbour_kernels.compare_mark_nearest),
    "neighbours.mark_varying": Twin(_compare_mark_varying),
    "neighbours.scale_columns": Twin(neighbour_kernels.compare_scale_columns),
    "neighbours.smaller_to_distances": Twin(neighbour_kernels.compare_smaller_to_distances),
    "neighbours.weigh_neighbours": Twin(neighbour_kernels.compare_weigh_neighbours),
    "ranks.mid_ranks": Twin(_compare_mid_ranks),
    "ranks.rank_profiles": Twin(_compare_rank_profiles),
    "subset.subset_merits": Twin(_compare_subset_merits, 1e-12),
    **{name: Twin(*comparison) for name, comparison in distance_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in svm_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in exhaustive_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in partition_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in penalised_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in rbf_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in sequential_kernels.COMPARISONS.items()},
    **{name: Twin(*comparison) for name, comparison in silhouette_kernels.COMPARISONS.items()},
}
