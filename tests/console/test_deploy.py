"""The files of deploy/: whole, without a secret, and right for the very programs that they are written for."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import paho.mqtt.client as mqtt
import pytest
import yaml
from paho.mqtt.enums import CallbackAPIVersion

from table_service.commands.broker_access import broker_address
from table_service.console import ConsoleSettings, serving
from table_service.console.hall_config import load_hall
from table_service.publish.broker import find_mosquitto, free_port
from tests.console.test_bounds_at_the_door import own_certificate

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def test_each_service_is_begun_again_is_asked_how_it_is_and_keeps_what_it_has_in_a_volume() -> None:
    assert set(COMPOSE["services"]) == {"broker", "console", "proxy"}
    for name, service in COMPOSE["services"].items():
        assert service["restart"] == "unless-stopped"
        assert service["healthcheck"]["test"][0] == "CMD"
        assert any(one.startswith(f"{name}:/") for one in service["volumes"])
        for volume in service["volumes"]:
            source = volume.partition(":")[0]
            assert source in COMPOSE["volumes"] or (DEPLOY / source).is_file(), source
        assert "environment" not in service, "a secret would stand in the file, or in what `inspect` shows"
    assert all(one["file"].startswith("./secrets/") for one in COMPOSE["secrets"].values())
    assert not (DEPLOY / "secrets").exists() or not list((DEPLOY / "secrets").iterdir())
    (subnet,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert load_hall(DEPLOY / "hall.toml").console.proxies == (subnet["subnet"],)


def test_a_container_engine_takes_the_file() -> None:
    engine = shutil.which("docker") or shutil.which("podman")
    if engine is None or subprocess.run([engine, "compose", "version"], capture_output=True, check=False).returncode:
        return  # containers are no part of what the project needs; its file is checked above
    subprocess.run([engine, "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "-q"], check=True)


@contextmanager
def broker(folder: Path) -> Iterator[int]:
    """The broker with deploy's settings: their files and the ports are the test's."""
    program, passwords = find_mosquitto(), shutil.which("mosquitto_passwd")
    if program is None or passwords is None:
        pytest.skip("mosquitto is not installed")
    own_certificate(folder)
    path = folder / "broker_passwords"
    path.touch(mode=0o600)
    for user in ("tavolo-console", "T1", "T2"):
        subprocess.run([passwords, "-b", str(path), user, "secret"], check=True, capture_output=True)
    port = free_port()
    text = (DEPLOY / "mosquitto.conf").read_text(encoding="utf-8")
    for old, new in {
        "/run/secrets/broker_passwords": str(path),
        "/run/secrets/broker_certificate": str(folder / "certificate.pem"),
        "/run/secrets/broker_key": str(folder / "key.pem"),
        "/mosquitto/config/rights.acl": str(DEPLOY / "rights.acl"),
        "/mosquitto/data/": f"{folder}/",
        "listener 1883": f"listener {port} 127.0.0.1",
        "listener 8883": f"listener {free_port()} 127.0.0.1",
    }.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "mosquitto.conf").write_text("user root\n" + text, encoding="utf-8")
    run = subprocess.Popen([str(program), "-c", str(folder / "mosquitto.conf")], stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        run.terminate()
        run.wait(10)


def until(met: Any) -> None:
    ends = time.monotonic() + 20
    while True:
        try:
            if met():
                return
        except (OSError, httpx.TransportError):
            pass
        assert time.monotonic() < ends
        time.sleep(0.05)


def as_user(port: int, user: str) -> mqtt.Client:
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    client.username_pw_set(user, "secret")
    until(lambda: client.connect("127.0.0.1", port) == 0)
    client.loop_start()
    until(client.is_connected)
    return client


def test_broker_and_console_run_with_these_settings_and_a_table_speaks_for_itself_alone(tmp_path: Path) -> None:
    with broker(tmp_path) as port:
        own, other = as_user(port, "T1"), as_user(port, "T2")
        config = load_hall(DEPLOY / "hall.toml")
        (tmp_path / "secret").write_text("secret\n", encoding="utf-8")
        section = config.broker.model_copy(
            update={"host": "127.0.0.1", "port": port, "password_file": tmp_path / "secret"}
        )
        address = broker_address(section)
        settings = ConsoleSettings(
            config.hall.name, address.host, address.port, address.username, address.password,
            proxies=config.console.proxies, tables=config.hall.tables,
        )  # fmt: skip
        with serving(settings) as console:
            health = f"{console.url}health"
            until(lambda: httpx.get(health).json()["broker"] == "connected")
            said = json.dumps({"state": "ready", "boot": "00000a", "version": "1"})
            for client in (other, own):
                client.publish("tavolo/v1/sala/T1/status", said if client is own else "{}", qos=1, retain=True)
            until(lambda: console.store.tables["T1"].status == "ready")
            own.publish("tavolo/v1/sala/T3/status", said, qos=1, retain=True)
            own.publish("tavolo/v1/sala/T1/status", said.replace("ready", "init"), qos=1)
            until(lambda: console.store.tables["T1"].status == "init")
            assert console.store.tables["T3"].status is None
        for client in (own, other):
            client.disconnect()
            client.loop_stop()


async def test_rules_and_dashboard_ask_for_figures_that_there_are(house: Any) -> None:
    house.hear()
    token = house.book.accounts.link(house.book.accounts.add("p", "technician", now=0.0).id, "api", expires=2e9)
    async with house.client(None) as client:
        told = (await client.get("/metrics", headers={"Authorization": f"Bearer {token}"})).text
    there = set(re.findall(r"^(?:# TYPE )?(tavolo_\w+)", told, re.MULTILINE))
    there |= {f"{name}_total" for name in there}
    rules = yaml.safe_load((DEPLOY / "prometheus-rules.yaml").read_text(encoding="utf-8"))
    asked = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    asked += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert len(asked) > 15
    for expression in asked:
        assert set(re.findall(r"tavolo_\w+", expression)) <= there, expression


def test_the_proxy_takes_its_file() -> None:
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed")
    line = [program, "adapt", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    routes = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
    assert "console:8080" in json.dumps(routes)


def test_an_image_holds_no_secret_of_the_hall_and_installs_what_the_lock_names() -> None:
    left_out = (DEPLOY.parent / ".dockerignore").read_text(encoding="utf-8").split()
    assert {"deploy/secrets", ".git", ".venv"} <= set(left_out)
    dockerfile = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    # the lock leaves Django out on purpose, so that pip must not ask for what its packages name
    assert all("--no-deps" in line for line in dockerfile.splitlines() if line.startswith("RUN pip install"))
