"""Enrolling a pack from pictures of its cards, and counting a pack against what was enrolled.

A picture shows one card and is named after it (``7H.jpg``, ``JK-2.png``, ``t20.jpg``), or several whose names are in
a text file beside it (``rows.jpg`` and ``rows.txt``: rows from the top, each from the left), or, for French-suited
packs with an index, any number of cards that the reader names itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.bidding import BIDDING_BOX
from hw.cards import UNKNOWN, CardError, Pack, parse_card
from vision.assemble import Whole, whole_cards
from vision.faces.edges import all_at_their_edges
from vision.faces.finding import identify
from vision.faces.geometry import holds
from vision.faces.ground import unlike_ground
from vision.faces.outlines import Quad, find_quads, straightened
from vision.faces.prints import BIDDING_FACE, FacePrint, face_print, shrunk
from vision.index_reader import IndexReader, IndexReading
from vision.look import find_everywhere, prepared
from vision.packs import FOREIGN, Muster, PackError, PackFaces, muster
from vision.pictures import Image, open_picture
from vision.see import believed, corner_of

_STEM: Final = re.compile(r"^([A-Za-z0-9]+?)(?:[-_ #(].*)?$")
LOOKS_PER_CARD: Final = 4


@dataclass(frozen=True, slots=True)
class Enrolled:
    """An enrolled pack, what of it was seen, and what is to be said of single pictures."""

    pack: PackFaces
    seen: tuple[str, ...]
    muster: Muster
    notes: tuple[str, ...]


@dataclass
class _Gathered:
    names: list[str] = field(default_factory=list)
    looks: list[NDArray[np.float32]] = field(default_factory=list)
    whole: dict[str, list[FacePrint]] = field(default_factory=dict)
    pictures: dict[str, list[NDArray[np.uint8]]] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def face_named(text: str, pack: Pack) -> str | None:
    """Return the face of ``pack`` that ``text`` names, in any case; None if it names none."""
    exact = {face.lower(): face for face in pack.copies}
    if text.lower() in exact:
        return exact[text.lower()]
    try:
        face = parse_card(text)
    except CardError:
        return None
    return face if not pack.by_whole_faces and len(face) == 2 and face != "??" else None


def names_of(path: Path, pack: Pack) -> list[str] | None:
    """Return the cards a picture shows, by its name or the text beside it; None if neither says. Raises PackError."""
    beside = path.with_suffix(".txt")
    if beside.is_file():
        words = beside.read_text(encoding="utf-8").split()
        faces = [face_named(w, pack) for w in words]
        for word, face in zip(words, faces, strict=True):
            if face is None:
                raise PackError(f"{beside.name}: '{word}' names no card of a {pack.name} pack")
        return [f for f in faces if f is not None]
    match = _STEM.match(path.stem)
    face = face_named(match.group(1), pack) if match else None
    return None if face is None else [face]


def enrol(paths: list[Path], pack: Pack, reader: IndexReader, tags: dict[str, str] | None = None) -> Enrolled:
    """Enrol ``pack`` from pictures.

    Raises PictureError for a picture that cannot be read, PackError if nothing is learnt.
    """
    got = _Gathered()
    for path in paths:
        picture = open_picture(path)
        named = names_of(path, pack)
        if pack.by_whole_faces:
            _take_faces(path.name, _free_cards(picture, pack), named, pack, got)
        else:
            _take_indices(path.name, picture, named, reader, got)
    if not got.seen:
        raise PackError("no card could be learnt from these pictures")
    looks = np.array(got.looks, np.float32) if got.looks else np.zeros((0, 0), np.float32)
    whole = {name: tuple(some) for name, some in got.whole.items()}
    kept = _kept(got.pictures)
    done = PackFaces(pack.name, tuple(got.names), looks, whole, dict(tags or {}), kept, tuple(pack.copies))
    return Enrolled(done, tuple(got.seen), muster(got.seen, _to_be_shown(pack)), tuple(got.notes))


def _to_be_shown(pack: Pack) -> Pack:
    """Cards that must be shown to enrol ``pack``: of a bidding box each face once, of other packs every card."""
    return replace(pack, copies=dict.fromkeys(pack.copies, 1)) if pack is BIDDING_BOX else pack


def enrolled_faces(name: str, picture: Image, named: list[str], pack: Pack = BIDDING_BOX) -> PackFaces:
    """Return the whole faces of a ``picture`` (called ``name``) whose cards are ``named``, rows from the top.

    Raises PackError.
    """
    got = _Gathered()
    _take_faces(name, _free_cards(picture, pack), named, pack, got)
    whole = {face: tuple(some) for face, some in got.whole.items()}
    return PackFaces(pack.name, (), np.zeros((0, 0), np.float32), whole, {}, _kept(got.pictures), tuple(pack.copies))


def _free_cards(picture: Image, pack: Pack) -> list[Quad]:
    """Return the free cards of a picture; a bidding box's, compared by narrow strips, to their very edges."""
    quads = find_quads(picture)
    if pack is not BIDDING_BOX:
        return quads
    unlike = unlike_ground(picture)
    exact = all_at_their_edges(unlike, [quad.corners for quad in quads])
    return [Quad(corners, straightened(picture, corners)) for corners in exact]


