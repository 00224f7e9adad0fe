"""Makes sklearn.json: what scikit-learn, scipy and numpy say about the data sets of this folder.

Run with any environment that has the three::

    PYTHONPATH=tests python -m golden.make_sklearn
"""

import warnings

import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.feature_selection import chi2, f_classif
from sklearn.metrics import mutual_info_score

from golden import _store, datasets

PAIRS_WITH = 5


def answers_for(data):
    """Every value the libraries give for one data set; a feature for which one is undefined has null."""
    X, y = data.X, data.y
    answers = {"f_classif": f_classif(X, y)[0]}
    if data.is_discrete:
        answers["chi2"] = chi2(X, y)[0]
        answers["mutual_information"] = [mutual_info_score(y, column) for column in X.T]
        answers["mutual_information_of_pairs"] = [
            [mutual_info_score(first, second) for second in X.T] for first in X.T[:PAIRS_WITH]
        ]
    else:
        answers["pearson"] = np.corrcoef(X, rowvar=False)[:PAIRS_WITH]
        answers["spearman"] = stats.spearmanr(X).statistic[:PAIRS_WITH]
        for low, high in [(a, b) for a in np.unique(y) for b in np.unique(y) if a < b]:
            for kind, equal in (("welch", False), ("pooled", True)):
                found = stats.ttest_ind(X[y == low], X[y == high], equal_var=equal)
                answers[f"t_{kind}_class_{low}_minus_{high}"] = found.statistic
    return {name: _as_lists(values) for name, values in answers.items()}


def _as_lists(values):
    return np.where(np.isfinite(values), np.asarray(values, dtype=object), None).tolist()


def main():
    """Write sklearn.json."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a constant feature: its F is undefined and stored as null
        data_sets = {
            data.name: {"fingerprint": data.fingerprint} | answers_for(data)
            for data in (make() for make in datasets.ALL)
        }
    versions = {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__}
    _store.save("sklearn", versions, "tests/golden/make_sklearn.py", data_sets)


if __name__ == "__main__":
    main()
