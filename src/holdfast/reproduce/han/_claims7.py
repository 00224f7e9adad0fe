"""What chapter 7 says of the stability of weights and subsets, tested on real tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import Key, Printed
from holdfast.reproduce.han._found7 import Found, on_sets
from holdfast.reproduce.han._microarrays import EN_RELIEFF, IW_RELIEFF, LUNG, RELIEFF, RELIEFF_ARMS, SVM_ARMS
from holdfast.reproduce.han._prediction7 import on_prediction, on_time
from holdfast.reproduce.han._procedures import AUC_SIZES, COUNTS, CV_SIZES
from holdfast.reproduce.han._weighing import (
    CONTROL,
    ENSEMBLE,
    MEAN,
    PLAIN,
    SIGNATURE,
    WEIGHTED,
    Tested,
    clearly_less,
)

# A rise of the variance that is called steep, and a KI that is called perfect.
STEEP, ALMOST_PERFECT = 10, 0.95


def findings(found: Found, printed: Mapping[Key, Printed]) -> list[Tested]:
    """All claims, by figure or table."""
    if not found.sets:
        return []
    return [
        *_on_variance(found),
        *_on_ki(found),
        *_on_npogr(found),
        *_on_signatures(found, printed),
        *on_prediction(found, printed),
        *on_time(found),
    ]


def _on_variance(found: Found) -> list[Tested]:
    followed = (PLAIN, WEIGHTED, MEAN, CONTROL)

    def course(data: str) -> str:
        return found.listed(
            data,
            followed,
            lambda arm: f"{found.variance(data, arm)[0].value:.1e} to {found.variance(data, arm)[-1].value:.1e}",
        )

    return [
        on_sets(
            found,
            "7.1",
            f"the variance of the weights of {PLAIN} rises steeply from about 1,000 to about 10 features (over "
            f"{STEEP} times)",
            lambda data, arm: found.variance(data, arm)[-1].value > STEEP * found.variance(data, arm)[0].value,
            lambda data: f"{found.variance(data, PLAIN)[0].value:.1e} to {found.variance(data, PLAIN)[-1].value:.1e}",
            weighted=PLAIN,
        ),
        on_sets(
            found,
            "7.1",
            f"with weights it rises much more slowly (clearly less than for {PLAIN} with fewer than 200 features)",
            lambda data, arm: all(
                clearly_less(found.variance(data, arm)[at], found.variance(data, PLAIN)[at])
                for at, size in enumerate(sorted(found.crossed[data, PLAIN].variance, reverse=True))
                if size < 200
            ),
            course,
        ),
        on_sets(
            found,
            "7.1",
            "with weights it is lower from the first on, but for Leukemia",
            lambda data, arm: clearly_less(found.variance(data, arm)[0], found.variance(data, PLAIN)[0]),
            lambda data: found.listed(data, followed, lambda arm: f"{found.variance(data, arm)[0]:.2e}"),
            but=("Leukemia",),
        ),
        on_sets(
            found,
            "7.2",
            f"{IW_RELIEFF} has clearly less variance than {RELIEFF}, but for Prostate",
            lambda data, arm: clearly_less(found.variance(data, arm)[0], found.variance(data, RELIEFF)[0]),
            lambda data: found.listed(data, (RELIEFF, IW_RELIEFF), lambda arm: f"{found.variance(data, arm)[0]:.2e}"),
            but=("Prostate",),
            weighted=IW_RELIEFF,
        ),
    ]


def _on_ki(found: Found) -> list[Tested]:
    def ends(arms: Sequence[str]) -> Callable[[str], str]:
        return lambda data: found.listed(
            data,
            arms,
            lambda arm: f"{found.ki(data, arm, CV_SIZES[0]).value:.3f} to {found.ki(data, arm, CV_SIZES[-1]):.3f}",
        )

    def mean(data: str, arm: str) -> float:
        return float(np.mean([found.ki(data, arm, size).value for size in CV_SIZES]))

    in_words = f"KI, {CV_SIZES[0]} to {CV_SIZES[-1]} genes"
    return [
        on_sets(
            found,
            "7.3",
            f"{WEIGHTED} is clearly more stable than {PLAIN} and than its ensemble ({in_words})",
            lambda data, arm: all(
                clearly_less(found.ki(data, other, size), found.ki(data, arm, size))
                for other in (PLAIN, ENSEMBLE)
                for size in CV_SIZES
            ),
            ends(SVM_ARMS),
            has_leak_free=True,
        ),
        on_sets(
            found,
            "7.4",
            f"{RELIEFF} is more stable than {PLAIN} ({in_words})",
            lambda data, arm: all(
                found.ki(data, arm, size).value > found.ki(data, PLAIN, size).value for size in CV_SIZES
            ),
            ends((PLAIN, RELIEFF)),
            weighted=RELIEFF,
            has_leak_free=True,
        ),
        on_sets(
            found,
            "7.4",
            f"{IW_RELIEFF} is in general more stable than {RELIEFF} (mean over {in_words})",
            lambda data, arm: mean(data, arm) > mean(data, RELIEFF),
            lambda data: found.listed(data, RELIEFF_ARMS, lambda arm: f"{mean(data, arm):.3f}"),
            weighted=IW_RELIEFF,
            has_leak_free=True,
            in_general=True,
        ),
        on_sets(
            found,
            "7.4",
            f"{EN_RELIEFF} is less stable than {RELIEFF} (mean over {in_words})",
            lambda data, arm: mean(data, arm) < mean(data, RELIEFF),
            lambda data: found.listed(data, (RELIEFF, EN_RELIEFF), lambda arm: f"{mean(data, arm):.3f}"),
            weighted=EN_RELIEFF,
            has_leak_free=True,
        ),
        on_sets(
            found,
            "7.4",
            f"{IW_RELIEFF} is almost perfectly stable on Lung (KI over {ALMOST_PERFECT} for every size)",
            lambda data, arm: all(found.ki(data, arm, size).value > ALMOST_PERFECT for size in CV_SIZES),
            ends((IW_RELIEFF,)),
            among=(LUNG,),
            weighted=IW_RELIEFF,
            has_leak_free=True,
        ),
    ]


def _on_npogr(found: Found) -> list[Tested]:
    def of(data: str, arm: str, size: int) -> float:
        return found.repeated[data, arm].npogr[size]

    def some(arms: Sequence[str]) -> Callable[[str], str]:
        return lambda data: found.listed(
            data, arms, lambda arm: "/".join(f"{of(data, arm, size):.2f}" for size in told)
        )

    told = (AUC_SIZES[0], SIGNATURE, AUC_SIZES[-1])
    in_words = f"symmetric nPOGR, {AUC_SIZES[0]} to {AUC_SIZES[-1]} genes; numbers with {'/'.join(map(str, told))}"
    return [
        on_sets(
            found,
            "7.5",
            f"{WEIGHTED} is more stable than {PLAIN} and than its ensemble ({in_words})",
            lambda data, arm: all(
                of(data, arm, size) > max(of(data, PLAIN, size), of(data, ENSEMBLE, size)) for size in AUC_SIZES
            ),
            some(SVM_ARMS),
        ),
        on_sets(
            found,
            "section 7.3.1.3",
            f"{RELIEFF} is more stable than {PLAIN} by this measure too ({in_words})",
            lambda data, arm: all(of(data, arm, size) > of(data, PLAIN, size) for size in AUC_SIZES),
            some((PLAIN, RELIEFF)),
            weighted=RELIEFF,
        ),
        on_sets(
            found,
            "7.6",
            f"{IW_RELIEFF} is more stable than {RELIEFF} ({in_words})",
            lambda data, arm: all(of(data, arm, size) > of(data, RELIEFF, size) for size in AUC_SIZES),
            some(RELIEFF_ARMS),
            weighted=IW_RELIEFF,
        ),
        on_sets(
            found,
            "7.6",
            f"{IW_RELIEFF} is more stable than {EN_RELIEFF}, but for Prostate ({in_words})",
            lambda data, arm: all(of(data, arm, size) > of(data, EN_RELIEFF, size) for size in AUC_SIZES),
            some((EN_RELIEFF, IW_RELIEFF)),
            but=("Prostate",),
            weighted=IW_RELIEFF,
        ),
    ]


def _on_signatures(found: Found, printed: Mapping[Key, Printed]) -> list[Tested]:
    def counts(data: str, arm: str) -> Sequence[int]:
        return found.repeated[data, arm].counts

    def overlap(data: str, arm: str) -> float:
        return found.repeated[data, arm].overlap

    def fewer_and_more(data: str, arm: str, other: str) -> bool:
        one, two = counts(data, arm), counts(data, other)
        return one[0] < two[0] and one[1] > two[1] and one[2] > two[2]

    def told(data: str) -> str:
        return found.listed(data, SVM_ARMS, lambda arm: "/".join(map(str, counts(data, arm))))

    def filled(data: str) -> str:
        return found.listed(data, SVM_ARMS, lambda arm: f"{overlap(data, arm):.3f}")

    return [
        on_sets(
            found,
            "Table 7.6",
            "fewer different genes, more in over half and in over 85 % of the signatures",
            lambda data, arm: fewer_and_more(data, arm, PLAIN),
            told,
            has_leak_free=True,
            printed=_counts_in_print(printed, PLAIN, WEIGHTED),
        ),
        on_sets(
            found,
            "Table 7.6",
            f"{WEIGHTED} outperforms {ENSEMBLE} in the same, but for Leukemia",
            lambda data, arm: fewer_and_more(data, arm, ENSEMBLE),
            told,
            but=("Leukemia",),
            has_leak_free=True,
            printed=_counts_in_print(printed, ENSEMBLE, WEIGHTED),
        ),
        on_sets(
            found,
            "7.7, 7.8",
            f"{WEIGHTED} is nearer to the rectangle of perfect stability than {PLAIN}",
            lambda data, arm: overlap(data, arm) > overlap(data, PLAIN),
            filled,
            has_leak_free=True,
        ),
        on_sets(
            found,
            "7.7, 7.8",
            f"{WEIGHTED} is nearer to the rectangle than {ENSEMBLE}; on Leukemia the ensemble is a little ahead",
            lambda data, arm: overlap(data, arm) > overlap(data, ENSEMBLE),
            filled,
            but=("Leukemia",),
            has_leak_free=True,
        ),
        on_sets(
            found,
            "7.7",
            f"on Colon {WEIGHTED} has a shorter tail than {PLAIN} and {ENSEMBLE} (fewer genes in any signature)",
            lambda data, arm: counts(data, arm)[0] < min(counts(data, PLAIN)[0], counts(data, ENSEMBLE)[0]),
            told,
            among=("Colon",),
            printed=_counts_in_print(printed, PLAIN, ENSEMBLE, WEIGHTED, among=("Colon",)),
        ),
    ]


def _counts_in_print(printed: Mapping[Key, Printed], *arms: str, among: Sequence[str] | None = None) -> str:
    """Table 7.6 of some arms, on all tables or some."""
    names = among or dict.fromkeys(key.data for key in printed if key.table == "7.6")
    where = f"{SIGNATURE} genes"
    return "; ".join(
        f"{data} "
        + ", ".join(
            f"{arm} " + "/".join(f"{printed[Key('7.6', data, arm, where, count)].value:g}" for count in COUNTS)
            for arm in arms
        )
        for data in names
    )
