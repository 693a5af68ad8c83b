"""The log of people as sentences: what was ordered, on which alert, with what, in the reader's words. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from table_service.console.case_record import option_text
from table_service.console.numbers import whole
from table_service.console.ruling_forms import title_of
from table_service.console.storage import AuditEntry, Case
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_cards, as_list, as_map, as_name
from table_service.referee.catalogue import Catalogue

Life = Callable[[str, str], Case | None]
"""The newest case of a table and key."""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One line of the log. ``link``: the page that it is about; empty where there is none."""

    at: float
    person: str
    deed: str
    place: str
    text: str
    cards: tuple[str, ...] = ()
    link: str = ""


_PAGES: Final = {
    "": "back_to_hall",
    "alert": "page_alert",
    "evidence": "page_evidence",
    "decide": "from_code",
    "table": "table",
    "wall": "wall",
    "round": "round",
    "sheets": "sheet",
    "standing": "standing",
    "archive": "archive",
    "awards": "awards",
    "people": "people",
    "audit": "audit",
    "away": "away",
    "halls": "halls",
    "openid": "way_openid",
    "reports": "page_report",
    "api": "page_api",
}


_WAYS_IN: Final = {
    "day link": "day_link", "first link": "password_link", "openid": "way_openid", "password": "password",
}  # fmt: skip
"""The word of each way in which somebody signs in, by how the log keeps it."""


def line(entry: AuditEntry, words: Words, catalogue: Catalogue | None, life: Life) -> AuditLine:
    """``entry`` for people; what is only of use to programs is left out."""
    deed = words.get(f"deed_{entry.deed}", entry.deed)
    if entry.deed == "saw":
        return _seen(entry, deed, words)
    try:
        about = json.loads(entry.detail) if entry.detail.startswith("{") else None
    except ValueError:
        about = None
    if not isinstance(about, dict):
        return AuditLine(entry.at, entry.person, deed, entry.place, "" if about is not None else _by(entry, words))
    key = as_name(about.get("key")) or ""
    case = life(entry.place, key) if key else None
    document = {} if case is None else case.document
    parts = [part for part in _parts(about, document, words, catalogue) if part]
    link = f"/table/{quote(entry.place)}/alert/{quote(key)}" if case is not None and "row" in document else ""
    return AuditLine(
        entry.at, entry.person, deed, entry.place, " · ".join(parts), as_cards(as_list(about.get("cards"))), link
    )


def _by(entry: AuditEntry, words: Words) -> str:
    """Return the detail of an entry as it is kept; of a sign-in the way in the reader's words, and from where."""
    if old := _BY_PROGRAM.match(entry.detail):
        return f"{words['deal']} {old[1]}"
    why, _, where = entry.detail.partition(" ")
    if entry.deed == "sign-in failed" and why.startswith("openid_"):
        return f"{words.get(why, words['way_openid'])} · {where}"
    way = next((way for way in _WAYS_IN if entry.deed == "sign-in" and entry.detail.startswith(f"{way} ")), None)
    return entry.detail if way is None else f"{words[_WAYS_IN[way]]} · {entry.detail.removeprefix(way).strip()}"


def _seen(entry: AuditEntry, deed: str, words: Words) -> AuditLine:
    path = entry.detail if entry.detail.startswith("/") else ""
    names = [unquote(name) for name in path.split("/")]
    known = next((name for name in ("alert", "evidence", "decide") if name in names), names[1] if path else "")
    name = words.get(_PAGES.get(known, ""), "") or words.get(f"seen_{entry.detail}", "") or path or entry.detail
    return AuditLine(entry.at, entry.person, deed, entry.place, name, link="" if known in ("evidence", "api") else path)


def _parts(
    about: Mapping[str, Any], document: Mapping[str, Any], words: Words, catalogue: Catalogue | None
) -> list[str]:
    """Return what a deed was about, in the order in which it is said."""
    said = [words.get(f"do_{about['do']}") if "do" in about else "", words.text(document.get("title"))]
    row, option = as_name(about.get("row")), as_name(about.get("option"))
    if row is not None:
        said.append(f"{title_of(catalogue, row, words.language)} ({row})")
    if option is not None:
        said.append(option_text(document, option, words, catalogue))
    said += [words.who(about[name]) for name in ("seat", "line", "dealer") if about.get(name)]
    said += _figures(about, words)
    said += _amounts(about, words)
    if about.get("zone"):
        said.append(words.zone(str(about["zone"])))
    if about.get("freeze"):
        said.append(f"{words['freeze']}: {words.get('freeze_' + str(about['freeze']))}")
    said += [words.get(f"{kind}_{about[kind]}") for kind in ("kind", "room") if about.get(kind)]
    said += [str(about[name]) for name in ("note", "text", "outcome", "name") if about.get(name)]
    if about.get("became"):
        said.append(words.get(f"order_{about['became']}"))
    return said


def _figures(about: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield a deal's sheet: which deal, each line's figures by their titles, and the reason."""
    if isinstance(about.get("deal"), int):
        yield f"{words['deal']} {about['deal']}"
    titles = as_map(about.get("titles"))
    for place, figures in as_map(about.get("lines")).items():
        told = [f"{_title(name, titles, words)} {value}" for name, value in as_map(figures).items()]
        if told:
            yield f"{words.who(place)}: {', '.join(told)}"
    if as_name(about.get("reason")):
        yield words.reason(str(about["reason"]))


def _title(name: str, titles: Mapping[str, Any], words: Words) -> str:
    """Return an item of a score sheet as its code calls it."""
    kept = [str(one) for one in as_list(titles.get(name))]
    return words.choose((kept[0], kept[1])) if len(kept) == len(("it", "en")) else words.get(f"sum_{name}", name)


_BY_PROGRAM: Final = re.compile(r"(\d+) \{")
"""Form in which earlier versions kept a deed on a sheet: its deal, then values of the program."""


def _amounts(about: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Points, minutes, deals and seconds (as minutes) of a deed."""
    for name, unit in (("points", "points"), ("minutes", "minutes_short"), ("deals", "deals")):
        if about.get(name) not in (None, ""):
            yield f"{about[name]} {words[unit].lower()}"
    if (seconds := whole(str(about.get("seconds")))) is not None:
        yield f"{seconds // 60} {words['minutes_short']}"


def about_round(form: Mapping[str, str]) -> dict[str, Any]:
    """Return what is kept in the log of a form of the round's page."""
    return {name: value for name, value in as_map(form).items() if name != "csrf" and value}
