"""Evidence at the table: the right pictures of a fact, marked up and kept; nothing that is hidden in any of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from nacl.signing import SigningKey

from hw.cards import BURRACO
from hw.config_text import ConfigError
from hw.layout import DEFAULT_LAYOUT
from hw.observation_log import Header
from hw.observations import Health, SightedCard
from hw.twin.camera import Camera
from hw.twin.scene import PlacedCard, Scene
from table_service.commands.checks import audit_journal
from table_service.events import Event
from table_service.events.envelope import Envelope
from table_service.events.payloads import Irregularity, TableHealth, Text
from table_service.evidence import EvidenceDesk, Picture, Ring, Want
from table_service.evidence.choice import choose, marks
from table_service.games.burraco.payloads import CardDrawn
from table_service.journal import EvidenceStore, Journal, JournalError, Limits, audit
from table_service.publish import BrokerAddress
from table_service.rulesets import DEFAULT, RULE_SETS, load_table
from table_service.service import TableFiles, TableService
from vision.calibration import Calibration, calibrate
from vision.kept_pictures import TablePictures, of_jpeg, reach
from vision.surface import MASK_GREY, Image


def shot(t: float, *cards: SightedCard, hidden: tuple[str, ...] = ()) -> Picture:
    """A small picture; its pixels do not matter."""
    return Picture.of(f"f-{t}", t, np.zeros((1080, 1080, 3), np.uint8), cards, hidden, DEFAULT_LAYOUT)


def lying(card: str, zone: str, row: int | None = None, x: float = 0.0) -> SightedCard:
    return SightedCard(card, zone, x, 0.0, 0.0, "up", 0.99, row, 0)


def irregularity(told: float, fact: float | None, *cards: str, key: str = "r1d1-1", state: str = "open") -> Event:
    data = Irregularity(
        key=key,
        row="F-31a",
        article="31",
        title=Text(it="Pescata fuori turno", en="Draw out of turn"),
        severity="play-stops",
        offender="W",
        pair="EW",
        cards=cards,
        committed_t=fact,
        found="later",
        state=state,  # type: ignore[arg-type]
        remedy=(),
    )
    return Envelope("T1", "2026-11-20T15:00:00Z", "000001").make("irregularity", data, t=told)


@dataclass
class Shelf:
    """Keeps pictures in memory; refuses while ``full``."""

    full: bool = False
    kept: dict[str, bytes] = field(default_factory=dict)

    def keep(self, jpeg: bytes, *, ref: str, at: float, about: Any = None) -> dict[str, Any]:  # noqa: ARG002
        if self.full:
            raise JournalError("the picture cannot be kept (No space left on device)")
        self.kept[ref] = jpeg
        return {**about, "ref": ref, "sha256": "0" * 64, "bytes": len(jpeg)}


class Bench:
    """An evidence desk whose clock a test moves and whose work it does."""

    def __init__(self, seconds: float = 180.0) -> None:
        self.now = 0.0
        self.shelf, self.wrong = Shelf(), ""
        self.said: dict[str, dict[str, Any]] = {}
        self.done = threading.Event()
        self.trouble: list[str] = []
        self.desk = EvidenceDesk(
            "000001",
            Ring(seconds),
            self.shelf,
            self._told,
            self.trouble.append,
            lambda: self.now,
            lambda: 1.8e9,
            lambda t: f"T1 {t:.1f}",
            RULE_SETS[DEFAULT].zone_of,
        )

    def _told(self, key: str, document: dict[str, Any]) -> None:
        self.said[key] = document
        if document["done"]:
            self.done.set()
        if self.wrong:
            BURRACO.parse(self.wrong)

    def film(self, first: float, last: float, step: float = 0.5) -> None:
        for t in np.arange(first, last, step):
            self.now = float(t)
            self.desk.frame(shot(round(float(t), 3)))
            self.desk.work()

    def moments(self, key: str = "r1d1-1") -> dict[str, float]:
        return {one["moment"]: one["t"] for one in self.said[key]["pictures"]}

    def missing(self, key: str = "r1d1-1") -> dict[str, str]:
        return {one["moment"]: one["why"] for one in self.said[key]["missing"]}


def test_the_ring_is_bounded_in_seconds_and_in_bytes() -> None:
    ring = Ring(seconds=10.0)
    for t in range(100):
        ring.add(shot(float(t)))
    assert ring.span == (89.0, 99.0)
    small = Ring(seconds=1e6, space=5 * shot(0.0).space)
    for t in range(100):
        small.add(shot(float(t)))
    assert len(small.between(0, 1000)) == 5
    assert small.report()["bytes"] <= 5 * shot(0.0).space


def test_the_picture_at_is_the_one_nearest_to_the_fact_not_to_its_telling() -> None:
    bench = Bench()
    bench.film(0.0, 60.0)
    bench.desk.on_event(irregularity(60.0, 20.3, "7H"))
    bench.desk.work()
    assert bench.moments() == {"before": 19.5, "at": 20.5, "after": 21.0}
    assert [one["dt"] for one in bench.said["r1d1-1"]["pictures"]] == [-0.8, 0.2, 0.7]
    assert bench.said["r1d1-1"]["done"]


def test_an_event_is_told_first_and_the_picture_after_follows() -> None:
    bench = Bench()
    bench.film(0.0, 20.1)
    bench.desk.on_event(irregularity(20.1, 20.0))
    bench.desk.work()
    assert set(bench.moments()) == {"at"}
    assert not bench.said["r1d1-1"]["done"]
    bench.film(20.5, 21.1)
    assert bench.moments() == {"before": 19.5, "at": 20.0, "after": 20.5}
    assert bench.said["r1d1-1"]["done"]


def test_before_and_after_are_pictures_in_which_no_arm_covers_the_place() -> None:
    want = Want("k", 20.0, zones=("stock",))
    film = [shot(t / 2, hidden=("stock",) if 36 < t < 44 else ("melds-NS",)) for t in range(30, 60)]
    chosen = choose(film, want)
    assert {moment: one.t for moment, one in chosen.items()} == {"at": 20.0, "before": 18.0, "after": 22.0}


def test_a_fact_older_than_the_ring_has_no_picture_and_says_so() -> None:
    bench = Bench(seconds=30.0)
    bench.film(0.0, 100.0)
    bench.desk.on_event(irregularity(100.0, 20.0))
    bench.desk.work()
    assert bench.said["r1d1-1"]["pictures"] == []
    assert set(bench.missing().values()) == {"too-late"}


def test_a_table_without_a_camera_says_so_when_the_wait_is_over() -> None:
    bench = Bench()
    bench.desk.on_event(irregularity(20.0, 19.0))
    bench.desk.work()
    assert "r1d1-1" not in bench.said
    bench.now = 40.0
    bench.desk.work()
    assert set(bench.missing().values()) == {"no-camera"}


def test_a_camera_that_died_leaves_the_picture_before_and_says_why_there_is_no_other() -> None:
    bench = Bench()
    bench.film(0.0, 15.0)
    lost = TableHealth(what="camera", state="lost", note="unplugged")
    bench.desk.on_event(Envelope("T1", "", "000001").make("table.health", lost, t=15.0))
    bench.desk.on_event(irregularity(20.5, 20.0))
    bench.now = 40.0
    bench.desk.work()
    assert bench.moments() == {"before": 14.5}
    assert bench.missing() == {"at": "camera-lost", "after": "camera-lost"}


def test_a_fact_whose_moment_nobody_knows_gets_no_picture_of_another_one() -> None:
    bench = Bench()
    bench.film(0.0, 15.0)
    bench.desk.on_event(irregularity(14.0, None))
    bench.desk.work()
    about = bench.desk.about("r1d1-1")
    assert about is not None
    assert {one["why"] for one in about["missing"]} == {"no-moment"}
    assert bench.shelf.kept == {}


def test_a_fact_that_is_dated_anew_gets_the_pictures_of_its_new_moment() -> None:
    bench = Bench()
    bench.film(0.0, 60.0)
    bench.desk.on_event(irregularity(50.0, 20.0))
    bench.desk.work()
    bench.desk.on_event(irregularity(55.0, 40.0))
    bench.desk.work()
    assert bench.moments()["at"] == 40.0
    assert set(bench.shelf.kept) >= {"000001-r1d1-1-at", "000001-r1d1-1-2-at"}


def test_a_full_disk_is_told_once_and_what_follows_is_kept_again() -> None:
    bench = Bench()
    bench.shelf.full = True
    bench.film(0.0, 60.0)
    bench.desk.on_event(irregularity(50.0, 20.0))
    bench.desk.work()
    assert set(bench.missing().values()) == {"disk"}
    assert len(bench.trouble) == 1
    bench.shelf.full = False
    bench.desk.on_event(irregularity(51.0, 30.0, key="r1d1-2"))
    bench.desk.work()
    assert set(bench.moments("r1d1-2")) == {"before", "at", "after"}
    assert bench.trouble[-1] == ""


def test_a_card_that_lies_there_twice_is_never_framed_in_red() -> None:
    picture = shot(1.0, lying("7H", "discard"), lying("7H", "table", x=90.0), lying("9C", "discard"))
    found = marks(picture, Want("k", 1.0, ("7H",)), "")
    assert found.accused == ()
    assert len(found.unsure) == 2
    placed = marks(picture, Want("k", 1.0, ("7H",), ("discard",)), "")
    assert [card.zone for card in placed.accused] == ["discard"]


def test_it_is_said_whether_the_card_is_marked_unsure_or_not_to_be_seen() -> None:
    bench = Bench()
    for t, cards in (
        (9.0, ()),
        (10.0, (lying("7H", "table"),)),
        (11.0, (lying("7H", "table"), lying("7H", "discard"))),
    ):
        bench.now = t
        bench.desk.frame(shot(t, *cards))
    bench.now = 30.0
    bench.desk.on_event(irregularity(10.0, 10.0, "7H"))
    bench.desk.work(last=True)
    assert [one["marked"] for one in bench.said["r1d1-1"]["pictures"]] == ["no", "yes", "unsure"]


def test_cards_of_a_meld_are_marked_in_the_row_that_holds_them() -> None:
    rows = [
        lying("7H", "melds-NS", 1),
        lying("8H", "melds-NS", 1),
        lying("7H", "melds-NS", 2),
        lying("2C", "melds-NS", 2),
    ]
    found = marks(shot(1.0, *rows), Want("k", 1.0, ("7H", "8H"), ("melds-NS",)), "")
    assert [(card.card, card.row) for card in found.accused] == [("7H", 1), ("8H", 1)]
    assert found.unsure == ()


def test_the_zone_is_that_of_what_the_offender_did_at_that_moment() -> None:
    bench = Bench()
    bench.film(0.0, 30.0)
    envelope = Envelope("T1", "", "000001")
    drawn = envelope.make("card.drawn", CardDrawn(count=1), t=20.4, committed_t=20.0)
    bench.desk.on_event(drawn)
    bench.desk.on_event(irregularity(20.4, 20.0))
    bench.desk.work()
    frames = [frame for picture in bench.said["r1d1-1"]["pictures"] for frame in picture["frames"]]
    assert [(frame["kind"], frame["name"]) for frame in frames] == [("zone", "stock")] * 3


# --- what nobody may see ----------------------------------------------------------------------------------------------


@dataclass
class Lens:
    camera: Camera
    calibration: Calibration
    pictures: TablePictures
    base: Image

    def hands_full(self, cards: tuple[str, ...]) -> Image:
        """A frame in which a player's cards lie face up to the camera in every hand area."""
        placed = []
        for n, card in enumerate(cards):
            at = -260 + 42 * n
            placed += [
                PlacedCard(f"{card}#1", at, 404.0, 0.0, True),
                PlacedCard(f"{card}#2", at, -404.0, 0.0, True),
                PlacedCard(f"{card}#1", 404.0, at, 90.0, True),
                PlacedCard(f"{card}#2", -404.0, at, 90.0, True),
            ]
        full = self.camera.render(Scene(1.0, tuple(placed)))
        # the sensor's noise differs from frame to frame: only what the hand areas show may differ here
        frame = self.base.copy()
        hands = np.zeros(frame.shape[:2], np.uint8)
        for name in DEFAULT_LAYOUT.masked:
            r = DEFAULT_LAYOUT.zones[name]
            cv2.fillPoly(hands, [np.asarray(self.calibration.polygon(r.x0, r.y0, r.x1, r.y1))], (1,))
        frame[hands > 0] = full[hands > 0]
        return frame


