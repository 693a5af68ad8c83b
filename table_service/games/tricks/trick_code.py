"""A trick-taking game as data: what ``trick_game`` plays, ``trick_pages`` shows and ``trick_rule_set`` registers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN, Pack, face
from hw.seats import Rotation
from table_service.games.tricks.order import Heights, TrickRules
from table_service.referee.catalogue import Row, StepRule, Words
from table_service.referee.row_writing import fault
from table_service.table.score_items import ScoreItem

TRICK: Final = "trick"
STOCK: Final = "stock"
TRUMP: Final = "trump"
"""The zones of the open trick, of the cards to draw, and of the card turned up for trump."""


@dataclass(frozen=True, slots=True)
class Winnings:
    """The cards that a line has won (``??``: not read), so many ``tricks``, and whether the ``last`` is among them."""

    cards: tuple[str, ...] = ()
    tricks: int = 0
    last: bool = False


Figures = Mapping[str, int | None]
"""By item of the score; None: not known."""


def total(figures: Figures) -> int | None:
    """Return the sum of ``figures``; None where one is not known."""
    known = [figure for figure in figures.values() if figure is not None]
    return sum(known) if len(known) == len(figures) else None


def card_points(points: Mapping[str, int]) -> Callable[[Winnings], Figures]:
    """Return a count of one item ``points``: those of the cards won, by face or by rank.

    >>> count = card_points({"A": 11, "3": 10})
    >>> count(Winnings(("AD", "3C#1", "2B"))), count(Winnings(("AD", "??")))
    ({'points': 21}, {'points': None})
    """

    def count(won: Winnings) -> Figures:
        if UNKNOWN in won.cards:
            return {"points": None}
        faces = map(face, won.cards)
        return {"points": sum(points.get(card, points.get(card[0], 0)) for card in faces)}

    return count


def trick_points(won: Winnings) -> Figures:
    """Count a point a trick, the item ``tricks``."""
    return {"tricks": won.tricks}


def out_of_turn(id_: str, article: str) -> Row:
    """Build the catalogue row of a card played out of turn: it is taken back, and the player in turn plays."""
    take_back = Words("Chi ha giocato riprende la carta.", "The offender takes the card back.")
    play = Words("Gioca chi è di turno.", "The player in turn plays.")
    return fault(id_, article, Words("Carta giocata fuori turno", "Card played out of turn"), ("gate", "camera"),
        StepRule("take-back", "offender", take_back, cards=True), StepRule("play", "player-in-turn", play),
        severity="play-stops")  # fmt: skip


def revoke(id_: str, article: str) -> Row:
    """Build the catalogue row of a suit that was not followed, or a trump not played: the arbitro decides."""
    return fault(id_, article, Words("Mancata risposta", "Revoke"), ("gate", "camera"),
        StepRule("decide", "arbitro", Words("Decide l’arbitro.", "The arbitro decides.")), severity="score",
        needs_referee=True)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrickCode:
    """One code of a trick-taking game. Raises ValueError where its parts contradict each other.

    ``suits``: the cards of each suit from the highest (``order.by_ranks``). ``hand``: cards dealt to each player.
    ``trump``: the suit that always is; ``turned_up``: that of the stock's top card, turned up in the zone ``trump``.
    ``draws``: the rest is a stock from which everybody draws after a trick, the card turned up last. ``items`` and
    ``count``: the score of a line. ``out_of_turn``, ``revoke``: the catalogue rows; without ``revoke`` any card may be
    played. ``must_trump``: who cannot follow plays a trump.
    """

    name: str
    title: str
    edition: str
    pack: Pack
    rotation: Rotation
    suits: Mapping[str, Heights]
    hand: int
    out_of_turn: Row
    items: tuple[ScoreItem, ...] = (ScoreItem("tricks", ("prese", "tricks")),)
    count: Callable[[Winnings], Figures] = trick_points
    revoke: Row | None = None
    trump: str | None = None
    turned_up: bool = False
    draws: bool = False
    must_trump: bool = False

    def __post_init__(self) -> None:
        seats, cards = len(self.rotation.seats), self.pack.size
        if self.order.cards != self.pack.copies.keys() or max(self.pack.copies.values()) > 1:
            raise ValueError(f"{self.name}: the suits must have every card of the pack, each once")
        if self.draws and self.revoke is not None:
            raise ValueError(f"{self.name}: with a stock nobody can tell whether a suit was held: no revoke is judged")
        if cards % seats if self.draws else self.hand * seats > cards:
            raise ValueError(f"{self.name}: {cards} cards do not make whole tricks of {seats}")
        if self.turned_up and not self.draws and self.hand * seats == cards:
            raise ValueError(f"{self.name}: the whole pack is dealt: no card is left to be turned up")
        if self.turned_up and self.trump is not None:
            raise ValueError(f"{self.name}: the trump is fixed or turned up, not both")

    @property
    def order(self) -> TrickRules:
        """The order of cards, as far as it is known before a deal."""
        return TrickRules(self.rotation, self.suits, self.trump, self.must_trump)

    def order_with(self, trump: str | None) -> TrickRules:
        """Return the order of cards once the card ``trump`` was turned up (None: not read)."""
        return self.order if trump is None else replace(self.order, trump=self.order.suit(trump))

    @property
    def has_stock(self) -> bool:
        """True if the rest of the pack lies at the table: to draw from, or to turn the trump up from."""
        return self.draws or self.turned_up

    @property
    def tricks(self) -> int:
        """Tricks of a deal."""
        return self.pack.size // len(self.rotation.seats) if self.draws else self.hand

    @property
    def rows(self) -> tuple[Row, ...]:
        """The catalogue rows."""
        return (self.out_of_turn,) if self.revoke is None else (self.out_of_turn, self.revoke)
