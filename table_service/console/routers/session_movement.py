"""The movement of a session of boards: chosen once, it says for each round who sits where with which boards."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import LONGEST_RECORDS, ROUND, Form, form_of, only, signed_in
from table_service.console.entry_list import entries_of
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages
from table_service.console.round_page import next_seats
from table_service.console.routers.hall import order
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import Seats
from table_service.console.seating_proposals import BY_PLAN, Evening, Proposal, as_seats, planned_round, propose
from table_service.console.storage import Round
from table_service.console.tournament_book import evening_of, played_of, tournament_rounds
from table_service.games.reports import DealOrder
from table_service.tournament import NoSeatingError, Offer, SessionPlan, offers, plan_of, planned

MOST_BOARD: Final = 999
USUAL_BOARDS: Final = 24
"""Boards of an evening if no number is given."""
_RANGE: Final = re.compile(r"(\d{1,3})(?:\s*[-–]\s*(\d{1,3}))?")


router = APIRouter()
"""The route by which the records of a whole session come."""


@router.post("/session/records", dependencies=[Depends(only(ROUND, longest=LONGEST_RECORDS))])
async def records(request: Request, pages: AskedPages) -> Response:
    """Take a file of deals for the session: kept in memory until the console ends, in no file and no log."""
    session, form = signed_in(request), await form_of(request)
    keep_records(pages, form.get("record", ""))
    pages.office.deed(session, "round records")
    return pages.done(request, "/round")


def plan_in(pages: Pages) -> SessionPlan | None:
    """Return the movement that was chosen for the session, or None."""
    held = pages.book.choices.plan
    return None if held is None else plan_of(held)


def choose(pages: Pages, person: str, form: Form) -> None:
    """Choose one of the movements that are offered for the session. Raises FormError."""
    tables = order(tuple(pages.store.tables))
    if pages.book.rounds.running is not None or played_of(pages, tables):
        raise FormError("movement_not_now")
    entries = list(entries_of(form.get("entries", "")))
    found, number = offered(len(entries), form), whole(form.get("offer", ""))
    if number is None or not 0 <= number < len(found):
        raise FormError("bad_form")
    if form.get("lot") == "1":
        secrets.SystemRandom().shuffle(entries)
    places = dict(pages.settings.floors).get(form.get("floor", ""), tuple(tables))
    try:
        plan = planned(found[number], entries, [one for one in tables if one in places])
    except NoSeatingError as error:
        raise FormError(f"seating_{error.reason}", **error.terms) from None
    pages.book.choices.choose_plan(plan.as_json(), person, now=pages.office.clock())
    pages.book.rounds.touch()


def late_pair(pages: Pages, person: str, form: Form) -> None:
    """Have a pair that comes late play from the next round on. Raises FormError."""
    plan, number = plan_in(pages), next_number(pages)
    entry = " ".join(form.get("entry", "").split())
    if plan is None or pages.book.rounds.running is not None or not entry:
        raise FormError("bad_form")
    if entry.casefold() in {one.casefold() for one in plan.entries}:
        raise FormError("pairs_twice", pair=entry)
    try:
        changed = plan.with_late(entry, number)
    except NoSeatingError as error:
        raise FormError(f"seating_{error.reason}", number=number) from None
    pages.book.choices.choose_plan(changed.as_json(), person, now=pages.office.clock())
    pages.book.rounds.touch()


def drop(pages: Pages, _person: str, _form: Form) -> None:
    """Drop the session's movement: each round is proposed by itself."""
    if pages.book.rounds.running is not None:
        raise FormError("bad_form")
    pages.book.choices.drop_plan()
    pages.book.rounds.touch()


def offered(pairs: int, form: Mapping[str, str]) -> list[Offer]:
    """Return the movements for ``pairs`` and the boards of a form. Raises FormError."""
    boards = whole(form.get("boards", "")) or USUAL_BOARDS
    try:
        return offers(pairs, boards, one_ranking=form.get("one_ranking") == "1")
    except NoSeatingError:
        raise FormError("seating_no_movement", pairs=pairs, boards=boards) from None


def next_number(pages: Pages) -> int:
    """Return the number of the round that comes next in the tournament."""
    return len(played_of(pages, order(tuple(pages.store.tables)))) + 1


# -- a round -----------------------------------------------------------------------------------------------------------


def planned_seats(evening: Evening, leaving: Sequence[str] = ()) -> Seats:
    """Seats of the next round by the session's movement. Raises FormError."""
    assert evening.plan is not None  # noqa: S101 - asked before
    found = propose(BY_PLAN, (), evening, lambda _entries: None, leaving=leaving)
    return as_seats(found, evening.plan.places)


@dataclass(frozen=True, slots=True)
class RoundBoards:
    """The boards of a round by table, and who sits where in the round after it."""

    by_place: Mapping[str, tuple[int, ...]]
    then: Seats
    records: Mapping[int, str]

    def terms(self, seated: Seats, place: str) -> dict[str, Any]:
        """Fields about it in the order that starts a table's round."""
        own, goes = self.by_place.get(place, ()), next_seats(seated, self.then, place)
        return {**({"boards": list(own)} if own else {}), **({"next": goes} if goes else {})}

    def secret(self, place: str) -> dict[str, Any]:
        """Return the records of its boards, which no file of the console has."""
        own = {str(one): self.records[one] for one in self.by_place.get(place, ()) if one in self.records}
        return {"records": own} if own else {}


