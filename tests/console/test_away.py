"""Arbitri outside the hall: what leaves it, to whom; what fails is told; nothing out there holds up the hall."""

from __future__ import annotations

import email
import email.policy
import itertools
import json
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from table_service.console import ConsoleSettings, serving
from table_service.console.remote import senders
from table_service.console.remote.abroad import Abroad
from table_service.console.remote.courier import WAITING_MOST, Courier, SendError, SendOutcome, SendPace
from table_service.console.remote.notice import AlertNotice, notice_of
from table_service.console.remote.sharing import MailServer, RemoteSettings
from table_service.console.storage import Wishes

feed: Any = sys.modules["console_feed"]
reader: Any = sys.modules["push_reader"]
QUICK = SendPace(0.05, 0.0, (0.05, 0.05, 0.05))
PACES = {"push": QUICK, "mail": SendPace(0.3, 0.0, (0.05, 0.05))}
ALL = frozenset({"call", "play-stops", "score", "warning", "note"})


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Any]:
    made = reader.PushService(tmp_path)
    yield made
    made.close()


@pytest.fixture
def begun() -> Iterator[Callable[..., Abroad]]:
    """Sends for a house, quicker than a console does."""
    running: list[Abroad] = []

    def begin(house: Any) -> Abroad:
        view = house.app.state.pages
        made = Abroad(house.office, lambda place: view.catalogue(house.store.tables.get(place)), PACES)
        made.start()
        running.append(made)
        return made

    yield begin
    for one in running:
        one.close()


def pushed(make_house: Any, service: Any, **more: Any) -> Any:
    """A house whose pushes go to ``service``."""
    remote = RemoteSettings(push=True, push_services=("127.0.0.1",), push_tls=service.trust, **more)
    return make_house(remote=remote)


def wish(house: Any, name: str = "la chief", role: str = "chief", **changes: Any) -> int:
    """Somebody of that role wants to be told of everything."""
    house.cookie(role, name)
    person = house.book.accounts.named(name)
    fields = {"ways": frozenset({"push", "mail", "mqtt"}), "severities": ALL, "until": 4e9, "address": "https://hall"}
    house.book.away.wish(Wishes(person.id, **{**fields, **changes}))
    return int(person.id)


