"""`tavolo demo --camera-only`: play that is known by frames alone, from the twin's moving hands to events."""

from __future__ import annotations

import asyncio
import itertools
import random
from typing import Any

import pytest
from typer.testing import CliRunner

from hw.observations import Console
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.gestures import Press
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import load_noise
from hw.twin.raw import RawFrame
from hw.twin.scene import Scene
from hw.twin.stage import Entered
from hw.twin.twin_table import DRAWN
from table_service.camera.camera_loop import DealCourse
from table_service.camera.table_camera import Eye, sightings_of
from table_service.cli import app
from table_service.commands.demo.demo_run import WEBCAM_PX
from table_service.commands.demo.demo_settings import DemoSettings
from table_service.commands.demo.play_round import HANDS_S
from table_service.events import Event
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.rulesets import open_fold, rule_set


class AtOnce(ScaledClock):
    """The table's clock where nobody waits: it is always as late as what is due."""

    async def wait(self, t: float) -> bool:
        self._base = max(self._base, t)
        return True

    def now(self) -> float:
        return self._base


def first_turns(cues: int) -> tuple[Rehearsal, LivePlayer]:
    settings = DemoSettings(camera_only=True)
    rehearsal = prepare("fibur2024", settings.round_seed, 1, (), "normal", step=settings.step)
    rehearsal.script.cut(cues)
    chance = random.Random(f"{rehearsal.seed}/live")
    return rehearsal, LivePlayer(
        rehearsal.tags, load_noise("normal"), chance, AtOnce(), DRAWN, paces=rehearsal.script.paces, hands_s=HANDS_S
    )


def by_frames(rehearsal: Rehearsal, player: LivePlayer) -> list[Event]:
    """What the table tells of the player's frames."""
    played = rule_set("fibur2024")
    layout, keepers = DRAWN.layout, rehearsal.header.keepers
    camera = Camera(
        layout, seed=3, width=WEBCAM_PX, height=WEBCAM_PX, artwork=artwork_of(played.drawing), equipment=DRAWN.equipment
    )
    eye = Eye(layout, keepers, "boot", sightings_of(layout, DRAWN.equipment, keepers), sees_hands=True)
    eye.calibrate(camera.render(Scene(0.0, ())))
    fold, course, told = open_fold(rehearsal.header, "boot"), DealCourse(), list[Event]()

    def feed(observation: Any) -> None:
        for event in fold.feed(observation):
            told.append(event)
            course.heard(event)

    async def play() -> None:
        async for one in player.play([g for g in rehearsal.script.gestures() if not isinstance(g, Press)]):
            if isinstance(one, Snapshot):
                course.apply_pending(eye)
                sight = eye.look(camera.render(one.scene), one.scene.t)
                for observation in (*eye.reaches(), *([] if sight is None else [sight])):
                    feed(observation)
            elif isinstance(one, Entered) and not hasattr(one.what, "what"):
                feed(Console(round(one.t, 6), one.what.by, one.what.do, dict(one.what.fields)))

    asyncio.run(play())
    return told + fold.close()


@pytest.mark.slow(seconds=8)
def test_the_first_turns_of_a_deal_are_told_from_frames_alone() -> None:
    rehearsal, player = first_turns(11)
    told = by_frames(rehearsal, player)
    acts = {"card.drawn": "draw", "pile.collected": "collect", "meld.opened": "open", "card.discarded": "discard"}
    played = [(one.type, str(one.seat)) for cue in rehearsal.script.cues for one in cue.actions]
    wanted = [(kind, seat) for kind, seat in played if kind in acts.values()]
    assert len(wanted) >= 5
    moves = [one for one in told if one.type in acts]
    assert [(acts[one.type], str(one.seat)) for one in moves] == wanted
    assert all(one.confidence < 1.0 for one in moves if one.type == "card.drawn"), "no sensor counts a draw"
    assert not [one for one in told if one.type == "irregularity"]


def test_hands_are_photographed_ten_times_a_second_on_their_way_and_home() -> None:
    rehearsal, player = first_turns(6)

    async def scenes() -> list[Snapshot]:
        return [one async for one in player.play(rehearsal.script.gestures()) if not isinstance(one, RawFrame)]  # type: ignore[misc]

    moving = [one.scene for one in asyncio.run(scenes()) if isinstance(one, Snapshot) and one.why == "moving"]
    with_hands = [one for one in moving if one.arms]
    assert len(with_hands) >= 15
    assert len({(arm.x, arm.y) for one in with_hands for arm in one.arms}) > 6, "they are seen on their way"
    assert all(len(one.arms) == 1 for one in with_hands)
    gaps = [round(b.t - a.t, 3) for a, b in itertools.pairwise(moving) if a.arms]
    assert set(gaps) == {HANDS_S}


@pytest.mark.parametrize(
    ("asked", "why"), [(["--rules", "tarocco"], "corner indices"), (["--tables", "3"], "one table")]
)
def test_what_a_camera_alone_is_not_shown_with_is_said_in_one_sentence(asked: list[str], why: str) -> None:
    answer = CliRunner().invoke(app, ["demo", "--camera-only", *asked])
    assert answer.exit_code == 2
    assert why in answer.output
