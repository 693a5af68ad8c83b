"""`tavolo node`: images by sum and chip, settings, errors in a sentence. The chip: tests/firmware/test_emulated.py."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import threading
import tty
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

from firmware_bridge.codec import SCHEMA, encode
from firmware_bridge.frames import Frame, Hello
from firmware_bridge.maintenance import ACTIONS, NodeWish, inputs_of, wanted_configuration
from hw.micropython_images import ImageError, approve, find_drive, pinned, read_image
from hw.pins import load_boards
from hw.provision import ProvisionError, configuration, files_checksum, unseal
from lab.chips.emulated_pico import find_image
from table_service.cli import app

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59


def uf2(family: int, text: bytes = b"MicroPython v1.28.0 on 2026-04-06") -> bytes:
    """A file of two UF2 blocks, by Microsoft's specification."""
    blocks = []
    for number in range(2):
        payload = (text if number == 0 else b"").ljust(256, b"\0")
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, 2, family)
        blocks.append(head + payload.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """A mounted drive as a Pico in BOOTSEL mode shows it."""
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: RPI-RP2\r\n")
    return folder


def run(*words: str) -> tuple[int, str]:
    """Exit code and all that was said."""
    outcome = CliRunner().invoke(app, ["node", *words])
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit), outcome.exception
    assert "Traceback" not in outcome.output
    return outcome.exit_code, outcome.output


def test_an_image_is_copied_only_by_its_sum_and_to_its_own_chip(tmp_path: Path, drive: Path) -> None:
    image = tmp_path / "pico.uf2"
    image.write_bytes(uf2(RP2040))
    total = hashlib.sha256(image.read_bytes()).hexdigest()
    code, said = run("flash", "--image", str(image), "--drive", str(drive))
    assert (code, total in said, "not pinned" in said) == (1, True, True)
    assert run("flash", "--image", str(image), "--drive", str(drive), "--sha256", "0" * 64)[0] == 1
    assert not (drive / "pico.uf2").exists()
    code, said = run("flash", "--image", str(image), "--drive", str(drive), "--sha256", total, "--json")
    assert code == 0
    assert json.loads(said.splitlines()[-1])["version"] == "1.28.0"
    assert (drive / "pico.uf2").read_bytes() == image.read_bytes()
    image.write_bytes(uf2(RP2350))
    total = hashlib.sha256(image.read_bytes()).hexdigest()
    code, said = run("flash", "--image", str(image), "--drive", str(drive), "--sha256", total)
    assert (code, "for an RP2350" in said) == (1, True)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "no UF2 file"),
        (b"x" * 512, "no whole UF2 file"),
        (uf2(RP2040)[:512], "no whole UF2 file"),
        (uf2(RP2040)[:-1], "no UF2 file"),
        (uf2(0x12345678), "another chip"),
    ],
)
def test_what_is_no_image_is_refused_in_a_sentence(content: bytes, what: str, tmp_path: Path, drive: Path) -> None:
    image = tmp_path / "pico.uf2"
    image.write_bytes(content)
    code, said = run("flash", "--image", str(image), "--drive", str(drive))
    assert (code, what in said) == (1, True), said


def test_a_program_that_is_no_micropython_is_refused_whatever_its_sum(tmp_path: Path) -> None:
    image = tmp_path / "blink.uf2"
    image.write_bytes(uf2(RP2040, b"blink"))
    read = read_image(image)
    with pytest.raises(ImageError, match="no MicroPython"):
        approve(read, read.sha256)


def test_the_image_at_hand_is_pinned_and_what_nobody_verified_is_not() -> None:
    by_name = {one.file: one for one in pinned()}
    assert by_name["RPI_PICO-20260406-v1.28.0.uf2"].sha256 == ""
    found = find_image()
    if found is None:
        pytest.skip("no MicroPython image for an RP2040: its sum is not compared (TAVOLO_UF2 names one)")
    read = read_image(found)
    assert (read.chip, read.version) == ("RP2040", "1.28.0")
    assert read.sha256 == by_name[found.name].sha256
    assert "pinned" in approve(read, None)


