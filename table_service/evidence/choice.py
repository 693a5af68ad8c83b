"""Choice of the pictures that show a fact: the one nearest to it, one before, one after. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hw.cards import face
from hw.observations import SightedCard
from hw.zones import is_melds
from table_service.evidence.picture import Picture

if TYPE_CHECKING:
    from vision.kept_pictures import Marks

Moment = Literal["before", "at", "after"]
MOMENTS: Final[tuple[Moment, ...]] = ("before", "at", "after")
APART_S: Final = 0.4
"""Before and after lie at least so far from the fact."""
AROUND_S: Final = 8.0
"""And at most so far."""
NEAR_S: Final = 2.5
"""Longest time, in seconds, from a fact to the picture at it; beyond, there is none."""


@dataclass(frozen=True, slots=True)
class Want:
    """A fact of which pictures are wanted.

    ``fact``: its moment, ``cards``: the public cards it concerns, ``zones``: its places as far as known.
    """

    key: str
    fact: float
    cards: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    row: str = ""


def settled(newest: float, want: Want, chosen: dict[Moment, Picture]) -> bool:
    """Return True if later pictures can no longer change the choice."""
    after = chosen.get("after")
    return newest >= want.fact + AROUND_S or (after is not None and "at" in chosen and not covered(after, want))


def choose(pictures: Sequence[Picture], want: Want, *, last: bool = False) -> dict[Moment, Picture]:
    """Return the pictures of ``want`` among those at hand, which are in order of time; an unseen moment is left out.

    At: the nearest to the fact, once one of the fact's moment or later is there or the ``last`` has come. Before and
    after: the nearest in which nothing covers the place, else the nearest.
    """
    chosen: dict[Moment, Picture] = {}
    fact = want.fact
    near = [one for one in pictures if abs(one.t - fact) <= NEAR_S]
    if near and (last or pictures[-1].t >= fact):
        chosen["at"] = min(near, key=lambda one: (abs(one.t - fact), -one.t))
    at = chosen.get("at")
    begin, end = (fact, fact) if at is None else (min(fact, at.t), max(fact, at.t))
    earlier = [one for one in pictures if fact - AROUND_S <= one.t <= fact - APART_S and one.t < begin]
    later = [one for one in pictures if fact + APART_S <= one.t <= fact + AROUND_S and one.t > end]
    clear: Callable[[Picture], bool] = lambda one: not covered(one, want)  # noqa: E731
    if earlier:
        chosen["before"] = next(filter(clear, reversed(earlier)), earlier[-1])
    if later:
        chosen["after"] = next(filter(clear, later), later[0])
    return chosen


def covered(picture: Picture, want: Want) -> bool:
    """Return True if something covers the place in a picture; any place if the right one is not known."""
    return bool(picture.hidden) if not want.zones else any(zone in picture.hidden for zone in want.zones)


def marks(picture: Picture, want: Want, caption: str) -> Marks:
    """Return what to paint: the cards it concerns if they can be identified, the zone, the time.

    A face that lies there twice is marked as unsure on both: a red frame around the wrong card would accuse it.
    """
    from vision.kept_pictures import Marks  # a table without a camera loads nothing that reads pictures

    faces = tuple(dict.fromkeys(face(card) for card in want.cards if not card.startswith("??")))
    accused: list[SightedCard] = []
    unsure: list[SightedCard] = []
    for wanted in faces:
        found = [card for card in picture.cards if card.face == "up" and face(card.card) == wanted]
        if want.zones:
            found = [card for card in found if card.zone in want.zones]
        else:
            found = [card for card in found if not is_melds(card.zone)]
        found = _in_one_row(found, picture.cards, faces)
        often = sum(1 for card in want.cards if face(card) == wanted)
        (accused if len(found) <= often else unsure).extend(found)
    return Marks(plain=picture.cards, accused=tuple(accused), unsure=tuple(unsure), zones=want.zones, caption=caption)


def _in_one_row(
    found: list[SightedCard], all_cards: Iterable[SightedCard], faces: tuple[str, ...]
) -> list[SightedCard]:
    """Select of several cards those in the row with most of the cards it concerns; all if rows tie."""
    rows = {(card.zone, card.row) for card in found if card.row is not None}
    if len(found) < 2 or len(rows) < 2:
        return found
    held = {row: len({face(c.card) for c in all_cards if (c.zone, c.row) == row} & set(faces)) for row in rows}
    best = max(held.values())
    leading = {row for row, count in held.items() if count == best}
    return [card for card in found if (card.zone, card.row) in leading]
