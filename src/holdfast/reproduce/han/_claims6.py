"""What chapter 6 says of its figures, tested on drawn data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from holdfast.reproduce.han._synthetic import NEAREST_50, Round, Synthetic
from holdfast.reproduce.han._weighing import PLAIN, WEIGHTED, Tested, clearly_less, not_on_weights, on_weights

# Error of equal weights on all 1,000 features; on 48 of the 50 relevant ones it is 8.3e-7.
EQUAL_WEIGHTS = 1.9e-5
# KI of 48 features drawn from the 50 relevant ones is 0.958.
ALMOST_PERFECT = 0.94
# At most one sample in twenty is wrong.
ALMOST_RIGHT = 0.95
NEARLY_ONLY, HARDLY_ANY = 0.8, 0.1


def on_iterations(found: Synthetic) -> list[Tested]:
    """The claims of Figures 6.1 and 6.2."""
    arms = found.arms
    plain = arms[PLAIN]
    first, last = min(plain), max(plain)
    later = [at for at in plain if at > NEAREST_50]
    before = [at for at in plain if at < NEAREST_50]
    sooner = [at for at in plain if 0 < at <= NEAREST_50]
    near = {arm: rounds[NEAREST_50] for arm, rounds in arms.items()}

    def largest(arm: str, quantity: str) -> int:
        """Where an arm is ahead most."""
        return max(sooner, key=lambda at: getattr(arms[arm][at], quantity).value - getattr(plain[at], quantity).value)

    return [
        not_on_weights(
            "6.1",
            "error = bias + variance in every iteration",
            [
                all(
                    abs(one.error.value - one.bias.value - one.variance.value) <= 1e-9 * one.error.value
                    for rounds in arms.values()
                    for one in rounds.values()
                )
            ],
            "all arms",
        ),
        not_on_weights(
            "6.1",
            "the error is mostly bias at first and mostly variance at last, with and without weights",
            [_bias_share(arms[arm][first]) > 0.5 > _bias_share(arms[arm][last]) for arm in (PLAIN, WEIGHTED)],
            f"share of the bias, iterations {first} and {last}: "
            + _told(list(arms), lambda arm: _shares(arms[arm], first, last)),
        ),
        on_weights(
            "6.1",
            f"almost no error at iteration {NEAREST_50} (less than a fifth of that of SVM-RFE)",
            lambda arm: near[arm].error.value < 0.2 * near[PLAIN].error.value,
            lambda arm: f"{near[arm].error:.2e}",
            list(arms),
        ),
        on_weights(
            "6.1",
            f"nearly only bias in every iteration before {NEAREST_50} (share over {NEARLY_ONLY} in "
            f"{', '.join(map(str, before))})",
            lambda arm: all(_bias_share(arms[arm][at]) > NEARLY_ONLY for at in before),
            lambda arm: _shares(arms[arm], *before),
            list(arms),
        ),
        on_weights(
            "6.1",
            f"only variance in every iteration after {NEAREST_50} (share of the bias below {HARDLY_ANY} in "
            f"{', '.join(map(str, later))})",
            lambda arm: all(_bias_share(arms[arm][at]) < HARDLY_ANY for at in later),
            lambda arm: _shares(arms[arm], *later),
            list(arms),
        ),
        on_weights(
            "6.1",
            "clearly less bias and less variance near 50 features",
            lambda arm: (
                clearly_less(near[arm].bias, near[PLAIN].bias)
                and clearly_less(near[arm].variance, near[PLAIN].variance)
            ),
            lambda arm: f"bias {near[arm].bias:.2e}, variance {near[arm].variance:.2e}",
            list(arms),
        ),
        on_weights(
            "6.2",
            "clearly more stable as the size comes near 50",
            lambda arm: near[arm].ki.value > near[PLAIN].ki.value + 0.1,
            lambda arm: f"KI {near[arm].ki:.3f}",
            list(arms),
        ),
        not_on_weights(
            "6.2",
            "both far from stable at first, because chance is taken off",
            [arms[arm][min(sooner)].ki.value < 0.25 for arm in (PLAIN, WEIGHTED)],
            f"KI at iteration {min(sooner)}: " + _told(list(arms), lambda arm: f"{arms[arm][min(sooner)].ki:.3f}"),
        ),
        on_weights(
            "6.2",
            "more accurate, most where the gap in stability is large",
            lambda arm: (
                clearly_less(near[PLAIN].accuracy, near[arm].accuracy)
                and abs(largest(arm, "accuracy") - largest(arm, "ki")) <= 4
            ),
            lambda arm: (
                f"accuracy {near[arm].accuracy:.3f}"
                + ("" if arm == PLAIN else f", gap largest at {largest(arm, 'accuracy')} (KI: at {largest(arm, 'ki')})")
            ),
            list(arms),
        ),
    ]


def on_sizes(found: Mapping[int, Synthetic]) -> list[Tested]:
    """The claims of Figures 6.3 and 6.4."""
    by_size = sorted(found.items())
    arms = {arm: {n: one.arms[arm][NEAREST_50] for n, one in by_size} for arm in by_size[0][1].arms}
    plain = arms[PLAIN]
    course = f"n = {', '.join(map(str, plain))}"
    biases = {n: one.bias_itself(PLAIN, NEAREST_50) for n, one in by_size}
    return [
        not_on_weights(
            "6.3",
            "SVM-RFE: bias and variance fall steadily with n",
            [
                all(after < before for before, after in pairwise(biases.values())),
                all(after.variance.value < before.variance.value for before, after in pairwise(plain.values())),
            ],
            f"bias (less what the variance adds to it) and variance, {course}: "
            + "; ".join(f"{biases[n]:.1e}, {one.variance.value:.1e}" for n, one in plain.items()),
        ),
        on_weights(
            "6.3",
            "bias and variance near zero from n = 200 on (error less than a tenth of that of equal weights, 1.9e-5)",
            lambda arm: all(one.error.value < EQUAL_WEIGHTS / 10 for n, one in arms[arm].items() if n >= 200),
            lambda arm: f"error {course}: " + ", ".join(f"{one.error.value:.1e}" for one in arms[arm].values()),
            list(arms),
        ),
        not_on_weights(
            "6.4",
            "SVM-RFE: stability and accuracy grow steadily with n",
            [
                all(after.ki.value > before.ki.value for before, after in pairwise(plain.values())),
                all(after.accuracy.value > before.accuracy.value for before, after in pairwise(plain.values())),
            ],
            f"KI and accuracy, {course}: "
            + "; ".join(f"{one.ki.value:.3f}, {one.accuracy.value:.3f}" for one in plain.values()),
        ),
        on_weights(
            "6.4",
            f"almost perfectly stable from n = 200 on (KI over {ALMOST_PERFECT}; any 48 of the 50 relevant features "
            "have 0.958)",
            lambda arm: all(one.ki.value > ALMOST_PERFECT for n, one in arms[arm].items() if n >= 200),
            lambda arm: f"KI {course}: " + ", ".join(f"{one.ki.value:.3f}" for one in arms[arm].values()),
            list(arms),
        ),
        on_weights(
            "6.4",
            f"almost perfectly accurate from n = 200 on (over {ALMOST_RIGHT})",
            lambda arm: all(one.accuracy.value > ALMOST_RIGHT for n, one in arms[arm].items() if n >= 200),
            lambda arm: f"accuracy {course}: " + ", ".join(f"{one.accuracy.value:.3f}" for one in arms[arm].values()),
            list(arms),
        ),
        on_weights(
            "6.4",
            "clearly more stable with 200 samples than SVM-RFE with 1,000",
            lambda arm: clearly_less(plain[1000].ki, arms[arm][200].ki),
            lambda arm: (
                f"KI {arms[arm][200].ki:.3f} with 200" + (f"; {plain[1000].ki:.3f} with 1,000" if arm == PLAIN else "")
            ),
            list(arms),
        ),
        on_weights(
            "6.4",
            "clearly more accurate with 200 samples than SVM-RFE with 1,000",
            lambda arm: clearly_less(plain[1000].accuracy, arms[arm][200].accuracy),
            lambda arm: (
                f"accuracy {arms[arm][200].accuracy:.4f} with 200"
                + (f"; {plain[1000].accuracy:.4f} with 1,000" if arm == PLAIN else "")
            ),
            list(arms),
        ),
    ]


def _bias_share(one: Round) -> float:
    return one.bias.value / one.error.value


def _shares(rounds: Mapping[int, Round], *at: int) -> str:
    return ", ".join(f"{_bias_share(rounds[one]):.2f}" for one in at)


def _told(arms: Sequence[str], say: Callable[[str], str]) -> str:
    return "; ".join(f"{arm} {say(arm)}" for arm in arms)
