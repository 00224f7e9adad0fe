"""What chapter 10 of Michel 2018 says of stopping rules with wrappers, tested.

Figures 10.1 to 10.3 show the scores that features were chosen by, so they are what is tested; accuracy on the test part
stands beside them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.reproduce.michel._arms import MAXIMUM, PAIRING, Arm
from holdfast.reproduce.michel._cells10 import FIGURES, SIZE, VARIANCE, Numbers, key_of
from holdfast.reproduce.michel._claims import CLOSE, Pairs, claim, is_above, middle, said
from holdfast.reproduce.michel._rules import RULES
from holdfast.reproduce.plan import Claim

Array = npt.NDArray[Any]

# Rules that the thesis compares CW with: WM takes as many or more by its nature, HP all.
OTHERS = ("H", "H2S", "P")


def rule_claims(pairs: Pairs, printed: Numbers) -> list[Claim]:
    """Of FS-Train and FS-CV, by table, with what is printed of the same rules."""
    return [
        *_on_classic(pairs, printed),
        *_on_hoeffding(pairs, printed),
        *_on_permuted(pairs, printed),
        _conclusion(pairs),
    ]


def in_print(printed: Numbers, quantity: str, *rules: str) -> str:
    """Printed numbers of some rules, table by table."""
    names = dict.fromkeys(key.data for key in printed if key.quantity == quantity)
    return f"{quantity} ({FIGURES[quantity]}): " + "; ".join(
        f"{name} " + ", ".join(f"{rule} {printed[key_of(quantity, name, rule)].value:g}" for rule in rules)
        for name in names
    )


def border(arm: Arm) -> int:
    """How many first steps take a feature that stands out: twice as often as the most frequent ones midway."""
    is_random = arm.stability[MAXIMUM] <= 2 * middle(arm.stability[MAXIMUM])
    return int(np.argmax(is_random)) if is_random.any() else arm.n_features


def _sizes(arm: Arm, *rules: str) -> str:
    return ", ".join(f"{rule} {arm.sizes(rule).mean():.1f}" for rule in rules)


def _variances(arm: Arm, *rules: str) -> str:
    return ", ".join(f"{rule} {arm.sizes(rule).var():.1f}" for rule in rules)


def _more(arm: Arm, rule: str, other: Arm, than: str) -> Array:
    return arm.sizes(rule) - other.sizes(than)


def _at(arm: Arm, rule: str) -> float:
    return arm.read_when_stopped(PAIRING, rule)


def _pairings(arm: Arm, *rules: str) -> str:
    return ", ".join(f"{rule} {_at(arm, rule):.2f}" for rule in rules)


def _short(arm: Arm, rule: str) -> float:
    """How far the mean score at the mean size is below the best."""
    return float(arm.scores.max() - arm.scores[arm.kept(rule) - 1])


def _both_short(arm: Arm, rule: str) -> str:
    on_test = arm.tests.max() - arm.stop_tests(rule).mean()
    return f"by {_short(arm, rule):.3f} (test accuracy by {on_test:.3f})"


def _is_largest(values: dict[str, float], rule: str) -> bool:
    return all(values[rule] > other for name, other in values.items() if name != rule)


def _variance_of(arm: Arm, *rules: str) -> dict[str, float]:
    return {rule: float(arm.sizes(rule).var()) for rule in rules}


def _on_classic(pairs: Pairs, printed: Numbers) -> list[Claim]:
    return [
        claim("10.14", "CW takes more features than H, H2S and P", pairs,
              lambda a, b: all(is_above(_more(b, "CW", b, other)) for other in OTHERS),
              lambda a, b: _sizes(b, "CW", *OTHERS), printed=in_print(printed, SIZE, "CW", *OTHERS)),
        claim("10.1–10.3", "FS-CV: CW stops near the top of the curve (its score within 0.01)", pairs,
              lambda a, b: _short(b, "CW") < CLOSE,
              lambda a, b: f"{b.scores[b.kept('CW') - 1]:.3f} of {b.scores.max():.3f}"),
        claim("10.1–10.3", "CW is less stable than H2S (pairing)", pairs, lambda a, b: _at(b, "CW") < _at(b, "H2S"),
              lambda a, b: _pairings(b, "CW", "H2S"), printed=in_print(printed, PAIRING, "CW", "H2S")),
        claim("10.4–10.13", "CW goes beyond the stable part (steps whose most frequent feature stands out)", pairs,
              lambda a, b: b.sizes("CW").mean() > border(b),
              lambda a, b: f"{b.sizes('CW').mean():.1f} features, stable part {border(b)}"),
        claim("section 10.3", "CW is more stable with FS-Train than with FS-CV (pairing, by more than 0.01)", pairs,
              lambda a, b: _at(a, "CW") > _at(b, "CW") + CLOSE,
              lambda a, b: f"{_at(a, 'CW'):.2f}, FS-CV {_at(b, 'CW'):.2f}"),
        claim("10.15", "the number that CW takes varies most, WM apart", pairs,
              lambda a, b: _is_largest(_variance_of(b, "CW", "HP", *OTHERS), "CW"),
              lambda a, b: _variances(b, "CW", "HP", *OTHERS),
              printed=in_print(printed, VARIANCE, "CW", "HP", *OTHERS)),
        claim("10.1–10.3", "CW keeps more with FS-Train than with FS-CV", pairs,
              lambda a, b: is_above(_more(a, "CW", b, "CW")), lambda a, b: said(_more(a, "CW", b, "CW"), 1)),
        claim("10.1–10.3", "WM keeps as many as CW or a few more (up to 3)", pairs,
              lambda a, b: 0 <= _more(b, "WM", b, "CW").mean() <= 3, lambda a, b: said(_more(b, "WM", b, "CW"), 1),
              printed=in_print(printed, SIZE, "CW", "WM")),
    ]  # fmt: skip


def _on_hoeffding(pairs: Pairs, printed: Numbers) -> list[Claim]:
    return [
        claim("10.1–10.3", "H keeps few (up to 4) with both", pairs,
              lambda a, b: max(a.sizes("H").mean(), b.sizes("H").mean()) <= 4,
              lambda a, b: f"{b.sizes('H').mean():.1f}, FS-Train {a.sizes('H').mean():.1f}",
              printed=in_print(printed, SIZE, "H")),
        claim("10.1–10.3", "H is below the best score (by more than 0.01)", pairs,
              lambda a, b: _short(b, "H") > CLOSE, lambda a, b: _both_short(b, "H")),
        claim("section 10.3", "H is stable: no less than CW and H2S (pairing, within 0.01)", pairs,
              lambda a, b: _at(b, "H") >= max(_at(b, "CW"), _at(b, "H2S")) - CLOSE,
              lambda a, b: _pairings(b, "H", "CW", "H2S"), printed=in_print(printed, PAIRING, "H", "CW", "H2S")),
        claim("10.1–10.3", "H2S keeps more than H", pairs, lambda a, b: is_above(_more(b, "H2S", b, "H")),
              lambda a, b: said(_more(b, "H2S", b, "H"), 1), printed=in_print(printed, SIZE, "H", "H2S")),
        claim("10.1–10.3", "H2S: score near the maximum (within 0.01)", pairs,
              lambda a, b: _short(b, "H2S") <= CLOSE, lambda a, b: f"below {_both_short(b, 'H2S')}"),
        claim("10.4–10.13", "H2S is mostly inside the stable part (more than half of what it takes)", pairs,
              lambda a, b: border(b) > b.sizes("H2S").mean() / 2,
              lambda a, b: f"{b.sizes('H2S').mean():.1f} features, stable part {border(b)}"),
        claim("10.1–10.3", "HP keeps all or nearly all, FS-CV", pairs,
              lambda a, b: b.sizes("HP").mean() >= b.n_features - 1, lambda a, b: f"{b.sizes('HP').mean():.1f}",
              printed=in_print(printed, SIZE, "HP")),
        claim("10.1–10.3", "HP keeps all or nearly all, FS-Train", pairs,
              lambda a, b: a.sizes("HP").mean() >= a.n_features - 1, lambda a, b: f"{a.sizes('HP').mean():.1f}"),
    ]  # fmt: skip


def _on_permuted(pairs: Pairs, printed: Numbers) -> list[Claim]:
    def apart(arm: Arm, rule: str) -> float:
        return float(abs(_more(arm, "P", arm, rule).mean()))

    return [
        claim("10.1–10.3", "P is near CW with training accuracy (within 2 features)", pairs,
              lambda a, b: apart(a, "CW") <= 2, lambda a, b: _sizes(a, "P", "CW", "H2S")),
        claim("10.1–10.3", "P is near H or H2S with FS-CV (within 2 features)", pairs,
              lambda a, b: min(apart(b, "H"), apart(b, "H2S")) <= 2, lambda a, b: _sizes(b, "P", "H", "H2S", "CW"),
              printed=in_print(printed, SIZE, "P", "H", "H2S")),
        claim("section 10.3", "sometimes P is the reverse: more features with FS-CV than with FS-Train", pairs,
              lambda a, b: is_above(_more(b, "P", a, "P")),
              lambda a, b: f"{b.sizes('P').mean():.1f}, FS-Train {a.sizes('P').mean():.1f}", one_is_enough=True),
        claim("section 10.4", "P is the most unstable of all rules (variance of its number of features)", pairs,
              lambda a, b: _is_largest(_variance_of(b, *RULES), "P"), lambda a, b: _variances(b, *RULES),
              printed=in_print(printed, VARIANCE, *RULES)),
    ]  # fmt: skip


def _conclusion(pairs: Pairs) -> Claim:
    return claim(
        "conclusion",
        "H2S with FS-CV is the best compromise: no rule is as accurate and more stable (pairing)",
        pairs,
        lambda a, b: not _beaten(b),
        lambda a, b: f"{_beaten(b) or 'none'} (H2S {_both(b, 'H2S')})",
    )


def _both(arm: Arm, rule: str) -> str:
    return f"{arm.stop_tests(rule).mean():.3f}, {_at(arm, rule):.2f}"


def _beaten(arm: Arm) -> str:
    """Rules that are more stable than H2S, and not less accurate by more than two standard errors."""
    pairing = {rule: _at(arm, rule) for rule in RULES}
    found = []
    for rule in RULES:
        lost = arm.stop_tests("H2S") - arm.stop_tests(rule)
        if pairing[rule] > pairing["H2S"] + CLOSE and not is_above(lost):
            found.append(f"{rule} {_both(arm, rule)}")
    return ", ".join(found)
