"""What `tavolo hall` says to what cannot be done: one sentence, 1 where a thing is bad, 2 where it was used wrongly."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from typer.testing import CliRunner

from table_service.cli import app
from table_service.hall import HallError, hall_folder
from table_service.hall.authority import now
from table_service.hall.broker_files import Doors, broker_settings

RUNNER = CliRunner()


def _says(*arguments: str, code: int) -> str:
    done = RUNNER.invoke(app, ["hall", *arguments])
    assert done.exit_code == code, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("tavolo: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_folder_that_is_there_is_left_as_it_is(folder: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert "holds a hall already" in _says("init", str(folder), "T9", "--host", "127.0.0.1", code=1)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    assert "not empty" in _says("init", str(tmp_path / "full"), "T1", "--host", "127.0.0.1", code=1)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    (tmp_path / "file").write_text("")
    assert "not empty" in _says("init", str(tmp_path / "file"), "T1", "--host", "127.0.0.1", code=1)
    assert "no folder" in _says("init", str(tmp_path / "a" / "b"), "T1", "--host", "127.0.0.1", code=1)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    "name", ["T 1", "T1/../../etc", "tavolo è", "", "#", "T1\nuser evil", "+", "x" * 41, "..", "T9..T1"]
)
def test_a_name_that_no_table_can_have_is_refused_before_anything_is_made(tmp_path: Path, name: str) -> None:
    _says("init", str(tmp_path / "hall"), "--host", "127.0.0.1", "--", name, code=2)
    assert not (tmp_path / "hall").exists()
    _says("init", str(tmp_path / "hall"), "T1", "--host", "127.0.0.1", "--hall", name or " ", code=2)
    assert not (tmp_path / "hall").exists()


@pytest.mark.parametrize(
    "host", ["8.8.8.8", "bank.example.com", "", "a b", "hall.local\nx", "-", "http://hall.local", "è.local"]
)
def test_an_address_outside_a_halls_network_is_refused(tmp_path: Path, host: str) -> None:
    _says("init", str(tmp_path / "hall"), "T1", f"--host={host}", code=2)
    assert not (tmp_path / "hall").exists()


def test_without_an_address_or_with_one_port_for_two_nothing_is_made(tmp_path: Path) -> None:
    assert "--host" in _says("init", str(tmp_path / "hall"), "T1", code=2)
    assert "differ" in _says("init", str(tmp_path / "hall"), "T1", "--host", "127.0.0.1", "--port", "8443", code=2)
    assert not (tmp_path / "hall").exists()


@pytest.mark.parametrize("verb", ["revoke", "renew"])
def test_a_table_that_the_hall_does_not_have_is_named(folder: Path, verb: str) -> None:
    said = _says(verb, "T1", "T7", "--in", str(folder), code=1)
    assert "no table 'T7'" in said
    assert hall_folder.read_book(folder).welcome == ["T1", "T2"]


def test_a_table_that_is_there_is_not_added_again(folder: Path) -> None:
    assert "in the hall already" in _says("add", "T3", "T1", "--in", str(folder), code=1)
    assert hall_folder.read_book(folder).tables == ["T1", "T2"]


@pytest.mark.parametrize("verb", ["add", "renew", "revoke"])
def test_without_the_authoritys_key_nothing_is_changed(folder: Path, verb: str) -> None:
    before = (folder / "hall.json").read_bytes()
    (folder / "authority" / "authority.key").unlink()
    assert "cannot be read" in _says(verb, "T3" if verb == "add" else "T1", "--in", str(folder), code=1)
    (folder / "authority" / "authority.key").write_text("no key")
    assert "damaged" in _says(verb, "T3" if verb == "add" else "T1", "--in", str(folder), code=1)
    assert (folder / "hall.json").read_bytes() == before


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"version":1}', '{"version":"x"}'])
def test_a_book_that_is_damaged_is_said(folder: Path, text: str) -> None:
    (folder / "hall.json").write_text(text)
    assert "damaged" in _says("list", "--in", str(folder), code=1)


def test_a_newer_book_and_a_folder_without_one_are_said(folder: Path, tmp_path: Path) -> None:
    told = json.loads((folder / "hall.json").read_text())
    (folder / "hall.json").write_text(json.dumps({**told, "version": 2}))
    assert "newer Tavolo" in _says("list", "--in", str(folder), code=1)
    assert "holds no hall" in _says("renew", "--in", str(tmp_path), code=1)


def test_an_authority_at_its_end_signs_nothing_but_still_shuts_out(tmp_path: Path) -> None:
    began = now() - timedelta(days=100)
    book = hall_folder.HallBook("sala", ["127.0.0.1"], Doors(), 8443, "2.0", ["T1", "T2"])
    hall_folder.create(tmp_path / "hall", book, began, days=90)
    assert "ended" in _says("renew", "T1", "--in", str(tmp_path / "hall"), code=1)
    assert "ended" in _says("add", "T3", "--in", str(tmp_path / "hall"), code=1)
    assert RUNNER.invoke(app, ["hall", "revoke", "T1", "--in", str(tmp_path / "hall")]).exit_code == 0
    assert hall_folder.read_book(tmp_path / "hall").welcome == ["T2"]


def test_what_ends_soon_is_renewed_and_what_does_not_is_left(folder: Path) -> None:
    start = now()
    assert hall_folder.renew(folder, [], start) == []
    hall_folder.revoke(folder, ["T2"], start)
    later = start + timedelta(days=380)
    assert hall_folder.renew(folder, [], later) == ["broker", "console", "pages", "table-T1"]
    book = hall_folder.read_book(folder)
    assert book.welcome == ["T1"]  # who was shut out is not brought back by the way
    held = book.current("table-T1")
    assert held is not None
    assert held.until == later + timedelta(days=397)


def test_the_list_of_the_revoked_holds_as_long_as_the_authority_and_names_every_certificate(folder: Path) -> None:
    hall_folder.renew(folder, ["T1"], now())
    hall_folder.revoke(folder, ["T1"], now())
    serials = {one.serial for one in hall_folder.read_book(folder).issued if one.name == "table-T1"}
    listed = x509.load_pem_x509_crl((folder / "broker" / "revoked.crl").read_bytes())
    authority = x509.load_pem_x509_certificate((folder / "authority" / "authority.crt").read_bytes())
    assert len(serials) == 2
    assert {one.serial_number for one in listed} == serials
    assert listed.next_update_utc == authority.not_valid_after_utc
    assert listed.is_signature_valid(authority.public_key())  # type: ignore[arg-type]
    assert "table-T1" not in (folder / "broker" / "rights.acl").read_text()


def test_two_commands_at_once_lose_none_of_what_either_did(folder: Path) -> None:
    failed: list[HallError] = []

    def bring(names: list[str]) -> None:
        try:
            for name in names:
                hall_folder.add(folder, [name], now())
        except HallError as error:
            failed.append(error)

    threads = [threading.Thread(target=bring, args=([f"{letter}{n}" for n in range(4)],)) for letter in "AB"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(hall_folder.read_book(folder).tables) == sorted(
        ["T1", "T2", *(f"{x}{n}" for x in "AB" for n in range(4))]
    )


def test_settings_for_2_1_have_the_rights_as_a_plugin_of_each_listener() -> None:
    text = broker_settings(Path("/hall/broker"), Doors(), "2.1")
    assert "acl_file /hall" not in text.replace("plugin_opt_acl_file", "")
    assert text.count("listener_allow_anonymous false\nplugin_use tavolo-acl\n") == 2
    assert "plugin_opt_acl_file /hall/broker/rights.acl\n" in text
