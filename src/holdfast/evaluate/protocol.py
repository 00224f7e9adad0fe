"""Protocols: which samples train and which test, drawn once, blind to the order of the samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from holdfast._errors import DataError
from holdfast.measures._folds import checked_splits
from holdfast.stability.perturb import bootstraps, folds, leave_one_out, subsamples

Array = npt.NDArray[Any]

_SHARE = r"(\d+/\d+|0?\.\d+|\d+%)"
_EXAMPLES = "10x10cv, 5cv, loocv, bootstrap, bootstrapx200, holdout, holdout-0.7, random-2/3x100"
_N_BOOTSTRAPS = 100
_HELD_OUT = Fraction(2, 3)


@dataclass(frozen=True)
class Split:
    """Rows to train on (a bootstrap has some twice) and rows to test on."""

    train: Array
    test: Array


@dataclass(frozen=True)
class Samples:
    """What is split: classes and groups in an order of the samples' own, which ``order`` gives as rows of the table.

    ``X``, ``target`` and ``given_groups`` are as they came, for splitters that want to see them.
    """

    X: Array
    target: Array
    given_groups: Array | None
    order: Array
    classes: Array
    groups: Array | None
    seed: int


@dataclass(frozen=True)
class Protocol:
    """A way to split samples: its name, its words, and how training parts are drawn."""

    name: str
    words: str
    pools_test_parts: bool
    draw: Callable[[Array, int, Array | None], list[Array]]


def protocol(name: str) -> Protocol:
    """The protocol of a name such as "10x10cv", "loocv", "bootstrap", "holdout" or "random-2/3x100".

    Use it to see what a name means; ``compare`` takes the name.

    Parameters
    ----------
    name : str
        "RxKcv" or "Kcv": K-fold cross-validation, R times. "loocv": each sample left out once. "bootstrap" or
        "bootstrapxN": training parts drawn with replacement, tested on what was not drawn. "holdout",
        "holdout-0.7": one training part, 2/3 or the given share. "random-2/3xN": N such parts.

    Returns
    -------
    protocol : Protocol
        With a name, words for a report, and a function that draws.

    Examples
    --------
    >>> protocol("10x10cv").words
    '10 times 10-fold cross-validation'
    """
    if not isinstance(name, str):
        raise TypeError(f"protocol={name!r} is no name. Pass one such as {_EXAMPLES}, a splitter, or a list of splits.")
    text = name.strip().lower().replace(" ", "")
    for pattern, make in _FORMS:
        found = pattern.fullmatch(text)
        if found is not None:
            return make(text, *found.groups())
    raise ValueError(f"protocol={name!r} is not known. Write it as one of {_EXAMPLES}.")


def splits_of(given: Any, samples: Samples) -> tuple[str, str, bool, list[Split]]:
    """Name and words of a protocol, whether its test parts are pooled, and the splits."""
    every, asked = np.arange(len(samples.classes)), given
    if isinstance(given, str):
        known = protocol(given)
        parts = known.draw(samples.classes, samples.seed, samples.groups)
        found = [Split(train, np.setdiff1d(every, train)) for train in parts]
        name, words, pools = known.name, known.words, known.pools_test_parts
    else:
        if not hasattr(given, "split"):
            given = list(given) if hasattr(given, "__iter__") else []
        if isinstance(given, list) and not given:
            raise ValueError(
                f"protocol={asked!r} gives no split. Pass {_EXAMPLES}, a splitter, or a list of (train, test)."
            )
        pairs = checked_splits(given, samples.X, samples.target, samples.given_groups, "protocol")
        place = np.argsort(samples.order)
        found = [Split(np.sort(place[train]), np.sort(place[test])) for train, test in pairs]
        pools = all(len(split.test) == 1 for split in found)
        name, words = "given splits", f"{len(found)} splits as given"
    for number, split in enumerate(found, start=1):
        _require_usable(split, samples, number, name)
    return name, words, pools, found


def shared_by_training_parts(splits: Sequence[Split], n_samples: int) -> float:
    """Mean share of the samples of one training part that another holds too."""
    if len(splits) < 2:
        return float("nan")
    held = np.zeros((len(splits), n_samples))
    for row, split in zip(held, splits, strict=True):
        row[split.train] = 1.0
    both, sizes = held @ held.T, held.sum(axis=1)
    n = len(splits)
    return float(((both / sizes[:, None]).sum() - n) / (n * (n - 1)))


def _require_usable(split: Split, samples: Samples, number: int, name: str) -> None:
    classes, groups = samples.classes, samples.groups
    if len(split.test) == 0:
        more = "more groups, or groups that hold several classes" if samples.groups is not None else "more samples"
        raise DataError(f"Split {number} of {name} leaves no sample to test on. Use another protocol, or {more}.")
    if np.intersect1d(split.train, split.test).size:
        raise ValueError(f"Split {number} of {name} trains and tests on the same samples. Keep the two parts apart.")
    if groups is not None and np.intersect1d(groups[split.train], groups[split.test]).size:
        raise ValueError(f"Split {number} of {name} has a group in both parts. Split by groups, or leave groups out.")
    sizes = np.bincount(classes[np.unique(split.train)], minlength=int(classes.max()) + 1)
    if sizes.min() < 2:
        missing = "no sample" if sizes.min() == 0 else "1 sample"
        raise DataError(
            f"The training part of split {number} of {name} has {missing} of a class; 2 of each are needed. Drop or "
            "join small classes, or use a protocol with larger training parts, or groups that do not go with classes."
        )


def _cross_validation(text: str, n_repeats: str | None, n_folds: str) -> Protocol:
    repeats, k = int(n_repeats or 1), int(n_folds)
    if repeats < 1 or k < 2:
        raise ValueError(f"protocol={text!r} needs at least 1 repeat and 2 folds, as in 10x10cv or 5cv.")
    times, short = ("", f"{k}cv") if repeats == 1 else (f"{repeats} times ", f"{repeats}x{k}cv")

    def draw(target: Array, seed: int, groups: Array | None) -> list[Array]:
        _require_folds(target, k, groups)
        return folds(target, k, seed, n_repeats=repeats, groups=groups)

    return Protocol(short, f"{times}{k}-fold cross-validation", False, draw)


def _require_folds(target: Array, n_folds: int, groups: Array | None) -> None:
    n_units = len(target) if groups is None else len(np.unique(groups))
    if n_folds > n_units:
        what = "samples" if groups is None else "groups"
        raise DataError(f"{n_folds} folds of {n_units} {what} cannot be made. Use fewer folds, such as 5cv, or loocv.")


def _leave_one_out(text: str) -> Protocol:
    return Protocol(
        "loocv", "leave-one-out cross-validation", True, lambda target, _, groups: leave_one_out(target, groups=groups)
    )


def _bootstrap(text: str, number: str | None) -> Protocol:
    n_runs = _positive(text, number, _N_BOOTSTRAPS)
    words = f"{n_runs} bootstraps, tested on the samples that were not drawn"
    return Protocol(
        f"bootstrapx{n_runs}",
        words,
        False,
        lambda target, seed, groups: bootstraps(target, n_runs, seed, groups=groups),
    )


def _random(text: str, share: str | None, number: str | None) -> Protocol:
    part, n_runs = _HELD_OUT if share is None else _share(text, share), _positive(text, number, 1)
    times = "one random split" if n_runs == 1 else f"{n_runs} random splits"
    words = f"{times}, {part.numerator}/{part.denominator} of the samples to train on"
    return Protocol(
        text,
        words,
        False,
        lambda target, seed, groups: subsamples(target, n_runs, seed, share=float(part), groups=groups),
    )


def _share(text: str, share: str) -> Fraction:
    try:
        part = Fraction(int(share[:-1]), 100) if share.endswith("%") else Fraction(share)
    except ZeroDivisionError:
        part = Fraction(0)
    if not 0 < part < 1:
        raise ValueError(f"protocol={text!r}: {share} is no share of the samples. Write one such as 2/3, 0.7 or 70%.")
    return part


def _positive(text: str, number: str | None, otherwise: int) -> int:
    n_runs = otherwise if number is None else int(number)
    if n_runs < 1:
        raise ValueError(f"protocol={text!r} draws nothing. Write a number of at least 1 behind the x.")
    return n_runs


_FORMS: tuple[tuple[re.Pattern[str], Callable[..., Protocol]], ...] = (
    (re.compile(r"(?:(\d{1,4})x)?(\d{1,5})(?:-?fold)?-?cv"), _cross_validation),
    (re.compile(r"loo(?:-?cv)?|leave-one-out"), _leave_one_out),
    (re.compile(r"bootstraps?(?:x(\d{1,5}))?"), _bootstrap),
    (re.compile(rf"(?:holdout|random)(?:-{_SHARE})?(?:x(\d{{1,5}}))?"), _random),
)
