"""An enrolled pack: how its corner indices look to the reader, how its whole faces look, and what it should hold.

The file (``.pack``, a NumPy archive, no pickles) holds features, keypoints and of whole faces a picture of 96 x 192
pixels, which whole faces are compared with.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hw.bidding import BIDDING_BOX
from hw.cards import BRIDGE, BURRACO, FRENCH, TAROCCO, Pack
from hw.whole_files import write_whole
from vision.errors import VisionError
from vision.faces.index import FaceIndex
from vision.faces.prints import FacePrint
from vision.index_reader import FACES, FLOOR, NOTHING, Scores

EARLIER: Final = {pack.name: tuple(pack.copies) for pack in (BURRACO, BRIDGE, FRENCH, TAROCCO, BIDDING_BOX)}
"""The faces of the packs whose files, written before, do not say them."""
VERSION: Final = 2
SHARPNESS: Final = 24.0
"""Weight of a likeness of looks: log odds of 1.0 of cosine."""
STRANGE: Final = 0.55
"""Cosine below which a look is like none of the pack's indices."""
OWN: Final = 0.85
"""Cosine to one of the pack's indices from which the pack says that there is an index at all. On rendered tables pips
and figures that the finder marks reach .77, whole indices have .93 (one in a hundred less)."""
FOREIGN: Final = 0.60
"""Cosine to the pack's own index of the same face below which a card is of another pack."""


_ARRAYS: Final = ("points", "angles", "sizes", "words", "small")
"""Fields of a ``FacePrint`` that are kept as arrays, in their order."""


class PackError(VisionError):
    """A pack that cannot be enrolled or read; the message is one sentence."""


