"""A round at one table: what it begins with, and its result in match points and victory points, rulings included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hw.seats import LINES, Line
from table_service.events import payloads as say
from table_service.games.burraco.counting import Scores
from table_service.games.burraco.fold.round_state import DealBook, Sitting
from table_service.games.burraco.rules.vp import NoTableError, victory_points
from table_service.referee.catalogue import Row
from table_service.referee.round import LineResult
from table_service.referee.round_options import opening

ByLine = dict[str, int | None]


def start(sitting: Sitting, fields: Mapping[str, Any], t: float) -> None:
    """A round begins."""
    sitting.referee.new_round(opening(sitting.header, sitting.catalogue.tournament, fields))
    sitting.deals = sitting.referee.book.deals
    sitting.scores = Scores(sitting.book, sitting.scores.teams, sitting.deals)
    sitting.number, sitting.deal, sitting.this, sitting.running = 0, None, DealBook(), True
    sitting.sheets.clear()
    sitting.owed, sitting.round_end = dict.fromkeys(LINES, 0), None
    minutes = fields.get("minutes")
    length = minutes if isinstance(minutes, int | float) and not isinstance(minutes, bool) else None
    book = sitting.referee.book
    started = say.RoundStarted(
        deals=sitting.deals,
        minutes=length,
        warnings={str(line): count for line, count in book.before.items()},
        warning_count=book.rules.warning_count,
        call_at=book.rules.call_at,
        room=book.room,
    )
    sitting.say("round.started", started, t)


def tell_end(sitting: Sitting, t: float) -> None:
    """Tell the end of the round, or tell it again where a ruling has changed it since."""
    before = sitting.round_end
    told = say.RoundEnded(
        deals=len(sitting.scores.totals),
        supersedes=None if before is None else before[0],
        **standing(sitting),
    )
    shown = told.model_dump(exclude={"supersedes"})
    if before is None or before[1] != shown:
        event = sitting.say("round.ended", told, t)
        sitting.round_end = (event.id, shown)


def standing(sitting: Sitting) -> dict[str, Any]:
    """The result as it stands: match points and victory points by line, what warnings cost, what rulings gave."""
    book, result = sitting.referee.book, results(sitting)
    points: ByLine = {str(line): result[line].vp for line in LINES}
    return {
        "match_points": {str(line): result[line].mp for line in LINES},
        "victory_points": None if set(points.values()) == {None} else points,
        "deductions": {str(line): lost for line, lost in book.deductions().items()},
        "adjustments": tuple(
            say.Adjustment(key=one.key, row=one.row, line=one.line, do=one.share.do, points=one.share.points or None)
            for one in book.awards
        ),
    }


def results(sitting: Sitting) -> dict[Line, LineResult]:
    """Match points and victory points of each line, rulings included."""
    return sitting.referee.book.result(lead(sitting), lambda diff: _vp(sitting, diff))


def lead(sitting: Sitting) -> int | None:
    """What NS leads by in play; None where a total is not known."""
    return sitting.scores.match_points()["NS"]


def ruled(
    sitting: Sitting, key: str, row: Row, ruling: tuple[tuple[str, object], ...], t: float, *, lifted: bool
) -> None:
    """Tell what a ruling gives to each line."""
    given = [] if lifted else [one for one in sitting.referee.book.awards if one.key == key]
    result = results(sitting)
    shares = tuple(
        say.GivenShare(
            line=one.line,
            do=one.share.do,
            points=one.share.points or None,
            match_points=None if one.share.do == "bonus" else result[one.line].mp,
            victory_points=None if one.share.do == "bonus" else result[one.line].vp,
        )
        for one in given
    )
    data = say.RoundRuled(
        key=key,
        row=row.id,
        article=row.article,
        title=say.Text(it=row.title.it, en=row.title.en),
        shares=shares,
        ruling=dict(ruling),
        lifted=lifted,
    )
    sitting.say("round.ruled", data, t)


def _vp(sitting: Sitting, diff: int) -> tuple[int, int] | None:
    """Victory points for a lead; None where one table cannot know them, as in one room of a match of teams."""
    if sitting.deals is None or sitting.referee.book.room is not None:
        return None
    try:
        return victory_points(sitting.book, sitting.deals, diff, teams=sitting.scores.teams)
    except NoTableError:
        return None