@pytest.fixture(scope="module")
def lens() -> Lens:
    camera = Camera(seed=3)
    calibration = calibrate(camera.render(Scene(0.0, ())), DEFAULT_LAYOUT)
    base = camera.render(Scene(0.5, (PlacedCard("QS#1", -60.0, 40.0, 0.0, True),)))
    return Lens(camera, calibration, TablePictures(calibration), base)


def part(picture: Image, zone: str) -> Image:
    """What a picture holds of a zone."""
    half, r = reach(DEFAULT_LAYOUT), DEFAULT_LAYOUT.zones[zone]
    scale = 1080 / (2 * half)
    x0, x1 = (min(1080, max(0, round((x + half) * scale))) for x in (r.x0, r.x1))
    y0, y1 = (min(1080, max(0, round((half - y) * scale))) for y in (r.y1, r.y0))
    found: Image = picture[y0:y1, x0:x1]
    assert found.size, zone
    return found


HANDS = ("AH", "KD", "7C", "JK", "2S"), ("3D", "9H", "TC", "5S", "QD")


def test_a_picture_is_the_same_whatever_cards_the_hands_show(lens: Lens) -> None:
    one, other = (lens.hands_full(cards) for cards in HANDS)
    assert (one != other).sum() > 100_000, "the camera sees the hands' cards"
    held = [Picture.of("f", 1.0, lens.pictures.picture(frame), (), (), DEFAULT_LAYOUT) for frame in (one, other)]
    assert held[0].jpeg == held[1].jpeg
    grey = of_jpeg(held[0].jpeg)
    for zone in DEFAULT_LAYOUT.masked:
        assert abs(part(grey, zone).astype(int) - MASK_GREY).max() <= 12, "a JPEG's own ripple, no more"


