"""One deal at the simulated table: its state, and the acts of play by which it goes on.

Every act writes its gesture and its truth into the script. Nothing here decides what is played: players and faults do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hw.cards import face
from hw.seats import LINES, SEATS, Line, Seat
from hw.twin.gestures import (
    Collect,
    Command,
    Discard,
    Draw,
    Lay,
    LayOut,
    Lift,
    Penalise,
    Press,
    Rest,
    Say,
    SetTable,
    TakeFromRow,
    TakePot,
    TakeUp,
    TurnShield,
    TurnUp,
)
from hw.twin.world import World
from hw.zones import melds
from table_service.rehearsal.oracle import Meld, Side, items
from table_service.rehearsal.players import Play, View
from table_service.rehearsal.script import Action, Injected, Kept, Script

COLUMNS: Final[dict[Line, int]] = {Line.NS: 10, Line.EW: 7}
"""How many melds the players of a line lay out before they only add: what the table's areas hold."""
LAST_CARDS: Final = 2
"""The last cards of the stock, which are not played (art. 17)."""
CLOSES_WITH: Final = 3
"""With at most so many cards before his draw a player may be about to go out."""
_OVER_HAND: Final = 0.4
"""How often penalised cards go over their player's hand on their way to the side, and from there to the pile."""
_LEANS: Final = 0.5
"""How often his partner's arm lies over the melds meanwhile."""
LONG_DEAL: Final = 80
"""Turns after which players hold nothing back."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What a ruling on ``row`` leaves of a player's next turn: draw (or collect, or either) and discard, no play.

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
    before: Meld | None = None


@dataclass(slots=True)
class Deal:
    """A deal in play. ``turn`` counts turns from 1; ``in_turn`` is who plays it or will."""

    script: Script
    rng: random.Random
    number: int
    dealer: Seat
    turn: int = 0
    melds: dict[int, Meld] = field(default_factory=dict)
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
    plays: list[tuple[Seat, int, tuple[str, ...], Meld | None]] = field(default_factory=list)
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
    stalling: bool = False
    """Whether the last exchange of a stalemate is about to be made."""
    after_end: list[Callable[[Seat], None]] = field(default_factory=list)
    """What happens once the deal is over, before the hands are laid out."""

    # What there is

    @property
    def world(self) -> World:
        """Where every card is."""
        return self.script.world

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """The cards that ``seat`` holds or that are its own though they lie exposed."""
        loose = tuple(card.card for card in self.world.loose if card.seat is seat)
        return (*self.world.hands[seat], *self.world.sides[seat], *loose)

    def has_burraco(self, line: Line) -> bool:
        """Whether ``line`` has made a burraco of any class."""
        return any(each.burraco != "none" for row, each in self.melds.items() if self.lines[row] is line)

    def pot_taken(self, line: Line) -> bool:
        """Whether ``line`` has had its pot."""
        return line in self.pot_taker

    def is_last_turn(self, *, taken: bool, lead: int = 0) -> bool:
        """Whether the turn that ends the deal comes ``lead`` turns after this one, as far as it can be known.

        ``taken``: the seat in turn has drawn or collected. Of a closing nobody knows: somebody is about to go out.
        """
        if self.end == "time-out":
            return self.last_turn == self.turn + lead
        if self.end == "stock":
            return len(self.world.stock) == LAST_CARDS + lead + (not taken)
        return False

    def may_close(self, seat: Seat) -> bool:
        """Whether ``seat`` may be about to go out: few cards, its line's pot played, a burraco made."""
        line = seat.line
        ready = self.pot_taken(line) and self.has_burraco(line) and seat not in self.unplayed
        return ready and 0 < len(self.hand(seat)) <= CLOSES_WITH

    def rows(self, line: Line) -> dict[int, Meld]:
        """The melds of ``line`` by row."""
        return {row: each for row, each in self.melds.items() if self.lines[row] is line}

    def view(self, seat: Seat) -> View:
        """What ``seat`` reckons with."""
        line = seat.line
        own = {n: each for n, each in self.rows(line).items() if n not in self.frozen and n not in self.excess}
        owed = tuple(card for card in self.owed.get(seat, {}) if card in self.hand(seat))
        return View(
            hand=self.hand(seat),
            own=own,
            theirs=self.rows(line.other),
            pile=self.world.pile,
            pot_taken=self.pot_taken(line),
            burraco=self.has_burraco(line),
            may_open=len(self.rows(line)) < COLUMNS[line],
            barred=self.barred,
            owed=owed,
            closed_to_owed=self._touched_by_partner(seat),
            penalised=self.world.sides[seat],
            last=len(self.world.stock) <= LAST_CARDS or self.last_turn == self.turn,
            late=min(1.0, self.turn / LONG_DEAL),
        )

    def _touched_by_partner(self, seat: Seat) -> frozenset[int]:
        """Rows that the partner opened or changed after ``seat`` exposed cards (art. 24)."""
        since = min(self.owed.get(seat, {}).values(), default=None)
        if since is None:
            return frozenset()
        return frozenset(row for (row, who), cue in self.changes.items() if who is seat.partner and cue > since)

    def act(self, kind: str, seat: Seat, cards: Sequence[str] = (), **more: object) -> Action:
        """The truth of something that happens now."""
        return Action(kind, seat, self.number, self.turn, tuple(cards), more=dict(more))

    def bring_up(self, wanted: Callable[[str], bool]) -> bool:
        """Have the cards been shuffled so that a ``wanted`` one is drawn next; whether that could be.

        Nobody has seen the cards of a stock that only draws have touched: their order is still the director's choice.
        """
        cues, stock = self.script.cues, self.world.stock
        place = next((n for n in range(len(cues) - 1, -1, -1) if isinstance(cues[n].gesture, SetTable)), None)
        if place is None or not stock:
            return False
        laid = cues[place].gesture
        if not isinstance(laid, SetTable) or laid.stock[: len(stock)] != stock:
            return False
        found = next((n for n in range(len(stock) - 1, -1, -1) if wanted(stock[n])), None)
        if found is None:
            return False
        after = list(laid.stock)
        after[found], after[len(stock) - 1] = after[len(stock) - 1], after[found]
        cues[place] = replace(cues[place], gesture=replace(laid, stock=tuple(after)))
        self.script.world = replace(self.world, stock=tuple(after[: len(stock)]))
        return True

    # Regular acts

    def turn_up(self) -> None:
        """The dealer turns the first card of the stock over."""
        self.script.do(TurnUp(self.dealer), self.act("turn-up", self.dealer, self.world.stock[-1:]))

    def draw(self, seat: Seat, kind: str = "draw", **more: object) -> int:
        """``seat`` draws; the cue."""
        card = self.world.stock[-1]
        self.unplayed.discard(seat)
        return self.script.do(Draw(seat), self.act(kind, seat, (card,), **more))

    def took(self, seat: Seat, cue: int) -> None:
        """``seat`` has begun its turn regularly with cue ``cue``: tell those who wait for it."""
        self.taking = True
        self.on_take = [waits for waits in self.on_take if not waits(seat, cue)]

    def collect(self, seat: Seat, leave: int = 0) -> int:
        """``seat`` takes the pile but for its ``leave`` lowest cards; a single one left is the discard (art. 9)."""
        pile = self.world.pile
        self.unplayed.discard(seat)
        self.barred = face(pile[0]) if len(pile) == 1 else None
        acts = [self.act("collect", seat, pile[leave:])]
        if leave == 1:
            acts.append(self.act("discard", seat, pile[:1], left=True))
        return self.script.do(Collect(seat, leave), *acts)

    def lay(self, seat: Seat, play: Play, through: Seat | None = None, *, at_once: bool = False) -> int:
        """``seat`` opens or extends a meld; ``through``: into whose hand it has passed the cards, to be laid.

        ``at_once``: it has just laid others, and its hand comes again without a pause.
        """
        row = self.next_row if play.row is None else play.row
        kind = "open" if play.row is None else "extend"
        self.next_row = max(self.next_row, row + 1)
        action = Action(kind, seat, self.number, self.turn, play.cards, row, play.result.cards)
        if any(card not in self.world.hands[seat] for card in play.cards):
            self.take_up(seat, [card for card in play.cards if card not in self.world.hands[seat]])
        cue = self.script.do(Lay(seat, row, play.result.cards, through=through, at_once=at_once), action)
        self.plays.append((seat, row, play.cards, self.melds.get(row)))
        self.melds[row] = play.result
        self.lines.setdefault(row, seat.line)
        self.last_change[row] = (seat, cue)
        self.changes[row, seat] = cue
        self.unplayed.discard(seat)  # whenever it was laid: cards of the pot have been played
        self._settled(seat, play.cards)
        return cue

    def take_up(self, seat: Seat, cards: Sequence[str]) -> int:
        """``seat`` takes its exposed ``cards`` back into its hand."""
        return self.script.do(TakeUp(seat, tuple(cards)), self.act("take-up", seat, cards))

    def spoil(
        self,
        seat: Seat,
        cards: Sequence[str],
        row: int | None = None,
        result: Sequence[str] = (),
        seen: Sequence[str] = (),
    ) -> int:
        """``seat`` lays ``cards`` that make no meld as a new row, or into ``row``, which then reads ``result``.

        ``seen``: what of it shows, where a card lies hidden in it.
        """
        number = self.next_row if row is None else row
        self.next_row = max(self.next_row, number + 1)
        reads = tuple(result or cards)
        action = self.act("open" if row is None else "extend", seat, cards)
        action = replace(action, meld=number, row=tuple(seen) or reads)
        cue = self.script.do(Lay(seat, number, reads), action)
        self.lines.setdefault(number, seat.line)
        self.unplayed.discard(seat)
        self._settled(seat, cards)
        return cue

    def to_side(self, seat: Seat, row: int, cards: Sequence[str], cue: int) -> None:
        """``cards`` of row ``row`` go to ``seat``'s side of the table, penalised; they fell with cue ``cue``."""
        cards = tuple(cards)
        self.lay_aside(seat, row, cards)
        self.excess.pop(row, None)
        self.owed[seat] = dict.fromkeys(cards, cue)

    def lay_aside(self, seat: Seat, row: int, cards: tuple[str, ...]) -> None:
        """Carry ``cards`` of row ``row`` to the side of ``seat``: over its hand, or at once, an arm over the melds."""
        if not self.staged or self.rng.random() < _OVER_HAND:
            self.script.do(TakeFromRow(seat, row, cards), self.act("take-back", seat, cards, meld=row))
            self.script.do(Penalise(seat, cards), self.act("penalise", seat, cards))
            return
        zone = melds(self.lines[row])
        leans = self.rng.random() < _LEANS
        if leans:
            self.script.do(Rest(seat.partner, zone))
        taken = self.act("take-back", seat, cards, meld=row)
        self.script.do(Penalise(seat, cards, row), taken, self.act("penalise", seat, cards))
        if leans:
            self.script.wait(self.rng.uniform(2.0, 9.0))
            self.script.do(Lift(seat.partner, zone))

    def take_back(self, seat: Seat) -> tuple[str, ...]:
        """``seat`` takes the cards of the newest play back into its hand; the cards."""
        _, row, cards, _ = self.plays[-1]
        self.script.do(TakeFromRow(seat, row, cards), self.act("take-back", seat, cards, meld=row))
        return self._unplay()

    def take_aside(self, seat: Seat) -> tuple[str, ...]:
        """The cards of the newest play go to ``seat``'s side of the table, penalised (art. 33); the cards."""
        _, row, cards, _ = self.plays[-1]
        self.lay_aside(seat, row, cards)
        return self._unplay()

    def _unplay(self) -> tuple[str, ...]:
        _, row, cards, before = self.plays.pop()
        if before is None:
            del self.melds[row]
        else:
            self.melds[row] = before
        return cards

    def discard(self, seat: Seat, card: str) -> int:
        """``seat`` discards ``card``."""
        straight = self.staged and card in self.world.sides[seat] and self.rng.random() >= _OVER_HAND
        if card not in self.world.hands[seat] and not straight:
            self.take_up(seat, (card,))
        cue = self.last_discard = self.script.do(Discard(seat, card), self.act("discard", seat, (card,)))
        self._settled(seat, (card,))
        self.barred = None
        return cue

    def _settled(self, seat: Seat, cards: Sequence[str]) -> None:
        for card in cards:
            self.owed.get(seat, {}).pop(card, None)

    def take_pot(self, seat: Seat, manner: str, *, alone: Seat | None = None, shown: bool = True) -> int:
        """An opponent hands ``seat`` the pot, which it has declared with its shield turned over.

        ``alone``: who of the line fetches it instead. ``shown`` False: the shield stays upright.
        """
        rng = self.rng
        if rng.random() < 0.5:
            self.script.do(Say(seat, "pot"))
        if shown:
            self.script.do(TurnShield(seat, "over"))
        giver = rng.choice(seat.line.other.seats)
        cards = self.world.pots[0]
        self.pot_taker[seat.line] = seat
        if manner == "discard":
            self.unplayed.add(seat)
        cue = self.script.do(TakePot(seat, alone or giver), self.act("take-pot", seat, cards, manner=manner))
        if shown:
            self.script.do(TurnShield(seat, "up"))
        self.on_pot = [waits for waits in self.on_pot if not waits(seat, cue)]
        return cue

    def freeze_undrawn(self, seat: Seat, row: int, cards: tuple[str, ...]) -> None:
        """The arbitro has frozen row ``row``, to which ``seat`` has just laid ``cards`` without drawing (art. 30)."""
        self.frozen[row] = Freeze(seat, undrawn=cards, before=self.plays[-1][3])

    def ends(self, manner: str, seat: Seat, cue: int) -> None:
        """The deal is over with cue ``cue``."""
        self.over, self.closed_by, self.end_cue = manner, seat if manner == "closed" else None, cue
        undrawn = {row: freeze for row, freeze in self.frozen.items() if freeze.undrawn and manner == "closed"}
        for row, freeze in undrawn.items():
            self.excess[row] = freeze.undrawn
            if freeze.before is None:
                del self.melds[row]
            else:
                self.melds[row] = freeze.before

    # The arbitro

    def time_out(self, seat: Seat) -> None:
        """The time is up before ``seat`` plays: the last round goes from the first served to the dealer (art. 15)."""
        self.script.do(Command("time-out"), self.act("time-out", seat))
        left = 4 if seat is self.dealer.next else 4 + (SEATS.index(self.dealer) - SEATS.index(seat)) % 4 + 1
        self.last_turn = self.turn + left

    def call(self, seat: Seat) -> int:
        """``seat`` calls the arbitro, who takes a while to come."""
        self.script.wait(self.rng.uniform(1.0, 4.0))
        cue = self.script.do(Press(seat, "referee"), self.act("call", seat))
        self.script.wait(self.rng.uniform(6.0, 14.0))
        return cue

    def rule(self, row: str, seat: Seat, remedy: str, cards: Sequence[str] = (), **fields: object) -> int:
        """The arbitro rules on ``row`` of ``seat``."""
        what = {"row": row, "seat": str(seat), "remedy": remedy, "cards": [face(card) for card in cards], **fields}
        return self.script.do(Command("rule", fields=what), self.act("ruled", seat, row=row))

    def stopped(self, seat: Seat) -> int:
        """The arbitro declares a stalemate before ``seat`` plays (art. 16)."""
        return self.script.do(Command("rule", fields={"row": "F-16", "declared": True}), self.act("stalemate", seat))

    def arrives(self, seat: Seat) -> int:
        """The arbitro has come before ``seat`` plays: the exchanges are counted from now on (art. 16)."""
        return self.script.do(Command("rule", fields={"row": "F-16"}), self.act("watches", seat))

    def dismiss(self, row: str, seat: Seat) -> int:
        """The arbitro dismisses ``row`` of ``seat``."""
        return self.script.do(
            Command("dismiss", fields={"row": row, "seat": str(seat)}), self.act("dismissed", seat, row=row)
        )

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

    def kept(self, row: str, seat: Seat, outcome: str, cue: int) -> None:
        """Write down that a limited turn was ``served`` or ``broken`` with cue ``cue``."""
        self.script.kept.append(Kept(row, seat, self.number, outcome, cue))

    # The end

    def lay_out(self) -> None:
        """Everybody lays the cards of his hand face up before him."""
        order = list(SEATS)
        self.rng.shuffle(order)
        for seat in order:
            if self.world.hands[seat]:
                self.script.do(LayOut(seat), self.act("lay-out", seat, self.world.hands[seat]))

    def sides(self) -> dict[Line, Side]:
        """What each line has, for the score."""
        found = {}
        for line in LINES:
            unplayed = [seat for seat in line.seats if seat in self.unplayed]
            hand = [card for seat in line.seats if seat not in unplayed for card in self.world.hands[seat]]
            penalised = [card for seat in line.seats for card in self.world.sides[seat]]
            penalised += [loose.card for loose in self.world.loose if loose.seat.line is line]
            penalised += [card for row, cards in self.excess.items() if self.lines[row] is line for card in cards]
            found[line] = Side(
                melds=tuple(self.rows(line).values()),
                hand=tuple(hand),
                took_pot=self.pot_taken(line),
                unplayed=tuple(card for seat in unplayed for card in self.world.hands[seat]),
                closed=self.closed_by is not None and self.closed_by.line is line,
                penalised=tuple(penalised),
            )
        return found

    def score(self) -> dict[str, dict[str, int]]:
        """The oracle's score by line and item."""
        if self.counted is not None:
            return self.counted
        sides = self.sides()
        return {str(line): items(sides[line], sides[line.other].took_pot) for line in LINES}
