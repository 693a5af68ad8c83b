"""The referee of tarocco: what was found in a deal, what the arbitro has ruled, and what that does to the count."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from hw.cards import TAROCCO, face
from hw.seats import Line, Seat
from table_service.events.orders import Order
from table_service.games.tarocco.codes.tournament import (
    CATALOGUE,
    FALSE_CLAIM_ROW,
    ONLY_SCARTINI_ROWS,
    REDEAL_ROWS,
    VOID_ACCUSO_ROW,
    WRONG_CALL_ROW,
)
from table_service.games.tarocco.fold.counting import CountRulings
from table_service.games.tarocco.rules.deal import TaroccoDeal
from table_service.referee.chance import BEGIN
from table_service.referee.irregularity_keeper import IrregularityKeeper, PlainRulings
from table_service.referee.past import Past, sanction_of
from table_service.referee.round import RoundBook
from table_service.referee.values import Finding, Irregularity, Sanction, SanctionSaid, State


@dataclass(slots=True)
class Owed:
    """Duties from rulings that are not done yet; those of the other rulings are in the score."""

    in_force: tuple[Sanction, ...] = ()

    def impose(self, ruled: Irregularity) -> list[SanctionSaid]:
        """Bring the duties of ``ruled`` into force; one that is ruled again owes nothing twice."""
        if ruled.offender is None or any(one.irregularity == ruled.key for one in self.in_force):
            return []
        new = tuple(
            Sanction(f"{ruled.key}-{place}", ruled.key, ruled.row.id, duty, ruled.offender, (), since_turn=0, t=ruled.t)
            for place, duty in enumerate(ruled.row.duties, start=1)
        )
        self.in_force += new
        return [SanctionSaid("imposed", one, one.t, one.t) for one in new]

    def take_up(self, duty: Sanction) -> None:
        """``duty`` was in force before the table's restart."""
        self.in_force += (duty,)

    def lift(self, irregularity: str) -> None:
        """Drop the duties that were imposed for the ``irregularity`` under that key."""
        self.in_force = tuple(one for one in self.in_force if one.irregularity != irregularity)

    def redealt(self, t: float, *, same: bool) -> list[SanctionSaid]:
        """Begin a deal: the ``same`` one, dealt anew as was ordered, or another."""
        reason = None if same else "another deal has begun"
        return self._settle(t, t, reason)

    def played(self, t: float, committed_t: float) -> list[SanctionSaid]:
        """Settle what is owed: a card was played, although the cards were to be dealt anew."""
        if all(committed_t <= one.t for one in self.in_force):
            return []
        return self._settle(t, committed_t, "play has begun with the cards that were to be dealt anew")

    def _settle(self, t: float, committed_t: float, reason: str | None) -> list[SanctionSaid]:
        what: Literal["served", "broken"] = "served" if reason is None else "broken"
        settled, self.in_force = self.in_force, ()
        return [SanctionSaid(what, one, t, committed_t, reason) for one in settled]


@dataclass(slots=True)
class Redeals:
    """Redeals of each deal of the round, by row: the second time the scarto is lost (commas 7, 8)."""

    together: bool = False
    times: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, number: int, row: str) -> None:
        """Deal ``number`` is dealt anew by ``row``."""
        key = number, "" if self.together else row
        self.times[key] = self.times.get(key, 0) + 1

    def has_lost_scarto(self, number: int) -> bool:
        """Return True if the dealer of deal ``number`` has lost the scarto."""
        return any(deal == number and times > 1 for (deal, _), times in self.times.items())


_DEAL_IN_KEY: Final = re.compile(r"r\d+d(\d+)-")
REPEATED: Final = "points"
FIRST: Final = "caution"