def test_cards_in_hands_never_enter_the_ring_not_even_while_they_are_read_for_the_count() -> None:
    picture = shot(1.0, lying("7H", "hand-N"), lying("8H", "discard"))
    assert [card.card for card in picture.cards] == ["8H"]


@dataclass
class Table:
    """A service whose fold a test drives by events; nothing is published but kept."""

    service: TableService
    now: list[float]
    folder: Path
    ring: Ring


def make(folder: Path, name: str = "evidence", **kwargs: Any) -> Table:
    header = Header(
        table="T1", rules="fibur2024", options={}, seats={}, tags={}, card_grams=1.8, started="2026-11-20T15:00:00Z"
    )
    now = [0.0]
    places = replace(TableFiles.under(folder, "T1"), evidence=folder / name)
    ring: Ring = kwargs.pop("ring", None) or Ring()
    service = TableService(header, "sala", places, BrokerAddress("127.0.0.1", 9), lambda: now[0], ring=ring, **kwargs)
    return Table(service, now, folder, ring)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = make(tmp_path)
    yield made
    made.service.close(0.0)


def film(table: Table, lens: Lens, frames: tuple[Image, ...]) -> None:
    for n in range(12):
        table.now[0] = float(n)
        pixels = lens.pictures.picture(frames[n % len(frames)])
        table.service.frame(Picture.of(f"f{n}", float(n), pixels, (), (), DEFAULT_LAYOUT))


