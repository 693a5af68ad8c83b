"""From the organiser's folder to a table that publishes: card, picture, code, configuration, broker, HTTPS pages."""

from __future__ import annotations

import base64
import json
import random
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from nacl.signing import SigningKey
from typer.testing import CliRunner

from table_service.cli import app
from table_service.commands.broker_access import broker_address, credential
from table_service.commands.doctor import table_findings
from table_service.events.topics import Topics
from table_service.hall import HallError, hall_folder
from table_service.hall.authority import new_authority, now
from table_service.hall.card_page import card_pdf, text_in_picture
from table_service.hall.join_card import new_code, read_card
from table_service.install.contents import table_toml
from table_service.journal import Journal
from table_service.publish import Publisher
from table_service.rulesets import load_table
from tests.hall.conftest import Hall

RUNNER = CliRunner()


def _config(place: Path, table: str = "T1") -> Path:
    """A table's configuration as an installation writes it for a broker with passwords."""
    path = place / f"{table}.toml"
    path.write_text(table_toml(table, "sala", "none", "192.168.1.10", 8081), "utf-8")
    return path


def _printed(card: Path, dots: int = 150) -> np.ndarray:
    page = pypdfium2.PdfDocument(card)[0].render(scale=dots / 72)
    return np.ascontiguousarray(page.to_numpy()[:, :, :3])


def test_a_picture_of_the_printed_card_is_read(folder: Path, tmp_path: Path) -> None:
    """One card whose letters are fixed, as a scan of its page: how often a photograph is read was not measured."""
    place = folder / "tables" / "T1"
    card = read_card(place.joinpath("card.txt").read_text(), hall_folder.code_of(folder, "T1"))
    letters = random.Random(7)
    text = "TAVOLO1:" + "".join(letters.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(1350))
    (tmp_path / "card.pdf").write_bytes(card_pdf(card, text, now()))
    assert text_in_picture(_printed(tmp_path / "card.pdf")) == text


def test_a_picture_without_a_card_is_said(tmp_path: Path) -> None:
    blank = np.full((200, 200, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "blank.png"), blank)
    done = RUNNER.invoke(app, ["hall", "join", str(tmp_path / "blank.png"), "--config", "x.toml", "--code", "A"])
    assert done.exit_code == 1
    assert "no card can be read" in done.stderr


def test_a_card_opens_with_its_code_alone_and_names_its_table(folder: Path) -> None:
    text = (folder / "tables" / "T1" / "card.txt").read_text()
    card = read_card(text, hall_folder.code_of(folder, "T1").lower().replace("-", " "))
    assert (card.hall, card.table, card.host) == ("sala", "T1", "127.0.0.1")
    assert card.key == (folder / "tables" / "T1" / "T1.key").read_bytes()
    for code in (new_code(), "", hall_folder.code_of(folder, "T2")):
        with pytest.raises(HallError, match="code does not open"):
            read_card(text, code)


def test_nothing_of_the_key_is_on_the_card_without_the_code(folder: Path) -> None:
    place = folder / "tables" / "T1"
    text = place.joinpath("card.txt").read_text().strip().removeprefix("TAVOLO1:")
    raw = base64.b32decode(text + "=" * (-len(text) % 8))
    secret = read_card(place.joinpath("card.txt").read_text(), hall_folder.code_of(folder, "T1")).key
    number = base64.b64decode(b"".join(secret.splitlines()[1:-1]))[36:68]
    assert number not in raw
    assert b"sala" not in raw
    code = hall_folder.code_of(folder, "T1").encode()
    assert code not in place.joinpath("card.pdf").read_bytes()


@pytest.mark.parametrize("harm", ["TAVOLO1:", "TAVOLO1:AAAA", "hello", "", "TAVOLO1:!!", "TAVOLO1:" + "A" * 4000])
def test_a_text_that_is_no_card_is_said_in_a_sentence(tmp_path: Path, harm: str) -> None:
    (tmp_path / "card.txt").write_text(harm)
    config = _config(tmp_path)
    done = RUNNER.invoke(app, ["hall", "join", str(tmp_path / "card.txt"), "--config", str(config), "--code", "A"])
    assert done.exit_code == 1
    assert done.stderr.startswith("tavolo: ")
    assert done.stderr.count("\n") == 1


def test_a_card_with_one_letter_changed_does_not_open(folder: Path) -> None:
    text = (folder / "tables" / "T1" / "card.txt").read_text().strip()
    for at in (20, 200, len(text) - 2):
        changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
        with pytest.raises(HallError):
            read_card(changed, hall_folder.code_of(folder, "T1"))


def test_a_joined_table_publishes_over_tls_with_its_real_publisher(hall: Hall, tmp_path: Path) -> None:
    config = _config(tmp_path)
    card, code = hall.folder / "tables" / "T1" / "card.txt", hall_folder.code_of(hall.folder, "T1")
    done = RUNNER.invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code, "--json"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["broker"] == f"127.0.0.1:{hall.doors.tables}"
    console = hall.console()
    console.subscribe("tavolo/v1/sala/T1/status")
    table = load_table(config)
    assert table.broker.username is None
    assert table.broker.password_file is None
    journal = Journal.open(tmp_path / "T1.sqlite", "T1", SigningKey(bytes(range(32))))
    publisher = Publisher(Topics("sala", "T1"), broker_address(table.broker), journal, boot=journal.boot)
    publisher.start()
    try:
        console.wait(lambda: "tavolo/v1/sala/T1/status" in console.heard)
        assert publisher.report().connected
    finally:
        publisher.stop()
        journal.close()


