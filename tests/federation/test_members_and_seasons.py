"""Members, results, the season's ranking, the results stream, and erasing: nobody is left, all is countable."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from table_service.console.vocabulary import Words
from table_service.federation.errors import FederationUseError
from table_service.federation.members import erase, find_members, read_members, take_members
from table_service.federation.reach import AccountReach, HallPlace, set_place
from table_service.federation.season_rules import Seasons, read_rules, season_by, set_circuit
from table_service.federation.tournament_results import read_results, take_results
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch

ALL = AccountReach(None, None)
MAY = datetime(2026, 5, 17, 19, 0, tzinfo=UTC)
RULES = """name = "{name}"
best = 2
least = 1
[levels.club]
places = [10, 6]
taking_part = 1
[levels.final]
places = [30]
"""


def results(name: str, *entries: tuple[int | None, list[tuple[str, str]]], **more: Any) -> str:
    told = [
        {"place": place, "people": [{"name": one, "member": number} for one, number in people]}
        for place, people in entries
    ]
    return json.dumps({"v": 1, "tournament": name, "began": MAY.isoformat(), "entries": told, **more})


def test_each_line_of_a_list_that_cannot_be_taken_has_its_sentence() -> None:
    text = (
        "N. tessera;Cognome;Nome;Circolo;Categoria\n"
        "101;Rossi;Anna;Duomo;A\n"
        ";Neri;Ugo;Duomo;B\n"
        "103;;;Duomo;B\n"
        "101;Bianchi;Ada;Duomo;B\n"
        f"105;{'x' * 61};Ada;Duomo;B\n"
        "106;Verdi;Ivo;Levante;B\n"
    )
    read = read_members(text)
    assert [(one.number, one.name, one.club, one.category) for one in read.members] == [
        ("101", "Rossi Anna", "Duomo", "A"), ("106", "Verdi Ivo", "Levante", "B")
    ]  # fmt: skip
    for language, first in (
        ("it", "Riga 3: a Neri Ugo manca la tessera."),
        ("en", "Line 3: Neri Ugo has no member number."),
    ):
        said = [Words(language).say(one.word, **one.terms) for one in read.refused]  # type: ignore[arg-type]
        assert said[0] == first
        assert len(said) == 4
        assert all(one.endswith(".") for one in said)
    assert [one.terms["n"] for one in read.refused] == [3, 4, 5, 6]
    assert read_members("a;b\n1;2").refused[0].word == "fed_members_heads"
    assert read_members("Tessera,Nome e cognome\n7,Ada Rossi").members[0].name == "Ada Rossi"


async def test_a_club_takes_in_and_sees_its_own_members_only(site: Any) -> None:
    await set_place(site.archive, HallPlace("alpha", "Petronio", "Emilia"))
    whole, club = (
        await site.person("organiser", ("federation", "")),
        await site.person("organiser", ("club", "Petronio")),
    )
    heads = "Tessera;Giocatore;Circolo\n"
    taken = await site.post("/members", whole, list=heads + "m1;Anna Rossi;Petronio\nm2;Ugo Neri;Levante")
    assert "2 nuovi" in taken.text
    own = await site.post(
        "/members", club, list=heads + "m1;Anna Rossi Bo;Petronio\nm3;Ivo Verdi;Levante\nm2;Ugo;Petronio"
    )
    assert "Riga 3: m3 è del circolo Levante" in own.text
    found = {one["number"]: (one["name"], one["club"]) for one in await find_members(site.archive, ALL)}
    assert found["m1"] == ("Anna Rossi Bo", "Petronio")
    assert found["m2"] == ("Ugo Neri", "Levante"), "nobody is moved out of a club beyond the rights"
    assert "m3" not in found
    html = (await site.get("/members", club)).text
    assert "Anna Rossi Bo" in html
    assert "Ugo Neri" not in html
    assert "Ugo Neri" in (await site.get("/members", whole, params={"q": "neri"})).text
    rows = list(csv.reader(io.StringIO((await site.get("/members.csv", whole)).text)))
    assert read_members("\n".join(";".join(row) for row in rows)).refused == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = ", "no TOML"),
        ('name = "x"', "levels"),
        ('name = "x"\n[levels.a]\nplaces = [5, 6]', "later place has more points"),
        ('name = "x"\nbest = -1\n[levels.a]\nplaces = [5]', "best"),
        ('name = "x"\n[levels.a]\nplaces = [5]\ntaking_part = 6', "later place has more points"),
    ],
)
def test_rules_that_cannot_hold_are_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(FederationUseError, match=why) as found:
        read_rules(text)
    assert "\n" not in str(found.value)


def test_the_best_tournaments_of_each_member_count_by_level_and_equals_share_a_place() -> None:
    rules = read_rules(RULES.format(name="x"))
    played = [
        ("a", (1, 1, 1), ("club", "club", "club")),
        ("b", (1, 5), ("final", "final")),
        ("c", (2, 0, 1), ("club", "club", "club")),
        ("d", (1, 1), ("club", "")),
    ]
    found = {one.member: (one.place, one.total, one.played, one.counted) for one in season_by(rules, played)}
    assert found == {"b": (1, 30, 2, 2), "a": (2, 20, 3, 2), "d": (2, 20, 2, 2), "c": (4, 16, 3, 2)}


async def test_results_make_a_season_and_the_same_results_again_count_once(site: Any) -> None:
    await set_place(site.archive, HallPlace("season-hall", "Duomo", "Lombardia"))
    chief, local = (
        await site.person("chief", ("federation", "")),
        await site.person("organiser", ("hall", "season-hall")),
    )
    assert (await site.post("/circuits", local, rules=RULES.format(name="Coppa"))).status_code == 403
    assert (await site.post("/circuits", chief, rules=RULES.format(name="Coppa"))).status_code == 200
    assert "no TOML" in (await site.post("/circuits", chief, rules="=")).text
    heads = "Tessera;Giocatore;Circolo\n"
    await site.post("/members", chief, list=heads + "s1;Anna Rossi;Duomo\ns2;Ugo Neri;Duomo")
    told = results("Maggio", (1, [("Anna", "s1"), ("Ospite", "")]), (2, [("Ugo", "s2")]), circuit="Coppa", level="club")
    for _ in range(2):
        assert (await site.post("/tournaments", local, hall="season-hall", results=told)).status_code == 200
    assert (await site.post("/tournaments", local, hall="other", results=told)).status_code == 403
    async with site.program(local) as program:
        final = results("Finale", (1, [("Ugo", "s2")]), circuit="Coppa", level="final")
        assert (await program.post("/api/federation/v1/results/season-hall", content=final)).status_code == 201
        assert (await program.post("/api/federation/v1/results/other", content=final)).status_code == 403
        unknown = results("X", (1, [("Ugo", "s2")]), circuit="Nessuno")
        refused = await program.post("/api/federation/v1/results/season-hall", content=unknown)
        assert refused.status_code == 422
        assert refused.json()["detail"] == "no circuit is called 'Nessuno'"
    anybody = await site.person("spectator")
    rows = (await site.get("/season.json", anybody, params={"circuit": "Coppa"})).json()["rows"]
    assert [(one["place"], one["name"], one["points"], one["played"]) for one in rows] == [
        (1, "Ugo Neri", 36, 2), (2, "Anna Rossi", 10, 1)
    ]  # fmt: skip
    assert (await site.get("/", anybody)).headers["location"] == "/season"
    html = (await site.get("/season", anybody, params={"circuit": "Coppa", "member": "s1"})).text
    assert "Anna Rossi" in html
    assert "s1 non è in questa classifica" not in html
    assert (
        "zz non è in questa classifica"
        in (await site.get("/season", anybody, params={"circuit": "Coppa", "member": "zz"})).text
    )


async def test_other_programs_get_each_tournament_once_within_their_rights(site: Any) -> None:
    for hall in ("stream-a", "stream-b"):
        for n in range(3):
            text = results(f"T{n}", (1, [("Anna", "st1")]), (None, [("Ugo", "")]))
            await take_results(site.archive, hall, read_results(text), "x")
    name = await site.person("spectator", ("hall", "stream-a"))
    seen: list[dict[str, Any]] = []
    after = 0
    async with site.program(name) as program:
        while True:
            page = (await program.get("/api/federation/v1/results.json", params={"after": after})).json()
            if not page["results"]:
                break
            seen += page["results"]
            after = page["next"]
        rows = list(csv.DictReader(io.StringIO((await program.get("/api/federation/v1/results.csv")).text)))
    assert [(one["hall"], one["name"]) for one in seen] == [("stream-a", f"T{n}") for n in range(3)]
    assert seen[0]["entries"] == [
        {"place": 1, "people": [{"member": "st1", "name": "Anna"}]},
        {"place": None, "people": [{"member": "", "name": "Ugo"}]},
    ]  # fmt: skip
    assert [(one["name"], one["place"], one["members"]) for one in rows][:2] == [("T0", "1", "st1"), ("T0", "", "")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "Invalid JSON"),
        ("{}", "tournament"),
        (results("x", (0, [("a", "")])), "entries.0.place"),
        (results("x", (1, [("a", "7")]), (2, [("b", "7")])), "member 7 is in two entries"),
        (results("x"), "entries"),
    ],
)
def test_results_that_make_no_sense_are_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(FederationUseError, match=why) as found:
        read_results(text)
    assert "\n" not in str(found.value)


async def test_a_search_by_member_finds_what_was_told_at_his_tables_while_he_sat_there(site: Any) -> None:
    def told(seq: int, table: str, minutes: int) -> ArchivedEvent:
        at = MAY + timedelta(minutes=minutes)
        body = {"table": table, "boot": "0000aa", "seq": seq, "type": "irregularity", "time": at.isoformat(), "deal": 1,
                "data": {"row": "F-03", "state": "open", "title": {"it": "x", "en": "x"}}}  # fmt: skip
        return ArchivedEvent("seats", table, "0000aa", seq, "irregularity", 1, 1.0, at, json.dumps(body))

    await site.write(VerifiedBatch([told(1, "T1", 10), told(2, "T1", 70), told(3, "T2", 70), told(4, "T3", 10)]))
    seats = [
        {"table": "T1", "line": "NS", "began": MAY.isoformat(), "ended": (MAY + timedelta(hours=1)).isoformat()},
        {"table": "T2", "line": "EW", "began": (MAY + timedelta(hours=1)).isoformat(),
         "ended": (MAY + timedelta(hours=2)).isoformat()},
    ]  # fmt: skip
    document = json.loads(results("Serata", (1, [("Anna", "p1")]), (2, [("Ugo", "p2")])))
    document["entries"][0]["seats"] = seats
    await take_results(site.archive, "seats", read_results(json.dumps(document)), "x")
    name = await site.person("arbitro", ("hall", "seats"))

    async def found(member: str) -> set[int]:
        text = (await site.get("/archive.json", name, params={"member": member})).text
        return {json.loads(line)["event"]["seq"] for line in text.splitlines()}

    assert await found("p1") == {1, 3}
    assert await found("p2") == set()


async def test_an_erased_member_is_nowhere_and_his_results_are_still_counted(site: Any) -> None:
    await set_circuit(site.archive, RULES.format(name="Privata"))
    await take_members(site.archive, read_members("Tessera;Giocatore;Circolo\ne1;Zelinda Segreti;Duomo").members, ALL)
    text = results("Una", (1, [("Zelinda Segreti", "e1")]), (2, [("Ugo", "e2")]), circuit="Privata", level="club")
    await take_results(site.archive, "private", read_results(text), "x")
    seasons = Seasons(site.archive)
    before = await seasons.ranking("Privata")
    done = await erase(site.archive, "e1")
    after = await seasons.ranking("Privata")
    assert before is not None
    assert after is not None
    assert done.results == 1
    assert [(one.place, one.total) for one in after[1]] == [(one.place, one.total) for one in before[1]]
    assert {one.member for one in after[1]} == {done.alias, "e2"}
    rows = await site.archive.rows(
        "select relname, (xpath('/row/n/text()', query_to_xml(format("
        "'select count(*) as n from %I t where t::text like ''%%Segreti%%'' or t::text like ''%%(e1,%%'' or t::text"
        " like ''%%,e1,%%'' or t::text like ''%%,e1)%%''', relname), false, true, '')))[1]::text::int as n"
        " from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace"
    )
    assert {row["relname"] for row in rows} >= {"member", "player", "filed_case"}
    assert [row["relname"] for row in rows if row["n"]] == []
    chief = await site.person("chief", ("federation", ""))
    assert "Segreti" not in (await site.get("/members", chief)).text
    assert done.alias not in (await site.get("/members", chief)).text
    with pytest.raises(FederationUseError, match="no member has the number 'e1'"):
        await erase(site.archive, "e1")


def test_people_results_and_erasing_by_command(config: Path, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from table_service.cli import app

    def said(*arguments: str) -> tuple[int, str]:
        found = CliRunner().invoke(app, ["federation", *arguments, "--config", str(config)])
        return found.exit_code, found.output

    members, rules, evening = tmp_path / "list.csv", tmp_path / "rules.toml", tmp_path / "results.json"
    members.write_text("Tessera;Giocatore;Circolo\nc1;Anna Rossi;Duomo\n;Ugo Neri;Duomo\n")
    code, text = said("members", str(members))
    assert code == 1
    assert "1 new, 0 known, 1 refused" in text
    assert "Line 3: Ugo Neri has no member number." in text
    rules.write_text(RULES.format(name="Comando"))
    assert said("circuit", str(rules))[0] == 0
    evening.write_text(results("Serata", (1, [("Anna Rossi", "c1")]), circuit="Comando", level="final"))
    assert said("results", "casa", str(evening))[0] == 0
    code, text = said("season", "Comando")
    assert code == 0
    assert text.splitlines() == ["  1      30  Anna Rossi (c1)"]
    code, text = said("erase", "c1")
    assert code == 0
    assert "1 results stay" in text
    assert "Anna" not in said("season", "Comando")[1]
    assert said("erase", "c1")[0] == 2
    assert said("place", "casa", "--club", "Duomo")[1] == "casa: Duomo, no region\n"
