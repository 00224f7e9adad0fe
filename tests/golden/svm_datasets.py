"""The data sets behind Weka's SVM-RFE: numbers only, two and three classes, more samples than features and fewer.

None has weights that tie, which Weka settles by column: tables of nothing but codes have such weights when few
features are left, and so has a class that lies between two others, for which no hyperplane is better than any.
"""

import numpy as np

from golden import datasets


def _own_direction(name, seed, sizes, n_features):
    """Every class moves one feature in ten (of its own) up; units differ by up to 25."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    X = rng.standard_normal((len(y), n_features)) * rng.uniform(0.2, 5.0, n_features)
    n_own = n_features // 10
    for label in range(len(sizes)):
        own = slice(label * n_own, (label + 1) * n_own)
        X[:, own] += np.outer(y == label, rng.uniform(1.0, 2.0, n_own) * X[:, own].std(axis=0))
    return datasets.GoldenData(name, np.round(X[:, rng.permutation(n_features)], 6), y, False)


def wide_two_class():
    """30 x 150; the classes can be separated until few features are left."""
    return _own_direction("wide_two_class", 401, (17, 13), 150)


def long_three_class():
    """90 x 30; not separable."""
    return _own_direction("long_three_class", 402, (38, 29, 23), 30)


def wide_three_class():
    """36 x 120; the classes can be separated until few features are left."""
    return _own_direction("wide_three_class", 403, (15, 12, 9), 120)


TWO_CLASSES = {
    data.name: data
    for data in (
        datasets.continuous_two_class(),
        datasets.continuous_ties(),
        datasets.repeated_samples(),
        wide_two_class(),
    )
}
THREE_CLASSES = {data.name: data for data in (long_three_class(), wide_three_class())}
