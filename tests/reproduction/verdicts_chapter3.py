"""Printed numbers of Ben Brahim 2015, chapter 3, ours beside them, and the claims that can be tested in direction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reproduction.chapter3 import ABSENT_IS_0, FILTERS, RULES, UNSCALED, Result
from reproduction.printed import NOT_PRINTED, Printed, judge, noise, read_numbers

PRINTED = Path(__file__).with_name("printed_chapter3.csv")
COLUMNS = ("data", "setting", "method", "quantity")
SETTINGS = ("DP-Relief", "DP-mRMR", "DP-t-test", "FP")
# Rules whose stability is printed; WRA has errors only.
PRINTED_RULES = tuple(rule for rule in RULES if rule != "WRA")
SAME, NEAR, STAND_IN = 0.02, 0.1, "other genes"

Key = tuple[str, ...]
Values = Mapping[Key, float]


@dataclass(frozen=True)
class Cell:
    """A number of ours beside the printed one."""

    data: str
    setting: str
    method: str
    quantity: str
    printed: Printed | None
    ours: float
    verdict: str


@dataclass(frozen=True)
class Counted:
    """A claim, on how many tables it holds in print and here, and our numbers."""

    text: str
    in_print: str
    here: str
    is_held: bool
    evidence: str


def read_printed() -> dict[Key, Printed]:
    """Means over N = 10 … 100 by table, setting, method and quantity."""
    return read_numbers(PRINTED, COLUMNS)


def values_of(results: Sequence[Result]) -> dict[Key, float]:
    """Our numbers under the keys of the printed ones."""
    found = {}
    for one in results:
        found[one.data, one.setting, one.method, "MCE"] = one.mce
        if one.subsets:
            found[one.data, one.setting, one.method, "stability"] = one.stability
    return found


def beside(results: Sequence[Result], printed: Mapping[Key, Printed]) -> list[Cell]:
    """Every number of ours with its verdict; without scaling it stands beside the same printed ones."""
    cells = []
    for one in results:
        setting = "DP-Relief" if one.setting == UNSCALED else one.setting
        for quantity, ours in (("MCE", one.mce), ("stability", one.stability)):
            if np.isnan(ours):
                continue
            there = printed.get((one.data, setting, one.method.removesuffix(", absent 0"), quantity))
            verdict = NOT_PRINTED
            if there is not None:
                tolerance = noise(ours, there.value, one.n_samples) if quantity == "MCE" else NEAR
                verdict = judge(there, ours - there.value, tolerance, smaller_is_better=quantity == "MCE")
                verdict = f"{STAND_IN}: {verdict}" if one.data == "Bladder" else verdict
            cells.append(Cell(one.data, one.setting, one.method, quantity, there, ours, verdict))
    return cells


def claims(results: Sequence[Result], printed: Mapping[Key, Printed]) -> list[Counted]:
    """What the thesis concludes, counted over tables in print and here."""
    ours = values_of(results)
    there = {key: one.value for key, one in printed.items()}
    there |= {
        (data, UNSCALED, *rest): value for (data, setting, *rest), value in there.items() if setting == "DP-Relief"
    }
    sets = list(dict.fromkeys(one.data for one in results))

    def counted(text: str, test: Callable[[Values, str], bool], tell: Callable[[str], str], among=sets) -> Counted:
        in_print = [test(there, data) for data in among]
        here = [test(ours, data) for data in among]
        return Counted(
            text,
            f"{sum(in_print)} of {len(among)}",
            f"{sum(here)} of {len(among)}",
            2 * sum(here) > len(among),
            "; ".join(f"{data} {tell(data)}" for data in among),
        )

    # The t-test does not work on Breast in print (audit, remark 6).
    sound = [data for data in sets if data != "Breast"]
    return [
        *_claims_on_relief(counted, ours),
        *_claims_on_other_settings(counted, ours, sound),
        *_claims_on_errors(counted, ours, sets, sound),
        *_claims_on_doubts(counted, ours, sound),
    ]


def _claims_on_relief(counted, ours: Values) -> list[Counted]:
    found = []
    for setting in ("DP-Relief", UNSCALED):
        found += [
            counted(
                f"{setting}: RAA or WMA is the most stable rule by more than {SAME}",
                lambda values, data, setting=setting: _leads(stabilities(values, data, setting), ("RAA", "WMA")),
                lambda data, setting=setting: _ranked(stabilities(ours, data, setting)),
            ),
            counted(
                f"{setting}: RAA and WMA are more stable than Relief alone",
                lambda values, data, setting=setting: all(
                    values[data, setting, rule, "stability"] > values[data, setting, "Relief", "stability"]
                    for rule in ("RAA", "WMA")
                ),
                lambda data, setting=setting: _listed(ours, data, setting, ("Relief", "RAA", "WMA"), "stability"),
            ),
            counted(
                f"RAA and WMA are more stable with {setting} than in the other settings",
                lambda values, data, setting=setting: all(
                    values[data, setting, rule, "stability"]
                    > max(values[data, other, rule, "stability"] for other in SETTINGS[1:])
                    for rule in ("RAA", "WMA")
                ),
                lambda data, setting=setting: (
                    "RAA "
                    + ", ".join(f"{ours[data, each, 'RAA', 'stability']:.2f}" for each in (setting, *SETTINGS[1:]))
                ),
            ),
        ]
    return found


def _claims_on_other_settings(counted, ours: Values, sound: Sequence[str]) -> list[Counted]:
    return [
        counted(
            "DP-mRMR: OFA or CAA is the most stable rule",
            lambda values, data: _best(stabilities(values, data, "DP-mRMR")) in ("OFA", "CAA"),
            lambda data: _ranked(stabilities(ours, data, "DP-mRMR")),
        ),
        counted(
            "DP-t-test: the t-test alone is more stable than every rule",
            lambda values, data: (
                values[data, "DP-t-test", "t-test", "stability"] > max(stabilities(values, data, "DP-t-test").values())
            ),
            lambda data: (
                f"{ours[data, 'DP-t-test', 't-test', 'stability']:.2f}, best rule "
                f"{max(stabilities(ours, data, 'DP-t-test').values()):.2f}"
            ),
            sound,
        ),
        counted(
            "FP: OFA is the most stable rule",
            lambda values, data: _best(stabilities(values, data, "FP")) == "OFA",
            lambda data: _ranked(stabilities(ours, data, "FP")),
            sound,
        ),
        counted(
            "FP: the t-test is the most stable filter, and no rule is more stable",
            lambda values, data: (
                values[data, "FP", "t-test", "stability"]
                >= max(
                    *(values[data, "FP", name, "stability"] for name in FILTERS),
                    *stabilities(values, data, "FP").values(),
                )
            ),
            lambda data: _listed(ours, data, "FP", tuple(FILTERS), "stability"),
            sound,
        ),
    ]


def _claims_on_errors(counted, ours: Values, sets: Sequence[str], sound: Sequence[str]) -> list[Counted]:
    def errors(values: Values, data: str, setting: str) -> dict[str, float]:
        return {method: values[data, setting, method, "MCE"] for method in ("ECA", *RULES)}

    found = []
    for setting in SETTINGS:
        among = sound if setting in ("DP-t-test", "FP") else sets
        found.append(
            counted(
                f"{setting}: ECA has the lowest error of ECA and all rules",
                lambda values, data, setting=setting: (
                    errors(values, data, setting)["ECA"] <= min(errors(values, data, setting).values())
                ),
                lambda data, setting=setting: (
                    f"{ours[data, setting, 'ECA', 'MCE']:.3f}, rules "
                    f"{min(ours[data, setting, rule, 'MCE'] for rule in RULES):.3f} to "
                    f"{max(ours[data, setting, rule, 'MCE'] for rule in RULES):.3f}"
                ),
                among,
            )
        )
    found.append(
        counted(
            "DP: ECA, mean over the three settings, has a lower error than every rule",
            lambda values, data: (
                _over_settings(values, data, "ECA") < min(_over_settings(values, data, r) for r in RULES)
            ),
            lambda data: (
                f"{_over_settings(ours, data, 'ECA'):.3f}, best rule "
                f"{min(_over_settings(ours, data, rule) for rule in RULES):.3f}"
            ),
            sound,
        )
    )
    found.append(
        counted(
            "DP: CAA has the highest error of all rules in at least two of three settings",
            lambda values, data: (
                sum(
                    values[data, setting, "CAA", "MCE"]
                    >= max(values[data, setting, rule, "MCE"] for rule in PRINTED_RULES)
                    for setting in SETTINGS[:3]
                )
                >= 2
            ),
            lambda data: ", ".join(f"{ours[data, setting, 'CAA', 'MCE']:.3f}" for setting in SETTINGS[:3]),
        )
    )
    return found


def _claims_on_doubts(counted, ours: Values, sound: Sequence[str]) -> list[Counted]:
    def cla(values: Values, data: str, setting: str) -> float:
        return values[data, setting, "CLA", "stability"]

    def told(data: str) -> str:
        return ", ".join(
            f"{cla(ours, data, setting):.2f} ({ours[data, setting, ABSENT_IS_0, 'stability']:.2f})"
            for setting in SETTINGS[:3]
        )

    return [
        counted(
            "DP: CLA is by far the least stable rule (in brackets ours with rank 0 for absent features, remark 7)",
            lambda values, data: all(
                cla(values, data, setting)
                < min(v for k, v in stabilities(values, data, setting).items() if k != "CLA") / 2
                for setting in SETTINGS[:3]
            ),
            told,
            sound,
        ),
        counted(
            "FP: WRA has the error of Relief, within 0.01 (weights without a common scale, remark 8)",
            lambda values, data: abs(values[data, "FP", "WRA", "MCE"] - values[data, "FP", "Relief", "MCE"]) <= 0.01,
            lambda data: _listed(ours, data, "FP", ("WRA", "Relief"), "MCE"),
            sound,
        ),
    ]


def stabilities(values: Values, data: str, setting: str) -> dict[str, float]:
    """Stability of the rules that the thesis compares."""
    return {rule: values[data, setting, rule, "stability"] for rule in PRINTED_RULES}


def _over_settings(values: Values, data: str, method: str) -> float:
    return float(np.mean([values[data, setting, method, "MCE"] for setting in SETTINGS[:3]]))


def _best(by_rule: Mapping[str, float]) -> str:
    return max(by_rule, key=lambda rule: by_rule[rule])


def _leads(by_rule: Mapping[str, float], rules: Sequence[str]) -> bool:
    rest = max(value for rule, value in by_rule.items() if rule not in rules)
    return max(by_rule[rule] for rule in rules) > rest + SAME


def _ranked(by_rule: Mapping[str, float]) -> str:
    order = sorted(by_rule, key=lambda rule: -by_rule[rule])
    return (
        f"{order[0]} {by_rule[order[0]]:.3f}, {order[1]} {by_rule[order[1]]:.3f} … {order[-1]} {by_rule[order[-1]]:.3f}"
    )


def _listed(values: Values, data: str, setting: str, methods: Sequence[str], quantity: str) -> str:
    return ", ".join(f"{values[data, setting, method, quantity]:.3f}" for method in methods)
