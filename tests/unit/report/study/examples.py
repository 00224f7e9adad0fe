"""Summaries of studies with made-up numbers, from the usual to the odd."""

from __future__ import annotations

import numpy as np

METRICS = ("accuracy", "balanced_accuracy", "error", "auc", "sensitivity", "specificity", "f1", "brier")
INDICES = ("nogueira", "kuncheva", "jaccard", "dice", "ochiai", "percentage_overlap", "lustgarten")
HOSTILE = [
    "</script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    'quo"te, comma',
    "a & b <b>bold</b>",
    "γ-グルタミル",
    "=1+1",
    "{{ 7 * 7 }} %{x} $x$",
    "line\nbreak \x1b[31mred",
    "a name that is very long and goes on and on without any good reason whatsoever until it does not fit " * 2,
]


def usual(seed=0):
    """Four methods, four sizes, three classifiers, two classes."""
    return build(seed)


def minimal():
    """One method, one size, one classifier, and nothing that could be left out."""
    found = build(0, methods=["f-test"], sizes=[5], classifiers=["svm"], n_samples=20, n_features=30)
    for name in METRICS:
        found["results"][0][name] = None
    found["results"][0]["accuracy"] = {"mean": 0.5, "low": None, "high": None, "sd": None, "n": 1}
    found["selections"][0]["stability"] = {"nogueira": {"value": None, "low": None, "high": None}, "kuncheva": None}
    found["costs"][0]["seconds"] = {"mean": None, "least": None, "most": None, "n": 0}
    found["costs"][0]["peak_megabytes"] = None
    found["classifier_seconds"][0]["mean"] = None
    found["plan"]["data"] |= {"source": None, "target": None}
    found["recommendation"] |= {"reasons": [], "doubts": [], "within_noise": []}
    return found | {"agreement": None, "comparisons": None, "heat_map": None, "warnings": []}


def hostile():
    """Names that try to break out of every format."""
    found = build(
        0,
        methods=HOSTILE[:4],
        classifiers=HOSTILE[4:6],
        features=[*HOSTILE, *(f"g{j}" for j in range(51))],
        classes=["<b>normal</b>", "tumör & more"],
    )
    found["plan"]["data"] |= {"source": HOSTILE[0], "target": HOSTILE[1]}
    found["plan"]["methods"][0]["parameters"] = {"note": HOSTILE[0]}
    found["recommendation"]["sentence"] = f"Use {HOSTILE[0]}"
    found["recommendation"]["reasons"] = [HOSTILE[1]]
    return found | {"warnings": [HOSTILE[0]]}


def many_classes():
    """Nine classes: no positive one."""
    found = build(0, classes=[f"type {i}" for i in range(9)])
    found["plan"]["data"]["positive"] = None
    return found


def many_methods():
    """As many methods, sizes and classifiers as are promised to work."""
    return build(
        0, methods=[f"method-{i}" for i in range(40)], sizes=[*range(5, 105, 5)], classifiers=list("abcdefghi")
    )


def incomplete():
    """A study that was looked at before it ended."""
    found = build(0)
    found["progress"] = {"n_cells": 404, "n_done": 120, "is_complete": False}
    found["results"] = found["results"][:20]
    found["selections"] = found["selections"][:7]
    return found | {"comparisons": None, "agreement": None}


def empty():
    """A study that has not begun."""
    found = build(0)
    found["progress"] = {"n_cells": 404, "n_done": 0, "is_complete": False}
    none = {"comparisons": None, "agreement": None, "recommendation": None, "heat_map": None}
    return found | none | {"results": [], "selections": [], "costs": [], "classifier_seconds": []}


def tuned():
    """Methods that decide on the number of features, or have it tuned for each classifier."""
    found = build(0, methods=["cfs", "mrmr"], sizes=["own", "tuned"])
    for row in found["results"]:
        if row["size"] == "tuned":
            row["sizes_chosen"] = {"10": 61, "20": 39}
    own = [row for row in found["selections"] if row["size"] == "own"]
    split = [
        row | {"classifier": one["name"]}
        for row in found["selections"]
        if row["size"] == "tuned"
        for one in found["plan"]["classifiers"]
    ]
    found["plan"] |= {"sizes": [10, 20], "tune_size": True}
    return found | {"selections": [*own, *split]}