class Referee(IrregularityKeeper[TaroccoDeal]):
    """Keeps the irregularities of one round, and what its rulings order."""

    def __init__(self, book: RoundBook, *, misdeals_together: bool = False, mark: str = "") -> None:
        """``mark``: what sets the keys of this start of the table apart from those of others."""
        super().__init__(CATALOGUE, TAROCCO, PlainRulings[TaroccoDeal](TAROCCO, "no deal is running"), book, mark)
        self.sanctions = Owed()
        self.redeals = Redeals(misdeals_together)
        self._number = 0
        self._cautioned: set[Seat] = set()

    # -- the round ---------------------------------------------------------------------------------------------------

    def new_round(self, book: RoundBook | None = None) -> None:
        """Begin a round."""
        super().new_round(book)
        self.redeals.times.clear()
        self._cautioned.clear()
        self.sanctions = Owed()

    def take_up(self, irregularities: Iterable[Past], sanctions: Iterable[Past], deal: int) -> list[str]:
        """Take up what was told before the table's restart; the keys of what the code does not know any more.

        ``deal``: the newest one.
        """
        unknown = super().take_up(irregularities, (), deal)
        for one in self._ledger.ruled_in_round:
            self._remember(one, _deal_of(one.key))
        for past in sanctions:
            duty = sanction_of(CATALOGUE, past)
            if duty is None:
                unknown.append(str(past.data.get("key")))
            else:
                self.sanctions.take_up(duty)
                self._number = _deal_of(duty.irregularity) or self._number
        return unknown

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """Deal ``number`` begins: nothing lapses by play, so what is open goes on waiting."""
        done = self.sanctions.redealt(t, same=number == self._number)
        said = super().new_deal(number, t)
        self._number = number
        return [*done, *said]

    def played(self, t: float, committed_t: float) -> list[SanctionSaid]:
        """Settle what was owed before play continues and was not done: a card was played."""
        return self.sanctions.played(t, committed_t)

    @property
    def lost_by(self) -> Line | None:
        """The line that has called itself out wrongly, as was ruled: its points are gone, the match is the others'."""
        ruled = (one for one in self._ledger if one.row.id == WRONG_CALL_ROW and one.state == "ruled")
        return next((one.line for one in ruled if one.line is not None), None)

    # -- findings ----------------------------------------------------------------------------------------------------

    def way_of_pause(self, seat: Seat) -> str:
        """Proposal for a pause of ``seat``: a caution; if it had one already, points off (comma 12)."""
        return REPEATED if seat in self._cautioned else FIRST

    def order(self, order: Order, deal: TaroccoDeal | None, chain: str = BEGIN) -> list[Finding]:
        """Return what the arbitro's act at the console changes."""
        said = super().order(order, deal, chain)
        for one in tuple(said):
            if isinstance(one, Irregularity) and one.state == "dismissed":
                self.sanctions.lift(one.key)
            if not isinstance(one, Irregularity) or one.state != "ruled":
                continue
            said += self.sanctions.impose(one)
            self._remember(one, self._number)
        return said

    def _remember(self, ruled: Irregularity, number: int | None) -> None:
        """Remember for later rulings of the match: redeals of deal ``number``, cautioned seats."""
        if ruled.row.id in REDEAL_ROWS and number is not None:
            self.redeals.add(number, ruled.row.id)
        if ruled.row.id == "T12" and ruled.offender is not None:
            self._cautioned.add(ruled.offender)

    def _of_this_deal(self) -> list[Irregularity]:
        return [one for one in self._ledger if _deal_of(one.key) == self._number]

    def ruled(self, *, last_trick_with_scartini: bool, points: Mapping[Line, int]) -> CountRulings:
        """Return what the rulings of this deal do to its count."""
        own = self._of_this_deal()
        found = [one for one in own if one.state in ("open", "ruled")]
        scartini = [one for one in found if one.row.id in ONLY_SCARTINI_ROWS]
        return CountRulings(
            only_scartini=_lines(one for one in scartini if one.state == "ruled"),
            undecided=_lines(one for one in scartini if one.state == "open" and one.severity != "note"),
            false_claim=_is_false({one.state for one in own if one.row.id == FALSE_CLAIM_ROW}),
            void=frozenset(_void(found)),
            points=points,
            last_trick_with_scartini=last_trick_with_scartini,
        )


def _deal_of(key: str) -> int | None:
    """In which deal the irregularity under ``key`` was found; None for one of no deal."""
    found = _DEAL_IN_KEY.search(key)
    return int(found[1]) if found else None


def _lines(found: Iterable[Irregularity]) -> frozenset[Line]:
    return frozenset(one.line for one in found if one.line is not None)


def _is_false(states: set[State]) -> bool | None:
    """Return True if a claim was ruled to be false, or its accusation dismissed; None: not ruled."""
    if "ruled" in states:
        return True
    return False if "dismissed" in states else None


def _void(found: Iterable[Irregularity]) -> Iterator[tuple[Seat, frozenset[str]]]:
    """Seat and cards of each accuso that was ruled void."""
    for one in found:
        ruled = one.row.id == VOID_ACCUSO_ROW and one.state == "ruled"
        if ruled and one.offender is not None:
            yield one.offender, frozenset(map(face, one.cards))
