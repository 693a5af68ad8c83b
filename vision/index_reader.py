"""Reading rank and suit at a found corner index, or that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, RANKS, SUITS
from vision.context_reader import ContextReader
from vision.finder import WEIGHTS, Finder, Spot, as_input, open_model
from vision.patches import PATCH_HEIGHT, PATCH_WIDTH, cut_patch
from vision.second_reader import SecondReader

Scores = NDArray[np.float64]

FACES: Final = (*(rank + suit for rank in RANKS for suit in SUITS), JOKER)
"""The faces a reading chooses from, in the order of its scores; one more score follows for 'none of these'."""
NOTHING: Final = len(FACES)
BATCH: Final = 64
SECOND: Final = 2
"""Number of looks of the reader that one of the second reader counts for: on held-out designs the mixture takes half
as many false places for cards as the reader, and reads but one index in a hundred fewer than the second."""
FLOOR: Final = 1e-5
"""No single look is surer than this allows: many looks agree before confidence comes near 1."""


@dataclass(frozen=True, slots=True)
class IndexReading:
    """Reading of a spot. ``scores`` are probabilities of FACES and then of 'none of these'; they sum to 1."""

    spot: Spot
    scores: Scores
    feature: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    """Embedding of the index by the network, of length 1: compared with an enrolled pack."""
    alone: Scores | None = field(default=None, compare=False, repr=False)
    """Scores of the network before an enrolled pack was asked; None without a pack."""

    alike: float = 0.0
    """Likeness to the enrolled pack's own index of ``face`` (cosine); 0 without a pack."""

    @property
    def unaided(self) -> Scores:
        """Scores without a pack's share: a pack makes a guess at half an index look certain."""
        return self.scores if self.alone is None else self.alone

    @property
    def face(self) -> str | None:
        """The likeliest face; None if it is none."""
        return best_face(self.scores)

    @property
    def confidence(self) -> float:
        """Probability of ``face``, or of there being none."""
        return float(self.scores.max())


def best_face(scores: Scores) -> str | None:
    """Return the likeliest of FACES, None for 'none of these'."""
    best = int(scores.argmax())
    return None if best == NOTHING else FACES[best]


def likeliest_face(scores: Scores) -> str:
    """Return the likeliest of FACES, even if 'none of these' is likelier."""
    return FACES[int(scores[:NOTHING].argmax())]


def merge(one: Scores, other: Scores) -> Scores:
    """Scores of two independent looks at the same index: their product, normalised."""
    logs = np.log(one) + np.log(other)
    both = np.exp(logs - logs.max())
    both = np.maximum(both / both.sum(), 1e-9)
    return np.asarray(both / both.sum(), np.float64)


class Faces(Protocol):
    """Adjustment of a reading by an enrolled pack (``vision.packs.PackFaces``)."""

    def rescored(self, scores: Scores, look: NDArray[np.float32]) -> Scores:
        """Scores that also say how alike ``look`` (of length 1) is to the pack's own indices."""
        ...

    def alike(self, name: str, look: NDArray[np.float32]) -> float:
        """Return the likeness of ``look`` to the pack's own indices of the face ``name``: a cosine, 0 without one."""
        ...


