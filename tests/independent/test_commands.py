"""The contract's commands as a stranger would try them: one sentence, exit 0, 1 or 2, and never a traceback."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from tests.independent import cases_wrong_turns  # noqa: F401 - it fills the book
from tests.independent.casebook import CASES, log_of
from tests.independent.oracle import write
from tests.independent.sums import drawn, sheet, valued

TAVOLO = str(Path(sys.executable).parent / "tavolo")


def start(*words):
    """Exit status, standard output, standard error of the command as a process."""
    done = subprocess.run([TAVOLO, *map(str, words)], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def call(*words, text=None):
    """The same of the command in this process, which takes a fifth of the time."""
    done = CliRunner().invoke(app, [*map(str, words)], input=text)
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A log that says something."""
    path = tmp_path_factory.mktemp("good") / "good.jsonl"
    log = log_of(CASES["a_draw_by_the_player_after_next"], 5)
    write(log.header, log.lines, path)
    return path


@pytest.fixture(scope="module")
def plain(good):
    """What is told of it."""
    status, out, _ = start("replay", good, "--events", "-")
    assert status == 0
    return out


def broken(folder, good):
    """Logs of strangers: what is in them, and a word of the sentence that must come (nothing: they are fine)."""
    lines = good.read_bytes().splitlines(keepends=True)
    head, rest = lines[0], b"".join(lines[1:])
    contents = {
        "empty": (b"", "header"),
        "only-header": (head, ""),
        "no-header": (rest, "header"),
        "other-version": (head.replace(b'"version":1', b'"version":2') + rest, "version 2"),
        "other-rules": (head.replace(b"fibur2024", b"fibur2099") + rest, "fibur2099"),
        "cut-off": (head + rest[:-30], "line"),
        "garbage-line": (head + b"garbage\n" + rest, "line 2"),
        "no-kind": (head + b'{"t":0}\n' + rest, "line 2"),
        "no-time": (head + b'{"kind":"knock","seat":"N"}\n' + rest, "line 2"),
        "not-a-number": (head + b'{"t":NaN,"kind":"scale","zone":"stock","grams":1,"settled":true}\n' + rest, "line 2"),
        "epoch": (head + b'{"t":1795186800.0,"kind":"knock","seat":"N"}\n' + rest, "line 2"),
        "array-line": (head + b"[1,2]\n" + rest, "line 2"),
        "two-headers": (head + rest + head, "line"),
        "random": (random.Random(1).randbytes(4000), "header"),
        "utf-16": (good.read_text().encode("utf-16"), "header"),
        "crlf": (good.read_bytes().replace(b"\n", b"\r\n"), ""),
        "bom": (b"\xef\xbb\xbf" + good.read_bytes(), ""),
        "blank-lines": (head + b"\n\n" + rest, ""),
        "unknown-kind": (head + b'{"t":0.5,"kind":"weather","sky":"grey"}\n' + rest, "weather"),
        "huge-line": (head + b'{"t":0.5,"kind":"x","y":"' + b"a" * 3_000_000 + b'"}\n' + rest, "'x'"),
        "half.gz": (gzip.compress(good.read_bytes())[:4000], "cannot be read"),
        "no.gz": (good.read_bytes(), "gzip"),
        "right.gz": (gzip.compress(good.read_bytes()), ""),
    }
    for name, (content, word) in contents.items():
        path = folder / (name.replace(".gz", ".jsonl.gz") if name.endswith(".gz") else f"{name}.jsonl")
        path.write_bytes(content)
        yield path, word


FINE = ("only-header", "crlf", "bom", "blank-lines", "unknown-kind", "huge-line", "right")


