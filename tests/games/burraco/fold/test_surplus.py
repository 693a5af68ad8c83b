"""Art. 5 of fibur2024: a card too many in the pack shows when more cards of a face lie open than the pack holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from hw.cards import BURRACO
from hw.observations import Observation, Sight, SightedCard, Tags
from hw.seats import SEATS, Seat
from hw.twin.gestures import DiscardGesture, DrawGesture, Gesture, LayGesture, SwapCard, TurnUpGesture, Wait
from table_service.events import Event
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from table_service.rehearsal.rehearse import Rehearsal, prepare
from tests.games.burraco.twin_table import TwinTable


def irregularities(rehearsal: Rehearsal, observations: Sequence[Observation]) -> list[Event]:
    fold = TableFold(rehearsal.header)
    events = [event for one in observations for event in fold.feed(one)]
    return [event for event in [*events, *fold.close()] if event.type == "irregularity"]


def told(rehearsal: Rehearsal, observations: Sequence[Observation]) -> list[tuple[str, str | None]]:
    return [(event.data.row, event.seat) for event in irregularities(rehearsal, observations)]  # type: ignore[attr-defined]


def foreign(seed: int) -> tuple[Rehearsal, list[Observation]]:
    """A deal in which a card of another pack comes to light."""
    rehearsal = prepare("fibur2024", seed, 1, ("F-05b:foreign",))
    rehearsal.cut_short()
    return rehearsal, list(rehearsal.observations())


@pytest.mark.parametrize("seed", [41, 42])
def test_f05b_art5_a_third_card_of_one_face_in_plain_view_is_told_and_nobody_accused(seed: int) -> None:
    rehearsal, observations = foreign(seed)
    facts = [one for one in irregularities(rehearsal, observations) if one.data.row == "F-05b"]  # type: ignore[attr-defined]
    (fault,) = [one for one in rehearsal.truth().faults if one["row"] == "F-05b"]
    first = facts[0].data.model_dump(mode="json", by_alias=True)
    assert fault["evident_t"] - 1.0 < facts[0].t < fault["report_by"] + 5.0
    assert (first["offender"], first["severity"], first["cards"]) == (None, "note", [fault["cards"][0][:2]])
    assert "replace-pack" in [step["do"] for step in first["remedy"]]
    assert len({one.data.key for one in facts}) == 1  # type: ignore[attr-defined]


def misread(observations: Sequence[Observation], frames: int, confidence: float) -> list[Observation]:
    """Two cards of a face lie in melds, and a third meld card is read as that face in so many frames on end."""
    chosen: tuple[str, tuple[str, int | None, int | None]] | None = None
    left, changed = frames, []
    for one in observations:
        if not isinstance(one, Sight) or not left:
            changed.append(one)
            continue
        melded = [card for card in one.cards if card.zone.startswith("melds-")]
        if chosen is None:
            pairs = [face for face, count in Counter(card.card for card in melded).items() if count == 2]
            other = next((card for card in melded if pairs and card.card not in pairs and card.order == 0), None)
            chosen = None if other is None else (min(pairs), place(other))
        if chosen is None:
            changed.append(one)
            continue
        face, where = chosen
        cards = tuple(
            replace(card, card=face, confidence=confidence) if place(card) == where else card for card in one.cards
        )
        left -= cards != one.cards
        changed.append(replace(one, cards=cards))
    assert not left
    return changed


def place(card: SightedCard) -> tuple[str, int | None, int | None]:
    return card.zone, card.row, card.order


@pytest.mark.parametrize(("frames", "confidence"), [(2, 0.63), (2, 0.99), (8, 0.5)])
def test_f05b_art5_a_card_that_is_misread_is_no_third_one(frames: int, confidence: float) -> None:
    rehearsal = prepare("fibur2024", 4, noise="none")
    observations = list(rehearsal.observations())
    assert told(rehearsal, observations) == []
    assert told(rehearsal, misread(observations, frames, confidence)) == []


def test_f05d_art5_a_third_one_in_the_same_set_is_one_fact_with_the_pack_that_holds_it() -> None:
    rehearsal = prepare("fibur2024", 43, 1, ("F-05d",))
    rehearsal.cut_short()
    assert {row for row, _ in told(rehearsal, list(rehearsal.observations()))} == {"F-05d"}


def strange_discard(*more: Gesture) -> list[tuple[str, str | None]]:
    """West discards a seven of hearts whose tag the header does not name; then ``more`` is done."""
    cards = [card for card in BURRACO.cards() if not card.startswith("7")]
    hands = {seat: tuple(cards[10 * n : 10 * n + 10]) for n, seat in enumerate(SEATS)}
    hands[Seat.WEST] += ("7H#3",)
    hands[Seat.NORTH] = ("7H#1", "7D#1", "7C#1", *hands[Seat.NORTH][:8])
    left = [card for card in BURRACO.cards() if card not in {"7H#2", *(one for hand in hands.values() for one in hand)}]
    table = set_table(hands, (tuple(left[:11]), tuple(left[11:22])), tuple(left[22:64]))
    done = TwinTable(table, first=SwapCard("7H#2", "7H#3", "E0040200000000FF"))
    done.do(
        TurnUpGesture(Seat.SOUTH),
        DrawGesture(Seat.WEST),
        DiscardGesture(Seat.WEST, "7H#3"),
        DrawGesture(Seat.NORTH),
        *more,
        Wait(8.0),
    )
    done.end()
    return [(row, seat) for row, seat, _ in done.verdicts()]


def test_f05b_art5_two_in_view_of_which_one_bears_a_tag_that_the_pack_does_not_know() -> None:
    lays = LayGesture(Seat.NORTH, 0, ("7H#1", "7D#1", "7C#1"))
    assert strange_discard(lays) == [("F-05b", None)]


def test_f05b_art5_one_card_with_a_strange_tag_alone_is_none_too_many() -> None:
    assert strange_discard() == []


@pytest.mark.parametrize("readers", ["all", "one"])
def test_tags_of_another_file_are_the_tables_fault_and_nobody_elses(readers: str) -> None:
    rehearsal = prepare("fibur2024", 7, 1, ())
    observations, header = list(rehearsal.observations()), rehearsal.header
    if readers == "all":  # a file of another pack: no tag of it ever answers
        header = replace(header, tags={f"E0FF{uid[4:]}": card for uid, card in header.tags.items()})
    else:  # one reader tells what no file names
        observations = [
            replace(one, tags=tuple(f"E0FF{uid[4:]}" for uid in one.tags))
            if isinstance(one, Tags) and one.zone == "gate-N"
            else one
            for one in observations
        ]
    fold = TableFold(header)
    events = [event for one in observations for event in fold.feed(one)]
    events += fold.close()
    assert [event for event in events if event.type == "irregularity"] == []
    lost = [event.data for event in events if event.type == "table.health" and event.data.what == "tags"]  # type: ignore[attr-defined]
    assert [one.state for one in lost] == ["lost"] * len(lost)  # type: ignore[attr-defined]
    assert lost
