"""What chapter 2 says of single places on its curves, in words only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.reproduce.ben_brahim._best import Best
from holdfast.reproduce.ben_brahim._curves import CLASSIFIERS, ONE_NN
from holdfast.reproduce.cells import noise
from holdfast.reproduce.plan import FAILS, HOLDS, NOT_TESTED, Claim
from holdfast.reproduce.verdicts import on_all

# How far a number of features may be off, as a share: numbers above 40 are tried in steps of five.
ABOUT = 0.1


def on_places(results: Sequence[Best], said: Mapping[str, float]) -> list[Claim]:
    """The lists of IB-OF on DLBCL, and a small set of HIB-CSS on Lung."""
    by = {(one.data, one.method, one.classifier): one for one in results}
    return [
        *(_on_dlbcl(by.get(("DLBCL", "IB-OF", classifier)), classifier, said) for classifier in CLASSIFIERS),
        _on_lung(by.get(("Lung", "HIB-CSS", ONE_NN)), said),
    ]


def _on_dlbcl(one: Best | None, classifier: str, said: Mapping[str, float]) -> Claim:
    about = f"IB-OF on DLBCL, {classifier}"
    length, n_found, n_used = (
        int(said[f"{about}: {what}"]) for what in ("list length", "features found", "features used")
    )
    text = f"{about}: the best lists have length {length}, hold {n_found} features, and the first {n_used} are best"
    printed = f"{length}; {n_found}; {n_used}"
    if one is None or length not in one.curves:
        return Claim("2.3.3, Figure 2.2", text, NOT_TESTED, "not run", printed)
    curve = one.curves[length]
    most, error = one.most(length), curve.mce(one.average)
    here = int(curve.sizes[error.argmin()])
    tests = (
        one.length == length,
        abs(most - n_found) <= ABOUT * n_found,
        abs(here - n_used) <= ABOUT * n_used,
    )
    evidence = (
        f"our best length is {one.length}; with lists of {length} all folds have up to {most} of the numbers of "
        f"features that are tried, and the error is smallest with {here}"
    )
    return Claim("2.3.3, Figure 2.2", text, on_all(tests), evidence, printed)


def _on_lung(one: Best | None, said: Mapping[str, float]) -> Claim:
    length, size = (int(said[f"HIB-CSS on Lung: {what}"]) for what in ("list length", "features"))
    wanted = said["HIB-CSS on Lung: MCE"]
    text = f"HIB-CSS on Lung has an MCE of {wanted} with {size} features and lists of {length}"
    if one is None or length not in one.curves:
        return Claim("2.4.3", text, NOT_TESTED, "not run", f"{wanted}")
    at = one.at(length, size)
    if at is None:
        return Claim("2.4.3", text, FAILS, f"all folds have at most {one.most(length)} features", f"{wanted}")
    is_near = abs(at[0] - wanted) <= noise(at[0], wanted, one.n_samples)
    return Claim("2.4.3", text, HOLDS if is_near else FAILS, f"{at[0]:.4f} of {one.n_samples} samples", f"{wanted}")
