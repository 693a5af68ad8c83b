"""A table that starts with a bidding box of which a face was not enrolled: its start and the arbitro's page say so."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hw.bidding import BIDDING_BOX
from hw.observations import Health, Observation
from hw.tablemap import TableMap
from hw.twin.scene import BID
from lab.vision.train.bidding_boxes import drawn_box
from table_service.camera import camera_loop
from table_service.camera.camera_loop import CameraWatch, Clock
from table_service.camera.enrolled_box import box_notes
from table_service.console.event_sentences import tell
from table_service.console.vocabulary import Words
from table_service.evidence import Picture
from table_service.publish.broker import free_port, start_broker
from table_service.rulesets import RULE_SETS, load_table
from tests.cli.test_cli_services import listen
from vision.enrolment import enrolled_faces
from vision.errors import SourceError
from vision.packs import PackFaces
from vision.source import FrameSource

MISSING = ("2H", "alert")
TABLE = (Path(__file__).parents[2] / "examples/bridge.toml").read_text(encoding="utf-8")


def photograph(folder: Path, names: list[str], design: int = 1007) -> Path:
    """``names`` of a drawn box in rows on grey ground, and the list of them beside."""
    artwork = drawn_box(design)
    picture = np.full((5 * 240 + 40, 8 * 180 + 40, 3), 90, np.uint8)
    for n, name in enumerate(names):
        row, column = divmod(n, 8)
        card = artwork(f"{BID}{name}", 2.4).astype(np.float32)
        place = picture[40 + row * 240 :, 40 + column * 180 :][: card.shape[0], : card.shape[1]]
        share = card[..., 3:] / 255.0
        place[:] = card[..., :3] * share + place * (1.0 - share)
    cv2.imwrite(str(folder / "box.png"), picture)
    (folder / "box.txt").write_text(" ".join(names), encoding="utf-8")
    return folder / "box.png"


def configured(folder: Path, port: int) -> Path:
    """The example's table with a box, a picture that is not there for a camera, and no boards."""
    head, rest = TABLE.split("[nodes.gates]", 1)
    zones = rest[rest.index("[zones]") : rest.index("[camera]")]
    camera = f'[camera]\nsource = "file:{folder}/none.jpg"\nbox = "{folder}/BOX.pack"\n'
    broker = f'[broker]\nhost = "127.0.0.1"\nport = {port}\n[storage]\njournal = "{folder}/T30.sqlite"\n'
    (folder / "table.toml").write_text(head + zones + camera + broker, encoding="utf-8")
    return folder / "table.toml"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> PackFaces:
    """A whole box, enrolled once: five seconds of a processor."""
    names = list(BIDDING_BOX.copies)
    picture = cv2.imread(str(photograph(tmp_path_factory.mktemp("box"), names)))
    assert picture is not None
    return enrolled_faces("box.png", np.asarray(picture, np.uint8), names)


@pytest.mark.slow(seconds=12)
def test_a_table_whose_box_lacks_faces_names_them_at_its_start_and_to_the_arbitro(tavolo: Any, tmp_path: Path) -> None:
    names = [name for name in BIDDING_BOX.copies if name not in MISSING]
    enrolled = tavolo("enrol", photograph(tmp_path, names), "--of", "bidding", "--out", tmp_path / "BOX.pack")
    assert enrolled.returncode == 1
    assert b"missing: 2H alert" in enrolled.stdout
    port = free_port()
    config = configured(tmp_path, port)
    broker = start_broker(port=port)
    client, heard = listen(port, "tavolo/v1/sala/T30/event/table.health")
    try:
        with tavolo.running("run", "--config", config) as running:
            running.until_said("the enrolled bidding box")
            event = heard.get(timeout=60)[1]
            while event["data"]["what"] != "bidding-box":
                event = heard.get(timeout=60)[1]
            assert running.end() == 0
            (note,) = (line for line in running.said.splitlines() if "bidding box" in line)
    finally:
        client.loop_stop()
        client.disconnect()
        broker.stop()
    assert "lacks 2H, alert: no bidding card will be named" in note
    assert note.endswith(f"tavolo enrol PHOTO --of bidding --out {tmp_path}/BOX.pack")
    assert event["data"] == {"what": "bidding-box", "state": "lost", "note": "2H, alert"}
    bridge = RULE_SETS["bridge"].pages
    assert "mancano 2H, alert" in tell(event, Words("it", bridge)).text
    assert "lacks 2H, alert" in tell(event, Words("en", bridge)).text


