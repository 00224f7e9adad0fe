"""The floor to beat: plain vectorised numpy, one-hot products and running sums; libsvm on a shrinking Gram matrix."""

from dataclasses import replace
from itertools import combinations

import numpy as np
from _run import in_millionths, index_of_runs, over_halves, range_scaled, serve, top


class Counter:
    """Mutual information of every feature with one column: a one-hot product and a look-up of c · log c."""

    def __init__(self, codes):
        self.n_samples, self.n_features = codes.shape
        counts = np.arange(self.n_samples + 1)
        self.table = counts * np.log(np.maximum(counts, 1))
        # float32 holds every count below 2**24 exactly, and its products are twice as fast.
        self.hot = np.concatenate([codes == level for level in range(2)], axis=1).astype(np.float32)
        first = self.hot.sum(axis=0).reshape(2, -1)
        self.counts = np.concatenate([first, self.n_samples - first.sum(axis=0, keepdims=True)])
        self.entropy = self._entropy(self.counts)

    def _entropy(self, counts):
        return np.log(self.n_samples) - self.table[counts.astype(np.intp)].sum(axis=0) / self.n_samples

    def against_labels(self, labels):
        other = np.stack([labels == level for level in np.unique(labels)]).astype(np.float32)
        # The last level and the last label follow from the totals; a product a row beats one thin matrix.
        sizes = other.sum(axis=1)
        rows = [(row @ self.hot).reshape(2, -1) for row in other[:-1]]
        rows = [np.concatenate([row, size - row.sum(axis=0)[None]]) for row, size in zip(rows, sizes[:-1], strict=True)]
        joint = np.concatenate([*rows, self.counts - sum(rows)])
        other_entropy = self._entropy(sizes)
        return self.entropy + other_entropy - self._entropy(joint), other_entropy

    def uncertainty(self, labels):
        mutual, other_entropy = self.against_labels(labels)
        total = self.entropy + other_entropy
        return np.divide(2 * mutual, total, out=np.zeros_like(mutual), where=total > 0)


def mrmr_mi(problem):
    def call():
        counter = Counter(problem.codes)
        relevance, _ = counter.against_labels(problem.y)
        return greedy(relevance, lambda pick: counter.against_labels(problem.codes[:, pick])[0], problem.n_select)

    return call


def greedy(relevance, redundancy_with, n_select, quotient=False):
    """Relevance minus (or over) the mean redundancy with what was already picked."""
    merit = relevance.copy()
    total = np.zeros_like(relevance)
    picks = []
    while len(picks) < n_select:
        merit[picks] = -np.inf
        picks.append(int(merit.argmax()))
        total += redundancy_with(picks[-1])
        mean = total / len(picks)
        merit = relevance / mean if quotient else relevance - mean
    return picks


def f_statistic(X, y):
    classes = np.unique(y)
    within = np.zeros(X.shape[1])
    for label in classes:
        part = X[y == label]
        within += ((part - part.mean(axis=0)) ** 2).sum(axis=0)
    between = ((X - X.mean(axis=0)) ** 2).sum(axis=0) - within
    return between / (len(classes) - 1) / (within / (len(y) - len(classes)))


def mrmr_f(problem):
    def call():
        X = problem.X - problem.X.mean(axis=0)
        relevance = f_statistic(X, problem.y)
        X /= np.sqrt((X**2).sum(axis=0))
        return greedy(
            relevance, lambda pick: np.maximum(np.abs(X[:, pick] @ X), 0.001), problem.n_select, quotient=True
        )

    return call


def cfs(problem):
    """Forward greedy, stopping when the merit no longer rises."""

    def call():
        counter = Counter(problem.codes)
        relevance = counter.uncertainty(problem.y)
        picks, best = [], -np.inf
        gained, pairs = 0.0, np.zeros_like(relevance)
        within = 0.0
        while len(picks) < len(relevance):
            size = len(picks) + 1
            merit = (gained + relevance) / np.sqrt(size + 2 * (within + pairs))
            merit[picks] = -np.inf
            pick = int(merit.argmax())
            if merit[pick] <= best:
                break
            best = merit[pick]
            gained += relevance[pick]
            within += pairs[pick]
            picks.append(pick)
            pairs += counter.uncertainty(problem.codes[:, pick])
        return picks

    return call


def fcbf(problem):
    def call():
        counter = Counter(problem.codes)
        relevance = counter.uncertainty(problem.y)
        is_open = relevance > 1e-12
        picks = []
        while is_open.any():
            pick = int(np.where(is_open, relevance, -1).argmax())
            picks.append(pick)
            is_open &= counter.uncertainty(problem.codes[:, pick]) < relevance
            is_open[pick] = False
        return picks

    return call


def mi_ranking(problem):
    return lambda: top(Counter(problem.codes).against_labels(problem.y)[0], problem.n_select)


def f_ranking(problem):
    return lambda: top(f_statistic(problem.X, problem.y), problem.n_select)


def ten_nearest(distances, labels, at):
    """The ten nearest of each class, the sample itself left out."""
    near = []
    for label in np.unique(labels):
        others = np.flatnonzero(labels == label)
        others = others[others != at]
        near.append(others[np.argsort(distances[others])[:10]])
    return np.concatenate(near)


def half_a_deviation_nearer(distances, labels, at):
    others = np.delete(distances, at)
    near = distances < others.mean() - others.std() / 2
    near[at] = False
    return np.flatnonzero(near)


