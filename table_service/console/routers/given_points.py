"""Points that no table can give: where the code leaves them to the arbitro, or a round ended without a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table_service.console.access import Form
from table_service.console.pages import Pages
from table_service.console.ruling_forms import FormError, number
from table_service.console.storage import Round
from table_service.console.storage.adjustments import RoundAdjustment
from table_service.console.tournament_book import lacks_of

MOST: Final = 10_000
"""Most points that may be given."""
_GIVEN: Final = "points"
_AFTER: Final = ("plays", "silent")
"""Why points are missing that the arbitro gives only once the round is over."""


@dataclass(frozen=True, slots=True)
class ToGive:
    """An entry whose points in a round the arbitro gives, or has given as ``given``; ``mp``: match points as well."""

    entry: str
    place: str
    why: str
    mp: bool
    given: RoundAdjustment | None = None


def to_give(pages: Pages, round_: Round | None) -> list[ToGive]:
    """Points to give in one round; empty without a round."""
    if round_ is None:
        return []
    given = {one.entry: one for one in pages.book.adjustments.of(round_.id) if one.kind == "given"}
    asked = (_GIVEN,) if round_.ended is None else (_GIVEN, *_AFTER)
    lacking = [
        ToGive(one.entry, one.place, one.why, one.mp is None) for one in lacks_of(pages, round_) if one.why in asked
    ]
    named = {one.entry for one in lacking}
    return lacking + [ToGive(e, "", "given", one.mp is not None, one) for e, one in given.items() if e not in named]


def give_points(pages: Pages, person: str, form: Form) -> None:
    """Take the points that the arbitro enters for one entry in one round. Raises FormError."""
    which = number(form.get("round", ""), whole=True)
    round_ = next((one for one in pages.book.rounds.all() if one.id == which), None)
    entry = form.get("entry", "")
    asked = next((one for one in to_give(pages, round_) if one.entry == entry), None)
    if round_ is None or asked is None:
        raise FormError("points_not_now", entry=entry[:60])
    vp = number(form.get("vp", ""), whole=True)
    mp = number(form.get("mp", ""), whole=True) if form.get("mp", "").strip() else None
    if vp is None or not 0 <= vp <= MOST or (mp is not None and abs(mp) > MOST):
        raise FormError("bad_number")
    points = (int(vp), None if mp is None else int(mp))
    pages.book.adjustments.give(round_.id, entry, points, asked.why, person, now=pages.office.clock())
    pages.book.rounds.touch()