def test_logs_of_strangers_are_named_in_one_sentence_each(good, tmp_path):
    logs = dict(broken(tmp_path, good))
    status, _, said = start("replay", *logs, tmp_path / "missing.jsonl", tmp_path, "--events", tmp_path / "out.jsonl")
    assert status == 2, "one of them names a code that nobody knows"
    for path, word in logs.items():
        mine = [line for line in said.splitlines() if path.name in line]
        assert (bool(mine), word in "".join(mine)) == (bool(word), True), path.name
        assert all(len(line) < 400 for line in mine)
    assert "missing.jsonl: No such file" in said


def _told(out):
    """Events without their numbers, and without what is said of unknown kinds."""
    events = [json.loads(line) for line in out.splitlines()]
    return [
        {name: value for name, value in event.items() if name not in ("id", "seq")}
        for event in events
        if event["type"] != "table.health"
    ]


@pytest.mark.parametrize("name", FINE)
def test_a_log_that_only_looks_strange_is_read_whole(good, plain, tmp_path, name):
    path = next(path for path in dict(broken(tmp_path, good)) if path.name.split(".")[0] == name)
    status, out, _ = call("replay", path, "--events", "-")
    assert status == 0
    assert _told(out) == _told(plain if name != "only-header" else "")


def test_hidden_cards_are_named_only_where_they_are_asked_for(good, plain):
    public = [json.loads(line) for line in plain.splitlines()]
    secret = [json.loads(line) for line in call("replay", good, "--events", "-", "--secret")[1].splitlines()]
    assert all("card" not in event["data"] for event in public if event["type"] == "card.drawn")
    told = [event["data"]["cards"] for event in public if event["type"] == "irregularity"]
    assert told
    assert all(card == "??" for cards in told for card in cards)
    assert len(secret) == len(public)


@pytest.mark.parametrize(
    ("words", "status", "part"),
    [
        (("replay",), 2, "Missing argument"),
        (("replay", "LOG", "--loud"), 2, "No such option"),
        (("replay", "LOG", "--events", "LOG"), 1, "is the log itself"),
        (("replay", "LOG", "--events", "/nonexistent/x"), 1, "cannot write"),
        (("replay", "LOG", "--events", "/"), 1, "cannot write"),
        (("vp", "--deals", "4"), 2, "Missing option"),
        (("vp", "--deals", "5", "--diff", "0"), 1, "no table"),
        (("vp", "--deals", "4", "--diff", "many"), 2, "Invalid value"),
        (("vp", "--rules", "none", "--deals", "4", "--diff", "0"), 2, "none"),
        (("meld", "ZZ"), 1, "no card"),
        (("count", "/nonexistent.json"), 1, "cannot be read"),
        (("audit", "/nonexistent"), 1, "no journal"),
        (("check", "/nonexistent.toml"), 1, "cannot be read"),
        (("dance",), 2, "No such command"),
    ],
)
def test_a_command_used_wrongly_says_so(good, words, status, part):
    got, out, said = call(*(good if word == "LOG" else word for word in words))
    assert (got, part in out + said) == (status, True)


def test_melds_drawn_by_chance_are_valued_as_arts_10_to_13_say():
    rng = random.Random(7)
    melds = [drawn(rng) for _ in range(3000)]
    _, out, _ = call("meld", "--json", text="\n".join(map(" ".join, melds)) + "\n")
    answers = [json.loads(line) for line in out.splitlines()]
    wanted = [valued(cards) for cards in melds]
    got = [{name: answer[name] for name in ("valid", "bonus", "points")} for answer in answers]
    assert got == wanted
    assert 1000 < sum(answer["valid"] for answer in answers) < 2900


@pytest.mark.parametrize("seed", range(6))
def test_a_deal_drawn_by_chance_is_counted_as_art_18_says(tmp_path, seed):
    document, truth = sheet(random.Random(seed))
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(document))
    status, out, _ = call("count", path, "--json")
    answer = json.loads(out)
    assert status == 0
    assert {line: answer["lines"][line]["items"] for line in truth} == truth
    assert {line: answer["lines"][line]["total"] for line in truth} == {
        line: sum(items.values()) for line, items in truth.items()
    }
