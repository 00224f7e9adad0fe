"""Orange3: FCBF as a scorer; a feature it drops keeps a ten-thousandth of its score."""

import warnings

import numpy as np
from _run import serve
from Orange.data import DiscreteVariable, Domain, Table
from Orange.preprocess.score import FCBF, _symmetrical_uncertainty


def fcbf(problem):
    attributes = [DiscreteVariable(f"f{column}", ("0", "1", "2")) for column in range(problem.codes.shape[1])]
    target = DiscreteVariable("class", tuple(f"c{label}" for label in np.unique(problem.y)))
    table = Table.from_numpy(Domain(attributes, target), problem.codes.astype(float), problem.y)
    full = np.array([_symmetrical_uncertainty(table, attribute, target) for attribute in attributes])

    def call():
        scores = np.asarray(FCBF()(table))
        order = np.argsort(-scores, kind="stable")
        is_kept = scores > np.maximum(0.5 * full, 1e-12)
        return order[is_kept[order]]

    return call


if __name__ == "__main__":
    # Equal columns: it divides by zero, and the infinity that follows is harmless.
    warnings.simplefilter("ignore")
    serve("Orange3", {"fcbf": fcbf})
