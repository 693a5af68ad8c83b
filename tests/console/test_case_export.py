"""One case as one file, and the picture beside a moment of a past deal."""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import re
import sys
import threading
import zipfile
from typing import Any, ClassVar

from table_service.console.archive.case_file import CaseFile, CasePicture, case_zip
from table_service.console.remote.sharing import OtherHall, RemoteSettings

feed: Any = sys.modules["console_feed"]
CASE = f"/table/T12/alert/{feed.ALERT['key']}/case.zip"


def opened(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


async def test_a_case_is_one_file_with_text_events_ruling_and_pictures_and_every_hash_is_right(house: Any) -> None:
    house.hear()
    await house.post(f"/table/T12/alert/{feed.ALERT['key']}/rule/rule", name="Anna")
    house.answer()
    answer = await house.get(f"{CASE}?lang=en")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].endswith('.zip"')
    files = opened(answer.content)
    sums = dict(reversed(line.split("  ", 1)) for line in files["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(body).hexdigest() for name, body in files.items() if name != "SHA256SUMS"}
    about = json.loads(files["case.json"])
    assert (about["table"], about["alert"]["row"]) == ("T12", "F-31a")
    assert [(one["by"], one["do"], one["state"]) for one in about["orders"]] == [("Anna", "rule", "done")]
    pictures = {one["moment"]: one for one in about["pictures"]}
    assert set(pictures) == {"before", "at", "after"}
    for one in pictures.values():
        assert hashlib.sha256(files[one["file"]]).hexdigest() == one["sha256"], "the hash of the table's journal"
    assert b"Draw out of turn" in files["case.txt"]
    assert "Anna" in files["case.txt"].decode()
    assert json.loads(files["events.jsonl"].splitlines()[0])["type"] == "irregularity"
    assert b'"secret"' not in files["around.jsonl"]


async def test_a_picture_that_cannot_be_had_is_named_with_the_reason(house: Any) -> None:
    house.hear([one for one in feed.evening() if "/evidence/" not in one[0]])
    house.office.send = None
    about = json.loads(opened((await house.get(CASE)).content)["case.json"])
    assert {(one["file"], one["why"]) for one in about["pictures"]} == {(None, "out-of-reach")}


async def test_who_runs_no_round_takes_no_case_away(house: Any) -> None:
    house.hear()
    assert (await house.get(CASE, "technician")).status_code == 403
    assert (await house.get("/table/T12/alert/none/case.zip")).status_code == 404
    assert "case.zip" in await house.page(f"/table/T12/alert/{feed.ALERT['key']}")


def test_the_same_case_gives_the_same_bytes_and_no_name_leaves_its_folder() -> None:
    picture = CasePicture("../../etc/passwd", "at", "00", b"x")
    case = CaseFile({"table": "T1"}, "text\n", (), (), (picture,))
    assert case_zip(case) == case_zip(case)
    assert all(".." not in name for name in opened(case_zip(case)))


async def test_the_picture_nearest_to_the_moment_stands_beside_the_line_of_time(house: Any) -> None:
    house.hear()
    house.say(f"T12/pictures/{feed.ALERT['key']}", {
        "boot": "000a3f", "done": True, "key": feed.ALERT["key"], "pictures": feed.pictures("before", "at", "after"),
    })  # fmt: skip
    fact = f"/archive/T12/000a3f/moment/44?t={feed.ALERT['committed_t']}"
    async with house.client() as client:
        page = (await client.get(fact, follow_redirects=True)).text
        assert "/table/T12/evidence/f-14" in page
        assert re.search(r"La telecamera, [+-]\d,\d s dal momento", page)
        client.cookies.set("lang", "en")
        page = (await client.get(fact, follow_redirects=True)).text
        assert re.search(r"The camera, [+-]\d\.\d s from the moment", page)
        client.cookies.delete("lang")
        early = (await client.get("/archive/T12/000a3f/moment/2", follow_redirects=True)).text
    assert "/evidence/" not in early, "no picture of another time"


class Federation(http.server.BaseHTTPRequestHandler):
    """A federation's page as a hall sees it."""

    got: ClassVar[list[tuple[str, str, bytes]]] = []
    answer: ClassVar[tuple[int, bytes]] = (201, b'{"case": 7}')

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((self.path, self.headers["Authorization"], body))
        self.send_response(self.answer[0])
        self.end_headers()
        self.wfile.write(self.answer[1])

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


async def test_an_arbitro_sends_a_case_to_the_federation_and_is_told_if_it_is_not_taken(make_house: Any) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Federation)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    other = OtherHall("bologna", f"http://127.0.0.1:{server.server_port}", "a-token")
    house = make_house(remote=RemoteSettings(federation=other)).hear()
    alert = f"/table/T12/alert/{feed.ALERT['key']}"
    assert "/federation" in await house.page(alert, "arbitro")
    sent = await house.post(f"{alert}/federation", "arbitro", kind="appeal", note="è giusto?")
    assert sent.status_code == 303
    assert "Caso 7 inoltrato." in await house.page(sent.headers["location"], "arbitro")
    path, header, body = Federation.got[-1]
    assert path == "/api/federation/v1/cases/appeal/bologna?note=%C3%A8%20giusto%3F"
    assert header == "Bearer a-token"
    assert json.loads(opened(body)["case.json"])["alert"]["row"] == "F-31a"
    Federation.answer = (422, b'{"detail": "the case is not whole"}')
    refused = await house.post(f"{alert}/federation", "arbitro", kind="opinion")
    assert "La federazione non ha preso il caso: the case is not whole." in refused.text
    server.shutdown()
    server.server_close()
    gone = await house.post(f"{alert}/federation", "arbitro", kind="opinion")
    assert "La federazione non ha preso il caso" in gone.text
    assert (await house.post(f"{alert}/federation", "organiser")).status_code == 403


async def test_a_hall_of_no_federation_sends_none_a_case(house: Any) -> None:
    house.hear()
    alert = f"/table/T12/alert/{feed.ALERT['key']}"
    assert "/federation" not in await house.page(alert, "arbitro")
    assert (await house.post(f"{alert}/federation", "arbitro")).status_code == 404
