"""Frames of a pile without a scale: how many agree, and whether it is known who changed it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from table_service.tracking.movements import Unverified, Verified
from table_service.tracking.sequences import Faces, lies_beneath

SAME: Final = 2
"""Consecutive frames that must show quite other cards in the pile to prove that it was taken meanwhile."""
_MISREAD: Final = 4
"""Consecutive frames that show the pile alike, unlike its count and with no change decided: a card in it is misread."""


@dataclass(slots=True)
class PileFrames:
    """The newest cards that frames show in the pile, and how many frames in a row have shown them."""

    _seen: Faces = ()
    _count: int = 0

    def show(self, seen: Faces) -> Faces:
        """Take a frame; return what the frame before it showed."""
        before = self._seen
        self._seen, self._count = seen, self._count + 1 if before == seen else 1
        return before

    def forget(self) -> None:
        """Begin anew: the pile has changed."""
        self._seen, self._count = (), 0

    @property
    def agree(self) -> bool:
        """True if enough frames in a row show the same."""
        return self._count >= SAME

    @property
    def show_none(self) -> bool:
        """True if enough frames in a row show no card."""
        return self.agree and not self._seen

    def misread(self, lies: Faces) -> bool:
        """Return True if frames keep showing another card beneath the topmost of ``lies``: none comes or goes there."""
        seen = self._seen
        kept = self._count > _MISREAD and seen[-1:] == lies[-1:] != ()
        return kept and len(seen) >= len(lies) and not lies_beneath(lies, seen)


@dataclass(slots=True)
class TurnDoubt:
    """Doubt of whose turn it is, after a change of the pile that nobody was seen to make."""

    _stands: bool = False
    _news: list[Unverified | Verified] = field(default_factory=list)

    def arise(self, start: float, pile: str, reason: str) -> None:
        """Leave open whose turn it is from ``start`` on until the pile changes in full view."""
        self._stands = True
        self._news.append(Unverified(start, pile, reason, missed=True))

    def settle(self, t: float, pile: str) -> None:
        """Take it that a change was seen with its player at ``t``: whose turn it is is known again."""
        if self._stands:
            self._stands = False
            self._news.append(Verified(t, pile))

    def taken(self) -> list[Unverified | Verified]:
        """Return what has changed since this was last asked."""
        news, self._news = self._news, []
        return news
