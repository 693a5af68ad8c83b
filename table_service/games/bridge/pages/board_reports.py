"""Reports on one board from public events: its course as all four know it, and the arbitro's report. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hw.seats import SEATS, seat_or_none
from table_service.events.untrusted import as_list, as_map
from table_service.games.bridge.pages.board_facts import BoardFacts, facts_of
from table_service.games.bridge.pages.hand_records import diagram, unknown_cards
from table_service.games.bridge.pages.report_text import Speech, card_text, clock_text, entered_text, seat_order
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.reports import DealPlayed, DealReport, Document, Grid, Language, Report, Section

_STATES: Final = {
    "open": ("da decidere", "open"),
    "healed": ("sanata", "healed"),
    "ruled": ("decisa", "ruled"),
    "dismissed": ("archiviata", "dismissed"),
}


# -- the course --------------------------------------------------------------------------------------------------------


def course(played: DealPlayed, _opened: Mapping[str, Document], language: Language) -> Report:
    """Auction, tricks, claim and result as all four know them, the cards that lay open, what was found."""
    say, board = Speech(language), facts_of(played)
    sections = [
        Section(say.word("bridge_auction"), _alert_lines(board, say), (auction_grid(board, say),)),
        Section(say("Gioco", "Play"), play_lines(board, say), (_tricks(board, say),) if board.tricks else ()),
        _hands(board, say),
    ]
    if board.rows:
        sections.append(Section(say("Irregolarità", "Irregularities"), (), (_irregularities(board, say),)))
    sections += _entered(board, say)
    return Report(say("Svolgimento del board", "Course of the board"), about(board, say), tuple(sections))


def about(board: BoardFacts, say: Speech) -> str:
    """Return which board of which table this is, dealer, vulnerability, pairs."""
    vulnerable = say.word(f"vulnerable_{board.vulnerable or 'unknown'}")
    parts = [
        f"{say('Tavolo', 'Table')} {board.place}",
        f"Board {board.board if board.board is not None else '?'}",
        f"{say('mazziere', 'dealer')} {say.seat(board.dealer)}",
        f"{say.word('bridge_vulnerable').lower()}: {vulnerable}",
    ]
    parts += [f"{say.line(line)}: {name}" for line, name in board.pairs.items() if name]
    return " · ".join(parts)


def auction_grid(board: BoardFacts, say: Speech) -> Grid:
    """Return the calls in rows of four, the dealer first; what came out of turn is under its caller."""
    order = seat_order(board.dealer)
    rows: list[list[str]] = []
    place = len(order)
    for one in board.calls:
        column = order.index(one.seat)
        if column <= place or not rows:
            rows.append([""] * len(order))
        place = column
        rows[-1][column] = say.call(one.call)
    return Grid(tuple(say.seat(seat) for seat in order), tuple(map(tuple, rows)))


def _alert_lines(board: BoardFacts, say: Speech) -> tuple[str, ...]:
    lines = [
        say(f"Alert di {say.seat(seat)}, da {say.side(side)}.", f"Alert by {say.seat(seat)}, with {say.side(side)}.")
        for what, seat, side in board.alerts
        if what == "shown"
    ]
    return tuple(lines)


def play_lines(board: BoardFacts, say: Speech) -> tuple[str, ...]:
    """Contract, lead, claim and result as sentences."""
    if board.contract is None:
        return (
            say.contract(board) if board.passed_out else say("Il contratto non è noto.", "The contract is unknown."),
        )
    lines = [f"{say.of_contract(board.contract)} {say.word('bridge_by')} {say.seat(board.contract.declarer)}"]
    if board.lead is not None:
        lines.append(f"{say('Attacco', 'Lead')}: {card_text(board.lead)}")
    if board.claim is not None:
        seat, cards = board.claim
        shown = " ".join(map(card_text, cards))
        lines.append(f"{say('Carte messe a terra da', 'Hand laid down by')} {say.seat(seat)}: {shown or '–'}")
    won, result = board.won, board.result
    lines.append(
        f"{say('Prese del dichiarante', 'Declarer’s tricks')}: {'?' if result is None else result}"
        + (f" ({say('girate', 'turned')}: {won})" if won is not None and won != result else "")
    )
    if board.points is not None:
        lines.append(f"{say.line('NS')}: {board.points:+d}")
    return tuple(lines)


def _tricks(board: BoardFacts, say: Speech) -> Grid:
    rows = []
    for trick in board.tricks:
        laid = dict(trick.cards)
        marked = (
            ("" if seat not in laid else card_text(laid[seat])) + (" •" if seat is trick.led else "") for seat in SEATS
        )
        rows.append((str(trick.number), *marked, "?" if trick.winner is None else say.seat(trick.winner)))
    heads = (say("Presa (• esce)", "Trick (• leads)"), *map(say.seat, SEATS), say("Vince", "Won by"))
    return Grid(heads, tuple(rows))


def _hands(board: BoardFacts, say: Speech) -> Section:
    hands = {seat: board.shown.get(seat, frozenset()) for seat in SEATS}
    whole = all(len(hands[seat]) == TRICKS for seat in SEATS)
    title = say("Le mani, per le carte scoperte", "The hands, by the cards that lay open")
    return Section(title, () if whole else (unknown_cards(hands, say),), (diagram(hands, "", say),))


def _irregularities(board: BoardFacts, say: Speech) -> Grid:
    rows = []
    for one in board.rows:
        title = as_map(one.get("title"))
        state = _STATES.get(str(one.get("state")), ("?", "?"))
        rows.append(
            (
                str(one.get("row") or "?"),
                str(one.get("article") or ""),
                str(title.get(say("it", "en")) or ""),
                say.seat(one["offender"]) if seat_or_none(one.get("offender")) else str(one.get("offender") or "–"),
                say(*state),
            )
        )
    heads = (say("Voce", "Row"), say("Articolo", "Article"), "", say("Chi", "Who"), say("Stato", "State"))
    return Grid(heads, tuple(rows), widths=(20.0, 24.0, 80.0, 18.0, 24.0))


# -- forms -------------------------------------------------------------------------------------------------------------


def arbitro_report(played: DealPlayed, _opened: Mapping[str, Document], language: Language) -> Report:
    """Return the arbitro's report, filled in with what the table knows; what he saw and heard he writes (norm 74)."""
    say, board = Speech(language), facts_of(played)
    facts = [
        f"{say('Inizio del board', 'Board began')}: {clock_text(played, board.began)}",
        f"{say('Fine', 'Ended')}: {clock_text(played, board.ended)}",
        *play_lines(board, say),
    ]
    sections = [Section(say("Fatti registrati dal tavolo", "Facts that the table recorded"), tuple(facts))]
    sections.append(Section(say.word("bridge_auction"), _alert_lines(board, say), (auction_grid(board, say),)))
    if board.rows:
        sections.append(Section(say("Irregolarità", "Irregularities"), (), (_irregularities(board, say),)))
        steps = [f"{one.get('row')}: {text}" for one in board.rows for text in _remedies(one, say)]
        if steps:
            sections.append(
                Section(say("Rimedi proposti dal tavolo", "Remedies that the table proposed"), tuple(steps))
            )
    sections += _entered(board, say)
    sections.append(
        Section(
            say("Dichiarazioni dell’arbitro", "The arbitro’s statements"),
            (
                say(
                    "Su quanto è avvenuto in sua presenza o ha sentito valgono come prova privilegiata (norma 74).",
                    "On what happened before him, or what he heard, they are privileged evidence (norm 74).",
                ),
            ),
            blanks=(
                say("Che cosa ho visto e sentito", "What I saw and heard"),
                say("Che cosa hanno detto i giocatori", "What the players said"),
                say("Decisione e articoli", "Decision and articles"),
                say("Penalità", "Penalties"),
            ),
            signatures=(say("L’arbitro", "The arbitro"), say("Data e ora", "Date and time")),
        )
    )
    return Report(say("Referto arbitrale", "Arbitro’s report"), about(board, say), tuple(sections))


def _entered(board: BoardFacts, say: Speech) -> list[Section]:
    """Arbitri's entries on the board: adjusted scores, per cent taken off."""
    if not board.entered:
        return []
    return [
        Section(say("Decisione inserita", "Entered ruling"), tuple(entered_text(one, say) for one in board.entered))
    ]


def _remedies(one: Document, say: Speech) -> Sequence[str]:
    texts = (as_map(step.get("text")) for step in map(as_map, as_list(one.get("remedy"))))
    return [str(text.get(say("it", "en")) or "") for text in texts if text]


COURSE: Final = DealReport("course", ("Svolgimento", "Course"), course)
ARBITRO_REPORT: Final = DealReport("report", ("Referto arbitrale (74)", "Arbitro’s report (74)"), arbitro_report)
