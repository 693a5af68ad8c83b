"""A tournament as a folder to publish: pages without a script, lists for programs, the rounds as a calendar. Pure.

It is made of what the organiser has published and of who sits where: no warning, no member number, no hidden card.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Final

from table_service.console.archive.printed_list import PrintedList, shown_cell
from table_service.console.archive.shared_list import list_png, list_text
from table_service.console.archive.tables_csv import list_csv
from table_service.console.storage import Round
from table_service.console.vocabulary import Words

_STYLE: Final = """:root { color-scheme: light dark; }
body { font: 1.05rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .7rem; }
tr + tr > * { border-top: 1px solid #8886; } .scroll { overflow-x: auto; }
a { display: inline-block; min-height: 44px; padding: 0 .5rem 0 0; line-height: 44px; }
"""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def calendar(rounds: Sequence[Round], words: Words, name: str, hall: str) -> str:
    """Return the rounds as iCalendar (RFC 5545): each from its start to its end, or to what its minutes say."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tavolo//Tavolo//IT"]
    for number, one in enumerate(rounds, start=1):
        begun = datetime.fromtimestamp(one.begun, UTC)
        ended, said = begun + timedelta(minutes=one.minutes), f"{words['round']} {number} · {name}"
        if one.ended is not None:
            ended = datetime.fromtimestamp(one.ended, UTC)
        lines += [
            "BEGIN:VEVENT",
            f"UID:{int(one.begun)}-{one.id}@tavolo",
            f"DTSTAMP:{begun:%Y%m%dT%H%M%SZ}",
            f"DTSTART:{begun:%Y%m%dT%H%M%SZ}",
            f"DTEND:{ended:%Y%m%dT%H%M%SZ}",
            f"SUMMARY:{_escaped(said)}",
            f"LOCATION:{_escaped(hall)}",
            "END:VEVENT",
        ]
    return "".join(f"{folded}\r\n" for line in [*lines, "END:VCALENDAR"] for folded in _folded(line))


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\;," else letter for letter in text).replace("\n", "\\n")


def _folded(line: str) -> list[str]:
    """Return a line in parts of 75 bytes at most; all but the first begin with a space."""
    parts, held = [], ""
    for letter in line:
        if len((held + letter).encode()) > 74:
            parts.append(held)
            held = " "
        held += letter
    return [*parts, held]


def site(
    ranking: PrintedList, seatings: Sequence[PrintedList], dates: str, words: Words, *, title: str, as_of: str
) -> dict[str, bytes]:
    """Return the files of the folder by name; ``index.html`` is the page to open."""
    lists = {"ranking": ranking, **{f"seating-{n}": one for n, one in enumerate(seatings, start=1)}}
    files: dict[str, bytes] = {"style.css": _STYLE.encode(), "rounds.ics": dates.encode()}
    for name, one in lists.items():
        heads = [column.head for column in one.columns]
        files[f"{name}.csv"] = list_csv(heads, one.rows).encode()
        files[f"{name}.txt"] = list_text(one).encode()
        files[f"{name}.png"] = list_png(one)
    body = "".join(_section(name, one) for name, one in lists.items())
    files["index.html"] = (
        f'<!doctype html>\n<html lang="{words.language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="style.css">'
        f"</head><body><main><h1>{escape(title)}</h1><p>{escape(as_of)}</p>{body}"
        f'<p><a href="rounds.ics">{escape(words["site_calendar"])}</a></p></main></body></html>\n'
    ).encode()
    return files


def _section(name: str, one: PrintedList) -> str:
    heads = "".join(f'<th scope="col">{escape(column.head)}</th>' for column in one.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(shown_cell(value))}</td>' for value in row)}</tr>" for row in one.rows)
    links = " ".join(f'<a href="{name}.{ending}">{ending.upper()}</a>' for ending in ("csv", "txt", "png"))
    about = f"{one.title} · {one.about}" if one.about else one.title
    return (
        f'<section><h2>{escape(about)}</h2><div class="scroll" tabindex="0" role="region" aria-label="{escape(about)}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div><p>{links}</p></section>"
    )


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return the folder as a ZIP; the same files give the same bytes."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, body in sorted(files.items()):
            made.writestr(zipfile.ZipInfo(f"tavolo/{name}", _EPOCH), body)
    return held.getvalue()
