"""The tempo log of a board, with what else lay behind the screens and the four hands: for the arbitro alone. Pure.

Made of what he has opened of the table's sealed messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hw.seats import SEATS
from table_service.events.untrusted import as_cards, as_list, as_map, as_name, as_number
from table_service.games.bridge.judges.tempo import NOTHING_S
from table_service.games.bridge.pages.board_facts import BoardFacts, completed, facts_of
from table_service.games.bridge.pages.board_reports import about
from table_service.games.bridge.pages.hand_records import diagram, unknown_cards
from table_service.games.bridge.pages.report_text import Speech, card_text
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.reports import DealPlayed, DealReport, Document, Grid, Language, Report, Section

SEALED_TYPES: Final = frozenset({"board.sealed", "screen.sealed", "tray.passed"})
"""The events whose sealed part tells of a board: each holds what the ones before it did."""


def sealed_facts(played: DealPlayed, opened: Mapping[str, Document]) -> Document:
    """Return what was sealed of the board, each part as it was sealed last: a passing of the tray seals no hands."""
    found: dict[str, Any] = {}
    for event in played.events:
        if event.get("type") in SEALED_TYPES:
            found |= opened.get(str(event.get("id")), {})
    return found


def tempo_log(played: DealPlayed, opened: Mapping[str, Document], language: Language) -> Report:
    """Return the tempo by side and call, changed calls, alerts, stop cards, leads, hands: for the arbitro alone."""
    say, board = Speech(language), facts_of(played)
    secret, start = sealed_facts(played, opened), _start_of(played)
    title = say("Tempi e mani del board (solo per l’arbitro)", "Tempo and hands of the board (for the arbitro alone)")
    if not secret:
        lines = (say("Di questo board non c’è nulla di sigillato.", "Nothing of this board is sealed."),)
        return Report(title, about(board, say), (Section(lines=lines),))
    sections = [
        Section(
            say("Tempi del carrello", "Tempo of the tray"),
            (
                say(
                    f"Fino a {NOTHING_S:g} secondi un passaggio non significa nulla; di più è un indizio a favore "
                    "della parte che riceve il carrello, fino all’attacco (app. 4, 4e–4g), mai un’accusa.",
                    f"Up to {NOTHING_S:g} seconds a passing means nothing; longer is evidence for the side that "
                    "receives the tray, until the lead (app. 4, 4e-4g), never an accusation.",
                ),
            ),
            (_stays(secret, say),),
        ),
        Section(say("Chiamate", "Calls"), (), (_calls(secret, start, say),)),
        *_behind(secret, start, say),
        _leads(secret, start, say),
        _sealed_hands(secret, board, say),
    ]
    return Report(title, about(board, say), tuple(sections))


def _start_of(played: DealPlayed) -> float:
    """Return the second of the table's clock at which the board began."""
    return next((as_number(one.get("t")) or 0.0 for one in played.events if one.get("type") == "deal.started"), 0.0)


def _stays(secret: Document, say: Speech) -> Grid:
    rows, marks = list[tuple[str, ...]](), set[int]()
    stays = [as_map(one) for one in as_list(secret.get("tempo"))]
    while stays and not as_list(stays[-1].get("thought")):
        stays.pop()  # nobody called there any more: the auction was over, the tray is put away
    for one in stays:
        if one.get("evidence_for"):
            marks.add(len(rows))
        thought = ", ".join(
            f"{say.seat(part.get('seat'))} {say.decimal(as_number(part.get('seconds')) or 0.0)} s"
            for part in map(as_map, as_list(one.get("thought")))
        )
        favour = say.side(one["evidence_for"]) if one.get("evidence_for") else "–"
        rows.append(
            (say.side(one.get("side")), f"{say.decimal(as_number(one.get('seconds')) or 0.0)} s", thought, favour)
        )
    heads = (
        say("Da", "With"),
        say("Durata", "Stood"),
        say("Di cui", "Of it"),
        say("Indizio a favore di", "Evidence for"),
    )
    return Grid(heads, tuple(rows), widths=(34.0, 20.0, 80.0, 44.0), marks=frozenset(marks))


