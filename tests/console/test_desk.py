"""The arbitri's desk: rulings as orders, pending until the table answers; hands; what is raised; what survives."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timedelta
from typing import Any

import pytest
from nacl.signing import VerifyKey

from table_service.console.ruling_forms import offers
from table_service.console.tournament_book import warned_of
from table_service.events.commands import Command, read_command
from table_service.events.orders import EndTime, Order
from table_service.games.burraco.codes.fibur2024 import FIBUR2024

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
HERE = f"/table/T12/alert/{KEY}"


def verified(house: Any, n: int = -1) -> Order:
    """The order as the table reads it: signed by this console, in a person's name."""
    import json

    topic, order = house.sent[n]
    assert topic == "tavolo/v1/sala/T12/command"
    read = read_command(json.dumps(order).encode(), table="T12", keys={"*": house.office.public_key}, now=house.at)
    assert isinstance(read, Command), read
    assert len(bytes(VerifyKey(bytes.fromhex(house.office.public_key)))) == 32
    return read.order


async def test_the_proposed_remedy_is_one_signed_order_and_done_only_when_the_table_says_so(house: Any) -> None:
    house.hear()
    assert (await house.post(f"{HERE}/rule/rule", "arbitro")).status_code == 303
    order = verified(house)
    assert (order.by, order.do, order.fields) == ("la arbitro", "rule", {"key": KEY, "remedy": "proposed"})
    html = await house.page(HERE, "arbitro")
    assert "inviato, attende risposta" in html
    assert house.book.desk.case("T12", KEY).taken_by == "la arbitro"
    assert house.book.desk.case("T12", KEY).resolved is None
    house.answer()
    html = await house.page(HERE, "arbitro")
    assert "order done" in html
    assert house.book.desk.case("T12", KEY).resolved_by == "la arbitro"


async def test_every_way_of_ruling_becomes_the_order_that_the_contract_names(house: Any) -> None:
    house.hear()
    ways = {"options": ["F-05a", "F-04d"], "key": "k2", "offender": "E", "choices": []}
    house.say("T12/alert/k2", {**feed.ALERT, **ways})
    page = await house.page("/table/T12/alert/k2", "arbitro")
    assert 'name="option" value="F-04d"' in page
    for path, data, do, fields in (
        ("alert/k2/rule/rule", {"option": "F-04d"}, "rule", {"key": "k2", "remedy": "proposed", "option": "F-04d"}),
        (
            "alert/k2/rule/rule",
            {"option": "F-05a", "freeze": "definitive", "meld": "4", "cards": "7h 10s jk"},
            "rule",
            {
                "key": "k2", "remedy": "proposed", "option": "F-05a", "freeze": "definitive", "meld": 4,
                "cards": ["7H", "TS", "JK"],
            },
        ),
        ("alert/k2/rule/dismiss", {}, "dismiss", {"key": "k2"}),
        ("alert/k2/rule/confirm", {}, "confirm", {"key": "k2"}),
        ("order/warn", {"line": "EW"}, "warn", {"line": "EW"}),
        ("order/bonus", {"line": "NS", "points": "-50"}, "bonus", {"line": "NS", "points": -50}),
        ("order/deal", {"dealer": "E"}, "deal", {"dealer": "E"}),
        ("order/start-play", {}, "start-play", {}),
        ("order/correct", {"zone": "stock", "cards": "31"}, "correct", {"zone": "stock", "cards": 31}),
        ("order/correct", {"zone": "discard", "cards": "7H QS"}, "correct", {"zone": "discard", "cards": ["7H", "QS"]}),
    ):  # fmt: skip
        before = len(house.sent)
        assert (await house.post(f"/table/T12/{path}", "arbitro", **data)).status_code == 303, path
        assert len(house.sent) == before + 1, path
        order = verified(house)
        assert (order.do, order.fields) == (do, fields), path
        house.answer()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        (f"alert/{KEY}/rule/rule", {"option": "F-99"}),
        (f"alert/{KEY}/rule/rule", {"cards": "7Z"}),
        (f"alert/{KEY}/rule/rule", {"meld": "x"}),
        ("order/warn", {"line": "XX"}),
        ("order/warn", {}),
        ("order/bonus", {"line": "NS", "points": "tanti"}),
        ("order/bonus", {"line": "NS", "points": ""}),
        ("order/correct", {"zone": "cielo", "cards": "3"}),
        ("order/explode", {}),
    ],
)
async def test_a_form_that_makes_no_sense_is_one_sentence_and_no_order(house: Any, path: str, data: Any) -> None:
    house.hear()
    answer = await house.post(f"/table/T12/{path}", "arbitro", **data)
    assert answer.status_code == 400
    assert "Non è andata" in answer.text
    assert house.sent == []


