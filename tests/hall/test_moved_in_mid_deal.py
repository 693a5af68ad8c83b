"""A table moves to a fresh machine in the middle of a deal: its folder is copied, and its card joins it to the hall."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey
from typer.testing import CliRunner

from hw.observation_log import Header
from hw.observations import Observation
from table_service.cli import app
from table_service.commands.broker_access import table_voice
from table_service.events import Event
from table_service.hall import hall_folder
from table_service.install.contents import table_toml
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import load_table
from table_service.service import TableFiles, TableService

ARBITRO = bytes(PrivateKey(bytes(range(32))).public_key).hex()


class Machine:
    """One that table T1 has joined the hall from: its configuration, and its state in ``state``."""

    def __init__(self, place: Path, card: Path, code: str, header: Header) -> None:
        place.mkdir(exist_ok=True)
        config = place / "T1.toml"
        config.write_text(table_toml("T1", "sala", "none", "192.168.1.10", 8081), "utf-8")
        done = CliRunner().invoke(app, ["hall", "join", str(card), "--config", str(config), "--code", code])
        assert done.exit_code == 0, done.stderr
        self.now = [0.0]
        voice = table_voice(load_table(config).broker)
        assert voice is not None
        self.service = TableService(
            replace(header, table="T1", started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")),
            "sala",
            TableFiles.under(place / "state", "T1"),
            BrokerAddress("127.0.0.1", 1),
            lambda: self.now[0],
            sealed_for=ARBITRO,
            voice=voice,
        )
        self.service.start()

    def play(self, log: Sequence[Observation], since: float = 0.0) -> list[Event]:
        told = []
        for one in log:
            self.now[0] = max(one.t - since, self.now[0])
            told += self.service.observe(replace(one, t=self.now[0]))
        return told

    def journal(self) -> list[dict[str, Any]]:
        return [kept.public for kept in self.service.journal.events()]


@pytest.mark.slow(10)
def test_a_table_that_joins_from_a_fresh_machine_with_its_folder_goes_on_with_its_deal(
    folder: Path, tmp_path: Path
) -> None:
    rehearsal = prepare("fibur2024", 7, 1, [])
    log, header = list(rehearsal.observations()), rehearsal.header
    card, code = folder / "tables" / "T1" / "card.txt", hall_folder.code_of(folder, "T1")
    old = Machine(tmp_path / "old", card, code, header)
    half = len(log) // 2
    old.play(log[:half])
    old.service.health({})  # what the process has written outlives it
    (tmp_path / "new").mkdir()
    shutil.copytree(tmp_path / "old" / "state", tmp_path / "new" / "state")
    before = old.service.table.state()
    old.service.close(0.0)
    shutil.rmtree(tmp_path / "old")
    new = Machine(tmp_path / "new", card, code, header)
    assert [e["data"]["lost"] for e in new.journal() if e["type"] == "round.resumed"] == [None]
    after = new.service.table.state()
    for name in ("melds", "pile", "irregularities", "turn", "deal"):
        assert after.get(name) == before.get(name), name
    rest = new.play(log[half:], log[half - 1].t)
    assert [event.deal for event in rest if event.type == "score.counted"] == [1]
    kept = new.journal()
    assert len({event["id"] for event in kept}) == len(kept)
    assert len({event["boot"] for event in kept}) == 2
    assert [event["type"] for event in kept].count("deal.started") == 1
    said = [(e["type"], e["t"], json.dumps(e["data"])) for e in kept if e["type"] != "table.health"]
    assert len(set(said)) == len(said)
    new.service.close(0.0)
