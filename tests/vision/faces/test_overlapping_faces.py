"""Whole faces of an enrolled pack in tricks that cross, upside down, on a ground of their own colour; unknown ones."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from hw.cards import UNKNOWN
from hw.pack.drawn import tarocco_drawing
from hw.twin.camera_cards import artwork_of
from lab.vision.measure.faces import Faces, Laid, judged, scene
from tests.sweeps import rest_in_proof
from tests.vision.tarot_art import ALL, face
from vision.faces import candidates
from vision.faces.decisions import MAX_OWN
from vision.faces.face_differences import CardLook, SoftFace, difference_of, inner
from vision.faces.finding import find_faces, identify
from vision.faces.index import FaceIndex
from vision.faces.keypoints import PosePlace, places_in
from vision.faces.prints import face_print

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kept-overlapping")]  # one worker draws and enrols the pack
KNOWN = ("6D", "7D", "8D", "9D", "TD", "8S", "9S", "AC", "KC", "QB", "FS", "t5", "t16", "m1", "beg", "mat")


@cache
def faces() -> Faces:
    """The drawn tarocchi at the scale of ``measure_faces``: 5 px a millimetre."""
    return {name: cv2.resize(face(name), None, fx=5 / 6, fy=5 / 6, interpolation=cv2.INTER_AREA) for name in ALL}


@pytest.fixture(scope="module")
def pack() -> FaceIndex:
    """Sixteen faces, enrolled from one straight picture each."""
    return FaceIndex.of({name: (face_print(faces()[name]),) for name in KNOWN})


def _trick(*names: str) -> list[Laid]:
    """Four cards across each other, the first at the bottom; two thirds of each show."""
    spots = ((400.0, 330.0, 10.0), (560.0, 480.0, 100.0), (420.0, 690.0, 175.0), (240.0, 500.0, 280.0))
    return [Laid(name, *spot) for name, spot in zip(names, spots, strict=True)]


@pytest.mark.parametrize("kind", ["cloth", "wood", "white"])
@pytest.mark.parametrize("names", [("KC", "9D", "t5", "8S"), ("beg", "AC", "QB", "TD")])
def test_the_cards_of_a_trick_are_named_on_any_ground(pack: FaceIndex, kind: str, names: tuple[str, ...]) -> None:
    cards = _trick(*names)
    seen = scene(cards, faces(), 7, kind, (800, 1000))
    count = judged(find_faces(seen.picture, pack), cards, seen)
    assert count["wrong"] == 0
    assert count["named"] >= count["cards"] >= 2


def test_a_card_a_quarter_of_which_one_that_is_named_hides_is_named() -> None:
    """Pale parts of the upper card resemble nothing; they hide what is beneath them all the same."""
    artwork = artwork_of(tarocco_drawing)
    names = ("AC", "m4", "TD", "FB", "CS", "6S", "KC", "6B", "CC", "9S", "t10", "7S")
    drawn = {n: np.asarray(cv2.cvtColor(artwork(n, 5.0), cv2.COLOR_BGRA2BGR), np.uint8) for n in names}
    index = FaceIndex.of({name: (face_print(picture),) for name, picture in drawn.items()})
    cards = [Laid("CS", 400, 500, 203.0), Laid("FB", 248, 423, 205.0)]
    seen = scene(cards, drawn, 5, "cloth", (800, 1000))
    assert 0.7 < seen.shown[0] < 0.75
    told = {one.name for one in find_faces(seen.picture, index, longest=560)}
    assert told == {"CS", "FB"}


def test_a_card_with_more_evidence_than_the_one_over_it_is_decided_once_that_one_has_a_name(pack: FaceIndex) -> None:
    """The lower card is looked at first, and what the upper one shows contradicts it until then."""
    cards = [Laid("TD", 400, 500, 75.0), Laid("beg", 196, 349, 120.0)]
    seen = scene(cards, faces(), 5, "cloth", (800, 1000))
    assert 0.85 < seen.shown[0] < 0.98
    assert [one.name for one in find_faces(seen.picture, pack, longest=560)] == ["beg", "TD"]


def test_faces_that_were_not_enrolled_are_refused(pack: FaceIndex) -> None:
    for names in (("t6", "6C", "QS", "TS"), ("7B", "KD", "m4", "6B")):
        cards = _trick(*names)
        told = find_faces(scene(cards, faces(), 3, "cloth", (800, 1000)).picture, pack)
        assert [one.name for one in told if one.name != UNKNOWN] == []


def test_a_pip_more_is_seen_and_a_shift_or_shadow_is_none() -> None:
    eight, nine = (np.asarray(face_print(faces()[name]).small, np.float32) for name in ("8S", "9S"))
    everywhere = inner(np.zeros(eight.shape[:2], np.bool_))
    assert difference_of(CardLook.of(eight, everywhere), SoftFace.of(nine)).area > 3
    shadow = eight * np.linspace(0.7, 1.0, eight.shape[1], dtype=np.float32)[None, :, None] ** np.array([1, 0, 0])
    shifted = np.roll(shadow, (1, -1), axis=(0, 1)).astype(np.float32)
    assert difference_of(CardLook.of(shifted, everywhere), SoftFace.of(eight)).area == 0


def test_two_faces_that_look_alike_are_one_class() -> None:
    double = faces()["m1"].copy()
    index = FaceIndex.of({name: (face_print(picture),) for name, picture in {**faces(), "m2": double}.items()})
    assert index.alike["m1"] == {"m2"}
    found = identify(faces()["m1"], index)
    assert found is not None
    assert {found.name, *found.alike} == {"m1", "m2"}


def test_a_card_whose_telling_part_is_covered_is_unknown(pack: FaceIndex) -> None:
    """With its middle covered a nine of swords may be an eight."""
    cards = [Laid("9S", 400, 500, 0.0), Laid("t16", 400, 500, 90.0)]
    seen = scene(cards, faces(), 5, "cloth", (800, 1000))
    told = {one.name for one in find_faces(seen.picture, pack)}
    assert "8S" not in told
    assert "t16" in told


def test_a_face_that_was_not_enrolled_is_not_told_as_one_that_looks_the_same_where_it_shows(pack: FaceIndex) -> None:
    """With its middle covered a nine of swords is an eight, if no nine was enrolled."""
    index = FaceIndex.of({name: (face_print(faces()[name]),) for name in KNOWN if name != "9S"})
    assert not index.is_complete
    seen = scene([Laid("9S", 400, 500, 0.0), Laid("t16", 400, 500, 90.0)], faces(), 5, "cloth", (800, 1000))
    found = {one.likest: one.name for one in find_faces(seen.picture, index)}
    assert found == {"t16": "t16", "8S": UNKNOWN}


def test_a_pack_is_complete_with_every_face_of_its_kind() -> None:
    known = {name: (face_print(faces()[name]),) for name in ALL}
    assert FaceIndex.of(known, ALL).is_complete
    assert not FaceIndex.of({name: some for name, some in known.items() if name != "mat"}, ALL).is_complete


def test_a_picture_without_a_card_holds_none(pack: FaceIndex) -> None:
    rng = np.random.default_rng(1)
    assert find_faces(rng.integers(0, 255, (400, 600, 3), np.uint8), pack) == []
    assert find_faces(np.zeros((40, 30, 3), np.uint8), pack) == []


@pytest.mark.parametrize(
    ("cards", "kind"),
    rest_in_proof(
        [
            ((Laid("8D", 400, 500, 246.0), Laid("8S", 529, 398, 184.0)), "cloth"),
            ((Laid("8D", 400, 500, 93.2), Laid("8C", 506.4, 452.9, 32.1)), "wood"),
            ((Laid("8D", 400, 500, 246.0), Laid("8S", 529, 398, 184.0)), "wood"),
            ((Laid("8D", 400, 500, 93.2), Laid("8C", 506.4, 452.9, 32.1)), "cloth"),
        ],
        2,
    ),
)
def test_pips_that_fit_one_row_further_on_over_the_bare_ground_are_no_card(cards: tuple[Laid, ...], kind: str) -> None:
    """What seems to lie over the card there is the ground that goes on beside it."""
    index = FaceIndex.of({name: (face_print(faces()[name]),) for name in ALL}, ALL)
    seen = scene(list(cards), faces(), 5, kind, (800, 1000))
    told = find_faces(seen.picture, index)
    assert judged(told, list(cards), seen)["wrong"] == 0
    assert told[0].name == cards[1].name


@pytest.mark.parametrize("kind", ["cloth", "wood", "white"])
def test_where_all_cards_are_read_hardly_any_keypoints_are_looked_for_in_full_size(
    pack: FaceIndex, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of a smaller picture are enough for cards that touch; on wood, whose joints differ from it, too."""
    fine: list[int] = []

    def spied(*some: Any) -> list[PosePlace]:
        if len(some) == 4:
            fine.extend((right - left) * (bottom - top) for left, top, right, bottom in some[3])
        return places_in(*some)

    monkeypatch.setattr(candidates, "places_in", spied)
    cards = [Laid(name, 140 + 52 * 3.4 * k, 330, 0.0) for k, name in enumerate(("7D", "KC", "t5", "9S"))]
    seen = scene(cards, faces(), 11, kind, (800, 660))
    found = find_faces(seen.picture, pack)
    count = judged(found, cards, seen)
    assert count["wrong"] == 0
    assert count["named"] >= 3
    assert {one.likest for one in found} == {card.name for card in cards}
    assert sum(fine) < 0.1 * 800 * 660