def test_no_pixel_of_a_hand_gets_out_ring_file_or_payload(table: Table, lens: Lens) -> None:
    bare = lens.pictures.picture(lens.hands_full(()))
    film(table, lens, tuple(lens.hands_full(cards) for cards in HANDS))
    service = table.service
    service.pictures.on_event(irregularity(11.0, 5.0, "QS"))
    service.pictures.work()
    in_memory = table.ring.between(0, 100)
    assert len(in_memory) == 12
    assert len({one.jpeg for one in in_memory}) == 1, "frames that differ in the hands alone are one and the same"
    files = sorted((table.folder / "evidence").iterdir())
    assert [file.suffix for file in files] == [".jpg"] * 4
    for file in [one for one in files if not one.stem.endswith("-film")]:
        ref = file.stem
        payload = service.evidence.read(ref)
        assert payload == file.read_bytes()
        picture = of_jpeg(payload)
        for zone in DEFAULT_LAYOUT.masked:
            if zone != "hand-S":  # the caption stands in the rim below, on a plate of its own
                assert abs(part(picture, zone).astype(int) - part(bare, zone)).max() <= 12, zone


def test_the_film_is_made_of_the_masked_pictures_of_the_seconds_around_the_fact(table: Table, lens: Lens) -> None:
    film(table, lens, tuple(lens.hands_full(cards) for cards in HANDS))
    service = table.service
    service.pictures.on_event(irregularity(11.0, 5.0))
    service.pictures.work()
    told = service.with_pictures({"key": "r1d1-1", "evidence": []})["pictures"]["film"]
    assert told["moments"] == [float(t - 5) for t in range(11)], "every picture from five seconds before to five after"
    sheet = of_jpeg(service.evidence.read(told["ref"]) or b"")
    side = 400
    assert sheet.shape == (3 * side, told["columns"] * side, 3)
    bare = cv2.resize(lens.pictures.picture(lens.hands_full(())), (side, side), interpolation=cv2.INTER_AREA)
    for n in range(11):
        y, x = n // told["columns"] * side, n % told["columns"] * side
        cell = sheet[y : y + side - 40, x : x + side]  # its moment stands below
        assert np.quantile(abs(cell.astype(int) - bare[: side - 40]), 0.999) <= 24, "no card of any hand shows"


