"""Who may do what: every route says so and keeps it; sessions, forged requests, guessed passwords, links, the log."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from fastapi.routing import APIRoute

from table_service.console.access import Attempts, Guard, permitted, safe_path
from table_service.console.storage import Role

OPEN = {
    "/enter",
    "/enter/{token}",
    "/enter/{token}/{to:path}",
    "/start/{token}",
    "/openid/begin",
    "/openid/back",
    "/cards/{name}.svg",
    "/cards/{pack}/{name}.svg",
    "/bundle/{name}",
    "/htmx/{name}",
    "/health",
    "/ranking",
    "/manifest.webmanifest",
    "/offline",
    "/worker.js",
    "/api/v1/openapi.json",
    "/api/v1/scoring/{protocol}/",
    "/api/v1/scoring/{protocol}/{door}",  # the request's own licence key is looked at: test_data_connector
}
"""All that may be had without signing in."""


def routes(app: Any) -> list[APIRoute]:
    """Every route of the application, those of its parts too."""
    found: list[APIRoute] = []

    def walk(holder: Any) -> None:
        for route in holder.routes:
            if isinstance(route, APIRoute):
                found.append(route)
            elif hasattr(route, "original_router"):
                walk(route.original_router)

    walk(app)
    return found


def program_of(house: Any, role: Role) -> str:
    """A program's token with that role; pages take no notice of it."""
    accounts, now = house.book.accounts, time.time()
    person = accounts.named(f"prog {role}") or accounts.add(f"prog {role}", role, now=now)
    return str(accounts.link(person.id, "api", expires=now + 60))


def path_of(route: APIRoute) -> str:
    filled = {"name": "T12", "key": "T12-000a3f-000044", "ref": "f-142", "number": "1", "order_id": "x", "row": "F-03"}
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda m: filled.get(m[1], "x"), route.path)


async def test_every_route_says_who_may_use_it_and_turns_all_others_away(house: Any) -> None:
    house.hear()
    all_routes = routes(house.app)
    assert len(all_routes) > 30
    assert {route.path for route in all_routes} >= {"/", "/table/{name}", "/round", "/people", "/audit"}
    for route in all_routes:
        guard = permitted(route)
        assert isinstance(guard, Guard), f"{route.path} says nobody"
        assert (guard.roles is None) == (route.path in OPEN), route.path
        if guard.roles is None:
            continue
        for method in route.methods or ():
            async with house.client(None) as client:
                answer = await client.request(method, path_of(route))
                turned = answer.status_code == 401 or answer.headers.get("location", "").startswith("/enter")
                assert turned, (method, route.path, answer.status_code)
            for role in Role:
                if role in guard.roles:
                    continue
                async with house.client(role) as client:
                    client.headers["Authorization"] = f"Bearer {program_of(house, role)}"
                    answer = await client.request(method, path_of(route))
                    assert answer.status_code == 403, (method, route.path, role, answer.status_code)


async def test_who_may_is_let_in(house: Any) -> None:
    house.hear()
    for role, path in (
        ("spectator", "/"),
        ("spectator", "/table/T12"),
        ("spectator", "/wall"),
        ("technician", "/table/T12/alert/T12-000a3f-000044"),
        ("organiser", "/round"),
        ("organiser", "/people"),
        ("arbitro", "/table/T12/decide"),
        ("chief", "/audit"),
    ):
        assert (await house.get(path, role)).status_code == 200, (role, path)


async def test_a_spectator_sees_the_table_but_no_accusation_no_picture_and_no_clock(house: Any) -> None:
    house.hear()
    house.book.rounds.begin(4, 42, ("T12",), "capo", now=house.at)
    for path in ("/", "/wall", "/table/T12"):
        html = await house.page(path, "spectator")
        for hidden in (
            "Pescata fuori turno",
            "art. 31",
            "/evidence/",
            "data-until",
            'class="seat seat-E flag',
            '<button class="btn',
        ):
            assert hidden not in html, (path, hidden)
    assert "Monte degli scarti" in await house.page("/table/T12", "spectator")
    assert "data-until" in await house.page("/", "arbitro")
    for role in Role:
        assert "data-until" not in await house.page("/wall", role)


async def test_a_changing_request_without_the_pages_token_or_from_another_site_is_refused(house: Any) -> None:
    house.hear()
    where = f"/table/T12/alert/{feed_key()}/hand/take"
    cookie, token = house.cookie("arbitro")
    async with house.client(None) as client:
        client.cookies["tavolo"] = cookie
        assert (await client.post(where)).status_code == 403
        assert (await client.post(where, headers={"X-CSRF": "x" + token})).status_code == 403
        assert (await client.post(where, headers={"X-CSRF": house.cookie("chief")[1]})).status_code == 403
        for header in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elsewhere"}):
            assert (await client.post(where, headers={"X-CSRF": token, **header})).status_code == 403
        assert house.book.desk.case("T12", feed_key()).taken_by is None
        assert (await client.post(where, headers={"X-CSRF": token, "HX-Request": "true"})).status_code == 204
        assert house.book.desk.case("T12", feed_key()).taken_by == "la arbitro"
        assert (await client.post(where, data={"csrf": token})).status_code == 303


def feed_key() -> str:
    return "T12-000a3f-000044"


async def sign_in(client: Any, name: str, password: str, to: str = "/") -> Any:
    page = await client.get("/enter", params={"to": to})
    token = re.search(r'name="csrf" value="(\w+)"', page.text)[1]
    return await client.post("/enter", data={"csrf": token, "to": to, "name": name, "password": password})


