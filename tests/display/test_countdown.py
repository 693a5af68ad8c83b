"""The time of an action on the table's screen: shown right by the log's clock, sounded at its end, nowhere else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from firmware_bridge import Lights
from hw.observation_log import Header
from hw.observations import Console, Health, Scale
from table_service.display import serving_display
from table_service.display.screen_view import face
from table_service.publish import BrokerAddress
from table_service.seat_lights import lights_of
from table_service.service import TableFiles, TableService

TIME = ("countdown", "seconds", "secondi", "data-over", 'role="timer"')
"""What would tell of a time in the bytes of a page."""
TRIES = 5
"""Countdowns of which one must be right to the tenth: all of them late are the program's doing."""


class Service:
    """What the screen asks of a table whose state is given; ``shows_time`` as its code has it."""

    def __init__(self, *, shows_time: bool) -> None:
        self.shows_time = shows_time
        self.screens: list[Callable[..., None]] = []
        self.listeners: list[Callable[..., None]] = []

    def observe(self, _observation: Any) -> Sequence[Any]:
        return ()

    def show(self, **more: Any) -> None:
        state = {"table": "T1", "deal": 1, "phase": "playing", "turn": {"n": 3, "seat": "N"}, "round": {}, **more}
        for show in self.screens:
            show(state, ())


class Clock:
    """The log's clock, which runs from ``start`` on."""

    def __init__(self, start: float) -> None:
        self._start, self._began = start, time.monotonic()

    def __call__(self) -> float:
        return self._start + time.monotonic() - self._began


def heard(url: str, begin: Callable[[], None], clock: Clock) -> list[tuple[float, str]]:
    """What the stream says of the time once it has begun, to its end, with the log's time at which it came."""
    found: list[tuple[float, str]] = []
    event = ""
    with httpx.stream("GET", f"{url}stream", timeout=60) as answer:
        for line in answer.iter_lines():
            if line.startswith("retry:"):
                begin()
            elif line.startswith("event:"):
                event = line.removeprefix("event:").strip()
            elif line.startswith("data:") and event == "left":
                found.append((clock(), line.removeprefix("data:").strip()))
                if "data-over" in found[-1][1]:
                    break
    return found


@pytest.mark.slow(seconds=5)
def test_the_second_that_is_shown_is_right_within_three_tenths_of_the_log_s_time() -> None:
    late: list[float] = []
    while len(late) < TRIES and min(late, default=1.0) >= 0.3:  # another program may hold this one up, not every time
        late.append(latest())
    assert min(late) < 0.3, late


def latest() -> float:
    """By how many seconds the latest second of a countdown was shown after its moment; none is shown before."""
    service, clock, ends = Service(shows_time=True), Clock(100.0), list[float]()

    def begin() -> None:
        ends.append(clock() + 3.4)
        service.show(countdown={"seat": "N", "until": ends[0]})

    with serving_display(service, clock) as shown:
        told = [(t, said) for t, said in heard(shown.url, begin, clock) if said]
    until = ends[0]
    left = {int(said.rpartition("</span>")[2].removesuffix("</p>")): t for t, said in told if "data-over" not in said}
    # each is shown from the moment on at which no more than so many are left; one that was passed over is late
    late = [left.get(second, until) - (until - second) for second in (2, 1)] + [told[-1][0] - until]
    assert min(late) >= 0
    return max(late)


def test_the_whole_seconds_that_are_left_are_counted_down_to_none() -> None:
    shown = face({"deal": 1, "phase": "playing", "countdown": {"seat": "N", "until": 60.0}}, [], {})
    assert shown.timed
    assert [shown.left(t) for t in (0.0, 0.2, 58.9, 59.0, 59.9, 60.0, 71.0)] == [60, 60, 2, 1, 1, 0, 0]
    assert face({"deal": 1, "phase": "playing", "countdown": None}, [], {}).left(3.0) is None
    assert face({"deal": 1, "phase": "over", "countdown": {"seat": "N", "until": 60.0}}, [], {}).left(3.0) is None


def test_the_page_has_the_time_and_what_sounds_at_its_end() -> None:
    service, clock = Service(shows_time=True), Clock(100.0)
    with serving_display(service, clock) as shown, httpx.Client(base_url=shown.url) as client:
        assert "/static/countdown.js" in client.get("/").text  # before anything is known of the table
        service.show(countdown={"seat": "N", "until": 50.0})
        page = client.get("/").text
        assert 'sse-swap="left"' in page
        assert "data-over" in page
        assert "createOscillator" in client.get("/static/countdown.js").text


@pytest.mark.parametrize("rules", ["fibur2024", "feburit"])
def test_d51_no_byte_of_a_table_without_a_time_tells_of_one(rules: str, tmp_path: Path) -> None:
    """Whatever the table sends or shows: its state, its events, its journal, its screen with all that it loads."""
    header = Header("T1", rules, seats={seat: seat for seat in "NESW"}, options={"deals": 1})
    service = TableService(header, "sala", TableFiles.under(tmp_path, "T1"), BrokerAddress("127.0.0.1", 1), lambda: 1.0)
    sent: list[str] = []
    service.screens.append(lambda state, alerts: sent.append(json.dumps([state, alerts], default=str)))
    lights: list[Lights] = []
    service.displays.append(lights.append)
    with serving_display(service, lambda: 500.0) as shown, httpx.Client(base_url=shown.url) as client:
        for n, order in enumerate(("start-round", "deal", "start-play")):
            service.observe(Console(float(n), "Anna", order, {"dealer": "N", "deal": 1} if order == "deal" else {}))
        for n in range(20):
            service.observe(Scale(4.0 + 20 * n, "stock", 42 * 1.8, settled=True))
            service.observe(Health(14.0 + 20 * n, "gates", "ok", ""))
        page = client.get("/").text
        loaded = [client.get(path).text for path in ("/static/display.css", "/static/display.js")]
        with httpx.stream("GET", f"{shown.url}stream", timeout=10) as answer:
            first = next(answer.iter_text())
    events = [str(entry.public) for entry in service.journal.events(after=0)]
    service.close(0.0)
    assert sent
    for said in (page, first, *loaded, *sent, *events):
        for word in TIME:
            assert word not in said.lower(), (word, said[:200])
    assert not any(one.alert for one in lights)


def test_where_there_is_no_screen_the_light_of_who_is_in_turn_calls_with_a_short_sound() -> None:
    state = {"phase": "playing", "turn": {"seat": "S"}, "round": {"running": True}}
    assert lights_of({**state, "countdown": {"seat": "S", "until": 60.0}}, []) == Lights(4, 0, 0)
    assert lights_of({**state, "countdown": {"seat": "S", "until": 60.0, "over": True}}, []) == Lights(4, 4, 1)
    assert lights_of({**state, "countdown": None}, []) == Lights(4, 0, 0)
