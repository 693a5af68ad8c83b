"""The traveller of every board: contract, lead, tricks, points, and what they are worth against the others. Pure.

Of a round, made once it is over; and of all rounds, where boards travel and a round alone compares nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from table_service.games.bridge.pages.board_facts import BoardFacts, boards_of
from table_service.games.bridge.pages.compared_session import sessions_of
from table_service.games.bridge.pages.comparison import Compared, by_board, compared, matches_of, standing_of
from table_service.games.bridge.pages.match_report import match_section
from table_service.games.bridge.pages.report_text import Speech, adjusted_lines, card_text, deduction_lines, result_text
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable
from table_service.games.reports import EventReport, Grid, Language, Report, RoundPlayed, RoundReport, Section

_WIDTHS: Final = (14.0, 23.0, 23.0, 20.0, 13.0, 16.0, 13.0, 12.0, 12.0, 17.0, 25.0)


def traveller(played: RoundPlayed, language: Language) -> Report:
    """Return the round's boards, each with every table's result and what it is worth."""
    say = Speech(language)
    boards = by_board(boards_of(played))
    matches = matches_of(played.places, played.pairs)
    sections = [match_section(one, boards, played, say) for one in matches]
    if not matches and boards:
        sections.append(_standing(boards, say))
    if off := deduction_lines(played, say):
        sections.append(Section(say("Penalità", "Penalties"), off))
    sections += [
        _board(
            number, [Compared(one, 0) for one in results] if matches else compared(results), say, in_points=not matches
        )
        for number, results in boards.items()
    ]
    if not matches and boards and all(len(results) == 1 for results in boards.values()):
        text = say(
            "In questo turno ogni board è stato a un solo tavolo: i confronti sono in «Board della gara».",
            "In this round each board was at one table alone: they are compared in 'Boards of the event'.",
        )
        sections.insert(0, Section(lines=(text,)))
    if not boards:
        sections.append(Section(lines=(say("Nessun board è stato giocato.", "No board was played."),)))
    return Report(say("Risultati dei board", "Results of the boards"), _about(played, say), tuple(sections))


def _about(played: RoundPlayed, say: Speech) -> str:
    return f"{say('Turno', 'Round')} {played.number} · {played.deals} {say('board', 'boards')}"


def session_boards(rounds: Sequence[RoundPlayed], language: Language) -> Report:
    """Every board over all the rounds that are over, with every table's result in match points."""
    say = Speech(language)
    over = [one for one in rounds if one.is_over]
    sections = [
        _board(number, every, say, in_points=True)
        for session in sessions_of(over)
        for number, every in session.compared().items()
    ]
    if not sections:
        sections = [Section(lines=(say("Nessun board è stato giocato.", "No board was played."),))]
    about = say(f"Turni finiti: {len(over)}", f"Rounds that are over: {len(over)}")
    return Report(say("Board della gara", "Boards of the event"), about, tuple(sections))


def _board(number: int, every: Sequence[Compared], say: Speech, *, in_points: bool) -> Section:
    own = "M.P." if in_points else ""
    heads = (
        say("Tavolo", "Table"), say.line("NS"), say.line("EW"), say("Contratto", "Contract"), say("Di", "By"),
        say("Attacco", "Lead"), say("Prese", "Tricks"), "NS +", "EW +", own, "%" if in_points else "",
    )  # fmt: skip
    if len({one.board.round for one in every}) > 1:
        every = [replace(one, board=replace(one.board, place=say.where(one.board))) for one in every]
    rows = tuple(_row(one, say) for one in every)
    marks = frozenset(place for place, one in enumerate(every) if _is_at_odds(one.board))
    board = every[0].board
    vulnerable = say.word(f"vulnerable_{board.vulnerable or board_vulnerable(number)}")
    title = f"Board {number} · {say('mazziere', 'dealer')} {say.seat(board.dealer or board_dealer(number))}"
    title += f" · {say.word('bridge_vulnerable').lower()}: {vulnerable}"
    grid = Grid(heads, rows, widths=_WIDTHS, marks=marks)
    return Section(title, tuple(_remarks(every, say)), (grid,))


