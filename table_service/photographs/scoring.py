"""Photographs put together and counted: whose each picture is, a meld of two pictures once, the game's answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from hw.cards import UNKNOWN
from hw.errors import TavoloError
from table_service.games.definition import RuleSet
from table_service.games.photographed import Photographed, PhotographRules, PhotoGroup, differences

if TYPE_CHECKING:
    from table_service.photographs.photograph_reading import ReadPicture

TABLE: Final = "table"
"""Content of a picture without a label: the game decides the owner of its cards by their places."""
SAME: Final = 0.6
"""Share of the smaller of two groups that lies in the same order in the other, in another picture: they are one."""
_LINES: Final = ("NS", "EW")
_SEATS: Final = ("N", "E", "S", "W")


class PhotographError(TavoloError, ValueError):
    """Pictures that cannot be scored so; the message is one sentence."""


def rules_for(rules: RuleSet) -> PhotographRules:
    """Return how ``rules`` score photographs. Raises PhotographError if they do not."""
    if rules.photographs is None:
        raise PhotographError(f"{rules.title}: photographs are not scored by these rules")
    return rules.photographs


def shown_by(rules: PhotographRules, word: str) -> str:
    """Return what a picture of ``word`` shows: ``NS``, ``N``, ``melds-NS``, ``table`` etc. Raises PhotographError.

    A line or a seat alone is the usual thing of it: for Burraco its melds, its hand.
    """
    known = known_words(rules)
    for usual, names in ((rules.lines, _LINES), (rules.seats, _SEATS)):
        if word in names and usual:
            return f"{usual[0]}-{word}"
    if word not in known:
        raise PhotographError(f"'{word}' says nothing of a picture: say one of {', '.join(known)}")
    return word


def known_words(rules: PhotographRules) -> list[str]:
    """All that a picture may be said to show."""
    lines = [f"{kind}-{line}" for kind in rules.lines for line in _LINES]
    return [*lines, *(f"{kind}-{seat}" for kind in rules.seats for seat in _SEATS), TABLE]


def word_in_name(rules: PhotographRules, name: str) -> str:
    """Return what a file's name says its picture shows (``deal3_NS.jpg``, ``hand-N.png``), else ``table``."""
    stem = name.rsplit(".", 1)[0]
    for word in known_words(rules):
        if word != TABLE and re.search(rf"(?:^|[^A-Za-z]){word}(?:$|[^A-Za-z])", stem, re.IGNORECASE):
            return word
    for alone in (*_LINES, *_SEATS):
        if re.search(rf"(?:^|[^A-Za-z]){alone}(?:$|[^A-Za-z])", stem):
            try:
                return shown_by(rules, alone)
            except PhotographError:
                continue
    return TABLE


def score_pictures(
    rules: RuleSet,
    pictures: Sequence[ReadPicture],
    facts: Mapping[str, Any],
    written: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, Any]:
    """Return the game's answer for all that ``pictures`` show together.

    Two pictures without a label are the first line's and the second's, unless they show the same; of other such
    pictures the game decides the owner of each card, by its place. The answer then names ``owner`` of a line among its
    doubts.
    """
    own = rules_for(rules)
    shown = put_together(own, pictures, facts)
    unnamed = [n for n, picture in enumerate(pictures) if picture.shows == TABLE]
    if len(unnamed) == len(_LINES) and own.lines and len({group.picture for group in shown.groups}) == len(pictures):
        whose = dict(zip(unnamed, _LINES, strict=True))
        named = [
            replace(picture, shows=f"{own.lines[0]}-{whose[n]}" if n in whose else picture.shows)
            for n, picture in enumerate(pictures)
        ]
        shown = put_together(own, named, facts)
    answer = scored(rules, shown, written or None)
    if unnamed and own.lines:
        answer["doubtful"] = [*answer["doubtful"], *(f"{line}.owner" for line in _LINES)]
    return answer


