"""The sets of Tables 4.1 and 4.3 by their names in print, those at hand and those that are not, and other tables."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.reproduce.pino_angulo._pair_counts import sizes
from holdfast.reproduce.shelf import Set

# Tables of other names or other shapes than in print: a test part, or gaps.
AT_HAND = {
    "LEU": Set("leukemia", 1104),
    "CNS": Set("cns", 45086),
    "MLL": Set("mll", 45097),
    "ARC": Set("arcene"),
    "DEX": Set("dexter"),
    "BRE": Set("breast_vantveer"),
}
# Files that a reader may have: OpenML, TunedIT, mldata.org, RSCTC 2010 and NIPS 2003 are named as sources.
FILES = {
    "MFE": "mfeat", "TUM": "tumors", "T21": "tr21", "T41": "tr41", "T45": "tr45", "T31": "tr31", "WAP": "wap",
    "FBI": "fbis", "LA2": "la2s", "LA1": "la1s", "OHS": "ohscal", "NEW": "new3s", "STJ": "stjude_leukemia",
    "ECM": "ecml", "GCM": "gcm", "HEP": "hepatitis_c", "BUR": "burkitt_lymphoma", "DA1": "rsctc2010_1",
    "DA3": "rsctc2010_3", "DA4": "rsctc2010_4", "DA5": "rsctc2010_5", "DA6": "rsctc2010_6", "ANT": "anthracycline",
    "MOU": "mouse_type", "OVA": "ovarian_tumor", "VAR": "various_cancer", "DOR": "dorothea", "PEM": "pems",
}  # fmt: skip
# Those that OpenML has in the printed size. It has others of the same names (DA1, DEX, DOR, GCM, HEP), which are not.
ON_OPENML = {
    "TUM": 1107, "T21": 384, "T41": 400, "T45": 383, "T31": 385, "WAP": 398, "FBI": 389, "LA2": 393, "LA1": 396,
    "OHS": 399, "NEW": 390, "BUR": 1084, "DA3": 1079, "DA4": 1080, "DA5": 1081, "DA6": 1082, "ANT": 1085, "MOU": 1083,
    "OVA": 1086, "VAR": 1088,
}  # fmt: skip
# For leave-one-out on more tables than one.
OTHERS = {
    "Colon": Set("colon", 45087),
    "DLBCL": Set("dlbcl_shipp"),
    "SRBCT": Set("srbct", 45101),
    "Prostate": Set("prostate"),
    "Glioma": Set("glioma"),
    "St Jude, a part": Set("yeoh_filtered"),
}
# From so many features on CFS did not end in print.
NO_END = 40_000


def named_in_print(data: str) -> Set:
    """A set that is not at hand, of the printed shape."""
    size = sizes().get(("4.3", data)) or sizes()["4.1", data]
    return Set(FILES[data], ON_OPENML.get(data), (size.n_samples, size.n_features))


OF_THE_THESIS: Mapping[str, Set] = {**AT_HAND, **{data: named_in_print(data) for data in FILES}}
SETS: Mapping[str, Set] = {**OF_THE_THESIS, **OTHERS}


def is_ended(data: str) -> bool:
    """Whether the CFS that computes every sum anew has a number in Table 4.2."""
    return ("4.1", data) in sizes() and sizes()["4.1", data].n_features < NO_END
