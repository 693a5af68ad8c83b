"""The round: start, time-out, end, the clock that players never see, late pairs, warnings, sheets, protests."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from hw.errors import TavoloError
from hw.seats import LINES
from table_service.console import audit_views, rankings, results, round_page, sections
from table_service.console.access import DIRECTION, ROUND, Form, form_of, only, signed_in
from table_service.console.correction_rules import KINDS
from table_service.console.entry_list import entries_of
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, Pages, Viewer
from table_service.console.public_tables import DELAYS
from table_service.console.results import TableResult
from table_service.console.routers import session_movement
from table_service.console.routers.common import bar, waiting
from table_service.console.routers.due_deals import (
    WORDS,
    by_word,
    due_tables,
    first_dealers,
    give_due,
    playing,
    stopped,
    unfinished,
)
from table_service.console.routers.given_points import give_points, to_give
from table_service.console.routers.hall import order
from table_service.console.routers.offered_reports import round_reports_of
from table_service.console.routers.played_rounds import ranking_for_all
from table_service.console.routers.round_entries import completed, open_table
from table_service.console.routers.session_movement import (
    RoundBoards,
    boards_again,
    boards_of,
    next_number,
    planned_seats,
    session_values,
)
from table_service.console.ruling_forms import FormError, late_row, number
from table_service.console.score_sheet import URGENCY
from table_service.console.seating_lines import Seats, groups_of_text, matches_of_teams, seating_of, seating_text
from table_service.console.seating_proposals import BY_PLAN, Evening, as_seats, movements_after, propose
from table_service.console.storage import Round, Session, StoredOrder
from table_service.console.streams import PagePart
from table_service.console.tournament_book import (
    about_warning,
    codes_of,
    evening_of,
    groups_of,
    known_tables,
    ranking_of,
    results_of,
    seated_rounds,
    seating,
    warned_of,
    why_unknown,
)
from table_service.events import orders
from table_service.events.orders import EndRound, EndTime, Rule, SetSeating, StartRound
from table_service.games.definition import RuleSet
from table_service.tournament import partners

COUNTS: Final = ("every-second", "each-after-first")
ROOMS: Final = ("open", "closed")
MOST_DEALS: Final = 64
"""Of a round: more than any code plays in one."""
_ORDERS: Final = ("start-round", "seating", "deal", "start-play", "time-out", "end-round")
_FAILED: Final = ("refused", "expired")
_CHANGES_FORMS: Final = ("start", "end", "post", "close-tournament")
"""Deeds after which the forms beside the stream are of another round, or another tournament."""
_DEALS: Final = (1, 2, 3, 4)
"""What may be chosen where no code says how long a round of so many deals lasts."""
_STATES: Final = (*URGENCY[:-1], "missing")
"""In which order tables are shown: what needs a person first."""
_CALM: Final = ("open", "done", results.ASSIGNED)
_ASKED: Final = ("movement", "entries", "leaving", "joining", "floor", "teams", "sections")


router = APIRouter()
"""The routes of the round."""


@router.get("/round", dependencies=[Depends(only(ROUND, "round"))])
async def page(request: Request, pages: AskedPages) -> Response:
    """Serve the round."""
    viewer = pages.viewer(request)
    floors = [name for name, _ in pages.settings.floors]
    rounds, tables = pages.book.rounds, order(tuple(pages.store.tables))
    seated = {} if rounds.current is None else rounds.seated(rounds.current.id)
    posted = pages.book.choices.seating_after(rounds.current)
    text, refused = posted or seating_text(seated, tables, viewer.language, groups_of(pages)), None
    evening = evening_of(pages, tables)
    by_plan = rounds.running is None and movements_after(evening.played, evening.plan)[0] == BY_PLAN
    if by_plan and "movement" not in request.query_params:
        text = seating_text(planned_seats(evening), tables, viewer.language)
    if "movement" in request.query_params:
        text, refused = proposal(pages, request, tables, evening)
    return pages.live(
        request, "round.html", lambda viewer: round_parts(pages, viewer), floors=floors, kinds=KINDS,
        minutes=minutes_of(pages) or dict.fromkeys(_DEALS, ""), tables=tables, without_vp=without_vp(pages),
        running=rounds.running is not None, counts=COUNTS, finished=_is_finished(pages),
        reports=round_reports_of(pages, rounds.current, viewer),
        may_post=rounds.current is not None and rounds.running is None,
        pairs=text, refused=refused, movements=movements_after(evening.played, evening.plan), rules=evening.rules,
        asked={key: request.query_params.get(key, "") for key in _ASKED}, still=open_before(pages),
        same=bool(seated and not (rounds.running or posted or by_plan or "movement" in request.query_params)),
        most_sections=sections.MOST, listed="\n".join(pages.book.entrants.listed()),
        session=session_values(pages, request, evening, viewer.language),
    )  # fmt: skip


@router.get("/round/stream", dependencies=[Depends(only(ROUND))])
async def stream(request: Request, pages: AskedPages) -> Response:
    """Stream the round's changes as server-sent events."""
    return pages.stream(request, lambda viewer: round_parts(pages, viewer), slow=0.5)


