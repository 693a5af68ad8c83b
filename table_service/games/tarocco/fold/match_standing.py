"""State of a match of tarocco, for the public state, for counts and for the end of a round."""

from __future__ import annotations

from typing import Any, Final

from hw.seats import LINES
from table_service.games.tarocco.rules.match import Match

_EXTRA: Final = {"it": "Begati", "en": "Begati"}


def match_state(match: Match) -> dict[str, Any]:
    """Return the match for the table's pages: points, deals won and Begati by line, and its winner, once it is over."""
    result = match.result() if match.is_over else None
    return {
        "form": match.form,
        "deals_won": {str(line): match.deals_won(line) for line in LINES},
        "begati": {str(line): match.begati(line) for line in LINES},
        "is_over": match.is_over,
        "total": {str(line): match.total(line) for line in LINES},
        "winner": None if result is None or result.winner is None else str(result.winner),
        "decided_by": None if result is None else result.by,
    }


def match_told(match: Match) -> dict[str, Any]:
    """Return the match for a ranking: whether each line has ``won`` it, None until one has; its ``points``; ``extra``.

    ``extra`` is the Begati, as ``extra_title`` says: a count beside the ranking that the Giuria may use.
    """
    result = match.result() if match.is_over else None
    winner = None if result is None else result.winner
    return {
        "over": match.is_over,
        "winner": None if winner is None else str(winner),
        "decided_by": None if result is None else result.by,
        "won": {str(line): None if winner is None else line is winner for line in LINES},
        "points": {str(line): match.total(line) for line in LINES},
        "extra": {str(line): match.begati(line) for line in LINES},
        "extra_title": _EXTRA,
    }
