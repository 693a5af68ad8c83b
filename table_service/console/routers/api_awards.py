"""Adjusted scores and deductions in the JSON API: read, entered and taken back as on their page."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Depends, Query, Request

from table_service.console import api_models as models
from table_service.console.access import ARBITRI, only, signed_in
from table_service.console.pages import AskedPages, Pages
from table_service.console.routers.api_errors import ERRORS, ROOT, set_summaries, wrong
from table_service.console.routers.awards import (
    AwardRound,
    award_round,
    award_round_of,
    enter_award,
    no_award_word,
    take_back_award,
)
from table_service.console.storage import AwardRecord

_ROUND: Final = Query(0, alias="round", ge=0, description="the number of the round in the tournament; 0: the newest")


router = APIRouter(prefix=ROOT, responses=ERRORS, tags=["round"])
"""The routes of awards."""


@router.get("/awards", dependencies=[Depends(only(ARBITRI, "api"))])
async def awards(request: Request, pages: AskedPages, wanted: int = _ROUND) -> models.RoundAwards:
    """Awards that arbitri entered in a round, and which of them were taken back."""
    asked, name = _asked(pages, wanted), signed_in(request).person.name
    rows = [_row(pages, one, asked, name) for one in pages.book.awards.of_round(asked.round.id)]
    return models.RoundAwards(round=asked.number, awards=rows)


@router.post("/awards", dependencies=[Depends(only(ARBITRI))], status_code=201)
async def enter(
    request: Request, pages: AskedPages, what: models.EnteredAward, wanted: int = _ROUND
) -> models.AwardRow:
    """Enter an adjusted score or a deduction; it counts at once."""
    asked, session = _asked(pages, wanted), signed_in(request)
    typed = {"table": what.table, "article": what.article, "reason": what.reason}
    form = {**what.fields, **typed, "number": "" if what.number is None else str(what.number)}
    made_id = enter_award(pages, session, asked, form, "en")
    return _row(pages, _held(pages, made_id), asked, session.person.name)


@router.post("/awards/{award}/taken-back", dependencies=[Depends(only(ARBITRI))])
async def take_back(request: Request, pages: AskedPages, award: int, what: models.AwardTakenBack) -> models.AwardRow:
    """Undo or withdraw an award; it stays written."""
    held, session = _held(pages, award), signed_in(request)
    asked = award_round_of(pages, held)
    if asked is None:
        wrong(409, "award_gone")
    take_back_award(pages, session, held, what.deed, what.reason)
    return _row(pages, _held(pages, award), asked, session.person.name)


def _asked(pages: Pages, number: int) -> AwardRound:
    found = award_round(pages, str(number) if number else "")
    if found is None or number not in (0, found.number):
        wrong(404, "award_no_round" if found is not None else no_award_word(pages))
    return found


def _held(pages: Pages, award: int) -> AwardRecord:
    held = pages.book.awards.get(award)
    if held is None:
        wrong(404, "no_page")
    return held


def _row(pages: Pages, one: AwardRecord, asked: AwardRound, reader: str) -> models.AwardRow:
    it, en = asked.form.sentence(one.fields)
    undo = pages.settings.undo
    until = one.at + undo if one.may_be_undone(pages.office.clock(), undo, reader) else None
    return models.AwardRow(
        id=one.id, table=one.place, number=one.number, fields=dict(one.fields), it=it, en=en, article=one.article,
        reason=one.reason, by=one.by, at=one.at, undo_until=until, withdrawn=one.withdrawn,
        withdrawn_by=one.withdrawn_by, why=one.why,
    )  # fmt: skip


set_summaries(router)