def _row(one: Compared, say: Speech) -> tuple[str, ...]:
    board = one.board
    points = None if board.adjusted is not None else board.points
    is_known = points is not None or board.adjusted is not None
    shown = "" if one.points is None else f"{say.decimal(one.points)} / {one.top}"
    return (
        board.place,
        say.pair(board, "NS"),
        say.pair(board, "EW"),
        result_text(board, say),
        "" if board.contract is None else say.seat(board.contract.declarer),
        "" if board.lead is None else card_text(board.lead),
        _tricks(board),
        ("" if is_known else "?") if points is None else str(points) if points > 0 else "",
        "" if points is None else str(-points) if points < 0 else "0" if points == 0 else "",
        shown,
        "" if one.share is None else f"{say.decimal(one.share.ns)} – {say.decimal(one.share.ew)}",
    )


def _tricks(board: BoardFacts) -> str:
    if board.contract is None:
        return ""
    return "?" if board.result is None else str(board.result)


def _is_at_odds(board: BoardFacts) -> bool:
    """Return True if the result is another than the cards have shown (norm 79.2)."""
    return board.won is not None and board.result is not None and board.won != board.result


def _remarks(every: Sequence[Compared], say: Speech) -> list[str]:
    lines = [line for one in every for line in adjusted_lines(one.board, say)]
    lines += [
        say(
            f"{one.board.place}: risultato {one.board.result}, prese girate {one.board.won} (norma 79.2).",
            f"{one.board.place}: result {one.board.result}, tricks turned {one.board.won} (norm 79.2).",
        )
        for one in every
        if _is_at_odds(one.board)
    ]
    if any(one.group for one in every):
        groups = " · ".join(_groups(every))
        lines.append(
            say(f"Carte diverse (norma 87), a gruppi: {groups}.", f"Different cards (norm 87), in groups: {groups}.")
        )
    artificial = [one.board.place for one in every if one.board.adjusted is not None and not one.board.is_scored]
    if artificial:
        lines.append(
            say(
                f"Punteggio artificiale: {', '.join(artificial)}. Gli altri secondo la formula di Neuberg (norma 12).",
                f"Artificial score: {', '.join(artificial)}. The others by Neuberg's formula (norm 12).",
            )
        )
    missing = [one.board.place for one in every if one.board.points is None and one.board.adjusted is None]
    if missing:
        lines.append(
            say(
                f"Senza risultato noto: {', '.join(missing)}. Gli altri secondo la formula di Neuberg (norma 12).",
                f"Without a known result: {', '.join(missing)}. The others by Neuberg's formula (norm 12).",
            )
        )
    return lines


def _groups(every: Sequence[Compared]) -> list[str]:
    """Return the tables of each group that had the same cards, by their names."""
    numbers = {one.group for one in every}
    return [", ".join(one.board.place for one in every if one.group == number) for number in numbers]


def _standing(boards: Mapping[int, Sequence[BoardFacts]], say: Speech) -> Section:
    rows = tuple(
        (str(place), where, say.line(line), pair or "–", f"{say.decimal(mean, 2)} %", str(count))
        for place, (where, line, pair, mean, count) in enumerate(standing_of(boards), start=1)
    )
    heads = ("", say("Tavolo", "Table"), say("Linea", "Line"), say("Coppia", "Pair"), "%", "Board")
    grid = Grid(heads, rows, widths=(8.0, 18.0, 30.0, 70.0, 22.0, 14.0))
    return Section(say("Percentuali del turno", "Percentages of the round"), (), (grid,))


TRAVELLER: Final = RoundReport("traveller", ("Risultati dei board", "Results of the boards"), traveller)
SESSION_BOARDS: Final = EventReport("boards", ("Board della gara", "Boards of the event"), session_boards)