def until(wanted: Callable[[], Any], seconds: float = 20.0) -> Any:
    """What ``wanted`` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := wanted():
            return found
        time.sleep(0.01)
    raise AssertionError("it never came")


def alerts(house: Any) -> None:
    """A table says what waits: a draw out of turn and an exposed card."""
    house.say("T12/status", {"state": "ready", "boot": "000a3f", "version": "0.1.0"})
    for one in (feed.ALERT, feed.EXPOSED):
        house.say(f"T12/alert/{one['key']}", one)


# --- web push -------------------------------------------------------------------------------------------------------


async def test_an_alert_reaches_a_browser_outside_and_says_no_card_no_seat_and_no_name(
    make_house: Any, service: Any, begun: Any
) -> None:
    house, browser = pushed(make_house, service), reader.Browser()
    begun(house)
    wish(house, language="en")
    assert (await house.post("/away/device", **browser.form(service.url))).status_code in (204, 303)
    alerts(house)
    (path, headers, body), *_ = service.wait(1)
    assert path == "/push/abc"
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["urgency"] == "high"
    assert headers["authorization"].startswith("vapid t=")
    assert b"Draw out of turn" not in body
    said = json.loads(browser.read(body))
    assert "T12 · Draw out of turn, nothing played · play stops" in said["body"]
    assert said["body"].count("T12 · ") == 2, "one message for both"
    for hidden in ("7C", "South", "East", "Sud", "la chief", "??"):
        assert hidden not in json.dumps(said)
    until(lambda: [one.ok for one in house.book.away.sent(house.book.accounts.named("la chief").id)] == [True])
    notes = [one for one in house.book.audit.newest() if one.deed == "told away"]
    assert {(one.person, one.place) for one in notes} == {("la chief", "T12")}
    assert {json.loads(one.detail)["kind"] for one in notes} == {"push"}


async def test_a_browser_that_takes_no_pushes_any_more_is_forgotten_and_the_page_says_so(
    make_house: Any, service: Any, begun: Any
) -> None:
    house = pushed(make_house, service)
    abroad = begun(house)
    number = wish(house)
    await house.post("/away/device", **reader.Browser().form(service.url))
    service.answers = [410]
    abroad.try_out(house.book.accounts.person(number), "push")
    (sent,) = until(lambda: house.book.away.sent(number))
    assert not sent.ok
    assert house.book.away.devices(number) == []
    assert "takes no pushes any more" in await house.page("/away?lang=en")
    assert "non riceve più notifiche" in await house.page("/away?lang=it")


async def test_a_push_service_that_is_busy_is_asked_again(make_house: Any, service: Any, begun: Any) -> None:
    house, browser = pushed(make_house, service), reader.Browser()
    abroad = begun(house)
    number = wish(house)
    await house.post("/away/device", **browser.form(service.url))
    service.answers = [503, 429]
    abroad.try_out(house.book.accounts.person(number), "push")
    *_, last = service.wait(3)
    assert json.loads(browser.read(last[2]))["url"] == "/away"
    (sent,) = until(lambda: house.book.away.sent(number))
    assert sent.ok


def test_an_open_page_shows_what_became_of_a_push_that_took_a_while(service: Any) -> None:
    """Nothing else happens in the hall: the outcome itself wakes the page, whose stream has slept since the click."""
    remote, browser = RemoteSettings(push=True, push_services=("127.0.0.1",), push_tls=service.trust), reader.Browser()
    service.may_answer.clear()
    with (
        serving(ConsoleSettings(open_link=True, undo=0, remote=remote)) as running,
        httpx.Client(base_url=running.url, follow_redirects=True, timeout=30.0) as client,
    ):
        client.get(running.door)
        page = client.get("away").text
        form = {"csrf": page.partition('name="csrf" value="')[2].partition('"')[0]}
        client.post("away/device", data={**form, **browser.form(service.url)}).raise_for_status()
        with client.stream("GET", "away/stream") as stream:
            lines = stream.iter_lines()
            assert "event: away" in lines, "how it stands when the stream begins"
            client.post("away/test/push", data=form).raise_for_status()
            service.wait(1)
            threading.Timer(0.5, service.may_answer.set).start()  # the click has woken the page long before
            until_s = time.monotonic() + 30.0
            told = itertools.takewhile(lambda _line: time.monotonic() < until_s, lines)  # ": here" comes every 10 s
            assert any('<li class="sent">' in line for line in told)


async def test_the_console_sends_to_no_host_but_the_push_services_it_knows(make_house: Any, service: Any) -> None:
    house = make_house(remote=RemoteSettings(push=True))
    wish(house)
    browser = reader.Browser()
    for inside in (
        service.url,
        "https://10.0.0.1/x",
        "https://fcm.googleapis.com.evil.example/x",
        "http://localhost/x",
    ):
        answer = await house.post("/away/device", **browser.form(inside))
        assert answer.status_code == 400, inside
    assert house.book.away.devices(house.book.accounts.named("la chief").id) == []
    known = "https://updates.push.services.mozilla.com/wpush/v2/abc"
    assert (await house.post("/away/device", **browser.form(known))).status_code == 303
    assert service.heard == []


# --- mail -----------------------------------------------------------------------------------------------------------


class Mailbox:
    """Keeps what a mail server takes. ``answers``: what it says to the next mails instead of taking them."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.answers: list[str] = []
        self.encrypted: list[bool] = []

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.answers:
            return self.answers.pop(0)
        self.encrypted.append(session.ssl is not None)
        self.mails.append(envelope)
        return "250 taken"


@pytest.fixture
def mailbox(tmp_path: Path) -> Iterator[tuple[Mailbox, MailServer]]:
    """A real mail server that asks for STARTTLS and a password."""
    cert, key = reader.certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    box = Mailbox()

    def check(_server: Any, _session: Any, _envelope: Any, _way: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"hall", b"secret")
        return AuthResult(success=right, handled=False)

    server = Controller(
        box, hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True, auth_required=True,
        authenticator=check, enable_SMTPUTF8=False,
    )  # fmt: skip
    server.start()
    trust = ssl.create_default_context(cafile=str(cert))
    yield box, MailServer("127.0.0.1", server.port, "tavolo@hall.example", "starttls", "hall", "secret", trust)
    server.stop()


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def test_alerts_that_come_together_are_one_mail_by_an_encrypted_way_with_the_links(
    make_house: Any, mailbox: Any, begun: Any
) -> None:
    box, server = mailbox
    house = make_house(remote=RemoteSettings(mail=server, address="https://hall.example:8443"))
    begun(house)
    number = wish(house, mail="arbitro@example.org")
    box.answers = ["451 busy, later"]
    alerts(house)
    until(lambda: house.book.away.sent(number))
    (mail,) = box.mails
    assert box.encrypted == [True]
    assert mail.rcpt_tos == ["arbitro@example.org"]
    text = mail.content.decode()
    read = email.message_from_bytes(mail.content, policy=email.policy.default)
    assert read["Subject"] == "Tavolo sala: 2 avvisi"
    body = read.get_content()
    assert "T12 · Pesca fuori turno, senza far gioco · gioco fermo" in body
    assert f"https://hall.example:8443/table/T12/alert/{feed.ALERT['key']}" in body
    assert "7C" not in body
    assert "Sud" not in text
    assert [one.number for one in house.book.away.sent(number)] == [2]


