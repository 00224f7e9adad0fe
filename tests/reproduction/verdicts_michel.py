"""Claims of Michel 2018, and whether they hold here. The remarks A9 to A17 are of our specification, section 11."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from reproduction.michel import CLASSIFIED, CV, DT, DT_CV, MEASURED, RULES, TRAIN
from reproduction.runs_michel import MAXIMUM, PAIRING, Arm, Results
from reproduction.verdicts_hosseini import Verdict, of_parts

FULL, CLOSE = 0.995, 0.01
FIRST = 5


def claims(results: Results) -> list[Verdict]:
    """What chapters 4, 5, 10 and 11 say of figures, for the tables that are there."""
    wrapped = {name: (results[name, TRAIN], results[name, CV]) for name in CLASSIFIED if (name, CV) in results}
    filtered = {name: (results[name, DT], results[name, DT_CV]) for name in MEASURED if (name, DT_CV) in results}
    by_wrapper = [*_on_scores(wrapped), *_on_orders(wrapped), *_on_rules(wrapped)]
    by_filter = [*_on_filters(filtered), *_on_e4(filtered)]
    return [one for one in (*by_wrapper, *by_filter) if one.evidence]


Pairs = Mapping[str, tuple[Arm, Arm]]


def _claim(
    source: str, text: str, pairs: Pairs, test: Callable[[Arm, Arm], bool], tell: Callable[[Arm, Arm], str],
    among: Sequence[str] | None = None,
) -> Verdict:  # fmt: skip
    pairs = {name: pair for name, pair in pairs.items() if among is None or name in among}
    evidence = "; ".join(f"{name} {tell(*pair)}" for name, pair in pairs.items())
    return Verdict(source, text, of_parts({name: test(*pair) for name, pair in pairs.items()}), evidence)


def _is_early_and_long(arm: Arm, level: float) -> bool:
    """Whether a level is reached within few features and kept until the last fifth."""
    sizes = np.flatnonzero(arm.scores >= level) + 1
    is_whole = len(sizes) > 0 and len(sizes) == sizes[-1] - sizes[0] + 1
    return is_whole and bool(sizes[0] <= FIRST and sizes[-1] >= 0.8 * arm.n_features)


def _plateau(curve: np.ndarray, level: float) -> str:
    sizes = np.flatnonzero(curve >= level) + 1
    if len(sizes) == 0:
        return f"never, at most {curve.max():.3f}"
    least = curve[sizes[0] - 1 : sizes[-1]].min()
    return f"from {sizes[0]} to {sizes[-1]} features, not below {least:.3f} there"


def _mean(values: np.ndarray) -> tuple[float, float]:
    """Mean over repetitions and two standard errors."""
    return float(values.mean()), float(2 * values.std(ddof=1) / np.sqrt(len(values)))


def _said(values: np.ndarray, digits: int = 3) -> str:
    mean, error = _mean(values)
    return f"{mean:+.{digits}f} ± {error:.{digits}f}"


def _is_above(values: np.ndarray) -> bool:
    mean, error = _mean(values)
    return mean > error


def _gain(train: Arm, cv: Arm, size: int | None = None) -> np.ndarray:
    """How much better the test part is with the second, by repetition: at a size, or over all sizes."""
    difference = np.array([b.tests for b in cv.runs]) - np.array([a.tests for a in train.runs])
    return difference.mean(axis=1) if size is None else difference[:, size - 1]


def _rise(curve: np.ndarray) -> float:
    return float(curve[FIRST - 1] - curve[0])


def _on_scores(pairs: Pairs) -> list[Verdict]:
    others = [name for name in pairs if name != "Breast"]
    return [
        _claim("4.2–4.4", "FS-Train is at 100 % within five features and leaves it for the last fifth only", pairs,
               lambda a, b: _is_early_and_long(a, FULL),
               lambda a, b: f"{_plateau(a.scores, FULL)}, {a.scores[-1]:.3f} with all",
               others),
        _claim("4.2–4.4", "Breast: the same shape below 100 %", pairs,
               lambda a, b: a.scores.max() < FULL and _is_early_and_long(a, a.scores.max() - CLOSE),
               lambda a, b: f"{a.scores[0]:.3f}, at most {a.scores.max():.3f}, {a.scores[-1]:.3f} with all",
               ["Breast"]),
        _claim("4.2–4.4", "FS-CV starts lower", pairs, lambda a, b: b.scores[0] < a.scores[0],
               lambda a, b: f"{b.scores[0]:.3f}, FS-Train {a.scores[0]:.3f}"),
        _claim("4.2–4.4", "FS-CV rises to 90–95 %", pairs, lambda a, b: 0.895 <= b.scores.max() < 0.955,
               lambda a, b: f"{b.scores.max():.3f} with {b.scores.argmax() + 1}"),
        _claim("4.2–4.4", "then FS-CV falls slowly (no step by more than 0.02)", pairs,
               lambda a, b: b.scores[-1] < b.scores.max() and np.diff(b.scores).min() > -0.02,
               lambda a, b: f"{b.scores[-1]:.3f} with all, largest fall {-np.diff(b.scores).min():.3f}"),
        _claim("4.5–4.7", "test accuracy starts higher with FS-CV", pairs, lambda a, b: _is_above(_gain(a, b, 1)),
               lambda a, b: _said(_gain(a, b, 1))),
        _claim("4.5–4.7", "it rises faster with FS-Train, over the first five features", pairs,
               lambda a, b: _rise(a.tests) > _rise(b.tests),
               lambda a, b: f"by {_rise(a.tests):.3f}, FS-CV by {_rise(b.tests):.3f}"),
        _claim("4.5–4.7, conclusion", "FS-CV is better overall (test accuracy, mean over all sizes)", pairs,
               lambda a, b: _is_above(_gain(a, b)), lambda a, b: _said(_gain(a, b))),
    ]  # fmt: skip


def by_default(arm: Arm) -> float:
    """Share of steps that take the first feature of the table that is left, while more than one is."""
    shares = []
    for one in arm.runs:
        left = list(range(arm.n_features))
        for feature in one.order[:-1]:
            shares.append(feature == left[0])
            left.remove(feature)
    return float(np.mean(shares))


def _earliest(arm: Arm, n: int) -> set[int]:
    """Features that are most often among so many first ones."""
    counts = np.bincount([feature for one in arm.runs for feature in one.order[:n]], minlength=arm.n_features)
    return set(np.argsort(-counts, kind="stable")[:n].tolist())


def _shared(one: Arm, other: Arm, n: int) -> int:
    return len(_earliest(one, n) & _earliest(other, n))


def _middle(values: np.ndarray) -> float:
    """Median of the middle third of the sizes."""
    third = len(values) // 3
    return float(np.median(values[third : len(values) - third]))


def _on_orders(pairs: Pairs) -> list[Verdict]:
    def pairing(arm: Arm, share: float) -> float:
        return arm.read(PAIRING, max(1, round(share * arm.n_features)))

    def largest(arm: Arm) -> tuple[float, float]:
        return float(arm.stability[MAXIMUM][0]), _middle(arm.stability[MAXIMUM])

    return [
        _claim("4.8–4.16", "FS-Train takes features in the order of the table (more than half of the steps)", pairs,
               lambda a, b: by_default(a) > 0.5,
               lambda a, b: f"{by_default(a):.2f} of the steps, FS-CV {by_default(b):.2f}"),
        _claim("4.8–4.16", "FS-CV: few features first, then random (max of the first step twice that of the middle)",
               pairs, lambda a, b: largest(b)[0] > 2 * largest(b)[1],
               lambda a, b: "{:.2f}, {:.2f}".format(*largest(b))),
        _claim("4.8–4.16", "some features are common to both (of the five that come first most often)", pairs,
               lambda a, b: _shared(a, b, FIRST) > FIRST**2 / a.n_features,
               lambda a, b: f"{_shared(a, b, FIRST)} ({FIRST**2 / a.n_features:.1f} by chance)"),
        _claim("4.9–4.17", "FS-Train: pairing low, then rising with size", pairs,
               lambda a, b: pairing(a, 0.75) > a.read(PAIRING, 2) + 0.1,
               lambda a, b: f"{a.read(PAIRING, 2):.2f} with 2, {pairing(a, 0.75):.2f} with three quarters",
               ["Sonar", "Wine", "Parkinson"]),
        _claim("4.9–4.17", "FS-Train: Breast and Ionosphere stay low (pairing below 0.3)", pairs,
               lambda a, b: a.stability[PAIRING].max() < 0.3,
               lambda a, b: f"at most {a.stability[PAIRING].max():.2f}", ["Breast", "Ionosphere"]),
        _claim("4.9–4.17", "FS-CV: pairing high at first (best of three sizes), then half of it or less", pairs,
               lambda a, b: b.stability[PAIRING][:3].max() >= 2 * pairing(b, 0.5),
               lambda a, b: f"{b.stability[PAIRING][:3].max():.2f}, {pairing(b, 0.5):.2f} with half of the features"),
    ]  # fmt: skip


def _on_rules(pairs: Pairs) -> list[Verdict]:
    def sizes(arm: Arm, *rules: str) -> str:
        return ", ".join(f"{rule} {arm.sizes(rule).mean():.1f}" for rule in rules)

    def more(arm: Arm, rule: str, other: Arm, than: str) -> np.ndarray:
        return arm.sizes(rule) - other.sizes(than)

    def short(arm: Arm, rule: str) -> float:
        return float(arm.tests.max() - arm.stop_tests(rule).mean())

    def at(arm: Arm, rule: str) -> float:
        return arm.read(PAIRING, arm.kept(rule))

    def apart(arm: Arm, rule: str) -> float:
        return float(abs(more(arm, "P", arm, rule).mean()))

    return [
        _claim("10.1–10.3", "FS-CV: CW stops near the top of the curve (its score within 0.01)", pairs,
               lambda a, b: b.scores[b.kept("CW") - 1] > b.scores.max() - CLOSE,
               lambda a, b: f"{b.scores[b.kept('CW') - 1]:.3f} of {b.scores.max():.3f}"),
        _claim("10.1–10.3", "CW is less stable than H2S (pairing)", pairs, lambda a, b: at(b, "CW") < at(b, "H2S"),
               lambda a, b: f"{at(b, 'CW'):.2f}, H2S {at(b, 'H2S'):.2f}"),
        _claim("10.1–10.3", "CW keeps more with FS-Train than with FS-CV", pairs,
               lambda a, b: _is_above(more(a, "CW", b, "CW")), lambda a, b: _said(more(a, "CW", b, "CW"), 1)),
        _claim("10.1–10.3", "WM keeps as many as CW or a few more (up to 3)", pairs,
               lambda a, b: 0 <= more(b, "WM", b, "CW").mean() <= 3, lambda a, b: _said(more(b, "WM", b, "CW"), 1)),
        _claim("10.1–10.3", "H keeps few (up to 4) with both", pairs,
               lambda a, b: max(a.sizes("H").mean(), b.sizes("H").mean()) <= 4,
               lambda a, b: f"{b.sizes('H').mean():.1f}, FS-Train {a.sizes('H').mean():.1f}"),
        _claim("10.1–10.3", "H is below the best test accuracy (by more than 0.01)", pairs,
               lambda a, b: short(b, "H") > CLOSE, lambda a, b: f"by {short(b, 'H'):.3f}"),
        _claim("10.1–10.3", "H2S keeps more than H", pairs, lambda a, b: _is_above(more(b, "H2S", b, "H")),
               lambda a, b: _said(more(b, "H2S", b, "H"), 1)),
        _claim("10.1–10.3", "H2S: test accuracy near the maximum (within 0.01)", pairs,
               lambda a, b: short(b, "H2S") <= CLOSE, lambda a, b: f"below by {short(b, 'H2S'):.3f}"),
        _claim("10.1–10.3", "HP keeps all or nearly all, FS-CV", pairs,
               lambda a, b: b.sizes("HP").mean() >= b.n_features - 1, lambda a, b: f"{b.sizes('HP').mean():.1f}"),
        _claim("10.1–10.3", "HP keeps all or nearly all, FS-Train", pairs,
               lambda a, b: a.sizes("HP").mean() >= a.n_features - 1, lambda a, b: f"{a.sizes('HP').mean():.1f}"),
        _claim("10.1–10.3", "P is near CW with training accuracy (within 2 features)", pairs,
               lambda a, b: apart(a, "CW") <= 2, lambda a, b: sizes(a, "P", "CW", "H2S")),
        _claim("10.1–10.3", "P is near H or H2S with FS-CV (within 2 features)", pairs,
               lambda a, b: min(apart(b, "H"), apart(b, "H2S")) <= 2, lambda a, b: sizes(b, "P", "H", "H2S", "CW")),
        _claim("conclusion", "H2S with FS-CV is the best compromise: no rule is as accurate and more stable (pairing)",
               pairs, lambda a, b: not _beaten(b), lambda a, b: f"{_beaten(b) or 'none'} (H2S {_both(b, 'H2S')})"),
    ]  # fmt: skip


def _both(arm: Arm, rule: str) -> str:
    return f"{arm.stop_tests(rule).mean():.3f}, {arm.read(PAIRING, arm.kept(rule)):.2f}"


def _beaten(arm: Arm) -> str:
    """Rules that are more stable than H2S, and not less accurate by more than two standard errors."""
    pairing = {rule: arm.read(PAIRING, arm.kept(rule)) for rule in RULES}
    found = []
    for rule in RULES:
        lost = arm.stop_tests("H2S") - arm.stop_tests(rule)
        if pairing[rule] > pairing["H2S"] + CLOSE and not _is_above(lost):
            found.append(f"{rule} {_both(arm, rule)}")
    return ", ".join(found)


def _on_filters(pairs: Pairs) -> list[Verdict]:
    def noise(arm: Arm) -> str:
        """ϑ by that of one feature."""
        part = arm.scores / arm.scores[0]
        return f"1, least {part.min():.2f} with {part.argmin() + 1}, {part[-1]:.2f} with all"

    def falls_by(arm: Arm) -> float:
        """Share of the whole fall of ϑ that three features bring."""
        return float((arm.scores[2] - arm.scores[0]) / (arm.scores.max() - arm.scores[0]))

    def r2(arm: Arm) -> str:
        most = f"at most {arm.tests.max():.3f} with {arm.tests.argmax() + 1}"
        return f"{arm.tests[0]:.3f}, {most}, {arm.tests[-1]:.3f} with all"

    def ends(arm: Arm) -> tuple[float, float, float]:
        largest = arm.stability[MAXIMUM]
        return float(largest[0]), _middle(largest), float(largest[-1])

    def paired(a: Arm, b: Arm) -> float:
        return float((b.stability[PAIRING] - a.stability[PAIRING])[:-1].mean())

    return [
        _claim("5.1 (A9)", "ϑ of DT rises from the first feature on", pairs, lambda a, b: a.scores.argmax() == 0,
               lambda a, b: noise(a)),
        _claim("5.1", "ϑ of DT-CV starts high, falls, and flattens near three features (80 % of the fall)", pairs,
               lambda a, b: b.scores.argmax() > 0 and falls_by(b) >= 0.8,
               lambda a, b: f"{noise(b)}; {falls_by(b):.0%} of the fall with 3"),
        _claim("5.1", "Boston: ϑ of DT-CV rises again at the end", pairs,
               lambda a, b: b.scores[-1] < 1.05 * b.scores.max(), lambda a, b: noise(b), ["Boston"]),
        _claim("5.2", "test R² of DT starts low, rises, and falls at the end (by more than 0.01)", pairs,
               lambda a, b: a.tests.max() > max(a.tests[0], a.tests[-1]) + CLOSE, lambda a, b: r2(a)),
        _claim("5.2", "test R² of DT-CV starts higher than that of DT", pairs, lambda a, b: _is_above(_gain(a, b, 1)),
               lambda a, b: _said(_gain(a, b, 1))),
        _claim("5.2", "test R² of DT-CV is stable beyond two features (within 0.05); Boston falls at the end", pairs,
               lambda a, b: b.tests[-1] < b.tests.max() - CLOSE if b.name == "Boston" else np.ptp(b.tests[1:]) <= 0.05,
               lambda a, b: r2(b)),
        _claim("5.2, conclusion", "CV helps the filter, if less visibly (test R², mean over all sizes)", pairs,
               lambda a, b: _is_above(_gain(a, b)), lambda a, b: _said(_gain(a, b), 4)),
        _claim("5.3–5.6", "few features first and last, random in the middle (max of first, middle and last step)",
               pairs, lambda a, b: all(min(ends(one)[0], ends(one)[2]) > ends(one)[1] for one in (a, b)),
               lambda a, b: "DT {:.2f}, {:.2f}, {:.2f}, DT-CV {:.2f}, {:.2f}, {:.2f}".format(*ends(a), *ends(b))),
        _claim("5.3–5.6", "the three features that come first most often differ between DT and DT-CV", pairs,
               lambda a, b: _shared(a, b, 3) < 3, lambda a, b: f"{_shared(a, b, 3)} shared"),
        _claim("5.3–5.6", "max of DT falls to 0 (it cannot: at least one in d takes the most frequent feature)", pairs,
               lambda a, b: a.stability[MAXIMUM].min() < 0.01, lambda a, b: f"least {a.stability[MAXIMUM].min():.2f}"),
        _claim("5.3–5.6", "DT-CV stays above DT in stability (pairing, mean over sizes, by more than 0.01)", pairs,
               lambda a, b: paired(a, b) > CLOSE, lambda a, b: f"{paired(a, b):+.3f}"),
    ]  # fmt: skip


def _on_e4(pairs: Pairs) -> list[Verdict]:
    def keeps_all(arm: Arm, *readings: str) -> bool:
        return all(arm.sizes(one).mean() >= arm.n_features - 1 for one in readings)

    def told(arm: Arm, *readings: str) -> str:
        return f"of {arm.n_features}: " + ", ".join(f"{one} {arm.sizes(one).mean():.1f}" for one in readings)

    def reached(arm: Arm, rule: str) -> float:
        return float(arm.stop_tests(rule).mean())

    four = ("CW", "WM", "H2S", "HP")
    as_it_is = ("H2S, y as it is", "HP, y as it is")
    return [
        _claim("11.1–11.6 (A17)", "CW, WM, H2S and HP keep all features", pairs, lambda a, b: keeps_all(b, *four),
               lambda a, b: told(b, *four)),
        _claim("11.1–11.6 (A16)", "H2S and HP keep all features with δ = 0.05 if y is not brought to 0 … 1", pairs,
               lambda a, b: keeps_all(b, *as_it_is), lambda a, b: told(b, *as_it_is)),
        _claim("11.1–11.6 (A17)", "H keeps fewer than all", pairs, lambda a, b: not keeps_all(b, "H"),
               lambda a, b: told(b, "H", "H, δ = 0.05", "H, y as it is")),
        _claim("11.1–11.6 (A17)", "P keeps exactly one feature", pairs,
               lambda a, b: bool((b.sizes("P", 1) == 1).all()), lambda a, b: told(b, "P")),
        _claim("11.1–11.6 (A17)", "P keeps exactly one feature (at least one) if larger ϑ counts as better", pairs,
               lambda a, b: bool((b.sizes("P, mirrored", 1) == 1).all()), lambda a, b: told(b, "P, mirrored")),
        _claim("11, conclusion", "no rule suits the filter: each is 0.01 or more below the best test R²", pairs,
               lambda a, b: all(reached(b, rule) < b.tests.max() - CLOSE for rule in RULES),
               lambda a, b: f"{b.tests.max():.3f}; " + ", ".join(f"{rule} {reached(b, rule):.3f}" for rule in RULES)),
    ]  # fmt: skip
