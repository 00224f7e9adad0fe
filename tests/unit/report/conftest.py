"""A small study, as its summary, with what is hard to draw: gaps, a size of its own, names that look like markup."""

from __future__ import annotations

import numpy as np
import pytest

HOSTILE = 'se <b>x</b> & "y", %{x}'


def _value(at, key="mean"):
    return {key: at, "low": at - 0.02, "high": at + 0.03}


def _result(method, size, classifier, accuracy):
    return {
        "method": method,
        "size": size,
        "classifier": classifier,
        "on_front": False,
        "accuracy": _value(accuracy),
        "error": _value(1 - accuracy),
        "brier": None if classifier == "svm" else _value(1 - accuracy),
        "auc": None,
    }


def _selection(method, size, mean, stability, classifier=None):
    features = [("MYC", 0.9, 1), (HOSTILE, 0.6, None), ("ACTB", 0.3, 2)]
    return {
        "method": method,
        "size": size,
        "classifier": classifier,
        "n_selected": {"mean": mean, "least": 1, "most": 50},
        "stability": {
            "nogueira": None if stability is None else _value(stability, "value"),
            "jaccard": _value(0.2, "value"),
        },
        "features": [
            {"name": n, "index": i, "frequency": f, "rank": r, "score": r} for i, (n, f, r) in enumerate(features)
        ],
    }


@pytest.fixture
def made_study():
    """mrmr is accurate, the hostile name stable, cfs decides on its size."""
    table = {
        "mrmr": {5: (0.80, 0.30), 10: (0.90, 0.40), 50: (0.95, None)},
        HOSTILE: {5: (0.70, 0.60), 10: (0.75, 0.80), 50: (0.85, 0.70)},
        "cfs": {"own": (0.72, 0.50)},
    }
    results, selections = [], []
    for method, sizes in table.items():
        for size, (accuracy, stability) in sizes.items():
            results += [_result(method, size, "svm", accuracy), _result(method, size, "knn", accuracy - 0.01)]
            selections.append(_selection(method, size, 12.5 if size == "own" else float(size), stability))
    results += [_result("mrmr", "tuned", "svm", 0.88), _result("mrmr", "tuned", "knn", 0.89)]
    selections += [_selection("mrmr", "tuned", 8.0, 0.35, "svm"), _selection("mrmr", "tuned", 9.0, 0.45, "knn")]
    values = np.round(np.random.default_rng(0).normal(size=(3, 6)), 2).tolist()
    values[1][2] = None
    return {
        "schema": "holdfast.study",
        "schema_version": 1,
        "plan": {
            "data": {"classes": {"well": 3, HOSTILE: 2, "odd": 1}},
            "methods": [{"name": name} for name in ("other", *table)],
        },
        "baseline": {"accuracy": 0.6, "words": "always the larger class"},
        "results": results,
        "selections": selections,
        "recommendation": {"method": "mrmr", "size": 10, "classifier": "knn"},
        "comparisons": {
            "friedman": {"methods": ["mrmr", HOSTILE, "cfs"], "mean_ranks": [2.0, 2.6, 1.4], "p_value": 0.001},
            "nemenyi": {"level": 0.05, "critical_difference": 0.7, "groups": [["cfs", "mrmr"], ["mrmr", HOSTILE]]},
        },
        "agreement": {
            "size": 10,
            "index": "jaccard",
            "methods": ["mrmr", HOSTILE, "cfs"],
            "values": [[1.0, 0.5, 0.2], [0.5, 1.0, 0.1], [0.2, 0.1, 1.0]],
        },
        "heat_map": {
            "features": ["MYC", HOSTILE, "ACTB"],
            "samples": [f"patient {i}" for i in range(6)],
            "classes": [HOSTILE, "well", "odd", "well", HOSTILE, "well"],
            "values": values,
        },
        "costs": [
            {"method": "mrmr", "seconds": {"mean": 0.5, "least": 0.4, "most": 0.9, "n": 7}, "peak_megabytes": 12.5},
            {
                "method": HOSTILE,
                "seconds": {"mean": 0.002, "least": 0.0, "most": 0.003, "n": 7},
                "peak_megabytes": None,
            },
            {"method": "cfs", "seconds": {"mean": None}, "peak_megabytes": 3.0},
        ],
    }
