"""A study as one HTML file that carries all it needs."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from holdfast.report._summary import inside, size_words, summary_of
from holdfast.report.study import _grid, _numbers
from holdfast.report.study._compared import overall, setting
from holdfast.report.study._done import facts
from holdfast.report.study._lookup import Lookup, Row, indices_of, main_metric, metrics_of
from holdfast.report.study._words import INDICES, SCORES, rivals, scores_in
from holdfast.report.study.text import not_finished

if TYPE_CHECKING:
    from jinja2 import Environment

_ALLOWED = ("auto", "light", "dark")


def page(study: Any, *, theme: str = "auto") -> str:
    """A study as one HTML page: what to use, how sure that is, and every number behind it.

    Use it to look at a study and to share it: the page needs no network, has light and dark colours, can be read on a
    phone, sorted, searched and printed. Its tables can be read without scripts too.

    Parameters
    ----------
    study : Study or dict
        A study, or what its ``summary()`` gives.
    theme : {"auto", "light", "dark"}, default="auto"
        Colours at first; "auto" follows the reader's system. The reader can change them.

    Returns
    -------
    html : str
        The whole file.

    Examples
    --------
    >>> import holdfast
    >>> from holdfast.data import copies
    >>> from holdfast.report.study import page
    >>> made = copies(n_samples=40, n_features=60, random_state=0)
    >>> study = holdfast.compare(made.X, made.y, methods=["f-test"], sizes=[3], classifiers=["nb"], protocol="5cv")
    >>> page(study).splitlines()[0]
    '<!doctype html>'
    """
    if theme not in _ALLOWED:
        raise ValueError(f"theme={theme!r} is not known. Allowed: {', '.join(repr(name) for name in _ALLOWED)}.")
    # Loaded on use: together they take half a second.
    from holdfast.report._style import FONT, look
    from holdfast.report.study._charts import charts

    summary = summary_of(study)
    drawn = charts(summary)
    grids = [grid for make in (_grid.results, _grid.features, _grid.pairs) if (grid := make(summary)) is not None]
    data = {
        "charts": {name: chart.data() for name, chart in drawn.items()},
        "tables": {grid.name: grid.data() for grid in grids},
    }
    head, body = _asset("head.js"), _asset("page.js")
    html = (
        _environment()
        .get_template("page.html.j2")
        .render(
            **_words_of(summary),
            theme=theme,
            charts=drawn,
            grids={grid.name: grid for grid in grids},
            colours={name: look(name) for name in ("light", "dark")},
            font=FONT,
            css=_asset("page.css"),
            head_script=head,
            script=body,
            hashes=[_hash(part) for part in (head, body, _plotly())],
            data=_packed(json.dumps(data, separators=(",", ":"), allow_nan=False)),
            plotly=_packed_plotly(),
        )
    )
    return html


def _words_of(summary: Row) -> dict[str, Any]:
    """What the page says outside of charts and of tables that are sorted."""
    lookup, found = Lookup(summary), summary["recommendation"]
    source = summary["plan"]["data"]["source"]
    often = lookup.often(found) if found else None
    row = next((r for r in summary["results"] if found and _same(r, found)), None)
    return {
        "summary": summary,
        "title": f"{source}: which features hold" if source else "Which features hold",
        "not_finished": "" if summary["progress"]["is_complete"] else not_finished(summary),
        "recommended": found,
        "key_figures": _key_figures(summary, row, lookup.stability(found) if found else None),
        "chips": [(name, often(name)) for name in found["features"]] if found and often else [],
        "facts": facts(summary),
        "setting": setting(summary["comparisons"]) if summary["comparisons"] else "",
        "overall": overall(summary["comparisons"]) if summary["comparisons"] else [],
        "scores": [scores_in(summary)[name] for name in metrics_of(summary)],
        "indices": [INDICES[name] for name in indices_of(summary) if name in INDICES],
    }


def _key_figures(summary: Row, row: Row | None, stability: Row | None) -> list[tuple[str, Row]]:
    scores = [] if row is None else [(SCORES[name].label, row[name]) for name in (main_metric(summary), "auc")]
    return [(label, value) for label, value in [*scores, ("Stability", stability)] if value]


def _same(row: Row, found: Row) -> bool:
    return all(row[key] == found[key] for key in ("method", "size", "classifier"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from holdfast.report.costs import duration, memory

    made = Environment(
        loader=PackageLoader("holdfast.report.study"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {name: getattr(_numbers, name) for name in ("estimate", "percent", "share")}
    made.filters |= {"seconds": _or_none(duration), "megabytes": _or_none(memory)}
    made.filters |= {"rivals": rivals, "size_words": size_words, "inside": inside}
    made.globals |= {"count": _numbers.count}
    return made


def _or_none(words: Callable[[float], str]) -> Callable[[float | None], str]:
    return lambda value: _numbers.NONE if value is None else words(value)


@cache
def _asset(name: str) -> str:
    return (files("holdfast.report.study") / "templates" / name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


@cache
def _packed_plotly() -> str:
    return _packed(_plotly())


def _packed(text: str) -> str:
    """A text as the page unpacks it; the same text gives the same letters."""
    return b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode("ascii")


def _hash(script: str) -> str:
    """What the page's policy knows a script by."""
    return f"sha256-{b64encode(sha256(script.encode('utf-8')).digest()).decode('ascii')}"
