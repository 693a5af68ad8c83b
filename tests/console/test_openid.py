"""Signing in by an OpenID provider: its word is believed only whole, of this flow, and for somebody who was linked."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from table_service.console import openid_provider
from table_service.console.openid_flows import FLOW_S, FLOWS_OF_ADDRESS, OpenIdFlows
from table_service.console.settings import OpenIdSettings
from table_service.console.storage import Role
from table_service.console.storage.vouched_accounts import WAITING_MOST, WAITING_S

server: Any = sys.modules["openid_server"]
PASSWORD = "una frase lunga"  # noqa: S105 - of nobody


@pytest.fixture
def provider() -> Iterator[Any]:
    made = server.OpenIdServer()
    yield made
    made.close()


@pytest.fixture
def hall(make_house: Any, provider: Any) -> Any:
    return house_with(make_house, provider)


def house_with(make_house: Any, provider: Any, **more: Any) -> Any:
    told = OpenIdSettings(
        "Federazione", provider.issuer, server.CLIENT, "http://console", client_secret=server.SECRET, **more
    )  # fmt: skip
    return make_house(openid=told)


def person(house: Any, name: str = "Anna", subject: str | None = "sub-1", role: Role = Role.ARBITRO) -> Any:
    made = house.book.accounts.add(name, role, now=0.0)
    if subject is not None:
        assert house.book.vouched.link(house.settings.openid.issuer, subject, made.id, by="test", now=0.0)
    return made


async def begin(client: Any, to: str = "/") -> str:
    """The button of the sign-in page: where it leads."""
    page = await client.get("/enter", params={"to": to})
    way = re.search(r'href="(/openid/begin[^"]+)"', page.text)[1].replace("&amp;", "&")
    answer = await client.get(way)
    assert answer.status_code == 303
    return str(answer.headers["location"])


async def come_back(client: Any, provider: Any, subject: str = "sub-1", to: str = "/") -> Any:
    return await client.get(provider.vouch(await begin(client, to), subject))


def why(answer: Any) -> str:
    """The word of the sentence that the answer leads to; "" where somebody was let in."""
    asked = parse_qs(urlsplit(answer.headers["location"]).query)
    return asked.get("why", [""])[0]


async def is_in(client: Any) -> bool:
    return bool((await client.get("/")).status_code == 200)


async def test_whoever_is_linked_signs_in_and_has_the_consoles_role_and_an_ordinary_session(
    hall: Any, provider: Any
) -> None:
    anna = person(hall)
    async with hall.client(None) as client:
        answer = await come_back(client, provider, to="/round?lang=en")
        assert answer.headers["location"] == "/round?lang=en"
        assert (await client.get("/round")).status_code == 200
        session = hall.book.accounts.session(client.cookies["tavolo"], now=time.time())
        assert session.person == anna
        assert session.expires - time.time() <= 24 * 3600
        assert "tavolo-openid" not in client.cookies
        assert (await client.post("/leave", headers={"X-CSRF": session.csrf})).status_code == 303
        assert not await is_in(client)
    entries = [(e.person, e.deed, e.detail) for e in hall.book.audit.newest()]
    assert ("Anna", "sign-in", "openid 127.0.0.1") in entries
    assert "servizio di accesso · 127.0.0.1" in await hall.page("/audit")


async def test_what_is_asked_of_the_provider_has_state_nonce_and_pkce_anew_each_time(hall: Any, provider: Any) -> None:
    seen: dict[str, set[str]] = {"state": set(), "nonce": set(), "code_challenge": set()}
    async with hall.client(None) as client:
        for _ in range(3):
            url = await begin(client)
            asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
            assert url.startswith(f"{provider.issuer}/authorize?kept=1&")
            assert asked["scope"] == "openid"
            assert (asked["prompt"], asked["max_age"]) == ("login", "0")
            assert asked["redirect_uri"] == "http://console/openid/back"
            for name, values in seen.items():
                values.add(asked[name])
    assert all(len(values) == 3 for values in seen.values())


WRONG: dict[str, Any] = {
    "another issuer": lambda c: {**c, "iss": "https://elsewhere.example"},
    "another client": lambda c: {**c, "aud": "other"},
    "among others, not said for whom": lambda c: {**c, "aud": [server.CLIENT, "other"]},
    "for another party": lambda c: {**c, "aud": [server.CLIENT, "other"], "azp": "other"},
    "expired": lambda c: {**c, "exp": c["iat"] - 120, "iat": c["iat"] - 200},
    "of the future": lambda c: {**c, "iat": c["iat"] + 600, "exp": c["exp"] + 600},
    "not valid yet": lambda c: {**c, "nbf": c["iat"] + 600},
    "without an end": lambda c: {name: value for name, value in c.items() if name != "exp"},
    "another nonce": lambda c: {**c, "nonce": "of another flow"},
    "no nonce": lambda c: {name: value for name, value in c.items() if name != "nonce"},
    "nobody": lambda c: {name: value for name, value in c.items() if name != "sub"},
    "an empty subject": lambda c: {**c, "sub": ""},
    "a number": lambda c: {**c, "sub": 1},
}


@pytest.mark.parametrize("wrong", WRONG)
async def test_an_id_token_that_is_not_for_this_console_and_this_flow_lets_nobody_in(
    hall: Any, provider: Any, wrong: str
) -> None:
    person(hall)
    person(hall, "Uno", "1")
    provider.claims = WRONG[wrong]
    async with hall.client(None) as client:
        assert why(await come_back(client, provider)) == "openid_refused"
        assert not await is_in(client)
        provider.claims = lambda claims: claims
        assert why(await come_back(client, provider)) == "", "what was refused was refused for that reason alone"


@pytest.mark.parametrize("how", ["unsigned", "signed_with_the_public_key", "stranger", "no token"])
async def test_an_id_token_that_the_providers_key_has_not_signed_lets_nobody_in(
    hall: Any, provider: Any, how: str
) -> None:
    person(hall)
    stranger = server.RSAKey.generate_key(2048, {"kid": "key-0"}, private=True)
    ways = {
        "unsigned": provider.unsigned,
        "signed_with_the_public_key": provider.signed_with_the_public_key,
        "stranger": lambda claims: server.jwt.encode({"alg": "RS256", "kid": "key-0"}, claims, stranger),
        "no token": lambda _claims: "not.a.token",
    }
    provider.sign = ways[how]
    async with hall.client(None) as client:
        assert why(await come_back(client, provider)) == "openid_refused"
        assert not await is_in(client)


async def test_a_clock_that_differs_a_little_is_borne_and_one_that_differs_much_is_not(
    hall: Any, provider: Any
) -> None:
    person(hall)
    async with hall.client(None) as client:
        for seconds, word in ((30, ""), (-30, ""), (400, "openid_refused")):
            provider.claims = lambda c, s=seconds: {
                **c, "iat": c["iat"] + s, "exp": c["iat"] + s + 20, "auth_time": c["iat"] + s
            }  # fmt: skip
            assert why(await come_back(client, provider)) == word, seconds


async def test_a_new_key_of_the_provider_is_looked_for_and_foreign_kinds_of_keys_do_no_harm(
    hall: Any, provider: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openid_provider, "AGAIN_S", 0.0)
    provider.extra_keys = [{"kty": "oct", "k": "AA", "kid": "key-0"}, {"kty": "new"}, {"kty": "RSA", "kid": "key-0"}]
    person(hall)
    async with hall.client(None) as client:
        assert why(await come_back(client, provider)) == ""
        provider.roll()
        assert why(await come_back(client, provider)) == ""
        assert why(await come_back(client, provider)) == ""
    assert provider.asked.count("/keys") == 2, "asked again once, when a key was not known"


async def test_a_provider_that_is_down_leaves_the_own_accounts_working(hall: Any, provider: Any) -> None:
    bruno = person(hall, "Bruno", subject=None)
    hall.book.accounts.set_password(bruno.id, PASSWORD)
    provider.down = True
    async with hall.client(None) as client:
        answer = await client.get(await _button(client))
        assert why(answer) == "openid_away"
        page = await client.get(answer.headers["location"])
        assert "Il servizio di accesso non risponde: entra con nome e password" in page.text
        token = re.search(r'name="csrf" value="(\w+)"', page.text)[1]
        done = await client.post("/enter", data={"csrf": token, "to": "/", "name": "Bruno", "password": PASSWORD})
        assert done.status_code == 303
        assert await is_in(client)


async def test_a_provider_that_goes_down_between_is_said_and_is_no_attempt(hall: Any, provider: Any) -> None:
    person(hall)
    async with hall.client(None) as client:
        for _ in range(6):
            back = provider.vouch(await begin(client), "sub-1")
            provider.down = True
            assert why(await client.get(back)) == "openid_away"
            provider.down = False
        assert why(await come_back(client, provider)) == ""


async def _button(client: Any) -> str:
    page = await client.get("/enter")
    return re.search(r'href="(/openid/begin[^"]+)"', page.text)[1].replace("&amp;", "&")


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://elsewhere.example"},
        {"token_endpoint": "http://elsewhere.example/token"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
async def test_metadata_of_another_issuer_or_with_unprotected_addresses_are_not_used(
    hall: Any, provider: Any, wrong: dict[str, Any]
) -> None:
    provider.metadata = wrong
    async with hall.client(None) as client:
        assert why(await client.get(await _button(client))) == "openid_away"


async def test_a_code_or_state_that_comes_again_lets_nobody_in(hall: Any, provider: Any) -> None:
    person(hall)
    async with hall.client(None) as client:
        back = provider.vouch(await begin(client), "sub-1")
        flow_cookie = client.cookies["tavolo-openid"]
        assert why(await client.get(back)) == ""
        client.cookies.clear()
        client.cookies["tavolo-openid"] = flow_cookie
        assert why(await client.get(back)) == "openid_stale"
        used = parse_qs(urlsplit(back).query)["code"][0]
        fresh = provider.vouch(await begin(client), "sub-1")
        state = parse_qs(urlsplit(fresh).query)["state"][0]
        again = await client.get("/openid/back", params={"code": used, "state": state, "iss": provider.issuer})
        assert why(again) == "openid_refused", "the provider takes a code once"
        assert not await is_in(client)


async def test_another_browser_cannot_end_a_sign_in_that_somebody_began(hall: Any, provider: Any) -> None:
    """Login CSRF: the thief sends his own answer to his victim, who would work under the thief's name."""
    person(hall, "Ladro", "thief")
    async with hall.client(None) as thief, hall.client(None) as victim:
        back = provider.vouch(await begin(thief), "thief")
        assert why(await victim.get(back)) == "openid_stale"
        await begin(victim)  # with a flow of his own, too
        assert why(await victim.get(back)) == "openid_stale"
        assert not await is_in(victim)
        assert why(await thief.get(back)) == "", "nor can a stranger use it up"


