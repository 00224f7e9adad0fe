"""Files on disk: is it there, what is in it as text, and foreign errors in our words."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from holdfast._errors import DataError


def existing_file(path: Path) -> Path:
    """Return the path itself, when it is a file that holds something."""
    try:
        if path.is_dir():
            raise DataError(f"{path} is a folder, but a file is needed. Name one of the files in it.")
        if not path.exists():
            raise DataError(f"{path} does not exist. Check the spelling and the folder ({Path.cwd()}).")
        if path.is_file() and path.stat().st_size == 0:
            raise DataError(f"{path} is empty (0 bytes). Export or download it again.")
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{path} cannot be opened: {error}. Check the name and your rights to read it.") from error
    return path


def read_text(path: Path) -> str:
    """Return the whole file as text, unpacked if it is gzip, with line ends as newlines."""
    try:
        raw = path.read_bytes()
        if raw.startswith(b"\x1f\x8b"):
            raw = gzip.decompress(raw)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path} is a damaged gzip file ({error}). Download or pack it again.") from error
    except OSError as error:
        raise DataError(f"{path} cannot be opened: {error}. Check your rights to read it.") from error
    text = _decoded(raw, path)
    if "\0" in text:
        raise DataError(
            f"{path} holds NUL bytes, so it is not a text table. "
            "Give it the extension of its true format, or export it again as csv."
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise DataError(f"{path} is empty. Export or download it again.")
    return text


def _decoded(raw: bytes, path: Path) -> str:
    # Excel's "Unicode text" is UTF-16 with a byte order mark.
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path}, line {line}: byte 0x{raw[error.start]:02x} is not UTF-8 text. "
            "Save the file as UTF-8 (in Excel: 'CSV UTF-8'), or check its extension if it is not a text file."
        ) from error


@contextmanager
def reading(path: Path, kind: str) -> Iterator[None]:
    """Turn whatever a foreign parser raises on a broken file into a DataError that names the file."""
    try:
        yield
    except DataError:
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(".")
        if "Object arrays" in reason:
            raise DataError(f"{path} holds Python objects, which are never loaded. Save plain numbers.") from error
        raise DataError(
            f"{path} could not be read as {kind}: {reason}. The file may be damaged or carry the wrong extension."
        ) from error
