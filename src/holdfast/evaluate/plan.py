"""The plan of a study: everything that decides its results, frozen before the first of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import sklearn

from holdfast import __version__
from holdfast._errors import PlanMismatch
from holdfast._random import seed_sequence
from holdfast.data import Table
from holdfast.evaluate._contestants import Contestant, described
from holdfast.evaluate.classifiers import Classifier
from holdfast.evaluate.protocol import Split

Array = npt.NDArray[Any]

ALL = "all"
# A method and a split by their numbers, or ALL for all samples.
Cell = tuple[int, int | str]
# A class that holds more of the samples than this makes plain accuracy a poor guide.
_UNBALANCED = 0.6
_IN_WORDS = {
    "data": "other data",
    "methods": "other methods",
    "sizes": "other sizes",
    "classifiers": "other classifiers",
    "protocol": "another protocol",
    "splits": "other splits",
    "seed": "another seed",
    "tune_size": "another choice about tuning the size",
    "impute": "another way to fill missing values",
    "positive": "another positive class",
    "versions": "other versions of software",
}


@dataclass(frozen=True)
class Plan:
    """What a study does: data, methods, sizes, splits, seed and classifiers.

    ``compare`` makes it; ``study.plan`` shows it. Two studies of the same plan have the same results to the last bit.

    Parameters
    ----------
    table : Table
        The data, with classes as target.
    groups : ndarray or None
        Samples that stay on one side of every split.
    methods : tuple of Contestant
        What is compared.
    sizes : tuple of int or "own"
        Numbers of features, ascending; "own" lets a method decide.
    classifiers : tuple of Classifier
        What judges the lists.
    protocol : str
        Name of the way samples are split.
    protocol_words : str
        The same for a reader.
    pools_test_parts : bool
        Whether test parts are judged together, as those of one sample must be.
    splits : tuple of Split
        Rows to train and to test on.
    seed : int
        Behind every draw.
    tune_size : bool
        Whether each training part also chooses the size by cross-validation inside it.
    impute : str or None
        How missing values are filled, inside each training part.
    positive : str or None
        Class that sensitivity speaks of, if there are two.
    remarks : tuple of str
        What a reader should know of the methods, such as prior knowledge that is missing.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> study = holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="5cv")
    >>> study.plan.protocol_words, len(study.plan.splits), study.plan.class_names
    ('5-fold cross-validation', 5, ('0', '1'))
    """

    table: Table
    groups: Array | None
    methods: tuple[Contestant, ...]
    sizes: tuple[int | str, ...]
    classifiers: tuple[Classifier, ...]
    protocol: str
    protocol_words: str
    pools_test_parts: bool
    splits: tuple[Split, ...]
    seed: int
    tune_size: bool
    impute: str | None
    positive: str | None
    remarks: tuple[str, ...] = ()

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """Names of the classes; of two, the positive one comes last and has code 1."""
        names = [str(name) for name in np.unique(np.asarray(self.table.target))]
        if self.positive is not None:
            names.sort(key=lambda name: name == self.positive)
        return tuple(names)

    @cached_property
    def classes(self) -> Array:
        """Code of each sample's class."""
        place = {name: code for code, name in enumerate(self.class_names)}
        return np.array([place[str(label)] for label in np.asarray(self.table.target)], dtype=np.int64)

    @property
    def judged_by(self) -> str:
        """Metric by which configurations are compared: accuracy, balanced if a class holds most of the samples."""
        largest = np.bincount(self.classes).max() / len(self.classes)
        return "balanced_accuracy" if largest > _UNBALANCED else "accuracy"

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Pieces of work, each a method and a split: first all samples by every method, then split by split."""
        methods = range(len(self.methods))
        return (
            *((method, ALL) for method in methods),
            *((method, split) for split in range(len(self.splits)) for method in methods),
        )

    def seed_of(self, split: int | str) -> int:
        """Seed of a selection: the same for every method on one split, another on the next."""
        child = 0 if split == ALL else int(split) + 1
        root = seed_sequence(self.seed)
        return int(np.random.SeedSequence(root.entropy, spawn_key=(child,)).generate_state(1)[0])

    @cached_property
    def document(self) -> dict[str, Any]:
        """The plan as JSON has it; equal documents mean equal results."""
        return {
            "schema": "holdfast.plan",
            "schema_version": 1,
            "data": self._data(),
            "methods": [method.described() for method in self.methods],
            "sizes": list(self.sizes),
            "classifiers": [{"name": one.name, "words": one.words, **described(one.model)} for one in self.classifiers],
            "protocol": self.protocol,
            "splits": {"n": len(self.splits), "digest": self._splits_digest()},
            "seed": self.seed,
            "tune_size": self.tune_size,
            "impute": self.impute,
            "positive": self.positive,
            "versions": {"holdfast": __version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__},
        }

    @property
    def text(self) -> str:
        """The document as a file holds it."""
        return json.dumps(self.document, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"

    @property
    def digest(self) -> str:
        """Fingerprint of the document."""
        return sha256(self.text.encode("utf-8", "backslashreplace")).hexdigest()

    def require_same(self, text: str, folder: Path) -> None:
        """Refuse a folder that holds another study, and say in what it differs."""
        try:
            other = json.loads(text)
            if other.get("schema") != "holdfast.plan":
                raise ValueError
        except (ValueError, AttributeError):
            raise PlanMismatch(
                f"{folder} has a plan.json that is no plan of holdfast. Choose another folder for this study."
            ) from None
        differing = [key for key in _IN_WORDS if other.get(key) != self.document[key]]
        if "data" in differing or "protocol" in differing or "seed" in differing:
            # Splits follow from these.
            differing = [key for key in differing if key != "splits"]
        if differing or other != self.document:
            words = ", ".join(_IN_WORDS[key] for key in differing) or "another plan"
            raise PlanMismatch(
                f"{folder} holds a study of {words}{_what(differing, other, self.document)}. Choose another folder for "
                "this study, or run it as it was begun."
            )

    def _data(self) -> dict[str, Any]:
        counts = np.bincount(self.classes, minlength=len(self.class_names))
        return {
            "digest": self._data_digest(),
            "n_samples": self.table.n_samples,
            "n_features": self.table.n_features,
            "target": self.table.target_name,
            "classes": {name: int(count) for name, count in zip(self.class_names, counts, strict=True)},
            "n_groups": None if self.groups is None else len(np.unique(self.groups)),
        }

    def _data_digest(self) -> str:
        """Of values, names, classes and groups; not of where the table came from."""
        digest = sha256(np.ascontiguousarray(self.table.X).tobytes())
        groups = [] if self.groups is None else self.groups.tolist()
        for texts in (self.table.feature_names, self.table.sample_names, np.asarray(self.table.target), groups):
            digest.update(json.dumps([str(text) for text in texts]).encode())
        return digest.hexdigest()

    def _splits_digest(self) -> str:
        digest = sha256()
        for split in self.splits:
            digest.update(split.train.astype("<i8").tobytes() + b"|" + split.test.astype("<i8").tobytes() + b";")
        return digest.hexdigest()


def _what(differing: list[str], other: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """The two values, where they are short."""
    short = [key for key in differing if key not in ("data", "methods", "classifiers", "splits")]
    if not short:
        return ""
    key = short[0]
    return f" ({key.replace('_', ' ')}: {_shown(other.get(key))} there, {_shown(ours[key])} here)"


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
