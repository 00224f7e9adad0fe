"""What chapter 3 says of its tables, counted over the tables in print and here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holdfast.reproduce.ben_brahim._ensembles import (
    ABSENT_IS_0,
    DP_RELIEF,
    ECA,
    FILTERS,
    FP,
    RULES,
    SETTINGS,
    UNSCALED,
    Outcome,
)
from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.plan import NOT_TESTED, Claim
from holdfast.reproduce.verdicts import as_in_print

MCE, STABILITY = "MCE", "stability"
SOURCE, LEVELS = "3.3.3", "3.2.3"
NO_E3 = "E3 is not rerun: how many features its lists have is not in print, only that the best of many numbers was kept"
NO_CREDIT = "E3 is not rerun, and the thesis names no source for this table"
# Rules whose stability is printed; WRA has errors only.
PRINTED_RULES = tuple(rule for rule in RULES if rule != "WRA")
DP = SETTINGS[:3]
SAME = 0.02
# The t-test does not work there in print.
UNSOUND = "Breast"

# By table, setting, method and quantity.
Values = Mapping[tuple[str, str, str, str], float]


def ours_of(results: Sequence[Outcome]) -> dict[tuple[str, str, str, str], float]:
    """Means over all sizes."""
    found = {}
    for one in results:
        found[one.data, one.setting, one.method, MCE] = one.mce
        if one.stability is not None:
            found[one.data, one.setting, one.method, STABILITY] = one.stability
    return found


def printed_of(printed: Mapping[Key, Printed]) -> dict[tuple[str, str, str, str], float]:
    """Means over all sizes: as printed, or of what the appendix prints by size."""
    found: dict[tuple[str, str, str, str], list[float]] = {}
    for key, one in printed.items():
        setting = key.setting.partition(", N = ")[0]
        found.setdefault((key.data, setting, key.method, key.quantity), []).append(one.value)
    return {key: float(np.mean(values)) for key, values in found.items()}


@dataclass(frozen=True)
class Counting:
    """Statements on single tables, counted here and in print."""

    ours: Values
    there: Values
    sets: Sequence[str]

    @property
    def sound(self) -> list[str]:
        """Tables on which every filter works in print."""
        return [data for data in self.sets if data != UNSOUND]

    def claim(
        self,
        text: str,
        test: Callable[[Values, str], bool],
        tell: Callable[[str], str],
        among: Sequence[str] | None = None,
    ) -> Claim:
        """It is about all tables if it is true of all in print, and else about most."""
        among = self.sets if among is None else among
        in_print = [test(self.there, data) for data in among]
        here = [test(self.ours, data) for data in among]
        evidence = f"{sum(here)} of {len(among)}: " + "; ".join(f"{data} {tell(data)}" for data in among)
        return Claim(SOURCE, text, as_in_print(here, in_print), evidence, f"{sum(in_print)} of {len(among)}")


def claims(results: Sequence[Outcome], printed: Mapping[Key, Printed]) -> list[Claim]:
    """Everything but what is said of Relief without scaling."""
    counting = _counting(results, printed)
    return [
        *_on_relief(counting, DP_RELIEF),
        *_on_other_settings(counting),
        *_on_settings(counting),
        *_on_errors(counting),
        *_on_levels(),
    ]


def doubts(results: Sequence[Outcome], printed: Mapping[Key, Printed]) -> list[Claim]:
    """What we suspect behind printed numbers, which the thesis does not say."""
    counting = _counting(results, printed)
    return [
        counting.claim(
            "FP: WRA has the error of Relief, within 0.01 (weights without a common scale, remark 8)",
            lambda values, data: abs(values[data, FP, "WRA", MCE] - values[data, FP, "Relief", MCE]) <= 0.01,
            lambda data: _listed(counting.ours, data, FP, ("WRA", "Relief"), MCE),
            counting.sound,
        )
    ]


def claims_unscaled(results: Sequence[Outcome], printed: Mapping[Key, Printed]) -> list[Claim]:
    """The claims on Relief, with values as they are."""
    return _on_relief(_counting(results, printed), UNSCALED)


def _counting(results: Sequence[Outcome], printed: Mapping[Key, Printed]) -> Counting:
    there = printed_of(printed)
    there |= {
        (data, UNSCALED, method, quantity): value
        for (data, setting, method, quantity), value in there.items()
        if setting == DP_RELIEF
    }
    return Counting(ours_of(results), there, list(dict.fromkeys(one.data for one in results)))


def _on_relief(counting: Counting, setting: str) -> list[Claim]:
    ours, others = counting.ours, SETTINGS[1:]
    return [
        counting.claim(
            f"{setting}: RAA or WMA is the most stable rule by more than {SAME}",
            lambda values, data: _leads(stabilities(values, data, setting), ("RAA", "WMA")),
            lambda data: _ranked(stabilities(ours, data, setting)),
        ),
        counting.claim(
            f"{setting}: RAA and WMA are more stable than Relief alone",
            lambda values, data: all(
                values[data, setting, rule, STABILITY] > values[data, setting, "Relief", STABILITY]
                for rule in ("RAA", "WMA")
            ),
            lambda data: _listed(ours, data, setting, ("Relief", "RAA", "WMA"), STABILITY),
        ),
        counting.claim(
            f"RAA and WMA are more stable with {setting} than in the other settings",
            lambda values, data: all(
                values[data, setting, rule, STABILITY] > max(values[data, other, rule, STABILITY] for other in others)
                for rule in ("RAA", "WMA")
            ),
            lambda data: "RAA " + ", ".join(f"{ours[data, each, 'RAA', STABILITY]:.2f}" for each in (setting, *others)),
        ),
    ]


def _on_other_settings(counting: Counting) -> list[Claim]:
    ours = counting.ours
    return [
        counting.claim(
            "DP-mRMR: OFA or CAA is the most stable rule",
            lambda values, data: _best(stabilities(values, data, "DP-mRMR")) in ("OFA", "CAA"),
            lambda data: _ranked(stabilities(ours, data, "DP-mRMR")),
        ),
        counting.claim(
            "DP-t-test: the t-test alone is more stable than every rule",
            lambda values, data: (
                values[data, "DP-t-test", "t-test", STABILITY] > max(stabilities(values, data, "DP-t-test").values())
            ),
            lambda data: (
                f"{ours[data, 'DP-t-test', 't-test', STABILITY]:.2f}, best rule "
                f"{max(stabilities(ours, data, 'DP-t-test').values()):.2f}"
            ),
            counting.sound,
        ),
        counting.claim(
            "FP: OFA is the most stable rule",
            lambda values, data: _best(stabilities(values, data, FP)) == "OFA",
            lambda data: _ranked(stabilities(ours, data, FP)),
            counting.sound,
        ),
        counting.claim(
            "FP: the t-test is the most stable filter, and no rule is more stable",
            lambda values, data: (
                values[data, FP, "t-test", STABILITY]
                >= max(
                    *(values[data, FP, name, STABILITY] for name in FILTERS), *stabilities(values, data, FP).values()
                )
            ),
            lambda data: _listed(ours, data, FP, tuple(FILTERS), STABILITY),
            counting.sound,
        ),
    ]


def _on_errors(counting: Counting) -> list[Claim]:
    ours = counting.ours
    return [
        *(_eca_leads(counting, setting) for setting in SETTINGS),
        counting.claim(
            "DP: ECA, mean over the three settings, has a lower error than every rule",
            lambda values, data: _over_dp(values, data, ECA) < min(_over_dp(values, data, rule) for rule in RULES),
            lambda data: (
                f"{_over_dp(ours, data, ECA):.3f}, best rule {min(_over_dp(ours, data, rule) for rule in RULES):.3f}"
            ),
            counting.sound,
        ),
        counting.claim(
            "DP: CAA has the highest error of all rules in at least two of three settings",
            lambda values, data: (
                sum(
                    values[data, setting, "CAA", MCE] >= max(values[data, setting, rule, MCE] for rule in PRINTED_RULES)
                    for setting in DP
                )
                >= 2
            ),
            lambda data: ", ".join(f"{ours[data, setting, 'CAA', MCE]:.3f}" for setting in DP),
        ),
    ]


def _eca_leads(counting: Counting, setting: str) -> Claim:
    def errors(values: Values, data: str) -> list[float]:
        return [values[data, setting, rule, MCE] for rule in RULES]

    return counting.claim(
        f"{setting}: ECA has the lowest error of ECA and all rules",
        lambda values, data: values[data, setting, ECA, MCE] <= min(errors(values, data)),
        lambda data: (
            f"{counting.ours[data, setting, ECA, MCE]:.3f}, rules {min(errors(counting.ours, data)):.3f} to "
            f"{max(errors(counting.ours, data)):.3f}"
        ),
        counting.sound if setting in ("DP-t-test", FP) else None,
    )


def _on_settings(counting: Counting) -> list[Claim]:
    """Statements on data perturbation, in all its settings together."""
    ours = counting.ours
    return [
        counting.claim(
            "the most stable rule of all is one of data perturbation (DP), not of algorithm perturbation (FP)",
            lambda values, data: _most_stable(values, data, DP) > _most_stable(values, data, (FP,)),
            lambda data: f"{_most_stable(ours, data, DP):.2f} and {_most_stable(ours, data, (FP,)):.2f}",
            counting.sound,
        ),
        counting.claim(
            "DP: CLA has a poor stability, less than half of that of every other rule (in brackets ours with rank 0 "
            "for absent features, remark 7)",
            lambda values, data: all(
                values[data, setting, "CLA", STABILITY]
                < min(value for rule, value in stabilities(values, data, setting).items() if rule != "CLA") / 2
                for setting in DP
            ),
            lambda data: ", ".join(
                f"{ours[data, setting, 'CLA', STABILITY]:.2f} ({ours[data, setting, ABSENT_IS_0, STABILITY]:.2f})"
                for setting in DP
            ),
            counting.sound,
        ),
    ]


def _on_levels() -> list[Claim]:
    """E3 (Tables 3.2 to 3.4), which joins lists (ESA) or classifiers (ECA)."""
    said = read_said("ben-brahim-3")

    def not_tested(data: str, text: str, why: str) -> Claim:
        printed = ", ".join(
            f"{what} {said[f'{data}: best {what}, F with the SVM']}" for what in ("filter", "ECA", "ESA")
        )
        return Claim(LEVELS, text, NOT_TESTED, why, f"best F with the SVM: {printed}")

    return [
        not_tested(
            "Credit", "Credit: no ensemble, of lists or of classifiers, is better than the best filter", NO_CREDIT
        ),
        *(
            not_tested(data, f"{data}: an ensemble of lists (ESA) is better than every filter and every ECA", NO_E3)
            for data in ("CNS", "Leukemia")
        ),
    ]


def _most_stable(values: Values, data: str, settings: Sequence[str]) -> float:
    return max(value for setting in settings for value in stabilities(values, data, setting).values())


def stabilities(values: Values, data: str, setting: str) -> dict[str, float]:
    """Stability of the rules that the thesis compares."""
    return {rule: values[data, setting, rule, STABILITY] for rule in PRINTED_RULES}


def _over_dp(values: Values, data: str, method: str) -> float:
    return float(np.mean([values[data, setting, method, MCE] for setting in DP]))


def _best(by_rule: Mapping[str, float]) -> str:
    return max(by_rule, key=lambda rule: by_rule[rule])


def _leads(by_rule: Mapping[str, float], rules: Sequence[str]) -> bool:
    rest = max(value for rule, value in by_rule.items() if rule not in rules)
    return max(by_rule[rule] for rule in rules) > rest + SAME


def _ranked(by_rule: Mapping[str, float]) -> str:
    first, second, *_, last = sorted(by_rule, key=lambda rule: -by_rule[rule])
    return f"{first} {by_rule[first]:.3f}, {second} {by_rule[second]:.3f} … {last} {by_rule[last]:.3f}"


def _listed(values: Values, data: str, setting: str, methods: Sequence[str], quantity: str) -> str:
    return ", ".join(f"{values[data, setting, method, quantity]:.3f}" for method in methods)
