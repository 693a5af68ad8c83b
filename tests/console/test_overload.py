"""Under overload what is pressing comes first, what is cosmetic is shed and counted, and nothing stays lost."""

from __future__ import annotations

import json
from typing import Any

import console_feed as feed
import pytest

from table_service.console.intake import CALM, CARDS_MOST, PRESSING_MOST, WAITING_BYTES, Intake
from table_service.console.listener import Listener
from table_service.console.mqtt_link import Message

HALL = "tavolo/v1/sala/"


def message(topic: str, payload: bytes = b"{}") -> Message:
    return Message(HALL + topic, payload)


def topics(intake: Intake) -> list[str]:
    return [one.topic.removeprefix(HALL) for one in intake.more()]


def test_of_a_state_that_still_waits_only_the_newest_is_taken_in() -> None:
    intake = Intake()
    for n in range(5000):
        intake.put_nowait(message(f"T{n % 200}/state", str(n).encode()))
    assert intake.qsize() == 200
    assert intake.counts.replaced == 4800
    assert [one.payload for one in intake.more()] == [str(n).encode() for n in range(4800, 5000)]


def test_irregularities_and_scores_overtake_cards_and_the_oldest_cards_are_shed() -> None:
    intake = Intake()
    for n in range(CARDS_MOST + 100):
        intake.put_nowait(message("T1/event/card.drawn", str(n).encode()))
    for kind in ("irregularity", "score.counted", "referee.called", "round.started", "sheet.disputed"):
        intake.put_nowait(message(f"T2/event/{kind}"))
    assert intake.counts.shed == 100
    assert intake.counts.dropped == 0
    assert intake.qsize() == CARDS_MOST + 5
    came = list(intake.more())
    assert all(one.topic.startswith(f"{HALL}T2/") for one in came[:5])
    assert came[5].payload == b"100"


def test_states_do_not_starve_behind_cards_that_keep_coming() -> None:
    intake = Intake()
    for _ in range(30):
        intake.put_nowait(message("T1/event/card.drawn"))
    intake.put_nowait(message("T1/state"))
    assert "T1/state" in topics(intake)[:4]


def test_on_the_pressing_connection_nothing_overtakes_and_no_answer_is_replaced() -> None:
    intake = Intake(pressing=True)
    intake.put_nowait(message("T1/alert/a", b"1"))
    intake.put_nowait(message("T1/command/x/result", b"refused"))
    intake.put_nowait(message("T1/command/x/result", b"repeated"))
    intake.put_nowait(message("T1/alert/a", b"2"))
    intake.put_nowait(message("~console/mark/1"))
    assert [one.payload for one in intake.more()] == [b"2", b"refused", b"repeated", b"{}"]


def test_even_a_table_that_shouts_fills_a_bounded_queue() -> None:
    for pressing in (False, True):
        intake = Intake(pressing=pressing)
        for n in range(PRESSING_MOST + 500):
            intake.put_nowait(message(f"T1/alert/k{n}"))
            intake.put_nowait(message("T1/event/irregularity"))
        assert intake.qsize() <= 2 * PRESSING_MOST
        assert intake.counts.dropped > 0


@pytest.mark.parametrize("kind", ["event/card.drawn", "event/irregularity", "evidence/f", "resent/1"])
def test_whatever_waits_takes_bounded_memory(kind: str) -> None:
    intake, told = Intake(), list[tuple[str, int]]()
    for n in range(2000):
        intake.put_nowait(message(f"T{n % 7}/{kind}", b"x" * 60_000))
    waiting = list(intake.more())
    assert sum(len(bytes(one.payload)) for one in waiting) <= WAITING_BYTES
    assert intake.counts.shed + intake.counts.dropped == 2000 - len(waiting) > 0
    for _ in range(2000):  # what was taken out makes room
        intake.put_nowait(message(f"T1/{kind}", b"x" * 60_000))
        assert len(list(intake.more())) == 1
    intake = Intake(too_long=lambda topic, length: told.append((topic, length)))
    intake.put_nowait(message(f"T1/{kind}", b"x" * 3_000_000))
    assert intake.empty()
    assert told == [(f"{HALL}T1/{kind}", 3_000_000)]


async def test_what_was_shed_is_asked_for_only_when_it_is_calm_and_counted_in_the_figures(house: Any) -> None:
    listener = Listener(house.settings, house.store, house.office)
    rest = house.office.intakes["rest"]
    house.hear([(f"{HALL}T12/status", b'{"state":"ready","boot":"000a3f","version":"x"}')])
    for seq in range(1, CARDS_MOST + 51):
        event = feed.event(seq, "card.drawn", "N", **{"from": "stock"})
        rest.put_nowait(message("T12/event/card.drawn", json.dumps(event).encode()))
    clock = [100.0]
    house.office.gaps.clock = lambda: clock[0]
    for _ in range(3):
        clock[0] += 3
        house.office.tick()
    assert rest.qsize() > CALM
    assert house.sent == []
    for one in rest.more():
        listener.take_in(one)
    for _ in range(3):
        clock[0] += 3
        house.office.tick()
    assert house.sent[0][1]["want"] == [["000a3f", 1, 50]]
    from table_service.console.routers.programs import Figures

    figures = {
        (sample.name, sample.labels.get("connection", sample.labels.get("queue"))): sample.value
        for family in Figures(house.app.state.pages).collect()
        for sample in family.samples
    }
    assert figures["tavolo_intake_shed_total", "rest"] == 50
    assert figures["tavolo_queue", "rest"] == 0
    assert figures["tavolo_events_lacking", None] == 50