@pytest.mark.parametrize(
    ("answer", "password", "said"),
    [
        ("550 no such person", "secret", "answered 550"),
        ("", "wrong", "refuses name and password"),
    ],
)
async def test_a_mail_that_is_refused_is_told_on_the_persons_page(
    make_house: Any, mailbox: Any, begun: Any, answer: str, password: str, said: str
) -> None:
    box, server = mailbox
    box.answers = [answer] if answer else []
    house = make_house(remote=RemoteSettings(mail=replace(server, password=password)))
    abroad = begun(house)
    number = wish(house, mail="arbitro@example.org")
    abroad.try_out(house.book.accounts.person(number), "mail")
    (sent,) = until(lambda: house.book.away.sent(number))
    assert not sent.ok
    assert said in await house.page("/away?lang=en")
    assert box.mails == []


# --- MQTT -----------------------------------------------------------------------------------------------------------


def test_a_program_outside_hears_a_persons_notices_on_a_topic_of_his_own(make_house: Any, begun: Any) -> None:
    house = make_house(remote=RemoteSettings(mqtt=True))
    begun(house)
    number = wish(house, name="Anna/#+", role="arbitro", severities=frozenset({"play-stops"}), language="en")
    alerts(house)
    heard = [(topic, body) for topic, body in house.sent if "/~console/away/" in topic]
    (topic, body), *more = heard
    assert not more, "of a warning she does not want to hear"
    assert topic == f"tavolo/v1/sala/~console/away/Anna----{number}"
    link = f"https://hall/table/T12/alert/{feed.ALERT['key']}"
    title = "Draw out of turn, nothing played"
    said = {"kind": "alert", "table": "T12", "title": title, "severity": "play-stops", "at": house.at, "link": link}
    assert body == said


# --- who, what, when ------------------------------------------------------------------------------------------------


def told(house: Any) -> int:
    alerts(house)
    return sum("/~console/away/" in topic for topic, _ in house.sent)


@pytest.mark.parametrize(
    ("changes", "count"),
    [
        ({}, 2),
        ({"severities": frozenset({"warning"})}, 1),
        ({"severities": frozenset()}, 0),
        ({"ways": frozenset({"mail"})}, 0),
        ({"until": 1.0}, 0),
        ({"quiet": (0, 24 * 60)}, 0),
        ({"name": "Ugo", "role": "technician"}, 0),
        ({"name": "Ugo", "role": "spectator"}, 0),
    ],
)
def test_only_who_rules_and_wishes_it_is_told_and_not_in_his_quiet_hours(
    make_house: Any, begun: Any, changes: dict[str, Any], count: int
) -> None:
    house = make_house(remote=RemoteSettings(mqtt=True))
    begun(house)
    wish(house, **changes)
    assert told(house) == count


def test_who_was_shut_out_is_told_nothing_any_more(make_house: Any, begun: Any) -> None:
    house = make_house(remote=RemoteSettings(mqtt=True))
    begun(house)
    house.book.accounts.disable(wish(house, "Anna", "arbitro"), disabled=True)
    assert told(house) == 0


def test_quiet_hours_may_pass_midnight() -> None:
    night = Wishes(1, quiet=(23 * 60, 7 * 60))
    assert [night.is_quiet(hour * 60) for hour in (22, 23, 0, 6, 7, 12)] == [False, True, True, True, False, False]


def test_without_a_configuration_nothing_leaves_the_hall(make_house: Any, begun: Any) -> None:
    house = make_house()
    begun(house)
    wish(house)
    assert told(house) == 0


def test_an_alert_that_is_raised_is_told_to_the_chief_once_more(make_house: Any, begun: Any) -> None:
    house = make_house(remote=RemoteSettings(mqtt=True))
    begun(house)
    wish(house)
    wish(house, "Anna", "arbitro")
    assert told(house) == 4
    house.at += 61
    house.office.tick()
    kinds = [body["kind"] for topic, body in house.sent if topic.endswith("/la chief")]
    assert kinds == ["alert", "alert", "raised", "raised"]
    assert [body["kind"] for topic, body in house.sent if topic.endswith("/Anna")] == ["alert", "alert"]


def test_a_title_that_a_table_makes_up_does_not_leave_the_hall() -> None:
    document = {**feed.ALERT, "row": "X-99", "title": {"it": "Rossi ha la 7C", "en": "Rossi has 7C"}}
    notice = notice_of("alert", "T12", "k", document, None, 0.0)
    assert notice.titles == ("Irregolarità", "Irregularity")