def _kept(pictures: dict[str, list[NDArray[np.uint8]]]) -> dict[str, tuple[NDArray[np.uint8], ...]]:
    return {face: tuple(some) for face, some in pictures.items()}


def _take_faces(name: str, quads: list[Quad], named: list[str] | None, pack: Pack, got: _Gathered) -> None:
    """Whole faces whose names are known."""
    if named is None:
        raise PackError(f"{name}: say which cards it shows: name the picture after its card, or list them in a .txt")
    if len(quads) != len(named):
        raise PackError(
            f"{name}: {len(quads)} whole cards can be seen, but {len(named)} are named; "
            "lay them apart on a plain ground"
        )
    for quad, face in zip(quads, named, strict=True):
        got.whole.setdefault(face, []).append(face_print(quad.face))
        if pack is BIDDING_BOX:
            got.pictures.setdefault(face, []).append(shrunk(quad.face, BIDDING_FACE))
        got.seen.append(face)


def _take_indices(name: str, picture: Image, named: list[str] | None, reader: IndexReader, got: _Gathered) -> None:
    """Learn the looks of corners from each card with an index that was read, and its whole face if it lies free."""
    readings = find_everywhere(prepared(picture), reader)
    corners = [corner_of(r) for r in readings]
    cards = [c for c in whole_cards(corners) if believed(c, corners)]
    quads = find_quads(picture)
    if named is not None and len(named) == 1:
        _take_one(name, named[0], cards, quads, readings_looks(readings, cards), got)
        return
    if named is not None and sorted(named) != sorted(c.found.face for c in cards):
        got.notes.append(f"{name}: {len(named)} cards are named, and others or another number were read")
    for card in cards:
        _take_read(card, readings, quads, got)
    unread = [q for q in quads if not any(_inside(q, c) for c in cards)]
    if unread:
        got.notes.append(f"{name}: {len(unread)} free cards show no index that can be read (jokers? backs?)")


def _take_read(card: Whole, readings: list[IndexReading], quads: list[Quad], got: _Gathered) -> None:
    """Learn the looks of the corners of one card that was read, and its whole face if it lies free."""
    name = card.found.face
    got.seen.append(name)
    for reading in (readings[k] for k in card.found.corners[:LOOKS_PER_CARD]):
        if reading.feature is not None and reading.face == name:
            got.names.append(name)
            got.looks.append(reading.feature)
    for quad in quads:
        if _inside(quad, card):
            got.whole.setdefault(name, []).append(face_print(quad.face))


def readings_looks(readings: list[IndexReading], cards: list[Whole]) -> list[NDArray[np.float32]]:
    """Return the looks of the indices of ``cards``."""
    looks = []
    for card in cards:
        for k in card.found.corners:
            look = readings[k].feature
            if look is not None:
                looks.append(look)
    return looks


def _take_one(
    name: str, face: str, cards: list[Whole], quads: list[Quad], looks: list[NDArray[np.float32]], got: _Gathered
) -> None:
    """Take a picture of one card whose name is known."""
    read = {c.found.face for c in cards}
    if len(cards) == 1 and face not in read and cards[0].found.confidence > 0.99:
        got.notes.append(f"{name}: the picture is named {face}, but {next(iter(read))} was read")
    if len(cards) > 1:
        got.notes.append(f"{name}: more than one card was read in a picture of one: {' '.join(sorted(read))}")
        return
    if not cards and not quads:
        got.notes.append(f"{name}: no card can be seen")
        return
    got.seen.append(face)
    for look in looks[:LOOKS_PER_CARD]:
        got.names.append(face)
        got.looks.append(look)
    for quad in quads[:1]:
        got.whole.setdefault(face, []).append(face_print(quad.face))


def _inside(quad: Quad, card: Whole) -> bool:
    return holds(quad.corners, (card.found.x, card.found.y))


def count_pack(paths: list[Path], pack: PackFaces, kind: Pack, reader: IndexReader) -> tuple[list[str], Muster]:
    """Return the cards in pictures of a pack, and what is missing, doubled, or of another pack than the one enrolled.

    ``reader`` should have been made with ``pack``. Raises PictureError.
    """
    seen: list[str] = []
    foreign: list[str] = []
    for path in paths:
        picture = open_picture(path)
        quads = find_quads(picture)
        if kind.by_whole_faces:
            for quad in quads:
                match = identify(quad.face, pack.faces) if pack.faces is not None else None
                if match is None or match.name == UNKNOWN:
                    foreign.append(UNKNOWN)
                else:
                    seen.append(match.name)
            continue
        readings = find_everywhere(prepared(picture), reader)
        corners = [corner_of(r) for r in readings]
        for card in whole_cards(corners):
            if believed(card, corners):
                face = card.found.face
                own = [q for q in quads if _inside(q, card)]
                looks = readings_looks(readings, [card])
                (foreign if _of_another(face, own, looks, pack) else seen).append(face)
    return seen, muster(seen, kind, foreign)


def _of_another(face: str, quads: list[Quad], looks: list[NDArray[np.float32]], pack: PackFaces) -> bool:
    """Return True if a card that reads ``face`` is of another design than the pack's own."""
    if quads and face in pack.whole and pack.faces is not None:
        match = identify(quads[0].face, pack.faces)
        return match is None or match.name != face
    alike = [pack.likeness(look).get(face, 0.0) for look in looks]
    return bool(alike) and max(alike) < FOREIGN
