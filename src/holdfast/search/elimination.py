"""A set of features in an order of its own: the one that goes last first, as they go one by one with the least loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast.search.bernoulli import Judge
from holdfast.search.ties import Precedence, best_tied

Array = npt.NDArray[Any]
# Of so many features one goes at a time; of twice as many two.
_ONE_BY_ONE = 32


def ordered_by_loss(judge: Judge, features: Array, place: Array, precedence: Precedence) -> tuple[Array, Array]:
    """Features as numbered by the judge, the one that goes last first, and the value lost when each went.

    ``place[f]`` is the number by which ``precedence`` knows feature f.
    """
    left = np.sort(features)
    gone: list[int] = []
    losses: list[float] = []
    while len(left) > 1:
        value = _values(judge, [left])[0]
        without = _values(judge, [np.delete(left, i) for i in range(len(left))])
        staying, rests = np.ones(len(left), dtype=bool), []
        for _ in range(max(1, len(left) // _ONE_BY_ONE)):
            open_ = np.flatnonzero(staying)
            tied = open_[best_tied(without[open_])]
            # Of those whose loss is the same, the one that would be taken last goes first.
            last = int(precedence.order(place[left[tied]])[-1])
            i = int(tied[place[left[tied]] == last][0])
            staying[i] = False
            gone.append(int(left[i]))
            rests.append(left[staying])
        # What each takes along, after those that went with it in this round.
        values = np.concatenate([[value], _values(judge, rests)])
        losses.extend((values[:-1] - values[1:]).tolist())
        left = left[staying]
    if len(left):
        gone.append(int(left[0]))
        losses.append(float(_values(judge, [left])[0]))
    return np.array(gone[::-1], dtype=np.int64), np.array(losses[::-1])


def _values(judge: Judge, sets: list[Array]) -> Array:
    starts = np.concatenate([[0], np.cumsum([len(one) for one in sets])]).astype(np.int64)
    return judge(np.concatenate(sets).astype(np.int64), starts)