async def test_the_way_to_the_provider_begins_only_on_the_consoles_own_page(hall: Any) -> None:
    async with hall.client(None) as client:
        way = await _button(client)
        assert (await client.get("/openid/begin")).status_code == 403
        assert (await client.get(way, headers={"Sec-Fetch-Site": "cross-site"})).status_code == 403
        assert (await client.get(way, headers={"Sec-Fetch-Site": "same-origin"})).status_code == 303
        client.cookies.clear()
        assert (await client.get(way)).status_code == 403


@pytest.mark.parametrize("issuer", ["https://elsewhere.example", None])
async def test_an_answer_of_another_issuer_is_not_taken_to_the_provider(hall: Any, provider: Any, issuer: Any) -> None:
    """Mix-up, RFC 9207: the provider says that its answers name it."""
    person(hall)
    async with hall.client(None) as client:
        asked = parse_qs(urlsplit(provider.vouch(await begin(client), "sub-1")).query)
        sent = {"code": asked["code"][0], "state": asked["state"][0], **({"iss": issuer} if issuer else {})}
        assert why(await client.get("/openid/back", params=sent)) == "openid_refused"
    assert "/token" not in provider.asked


async def test_a_session_that_was_there_before_is_not_the_one_after(hall: Any, provider: Any) -> None:
    """Session fixation: a cookie that somebody else knows is worth nothing once its holder has signed in."""
    person(hall)
    known, _ = hall.cookie("spectator", "Chi sa")
    async with hall.client(None) as client:
        client.cookies["tavolo"] = known
        url = await begin(client)
        answer = await client.get(provider.vouch(url, "sub-1"))
        assert answer.status_code == 303
        assert f"tavolo={known}" not in answer.headers["set-cookie"]
    assert hall.book.accounts.session(known, now=time.time()) is None


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example/", "/\\evil.example", "/x\r\nSet-Cookie: a=b"])
async def test_signing_in_leads_to_no_other_site(hall: Any, provider: Any, to: str) -> None:
    person(hall)
    async with hall.client(None) as client:
        assert (await come_back(client, provider, to=to)).headers["location"] == "/"