def neighbour_ranking(neighbours):
    """Mean difference to the near of other classes minus that to the near of the own class; two classes."""

    def prepare(problem):
        def call():
            X, y = range_scaled(problem.X), problem.y
            scores, differences = np.zeros(X.shape[1]), np.empty_like(X)
            for at in range(len(y)):
                np.abs(np.subtract(X, X[at], out=differences), out=differences)
                near = neighbours(differences.sum(axis=1), y, at)
                is_hit = y[near] == y[at]
                weights = np.where(is_hit, -1 / max(is_hit.sum(), 1), 1 / max((~is_hit).sum(), 1))
                scores += weights @ differences[near]
            return top(scores, problem.n_select)

        return call

    return prepare


def svm_rfe(n_kept_of, tol):
    """One Gram matrix, from which each round takes what it drops; libsvm solves the dual."""

    def prepare(problem):
        from sklearn.svm import SVC  # only here: the other methods are to start without it

        def call():
            X = range_scaled(problem.X)
            gram, left, n_all = X @ X.T, np.arange(X.shape[1]), X.shape[1]
            while True:
                machine = SVC(kernel="precomputed", tol=tol).fit(gram, problem.y)
                weights = np.abs(machine.dual_coef_[0] @ X[machine.support_])
                n_kept = n_kept_of(len(left), n_all, problem.n_select)
                if n_kept < problem.n_select or n_kept == len(left):
                    return left[top(weights, problem.n_select)]
                order = np.argsort(-weights, kind="stable")
                kept, gone = np.sort(order[:n_kept]), X[:, order[n_kept:]]
                gram = gram - gone @ gone.T
                X, left = X[:, kept], left[kept]

        return call

    return prepare


def nine_tenths_of_what_is_left(n_left, n_all, n_select):
    return int(n_left * 0.9 + 1e-9)


def a_tenth_of_all_less(n_left, n_all, n_select):
    return max(n_left - max(1, int(0.1 * n_all)), n_select)


def mrmr_mi_binned(problem):
    """Three levels at mean ± σ/2, then MRMR."""

    def call():
        above = problem.X - problem.X.mean(axis=0)
        half = problem.X.std(axis=0, ddof=1) / 2
        codes = (above > -half).astype(np.int8) + (above > half)
        return mrmr_mi(replace(problem, codes=codes))()

    return call


def each_pair(similarity):
    """The mean over all pairs of runs, a pair at a time."""

    def index(runs):
        sizes, total = runs.sum(axis=1), 0.0
        for i, j in combinations(range(len(runs)), 2):
            total += similarity(np.count_nonzero(runs[i] & runs[j]), sizes[i], sizes[j], runs.shape[1])
        return total / (len(runs) * (len(runs) - 1) / 2)

    return index_of_runs(index)


def kuncheva(n_both, size, _, n_features):
    by_chance = size**2 / n_features
    return (n_both - by_chance) / (size - by_chance)


def jaccard(n_both, size, other, _):
    return n_both / (size + other - n_both)


def lustgarten(n_both, size, other, n_features):
    lowest = max(0, size + other - n_features)
    return (n_both - size * other / n_features) / (min(size, other) - lowest)


def nogueira(runs):
    n_runs, n_features = runs.shape
    frequency = runs.mean(axis=0)
    share = frequency.sum() / n_features
    return 1 - n_runs / (n_runs - 1) * (frequency * (1 - frequency)).mean() / (share * (1 - share))


def instance_weights(problem):
    """Differences to every other class minus those to the own, feature by feature; weights by inverse mean distance."""

    def call():
        X, y = range_scaled(problem.X), problem.y
        margins, differences = np.empty_like(X), np.empty_like(X)
        for at in range(len(y)):
            np.abs(np.subtract(X, X[at], out=differences), out=differences)
            margins[at] = np.where(y == y[at], -1.0, 1.0) @ differences
        inner = margins @ margins.T
        squares = np.diag(inner)
        apart = np.sqrt(np.maximum(squares[:, None] + squares - 2 * inner, 0))
        np.fill_diagonal(apart, 0)
        weights = 1 / apart.sum(axis=1)
        return in_millionths(*(weights / weights.sum()))

    return call


if __name__ == "__main__":
    methods = {
        "mrmr-mi": mrmr_mi,
        "mrmr-f": mrmr_f,
        "cfs": cfs,
        "fcbf": fcbf,
        "mi-ranking": mi_ranking,
        "f-ranking": f_ranking,
        "relieff": neighbour_ranking(ten_nearest),
        "multisurf": neighbour_ranking(half_a_deviation_nearer),
        "svm-rfe/Gram": svm_rfe(nine_tenths_of_what_is_left, tol=1e-3),
        "svm-rfe/Gram, to 1e-8": svm_rfe(nine_tenths_of_what_is_left, tol=1e-8),
        "svm-rfe-original/Gram": svm_rfe(a_tenth_of_all_less, tol=1e-3),
        "svm-rfe-original/Gram, to 1e-8": svm_rfe(a_tenth_of_all_less, tol=1e-8),
        "stable-mrmr": over_halves(mrmr_mi_binned),
        "stable-mrmr-f": over_halves(mrmr_f),
        "stable-svm-rfe/Gram": over_halves(svm_rfe(nine_tenths_of_what_is_left, tol=1e-3)),
        "index-kuncheva/pair by pair": each_pair(kuncheva),
        "index-jaccard/pair by pair": each_pair(jaccard),
        "index-lustgarten/pair by pair": each_pair(lustgarten),
        "index-nogueira": index_of_runs(nogueira),
        "instance-weights": instance_weights,
    }
    serve("numpy", methods)