@dataclass(frozen=True)
class PackFaces:
    """An enrolled pack. ``looks`` (n, k) are index features of length 1, ``names`` their faces; ``whole`` by face.

    ``kind``: the name of the pack of cards; ``printed``: every face that it has, enrolled or not.
    """

    kind: str
    names: tuple[str, ...]
    looks: NDArray[np.float32]
    whole: dict[str, tuple[FacePrint, ...]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    pictures: dict[str, tuple[NDArray[np.uint8], ...]] = field(default_factory=dict)
    """Finer pictures of a bidding box by face (``face_print.BIDDING_FACE``), CIE Lab as OpenCV scales it."""
    printed: tuple[str, ...] = ()

    @property
    def by_whole_faces(self) -> bool:
        """True if its cards have no corner index that the reader knows (``hw.cards.Pack``)."""
        return Pack(self.kind, dict.fromkeys(self.printed or EARLIER.get(self.kind, ()), 1), "").by_whole_faces

    @cached_property
    def faces(self) -> FaceIndex | None:
        """The whole faces as an index; None if none was enrolled."""
        if self.kind == BIDDING_BOX.name:  # on a tray other things lie as well: no box is all that may show
            return FaceIndex.of(self.whole) if self.whole else None
        return FaceIndex.of(self.whole, self.printed or EARLIER.get(self.kind, ())) if self.whole else None

    def likeness(self, look: NDArray[np.float32]) -> dict[str, float]:
        """Return the best cosine between ``look`` and the indices of each face of the pack."""
        best: dict[str, float] = {}
        if len(self.names):
            for name, value in zip(self.names, (self.looks @ look).tolist(), strict=True):
                best[name] = max(best.get(name, -1.0), value)
        return best

    def alike(self, name: str, look: NDArray[np.float32]) -> float:
        """Return the best cosine between ``look`` and the pack's own indices of the face ``name``; 0 without one."""
        own = [n for n, one in enumerate(self.names) if one == name]
        return max(0.0, float((self.looks[own] @ look).max())) if own else 0.0

    def rescored(self, scores: Scores, look: NDArray[np.float32]) -> Scores:
        """Multiply the network's scores by the likeness to the pack, normalised; see ``vision.index_reader.Faces``.

        A pack says which of its faces a look is likest. That there is an index, and not a pip or part of a figure, it
        says only of looks that are as alike as its ``OWN``.
        """
        best = self.likeness(look)
        if not best:
            return scores
        told = np.zeros(len(FACES) + 1)
        told[NOTHING] = STRANGE
        for n, face in enumerate(FACES):
            told[n] = best.get(face, 0.0)
        logs = np.log(scores) + SHARPNESS * (told - told.max())
        both = np.exp(logs - logs.max())
        if max(best.values()) < OWN:
            both[:NOTHING] *= (1.0 - scores[NOTHING]) / both[:NOTHING].sum()
            both[NOTHING] = scores[NOTHING]
        both = np.maximum(both / both.max(), FLOOR)
        return np.asarray(both / both.sum(), np.float64)

    def save(self, path: Path) -> None:
        """Write the pack. Raises OSError."""
        prints = [(name, p) for name, some in self.whole.items() for p in some]
        meta = {
            "version": VERSION,
            "kind": self.kind,
            "printed": self.printed,
            "names": self.names,
            "whole": [name for name, _ in prints],
            "tags": self.tags,
            "pictures": [name for name, some in self.pictures.items() for _ in some],
        }
        arrays: dict[str, Any] = {"looks": self.looks, "meta": np.frombuffer(json.dumps(meta).encode(), np.uint8)}
        for n, (_, p) in enumerate(prints):
            arrays |= {f"{name}{n}": getattr(p, name) for name in _ARRAYS}
            arrays[f"aspect{n}"] = np.float64(p.aspect)
        for n, one in enumerate(one for some in self.pictures.values() for one in some):
            arrays[f"picture{n}"] = one
        out = io.BytesIO()
        np.savez_compressed(out, **arrays)
        write_whole(path, out.getvalue(), mode=0o644)

    @classmethod
    def load(cls, path: Path) -> PackFaces:
        """Read a pack. Raises PackError with one sentence."""
        try:
            with np.load(path, allow_pickle=False) as data:
                meta = json.loads(bytes(data["meta"]).decode())
                if meta["version"] != VERSION:
                    raise PackError(f"{path.name}: this pack is of version {meta['version']}; enrol it again")
                whole: dict[str, tuple[FacePrint, ...]] = {}
                for n, name in enumerate(meta["whole"]):
                    parts = {part: data[f"{part}{n}"] for part in _ARRAYS}
                    one = FacePrint(**parts, aspect=float(data[f"aspect{n}"]))
                    whole[name] = (*whole.get(name, ()), one)
                pictures: dict[str, tuple[NDArray[np.uint8], ...]] = {}
                for n, name in enumerate(meta.get("pictures", ())):
                    pictures[name] = (*pictures.get(name, ()), data[f"picture{n}"])
                printed = tuple(meta.get("printed", ()))
                names, tags = tuple(meta["names"]), dict(meta["tags"])
                return cls(meta["kind"], names, data["looks"], whole, tags, pictures, printed)
        except FileNotFoundError:
            raise PackError(f"{path.name}: there is no such file") from None
        except OSError as problem:
            raise PackError(f"{path.name}: the pack cannot be read: {problem.strerror or 'it is no pack'}") from None
        except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile):
            raise PackError(f"{path.name}: this is no enrolled pack") from None


@dataclass(frozen=True, slots=True)
class Muster:
    """Count of a pack's cards: faces with how many are missing, too many, or of no such pack."""

    missing: dict[str, int]
    doubled: dict[str, int]
    foreign: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """True if every card is there once."""
        return not (self.missing or self.doubled or self.foreign)

    def sentence(self) -> str:
        """One sentence for a person."""
        if self.complete:
            return "the pack is complete"
        parts = [
            f"{word}: " + " ".join(f if n == 1 else f"{f} (x{n})" for f, n in some.items())
            for word, some in (("missing", self.missing), ("one too many", self.doubled))
            if some
        ]
        if self.foreign:
            parts.append("of another pack: " + " ".join(self.foreign))
        return "; ".join(parts)


def muster(seen: list[str], pack: Pack, foreign: list[str] | None = None) -> Muster:
    """Compare the faces seen, each physical card once, with what the pack should hold.

    ``foreign`` are cards of another design, not counted in ``seen``.
    """
    counts = Counter(seen)
    strange = [face for face in counts if face not in pack.copies]
    return Muster(
        {f: n - counts[f] for f, n in pack.copies.items() if counts[f] < n},
        {f: counts[f] - n for f, n in pack.copies.items() if counts[f] > n},
        (*(foreign or []), *strange),
    )