def test_a_long_film_is_thinned_and_keeps_the_picture_of_the_fact() -> None:
    bench = Bench()
    bench.film(0.0, 20.1, step=0.1)
    bench.desk.on_event(irregularity(20.1, 17.33))
    bench.desk.work()
    assert bench.said["r1d1-1"]["film"] == {"why": "coming"}
    bench.film(20.2, 22.6, step=0.1)
    told = bench.said["r1d1-1"]["film"]
    assert len(told["moments"]) == 20
    assert told["moments"] == sorted(told["moments"])
    assert min(abs(one) for one in told["moments"]) == 0.03
    assert (told["moments"][0], told["moments"][-1]) == (-4.93, 4.97)


def test_a_fact_with_hardly_a_picture_has_no_film_and_says_so() -> None:
    bench = Bench()
    bench.desk.frame(shot(20.0))
    bench.desk.on_event(irregularity(20.1, 20.0))
    bench.now = 60.0
    bench.desk.work()
    assert bench.said["r1d1-1"]["film"] == {"why": "no-frame"}


def test_pictures_come_with_the_alert_and_their_hashes_stand_in_the_journal(table: Table, lens: Lens) -> None:
    film(table, lens, (lens.hands_full(()),))
    service = table.service
    service.pictures.on_event(irregularity(11.0, 5.0))
    service.pictures.work()
    shown = service.with_pictures(
        {"key": "r1d1-1", "evidence": [{"kind": "frame", "ref": "f9"}, {"kind": "log", "ref": 9}]}
    )
    kinds = [(one["kind"], one.get("moment"), one.get("dt")) for one in shown["evidence"]]
    assert kinds == [("frame", "before", -1.0), ("frame", "at", 0.0), ("frame", "after", 1.0), ("log", None, None)]
    noted = {note["ref"]: note["sha256"] for note in service.journal.notes("evidence")}
    kept = (*shown["evidence"][:3], shown["pictures"]["film"])
    assert noted == {one["ref"]: one["sha256"] for one in kept}


def test_a_disk_that_takes_no_picture_never_stops_the_table_and_is_told_as_health(tmp_path: Path, lens: Lens) -> None:
    (tmp_path / "evidence").write_text("a file stands where the folder should be")
    table = make(tmp_path)
    told: list[Event] = []
    table.service.listeners.append(told.append)
    film(table, lens, (lens.hands_full(()),))
    table.service.pictures.on_event(irregularity(11.0, 5.0))
    table.service.pictures.work()
    health = [event.data for event in told if event.type == "table.health"]
    assert [(one.what, one.state) for one in health] == [("evidence", "lost")]  # type: ignore[attr-defined]
    assert table.service.table.state()["unverified"] == {}, "no card is in doubt for want of a picture"
    (tmp_path / "evidence").unlink()
    table.service.pictures.on_event(irregularity(11.5, 6.0, key="r1d1-2"))
    table.service.pictures.work()
    assert [event.data.state for event in told if event.type == "table.health"] == ["lost", "ok"]  # type: ignore[attr-defined]
    table.service.close(0.0)


def test_trouble_with_pictures_puts_no_card_in_doubt() -> None:
    from table_service.games.burraco.fold import TableFold

    header = Header(
        table="T1", rules="fibur2024", options={}, seats={}, tags={}, card_grams=1.8, started="2026-11-20T15:00:00Z"
    )
    fold = TableFold(header)
    fold.feed(Health(1.0, "evidence", "lost", "the disk is full"))
    assert fold.state()["unverified"] == {}


