"""pyensemblefs: stability indices of a table of runs; Kuncheva's from the table, the others from lists of columns."""

import numpy as np
from _run import in_millionths, index_of_runs, serve
from pyensemblefs.stability.pairwise import KunchevaStability
from pyensemblefs.stability.stability import stability


def from_lists(measure):
    def prepare(problem):
        chosen = [np.flatnonzero(run).tolist() for run in problem.X]
        n_features = problem.X.shape[1]
        return lambda: in_millionths(stability(features=chosen, measure=measure, p=n_features, index_base=0))

    return prepare


if __name__ == "__main__":
    methods = {f"index-{measure}": from_lists(measure) for measure in ("jaccard", "lustgarten", "nogueira")}
    serve("pyensemblefs", methods | {"index-kuncheva": index_of_runs(KunchevaStability().compute)})
