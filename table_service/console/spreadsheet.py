"""The rows of a file that people keep lists in: text with any usual separator and letters, or a workbook. Pure.

Standards: RFC 4180 for quoted cells, ECMA-376 for workbooks (read by openpyxl).
"""

from __future__ import annotations

import csv
import io
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hw.errors import TavoloError
from table_service.console.plain_names import plain_name

MOST_ROWS: Final = 2000
MOST_COLUMNS: Final = 40
_MOST_UNPACKED: Final = 32 * 1024 * 1024
"""Bytes of a workbook's parts together: one that is larger is no list of entries."""
_ENCODINGS: Final = ("cp1252", "mac_roman", "cp850")
"""Encodings of older Windows, Macintosh and DOS programs: tried if the bytes are not Unicode."""
_ITALIAN: Final = frozenset("àèéìòùÀÈÉÌÒÙ’°ª")
_USUAL: Final = frozenset("‘“”–—çÇäöüßÄÖÜñáíóúâêô€")
_SEPARATORS: Final = ("\t", ";", "|", ",", "/")
"""Between cells, the first that divides the lines evenly. A stroke stands between pairs in a round's seating, so that
no entry's name may hold one."""


class UnreadableFileError(TavoloError, ValueError):
    """The bytes are no list; ``word`` names the sentence that says why."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class SpreadsheetRow:
    """A row with something in it, its cells as people read them, and its number in the file, from 1."""

    number: int
    cells: tuple[str, ...]


def rows_of_file(body: bytes) -> list[SpreadsheetRow]:
    """Return the rows of a file by what is in it, whatever it is called. Raises UnreadableFileError."""
    if body.startswith(b"PK\x03\x04"):
        return _rows_of_workbook(body)
    if body.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableFileError("file_is_old")
    return rows_of_text(text_of(body))


def text_of(body: bytes) -> str:
    """Return the text of ``body``: Unicode by its mark or by itself, else by which letters of Italian names appear."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if body.startswith(mark):
            return body.decode(encoding, errors="replace")
    half = len(body) // 2
    for encoding, zeros in (("utf-16-le", body[1::2]), ("utf-16-be", body[0::2])):
        if half and zeros.count(0) > half // 2:
            return body.decode(encoding, errors="replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        texts = [body.decode(encoding, errors="replace") for encoding in _ENCODINGS]
        return max(texts, key=_likeness)


def _likeness(text: str) -> int:
    """Degree to which the letters beyond ASCII look like those of names."""
    return sum(_weight(one) for one in text if ord(one) > 127)


def _weight(letter: str) -> int:
    if letter in _ITALIAN:
        return 3
    if letter in _USUAL:
        return 2
    return 0 if unicodedata.category(letter).startswith("L") else -3


def rows_of_text(text: str, most: int = MOST_ROWS) -> list[SpreadsheetRow]:
    """Return the rows of ``text``, at most so many; cells of all rows stand in the same columns."""
    lines = text.removeprefix("\ufeff")
    separator = _separator(lines)
    if separator is None:
        read: Iterable[Sequence[str]] = ([line] for line in lines.splitlines())
    else:
        read = csv.reader(io.StringIO(lines, newline=None), delimiter=separator, skipinitialspace=True)
    try:
        return _rows(read, most)
    except csv.Error:
        raise UnreadableFileError("file_unreadable") from None


def _separator(text: str) -> str | None:
    """Return the separator of cells: the character in most lines that divides them most evenly."""
    lines = [line for line in text.splitlines() if line.strip()]
    best: tuple[float, str] | None = None
    for separator in _SEPARATORS:
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]
        except csv.Error:
            continue
        wide = [width for width in widths if width > 1]
        if not wide or 2 * len(wide) <= len(widths):
            continue
        evenness = Counter(wide).most_common(1)[0][1] / len(widths)
        if best is None or evenness > best[0]:
            best = evenness, separator
    return None if best is None else best[1]


def _rows(read: Iterable[Sequence[str]], most: int = MOST_ROWS) -> list[SpreadsheetRow]:
    found: list[SpreadsheetRow] = []
    for number, cells in enumerate(read, start=1):
        plain = tuple(plain_name(cell) for cell in cells[:MOST_COLUMNS])
        if any(plain):
            found.append(SpreadsheetRow(number, plain))
        if len(found) > most:
            raise UnreadableFileError("file_long")
    return found


def _rows_of_workbook(body: bytes) -> list[SpreadsheetRow]:
    """Return the rows of the first sheet that has any."""
    from openpyxl import load_workbook  # half a second on a Pi, and only a workbook needs it

    try:
        with zipfile.ZipFile(io.BytesIO(body)) as parts:
            if sum(one.file_size for one in parts.infolist()) > _MOST_UNPACKED:
                raise UnreadableFileError("file_long")
        book = load_workbook(io.BytesIO(body), read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows = _rows([_cell(value) for value in row] for row in sheet.iter_rows(values_only=True))
            if rows:
                return rows
    except UnreadableFileError:
        raise
    except Exception:  # noqa: BLE001 - of a broken workbook the library raises whatever its parser did
        raise UnreadableFileError("file_unreadable") from None
    return []


def _cell(value: object) -> str:
    """Return a cell as its sheet shows it; a number that is whole without its point."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