@router.post("/round/{deed}", dependencies=[Depends(only(ROUND))])
async def act(request: Request, pages: AskedPages, deed: str) -> Response:
    """One of the round's deeds; what concerns the tables goes to each of them as a signed order."""
    session, form = signed_in(request), await form_of(request)
    if deed in ("publish", "close-tournament"):  # a game ranks by all its deals: a while
        await asyncio.to_thread(_act, pages, session, deed, form)
    else:
        _act(pages, session, deed, form)
    place = form.get("place", "")
    known = place if place in pages.store.tables else ""
    pages.office.deed(session, f"round {deed}", place=known, detail=audit_views.about_round(form))
    if deed in _CHANGES_FORMS:
        return pages.go(request, "/round")  # the forms beside the stream are of another round now
    return pages.done(request, "/round")


def _act(pages: Pages, session: Session, deed: str, form: Form) -> None:
    if deed in _FOR_THE_PUBLIC:
        _for_the_public(pages, session, deed, form)
    elif deed in _DEEDS:
        _DEEDS[deed](pages, session.person.name, form)
    else:
        raise FormError("bad_form")


def _time_out(pages: Pages, person: str, _form: Form) -> None:
    _to_all(pages, EndTime(by=person))
    pages.book.rounds.time_out(now=pages.office.clock())


def _end(pages: Pages, person: str, form: Form) -> None:
    running = pages.book.rounds.running
    still = [table.place for table in unfinished(pages, running, results_of(pages, running))]
    if still and running is not None and form.get("anyway") != "1":
        raise FormError("round_still_open", places=", ".join(still))
    _to_all(pages, EndRound(by=person))
    pages.book.rounds.end(now=pages.office.clock())


def _close_tournament(pages: Pages, person: str, _form: Form) -> None:
    if pages.book.rounds.running is not None:
        raise FormError("bad_form")
    pages.book.choices.drop_plan()
    tournament, now, body = pages.book.tournaments.current, pages.office.clock(), ranking_for_all(pages)
    if tournament is not None and body["rows"]:
        pages.book.choices.keep_final(tournament.id, body, person, now=now)
    pages.book.tournaments.end(person, now=now)


def _post(pages: Pages, person: str, form: Form) -> None:
    """Post the new seating; if it is given as text, each table tells the players there where they go next."""
    ended = pages.book.rounds.current
    if ended is None or pages.book.rounds.running is not None:
        raise FormError("bad_form")
    then = seating_of(form.get("pairs", ""), pages.store.tables)
    now = pages.book.rounds.seated(ended.id)
    if then:
        pages.book.choices.post_seating(ended.id, form["pairs"], person, now=pages.office.clock())
    with pages.book.database.together():
        for name in known_tables(pages, ended):
            seats = round_page.next_seats(now, then, name)
            if seats:
                pages.office.give(name, SetSeating.model_validate({"by": person, "next": seats}))
    pages.book.rounds.post_seating(person, now=pages.office.clock())


def _groups(pages: Pages, _person: str, form: Form) -> None:
    """Split the field into merit groups by the ranking as it stands; without sizes there is one ranking again."""
    tournament = pages.book.tournaments.current
    if tournament is None or pages.book.rounds.running is not None:
        raise FormError("bad_form")
    pages.book.tournaments.group(tournament.id, {})
    try:
        groups = rankings.split(ranking_of(pages), form.get("sizes", ""))
    except FormError as error:
        raise _with_reason(pages, error) from None
    pages.book.tournaments.group(tournament.id, groups)
    pages.book.rounds.touch()


