"""Logs that are broken in every way a disk, a node or a person can break them: nothing raises, no card is lost.

The corpus are rehearsed logs and the contract's example; hypothesis chooses the lines and what is done to them.
``FUZZ=5000 python -m pytest tests/fuzz`` tries as many.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hw.observation_json import observation_to_json
from hw.observation_log import LogError, header_to_json, read_log
from table_service.events import event_to_json
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import prepare

EXAMPLE = Path(__file__).parents[1] / "tracking" / "data" / "example_deal.jsonl.gz"
EXAMPLES = int(os.environ.get("FUZZ", "20"))
"""How many broken logs `make test` tries; `make proof` tries ``MANY``."""
MANY = 300
LINES = 1500
"""How much of a rehearsed log is used: the deal, some turns and a fault."""
HUGE = (1e308, -1e308, 1e18, -1.0, 0, 2**63, float("nan"), float("inf"), -float("inf"))
ODD = (
    None,
    True,
    "",
    "moon",
    "7Z",
    [],
    [None],
    {},
    {"a": [1]},
    "NS",
    "N",
    "in",
    1e308,
    -5,
    [["7H"]],
    "\ud800",
    "x" * 400,
)


@lru_cache(maxsize=1)
def corpus() -> tuple[tuple[str, ...], ...]:
    """Logs as lines, the header first."""
    found = [tuple(gzip.decompress(EXAMPLE.read_bytes()).decode().splitlines())]
    for seed, row in ((3, "F-31a"), (4, "F-29b"), (5, "F-24a")):
        rehearsal = prepare("fibur2024", seed, 1, (row,))
        lines = islice(rehearsal.observations(), LINES)
        found.append(
            (json.dumps(header_to_json(rehearsal.header)), *(json.dumps(observation_to_json(one)) for one in lines))
        )
    # The end of a deal, with closing and count, as a log of its own kind of trouble.
    rehearsal = prepare("fibur2024", 8, 1, ("F-33",))
    whole = [json.dumps(observation_to_json(one)) for one in rehearsal.observations()]
    found.append((json.dumps(header_to_json(rehearsal.header)), *whole[:80], *whole[-900:]))
    return tuple(found)


def _field(data: Any, rng: random.Random) -> tuple[Any, Any]:
    """A container in ``data`` and one of its keys."""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = rng.choice(keys)
        inner = data[key]
        if not (isinstance(inner, dict | list) and inner) or rng.random() < 0.4:
            return data, key
        data = inner


def _broken(line: str, rng: random.Random) -> str:
    """``line`` with one thing wrong in it."""
    how = rng.randrange(8)
    if how == 0:
        return line[: rng.randrange(len(line) + 1)]
    if how == 1:
        return "".join(rng.choice('{}[]",:0aN\x00') if rng.random() < 0.02 else letter for letter in line)
    try:
        data = json.loads(line)
    except json.JSONDecodeError:
        return line  # it is broken already
    if not isinstance(data, dict) or not data:
        return line
    container, key = _field(data, rng)
    if how == 2:
        del container[key]
    elif how in (3, 4):
        container[key] = rng.choice(HUGE)
    elif how == 5:
        container[key] = rng.choice(ODD)
    elif how == 6:
        data["kind"] = rng.choice(["weather", "header", "scale", "sight", "console", "tags", "said", "Tray", "", 7])
    else:
        data["t"] = rng.choice([*HUGE, rng.uniform(-5, 900), "12", None])
    return json.dumps(data)


def mutated(lines: tuple[str, ...], rng: random.Random, count: int) -> list[str]:
    """``lines`` with ``count`` of them dropped, doubled, swapped, shifted or broken; the header is left whole."""
    header, *rest = lines
    for _ in range(count):
        if len(rest) < 2:
            break
        at, other = rng.randrange(len(rest)), rng.randrange(len(rest))
        match rng.randrange(6):
            case 0:
                del rest[at : at + rng.choice([1, 1, 3, 40, 400])]
            case 1:
                rest.insert(other, rest[at])
            case 2:
                rest[at], rest[other] = rest[other], rest[at]
            case 3:
                rest[at:at] = rest[other : other + rng.choice([1, 5, 60])]
            case _:
                rest[at] = _broken(rest[at], rng)
    return [header, *rest]


def replayed(lines: list[str], path: Path) -> tuple[list[str], int]:
    """The events of a log of ``lines`` as text, and how many lines were broken; the ledger is watched on the way."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogatepass")
    path.chmod(0o600)
    broken: list[LogError] = []
    header, observations = read_log(path, broken.append)
    fold = TableFold(header)
    events = []
    size: tuple[int, int] | None = None
    for observation in observations:
        events += fold.feed(observation)
        deal = fold.deal
        if getattr(observation, "kind", "") == "console":
            size = None  # a deal may begin, a count may be corrected
        if deal is not None and deal.begun:
            if size is not None and size[0] == deal.number:
                assert deal.size == size[1], f"the ledger had {size[1]} cards and has {deal.size} at {observation.t}"
            size = (deal.number, deal.size)
    events += fold.close()
    return [json.dumps(event_to_json(event, secret=True), sort_keys=True) for event in events], len(broken)


@pytest.mark.slow
@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9), st.integers(0, 4), st.sampled_from([1, 3, 12, 40, 150]))
def test_no_broken_log_raises_or_loses_a_card(tmp_path: Path, seed: int, which: int, count: int) -> None:
    lines = mutated(corpus()[which], random.Random(seed), count)
    replayed(lines, tmp_path / "broken.jsonl")


@pytest.mark.sweep
@settings(max_examples=MANY, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**9), st.integers(0, 4), st.sampled_from([1, 3, 12, 40, 150]))
def test_none_of_hundreds_of_broken_logs_raises_or_loses_a_card(
    tmp_path: Path, seed: int, which: int, count: int
) -> None:
    lines = mutated(corpus()[which], random.Random(seed), count)
    replayed(lines, tmp_path / "broken.jsonl")


@pytest.mark.parametrize("seed", range(4))
def test_a_broken_log_gives_the_same_events_each_time(tmp_path: Path, seed: int) -> None:
    lines = mutated(corpus()[seed], random.Random(seed), 60)
    first, broken = replayed(lines, tmp_path / "a.jsonl")
    again, same = replayed(lines, tmp_path / "b.jsonl")
    assert first == again
    assert broken == same
    assert len(first) > 10


def test_a_log_that_is_no_log_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    for text in ("", "\n", "null\n", "[]\n", '{"kind":"header"}\n', "\x00\x00", '{"kind":"scale"}\n', "{" * 5000):
        path.write_text(text)
        path.chmod(0o600)
        with pytest.raises(LogError) as raised:
            read_log(path)
        assert "\n" not in str(raised.value)
