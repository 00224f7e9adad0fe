"""The report of a study: a page, a text, tables and JSON, all made from its summary."""

from holdfast.report.study.page import page
from holdfast.report.study.tables import tables
from holdfast.report.study.text import text
from holdfast.report.study.write import write

__all__ = ["page", "tables", "text", "write"]
