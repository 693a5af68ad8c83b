"""Proposed seating of the next round, by a movement: from the list of entries, or from the rounds before. Pure.

A proposal is text in the form that begins a round; the arbitro changes what he likes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from hw.seats import LINES
from table_service.console import sections
from table_service.console.entry_list import drawn_pairs, field_after
from table_service.console.rankings import Ranked
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import ABSENT, RESTS, Seats, free_place, matches_of_teams, nowhere
from table_service.games.event_rules import EventRules
from table_service.tournament import (
    Meeting,
    NoSeatingError,
    Seating,
    SessionPlan,
    by_fours,
    danese,
    drawn,
    howell,
    howell_field,
    in_order,
    knock_out,
    knock_out_field,
    mitchell,
    partners,
    players_of,
    round_robin,
    round_robin_field,
    swiss,
    whist,
    whist_field,
)

_PLAYERS_FIRST: Final = ("players-lot", "players-all")
FIRST: Final = ("lot", "lot-pairs", "listed", "howell", "round-robin", "knock-out", *_PLAYERS_FIRST)
"""Movements of a first round: neighbours of a list drawn by lot, or as it stands; all against all in two orders; a
knock-out whose list stands from the best down; single players who change partner in every round.

``lot-pairs``: the list is of single players, whom the lot makes pairs first.
"""
BY_PLAN: Final = "boards"
"""The round that the session's movement of pairs and boards has settled."""
_OF_GROUPS: Final = ("lot", "lot-pairs", "listed", "howell", "round-robin")
"""First rounds in which several groups may play apart."""
NEXT: Final = ("danese", "danese-new", "swiss", "mitchell", "howell", "round-robin", "knock-out")
"""Those of the rounds after it."""
NEXT_PLAYERS: Final = ("players-lot", "players-danese", "players-all")
"""The same where single players change partner."""
_BY_RANKING: Final = ("danese", "danese-new", "swiss", "players-danese")
_CHANGING: Final = (*_BY_RANKING, "players-lot")
"""Those that somebody may join between rounds; in Mitchell he takes the place that lacks a pair, or opens a table."""


@dataclass(frozen=True, slots=True)
class Evening:
    """Known state of a tournament before a round. ``won``: the winners of each round of ``played``.

    ``absent``: entries missing in the last one; ``ranked``: the best first; ``rules``: what the code says;
    ``groups``: the group of each entry, if there are any.
    """

    played: Sequence[Seating] = ()
    ranked: Sequence[Ranked] = ()
    won: Sequence[Collection[str]] = ()
    absent: Collection[str] = ()
    rules: EventRules = field(default_factory=EventRules)
    groups: sections.Groups = field(default_factory=dict)
    plan: SessionPlan | None = None
    """The movement that was chosen for the whole session."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A round that is proposed, and who will not be there. ``groups``: of each entry, where they play apart."""

    seating: Seating
    absent: tuple[str, ...] = ()
    groups: sections.Groups = field(default_factory=dict)


def is_of_players(played: Sequence[Seating]) -> bool:
    """Return True if single players change partner in the rounds ``played``."""
    return any(len(partners(line)) > 1 for one in played for line in one.entries)


def movements_after(played: Sequence[Seating], plan: SessionPlan | None = None) -> tuple[str, ...]:
    """Return the movements that may follow the rounds ``played``, that of the session's ``plan`` first."""
    by_plan = () if plan is None or len(played) >= plan.rounds else (BY_PLAN,)
    return by_plan + (FIRST if not played else NEXT_PLAYERS if is_of_players(played) else NEXT)


def seating_of_round(seated: Seats, places: Sequence[str]) -> Seating:
    """Return a round as the club entered it, tables numbered in the order of ``places``; a match of teams is one."""
    second = {closed for _, closed in matches_of_teams(seated)}
    at = [place for place in places if place not in second and all((place, line) in seated for line in LINES)]
    meetings = (Meeting(n, *(seated[place, line] for line in LINES)) for n, place in enumerate(at, start=1))
    return Seating(tuple(meetings), nowhere(seated, RESTS))


def propose(
    movement: str,
    entries: Sequence[str],
    evening: Evening,
    lot: Callable[[list[str]], None],
    *,
    leaving: Sequence[str] = (),
    joining: Sequence[str] = (),
    groups: int = 1,
) -> Proposal:
    """Return the next round of ``evening`` by ``movement``; a first one from ``entries``, drawn with ``lot``.

    ``leaving``: who plays no more, ``joining``: who comes late, or comes back; both only in a later round.
    ``groups``: how many play apart from the first round on.

    Raises FormError with the sentence that says why nobody can be seated so.
    """
    if movement not in movements_after(evening.played, evening.plan):
        raise FormError("movement_not_now")
    try:
        if movement == BY_PLAN and evening.plan is not None:
            return _planned(evening, evening.plan, leaving)
        if not evening.played:
            return _first_of_groups(movement, list(entries), lot, groups)
        _may_join(evening, joining)
        return _next(movement, evening, lot, joining, leaving)
    except NoSeatingError as error:
        raise FormError(f"seating_{error.reason}", **error.terms) from None