def _pairs(pages: Pages, _person: str, form: Form) -> None:
    rounds = pages.book.rounds
    if rounds.current is None:
        raise FormError("bad_form")
    rounds.seat(rounds.current.id, seating_of(form.get("pairs", ""), pages.store.tables))


def _late(pages: Pages, person: str, form: Form) -> None:
    if form.get("line") not in LINES or form.get("place") not in pages.store.tables:
        raise FormError("bad_form")
    pages.book.rounds.late(form["place"], form["line"], person, now=pages.office.clock())


def _protest(pages: Pages, person: str, form: Form) -> None:
    text = form.get("text", "").strip()
    if form.get("place") not in pages.store.tables or not text:
        raise FormError("bad_form")
    line = form.get("line") if form.get("line") in LINES else None
    pages.book.rounds.protest(form["place"], line, text, person, now=pages.office.clock())


def _for_the_public(pages: Pages, session: Session, deed: str, form: Form) -> None:
    """Change what people who are not signed in, or only watch, may see; only the organiser may."""
    choices, now, person = pages.book.choices, pages.office.clock(), session.person
    if person.role not in DIRECTION:
        raise FormError("not_allowed")
    if deed == "delay":
        seconds = number(form.get("seconds", ""), whole=True)
        if seconds not in DELAYS:
            raise FormError("bad_number")
        choices.delay_spectators(float(seconds), person.name, now=now)
        pages.store.tell()
    elif deed == "publish":
        body = ranking_for_all(pages)
        if not body["rows"]:
            raise FormError("ranking_none")
        choices.publish_ranking(body, person.name, now=now)
    else:
        choices.withdraw_ranking()


def _which(form: Form) -> int:
    found = number(form.get("id", ""), whole=True)
    if found is None:
        raise FormError("bad_form")
    return int(found)


# -- the start ---------------------------------------------------------------------------------------------------------


def _start(pages: Pages, person: str, form: Form) -> None:
    """Begin a round: each table gets with its order what the pairs that sit there bring from earlier rounds."""
    if pages.book.rounds.running is not None:
        raise FormError("round_running")
    deals, minutes, kind = _length(pages, form)
    chosen = dict(pages.settings.floors).get(form.get("floor", ""), tuple(pages.store.tables))
    places = tuple(name for name in chosen if name in pages.store.tables)
    seated = seating_of(form.get("pairs", ""), pages.store.tables)
    groups = groups_of_text(form.get("pairs", ""), pages.store.tables)
    options = _options(form)
    if form.get("planned") not in (None, "", str(next_number(pages))):
        raise FormError("session_page_old")
    boards = boards_of(pages, next_number(pages), places, form.get("boards", ""), deals)
    still = open_before(pages)
    if still and form.get("anyway") != "1":
        raise FormError("sheets_still_open", places=", ".join(still))
    warned, now = warned_of(pages), pages.office.clock()
    pages.book.tournaments.begin(time.strftime("%d.%m.%Y", time.localtime(now)), now=now)
    begun = pages.book.rounds.begin(deals, float(minutes), places, person, now=now, kind=kind)
    if seated:
        pages.book.rounds.seat(begun.id, seated)
        pages.book.entrants.play({one for line in seated.values() for one in (line, *partners(line))}, now=now)
    if groups and pages.book.tournaments.current is not None:
        pages.book.tournaments.group(pages.book.tournaments.current.id, groups)
    with pages.book.database.together():
        terms = {"deals": deals, "minutes": minutes, **options}
        for name in known_tables(pages, begun):
            _give_start(pages, person, name, terms | round_page.own_terms(warned, seated, name), boards, seated)


def _give_start(
    pages: Pages, person: str, place: str, terms: Mapping[str, Any], boards: RoundBoards, seated: Seats
) -> None:
    """Order a table to begin the round by ``terms``, with its ``boards``."""
    secret = boards.secret(place)
    asked = StartRound(by=person, **terms, **boards.terms(seated, place), **secret)
    pages.office.give(place, asked, secret=secret)


