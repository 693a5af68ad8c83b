"""One deal at the simulated table: its state, what a player reckons with, and what is noted of its faults."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hw.seats import SEATS, Line, Rotation, Seat
from hw.twin.world import Heaps, World
from hw.zones import DISCARD, POTS, STOCK
from table_service.games.burraco.rehearsal.customs import FIBUR2024, Customs
from table_service.games.burraco.rehearsal.oracle import OracleMeld
from table_service.games.burraco.rehearsal.players import View
from table_service.rehearsal.script import Injected, LimitedTurn, Script, ScriptAction

COLUMNS: Final[dict[Line, int]] = {Line.NS: 10, Line.EW: 7}
_BROAD: Final = 10
"""The columns of each of two players, who sit opposite each other."""
"""How many melds the players of a line lay out before they only add: what the table's areas hold."""
LAST_CARDS: Final = 2
"""The last cards of the stock, which are not played (art. 17)."""
CLOSES_WITH: Final = 3
"""With at most so many cards before his draw a player may be about to go out."""
_BARRED_KEEPS: Final = 2
"""So many cards are left to who may not go out: one that he discards, and one."""
LONG_DEAL: Final = 80
"""Turns after which players hold nothing back."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits of a player's next turn after a ruling on ``row``: draw (or collect, or either) and discard, no play.

    ``breaks``: he plays all the same, if he can.
    """

    must: str
    row: str = ""
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class Freeze:
    """``seat``'s next turn but ``turns`` - 1 ends it; ``seat`` None: it lasts to the end of the deal.

    ``undrawn``: the cards laid without a draw, which count against their line where somebody goes out before; a meld
    ``before`` them keeps its value (art. 30).
    """

    seat: Seat | None
    turns: int = 1
    undrawn: tuple[str, ...] = ()
    before: OracleMeld | None = None