@pytest.mark.parametrize(
    ("error", "word"), [("access_denied", "openid_denied"), ("<script>", "openid_refused"), (None, "openid_refused")]
)
async def test_whoever_says_no_at_the_provider_reads_it_in_a_sentence(
    hall: Any, provider: Any, error: str | None, word: str
) -> None:
    person(hall)
    async with hall.client(None) as client:
        state = parse_qs(urlsplit(await begin(client)).query)["state"][0]
        told = {"state": state, "iss": provider.issuer, **({"error": error} if error else {})}
        answer = await client.get("/openid/back", params=told)
        assert why(answer) == word
        assert "<script>" not in (await client.get(answer.headers["location"])).text.partition("<main")[2]
        assert why(await client.get("/openid/back", params={**told, "code": "x"})) == "openid_stale"


async def test_somebody_who_is_linked_to_nobody_is_refused_whatever_his_mail_is(hall: Any, provider: Any) -> None:
    person(hall, "anna@example.org", subject=None)
    person(hall, "Anna Rossi", subject=None)
    async with hall.client(None) as client:
        answer = await come_back(client, provider, "sub-9")
        assert why(answer) == "openid_unknown"
        assert "chiedi a chi dirige di collegarti" in (await client.get(answer.headers["location"])).text
        assert not await is_in(client)
    assert hall.book.vouched.waiting(provider.issuer, now=time.time()) == []
    assert len(hall.book.accounts.everybody()) == 2