ALL = {made.__name__: made for made in (usual, minimal, hostile, many_classes, many_methods, incomplete, empty, tuned)}


def build(
    seed,
    *,
    methods=("mrmr+", "svm-rfe", "relieff", "f-test"),
    sizes=(5, 10, 20, 50),
    classifiers=("svm", "knn", "nb"),
    classes=("normal", "tumor"),
    features=None,
    n_samples=100,
    n_features=2000,
):
    rng = np.random.default_rng([seed, 6])
    names = features or [f"GENE{j:04d}" for j in range(n_features)]
    last = sizes[-2:][0]
    found = {
        "schema": "holdfast.study",
        "schema_version": 1,
        "holdfast_version": "0.1.0",
        "plan": _plan(methods, sizes, classifiers, classes, n_samples, len(names)),
        "progress": {"n_cells": 404, "n_done": 404, "is_complete": True},
        "baseline": {"accuracy": 0.5, "words": "always the larger class"},
        "results": [
            _result(rng, method, size, classifier, 0.78 + 0.03 * (i % 4) + 0.01 * (j % 4) - 0.02 * (k % 3))
            for i, method in enumerate(methods)
            for j, size in enumerate(sizes)
            for k, classifier in enumerate(classifiers)
        ],
        "selections": [
            _selection(rng, method, size, names, 0.25 + 0.12 * (i % 4) + 0.02 * (j % 4))
            for i, method in enumerate(methods)
            for j, size in enumerate(sizes)
        ],
        "agreement": {"size": last, "index": "jaccard", "methods": list(methods), "values": _agreement(len(methods))},
        "comparisons": _comparisons(methods, last, classifiers[0]),
        "recommendation": {
            "method": methods[-1],
            "size": last,
            "classifier": classifiers[0],
            "metric": "accuracy",
            "sentence": f"{methods[-1]} with {last} features and {classifiers[0]}: accuracy 0.91 ± 0.03, stability "
            "0.62 [0.55, 0.69].",
            "reasons": ["No configuration is significantly more accurate.", "It is the most stable of those."],
            "doubts": ["Stability 0.62: about a third of the list changes with the samples."],
            "within_noise": [{"method": methods[0], "size": last, "classifier": classifiers[-1]}],
            "features": [],
        },
        "heat_map": {
            "features": [],
            "samples": [f"patient{i:03d}" for i in range(n_samples)],
            "classes": [classes[i * len(classes) // n_samples] for i in range(n_samples)],
            "values": [[None, *row[1:]] for row in np.round(rng.normal(0, 1, (100, n_samples)), 2).tolist()],
        },
        "costs": [
            {
                "method": method,
                "seconds": {
                    "mean": 0.01 * 3 ** (i % 8),
                    "least": 0.008 * 3 ** (i % 8),
                    "most": 0.02 * 3 ** (i % 8),
                    "n": 101,
                },
                "peak_megabytes": 12.5 * (i + 1),
            }
            for i, method in enumerate(methods)
        ],
        "classifier_seconds": [{"classifier": classifier, "mean": 0.003} for classifier in classifiers],
        "warnings": ["A training part has only 7 samples of the class 'tumor'."],
    }
    recommended = next(row for row in found["selections"] if (row["method"], row["size"]) == (methods[-1], last))
    chosen = [feature["name"] for feature in recommended["features"] if feature["rank"] is not None]
    found["recommendation"]["features"] = found["heat_map"]["features"] = chosen
    found["heat_map"]["values"] = found["heat_map"]["values"][: len(chosen)]
    return found


def _plan(methods, sizes, classifiers, classes, n_samples, n_features):
    share = n_samples // len(classes)
    return {
        "digest": "ab" * 32,
        "data": {
            "source": "blood.csv",
            "digest": "cd" * 32,
            "n_samples": n_samples,
            "n_features": n_features,
            "target": "class",
            "classes": dict.fromkeys(classes, share),
            "positive": classes[-1],
            "n_groups": None,
            "imputed": None,
        },
        "methods": [{"name": method, "parameters": {"n_bins": 5}} for method in methods],
        "sizes": list(sizes),
        "tune_size": False,
        "classifiers": [{"name": classifier, "words": f"{classifier}, usual settings"} for classifier in classifiers],
        "protocol": {
            "name": "10x10cv",
            "words": "10 times 10-fold cross-validation",
            "n_splits": 100,
            "n_train": 90,
            "n_test": 10,
        },
        "seed": 0,
    }


def _result(rng, method, size, classifier, level):
    row = {"method": method, "size": size, "classifier": classifier, "on_front": bool(rng.random() < 0.15)}
    for name in METRICS:
        at = level + rng.normal(0, 0.01)
        at = 1 - at if name in ("error", "brier") else at
        row[name] = {"mean": at, "low": at - 0.03, "high": at + 0.03, "sd": 0.05, "n": 100}
    if classifier == "svm":
        row["brier"] = None
    return row


def _selection(rng, method, size, names, level):
    k = size if isinstance(size, int) else 15
    chosen = rng.permutation(len(names))[:150]
    frequency = np.sort(rng.beta(0.3, 1.2, len(chosen)))[::-1]
    return {
        "method": method,
        "size": size,
        "classifier": None,
        "n_selected": {"mean": float(k), "least": k, "most": k},
        "stability": {name: {"value": level, "low": level - 0.05, "high": level + 0.05} for name in INDICES},
        "features": [
            {
                "name": names[j],
                "index": int(j),
                "frequency": round(float(share), 2),
                "rank": place + 1 if place < k else None,
                "score": 1 / (place + 1) if place < k else None,
            }
            for place, (j, share) in enumerate(zip(chosen, frequency, strict=True))
        ],
    }


def _agreement(n):
    return [[1.0 if i == j else max(0.0, round(0.6 - 0.1 * abs(i - j), 2)) for j in range(n)] for i in range(n)]


def _comparisons(methods, size, classifier):
    n = len(methods)
    if n < 2:
        return None
    is_enough = n > 2
    names = list(methods)
    return {
        "metric": "accuracy",
        "size": size,
        "classifier": classifier,
        "friedman": {
            "n_blocks": 100,
            "methods": names,
            "mean_ranks": [1 + 0.6 * (n - 1 - i) for i in range(n)],
            "statistic": 20.1,
            "p_value": 0.0002,
            "f_statistic": 7.1,
            "f_p_value": 0.0001,
        }
        if is_enough
        else None,
        "nemenyi": {"level": 0.05, "critical_difference": 0.969, "groups": [names[-2:], names[-3:-1]]}
        if is_enough
        else None,
        "bonferroni_dunn": {
            "level": 0.05,
            "control": names[-1],
            "critical_difference": 0.837,
            "different": names[:-2],
        }
        if is_enough
        else None,
        "pairs": [_pair(a, b, 0.03 * (i - j)) for i, a in enumerate(names) for j, b in enumerate(names) if i < j],
        "notes": ["The splits share samples, so the p-values of Friedman and Wilcoxon are too small."],
    }


def _pair(a, b, difference):
    p = 0.001 if difference < -0.06 else 0.4
    return {
        "a": a,
        "b": b,
        "difference": difference,
        "low": difference - 0.03,
        "high": difference + 0.03,
        "corrected_t": {"statistic": 0.6, "p_value": p / 2, "p_holm": p},
        "wilcoxon": {"statistic": 300.0, "p_value": 0.04, "p_holm": 0.2},
        "mcnemar": {"n01": 5, "n10": 8, "p_value": 0.58, "p_holm": 1.0} if difference > -0.05 else None,
    }
