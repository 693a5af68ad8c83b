"""A list of entries is read as people write it, and a field that changes between rounds still meets as it may."""

from __future__ import annotations

import html
import random
import re
import sys
from typing import Any

import pytest

from table_service.console.entry_list import drawn_pairs, entries_of, field_after
from table_service.console.rankings import Ranked
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import seating_of, seating_text
from table_service.console.seating_proposals import Evening, Proposal, as_seats, propose
from table_service.console.vocabulary import WORDS
from table_service.tournament import Meeting, Seating, in_order

feed: Any = sys.modules["console_feed"]


@pytest.mark.parametrize(
    "text",
    [
        "Rossi–Bianchi\nDe Luca–Neri",
        "  Rossi/Bianchi \n\n De  Luca / Neri",
        "Rossi, Bianchi\nDe Luca, Neri",
        "\ufeffn.;Giocatore 1;Giocatore 2\r\n1;Rossi;Bianchi\r\n2;De Luca;Neri\r\n",
        "player 1\tplayer 2\nRossi\tBianchi\nDe Luca\tNeri",
        'Rossi;"Bianchi"\n"De Luca";Neri;',
        "Coppia\nRossi–Bianchi\nDe Luca–Neri",
        "1. ; Rossi ; Bianchi\n2. ; De Luca ; Neri",
    ],
)
def test_a_list_is_read_as_people_and_spreadsheets_write_it(text: str) -> None:
    assert entries_of(text) == ("Rossi–Bianchi", "De Luca–Neri")


def test_teams_players_and_numbers_that_are_names_stay_as_they_are() -> None:
    assert entries_of("I Leoni\nTeam 7") == ("I Leoni", "Team 7")
    assert entries_of("Anna;Bea;Carla;Dora") == ("Anna–Bea–Carla–Dora",)
    assert entries_of("12;Rossi\n7;Verdi") == ("12–Rossi", "7–Verdi"), "they do not count the lines"
    assert entries_of("\n \n") == ()


def test_a_name_too_long_is_named_with_its_line() -> None:
    with pytest.raises(FormError) as refused:
        entries_of("Rossi\n" + "x" * 61)
    assert (refused.value.word, refused.value.terms["n"]) == ("entry_long", 2)


def test_single_players_are_drawn_into_pairs_and_nobody_is_left_over() -> None:
    assert drawn_pairs("ABCD", list.reverse) == ["D–C", "B–A"]
    with pytest.raises(FormError) as odd:
        drawn_pairs("ABC", list.reverse)
    assert odd.value.word == "players_odd"


def test_who_leaves_stays_away_and_who_comes_back_has_its_place_in_the_ranking() -> None:
    assert field_after("ABCD", "ABCD", "b", "E") == ["A", "C", "D", "E"]
    assert field_after("ABCDE", "ACDE", "", "") == ["A", "C", "D", "E"], "B left a round before"
    assert field_after("ABCDE", "ACDE", "E", "B") == ["A", "B", "C", "D"]


@pytest.mark.parametrize(("leaving", "joining", "word"), [("X", "", "leaving_unknown"), ("", "a", "seating_twice")])
def test_a_change_that_cannot_be_is_one_sentence_in_both_languages(leaving: str, joining: str, word: str) -> None:
    with pytest.raises(FormError) as refused:
        field_after("ABC", "ABC", leaving, joining)
    assert refused.value.word == word
    for said in WORDS[word]:
        assert said.format(**refused.value.terms)


def test_a_fixed_movement_takes_nobody_in_and_lets_opponents_rest_of_who_leaves() -> None:
    evening = Evening([in_order("ABCD")])
    for movement in ("howell", "round-robin", "knock-out"):
        with pytest.raises(FormError) as refused:
            propose(movement, (), evening, list.reverse, joining="E")
        assert refused.value.word == "field_is_fixed"
    second = propose("mitchell", (), evening, list.reverse, leaving="A").seating
    assert second == Seating((Meeting(2, "C", "B"),), ("D",))


