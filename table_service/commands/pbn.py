"""`tavolo pbn check`: records of boards, judged; an answer a board as JSON, or a line a board for a person."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from table_service.games.definition import Records
from table_service.rulesets import BOOKS, RULE_SETS

_UNREADABLE: Final = 2
_UNPRINTED: Final = re.compile(rb"[\x00-\x08\x0e-\x19\x1b-\x1f]")
"""Bytes of no text in any of the codings of records, end of line, of page and of file (1A) apart."""
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def check_files(files: Sequence[Path], *, as_json: bool) -> int:
    """Print an answer for each board of ``files``; 0 all sound, 1 a board is bad, 2 a file cannot be read."""
    records = _records()
    worst = 0
    for path in files:
        try:
            data = path.read_bytes()
        except OSError as error:
            sys.stderr.write(f"tavolo: {path} cannot be read: {error.strerror or error}\n")
            worst = _UNREADABLE
            continue
        if _UNPRINTED.search(data) and not data.startswith(_WIDE):
            sys.stderr.write(f"tavolo: {path} cannot be read: it holds bytes that stand in no text\n")
            worst = _UNREADABLE
            continue
        boards = 0
        for answer in records.check(data, str(path)):
            boards += 1
            bad = records.is_bad(answer)
            worst = max(worst, int(bad))
            print(json.dumps(answer, ensure_ascii=False) if as_json else _line(answer, bad=bad))
        if not boards:
            sys.stderr.write(f"tavolo: {path} holds no board\n")
            worst = max(worst, 1)
    return worst


def _records() -> Records:
    known = [*(one.calculators for one in RULE_SETS.values()), *(one.calculators for one in BOOKS.values())]
    return next(one.records for one in known if one.records is not None)


def _line(answer: Mapping[str, Any], *, bad: bool) -> str:
    auction, score = answer["auction"], answer["score"]
    contract = auction["contract"] or "no contract"
    if auction["declarer"]:
        contract += f" by {auction['declarer']}"
    tricks = "" if answer["tricks"] is None else f", {answer['tricks']} tricks"
    points = "" if score["NS"] is None else f", NS {score['NS']:g}"
    told = [f"  line {one['line'] or '?'} [{one['tag']}]: {one['text']}" for one in answer["errors"]]
    told += [
        f"  {one['seat']} revoked in trick {one['trick']} with {one['card']}"
        f"{'' if one['established'] else ', not established'}"
        for one in answer["play"]["revokes"]
    ]
    head = f"{answer['file']}: board {answer['board'] or '?'}: deal {answer['deal']}, {contract}{tricks}{points}"
    return "\n".join([f"{head}: {'not sound' if bad else 'sound'}", *told])
