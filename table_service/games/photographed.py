"""Contents of photographs of the end of a deal, as values a game can score: groups of cards, entries, doubts.

Pictures are read elsewhere (``table_service.photographs``); here are no pixels. What a picture shows is named by a word
and whose it is, as ``melds-NS``, ``hand-N``, ``pile-EW``; each game says which words it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hw.cards import UNKNOWN
from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.games.game_pages import Text

SURE: Final = 0.9
"""Confidence from which a face counts where nothing else, such as the meld that it completes, speaks for it."""


@dataclass(frozen=True, slots=True)
class PhotoGroup:
    """Cards that lie together in a picture, in order; ``??`` one that was not read.

    ``confidence``: of each face, 0 to 1; 1 where a person typed it. ``doubts``: why there may be more cards than these
    (the names of ``DOUBTS``). ``beside``: groups of the same list that may be one with it.
    ``facing``: the way its cards' upper edges point in the picture, degrees from its top, clockwise.
    """

    shows: str
    cards: tuple[str, ...]
    confidence: tuple[float, ...] = ()
    doubts: tuple[str, ...] = ()
    beside: tuple[int, ...] = ()
    picture: int = 0
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    facing: float = 0.0
    gaps: tuple[int, ...] = ()
    """Places in ``cards`` of those ``??`` that are only supposed because there is room for a card."""

    def sure_of(self, place: int) -> float:
        """Confidence of the card at ``place``."""
        return self.confidence[place] if place < len(self.confidence) else 1.0


@dataclass(frozen=True, slots=True)
class Photographed:
    """All that is known of a deal from its pictures. ``facts``: what a person typed, by line or by name of the game.

    ``shown``: everything of which there is a picture. ``clouded``: that of which a picture may hide cards somewhere.
    """

    groups: tuple[PhotoGroup, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    clouded: Mapping[str, str] = field(default_factory=dict)

    def of(self, shows: str) -> list[PhotoGroup]:
        """Return the groups of what ``shows`` names."""
        return [group for group in self.groups if group.shows == shows]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about what is uncertain, for people, in Italian and English. ``items`` are those it makes unknown."""

    text: Text
    line: str = ""
    items: tuple[str, ...] = ()
    group: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the note as JSON values."""
        where = {"group": self.group} if self.group is not None else {}
        said = {"it": self.text[0], "en": self.text[1]}
        return {"line": self.line, "items": list(self.items), **where, "text": said}


@dataclass(frozen=True, slots=True)
class PhotographRules:
    """Rules of a game for scoring photographs.

    ``lines``, ``seats``: the words for a picture of a line or of a seat, the usual one first. ``score``: the answer of
    ``tavolo score`` without its pictures; it never raises on what pictures show. ``owners``: owner of each group of an
    unnamed picture (``table``), by their places. ``needs_pack``: True if its cards can only be read with an enrolled
    pack. ``questions``: what a person is asked. ``match``: of a game that ranks by matches, its state by its deals, as
    in ``score.counted``: each deal's totals by line, and its photographed score (empty if a table has reported it).
    """

    lines: tuple[str, ...]
    seats: tuple[str, ...]
    score: Callable[[Photographed], dict[str, Any]]
    owners: Callable[[list[PhotoGroup]], list[str]]
    needs_pack: bool = False
    questions: tuple[str, ...] = ()
    match: Callable[[Sequence[tuple[Mapping[str, int | None], Mapping[str, Any]]]], dict[str, Any]] | None = None


DOUBTS: Final[Mapping[str, Text]] = {
    "rim": (
        "esce dall’immagine: forse altre carte non si vedono",
        "reaches out of the picture: more cards may lie there",
    ),
    "paper": ("accanto c’è una carta che non si legge", "a card beside it could not be read"),
    "spacing": ("fra due carte c’è posto per un’altra", "between two cards there is room for another"),
    "twice": ("una carta è forse letta due volte", "one card may have been read twice"),
    "two-pictures": ("due fotografie la mostrano diversa", "two pictures show it differently"),
}
"""What each doubt of a group says to a person."""


def doubled(groups: Iterable[PhotoGroup], copies: Mapping[str, int]) -> dict[str, int]:
    """Faces that lie there more often than the pack has them, with how often."""
    count: dict[str, int] = {}
    for group in groups:
        for card in group.cards:
            if card != UNKNOWN:
                count[card] = count.get(card, 0) + 1
    return {card: number for card, number in count.items() if number > copies.get(card, 0)}


_MOST_NAMED: Final = 3
"""So many cards that may explain a difference are named; more would explain nothing."""


def worth(cards: Iterable[str], value: Callable[[str], int | None], scale: Iterable[int]) -> dict[str, Any]:
    """Value of each card of an item, as JSON values, with all values that a card can have: see ``explained``."""
    return {"cards": [[card, value(card)] for card in cards], "scale": sorted(set(scale))}


def explained(item: object, seen: int | None, written: int | None) -> tuple[tuple[str, int], ...]:
    """Return the few cards of ``item`` (from ``worth``) that a hand count may have counted otherwise, with values.

    First those that count ``written - seen`` more at another value of the scale, then those left out or counted twice.

    >>> item = {"cards": [["7H", 5], ["KD", 10], ["KS", 10]], "scale": [5, 10, 15, 20, 30]}
    >>> explained(item, seen=25, written=40)
    (('7H', 5),)
    >>> explained(item, seen=25, written=25), explained(item, seen=25, written=21)
    ((), ())
    """
    if seen is None or written is None or seen == written:
        return ()
    told = as_map(item)
    cards: dict[str, int] = {}
    for one in as_list(told.get("cards")):
        name, value = (*as_list(one), None, None)[:2]
        if isinstance(name, str) and isinstance(value, int):
            cards.setdefault(name, value)
    by, scale = written - seen, {as_whole(one) for one in as_list(told.get("scale"))}
    otherwise = [(name, value) for name, value in cards.items() if value + by in scale]
    moved = [(name, value) for name, value in cards.items() if abs(value) == abs(by)]
    return tuple(next((found for found in (otherwise, moved) if 0 < len(found) <= _MOST_NAMED), []))


def differences(answer: Mapping[str, Any], written: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """Differences of a written sheet and ``answer``: line, item or ``total``, both values, cards that explain it.

    ``adds_up`` of a total: the sum of the written items, with those of the pictures where none is written, if the
    written total is another: then it was added up wrongly.
    """
    found = []
    for line, own in answer["lines"].items():
        typed = written.get(line, {})
        for item, value in typed.items():
            seen = own["total"] if item == "total" else own["items"].get(item)
            if seen is not None and seen != value:
                cards = explained(as_map(as_map(answer.get("worth")).get(line)).get(item), seen, value)
                differs = {"line": line, "item": item, "written": value, "seen": seen, "cards": list(cards)}
                found.append(differs | (_added_up(typed, own["items"], value) if item == "total" else {}))
    return found


def _added_up(typed: Mapping[str, int], seen: Mapping[str, int | None], total: int) -> dict[str, int]:
    """Return the sum of the written items if the written ``total`` is another; empty if it is not, or is not known."""
    parts = [typed.get(name, figure) for name, figure in seen.items()]
    known = [part for part in parts if part is not None]
    return {"adds_up": sum(known)} if len(known) == len(parts) and sum(known) != total else {}


def unknown_items(answer: dict[str, Any], notes: Iterable[Note]) -> None:
    """Make the items that ``notes`` name unknown in ``answer``, in place, with the totals and the difference."""
    for note in notes:
        for item in note.items:
            line = answer["lines"][note.line]
            line["items"][item] = None
            name = f"{note.line}.{item}"
            if name not in answer["doubtful"]:
                answer["doubtful"].append(name)
            line["total"] = None
            if "diff" in answer:
                answer["diff"] = None
