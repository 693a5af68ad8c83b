"""Memory of a corner index: votes of many looks, and whether the face they name may be reported.

A suit that the next card hides is guessed, the same way in every look, and an enrolled pack makes the guess look
certain: neither votes nor a pack are evidence then, only the network's own scores, look by look. And however much of it
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
from vision.index_reader import NOTHING, IndexReading, Scores, best_face, likeliest_face, merge
from vision.packs import OWN

VOTES: Final = 4
"""Looks at a corner at rest that are collected; later ones would add nothing new."""
ANOTHER_ABOVE: Final = 0.9
"""Confidence of a single look in another face than the one remembered from which the votes start anew."""
CERTAINLY: Final = 0.98
"""Confidence above which a single look names a known index anew as the other suit of its colour."""
MIN_CONFIDENCE: Final = 0.65
"""Confidence below which a card is reported as unknown, where it lies."""
PARTLY_HIDDEN: Final = 0.04
"""Share of an index under another card from which the network alone must be certain of it, on the mean of all looks."""
CLEARLY: Final = 0.9
"""That certainty. On rendered tables (seeds 7001, 7002) 86 half hidden indices were read wrongly, all below it."""
HARDLY_HIDDEN: Final = 0.10
"""Share up to which fair confidence is enough: of 3300 indices this little hidden none was misread."""
FAIRLY: Final = 0.75
FAINTLY: Final = 0.65
"""Heat below which an index may be half hidden by a card that was not read itself: of whole ones 5 % are found so
faintly, and one in 3000 as well is not read ``CLEARLY``; of half hidden ones that were read wrongly two thirds."""
MOSTLY_HIDDEN: Final = 0.25
"""Share from which too little of a suit shows to distinguish it from the other of its colour, at any confidence."""

SURELY_NOTHING: Final = 0.9
"""Probability of 'none of these' from which the finder's index is rejected; below, it may be a card that cannot be
read."""
LIKE_BEFORE: Final = 0.2
"""Probability that an unsure look must give the face remembered in its place for that to stay."""
OWN_JOKER: Final = 0.85
"""Cosine to the enrolled joker's index from which an index is one, however faint it was found. On rendered tables true
ones have .93 to .98, looks half beside one .64."""


@dataclass
class Seen:
    """A corner index that is accepted as being there."""

    spot: Spot
    scores: Scores
    votes: int = 1
    covered: bool = False
    alone: Scores | None = None
    """The mean of what the network alone said, look by look: votes and a pack make a guess look surer than it was."""
    alike: float = 0.0
    """Highest likeness to an enrolled pack's own index of its face (cosine)."""
    clear: bool = False
    """True if the accepted face was reported while no other card hid it: it stays known when one is laid over it."""
    cell: tuple[int, int] = (0, 0)
    place: tuple[float, float, float, float, float] | None = None
    """On the table: x, y (mm), unit vector up, height (mm); worked out once."""
    corner: Corner | None = None
    """The same as a corner, for ``scores`` as they were then."""


def voted(seen: Seen, reading: IndexReading) -> Seen:
    """``seen`` after one more look."""
    scores = _vote(seen, reading.scores)
    one = reading.unaided if seen.alone is None else seen.alone + (reading.unaided - seen.alone) / (seen.votes + 1)
    clear = seen.clear and best_face(scores) == best_face(seen.scores)
    alike = max(seen.alike, reading.alike) if reading.face == best_face(scores) else seen.alike
    return replace(seen, scores=scores, alone=one, alike=alike, votes=seen.votes + 1, clear=clear)


def known_joker(name: str | None, alike: float) -> bool:
    """Return True if an index is certainly an enrolled pack's joker: nothing else tells one so well from pips."""
    return name == JOKER and alike >= OWN_JOKER


def _vote(seen: Seen, scores: Scores) -> Scores:
    """Scores after one more look; looks at the same print are not independent, so each counts half."""
    return merge(seen.scores, np.sqrt(scores)) if seen.votes < 2 * VOTES else seen.scores


def another(reading: IndexReading, seen: Seen) -> bool:
    """Return True if a reading certainly shows another card than the one that was seen there."""
    return reading.face != best_face(seen.scores) and reading.confidence > ANOTHER_ABOVE


