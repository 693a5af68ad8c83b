"""What is remembered of a corner index: votes of many looks, and whether the face they name may be told.

A suit that the next card hides is guessed, the same way in every look, and an enrolled pack makes the guess look sure:
neither votes nor a pack are evidence then, only what the network alone said, look by look. And however much of it
shows, votes only strengthen what single looks say: looks at the same print are wrong together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.finder import Spot
from vision.grouping import Corner, Found
from vision.index_reader import NOTHING, Reading, Scores, best_face, likeliest_face, merge
from vision.packs import OWN

VOTES: Final = 4
"""So many looks at a corner that lies still are asked for; later ones would tell nothing new."""
ANOTHER_ABOVE: Final = 0.9
"""A single look so sure of another face than the one remembered begins the votes anew."""
MIN_CONFIDENCE: Final = 0.65
"""A card read less surely is reported as unknown, where it lies."""
PARTLY_HIDDEN: Final = 0.04
"""Share of an index under another card from which the network alone must be sure of it, on the mean of all looks."""
CLEARLY: Final = 0.9
"""So sure. On rendered tables (seeds 7001, 7002) 86 half hidden indices were read wrongly, none of them so surely."""
HARDLY_HIDDEN: Final = 0.10
"""Share up to which the network need only be fairly sure: of 3300 indices so far under a card none was misread."""
FAIRLY: Final = 0.75
FAINTLY: Final = 0.65
"""Heat below which an index may be half hidden by a card that was not read itself: of whole ones 5 % are found so
faintly, and one in 3000 as well is not read ``CLEARLY``; of half hidden ones that were read wrongly two thirds."""
MOSTLY_HIDDEN: Final = 0.25
"""Share from which too little of a suit shows to tell one from another of its colour, however sure the network is."""

SURELY_NOTHING: Final = 0.9
"""Probability of 'none of these' from which nothing lies where the finder marked an index; below, it may be a card that
nobody could read."""
LIKE_BEFORE: Final = 0.2
"""Probability that an unsure look must give the face remembered in its place for that to stay."""
OWN_JOKER: Final = 0.85
"""Cosine to the enrolled joker's index from which an index is one, however faint it was found. On rendered tables true
ones have .93 to .98, looks half beside one .64."""


@dataclass
class Seen:
    """A corner index that is believed to be there."""

    spot: Spot
    scores: Scores
    votes: int = 1
    covered: bool = False
    alone: Scores | None = None
    """The mean of what the network alone said, look by look: votes and a pack make a guess look surer than it was."""
    alike: float = 0.0
    """How much it looked like an enrolled pack's own index of its face (cosine), at best."""
    clear: bool = False
    """Whether the face believed was told while no other card hid it: it stays known when one is laid over it."""
    cell: tuple[int, int] = (0, 0)
    place: tuple[float, float, float, float, float] | None = None
    """On the table: x, y (mm), unit vector up, height (mm); worked out once."""
    corner: Corner | None = None
    """The same as a corner, for ``scores`` as they were then."""


def voted(seen: Seen, reading: Reading) -> Seen:
    """``seen`` after one more look."""
    scores = _vote(seen, reading.scores)
    one = reading.unaided if seen.alone is None else seen.alone + (reading.unaided - seen.alone) / (seen.votes + 1)
    clear = seen.clear and best_face(scores) == best_face(seen.scores)
    alike = max(seen.alike, reading.alike) if reading.face == best_face(scores) else seen.alike
    return replace(seen, scores=scores, alone=one, alike=alike, votes=seen.votes + 1, clear=clear)


def known_joker(name: str | None, alike: float) -> bool:
    """True if an index surely is an enrolled pack's joker: in no other way is one told so well from pips."""
    return name == JOKER and alike >= OWN_JOKER


def _vote(seen: Seen, scores: Scores) -> Scores:
    """Scores after one more look; looks at the same print are not independent, so each counts half."""
    return merge(seen.scores, np.sqrt(scores)) if seen.votes < 2 * VOTES else seen.scores


