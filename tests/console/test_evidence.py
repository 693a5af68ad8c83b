"""An alert's pictures: fetched when somebody looks, shown only where the hash is right, and else why there is none."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import re
import sys
import zipfile
from typing import Any

import pytest

from table_service.console import frame_fetcher
from table_service.console.vocabulary import Words
from table_service.events.commands import Command, read_command

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
PAGE = f"/table/T12/alert/{KEY}"
AT = "/table/T12/evidence/f-142"


def quiet(house: Any, **alert: Any) -> None:
    """An evening in which no picture has been fetched yet."""
    house.hear([(topic, payload) for topic, payload in feed.evening() if "/evidence/" not in topic])
    if alert:
        house.say(f"T12/alert/{KEY}", {**feed.ALERT, **alert})


def picture(house: Any, ref: str = "f-142", jpeg: bytes | None = None) -> None:
    house.store.apply(feed.PREFIX + f"T12/evidence/{ref}", feed.frame() if jpeg is None else jpeg, now=house.at)


async def asked(house: Any, role: str = "arbitro") -> tuple[asyncio.Task[Any], dict[str, Any]]:
    """Somebody looks at the picture; the order that went to the table."""
    task = asyncio.create_task(house.get(AT, role))
    for _ in range(200):
        await asyncio.sleep(0.01)
        if house.sent:
            break
    return task, house.sent[-1][1]


async def test_before_at_and_after_stand_side_by_side_with_their_moments_and_alt_texts(house: Any) -> None:
    house.hear()
    html = await house.page(PAGE)
    found = re.findall(r'<img src="/table/T12/evidence/([^"]+)"[^>]* alt="([^"]+)"', html)
    assert [ref for ref, _ in found] == ["f-141", "f-142", "f-143"]
    framed = "; in rosso: 7 di cuori; in azzurro: monte degli scarti"
    assert found[0][1] == f"Il tavolo dall’alto, 1,2 s prima del fatto{framed}"
    assert found[1][1] == f"Il tavolo dall’alto, nel momento del fatto{framed}; qualcosa copre la zona"
    captions = re.findall(r"<figcaption><b>([^<]+)</b> <span>([^<]+)", html)
    assert captions[2] == ("Dopo", "2,4 s dopo il fatto")
    english = await house.page(PAGE + "?lang=en")
    assert "The table from above, 2.4 s after the fact" in english
    assert english.count("it is the one that the table recorded") == 3


async def test_no_picture_is_asked_for_until_somebody_looks_and_then_by_a_signed_order_in_his_name(house: Any) -> None:
    quiet(house)
    await house.page("/")
    await house.page(PAGE)
    assert house.sent == []
    task, order = await asked(house)
    keys = {"*": house.office.public_key}
    read = read_command(json.dumps(order).encode(), table="T12", keys=keys, now=house.at)
    assert isinstance(read, Command)
    assert (read.order.do, read.order.fields, read.order.by) == ("evidence", {"ref": "f-142"}, "la arbitro")
    picture(house)
    answer = await task
    assert answer.content == feed.frame()
    again = await house.get(AT)
    assert again.content == feed.frame()
    assert len(house.sent) == 1, "what is here is not fetched twice"
    assert any(e.detail == "evidence" or "evidence" in e.detail for e in house.book.audit.newest())
    assert house.book.orders.open() == [], "a look is no order of play"


async def test_a_picture_whose_hash_is_wrong_is_not_shown_and_said_to_be(house: Any) -> None:
    quiet(house)
    task, _ = await asked(house)
    picture(house, jpeg=feed.frame(8))
    assert (await task).status_code == 404
    html = await house.page(PAGE)
    assert Words("it")["why_wrong"] in html
    assert "f-142" not in re.findall(r'<img src="/table/T12/evidence/([^"]+)"', html)
    assert house.book.pictures.picture("T12", "f-142") is None
    picture(house)
    assert Words("it")["why_wrong"] not in await house.page(PAGE)


@pytest.mark.parametrize("why", ["pruned", "gone", "changed", "unknown"])
async def test_the_tables_refusal_stands_in_the_pictures_place(house: Any, why: str) -> None:
    quiet(house)
    task, order = await asked(house)
    text = {"it": "…", "en": "…"}
    house.say(f"T12/command/{order['id']}/result", {"id": order["id"], "ok": False, "reason": why, "text": text})
    assert (await task).status_code == 404
    assert Words("it")[f"why_{why}"] in await house.page(PAGE)


async def test_out_of_reach_is_said_what_was_fetched_still_shows_and_the_rest_comes_when_the_table_is_back(
    house: Any,
) -> None:
    quiet(house)
    picture(house, "f-141")
    house.say("T12/status", {"state": "lost", "boot": "000a3f", "version": ""})
    assert (await house.get(AT)).status_code == 404
    html = await house.page(PAGE)
    assert re.findall(r'<img src="/table/T12/evidence/([^"]+)"', html) == ["f-141", "f-142", "f-143"]
    assert (await house.get(AT)).status_code == 404
    assert house.store.tables["T12"].why == {"f-142": "out-of-reach"}
    assert (await house.get("/table/T12/evidence/f-141")).content == feed.frame()
    assert house.sent == []
    house.say("T12/status", {"state": "ready", "boot": "000a3f", "version": ""})
    assert house.store.tables["T12"].why == {}
    task, _ = await asked(house)
    picture(house)
    assert (await task).status_code == 200


async def test_a_table_that_does_not_answer_is_said_and_asked_again_at_the_next_look(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame_fetcher, "ANSWER_S", 0.05)
    quiet(house)
    assert (await house.get(AT)).status_code == 404
    assert house.store.tables["T12"].why == {"f-142": "no-answer"}
    await house.page(PAGE)
    assert house.store.tables["T12"].why == {}


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("why", ["no-camera", "camera-lost", "too-late", "no-frame", "no-moment", "disk"])
async def test_why_there_is_no_picture_is_said_in_words(house: Any, why: str, language: str) -> None:
    missing = [{"moment": "before", "why": why}]
    quiet(house, evidence=feed.pictures("at", "after"), pictures={"boot": "b", "done": True, "missing": missing})
    html = await house.page(f"{PAGE}?lang={language}")
    assert Words("it" if language == "it" else "en")[f"why_{why}"] in html
    assert html.index(Words("it" if language == "it" else "en")[f"why_{why}"]) < html.index("f-142")


async def test_what_comes_later_is_announced_and_put_in_its_place(house: Any) -> None:
    quiet(house, evidence=[], pictures={"boot": "b", "done": False, "missing": []})
    assert (await house.page(PAGE)).count(Words("it")["why_coming"]) == 3
    told = {"key": KEY, "boot": "b", "done": True, "pictures": feed.pictures("before", "at"), "missing": []}
    house.say(f"T12/alert/{KEY}", None)  # it ended before its pictures were there
    house.say(f"T12/pictures/{KEY}", told)
    html = await house.page(PAGE)
    assert Words("it")["why_coming"] not in html
    assert re.findall(r'<img src="/table/T12/evidence/([^"]+)"', html) == ["f-141", "f-142"]


async def test_after_a_restart_the_pictures_are_here_and_checked_again(make_house: Any) -> None:
    house = make_house("console.sqlite")
    house.hear()
    house.book.database.flush()
    house.book.close()
    again = make_house("console.sqlite")
    again.say("T12/status", {"state": "lost", "boot": "000a3f", "version": ""})
    assert (await again.get(AT)).content == feed.frame()
    again.book.database.do("update picture set jpeg = ? where ref = 'f-142'", (b"another",))
    assert (await again.get(AT)).status_code == 404


async def test_a_picture_nobody_told_of_is_not_taken(house: Any) -> None:
    quiet(house)
    picture(house, "f-999")
    assert house.store.tables["T12"].evidence == {}
    assert (await house.get("/table/T12/evidence/f-999")).status_code == 404
    assert house.sent == []


async def test_spectators_get_no_picture(house: Any) -> None:
    house.hear()
    assert (await house.get(AT, "spectator")).status_code == 403
    assert (await house.get(AT, None)).status_code in (303, 401)


FILM = {"ref": "f-film", "key": KEY, "moment": "film", "columns": 2, "moments": [-1.2, 0.0, 2.4], "bytes": 1}


def filmed(house: Any, **changes: Any) -> bytes:
    """The table has told of a film; its sheet."""
    sheet = feed.frame()
    film = {**FILM, "sha256": hashlib.sha256(sheet).hexdigest(), **changes}
    house.say(f"T12/alert/{KEY}", {**feed.ALERT, "pictures": {**feed.ALERT["pictures"], "film": film}})
    return sheet


async def test_the_film_stands_under_the_pictures_and_begins_at_the_fact(house: Any) -> None:
    house.hear()
    filmed(house)
    html = await house.page(PAGE)
    assert 'data-moments="-1.2 0.0 2.4"' in html
    assert 'data-said="1,2 s prima del fatto|nel momento del fatto|2,4 s dopo il fatto"' in html
    slider = re.search(r'<input type="range"[^>]+>', html)
    assert slider is not None
    assert 'max="2"' in slider[0]
    assert 'value="1"' in slider[0]
    assert "f-film" not in [one.fields.get("ref") for one in house.book.orders.of("T12")], "fetched when it is opened"


async def test_the_films_row_is_there_before_the_film_so_that_nothing_moves_when_it_comes(house: Any) -> None:
    house.hear()
    filmed(house, ref=None, why="coming")
    assert "arriva pochi secondi dopo il fatto" in await house.page(PAGE)


async def test_a_film_that_cannot_be_understood_is_none(house: Any) -> None:
    house.hear()
    filmed(house, columns=0)
    html = await house.page(PAGE)
    assert "film-row" in html
    assert '<details class="film' not in html


async def test_the_film_is_in_the_cases_file_with_its_hash(house: Any) -> None:
    house.hear()
    sheet = filmed(house)
    house.store.apply(feed.PREFIX + "T12/evidence/f-film", sheet, now=house.at)
    answer = await house.get(f"{PAGE}/case.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as case:
        assert case.read("pictures/film-f-film.jpg") == sheet
        listed = json.loads(case.read("case.json"))["pictures"]
    film = next(one for one in listed if one["moment"] == "film")
    assert film["sha256"] == hashlib.sha256(sheet).hexdigest()
