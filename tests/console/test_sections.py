"""Groups that play apart from the first round on: dealt, seated, ranked, printed; each in its own movement."""

from __future__ import annotations

import csv
import html
import io
import json
import random
import re
import sys
from collections import Counter
from typing import Any

import pytest

from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import groups_of_text, seating_of, seating_text
from table_service.console.seating_proposals import Evening, as_seats, propose, seating_of_round
from table_service.tournament import Seating

feed: Any = sys.modules["console_feed"]
PLACES = tuple(f"T{n}" for n in range(1, 41))


def evening_of(movement: str, names: list[str], groups: int, after: str, rounds: int) -> tuple[list[Seating], Any]:
    """A tournament by ``movement`` and then ``after``, its seatings as the console keeps them."""
    first = propose(movement, names, Evening(), lambda _: None, groups=groups)
    played = [seating_of_round(as_seats(first, PLACES), PLACES)]
    while len(played) < rounds:
        proposal = propose(after, (), Evening(played, groups=first.groups), lambda _: None)
        played.append(seating_of_round(as_seats(proposal, PLACES), PLACES))
    return played, first.groups


@pytest.mark.parametrize(("movement", "after"), [("round-robin", "round-robin"), ("listed", "mitchell")])
def test_each_meets_only_its_own_group_and_in_the_round_robin_each_of_it_once(movement: str, after: str) -> None:
    """Fibur2024 (definitions): in the system all'italiana each meets once all others that are in its group."""
    chance = random.Random(7)
    for _ in range(150):
        sizes = chance.randrange(4, 9)
        groups = chance.randrange(2, 5)
        names = [f"P{n}" for n in range(groups * sizes)]
        whole = sizes - 1 + sizes % 2 if movement == "round-robin" else sizes // 2
        played, of = evening_of(movement, names, groups, after, whole)
        met = Counter(one.both for seating in played for one in seating.meetings)
        assert set(met.values()) == {1}
        assert all(len({of[name] for name in both}) == 1 for both in met)
        if movement == "round-robin":
            assert len(met) == groups * sizes * (sizes - 1) // 2
        for seating in played:
            assert sorted(seating.entries) == sorted(names)


def test_a_seating_of_groups_is_read_back_with_them() -> None:
    proposal = propose("round-robin", ["A–a", "B–b", "C–c", "D–d", "E–e"], Evening(), lambda _: None, groups=2)
    seats = as_seats(proposal, PLACES)
    text = seating_text(seats, PLACES, "it", proposal.groups)
    assert text == "girone A\nT1 C–c / E–e\nriposa A–a\ngirone B\nT2 B–b / D–d"
    assert seating_of(text, PLACES) == seats
    assert groups_of_text(text, PLACES) == {"A–a": 1, "C–c": 1, "E–e": 1, "B–b": 2, "D–d": 2}
    assert seating_text(seats, PLACES, "en", proposal.groups).startswith("group A\n")
    assert groups_of_text(seating_text(seats, PLACES), PLACES) == {}
    with pytest.raises(FormError) as refused:
        groups_of_text("girone A\nT1 A / B\ngirone B\nT2 A / C", PLACES)
    assert (refused.value.word, refused.value.terms["entry"]) == ("sections_line", "A")


def test_too_small_groups_are_refused() -> None:
    with pytest.raises(FormError) as refused:
        propose("round-robin", ["A", "B", "C"], Evening(), lambda _: None, groups=2)
    assert refused.value.word == "sections_bad"


@pytest.mark.parametrize(("language", "word", "head"), [("it", "girone A", "Girone"), ("en", "group A", "Group")])
async def test_groups_go_from_the_form_to_ranking_and_prints(house: Any, language: str, word: str, head: str) -> None:
    house.hear()
    house.say("T7/status", {"state": "ready", "boot": "000a3f", "version": "x"})
    names = "Rossi%0AVerdi%0ANeri%0ABlu"
    page = await house.page(f"/round?movement=round-robin&sections=2&entries={names}&lang={language}")
    text = html.unescape(re.search(r'<textarea id="pairs"[^>]*>([^<]*)', page)[1])  # type: ignore[index]
    assert text.startswith(word)
    tables = re.findall(r"T\d+", text)
    text = text.replace(tables[0], "T12", 1).replace(f"\n{tables[1]}", "\nT7", 1)
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=text)
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=2))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    for kind in ("seating", "ranking"):
        answer = await house.get(f"/reports/lists/{kind}.csv?lang={language}")
        rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff")), delimiter=";"))
        assert head in rows[0]
        letters = {row[rows[0].index(head)] for row in rows[1:]}
        assert "A" in letters, kind
        told = json.loads((await house.get(f"/reports/lists/{kind}.json?lang={language}")).content)
        assert {row["group"] for row in told["rows"]} <= {"A", "B", None}
        assert (await house.get(f"/reports/lists/{kind}.pdf?lang={language}")).content.startswith(b"%PDF")
    assert f"{head} A" in await house.page(f"/standing?lang={language}")
