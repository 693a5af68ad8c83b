"""The hall's configuration: floors with runs of tables, and what is wrong said with its line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hw.config_text import ConfigError
from table_service.commands.remote_access import openid_settings
from table_service.console.hall_config import load_hall, tables_named
from table_service.service import ServiceError


def test_a_run_of_tables_is_each_of_them_once() -> None:
    assert tables_named(("T1..T3", "F", "T2")) == ("T1", "T2", "T3", "F")


@pytest.mark.parametrize("wrong", ["T1..S3", "T9..T1", "T1..T9999", "T..U"])
def test_a_run_that_makes_no_sense_is_said_with_its_line(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(f'[hall]\nname = "sala"\n\n[hall.floors]\n"Piano terra" = ["{wrong}"]\n', encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_hall(file)
    assert "T1..T40" in str(caught.value)
    assert str(caught.value).startswith(f"{file}:")


def test_the_example_is_right() -> None:
    hall = load_hall(Path(__file__).parents[2] / "examples" / "hall.toml")
    assert hall.hall.floors == {"Piano terra": ("T12",)}
    assert hall.console.order_life < 300


OPENID = '[sign_in.openid]\nlabel = "F"\nissuer = "https://login.example/realms/f"\nclient_id = "t"\n'
HALL = '[hall]\nname = "sala"\ntables = ["T1..T3"]\n\n'


def test_an_openid_provider_is_taken_with_a_secret_that_nobody_else_may_read(tmp_path: Path) -> None:
    secret = tmp_path / "openid.secret"
    secret.write_text("chiave\n", encoding="utf-8")
    file = tmp_path / "hall.toml"
    more = f'address = "https://hall:8443/"\nclient_secret_file = "{secret}"\nunknown = "wait"\n'
    file.write_text(HALL + OPENID + more, encoding="utf-8")
    for mode in (0o640, 0o604):
        secret.chmod(mode)
        with pytest.raises(ServiceError, match="others may read"):
            openid_settings(load_hall(file).sign_in)
    secret.chmod(0o600)
    told = openid_settings(load_hall(file).sign_in)
    assert told is not None
    assert (told.client_secret, told.redirect) == ("chiave", "https://hall:8443/openid/back")
    assert told.waits
    assert told.each_time
    secret.write_text("\n", encoding="utf-8")
    with pytest.raises(ServiceError, match="is empty"):
        openid_settings(load_hall(file).sign_in)
    assert openid_settings(load_hall(Path(__file__).parents[2] / "examples" / "hall.toml").sign_in) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[hall.floors]\n"Terra" = ["T1", "T9"]\n', "floor 'Terra' has T9"),
        ('[hall.floors]\n"Terra" = ["T1"]\n"Primo" = ["T1"]\n', "table T1 stands on two floors"),
        ('[console]\nhost = "0.0.0.0"\n', "passwords would cross the network in the clear"),
        ('[console]\nhost = "192.168.1.4"\n', "passwords would cross the network in the clear"),
        ('[console]\ntls_key = "key.pem"\n', "TLS needs both"),
        ("[console]\nport = 1883\n", "the pages cannot have port 1883"),
        ('[remote.mail]\nhost = "mx.example"\nsender = "a@b"\nsecurity = "none"\n', "mail would cross the network"),
        ('[remote.mail]\nhost = "mx.example"\nsender = "a@b"\nusername = "a"\n', "both 'username' and 'password_file'"),
        ('[[remote.halls]]\nname = "b"\nurl = "http://hall2:80"\ntoken_file = "t"\n', "is no address of a console"),
        (f'{OPENID}address = "http://hall:8080"\n', "is no address that can be trusted"),
        (f'{OPENID}address = "https://hall/console"\n', "has a path"),
        (f'{OPENID}address = "https://hall"\nclaim = "email"\n', "'email' can change or pass to another person"),
        (OPENID.replace("https:", "http:") + 'address = "https://hall"\n', "is no address that can be trusted"),
        (OPENID.replace("login", "me@login") + 'address = "https://hall"\n', "is no address that can be trusted"),
        ('[remote.federation]\nname = "b"\nurl = "http://f:80"\ntoken_file = "t"\n', "is no address of a console"),
    ],
)
def test_a_hall_that_cannot_work_as_it_stands_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(HALL + text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_hall(file)
    (problem,) = caught.value.problems
    assert said in problem.message
    assert problem.it
    assert problem.it != problem.message
    assert problem.line >= 5


@pytest.mark.parametrize(
    "text",
    [
        '[console]\nhost = "0.0.0.0"\nplain = true\n',
        '[console]\nhost = "0.0.0.0"\ntls_certificate = "c.pem"\ntls_key = "k.pem"\n',
        '[console]\nhost = "127.0.0.1"\n',
    ],
)
def test_a_hall_reached_safely_is_right(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(HALL + text, encoding="utf-8")
    load_hall(file)


def test_the_console_serves_over_tls_with_the_halls_own_certificate(tmp_path: Path) -> None:
    import ssl
    import subprocess

    import httpx

    from table_service.console import ConsoleError, ConsoleSettings, serving

    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out",
         str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    with serving(ConsoleSettings(tls=(certificate, key))) as running:
        assert running.url.startswith("https://")
        context = ssl.create_default_context(cafile=str(certificate))
        assert httpx.get(running.url + "enter", verify=context).status_code == 200
    with pytest.raises(ConsoleError, match="TLS"), serving(ConsoleSettings(tls=(key, key))):
        pass


def test_the_consoles_door_gives_the_function_whatever_was_loaded_before() -> None:
    """No part of the room is named like what it gives: a module once loaded would stand in the function's place."""
    code = "from table_service.console import ConsoleError, RunningConsole, serving; assert callable(serving)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_hall_of_a_federation_has_its_page_and_a_token(tmp_path: Path) -> None:
    from table_service.commands.remote_access import remote_settings

    (tmp_path / "token").write_text("a-token\n")
    file = tmp_path / "hall.toml"
    told = f'[remote.federation]\nname = "bologna"\nurl = "https://f.example:8090/"\ntoken_file = "{tmp_path}/token"\n'
    file.write_text(HALL + told, encoding="utf-8")
    found = remote_settings(load_hall(file).remote).federation
    assert found is not None
    assert (found.name, found.url, found.token) == ("bologna", "https://f.example:8090", "a-token")