def _length(pages: Pages, form: Form) -> tuple[int, int | float, str]:
    """Deals, minutes and kind of the round that begins, the code's minutes where none are given. Raises FormError."""
    deals, minutes = number(form.get("deals", ""), whole=True), number(form.get("minutes", ""), whole=False)
    kind = form.get("kind") or KINDS[0]
    if deals is None or not 1 <= deals <= MOST_DEALS or kind not in KINDS:
        raise FormError("bad_form")
    if minutes is None:
        minutes = minutes_of(pages).get(int(deals))
    if minutes is None or not 0 < minutes <= 600:
        raise FormError("bad_number")
    return int(deals), minutes, kind


def minutes_of(pages: Pages) -> Mapping[int, int]:
    """Return the minutes of a round by its deals, if the tables' codes agree on them; else none: a person says them."""
    found = [code.round_minutes for code in codes_of(pages)]
    return found[0] if found and all(one == found[0] for one in found) else {}


def without_vp(pages: Pages) -> list[int]:
    """Return the numbers of a round's deals to which the codes give no victory points, though they do to others."""
    return [deals for deals in minutes_of(pages) if not all(_has_vp(code, deals) for code in codes_of(pages))]


def _has_vp(code: RuleSet, deals: int) -> bool:
    table = code.calculators.victory_points
    try:
        return table is None or bool(table(deals, 0, False))
    except TavoloError:
        return False


def open_before(pages: Pages) -> list[str]:
    """Return the tables whose sheets of the last round are unconfirmed: once the next begins, they can't be corrected.

    Before the console's first round those of what the tables have played by themselves. None after a closed tournament.
    """
    before = pages.book.rounds.current
    if before is not None and pages.book.tournaments.current is None:
        return []
    return [table.place for table in results_of(pages, before) if table.held is not None and not table.final]


def _can_start_late(pages: Pages, round_: Round | None, tables: Sequence[TableResult]) -> list[str]:
    """Return the tables that have reported nothing of a running round; those only photographed start nothing."""
    if round_ is None or round_.ended is not None:
        return []
    known = known_tables(pages, round_)
    return [table.place for table in tables if table.state == "missing" and table.place in known]


def _start_late(pages: Pages, person: str, _form: Form) -> None:
    """Begin the running round at the tables that have reported nothing of it, on the terms of all others."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("no_round")
    silent = _can_start_late(pages, running, results_of(pages, running))
    warned, seated = warned_of(pages), pages.book.rounds.seated(running.id)
    terms = _terms(pages, running)
    open_now = {one.place for one in pages.book.orders.open() if one.do == "start-round"}
    with pages.book.database.together():
        for name in silent:
            if name not in open_now:
                boards = boards_again(pages, running, name)
                _give_start(pages, person, name, terms | round_page.own_terms(warned, seated, name), boards, seated)


def _complete(pages: Pages, person: str, form: Form) -> None:
    """Complete the table of the resting pair with a late one; the round begins at the place where they play."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("complete_not_now")

    def begin(place: str) -> None:
        seated = pages.book.rounds.seated(running.id)
        boards = boards_again(pages, running, place)
        terms = _terms(pages, running) | round_page.own_terms(warned_of(pages), seated, place)
        _give_start(pages, person, place, terms, boards, seated)

    completed(pages, person, form, begin)


def _seen(pages: Pages, _person: str, _form: Form) -> None:
    """Somebody has seen which tables the round's orders did not reach."""
    for one in pages.book.orders.shown(now=pages.office.clock()):
        if one.do in _ORDERS and one.state in _FAILED:
            pages.office.notice(one.id)


def _terms(pages: Pages, running: Round) -> dict[str, Any]:
    """Terms sent to the tables of a round at its start, but for those of each table alone."""
    for place in running.places:
        for one in pages.book.orders.of(place):
            if one.do == "start-round" and one.given >= running.begun:
                return {key: value for key, value in one.fields.items() if key not in round_page.OWN_TERMS}
    return {"deals": running.deals, "minutes": running.minutes}