async def test_a_disabled_account_does_not_come_in_and_one_of_another_provider_is_another(
    hall: Any, provider: Any
) -> None:
    anna = person(hall)
    other = hall.book.accounts.add("Altra", Role.CHIEF, now=0.0)
    assert hall.book.vouched.link("https://elsewhere.example", "sub-7", other.id, by="test", now=0.0)
    hall.book.accounts.disable(anna.id, disabled=True)
    async with hall.client(None) as client:
        assert why(await come_back(client, provider)) == "openid_unknown"
        assert why(await come_back(client, provider, "sub-7")) == "openid_unknown"
        hall.book.accounts.disable(anna.id, disabled=False)
        assert why(await come_back(client, provider)) == ""


async def test_a_provider_that_did_not_ask_anew_lets_nobody_in_unless_the_hall_does_not_want_it(
    make_house: Any, provider: Any
) -> None:
    """A tablet goes from hand to hand: whoever signs in next must not be who was signed in at the provider before."""
    wrong = (lambda c: {**c, "auth_time": c["iat"] - 3600}, lambda c: {**c, "auth_time": None})
    for each_time, word in ((True, "openid_not_anew"), (False, "")):
        house = house_with(make_house, provider, each_time=each_time)
        person(house)
        for claims in wrong:
            provider.claims = claims
            async with house.client(None) as client:
                assert why(await come_back(client, provider)) == word


async def test_failed_sign_ins_are_counted_by_address_and_stand_in_the_log(hall: Any, provider: Any) -> None:
    person(hall)
    provider.claims = WRONG["another nonce"]
    async with hall.client(None) as client:
        assert [why(await come_back(client, provider)) for _ in range(6)] == ["openid_refused"] * 5 + [
            "openid_too_many"
        ]
    entries = [(e.deed, e.detail) for e in hall.book.audit.newest()]
    assert entries.count(("sign-in failed", "openid_refused 127.0.0.1")) == 5
    assert "La risposta del servizio di accesso non è valida" in await hall.page("/audit")


