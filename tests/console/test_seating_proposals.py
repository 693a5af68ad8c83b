"""Who meets whom is proposed by a movement, stands as text in the form, and what rests is ranked by the code's bye."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hw.seats import LINES
from table_service import tournament
from table_service.console.entry_list import entries_of
from table_service.console.rankings import Ranked, ranking, resting
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import RESTS, seating_of, seating_text
from table_service.console.seating_proposals import (
    FIRST,
    NEXT,
    NEXT_PLAYERS,
    Evening,
    Proposal,
    as_seats,
    propose,
    seating_of_round,
)
from table_service.console.vocabulary import WORDS
from table_service.tournament import Meeting, NoSeatingError, Seating

feed: Any = sys.modules["console_feed"]
PLACES = ("T1", "T2", "T3")


def backwards(field: list[str]) -> None:
    """A lot that is known."""
    field.reverse()


def standing(*pairs: str, vp: Sequence[int | None] = (20, 15, 10, 5, 0)) -> list[Ranked]:
    return [Ranked(n, pair, vp[n - 1], 0, 1, 0) for n, pair in enumerate(pairs, start=1)]


def test_a_list_becomes_the_first_round_and_its_text_is_read_back() -> None:
    entries = entries_of(" Rossi–Bianchi\n\nVerdi – Neri \nGialli–Blu\n")
    assert entries == ("Rossi–Bianchi", "Verdi–Neri", "Gialli–Blu")
    seats = as_seats(propose("listed", entries, Evening(), backwards), PLACES)
    text = seating_text(seats, PLACES)
    assert text == "T1 Rossi–Bianchi / Verdi–Neri\nriposa Gialli–Blu"
    assert seating_of(text, PLACES) == seats
    assert seating_of(text.replace("riposa", "rests"), PLACES) == seats
    assert seating_of_round(seats, PLACES) == Seating((Meeting(1, *entries[:2]),), ("Gialli–Blu",))


def test_everybody_who_rests_or_is_absent_has_a_line_that_is_read_back() -> None:
    proposal = Proposal(Seating((Meeting(1, "A", "B"),), ("C", "D", "E")), ("F", "G"))
    seats = as_seats(proposal, PLACES)
    text = seating_text(seats, PLACES)
    assert text == "T1 A / B\nriposa C\nriposa D\nriposa E\nassente F\nassente G"
    assert seating_of(text, PLACES) == seats
    assert seating_of(seating_text(seats, PLACES, "en"), PLACES) == seats


def test_a_lot_is_drawn_by_who_is_given_to_draw_it() -> None:
    assert propose("lot", "ABCD", Evening(), backwards).seating.meetings == (Meeting(1, "D", "C"), Meeting(2, "B", "A"))


@pytest.mark.parametrize(
    ("movement", "meetings", "rests"),
    [
        ("danese", [{"A", "B"}, {"C", "D"}], "E"),
        ("danese-new", [{"A", "C"}, {"B", "D"}], "E"),
        ("swiss", [{"A", "C"}, {"B", "D"}], "E"),
        ("mitchell", [{"A", "D"}, {"C", "B"}], "E"),
    ],
)
def test_the_next_round_goes_by_the_rounds_before_it(movement: str, meetings: list[set[str]], rests: str) -> None:
    played = [Seating((Meeting(1, "A", "B"), Meeting(2, "C", "E")), ("D",))]
    found = propose(movement, (), Evening(played, standing("A", "B", "C", "D", "E")), backwards).seating
    assert ([set(one.both) for one in found.meetings], found.resting) == (meetings, (rests,))


@pytest.mark.parametrize("movement", ["howell", "round-robin"])
def test_all_against_all_goes_on_from_the_first_round_as_it_was_entered(movement: str) -> None:
    played: list[Seating] = []
    for _ in range(5):
        found = propose(movement, "ABCDEF", Evening(played), backwards)
        played.append(seating_of_round(as_seats(found, PLACES), PLACES))
    assert len({one.both for seating in played for one in seating.meetings}) == 15
    with pytest.raises(FormError) as over:
        propose(movement, (), Evening(played), backwards)
    assert over.value.word == "seating_all_met"


def test_a_pair_whose_result_is_not_known_is_named_before_anybody_is_paired_by_it() -> None:
    played = [Seating((Meeting(1, "A", "B"),))]
    with pytest.raises(FormError) as unknown:
        propose("danese", (), Evening(played, standing("A", "B", vp=(20, None))), backwards)
    assert (unknown.value.word, unknown.value.terms) == ("seating_no_points", {"entry": "B"})


@pytest.mark.parametrize(
    ("movement", "entries", "played", "word"),
    [
        ("danese", "AB", [], "movement_not_now"),
        ("lot", "AB", [Seating((Meeting(1, "A", "B"),))], "movement_not_now"),
        ("listed", "A", [], "seating_too_few"),
        ("listed", "AAB", [], "seating_twice"),
        ("howell", "AB", [], "seating_too_few"),
        ("mitchell", "", [Seating((Meeting(1, "A", "B"),))], "seating_all_met"),
    ],
)
def test_what_cannot_be_seated_is_one_sentence_in_both_languages(
    movement: str, entries: str, played: list[Seating], word: str
) -> None:
    with pytest.raises(FormError) as refused:
        propose(movement, entries, Evening(played, standing("A", "B")), backwards)
    assert refused.value.word == word
    for said in WORDS[word]:
        assert said.format(**refused.value.terms)


def test_every_reason_and_movement_has_words() -> None:
    files = Path(tournament.__file__).parent.glob("*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    reasons = set(re.findall(r'NoSeatingError\(\s*"(\w+)"', text))
    assert len(reasons) > 8
    of_movements_that_are_not_offered = {"no_table", "kept_twice", "no_movement"}
    assert {f"seating_{one}" for one in reasons - of_movements_that_are_not_offered} <= set(WORDS)
    assert {f"movement_{one}" for one in (*FIRST, *NEXT, *NEXT_PLAYERS)} <= set(WORDS)
    assert issubclass(NoSeatingError, ValueError)


def test_more_meetings_than_tables_are_refused() -> None:
    with pytest.raises(FormError) as few:
        as_seats(propose("listed", "ABCDEFGH", Evening(), backwards), PLACES)
    assert (few.value.word, few.value.terms) == ("seating_few_tables", {"n": 4, "have": 3})
    with pytest.raises(FormError) as teams:
        as_seats(propose("listed", "ABCD", Evening(), backwards), PLACES, teams=True)
    assert (teams.value.word, teams.value.terms) == ("seating_few_tables", {"n": 4, "have": 3})


def test_who_rested_is_ranked_with_the_codes_points_and_as_unknown_where_it_states_none() -> None:
    (known,) = ranking([], [resting("A", (13, 450))])
    assert (known.place, known.vp, known.mp, known.rounds) == (1, 13, 450, 1)
    (unknown,) = ranking([], [resting("A", None)])
    assert (unknown.place, unknown.vp) == (0, None)


async def test_the_direction_has_a_round_proposed_starts_it_and_has_the_next_one_follow(house: Any) -> None:
    """Art. 25 and art. 2 of feburit: the lowest that has not rested rests, and has 13 points for it."""
    house.hear()
    house.say("T12/state", feed.state(rules="feburit"))
    page = await house.page("/round?movement=listed&entries=Rossi%0AVerdi%0ANeri", "chief")
    assert "Gli abbinamenti proposti" in page
    text = html.unescape(re.search(r'<textarea id="pairs"[^>]*>([^<]*)', page)[1])  # type: ignore[index]
    assert text == "T3 Rossi / Verdi\nriposa Neri"
    text = text.replace("T3", "T12")  # the direction changes it as it likes
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs=text)
    pages = house.app.state.pages
    assert house.book.rounds.seated(pages.book.rounds.current.id)[RESTS, LINES[0]] == "Neri"
    assert '<form class="stack" method="get"' not in await house.page("/round", "chief"), "a round runs"
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=4))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    await house.post("/round/end", "chief", anyway="1")
    page = await house.page("/round?movement=danese", "chief")
    assert "conferma gli score, e il risultato di Rossi sarà noto" in page, "a sheet is open"
    page = await house.page("/round?movement=mitchell", "chief")
    text = html.unescape(re.search(r'<textarea id="pairs"[^>]*>([^<]*)', page)[1])  # type: ignore[index]
    assert text == "T12 Rossi / Neri\nriposa Verdi"
    standing_page = await house.page("/standing", "chief")
    assert re.search(r"Neri</th><td[^>]*><b>13</b>", standing_page), "the bye of art. 25"


async def test_a_list_that_makes_no_field_is_said_on_the_page(house: Any) -> None:
    house.hear()
    page = await house.page("/round?movement=lot&entries=Rossi%0Arossi", "chief")
    assert "Riga 2: «rossi» è già alla riga 1." in page
    assert "Rossi\nrossi" in page, "what was typed is still there"
