"""Consensus signatures: the features that most repeated selections agree on (Han 2012, section 7.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._parameters import real_number
from holdfast.stability._runs import Runs, as_runs

Array = npt.NDArray[Any]

_SHARE = real_number(at_least=0.0, below=1.0)
_NEAR = 0.1
# Shares such as 0.58 of 50 runs are not exact in floating point, whole numbers of runs are.
_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class Consensus:
    """What repeated selections agree on.

    Use ``consensus`` to make one.

    Parameters
    ----------
    ranked_names : ndarray of shape (n_chosen,)
        Names of the features that any run chose, or their columns if they have no names, by falling frequency.
    ranked_columns : ndarray of shape (n_chosen,) or None
        Their columns in the data; None if the runs were lists of names.
    counts : ndarray of shape (n_chosen,)
        How many runs chose each of them.
    n_runs : int
        Number of runs.
    list_size : float
        Features that a run chose, on average.
    threshold : float
        Share of the runs that a feature of the signature must exceed.

    Examples
    --------
    >>> from holdfast.stability.consensus import consensus
    >>> found = consensus([["TP53", "KRAS", "EGFR"], ["TP53", "KRAS", "MYC"], ["TP53", "KRAS", "EGFR"]])
    >>> found.names.tolist(), found.frequency.round(2).tolist()
    (['KRAS', 'TP53', 'EGFR'], [1.0, 1.0, 0.67])
    """

    ranked_names: Array
    ranked_columns: Array | None
    counts: Array
    n_runs: int
    list_size: float
    threshold: float

    @property
    def names(self) -> Array:
        """The signature: names of the features chosen in more runs than the threshold asks for, most often first."""
        return self.ranked_names[: self._n_above(self.threshold)]

    @property
    def indices(self) -> Array | None:
        """Columns of the signature in the data; None if the runs were lists of names."""
        return None if self.ranked_columns is None else self.ranked_columns[: self._n_above(self.threshold)]

    @property
    def frequency(self) -> Array:
        """Share of the runs that chose each feature of the signature."""
        return self.curve[: self._n_above(self.threshold)]

    @property
    def near_names(self) -> Array:
        """Features that miss the signature by no more than a tenth of the runs, most often chosen first."""
        return self.ranked_names[self._near()]

    @property
    def near_frequency(self) -> Array:
        """Share of the runs that chose each of these."""
        return self.curve[self._near()]

    @property
    def curve(self) -> Array:
        """Share of the runs that chose each feature, in falling order; perfect agreement would be a rectangle."""
        share: Array = self.counts / self.n_runs
        return share

    @property
    def overlap(self) -> float:
        """Share of the rectangle of perfect agreement that the curve fills; NaN if no run chose anything.

        The rectangle is as wide as a list is long, on average and rounded.
        """
        width = max(int(self.list_size + 0.5), 1)
        return float(self.counts[:width].sum() / (self.n_runs * width)) if len(self.counts) else float("nan")

    def table(self, thresholds: Sequence[float] = (0.5, 0.85)) -> dict[str, int]:
        """How many features were chosen at least once, and in more than some shares of the runs.

        Parameters
        ----------
        thresholds : sequence of float, default=(0.5, 0.85)
            Shares of the runs.

        Returns
        -------
        table : dict
            Number of features for each share, as in Table 7.6 of Han 2012.
        """
        for share in thresholds:
            _check_share(share)
        return {"at least once": len(self.counts)} | {
            f"more than {100 * share:g} %": self._n_above(share) for share in thresholds
        }

    def _n_above(self, share: float) -> int:
        return int((self.counts > share * self.n_runs + _SLACK).sum())

    def _near(self) -> slice:
        lowest = (self.threshold - _NEAR) * self.n_runs - _SLACK
        return slice(self._n_above(self.threshold), int((self.counts >= lowest).sum()))


def consensus(runs: Any, *, threshold: float = 0.5, names: Any = None, n_features: int | None = None) -> Consensus:
    """Features that more than a share of repeated selections chose.

    Use it to report one list from many runs, with how often each feature came up and which ones just missed it.

    Parameters
    ----------
    runs : matrix of bool, lists of names or columns, fitted selectors, or an object with ``runs``
        The selections, at least two.
    threshold : float, default=0.5
        Share of the runs that a feature must exceed.
    names : array-like of shape (n_features,), default=None
        Names of the columns, if the runs do not bring them.
    n_features : int, default=None
        Number of columns of the data, if the runs are lists of columns.

    Returns
    -------
    consensus : Consensus
        With ``names``, ``frequency``, ``near_names``, ``curve``, ``overlap`` and ``table``. Features chosen equally
        often come in the order of their names, or of their columns if they have none.

    Examples
    --------
    >>> from holdfast.stability.consensus import consensus
    >>> found = consensus([[0, 1, 2], [0, 1, 3], [0, 2, 4], [0, 1, 2]], n_features=10)
    >>> found.indices.tolist(), found.table()
    ([0, 1, 2], {'at least once': 5, 'more than 50 %': 3, 'more than 85 %': 1})
    """
    _check_share(threshold)
    read = as_runs(runs, n_features)
    labels, columns = _labels(read, names)
    counts = read.counts
    order = np.lexsort((np.argsort(np.argsort(labels, kind="stable")), -counts))
    order = order[counts[order] > 0]
    return Consensus(
        labels[order],
        None if columns is None else columns[order],
        counts[order],
        len(read.chosen),
        float(read.sizes.mean()),
        float(threshold),
    )


def _labels(read: Runs, names: Any) -> tuple[Array, Array | None]:
    """Names of the columns of the runs, or their numbers; and their places in the data, if these are known."""
    own = np.arange(read.chosen.shape[1]) if read.names is None else read.names
    if read.columns_are_places:
        columns = np.arange(read.chosen.shape[1])
    elif not all(isinstance(name, str) for name in own):
        own = columns = own.astype(np.int64)
    elif names is not None:
        raise ValueError("The runs are lists of names already. Leave names out.")
    else:
        return own, None
    if names is None:
        return own, columns
    given = np.asarray(names, dtype=object)
    if read.columns_are_places and len(given) != len(columns):
        raise ValueError(f"There are {len(given)} names for {len(columns)} features. Pass one name for each column.")
    if len(columns) and columns.max() >= len(given):
        raise ValueError(f"A run holds column {columns.max()}, but there are only {len(given)} names.")
    return given[columns], columns


def _check_share(share: float) -> None:
    if not _SHARE.accepts(share):
        raise ValueError(f"threshold={share!r} is not allowed: it must be {_SHARE.words}, a share of the runs.")
