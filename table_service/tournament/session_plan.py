"""A movement that was chosen for a session: who has which number in it, and what each round then is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from table_service.tournament.board_movements import BoardMovement, Sitting, bumped, completed
from table_service.tournament.movement_choice import Offer
from table_service.tournament.seating import Meeting, NoSeatingError, Seating


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """The rounds of a session. ``entries``: pair 1 first; ``places``: the hall's tables, table 1 first."""

    offer: Offer
    entries: tuple[str, ...]
    places: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """Number of its rounds."""
        return len(self.offer.movement.rounds)

    def seating(self, number: int) -> Seating:
        """Round ``number``, from 1. Raises NoSeatingError if the movement has no such round."""
        sittings = self._sittings(number)
        meetings = tuple(Meeting(one.table, self._name(one.ns), self._name(one.ew)) for one in sittings)
        return Seating(meetings, tuple(self._name(pair) for pair in self.offer.movement.resting(number)))

    def boards(self, number: int) -> Mapping[str, tuple[int, ...]]:
        """Return the boards of round ``number`` by place; empty for a round that the movement does not have."""
        if not 1 <= number <= self.rounds:
            return {}
        return {self.places[one.table - 1]: self.offer.boards(one.set) for one in self._sittings(number)}

    def with_late(self, entry: str, number: int) -> SessionPlan:
        """Return the plan with one pair more from round ``number`` on.

        It fills the half table, if there is one; else it takes another North-South's place in each round (a pair
        is sent to rest by it at most once). Raises NoSeatingError if there is no such way.
        """
        movement = self.offer.movement
        changed = completed(movement, number) if movement.half else None
        if changed is None and not movement.bumped:
            changed = bumped(movement, number)
        if changed is None:
            raise NoSeatingError("no_late_pair", f"no movement takes one pair more in round {number}")
        return replace(self, offer=replace(self.offer, movement=changed), entries=(*self.entries, entry))

    def as_json(self) -> dict[str, Any]:
        """All of it, as ``plan_of`` reads it."""
        return {**asdict(self.offer), "entries": list(self.entries), "places": list(self.places)}

    def _sittings(self, number: int) -> tuple[Sitting, ...]:
        if not 1 <= number <= self.rounds:
            raise NoSeatingError("plan_is_over", f"the movement has {self.rounds} rounds", rounds=self.rounds)
        return self.offer.movement.rounds[number - 1]

    def _name(self, pair: int) -> str:
        return self.entries[pair - 1]


def planned(offer: Offer, entries: Sequence[str], places: Sequence[str]) -> SessionPlan:
    """Return the plan by which ``entries`` play at ``places``. Raises NoSeatingError if these are too few."""
    needed = offer.movement.tables
    if needed > len(places):
        raise NoSeatingError("few_tables", f"{needed} tables", n=needed, have=len(places))
    return SessionPlan(offer, tuple(entries), tuple(places[:needed]))


def plan_of(document: Mapping[str, Any]) -> SessionPlan:
    """Return the plan that ``as_json`` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    made = document["movement"]
    movement = BoardMovement(
        kind=made["kind"],
        tables=made["tables"],
        pairs=made["pairs"],
        sets=made["sets"],
        rounds=tuple(tuple(Sitting(*one) for one in sittings) for sittings in made["rounds"]),
        bumped=made["bumped"],
        half=tuple(Sitting(*one) for one in made["half"]),
    )
    italian, english = document["cost"]
    offer = Offer(movement, document["each"], (italian, english))
    return SessionPlan(offer, tuple(document["entries"]), tuple(document["places"]))
