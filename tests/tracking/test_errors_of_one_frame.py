"""One frame that errs is no card."""

from __future__ import annotations

from table_service.tracking.camera_zone import CameraZone, ZoneChange
from table_service.tracking.pile import Pile
from table_service.tracking.sequences import Faces, Rates

TEN = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC")


def _rough() -> Rates:
    """A camera that misses one card in ten and misreads one in a hundred."""
    rates = Rates()
    for n in range(300):
        rates.compare(TEN[1:], TEN)
        rates.compare((*TEN[:9], "QC") if n % 10 == 0 else TEN, TEN)
    return rates


def _looked(frames: list[Faces | None], rates: Rates) -> list[ZoneChange]:
    """What a meld zone decides of one row from ``frames``, two a second; None: a hand hides it, and leaves then."""
    zone = CameraZone("melds-EW", rates)
    told: list[ZoneChange] = []
    for n, seen in enumerate(frames):
        t = n / 2
        if seen is None:
            zone.cover(t)
            zone.ask(t + 0.1, t + 4.0)
            continue
        zone.see({0: seen} if seen else {}, t, n, hand=lambda: False, cards=len(seen))
        changes = zone.decide(late=False)
        if changes:
            told += changes
            zone.believe(changes)
            zone.answered(late=False, named=False)
    return told


def test_a_face_that_only_one_frame_shows_is_not_believed() -> None:
    told = _looked([(), None, ("7D", "7S", "6S"), ("7D", "7S"), ("7D", "7S", "7S"), ("7D", "7S", "7S")], Rates())
    assert [change.after for change in told] == [("7D", "7S", "7S")]


def test_a_face_misread_just_after_two_hands_gives_way_to_what_the_next_frames_show() -> None:
    lies, put = ("2C", "3C", "3H"), ("2C", "3S", "3C", "3H")
    first = [(), None, lies, lies, lies, lies]
    laid: list[Faces | None] = [
        None,
        ("2C", "3C", "??", "3S"),
        ("2C", "3C", "3H", "3S"),
        lies,
        ("2C", "3C", "3H", "3S"),
        None,
    ]
    told = _looked([*first, *laid, None, ("6C", "3S", "3C", "3H"), put, put, put], _rough())
    assert told[0].after == lies
    assert all("6C" not in change.after and not change.removed for change in told[1:])
    assert told[-1].after == put


def test_a_card_that_a_gate_has_named_closes_no_question_where_the_camera_misses_many() -> None:
    """Others that were laid with it may have been missed by the one frame that shows it."""
    for rates, closed in ((Rates(), True), (_rough(), False)):
        zone = CameraZone("melds-NS", rates)
        zone.see({}, 0.0, 0, hand=lambda: False, cards=0)
        zone.ask(0.6, 4.0)
        zone.see({0: ("2H",)}, 1.0, 1, hand=lambda: True, cards=1)
        assert (zone.decide(late=False, named=True) is not None) is closed


def test_a_card_that_three_frames_overlook_after_a_hand_was_there_was_not_taken() -> None:
    lies: Faces = ("8C", "8D", "8S", "8H")
    told = _looked([(), None, lies, lies, lies, None, lies[:3], lies[:3], lies[:3], lies, lies], Rates())
    assert [change.after for change in told] == [lies]


def test_a_card_taken_from_beneath_is_found_though_a_frame_could_not_read_all_that_stayed() -> None:
    """An unread card lay beneath the last discard; of what stayed when it went, one frame did not read the 3S."""
    pile = Pile()
    pile.correct(("6D", "3S", "KS"))
    (hidden,) = pile.push(1)
    (top,) = pile.push(1)
    top.vote("3C", 9.0)
    whole = tuple(pile.slots)
    pile.pop(1)
    assert pile.stay(whole, ("6D", "??", "KS", "3C")) == ([*whole[:3], top], [hidden])
    assert pile.stay(whole, ("6D", "3S", "KS", "??")) is None, "the topmost may be either"
