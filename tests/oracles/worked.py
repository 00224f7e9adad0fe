"""The worked data of the specifications: TOY12 (discrete, class = f1 XOR f2), NUM6 and TOY (measured)."""

from __future__ import annotations

import numpy as np

_TOY12 = """
1 1 0 1 0 1 0
1 0 0 0 1 0 1
1 0 1 1 1 0 1
1 0 1 1 1 1 1
0 1 1 1 1 1 1
0 0 0 1 0 0 0
0 1 1 1 0 1 1
1 0 1 1 1 0 1
1 0 0 0 1 0 1
0 1 0 0 0 1 1
0 0 0 0 1 1 0
0 0 0 0 0 0 0
"""
_NUM6 = """
1 5 0 0
2 3 1 0
3 4 0 0
7 5 1 1
8 3 0 1
9 4 1 1
"""
_TOY = """
0 3 10 10 2 0
2 3 0 6 10 0
10 0 10 10 0 0
8 10 3 2 0 1
10 10 8 0 6 1
0 2 5 8 0 1
"""


def _table(text):
    rows = np.array([[int(v) for v in line.split()] for line in text.strip().splitlines()])
    return rows[:, :-1], rows[:, -1]


TOY12 = _table(_TOY12)
NUM6 = _table(_NUM6)
TOY = _table(_TOY)
