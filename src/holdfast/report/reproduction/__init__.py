"""A rerun of printed tables as Markdown, as one HTML page, as lines for a terminal, and as CSV; several on one page."""

from holdfast.report.reproduction.markdown import markdown
from holdfast.report.reproduction.overview import overview_lines, overview_markdown, overview_page
from holdfast.report.reproduction.page import page
from holdfast.report.reproduction.text import text
from holdfast.report.reproduction.write import write, write_overview

__all__ = [
    "markdown",
    "overview_lines",
    "overview_markdown",
    "overview_page",
    "page",
    "text",
    "write",
    "write_overview",
]
