"""A table that starts again in the middle of a deal takes it up: state, keys, numbers, orders; and its secrecy."""

from __future__ import annotations

import gc
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from nacl.public import PrivateKey
from nacl.signing import SigningKey

import table_service
from hw.observation_log import Header
from hw.observations import Observation
from table_service.events import Event, event_to_json
from table_service.events.commands import sign_command
from table_service.publish import BrokerAddress, CommandGate
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import RULE_SETS, open_fold
from table_service.service import TableFiles, TableService
from table_service.service.deal_file import SUFFIX, DealFile, program
from table_service.service.fold_snapshot import unpacked
from table_service.table.fold_bytes import SnapshotError, packed
from tests.sweeps import rest_in_proof

SHORT = 15
"""Seed of a deal of few turns."""
ARBITRO = bytes(PrivateKey(bytes(range(32))).public_key).hex()


@cache
def rehearsed(rules: str = "fibur2024", fault: str = "", deals: int = 1) -> tuple[Header, tuple[Observation, ...]]:
    rehearsal = prepare(rules, 7 if fault else SHORT, deals, [fault] if fault else [])
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(rehearsal.header, started=started), tuple(rehearsal.observations())


def begun(
    folder: Path, now: list[float], rules: str = "fibur2024", fault: str = "", deals: int = 1, **more: Any
) -> TableService:
    """A table on the files in ``folder``, started."""
    header, _ = rehearsed(rules, fault, deals)
    place = BrokerAddress("127.0.0.1", 1)
    service = TableService(header, "prova", TableFiles.under(folder, header.table), place, lambda: now[0], **more)
    service.start()
    return service


def played(service: TableService, now: list[float], log: Sequence[Observation], since: float = 0.0) -> list[Event]:
    told = []
    for one in log:
        now[0] = max(one.t - since, now[0])
        told += service.observe(replace(one, t=now[0]))
    return told


def killed(service: TableService, folder: Path, to: Path) -> None:
    """Copy what a kill leaves of the table's files."""
    service.health({})  # what the process has written outlives it
    shutil.copytree(folder, to)
    service.close(0.0)  # of no account any more, and no thread of it goes on


def journal_of(service: TableService) -> list[dict[str, Any]]:
    return [kept.public for kept in service.journal.events()]


def test_a_killed_table_continues_its_deal_with_its_keys_and_says_nothing_twice(tmp_path: Path) -> None:
    _, log = rehearsed(fault="F-31a")
    now, at = [0.0], -1
    first = begun(tmp_path / "1", now, fault="F-31a", sealed_for=ARBITRO)
    keys: list[str] = []
    while True:
        at += 1
        told = played(first, now, [log[at]])
        keys += [event.data.key for event in told if event.type == "irregularity"]  # type: ignore[attr-defined]
        if keys and any(event.type == "turn.started" for event in told):
            break
    killed(first, tmp_path / "1", tmp_path / "2")
    state = first.table.state()
    again = [0.0]
    second = begun(tmp_path / "2", again, fault="F-31a", sealed_for=ARBITRO)
    resumed = [event for event in journal_of(second) if event["type"] == "round.resumed"]
    assert [event["data"]["lost"] for event in resumed] == [None]
    assert resumed[0]["boot"] > first.journal.boot
    after = second.table.state()
    for name in ("melds", "pile", "irregularities", "turn", "deal"):
        assert after.get(name) == state.get(name), name
    rest = played(second, again, log[at + 1 :], log[at].t)
    counted = [event for event in rest if event.type == "score.counted"]
    assert counted[-1].deal == 1
    kept = journal_of(second)
    assert len({event["id"] for event in kept}) == len(kept)
    assert [event["type"] for event in kept].count("deal.started") == 1
    assert keys[0] in {event["data"]["key"] for event in kept if event["type"] == "irregularity"}
    with_t = [(e["type"], e["t"], json.dumps(e["data"])) for e in kept if e["type"] != "table.health"]
    assert len(set(with_t)) == len(with_t)
    second.close(0.0)


