"""The faces of an enrolled pack, ready to be looked for and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.faces.blocks import FaceBlocks, FaceStrips
from vision.faces.face_differences import CardLook, SoftFace, difference_of, inner
from vision.faces.geometry import Array
from vision.faces.prints import WORDS, FacePrint

HELD: Final = 48
"""Faces that are kept ready to be compared, 0.4 MB each."""
RESEMBLE: Final = 0.8
"""Correlation of two faces from which they are compared closely."""
NO_DIFFERENCE: Final = 1.7
"""Thousandths of the card below which two faces of a pack are one to the eye."""


@dataclass(frozen=True)
class FaceIndex:
    """The faces of a pack, ready to be looked for. ``names``: the face of each print. Positions as in its print."""

    names: tuple[str, ...]
    prints: tuple[FacePrint, ...]
    blocks: FaceBlocks
    words: Array
    points: Array
    angles: Array
    sizes: Array
    owner: NDArray[np.int64]
    aspect: float
    alike: Mapping[str, frozenset[str]]
    """By face the others that cannot be distinguished from it, whichever way up."""
    is_complete: bool
    """Every face of the pack was enrolled (jokers apart): then what shows can be no other face."""

    @cached_property
    def tree(self) -> Any:
        """Search trees over ``words``."""
        cv2.setRNGSeed(1)
        return cv2.flann.Index(np.ascontiguousarray(self.words), {"algorithm": 1, "trees": 4})

    @cached_property
    def strips(self) -> FaceStrips:
        """The faces, ready to be compared with strips of a picture."""
        return FaceStrips(self.prints)

    def same_as(self, name: str) -> frozenset[str]:
        """Return a face and those that cannot be distinguished from it."""
        return self.alike.get(name, frozenset()) | {name}

    def name_of(self, face: int) -> str:
        """Return the name of a face by its position; beyond the prints' positions of one upside down."""
        return self.names[face % len(self.prints)]

    def small(self, face: int) -> Array:
        """Return the small picture (192, 96, 3) Lab of a face."""
        small = self.prints[face % len(self.prints)].small
        return np.asarray(small[::-1, ::-1] if self.is_turned(face) else small, np.float32)

    def is_turned(self, face: int) -> bool:
        """Return True if the position is that of a face upside down."""
        return face >= len(self.prints)

    def soft(self, face: int) -> SoftFace:
        """``small`` made ready to be compared; of the last ``HELD`` faces it is kept."""
        held = self._soft.pop(face, None) or SoftFace.of(self.small(face))
        self._soft[face] = held
        if len(self._soft) > HELD:
            del self._soft[next(iter(self._soft))]
        return held

    @cached_property
    def _soft(self) -> dict[int, SoftFace]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what is sent to another process: all but what is made from the prints on demand."""
        made = ("tree", "strips", "_soft")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    @classmethod
    def of(cls, whole: Mapping[str, Sequence[FacePrint]], printed: Collection[str] = ()) -> FaceIndex:
        """Return the index of the faces of an enrolled pack, of which there must be at least one.

        ``printed``: every face that the pack has; empty if that is not known.
        """
        named = [(name, one) for name, some in whole.items() for one in some]
        prints = tuple(one for _, one in named)
        blocks = FaceBlocks.of(prints)
        return cls(
            tuple(name for name, _ in named),
            prints,
            blocks,
            np.concatenate([one.words for one in prints]).astype(np.float32) / np.float32(WORDS),
            np.concatenate([one.points for one in prints]),
            np.concatenate([one.angles for one in prints]),
            np.concatenate([one.sizes for one in prints]),
            np.concatenate([np.full(len(one.words), n) for n, one in enumerate(prints)]),
            float(np.median([one.aspect for one in prints])),
            _alike(tuple(name for name, _ in named), prints, blocks),
            bool(printed) and set(printed) - {JOKER} <= whole.keys(),
        )


def _alike(names: tuple[str, ...], prints: Sequence[FacePrint], blocks: FaceBlocks) -> dict[str, frozenset[str]]:
    """Faces between which ``face_differences`` sees nothing; only those are compared whose blocks resemble."""
    half = len(prints)
    flat = blocks.cells.transpose(1, 0, 2).reshape(2 * half, -1)
    flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)
    near = flat[:half] @ flat.T
    everywhere = inner(np.zeros(prints[0].small.shape[:2], np.bool_))
    found: dict[str, frozenset[str]] = {}
    for one, other in zip(*np.nonzero(near > RESEMBLE), strict=True):
        a, b = names[one], names[other % half]
        if a == b or b in found.get(a, ()):
            continue
        small = prints[other % half].small
        turned = SoftFace.of(small[::-1, ::-1] if other >= half else small)
        seen = CardLook.of(np.asarray(prints[one].small, np.float32), everywhere)
        if difference_of(seen, turned, may_be_hidden=False).area < NO_DIFFERENCE:
            found[a], found[b] = found.get(a, frozenset()) | {b}, found.get(b, frozenset()) | {a}
    return found