async def test_an_order_that_the_table_refuses_is_shown_with_its_sentence_until_somebody_has_seen_it(
    house: Any,
) -> None:
    house.hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    text = {"it": "Il comando non ha avuto effetto al tavolo.", "en": "No effect."}
    house.answer(ok=False, reason="ignored", text=text, note="no open irregularity fits")
    house.at += 3600
    html = await house.page("/table/T12", "arbitro")
    assert "Il comando non ha avuto effetto al tavolo." in html
    assert "no open irregularity fits" in html
    assert house.book.desk.case("T12", KEY).resolved is None
    order = house.book.orders.shown(now=house.at)[0]
    await house.post(f"/order/{order.id}/seen", "arbitro")
    assert "non ha avuto effetto" not in await house.page("/table/T12", "arbitro")


async def test_an_order_to_a_table_out_of_reach_waits_goes_out_when_it_is_back_and_is_given_up_aloud(
    house: Any,
) -> None:
    house.hear()
    house.say("T12/status", {"state": "lost", "boot": "000a3f", "version": "x"})
    assert "Il tavolo non è raggiungibile" in await house.page(HERE, "arbitro")
    await house.post(f"{HERE}/rule/rule", "arbitro")
    await house.post("/table/T12/order/warn", "arbitro", line="NS")
    assert house.sent == []
    assert "in attesa del tavolo" in await house.page(HERE, "arbitro")
    second = house.book.orders.shown(now=house.at)[0]
    await house.post(f"/order/{second.id}/withdraw", "arbitro")
    house.at += 30
    house.say("T12/status", {"state": "ready", "boot": "000a40", "version": "x"})
    assert verified(house).do == "rule"
    assert len(house.sent) == 1
    house.say("T12/status", {"state": "lost", "boot": "000a40", "version": "x"})
    await house.post("/table/T12/order/warn", "arbitro", line="EW")
    house.at += house.settings.order_life + 1
    house.office.tick()
    html = await house.page("/table/T12", "arbitro")
    assert "Il tavolo non è tornato in tempo: l’ordine non è stato dato." in html
    assert ("order", "la arbitro") in {(bell.kind, bell.person) for bell in house.office.bells}
    assert [o[1]["do"] for o in house.sent] == ["rule"]


async def test_an_answer_that_does_not_come_is_asked_for_again_and_then_said_to_be_unknown(house: Any) -> None:
    house.hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    house.at += 5
    house.office.tick()
    assert len(house.sent) == 2
    assert house.sent[0] == house.sent[1], "the very same order: the table takes each id once"
    house.at += house.settings.order_life
    house.office.tick()
    assert "non si sa se l’ha eseguito" in await house.page(HERE, "arbitro")
    house.answer(0, ok=False, reason="repeated", first={"id": "x", "result": "ok", "ok": True, "reason": None})
    html = await house.page(HERE, "arbitro")
    assert "non si sa se l’ha eseguito" not in html
    assert "order done" in html


async def test_an_order_is_done_only_when_the_table_has_decided_it_and_a_refusal_stays_with_its_reason(
    house: Any,
) -> None:
    house.hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    house.answer(0, result="accepted", ok=None)
    html = await house.page(HERE, "arbitro")
    assert "ricevuto, il tavolo sta decidendo" in html
    assert "order done" not in html
    assert house.book.desk.case("T12", KEY).resolved is None
    note = "no open irregularity fits"
    house.answer(0, result="refused", ok=False, reason="ignored", text={"it": "Senza effetto.", "en": "-"}, note=note)
    house.at += 3600
    html = await house.page(HERE, "arbitro")
    assert "order refused" in html
    assert "Senza effetto." in html
    assert note in html


async def test_a_repeated_order_of_which_the_table_knows_no_answer_is_not_shown_as_done(house: Any) -> None:
    house.hear()
    await house.post(f"{HERE}/rule/rule", "arbitro")
    house.answer(0, ok=False, reason="repeated")
    html = await house.page(HERE, "arbitro")
    assert "order done" not in html
    assert "non si sa se l’ha eseguito" in html