def test_the_pair_is_named_only_where_the_hall_says_so(make_house: Any, begun: Any) -> None:
    for names, who in ((False, None), (True, "Rossi–Bianchi")):
        house = make_house(remote=RemoteSettings(mqtt=True, names=names))
        begun(house)
        wish(house)
        house.book.rounds.begin(2, 30, ("T12",), "chief", now=house.at)
        house.book.rounds.seat(house.book.rounds.current.id, {("T12", "EW"): "Rossi–Bianchi"})
        told(house)
        body = next(body for topic, body in house.sent if "/~console/away/" in topic)
        assert body.get("pair") == who


# --- nothing out there holds up the hall -----------------------------------------------------------------------------


def test_a_server_that_never_answers_holds_up_nobody_and_what_waits_is_bounded(
    make_house: Any, begun: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "PATIENCE_S", 120.0)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(1)
        server = MailServer("127.0.0.1", deaf.getsockname()[1], "tavolo@hall.example", "none")
        house = make_house(remote=RemoteSettings(mail=server))
        abroad = begun(house)
        wish(house, mail="arbitro@example.org")
        alerts(house)
        began = time.perf_counter()
        for n in range(300):
            house.say(f"T12/alert/k{n}", {**feed.ALERT, "key": f"k{n}", "committed_t": float(n)})
        spent = time.perf_counter() - began
        assert spent < 60.0, "the patience with a server alone is two minutes"
        assert abroad.waiting() <= WAITING_MOST


def test_what_fails_is_tried_again_with_what_came_meanwhile_and_then_told() -> None:
    sent: list[int] = []
    done: list[SendOutcome] = []
    told_, gate = threading.Event(), threading.Event()

    def send(_account: int, notices: Any) -> None:
        sent.append(len(notices))
        gate.set()
        raise SendError("away_answered", again=True, where="x", status=503)

    def report(outcome: SendOutcome) -> None:
        done.append(outcome)
        told_.set()

    courier = Courier("push", send, report, pace=SendPace(0.0, 0.0, (0.3, 0.01)))
    courier.start()
    one = AlertNotice("alert", "T1", "a", "score", ("x", "x"), 0.0)
    courier.put(7, one)
    assert gate.wait(10)
    courier.put(7, one)
    assert told_.wait(10)
    courier.close()
    assert sent == [1, 2, 2]
    assert [(o.account, len(o.notices), bool(o.problem)) for o in done] == [(7, 2, True)]


def test_an_alert_that_somebody_took_meanwhile_is_not_sent() -> None:
    sent: list[str] = []
    went = threading.Event()

    def send(_account: int, notices: Any) -> None:
        sent.extend(one.key for one in notices)
        went.set()

    courier = Courier("mail", send, lambda _o: None, lambda one: one.key != "taken", SendPace(0.05, 0.0))
    courier.start()
    for key in ("taken", "open"):
        courier.put(1, AlertNotice("alert", "T1", key, "score", ("x", "x"), 0.0))
    assert went.wait(10)
    courier.close()
    assert sent == ["open"]


# --- the page ---------------------------------------------------------------------------------------------------------


async def test_wishes_are_kept_as_they_were_saved_and_what_is_wrong_is_one_sentence(make_house: Any) -> None:
    house = make_house("kept.sqlite", remote=RemoteSettings(mqtt=True, mail=MailServer("127.0.0.1", 25, "a@b")))
    good = {"way-mail": "1", "of-call": "1", "of-note": "1", "mail": "a@example.org", "quiet-from": "23:00",
            "quiet-to": "7:30"}  # fmt: skip
    for wrong in ({"mail": "a@b\r\nBcc: x@y.z"}, {"mail": ""}, {"quiet-to": ""}, {"quiet-from": "25:00"}):
        answer = await house.post("/away", **{**good, **wrong})
        assert answer.status_code == 400, wrong
    assert (await house.post("/away", **good)).status_code == 303
    held = house.book.away.wishes(house.book.accounts.named("la chief").id)
    assert (held.ways, held.severities, held.quiet) == ({"mail"}, {"call", "note"}, (1380, 450))
    assert held.address == "http://console"
    assert time.time() < held.until < time.time() + 25 * 3600, "without a password it ends with the day"
    assert 'value="23:00"' in await house.page("/away")


async def test_a_test_may_be_had_every_ten_seconds(make_house: Any, begun: Any) -> None:
    house = make_house(remote=RemoteSettings(mqtt=True))
    assert (await house.post("/away/test/mqtt")).status_code == 303
    assert (await house.post("/away/test/mqtt")).status_code == 400
    assert (await house.post("/away/test/push")).status_code == 400, "a way that is not open"
    (sent,) = [body for topic, body in house.sent if "/~console/away/" in topic]
    assert sent["kind"] == "test"