def _options(form: Form) -> dict[str, Any]:
    """Options of a round: how warnings are counted, the lead that calls the arbitro, the room; only those entered."""
    fields: dict[str, Any] = {}
    call_at = number(form.get("call_at", ""), whole=True)
    if call_at is not None:
        if not 0 < call_at <= 10_000:
            raise FormError("bad_number")
        fields["call_at"] = int(call_at)
    if form.get("warning_count") in COUNTS:
        fields["warning_count"] = form["warning_count"]
    if form.get("room") in ROOMS:
        fields["room"] = form["room"]
    return fields


def _to_all(pages: Pages, asked: orders.Order) -> None:
    """Give the same order to every table of the round."""
    running = pages.book.rounds.running
    if running is None:
        raise FormError("no_round")
    with pages.book.database.together():
        for name in known_tables(pages, running):
            pages.office.give(name, asked)


def _apply_late(pages: Pages, person: str, number_: int) -> None:
    """Order the code's measure for a line that is late, as a ruling at its table, which knows its figures."""
    late = next((one for one in pages.book.rounds.latecomers() if one.id == number_), None)
    if late is None:
        raise FormError("bad_form")
    catalogue, now = pages.catalogue(pages.store.tables.get(late.place)), pages.office.clock()
    here = {
        one.line: round_page.late_minutes(one, now) for one in pages.book.rounds.latecomers() if one.place == late.place
    }
    row = late_row(catalogue, both=len(here) == len(LINES))
    if row is None:
        raise FormError("bad_form")
    fields: dict[str, Any] = {"line": late.line, "minutes": here[late.line]}
    if len(here) == len(LINES):
        fields = {"lines": here}
    pages.office.give(late.place, Rule(by=person, row=row.id, **fields))


# -- what is shown ----------------------------------------------------------------------------------------------------


_FOR_THE_PUBLIC: Final = ("delay", "publish", "unpublish")
_DEEDS: Final[Mapping[str, Callable[[Pages, str, Form], None]]] = {
    "start": _start,
    "start-late": _start_late,
    "complete": _complete,
    "seen": _seen,
    "due": give_due,
    "pause": lambda pages, _person, _form: pages.book.rounds.pause(now=pages.office.clock()),
    "go-on": lambda pages, _person, _form: pages.book.rounds.go_on(now=pages.office.clock()),
    "time-out": _time_out,
    "end": _end,
    "points": give_points,
    "ranking": lambda pages, _person, _form: pages.book.rounds.show_ranking(now=pages.office.clock()),
    "post": _post,
    "close-tournament": _close_tournament,
    "choose-movement": session_movement.choose,
    "late-pair": session_movement.late_pair,
    "drop-movement": session_movement.drop,
    "groups": _groups,
    "pairs": _pairs,
    "late": _late,
    "arrived": lambda pages, _person, form: pages.book.rounds.arrived(_which(form), now=pages.office.clock()),
    "apply-late": lambda pages, person, form: _apply_late(pages, person, _which(form)),
    "protest": _protest,
    "settle": lambda pages, person, form: pages.book.rounds.settle(
        _which(form), person, form.get("outcome", "").strip(), now=pages.office.clock()
    ),
}
"""What the direction does with a round, by the name in the address."""


def proposal(pages: Pages, request: Request, tables: Sequence[str], evening: Evening) -> tuple[str, FormError | None]:
    """Seating by the movement that the address names, as text; or the sentence why there is none."""
    asked = request.query_params
    chosen = dict(pages.settings.floors).get(asked.get("floor", ""), tuple(tables))
    newest = seated_rounds(pages)[-1:] if evening.played else []
    before = {place for _, seated in newest for place, _ in seated}
    places = sorted((name for name in tables if name in chosen or name in before), key=lambda name: name not in before)
    teams = asked.get("teams") == "1" or any(matches_of_teams(seated) for _, seated in newest)
    try:
        found = propose(
            asked.get("movement", ""), entries_of(asked.get("entries", "")), evening, secrets.SystemRandom().shuffle,
            leaving=entries_of(asked.get("leaving", "")), joining=entries_of(asked.get("joining", "")),
            groups=min(max(whole(asked.get("sections", "")) or 1, 1), sections.MOST),
        )  # fmt: skip
        is_planned = asked.get("movement") == BY_PLAN and evening.plan is not None
        seats = as_seats(found, evening.plan.places if is_planned and evening.plan else places, teams=teams)
        return seating_text(seats, tables, pages.language(request), found.groups), None
    except FormError as error:
        return asked.get("pairs", ""), _with_reason(pages, error)


