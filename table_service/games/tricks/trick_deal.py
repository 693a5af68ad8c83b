"""One deal of a trick-taking game as a frozen value, and what each movement of cards makes of it. Pure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from hw.cards import UNKNOWN, face
from hw.seats import LINES, Line, Seat
from hw.zones import zone_seat
from table_service.events import payloads as say
from table_service.games.tricks import revokes
from table_service.games.tricks.hands import Hands
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


Fact = TurnedUp | LaidInTrick | OutOfTurn | GatheredTrick | Drawn | FoundRevoke | say.DealEnded


@dataclass(frozen=True, slots=True)
class TrickDeal:
    """A deal so far. ``turned``: the card turned up for trump, None where it was not read.

    ``doubtful``: a card of the open trick is of a player whom nobody knows.
    """

    code: TrickCode
    play: TrickPlay
    turned: str | None = None
    doubtful: bool = False

    @property
    def is_over(self) -> bool:
        """True if every trick was gathered."""
        return len(self.play.taken) == self.code.tricks

    @property
    def winner(self) -> Seat | None:
        """The seat that wins the open trick; None if it is not known, also because the trump is not."""
        if self.doubtful:
            return None
        if self.code.turned_up and self.turned is None:
            orders = [replace(self.play.rules, trump=suit) for suit in self.code.suits]
            winners = {self.play.open.winner(order) for order in orders}
            return winners.pop() if len(winners) == 1 else None
        return self.play.open.winner(self.play.rules)

    def won(self) -> dict[Line, Winnings] | None:
        """Return what each line has won so far; None where the winner of a trick is not known."""
        found = dict.fromkeys(LINES, Winnings())
        for one in self.play.taken:
            if one.by is None:
                return None
            line = self.code.rotation.line(one.by)
            had = found[line]
            last = one.number == self.code.tricks
            found[line] = Winnings((*had.cards, *map(face, one.trick.cards)), had.tricks + 1, last)
        return found

    def figures(self) -> dict[Line, Figures]:
        """Return the score of each line so far, by item."""
        won = self.won()
        if won is None:
            return {line: {item.name: None for item in self.code.items} for line in LINES}
        return {line: self.code.count(one) for line, one in won.items()}

    def player(self, move: Movement) -> Seat | None:
        """Return the player of ``move``: the hand that was seen, the holder of the cards, else the player in turn."""
        return move.seat or (None if move.source is None else zone_seat(move.source)) or self.play.turn


def first(code: TrickCode, leader: Seat | None) -> TrickDeal:
    """The deal before its first card; ``leader`` leads, None: not known."""
    return TrickDeal(code, TrickPlay(code.order, leader))


def after(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    """``deal`` after ``move``, and what it makes true (``table.history``)."""
    if move.target == TRICK:
        return _played(deal, move)
    if move.source == TRICK:
        return _left_trick(deal, move)
    if move.target == TRUMP and deal.code.turned_up:
        return _turned_up(deal, move)
    if move.source in (STOCK, TRUMP) and move.target is not None and zone_seat(move.target) is not None:
        shown = move.source == TRUMP
        drawn: dict[Hashable, Fact] = {}
        for place, card in enumerate(move.cards):
            drawn["drawn", move.id, place] = Drawn(move, face(card), shown)
        return deal, drawn
    return deal, {}


def _turned_up(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    card = face(move.cards[-1]) if move.cards else UNKNOWN
    known = card if card in deal.code.order.cards else None
    play = replace(deal.play, rules=deal.code.order_with(known))
    return replace(deal, play=play, turned=known), {"turned": TurnedUp(move, card)}


def _played(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    facts: dict[Hashable, Fact] = {}
    for place, card in enumerate(map(face, move.cards)):
        due = deal.play.turn
        seat = deal.player(move)
        if seat is None or seat not in deal.code.rotation.seats:
            seat, deal = deal.code.rotation.seats[0], replace(deal, doubtful=True)
        played = LaidInTrick(move, seat, card, deal.play.number)
        facts["played", move.id, place] = played
        if move.seat is seat and due is not None and due is not seat:
            facts["turn", move.id, place] = OutOfTurn(played, due)
        deal = replace(deal, play=deal.play.played(seat, card))
    return deal, {**facts, **_revokes(deal, move)}


def _left_trick(deal: TrickDeal, move: Movement) -> tuple[TrickDeal, Facts[Fact]]:
    """Gather a full trick; from one that is not, cards are taken back."""
    play = deal.play
    if play.open.is_full(play.rules):
        play = play.gathered(deal.winner)
        deal = replace(deal, play=play, doubtful=False)
        facts: dict[Hashable, Fact] = {("won", len(play.taken)): GatheredTrick(move, play.taken[-1])}
        if deal.is_over:
            facts["over"] = say.DealEnded(manner="played")
        return deal, facts
    for card in map(face, move.cards):
        back = next((seat for seat, lies in reversed(play.open.plays) if lies == card), None)
        play = play if back is None else play.taken_back(back, card)
    return replace(deal, play=play), {}


def _revokes(deal: TrickDeal, move: Movement) -> Facts[Fact]:
    if deal.code.revoke is None:
        return {}
    tricks = [*(one.trick for one in deal.play.taken), deal.play.open]
    hands = Hands(deal.play.rules.cards, dict.fromkeys(deal.code.rotation.seats, deal.code.hand))
    for trick in tricks:
        for seat, card in trick.plays:
            hands = hands.played(seat, card)
    found = revokes.revokes(deal.play.rules, tricks, hands)
    return {("revoke", one.number, one.seat): FoundRevoke(move, one) for one in found}