async def test_two_arbitri_see_each_others_hands(house: Any) -> None:
    house.hear()
    await house.post(f"{HERE}/hand/take", "arbitro", "Anna")
    await house.post(f"{HERE}/hand/take", "arbitro", "Bruno")
    assert house.book.desk.case("T12", KEY).taken_by == "Anna", "who was first has it"
    with house.office.looking("T12", "Anna"):
        html = await house.page(HERE, "chief")
        assert "Se ne occupa <b>Anna</b>" in html
        assert "Guardano questo tavolo: <b>Anna</b>" in html
        assert "Passa a me" in html
    await house.post(f"{HERE}/hand/take-over", "arbitro", "Bruno")
    assert "Se ne occupa <b>Bruno</b>" in await house.page("/", "chief")
    await house.post(f"{HERE}/hand/let-go", "arbitro", "Bruno")
    await house.post(f"{HERE}/hand/put-off", "arbitro", "Anna", minutes="5")
    assert "Rimandata da <b>Anna</b>" in await house.page(HERE, "chief")


async def test_a_second_arbitro_is_never_the_first(house: Any) -> None:
    house.hear()
    await house.post(f"{HERE}/hand/second", "arbitro", "Anna")
    assert house.office.bells[-1].kind == "second"
    assert "Anna chiede un secondo arbitro" in await house.page(HERE, "chief")
    await house.post(f"{HERE}/hand/meet-second", "arbitro", "Anna")
    assert house.book.desk.case("T12", KEY).wants_second
    await house.post(f"{HERE}/hand/meet-second", "arbitro", "Bruno")
    assert house.book.desk.case("T12", KEY).second_met_by == "Bruno"


async def test_an_alert_says_by_the_clock_when_it_was_done(house: Any) -> None:
    house.hear()
    newest = house.store.tables["T12"].newest
    told = datetime.fromisoformat(newest["time"]) + timedelta(seconds=feed.ALERT["committed_t"] - newest["t"])
    html = await house.page(HERE, "arbitro")
    assert f"alle {told.astimezone():%H:%M:%S}." in html


async def test_the_moment_of_an_alert_stays_where_the_table_clock_stood_still_since(house: Any) -> None:
    """As in the demo's hall, whose tables wait at an alert."""
    house.hear()
    before = re.findall(r"alle \d\d:\d\d:\d\d\.", await house.page(HERE, "arbitro"))
    newest = house.store.tables["T12"].newest
    later = datetime.fromisoformat(newest["time"]) + timedelta(minutes=5)
    event = feed.event(900, "turn.started", seat="S") | {"t": newest["t"] + 1.0, "time": later.isoformat()}
    house.say("T12/event/turn.started", event)
    assert house.store.tables["T12"].newest["time"] == later.isoformat()
    assert before
    assert re.findall(r"alle \d\d:\d\d:\d\d\.", await house.page(HERE, "arbitro")) == before


async def test_an_alert_that_nobody_takes_is_raised_and_one_put_off_comes_back(house: Any) -> None:
    house.hear()
    house.say("T12/alert/call-W", {"key": "call-W", "call": True, "offender": "W", "t": 150.0})
    assert house.office.bells[-1].kind == "call"
    await house.post("/table/T12/alert/T12-000a3f-000047/hand/take", "arbitro")
    await house.post("/table/T12/alert/call-W/hand/put-off", "arbitro", minutes="2")
    house.at += house.settings.raise_after + 1
    house.office.tick()
    raised = {case.key for case in house.book.desk.live() if case.raised}
    assert raised == {KEY}
    assert "Segnalata al capo" in await house.page("/", "chief")
    assert house.office.bells[-1].kind == "raised"
    house.at += 60
    house.office.tick()
    assert (house.office.bells[-1].kind, house.office.bells[-1].key) == ("alert", "call-W")
    assert house.book.desk.case("T12", "call-W").waits(house.at)
    house.at += house.settings.raise_after + 1
    house.office.tick()
    assert house.book.desk.case("T12", "call-W").raised


