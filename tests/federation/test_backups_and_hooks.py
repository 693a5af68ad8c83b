"""A backup is restored whole or refused; results reach other programs once, signed, whatever fails in between."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from table_service.federation import backups
from table_service.federation.errors import FederationError, FederationUseError
from table_service.federation.local_postgres import LocalPostgres
from table_service.federation.result_hooks import SIGNATURE, add_hook, drop_hook, send_results
from table_service.federation.tournament_results import read_results, take_results
from table_service.federation.verified_events import ArchivedEvent, VerifiedBatch


def result(name: str) -> Any:
    told = {"v": 1, "tournament": name, "began": "2026-05-17T19:00:00+00:00",
            "entries": [{"place": 1, "people": [{"name": "Anna", "member": "1"}]}]}  # fmt: skip
    return read_results(json.dumps(told))


async def test_a_backup_is_restored_with_every_row_into_an_empty_database_only(
    site: Any, config: Path, tmp_path: Path
) -> None:
    rows = [
        ArchivedEvent("kept", "T1", "00000a", n, "card.drawn", 1, 1.0, None, f'{{"seq":{n}}}') for n in range(1, 41)
    ]
    await site.write(VerifiedBatch(rows), ("kept", "T1"))
    await take_results(site.archive, "kept", result("Una"), "x")
    file = tmp_path / "archive.dump"

    def said(*arguments: str) -> tuple[int, str]:
        found = CliRunner().invoke(app, ["federation", *arguments, "--config", str(config)])
        return found.exit_code, found.output

    import asyncio

    code, text = await asyncio.to_thread(said, "backup", str(file), "--rehearse")
    assert code == 0, text
    assert "rehearsed:" in text
    noted = json.loads((tmp_path / "archive.dump.json").read_text())["rows"]
    assert noted["event"] >= 40
    assert noted["player"] >= 1
    code, text = await asyncio.to_thread(said, "restore", str(file))
    assert code == 2
    assert "has tables already" in text
    assert "Traceback" not in text


def test_a_backup_that_lacks_rows_or_is_no_backup_is_said(postgres: LocalPostgres, tmp_path: Path) -> None:
    file = tmp_path / "one.dump"
    backups.back_up(postgres.address, file)
    noted = tmp_path / "one.dump.json"
    told = json.loads(noted.read_text())
    told["rows"]["member"] += 1
    noted.write_text(json.dumps(told))
    with pytest.raises(FederationError, match="not what was backed up: member"):
        backups.rehearse(file)
    broken = tmp_path / "broken.dump"
    shutil.copy(file, broken)
    broken.write_bytes(broken.read_bytes()[:200])
    with pytest.raises(FederationError, match="pg_restore failed"):
        backups.rehearse(broken)
    with pytest.raises(FederationUseError, match="there is no backup"):
        backups.rehearse(tmp_path / "none.dump")


async def test_results_reach_an_address_once_each_signed_and_again_after_a_failure(site: Any) -> None:
    await take_results(site.archive, "hooks", result("before"), "x")
    url = "http://127.0.0.1:9/results"
    secret = await add_hook(site.archive, url)
    for name in ("a", "b", "c"):
        await take_results(site.archive, "hooks", result(name), "x")
    seen: list[str] = []
    answers = [200, 500]

    def send(where: str, body: bytes, headers: dict[str, str]) -> int:
        assert where == url
        at, mark = (part.partition("=")[2] for part in headers[SIGNATURE].split(","))
        assert at == "1800000000"
        assert hmac.compare_digest(
            mark, hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        )
        status = answers.pop(0) if answers else 204
        if status < 300:
            seen.append(json.loads(body)["name"])
        return status

    def now() -> float:
        return 1_800_000_000.0

    assert await send_results(site.archive, send, now) == 1
    assert seen == ["a"]
    trouble = await site.archive.one("select trouble from hook where url = $1", url)
    assert trouble["trouble"] == "the answer was 500"
    assert await send_results(site.archive, send, now) == 2
    assert seen == ["a", "b", "c"]
    assert await send_results(site.archive, send, now) == 0
    assert await drop_hook(site.archive, url)
    await take_results(site.archive, "hooks", result("after"), "x")
    assert await send_results(site.archive, send, now) == 0


@pytest.mark.parametrize("url", ["http://example.org/x", "ftp://127.0.0.1/", "nowhere", "https://[bad"])
async def test_results_go_to_no_address_in_the_clear(site: Any, url: str) -> None:
    with pytest.raises(FederationUseError, match="is no address for results"):
        await add_hook(site.archive, url)
