"""Score of a deal for a line: cricche, sequences, scartini, the last trick, accusi (Barilli's order of counting).

An unknown card (``??``) makes every item that depends on it None; nothing is worked out for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations as choices
from math import comb
from typing import Final

from hw.cards import TAROCCO, UNKNOWN
from hw.seats import LINES, Line
from table_service.games.tarocco.rules.card_points import worth
from table_service.games.tarocco.rules.combinations import cricche, sequences
from table_service.table.score_items import ScoreItem, ScoreSheet

LAST_TRICK: Final = 6
"""Points of the last trick (Barilli, points)."""
SHEET: Final = ScoreSheet(
    (
        ScoreItem("cricche", ("Cricche", "Cricche")),
        ScoreItem("sequences", ("Sequenze", "Sequences")),
        ScoreItem("scartini", ("Conto degli scartini", "Card points")),
        ScoreItem("last_trick", ("Ultima presa", "Last trick")),
        ScoreItem("accusi", ("Accusi in mano", "Combinations shown")),
        ScoreItem("penalty", ("Penalità", "Penalty")),
    ),
    given="penalty",
)
ITEMS: Final = SHEET.names
_MOST_CHOICES: Final = 2000
"""So many ways of filling unknown cards are looked at one by one; beyond, all candidates are taken together."""


@dataclass(frozen=True, slots=True)
class LinePile:
    """Cards of a line at the end of a deal.

    ``pile``: the faces in its pile, the Matto's exchange made; the scarto belongs to the dealer's line. ``last_trick``:
    None if unknown. ``accusi``: the cards of each accuso that is valid. ``only_scartini``: a breach has cost all but
    the card points (commas 9, 11, 14). ``penalty``: points taken off by the Giuria (comma 12), zero or negative.
    """

    pile: tuple[str, ...] = ()
    last_trick: bool | None = False
    accusi: tuple[tuple[str, ...], ...] = ()
    only_scartini: bool = False
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class LineScore:
    """The points of one line by item; None where a card decides that nobody knows."""

    items: Mapping[str, int | None]
    doubtful: tuple[str, ...] = field(default=())

    @property
    def total(self) -> int | None:
        """The sum of the items; None where one is None."""
        values = list(self.items.values())
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None


def card_points(pile: Collection[str]) -> int | None:
    """Return the conto degli scartini: cards are paired, and each pair counts its values less one.

    That is the sum of the values less half the number of cards, however they are paired. None where a card is unknown,
    or one is left over.

    >>> card_points(["KC", "QD", "7C", "8C"]), card_points(TAROCCO.copies)
    (9, 87)
    """
    if UNKNOWN in pile or len(pile) % 2:
        return None
    return sum(map(worth, pile)) - len(pile) // 2


def half_criccone(cards: Iterable[str]) -> int:
    """Return the cricche before any doubling, of which all five make 148."""
    return sum(one.points for one in cricche(cards).found)


def score_line(mine: LinePile, unseen: Collection[str] = (), *, last_trick_with_scartini: bool = False) -> LineScore:
    """Return the score of one line. ``unseen``: the cards of the pack that are named in neither pile.

    ``last_trick_with_scartini``: whether a line that counts only its scartini keeps the last trick; comma 14 says
    "only", so it does not by default.
    """
    last = None if mine.last_trick is None else LAST_TRICK * mine.last_trick
    items: dict[str, int | None] = {
        "cricche": _sure(lambda cards: cricche(cards).points, mine.pile, unseen),
        "sequences": _sure(lambda cards: sequences(cards).points, mine.pile, unseen),
        "scartini": card_points(mine.pile),
        "last_trick": last,
        "accusi": _accusi(mine.accusi, unseen),
        "penalty": mine.penalty,
    }
    if mine.only_scartini:
        items |= {"cricche": 0, "sequences": 0, "accusi": 0, "last_trick": last if last_trick_with_scartini else 0}
    return LineScore(items, tuple(name for name in ITEMS if items[name] is None))


def score_deal(lines: Mapping[Line, LinePile], *, last_trick_with_scartini: bool = False) -> dict[Line, LineScore]:
    """Return the scores of both lines."""
    unseen = unseen_cards(lines.values())
    return {line: score_line(lines[line], unseen, last_trick_with_scartini=last_trick_with_scartini) for line in LINES}


def unseen_cards(lines: Iterable[LinePile]) -> tuple[str, ...]:
    """Return the cards of the pack that no pile names, in the pack's order: what its unknown cards may be."""
    named = {card for line in lines for card in line.pile}
    return tuple(card for card in TAROCCO.copies if card not in named)


def accuso_points(cards: Collection[str]) -> int:
    """Return what an accuso counts: its cricche and its sequences, each doubled by itself."""
    return cricche(cards).points + sequences(cards).points


def idle_in_accuso(cards: Collection[str]) -> tuple[str, ...]:
    """Return the known cards of an accuso that are part of no cricca and of no sequence: who showed them had more.

    >>> idle_in_accuso(["AB", "AD", "m1", "m2", "m4"])
    ('AB', 'AD')
    """
    used = {card for one in (*cricche(cards).found, *sequences(cards).found) for card in one.cards}
    return tuple(card for card in cards if card != UNKNOWN and card not in used)


def _accusi(accusi: Iterable[tuple[str, ...]], unseen: Collection[str]) -> int | None:
    points = [_sure(accuso_points, cards, TAROCCO.copies if UNKNOWN in cards else unseen) for cards in accusi]
    known = [value for value in points if value is not None]
    return sum(known) if len(known) == len(points) else None


def _sure(points: Callable[[Collection[str]], int], cards: Collection[str], candidates: Collection[str]) -> int | None:
    """Return what ``cards`` count whatever the unknown ones among them are; None where it depends on them.

    More cards never count less, so nothing depends on them where no choice of ``candidates`` adds anything.
    """
    known = [card for card in cards if card != UNKNOWN]
    hidden = len(cards) - len(known)
    least = points(known)
    if not hidden:
        return least
    free = [card for card in candidates if card not in known]
    each = choices(free, hidden) if comb(len(free), hidden) <= _MOST_CHOICES else iter([tuple(free)])
    return least if all(points([*known, *choice]) == least for choice in each) else None
