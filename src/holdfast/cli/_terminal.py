"""Where words go: results to stdout, everything else to stderr, progress only to a terminal."""

from __future__ import annotations

import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from holdfast.cli._errors import in_flags

# Wide enough for any name: a pipe has no edge to fold at.
_NO_EDGE = 10_000
_PAGE = 80


def paragraph_width(console: Console) -> int:
    """Width that text reads well at."""
    return _PAGE if console.width == _NO_EDGE else min(console.width, 100)


@contextmanager
def stopping_kept() -> Iterator[None]:
    """Let a polite end of the process (kill, a queue's time limit) stop the work as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def text_width() -> int | None:
    """Width to fold plain text at; None for a pipe, which leaves it to the text."""
    return min(Console(file=sys.stdout).width, 120) if sys.stdout.isatty() else None


def show(build: Callable[[Console], RenderableType]) -> None:
    """Print a result: coloured and folded for a terminal, plain for a pipe."""
    if sys.stdout.isatty():
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        console.print(build(console))
    else:
        typer.echo(as_text(build), nl=False)


def as_text(build: Callable[[Console], RenderableType]) -> str:
    """Render without colour and without an edge, for a file or a pipe."""
    page = Console(file=StringIO(), width=_NO_EDGE, color_system=None, highlight=False, markup=False, emoji=False)
    page.print(build(page))
    text = page.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


class Messages:
    """What is said besides the result."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet

    def say(self, kind: str, text: str) -> None:
        """Write one message to stderr, unless silence was asked for."""
        if self.quiet:
            return
        line = f"{kind}: {in_flags(text)}" if kind else text
        if sys.stderr.isatty():
            width = min(Console(stderr=True).width, 100)
            line = textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        typer.echo(line, err=True)

    @contextmanager
    def progress(self) -> Iterator[Callable[[str, int, int | None], None]]:
        """Show what is going on: call the given function with a task, how much is done, and of how much."""
        if self.quiet or not sys.stderr.isatty():
            yield lambda what, done, total: None
            return
        console = Console(stderr=True)
        bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[count]}"),
            console=console,
            transient=True,
        )
        with bar:
            task = bar.add_task("", total=None, count="")

            def tick(what: str, done: int, total: int | None) -> None:
                count = f"{done} of {total}" if total else ""
                bar.update(task, description=what, completed=done, total=total, count=count)

            yield tick
