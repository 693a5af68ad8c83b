"""Current state of the tournament: seating, results, ranking, warnings, the code that is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from hw.seats import LINES
from table_service.console import rankings, results, round_page
from table_service.console.entrant import EntrantPerson, people_of
from table_service.console.pages import Pages
from table_service.console.rankings import Ranked
from table_service.console.results import Lack, RoundResult, TableResult
from table_service.console.round_page import LineWarning, SeatingHistory
from table_service.console.routers.hall import order
from table_service.console.routers.offered_reports import award_form_of
from table_service.console.ruling_forms import FormError, title_of
from table_service.console.seating_lines import ABSENT, RESTS, Seats, matches_of_teams, nowhere
from table_service.console.seating_proposals import Evening, seating_of_round
from table_service.console.settings import Language
from table_service.console.storage import Round
from table_service.console.storage.adjustments import Kind
from table_service.games.definition import RuleSet
from table_service.games.event_rules import EventRules
from table_service.games.reports import ArbitroAward
from table_service.tournament import Seating as SeatingOfRound
from table_service.tournament import partners, plan_of

T = TypeVar("T")


def seating(pages: Pages) -> SeatingHistory:
    """Seating round by round."""
    rounds = pages.book.rounds.all()
    return SeatingHistory(rounds, {one.id: pages.book.rounds.seated(one.id) for one in rounds}, pages.store.tables)


def warned_of(pages: Pages) -> list[LineWarning]:
    """Return the tournament's warnings."""
    return round_page.warnings(pages.office.noted["warning.given"], seating(pages))


def about_warning(pages: Pages, warned: LineWarning, language: Language) -> dict[str, str]:
    """Return a warning's article and reason by the catalogue, and who gave it, as far as an order from here says so."""
    catalogue = pages.catalogue(pages.store.tables.get(warned.place))
    row = None if catalogue is None else catalogue.rows.get(warned.row)
    given = [
        one
        for one in pages.book.orders.of(warned.place)
        if one.do in ("rule", "warn") and one.state == "done" and -30.0 <= warned.heard - one.given <= 300.0
    ]
    nearest = min(given, key=lambda one: abs(warned.heard - (one.answered or one.given)), default=None)
    return {
        "article": "" if row is None else row.article,
        "reason": title_of(catalogue, warned.row, language) if warned.row else "",
        "by": "" if nearest is None else nearest.person,
    }


def awards_of(pages: Pages, round_: Round) -> tuple[ArbitroAward, ...]:
    """Arbitri's entries of a round that are not withdrawn, the oldest first."""
    return tuple(
        ArbitroAward(one.place, one.number, one.fields, one.article, one.reason, one.by, one.at)
        for one in pages.book.awards.of_round(round_.id)
        if one.holds
    )


def warned_before(pages: Pages, round_: Round, seated: Seats, until: float) -> frozenset[tuple[str, str]]:
    """Table and line of each entry of a round that was warned or penalised in the tournament by ``until``.

    Any reason counts. The time of the round's clock counts at most: what comes after its end is what the end itself
    brings. An entry without a name is known by the table and line, in this round alone.
    """
    ends = min(until, round_.begun + round_.lost + 60 * round_.minutes)
    names, nameless = set[str](), set[tuple[str, str]]()
    told = [(one.place, one.line, one.names, one.heard) for one in warned_of(pages)]
    own = {one.id: pages.book.rounds.seated(one.id) for one in tournament_rounds(pages)}
    form = award_form_of(pages, round_)
    told += [
        (one.place, line, own[one.round].get((one.place, line), ""), one.at)
        for one in pages.book.awards.all()
        if form is not None and one.round in own and (line := form.line_of(one.fields)) is not None
    ]
    for place, line, name, at in told:
        if at > ends:
            continue
        if name:
            names.add(name)
        elif at >= round_.begun:
            nameless.add((place, line))
    return frozenset(nameless | {where for where, name in seated.items() if name in names})


def results_of(pages: Pages, round_: Round | None) -> list[TableResult]:
    """Results of the tables of a round; without a round each table's last one."""
    sheets = pages.office.sheets
    if round_ is None:
        return results.results(sheets, order(tuple(sheets.places())), {})
    rounds = pages.book.rounds
    begun, until = results.span(rounds.all(), round_)
    seated = rounds.seated(round_.id)
    names: dict[tuple[str, str], str] = {
        (place, line): seated.get((place, line)) or round_page.pair(pages.store.tables.get(place), line)
        for place in round_.places
        for line in LINES
    }
    found = results.results(sheets, order(tuple(_told_of(pages, round_, seated))), names, begun, until)
    return results.supplied(results.assigned(found, given_in(pages, round_, "late")), given_in(pages, round_, "given"))


