"""The federation's page: who reaches which halls, who is behind, a search, a deal's course, files; nothing hidden."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.routing import APIRoute

from table_service.console.access import Guard, permitted
from table_service.console.settings import ConsoleSettings, OpenIdSettings
from table_service.console.storage import Role
from table_service.federation.reach import HallPlace, given_to, set_place
from table_service.federation.recorded_table import recorded_events
from table_service.federation.site.federation_site import reader_of
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch

MAY = datetime(2026, 5, 17, 20, 0, tzinfo=UTC)
OPEN = {
    "/enter", "/enter/{token}", "/enter/{token}/{to:path}", "/start/{token}", "/cards/{name}.svg",
    "/cards/{pack}/{name}.svg", "/bundle/{name}", "/htmx/{name}", "/health", "/manifest.webmanifest", "/offline",
    "/worker.js", "/openid/begin", "/openid/back",
}  # fmt: skip
"""All that may be had without signing in: what the console leaves open, too."""


def finding(
    hall: str, seq: int, row: str = "F-03", *, table: str = "T1", deal: int = 1, at: datetime = MAY
) -> ArchivedEvent:
    told = {
        "table": table, "boot": "00000a", "seq": seq, "deal": deal, "t": seq * 1.5, "time": at.isoformat(),
        "line": "NS", "type": "irregularity",
        "data": {"row": row, "state": "open", "title": {"it": f"Fatto {seq}", "en": f"Fact {seq}"}},
    }  # fmt: skip
    return ArchivedEvent(
        hall, table, "00000a", seq, "irregularity", deal, seq * 1.5, at, json.dumps(told, separators=(",", ":"))
    )


def recorded(hall: str, table: str = "T1") -> list[ArchivedEvent]:
    """A rehearsed deal as its table published it: without what it sealed."""
    found = []
    for seq, event in enumerate(recorded_events(3), start=1):
        told = {name: value for name, value in event.items() if name not in ("secret", "late")}
        told |= {"table": table, "boot": "00000b", "seq": seq, "time": MAY.isoformat()}
        found.append(
            ArchivedEvent(hall, table, "00000b", seq, told["type"], told.get("deal"), told["t"], MAY, json.dumps(told))
        )
    return found


def routes(app: Any) -> list[APIRoute]:
    found: list[APIRoute] = []

    def walk(holder: Any) -> None:
        for route in holder.routes:
            if isinstance(route, APIRoute):
                found.append(route)
            elif hasattr(route, "original_router"):
                walk(route.original_router)

    walk(app)
    return found


async def test_every_route_says_who_may_use_it_and_turns_all_others_away(site: Any) -> None:
    people = {role: await site.person(role) for role in Role}
    found = routes(site.app)
    assert {one.path for one in found} >= {"/", "/archive", "/rights", "/people", "/audit"}
    for route in found:
        guard = permitted(route)
        assert isinstance(guard, Guard), f"{route.path} says nobody"
        assert (guard.roles is None) == (route.path in OPEN), route.path
        if guard.roles is None:
            continue
        path = re.sub(r"\{(\w+)\}", lambda one: "1" if one[1] in ("number", "deal") else "x", route.path)
        for method in route.methods or ():
            async with site.client(None) as client:
                answer = await client.request(method, path)
                assert answer.status_code == 401 or answer.headers.get("location", "").startswith("/enter"), path
            for role in set(Role) - guard.roles:
                async with site.client(people[role]) as client, site.program(people[role]) as program:
                    asking = program if path.startswith("/api/") else client
                    assert (await asking.request(method, path)).status_code == 403, (method, path, role)


async def test_halls_are_shown_within_a_readers_rights_with_what_is_missing(site: Any) -> None:
    await site.write(
        VerifiedBatch([finding("aosta", 1), finding("aosta", 3)], {("aosta", "T1", "00000a"): (5, "")}), ("aosta", "T1")
    )
    await site.write(VerifiedBatch([finding("bari", 1)], {("bari", "T1", "00000a"): (1, "")}), ("bari", "T1"))
    await set_place(site.archive, HallPlace("aosta", "Alpi", "Valle d’Aosta"))
    await set_place(site.archive, HallPlace("bari", "Levante", "Puglia"))

    async def shown(*given: tuple[str, str]) -> str:
        answer = await site.get("/", await site.person("arbitro", *given))
        assert answer.status_code == 200
        return str(answer.text)

    whole = await shown(("federation", ""))
    assert "3 eventi: T1" in whole
    assert "2 sale in gioco, 2 tavoli" in whole
    assert whole.index("aosta") < whole.index("bari"), "who is behind stands first"
    for given, seen, hidden in (
        (("region", "Puglia"), "bari", "aosta"), (("club", "Alpi"), "aosta", "bari"),
        (("hall", "bari"), "bari", "aosta"),
    ):  # fmt: skip
        html = await shown(given)
        assert f"/archive?hall={seen}" in html
        assert hidden not in html
    assert "non riguarda ancora nessuna sala" in await shown()


async def test_a_search_finds_by_hall_row_and_day_and_nothing_beyond_the_readers_rights(site: Any) -> None:
    later = datetime(2027, 2, 3, 21, 0, tzinfo=UTC)
    await site.write(
        VerifiedBatch([
            finding("como", 1, "F-03"), finding("como", 2, "G-11", table="T2"), finding("como", 3, "F-03", at=later),
            finding("lecce", 1, "F-03"),
        ])
    )  # fmt: skip
    chief, local = await site.person("arbitro", ("federation", "")), await site.person("arbitro", ("hall", "como"))

    async def found(name: str, **asked: str) -> set[tuple[str, int]]:
        answer = await site.get("/archive.json", name, params={"type": "irregularity", **asked})
        lines = [json.loads(line) for line in answer.text.splitlines()]
        return {(one["hall"], one["event"]["seq"]) for one in lines if one["hall"] in ("como", "lecce")}

    assert await found(chief) == {("como", 1), ("como", 2), ("como", 3), ("lecce", 1)}
    assert await found(chief, row="f-03", hall="como") == {("como", 1), ("como", 3)}
    assert await found(chief, table="T2") == {("como", 2)}
    assert await found(chief, since="2027-02-03", until="2027-02-03") == {("como", 3)}
    assert await found(local) == {("como", 1), ("como", 2), ("como", 3)}
    assert await found(local, hall="lecce") == set()
    html = (await site.get("/archive", local, params={"row": "G-11"})).text
    assert "Fatto 2" in html
    assert "Fatto 1" not in html
    rows = list(csv.reader(io.StringIO((await site.get("/archive.csv", local)).text)))
    assert rows[1][:4] == ["como", "T1", "00000a", "3"]


async def test_what_is_older_stands_on_the_next_page(site: Any) -> None:
    await site.write(VerifiedBatch([
        finding("trento", n, at=datetime(2026, 6, 1, 20, n % 60, n // 60, tzinfo=UTC)) for n in range(1, 71)
    ]))  # fmt: skip
    name = await site.person("arbitro", ("hall", "trento"))
    first = (await site.get("/archive", name)).text
    older = re.search(r'href="(/archive\?[^"]*before=[^"]*)"', first)
    assert older is not None
    second = (await site.get(older[1].replace("&amp;", "&"), name)).text
    seen = [set(re.findall(r"Fatto (\d+)", html)) for html in (first, second)]
    assert len(seen[0]) == 50
    assert seen[0] | seen[1] == {str(n) for n in range(1, 71)}
    assert not seen[0] & seen[1]


async def test_a_deals_course_is_told_and_no_hidden_card_is_anywhere_in_it(site: Any) -> None:
    await site.write(VerifiedBatch(recorded("pisa")))
    name, other = await site.person("arbitro", ("hall", "pisa")), await site.person("arbitro", ("hall", "elsewhere"))
    html = (await site.get("/deal/pisa/T1/00000b/1", name)).text
    assert html.count('<li class="line') > 50
    assert "Smazzata 1: dà le carte" in html
    signed = (await site.get("/deal/pisa/T1/00000b/1/events.json", name)).text
    events = [json.loads(line)["event"] for line in signed.splitlines()]
    assert [one["seq"] for one in events] == sorted(one["seq"] for one in events)
    drawn = [one for one in events if one["type"] == "card.drawn"]
    assert any("secret" in one for one in recorded_events(3)), "the table had something to hide"
    assert drawn
    assert all(one["data"].get("card", "??") == "??" for one in drawn)
    assert '"secret"' not in signed
    for path in ("/deal/pisa/T1/00000b/1", "/deal/pisa/T1/00000b/1/events.csv"):
        assert (await site.get(path, other)).status_code == 404


async def test_an_openid_provider_vouches_for_people_here_too_and_gives_no_rights(site: Any) -> None:
    told = OpenIdSettings("Federazione", "https://login.example", "tavolo", "http://prova", waits=True)
    site.serve(ConsoleSettings(hall="prova", openid=told))
    name = await site.person("chief", ("federation", ""))
    async with site.client(None) as client:
        assert "Entra con Federazione" in (await client.get("/enter")).text
        assert (await client.get("/openid/back?state=x&code=y")).headers["location"].startswith("/enter?why=openid_")
    site.book.vouched.ask("https://login.example", "sub-1", "Anna Rossi", now=time.time())
    (entry,) = site.book.vouched.waiting("https://login.example", now=time.time())
    assert "Anna Rossi" in (await site.get("/people", name)).text
    settle = {"entry": str(entry.id), "do": "add", "name": "Anna", "role": "arbitro"}
    async with site.client(name) as client:
        assert (await client.post("/people/waiting", data=settle)).status_code == 200
    anna = site.book.accounts.named("Anna")
    assert site.book.vouched.account("https://login.example", "sub-1") == anna.id
    assert await given_to(site.archive, reader_of(site.book, anna)) == []


async def test_only_a_chief_of_the_whole_federation_gives_rights(site: Any) -> None:
    whole, partly = await site.person("chief", ("federation", "")), await site.person("chief", ("region", "Puglia"))
    await site.person("arbitro", name="Anna")
    anna = site.book.accounts.named("Anna")
    assert (await site.post(f"/rights/{anna.id}/give", partly, kind="federation")).status_code == 403
    assert (await site.post(f"/rights/{anna.id}/give", whole, kind="hall")).status_code == 400
    await site.write(VerifiedBatch([finding("siena", 1)]), ("siena", "T1"))
    assert "siena" not in (await site.get("/", "Anna")).text
    assert (await site.post(f"/rights/{anna.id}/give", whole, kind="hall", name="siena")).status_code == 303
    assert "siena" in (await site.get("/", "Anna")).text
    assert "hall siena" in (await site.get("/audit", whole)).text
    assert (await site.post(f"/rights/{anna.id}/take", whole, kind="hall", name="siena")).status_code == 303
    assert "siena" not in (await site.get("/", "Anna")).text
    assert (await site.post("/places", whole, hall="siena", club="Palio", region="Toscana")).status_code == 303
    assert "Palio" in (await site.get("/rights", whole)).text


async def test_the_first_chief_reaches_all_and_the_second_only_what_he_is_given(site: Any) -> None:
    await site.write(VerifiedBatch([finding("massa", 1)]), ("massa", "T1"))
    first, second = await site.person("chief", name="Prima"), await site.person("chief", name="Seconda")
    assert "massa" in (await site.get("/", first)).text
    assert "massa" not in (await site.get("/", second)).text


async def test_an_archive_that_is_away_is_said_in_a_sentence(site: Any) -> None:
    from dataclasses import replace

    name = await site.person("arbitro", ("federation", ""))
    await site.archive.close()
    site.archive.address = replace(site.archive.address, port=1)
    answer = await site.get("/", name)
    assert answer.status_code == 503
    assert "Le sale giocano e conservano tutto" in answer.text


@pytest.mark.parametrize("value", ["=1+1", "+2", "@x"])
def test_no_cell_of_a_file_is_a_formula(value: str) -> None:
    from table_service.federation.site.past_events import events_csv

    rows = list(csv.reader(io.StringIO(events_csv([("roma", {"table": value})]))))
    assert rows[1][1] == f"'{value}"