def _calls(secret: Document, start: float, say: Speech) -> Grid:
    rows = tuple(
        (
            say.seat(one.get("seat")),
            say.call(as_name(one.get("call")) or "?"),
            _at(one.get("t"), start, say),
            _at(one.get("passed_t"), start, say),
            say.seat(one["passed_by"]) if one.get("passed_by") else "–",
        )
        for one in map(as_map, as_list(secret.get("calls")))
    )
    heads = (
        say("Chi", "Who"), say("Chiamata", "Call"), say("Alle", "At"), say("Passata alle", "Passed at"),
        say("Carrello spinto da", "Tray pushed by"),
    )  # fmt: skip
    return Grid(heads, rows)


def _at(t: object, start: float, say: Speech) -> str:
    """Return a second of the table's clock as minutes of the board."""
    number = as_number(t)
    return "–" if number is None else say.minutes(number - start)


def _behind(secret: Document, start: float, say: Speech) -> list[Section]:
    """Return changed calls, alerts and stop cards, as far as there were any."""
    changed = tuple(
        (
            say.seat(one.get("seat")),
            say.call(as_name(one.get("old")) or "?"),
            "–" if one.get("new") is None else say.call(as_name(one.get("new")) or "?"),
            _at(one.get("t"), start, say),
            say("sì", "yes") if one.get("passed") else say("no", "no"),
        )
        for one in map(as_map, as_list(secret.get("changes")))
    )
    alerts = tuple(
        (
            say.seat(one.get("by")),
            say.seat(one.get("over")),
            say.side(one.get("side")),
            _at(one.get("t"), start, say),
            _at(one.get("returned_t"), start, say),
        )
        for one in map(as_map, as_list(secret.get("alerts")))
    )
    stops = tuple(
        (say.seat(one.get("seat")), _at(one.get("t"), start, say)) for one in map(as_map, as_list(secret.get("stops")))
    )
    who, when = say("Chi", "Who"), say("Alle", "At")
    found = (
        (
            say("Chiamate cambiate", "Changed calls"),
            (who, say("Prima", "Before"), say("Poi", "Then"), when, say("Già passata", "Passed before")),
            changed,
        ),
        (
            "Alert",
            (who, say("Sulla chiamata di", "Over the call of"), say("Da", "With"), when, say("Resa", "Back")),
            alerts,
        ),
        ("Stop", (who, when), stops),
    )
    return [Section(title, (), (Grid(heads, rows),)) for title, heads, rows in found if rows]


def _leads(secret: Document, start: float, say: Speech) -> Section:
    rows = tuple(
        (
            say.seat(one.get("seat")),
            card_text(next(iter(as_cards([one.get("card")])), None)),
            _at(one.get("t"), start, say),
            _at(one.get("faced_t"), start, say),
        )
        for one in map(as_map, as_list(secret.get("leads")))
    )
    heads = (say("Chi", "Who"), say("Carta", "Card"), say("Alle", "At"), say("Scoperta alle", "Faced at"))
    title = say("Attacchi dietro lo schermo", "Leads behind the screen")
    return Section(title, () if rows else ("–",), (Grid(heads, rows),) if rows else ())


def _sealed_hands(secret: Document, board: BoardFacts, say: Speech) -> Section:
    """Return the four hands: by the record of the deal if there is one, else as far as cards have shown them."""
    record = as_map(secret.get("record"))
    told: Mapping[str, Any] = record or as_map(secret.get("hands"))
    known = {
        seat: set(as_cards(told.get(seat.value))) | (set() if record else board.shown.get(seat, set()))
        for seat in SEATS
    }
    hands = completed(known)
    source = (
        say("dall’archivio della smazzata", "by the record of the deal") if record else say("dal gioco", "by the play")
    )
    lines = () if all(len(hands[seat]) == TRICKS for seat in SEATS) else (unknown_cards(hands, say),)
    return Section(f"{say('Le quattro mani', 'The four hands')} ({source})", lines, (diagram(hands, "", say),))


TEMPO_LOG: Final = DealReport("tempo", ("Tempi e quattro mani", "Tempo and four hands"), tempo_log, sealed=True)
