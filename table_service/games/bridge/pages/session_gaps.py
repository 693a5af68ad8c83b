"""Open points of a session: pairs that met a board twice, gaps, why a ranking is empty. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from table_service.games.bridge.pages.board_facts import boards_of
from table_service.games.bridge.pages.compared_session import ComparedSession, missing_of
from table_service.games.bridge.pages.report_text import Speech
from table_service.games.reports import RoundPlayed


def why_empty(rounds: Sequence[RoundPlayed], sessions: Sequence[ComparedSession], say: Speech) -> list[str]:
    """Why no pair has a percentage."""
    boards = [one for played in rounds for one in boards_of(played)]
    if not boards:
        return [say("Nessun tavolo ha trasmesso un board.", "No table has reported a board.")]
    found = []
    if not any(played.pairs for played in rounds):
        found.append(
            say(
                "Nessuna coppia è iscritta ai tavoli: scrivi chi siede dove.",
                "No pair is entered at the tables: say who sits where.",
            )
        )
    if all(one.board is None for one in boards):
        found.append(
            say(
                "I board non hanno numero: non si sa quali confrontare.",
                "The boards have no number: nobody knows which to compare.",
            )
        )
    elif not any(one.is_scored for one in boards):
        found.append(say("Nessun board ha un punteggio noto.", "No board has a known score."))
    elif all(session.most < 2 for session in sessions):
        found.append(
            say(
                "Ogni board è stato giocato a un solo tavolo: non c’è con che confrontarlo.",
                "Each board was played at one table alone: there is nothing to compare it with.",
            )
        )
    return found


def to_look_at(session: ComparedSession, say: Speech) -> list[str]:
    """Sentences on the gaps of a session, and on pairs that met a board twice."""
    missing = missing_of(session)
    found = [
        say(
            f"{one.pair} ha giocato due volte il board {one.board.board} (turno {one.board.round}, {one.board.place}):"
            " la seconda non conta finché non dai un punteggio (legge 15).",
            f"{one.pair} has played board {one.board.board} twice (round {one.board.round}, {one.board.place}):"
            " the second counts for nobody until you give a score (law 15).",
        )
        for one in session.repeated
    ]
    if missing.never:
        numbers = ", ".join(map(str, missing.never))
        found.append(say(f"Board che nessuno ha giocato: {numbers}.", f"Boards that nobody played: {numbers}."))
    found += [
        say(f"Turno {number}, {place}: {count} board su {of}.", f"Round {number}, {place}: {count} of {of} boards.")
        for number, place, count, of in missing.tables
    ]
    found += [
        say(
            f"Board {one.board}, turno {one.round}, {one.place}: risultato non noto.",
            f"Board {one.board}, round {one.round}, {one.place}: the result is not known.",
        )
        for one in missing.unknown
    ]
    return found
