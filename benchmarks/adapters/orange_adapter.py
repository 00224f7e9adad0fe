"""Orange3: FCBF as a scorer (a feature it drops keeps a ten-thousandth of its score) and ReliefF."""

import warnings

import numpy as np
from _run import serve, top
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess.score import FCBF, ReliefF, _symmetrical_uncertainty


def table_of(values, attributes, y):
    target = DiscreteVariable("class", tuple(f"c{label}" for label in np.unique(y)))
    return Table.from_numpy(Domain(attributes, target), values, y)


def fcbf(problem):
    attributes = [DiscreteVariable(f"f{column}", ("0", "1", "2")) for column in range(problem.codes.shape[1])]
    table = table_of(problem.codes.astype(float), attributes, problem.y)
    target = table.domain.class_var
    full = np.array([_symmetrical_uncertainty(table, attribute, target) for attribute in attributes])

    def call():
        scores = np.asarray(FCBF()(table))
        order = np.argsort(-scores, kind="stable")
        is_kept = scores > np.maximum(0.5 * full, 1e-12)
        return order[is_kept[order]]

    return call


def relieff(problem):
    attributes = [ContinuousVariable(f"f{column}") for column in range(problem.X.shape[1])]
    table = table_of(problem.X, attributes, problem.y)
    scorer = ReliefF(n_iterations=len(problem.y), k_nearest=10, random_state=0)
    return lambda: top(scorer(table), problem.n_select)


if __name__ == "__main__":
    # Equal columns: it divides by zero, and the infinity that follows is harmless.
    warnings.simplefilter("ignore")
    serve("Orange3", {"fcbf": fcbf, "relieff": relieff})
