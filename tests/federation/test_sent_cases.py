"""Cases sent on by halls: only what tables signed is taken, somebody else answers, the file verifies offline."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from table_service.console.archive.case_file import CaseFile, CasePicture, case_zip
from table_service.events.topics import Topics
from table_service.federation.filed_cases import certificates_of
from table_service.federation.verified_events import EventVerifier, VerifiedBatch, read_event


@pytest.fixture
def speaker(halls: Any, verifier: EventVerifier) -> Any:
    """A table of bologna whose certificate the workers know."""
    made = halls.speaker()
    made.introduce(verifier)
    return made


def irregularity(speaker: Any, seq: int = 5, **more: Any) -> dict[str, Any]:
    data = {
        "key": f"T1-{seq}",
        "row": "F-03",
        "state": "open",
        "title": {"it": "Pescata", "en": "Draw"},
        "offender": "N",
    }
    found: dict[str, Any] = speaker.event(seq, "irregularity", data=data, **more)
    return found


async def archived(site: Any, verifier: EventVerifier, speaker: Any, *events: dict[str, Any]) -> None:
    """Write what a worker would: certificate and events."""
    from table_service.events.signing import introduction
    from table_service.events.topics import parse

    batch = VerifiedBatch()
    address = parse(Topics(speaker.hall, speaker.table).identity)
    assert address is not None
    told = json.dumps(introduction(speaker.table, [speaker.identity.certificate])).encode()
    assert verifier.introduce(address, told, batch)
    batch.events = [row for event in events if (row := read_event(speaker.hall, event)) is not None]
    await site.write(batch)


def case(speaker: Any, *told: dict[str, Any], pictures: tuple[CasePicture, ...] = ()) -> bytes:
    about = {"hall": "sala", "table": speaker.table, "alert": {"key": "T1-5", "row": "F-03"}}
    certificates = {"certificates": [speaker.identity.certificate]}
    return case_zip(CaseFile(about, "Il caso.\n", told, (), pictures, certificates))


def audited(path: Path, *more: str) -> tuple[int, dict[str, Any]]:
    found = CliRunner().invoke(app, ["audit", str(path), "--json", *more])
    return found.exit_code, json.loads(found.output)


async def test_a_sent_case_is_answered_by_another_and_its_whole_file_verifies_offline(
    site: Any, halls: Any, verifier: EventVerifier, speaker: Any, tmp_path: Path
) -> None:
    deal = [speaker.event(n) for n in (1, 2, 3, 4)]
    fact = irregularity(speaker)
    await archived(site, verifier, speaker, *deal, fact)
    asker = await site.person("arbitro", ("hall", "bologna"), name="Anna di Bologna")
    national = await site.person("arbitro", ("federation", ""), name="Ugo nazionale")
    elsewhere = await site.person("arbitro", ("hall", "milano"), name="Ivo di Milano")
    picture = CasePicture("f-1", "at", "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae", b"foo")
    body = case(speaker, fact, pictures=(picture,))
    async with site.program(asker) as program:
        path = "/api/federation/v1/cases/opinion/bologna"
        sent = await program.post(path, content=body, params={"note": "Che ne dici?"})
        assert sent.status_code == 201, sent.text
        assert (await program.post("/api/federation/v1/cases/appeal/milano", content=body)).status_code == 403
    number = sent.json()["case"]
    html = (await site.get(f"/cases/{number}", national)).text
    assert "Che ne dici?" in html
    assert "Il caso." in html
    assert (await site.get(f"/cases/{number}", elsewhere)).status_code == 404
    assert (await site.post(f"/cases/{number}/answer", asker, answer="Sì")).status_code == 403
    assert (await site.post(f"/cases/{number}/answer", national, answer="Sì, ammonizione.")).status_code == 303
    assert (await site.post(f"/cases/{number}/answer", national, answer="No.")).status_code == 403
    async with site.program(asker) as program:
        answer = (await program.get(f"/api/federation/v1/cases/{number}")).json()
    assert (answer["answer"], answer["answered_by"]) == ("Sì, ammonizione.", "Ugo nazionale")
    file = tmp_path / "CASE.zip"
    file.write_bytes((await site.get(f"/cases/{number}/case.zip", asker)).content)
    authority = tmp_path / "authority.crt"
    authority.write_bytes(halls.authorities["bologna"].pem)
    code, verdict = audited(file, "--authority", str(authority))
    assert (code, verdict["whole"], verdict["known"], verdict["problems"]) == (0, True, True, [])
    assert (verdict["events"], verdict["signed"], verdict["pictures"]) == (6, 6, 1), "the fact, and the deal around it"
    foreign = tmp_path / "foreign.crt"
    foreign.write_bytes(halls.add("altrove").pem)
    code, verdict = audited(file, "--authority", str(foreign))
    assert code == 1
    assert any("not signed by table T1" in one for one in verdict["problems"])
    with zipfile.ZipFile(file) as archive:
        federation = json.loads(archive.read("case.json"))["federation"]
        whole = b"".join(archive.read(one) for one in archive.namelist())
    assert federation["answer"] == "Sì, ammonizione."
    assert b'"secret"' not in whole


async def test_a_case_that_no_table_of_the_hall_signed_is_not_taken(
    site: Any, halls: Any, verifier: EventVerifier, speaker: Any
) -> None:
    fact = irregularity(speaker)
    await archived(site, verifier, speaker, fact)
    name = await site.person("arbitro", ("hall", "bologna"), name="Bea di Bologna")
    altered = {**fact, "data": {**fact["data"], "offender": "S"}}
    open_card = speaker.identity.sign(
        "event", {**{k: v for k, v in fact.items() if k != "signature"}, "secret": {"card": "AH"}}
    )
    good = case(speaker, fact)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        files = {one: archive.read(one) for one in archive.namelist()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for one, content in files.items():
            archive.writestr(one, content.replace(b"Il caso.", b"Un altro.") if one == "case.txt" else content)
    before = len(re.findall(r"/cases/\d+\"", (await site.get("/cases", name)).text))
    async with site.program(name) as program:
        for body, why in (
            (case(speaker, altered), "events.jsonl, line 1: not signed by table T1"),
            (case(speaker, open_card), "names something hidden in the open"),
            (case(speaker), "the file has no event"),
            (out.getvalue(), "case.txt was changed"),
            (b"no zip", "is no ZIP"),
        ):
            answer = await program.post("/api/federation/v1/cases/appeal/bologna", content=body)
            assert answer.status_code == 422, why
            assert why in answer.json()["detail"]
        assert (await program.post("/api/federation/v1/cases/appeal/bologna", content=good)).status_code == 201
    page = (await site.get("/cases", name)).text
    assert len(re.findall(r"/cases/\d+\"", page)) == before + 1


async def test_an_erased_members_cases_are_named_and_removed_on_request(
    site: Any, verifier: EventVerifier, speaker: Any
) -> None:
    from table_service.federation.members import erase, read_members, take_members
    from table_service.federation.reach import AccountReach

    fact = irregularity(speaker)
    await archived(site, verifier, speaker, fact)
    name = await site.person("arbitro", ("hall", "bologna"), name="Cia di Bologna")
    async with site.program(name) as program:
        path = "/api/federation/v1/cases/appeal/bologna"
        first = (await program.post(path, content=case(speaker, fact), params={"note": "Ricorre Quirino Erasi"})).json()
        other = (await program.post(path, content=case(speaker, fact), params={"note": "Ricorre un altro"})).json()
    everybody = AccountReach(None, None)
    for with_cases in (False, True):
        await take_members(site.archive, read_members("Tessera;Giocatore\nq1;Erasi Quirino").members, everybody)
        done = await erase(site.archive, "q1", with_cases=with_cases)
        assert done.cases == (first["case"],)
    assert (await site.get(f"/cases/{first['case']}", name)).status_code == 404
    assert (await site.get(f"/cases/{other['case']}", name)).status_code == 200


async def test_certificates_of_a_table_stay_in_the_archive(site: Any, verifier: EventVerifier, halls: Any) -> None:
    speaker = halls.speaker("bologna", "T7")
    for _ in range(2):
        await archived(site, verifier, speaker)
    found = await certificates_of(site.archive, "bologna", "T7")
    assert found["certificates"] == [speaker.identity.certificate]
    assert found["authority"] == halls.authorities["bologna"].pem.decode()