@pytest.fixture(scope="module")
def whole_pack() -> FaceIndex:
    """All 62 faces, enrolled from one straight picture each."""
    return FaceIndex.of({name: (face_print(picture),) for name, picture in faces().items()}, ALL)


def test_a_card_that_may_be_one_of_several_faces_lies_over_others_all_the_same(whole_pack: FaceIndex) -> None:
    """Of the six of cups a place is covered where the seven has a cup more; it hides part of the trionfo beneath it."""
    cards = [
        Laid("t18", 427, 300, 358),
        Laid("8B", 569, 481, 106),
        Laid("6C", 432, 616, 190),
        Laid("t17", 291, 536, 257),
    ]
    seen = scene(cards, faces(), 5, "cloth", (800, 1000))
    told = {one.likest: one.name for one in find_faces(seen.picture, whole_pack, longest=560)}
    assert told["6C"] == UNKNOWN
    assert told["t18"] == "t18"


def test_a_face_beyond_doubt_is_named_though_strips_of_what_nobody_found_lie_over_it(whole_pack: FaceIndex) -> None:
    cards = [Laid("m1", 407, 293, 353), Laid("TD", 527, 455, 121), Laid("TB", 357, 651, 153), Laid("FB", 201, 560, 240)]
    seen = scene(cards, faces(), 5, "cloth", (800, 1000))
    found = find_faces(seen.picture, whole_pack, longest=560)
    assert [one.likest for one in found if one.likest == "TD"] == []
    moor = next(one for one in found if one.likest == "m1")
    assert moor.own > MAX_OWN
    assert moor.name == "m1"
    assert 0.9 < moor.confidence < 1.0


