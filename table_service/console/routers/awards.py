"""Scores and deductions that an arbitro enters himself, as the game's form has them: entered, undone, withdrawn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ARBITRI, Form, form_of, only, signed_in
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.routers.common import bar
from table_service.console.routers.offered_reports import award_form_of
from table_service.console.routers.standings import chosen_round
from table_service.console.ruling_forms import FormError, number
from table_service.console.settings import Language
from table_service.console.storage import AwardRecord, Round, Session
from table_service.console.streams import PagePart
from table_service.console.tournament_book import tournament_rounds
from table_service.games.reports import AwardForm

LONGEST_REASON: Final = 200
LONGEST_ARTICLE: Final = 40


router = APIRouter()
"""The routes of adjusted scores and deductions."""


@router.get("/awards", dependencies=[Depends(only(ARBITRI, "awards"))])
async def page(request: Request, pages: AskedPages) -> Response:
    """Serve the form and the entries of the newest round, or of ``?round=``; ``?table=``, ``?number=`` fill it."""
    asked = award_round(pages, request.query_params.get("round", ""))
    if asked is None:
        return pages.page(request, "sorry.html", status=404, word=no_award_word(pages))
    query = request.query_params
    return pages.live(
        request, "awards.html", lambda viewer: award_parts(pages, viewer, asked),
        stream=f"/awards/stream?round={asked.number}", form=asked.form, round=asked.number,
        places=asked.round.places, place=query.get("table", ""), number=whole(query.get("number", "")) or "",
        t=pages.store.tables.get(asked.round.places[0]) if asked.round.places else None,
    )  # fmt: skip


@router.get("/awards/stream", dependencies=[Depends(only(ARBITRI))])
async def stream(request: Request, pages: AskedPages) -> Response:
    """Stream the entries as server-sent events."""
    asked = award_round(pages, request.query_params.get("round", ""))
    if asked is None:
        return Response(status_code=404)
    return pages.stream(request, lambda viewer: award_parts(pages, viewer, asked))


@router.post("/awards", dependencies=[Depends(only(ARBITRI))])
async def enter(request: Request, pages: AskedPages) -> Response:
    """Enter a score or a deduction."""
    session, form = signed_in(request), await form_of(request)
    asked = award_round(pages, request.query_params.get("round", ""))
    if asked is None:
        return pages.sorry(request, no_award_word(pages), status=404)
    enter_award(pages, session, asked, form, pages.language(request))
    return pages.done(request, asked.address)


@router.post("/awards/{number}/{deed}", dependencies=[Depends(only(ARBITRI))])
async def take_back(request: Request, pages: AskedPages, number: str, deed: str) -> Response:
    """``undo`` at once what one has entered oneself; ``withdraw`` at any time, with the reason."""
    session, form = signed_in(request), await form_of(request)
    held = pages.book.awards.get(whole(number) or 0)
    if held is None or deed not in ("undo", "withdraw"):
        return Response(status_code=404)
    take_back_award(pages, session, held, deed, form.get("reason", ""))
    return pages.done(request, "/awards")


@dataclass(frozen=True, slots=True)
class AwardRound:
    """The round that awards are asked of or entered in, by its number in the tournament, and its game's form."""

    round: Round
    number: int
    form: AwardForm

    @property
    def address(self) -> str:
        """The page of the round's awards."""
        return f"/awards?{urlencode({'round': self.number})}"


def award_round(pages: Pages, asked: str) -> AwardRound | None:
    """Return the round of that number, else the newest; None if absent, or if its game has no awards."""
    chosen = chosen_round(pages, asked)
    form = None if chosen is None else award_form_of(pages, chosen)
    if chosen is None or form is None:
        return None
    numbered = next((n for n, one in enumerate(tournament_rounds(pages), start=1) if one.id == chosen.id), 0)
    return AwardRound(chosen, numbered, form)


def no_award_word(pages: Pages) -> str:
    """Return the name of the sentence that says why ``award_round`` has found none."""
    return "award_no_round" if chosen_round(pages, "") is None else "award_at_table"