def _told_of(pages: Pages, round_: Round, seated: Seats) -> list[str]:
    """Return the tables of a round of which something is known or due: if some are scored from photographs, all."""
    known, scored = heard_tables(pages, round_), pages.office.sheets.places()
    alone = [place for place in round_.places if place in scored and place not in known]
    waited = _taken(seated) if alone else set()
    told = [place for place in round_.places if place in known or place in alone or place in waited]
    return [place for place in told if not _taken(seated) or place in _taken(seated)]


def _taken(seated: Seats) -> set[str]:
    """Return the tables at which somebody sits."""
    return {place for place, _ in seated} - {RESTS, ABSENT}


def given_in(pages: Pages, round_: Round, kind: Kind) -> dict[str, tuple[int | None, int | None]]:
    """Return the victory and match points that the direction has given in a round, by entry."""
    return {one.entry: (one.vp, one.mp) for one in pages.book.adjustments.of(round_.id) if one.kind == kind}


def lacks_of(pages: Pages, round_: Round | None = None) -> list[Lack]:
    """Return the results of entries that are not known: of one round of the tournament, else of all, oldest first."""
    found: list[Lack] = []
    events, missed = event_rules(pages), Counter[str]()
    for number, (one, seated) in enumerate(seated_rounds(pages), start=1):
        own = results.lacks(matched_results(pages, one, seated, events), number, one.id)
        nobody = [(RESTS, result) for result in _resting(pages, one, seated)]
        nobody += [(ABSENT, result) for result in _absent(pages, one, seated, events, missed)]
        own += [Lack(r.pair, number, one.id, place, "points", r.mp) for place, r in nobody if r.vp is None]
        if round_ is None or one.id == round_.id:
            found += own
    return found


def people_in(pages: Pages, ranked: Iterable[Ranked]) -> dict[str, tuple[EntrantPerson, ...]]:
    """Return the people of each entry of a ranking, of those of whom the club has said more than the entry's name."""
    known = pages.book.entrants.people()
    found = {one.pair: people_of(one.pair, known, partners(one.pair)) for one in ranked}
    return {entry: people for entry, people in found.items() if people}


def why_unknown(pages: Pages, entry: str) -> FormError | None:
    """Return the sentence that names what ``entry``'s ranking place lacks first; None if nothing is known of it."""
    lack = next((one for one in lacks_of(pages) if entry in partners(one.entry)), None)
    if lack is None:
        return None
    return FormError(f"lack_{lack.why}", entry=entry, number=lack.number, place=lack.place)


def tournament_name(pages: Pages, round_: Round) -> str:
    """Return the name of the tournament in which a round began; empty if absent."""
    own = (one for one in pages.book.tournaments.all() if one.begun <= round_.begun)
    return next((one.name for one in own if one.ended is None or round_.begun <= one.ended), "")


def tournament_rounds(pages: Pages) -> list[Round]:
    """Return the rounds of the tournament that goes on, or of the last one; the oldest first."""
    every = pages.book.tournaments.all()
    rounds = pages.book.rounds.all()
    if not every:
        return rounds
    newest = every[0]
    return [one for one in rounds if newest.begun <= one.begun <= (newest.ended or float("inf"))]


def ranking_of(pages: Pages) -> list[Ranked]:
    """Return the ranked entries of the tournament, if the club has entered who sits where."""
    rounds: list[list[TableResult]] = []
    nobody: list[RoundResult] = []
    missed: Counter[str] = Counter()
    events = event_rules(pages)
    seats = seated_rounds(pages)
    for one, seated in seats:
        rounds.append(matched_results(pages, one, seated, events))
        nobody += _resting(pages, one, seated) + _absent(pages, one, seated, events, missed)
    return rankings.ranking(
        rounds, nobody, ties=events.ties, groups=groups_of(pages),
        withdrawn=_withdrawn([seated for _, seated in seats]) if events.withdrawn else (),
    )  # fmt: skip


def _resting(pages: Pages, round_: Round, seated: Seats) -> list[RoundResult]:
    """Return the round of each entry that rests: what the code gives, else what the arbitro has given."""
    bye, given = _bye(pages, round_, seated), given_in(pages, round_, "given")
    return [rankings.resting(name, bye or _points(given.get(name))) for name in nowhere(seated, RESTS)]


def _absent(pages: Pages, round_: Round, seated: Seats, events: EventRules, missed: Counter[str]) -> list[RoundResult]:
    """Return the same of absent entries; ``missed``: how many rounds each missed before, which it counts on."""
    given, found = given_in(pages, round_, "given"), []
    for name in nowhere(seated, ABSENT):
        missed[name] += 1
        told = events.missed(round_.deals, missed[name]) or _points(given.get(name))
        found.append(rankings.resting(name, told))
    return found


