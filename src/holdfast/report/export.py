"""Figures as files: pages that open without a network, data, and still images."""

from __future__ import annotations

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any

import plotly.graph_objects as go

from holdfast.report._style import FONT, HEIGHT, WIDTH, top_margin

_STILL = (".png", ".svg", ".pdf")
_ALLOWED = (".html", ".json", *_STILL)
_CONFIG = {
    "responsive": True,
    "displaylogo": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "svg"},
}
# The policy lets the page load nothing but itself.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data: blob:">
<title>{title}</title>
<style>
body {{ margin: 0; background: {background}; color: {text}; font-family: {font}; }}
main {{ max-width: 1100px; margin: 0 auto; padding: 16px; }}
h1 {{ font-size: 1.25rem; line-height: 1.35; margin: 0.5rem 0; }}
figure {{ margin: 0; }}
</style>
</head>
<body>
<main>
{heading}<figure aria-label="{title}">
{plot}
</figure>
</main>
</body>
</html>
"""


def save(figure: go.Figure, path: str | Path, *, width: int = WIDTH, height: int | None = None) -> Path:
    """Write a figure to a file whose suffix says what it is.

    Use .html to look and share: the page carries all it needs, opens without a network and fits a phone. Use .svg or
    .pdf for print and .png for slides; these need a browser on the machine. Use .json to draw the figure elsewhere.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
        Any figure.
    path : str or Path
        Where to write: .html, .json, .png, .svg or .pdf. A file of that name is replaced.
    width : int, default=1000
        Width of a still image in pixels; a page takes the width of its window.
    height : int, default=None
        Height of a still image in pixels; None takes the figure's own.

    Returns
    -------
    path : Path
        Where the file is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from holdfast.report import frequency_bars, save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(frequency_bars([0.9, 0.4], threshold=0.6), Path(folder) / "bars.html").suffix
    '.html'
    """
    if not isinstance(figure, go.Figure):
        raise TypeError(f"figure must be a plotly figure, but {type(figure).__name__} came.")
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in _ALLOWED:
        raise ValueError(f"A figure cannot be written as {target.name!r}. Let the name end in {', '.join(_ALLOWED)}.")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {str(target.parent)!r}. Make it first.")
    if suffix == ".html":
        target.write_text(_page(figure), encoding="utf-8")
    elif suffix == ".json":
        target.write_text(figure.to_json(), encoding="utf-8")
    else:
        target.write_bytes(_still(figure, suffix[1:], width, height))
    return target


def _page(figure: go.Figure) -> str:
    """A page of one figure; its title stands above the plot, where it wraps."""
    headline = unescape(re.sub(r"<[^>]*>", " ", figure.layout.title.text or ""))
    headline = " ".join(headline.split())
    heading = f"<h1>{escape(headline)}</h1>\n" if headline else ""
    body = go.Figure(figure)
    if headline:
        spare = (body.layout.margin.t or 100) - top_margin(0)
        body.update_layout(title_text=None, margin_t=top_margin(0), height=(body.layout.height or HEIGHT) - spare)
    return _PAGE.format(
        title=escape(headline or "Figure"),
        background=body.layout.paper_bgcolor or "#ffffff",
        text=body.layout.font.color or "#000000",
        font=FONT,
        heading=heading,
        plot=body.to_html(full_html=False, include_plotlyjs=True, config=_CONFIG),
    )


def _still(figure: go.Figure, kind: str, width: int, height: int | None) -> bytes:
    try:
        import kaleido
        from kaleido.errors import BrowserClosedError, BrowserFailedError, ChromeNotFoundError
    except ImportError as error:
        raise RuntimeError(
            f"A figure becomes a .{kind} file through the package kaleido, version 1 or newer, which is not installed. "
            "Run: pip install 'holdfast[static]'. It also needs Chrome or Chromium. Or write .html instead."
        ) from error
    size: dict[str, Any] = {"format": kind, "width": width, "height": height or figure.layout.height or HEIGHT}
    try:
        # Without mathjax=False kaleido would fetch a script from the network.
        image: bytes = kaleido.calc_fig_sync(
            json.loads(figure.to_json()), opts={**size, "scale": 2 if kind == "png" else 1}, kopts={"mathjax": False}
        )
    except ChromeNotFoundError as error:
        raise RuntimeError(
            f"A figure becomes a .{kind} file through Chrome or Chromium, and none was found. Install one, or name its "
            "program in the variable BROWSER_PATH. Or write .html instead."
        ) from error
    except (BrowserFailedError, BrowserClosedError) as error:
        raise RuntimeError(
            f"A figure becomes a .{kind} file through Chrome or Chromium, and the one found did not start. Name "
            "another in the variable BROWSER_PATH. Or write .html instead."
        ) from error
    return image