def _with_reason(pages: Pages, error: FormError) -> FormError:
    """Return the refusal; for a result that is not known, one that names what it lacks."""
    named = error.word in ("seating_no_points", "groups_unknown")
    return (named and why_unknown(pages, str(error.terms["entry"]))) or error


def _alike(orders: Sequence[StoredOrder]) -> list[list[StoredOrder]]:
    """Orders that failed in the same way together, by table: two hundred of them are one sentence."""
    groups: dict[tuple[object, ...], dict[str, StoredOrder]] = {}
    for one in orders:
        groups.setdefault((one.do, one.state, one.reason, *one.answer.values()), {}).setdefault(one.place, one)
    return [[group[name] for name in order(tuple(group))] for group in groups.values()]


def _left(pages: Pages, viewer: Viewer, current: Round | None, tables: Sequence[TableResult]) -> round_page.Left:
    lacking = sum(one.given is None for one in to_give(pages, current))
    protests = sum(one.settled is None for one in pages.book.rounds.protests())
    words = [one.word for one in due_tables(pages, current)]
    deals, plays = (words.count(word) for word in WORDS)
    goes_on = pages.book.tournaments.current is not None
    alerts = sum(one.case is None or one.case.resolved is None for one in waiting(pages, viewer))
    return round_page.Left(lacking, protests, goes_on, deals, plays, stopped(pages, tables), alerts)


def _is_finished(pages: Pages) -> bool:
    """Return whether the last round of the tournament is over."""
    at = pages.book.rounds.current
    goes_on = pages.book.tournaments.current is not None
    return goes_on and at is not None and at.ended is not None and at.kind == "last"


def round_parts(pages: Pages, viewer: Viewer) -> Sequence[PagePart]:
    """Return the parts of the round's page. It changes rarely: all of it is one part, the clock runs in the page."""
    book = pages.book

    def version() -> Hashable:
        feeds = sum(table.versions["feed"] for table in pages.store.tables.values())
        alerts = sum(table.versions["alerts"] for table in pages.store.tables.values())
        over = book.rounds.running is not None and book.rounds.running.left(pages.office.clock()) <= 0
        return (
            book.choices.version,
            book.rounds.version,
            book.orders.version,
            pages.office.sheets.version,
            feeds,
            alerts,
            over,
            tuple(due_tables(pages, book.rounds.running)),
        )

    def html() -> str:
        current, now = book.rounds.current, pages.office.clock()
        tables, due = results_of(pages, current), due_tables(pages, current)
        step = round_page.next_step(current, tables, now, _left(pages, viewer, current, tables))
        who = seating(pages)
        orders = [one for one in book.orders.shown(now=now) if one.do in _ORDERS]
        return pages.render(
            "part_round.html",
            viewer,
            round=current,
            step=step,
            finished=_is_finished(pages),
            leads_to=round_page.LEADS_TO.get(step[0]),
            unfinished=unfinished(pages, current, tables),
            ends=None if current is None else round_page.clock_ends(current),
            left=None if current is None else current.left(now),
            late=[(one, who.pair(one.place, one.line, now)) for one in book.rounds.latecomers()],
            late_row=late_row(pages.catalogue(None)),
            due=by_word(due),
            first_dealers=first_dealers(pages, due),
            open_table=open_table(pages),
            warnings=warned_of(pages),
            waiting=sorted((t for t in tables if t.state not in _CALM), key=lambda t: _STATES.index(t.state)),
            start_late=_can_start_late(pages, current, tables),
            playing=playing(pages, tables, due),
            closed=sum(t.final for t in tables),
            protests=book.rounds.protests(),
            tournament=book.tournaments.current,
            group_sizes=rankings.sizes_of(groups_of(pages)),
            about=lambda one: about_warning(pages, one, viewer.language),
            delay=int(book.choices.delay),
            delays=DELAYS,
            published=book.choices.ranking,
            orders=orders,
            failed=_alike([one for one in orders if one.state in _FAILED]),
        )

    return [PagePart("round", version, html), *bar(pages, viewer)]
