"""The tricks of a deal as they are played: every card in any order is taken, and what it means is asked apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Line, Seat
from table_service.games.tricks.order import TrickRules
from table_service.games.tricks.trick import Trick

NOTHING: Final = Trick()
"""A trick before anybody has played."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick that was gathered: ``number`` from 1, ``by`` who won it (None: not known).

    ``pile``: the line to whose pile it was put, where that is known.
    """

    number: int
    trick: Trick
    by: Seat | None
    pile: Line | None = None

    @property
    def line(self) -> Line | None:
        """Line whose pile it is in: by its winner, else by the pile it was put on; None if unknown."""
        return self.pile if self.by is None else self.by.line


@dataclass(frozen=True, slots=True)
class TrickPlay:
    """The play of a deal so far. ``leader``: who is to lead to the trick that lies open; None where nobody knows."""

    rules: TrickRules
    leader: Seat | None
    taken: tuple[Taken, ...] = ()
    open: Trick = NOTHING

    @property
    def turn(self) -> Seat | None:
        """Seat that is to play; None if unknown, and while a full trick waits to be gathered."""
        return self.open.turn(self.rules) if self.open.plays else self.leader

    @property
    def number(self) -> int:
        """The number of the open trick, from 1."""
        return len(self.taken) + 1

    def played(self, seat: Seat, card: str) -> TrickPlay:
        """``seat`` plays ``card`` (``??``: not read) to the open trick, in turn or not."""
        trick = Trick((*self.open.plays, (seat, card)), self.open.may_lead)
        return TrickPlay(self.rules, self.leader, self.taken, trick)

    def taken_back(self, seat: Seat, card: str) -> TrickPlay:
        """``seat`` takes back its last ``card`` from the open trick; nothing changes where it has played none such."""
        plays = list(self.open.plays)
        for place in range(len(plays) - 1, -1, -1):
            if plays[place] == (seat, card):
                del plays[place]
                return replace(self, open=self.open.with_plays(plays))
        return self

    def named(self, number: int, seat: Seat, card: str) -> TrickPlay:
        """Name the unread card that ``seat`` played to trick ``number``: it is ``card``."""
        if number == self.number:
            return replace(self, open=_named(self.open, seat, card))
        taken = tuple(
            replace(one, trick=_named(one.trick, seat, card)) if one.number == number else one for one in self.taken
        )
        return replace(self, taken=taken)

    def gathered(self, by: Seat | None) -> TrickPlay:
        """Gather the open trick; ``by`` has won it and leads next, None if the winner is unknown."""
        return TrickPlay(self.rules, by, (*self.taken, Taken(self.number, self.open, by)))

    def settled(self) -> TrickPlay:
        """Settle who won a trick, as it has come to be known: he led to the next one, if he may have.

        So who has won that one may be known as well.
        """
        taken: list[Taken] = []
        by = None
        for one in self.taken:
            if by is not None and one.trick.may_lead:
                trick = one.trick.led_by(by)
                one = replace(one, trick=trick, by=trick.winner(self.rules) if one.by is None else one.by)  # noqa: PLW2901
            taken.append(one)
            by = one.by
        open_ = self.open if by is None else self.open.led_by(by)
        return TrickPlay(self.rules, by if taken else self.leader, tuple(taken), open_)

    def tricks_of(self, lines: Mapping[Seat, Line]) -> dict[Line, int | None]:
        """Return how many tricks each line has won; None for all where the winner of one is not known."""
        known = all(one.by is not None for one in self.taken)
        return {
            line: sum(one.by is not None and lines[one.by] is line for one in self.taken) if known else None
            for line in dict.fromkeys(lines.values())
        }


def _named(trick: Trick, seat: Seat, card: str) -> Trick:
    plays = list(trick.plays)
    for place, (who, read) in enumerate(plays):
        if who is seat and face(read) == UNKNOWN:
            plays[place] = seat, card
            break
    return Trick(tuple(plays), trick.may_lead)
