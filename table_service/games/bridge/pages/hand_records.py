"""Hand records of the boards of a round or an event: the four hands as the cards that lay open show them. Pure.

Made once the round is over, from public events alone: what no table has shown of a board stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.seats import SEATS, Seat
from table_service.games.bridge.pages.board_facts import BoardFacts, boards_of
from table_service.games.bridge.pages.compared_session import sessions_of
from table_service.games.bridge.pages.comparison import by_board, groups_of
from table_service.games.bridge.pages.double_dummy import STRAINS, double_dummy
from table_service.games.bridge.pages.lin_files import event_lin, is_whole, viewer_link
from table_service.games.bridge.pages.pbn_files import event_pbn, hands_of
from table_service.games.bridge.pages.report_text import Speech, hand_text
from table_service.games.bridge.rules.contract import TRICKS, board_dealer, board_vulnerable
from table_service.games.reports import (
    EventReport,
    Grid,
    Language,
    Report,
    ReportFile,
    RoundPlayed,
    RoundReport,
    Section,
)

_WIDTHS: Final = (1.0, 1.0, 1.0)


def hand_records(played: RoundPlayed, language: Language) -> Report:
    """Every board's four hands; those of boards whose cards differed between tables stand apart."""
    say = Speech(language)
    boards = by_board(boards_of(played))
    sections = [
        _diagram(number, group, say, several=len(groups_of(results)) > 1)
        for number, results in boards.items()
        for group in groups_of(results)
    ]
    if not sections:
        sections = [Section(lines=(say("Nessun board è stato giocato.", "No board was played."),))]
    about = f"{say('Turno', 'Round')} {played.number}"
    return Report(say("Smazzate", "Hand records"), about, tuple(sections))


def event_hands(rounds: Sequence[RoundPlayed], language: Language) -> Report:
    """Return the same of all rounds that are over: a board is one board, in whichever round a table played it."""
    say = Speech(language)
    over = [one for one in rounds if one.is_over]
    sections = [
        _diagram(number, group, say, several=len(groups_of(results)) > 1)
        for session in sessions_of(over)
        for number, results in session.boards.items()
        for group in groups_of(results)
    ]
    if not sections:
        sections = [Section(lines=(say("Nessun board è stato giocato.", "No board was played."),))]
    about = say(f"Turni finiti: {len(over)}", f"Rounds that are over: {len(over)}")
    return Report(say("Smazzate della gara", "Hand records of the event"), about, tuple(sections))


def _diagram(number: int, group: Sequence[BoardFacts], say: Speech, *, several: bool) -> Section:
    hands = hands_of(group)
    lines, grids = _solved(number, group[0], hands, say) if is_whole(hands) else ((unknown_cards(hands, say),), ())
    return Section(
        f"Board {number}" + (f" ({', '.join(one.place for one in group)})" if several else ""),
        lines,
        (diagram(hands, _middle(number, group[0], say), say), *grids),
        links=(
            (say(f"Board {number} in un visore", f"Board {number} in a viewer"), viewer_link(number, group[0], hands)),
        )
        if is_whole(hands)
        else (),
    )


def _solved(
    number: int, board: BoardFacts, hands: dict[Seat, frozenset[str]], say: Speech
) -> tuple[tuple[str, ...], tuple[Grid, ...]]:
    """Par and double-dummy tricks, where the solver is installed."""
    dealer, vulnerable = board.dealer or board_dealer(number), board.vulnerable or board_vulnerable(number)
    found = double_dummy(hands, dealer, vulnerable)
    if found is None:
        return (), ()
    par = f"Par: {say.line('NS')} {found.par:+d} ({', '.join(found.contracts)})" if found.contracts else "Par: 0"
    heads = ("", "♣", "♦", "♥", "♠", say("SA", "NT"))
    rows = tuple((say.seat(seat), *(str(found.tricks[str(seat), strain]) for strain in STRAINS)) for seat in SEATS)
    return (par,), (Grid(heads, rows, say("Prese a carte viste", "Double-dummy tricks")),)


def _middle(number: int, board: BoardFacts, say: Speech) -> str:
    vulnerable = say.word(f"vulnerable_{board.vulnerable or board_vulnerable(number)}")
    dealer = say.seat(board.dealer or board_dealer(number))
    return f"{say('Mazziere', 'Dealer')}: {dealer}\n{say.word('bridge_vulnerable')}: {vulnerable}"


def unknown_cards(hands: dict[Seat, frozenset[str]], say: Speech) -> str:
    """Return how many cards of each hand nobody has seen."""
    lacking = [f"{say.seat(seat)} {TRICKS - len(hands[seat])}" for seat in SEATS if len(hands[seat]) < TRICKS]
    return say(f"Carte non note: {', '.join(lacking)}.", f"Cards not known: {', '.join(lacking)}.")


def diagram(hands: dict[Seat, frozenset[str]], middle: str, say: Speech) -> Grid:
    """Return the four hands as they sit, what is to be said of the board in the middle."""
    n, e, s, w = (f"{say.seat(seat)}\n{hand_text(hands.get(seat, ()))}" for seat in SEATS)
    return Grid((), (("", n, ""), (w, middle, e), ("", s, "")), widths=_WIDTHS)


HAND_RECORDS: Final = RoundReport(
    "hands",
    ("Smazzate (diagrammi)", "Hand records"),
    hand_records,
    text=("pbn", lambda played: event_pbn([played])),
)
EVENT_HANDS: Final = EventReport(
    "hands",
    ("Smazzate della gara", "Hand records of the event"),
    event_hands,
    files=(
        ReportFile("pbn", "application/x-pbn", event_pbn),
        ReportFile("lin", "text/plain; charset=utf-8", event_lin),
    ),
)
