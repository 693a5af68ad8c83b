"""The facts of a deal of tarocco that are reported: cards laid, tricks won, cards shown, the scarto."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from table_service.events.payloads import DealEnded
from table_service.games.tarocco.fold.certainty import certain_tricks
from table_service.games.tarocco.fold.course import Act, Course, FacedCards, Gathered, Laid
from table_service.games.tarocco.fold.course_of_moves import course_after
from table_service.games.tarocco.fold.statements import AccusoStated
from table_service.games.tarocco.payloads import ScartoMade
from table_service.games.tricks.trick_play import Taken
from table_service.table.history import Facts


@dataclass(frozen=True, slots=True)
class Won:
    """A trick was gathered; ``certain``: its cards, players and winner are."""

    taken: Taken
    gathered: Gathered | None
    certain: bool

    @property
    def cards(self) -> dict[str, str]:
        """Its cards by seat."""
        return {str(seat): card for seat, card in self.taken.trick.plays}


Fact = ScartoMade | Laid | Won | FacedCards | AccusoStated | DealEnded


def after(course: Course, act: Act) -> tuple[Course, Facts[Fact]]:
    """``course`` after ``act``, and the facts that are new or other by it (``table.history``)."""
    now = course_after(course, act)
    return now, {} if now is course else dict(_facts(course, now, act))


def _facts(before: Course, now: Course, act: Act) -> Iterator[tuple[Hashable, Fact]]:
    if now.has_scarto and not before.has_scarto:
        yield "scarto", ScartoMade(cards=now.deal.scarto_count, knocked=now.scarto_said is not None)
    yield from _laid(before, now)
    if now.deal.play.taken is not before.deal.play.taken or now.gathered is not before.gathered:
        yield from _won(now)
    known = set(map(id, before.shown))
    yield from ((_key_of(one), one) for one in now.shown if id(one) not in known and _is_told(one))
    if isinstance(act, AccusoStated) and act.cards:
        yield ("accuso", act.seat, frozenset(act.cards)), act


def _laid(before: Course, now: Course) -> Iterator[tuple[Hashable, Laid]]:
    """Cards laid; of two that one movement seems to have laid for one seat, the first."""
    if now.laid is before.laid:
        return
    known = set(map(id, before.laid))
    found: dict[Hashable, Laid] = {}
    for one in now.laid:
        found.setdefault(("laid", one.move.id, one.seat), one)
    yield from ((key, one) for key, one in found.items() if id(one) not in known)


def _won(now: Course) -> Iterator[tuple[Hashable, Won]]:
    certain = certain_tricks(now)
    for taken, gathered in zip_longest(now.deal.play.taken, now.gathered[: len(now.deal.play.taken)]):
        yield ("won", taken.number), Won(taken, gathered, taken.number in certain)


def _is_told(one: FacedCards) -> bool:
    """Return True unless several cards lie there and may still become an accuso."""
    return one.what != "lying" or len(one.cards) == 1


def _key_of(one: FacedCards) -> Hashable:
    """Return the key of a showing: an accuso is one fact in pictures or by a person; any other is its movement's."""
    is_accuso = one.what == "accuso" and not one.late
    return ("accuso", one.seat, frozenset(one.cards)) if is_accuso else (one.what, one.move.id)
