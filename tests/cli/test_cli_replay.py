"""`tavolo replay`: every log gives its events or one sentence, and the same log the same bytes wherever it is read."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import stat
from pathlib import Path

import pytest

CARD = re.compile(r"(?:[A2-9TJQK][HDCS]|JK)(?:#\d)?")
KNOCK = '{"t":1,"kind":"knock","seat":"N"}'


def write(path: Path, lines: list[str], end: str = "\n") -> Path:
    path.write_text(end.join(lines) + end, encoding="utf-8", newline="")
    return path


def cards_in(value) -> set[str]:
    """Every face that is named anywhere in ``value``; what a wild card stands for is no card that lies there."""
    if isinstance(value, str):
        return {value.partition("#")[0]} if CARD.fullmatch(value) else set()
    if isinstance(value, dict):
        value = [part for name, part in value.items() if name != "stands_for"]
    return {card for part in (value if isinstance(value, list) else ()) for card in cards_in(part)}


@pytest.fixture(scope="module")
def whole(rehearsed, tmp_path_factory) -> str:
    """The events of the rehearsed log."""
    from typer.testing import CliRunner

    from table_service.cli import app

    out = tmp_path_factory.mktemp("whole") / "events.jsonl"
    assert CliRunner().invoke(app, ["replay", str(rehearsed), "--events", str(out)]).exit_code == 0
    return out.read_text(encoding="utf-8")


def test_the_events_of_a_deal_come_in_order(whole, events_in):
    events = events_in(whole)
    types = [event["type"] for event in events]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert {"round.started", "deal.started", "deal.checked", "card.drawn", "card.discarded", "meld.opened"} <= {*types}
    assert types.index("deal.started") < types.index("deal.checked") < types.index("card.drawn")
    assert types.index("deal.ended") < types.index("score.counted")


def test_file_standard_output_and_unpacked_log_give_the_same_bytes(invoke, rehearsed, whole, tmp_path):
    packed = tmp_path / "deal.jsonl.gz"
    packed.write_bytes(gzip.compress(rehearsed.read_bytes()))
    result = invoke("replay", packed, "--events", "-")
    assert result.exit_code == 0
    assert result.stdout == whole


def test_any_process_anywhere_gives_the_same_bytes(tavolo, rehearsed, whole, tmp_path):
    away = tmp_path / "away"
    away.mkdir()
    shutil.copy(rehearsed, away / "log.jsonl")
    elsewhere = {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "1", "LC_ALL": "C", "PYTHONIOENCODING": "latin-1"}
    here = {"TZ": "America/Los_Angeles", "PYTHONHASHSEED": "20261120", "LC_ALL": "C.UTF-8"}
    for env, cwd, log in ((elsewhere, away, "log.jsonl"), (here, tmp_path, rehearsed)):
        done = tavolo("replay", log, "--events", "-", env=env, cwd=cwd)
        assert done.returncode == 0
        assert done.stdout == whole.encode("utf-8")


def test_public_events_name_only_cards_that_lay_face_up(rehearsed_lines, whole, events_in):
    """A face is public only once a camera saw it face up, or the coil under the open discard pile read it."""
    header, *observations = map(json.loads, rehearsed_lines)
    shown: list[tuple[float, set[str]]] = []
    for seen in observations:
        if seen["kind"] == "sight":
            shown.append((seen["t"], {c["card"].partition("#")[0] for c in seen["cards"] if c["face"] == "up"}))
        elif seen["kind"] == "tags" and seen["zone"] == "discard":
            shown.append((seen["t"], {header["tags"].get(uid, "??").partition("#")[0] for uid in seen["tags"]}))
    named = 0
    for event in events_in(whole):
        assert "secret" not in event
        faces = cards_in(event["data"])
        named += len(faces)
        assert faces <= set().union(*(cards for t, cards in shown if t <= event["t"])), event
        if event["type"] == "card.drawn":
            assert not faces
    assert named > 40


def test_secret_adds_the_hidden_cards_and_nothing_else(invoke, rehearsed, whole, events_in, tmp_path):
    out = tmp_path / "secret.jsonl"
    out.write_text("left by somebody, readable by all")
    out.chmod(0o644)
    assert invoke("replay", rehearsed, "--events", out, "--secret").exit_code == 0
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    told = events_in(out.read_text(encoding="utf-8"))
    drawn = [event for event in told if event["type"] == "card.drawn"]
    known = [event for event in drawn if cards_in(event.get("secret", {}))]
    assert len(known) > len(drawn) / 2
    for event in told:
        event.pop("secret", None)
    assert told == events_in(whole)


def test_without_a_file_for_the_events_it_tells_a_summary(invoke, rehearsed, whole):
    result = invoke("replay", rehearsed)
    assert f"{rehearsed}: {len(whole.splitlines())} events" in result.output
    assert "deal.ended" in result.output


def test_two_logs_follow_each_other_and_a_bad_one_does_not_stop_the_next(invoke, rehearsed, whole, tmp_path):
    result = invoke("replay", tmp_path / "absent.jsonl", rehearsed, rehearsed, "--events", "-")
    assert result.exit_code == 1
    assert result.stdout == whole + whole
    assert "absent.jsonl" in result.stderr


def test_a_broken_line_is_named_by_number_and_the_rest_is_replayed(invoke, rehearsed_lines, whole, tmp_path):
    lines = [*rehearsed_lines[:56], '{"t":3,"kind":', *rehearsed_lines[56:]]
    result = invoke("replay", write(tmp_path / "log.jsonl", lines), "--events", "-")
    assert result.exit_code == 1
    (said,) = result.stderr.splitlines()
    assert "line 57 is broken" in said
    assert result.stdout == whole


def test_a_last_line_cut_off_by_a_power_cut_costs_that_line_alone(invoke, rehearsed_lines, whole, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join([*rehearsed_lines, KNOCK[:20]]), encoding="utf-8")
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == 1
    assert f"line {len(rehearsed_lines) + 1} is broken" in result.stderr
    assert result.stdout == whole


def test_a_packed_log_that_breaks_off_is_replayed_as_far_as_it_goes(invoke, rehearsed, whole, tmp_path):
    log = tmp_path / "log.jsonl.gz"
    packed = gzip.compress(rehearsed.read_bytes())
    log.write_bytes(packed[: len(packed) // 2])
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == 1
    assert "what follows cannot be read" in result.stderr
    told = result.stdout.splitlines()
    assert 0 < len(told) < len(whole.splitlines())


def test_line_ends_of_another_system_change_nothing(invoke, rehearsed_lines, whole, tmp_path):
    result = invoke("replay", write(tmp_path / "log.jsonl", rehearsed_lines, "\r\n"), "--events", "-")
    assert result.exit_code == 0
    assert result.stdout == whole


def test_an_unknown_kind_is_ignored_with_a_warning(invoke, rehearsed_lines, whole, events_in, tmp_path):
    odd = '{"t":0.5,"kind":"thermometer","degrees":{"south":[21.5]}}'
    log = write(tmp_path / "log.jsonl", [rehearsed_lines[0], odd, *rehearsed_lines[1:]])
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == 0
    assert "'thermometer'" in result.stderr
    types = [event["type"] for event in events_in(result.stdout)]
    assert [kind for kind in types if kind != "table.health"] == [
        event["type"] for event in events_in(whole) if event["type"] != "table.health"
    ]


def test_a_line_of_five_megabytes_is_a_line(invoke, rehearsed_lines, whole, events_in, tmp_path):
    said = '{"t":0.1,"kind":"said","seat":"N","what":"' + "x" * 5_000_000 + '"}'
    log = write(tmp_path / "log.jsonl", [rehearsed_lines[0], said, *rehearsed_lines[1:]])
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == 0
    assert len(events_in(result.stdout)) == len(events_in(whole))


def test_half_a_surrogate_pair_comes_out_as_json(tavolo, rehearsed_lines, events_in):
    odd = r'{"t":0.5,"kind":"health","node":"\ud800","state":"lost","note":"Küche"}'
    log = write(tavolo.folder / "log.jsonl", [rehearsed_lines[0], odd])
    done = tavolo("replay", log, "--events", "-")
    assert done.returncode == 0
    (health,) = [e for e in events_in(done.stdout.decode("utf-8")) if e["data"].get("note") == "Küche"]
    assert health["data"]["what"] == "\ud800"


BROKEN = {
    "not JSON": "{",
    "a number": "5",
    "nothing": "null",
    "a list": "[]",
    "too deep": "[" * 100_000,
    "a number too long": '{"t":' + "9" * 5000 + ',"kind":"knock"}',
    "no time": '{"kind":"knock"}',
    "no kind": '{"t":1}',
    "kind no word": '{"t":1,"kind":["knock"]}',
    "time NaN": '{"t":NaN,"kind":"knock"}',
    "time infinite": '{"t":-Infinity,"kind":"knock"}',
    "time beyond": '{"t":1e400,"kind":"knock"}',
    "time a text": '{"t":"1","kind":"knock"}',
    "time a truth": '{"t":true,"kind":"knock"}',
    "grams NaN": '{"t":3,"kind":"scale","zone":"stock","grams":NaN,"settled":true}',
    "grams infinite": '{"t":3,"kind":"scale","zone":"stock","grams":1e400,"settled":true}',
    "grams nan in words": '{"t":3,"kind":"scale","zone":"stock","grams":"nan"}',
    "grams missing": '{"t":3,"kind":"scale","zone":"stock"}',
    "tags a text": '{"t":4,"kind":"tags","zone":"discard","tags":"E004"}',
    "tags missing": '{"t":4,"kind":"tags","zone":"discard"}',
    "button of no seat": '{"t":4,"kind":"button","seat":"Q","button":"count"}',
    "button of a list": '{"t":4,"kind":"button","seat":["N"],"button":"count"}',
    "phase": '{"t":4,"kind":"reach","seat":"N","zone":"stock","phase":"sideways"}',
    "cards no list": '{"t":5,"kind":"sight","cards":7,"hidden":[]}',
    "card no object": '{"t":5,"kind":"sight","cards":[7],"hidden":[]}',
    "place NaN": '{"t":5,"kind":"sight","cards":[{"card":"7H","zone":"discard","x":NaN}],"hidden":[]}',
    "row infinite": '{"t":5,"kind":"sight","cards":[{"card":"7H","zone":"discard","row":1e400}],"hidden":[]}',
    "order no number": '{"t":7,"kind":"console","do":"bonus","line":"NS","points":NaN}',
    "order deep inside": '{"t":7,"kind":"console","do":"deal","x":{"y":[1,1e400]}}',
}


def test_every_broken_line_is_named_and_none_stops_the_rest(invoke, rehearsed_lines, whole, tmp_path):
    log = write(tmp_path / "log.jsonl", [rehearsed_lines[0], *BROKEN.values(), *rehearsed_lines[1:]])
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == 1
    said = result.stderr.splitlines()
    assert len(said) == len(BROKEN)
    for number, line in enumerate(said, start=2):
        assert f"line {number} is broken" in line
        assert len(line) < 400 + len(str(log))
    assert result.stdout == whole


ABSURD = {
    "unknown seats": '{"t":4,"kind":"reach","seat":"Z","zone":"stock","phase":"in"}',
    "seat and zone objects": '{"t":4,"kind":"reach","seat":{"N":1},"zone":{"a":1},"phase":"in"}',
    "zone of nowhere": '{"t":4,"kind":"scale","zone":"the moon","grams":-5,"settled":true}',
    "grams of a ton": '{"t":4,"kind":"scale","zone":"stock","grams":1e8,"settled":true}',
    "tags no text": '{"t":4,"kind":"tags","zone":"gate-Z","tags":[1,null,{"a":2}]}',
    "before the beginning": '{"t":-5,"kind":"knock","seat":"N"}',
    "years later": '{"t":999999999,"kind":"knock","seat":"N"}',
    "frame an object": '{"t":5,"kind":"sight","frame":{"a":1},"cards":[],"hidden":[null]}',
    "cards that are none": '{"t":5,"kind":"sight","frame":[1],"cards":[{"card":"ZZ","zone":"discard","row":-5,'
    '"order":-1,"confidence":99},{"card":"","zone":"melds-NS","row":1,"order":0}],"hidden":[]}',
    "deal of no number": '{"t":6,"kind":"console","by":1,"do":"deal","deal":1e308,"dealer":"Q"}',
    "correction of nothing": '{"t":6,"kind":"console","by":"x","do":"correct","zone":[],"cards":{}}',
    "ruling of nothing": '{"t":6,"kind":"console","do":"rule","key":{},"row":[],"seat":{},"remedy":5,"meld":"x",'
    '"cards":7,"freeze":[],"option":{}}',
    "warning to nobody": '{"t":6,"kind":"console","do":"warn","line":[]}',
    "bonus of words": '{"t":6,"kind":"console","do":"bonus","line":"NS","points":"many"}',
    "bonus without end": '{"t":6,"kind":"console","do":"bonus","line":"NS","points":' + "9" * 4000 + "}",
    "round of words": '{"t":6,"kind":"console","do":"start-round","deals":"x","minutes":[]}',
    "order unknown": '{"t":6,"kind":"console","do":"dance"}',
    "said an object": '{"t":6,"kind":"said","seat":"N","what":{"a":1}}',
}


@pytest.mark.parametrize("what", ABSURD)
@pytest.mark.parametrize("where", [1, 400])
def test_absurd_but_well_formed_observations_stop_nothing(invoke, rehearsed_lines, events_in, tmp_path, what, where):
    lines = [*rehearsed_lines[:where], ABSURD[what], *rehearsed_lines[where:600]]
    result = invoke("replay", write(tmp_path / "log.jsonl", lines), "--events", "-")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert any(event["type"] == "deal.started" for event in events_in(result.stdout))


def header_with(line: str, **fields: object) -> str:
    return json.dumps({**json.loads(line), **fields})


HEADERS = {
    "not the header": KNOCK,
    "not JSON": "hello",
    "a list": "[]",
    "too deep": "[" * 100_000,
}
HEADER_FIELDS = {
    "wrong version": {"version": 2},
    "no version": {"version": None},
    "unknown rules": {"rules": "whist"},
    "rules no word": {"rules": 5},
    "no table": {"table": None},
    "options a list": {"options": [1]},
    "seats a text": {"seats": "NESW"},
    "tags a list": {"tags": ["E004"]},
    "card_grams a text": {"card_grams": "1.8"},
    "card_grams of a brick": {"card_grams": 2000},
}


@pytest.mark.parametrize("what", [*HEADERS, *HEADER_FIELDS])
def test_a_header_that_cannot_be_used_is_one_sentence(invoke, rehearsed_lines, tmp_path, what):
    first = HEADERS.get(what) or header_with(rehearsed_lines[0], **HEADER_FIELDS[what])
    log = write(tmp_path / "log.jsonl", [first, *rehearsed_lines[1:20]])
    result = invoke("replay", log, "--events", "-")
    assert result.exit_code == (2 if what == "unknown rules" else 1)
    assert result.stdout == ""
    (said,) = result.stderr.splitlines()
    assert str(log) in said


@pytest.mark.parametrize(
    "fields",
    [
        {"options": {"keepers": ["N"]}},
        {"options": {"keepers": {"NS": ["N"], "EW": {}}, "deals": "x", "event": []}},
        {"seats": {"N": 5, "Q": None}},
        {"tags": {"E0": 5, "E1": None, "E2": {"a": 1}, "E3": "ZZ"}},
        {"started": "yesterday"},
        {"started": 5},
    ],
)
def test_odd_values_in_a_header_stop_nothing(invoke, rehearsed_lines, tmp_path, fields):
    lines = [header_with(rehearsed_lines[0], **fields), *rehearsed_lines[1:600]]
    result = invoke("replay", write(tmp_path / "log.jsonl", lines), "--events", "-")
    assert result.exit_code == 0
    assert '"deal.checked"' in result.stdout


def test_missing_file_folder_and_empty_file_are_one_sentence_each(invoke, tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    packed = tmp_path / "no.jsonl.gz"
    packed.write_bytes(b"hello")
    for path in (tmp_path / "absent.jsonl", tmp_path, empty, packed):
        result = invoke("replay", path)
        assert result.exit_code == 1
        (said,) = result.output.splitlines()
        assert said.startswith("tavolo: ")
        assert str(path) in said


def test_the_log_itself_is_never_overwritten_with_its_events(invoke, rehearsed, tmp_path):
    log = tmp_path / "log.jsonl"
    shutil.copy(rehearsed, log)
    link = tmp_path / "link.jsonl"
    link.symlink_to(log)
    result = invoke("replay", log, "--events", link)
    assert result.exit_code == 1
    assert log.read_bytes() == rehearsed.read_bytes()
    assert "another file" in result.output


def test_events_that_cannot_be_written_are_one_sentence(invoke, rehearsed, tmp_path):
    for out in (tmp_path, tmp_path / "absent" / "events.jsonl"):
        result = invoke("replay", rehearsed, "--events", out)
        assert result.exit_code == 1
        assert result.output.splitlines() == [f"tavolo: cannot write {out}: {said(out)}"]


def said(out: Path) -> str:
    return "Is a directory" if out.is_dir() else "No such file or directory"