def boards_of(pages: Pages, number: int, places: Sequence[str], typed: str, deals: int) -> RoundBoards:
    """Return the boards of round ``number``: those that were ``typed`` at every table, else by the session's movement.

    Raises FormError where they are no numbers, or not as many as the round has deals.
    """
    plan, everywhere = plan_in(pages), numbers_of(typed)
    by_place = dict.fromkeys(places, everywhere) if everywhere else {} if plan is None else plan.boards(number)
    wrong = next((own for own in by_place.values() if len(own) != deals), None)
    if wrong is not None:
        raise FormError("boards_not_deals", n=len(wrong), deals=deals)
    then: Seats = {}
    if plan is not None and not everywhere and number < plan.rounds:
        evening = evening_of(pages, places)
        then = as_seats(Proposal(planned_round(evening, plan, number + 1)), plan.places)
    return RoundBoards(by_place, then, records_of(pages, {one for own in by_place.values() for one in own}))


def boards_again(pages: Pages, running: Round, place: str) -> RoundBoards:
    """Return the same of the round that runs, for a table that begins it late."""
    told = [one.fields.get("boards") for at in running.places for one in pages.book.orders.of(at)
            if one.do == "start-round" and one.given >= running.begun]  # fmt: skip
    plan, number = plan_in(pages), len(tournament_rounds(pages))
    own: tuple[int, ...] = () if plan is None else plan.boards(number).get(place, ())
    if not own and told and isinstance(told[0], list) and all(one == told[0] for one in told):
        own = tuple(told[0])
    return RoundBoards({place: own} if own else {}, {}, records_of(pages, set(own)))


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the numbers of boards as they are typed. Raises FormError.

    >>> numbers_of("1-4, 7")
    (1, 2, 3, 4, 7)
    """
    found: list[int] = []
    for part in text.replace(";", ",").split(","):
        if not part.strip():
            continue
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= MOST_BOARD:
            raise FormError("boards_bad", text=part.strip()[:20])
        found += range(first, last + 1)
    if len(set(found)) < len(found):
        raise FormError("boards_bad", text=text.strip()[:20])
    return tuple(found)


# -- records -----------------------------------------------------------------------------------------------------------


def _deal_order(pages: Pages) -> tuple[str, DealOrder] | None:
    """Return the game of the hall's tables whose deals have records, and how they are read."""
    every = [pages.rule_set(one) for one in pages.store.tables.values() if one.state is not None]
    codes = [code for code in every if code is not None and code.pages.deal_order is not None]
    return None if not codes or codes[0].pages.deal_order is None else (codes[0].game, codes[0].pages.deal_order)


def keep_records(pages: Pages, text: str) -> None:
    """Keep a session's records for its rounds. Raises FormError, WrongFieldError where they hold no deal."""
    known = _deal_order(pages)
    if known is None or not text.strip():
        raise FormError("bad_form")
    known[1].check(text)
    pages.office.keep_deals(known[0], text)
    pages.book.rounds.touch()


def records_of(pages: Pages, numbers: set[int]) -> Mapping[int, str]:
    """Return the records of these deals, as far as the loaded file has them."""
    known, kept = _deal_order(pages), pages.office.deal_file
    if known is None or kept is None or kept.game != known[0] or not numbers:
        return {}
    return known[1].records_of(kept.text, numbers)


def session_values(pages: Pages, request: Request, evening: Evening, language: str) -> dict[str, Any]:
    """Values for the round's page: the movement that was chosen, else those that are offered."""
    column, plan, asked = int(language != "it"), evening.plan, dict(request.query_params)
    refused: FormError | None = None
    shown: list[tuple[str, str]] = []
    if plan is None and asked.get("session") == "1":
        try:
            found = offered(len(entries_of(asked.get("entries", ""))), asked)
            shown = [(one.name[column], one.cost[column]) for one in found]
        except FormError as error:
            refused = error
    number, chosen = len(evening.played) + 1, None
    if plan is not None:
        boards = plan.boards(number)
        chosen = {
            "name": plan.offer.name[column], "cost": plan.offer.cost[column], "number": number, "rounds": plan.rounds,
            "boards": [(place, spelled(boards[place])) for place in plan.places if place in boards],
            "each": plan.offer.each,
        }  # fmt: skip
    known, kept = _deal_order(pages), pages.office.deal_file
    held = None if known is None or kept is None or kept.game != known[0] else known[1].known_of(kept.text)[column]
    return {
        "offered": shown, "refused": refused, "chosen": chosen, "asked": asked, "records": held,
        "takes_records": known is not None, "usual": USUAL_BOARDS,
    }  # fmt: skip


def spelled(numbers: Sequence[int]) -> str:
    """Numbers of boards as they are typed.

    >>> spelled((1, 2, 3)), spelled((4,)), spelled((1, 5))
    ('1-3', '4', '1, 5')
    """
    if len(numbers) > 1 and tuple(numbers) == tuple(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ", ".join(map(str, numbers))
