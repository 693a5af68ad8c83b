"""One deal of a trick-taking game as a frozen value, and what each movement of cards makes of it. Pure.

Cards that no sensor saw are part of a deal too: the scale under a line's tricks tells of a trick though not all of its
cards were seen, and a hand that was noticed may have laid a card. What is uncertain accuses nobody and counts nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import LINES, Line, Seat
from hw.zones import tricks, zone_line, zone_seat
from table_service.events import payloads as say
from table_service.games.tricks import revokes
from table_service.games.tricks.hands import Hands
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_code import STOCK, TRICK, TRUMP, Figures, TrickCode, Winnings
from table_service.games.tricks.trick_play import Taken, TrickPlay
from table_service.table.history import Facts
from table_service.tracking.movements import Movement


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """``card`` was turned up for trump."""

    move: Movement
    card: str


@dataclass(frozen=True, slots=True)
class LaidInTrick:
    """``seat`` played ``card`` to trick ``trick``."""

    move: Movement
    seat: Seat
    card: str
    trick: int


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """The card of ``played`` was not in turn: ``due`` was to play."""

    played: LaidInTrick
    due: Seat


@dataclass(frozen=True, slots=True)
class GatheredTrick:
    """``taken`` was gathered; its cards are worth ``figures`` of the score."""

    move: Movement
    taken: Taken


@dataclass(frozen=True, slots=True)
class Drawn:
    """``card`` was taken from the stock, or the trump card from under it (``shown``: for all to see)."""

    move: Movement
    card: str
    shown: bool


@dataclass(frozen=True, slots=True)
class FoundRevoke:
    """A suit was not followed, which has become certain by ``move``."""

    move: Movement = field(compare=False)
    revoke: revokes.Revoke


@dataclass(frozen=True, slots=True)
class Unproved:
    """A charge of playing out of turn that does not hold: the player who was due may have played unseen."""


Fact = TurnedUp | LaidInTrick | OutOfTurn | Unproved | GatheredTrick | Drawn | FoundRevoke | say.DealEnded


@dataclass(frozen=True, slots=True)
class HandNoticed:
    """A hand of ``seat`` came, or a card crossed its gate, at ``committed_t``."""

    seat: Seat
    committed_t: float


Act = Movement | HandNoticed
SURE: Final = 0.9
"""Confidence from which a movement may accuse."""
EXPLAINED_S: Final = 3.0
"""A movement of a seat explains that its hand was noticed so many seconds before or after."""


@dataclass(frozen=True, slots=True)
class TrickDeal:
    """A deal so far. ``turned``: the card turned up for trump, None where it was not read.

    ``doubtful``: a card of the open trick is of a player whom nobody knows. ``unsure``: the tricks of which not every
    card was well seen. Since the last trick was gathered: ``noticed``, the hands; ``moved``, the known movements;
    ``charges``, the keys of plays out of turn with the offender and who was due.
    """

    code: TrickCode
    play: TrickPlay
    turned: str | None = None
    doubtful: bool = False
    unsure: frozenset[int] = frozenset()
    noticed: tuple[HandNoticed, ...] = ()
    moved: tuple[HandNoticed, ...] = ()
    charges: tuple[tuple[Hashable, Seat, Seat], ...] = ()

    @property
    def is_over(self) -> bool:
        """True if every trick was gathered."""
        return len(self.play.taken) == self.code.tricks

    @property
    def winner(self) -> Seat | None:
        """The seat that wins the open trick; None if that is not known, also because the lead or the trump is not."""
        if self.doubtful:
            return None
        trick, leader = self.play.open, self.play.leader
        if self.play.number in self.unsure and (leader is None or trick.leader is not leader):
            trick = Trick(trick.plays, frozenset(seat for seat, _ in trick.plays[1:]))
        if self.code.turned_up and self.turned is None:
            winners = {trick.winner(replace(self.play.rules, trump=suit)) for suit in self.code.suits}
            return winners.pop() if len(winners) == 1 else None
        return trick.winner(self.play.rules)

    def won(self) -> dict[Line, Winnings] | None:
        """Return what each line has won so far; None where it is not known whose a trick is."""
        found = dict.fromkeys(LINES, Winnings())
        for one in self.play.taken:
            line = one.pile if one.by is None else self.code.rotation.line(one.by)
            if line is None:
                return None
            had = found[line]
            last = one.number == self.code.tricks
            found[line] = Winnings((*had.cards, *map(face, one.trick.cards)), had.tricks + 1, last)
        return found

    def figures(self) -> dict[Line, Figures]:
        """Return the score of each line so far, by item."""
        won = self.won()
        known = [card for one in self.play.taken for card in map(face, one.trick.cards) if card != UNKNOWN]
        if won is None or len(set(known)) != len(known):
            return {line: {item.name: None for item in self.code.items} for line in LINES}
        return {line: self.code.count(one) for line, one in won.items()}

    def with_trump(self, card: str | None) -> TrickDeal:
        """Return the deal in which ``card`` was turned up, None: not read."""
        return replace(self, turned=card, play=replace(self.play, rules=self.code.order_with(card)))

    def player(self, move: Movement) -> Seat | None:
        """Return the player of ``move``: the hand that was seen, the holder of the cards, else the player in turn."""
        return move.seat or (None if move.source is None else zone_seat(move.source)) or self.play.turn

    def may_have_played(self, seat: Seat) -> bool:
        """Return True if a hand of ``seat`` was noticed in this trick, and no known movement of its own explains it."""
        known = [one.committed_t for one in self.moved if one.seat is seat]
        return any(
            one.seat is seat and all(abs(one.committed_t - t) > EXPLAINED_S for t in known) for one in self.noticed
        )

    def _follows_a_charge(self, due: Seat) -> bool:
        """Return True if a card played before ``due`` lies in the trick: others who go on from it only follow."""
        return any(one is due and self.play.open.card_of(who) is not None for _, who, one in self.charges)

    def skipped(self, seat: Seat) -> Seat | None:
        """Return who was to play when ``seat`` has surely played before its turn; None where that is not sure."""
        due, rotation = self.play.turn, self.code.rotation
        if due is None or self.play.leader is None or self.play.number in self.unsure:
            return None
        if self.play.open.card_of(seat) is not None or self._follows_a_charge(due):
            return None
        one = due
        while one is not seat:
            if self.play.open.card_of(one) is None and self.may_have_played(one):
                return None
            one = rotation.next(one)
        return None if due is seat else due


def first(code: TrickCode, leader: Seat | None) -> TrickDeal:
    """Return the deal before its first card; ``leader`` leads, None: not known."""
    return TrickDeal(code, TrickPlay(code.order, leader))


def after(deal: TrickDeal, act: Act) -> tuple[TrickDeal, Facts[Fact]]:
    """``deal`` after ``act``, and what it makes true (``table.history``)."""
    if isinstance(act, HandNoticed):
        return replace(deal, noticed=(*deal.noticed, act)), {}
    if act.seat is not None:
        deal = replace(deal, moved=(*deal.moved, HandNoticed(act.seat, act.committed_t)))
    if act.target == TRICK:
        return _played(deal, act)
    if act.source == TRICK:
        return _left_trick(deal, act)
    if act.target is not None and act.target in map(tricks, LINES):
        return _came_to_pile(deal, act, act.target)
    if act.target == TRUMP and deal.code.turned_up:
        return _turned_up(deal, act)
    if act.source in (STOCK, TRUMP) and act.target is not None and zone_seat(act.target) is not None:
        shown = act.source == TRUMP
        drawn: dict[Hashable, Fact] = {}
        for place, card in enumerate(act.cards):
            drawn["drawn", act.id, place] = Drawn(act, face(card), shown)
        return deal, drawn
    return deal, {}


def _turned_up(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    card = face(move.cards[-1]) if move.cards else UNKNOWN
    known = card if card in deal.code.order.cards else None
    return deal.with_trump(known), {"turned": TurnedUp(move, card)}


def _played(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    """Lay cards to the open trick; one that was full was gathered before, unseen."""
    facts: dict[Hashable, Fact] = {}
    if deal.play.open.is_full(deal.play.rules):
        deal, facts = _gathered(deal, move, None)
        deal = replace(deal, unsure=deal.unsure | {deal.play.number})
    for place, card in enumerate(map(face, move.cards)):
        number, seat = deal.play.number, deal.player(move)
        if seat is None or seat not in deal.code.rotation.seats:
            seat, deal = deal.code.rotation.seats[0], replace(deal, doubtful=True)
        played = LaidInTrick(move, seat, card, number)
        facts["played", move.id, place] = played
        sure = move.seat is seat and move.confidence >= SURE and move.since is None and card != UNKNOWN
        due = deal.skipped(seat) if sure else None
        if due is not None:
            key = "turn", move.id, place
            facts[key] = OutOfTurn(played, due)
            deal = replace(deal, charges=(*deal.charges, (key, seat, due)))
        if not sure or deal.play.open.card_of(seat) is not None:
            deal = replace(deal, unsure=deal.unsure | {number})
        deal = replace(deal, play=deal.play.played(seat, card))
    return deal, {**facts, **_revokes(deal, move)}


def _left_trick(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    """Gather the open trick, or take a card back that its player lifts; cards that lie there no more were gathered."""
    play = deal.play
    lies = {face(card): seat for seat, card in play.open.plays}
    gone = [card for card in map(face, move.cards) if card in lies]
    if not gone:
        return deal, {}
    who = move.seat or (None if move.target is None else zone_seat(move.target))
    if play.open.is_full(play.rules) or len(gone) > 1:
        return _gathered(deal, move, None)
    if who is not None and who is lies[gone[0]]:
        return replace(deal, play=play.taken_back(who, gone[0])), {}
    return replace(deal, unsure=deal.unsure | {play.number}), {}


def _came_to_pile(deal: TrickDeal, move: Movement, zone: str) -> tuple[TrickDeal, Facts[Fact]]:
    """Gather the open trick, however much of it was seen; or say of the trick before where it lies."""
    play, pile, seats = deal.play, zone_line(zone), len(deal.code.rotation.seats)
    if play.open.plays:
        is_trick = len(move.cards) > 1 or play.open.is_full(play.rules)
        return _gathered(deal, move, pile) if is_trick else (deal, {})
    if play.taken and play.taken[-1].pile is None:
        last = replace(play.taken[-1], pile=pile)
        facts: Facts[Fact] = {("won", last.number): GatheredTrick(move, last)} if last.by is None else {}
        return replace(deal, play=replace(play, taken=(*play.taken[:-1], last))), facts
    return _gathered(deal, move, pile) if len(move.cards) == seats else (deal, {})


def _gathered(deal: TrickDeal, move: Movement, pile: Line | None) -> tuple[TrickDeal, dict[Hashable, Fact]]:
    """Gather the open trick: of a seat that was not seen to play an unread card lies there."""
    play, seats, unsure = deal.play, deal.code.rotation.seats, deal.unsure
    number, open_ = play.number, play.open
    missing = [seat for seat in seats if open_.card_of(seat) is None]
    if missing or len(open_.plays) != len(seats):
        unsure |= {number}
    if missing:
        leader = play.leader
        order = seats if leader is None else [deal.code.rotation.after(leader, turns) for turns in range(len(seats))]
        open_ = Trick(tuple((seat, open_.card_of(seat) or UNKNOWN) for seat in order))
        deal = replace(deal, play=replace(play, open=open_), doubtful=deal.doubtful or leader is None)
    played = deal.play.gathered(deal.winner)
    taken = replace(played.taken[-1], pile=pile)
    facts: dict[Hashable, Fact] = {("won", number): GatheredTrick(move, taken)}
    facts |= {key: Unproved() for key, _, due in deal.charges if due in missing}
    deal = TrickDeal(deal.code, replace(played, taken=(*played.taken[:-1], taken)), deal.turned, unsure=unsure)
    if deal.is_over:
        facts["over"] = say.DealEnded(manner="played")
    return deal, facts


def _revokes(deal: TrickDeal, move: Movement) -> Facts[Fact]:
    """Find the suits that were surely not followed: in tricks of which every card was well seen."""
    if deal.code.revoke is None:
        return {}
    seen = [*(one.trick for one in deal.play.taken), deal.play.open]
    hands = Hands(deal.play.rules.cards, dict.fromkeys(deal.code.rotation.seats, deal.code.hand))
    for trick in seen:
        for seat, card in trick.plays:
            hands = hands.played(seat, card)
    return {
        ("revoke", one.number, one.seat): FoundRevoke(move, one)
        for one in revokes.revokes(deal.play.rules, seen, hands)
        if deal.unsure.isdisjoint({one.number, one.proved_in or one.number} if one.proof else range(len(seen) + 1))
    }