async def test_a_key_that_lives_again_is_another_case(house: Any) -> None:
    call = {"key": "call-W", "call": True, "offender": "W", "t": 150.0}
    house.say("T12/alert/call-W", call)
    house.book.desk.take_in_hand("T12", "call-W", "Anna", now=house.at)
    house.say("T12/alert/call-W", None)
    house.say("T12/alert/call-W", {**call, "t": 190.0})
    assert house.book.desk.case("T12", "call-W").taken_by is None
    house.say("T12/alert/call-W", None)
    house.say("T12/alert/call-W", {**call, "t": 190.0})
    house.book.desk.take_in_hand("T12", "call-W", "Bruno", now=house.at)
    house.say("T12/alert/call-W", {**call, "t": 190.0, "note": "x"})
    assert house.book.desk.case("T12", "call-W").taken_by == "Bruno"


async def test_a_row_no_sensor_sees_is_ruled_in_two_clicks(house: Any) -> None:
    house.hear()
    page = await house.page("/table/T12/decide", "arbitro")
    listed = offers(FIBUR2024, "it")
    assert len(listed) > 5
    assert page.count('class="offer"') == len(listed)
    for one in listed:
        assert f'id="offer-{one.row}"' in page
    plain = next(one for one in listed if one.asks == ("seat",))
    found = await house.page(f"/table/T12/decide?part=1&q={plain.title.split()[0]}", "arbitro")
    assert f'id="offer-{plain.row}"' in found
    assert "<html" not in found
    answer = await house.post(f"/table/T12/decide/{plain.row}", "arbitro", seat="S")
    assert answer.headers["location"] == "/table/T12"
    order = verified(house)
    assert (order.do, order.fields) == ("rule", {"row": plain.row, "seat": "S"})


def test_every_row_that_is_offered_says_what_it_asks_for_in_terms_the_form_knows() -> None:
    known = {"seat", "line", "lines", "cards", "meld", "minutes", "points", "option", "vp", "mp", "added"}
    for one in (*offers(FIBUR2024, "it"), *offers(FIBUR2024, "en", everything=True)):
        assert set(one.asks) <= known, one.row
        assert one.title, one.row


async def test_after_a_restart_all_is_as_before(make_house: Any) -> None:
    first = make_house("console.sqlite").hear()
    await first.post(f"{HERE}/hand/take", "arbitro", "Anna")
    first.say("T12/event/irregularity", feed.event(60, "irregularity", "S", **{**feed.EXPOSED, "state": "healed"}))
    first.say("T12/alert/" + feed.EXPOSED["key"], None)
    first.say("T7/status", {"state": "lost", "boot": "1", "version": "x"})
    await first.post("/table/T7/order/warn", "arbitro", "Anna", line="NS")
    first.book.rounds.begin(4, 42, ("T12",), "Anna", now=first.at)
    cookie, _ = first.cookie("chief")
    feed_before = [line for line in (await first.page()).splitlines() if 'class="line' in line]
    first.book.close()
    second = make_house("console.sqlite")
    retained = [m for m in feed.evening() if "/event/" not in m[0] and feed.EXPOSED["key"] not in m[0]]
    second.hear(retained)
    second.store.all_heard(now=second.at)
    assert second.book.desk.case("T12", KEY).taken_by == "Anna"
    assert [o.do for o in second.book.orders.open()] == ["warn"]
    assert second.book.rounds.running.deals == 4
    assert second.book.accounts.session(cookie, now=__import__("time").time()) is not None
    html = await second.page()
    assert [line for line in html.splitlines() if 'class="line' in line] == feed_before
    assert "Sanata dal gioco" in html
    assert "Già chiuse" in html
    assert second.office.public_key == first.office.public_key


async def test_an_alert_that_ended_while_the_console_was_away_does_not_stay(make_house: Any) -> None:
    first = make_house("console.sqlite").hear()
    assert len(first.book.desk.live()) == 2
    first.book.close()
    second = make_house("console.sqlite")
    second.hear([m for m in feed.evening() if KEY not in m[0]])
    second.store.all_heard(now=second.at)
    assert {case.key for case in second.book.desk.live()} == {feed.EXPOSED["key"]}
    second.store.hearing_anew()
    second.store.all_heard(now=second.at)
    assert second.book.desk.live() == []
    assert second.store.tables["T12"].alerts == {}


def test_a_second_console_on_the_same_file_is_refused_in_one_sentence(make_house: Any) -> None:
    from table_service.console.storage import BookError

    make_house("console.sqlite")
    with pytest.raises(BookError, match=r"console\.sqlite is in use by another console"):
        make_house("console.sqlite")