def test_a_table_with_a_revoked_certificate_says_why_it_is_not_let_in(hall: Hall, tmp_path: Path) -> None:
    config = _config(tmp_path)
    card, code = hall.folder / "tables" / "T1" / "card.txt", hall_folder.code_of(hall.folder, "T1")
    assert RUNNER.invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code]).exit_code == 0
    assert RUNNER.invoke(app, ["hall", "revoke", "T1", "--in", str(hall.folder)]).exit_code == 0
    hall.restart()
    journal = Journal.open(tmp_path / "T1.sqlite", "T1", SigningKey(bytes(range(32))))
    publisher = Publisher(Topics("sala", "T1"), broker_address(load_table(config).broker), journal, boot=journal.boot)
    publisher.start()
    try:
        for _ in range(200):
            said = publisher.report().retrying
            if said and "revoked" in said:
                break
            time.sleep(0.05)
        assert said is not None
        assert "certificate revoked or at its end" in said
    finally:
        publisher.stop()
        journal.close()


def test_joining_changes_the_broker_of_the_configuration_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    config = _config(tmp_path)
    before = load_table(config)
    card, code = folder / "tables" / "T1" / "card.txt", hall_folder.code_of(folder, "T1")
    for _ in range(2):  # a second time with the same card changes nothing more
        assert RUNNER.invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code]).exit_code == 0
    after = load_table(config)
    assert after.model_dump(exclude={"broker"}) == before.model_dump(exclude={"broker"})
    assert after.broker.certificate_file == tmp_path / "tls" / "T1" / "T1.crt"
    assert after.broker.key_file is not None
    assert after.broker.key_file.stat().st_mode & 0o007 == 0
    assert "[sealing]" in config.read_text()  # the comments are there as before


@pytest.mark.parametrize(
    ("table", "hall", "said"),
    [("T2", "sala", "the card is table T1's"), ("T1", "altra", "the card is of hall 'sala'")],
)
def test_a_card_of_another_table_or_hall_is_refused(
    folder: Path, tmp_path: Path, table: str, hall: str, said: str
) -> None:
    config = tmp_path / "it.toml"
    config.write_text(table_toml(table, hall, "none", "", 8081))
    card, code = folder / "tables" / "T1" / "card.txt", hall_folder.code_of(folder, "T1")
    done = RUNNER.invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code])
    assert done.exit_code == 1
    assert said in done.stderr
    assert not (tmp_path / "tls").exists()


@pytest.mark.slow(20)
def test_the_console_serves_https_with_the_written_certificate_and_hears_the_hall(hall: Hall, tmp_path: Path) -> None:
    """`tavolo console` with the configuration as it was written: a browser that knows the authority believes it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "table_service.cli", "console", "--config", str(hall.folder / "console" / "hall.toml")],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        port = hall_folder.read_book(hall.folder).pages
        assert f"https://127.0.0.1:{port}/" in said, said + process.stdout.read()
        believes = ssl.create_default_context(cafile=str(hall.folder / "authority" / "authority.crt"))
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/health", context=believes, timeout=20) as answer:
            assert answer.status == 200
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"https://127.0.0.1:{port}/health", timeout=20)
        log = tmp_path / "mosquitto.log"
        for _ in range(200):
            if log.read_text().count("u'console'") >= 2:
                break
            time.sleep(0.1)
        assert log.read_text().count("u'console'") >= 2
    finally:
        process.terminate()
        process.wait(20)


def test_everything_private_is_its_owners_alone(folder: Path) -> None:
    open_to_others = [path for path in folder.rglob("*") if path.stat().st_mode & 0o007]
    assert open_to_others == []
    assert now() < hall_folder.read_book(folder).issued[0].until


def test_a_secret_is_taken_from_systemd_where_the_unit_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, given = tmp_path / "etc" / "T1.key", tmp_path / "run"
    given.mkdir()
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)
    assert credential(named) == named
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(given))
    assert credential(named) == named
    (given / "T1.key").write_text("\n")  # the unit's default: it was not there when the unit started
    assert credential(named) == named
    (given / "T1.key").write_text("x")
    assert credential(named) == given / "T1.key"


def test_the_doctor_says_until_when_a_table_is_let_in_and_who_is_not_the_halls_broker(
    hall: Hall, tmp_path: Path
) -> None:
    config = _config(tmp_path)
    card, code = hall.folder / "tables" / "T1" / "card.txt", hall_folder.code_of(hall.folder, "T1")
    assert RUNNER.invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code]).exit_code == 0
    found = {one.what: one for one in table_findings(load_table(config))}["mqtt"]
    held = hall_folder.read_book(hall.folder).current("table-T1")
    assert held is not None
    assert found.verdict == "ok"
    assert f"holds until {held.until:%d/%m/%Y}" in found.detail
    other = new_authority("sala", now())
    (tmp_path / "tls" / "T1" / "authority.crt").write_bytes(other.pem)
    found = {one.what: one for one in table_findings(load_table(config))}["mqtt"]
    assert found.verdict == "bad"
    assert "not the hall's broker" in found.detail
