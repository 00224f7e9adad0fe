"""Tables 4.2, 4.4 and 4.5: CFS and MRMR with fewer evaluations (FCFS, CFS+, MRMR+), and the figures as claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from holdfast.reproduce.cells import TIMES_ALIKE, read_printed
from holdfast.reproduce.pino_angulo._cells4 import NEAR, ours_beside
from holdfast.reproduce.pino_angulo._claims4 import PRINTED, claims
from holdfast.reproduce.pino_angulo._left_out import without
from holdfast.reproduce.pino_angulo._left_out_claims import left_out_claims
from holdfast.reproduce.pino_angulo._pair_counts import COUNT, N_PICKED
from holdfast.reproduce.pino_angulo._pairwise import (
    FULL,
    JUDGED,
    QUICK,
    READINGS,
    counts,
    naive,
    orders,
    seconds,
    thought,
)
from holdfast.reproduce.pino_angulo._results4 import gathered
from holdfast.reproduce.pino_angulo._sections4 import sections
from holdfast.reproduce.pino_angulo._sets4 import OF_THE_THESIS, SETS, is_ended
from holdfast.reproduce.pino_angulo._verdicts import RATIOS
from holdfast.reproduce.plan import Judgement, Part, Plan
from holdfast.reproduce.shelf import Shelf
from holdfast.reproduce.verdicts import RULE

# Shares into which the left-out samples of a table are cut; on MLL and DEX one choice takes seconds.
LEFT_OUT = {
    "BRE": 2, "LEU": 1, "CNS": 1, "ARC": 1, "Colon": 1, "DLBCL": 1, "SRBCT": 1, "Prostate": 2, "Glioma": 2,
    "St Jude, a part": 3, "STJ": 7, "ECM": 4, "HEP": 4, "BUR": 6, "DA1": 8, "DA4": 8, "DA5": 8, "DA6": 8, "ANT": 10,
    "MOU": 12, "OVA": 16, "VAR": 20,
}  # fmt: skip
QUICK_COUNTS, QUICK_LEFT_OUT, N_QUICK_ROWS = ("LEU", "CNS"), ("BRE", "Colon"), 10
ORDERED = "CNS"


def parts(shelf: Shelf, quick: bool) -> Sequence[Part]:
    """A key is kind/table/what."""
    effort = QUICK if quick else FULL
    counted = [data for data in (QUICK_COUNTS if quick else OF_THE_THESIS) if data in shelf]
    found = [Part("thought/none/all", partial(thought, effort))]
    for data in counted:
        found += [Part(f"counts/{data}/{reading}", partial(counts, data, reading)) for reading in READINGS]
        found.append(Part(f"seconds/{data}/all", partial(seconds, data, effort)))
        if is_ended(data):
            found.append(Part(f"naive/{data}/all", partial(naive, data)))
    if ORDERED in shelf:
        found.append(Part(f"orders/{ORDERED}/all", partial(orders, ORDERED, effort)))
    for data, n_shares in LEFT_OUT.items():
        if data not in shelf or (quick and data not in QUICK_LEFT_OUT):
            continue
        n_rows = N_QUICK_ROWS if quick else None
        found += [
            Part(f"left-out/{data}/{at}", partial(without, data, n_rows, (at, n_shares))) for at in range(n_shares)
        ]
    return found


def judge(made: Mapping[str, Any], shelf: Shelf, quick: bool) -> Judgement:
    """Numbers beside the printed ones, claims, and tables of our own."""
    found, printed = gathered(made), read_printed(PRINTED)
    said = [*claims(found, printed), *left_out_claims(found, printed)]
    return Judgement(ours_beside(found, printed), said, sections(found, printed))


PLAN = Plan(
    printed=PRINTED,
    sets=SETS,
    protocol=(
        "NEval is the number of pairs of features whose mutual information or symmetrical uncertainty is computed; the "
        "n values of features with the class are not in it, and the originals keep every pair, as the printed counts "
        f"show. MRMR picks {N_PICKED} features; its count depends on the number of features alone, so it must be met "
        "exactly, and where a set is not at hand it is taken from the closed form and counted apart. That of CFS is "
        "K·n − K(K + 1)/2 for K features kept, so it is met exactly or not at all, and K hangs "
        f"on how values become levels, of which the thesis says nothing. Ours have {READINGS[JUDGED].label}: of five "
        "ways they come nearest to the printed K, and were chosen for that, so the counts of CFS and CFS+ are counted "
        "apart. The counts of MRMR+ and CFS+ are in the order of Algorithms 9 and 10, of equal merits the first "
        f"column, and agree within {NEAR:.0%} of print. Everywhere else equal merits are settled by the library's own "
        "rule, which does not hang on the order of columns: of MLL it keeps 58 features, where the first column of "
        "equal merits keeps 44.",
        "Table 4.2 has a CFS that computes every sum anew for every candidate, one run; the CFS of Table 4.4 is FCFS. "
        f"Seconds are means of {FULL.n_times} whole fits on one processor, compiled, making levels included; they "
        f"agree within a factor of {TIMES_ALIKE:g}. They are of another machine and program, so neither more nor less "
        "is called better; what speaks are the ratios in the claims. Of ARC there are the 100 training samples.",
        "BRE is two tables here. In Tables 4.2 and 4.4 it has all 24,481 features, and gaps are 100, as in the files "
        "of Kent Ridge from which its copies come. In Table 4.5, as in chapter 5, features with a gap are left out and "
        "13,547 stay, since a machine would take 100 for a measurement; seconds of these are counted apart.",
        "Table 4.5: features are chosen without a sample, a C-SVM with radial kernel (C = 1, width one over the number "
        "of features, standardised) is trained on the others and asked about the sample; the area is over the scores "
        "of all left-out samples together, each class against the rest weighted by its size. It agrees within two "
        f"standard errors of a share of so many samples. Levels are the library's, SFS-LW and MRMR have {N_PICKED} "
        f"features. {RULE} {RATIOS}",
    ),
    better={"seconds": None, COUNT: None, "AUC": True},
    parts=parts,
    judge=judge,
    remarks={
        "cut off": "Counts are cut off, not rounded: 1,225 pairs are 1.22.",
        "pairs kept": "By its count and its seconds this CFS keeps every pair once measured: it is FCFS, not the CFS "
        "of Table 4.2.",
        "average": "Of the first fifteen sets; with the printed column of BRE it would be another one.",
        "39 samples": "Table 4.1 has 39 samples of Arcene, Table 4.3 has 100.",
    },
)