def test_a_late_pair_joins_a_mitchell_and_stays_in_it() -> None:
    """Where the code does not forbid it: at the table that lacks a pair, in an even field at a new one."""
    played = [in_order("ABCDE")]
    second = propose("mitchell", (), Evening(played), list.reverse, joining="F").seating
    assert second == Seating((Meeting(1, "A", "E"), Meeting(2, "C", "B"), Meeting(3, "F", "D")))
    third = propose("mitchell", (), Evening([*played, second]), list.reverse).seating
    assert third == Seating((Meeting(1, "A", "D"), Meeting(2, "C", "E"), Meeting(3, "F", "B")))
    rests = propose("mitchell", (), Evening([in_order("ABCD")]), list.reverse, joining="E").seating
    assert rests.resting == ("E",)


def test_who_has_left_a_fixed_movement_does_not_come_back_by_itself() -> None:
    played = [in_order("ABCDEF")]
    played.append(propose("mitchell", (), Evening(played), list.reverse, leaving="A").seating)
    third = propose("mitchell", (), Evening(played), list.reverse).seating
    assert sorted(third.entries) == list("BCDEF")
    assert third.resting == ("D",), "who would have met A"


def _ranked(points: dict[str, int]) -> list[Ranked]:
    by_points = sorted(points, key=lambda name: -points[name])
    return [Ranked(n, name, points[name], 0, 1, 0) for n, name in enumerate(by_points, start=1)]


@pytest.mark.parametrize(
    ("movement", "fields", "most"), [("danese", 1500, 40), ("danese-new", 150, 14), ("swiss", 150, 14)]
)
def test_random_fields_that_change_between_rounds_are_seated_whole(movement: str, fields: int, most: int) -> None:
    """Everybody who is there sits or rests once; nobody rests twice, and nobody meets again where it is forbidden."""
    draw = random.Random(20)
    rounds = 0
    for _ in range(fields):
        names = [f"P{n}" for n in range(draw.randrange(4, most))]
        points = dict.fromkeys(names, 0)
        places = [f"T{n}" for n in range(1, most)]
        played = [propose("lot", names, Evening(), draw.shuffle).seating]
        for number in range(2, 5):
            here = played[-1].entries
            leaving = draw.sample(here, draw.randrange(min(2, len(here) - 3) + 1)) if len(here) > 3 else []
            joining = [f"L{number}"] if draw.random() < 0.3 else []
            seating = _proposed(movement, played, _ranked(points), leaving, joining)
            if seating is None:
                break
            _holds(seating, played, {*here, *joining} - {*leaving}, repeats=movement == "danese")
            seats = as_seats(Proposal(seating), places)
            assert seating_of(seating_text(seats, places), places) == seats
            played.append(seating)
            points = {name: points.get(name, 0) + draw.randrange(21) for name in {*points, *joining}}
            rounds += 1
    assert rounds > fields * 2, "most fields play on"


def _proposed(
    movement: str, played: list[Seating], ranked: list[Ranked], leaving: list[str], joining: list[str]
) -> Seating | None:
    """The next round; None where the sentence says that nobody can meet or rest any more. Any other refusal fails."""
    try:
        evening = Evening(played, ranked)
        return propose(movement, (), evening, list.reverse, leaving=leaving, joining=joining).seating
    except FormError as error:
        if error.word not in ("seating_no_new_round", "seating_all_rested"):
            raise
        return None


def _holds(seating: Seating, played: list[Seating], field: set[str], *, repeats: bool) -> None:
    assert sorted(seating.entries) == sorted(field)
    assert len(seating.resting) == len(field) % 2
    assert not set(seating.resting) & {one for before in played for one in before.resting}
    if not repeats:
        met = {meeting.both for before in played for meeting in before.meetings}
        assert not met & {meeting.both for meeting in seating.meetings}


async def test_the_page_takes_a_csv_and_then_asks_who_leaves_and_comes(house: Any) -> None:
    house.hear()
    house.say("T12/state", feed.state())
    asked = {"movement": "listed", "entries": "n;giocatore;giocatore\n1;Rossi;Bianchi\n2;Verdi;Neri"}
    page = await house.page("/round", "chief", params=asked)
    text = html.unescape(re.search(r'<textarea id="pairs"[^>]*>([^<]*)', page)[1])  # type: ignore[index]
    assert text == "T3 Rossi–Bianchi / Verdi–Neri"
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=text.replace("T3", "T12"))
    await house.post("/round/end", "chief", anyway="1")
    page = await house.page("/round?movement=danese&leaving=Nessuno", "chief")
    assert 'id="leaving"' in page
    assert "«Nessuno» non gioca questo torneo" in page
    assert "Nessuno</textarea>" in page, "what was typed is still there"