# --- the round -------------------------------------------------------------------------------------------------------


async def test_a_round_starts_and_ends_at_every_table_that_was_heard(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "organiser", deals="4", minutes="42")
    assert {(t.split("/")[3], o["do"], o["deals"], o["minutes"]) for t, o in house.sent} == {
        ("T12", "start-round", 4, 42),
        ("T7", "start-round", 4, 42),
    }
    waiting = [(o.place, o.do) for o in house.book.orders.open() if o.state == "waiting"]
    assert waiting == [("T3", "start-round")], "the table out of reach gets it when it is back"
    now = house.book.rounds.running
    assert now.left(house.at) == 42 * 60
    await house.post("/round/pause", "arbitro")
    house.at += 100
    await house.post("/round/go-on", "arbitro")
    assert house.book.rounds.running.left(house.at) == 42 * 60
    house.at += 42 * 60 + 5
    html = await house.page("/round", "arbitro")
    assert "big-clock over" in html
    await house.post("/round/time-out", "arbitro")
    await house.post("/round/end", "arbitro", anyway="1")
    assert [o["do"] for t, o in house.sent if "/T12/" in t] == ["start-round", "time-out", "end-round"]
    assert house.book.rounds.running is None


@pytest.mark.parametrize("data", [{}, {"deals": "x"}, {"deals": "99"}, {"deals": "4", "minutes": "-3"}])
async def test_a_round_that_makes_no_sense_is_not_started(house: Any, data: Any) -> None:
    house.hear()
    assert (await house.post("/round/start", "chief", **data)).status_code == 400
    assert house.sent == []
    assert house.book.rounds.current is None


async def test_a_late_line_counts_from_the_start_and_the_codes_row_is_ruled_with_its_minutes(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="4")
    house.at += 60
    await house.post("/round/late", "chief", place="T12", line="EW")
    house.at += 120
    late = house.book.rounds.latecomers()[0]
    await house.post("/round/arrived", "chief", id=str(late.id))
    house.at += 600
    assert house.book.rounds.latecomers()[0].minutes(house.at) == 3
    assert "3.0 min di ritardo" in await house.page("/round", "chief")
    await house.post("/round/apply-late", "chief", id=str(late.id))
    order = verified(house)
    assert order.do == "rule"
    row = FIBUR2024.rows[order.fields["row"]]
    assert row.article.startswith("39")
    told = order.fields.get("minutes") or order.fields["lines"]["EW"]
    assert told == 3


async def test_the_book_of_warnings_names_the_second_and_forgets_one_taken_back(house: Any) -> None:
    house.hear()
    for seq, more in enumerate(
        [{}, {"row": "F-37"}, {"row": "F-37", "withdrawn": True}, {"row": "F-22a", "victory_points": -1}], start=200
    ):
        house.say("T12/event/warning.given", feed.event(seq, "warning.given", line="EW", count=1, **more))
    house.book.kept.flush()
    told = warned_of(house.app.state.pages)
    assert [(one.row, one.nth, one.costs) for one in told] == [("F-22a", 2, -1), ("", 1, 0)]
    assert "-1 V.P." in await house.page("/round", "organiser")


async def test_a_protest_keeps_the_limit_that_held_when_it_was_made(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="4")
    await house.post("/round/ranking", "chief")
    await house.post("/round/protest", "chief", place="T12", line="NS", text="conto sbagliato")
    house.at += 601
    await house.post("/round/protest", "chief", place="T7", text="troppo tardi")
    html = await house.page("/round", "chief")
    assert html.count("fuori tempo") == 1
    first = next(p for p in house.book.rounds.protests() if p.place == "T12")
    await house.post("/round/settle", "chief", id=str(first.id), outcome="accolto")
    assert "accolto" in await house.page("/round", "chief")


def test_orders_to_a_whole_hall_are_one_write_and_all_or_none(make_house: Any) -> None:
    house = make_house("console.sqlite").hear()

    def half() -> None:
        with house.book.database.together():
            house.book.database.do("insert into meta values ('x', 'y')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert house.book.database.one("select * from meta where name = 'x'") is None
    with house.book.database.together():
        for _ in range(200):
            house.office.give("T12", EndTime(by="Anna"))
    rows = house.book.database.rows("select state, count(*) as n from orders group by state")
    assert [tuple(row) for row in rows] == [("sent", 200)]
    assert len(house.sent) == 200