def _planned(evening: Evening, plan: SessionPlan, leaving: Sequence[str]) -> Proposal:
    """Return the next round of the session's plan; an entry that would meet an absent one rests."""
    gone = _gone(evening, (), leaving) if evening.played else []
    seating = planned_round(evening, plan, len(evening.played) + 1, leaving=gone)
    return Proposal(seating, _told_absent(evening, gone))


def planned_round(evening: Evening, plan: SessionPlan, number: int, leaving: Sequence[str] = ()) -> Seating:
    """Round ``number`` of a session's plan without those who have left. Raises NoSeatingError."""
    return _without(plan.seating(number), {*evening.absent, *leaving})


def _first_of_groups(movement: str, entries: list[str], lot: Callable[[list[str]], None], groups: int) -> Proposal:
    """Return a first round, of several groups if the movement has any."""
    if groups == 1 or movement not in _OF_GROUPS:
        return Proposal(_first(movement, entries, lot))
    if movement in ("lot", "lot-pairs"):
        lot(entries)
        entries = drawn_pairs(entries, lot) if movement == "lot-pairs" else entries
        movement = "listed"
    fields = sections.dealt(entries, groups)
    seating = sections.side_by_side(_first(movement, own, lot) for own in fields)
    return Proposal(seating, groups={name: n for n, own in enumerate(fields, start=1) for name in own})


def _first(movement: str, entries: list[str], lot: Callable[[list[str]], None]) -> Seating:
    if movement in ("lot", "players-lot", "players-all"):
        lot(entries)
    match movement:
        case "lot-pairs":
            return in_order(drawn_pairs(entries, lot))
        case "howell":
            return howell(entries, 1)
        case "round-robin":
            return round_robin(entries, 1)
        case "knock-out":
            return knock_out(entries)
        case "players-lot":
            return drawn(entries)
        case "players-all":
            return whist(entries, 1)
    return in_order(entries)


def _may_join(evening: Evening, joining: Sequence[str]) -> None:
    """Raise FormError where the code lets nobody be entered any more, or nobody come back who has left."""
    known = {one.pair.casefold() for one in evening.ranked}
    away = {one.casefold() for one in evening.absent}
    for one in joining:
        if one.casefold() in away:
            continue
        if one.casefold() in known and evening.rules.returning:
            raise FormError("joining_left", entry=one, article=evening.rules.returning)
        if one.casefold() not in known and evening.rules.joining:
            raise FormError("joining_closed", entry=one, article=evening.rules.joining)


def _next(
    movement: str,
    evening: Evening,
    lot: Callable[[list[str]], None],
    joining: Sequence[str],
    leaving: Sequence[str],
) -> Proposal:
    played, gone = evening.played, _gone(evening, joining, leaving)
    if movement not in _CHANGING:
        come = _new_to(evening, joining)
        if come and movement != "mitchell":
            raise FormError("field_is_fixed")
        away = [*gone, *(() if movement == "knock-out" else _left_before(evening, joining))]
        seating = _without(_fixed(movement, evening, come), away)
        return Proposal(seating, _told_absent(evening, gone), evening.groups)
    present = (*players_of(played[-1]), *evening.absent)
    come = _new_to(evening, joining)
    names = field_after([one.pair for one in evening.ranked], present, tuple(gone), come)
    unknown = next((one.pair for one in evening.ranked if one.merit is None and one.pair in names), None)
    if unknown is not None and movement in _BY_RANKING:
        raise NoSeatingError("no_points", "", entry=unknown)
    return Proposal(_changing(movement, names, evening, lot, come), _told_absent(evening, gone), evening.groups)


def _new_to(evening: Evening, joining: Sequence[str]) -> list[str]:
    """Entries of ``joining`` that have not sat in this evening before."""
    known = {name.casefold() for name in evening.absent}
    return [one for one in joining if one.casefold() not in known]


def _gone(evening: Evening, joining: Sequence[str], leaving: Sequence[str]) -> list[str]:
    """Entries that leave before the next round. Raises FormError for an unknown name."""
    here = {one.casefold(): one for one in (*players_of(evening.played[-1]), *evening.absent)}
    unknown = next((one for one in leaving if one.casefold() not in here), None)
    if unknown is not None:
        raise FormError("leaving_unknown", entry=unknown)
    back = {one.casefold() for one in joining}
    still = [one for one in evening.absent if one.casefold() not in back]
    return [*still, *(here[one.casefold()] for one in leaving if here[one.casefold()] not in still)]