def look_alike(reading: IndexReading, seen: Seen) -> bool:
    """Return True if a look takes a well known index for the other suit of its rank and colour, uncertain of it.

    A hand's shadow upon a small index does that, and so do a few looks beneath it.
    """
    best = best_face(seen.scores)
    if best is None or reading.face is None or not seen.clear or reading.confidence > CERTAINLY:
        return False
    return reading.face != best and reading.face[0] == best[0] and {reading.face[1], best[1]} in ({*"CS"}, {*"HD"})


def like_before(reading: IndexReading, seen: Seen) -> bool:
    """Return True if a look without a certain reading finds the remembered face likelier than any other face."""
    best = best_face(seen.scores)
    if best is None or reading.face is not None or likeliest_face(reading.scores) != best:
        return False
    return float(reading.scores[:NOTHING].max()) >= LIKE_BEFORE


def surely_nothing(scores: Scores) -> bool:
    """Return True if a look finds with certainty that there is no index."""
    return float(scores[NOTHING]) >= SURELY_NOTHING


def is_gone(seen: Seen) -> bool:
    """Return True if the looks at a corner find no index, in the mean: votes make uncertain looks seem certain."""
    return best_face(seen.scores) is None and surely_nothing(_looks(seen))


def without_guesses(
    cards: list[Found], corners: list[Corner], shares: NDArray[np.float64], seen: Mapping[int, Seen]
) -> list[Found]:
    """Return the cards; one with a single, partly hidden index whose suit is only guessed becomes uncertain.

    If the suit is hidden the rank is read rightly and the suit is guessed, the same in every look and by an enrolled
    pack too: votes do not help. What was reported before the other card was laid stays known.
    """
    kept = []
    for card, hidden in zip(cards, shares.tolist(), strict=True):
        own = [seen[id(corners[k])] for k in card.corners]
        if len(own) > 1 or (_whole(own[0], hidden) and by_looks(own[0]) >= MIN_CONFIDENCE):
            for one in own:
                one.clear = card.confidence > CLEARLY
        elif not own[0].clear and _guessed(own[0], hidden):
            card = replace(card, confidence=min(card.confidence, MIN_CONFIDENCE / 2))  # noqa: PLW2901 - reported as unknown
        kept.append(card)
    return kept


def by_looks(seen: Seen) -> float:
    """Mean confidence of single looks at an index in the accepted face.

    That is the network's own score, or 1 if the index looks as whole ones of the enrolled pack do.
    """
    return 1.0 if seen.alike >= OWN else _alone(seen)


def is_there(seen: Seen) -> float:
    """Mean confidence of single looks that there is an index; 1 if it looks as the enrolled pack's do."""
    return 1.0 if seen.alike >= OWN else 1.0 - float(_looks(seen)[NOTHING])


def _whole(seen: Seen, hidden: float) -> bool:
    """Return True if an index of which ``hidden`` seems to lie under a card shows whole."""
    return hidden < PARTLY_HIDDEN and (seen.spot.heat >= FAINTLY or _alone(seen) > CLEARLY)


def _guessed(seen: Seen, hidden: float) -> bool:
    """Return True if the face of a lone index that may be hidden, or is not certainly read, is a guess."""
    if by_looks(seen) < MIN_CONFIDENCE:
        return True
    suited = best_face(seen.scores) != JOKER  # a joker's index has no suit that could be hidden
    return suited and not _whole(seen, hidden) and _alone(seen) <= _asked(hidden, seen.spot.heat)


def _asked(hidden: float, heat: float) -> float:
    """Confidence needed from the network alone for an index found with ``heat``, a share of it ``hidden``."""
    if hidden >= MOSTLY_HIDDEN:
        return 1.0
    return FAIRLY if hidden < HARDLY_HIDDEN and heat >= FAINTLY else CLEARLY


def _alone(seen: Seen) -> float:
    """Mean confidence of the network alone in the accepted face."""
    return float(_looks(seen)[seen.scores.argmax()])


def _looks(seen: Seen) -> Scores:
    """Return what the network alone said, look by look, in the mean."""
    return seen.scores if seen.alone is None else seen.alone
