"""Rows of a damaged journal, found by their own bytes: no page's header, pointer or index is needed.

An SQLite row is in one piece: the length of its record, its number, the record's header (the kinds and lengths of its
columns) and the columns; what does not fit the page continues in a chain of overflow pages. Entries and checkpoints of
a journal have headers that nothing else in the file has (https://www.sqlite.org/fileformat2.html, sections 1.6 and
2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

Row = tuple[int, tuple[bytes | int | None, ...]]
"""The row's number, and its columns behind that."""

_TEXT: Final = rb"[\x0d-\x7f]"
_INTEGER: Final = rb"[\x00-\x06\x08\x09]"
_NUMBER: Final = rb"(?:[\x80-\xff]{0,2}[\x00-\x7f])"
_ENTRY: Final = re.compile(
    rb"(?=[\x09-\x12]\x00" + _TEXT + _TEXT + _INTEGER + _NUMBER + _NUMBER + _NUMBER + rb"\x4c)", re.DOTALL
)
"""kind, boot: short texts; seq: a number or nothing; key, body, secret: texts or nothing; hash: 32 bytes."""
_CHECKPOINT: Final = re.compile(rb"(?=\x05\x00\x4c\x81\x0c)", re.DOTALL)
"""hash: 32 bytes; signature: 64 bytes."""
_WHOLE: Final = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_LONGEST_NUMBER: Final = 5
_SIZES: Final = tuple(1 << power for power in range(9, 17))
_USUAL_SIZE: Final = 4096


class RowScan:
    """The bytes of a journal's file, searched for its rows."""

    def __init__(self, path: Path) -> None:
        """Read the file at ``path``. Raises OSError."""
        self._data = path.read_bytes()
        said = int.from_bytes(self._data[16:18], "big")
        said = 65536 if said == 1 else said
        self._page = said if said in _SIZES else _USUAL_SIZE

    def entries(self) -> Iterator[Row]:
        """Every row that has the form of an entry: kind, boot, seq, key, body, secret, hash."""
        yield from self._rows(_ENTRY, 8)

    def checkpoints(self) -> Iterator[Row]:
        """Every row that has the form of a checkpoint: hash and signature."""
        yield from self._rows(_CHECKPOINT, 3)

    def created(self) -> bytes | None:
        """Time at which the journal was begun, by its ``meta``."""
        found = re.search(rb"created(\d{4}-\d\d-\d\dT[\d:.]+Z)", self._data)
        return None if found is None else found[1]

    def _rows(self, form: re.Pattern[bytes], columns: int) -> Iterator[Row]:
        for match in form.finditer(self._data):
            row = self._row(match.start(), columns)
            if row is not None:
                yield row

    def _row(self, header: int, columns: int) -> Row | None:
        """Return the row whose record's header is at ``header``; None if there is none."""
        behind, kinds = header + 1, list[int]()
        end = header + self._data[header]
        while behind < end:
            kind, behind = _number(self._data, behind)
            kinds.append(kind)
        lengths = [_length(kind) for kind in kinds]
        if behind != end or len(kinds) != columns or None in lengths:
            return None
        size = end - header + sum(one or 0 for one in lengths)
        number = self._number_before(header, size)
        record = None if number is None else self._record(header, size)
        if number is None or record is None:
            return None
        at, values = end - header, list[bytes | int | None]()
        for kind, length in zip(kinds, lengths, strict=True):
            values.append(_value(kind, record[at : at + (length or 0)]))
            at += length or 0
        return number, tuple(values[1:])

    def _number_before(self, header: int, size: int) -> int | None:
        """Return the row's number, which is before the header and behind the record's length."""
        length = _encoded(size)
        for digits in range(1, _LONGEST_NUMBER + 1):
            at = header - digits
            if at - len(length) < 0:
                return None
            number, behind = _number(self._data, at)
            if behind == header and self._data[at - len(length) : at] == length:
                return number
        return None

    def _record(self, header: int, size: int) -> bytes | None:
        """Return the whole record, from its page and the overflow pages behind it; None if one is missing."""
        local = _local(size, self._page)
        record = self._data[header : header + local]
        at = header + local
        while len(record) < size:
            page = int.from_bytes(self._data[at : at + 4], "big")
            at = (page - 1) * self._page
            if page < 2 or at + self._page > len(self._data):
                return None
            record += self._data[at + 4 : at + self._page][: size - len(record)]
        return record


def _local(size: int, page: int) -> int:
    """Return the bytes of a record of ``size`` bytes that are in a leaf's page of ``page`` bytes."""
    if size <= page - 35:
        return size
    least = (page - 12) * 32 // 255 - 23
    local = least + (size - least) % (page - 4)
    return local if local <= page - 35 else least


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number in SQLite's variable length at ``at``, and its end; of at most 8 bytes."""
    value = 0
    for place in range(at, min(at + 8, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value, at + 9


def _encoded(value: int) -> bytes:
    """Encode a number in SQLite's variable length."""
    digits = [value & 0x7F]
    while value := value >> 7:
        digits.append(value & 0x7F | 0x80)
    return bytes(reversed(digits))


def _length(kind: int) -> int | None:
    """Return the length in bytes of a column of that kind; None if a journal has no such kind."""
    return (kind - 12) // 2 if kind >= 12 else _WHOLE.get(kind)


def _value(kind: int, data: bytes) -> bytes | int | None:
    if kind >= 12:
        return data
    return None if kind == 0 else kind - 8 if kind >= 8 else int.from_bytes(data, "big", signed=True)