def test_an_alert_open_at_the_cut_is_ruled_after_it_and_the_ruling_imposes(tmp_path: Path) -> None:
    _, log = rehearsed(fault="F-31a")
    now = [0.0]
    first = begun(tmp_path / "1", now, fault="F-31a")
    at = next(n for n, one in enumerate(log) if any(e.type == "irregularity" for e in played(first, now, [one])))
    key = first.table.state()["irregularities"][0]["key"]
    killed(first, tmp_path / "1", tmp_path / "2")
    again = [0.0]
    second = begun(tmp_path / "2", again, fault="F-31a")
    played(second, again, [one for one in log[at + 1 :] if one.kind == "console"][:1], log[at].t)
    told = [event for event in journal_of(second) if event["boot"] == second.journal.boot]
    assert [e["data"]["state"] for e in told if e["type"] == "irregularity" and e["data"]["key"] == key] == ["ruled"]
    assert {e["data"]["irregularity"] for e in told if e["type"] == "sanction.imposed"} == {key}
    second.close(0.0)


@pytest.mark.slow(10)
def test_f27c_a_card_on_a_frozen_meld_is_told_in_the_first_turn_after_a_cut(tmp_path: Path) -> None:
    """The meld was frozen before the cut, and the turn of who lays on it begins after it."""
    _, log = rehearsed(fault="F-27c")
    now, whole = [0.0], begun(tmp_path / "0", [0.0], fault="F-27c")
    turns = [event.t for event in played(whole, now, log) if event.type in ("turn.started", "irregularity")]
    kept = journal_of(whole)
    told = next(event for event in kept if event["type"] == "irregularity" and event["data"]["row"] == "F-27c")
    whole.close(0.0)
    turn = max(t for t in turns if t < told["t"])
    at = max(n for n, one in enumerate(log) if one.t < turn - 2.0)
    now = [0.0]
    first = begun(tmp_path / "1", now, fault="F-27c")
    before = played(first, now, log[: at + 1])
    assert "F-27c" not in [event.data.row for event in before if event.type == "irregularity"]  # type: ignore[attr-defined]
    killed(first, tmp_path / "1", tmp_path / "2")
    again = [0.0]
    second = begun(tmp_path / "2", again, fault="F-27c")
    rest = played(second, again, log[at + 1 :], log[at].t)
    found = [(event.data.row, str(event.seat)) for event in rest if event.type == "irregularity"]  # type: ignore[attr-defined]
    assert ("F-27c", told["seat"]) in found
    assert {row for row, _ in found} <= {"F-27a", "F-27c"}
    second.close(0.0)


def test_what_the_journal_lacks_at_the_kill_is_kept_later_under_its_own_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, log = rehearsed()
    now = [0.0]
    first = begun(tmp_path / "1", now)
    at = next(n for n, one in enumerate(log) if any(e.type == "turn.started" for e in played(first, now, [one])))
    had = first.journal.head()[0]
    monkeypatch.setattr(first.journal, "add", lambda _entry: None)  # the process ends between log and journal
    told: list[Event] = []
    while not told:
        at += 1
        told = played(first, now, [log[at]])
    killed(first, tmp_path / "1", tmp_path / "2")
    second = begun(tmp_path / "2", [0.0])
    late = [event for event in journal_of(second) if event["id"] in {one.id for one in told}]
    assert [event["type"] for event in late] == [one.type for one in told]
    assert {event["boot"] for event in late} == {first.journal.boot}
    assert second.journal.head()[0] > had
    third = begun_after(second, tmp_path)
    assert third.journal.boot > second.journal.boot > first.journal.boot
    third.close(0.0)


def begun_after(service: TableService, folder: Path) -> TableService:
    killed(service, folder / "2", folder / "3")
    return begun(folder / "3", [0.0])


