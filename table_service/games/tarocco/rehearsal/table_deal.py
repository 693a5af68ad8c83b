"""One deal as it is rehearsed: what the players hold and have won, and the cues that make it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from hw.cards import face
from hw.seats import ANTICLOCKWISE, LINES, Line, Seat
from hw.twin.gestures import PlayGesture, PutDown, TakeTrick, TakeUp
from hw.twin.world import ImpossibleGesture, World
from hw.zones import tricks
from table_service.games.tarocco.rules.card_points import KING, MATTO, SUIT_NAMES, worth
from table_service.games.tarocco.rules.tricks import TRICKS, TRUMPS
from table_service.games.tricks.trick_play import TrickPlay
from table_service.rehearsal.script import Injected, Script, ScriptAction

KEEPERS: Final = {Line.NS: Seat.NORTH, Line.EW: Seat.EAST}
"""Who keeps the tricks of a line."""
FIVE: Final = 5
TRICK: Final = "trick"
"""The zone in which tricks are laid."""


@dataclass(slots=True)
class TableDeal:
    """A deal of a script: its play so far. ``won``: the faces in each line's pile before the Matto's exchange."""

    script: Script
    rng: random.Random
    number: int
    dealer: Seat
    scartatore: Seat
    """Who discards: the dealer, unless he has lost the scarto."""
    play: TrickPlay
    won: dict[Line, list[str]] = field(default_factory=lambda: {line: [] for line in LINES})
    scarto: tuple[str, ...] = ()
    accusi: dict[Line, list[tuple[str, ...]]] = field(default_factory=lambda: {line: [] for line in LINES})
    shown: set[Seat] = field(default_factory=set)
    matto: tuple[Seat, Seat] | None = None
    """Who played the Matto, and who won that trick."""
    only_scartini: set[Line] = field(default_factory=set)
    points: dict[Line, int] = field(default_factory=lambda: dict.fromkeys(LINES, 0))
    counts: bool = True
    """Whether the rules say what the deal counts; else the Giuria does."""
    over: bool = False
    end_cue: int = 0
    played: int = 0
    waiting: list[tuple[Seat, str, str, str, int]] = field(default_factory=list)
    """Who did not follow which suit, by which row, with which card, at which cue: it shows when he plays the suit."""
    to_rule: list[tuple[str, Seat]] = field(default_factory=list)
    """Rows on which the Giudice is called after the trick."""
    misdealt: tuple[Seat, Seat] | None = None
    """Who was dealt a card too few, and who one too many."""
    rulings: list[Callable[[int], None]] = field(default_factory=list)
    """Faults that show with the last card: each is given the cue of that."""

    @property
    def world(self) -> World:
        """The world that the script has led to."""
        return self.script.world

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """Return the physical cards that ``seat`` holds."""
        return self.world.hands[seat]

    def faces(self, seat: Seat) -> list[str]:
        """Their faces."""
        return [face(card) for card in self.hand(seat)]

    def physical(self, seat: Seat, printed: str) -> str:
        """Return the card of ``seat`` that shows ``printed``."""
        return next(card for card in self.hand(seat) if face(card) == printed)

    def act(self, type_: str, seat: Seat, cards: tuple[str, ...] = (), **more: object) -> ScriptAction:
        """Return an action of this deal at its present turn."""
        return ScriptAction(type_, seat, self.number, self.played, cards, more=dict(more))

    def inject(
        self,
        row: str,
        seat: Seat | None,
        variant: str,
        cards: tuple[str, ...],
        committed: int,
        evident: int,
        *,
        demanded: bool = True,
        also: tuple[str, ...] = (),
    ) -> None:
        """Record a fault that was committed and became evident at these cues."""
        fault = Injected(row, seat, self.number, self.played, variant, cards, committed, evident, also, demanded)
        self.script.injected.append(fault)

    # -- play ----------------------------------------------------------------------------------------------------------

    @property
    def led(self) -> str | None:
        """The suit to follow; None where nothing is led."""
        return self.play.open.led(TRICKS)

    def allowed(self, seat: Seat) -> list[str]:
        """Return the faces that ``seat`` may play now, in a fixed order."""
        return sorted(TRICKS.allowed(self.faces(seat), self.led))

    def lay(self, seat: Seat, printed: str) -> int:
        """``seat`` plays ``printed`` to the trick; the cue."""
        card = self.physical(seat, printed)
        cue = self.script.do(PlayGesture(seat, card), self.act("play", seat, (card,)))
        self.play = self.play.played(seat, printed)
        self.played += 1
        for one in self.waiting[:]:
            who, suit, row, wrong, when = one
            if who is seat and TRICKS.suit(printed) == suit:
                self.waiting.remove(one)
                self.inject(row, seat, "the suit was played later", (wrong, printed), when, cue)
                self.to_rule.append((row, seat))
        return cue

    def gather(self) -> int:
        """Gather the trick as its winner; before that the owner of a lost Matto takes it back to his line's pile."""
        winner = self.play.open.winner(TRICKS)
        if winner is None:
            raise ImpossibleGesture("a trick of players who know their cards has a winner")
        taken = self.play.open
        owner = next((seat for seat, card in taken.plays if card == MATTO), None)
        if owner is not None:
            self.matto = owner, winner
        if owner is not None and owner.line is not winner.line:
            self.script.do(TakeUp(owner, (f"{MATTO}#1",)))
            self.script.do(PutDown(owner, (f"{MATTO}#1",), tricks(owner.line)))
        number = self.play.number
        cue = self.script.do(TakeTrick(winner), self.act("trick", winner, n=number))
        for seat, card in taken.plays:
            self.won[seat.line if card == MATTO else winner.line].append(card)
        self.play = self.play.gathered(winner)
        self.end_cue = cue
        return cue

    # -- what players know ---------------------------------------------------------------------------------------------

    def king_played(self, suit: str) -> bool:
        """Return True if the King of ``suit`` was played in an earlier trick."""
        return any(KING + suit in one.trick.cards for one in self.play.taken)

    def trumps_out(self) -> bool:
        """Return True if a player still holds a trump."""
        return any(TRICKS.suit(card) == TRUMPS for seat in ANTICLOCKWISE.seats for card in self.faces(seat))

    def scartini(self, line: Line) -> list[str]:
        """Return the cards of the line's pile that may be given for the Matto, in a fixed order."""
        return sorted(card for card in self.won[line] if card != MATTO and worth(card) == 1)


def is_suit(card: str) -> bool:
    """Return True if ``card`` belongs to one of the four suits."""
    return TRICKS.suit(card) in SUIT_NAMES
