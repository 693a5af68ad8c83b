"""The demo's twin keeps the table's time: it waits where it is held, and speed changes nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, DiscardGesture, Gesture, Wait
from hw.twin.live import SLACK_S, LivePlayer, Played, ScaledClock, Snapshot
from hw.twin.noise import load_noise
from hw.twin.raw import RawFrame
from hw.twin.stage import Entered
from hw.twin.timed_events import Performed
from hw.twin.twin_table import DRAWN

Deal = Callable[..., list[Gesture]]


class HandClock:
    """Wall time that moves when it is told to."""

    def __init__(self) -> None:
        self.t = 100.0

    def __call__(self) -> float:
        return self.t


def test_the_clock_runs_at_its_speed_up_to_its_horizon_and_stands_while_held() -> None:
    wall = HandClock()
    clock = ScaledClock(4.0, wall)
    wall.t += 10
    assert clock.now() == 0.0
    clock.allow(8.0)
    wall.t += 1
    assert clock.now() == pytest.approx(4.0)
    clock.hold()
    clock.hold()
    wall.t += 5
    clock.release()
    assert clock.rate == 0.0
    assert clock.now() == pytest.approx(4.0)
    clock.release()
    wall.t += 0.5
    assert clock.now() == pytest.approx(6.0)
    wall.t += 50
    assert clock.now() == pytest.approx(8.0)
    clock.allow(100.0)
    wall.t += 1
    assert clock.now() == pytest.approx(12.0)
    with pytest.raises(RuntimeError):
        clock.release()


@pytest.mark.parametrize("speed", [0.0, -1.0, float("inf"), float("nan")])
def test_a_clock_without_a_speed_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        ScaledClock(speed)


async def played(tags: dict[str, str], script: list[Gesture], speed: float, level: str = "normal") -> list[Played]:
    clock = ScaledClock(speed)
    player = LivePlayer(tags, load_noise(level), random.Random(3), clock)
    found: list[Played] = []
    async for value in player.play(script):
        t = (
            value.t
            if isinstance(value, RawFrame | Entered)
            else value.scene.t
            if isinstance(value, Snapshot)
            else value.end
        )
        assert t <= clock.now() + 1e-5
        assert clock.now() <= t + SLACK_S + 1e-5 or isinstance(value, Performed)
        found.append(value)
    return found


async def test_values_and_scenes_do_not_depend_on_the_speed(tags: dict[str, str], deal: Deal) -> None:
    script = deal(2, turns=2)
    slow, fast = await played(tags, script, 400.0), await played(tags, script, 40_000.0)
    assert slow == fast


async def test_frames_come_in_order_and_load_cells_every_fifty_milliseconds(tags: dict[str, str], deal: Deal) -> None:
    found = await played(tags, deal(2, turns=2), 20_000.0)
    frames = [value for value in found if isinstance(value, RawFrame)]
    assert [frame.t for frame in frames] == sorted(frame.t for frame in frames)
    grid = [frame.t for frame in frames if set(frame.values) == {f"scale:{zone}" for zone in DRAWN.equipment.weighed}]
    assert max(b - a for a, b in pairwise(grid)) <= 0.0501
    names = {name.split(":")[0] for frame in frames for name in frame.values}
    assert {"coil", "scale", "beam", "shield"} <= names
    assert {frame.rate for frame in frames} == {0.0}


async def test_pictures_are_taken_under_an_arm_and_when_the_table_rests(tags: dict[str, str], deal: Deal) -> None:
    script = deal(2, turns=1)
    found = await played(tags, [*script, Wait(12.0)], 20_000.0, "none")
    done = [value for value in found if isinstance(value, Performed) and isinstance(value.gesture, DiscardGesture)][-1]
    pictures = [value for value in found if isinstance(value, Snapshot)]
    covered = [p for p in pictures if p.why == "covered" and done.start <= p.scene.t <= done.end]
    assert [arm.seat for arm in covered[0].scene.arms] == [Seat.WEST]
    after = [p for p in pictures if p.scene.t > done.end]
    assert [p.why for p in after[:3]] == ["changed", "changed", "rest"]
    assert all(not p.scene.arms for p in after)
    top = [card for card in after[0].scene.cards if card.card == done.cards[0]]
    assert len(top) == 1
    assert top[0].face_up
    assert after[1].scene.t - after[0].scene.t == pytest.approx(0.4)
    assert all(b.scene.t - a.scene.t <= 5.0 for a, b in pairwise(after))


async def test_the_table_stands_still_while_a_slow_consumer_holds_the_clock(tags: dict[str, str]) -> None:
    clock = ScaledClock(50.0)
    player = LivePlayer(tags, load_noise("none"), random.Random(1), clock, follow=True)
    rates: list[float] = []
    held_at = 0.0

    async def release_later() -> None:
        nonlocal held_at
        held_at = clock.now()
        await asyncio.sleep(0.05)
        assert clock.now() == held_at
        clock.release()

    waiter: asyncio.Task[None] | None = None
    async for value in player.play([ConsoleGesture("deal"), Wait(20.0)]):
        if isinstance(value, RawFrame):
            if not rates or rates[-1] != value.rate:
                rates.append(value.rate)
            if value.t > 5.0 and waiter is None:
                clock.hold()
                waiter = asyncio.create_task(release_later())
    assert waiter is not None
    await waiter
    assert held_at > 0.0
    assert rates == [50.0, 0.0, 50.0]