async def test_a_person_links_his_account_with_his_password_and_takes_it_away_again(hall: Any, provider: Any) -> None:
    bruno = person(hall, "Bruno", subject=None)
    hall.book.accounts.set_password(bruno.id, PASSWORD)
    async with hall.client("arbitro", "Bruno") as client:
        wrong = await client.post("/openid/link", data={"password": "un'altra frase"})
        assert wrong.status_code == 401
        assert provider.issuer not in wrong.text
        page = await client.post("/openid/link", data={"password": PASSWORD})
        url = re.search(r'href="(http[^"]+)"', page.text)[1].replace("&amp;", "&")
        back = provider.vouch(url, "sub-2")
        async with hall.client("chief") as other:
            other.cookies["tavolo-openid"] = client.cookies["tavolo-openid"]
            assert why(await other.get(back)) == "openid_stale", "it is linked to who gave the password"
        assert hall.book.vouched.subjects(provider.issuer) == {}
        page = await client.post("/openid/link", data={"password": PASSWORD})
        url = re.search(r'href="(http[^"]+)"', page.text)[1].replace("&amp;", "&")
        done = await client.get(provider.vouch(url, "sub-2"))
        assert done.headers["location"] == "/openid"
        assert "è collegato" in (await client.get("/openid")).text
    async with hall.client(None) as client:
        assert why(await come_back(client, provider, "sub-2")) == ""
        csrf = hall.book.accounts.session(client.cookies["tavolo"], now=time.time()).csrf
        assert (await client.post("/openid/unlink", headers={"X-CSRF": csrf})).headers["location"] == "/enter"
        assert not await is_in(client)
        assert why(await come_back(client, provider, "sub-2")) == "openid_unknown"
    done_by = [(e.person, e.deed) for e in hall.book.audit.newest()]
    assert ("Bruno", "openid linked") in done_by
    assert ("Bruno", "openid unlinked") in done_by


async def test_nobody_links_without_a_password_nor_an_account_that_is_anothers(hall: Any, provider: Any) -> None:
    person(hall)
    bruno = person(hall, "Bruno", subject=None)
    async with hall.client("arbitro", "Bruno") as client:
        assert "password" in (await client.get("/openid")).text
        assert (await client.post("/openid/link", data={"password": ""})).status_code == 401
        hall.book.accounts.set_password(bruno.id, PASSWORD)
    async with hall.client("arbitro", "Bruno") as client:
        page = await client.post("/openid/link", data={"password": PASSWORD})
        url = re.search(r'href="(http[^"]+)"', page.text)[1].replace("&amp;", "&")
        assert why(await client.get(provider.vouch(url, "sub-1"))) == "openid_taken"
    assert len(hall.book.vouched.subjects(provider.issuer)) == 1


async def test_guesses_at_a_password_count_on_every_way_in(hall: Any) -> None:
    bruno = person(hall, "Bruno", subject=None)
    hall.book.accounts.set_password(bruno.id, PASSWORD)
    async with hall.client("arbitro", "Bruno") as client:
        for _ in range(5):
            assert (await client.post("/openid/link", data={"password": "sbagliata"})).status_code == 401
        assert (await client.post("/openid/link", data={"password": PASSWORD})).status_code == 429
    async with hall.client(None) as client:
        page = await client.get("/enter")
        token = re.search(r'name="csrf" value="(\w+)"', page.text)[1]
        refused = await client.post("/enter", data={"csrf": token, "name": "Bruno", "password": PASSWORD})
        assert refused.status_code == 429


async def test_whoever_lets_people_in_links_those_who_wait_within_his_rights(make_house: Any, provider: Any) -> None:
    house = house_with(make_house, provider, waits=True)
    chief = person(house, "Capo", subject=None, role=Role.CHIEF)
    async with house.client(None) as client:
        answer = await come_back(client, provider, "sub-5")
        assert why(answer) == "openid_waits"
        assert why(await come_back(client, provider, "sub-5")) == "openid_waits"
        assert not await is_in(client)
    (entry,) = house.book.vouched.waiting(provider.issuer, now=time.time())
    assert (entry.subject, entry.shown) == ("sub-5", "Anna Rossi")
    assert "Anna Rossi" in await house.page("/people", "organiser")
    settle = {"entry": str(entry.id), "do": "add", "name": "X", "role": "arbitro"}
    async with house.client("organiser") as client:
        refused = await client.post("/people/waiting", data={**settle, "do": "link", "account": str(chief.id)})
        assert refused.status_code == 400
        assert (await client.post("/people/waiting", data=settle)).status_code == 400
    assert house.book.vouched.subjects(provider.issuer) == {}, "an organiser makes nobody an arbitro, nor a chief"
    assert house.book.accounts.named("X") is None
    async with house.client("chief") as client:
        done = await client.post("/people/waiting", data={**settle, "name": "Anna", "role": "technician"})
        assert done.status_code == 200
    async with house.client(None) as client:
        assert why(await come_back(client, provider, "sub-5")) == ""
        assert (await client.get("/people")).status_code == 403
    anna = house.book.accounts.named("Anna")
    await house.post(f"/people/{anna.id}/unlink", "chief")
    async with house.client(None) as client:
        assert why(await come_back(client, provider, "sub-5")) == "openid_waits"
    (entry,) = house.book.vouched.waiting(provider.issuer, now=time.time())
    await house.post("/people/waiting", entry=str(entry.id), do="forget")
    assert house.book.vouched.waiting(provider.issuer, now=time.time()) == []