def test_a_drive_is_found_among_the_mounts(tmp_path: Path, drive: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"proc /proc proc rw 0 0\n/dev/sda1 {drive} vfat rw 0 0\n")
    assert find_drive(mounts) == drive
    mounts.write_text("proc /proc proc rw 0 0\n")
    with pytest.raises(ImageError, match="BOOTSEL"):
        find_drive(mounts)


def test_settings_that_are_not_named_stay_and_calibration_too() -> None:
    board = load_boards()["gates"]
    there = unseal(configuration(board, "old", "usb", {"scale:stock": {"zero": 7}}, screens=False)) | {"quiet": True}
    assert wanted_configuration(there, NodeWish()) == there
    told = wanted_configuration(there, NodeWish(name="new", inverted=("edge:N", "place:stock"), quiet=False))
    assert told == there | {"name": "new", "inverted": ["edge:N", "place:stock"], "quiet": False}
    assert wanted_configuration(None, NodeWish(board="seats"))["board"] == "seats"
    assert wanted_configuration(there, NodeWish(board="seats"))["calibration"] == {}, (
        "another board's is not this one's"
    )
    with pytest.raises(ProvisionError, match="which board it is, gates"):
        wanted_configuration(None, NodeWish())
    with pytest.raises(ProvisionError, match="no input 'edge:X'"):
        wanted_configuration(there, NodeWish(inverted=("edge:X",)))
    assert "edge:N" in inputs_of("gates")


def test_errors_are_one_sentence_with_exit_code_1_and_wrong_use_2(tmp_path: Path) -> None:
    code, said = run("verify", "--port", str(tmp_path / "none"))
    assert (code, "is the node plugged in?" in said) == (1, True)
    assert run("bench", "juggle")[0] == 2
    assert run("bench", "calibrate", "stock")[0] == 2
    for words in (
        ("calibrate", "stock", "heavy"),
        ("calibrate", "stock", "nan"),
        ("lights", "16", "0"),
        ("knocks", "0"),
    ):
        code, said = run("bench", *words, "--port", "/dev/null")
        assert (code, "a number from" in said) == (2, True), "told before the node is stopped"
    assert run("update", "--board", "cellar")[0] == 2
    code, said = run("update", "--board", "gates", "--inverted", "edge:Q", "--port", str(tmp_path / "none"))
    assert (code, "no input 'edge:Q'" in said) == (1, True), "told before the port is opened"
    assert run("images", "--json")[0] == 0
    assert all(board in run("update", "--help")[1] for board in load_boards())


def test_the_benchs_help_names_every_action() -> None:
    said = run("bench", "--help")[1]
    assert all(action in said for action in ACTIONS)


@pytest.fixture
def caller() -> Iterator[tuple[str, list[Hello]]]:
    """A port at which a node says hello again and again, or something else."""
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    hellos: list[Hello] = []
    stop = threading.Event()

    def say() -> None:
        while not stop.wait(0.05):
            for hello in hellos:
                os.write(master, b"\0" + encode(Frame(0, 9, 0, 1, hello)))

    thread = threading.Thread(target=say)
    thread.start()
    yield os.ttyname(slave), hellos
    stop.set()
    thread.join()
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    ("schema", "files", "problem"),
    [
        (SCHEMA.hash, files_checksum(), ""),
        (SCHEMA.hash, "0123456789abcdef", "not those of this program"),
        (1, "", "another version of the link"),
    ],
)
def test_verify_names_a_node_that_is_stale(
    caller: tuple[str, list[Hello]], schema: int, files: str, problem: str
) -> None:
    port, hellos = caller
    hellos.append(Hello(schema, 1, 1, 3, 0, 2, 1, "tavolo 3", "seats", files))
    code, said = run("verify", "--port", port, "--json")
    answer = json.loads(said)
    assert (code, answer["node"], answer["right"]) == (1 if problem else 0, "seats", not problem)
    assert problem in answer["problem"]
    assert set(answer) >= set(asdict(hellos[0])) - {"schema", "opening", "sensors", "map"}
    assert ("tavolo node update" in run("verify", "--port", port)[1]) == bool(problem)


def test_verify_of_a_silent_port_says_so(caller: tuple[str, list[Hello]]) -> None:
    code, said = run("verify", "--port", caller[0], "--wait", "1")
    assert (code, "Nobody said hello" in said) == (1, True)
