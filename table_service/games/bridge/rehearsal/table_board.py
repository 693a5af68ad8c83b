"""One board as it is rehearsed: what was called and played so far, where the tray stands, and the cues that make it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Final

from hw.cards import BRIDGE, face
from hw.seats import CLOCKWISE, SEATS, Seat
from hw.twin.gestures import ConsoleGesture, LayOut, PlayGesture, PutAside, TakeUp
from hw.twin.screen_gestures import CallGesture, FaceCards, LeadFaceDown, OpenAperture, PushTray, QuitGesture
from hw.zones import board as pocket
from table_service.games.bridge.judges.card_play import CardPlay, trick_rules
from table_service.games.bridge.judges.sides import Side, other_side, pusher, side_of
from table_service.games.bridge.judges.tempo import STOP_S, is_jump
from table_service.games.bridge.rules.auction import NO_BID, Auction
from table_service.games.bridge.rules.contract import BIDS, Contract
from table_service.games.tricks.trick import Trick
from table_service.rehearsal.script import Injected, Script, ScriptAction

STOP: Final = "stop"
COPIES: Final = {face(card): card for card in BRIDGE.cards()}
"""The physical cards by what is printed on them."""
THINKS: Final = (0.5, 4.5)
"""Seconds that a player thinks over a call; what lies between two calls is longer by the hand's way."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """``seat`` did not follow ``suit`` in trick ``number`` but played ``card``.

    ``proof``: the card of ``suit`` that it played later; ``is_told``: the trick of that card was turned.
    """

    seat: Seat
    suit: str
    number: int
    card: str
    cue: int
    proof: str | None = None
    is_told: bool = False

    def shows(self, seat: Seat, printed: str) -> bool:
        """Return True if ``printed`` of ``seat`` gives the revoke away."""
        return seat is self.seat and printed[1] == self.suit


@dataclass(slots=True)
class ScriptBoard:
    """A board of a script: its auction and its play so far."""

    script: Script
    rng: random.Random
    deal: int
    """Its place in the round."""
    number: int
    """As it is printed on the board."""
    auction: Auction
    side: Side
    """Where the tray stands."""
    recorded: bool
    """Whether a record of the deal is known."""
    hands: dict[Seat, tuple[str, ...]]
    """The faces that were dealt."""
    play: CardPlay | None = None
    stopped: set[Seat] = field(default_factory=set)
    """Who has laid the stop card: it lies there until the tray is cleared."""
    waits_for: Seat | None = None
    """Who must wait, as the player before on the same side has jumped."""
    late: list[Injected] = field(default_factory=list)
    """Faults that are told when the board is over."""
    revoked: Revoked | None = None
    silent: set[Seat] = field(default_factory=set)
    """Who must pass by a ruling."""
    shown: Seat | None = None
    """Who has shown a card during the auction."""
    aside: dict[Seat, str] = field(default_factory=dict)
    """The penalty card that lies at a player's side, as it is printed."""
    record: dict[Seat, tuple[str, ...]] | None = None
    """The hands by a record that tells them otherwise than they are; None: it tells them as they are."""
    foreign: dict[tuple[Seat, str], int] = field(default_factory=dict)
    """Cards that the record gives to other hands, with the cue of their play once they are played."""
    claimed: int | None = None
    """Declarer's tricks by a claim that both lines agree with."""

    def faces(self, seat: Seat) -> list[str]:
        """Cards that ``seat`` holds, a penalty card at its side included."""
        aside = [self.aside[seat]] if seat in self.aside else []
        return sorted([face(card) for card in self.script.world.hands[seat]] + aside)

    def physical(self, seat: Seat, printed: str) -> str:
        """Return the card of ``seat`` that shows ``printed``."""
        return next(card for card in self.script.world.hands[seat] if face(card) == printed)

    @property
    def last(self) -> int:
        """The last cue so far."""
        return self.script.mark().cues - 1

    def act(self, type_: str, seat: Seat, cards: tuple[str, ...] = (), **more: object) -> ScriptAction:
        """Return an action of this board."""
        return ScriptAction(type_, seat, self.deal, len(self.auction.calls) + self.laid, cards, more=dict(more))

    def wait(self, low: float, high: float) -> None:
        """Time passes."""
        self.script.wait(self.rng.uniform(low, high))

    def inject(
        self,
        row: str,
        seat: Seat | None,
        variant: str,
        committed: int,
        evident: int | None = None,
        cards: tuple[str, ...] = (),
        *,
        also: tuple[str, ...] = (),
        demanded: bool = True,
    ) -> None:
        """Note a fault that was committed at one cue and shows from another on; ``evident`` None: after the board."""
        fault = Injected(
            row, seat, self.deal, len(self.auction.calls) + self.laid, variant, cards, committed,
            committed if evident is None else evident, also, demanded,
        )  # fmt: skip
        (self.late if evident is None else self.script.injected).append(fault)

    # -- the auction ---------------------------------------------------------------------------------------------------

    def bring_tray(self, seat: Seat) -> None:
        """Pass the tray to the side of ``seat`` if it is not there."""
        if side_of(seat) != self.side:
            self.wait(0.3, 2.0)
            self.push()

    def push(self, by: Seat | None = None) -> int:
        """Pass the tray, by the player who should or by ``by``; return the cue."""
        cue = self.script.do(PushTray(by or pusher(self.side)))
        self.side = other_side(self.side)
        self.waits_for = None
        return cue

    def thinks(self, seat: Seat) -> None:
        """``seat`` looks at the auction; after a jump beside it for the time that the stop card asks for."""
        if self.waits_for is seat:
            self.wait(STOP_S + 0.6, STOP_S + 2.5)
        else:
            self.wait(*THINKS)
        self.waits_for = None

    def call(self, seat: Seat, call: str, *, counts: bool = True) -> int:
        """``seat`` makes ``call``; the cue. ``counts`` False: it will be taken back, and is no action of the board."""
        jumps = call in BIDS and is_jump(call, self.auction.bid)
        if jumps and seat not in self.stopped:
            self.script.do(CallGesture(seat, STOP))
            self.stopped.add(seat)
            self.script.wait(1.0)
        done = (self.act("call", seat, call=call),) if counts else ()
        cue = self.script.do(CallGesture(seat, call), *done)
        if counts:
            self.auction = self.auction.called(seat, call)
            after = CLOCKWISE.next(seat)
            self.waits_for = after if jumps and side_of(after) == side_of(seat) else None
        return cue

    def sensible(self, seat: Seat) -> str:
        """Return a lawful call as people make them: often a pass, seldom a jump, and no second one by the same hand."""
        if seat in self.silent or self.rng.random() > 0.4:
            return NO_BID
        box = [call for call in self.auction.lawful(seat) if call not in BIDS or (seat, call) not in self.auction.calls]
        lawful = [call for call in box if call not in BIDS or not self._jumps_again(seat, call)]
        return self.rng.choice(lawful[:6] if self.rng.random() < 0.8 else lawful[:14])

    def _jumps_again(self, seat: Seat, call: str) -> bool:
        return seat in self.stopped and is_jump(call, self.auction.bid)

    # -- the play ------------------------------------------------------------------------------------------------------

    @property
    def laid(self) -> int:
        """Number of cards played."""
        if self.play is None:
            return 0
        return sum(len(one.plays) for one in self.tricks())

    def tricks(self) -> tuple[Trick, ...]:
        """Every trick so far, the open one last."""
        return () if self.play is None else tuple(self.play.tricks)

    @property
    def number_of_trick(self) -> int:
        """The trick to which is played, from 1."""
        return len([one for one in self.tricks() if one.is_full(trick_rules(self.contract.strain))]) + 1

    @property
    def contract(self) -> Contract:
        """Contract of the board."""
        assert self.play is not None  # noqa: S101 - asked only in the play
        return self.play.contract

    @property
    def turn(self) -> Seat:
        """The hand that is to play."""
        assert self.play is not None  # noqa: S101 - asked only in the play
        seat = self.play.turn()
        assert seat is not None  # noqa: S101 - simulated players know their cards
        return seat

    @property
    def led(self) -> str | None:
        """The suit to follow; None where nothing is led."""
        assert self.play is not None  # noqa: S101 - asked only in the play
        rules, trick = trick_rules(self.contract.strain), self.play.play.open
        return None if not trick.plays or trick.is_full(rules) else trick.led(rules)

    def allowed(self, seat: Seat) -> list[str]:
        """Return the faces that ``seat`` may play now; a penalty card among them comes first (50D1)."""
        found = sorted(trick_rules(self.contract.strain).allowed(set(self.faces(seat)), self.led))
        return [self.aside[seat]] if self.aside.get(seat) in found else found

    def puts_aside(self, seat: Seat, printed: str) -> int:
        """``seat`` exposes ``printed``, which stays at its side as a penalty card; the cue."""
        cue = self.script.do(PutAside(seat, (self.physical(seat, printed),)))
        self.aside[seat] = printed
        return cue

    def chooses_nothing(self, leader: Seat) -> None:
        """Have the table ask what declarer requires of ``leader``, whose partner has a penalty card: nothing (50D2)."""
        owner = leader.partner
        self.wait(2.5, 3.5)
        self.inject(
            "law-50D2", owner, "declarer neither requires nor forbids", self.last, self.last, (self.aside[owner],)
        )
        self.wait(4.0, 7.0)
        fields = {"row": "law-50D2", "seat": str(owner), "option": "neither"}
        self.script.do(ConsoleGesture("rule", fields=fields), self.act("ruled", owner, row="law-50D2"))
        self.wait(1.0, 2.0)

    def took(self, seat: Seat, printed: str) -> None:
        """Continue the play after ``printed`` of ``seat``."""
        assert self.play is not None  # noqa: S101 - asked only in the play
        self.play = self.play.played(seat, printed, 0.0)

    def lead(self, seat: Seat, printed: str) -> int:
        """Make the opening lead, down, then faced; the aperture opens, dummy comes down. Return the facing's cue."""
        card = self.physical(seat, printed)
        self.script.do(LeadFaceDown(seat, card))
        self.wait(1.2, 2.5)
        faced = self.script.do(FaceCards(seat), self.act("play", seat, (card,)))
        self.script.wait(0.5)
        self.script.do(OpenAperture(seat))
        self.took(seat, printed)
        self.script.do(LayOut(self.contract.declarer.partner))
        self.wait(0.8, 2.0)
        return faced

    def lay(self, seat: Seat, printed: str) -> int:
        """``seat`` plays ``printed``, dummy's card by declarer's word; the cue."""
        if self.aside.get(seat) == printed:
            card = COPIES[printed]
            self.script.do(TakeUp(seat, (card,)))
            del self.aside[seat]
        card = self.physical(seat, printed)
        cue = self.script.do(PlayGesture(seat, card), self.act("play", seat, (card,)))
        self.took(seat, printed)
        if (seat, printed) in self.foreign:
            self.foreign[seat, printed] = cue
        if self.revoked is not None and self.revoked.proof is None and self.revoked.shows(seat, printed):
            self.revoked = replace(self.revoked, proof=printed)
        return cue

    @property
    def transferred(self) -> int:
        """The tricks that a revoke moves to declarer's side, or from it."""
        return 0 if self.play is None or self.revoked is None else moved_by(self.revoked, self.play)

    def full(self) -> Trick | None:
        """Return the open trick if all four have played to it."""
        assert self.play is not None  # noqa: S101 - asked only in the play
        trick = self.play.play.open
        return trick if trick.is_full(trick_rules(self.contract.strain)) else None

    def quit(self, turned_wrongly: Seat | None = None) -> dict[Seat, int]:
        """All turn their cards of the full trick; ``turned_wrongly``: who turns it the wrong way. Cues by seat."""
        trick = self.full()
        assert trick is not None  # noqa: S101 - asked only of a full trick
        winner = trick.winner(trick_rules(self.contract.strain))
        assert winner is not None  # noqa: S101 - simulated players know their cards
        cards = {str(seat): card for seat, card in trick.plays}
        cues = {}
        for place, seat in enumerate(CLOCKWISE.seats):
            across = (seat.line is not winner.line) is not (seat is turned_wrongly)
            won = self.act("trick", winner, n=len(self.tricks()), cards_by_seat=cards)
            done = (won,) if place == 0 else ()
            cues[seat] = self.script.do(QuitGesture(seat, across=across), *done)
        if self.revoked is not None and self.revoked.proof is not None and not self.revoked.is_told:
            one = self.revoked = replace(self.revoked, is_told=True)
            both = (one.card, one.proof or "")
            self.inject("law-61", one.seat, "the suit was played later", one.cue, cues[one.seat], both)
        for (seat, printed), cue in list(self.foreign.items()):
            if cue:
                del self.foreign[seat, printed]
                self.inject("law-44", seat, "a card of another hand by the record", cue, self.last, (printed,))
        return cues


def moved_by(revoked: Revoked, play: CardPlay) -> int:
    """Return the tricks that ``revoked`` moves to declarer's side in ``play``, below 0 from it, by law 64A.

    One trick where the offender's line has won that trick or a later one; two where the offender himself won that trick
    and his line a later one. Exceptions (64B) are not staged.
    """
    winners = [one.by for one in play.turned]
    own = [n for n, by in enumerate(winners, 1) if n >= revoked.number and by and by.line is revoked.seat.line]
    later = any(n > revoked.number for n in own)
    cost = 1 + later if winners[revoked.number - 1] is revoked.seat else min(1, len(own))
    return -cost if revoked.seat.line is play.contract.declarer.line else cost


def pockets(hands: dict[Seat, tuple[str, ...]], copies: dict[str, str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the heaps of a board: the cards of ``hands`` in its pockets; ``copies``: physical cards by face."""
    return {pocket(seat): (tuple(copies[card] for card in hands[seat]),) for seat in SEATS}
