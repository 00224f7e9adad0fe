"""match: which features of a table are meant by names that are known."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.data._wording import counted, listed
from holdfast.knowledge._guess import guess
from holdfast.knowledge._maps import aliases_of, genes_of
from holdfast.knowledge.known import Known

Array = npt.NDArray[Any]
Map = Mapping[str, Any] | str | os.PathLike[str]
Keys = Callable[[str], Iterable[str]]

_OTHERS = 1.0
# A feature of several genes, as Affymetrix names it.
_AND = "///"


@dataclass(frozen=True, eq=False, repr=False)
class Matched:
    """What known names say about the features of a table.

    Use ``prior`` as the prior of a selector, and print it to see what was matched and what was not.

    Parameters
    ----------
    prior : ndarray of shape (n_features,)
        Weight of every feature; 1 where nothing is known.
    indices : ndarray
        Columns of the features that are known.
    features : tuple of str
        Their names.
    unmatched : tuple of str
        Known names that no feature carries.
    ambiguous : tuple of str
        Those among them that are an alias of several genes.
    ways : mapping
        How many names were found in which way.
    known : Known
        The known names.

    Examples
    --------
    >>> from holdfast.knowledge import match
    >>> matched = match({"TP53": 10.0, "MYC": 3.0}, ["tp53", "BAX"])
    >>> matched.prior
    array([10.,  1.])
    >>> print(matched)
    1 of 2 names matches 1 of 2 features (1 but for case). Not found: 'MYC'.
    """

    prior: Array
    indices: Array
    features: tuple[str, ...]
    unmatched: tuple[str, ...]
    ambiguous: tuple[str, ...]
    ways: Mapping[str, int]
    known: Known

    @property
    def n_matched(self) -> int:
        """How many of the known names were found."""
        return len(self.known) - len(self.unmatched)

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each feature that is known, by its name."""
        return dict(zip(self.features, self.prior[self.indices].tolist(), strict=True))

    def __str__(self) -> str:
        n_names, n_found = len(self.known), self.n_matched
        verb = "matches" if n_found == 1 else "match"
        ways = ", ".join(f"{number:,} {way}" for way, number in self.ways.items())
        text = (
            f"{n_found:,} of {n_names:,} {'name' if n_names == 1 else 'names'} {verb} {len(self.features):,} of "
            f"{len(self.prior):,} {'feature' if len(self.prior) == 1 else 'features'} ({ways})."
        )
        lost = [name for name in self.unmatched if name not in set(self.ambiguous)]
        if lost:
            text += f" Not found: {listed(lost)}."
        if self.ambiguous:
            text += f" Not used, since it is an alias of several genes: {listed(self.ambiguous)}."
        return text

    def __repr__(self) -> str:
        return (
            f"Matched({self.n_matched} of {len(self.known)} names, {len(self.features)} of {len(self.prior)} features)"
        )


