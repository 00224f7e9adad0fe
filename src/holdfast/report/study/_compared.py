"""What the tests between methods say, in plain words."""

from __future__ import annotations

from typing import Any

from holdfast.report._summary import SMALLER_IS_BETTER, inside, size_words
from holdfast.report.study._numbers import count, p_words

Row = dict[str, Any]
_LEVEL = 0.05
_MOST_PAIRS = 12
# In the order of trust: the first that could be done gives the verdict.
TESTS = {"corrected_t": "corrected t test", "wilcoxon": "Wilcoxon test", "mcnemar": "McNemar test"}


def level_of(comparisons: Row) -> float:
    """The level of the tests."""
    return float(comparisons["nemenyi"]["level"]) if comparisons["nemenyi"] else _LEVEL


def verdict(pair: Row, comparisons: Row) -> str:
    """Which of two methods is better, as far as the tests can tell."""
    name = _decisive(pair)
    if name is None:
        return "not tested"
    better = _better(pair, comparisons)
    return "no clear difference" if better is None else f"{better} is better"


def _decisive(pair: Row) -> str | None:
    return next((name for name in TESTS if pair[name] and pair[name]["p_holm"] is not None), None)


def _better(pair: Row, comparisons: Row) -> str | None:
    """The method that is better; None if none could be told."""
    name = _decisive(pair)
    if name is None or pair[name]["p_holm"] >= level_of(comparisons) or not pair["difference"]:
        return None
    a_is_better = (pair["difference"] > 0) != (comparisons["metric"] in SMALLER_IS_BETTER)
    return str(pair["a"] if a_is_better else pair["b"])


def setting(comparisons: Row) -> str:
    """What was compared."""
    return f"{inside(comparisons['metric'])} of {comparisons['classifier']} with {size_words(comparisons['size'])}"


def overall(comparisons: Row) -> list[str]:
    """What Friedman's test and those after it say, a sentence each."""
    found = []
    friedman, nemenyi, dunn = (comparisons[name] for name in ("friedman", "nemenyi", "bonferroni_dunn"))
    if friedman:
        found.append(_friedman(friedman, level_of(comparisons)))
    if nemenyi:
        groups = "; ".join(", ".join(group) for group in nemenyi["groups"])
        alike = f" Not told apart: {groups}." if groups else " All methods are told apart."
        found.append(f"Nemenyi: mean ranks further apart than {nemenyi['critical_difference']:.3g} differ.{alike}")
    if dunn:
        others = ", ".join(dunn["different"]) or "none"
        found.append(f"Bonferroni-Dunn: methods that differ from {dunn['control']}: {others}.")
    return found


def _friedman(friedman: Row, level: float) -> str:
    p = friedman["f_p_value"] if friedman["f_p_value"] is not None else friedman["p_value"]
    over = f"over {count(friedman['n_blocks'], 'split')}"
    if p is None:
        return f"Friedman {over}: the test could not be done."
    says = "the methods differ" if p < level else "no clear difference between the methods"
    return f"Friedman {over}: {says} ({p_words(p)})."


def pair_sentences(comparisons: Row) -> list[str]:
    """A sentence for each pair that can be told apart, the first of many, and how many cannot."""
    found = []
    for pair in comparisons["pairs"]:
        name, better = _decisive(pair), _better(pair, comparisons)
        if name is not None and better is not None:
            other = pair["a"] if better == pair["b"] else pair["b"]
            found.append(f"{better} is better than {other} ({TESTS[name]}, {p_words(pair[name]['p_holm'])}).")
    n_open, n_more = len(comparisons["pairs"]) - len(found), len(found) - _MOST_PAIRS
    found = found[:_MOST_PAIRS]
    if n_more > 0:
        found.append(f"… and {count(n_more, 'pair')} more that differ: see comparisons.csv.")
    return [*found, f"{count(n_open, 'pair')} of methods without a clear difference."] if n_open else found