@pytest.fixture(scope="module")
def own_pack() -> tuple[Faces, FaceIndex]:
    """All 62 faces of our own pack, drawn and enrolled."""
    artwork = artwork_of(tarocco_drawing)
    drawn = {n: np.asarray(cv2.cvtColor(artwork(n, 5.0), cv2.COLOR_BGRA2BGR), np.uint8) for n in ALL}
    return drawn, FaceIndex.of({name: (face_print(picture),) for name, picture in drawn.items()}, ALL)


@pytest.mark.parametrize(
    "cards",
    [(Laid("AB", 400, 500, 231), Laid("9D", 528, 611, 46)), (Laid("QS", 400, 500, 106), Laid("9D", 432, 363, 174))],
    ids=["over an ace", "over a queen"],
)
def test_a_card_whose_pips_were_first_taken_one_row_beside_their_place_is_found_and_frees_the_one_below(
    cards: tuple[Laid, ...], own_pack: tuple[Faces, FaceIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, index = own_pack
    seen = scene(list(cards), drawn, 5, "cloth", (800, 1000))

    def told() -> set[str]:
        return {one.name for one in find_faces(seen.picture, index, longest=420)}

    looked_again: list[int] = []
    real = candidates.Looked.look_again

    def look_again(looked: candidates.Looked, doubted: list[Any]) -> bool:
        looked_again.append(len(doubted))
        return real(looked, doubted)

    monkeypatch.setattr(candidates.Looked, "look_again", look_again)
    assert "9D" in told()
    assert looked_again  # what was seen first was in doubt
    monkeypatch.setattr(candidates.Looked, "look_again", lambda *_: False)
    assert "9D" not in told()