def award_round_of(pages: Pages, held: AwardRecord) -> AwardRound | None:
    """Return the round in which ``held`` was entered; None if it is not of this tournament."""
    number = next((n for n, one in enumerate(tournament_rounds(pages), start=1) if one.id == held.round), None)
    return None if number is None else award_round(pages, str(number))


def enter_award(pages: Pages, session: Session, asked: AwardRound, form: Form, language: Language) -> int:
    """Keep the form's award and log it in ``language``; return its number. Raises FormError, WrongFieldError."""
    place, reason = form.get("table", ""), " ".join(form.get("reason", "").split())[:LONGEST_REASON]
    article = " ".join(form.get("article", "").split())[:LONGEST_ARTICLE]
    if place not in asked.round.places:
        raise FormError("bad_form")
    fields = asked.form.fields_of(form)
    deal = number(form.get("number", ""), whole=True)
    if asked.form.of_deal(fields):
        if deal not in asked.form.numbers:
            raise FormError("award_number", first=asked.form.numbers[0], last=asked.form.numbers[-1])
    else:
        deal = None
    if not article:
        raise FormError("award_article")
    if not reason:
        raise FormError("reason_missing")
    made = pages.book.awards.enter(
        asked.round.id, place, None if deal is None else int(deal), fields, article=article, reason=reason,
        person=session.person.name, now=pages.office.clock(),
    )  # fmt: skip
    pages.book.rounds.touch()
    said = asked.form.sentence(fields)[language == "en"]
    about = {"text": f"{said} ({article})", "name": "" if deal is None else str(deal)}
    pages.office.deed(session, "award", place=place, detail=about)
    return made


def take_back_award(pages: Pages, session: Session, held: AwardRecord, deed: str, reason: str) -> None:
    """``undo`` at once what one has entered oneself; ``withdraw`` at any time, with the reason. Raises FormError."""
    why = _why(pages, session, held, deed, reason)
    pages.book.awards.withdraw(held.id, session.person.name, why, now=pages.office.clock())
    pages.book.rounds.touch()
    about = {"text": why, "name": str(held.number or "")}
    pages.office.deed(session, f"award {deed}", place=held.place, detail=about)


def _why(pages: Pages, session: Session, held: AwardRecord, deed: str, reason: str) -> str:
    """Why an act is taken back; empty for an undo. Raises FormError."""
    if not held.holds:
        raise FormError("award_gone")
    if deed == "undo":
        if not held.may_be_undone(pages.office.clock(), pages.settings.undo, session.person.name):
            raise FormError("award_late")
        return ""
    reason = " ".join(reason.split())[:LONGEST_REASON]
    if not reason:
        raise FormError("reason_missing")
    return reason


def award_parts(pages: Pages, viewer: Viewer, asked: AwardRound) -> Sequence[PagePart]:
    """Entries of a round, the newest first."""
    records, office = pages.book.awards, pages.office

    def held() -> list[AwardRecord]:
        return records.of_round(asked.round.id)[::-1]

    def open_to_undo() -> tuple[int, ...]:
        now, undo = office.clock(), pages.settings.undo
        return tuple(one.id for one in held() if one.may_be_undone(now, undo, viewer.name))

    def version() -> Hashable:
        return records.version, open_to_undo()

    def html() -> str:
        column = 0 if viewer.language == "it" else 1
        seated = pages.book.rounds.seated(asked.round.id)
        rows: list[Mapping[str, Any]] = [
            {
                "one": one,
                "text": asked.form.sentence(one.fields)[column],
                "who": seated.get((one.place, asked.form.line_of(one.fields) or ""), ""),
                "undo": one.id in open_to_undo(),
            }
            for one in held()
        ]
        return pages.render("part_awards.html", viewer, rows=rows, form=asked.form, undo=pages.settings.undo)

    return [PagePart("awards", version, html), *bar(pages, viewer)]
