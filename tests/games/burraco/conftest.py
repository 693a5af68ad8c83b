"""A table played by hand-made movements: who moves which cards, without sensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hw.observation_log import Header
from hw.observations import Button, Console, Observation, Said
from hw.seats import SEATS, Seat
from table_service.events import Event, event_to_json, public
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.rules.deal import Deal, Manner
from table_service.table.resuming import newest_round, resumed
from table_service.tracking.movements import Counted, Movement, Named, Notice, Retracted, RowChanged, Shown, Track


class Script:
    """Plays at one TableFold and keeps the events. A second passes between two acts."""

    def __init__(
        self,
        dealer: str = "S",
        stock: int | None = 42,
        pots: int | None = 22,
        *,
        tagged: bool = False,
        rules: str = "fibur2024",
        **options: Any,
    ) -> None:
        tags = {"E0040100": "KH#1"} if tagged else {}
        header = Header("T1", rules, options={"keepers": {"NS": "N", "EW": "E"}, **options}, tags=tags)
        self.header = header
        self.fold = TableFold(header)
        self.events: list[Event] = []
        self.t = 0.0
        self.moves = 0
        self.console("start-round", deals=1, minutes=42)
        self.console("deal", deal=1, dealer=dealer)
        self.counted("pots", pots)
        self.counted("stock", stock)
        self.console("start-play")

    def restart(self) -> None:
        """The table starts again and goes on with what it told so far; the next deal is dealt anew."""
        told = [event_to_json(public(event)) for event in self.events]
        self.header = resumed(self.header, newest_round(told))
        self.fold = TableFold(self.header)
        self.events = list(self.fold.drain())

    def take(self, track: Track) -> list[Event]:
        said = self.fold.follow([track])
        self.events += said
        return said

    def later(self) -> float:
        self.t += 1.0
        return self.t

    def notice(self, observation: Observation) -> list[Event]:
        return self.take(Notice(observation.t, observation))

    def console(self, do: str, **fields: Any) -> list[Event]:
        return self.notice(Console(self.later(), "arbitro-1", do, fields))

    def press(self, seat: str, button: str) -> list[Event]:
        return self.notice(Button(self.later(), Seat(seat), button))

    def says(self, seat: str | None, what: str) -> list[Event]:
        return self.notice(Said(self.later(), Seat(seat) if seat else None, what))

    def counted(self, zone: str, cards: int | None) -> list[Event]:
        return [] if cards is None else self.take(Counted(self.later(), zone, cards, 1.0))

    def move(
        self, cards: str, source: str | None, target: str | None, seat: str | None = None, **more: Any
    ) -> list[Event]:
        self.moves += 1
        t = self.later()
        fields = {"committed_t": t - 0.3, "confidence": 0.99, "basis": ("scale", "reach"), **more}
        return self.take(
            Movement(
                id=self.moves,
                t=t,
                cards=tuple(cards.split()),
                source=source,
                target=target,
                seat=Seat(seat) if seat else None,
                **fields,
            )
        )

    def turn_up(self, card: str = "TD") -> list[Event]:
        return self.move(card, "stock", "discard")

    def draw(self, seat: str, card: str = "??", **more: Any) -> list[Event]:
        return self.move(card, "stock", f"hand-{seat}", seat, **more)

    def put_back(self, seat: str, card: str = "??") -> list[Event]:
        return self.move(card, f"hand-{seat}", "stock", seat)

    def collect(self, seat: str, cards: str) -> list[Event]:
        return self.move(cards, "discard", f"hand-{seat}", seat)

    def discard(self, seat: str, card: str) -> list[Event]:
        return self.move(card, f"hand-{seat}", "discard", seat)

    def lay(self, seat: str, row: int, cards: str, before: str = "", result: str = "", **more: Any) -> list[Event]:
        line = "NS" if seat in "NS" else "EW"
        reads = tuple((result or f"{before} {cards}").split())
        return self.move(cards, f"hand-{seat}", f"melds-{line}", seat, row=row, result=reads, **more)

    def reorder(self, seat: str, row: int, before: str, after: str, line: str = "") -> list[Event]:
        """``seat`` puts the cards of a meld of its own line (or of ``line``) in another order."""
        self.moves += 1
        line, t = line or ("NS" if seat in "NS" else "EW"), self.later()
        was, now = tuple(before.split()), tuple(after.split())
        return self.take(
            RowChanged(self.moves, t, t - 0.3, f"melds-{line}", row, was, now, Seat(seat), 0.98, ("sight", "reach"))
        )

    def expose(self, seat: str | None, cards: str, visible_to: str | None = "NESW") -> list[Event]:
        seen = None if visible_to is None else tuple(map(Seat, visible_to))
        return self.move(cards, f"hand-{seat}" if seat else None, "table", seat, visible_to=seen)

    def take_up(self, seat: str, cards: str) -> list[Event]:
        return self.move(cards, "table", f"hand-{seat}", seat)

    def take_pot(self, seat: str, giver: str | None = None, count: int = 11) -> list[Event]:
        return self.move(" ".join(["??"] * count), "pots", None, giver or seat)

    def turn(self, seat: str, card: str = "3S") -> list[Event]:
        """``seat`` draws an unknown card and discards ``card``."""
        return [*self.draw(seat), *self.discard(seat, card)]

    def shown(self, seat: str, cards: str) -> list[Event]:
        t = self.later()
        return self.take(Shown(t, t, f"hand-{seat}", tuple(cards.split()), Seat(seat), 0.99, ("sight",)))

    def named(self, movement: int, cards: str) -> list[Event]:
        return self.take(Named(self.later(), movement, tuple(cards.split()), 0.99, ("sight",)))

    def retracted(self, movement: int) -> list[Event]:
        return self.take(Retracted(self.later(), movement, "the scale says otherwise"))

    def hands(self, **cards: str) -> None:
        """Give seats known hands (the ledger only: as if every card had been seen)."""
        for seat in SEATS:
            if seat in cards:
                held = tuple(cards[seat].split())
                self.suppose(lambda deal, seat=seat, held=held: deal.correct(f"hand-{seat}", held))

    def suppose(self, change: Callable[[Deal], Deal]) -> None:
        """A position to go on from: the deal as it stands after ``change``, of which nothing is told."""
        assert self.fold.deal is not None
        self.fold.game.parts.course.change(change)

    def over(self, manner: Manner = "stock") -> None:
        """The deal has ended so, and its end was told."""
        self.fold.game.parts.ending.end(manner, self.t)
        self.events += self.fold.drain()

    # what came of it

    def of(self, type_: str) -> list[Event]:
        return [event for event in self.events if event.type == type_]

    def verdicts(self) -> list[tuple[str, str | None, str]]:
        """Every telling of every irregularity: row, offender, state."""
        return [(e.data.row, e.seat, e.data.state) for e in self.of("irregularity")]  # type: ignore[attr-defined]

    def last(self) -> dict[str, Any]:
        """The newest telling of an irregularity as JSON."""
        return self.of("irregularity")[-1].data.model_dump(mode="json", by_alias=True)


@pytest.fixture
def script() -> Script:
    """A deal with dealer S, checked, the first card turned up: W is to play."""
    one = Script()
    one.turn_up()
    return one


@pytest.fixture
def tagged() -> Script:
    """The same at a table whose cards carry known tags, so that its gates are expected to name them."""
    one = Script(tagged=True)
    one.turn_up()
    return one


@pytest.fixture
def make_script() -> type[Script]:
    """For another beginning."""
    return Script