def _points(given: tuple[int | None, int | None] | None) -> tuple[int, int | None] | None:
    return None if given is None or given[0] is None else (given[0], given[1])


def _withdrawn(rounds: Sequence[Seats]) -> set[str]:
    """Entries that have played and were gone in the newest round."""
    return {name for seated in rounds[:-1] for name in seated.values()} - set(rounds[-1].values()) if rounds else set()


def seated_rounds(pages: Pages) -> list[tuple[Round, Seats]]:
    """Return the rounds of the tournament of which the club has entered who sat where, the oldest first."""
    found = [(one, pages.book.rounds.seated(one.id)) for one in tournament_rounds(pages)]
    return [(one, seated) for one, seated in found if seated]


def matched_results(pages: Pages, round_: Round, seated: Seats, events: EventRules) -> list[TableResult]:
    """Return the results of a round by who was entered, the two tables of a match of teams as one."""
    begun, until = results.span(pages.book.rounds.all(), round_)
    told = results.results(pages.office.sheets, round_.places, seated, begun, until)
    tables = results.assigned(told, given_in(pages, round_, "late"))
    whole = results.matches_of(
        tables, matches_of_teams(seated), round_.deals, events.team_match, awards_of(pages, round_)
    )
    return results.supplied(whole, given_in(pages, round_, "given"))


def team_results(pages: Pages, round_: Round | None) -> list[TableResult]:
    """Return the matches of teams of a round; empty if none plays."""
    if round_ is None:
        return []
    found = matched_results(pages, round_, pages.book.rounds.seated(round_.id), event_rules(pages))
    return [one for one in found if one.rooms]


def groups_of(pages: Pages) -> dict[str, int]:
    """Return the merit group of each entry of the tournament; empty if absent."""
    every = pages.book.tournaments.all()
    return pages.book.tournaments.groups(every[0].id) if every else {}


def event_rules(pages: Pages) -> EventRules:
    """Event rules of the code of the hall's tables; empty rules if they play several."""
    return _agreed([code.events for code in codes_of(pages)]) or EventRules()


def codes_of(pages: Pages) -> list[RuleSet]:
    """Return the codes that the hall's tables reported, else the console's own."""
    return _codes(pages, [pages.rule_set(one) for one in pages.store.tables.values() if one.state is not None])


def _codes(pages: Pages, found: Iterable[RuleSet | None]) -> list[RuleSet]:
    codes = list(found) or [pages.default]
    return [code for code in codes if code is not None]


def _agreed(found: Sequence[T]) -> T | None:
    return found[0] if found and all(one == found[0] for one in found) else None


def _bye(pages: Pages, round_: Round, seated: Seats) -> tuple[int, int] | None:
    """Return a resting entry's victory and match points, if the codes of tables where others sit agree on them."""
    places = {place for place, _ in seated if place not in (RESTS, ABSENT)}
    codes = _codes(pages, (pages.rule_set(pages.store.tables.get(place)) for place in places))
    if matches_of_teams(seated):
        rest = [code.events.team_byes for code in codes]
        return _agreed([one.get(round_.deals) or one.get(0) for one in rest])
    return _agreed([code.byes.get(round_.deals) for code in codes])


def evening_of(pages: Pages, places: Sequence[str]) -> Evening:
    """State of the current tournament before its next round; an empty one between two tournaments."""
    held = pages.book.choices.plan
    plan = None if held is None else plan_of(held)
    if pages.book.tournaments.current is None:
        return Evening(rules=event_rules(pages), plan=plan)
    events, rounds = event_rules(pages), seated_rounds(pages)
    return Evening(
        played_of(pages, places),
        ranking_of(pages),
        [results.winners(matched_results(pages, one, seated, events)) for one, seated in rounds],
        nowhere(rounds[-1][1], ABSENT) if rounds else (),
        events,
        groups_of(pages),
        plan,
    )


def played_of(pages: Pages, places: Sequence[str]) -> list[SeatingOfRound]:
    """Return the rounds of the tournament that goes on of which the club has entered who sat where."""
    if pages.book.tournaments.current is None:
        return []
    return [seating_of_round(seated, places) for _, seated in seated_rounds(pages)]


def known_tables(pages: Pages, round_: Round) -> list[str]:
    """Return the tables of a round that were ever heard; one that is not there gets an order late or never.

    Where the club has entered who sits where, only those at which somebody sits.
    """
    taken = _taken(pages.book.rounds.seated(round_.id))
    return [name for name in heard_tables(pages, round_) if not taken or name in taken]


def heard_tables(pages: Pages, round_: Round) -> list[str]:
    """Return the same, with the tables that stay empty."""
    return [name for name in round_.places if name in pages.store.tables and pages.store.tables[name].status]
