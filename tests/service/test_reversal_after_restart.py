"""A ruling of an earlier deal is reversed at a table that was started again: foreseen, signed, one event."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nacl.public import PrivateKey
from nacl.signing import SigningKey

from hw.observation_log import Header
from hw.observations import Console, Observation
from table_service.events.commands import sign_command
from table_service.publish import BrokerAddress, CommandGate
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService
from table_service.service.deal_file import SUFFIX

KEY = SigningKey(bytes(range(32)))
ARBITRO = bytes(PrivateKey(bytes(range(32))).public_key).hex()
BETWEEN, IN_THE_NEXT = "between the deals", "in the next deal"
CASES = [
    pytest.param(("fibur2024", "F-21a", {}, BETWEEN), True, id="fibur2024-between"),
    pytest.param(("fibur2024", "F-21a", {}, IN_THE_NEXT), True, id="fibur2024-in-the-next"),
    pytest.param(("tarocco", "T12", {"option": "points"}, BETWEEN), True, id="tarocco-between"),
    pytest.param(("feburit", "", {"row": "B-06f", "seat": "E", "option": "repeated"}, IN_THE_NEXT), True, id="feburit"),
    pytest.param(("online", "O-29", {}, BETWEEN), False, id="online"),
    pytest.param(("bridge", "law-61", {}, IN_THE_NEXT), False, id="bridge"),
]
"""Rules, fault, what the ruling says, when the table is killed; and whether the reversal changes a figure."""


@cache
def rehearsed(rules: str, fault: str) -> tuple[Header, tuple[Observation, ...]]:
    round_ = prepare(rules, 7, 2, [fault] if fault else [])
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(round_.header, started=started), tuple(round_.observations())


class Running:
    """A start of a table on the files in a folder; its log is sealed, and orders are signed."""

    def __init__(self, folder: Path, header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = [0.0]
        self.folder = folder
        gates: list[CommandGate] = []

        class Noted(CommandGate):
            def __init__(self, *args: Any, **more: Any) -> None:
                super().__init__(*args, **more)
                gates.append(self)

        monkeypatch.setattr("table_service.service.running_table.CommandGate", Noted)
        self.service = TableService(
            header,
            "prova",
            TableFiles.under(folder, header.table),
            BrokerAddress("127.0.0.1", 1),
            lambda: self.now[0],
            sealed_for=ARBITRO,
            console_keys={"*": bytes(KEY.verify_key).hex()},
        )
        self.service.start()
        self.gate, self.orders = gates[0], 0

    def order(self, do: str, **fields: Any) -> dict[str, Any]:
        """The table's answer to a signed order."""
        self.orders += 1
        name, issued = f"{self.folder.name}-{self.orders}", time.time()
        told = sign_command(
            KEY, id=name, by="Anna", table=self.service.header.table, do=do, issued=issued, fields=fields
        )
        return self.gate.receive(json.dumps(told).encode())

    def killed(self, to: Path) -> None:
        self.service.health({})
        shutil.copytree(self.folder, to)
        self.service.close(0.0)

    def told(self) -> list[dict[str, Any]]:
        own = (kept.public for kept in self.service.journal.events())
        return [event for event in own if event["boot"] == self.service.journal.boot]


def figures(service: TableService) -> dict[str, Any]:
    """Every sheet with its items, who has confirmed it, running totals, warnings and result."""
    table = service.table.table  # type: ignore[attr-defined]
    sheets = {number: (one.data.lines, sorted(one.confirmed)) for number, one in table.sheets.by_deal.items()}
    book = table.referee.book
    return {
        "sheets": sheets,
        "running": dict(table.round.scores.running),
        "warnings": [book.warned(line) for line in table.round.scores.running],
        "deductions": book.deductions(),
        "results": table.round.results(),
    }


@dataclass(frozen=True)
class Cut:
    """A table that was killed and started again; ``foreseen``: what a reversal would have changed before."""

    table: Running
    key: str
    foreseen: Any
    rest: tuple[Observation, ...]


def does(one: Observation, what: str) -> bool:
    return isinstance(one, Console) and one.do == what


@pytest.fixture
def cut(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cut]:
    """A round in whose first deal something was ruled, at a table that is killed later."""
    rules, fault, said, moment = request.param
    header, observations = rehearsed(rules, fault)
    table = Running(tmp_path / "1", header, monkeypatch)
    key, deals, rest = "", 0, observations
    while rest:
        one = rest[0]
        deals += does(one, "deal")
        if deals == 2 and (moment == BETWEEN or not isinstance(one, Console)):
            break
        rest = rest[1:]
        table.now[0] = one.t
        told = table.service.observe(one)
        if not fault and deals == 1 and does(one, "start-play"):
            table.order("rule", **said)
            key = next(one["data"]["key"] for one in table.told() if one["type"] == "irregularity")
        found = [event for event in told if event.type == "irregularity" and event.deal == 1]
        if found and not key:
            key = getattr(found[0].data, "key", "")
            if fault:
                table.order("rule", key=key, **said)
    assert key
    is_kept = (tmp_path / "1" / f"{header.table}{SUFFIX}").exists()
    assert is_kept is (moment == IN_THE_NEXT), "the cards of a counted deal are forgotten"
    before = table.order("foresee", key=key)["foreseen"] if is_kept else None
    table.killed(tmp_path / "2")
    again = Running(tmp_path / "2", header, monkeypatch)
    yield Cut(again, key, before, rest)
    again.service.close(0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("cut", "counts"), CASES, indirect=["cut"])
def test_what_is_foreseen_after_a_restart_is_what_is_done_by_one_signed_order(cut: Cut, *, counts: bool) -> None:
    table, key = cut.table, cut.key
    if cut.foreseen is None:  # the next deal begins at the new start
        table.now[0] = 5.0
        table.service.observe(replace(cut.rest[0], t=5.0))
    before = figures(table.service)
    foreseen = table.order("foresee", key=key)["foreseen"]
    assert figures(table.service) == before
    assert bool(foreseen["changes"]) is counts
    assert not [one for one in foreseen["changes"] if one["what"] == "doubtful"], "the table knows what it counts for"
    if cut.foreseen is not None:
        assert foreseen["changes"] == cut.foreseen["changes"]
    answer = table.order("dismiss", key=key, note="ricorso accolto", score=foreseen["score"])
    assert answer["result"] == "ok"
    (event,) = (one for one in table.told() if one["type"] == "ruling.reversed")
    assert (event["deal"], event["data"]["by"], event["data"]["changes"]) == (1, "Anna", foreseen["changes"])
    after = figures(table.service)
    assert (after != before) is counts
    assert {n: one for n, one in after["sheets"].items() if n != 1} == {
        n: one for n, one in before["sheets"].items() if n != 1
    }
    assert "has been reversed already" in table.order("dismiss", key=key)["note"]
