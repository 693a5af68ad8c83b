"""`tavolo federation` on a real archive: status, search, migrate, and workers that say why they cannot work."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import httpx
from typer.testing import CliRunner

from table_service.cli import app
from table_service.federation.archive_writer import ArchiveWriter, WorkerCounts
from table_service.federation.local_postgres import LocalPostgres
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch

MAY = datetime(2026, 5, 17, 20, 0, tzinfo=UTC)


def said(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["federation", *arguments])
    return found.exit_code, found.output


def test_status_and_search_say_what_the_archive_has_and_the_tables_can_be_taken_away(
    postgres: LocalPostgres, config: Path
) -> None:
    async def write(told: int, *seqs: int) -> None:
        writer = ArchiveWriter(postgres.address)
        rows = [
            ArchivedEvent("roma", "T1", "00000a", n, "irregularity", 1, 1.0, MAY, json.dumps({"seq": n})) for n in seqs
        ]
        refused = {("roma", "T9", "not signed by it"): 3}
        await writer.write(VerifiedBatch(rows, {("roma", "T1", "00000a"): (told, "")}, refused=refused))
        await writer.write(VerifiedBatch(heard={("roma", "T1"): MAY}))
        await writer.report("w-1", WorkerCounts(MAY, 5, 2, 1, 3))
        await writer.close()

    asyncio.run(write(3, 1, 2))
    code, text = said("status", "--config", str(config), "--count")
    assert code == 1
    assert "missing 1 of T1" in text
    assert "2 events" in text
    assert "2026-05-17 20:00:00" in text
    assert "worker w-1: 2 archived, 1 repeated, 3 refused" in text
    assert "refused 3 of roma/T9: not signed by it" in text
    asyncio.run(write(3, 3))
    code, text = said("status", "--config", str(config), "--json")
    assert code == 0
    assert json.loads(text)["missing"] == 0
    code, text = said("search", "--config", str(config), "--since", "2026-05-17", "--until", "2026-05-18")
    assert code == 0
    assert {json.loads(line)["event"]["seq"] for line in text.splitlines()} == {1, 2, 3}
    assert said("search", "--config", str(config), "--until", "2026-05-17") == (0, "")
    assert said("migrate", "--config", str(config), "--to", "base")[1] == "the archive has no tables any more\n"
    code, text = said("status", "--config", str(config))
    assert code == 1
    assert "tavolo federation migrate" in text
    command = [sys.executable, "-m", "table_service.cli", "federation", "workers", "--config", str(config)]
    done = subprocess.run([*command, "--count", "1"], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "has no tables yet: run 'tavolo federation migrate'" in done.stderr
    assert "Traceback" not in done.stderr
    assert said("migrate", "--config", str(config))[0] == 0


def test_the_page_is_served_and_ends_when_it_is_asked_to(config: Path) -> None:
    command = [sys.executable, "-m", "table_service.cli", "federation", "page", "--config", str(config)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as page:
        assert page.stdout is not None
        try:
            said_first = page.stdout.readline()
            url = re.search(r"page of fibur: (http://\S+)", said_first)
            assert url is not None, said_first
            link = re.search(r"opens once, today: (http\S+)", page.stdout.readline())
            assert link is not None
            assert "Prima accensione" in httpx.get(link[1], timeout=60).text
            assert httpx.get(url[1], timeout=60).headers["location"] == "/enter?to=/"
            page.terminate()
            assert page.wait(60) == 0
        finally:
            page.kill()
