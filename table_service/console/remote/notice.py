"""Notice of an alert for somebody outside the hall: no more than a locked telephone may show. Pure.

Table, title of the row, how grave it is, and a link. No card, no seat, no person; the pair only if the hall says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from table_service.console.ruling_forms import title_of
from table_service.console.settings import Language
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_name
from table_service.referee.catalogue import Catalogue

SEVERITIES: Final = ("call", "play-stops", "score", "warning", "note")
LINES_MOST: Final = 4
"""So many alerts are named in one push; of more only their number is said."""


@dataclass(frozen=True, slots=True)
class AlertNotice:
    """One alert as it leaves the hall. ``kind``: alert, call, raised, second, test. ``titles``: Italian and English.

    ``who``: the pair, where the hall lets names out. ``at``: seconds since 1970.
    """

    kind: str
    place: str
    key: str
    severity: str
    titles: tuple[str, str]
    at: float
    who: str = ""

    @property
    def path(self) -> str:
        """The page that it is about."""
        if self.kind == "test":
            return "/away"
        table = f"/table/{quote(self.place, safe='')}"
        return table if self.severity == "call" else f"{table}/alert/{quote(self.key, safe='')}"

    def line(self, words: Words) -> str:
        """Return the notice in one line: table, title, severity."""
        title = self.titles[0 if words.language == "it" else 1]
        if self.kind == "test":
            return title
        said = [self.place, title]
        said += [words[f"severity_{self.severity}"]] if self.severity != "call" else []
        said += [words[f"away_{self.kind}"]] if self.kind in ("raised", "second") else []
        return " · ".join([*said, *([self.who] if self.who else [])])


def notice_of(
    kind: str, place: str, key: str, document: Mapping[str, Any], catalogue: Catalogue | None, at: float, who: str = ""
) -> AlertNotice:
    """Return the notice of an alert. Its title is the code's own, never a text that a table has sent."""
    row = as_name(document.get("row"))
    called = row is None or document.get("call") is True
    severity = "call" if called else str(document.get("severity", "note"))
    severity = severity if severity in SEVERITIES else "note"
    titles = (_title("it", row, catalogue), _title("en", row, catalogue))
    return AlertNotice(kind, _short(place, 40), key, severity, titles, at, _short(who, 80))


def trial(at: float) -> AlertNotice:
    """Return the notice with which a person tests whether he is reached."""
    return AlertNotice("test", "", "", "note", (Words("it")["away_test_text"], Words("en")["away_test_text"]), at)


def push_message(notices: Sequence[AlertNotice], words: Words, hall: str) -> dict[str, str]:
    """Notices, oldest first, as the service worker shows them."""
    lines = [_short(one.line(words), 110) for one in notices[-LINES_MOST:]]
    more = len(notices) - len(lines)
    body = "\n".join([*lines, *([words.say("away_more", n=more)] if more else [])])
    single = notices[0] if len(notices) == 1 else None
    return {
        "title": f"Tavolo · {_short(hall, 40)}",
        "body": body,
        "url": "/#queue" if single is None else single.path,
        "tag": "many" if single is None else _short(f"{single.place} {single.key}", 80),
        "lang": words.language,
    }


def mail_text(notices: Sequence[AlertNotice], words: Words, hall: str, address: str) -> tuple[str, str]:
    """Notices as subject and text of one mail."""
    one = len(notices) == 1
    about = notices[0].line(words) if one else words.say("away_several", n=len(notices))
    lines = [words.say("away_mail_head", hall=_short(hall, 60)), ""]
    for notice in notices:
        lines += [notice.line(words), f"{address}{notice.path}", ""]
    lines.append(words.say("away_mail_foot", where=f"{address}/away"))
    return _short(f"Tavolo {hall}: {about}", 150), "\n".join(lines) + "\n"


def mqtt_message(notice: AlertNotice, language: Language, address: str) -> dict[str, Any]:
    """Return a notice as a program outside hears it."""
    title = notice.titles[0 if language == "it" else 1]
    body = {"kind": notice.kind, "table": notice.place, "title": title, "severity": notice.severity, "at": notice.at}
    return body | {"link": f"{address}{notice.path}"} | ({"pair": notice.who} if notice.who else {})


def _title(language: Language, row: str | None, catalogue: Catalogue | None) -> str:
    words = Words(language)
    if row is None:
        return words["away_call"]
    known = catalogue is not None and row in catalogue.rows
    return _short(title_of(catalogue, row, language), 90) if known else words["away_alert"]


def _short(text: str, most: int) -> str:
    """``text`` in one line that is not too long, without what no line holds."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return plain if len(plain) <= most else plain[: most - 1] + "…"
