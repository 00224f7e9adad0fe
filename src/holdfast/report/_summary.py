"""Reading the summary of a study: what it holds, by name, with gaps where a value is not defined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

SCHEMA, VERSION = "holdfast.study", 1
SMALLER_IS_BETTER = frozenset({"error", "brier"})
_WORDS = {"auc": "AUC", "f1": "F1", "brier": "Brier score"}


class Value(NamedTuple):
    """A number with its interval; the ends are None where they are not known."""

    at: float
    low: float | None
    high: float | None

    def words(self) -> str:
        """The number, and the interval where there is one."""
        if self.low is None or self.high is None:
            return f"{self.at:.3f}"
        return f"{self.at:.3f} ({self.low:.3f} to {self.high:.3f})"


class Result(NamedTuple):
    """One configuration and what it reached."""

    method: str
    size: int | str
    classifier: str
    score: Value


def summary_of(study: Any) -> dict[str, Any]:
    """The summary of a study, or the summary itself, if it is of the kind that is read here."""
    found = study.summary() if callable(getattr(study, "summary", None)) else study
    if not isinstance(found, Mapping):
        raise TypeError(f"study must be a Study or its summary, but {type(study).__name__} came.")
    if found.get("schema") != SCHEMA:
        raise ValueError(
            f"This is not the summary of a study: its 'schema' is {found.get('schema')!r}, not {SCHEMA!r}. "
            "Pass what compare gave, or its summary()."
        )
    if found.get("schema_version") != VERSION:
        raise ValueError(
            f"The summary has the schema version {found.get('schema_version')!r}, but this holdfast reads version "
            f"{VERSION}. Use the holdfast that wrote it ({found.get('holdfast_version', 'version not told')})."
        )
    return dict(found)


def one_of(value: Any, known: Iterable[Any], name: str, *, where: str = "in the study") -> Any:
    """The value, if the study has it; the error lists what it has."""
    allowed = list(dict.fromkeys(known))
    # True equals 1, and would pass for a size.
    if isinstance(value, bool) or value not in allowed:
        listed = ", ".join(repr(one) for one in allowed) or "nothing"
        raise ValueError(f"{name}={value!r} is not {where}. There is: {listed}.")
    return value


def numbered(summary: Mapping[str, Any]) -> dict[str, int]:
    """A number for each method, the same in all figures, so that a method keeps its colour."""
    plan = [entry["name"] for entry in summary.get("plan", {}).get("methods", [])]
    rows = [row["method"] for part in ("results", "selections", "costs") for row in summary.get(part) or []]
    return {name: number for number, name in enumerate(dict.fromkeys([*plan, *rows]))}


def value_of(entry: Mapping[str, Any] | None, key: str) -> Value | None:
    """A number and its interval; None where the study could not define it."""
    if entry is None or entry.get(key) is None:
        return None
    low, high = entry.get("low"), entry.get("high")
    return Value(float(entry[key]), None if low is None else float(low), None if high is None else float(high))


def results_of(summary: Mapping[str, Any], metric: str, classifier: str | None) -> list[Result]:
    """One result for each method and size: that of the classifier, or of the one with the best mean."""
    rows = summary.get("results") or []
    is_metric = {key for row in rows for key, value in row.items() if isinstance(value, Mapping) and "mean" in value}
    one_of(metric, [key for row in rows for key in row if key in is_metric], "metric")
    if classifier is not None:
        one_of(classifier, [row["classifier"] for row in rows], "classifier")
    sign = -1 if metric in SMALLER_IS_BETTER else 1
    best: dict[tuple[str, Any], Result] = {}
    for row in rows:
        score = value_of(row.get(metric), "mean")
        if score is None or (classifier is not None and row["classifier"] != classifier):
            continue
        place = (row["method"], row["size"])
        if place not in best or sign * score.at > sign * best[place].score.at:
            best[place] = Result(row["method"], row["size"], row["classifier"], score)
    if not best:
        raise ValueError(f"No result of {'the study' if classifier is None else classifier} has a value of {metric}.")
    return list(best.values())


def selection_of(summary: Mapping[str, Any], method: str, size: Any, classifier: str | None) -> dict[str, Any] | None:
    """The selections of a method at a size; a tuned size has some for each classifier."""
    rows = [row for row in summary.get("selections") or [] if row["method"] == method and row["size"] == size]
    own = [row for row in rows if row.get("classifier") in (None, classifier)]
    found: dict[str, Any] | None = own[0] if own else rows[0] if rows and classifier is None else None
    return found


def stability_of(selection: Mapping[str, Any] | None, index: str) -> Value | None:
    """The stability of selections by that index."""
    return None if selection is None else value_of((selection.get("stability") or {}).get(index), "value")


def check_index(summary: Mapping[str, Any], index: str) -> None:
    """Whether selections have that index of stability."""
    one_of(index, [key for row in summary.get("selections") or [] for key in row.get("stability") or {}], "index")


def words(name: str) -> str:
    """A metric or an index as a reader would write it, to stand at the start of a line."""
    return _WORDS.get(name) or name[:1].upper() + name[1:].replace("_", " ")


def inside(name: str) -> str:
    """The same, to stand inside a sentence."""
    found = words(name)
    return found if name in _WORDS else found[:1].lower() + found[1:]


def size_words(size: Any) -> str:
    """How many features, in words."""
    if size == "own":
        return "its own number of features"
    if size == "tuned":
        return "a tuned number of features"
    return f"{size} feature{'' if size == 1 else 's'}"


def ends(values: Iterable[Value]) -> list[float]:
    """All numbers that a figure of the values must hold."""
    return [number for value in values for number in value if number is not None]


def reach(numbers: Iterable[float], *, room: float = 0.06) -> list[float]:
    """Ends of an axis with some room around the numbers."""
    found = list(numbers)
    bottom, top = min(found), max(found)
    spare = room * (top - bottom) or 0.05
    return [bottom - spare, top + spare]


def whiskers(values: Iterable[Value], colour: str, *, width: int = 0) -> dict[str, Any]:
    """Intervals as plotly draws them beside points; none where an end is not known."""
    found = list(values)
    return {
        "type": "data",
        "symmetric": False,
        "array": [None if value.high is None else value.high - value.at for value in found],
        "arrayminus": [None if value.low is None else value.at - value.low for value in found],
        "color": colour,
        "thickness": 1,
        "width": width,
    }