# --- kept, pruned, tampered -------------------------------------------------------------------------------------------


def opened(folder: Path) -> Journal:
    return Journal.open(folder / "T1.sqlite", "T1", SigningKey(bytes(range(32))))


def test_audit_tells_pruned_from_missing_and_from_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "T1.evidence"
    with opened(tmp_path) as journal:
        store = EvidenceStore(folder, journal, Limits(space=250))
        for n in range(4):
            store.keep(bytes([n]) * 100, ref=f"f{n}", at=1000.0 + n)
        assert [store.standing(f"f{n}") for n in range(5)] == ["pruned", "pruned", "kept", "kept", "unknown"]
    assert audit_journal(tmp_path / "T1.sqlite", as_json=False) == 0
    assert "2 pictures as they were kept, 2 pruned since" in capsys.readouterr().out
    (folder / "f2.jpg").write_bytes(b"another picture")
    (folder / "f3.jpg").unlink()
    assert audit_journal(tmp_path / "T1.sqlite", as_json=True) == 1
    verdict = json.loads(capsys.readouterr().out)
    said = [fault["message"] for fault in verdict["faults"]]
    assert any("f2" in one and "not the one" in one for one in said)
    assert any("f3" in one and "never pruned, is missing" in one for one in said)
    assert not any("f0" in one or "f1" in one for one in said)
    with opened(tmp_path) as journal:
        again = EvidenceStore(folder, journal)
        assert [again.standing(f"f{n}") for n in range(4)] == ["pruned", "pruned", "changed", "gone"]


def test_what_a_power_cut_left_without_a_note_is_swept_and_pruned_ones_stay_pruned(tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    with opened(tmp_path) as journal:
        EvidenceStore(folder, journal).keep(b"one", ref="f1", at=1000.0)
    (folder / "f2.jpg").write_bytes(b"no note was written of it")
    (folder / "f3.part").write_bytes(b"half")
    (folder / ".f4.jpg-x1y2z3").write_bytes(b"half")
    (folder / "readme.txt").write_text("somebody's")
    with opened(tmp_path) as journal:
        store = EvidenceStore(folder, journal)
        assert store.read("f1") == b"one"
    assert sorted(file.name for file in folder.iterdir()) == ["f1.jpg", "readme.txt"]
    assert audit(tmp_path / "T1.sqlite", evidence=folder).whole


def test_the_desk_works_in_a_thread_of_its_own_and_ends_with_what_it_has(tmp_path: Path) -> None:
    bench = Bench()
    bench.desk.start()
    for t in range(20):
        bench.now = float(t)
        bench.desk.frame(shot(float(t)))
    bench.desk.on_event(irregularity(19.0, 12.0))
    assert bench.done.wait(10)
    bench.desk.on_event(irregularity(19.5, 19.0, key="r1d1-2"))
    bench.desk.close()  # whose clock stands: what it waited for would never come
    assert bench.missing("r1d1-2") == {"after": "no-frame"}


def test_an_error_of_the_desk_is_told_with_its_place_and_no_card_or_picture(capfd: pytest.CaptureFixture[str]) -> None:
    """Structlog's own way to log an exception prints the variables of every frame."""
    bench = Bench()
    bench.wrong = "7C#x"
    bench.desk.start()
    bench.desk.frame(shot(12.0))
    bench.now = 400.0
    bench.desk.on_event(irregularity(19.0, 12.0))
    assert bench.done.wait(10)
    bench.desk.close()
    said = "".join(capfd.readouterr())
    assert "7C" not in said
    assert "CardError at hw/cards.py" in said


def test_the_limits_stand_in_the_tables_configuration_and_are_checked(tmp_path: Path) -> None:
    good = "[table]\nname = 'T1'\nrules = 'fibur2024'\n[evidence]\nseconds = 60\nspace_mb = 8\ndays = 2\n"
    (tmp_path / "table.toml").write_text(good)
    assert load_table(tmp_path / "table.toml").evidence.seconds == 60
    (tmp_path / "table.toml").write_text(good.replace("days = 2", "days = -2").replace("space_mb", "space_gb"))
    with pytest.raises(ConfigError) as bad:
        load_table(tmp_path / "table.toml")
    assert sorted(problem.line for problem in bad.value.problems) == [6, 7]
