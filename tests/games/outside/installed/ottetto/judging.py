"""The referee of Ottetto: one fault, which the arbitro rules or dismisses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hw.observations import Console
from hw.seats import Line, Seat
from ottetto.rules import CATALOGUE, OUT_OF_TURN
from table_service.referee.past import Past, irregularity_of
from table_service.referee.round import RoundBook
from table_service.referee.values import Finding, Ignored, Irregularity, Sanction
from table_service.tracking.movements import Movement


class NoSanctions:
    """Nothing is watched after a ruling."""

    @property
    def in_force(self) -> tuple[Sanction, ...]:
        return ()


class Referee:
    """Keeps the irregularities of one deal."""

    def __init__(self, book: RoundBook) -> None:
        self.book = book
        self.sanctions = NoSanctions()
        self._deal = 0
        self._found: dict[str, Irregularity] = {}

    @property
    def open(self) -> tuple[Irregularity, ...]:
        return tuple(one for one in self._found.values() if one.state == "open")

    @property
    def warnings(self) -> dict[Line, int]:
        return {line: self.book.warned(line) for line in Line}

    def new_round(self, book: RoundBook | None = None) -> None:
        self.book = book or RoundBook(CATALOGUE.tournament)

    def end_round(self, t: float) -> Iterable[Finding]:  # noqa: ARG002
        return ()

    def new_deal(self, number: int, t: float) -> Iterable[Finding]:  # noqa: ARG002
        self._deal, self._found = number, {}
        return ()

    @property
    def liftable(self) -> tuple[Irregularity, ...]:
        return ()

    def earlier(self, key: str) -> tuple[int, Irregularity] | None:  # noqa: ARG002
        return None

    def is_of_another_round(self, key: str) -> bool:  # noqa: ARG002
        return False

    def reverse(self, key: str, t: float) -> Iterable[Finding]:  # noqa: ARG002
        raise KeyError(key)

    def take_up(
        self,
        irregularities: Iterable[Past],
        sanctions: Iterable[Past],  # noqa: ARG002
        deal: int,
    ) -> list[str]:
        self._deal = deal
        unknown = []
        for past in irregularities:
            one = irregularity_of(CATALOGUE, past)
            if one is None:
                unknown.append(str(past.data.get("key")))
            else:
                self._found[one.key] = one
        return unknown

    def counted(self, lead: int | None) -> None:
        self.book = self.book.counted(lead)

    def visited(self) -> None:
        self.book = self.book.visited()

    def out_of_turn(self, move: Movement, seat: Seat, card: str, due: Seat) -> Irregularity:
        """``seat`` has played ``card`` although ``due`` was to play."""
        found = Irregularity(
            key=f"d{self._deal}-{len(self._found) + 1}",
            row=CATALOGUE.row(OUT_OF_TURN),
            offender=seat,
            victim=due,
            cards=(card,),
            t=move.t,
            committed_t=move.committed_t,
            found="during_turn",
            seen=True,
            confidence=move.confidence,
            basis=move.basis,
            frames=move.frames,
            movements=(move.id,),
        )
        self._found[found.key] = found
        return found

    def retracted(self, movement: int, t: float) -> Iterable[Finding]:
        """What rests on ``movement`` has not happened."""
        return [self._turn(one, t, "dismissed") for one in self.open if movement in one.movements]

    def order(self, console: Console) -> Iterable[Finding]:
        """A ruling about one of the irregularities."""
        one = self._found.get(str(console.fields.get("key")))
        if one is None or console.do not in ("rule", "dismiss"):
            return [Ignored("the order names no irregularity of this deal", console.t)]
        return [self._turn(one, console.t, "ruled" if console.do == "rule" else "dismissed")]

    def _turn(self, one: Irregularity, t: float, state: str) -> Irregularity:
        fresh = replace(one, t=t, state="ruled" if state == "ruled" else "dismissed", ruling=(("by", "arbitro"),))
        self._found[one.key] = fresh
        return fresh