class IndexReader:
    """Finds and reads corner indices. One instance serves one thread."""

    def __init__(self, weights: Path = WEIGHTS, threads: int = 1, pack: Faces | None = None) -> None:
        """``pack``: an enrolled pack, which is read better than one never seen."""
        self.pack = pack
        self.finder = Finder(weights / "finder.onnx", threads)
        self._weights, self._threads = weights, threads
        self._second: SecondReader | None = None
        self._context: ContextReader | None = None
        self._session = open_model(weights / "reader.onnx", threads)

    def read(self, picture: NDArray[np.uint8], spots: list[Spot], wider: float = 1.0) -> list[IndexReading]:
        """Return a reading for each spot, in the same order; ``picture`` is BGR uint8, the finer the better.

        ``wider``: indices are read as they would look if the picture were this many times wider.
        """
        readings: list[IndexReading] = []
        for first in range(0, len(spots), BATCH):
            some = spots[first : first + BATCH]
            patches = np.empty((len(some), PATCH_HEIGHT, PATCH_WIDTH, 3), np.uint8)
            for n, spot in enumerate(some):
                patches[n] = cut_patch(picture, spot.x, spot.y, spot.up, spot.height, wider=wider)
            answers = self._session.run(None, {"picture": as_input(self._session, patches)})
            scores = _scores(np.asarray(answers[0], np.float64))
            looks = _of_length_one(np.asarray(answers[1], np.float32)) if len(answers) > 1 else None
            for n, spot in enumerate(some):
                readings.append(self._aided(spot, scores[n], None if looks is None else looks[n]))
        return readings

    def _aided(self, spot: Spot, scores: Scores, look: NDArray[np.float32] | None) -> IndexReading:
        """Return a reading of what the networks say, with what the enrolled pack says, if there is one."""
        if self.pack is None or look is None:
            return IndexReading(spot, scores, look)
        row = self.pack.rescored(scores, look)
        return IndexReading(spot, row, look, scores, self.pack.alike(best_face(row) or "", look))

    def read_again(
        self, picture: NDArray[np.uint8], readings: list[IndexReading], context: Sequence[float] | None = None
    ) -> list[IndexReading]:
        """Return the readings, in order, as the reader, ``second_reader`` and ``context_reader`` see them together.

        The scores are the geometric mean of the first two, in which the second counts ``SECOND`` times; how much of
        them falls to each face is then also said by what lies beside the index, which counts as much as ``context``
        says for each: 1 would be as much as the index itself; None: nothing. Raises ModelError if weights are
        missing or broken.
        """
        if not readings:
            return []
        spots = [r.spot for r in readings]
        second = _scores(self._second_reader().answers(picture, spots))
        first = np.array([r.unaided for r in readings])
        both = np.exp((np.log(first) + SECOND * np.log(second)) / (1 + SECOND))
        both /= both.sum(axis=1, keepdims=True)
        if context is not None:
            both = _in_context(both, self._context_reader().answers(picture, spots), np.array(context))
        return [self._aided(r.spot, row, r.feature) for r, row in zip(readings, both, strict=True)]

    def open_all(self) -> None:
        """Open the networks of doubted indices now, and not when one is first in doubt. Raises ModelError."""
        self._second_reader()
        self._context_reader()

    def _second_reader(self) -> SecondReader:
        """Return the second reader, opened when first asked for: an enrolled table never needs it."""
        if self._second is None:
            self._second = SecondReader(self._weights / "second.onnx", self._threads)
        return self._second

    def _context_reader(self) -> ContextReader:
        """Return the reader of what lies beside an index; opened when first asked for, as the second is."""
        if self._context is None:
            self._context = ContextReader(self._weights / "context.onnx", self._threads)
        return self._context


def _of_length_one(features: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1e-6)
    return np.asarray(features / length, np.float32)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float64)


def _in_context(scores: Scores, out: NDArray[np.float64], weight: NDArray[np.float64]) -> Scores:
    """Scores (n, 54) in which what lies beside each index, logits (n, 17), says how the suited share is divided.

    ``weight``, shape (n,): how much that counts.
    """
    beside = np.maximum(_suited(out), FLOOR) ** weight[:, None]
    suited = scores[:, :52]
    told = suited * beside
    told *= suited.sum(axis=1, keepdims=True) / told.sum(axis=1, keepdims=True)
    return np.asarray(np.column_stack([told, scores[:, 52:]]))


def _suited(out: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (n, 52) of suited faces from logits of 13 ranks and 4 suits, columns 0 to 16."""
    rank, suit = _softmax(out[:, :13]), _softmax(out[:, 13:17])
    return np.asarray((rank[:, :, None] * suit[:, None, :]).reshape(len(out), 52))


def _scores(out: NDArray[np.float64]) -> Scores:
    """Probabilities of FACES and of nothing from the network's 20 numbers, shape (n, 54)."""
    kind = _softmax(out[:, 17:20])
    whole = np.maximum(np.column_stack([_suited(out) * kind[:, :1], kind[:, 1:2], kind[:, 2:3]]), FLOOR)
    return np.asarray(whole / whole.sum(axis=1, keepdims=True), np.float64)


Reader = IndexReader
"""Its name in programs that others wrote before 28 November 2026."""