def another(reading: Reading, seen: Seen) -> bool:
    """True if a reading surely says another card than the one that was seen there."""
    return reading.face != best_face(seen.scores) and reading.confidence > ANOTHER_ABOVE


def like_before(reading: Reading, seen: Seen) -> bool:
    """True if a look that is sure of nothing finds the face remembered there likelier than any other face."""
    best = best_face(seen.scores)
    if best is None or reading.face is not None or likeliest_face(reading.scores) != best:
        return False
    return float(reading.scores[:NOTHING].max()) >= LIKE_BEFORE


def surely_nothing(scores: Scores) -> bool:
    """True if a look says that there is no index, and is sure of it."""
    return float(scores[NOTHING]) >= SURELY_NOTHING


def is_gone(seen: Seen) -> bool:
    """True if the looks at a corner say that there is none: their mean, for votes make an unsure look seem sure."""
    return best_face(seen.scores) is None and surely_nothing(_looks(seen))


def without_guesses(
    cards: list[Found], corners: list[Corner], shares: NDArray[np.float64], seen: Mapping[int, Seen]
) -> list[Found]:
    """The cards, those unsure of which one index shows that another card seems to hide and that the network guesses.

    Where the suit is hidden the rank is read rightly and the suit is guessed, the same in every look and by an enrolled
    pack too: votes do not help. What was told before the other card was laid stays known.
    """
    kept = []
    for card, hidden in zip(cards, shares.tolist(), strict=True):
        own = [seen[id(corners[k])] for k in card.corners]
        if len(own) > 1 or (_whole(own[0], hidden) and by_looks(own[0]) >= MIN_CONFIDENCE):
            for one in own:
                one.clear = card.confidence > CLEARLY
        elif not own[0].clear and _guessed(own[0], hidden):
            card = replace(card, confidence=min(card.confidence, MIN_CONFIDENCE / 2))  # noqa: PLW2901 - told as unknown
        kept.append(card)
    return kept


def by_looks(seen: Seen) -> float:
    """Return how sure single looks at an index are of the face believed, in the mean.

    That is what the network alone says, or 1 where the index looks as whole ones of the enrolled pack do.
    """
    return 1.0 if seen.alike >= OWN else _alone(seen)


def is_there(seen: Seen) -> float:
    """How sure single looks are that there is an index, in the mean; 1 where it looks as the enrolled pack's do."""
    return 1.0 if seen.alike >= OWN else 1.0 - float(_looks(seen)[NOTHING])


def _whole(seen: Seen, hidden: float) -> bool:
    """True if an index of which ``hidden`` seems to lie under a card shows whole."""
    return hidden < PARTLY_HIDDEN and (seen.spot.heat >= FAINTLY or _alone(seen) > CLEARLY)


def _guessed(seen: Seen, hidden: float) -> bool:
    """True if the face of a lone index that does not surely show whole, or is not surely read, is a guess."""
    if by_looks(seen) < MIN_CONFIDENCE:
        return True
    suited = best_face(seen.scores) != JOKER  # a joker's index has no suit that could be hidden
    return suited and not _whole(seen, hidden) and _alone(seen) <= _asked(hidden, seen.spot.heat)


def _asked(hidden: float, heat: float) -> float:
    """How sure the network alone must be of an index, found with ``heat``, of which ``hidden`` lies under a card."""
    if hidden >= MOSTLY_HIDDEN:
        return 1.0
    return FAIRLY if hidden < HARDLY_HIDDEN and heat >= FAINTLY else CLEARLY


def _alone(seen: Seen) -> float:
    """Return how sure the network alone is of the face believed."""
    return float(_looks(seen)[seen.scores.argmax()])


def _looks(seen: Seen) -> Scores:
    """Return what the network alone said, look by look, in the mean."""
    return seen.scores if seen.alone is None else seen.alone