def match(
    known: Known | Mapping[str, float] | Iterable[str],
    feature_names: Any,
    aliases: Map | None = None,
    probes: Map | None = None,
    *,
    ignore_case: bool = True,
) -> Matched:
    """Find the features that known names mean.

    Use it when a list from the literature and a table write their names differently. A name is sought as it is written,
    then without regard to case, then among the genes of each probe, then by aliases; what finds it first counts.

    Parameters
    ----------
    known : Known, mapping or iterable of str
        What `read` gives, {name: weight}, or names alone, each of weight 10.
    feature_names : sequence of str, Table or data frame
        The features.
    aliases : mapping, str or path, default=None
        Other names of each gene: {symbol: aliases} or a file with the columns symbol and aliases. Several are separated
        by ``|``, ``;`` or ``,``. An alias of several genes is not used.
    probes : mapping, str or path, default=None
        Genes of each probe: {probe: gene} or a file with the columns probe and gene. Many probes may have one gene, and
        a probe several ("DDR1 /// MIR4640"): it gets the largest of their weights.
    ignore_case : bool, default=True
        Whether tp53 is TP53.

    Returns
    -------
    matched : Matched
        With ``prior`` for a selector, ``features`` and ``unmatched``.

    Examples
    --------
    >>> from holdfast.knowledge import match
    >>> probes = {"1007_s_at": "DDR1 /// MIR4640", "201746_at": "TP53", "211300_s_at": "TP53"}
    >>> match(["TP53"], ["1007_s_at", "201746_at", "211300_s_at"], probes=probes).features
    ('201746_at', '211300_s_at')
    """
    known = known if isinstance(known, Known) else Known(known)
    names = _names_of(feature_names)
    fold = _folded if ignore_case else str.strip
    genes = {fold(probe): own for probe, own in genes_of(probes).items()}
    symbols = _Symbols(aliases_of(aliases), fold)

    def genes_named(name: str) -> list[str]:
        return [fold(gene) for gene in genes.get(fold(name)) or name.split(_AND)]

    ways: list[tuple[str, Keys]] = [("as written", lambda name: (name,)), ("but for case", lambda name: (fold(name),))]
    # A name that is a feature means that one; a gene may have probes under its own name and others under an alias.
    are_features = [way for way, _ in ways]
    ways.append(("by the genes of a feature", genes_named))
    ways.append(("by alias", lambda name: filter(None, map(symbols.of, genes_named(name)))))

    weights: dict[int, float] = {}
    found: dict[str, str] = {}
    for way, keys in ways:
        columns = _columns_by_key(names, keys)
        is_settled = set(weights)
        for name in [name for name in known if found.get(name) not in are_features]:
            own = {column for key in keys(name) for column in columns.get(key, ())}
            if own:
                found.setdefault(name, way)
            for column in own - is_settled:
                weights[column] = max(weights.get(column, 0.0), known[name])
    unmatched = tuple(name for name in known if name not in found)
    ambiguous = tuple(name for name in unmatched if any(symbols.of(gene) is None for gene in genes_named(name)))
    if not found:
        raise DataError(_nothing_found(known, names, ambiguous))
    prior = np.full(len(names), _OTHERS)
    indices = np.array(sorted(weights), dtype=np.int64)
    prior[indices] = [weights[column] for column in indices.tolist()]
    prior.flags.writeable = False
    counts = {way: sum(by == way for by in found.values()) for way, _ in ways}
    return Matched(
        prior=prior,
        indices=indices,
        features=tuple(names[column] for column in indices.tolist()),
        unmatched=unmatched,
        ambiguous=ambiguous,
        ways={way: number for way, number in counts.items() if number},
        known=known,
    )


def _folded(name: str) -> str:
    return name.strip().casefold()


def _names_of(given: Any) -> list[str]:
    given = getattr(given, "feature_names", getattr(given, "columns", given))
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"feature_names={given!r} is no list of names. Pass the names of all features.")
    names = [str(name) for name in given]
    if not names:
        raise ValueError("feature_names is empty. Pass the names of all features.")
    return names


def _columns_by_key(names: Sequence[str], keys: Keys) -> dict[str, list[int]]:
    columns: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        for key in set(keys(name)):
            columns.setdefault(key, []).append(column)
    return columns


class _Symbols:
    """Which gene a name means."""

    def __init__(self, aliases: Mapping[str, Sequence[str]], fold: Callable[[str], str]) -> None:
        self.symbols = {fold(symbol) for symbol in aliases}
        self.by_alias: dict[str, set[str]] = {}
        for symbol, others in aliases.items():
            for other in others:
                self.by_alias.setdefault(fold(other), set()).add(fold(symbol))

    def of(self, name: str) -> str | None:
        """The symbol behind a name, the name itself if it is one or no alias at all, None if it may mean several."""
        if name in self.symbols or name not in self.by_alias:
            return name
        meant = self.by_alias[name]
        return next(iter(meant)) if len(meant) == 1 else None


def _nothing_found(known: Known, names: Sequence[str], ambiguous: Sequence[str]) -> str:
    where = f" of {known.source}" if known.source else ""
    reason = guess(list(known), names)
    if ambiguous:
        reason = f"An alias of several genes is not used ({listed(ambiguous, 3)})."
    what = "name" if len(known) == 1 else f"{len(known):,} names"
    return (
        f"None of the {what}{where} ({listed(list(known), 3)}) is among the {counted(len(names), 'feature')} of the "
        f"table ({listed(names, 3)}). {reason or 'Use the names of the table, or pass aliases=… or probes=….'}"
    )