def test_an_order_that_was_noted_and_not_folded_is_folded_at_the_start(tmp_path: Path) -> None:
    _, log = rehearsed()
    now = [0.0]
    first = begun(tmp_path / "1", now)
    played(first, now, log[: len(log) // 2])
    first.journal.note("command", {"id": "x1", "by": "Anna", "do": "warn", "fields": {"line": "NS"}}, "x1")
    killed(first, tmp_path / "1", tmp_path / "2")
    second = begun(tmp_path / "2", [0.0])
    assert [event["line"] for event in journal_of(second) if event["type"] == "warning.given"] == ["NS"]
    second.close(0.0)


def test_an_order_after_the_start_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_the_middle(tmp_path)
    gates: list[CommandGate] = []

    class Noted(CommandGate):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more)
            gates.append(self)

    monkeypatch.setattr("table_service.service.running_table.CommandGate", Noted)
    key = SigningKey(bytes(range(32)))
    second = begun(tmp_path / "2", [0.0], console_keys={"*": bytes(key.verify_key).hex()})
    order = sign_command(key, id="x2", by="A", table="T1", do="warn", issued=time.time(), fields={"line": "NS"})
    assert gates[0].receive(json.dumps(order).encode())["result"] == "ok"
    second.close(0.0)


def in_the_middle(folder: Path, **more: Any) -> TableService:
    """A table in the middle of its deal, killed; its files are in ``folder / "2"``."""
    _, log = rehearsed()
    now = [0.0]
    first = begun(folder / "1", now, **more)
    played(first, now, log[: len(log) // 2])
    killed(first, folder / "1", folder / "2")
    return first


@pytest.mark.parametrize("sealed", [True, False], ids=["sealed", "open"])
def test_a_torn_log_is_used_up_to_where_it_is_sound(tmp_path: Path, *, sealed: bool) -> None:
    more = {"sealed_for": ARBITRO} if sealed else {}
    first = in_the_middle(tmp_path, **more)
    path = tmp_path / "2" / ("T1.sealed" if sealed else "T1.jsonl")
    path.write_bytes(path.read_bytes()[:-40])
    second = begun(tmp_path / "2", [0.0], **more)
    assert second.table.state()["deal"] == first.table.state()["deal"] == 1
    assert [e["data"]["lost"] for e in journal_of(second) if e["type"] == "round.resumed"] in ([None], [1])
    second.close(0.0)


def altered(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("harm", [altered, lambda path: path.write_bytes(b""), lambda path: path.write_bytes(b"{}\n")])
def test_a_kept_deal_that_was_harmed_is_lost_and_said_so_and_the_table_starts(tmp_path: Path, harm: Any) -> None:
    in_the_middle(tmp_path)
    path = tmp_path / "2" / f"T1{SUFFIX}"
    harm(path)
    second = begun(tmp_path / "2", [0.0])
    assert [e["data"]["lost"] for e in journal_of(second) if e["type"] == "round.resumed"] == [1]
    assert not path.exists()
    second.close(0.0)


@pytest.mark.parametrize(
    ("deal", "sealed"),
    rest_in_proof([(1, False), (2, True), (1, True), (2, False)], 2, ["1-open", "2-sealed", "1-sealed", "2-open"]),
)
def test_a_deal_whose_state_another_version_wrote_is_folded_again_from_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deal: int, *, sealed: bool
) -> None:
    more = {"sealed_for": ARBITRO} if sealed else {}
    _, log = rehearsed(deals=deal)
    starts = [n for n, one in enumerate(log) if one.kind == "console" and getattr(one, "do", "") == "deal"]
    at = (starts[-1] + len(log)) // 2
    now = [0.0]
    first = begun(tmp_path / "1", now, deals=deal, **more)
    played(first, now, log[:at])
    killed(first, tmp_path / "1", tmp_path / "2")
    monkeypatch.setattr("table_service.service.start.program", lambda: "0.1.0 (another)")
    again = [0.0]
    second = begun(tmp_path / "2", again, deals=deal, **more)
    kept = journal_of(second)
    assert [e["data"]["lost"] for e in kept if e["type"] == "round.resumed"] == [None]
    assert any("folded again" in e["data"]["note"] for e in kept if e["type"] == "table.health")
    before, after = first.table.state(), second.table.state()
    for name in ("melds", "pile", "irregularities", "turn", "deal"):
        assert after.get(name) == before.get(name), name
    rest = played(second, again, log[at:], log[at - 1].t)
    assert [event.deal for event in rest if event.type == "score.counted"][-1] == deal
    told = journal_of(second)
    assert len({event["id"] for event in told}) == len(told)
    assert [event["type"] for event in told].count("deal.started") == deal
    second.close(0.0)


def test_a_deal_that_another_version_reads_otherwise_is_lost_and_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_middle(tmp_path)
    monkeypatch.setattr("table_service.service.start.program", lambda: "0.1.0 (another)")
    header, _ = rehearsed()
    other = replace(header, tags=dict.fromkeys(header.tags, "7H#1"))
    second = TableService(
        other, "prova", TableFiles.under(tmp_path / "2", header.table), BrokerAddress("127.0.0.1", 1), lambda: 0.0
    )
    second.start()
    assert [e["data"]["lost"] for e in journal_of(second) if e["type"] == "round.resumed"] == [1]
    assert not (tmp_path / "2" / f"T1{SUFFIX}").exists()
    second.close(0.0)


def test_a_deal_that_was_taken_up_before_and_then_met_another_version_is_lost_and_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its beginning is in the log of an earlier start, whose key is gone."""
    _, log = rehearsed()
    in_the_middle(tmp_path, sealed_for=ARBITRO)
    again, half = [0.0], len(log) // 2
    second = begun(tmp_path / "2", again, sealed_for=ARBITRO)
    played(second, again, log[half : half + 100], log[half - 1].t)
    killed(second, tmp_path / "2", tmp_path / "3")
    monkeypatch.setattr("table_service.service.start.program", lambda: "0.1.0 (another)")
    third = begun(tmp_path / "3", [0.0], sealed_for=ARBITRO)
    assert [e["data"]["lost"] for e in journal_of(third) if e["type"] == "round.resumed"] == [None, 1]
    third.close(0.0)


def test_a_program_with_one_line_changed_is_another_whatever_its_version_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = program()
    assert program() == here
    shutil.copytree(Path(table_service.__file__).parent, tmp_path / "updated", ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(table_service, "__file__", str(tmp_path / "updated" / "__init__.py"))
    assert program() == here, "wherever it is installed"
    (tmp_path / "updated" / "console" / "words.py").write_text("# pages are in no fold")
    assert program() == here
    module = tmp_path / "updated" / "table" / "voice.py"
    module.write_text(module.read_text() + "\n")
    assert program() != here


def test_a_deal_is_not_taken_up_with_another_pack(tmp_path: Path) -> None:
    in_the_middle(tmp_path)
    header, _ = rehearsed()
    other = replace(header, tags=dict.fromkeys(header.tags, "7H#1"))
    places, broker = TableFiles.under(tmp_path / "2", header.table), BrokerAddress("127.0.0.1", 1)
    second = TableService(other, "prova", places, broker, lambda: 0.0)
    second.start()
    assert [e["data"]["lost"] for e in journal_of(second) if e["type"] == "round.resumed"] == [1]
    second.close(0.0)


def test_the_key_of_a_deal_is_gone_once_it_was_counted_and_nothing_is_kept_if_that_is_off(tmp_path: Path) -> None:
    _, log = rehearsed()
    now = [0.0]
    service = begun(tmp_path / "1", now, sealed_for=ARBITRO)
    path, seen = tmp_path / "1" / f"T1{SUFFIX}", False
    for one in log:
        told = played(service, now, [one])
        if path.exists():
            seen = True
            assert path.stat().st_mode & 0o777 == 0o600
        if any(event.type == "score.counted" for event in told):
            break
    assert seen
    assert not path.exists()
    service.close(0.0)
    off = begun(tmp_path / "off", [0.0], keeps_deal=False)
    played(off, [0.0], log[: len(log) // 2])
    assert not (tmp_path / "off" / f"T1{SUFFIX}").exists()
    off.close(0.0)


def remembered(root: object, before: float) -> list[object]:
    """What of the program's own that ``root`` holds names cards, gates' answers or pictures of a time ``before``."""
    seen, todo, found = dict[int, object](), [root], list[object]()
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | str):
            continue
        seen[id(one)] = one
        todo += [one.__closure__] if isinstance(one, FunctionType) else gc.get_referents(one)  # no function's globals
        if type(one).__module__.partition(".")[0] in ("hw", "table_service"):
            when = [value for name in ("t", "committed_t") if isinstance(value := getattr(one, name, None), float)]
            tells = any(getattr(one, name, ()) for name in ("card", "cards", "tags", "laid"))
            found += [one] if tells and when and max(when) < before else []
    return found


LIKE_ANOTHER = ("feburit", "online")
"""Rule sets with the fold of fibur2024."""
BY_FOLD = sorted(RULE_SETS, key=lambda rules: rules in LIKE_ANOTHER)


@pytest.mark.parametrize("rules", rest_in_proof(BY_FOLD, len(BY_FOLD) - len(LIKE_ANOTHER)))
def test_the_state_of_a_deal_names_no_card_of_the_deals_before(tmp_path: Path, rules: str) -> None:
    """Who takes a table in the middle of a deal gains that deal, as docs/security.md says, and no other."""
    header, log = rehearsed(rules, deals=2)
    now, started = [0.0], 0
    service = begun(tmp_path, now, rules, deals=2, sealed_for=ARBITRO)
    for one in log:
        told = played(service, now, [one])
        started += sum(event.type == "deal.started" for event in told)
        if started == 2:
            break
    begin = now[0]
    file = DealFile(TableFiles.under(tmp_path, header.table).journal, header.table, program())
    state = file.read(1e9)
    service.close(0.0)
    assert state is not None
    assert state.fold.latest == pytest.approx(begin, abs=5.0)
    assert not remembered(state.fold, begin - 5.0)


def test_without_systemds_credential_the_wrapped_key_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "tavolo-deal").write_bytes(b"of this machine")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    in_the_middle(tmp_path)
    shutil.copytree(tmp_path / "2", tmp_path / "stolen")
    here = begun(tmp_path / "2", [0.0])
    assert [e["data"]["lost"] for e in journal_of(here) if e["type"] == "round.resumed"] == [None]
    here.close(0.0)
    monkeypatch.delenv("CREDENTIALS_DIRECTORY")
    there = begun(tmp_path / "stolen", [0.0])
    assert [e["data"]["lost"] for e in journal_of(there) if e["type"] == "round.resumed"] == [1]
    there.close(0.0)


def test_a_table_that_is_ended_in_order_continues_its_deal_too(tmp_path: Path) -> None:
    _, log = rehearsed()
    now = [0.0]
    first = begun(tmp_path / "1", now)
    played(first, now, log[: len(log) // 2])
    first.close(0.0)
    second = begun(tmp_path / "1", [0.0])
    assert [e["data"]["lost"] for e in journal_of(second) if e["type"] == "round.resumed"] == [None]
    second.close(0.0)


@pytest.mark.parametrize(
    ("rules", "fault"),
    rest_in_proof([("bridge", "law-61"), *((rules, "") for rules in BY_FOLD)], 1 + len(BY_FOLD) - len(LIKE_ANOTHER)),
)
def test_a_fold_that_was_written_and_read_says_what_one_says_that_was_not(rules: str, fault: str) -> None:
    header, log = rehearsed(rules, fault)
    whole, parted, told, said = open_fold(header), open_fold(header), list[Event](), list[Event]()
    for n, one in enumerate(log if fault else log[:1000]):
        told += whole.feed(one)
        said += parted.feed(one)
        if n % 200 == 199:
            parted = unpacked(packed(parted))
    told, said = told + whole.close(), said + parted.close()
    assert [event_to_json(event) for event in said] == [event_to_json(event) for event in told]


@pytest.mark.parametrize("what", [b"cos\nsystem\n(S'true'\ntR.", b"cbuiltins\neval\n(S'1'\ntR.", b"", b"\x80\x05"])
def test_bytes_that_name_anything_but_the_tables_own_state_make_nothing(what: bytes) -> None:
    with pytest.raises(SnapshotError):
        unpacked(what)


def test_a_deal_file_of_another_table_is_not_read(tmp_path: Path) -> None:
    in_the_middle(tmp_path)
    path = tmp_path / "2" / "T1.sqlite"
    assert DealFile(path, "T1", "0").path.exists()
    with pytest.raises(Exception, match="version"):
        DealFile(path, "T2", "0").read(1e9)
