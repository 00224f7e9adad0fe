"""Parameters declared as data: what a constructor argument may be, how to say so, and values that must be refused.

A class lists ``allowed = {"n_bins": whole_number(at_least=2)}``; ``check_parameters`` runs in ``fit``, because
scikit-learn's ``set_params`` and ``clone`` bypass the constructor.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any


@dataclass(frozen=True)
class Rule:
    """One admissible set of values: its test, its words, and samples from outside it."""

    accepts: Callable[[Any], bool]
    words: str
    refused: tuple[Any, ...]

    def __or__(self, other: Rule) -> Rule:
        return Rule(
            lambda value: self.accepts(value) or other.accepts(value),
            f"{self.words} or {other.words}",
            tuple(v for v in self.refused if not other.accepts(v))
            + tuple(v for v in other.refused if not self.accepts(v)),
        )


def _is_number(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def whole_number(*, at_least: int, at_most: int | None = None) -> Rule:
    """Accept whole numbers in a range; True and 3.0 are not whole numbers."""
    words = f"a whole number of at least {at_least}"
    if at_most is not None:
        words = f"a whole number from {at_least} to {at_most}"
    refused: tuple[Any, ...] = (at_least - 1, at_least + 0.5, "many", True)
    if at_most is not None:
        refused += (at_most + 1,)
    return Rule(
        lambda value: _is_number(value, Integral) and at_least <= value and (at_most is None or value <= at_most),
        words,
        refused,
    )


def real_number(
    *,
    at_least: float | None = None,
    above: float | None = None,
    below: float | None = None,
    at_most: float | None = None,
) -> Rule:
    """Accept finite numbers in a range."""
    parts = []
    refused: tuple[Any, ...] = (float("nan"), "much")
    if at_least is not None:
        parts.append(f"of at least {at_least:g}")
        refused += (at_least - 1,)
    if above is not None:
        parts.append(f"above {above:g}")
        refused += (above,)
    if below is not None:
        parts.append(f"below {below:g}")
        refused += (below,)
    if at_most is not None:
        parts.append(f"of at most {at_most:g}")
        refused += (at_most + 1,)
    return Rule(
        lambda value: (
            _is_number(value, Real)
            and abs(value) < float("inf")
            and (at_least is None or value >= at_least)
            and (above is None or value > above)
            and (below is None or value < below)
            and (at_most is None or value <= at_most)
        ),
        " ".join(["a number", " and ".join(parts)]).strip(),
        refused,
    )


def one_of(*choices: str) -> Rule:
    """Accept one of a few words."""
    return Rule(
        lambda value: isinstance(value, str) and value in choices,
        "one of " + ", ".join(repr(choice) for choice in choices),
        ("no-such-choice", 0),
    )


def nothing() -> Rule:
    """Accept None."""
    return Rule(lambda value: value is None, "None", ())


def yes_or_no() -> Rule:
    """Accept True or False."""
    return Rule(lambda value: isinstance(value, bool), "True or False", ("yes", 1))


def having(*methods: str, words: str) -> Rule:
    """Accept objects with these methods."""
    return Rule(
        lambda value: not isinstance(value, type) and all(callable(getattr(value, name, None)) for name in methods),
        words,
        (object(),),
    )


def seed() -> Rule:
    """Accept what ``_random.seed_sequence`` takes: a whole number from 0, a numpy generator, or None."""
    return Rule(
        lambda value: (
            value is None or (_is_number(value, Integral) and value >= 0) or hasattr(value, "bit_generator")
            or hasattr(value, "get_state")
        ),
        "a whole number of at least 0, a numpy Generator or None",
        (-1, "seed", 0.5),
    )  # fmt: skip


def jobs() -> Rule:
    """Accept joblib's numbers of workers."""
    return Rule(
        lambda value: value is None or (_is_number(value, Integral) and value != 0),
        "None, or a whole number other than 0 (-1 for all cores)",
        (0, "all", 1.5),
    )


def check_parameters(estimator: Any) -> None:
    """Refuse the first parameter of a wrong value, naming it, what came and what is allowed."""
    for name, rule in estimator.allowed.items():
        value = getattr(estimator, name)
        if not rule.accepts(value):
            hint = ""
            if isinstance(value, str):
                near = get_close_matches(value, quoted(rule.words), n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"{name}={value!r} is not allowed for {type(estimator).__name__}: it must be {rule.words}.{hint}"
            )


def quoted(words: str) -> list[str]:
    """Return the words that stand in quotes, which are the choices a rule offers."""
    return words.split("'")[1::2]


def nearest(name: str, known: Iterable[str], n: int = 3) -> list[str]:
    """Names that a mistyped one may have meant, best first."""
    return get_close_matches(name.lower(), list(known), n=n, cutoff=0.4)


_WORDS = {"none": None, "true": True, "false": False}


def value_of(text: str) -> Any:
    """What was typed: a number, a word, None, True or False, or a list of these in brackets."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [value_of(part) for part in text[1:-1].split(",") if part.strip()]
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        number = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return number if isinstance(number, (int, float, str)) else text
