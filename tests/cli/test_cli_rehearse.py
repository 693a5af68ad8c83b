"""`tavolo rehearse`: a seed gives a log and its truth, the same bytes for the same words, both for the owner alone."""

from __future__ import annotations

import json
import stat

import pytest

from hw.observation_log import read_log
from table_service.rulesets import RULE_SETS


def test_log_and_truth_lie_side_by_side_and_are_private(invoke, tmp_path):
    log = tmp_path / "night.jsonl"
    result = invoke("rehearse", "--rules", "fibur2024", "--seed", 5, "--log", log)
    truth = tmp_path / "night.truth.json"
    assert result.exit_code == 0
    assert result.output.splitlines() == [f"{log} and {truth}"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in (log, truth)] == [0o600, 0o600]
    header, observations = read_log(log)
    assert header.rules == "fibur2024"
    assert len(header.tags) == 108
    assert {"tags", "scale", "sight", "reach", "console"} <= {seen.kind for seen in observations}


def test_the_same_seed_gives_the_same_bytes_in_another_process(tavolo, rehearsed):
    there = tavolo.folder / "again.jsonl"
    done = tavolo(
        "rehearse", "--seed", 15, "--log", there, env={"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "LC_ALL": "C"}
    )
    assert done.returncode == 0
    is_same = there.read_bytes() == rehearsed.read_bytes()
    assert is_same  # not compared by the assertion: their difference takes minutes to write
    truth = rehearsed.with_name("deal.truth.json")
    assert (tavolo.folder / "again.truth.json").read_bytes() == truth.read_bytes()


def test_another_seed_gives_another_deal_and_a_packed_log_the_same_one(invoke, rehearsed, tmp_path):
    other, packed = tmp_path / "other.jsonl", tmp_path / "packed.jsonl.gz"
    assert invoke("rehearse", "--seed", -4, "--log", other).exit_code == 0
    assert other.read_bytes() != rehearsed.read_bytes()
    assert invoke("rehearse", "--seed", 15, "--log", packed).exit_code == 0
    assert (tmp_path / "packed.truth.json").exists()
    is_same = list(read_log(packed)[1]) == list(read_log(rehearsed)[1])
    assert is_same


def test_the_truth_names_the_fault_that_was_asked_for(invoke, tmp_path):
    log = tmp_path / "fault.jsonl"
    assert invoke("rehearse", "--seed", 1, "--faults", "F-31a", "--noise", "none", "--log", log).exit_code == 0
    truth = json.loads((tmp_path / "fault.truth.json").read_text(encoding="utf-8"))
    assert "F-31a" in json.dumps(truth)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--noise", "deafening"), ("'deafening'", "none, normal, sparse, rough")),
        (("--faults", "Q-99"), ("'Q-99'", "F-31a")),
        (("--faults", "F-31a,,x"), ("'x'", "F-31a")),
    ],
)
def test_what_cannot_be_rehearsed_is_said_with_what_can(invoke, tmp_path, args, words):
    log = tmp_path / "log.jsonl"
    result = invoke("rehearse", "--log", log, *args)
    assert result.exit_code == 2
    assert len(result.output.splitlines()) == 1
    assert all(word in result.output for word in words)
    assert not log.exists()


def test_rules_that_nobody_knows_are_said_with_those_that_are_known(invoke, tmp_path):
    result = invoke("rehearse", "--log", tmp_path / "log.jsonl", "--rules", "whist")
    assert (result.exit_code, result.output) == (
        2,
        f"tavolo: no rules are called 'whist': there is {', '.join(RULE_SETS)}\n",
    )


@pytest.mark.parametrize("args", [(), ("--seed", "one"), ("--deals", "0"), ("--deals", "17"), ("--noise",)])
def test_wrong_use_exits_2(invoke, tmp_path, args):
    log = ("--log", tmp_path / "log.jsonl") if args else ()
    assert invoke("rehearse", *log, *args).exit_code == 2


def test_a_place_that_cannot_be_written_is_one_sentence(invoke, tmp_path):
    (tmp_path / "taken.truth.json").mkdir()
    for log in (tmp_path, tmp_path / "absent" / "log.jsonl", tmp_path / "taken.jsonl"):
        result = invoke("rehearse", "--log", log)
        assert result.exit_code == 1
        (said,) = result.output.splitlines()
        assert said.startswith(f"tavolo: cannot write {log}: ")