@dataclass(slots=True)
class SimulatedDeal:
    """A deal in play. ``turn`` counts turns from 1; ``in_turn`` is who plays it or will."""

    script: Script
    rng: random.Random
    number: int
    dealer: Seat
    customs: Customs = FIBUR2024
    may_not_close: set[Seat] = field(default_factory=set)
    """Who is barred from going out until his next turn is over, and keeps to it."""
    turn: int = 0
    melds: dict[int, OracleMeld] = field(default_factory=dict)
    lines: dict[int, Line] = field(default_factory=dict)
    last_change: dict[int, tuple[Seat, int]] = field(default_factory=dict)
    changes: dict[tuple[int, Seat], int] = field(default_factory=dict)
    """The cue with which each seat has last opened or changed a row."""
    next_row: int = 0
    pot_taker: dict[Line, Seat] = field(default_factory=dict)
    unplayed: set[Seat] = field(default_factory=set)
    limits: dict[Seat, Limit] = field(default_factory=dict)
    frozen: dict[int, Freeze] = field(default_factory=dict)
    """Rows to which nothing may be added."""
    excess: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Cards that lie in a row and count against its line (art. 25)."""
    taking: bool = False
    """Whether the player in turn has drawn or collected."""
    turn_open: bool = True
    """False once a fault has played the rest of the turn."""
    flight: bool = False
    """Whether the pot that is being taken is taken in flight."""
    pot_sizes: tuple[int, int] = (11, 11)
    old_pot: int = 0
    """Cards of a pot that was left from the deal before, beneath the others."""
    short: int = 0
    """Cards that were left in the box."""
    dealt: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    """Cards that a hand is dealt, among others that chance gives it."""
    on_take: list[Callable[[Seat, int], bool]] = field(default_factory=list)
    """Told of each regular draw or collection with its seat and cue, until they answer True."""
    on_pot: list[Callable[[Seat, int], bool]] = field(default_factory=list)
    """Told of each pot taken, likewise."""
    owed: dict[Seat, dict[str, int]] = field(default_factory=dict)
    """Exposed or penalised cards of a seat and the cue at which they fell: to be played or discarded."""
    plays: list[tuple[Seat, int, tuple[str, ...], OracleMeld | None]] = field(default_factory=list)
    """Who laid which cards into which row, and what that row was before; the newest last."""
    last_turn: int | None = None
    """The turn with which the deal ends as the time is up; None while it is not."""
    counted: dict[str, dict[str, int]] | None = None
    """The score, where cards were mixed before it could be read off the table."""
    barred: str | None = None
    closed_by: Seat | None = None
    over: str | None = None
    """How the deal ended; None while it is played."""
    end_cue: int = 0
    last_discard: int = 0
    """The cue of the last discard."""
    staged: bool = False
    """Whether a ruling is staged: then people carry its remedy out in all the ways in which it can be done."""
    end: str | None = None
    """The kind of end (``ENDS``) in whose last turn, or after which, a fault is to be ruled; None: anywhere."""
    keeps: int = 0
    """With fewer cards than these nobody plays on before the last turn: the deal is to end without a closing."""
    leaves_pot: bool = False
    """Whether that holds before the pot as well: in the last turn somebody is to go to it."""
    stalling: bool = False
    """Whether the last exchange of a stalemate is about to be made."""
    after_end: list[Callable[[Seat], None]] = field(default_factory=list)
    """What happens once the deal is over, before the hands are laid out."""

    @property
    def world(self) -> World:
        """Place of every card."""
        return self.script.world

    @property
    def stock(self) -> tuple[str, ...]:
        """The cards of the stock, from below to above."""
        return self.world.heap(STOCK)

    @property
    def pile(self) -> tuple[str, ...]:
        """The cards of the discard pile, in the order in which they came."""
        return self.world.heap(DISCARD)

    @property
    def pots(self) -> Heaps:
        """The pots that lie on the table, the first to be played first."""
        return self.world.heaps.get(POTS, ())

    @property
    def rotation(self) -> Rotation:
        """Order of play."""
        return self.world.table.rotation

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats that play, in the order of play."""
        return self.rotation.seats

    def next(self, seat: Seat) -> Seat:
        """Return who plays after ``seat``."""
        return self.rotation.next(seat)

    def around(self, seat: Seat) -> list[Seat]:
        """Return the others at the table: the partner of ``seat`` if he has one, the players after and before him."""
        others = (self.rotation.partner(seat), self.rotation.next(seat), self.rotation.previous(seat))
        return list(dict.fromkeys(one for one in others if one is not None))

    def line_of(self, seat: Seat) -> Line:
        """Return the line that ``seat`` plays for."""
        return self.rotation.line(seat)

    def seats_of(self, line: Line) -> tuple[Seat, ...]:
        """Return who plays for ``line``."""
        return tuple(seat for seat in SEATS if self.rotation.holds(seat) and self.rotation.line(seat) is line)

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """Return who plays for the other line."""
        return self.seats_of(self.line_of(seat).other)

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """Return the cards that ``seat`` holds or that are its own though they lie exposed."""
        loose = tuple(card.card for card in self.world.loose if card.seat is seat)
        return (*self.world.hands[seat], *self.world.sides[seat], *loose)

    def has_burraco(self, line: Line) -> bool:
        """Return True if ``line`` has made a burraco of any class."""
        return any(each.burraco != "none" for row, each in self.melds.items() if self.lines[row] is line)

    def pot_taken(self, line: Line) -> bool:
        """Return True if ``line`` has had its pot."""
        return line in self.pot_taker

    def is_last_turn(self, *, taken: bool, lead: int = 0) -> bool:
        """Return True if the turn that ends the deal comes ``lead`` turns after this one, as far as it can be known.

        ``taken``: the seat in turn has drawn or collected. Of a closing nobody knows: somebody is about to go out.
        """
        if self.end == "time-out":
            return self.last_turn == self.turn + lead
        if self.end == "stock":
            return len(self.stock) == LAST_CARDS + lead + (not taken)
        return False

    def may_close(self, seat: Seat, most: int = CLOSES_WITH) -> bool:
        """Return True if ``seat`` may be about to go out: at most ``most`` cards, the pot played, a burraco made."""
        line = self.line_of(seat)
        ready = self.pot_taken(line) and self.has_burraco(line) and seat not in self.unplayed
        return ready and 0 < len(self.hand(seat)) <= most

    def rows(self, line: Line) -> dict[int, OracleMeld]:
        """Return the melds of ``line`` by row."""
        return {row: each for row, each in self.melds.items() if self.lines[row] is line}

    def view(self, seat: Seat) -> View:
        """Return what ``seat`` reckons with."""
        line = self.line_of(seat)
        own = {n: each for n, each in self.rows(line).items() if n not in self.frozen and n not in self.excess}
        owed = tuple(card for card in self.owed.get(seat, {}) if card in self.hand(seat))
        sets = {each.cards[-1][0] for each in self.rows(line).values() if each.kind == "set"}
        holds_back = self.leaves_pot or self.pot_taken(line)
        return View(
            hand=self.hand(seat),
            own=own,
            theirs=self.rows(line.other),
            pile=self.pile,
            pot_taken=self.pot_taken(line),
            burraco=self.has_burraco(line),
            may_open=len(self.rows(line)) < (COLUMNS[line] if len(self.seats) == len(SEATS) else _BROAD),
            closed_ranks=frozenset() if self.customs.equal_sets else frozenset(sets),
            barred=self.barred,
            owed=owed,
            closed_to_owed=self._touched_by_partner(seat),
            penalised=self.world.sides[seat],
            last=len(self.stock) <= LAST_CARDS or self.last_turn == self.turn,
            late=min(1.0, self.turn / LONG_DEAL),
            keeps=self._keeps(seat, holds_back=holds_back),
            lowest_first=self.customs.lowest_first,
        )

    def _keeps(self, seat: Seat, *, holds_back: bool) -> int:
        """With fewer cards than these ``seat`` does not go on."""
        keeps = self.keeps if holds_back and not self.is_last_turn(taken=True) else 0
        return max(keeps, _BARRED_KEEPS) if self._is_barred(seat) else keeps

    def _is_barred(self, seat: Seat) -> bool:
        """Return True if ``seat`` may not go out in this turn."""
        if seat in self.may_not_close or self.customs.closes_with_penalised:
            return seat in self.may_not_close
        return bool(self.world.sides[seat]) or not self.owed.get(seat, {}).keys().isdisjoint(self.hand(seat))

    def _touched_by_partner(self, seat: Seat) -> frozenset[int]:
        """Rows that the partner opened or changed after ``seat`` exposed cards (art. 24)."""
        since = min(self.owed.get(seat, {}).values(), default=None)
        if since is None:
            return frozenset()
        return frozenset(
            row for (row, who), cue in self.changes.items() if who is self.rotation.partner(seat) and cue > since
        )

    def act(self, kind: str, seat: Seat, cards: Sequence[str] = (), **more: object) -> ScriptAction:
        """Return the truth of something that happens now."""
        return ScriptAction(kind, seat, self.number, self.turn, tuple(cards), more=dict(more))

    @property
    def spare(self) -> int:
        """Number of cards a player keeps beside those that he lays wrongly: few if the deal is ending."""
        return {None: 4, "closing": 1}.get(self.end, 2)

    def inject(
        self,
        row: str,
        seat: Seat | None,
        variant: str,
        cards: Sequence[str],
        cue: int,
        evident: int | None = None,
        also: Sequence[str] = (),
        *,
        demanded: bool = True,
        penalised: Sequence[str] = (),
    ) -> None:
        """Write down that a fault was committed with cue ``cue``, and could be told from cue ``evident`` on.

        ``penalised``: the cards that the code penalises for it, where the table is to name just these.
        """
        shown = cue if evident is None else evident
        self.script.injected.append(
            Injected(
                row,
                seat,
                self.number,
                self.turn,
                variant,
                tuple(cards),
                cue,
                shown,
                tuple(also),
                demanded=demanded,
                penalised=tuple(penalised),
            )
        )

    def kept(self, row: str, seat: Seat, outcome: str, cue: int, do: str = "") -> None:
        """Write down that a limited turn, or the sanction ``do``, was ``served`` or ``broken`` with cue ``cue``."""
        self.script.kept.append(LimitedTurn(row, seat, self.number, outcome, cue, do))
