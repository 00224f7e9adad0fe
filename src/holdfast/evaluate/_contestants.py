"""The methods of a study, by name or as objects, each able to make a selector for a size and a seed."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from holdfast._parameters import check_parameters
from holdfast._registry import Method, find
from holdfast.evaluate._named import name_and_settings
from holdfast.selectors._base import Selector
from holdfast.stability._repeat import SELECTOR, label_of, last_of, size_parameter

OWN = "own"
_LONGEST = 50
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Contestant:
    """One method under the name a report gives it: a row of the registry with settings, or a selector."""

    name: str
    method: Method | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    selector: Any = None

    @property
    def is_prefix(self) -> bool:
        """Whether one long list serves all sizes; settings may change what a row of the registry says."""
        return self.method is not None and self.method.is_prefix and not self.settings

    @property
    def is_ours(self) -> bool:
        """Whether its work is done in compiled kernels that threads can share."""
        return self.method is not None or isinstance(last_of(self.selector), Selector)

    def build(self, size: int | str, seed: int) -> Any:
        """An unfitted selector that keeps so many features; draws that no setting fixes follow the seed."""
        if self.method is not None:
            chosen = {} if size == OWN else {"n_features_to_select": size}
            known = self.method.selector_class._get_param_names()
            drawn = {"random_state": seed} if "random_state" in known else {}
            return self.method.build(**{**drawn, **self.settings, **chosen}).in_a_loop()
        made = clone(self.selector)
        last = last_of(made)
        if size != OWN:
            last.set_params(**{str(size_parameter(last)): size})
        if isinstance(last, Selector):
            last.in_a_loop()
        return seeded(made, seed)

    def require(self, sizes: Sequence[int | str], n_features: int) -> None:
        """Refuse sizes that the method cannot be told, before any work is done."""
        numbers = [size for size in sizes if size != OWN]
        if self.method is None and numbers and size_parameter(self.selector) is None:
            raise ValueError(
                f"{self.name} has no parameter for the number of features, so sizes={numbers} cannot be asked of it. "
                f"Pass sizes=['{OWN}'], which lets each method decide."
            )
        if OWN in sizes:
            default = getattr(last_of(self._built(OWN)), "n_features_to_select", None)
            if isinstance(default, int) and default > n_features:
                raise ValueError(
                    f"{self.name} keeps {default} features unless told otherwise, but the table has {n_features}. "
                    f"Leave {OWN} out of sizes."
                )
        for size in sizes:
            made = last_of(self._built(size))
            for model in (made, getattr(made, "selector", None)):
                if isinstance(model, Selector):
                    _require_allowed(model, self.name)

    def _built(self, size: int | str) -> Any:
        """Built, or refused in words that speak of settings; the size is none of them."""
        try:
            return self.build(size, 0)
        except TypeError as error:
            said = str(error).replace("It takes n_features_to_select.", "It takes no settings.")
            raise ValueError(f"methods: {said.replace('n_features_to_select, ', '')}") from error

    def described(self) -> dict[str, Any]:
        """What makes it this method and no other, as JSON has it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = self.build(OWN, 0)
        row = None if self.method is None else self.method.name
        return {"name": self.name, "method": row, **described(model)}


def contestants(given: Any, prior: Any = None) -> tuple[Contestant, ...]:
    """Methods from a list of names and selectors, or from a mapping of labels to these; names are made unique."""
    if isinstance(given, str) or not isinstance(given, (Mapping, list, tuple)):
        given = [given]
    pairs = list(given.items()) if isinstance(given, Mapping) else [(None, one) for one in given]
    if not pairs:
        raise ValueError("methods is empty. Name at least one, such as mrmr+.")
    found = [_contestant(one, label, prior) for label, one in pairs]
    twice = [one.name for one in found if [other.name for other in found].count(one.name) > 1]
    if twice:
        raise ValueError(
            f"methods has {twice[0]!r} more than once. Name it once; settings or, in Python, a mapping of labels to "
            "methods tell two apart."
        )
    return tuple(found)


def _contestant(given: Any, label: str | None, prior: Any) -> Contestant:
    if not isinstance(given, str):
        if isinstance(given, type) or not SELECTOR.accepts(given):
            raise TypeError(
                f"methods: {given!r} is no selector. Pass a name such as 'mrmr+', an object with fit and get_support, "
                "or a Pipeline that ends in one."
            )
        return Contestant(str(label or label_of(given)), selector=clone(given))
    name, settings = name_and_settings(given)
    row = find(name)
    if prior is not None and "prior" in row.selector_class._get_param_names():
        settings = {"prior": prior, **settings}
    shown = row.name + (given.strip()[len(name) :] if "(" in given else "")
    return Contestant(str(label or shown), row, settings)


def seeded(model: Any, seed: int) -> Any:
    """The model, with the seed wherever a state of randomness, also of an estimator inside, was left open."""
    names = [name for name in model.get_params(deep=True) if name == "random_state" or name.endswith("__random_state")]
    left_open = {name: seed for name in sorted(names) if model.get_params(deep=True)[name] is None}
    return model.set_params(**left_open) if left_open else model


def _require_allowed(model: Selector, name: str) -> None:
    """Refuse a wrong setting under the name the user gave the method."""
    try:
        check_parameters(model)
    except ValueError as error:
        raise ValueError(f"methods: {str(error).replace(type(model).__name__, name)}") from error


def described(model: Any) -> dict[str, Any]:
    """What makes an estimator this one and no other, as JSON has it."""
    parameters = {name: _plain(value) for name, value in sorted(model.get_params(deep=True).items())}
    return {"class": _path(last_of(model)), "parameters": parameters}


def _path(model: Any) -> str:
    return f"{type(model).__module__}.{type(model).__qualname__}"


def _plain(value: Any) -> Any:
    """A parameter as JSON has it; objects by what they print, without the place in memory."""
    if isinstance(value, np.ndarray):
        if value.size > _LONGEST:
            return f"array of shape {value.shape}, sha256 {sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
        return [_plain(one) for one in value.tolist()]
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if hasattr(value, "get_params") and not isinstance(value, (type, Pipeline)):
        return _path(value)
    if hasattr(value, "__code__"):
        # Two functions of one name, such as lambdas, differ in what they do.
        code = value.__code__
        says = without_address((code.co_consts, code.co_names, getattr(value, "__defaults__", None)))
        return f"{value.__module__}.{value.__qualname__} {sha256(code.co_code + says.encode()).hexdigest()[:16]}"
    return without_address(value)


def without_address(value: Any) -> str:
    """What an object prints, without its place in memory, which differs from process to process."""
    return _ADDRESS.sub("", repr(value))