async def test_an_identifier_is_linked_by_hand_and_an_account_has_one_only(hall: Any, provider: Any) -> None:
    anna, bruno = person(hall, subject=None), person(hall, "Bruno", subject=None)
    capo = person(hall, "Capo", subject=None, role=Role.CHIEF)
    assert (await hall.post(f"/people/{anna.id}/link", subject="sub-1")).status_code == 200
    for number, subject in ((bruno.id, "sub-1"), (anna.id, "sub-2"), (bruno.id, ""), (bruno.id, "x" * 256)):
        assert (await hall.post(f"/people/{number}/link", subject=subject)).status_code == 400
    assert (await hall.post(f"/people/{capo.id}/link", "organiser", subject="sub-3")).status_code == 400
    assert hall.book.vouched.subjects(provider.issuer) == {anna.id: "sub-1"}


def test_those_who_wait_are_bounded_and_forgotten(hall: Any) -> None:
    kept = hall.book.vouched
    anna = person(hall, subject="linked")
    for n in range(WAITING_MOST + 5):
        kept.ask("https://p", f"s-{n}", "", now=1000.0 + n)
    assert len(kept.waiting("https://p", now=1500.0)) == WAITING_MOST
    assert kept.waiting("https://p", now=1500.0 + WAITING_S) == []
    kept.ask("https://p", "new", "", now=1500.0 + WAITING_S)
    assert [one.subject for one in kept.waiting("https://p", now=1500.0 + WAITING_S)] == ["new"]
    assert kept.subjects(hall.settings.openid.issuer) == {anna.id: "linked"}


async def test_no_token_and_no_address_of_mail_is_kept(make_house: Any, provider: Any) -> None:
    house = house_with(make_house, provider, waits=True)
    person(house)
    tokens: list[str] = []
    provider.sign = lambda claims: tokens.append(provider.signed(claims)) or tokens[-1]
    async with house.client(None) as client:
        assert why(await come_back(client, provider)) == ""
        assert why(await come_back(client, provider, "sub-8")) == "openid_waits"
    database = house.book.database
    database.flush()
    tables = [row["name"] for row in database.rows("select name from sqlite_master where type = 'table'")]
    kept = "\n".join(str(tuple(row)) for table in tables for row in database.rows(f"select * from {table}"))  # noqa: S608
    assert "sub-8" in kept
    assert len(tokens) == 2
    for secret in (*tokens, "anna@example.org", server.SECRET):
        assert secret not in kept


def test_flows_are_bounded_by_address_and_by_time() -> None:
    flows = OpenIdFlows()
    mine, cookie = flows.begin("10.0.0.1", "/", now=0.0)
    for _ in range(FLOWS_OF_ADDRESS + 3):
        flows.begin("10.0.0.2", "/", now=1.0)
    assert flows.take(mine.state, cookie, now=2.0) == mine, "another address pushes nobody out"
    old, cookie = flows.begin("10.0.0.1", "/", now=0.0)
    assert flows.take(old.state, cookie, now=FLOW_S) is None


async def test_without_a_provider_there_is_no_button_and_no_way(house: Any) -> None:
    async with house.client(None) as client:
        assert "/openid" not in (await client.get("/enter?why=openid_away")).text
        for path in ("/openid/begin", "/openid/back?code=x&state=y"):
            assert (await client.get(path)).status_code == 404
    assert (await house.get("/openid", "chief")).status_code == 404
    assert (await house.post("/openid/link", "chief")).status_code == 404


async def test_at_another_address_of_the_console_the_page_says_which_to_open(hall: Any) -> None:
    async with hall.client(None) as client:
        way = await _button(client)
        answer = await client.get(way, headers={"Host": "localhost:8080"})
        assert why(answer) == "openid_address"
        assert "http://console" in (await client.get(answer.headers["location"])).text
