"""What chapter 7 says of its figures and tables, tested on real tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holdfast.reproduce.han._microarrays import EN_RELIEFF, IW_RELIEFF, LUNG, RELIEFF, RELIEFF_ARMS, SVM_ARMS
from holdfast.reproduce.han._procedures import AUC_SIZES, CLASSIFIERS, CV_SIZES, Crossed, Repeated
from holdfast.reproduce.han._weighing import (
    CONTROL,
    ENSEMBLE,
    MEAN,
    PLAIN,
    SIGNATURE,
    WEIGHTED,
    Tested,
    Value,
    clearly_less,
    mean_of,
)
from holdfast.reproduce.plan import FAILS, HOLDS, IN_PART, Claim

# A rise of the variance that is called steep, a share of cells that is called most, and a KI that is called perfect.
STEEP, MOST, ALMOST_PERFECT = 10, 0.9, 0.95
# An ensemble of 20 that takes about 20 times as long, and weights that take hardly longer.
ABOUT_20, HARDLY = (10, 40), 2


@dataclass(frozen=True)
class Found:
    """Both procedures by table and arm, and the tables of which there is everything."""

    repeated: Mapping[tuple[str, str], Repeated]
    crossed: Mapping[tuple[str, str], Crossed]
    sets: Sequence[str]

    def ki(self, data: str, arm: str, size: int) -> Value:
        """KI of procedure A, mean over the runs."""
        return mean_of(self.crossed[data, arm].ki[size])

    def variance(self, data: str, arm: str) -> list[Value]:
        """Average variances of the weights, from many features to few."""
        return [mean_of(values) for _, values in sorted(self.crossed[data, arm].variance.items(), reverse=True)]


def findings(found: Found) -> list[Tested]:
    """All claims, by figure or table."""
    if not found.sets:
        return []
    return [*_on_variance(found), *_on_ki(found), *_on_npogr(found), *_on_signatures(found), *_on_prediction(found)]


def _on_sets(
    source: str,
    text: str,
    sets: Sequence[str],
    test: Callable[[str, str], bool],
    say: Callable[[str], str],
    *,
    weighted: str = WEIGHTED,
) -> Tested:
    """A claim on every table, which holds in part if it holds on some; on IW SVM-RFE it is tested for all arms."""
    holds = {data: test(data, weighted) for data in sets}
    verdict = HOLDS if all(holds.values()) else IN_PART if any(holds.values()) else FAILS
    evidence = "; ".join(f"{data}{'' if holds[data] else ' (not so)'} {say(data)}" for data in sets)
    cases = [{arm: test(data, arm) for arm in (WEIGHTED, MEAN, CONTROL)} for data in sets if weighted == WEIGHTED]
    if cases:
        n_both = sum(case[CONTROL] and case[WEIGHTED] for case in cases)
        evidence += f". For {CONTROL} too on {n_both} of these {sum(holds.values())}" if any(holds.values()) else ""
    return Tested(Claim(source, text, verdict, evidence), cases)


def _listed(arms: Sequence[str], say: Callable[[str], str]) -> str:
    return ", ".join(f"{arm} {say(arm)}" for arm in arms)


def _on_variance(found: Found) -> list[Tested]:
    followed = (PLAIN, WEIGHTED, MEAN, CONTROL)

    def course(data: str) -> str:
        return _listed(
            followed,
            lambda arm: f"{found.variance(data, arm)[0].value:.1e} to {found.variance(data, arm)[-1].value:.1e}",
        )

    return [
        _on_sets(
            "7.1",
            f"the variance of the weights of {PLAIN} rises steeply from about 1,000 to about 10 features (over "
            f"{STEEP} times)",
            found.sets,
            lambda data, arm: found.variance(data, arm)[-1].value > STEEP * found.variance(data, arm)[0].value,
            lambda data: f"{found.variance(data, PLAIN)[0].value:.1e} to {found.variance(data, PLAIN)[-1].value:.1e}",
            weighted=PLAIN,
        ),
        _on_sets(
            "7.1",
            f"with weights it rises much more slowly (clearly less than for {PLAIN} with fewer than 200 features)",
            found.sets,
            lambda data, arm: all(
                clearly_less(found.variance(data, arm)[at], found.variance(data, PLAIN)[at])
                for at, size in enumerate(sorted(found.crossed[data, PLAIN].variance, reverse=True))
                if size < 200
            ),
            course,
        ),
        _on_sets(
            "7.1",
            "with weights it is lower from the first on, but for Leukemia",
            [data for data in found.sets if data != "Leukemia"] or found.sets,
            lambda data, arm: clearly_less(found.variance(data, arm)[0], found.variance(data, PLAIN)[0]),
            lambda data: _listed(followed, lambda arm: f"{found.variance(data, arm)[0]:.2e}"),
        ),
        _on_sets(
            "7.2",
            f"{IW_RELIEFF} has clearly less variance than {RELIEFF}, but for Prostate",
            [data for data in found.sets if data != "Prostate"] or found.sets,
            lambda data, arm: clearly_less(found.variance(data, arm)[0], found.variance(data, RELIEFF)[0]),
            lambda data: _listed((RELIEFF, IW_RELIEFF), lambda arm: f"{found.variance(data, arm)[0]:.2e}"),
            weighted=IW_RELIEFF,
        ),
    ]


def _on_ki(found: Found) -> list[Tested]:
    def ends(arms: Sequence[str]) -> Callable[[str], str]:
        return lambda data: _listed(
            arms, lambda arm: f"{found.ki(data, arm, CV_SIZES[0]).value:.3f} to {found.ki(data, arm, CV_SIZES[-1]):.3f}"
        )

    def mean(data: str, arm: str) -> float:
        return float(np.mean([found.ki(data, arm, size).value for size in CV_SIZES]))

    in_words = f"KI, {CV_SIZES[0]} to {CV_SIZES[-1]} genes"
    return [
        _on_sets(
            "7.3",
            f"{WEIGHTED} is clearly more stable than {PLAIN} and than its ensemble ({in_words})",
            found.sets,
            lambda data, arm: all(
                clearly_less(found.ki(data, other, size), found.ki(data, arm, size))
                for other in (PLAIN, ENSEMBLE)
                for size in CV_SIZES
            ),
            ends(SVM_ARMS),
        ),
        _on_sets(
            "7.4",
            f"{RELIEFF} is more stable than {PLAIN} ({in_words})",
            found.sets,
            lambda data, arm: all(
                found.ki(data, arm, size).value > found.ki(data, PLAIN, size).value for size in CV_SIZES
            ),
            ends((PLAIN, RELIEFF)),
            weighted=RELIEFF,
        ),
        _on_sets(
            "7.4",
            f"{IW_RELIEFF} is in general more stable than {RELIEFF} (mean over {in_words})",
            found.sets,
            lambda data, arm: mean(data, arm) > mean(data, RELIEFF),
            lambda data: _listed(RELIEFF_ARMS, lambda arm: f"{mean(data, arm):.3f}"),
            weighted=IW_RELIEFF,
        ),
        _on_sets(
            "7.4",
            f"{EN_RELIEFF} is less stable than {RELIEFF} (mean over {in_words})",
            found.sets,
            lambda data, arm: mean(data, arm) < mean(data, RELIEFF),
            lambda data: _listed((RELIEFF, EN_RELIEFF), lambda arm: f"{mean(data, arm):.3f}"),
            weighted=EN_RELIEFF,
        ),
        *(
            [
                _on_sets(
                    "7.4",
                    f"{IW_RELIEFF} is almost perfectly stable on Lung (KI over {ALMOST_PERFECT} for every size)",
                    [LUNG],
                    lambda data, arm: all(found.ki(data, arm, size).value > ALMOST_PERFECT for size in CV_SIZES),
                    ends((IW_RELIEFF,)),
                    weighted=IW_RELIEFF,
                )
            ]
            if LUNG in found.sets
            else []
        ),
    ]


def _on_npogr(found: Found) -> list[Tested]:
    def of(data: str, arm: str, size: int) -> float:
        return found.repeated[data, arm].npogr[size]

    def some(arms: Sequence[str]) -> Callable[[str], str]:
        return lambda data: _listed(arms, lambda arm: "/".join(f"{of(data, arm, size):.2f}" for size in told))

    told = (AUC_SIZES[0], SIGNATURE, AUC_SIZES[-1])
    in_words = f"symmetric nPOGR, {AUC_SIZES[0]} to {AUC_SIZES[-1]} genes; numbers with {'/'.join(map(str, told))}"
    return [
        _on_sets(
            "7.5",
            f"{WEIGHTED} is more stable than {PLAIN} and than its ensemble ({in_words})",
            found.sets,
            lambda data, arm: all(
                of(data, arm, size) > max(of(data, PLAIN, size), of(data, ENSEMBLE, size)) for size in AUC_SIZES
            ),
            some(SVM_ARMS),
        ),
        _on_sets(
            "7.6",
            f"{IW_RELIEFF} is more stable than {RELIEFF} ({in_words})",
            found.sets,
            lambda data, arm: all(of(data, arm, size) > of(data, RELIEFF, size) for size in AUC_SIZES),
            some(RELIEFF_ARMS),
            weighted=IW_RELIEFF,
        ),
        _on_sets(
            "7.6",
            f"{IW_RELIEFF} is more stable than {EN_RELIEFF}, but for Prostate ({in_words})",
            [data for data in found.sets if data != "Prostate"] or found.sets,
            lambda data, arm: all(of(data, arm, size) > of(data, EN_RELIEFF, size) for size in AUC_SIZES),
            some((EN_RELIEFF, IW_RELIEFF)),
            weighted=IW_RELIEFF,
        ),
    ]


def _on_signatures(found: Found) -> list[Tested]:
    def counts(data: str, arm: str) -> Sequence[int]:
        return found.repeated[data, arm].counts

    return [
        _on_sets(
            "Table 7.6",
            "fewer different genes, more in over half and in over 85 % of the signatures",
            found.sets,
            lambda data, arm: (
                counts(data, arm)[0] < counts(data, PLAIN)[0]
                and counts(data, arm)[1] > counts(data, PLAIN)[1]
                and counts(data, arm)[2] > counts(data, PLAIN)[2]
            ),
            lambda data: _listed(SVM_ARMS, lambda arm: "/".join(map(str, counts(data, arm)))),
        ),
        _on_sets(
            "7.7, 7.8",
            f"{WEIGHTED} is nearest to the rectangle of perfect stability; on Leukemia the ensemble is a little ahead",
            found.sets,
            lambda data, arm: (
                found.repeated[data, arm].overlap > found.repeated[data, PLAIN].overlap
                and (found.repeated[data, arm].overlap > found.repeated[data, ENSEMBLE].overlap) == (data != "Leukemia")
            ),
            lambda data: _listed(SVM_ARMS, lambda arm: f"{found.repeated[data, arm].overlap:.3f}"),
        ),
    ]


def _on_prediction(found: Found) -> list[Tested]:
    claims = []
    for source, arms, sizes, what in (
        ("Table 7.2", SVM_ARMS[:3], CV_SIZES, "accuracy"),
        ("Table 7.3", RELIEFF_ARMS[:3], CV_SIZES, "accuracy"),
        ("Table 7.4", SVM_ARMS[:3], AUC_SIZES, "AUC"),
        ("Table 7.5", RELIEFF_ARMS[:3], AUC_SIZES, "AUC"),
    ):
        near = [
            _is_near(found, what, data, arm, arms[0], (classifier, size))
            for data in found.sets
            for arm in arms[1:]
            for classifier in CLASSIFIERS
            for size in sizes
        ]
        claims.append(
            Tested(
                Claim(
                    source,
                    f"the three versions have practically the same {what} (within the larger standard deviation, apart "
                    "from a few cases)",
                    HOLDS if sum(near) >= MOST * len(near) else FAILS,
                    f"{sum(near)} of {len(near)} cells are that near to {arms[0]}",
                )
            )
        )
    for family in (SVM_ARMS, RELIEFF_ARMS):
        plain, ensemble, weighted = family[:3]
        ratios = {
            arm: [found.repeated[data, arm].seconds / found.repeated[data, plain].seconds for data in found.sets]
            for arm in (ensemble, weighted)
        }
        is_20 = all(ABOUT_20[0] <= ratio <= ABOUT_20[1] for ratio in ratios[ensemble])
        is_quick = all(ratio < HARDLY for ratio in ratios[weighted])
        claims.append(
            Tested(
                Claim(
                    "7.9",
                    f"{ensemble} takes about 20 times as long as {plain} ({ABOUT_20[0]} to {ABOUT_20[1]}), {weighted} "
                    f"hardly longer (less than {HARDLY} times)",
                    HOLDS if is_20 and is_quick else IN_PART if is_20 or is_quick else FAILS,
                    f"on {', '.join(found.sets)}: "
                    + "; ".join(f"{arm} {', '.join(f'{ratio:.1f}' for ratio in some)}" for arm, some in ratios.items()),
                )
            )
        )
    return claims


def _is_near(found: Found, what: str, data: str, arm: str, plain: str, where: tuple[str, int]) -> bool:
    one, other = (
        found.crossed[data, name].accuracy[where] if what == "accuracy" else found.repeated[data, name].auc[where]
        for name in (arm, plain)
    )
    return bool(abs(one.mean() - other.mean()) <= max(one.std(ddof=1), other.std(ddof=1)))
