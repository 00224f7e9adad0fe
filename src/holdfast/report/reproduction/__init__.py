"""A rerun of printed tables as Markdown, as one HTML page, as lines for a terminal, and as CSV."""

from holdfast.report.reproduction.markdown import markdown
from holdfast.report.reproduction.page import page
from holdfast.report.reproduction.text import text
from holdfast.report.reproduction.write import write

__all__ = ["markdown", "page", "text", "write"]