@pytest.mark.slow(seconds=8)
def test_check_and_doctor_say_of_the_box_what_its_start_would(invoke: Any, box: PackFaces, tmp_path: Path) -> None:
    config, kept = configured(tmp_path, free_port()), tmp_path / "BOX.pack"

    def examined() -> dict[str, str]:
        findings = json.loads(invoke("doctor", "--config", config, "--json").stdout)
        (one,) = (finding for finding in findings if finding["what"] == "bidding box")
        return dict(one)

    assert (none := examined())["verdict"] == "missing"
    assert "there is no such file" in none["detail"]
    box.save(kept)
    assert examined()["verdict"] == "ok"
    assert "bidding box" not in invoke("check", config, "--lang", "en").stdout
    lacking = {name: faces for name, faces in box.pictures.items() if name not in MISSING}
    replace(box, pictures=lacking).save(kept)
    lacks = "lacks 2H, alert: no bidding card will be named"
    assert (partly := examined())["verdict"] == "missing"
    assert lacks in partly["detail"]
    assert lacks in invoke("check", config, "--lang", "en").stdout
    assert "mancano 2H, alert" in invoke("check", config, "--lang", "it").stdout
    (checked,) = json.loads(invoke("check", config, "--json").stdout)
    assert checked["valid"]
    assert any(lacks in gap for gap in checked["gaps"])


class Ear:
    """Hears what a table's service would."""

    def __init__(self) -> None:
        self.heard: list[Observation] = []

    def observe(self, observation: Observation) -> None:
        self.heard.append(observation)

    def frame(self, picture: Picture) -> None:
        raise AssertionError(picture)

    def of_box(self) -> list[tuple[str, str]]:
        """State and note of each health observation of the box."""
        return [(one.state, one.note) for one in self.heard if isinstance(one, Health) and one.node == "bidding-box"]


@pytest.mark.slow(seconds=8)
def test_a_box_that_is_enrolled_whole_while_the_table_runs_is_told_once_as_well_again(
    box: PackFaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_loop, "RETRY_S", 0.02)
    lacking = {name: faces for name, faces in box.pictures.items() if name not in MISSING}
    replace(box, pictures=lacking).save(tmp_path / "BOX.pack")
    table = load_table(configured(tmp_path, 1883))
    (note,) = box_notes(table, "it")
    assert "mancano 2H, alert: nessun cartellino di licita sarà letto" in note
    opened = 0

    def not_there(_table: TableMap, _clock: Clock) -> FrameSource:
        nonlocal opened
        opened += 1
        raise SourceError("no camera")

    ear, stop = Ear(), threading.Event()
    watch = CameraWatch(table, ear, time.monotonic, stop, boot="b", say=lambda _: None, open_source=not_there)
    thread = threading.Thread(target=watch.run, daemon=True)
    thread.start()

    def until(tries: int) -> None:
        deadline = time.monotonic() + 60
        while opened < tries:
            assert time.monotonic() < deadline, opened
            time.sleep(0.02)

    until(2)
    assert ear.of_box() == [("lost", "2H, alert")]
    box.save(tmp_path / "new.pack")
    (tmp_path / "new.pack").replace(tmp_path / "BOX.pack")
    until(opened + 2)
    stop.set()
    thread.join(30)
    assert not thread.is_alive()
    assert ear.of_box() == [("lost", "2H, alert"), ("ok", "")]
    assert box_notes(table, "en") == []
