"""The federation's pages in a real Chromium: phone, tablet and wall, both languages; axe finds nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from table_service.console.archive.case_file import CaseFile, case_zip
from table_service.console.console_server import serving
from table_service.console.settings import ConsoleSettings
from table_service.events.signing import SigningIdentity
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.archive_writer import ArchiveWriter, WorkerCounts
from table_service.federation.filed_cases import file_case
from table_service.federation.local_postgres import LocalPostgres, find_postgres
from table_service.federation.members import read_members, take_members
from table_service.federation.migrating import migrate
from table_service.federation.reach import AccountReach, HallPlace, set_place
from table_service.federation.recorded_table import recorded_events
from table_service.federation.season_rules import set_circuit
from table_service.federation.site.federation_app import site_maker
from table_service.federation.tournament_results import read_results, take_results
from table_service.federation.verified_events import VerifiedBatch, read_event
from table_service.hall.authority import new_authority, now
from table_service.install.contents import table_user
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "wall": (1920, 1080)}
PATHS = (
    "", "archive", "archive?type=deal.ended", "deal/bologna/T1/00000b/1", "cases", "cases/1", "members?q=ro",
    "season?circuit=Coppa+2026", "tournaments", "rights", "people", "audit?all=1",
)  # fmt: skip
HEADS = ("Tessera;Giocatore;Circolo;Categoria\n", "b1;Anna Rossi;Petronio;A\n", "b2;Ugo Neri;Petronio;B\n")
SMALL = """() => [...document.querySelectorAll('button, a.btn, summary, select, input, textarea')]
  .filter(e => !['checkbox', 'radio', 'hidden'].includes(e.type) && e.checkVisibility())
  .filter(e => e.getBoundingClientRect().height < 43.5).map(e => e.outerHTML.slice(0, 90))"""


async def filled(archive: ArchivePool) -> None:
    """Two halls, one behind; a deal; members; a season; a case."""
    made = new_authority("bologna", now())
    issued = made.issue(table_user("T1"), "client", now())
    identity = SigningIdentity(issued.certificate, issued.key)
    told = []
    for seq, event in enumerate(recorded_events(3), start=1):
        public = {name: value for name, value in event.items() if name not in ("secret", "late")}
        public |= {"table": "T1", "boot": "00000b", "seq": seq, "time": "2026-05-17T20:01:01.000Z"}
        told.append(identity.sign("event", public))
    fact = {**told[5], "seq": 900, "type": "irregularity", "data": {
        "key": "T1-900", "row": "F-03", "state": "open", "title": {"it": "Pescata", "en": "Draw"},
        "offender": "N",
    }}  # fmt: skip
    fact.pop("signature")
    fact = identity.sign("event", fact)
    batch = VerifiedBatch([row for one in [*told, fact] if (row := read_event("bologna", one)) is not None])
    batch.told["bologna", "T1", "00000b"] = (len(told) + 30, "")
    batch.certificates["bologna", "T1", "1"] = (identity.certificate, made.pem.decode())
    writer = ArchiveWriter(archive.address)
    await writer.write(batch)
    at = datetime.now(UTC)
    await writer.write(VerifiedBatch(heard={("bologna", "T1"): at, ("milano", "T4"): at}))
    await writer.report("w-1", WorkerCounts(at))
    await writer.close()
    await set_place(archive, HallPlace("bologna", "Petronio", "Emilia-Romagna"))
    await set_place(archive, HallPlace("milano", "Circolo del Duomo", "Lombardia"))
    await take_members(archive, read_members("".join(HEADS)).members, AccountReach(None, None))
    await set_circuit(archive, 'name = "Coppa 2026"\nbest = 8\nleast = 1\n[levels.club]\nplaces = [20, 17]\n')
    entries = [{"place": n, "people": [{"name": "x", "member": f"b{n}"}]} for n in (1, 2)]
    document = {"tournament": "Maggio", "began": "2026-05-17T19:00:00Z", "circuit": "Coppa 2026", "entries": entries}
    await take_results(archive, "bologna", read_results(json.dumps(document)), "Ugo")
    about = {"hall": "sala", "table": "T1", "alert": {"key": "T1-900", "row": "F-03"}}
    certificates = {"certificates": [identity.certificate]}
    body = case_zip(CaseFile(about, "Pescata fuori turno, Nord.\n", [fact], told[:8], (), certificates))
    await file_case(archive, "opinion", "bologna", body, note="Che ne dici?", sent_by="Anna")
    await archive.close()


@pytest.fixture(scope="module")
def archive() -> Iterator[LocalPostgres]:
    """An archive with something in it, filled in a thread of its own: a loop runs in this one, Playwright's."""
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    made = LocalPostgres()
    with ThreadPoolExecutor(1) as aside:
        aside.submit(migrate, made.address).result()
        aside.submit(lambda: asyncio.run(filled(ArchivePool(made.address)))).result()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def door(archive: LocalPostgres) -> Iterator[str]:
    """The link that opens the federation's page as its chief."""
    settings = ConsoleSettings(hall="federazione", open_link=True, copies=0)
    with serving(settings, site_maker(ArchivePool(archive.address))) as running:
        yield running.door


@pytest.mark.parametrize(
    ("size", "lang", "look"),
    rest_in_proof([("phone", "it", "dark"), ("tablet", "en", "light"), ("wall", "it", "light")]),
)
def test_every_page_of_a_federation_fits_and_axe_finds_nothing(
    door: str, browser: Any, size: str, lang: str, look: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    width, height = SIZES[size]
    page = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
    ).new_page()
    page.set_default_timeout(90_000)
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(door)
    home = page.url.partition("?")[0]
    for path in PATHS:
        answer = page.goto(f"{home}{path}{'&' if '?' in path else '?'}lang={lang}")
        assert answer.status == 200, path
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(SMALL) == [], path
    assert faults == []
    page.context.close()


def test_what_is_archived_now_is_on_the_open_page_without_a_touch(
    door: str, browser: Any, archive: LocalPostgres
) -> None:
    page = browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
    page.set_default_timeout(90_000)
    page.goto(door)
    assert page.locator("text=palermo").count() == 0

    async def write() -> None:
        writer = ArchiveWriter(archive.address)
        at = datetime.now(UTC)
        event = read_event("palermo", {"table": "T1", "boot": "00000a", "seq": 1, "type": "deal.started"})
        assert event is not None
        await writer.write(VerifiedBatch([event]))
        await writer.write(VerifiedBatch(heard={("palermo", "T1"): at}))
        await writer.report("w-1", WorkerCounts(at))
        await writer.close()

    with ThreadPoolExecutor(1) as aside:
        aside.submit(lambda: asyncio.run(write())).result()
    page.wait_for_selector("text=palermo")
    page.context.close()