def _left_before(evening: Evening, joining: Sequence[str]) -> list[str]:
    """Entries that began and were gone in the last round."""
    last = {one.casefold() for one in (*players_of(evening.played[-1]), *joining)}
    ever = dict.fromkeys(one for played in evening.played for one in players_of(played))
    return [one for one in ever if one.casefold() not in last]


def _told_absent(evening: Evening, gone: Sequence[str]) -> tuple[str, ...]:
    """Entries that stay in the ranking as absent: with the points that the code gives for it, if any."""
    return tuple(gone) if evening.rules.absent else ()


def _joined(evening: Evening, come: Sequence[str]) -> dict[int, list[str]]:
    """Return the entries by the number of the round that was their first; ``come``: entries of the next round."""
    ever = {one.casefold() for one in players_of(evening.played[0])}
    found: dict[int, list[str]] = {}
    for number, names in enumerate([*map(players_of, evening.played[1:]), come], start=2):
        new = [one for one in names if one.casefold() not in ever]
        ever |= {one.casefold() for one in new}
        if new:
            found[number] = new
    return found


def _fixed(movement: str, evening: Evening, come: Sequence[str] = ()) -> Seating:
    """Return a round of a movement that the first one has settled; to Mitchell ``come`` late entries."""
    played = evening.played
    number, first = len(played) + 1, played[0]
    if movement == "players-all":
        return whist(whist_field(first), number)
    if movement == "knock-out":
        won = [{*names, *one.resting} for names, one in zip(evening.won, played, strict=True)]
        return knock_out(knock_out_field(first), won)
    joined = _joined(evening, come)

    def play(own: Seating, last: bool) -> Seating:  # who comes late joins the last group
        match movement:
            case "mitchell":
                return mitchell(own, number, joined=joined if last else {})
            case "howell":
                return howell(howell_field(own), number)
        return round_robin(round_robin_field(own), number)

    return sections.each_apart(first, evening.groups, play)


def _without(seating: Seating, gone: Collection[str]) -> Seating:
    """Return the same round without ``gone``, who are not there: an entry that would meet one of them rests."""
    away = {one.casefold() for one in gone}
    if not away:
        return seating
    meetings, left = list[Meeting](), list[str]()
    for meeting in seating.meetings:
        players = [*partners(meeting.ns), *partners(meeting.ew)]
        there = [one for one in players if one.casefold() not in away]
        if len(there) == len(players):
            meetings.append(meeting)
        else:
            left += there
    return Seating(tuple(meetings), (*(one for one in seating.resting if one.casefold() not in away), *left))


def _changing(
    movement: str,
    names: list[str],
    evening: Evening,
    lot: Callable[[list[str]], None],
    come: Sequence[str],
) -> Seating:
    """Return a round of a movement that goes by the ranking, or by lot."""
    played = evening.played
    if movement == "players-lot":
        lot(names)
        return drawn(names, played)
    if movement == "players-danese":
        return by_fours(names, played)
    if movement == "swiss":
        points = {one.pair: (one.merit or (0,))[0] for one in evening.ranked}
        return swiss(names, dict.fromkeys(come, 0) | points, played)
    group_of = {one.pair: one.group for one in evening.ranked} | dict(evening.groups)
    last = max(group_of.values(), default=0)
    groups = [list(own) for _, own in groupby(names, key=lambda name: group_of.get(name, last))]
    rounds = [danese(own, played, repeats=movement == "danese") for own in groups]
    return sections.side_by_side(rounds)


def as_seats(proposal: Proposal, places: Sequence[str], *, teams: bool = False) -> Mapping[tuple[str, str], str]:
    """Return the seating at the hall's tables, in their order; ``teams``: each match takes two, one after the other.

    Raises FormError where there are too few of them.
    """
    each = 2 if teams else 1
    needed = each * max((meeting.table for meeting in proposal.seating.meetings), default=0)
    if needed > len(places):
        raise FormError("seating_few_tables", n=needed, have=len(places))
    found: dict[tuple[str, str], str] = {}
    for meeting in proposal.seating.meetings:
        rooms = places[each * (meeting.table - 1) : each * meeting.table]
        for room, names in zip(rooms, ((meeting.ns, meeting.ew), (meeting.ew, meeting.ns)), strict=False):
            found |= {(room, line): name for line, name in zip(LINES, names, strict=True)}
    for place, nobody in ((RESTS, proposal.seating.resting), (ABSENT, proposal.absent)):
        for name in nobody:
            found[free_place(place, found)] = name
    return found
