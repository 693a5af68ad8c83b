"""The console behind nginx and Caddy, with the settings of docs/behind-a-proxy.md; what a proxy may leave out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving, shared_streams, streams
from table_service.console.connection_limits import ConnectionLimits
from table_service.publish.broker import free_port
from tests.console.test_bounds_at_the_door import own_certificate

feed: Any = sys.modules["console_feed"]
PAGE = (Path(__file__).parents[2] / "docs/behind-a-proxy.md").read_text(encoding="utf-8")
KEY = feed.ALERT["key"]


def settings_of(kind: str, folder: Path, port: int, console: int) -> str:
    """The page's settings for ``kind``, with the names, ports and files of the test."""
    found = re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    text = found[1].replace("127.0.0.1:8080", f"127.0.0.1:{console}").replace("/etc/ssl/tavolo/", f"{folder}/")
    return text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("console.example", f"localhost:{port}", 1)


def command(kind: str, folder: Path, port: int, console: int) -> list[str]:
    program = shutil.which(kind) or shutil.which(kind, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{kind} is not installed")
    text = settings_of(kind, folder, port, console)
    path = folder / f"{kind}.conf"
    if kind == "nginx":
        text = text.replace(f"localhost:{port}", "localhost")
        places = " ".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        text = f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {places} {text} }}"
        path.write_text(text, encoding="utf-8")
        return [program, "-e", f"{folder}/errors", "-c", str(path)]
    path.write_text("{\nadmin off\nauto_https disable_redirects\n}\n" + text, encoding="utf-8")
    return [program, "run", "--adapter", "caddyfile", "--config", str(path)]


@contextmanager
def behind(kind: str, folder: Path) -> Iterator[tuple[RunningConsole, httpx.Client]]:
    """A console behind a proxy, and a client of the proxy in which a chief is signed in."""
    certificate, key = own_certificate(folder)
    certificate.rename(folder / "chain.pem")
    key.rename(folder / "key.pem")
    with serving(ConsoleSettings(tables=("T12",), open_link=True, undo=0)) as console:
        for topic, payload in feed.evening():
            console.store.apply(topic, payload, now=1_800_000_000.0)
        port = free_port()
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
        proxy = subprocess.Popen(
            command(kind, folder, port, console.port),
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            with httpx.Client(base_url=f"https://localhost:{port}", verify=False, timeout=20) as client:  # noqa: S501
                ends = time.monotonic() + 20
                while True:
                    try:
                        assert client.get("/health").status_code == 200
                        break
                    except httpx.TransportError:
                        assert time.monotonic() < ends
                        assert proxy.poll() is None
                        time.sleep(0.05)
                entered = client.get(console.door.removeprefix(console.url.rstrip("/")))
                assert "secure" in entered.headers["set-cookie"].lower(), "the console knows that TLS was spoken"
                yield console, client
        finally:
            proxy.terminate()
            proxy.wait(10)


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_pages_buttons_and_streams_come_through_a_proxy_with_the_pages_settings(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (streams, shared_streams):  # no sign of life takes along what the proxy keeps back
        monkeypatch.setattr(module, "QUIET_S", 600.0)
    with behind(kind, tmp_path) as (console, client):
        page = client.get(f"/table/T12/alert/{KEY}").text
        token = re.search(r'"X-CSRF":"([^"]+)"', page)
        assert token is not None
        head = {"X-CSRF": token[1], "Origin": str(client.base_url), "HX-Request": "true"}
        assert client.post(f"/table/T12/alert/{KEY}/hand/take", headers=head).status_code == 204
        assert client.post(f"/table/T12/alert/{KEY}/hand/take", headers=head | {"Origin": "https://elsewhere"}).text
        with client.stream("GET", "/table/T12/stream") as stream:
            lines = stream.iter_lines()
            while not next(lines).startswith("event: alerts"):
                pass
            alert = json.dumps({**feed.ALERT, "key": "through-1", "title": {"it": "Nuovo", "en": "New"}}).encode()
            console.store.apply(f"{feed.PREFIX}T12/alert/through-1", alert, now=1_800_000_100.0)
            while "through-1" not in next(lines):
                pass


async def test_a_browser_that_says_where_its_page_is_from_is_believed_whatever_a_proxy_makes_of_host(
    house: Any,
) -> None:
    house.hear()
    where = f"/table/T12/alert/{KEY}/hand/take"
    async with house.client("arbitro") as client:
        client.headers["HX-Request"] = "true"
        far = {"Origin": "https://console.example"}
        assert (await client.post(where, headers=far | {"Sec-Fetch-Site": "same-origin"})).status_code == 204
        assert (await client.post(where, headers=far | {"Sec-Fetch-Site": "same-site"})).status_code != 204
        refused = await client.post(where, headers=far)
        assert "https://console.example" in refused.text
        assert "Host" in refused.text


def test_a_proxy_that_the_hall_names_may_have_as_many_connections_as_it_needs() -> None:
    limits = ConnectionLimits(most=2, proxies=("172.18.0.0/16", "fd00::5"))
    assert all(limits.take(one) == "" for one in ["172.18.0.3", "fd00::5"] * 20)
    assert [limits.take("172.19.0.3") for _ in range(3)][-1] is None