def scored(
    rules: RuleSet, shown: Photographed, written: Mapping[str, Mapping[str, int]] | None = None
) -> dict[str, Any]:
    """Return the game's answer for ``shown``; each of its ``groups`` is listed, so that a person can mend them.

    ``written``: figures of the sheet written by hand; the answer then names each ``differences``.
    """
    answer = rules_for(rules).score(shown)
    groups = [
        {
            "shows": group.shows,
            "picture": group.picture,
            "cards": list(group.cards),
            "box": [round(v, 1) for v in group.box],
            "doubts": list(group.doubts),
        }
        for group in shown.groups
    ]
    differs = {} if written is None else {"differences": differences(answer, written)}
    return {"rules": rules.name, **answer, **differs, "groups": groups}


def put_together(rules: PhotographRules, pictures: Sequence[ReadPicture], facts: Mapping[str, Any]) -> Photographed:
    """All that ``pictures`` show together; what two of them show of the same thing counts once."""
    groups: list[PhotoGroup] = []
    shown: set[str] = set()
    clouded: dict[str, str] = {}
    for number, picture in enumerate(pictures):
        own = _groups_of(picture, number)
        words = rules.owners(own) if picture.shows == TABLE else [picture.shows] * len(own)
        own = [replace(group, shows=word) for group, word in zip(own, words, strict=True)]
        shown |= {picture.shows, *words} - {TABLE}
        if picture.cloud is not None:
            clouded |= dict.fromkeys({*words, picture.shows} - {TABLE}, picture.cloud)
        groups = _with_more(groups, own)
    return Photographed(tuple(groups), facts, frozenset(shown), clouded)


def _groups_of(picture: ReadPicture, number: int) -> list[PhotoGroup]:
    from vision.laid_groups import facing

    return [
        PhotoGroup(
            shows=picture.shows,
            cards=group.faces,
            confidence=tuple(card.confidence for card in group.cards),
            doubts=group.doubts,
            beside=group.beside,
            picture=number,
            box=group.box,
            facing=facing(group),
            gaps=tuple(n for n, c in enumerate(group.cards) if c.face == UNKNOWN and c.likely is None),
        )
        for group in picture.groups
    ]


def _with_more(groups: list[PhotoGroup], more: list[PhotoGroup]) -> list[PhotoGroup]:
    """Return the groups with those of one more picture; one the same as another's is taken once, as read best."""
    offset = len(groups)
    out = list(groups)
    free = set(range(offset))
    places: dict[int, int] = {}
    for n, group in enumerate(more):
        same = max((k for k in free if out[k].shows == group.shows), key=lambda k: _alike(out[k], group), default=None)
        if same is not None and _alike(out[same], group) >= SAME:
            free.discard(same)
            out[same] = _merged(out[same], group)
            places[n] = same
        else:
            places[n] = len(out)
            out.append(group)
    for n, group in enumerate(more):
        if places[n] >= offset:
            out[places[n]] = replace(group, beside=tuple(places[k] for k in group.beside))
    return out


def _alike(one: PhotoGroup, other: PhotoGroup) -> float:
    """Share of the smaller group's known cards that lie in the same order in the other; either way round."""
    first, second = ([card for card in group.cards if card != UNKNOWN] for group in (one, other))
    if not first or not second:
        return 0.0
    common = max(_in_order(first, second), _in_order(first, second[::-1]))
    return common / min(len(first), len(second))


def _in_order(first: Sequence[str], second: Sequence[str]) -> int:
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks())


def _merged(one: PhotoGroup, other: PhotoGroup) -> PhotoGroup:
    """Two readings of one group: the one without doubts, if the other's known cards are all among it; else doubted."""
    for best, rest in ((one, other), (other, one)):
        whole = not best.doubts and UNKNOWN not in best.cards
        lacks = Counter(card for card in rest.cards if card != UNKNOWN) - Counter(best.cards)
        if whole and not lacks and len(rest.cards) <= len(best.cards):
            return replace(best, beside=one.beside)
    best = max(one, other, key=lambda group: (len(group.cards) - group.cards.count(UNKNOWN), -len(group.doubts)))
    return replace(best, beside=one.beside, doubts=tuple(dict.fromkeys((*best.doubts, "two-pictures"))))
