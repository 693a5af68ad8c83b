"""A federation's files: what the command writes and refuses, and that deploy/ shows what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from table_service.federation import federation_folder
from table_service.federation.bridge_files import bridge_settings, federation_rights, federation_settings
from table_service.federation.errors import FederationError, FederationUseError
from table_service.federation.federation_config import load_federation
from table_service.hall.authority import new_authority, now

DEPLOY = Path(__file__).parents[2] / "deploy" / "federation"
THERE = Path("/etc/mosquitto/federation")


def said(*arguments: str) -> tuple[int, str]:
    """Exit code and all that `tavolo federation` prints."""
    found = CliRunner().invoke(app, ["federation", *arguments])
    return found.exit_code, found.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "federation"
    federation_folder.create(made, federation_folder.FederationBook("fibur", "federation.example"), now())
    return made


@pytest.fixture
def authority(tmp_path: Path) -> Path:
    path = tmp_path / "authority.crt"
    path.write_bytes(new_authority("sala", now()).pem)
    return path


def test_the_examples_in_deploy_are_what_the_command_writes() -> None:
    written = {
        "mosquitto.conf": federation_settings(THERE, 8883, 8884),
        "rights.acl": federation_rights(["bologna", "milano"]),
        "bridge.conf": bridge_settings("bologna", "sala", ("federation.example", 8883), THERE),
    }
    assert {path.name: path.read_text("utf-8") for path in DEPLOY.iterdir()} == written


def test_a_hall_is_admitted_given_its_bridge_and_shut_out_again(folder: Path, authority: Path) -> None:
    code, _ = said("admit", "bologna", "--authority", str(authority), "--in", str(folder), "--at", "/etc/x")
    assert code == 0
    bridge = folder / "bridges" / "bologna"
    assert {path.name for path in bridge.iterdir()} == {"bridge.conf", "federation.crt", "bologna.crt", "bologna.key"}
    assert "bridge_keyfile /etc/x/bologna.key" in (bridge / "bridge.conf").read_text()
    assert (bridge / "bologna.key").stat().st_mode & 0o077 == 0
    assert "user hall-bologna" in (folder / "broker" / "rights.acl").read_text()
    config = load_federation(folder / "archive" / "federation.toml")
    assert (config.federation.halls / "bologna" / "authority.crt").read_bytes() == authority.read_bytes()
    assert said("dismiss", "bologna", "--in", str(folder))[0] == 0
    assert "bologna" not in (folder / "broker" / "rights.acl").read_text()
    assert not bridge.exists()
    assert not (config.federation.halls / "bologna").exists()
    revoked = json.loads((folder / "federation.json").read_text())["halls"]["bologna"]["revoked"]
    assert len(revoked) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("admit", "a/b", "--authority", "AUTHORITY", "--in", "FOLDER"), 2, "is no name for a hall"),
        (
            ("admit", "roma", "--authority", "FOLDER/federation.json", "--in", "FOLDER"),
            1,
            "authority of hall roma is none",
        ),
        (("dismiss", "roma", "--in", "FOLDER"), 1, "is no hall of this federation"),
        (("dismiss", "roma", "--in", "FOLDER/halls"), 1, "holds no federation"),
        (("init", "FOLDER", "--host", "x.example"), 1, "is not empty"),
        (("init", "FOLDER/new", "--host", "a b"), 2, "is no address of a machine"),
        (("init", "FOLDER/new", "--host", "a", "--port", "8884"), 2, "two different ports"),
        (("status", "--config", "FOLDER/none.toml"), 1, "cannot be read"),
        (("search", "--config", "FOLDER/none.toml", "--type", "card.drawn"), 2, "is not searched by date"),
        (("search", "--config", "FOLDER/none.toml", "--boot", "00000a"), 2, "needs --hall and --table"),
    ],
)
def test_what_is_asked_for_wrongly_is_one_sentence(
    folder: Path, authority: Path, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    named = [one.replace("FOLDER", str(folder)).replace("AUTHORITY", str(authority)) for one in arguments]
    found, output = said(*named)
    assert found == code
    assert sentence in " ".join(output.split())
    assert "Traceback" not in output


def test_an_archive_that_is_not_there_is_said_in_one_sentence(folder: Path) -> None:
    config = folder / "archive" / "federation.toml"
    config.write_text(config.read_text().replace("[archive]", '[archive]\nport = 1\nhost = "127.0.0.1"'))
    for verb in ("status", "migrate"):
        code, output = said(verb, "--config", str(config))
        assert code == 1
        assert "is not reached" in output
        assert len(output.strip().splitlines()) == 1


def test_events_and_passwords_do_not_cross_a_network_in_the_clear(folder: Path) -> None:
    config = folder / "archive" / "federation.toml"
    config.write_text(config.read_text().replace("[archive]", '[archive]\nhost = "db.example"'))
    code, output = said("status", "--config", str(config))
    assert code == 1
    assert "db.example" in output


@pytest.mark.parametrize("text", ["{", "[]", '{"version": 1}', '{"version": 99}'])
def test_a_damaged_book_is_said(folder: Path, text: str) -> None:
    (folder / "federation.json").write_text(text)
    with pytest.raises(FederationError, match=r"damaged|newer"):
        federation_folder.read_book(folder)
    with pytest.raises(FederationUseError):
        federation_folder.check_name("a b")
