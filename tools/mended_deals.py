"""How many touches make a photographed deal right on the page of ``table_service.photographs``, for ``measure_score``.

A touch is what a person does there in one go: choose a card where one was not read or was misread, add one, take one or
a group away, join two groups, say that no card is missing or wrong in all pictures that were looked at (which takes the
places away where a card was only supposed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hw.cards import UNKNOWN
from hw.seats import LINES
from table_service.games.photographed import SURE, Photographed, PhotoGroup

Cards = Sequence[str]


def mended(shown: Photographed, document: dict[str, Any], answer: dict[str, Any]) -> tuple[Photographed, int]:
    """``shown`` as a person mends it where items of ``answer`` are unknown or wrong, and how many touches that takes.

    ``document``: the true deal of Burraco, as ``tavolo count`` takes it.
    """
    groups = list(enumerate(shown.groups))  # with their places in ``shown``; one that was mended has none
    clouded, touches, doubted = dict(shown.clouded), 0, False
    for line in map(str, LINES):
        own, items = document["deal"][line], answer["lines"][line]["items"]
        words: dict[str, list[Cards]] = {}
        if items["melds"] is None or items["burraco"] is None:
            words[f"melds-{line}"] = own["melds"]
        if items["hand"] is None:
            words |= {f"hand-{seat}": [hand] for seat, hand in zip(line, own["hands"], strict=True)}
        for word, truth in words.items():
            if word not in shown.shown:
                continue
            cloud = clouded.pop(word, None) is not None
            mine = [group for _, group in groups if group.shows == word]
            right, spent = _mended(word, mine, truth)
            touches += spent
            doubted = doubted or cloud or any(_is_doubted(group) for group in mine)
            groups = [one for one in groups if one[1].shows != word] + [(-1, group) for group in right]
    return replace(shown, groups=_in_new_places(groups), clouded=clouded), touches + doubted


def _in_new_places(groups: Sequence[tuple[int, PhotoGroup]]) -> tuple[PhotoGroup, ...]:
    """Return groups that had other places, each ``beside`` those that it was beside, where they are now."""
    now = {was: place for place, (was, _) in enumerate(groups) if was >= 0}
    return tuple(replace(group, beside=tuple(now[k] for k in group.beside if k in now)) for _, group in groups)


def _mended(word: str, groups: list[PhotoGroup], truth: list[Cards]) -> tuple[list[PhotoGroup], int]:
    """Return the groups of what ``word`` names as they truly are, and the touches that takes."""
    parts: list[list[PhotoGroup]] = [[] for _ in truth]
    touches = 0
    for group in groups:
        common = [sum((Counter(group.cards) & Counter(cards)).values()) for cards in truth]
        best = max(range(len(truth)), key=lambda n: (common[n], -len(parts[n])), default=None)
        if best is None or (common[best] == 0 and set(group.cards) != {UNKNOWN}):
            touches += 1  # it is none of theirs: taken away
        else:
            parts[best].append(group)
    out = []
    for own, cards in zip(parts, truth, strict=True):
        if not cards:
            touches += len(own)
            continue
        touches += _touches(own, cards) + (max(0, len(own) - 1) if word.startswith("melds") else 0)
        out.append(PhotoGroup(word, _as_mended(own, cards)))
    return out, touches


def _touches(own: list[PhotoGroup], cards: Cards) -> int:
    """Return the touches that make the cards of these groups the true ones."""
    read = Counter(card for group in own for card in group.cards)
    unread = read.pop(UNKNOWN, 0) - sum(len(group.gaps) for group in own)
    excess, missing = sum((read - Counter(cards)).values()), sum((Counter(cards) - read).values())
    return (0 if own else 1) + max(excess + unread, missing)


def _is_doubted(group: PhotoGroup) -> bool:
    unsure = any(card != UNKNOWN and group.sure_of(n) < SURE for n, card in enumerate(group.cards))
    return bool(group.doubts or group.beside or group.gaps) or unsure


def _as_mended(own: list[PhotoGroup], cards: Cards) -> tuple[str, ...]:
    """Return the true cards in the order in which they were read, those that were typed at the end."""
    left, out = Counter(cards), []
    for card in (card for group in own for card in group.cards):
        if left[card] > 0:
            left[card] -= 1
            out.append(card)
    return (*out, *left.elements())
