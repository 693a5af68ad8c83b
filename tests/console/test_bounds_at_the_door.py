"""What anyone can send the console, with or without a session, is bounded before it is kept in memory."""

from __future__ import annotations

import socket
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings, serving
from table_service.console.body_limits import MOST_OF_A_PROGRAM
from table_service.console.connection_limits import MOST
from table_service.console.entry_list import entries_of
from table_service.console.listener import Listener
from table_service.console.pages import STREAMS_MOST, environment
from table_service.console.plain_names import plain_name
from table_service.console.storage import Book, Role
from table_service.rulesets import RULE_SETS
from tests.console.test_connection_limits import asks, is_over, knock, until

MB = 1024 * 1024


def memory() -> int:
    """Return how many bytes of this process, the console's threads among them, lie in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096


def pour(port: int, path: str, head: str, chunks: int) -> bytes:
    """Send a body of ``chunks`` MB in pieces until the console answers; return its answer's first bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as one:
        one.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{head}\r\n\r\n".encode())
        piece = b"x" * MB
        try:
            for _ in range(chunks):
                one.sendall(f"{MB:x}\r\n".encode() + piece + b"\r\n" if "chunked" in head else piece)
        except OSError:
            pass  # it has answered and hung up
        try:
            return one.recv(200)
        except OSError:
            return b""


@pytest.mark.parametrize("path", ["/api/v1/awards", "/enter", "/table/T1/order/dismiss", "/photographs-no"])
@pytest.mark.parametrize(
    "head", ["Transfer-Encoding: chunked", f"Content-Length: {100 * MB}"], ids=["chunked", "length"]
)
def test_a_body_of_a_hundred_megabytes_by_nobody_is_refused_and_not_kept(path: str, head: str) -> None:
    with serving(ConsoleSettings()) as console:
        assert asks(console.port, "127.0.0.1") == 200
        before = memory()
        answers = [pour(console.port, path, head, 100) for _ in range(2)]
        assert memory() - before < 40 * MB
        for answer in answers:
            assert not answer or answer.split()[1] in (b"401", b"404", b"413"), answer
        assert asks(console.port, "127.0.0.1") == 200


async def test_a_body_that_is_too_long_is_told_so(house: Any) -> None:
    async with house.client() as client:
        told = await client.post("/api/v1/awards", content=b"x" * (MOST_OF_A_PROGRAM + 1))
        assert told.status_code == 413
        assert "troppo lunga" in told.json()["it"]
        assert (await client.post("/enter", data={f"a{n}": "1" for n in range(201)})).status_code == 413


def own_certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


def test_connections_without_a_tls_hello_are_bounded_for_each_address(tmp_path: Path) -> None:
    certificate, key = own_certificate(tmp_path)
    with serving(ConsoleSettings(tls=(certificate, key))) as console:
        before = memory()
        held = [knock(console.port) for _ in range(MOST)]
        turned = [knock(console.port) for _ in range(200)]
        assert all(is_over(one) for one in turned)
        assert memory() - before < 64 * MB
        with socket.create_connection(
            ("127.0.0.1", console.port), source_address=("127.0.0.3", 0), timeout=20
        ) as other:
            context = ssl.create_default_context(cafile=str(certificate))
            context.check_hostname = False
            with context.wrap_socket(other) as safe:
                safe.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert safe.recv(100).startswith(b"HTTP/1.1 200")
        for one in (*held, *turned):
            one.close()

        def is_free() -> bool:
            with knock(console.port) as again:
                again.settimeout(0.2)
                try:
                    return again.recv(1) != b""
                except TimeoutError:
                    return True
                except OSError:
                    return False

        until(is_free)


def test_one_browser_holds_so_many_streams_and_another_has_its_own() -> None:
    with serving(ConsoleSettings(open_link=True)) as console:
        with socket.create_connection(("127.0.0.1", console.port), timeout=20) as one:
            path = console.door.removeprefix(console.url.rstrip("/"))
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            told = one.recv(4000).decode()
            cookie = next(line for line in told.split("\r\n") if line.lower().startswith("set-cookie"))
            cookie = cookie.partition(":")[2].strip().partition(";")[0]

        def stream(port: int) -> tuple[socket.socket, int]:
            opened = socket.create_connection(("127.0.0.1", port), timeout=20)
            opened.sendall(f"GET /stream HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
            return opened, int(opened.recv(100).split()[1])

        held = [stream(console.port) for _ in range(STREAMS_MOST)]
        assert {status for _, status in held} == {200}
        more, status = stream(console.port)
        assert status == 429
        more.close()
        for opened, _ in held:
            opened.close()

        def is_free() -> bool:
            opened, status = stream(console.port)
            opened.close()
            return status == 200

        until(is_free)


def test_an_older_link_of_the_day_opens_nothing_once_a_newer_one_is_made() -> None:
    book = Book()
    person = book.accounts.add("Anna", Role.ARBITRO, now=0.0)
    assert person is not None
    first, token = (book.accounts.link(person.id, kind, expires=100.0) for kind in ("day", "api"))
    assert book.accounts.behind(first, "day", now=1.0) is not None
    second = book.accounts.link(person.id, "day", expires=100.0)
    assert book.accounts.behind(first, "day", now=1.0) is None
    assert book.accounts.behind(second, "day", now=1.0) is not None
    book.accounts.link(person.id, "api", expires=100.0)
    assert book.accounts.behind(token, "api", now=1.0) is not None, "a program keeps its token"


async def test_an_organiser_makes_no_link_and_no_token_for_another_organiser(house: Any) -> None:
    other = house.book.accounts.add("Olga", Role.ORGANISER, now=house.at)
    async with house.client("organiser") as client:
        for deed in ("day", "start", "api", "no-api", "disable"):
            answer = await client.post(f"/people/{other.id}/{deed}")
            assert answer.status_code == 400, deed
            assert "/enter/" not in answer.text
        own = next(one for one in house.book.accounts.everybody() if one.role is Role.ORGANISER and one.id != other.id)
        assert "/enter/" in (await client.post(f"/people/{own.id}/day")).text


async def test_names_turn_no_text_around_them(house: Any) -> None:
    turned = "Anna\u202eissoR\u202c"
    assert plain_name(turned) == "AnnaissoR"
    person = house.book.accounts.add(f"{turned}\x07", Role.SPECTATOR, now=house.at)
    assert person.name == "AnnaissoR"
    page = environment(RULE_SETS.values()).from_string("<b>{{ name }}</b>{{ name|safe }}")
    assert page.render(name=turned) == "<b>AnnaissoR</b>AnnaissoR", "what a table says of its players, too"
    assert entries_of(f"Rossi;{turned}") == ("Rossi–AnnaissoR",)


def test_the_consoles_sessions_at_the_broker_have_a_name_that_no_table_hears(house: Any) -> None:
    listener = Listener(house.settings, house.store, house.office)
    book = house.book
    assert book.name not in book.broker_name
    assert len(book.broker_name) >= 24
    assert all(book.broker_name in name for name in listener.names)
    assert book.broker_name not in str(house.sent)
