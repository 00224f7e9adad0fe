"""What chapter 4 says in words, and whether it holds: the tables of data and of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from holdfast.reproduce.cells import Key, Printed, read_said
from holdfast.reproduce.hosseini._cells4 import LAST_OF_DCOR, LAST_OF_TWO, METHOD, SCREENING
from holdfast.reproduce.hosseini._claims_figures import on_figures
from holdfast.reproduce.hosseini._claims_literature import on_literature
from holdfast.reproduce.hosseini._classifiers import CLASSIFIERS
from holdfast.reproduce.hosseini._fixed import ALL
from holdfast.reproduce.hosseini._results import STEPS, Results, Run, best_of
from holdfast.reproduce.hosseini._tables import HOLD_OUT, LEAVE_ONE_OUT, PER_SET
from holdfast.reproduce.hosseini._verdicts import fastest, listed, not_the_prints, on_tables
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all

Numbers = Mapping[Key, Printed]
Said = Mapping[str, float]


def claims(found: Results, printed: Numbers) -> list[Claim]:
    """All of them; those without data are not tested."""
    said = read_said("hosseini-4")
    return [
        _on_skew(printed),
        _on_screening(found, printed, said),
        *_on_redundancy(found, printed),
        *(_on_sizes(found, step, said) for step in STEPS),
        _on_rates(found, printed),
        _on_speed(found, printed),
        *(_on_overlap(found, step, said) for step in STEPS),
        *on_figures(found, said),
        *on_literature(found, printed, said),
    ]


def _on_skew(printed: Numbers) -> Claim:
    """By the printed numbers alone."""
    is_so, is_inverse, odd = {}, [], []
    for key, one in printed.items():
        if key.quantity != "skew":
            continue
        positive, negative = (printed[key._replace(quantity=quantity)].value for quantity in ("NP", "NN"))
        label = f"{key.data} {key.setting}"
        is_so[label] = abs(one.value - positive / negative) <= LAST_OF_TWO
        if abs(one.value - negative / positive) <= LAST_OF_TWO:
            is_inverse.append(label)
        else:
            odd.append(f"{label} {one.value:.2f} for {positive / negative:.2f} or {negative / positive:.2f}")
    neither = f"; neither: {', '.join(odd)}" if odd else ""
    return Claim(
        "§ 4, Table 4.1",
        "skew is NP / NN, by the printed numbers",
        on_all(is_so.values()),
        f"{sum(is_so.values())} of {len(is_so)}; NN / NP is what {len(is_inverse)} are{neither}",
        printed=", ".join(
            f"{k.data} {k.setting} {one.value:.2f}" for k, one in printed.items() if k.quantity == "skew"
        ),
    )


def _on_screening(found: Results, printed: Numbers, said: Said) -> Claim:
    """A confidence counts only if it gives the printed count."""
    least = said["least constant of the screening"]
    holds, told = {}, []
    for (name, protocol), one in found.screened.items():
        there = printed[Key("4.1", name, SCREENING, protocol, "features kept")].value
        here = one["n_kept"] + one["n_constant"]
        is_met = here == there
        label = f"{name} {protocol}"
        holds[label] = is_met and one["confidence"] >= least
        count = "" if is_met else f" (keeps {here} features, not {there:g})"
        told.append(f"{label} {one['confidence']:g}{count}")
    others = f"; {not_the_prints(['Leukemia'])}" if any(name == "Leukemia" for name, _ in found.screened) else ""
    return Claim(
        "§ 4",
        "the constant of the screening (read as confidence) gives the printed counts and is at least as large as said",
        on_all(holds.values()),
        ", ".join(told) + others,
        printed=f"at least {least:g}",
    )


def _on_redundancy(found: Results, printed: Numbers) -> list[Claim]:
    """Table 4.3, on the published models."""
    whole = {name: one["dropped"][ALL] for name, one in found.published.items()}
    without = {
        name: [row for label, row in one["dropped"].items() if label != ALL] for name, one in found.published.items()
    }
    there = {name: printed[Key("4.3", name, METHOD, ALL, "dCor")].value for name in whole}
    tested = {name: printed[Key("4.3", name, METHOD, ALL, "J_te")].value for name in whole}
    unbiased = {name: one["unbiased dCor"] for name, one in found.published.items()}
    return [
        Claim(
            "§ 2.3.9, Table 4.3",
            "the numbers are of the unbiased dCor",
            *on_tables(
                {name: abs(value - there[name]) <= LAST_OF_DCOR for name, value in unbiased.items()},
                "; ".join(
                    f"{name} {value:.4f} unbiased, {whole[name]['dCor']:.4f} biased with the root"
                    for name, value in unbiased.items()
                ),
            ),
            printed=listed(there, ".4f"),
        ),
        Claim(
            "Table 4.3",
            "every feature of a model counts: without any one of them dCor is lower",
            *on_tables(
                {name: all(one["dCor"] > row["dCor"] for row in without[name]) for name, one in whole.items()},
                "; ".join(
                    f"{name} {one['dCor']:.4f} (highest without one: {max(row['dCor'] for row in without[name]):.4f})"
                    for name, one in whole.items()
                ),
            ),
            printed=listed(there, ".4f"),
        ),
        Claim(
            "Table 4.3",
            "the whole model has the best test accuracy, ties allowed",
            *on_tables(
                {name: all(one["J_te"] >= row["J_te"] for row in without[name]) for name, one in whole.items()},
                "; ".join(
                    f"{name} {one['J_te']:.4f} (best without one: {max(row['J_te'] for row in without[name]):.4f})"
                    for name, one in whole.items()
                ),
            ),
            printed=listed(tested, ".4f"),
        ),
        _on_prostate(found, printed),
    ]


def _on_prostate(found: Results, printed: Numbers) -> Claim:
    source, text = "Table 4.3", "Prostate: training accuracy alone would drop 8965, which gains nothing in the test"
    settings = (ALL, "without 8965")
    there = [printed[Key("4.3", "Prostate", METHOD, setting, "J_tr")].value for setting in settings]
    in_print = f"training {there[0]:.4f}, without {there[1]:.4f}"
    if "Prostate" not in found.published:
        return Claim(source, text, NOT_TESTED, "", in_print)
    whole, without = (found.published["Prostate"]["dropped"][setting] for setting in settings)
    return Claim(
        source,
        text,
        HOLDS if without["J_tr"] > whole["J_tr"] and without["J_te"] <= whole["J_te"] else FAILS,
        f"training {whole['J_tr']:.4f}, without {without['J_tr']:.4f}; test {whole['J_te']:.4f}, without "
        f"{without['J_te']:.4f}",
        in_print,
    )


def _on_sizes(found: Results, step: int, said: Said) -> Claim:
    most = said["most features of a model"]
    runs = {name: found.runs(HOLD_OUT, name, step) for name in found.names(HOLD_OUT, step)}
    best = {name: len(best_of(own)["model"]) for name, own in runs.items()}
    largest = {name: max(len(run["model"]) for run in own) for name, own in runs.items()}
    return Claim(
        "§ 4.1, Table 4.2",
        f"models are small (ours: that of the highest dCor; step = {step})",
        *on_tables(
            {name: size <= most for name, size in best.items()},
            f"{listed(best)}; most in any run: {listed(largest)}" if best else "",
        ),
        printed=f"at most {most:g} features",
    )


def _on_rates(found: Results, printed: Numbers) -> Claim:
    """Leukemia only, by the published model."""
    pairs = {
        one: [printed[Key("4.2", "Leukemia", METHOD, one, rate)].value for rate in ("TPR", "TNR")]
        for one in CLASSIFIERS
    }
    text = "Leukemia: TPR is better than TNR with more classifiers than it is worse"
    in_print = _rates(pairs)
    if "Leukemia" not in found.published:
        return Claim("§ 4.1, Table 4.2", text, NOT_TESTED, "", in_print)
    scores = found.published["Leukemia"]["scores"][PER_SET]
    ours = {one: [scores[one][rate] for rate in ("TPR", "TNR")] for one in CLASSIFIERS}
    better = sum(tpr > tnr for tpr, tnr in ours.values()) - sum(tpr < tnr for tpr, tnr in ours.values())
    return Claim(
        "§ 4.1, Table 4.2",
        text,
        HOLDS if better > 0 else FAILS,
        f"{_rates(ours)}; {not_the_prints(['Leukemia'])}, and here the positive class is the larger one",
        in_print,
    )


def _rates(pairs: Mapping[str, Sequence[float]]) -> str:
    return "; ".join(f"{one} {tpr:.2f} and {tnr:.2f}" for one, (tpr, tnr) in pairs.items())


def _on_speed(found: Results, printed: Numbers) -> Claim:
    timed = {name: found.runs(HOLD_OUT, name, STEPS[0]) for name in found.names(HOLD_OUT, STEPS[0])}
    as_screened = timed.get("Leukemia", [])
    timed |= found.in_turn
    told = "; ".join(_timed(name, runs) for name, runs in timed.items())
    with_fewer = f"; with confidence 0.95 {_timed('Leukemia', as_screened)}" if as_screened else ""
    others = f"; {not_the_prints(['Leukemia'])}" if "Leukemia" in timed else ""
    return Claim(
        "§ 4.1",
        f"Lung is the fastest, as it has the fewest samples (step = {STEPS[0]}, Leukemia with as many features as in "
        "print)",
        fastest("Lung", {name: [run["seconds"] for run in runs] for name, runs in timed.items()}),
        told + with_fewer + others,
        printed=", ".join(
            f"{key.data} {one.value:.1f} s" for key, one in printed.items() if key[0::4] == ("4.2", "seconds")
        ),
    )


def _timed(name: str, runs: Sequence[Run]) -> str:
    seconds = [run["seconds"] for run in runs]
    return (
        f"{name} {np.median(seconds):.1f} s ({min(seconds):.1f} … {max(seconds):.1f}; {runs[0]['n_pool']} features in "
        f"{runs[0]['n_bins']} bins)"
    )


def _on_overlap(found: Results, step: int, said: Said) -> Claim:
    """The best models of both protocols."""
    beginning = "features shared by both models of "
    there = {what.removeprefix(beginning): n for what, n in said.items() if what.startswith(beginning)}
    most = max(there.values())
    shared, told = {}, []
    for name in found.names(HOLD_OUT, step):
        pooled = found.runs(LEAVE_ONE_OUT, name, step)
        if pooled:
            a, b = set(best_of(found.runs(HOLD_OUT, name, step))["model"]), set(best_of(pooled)["model"])
            shared[name] = len(a & b) <= most
            told.append(f"{name} {len(a & b)} of {len(a)} and {len(b)}")
    text = f"models of both protocols share at most {most:g} features (step = {step})"
    return Claim("§ 4.5", text, *on_tables(shared, "; ".join(told)), printed=listed(there))
