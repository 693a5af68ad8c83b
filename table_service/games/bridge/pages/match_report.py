"""A match of two tables on the traveller: each board in IMPs, the sums, victory points or why there are none. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from table_service.games.bridge.norms.adjusted_scores import knockout_margin
from table_service.games.bridge.pages.award_text import deduction_text, number_text
from table_service.games.bridge.pages.board_facts import BoardFacts
from table_service.games.bridge.pages.comparison import (
    ImpsOfBoard,
    MatchScore,
    TeamMatch,
    in_imps,
    match_score,
    victory,
)
from table_service.games.bridge.pages.report_text import Speech, result_text
from table_service.games.bridge.rules.match_points import VP_BOUNDS
from table_service.games.reports import Grid, RoundPlayed, Section

_WIDTHS: Final = (10.0, 22.0, 14.0, 22.0, 14.0, 12.0, 12.0)


def match_section(
    match: TeamMatch, boards: Mapping[int, Sequence[BoardFacts]], played: RoundPlayed, say: Speech
) -> Section:
    """One match: each board in IMPs, the sum, the victory points or why there are none."""
    every = in_imps(match, boards)
    teams = (
        played.pairs.get((match.open, "NS")) or f"{say.line('NS')} {match.open}",
        played.pairs.get((match.open, "EW")) or f"{say.line('EW')} {match.open}",
    )
    heads = ("Board", match.open, "NS", match.closed, "NS", *teams)
    rows = tuple(_row(one, say) for one in every)
    won = tuple(sum((cell for one in every if (cell := _won(one, n)) is not None), Fraction(0)) for n in (0, 1))
    total = (say("Totale", "Total"), "", "", "", "", *(number_text(one, say.column) for one in won))
    grid = Grid(heads, (*rows, total), widths=_WIDTHS, marks=frozenset({len(rows)}))
    score = match_score(match, every, played)
    lines = [*_victory(score, played.deals, teams, say)]
    odd = [str(one.number) for one in every if one.altered]
    if odd:
        lines.append(
            say(
                f"Carte diverse ai due tavoli (norma 87): board {', '.join(odd)}; decide l’arbitro.",
                f"Different cards at the two tables (norm 87): board {', '.join(odd)}; the arbitro decides.",
            )
        )
    return Section(" – ".join(teams), tuple(lines), (grid,))


def _won(one: ImpsOfBoard, team: int) -> Fraction | None:
    """Figure in a team's column: its gain; if the two do not balance, its own figure with its sign."""
    own = (one.imps, one.away)[team]
    return own if own is None or not one.is_balanced else max(own, Fraction(0))


def _row(one: ImpsOfBoard, say: Speech) -> tuple[str, ...]:
    def told(board: BoardFacts | None) -> tuple[str, str]:
        if board is None:
            return "–", ""
        if board.adjusted is not None:
            return result_text(board, say), ""
        by = "" if board.contract is None else f" {say.seat(board.contract.declarer)[:1]}"
        points = "?" if board.points is None else str(board.points)
        return f"{say.contract(board)}{by} {say.result(board)}".strip(), points

    home, away = _won(one, 0), _won(one, 1)
    if home is None or away is None:
        cells = ("?", "") if home is None else (number_text(home, say.column), "?")
    elif one.is_balanced:
        cells = (
            number_text(home, say.column) if home else "",
            number_text(away, say.column) if away else "" if home else "0",
        )
    else:
        cells = number_text(home, say.column), number_text(away, say.column)
    return str(one.number), *told(one.open), *told(one.closed), *cells


def _victory(score: MatchScore, deals: int, teams: tuple[str, str], say: Speech) -> list[str]:
    lines = [
        say(f"Penalità {deduction_text(one, 0)} ({team})", f"Penalty {deduction_text(one, 1)} ({team})")
        for team, own in zip(teams, score.deductions, strict=True)
        for one in own
    ]
    if score.known < deals or score.home is None or score.away is None:
        unknown = say(
            "I Victory Points non sono noti: manca il confronto di qualche board.",
            "The victory points are not known: some board is not compared.",
        )
        return [unknown, *lines]
    if score.home != -score.away:
        lines.append(_unbalanced(score, (score.home, score.away), teams, say))
    if deals not in VP_BOUNDS:
        there = ", ".join(map(str, VP_BOUNDS))
        none = say(
            f"Le norme non hanno Victory Points per {deals} board (li hanno per {there}): decide l’arbitro.",
            f"The norms have no victory points for {deals} boards (they have for {there}): the arbitro decides.",
        )
        return [none, *lines]
    own, other = victory(deals, score)
    home, away = teams
    if own is None or other is None:
        lines.append(
            say(
                "Il vantaggio in IMP non è intero, e i due interi vicini danno V.P. diversi: decide l’arbitro.",
                "The lead in IMPs is no whole number, and the two next to it give different V.P.: the arbitro decides.",
            )
        )
    shown = ("?" if one is None else number_text(one, say.column) for one in (own, other))
    lead = number_text(abs(score.home), say.column)
    return [f"{home} {next(shown)} – {next(shown)} {away} ({lead} IMP)", *lines]


def _unbalanced(score: MatchScore, own: tuple[Fraction, Fraction], teams: tuple[str, str], say: Speech) -> str:
    """Each team has a score of its own, by law 12C1f or by a fine; a knock-out has one margin."""
    boards = score.on_boards or own
    ahead = knockout_margin(*boards, score.fines)
    leader, margin = (teams[1], ahead) if ahead > 0 else (teams[0], -ahead)
    first, second = (number_text(one, say.column) for one in own)
    lead = number_text(margin, say.column)
    why = " ".join(
        article for article, holds in (("12C1f", boards[0] != -boards[1]), ("8.3", any(score.fines))) if holds
    )
    if not ahead:
        return say(
            f"Punteggi non complementari ({why}): {first} e {second} IMP; in un incontro a K.O. sono pari.",
            f"Scores that do not add up ({why}): {first} and {second} IMPs; in a knock-out they are level.",
        )
    imps = "IMP" if margin == 1 else "IMPs"
    return say(
        f"Punteggi non complementari ({why}): {first} e {second} IMP; in un incontro a K.O. {leader} ha {lead} IMP.",
        f"Scores that do not add up ({why}): {first} and {second} IMPs; in a knock-out {leader} is {lead} {imps} up.",
    )