async def test_the_first_start_makes_a_chief_by_a_link_that_opens_once(house: Any) -> None:
    from table_service.console.routers.links import first_link

    way = first_link(house.app.state.pages)
    async with house.client(None) as client:
        page = await client.get(way)
        assert "Prima accensione" in page.text
        token = re.search(r'name="csrf" value="(\w+)"', page.text)[1]
        short = await client.post(way, data={"csrf": token, "name": "Anna", "password": "breve"})
        assert "troppo corta" in short.text
        done = await client.post(way, data={"csrf": token, "name": "Anna", "password": "una frase lunga"})
        assert done.status_code == 303
        assert "Anna" in (await client.get("/people")).text
        assert (await client.get(way)).status_code == 410
    assert first_link(house.app.state.pages) is None
    stored = [dict(row) for row in house.book.database.rows("select * from account")]
    assert stored[0]["password"].startswith("$argon2id$")
    async with house.client(None) as client:
        assert (await sign_in(client, "anna", "una frase lunga", "/round")).headers["location"] == "/round"
        assert (await client.get("/round")).status_code == 200


async def test_guessing_is_slowed_down_by_name_and_by_address_and_names_nobody(house: Any) -> None:
    person = house.book.accounts.add("Bruno", Role.ARBITRO, now=0.0)
    house.book.accounts.set_password(person.id, "una frase lunga")
    async with house.client(None) as client:
        first = await sign_in(client, "Bruno", "sbagliata")
        other = await sign_in(client, "Nessuno", "sbagliata")
        assert first.status_code == other.status_code == 401
        assert "Nome o password non sono giusti." in first.text
        for _ in range(3):
            await sign_in(client, "Bruno", "sbagliata")
        assert (await sign_in(client, "Bruno", "una frase lunga")).status_code == 429
        forged = await client.post("/enter", data={"csrf": "x", "name": "Bruno", "password": "una frase lunga"})
        assert forged.status_code == 403


def test_attempts_are_forgotten_after_a_while() -> None:
    now = [0.0]
    tries = Attempts(most=2, seconds=60, clock=lambda: now[0])
    tries.failed("a")
    assert tries.wait("a") == 0
    tries.failed("a")
    assert tries.wait("a") == 60
    assert tries.wait("b") == 0
    now[0] = 60.0
    assert tries.wait("a") == 0


async def test_a_link_for_the_day_opens_its_page_until_it_ends(house: Any) -> None:
    house.hear()
    person = house.book.accounts.add("Carla", Role.ARBITRO, now=0.0)
    token = house.book.accounts.link(person.id, "day", expires=time.time() + 60)
    for _ in range(2):  # it may be opened again: on another tablet
        async with house.client(None) as client:
            answer = await client.get(f"/enter/{token}/table/T12?lang=en")
            assert answer.headers["location"] == "/table/T12?lang=en"
            assert (await client.get("/table/T12")).status_code == 200
            assert max(c.expires for c in client.cookies.jar if c.expires) > time.time()
    old = house.book.accounts.link(person.id, "day", expires=time.time() - 1)
    assert (await house.get(f"/enter/{old}", None)).status_code == 410
    assert house.book.accounts.behind(token, "start", now=time.time()) is None
    house.book.accounts.disable(person.id, disabled=True)
    assert (await house.get(f"/enter/{token}", None)).status_code == 410


def test_a_session_is_signed_expires_and_can_be_ended(house: Any) -> None:
    accounts, now = house.book.accounts, time.time()
    cookie, _ = house.cookie("arbitro")
    assert accounts.session(cookie, now=now) is not None
    assert accounts.session(cookie[:-1] + ("0" if cookie[-1] != "0" else "1"), now=now) is None
    assert accounts.session(cookie.partition(".")[0], now=now) is None
    assert accounts.session(cookie, now=now + 13 * 3600) is None
    assert accounts.session(cookie, now=now + 25 * 3600) is None
    stored = "".join(str(dict(row)) for row in house.book.database.rows("select * from session"))
    assert cookie.partition(".")[0] not in stored
    accounts.end(cookie)
    assert accounts.session(cookie, now=now) is None


async def test_the_organiser_lets_in_nobody_who_rules(house: Any) -> None:
    async with house.client("organiser") as client:
        made = await client.post("/people", data={"name": "Dino", "role": "spectator"})
        assert "/enter/" in made.text
        refused = await client.post("/people", data={"name": "Ezio", "role": "arbitro"})
        assert refused.status_code == 400
    assert house.book.accounts.named("Ezio") is None
    chief = house.book.accounts.named("la chief") or house.book.accounts.add("la chief", Role.CHIEF, now=0.0)
    async with house.client("organiser") as client:
        assert (await client.post(f"/people/{chief.id}/day")).status_code == 400
        assert (await client.post(f"/people/{chief.id}/disable")).status_code == 400
    assert not house.book.accounts.person(chief.id).disabled


async def test_who_saw_and_who_did_what_is_in_the_log(house: Any) -> None:
    house.hear()
    await house.get("/table/T12", "technician")
    await house.get("/table/T12/evidence/f-142", "arbitro")
    await house.post(f"/table/T12/alert/{feed_key()}/hand/take", "arbitro")
    entries = [(e.person, e.deed, e.place) for e in house.book.audit.newest()]
    assert ("la technician", "saw", "T12") in entries
    assert ("la arbitro", "saw", "T12") in entries
    assert ("la arbitro", "take", "T12") in entries
    html = await house.page("/audit?all=1")
    assert "Un’immagine" in html
    assert "la technician" in html


@pytest.mark.parametrize(
    "wanted", ["//evil.example", "https://evil.example/", "/\\evil.example", "evil", "/x\r\nSet-Cookie: a=b"]
)
def test_signing_in_leads_to_no_other_site(wanted: str) -> None:
    assert safe_path(wanted) == "/"
    assert safe_path("/table/T12?lang=en") == "/table/T12?lang=en"
