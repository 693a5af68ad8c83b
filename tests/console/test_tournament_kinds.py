"""Teams, single players, knock-outs, absent pairs and merit groups, from the proposal to the ranking."""

from __future__ import annotations

import html
import random
import re
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from hw.seats import LINES
from table_service.console import round_page
from table_service.console.rankings import Ranked, encounters, ranking, resting, sizes_of, split
from table_service.console.results import RoundResult, TableResult, matches_of, winners
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import ABSENT, matches_of_teams, seating_of, seating_text
from table_service.console.seating_proposals import Evening, as_seats, movements_after, propose, seating_of_round
from table_service.console.sheet_book import TableRound
from table_service.games.event_rules import Encounter, Room, TeamResult
from table_service.games.reports import ArbitroAward
from table_service.rulesets import rule_set
from table_service.tournament import Meeting, Seating, in_order

feed: Any = sys.modules["console_feed"]
PLACES = tuple(f"T{n}" for n in range(1, 9))


def table(place: str, ns: str, ew: str, mp: int | None, vp: tuple[int, int] | None = None) -> TableResult:
    """A table that has ended: the first line leads by ``mp`` match points."""
    points = (None, None) if mp is None else (mp, -mp)
    lines = [
        RoundResult(place, line, name, None, points[n], None if vp is None else vp[n], 0)
        for n, (line, name) in enumerate(zip(LINES, (ns, ew), strict=True))
    ]
    return TableResult(place, (lines[0], lines[1]), "done", (), TableRound(place, "b", 1, 0.0))


# -- teams -------------------------------------------------------------------------------------------------------------


def test_a_match_of_teams_is_one_line_at_two_tables_and_is_read_back() -> None:
    proposal = propose("listed", ["Leoni", "Tigri", "Lupi"], Evening(), list.reverse)
    seats = as_seats(proposal, PLACES, teams=True)
    text = seating_text(seats, PLACES)
    assert text == "T1+T2 Leoni / Tigri\nriposa Lupi"
    assert seating_of(text, PLACES) == seats
    assert matches_of_teams(seats) == {("T1", "T2"): ("Leoni", "Tigri")}
    assert seating_of_round(seats, PLACES) == Seating((Meeting(1, "Leoni", "Tigri"),), ("Lupi",))
    assert [round_page.own_terms((), seats, place).get("room") for place in ("T1", "T2", "T3")] == [
        "open",
        "closed",
        None,
    ]


@pytest.mark.parametrize(
    ("rules", "leads", "won", "vp"),
    [
        ("fibur2024", (600, 200), (800, -800), (13, 7)),
        ("fibur2024", (100, -900), (-800, 800), (7, 13)),
        ("feburit", (600, 200), (800, -800), (13, 7)),
    ],
)
def test_teams_have_the_victory_points_of_both_rooms_together(
    rules: str, leads: tuple[int, int], won: tuple[int, int], vp: tuple[int, int]
) -> None:
    """Fibur2024, art. 18; feburit, art. 27: the tables of teams. The home team sits East-West in the closed room."""
    tables = [table("T1", "Leoni", "Tigri", leads[0]), table("T2", "Tigri", "Leoni", -leads[1])]
    rooms = {("T1", "T2"): ("Leoni", "Tigri")}
    (match,) = matches_of(tables, rooms, 4, rule_set(rules).events.team_match)
    assert [one.pair for one in match.lines] == ["Leoni", "Tigri"]
    assert (tuple(one.mp for one in match.lines), tuple(one.vp for one in match.lines)) == (won, vp)
    assert {row.pair: row.vp for row in ranking([[match]])} == {"Leoni": vp[0], "Tigri": vp[1]}


def test_a_match_of_which_one_room_still_plays_is_not_known() -> None:
    tables = [table("T1", "Leoni", "Tigri", 300), replace(table("T2", "Tigri", "Leoni", None), state="open")]
    rooms = {("T1", "T2"): ("Leoni", "Tigri")}
    (match,) = matches_of(tables, rooms, 4, rule_set("fibur2024").events.team_match)
    assert match.state == "open"
    assert all(row.vp is None and row.place == 0 for row in ranking([[match]]))


def test_bridge_teams_have_imps_board_by_board_and_the_norms_victory_points() -> None:
    """Law 78B and app. 7: 430 more is 10 IMPs, 50 less is 2; 8 IMPs of 8 boards are 17 to 13."""
    match = rule_set("bridge").events.team_match
    assert match is not None
    open_ = dict.fromkeys(range(1, 9), (0, 0)) | {1: (620, -620), 2: (-100, 100)}
    closed = dict.fromkeys(range(1, 9), (0, 0)) | {1: (-190, 190), 2: (50, -50)}
    told = match(8, Room((None, None), open_), Room((None, None), closed))
    assert told == TeamResult((10, 2), (17, 13), Fraction(8))
    assert match(8, Room((None, None), open_), Room((None, None), {1: (0, 0)})) == TeamResult()


def test_one_imp_decides_a_knock_out_of_bridge_teams_and_a_fine_counts_whole() -> None:
    """78.2b and 8.3b1: one IMP ahead and two fined for lateness is lost by one; in victory points both are 15-15."""
    match = rule_set("bridge").events.team_match
    assert match is not None
    open_, closed = dict.fromkeys(range(1, 9), (0, 0)) | {1: (20, -20)}, dict.fromkeys(range(1, 9), (0, 0))
    fine = ArbitroAward("T1", None, {"kind": "deduction", "line": "NS", "unit": "imp", "amount": "2"})
    for awards, lead, winner in (((), 1, "Leoni"), ((fine,), -1, "Tigri")):
        told = match(8, Room((None, None), open_, awards), Room((None, None), closed))
        assert (told.won, told.vp, told.lead) == ((1, 0), (15, 15), lead)
        both = matches_of(
            [table("T1", "Leoni", "Tigri", None), table("T2", "Tigri", "Leoni", None)],
            {("T1", "T2"): ("Leoni", "Tigri")}, 8, lambda *_, told=told: told,
        )  # fmt: skip
        assert winners(both) == {winner}


def test_an_assigned_result_is_counted_at_the_vulnerability_that_the_table_told() -> None:
    """4S of North and South, made: 420, or 620 where the arbitro ordered the board with all vulnerable."""
    match = rule_set("bridge").events.team_match
    assert match is not None
    parts = [{"bid": "4S", "doubled": "", "by": "S", "tricks": 10, "weight": 1}]
    entered = (ArbitroAward("T1", 1, {"kind": "result", "NS": parts, "EW": parts}),)
    nothing = Room((None, None), {1: (0, 0)})
    for told, won in (({}, 9), ({1: {"vulnerable": "both"}}, 12), ({1: {"vulnerable": "?"}}, 9)):
        assert match(1, Room((None, None), {}, entered, told), nothing).won == (won, 0)


def test_equal_bridge_teams_stand_by_the_norms_and_not_by_imps() -> None:
    """Norm 78.6a1: in a round robin the match between the two decides first."""
    ties = rule_set("bridge").events.ties
    tables = [
        table("T1", "A", "B", 5, (14, 16)), table("T2", "A", "C", 40, (17, 13)), table("T3", "B", "C", 1, (15, 15)),
    ]  # fmt: skip
    found = [(row.place, row.pair) for row in ranking([tables], ties=ties)]
    assert found == [(1, "B"), (2, "A"), (3, "C")], "A has more IMPs, but lost to B"
    assert encounters(tables)[0] == Encounter(("A", "B"), (14, 16), (5, -5))


# -- single players ----------------------------------------------------------------------------------------------------


def test_single_players_have_what_their_line_has_whoever_the_partner_is() -> None:
    rounds = [
        [table("T1", "Anna + Bea", "Carla + Dora", 500, (13, 7))],
        [table("T1", "Anna + Carla", "Bea + Dora", -500, (7, 13))],
    ]
    assert {row.pair: (row.vp, row.mp, row.rounds) for row in ranking(rounds)} == {
        "Anna": (20, 0, 2), "Bea": (26, 1000, 2), "Carla": (14, -1000, 2), "Dora": (20, 0, 2),
    }  # fmt: skip


def test_after_a_round_of_single_players_their_movements_are_offered_and_keep_partners_apart() -> None:
    names = [f"P{n}" for n in range(8)]
    played = [propose("players-all", names, Evening(), list.reverse).seating]
    assert set(movements_after(played)) == {"players-lot", "players-danese", "players-all"}
    for _ in range(6):
        played.append(propose("players-all", (), Evening(played), list.reverse).seating)
    lines = [
        frozenset(line.split(" + ")) for one in played for meeting in one.meetings for line in (meeting.ns, meeting.ew)
    ]
    assert len(lines) == len(set(lines)) == 28, "each with each once"
    with pytest.raises(FormError) as over:
        propose("players-all", (), Evening(played), list.reverse)
    assert over.value.word == "seating_all_met"


def test_one_player_at_two_tables_is_named_and_a_warning_goes_with_the_player() -> None:
    with pytest.raises(FormError) as twice:
        seating_of("T1 Anna + Bea / Carla + Dora\nT2 Elsa + anna / Fede + Gina", PLACES)
    assert (twice.value.word, twice.value.terms["pair"]) == ("pairs_twice", "Anna")
    warned = [round_page.LineWarning("", "T1", "NS", "Anna + Bea", "F-37", 1, 0)]
    seats = seating_of("T1 Anna + Carla / Dora + Elsa", PLACES)
    assert round_page.brought(warned, seats, "T1") == {"NS": 1}


# -- knock-out ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 24))
def test_a_knock_out_goes_from_the_list_to_the_winner_by_what_the_tables_told(size: int) -> None:
    rng, names = random.Random(size), [f"P{n}" for n in range(size)]
    played: list[Seating] = []
    won: list[set[str]] = []
    places = tuple(f"T{n}" for n in range(1, 13))
    while not won or len(won[-1]) > 1 or played[-1].resting:
        proposal = propose("knock-out", names, Evening(played, won=won), list.reverse)
        seats = as_seats(proposal, places)
        played.append(seating_of_round(seating_of(seating_text(seats, places), places), places))
        leads = [(one, rng.choice((-300, 400))) for one in played[-1].meetings]
        won.append(winners([table("T", one.ns, one.ew, lead, (13, 7) if lead > 0 else (7, 13)) for one, lead in leads]))
    assert sum(len(one.meetings) for one in played) == size - 1
    with pytest.raises(FormError) as over:
        propose("knock-out", names, Evening(played, won=won), list.reverse)
    assert (over.value.word, over.value.terms["entry"]) == ("seating_over", *won[-1])


def test_a_knock_out_waits_for_a_match_that_is_not_decided() -> None:
    played = [in_order("ABCD")]
    for won in ([set[str]()], [{"A"}]):
        with pytest.raises(FormError) as unknown:
            propose("knock-out", (), Evening(played, won=won), list.reverse)
        assert unknown.value.word == "seating_no_winner"
    assert winners([table("T1", "A", "B", 0, (10, 10))]) == set()


# -- who leaves and who comes, by the code -----------------------------------------------------------------------------


def standing(*names: str) -> list[Ranked]:
    return [Ranked(n, name, 20 - n, 0, 1, 0) for n, name in enumerate(names, start=1)]


def test_by_fibur2024_who_is_absent_keeps_a_place_with_seven_points_for_three_rounds_and_then_none() -> None:
    """Art. 38: 7 V.P. and -505 M.P. in rounds of four deals; from the fourth round on no M.P. are stated."""
    rules = rule_set("fibur2024").events
    found = propose(
        "danese", (), Evening([in_order("ABCD")], standing(*"ABCD"), rules=rules), list.reverse, leaving="B"
    )
    assert (found.absent, found.seating.resting) == (("B",), ("D",))
    assert seating_text(as_seats(found, PLACES), PLACES).endswith("riposa D\nassente B")
    again = Evening([in_order("ABCD"), found.seating], standing(*"ABCD"), absent=("B",), rules=rules)
    assert propose("danese", (), again, list.reverse).absent == ("B",), "until it comes back"
    assert propose("danese", (), again, list.reverse, joining="B").absent == ()
    assert [rules.missed(4, n) for n in range(1, 6)] == [(7, -505)] * 3 + [(0, None)] * 2
    assert rules.missed(3, 1) == (7, -355)
    assert rule_set("feburit").events.missed(4, 1) is None


def test_by_feburit_nobody_is_entered_after_the_first_ranking_and_who_left_does_not_come_back() -> None:
    """Art. 25."""
    rules = rule_set("feburit").events
    evening = Evening([in_order("ABCD"), in_order("ABC")], standing(*"ABCD"), rules=rules)
    for name, word in (("E", "joining_closed"), ("D", "joining_left")):
        with pytest.raises(FormError) as refused:
            propose("danese", (), evening, list.reverse, joining=name)
        assert (refused.value.word, refused.value.terms) == (word, {"entry": name, "article": "25"})
    tarocco = Evening([in_order("ABCD")], standing(*"ABCD"), rules=rule_set("tarocco").events)
    assert "E" in propose("danese", (), tarocco, list.reverse, joining="E").seating.resting


def test_a_bridge_team_that_has_left_stands_last_whatever_it_has() -> None:
    """Norm 4.4: its matches stand, and it goes to the last place."""
    assert rule_set("bridge").events.withdrawn == "4.4"
    found = ranking([[table("T1", "A", "B", 50, (25, 5))]], withdrawn={"A"})
    assert [(row.place, row.pair) for row in found] == [(1, "B"), (2, "A")]


@pytest.mark.parametrize(("boards", "imps"), [(8, 9), (16, 12), (20, 13)])
def test_a_bridge_team_that_rests_has_eighteen_points_and_the_least_imps_for_them(boards: int, imps: int) -> None:
    """Norm 78.3."""
    rest = rule_set("bridge").events.team_byes[boards]
    assert rest == (18, imps)
    assert Fraction(rest[0], 30) == Fraction(3, 5)
    assert ranking([], [resting("A", rest)])[0].vp == 18


# -- merit groups ------------------------------------------------------------------------------------------------------


def test_merit_groups_are_ranked_and_paired_each_by_itself() -> None:
    """Fibur2024, art. 20: the field is divided by the ranking, and from then on each group is ranked apart."""
    groups = split(standing(*"ABCDEFG"), "2 2")
    assert groups == {"A": 1, "B": 1, "C": 2, "D": 2, "E": 3, "F": 3, "G": 3}
    assert sizes_of(groups) == "2 2"
    names = {name: vp for vp, name in enumerate("ABCDEFG")}
    ranked = ranking([], [resting(name, (vp, 0)) for name, vp in names.items()], groups=groups)
    assert [(row.place, row.pair) for row in ranked] == [
        (1, "B"), (2, "A"), (1, "D"), (2, "C"), (1, "G"), (2, "F"), (3, "E"),
    ]  # fmt: skip
    found = propose("danese", (), Evening([in_order("ABCDEFG")], ranked), list.reverse).seating
    assert ([one.both for one in found.meetings], found.resting) == ([{"A", "B"}, {"C", "D"}, {"F", "G"}], ("E",))
    assert [one.table for one in found.meetings] == [1, 2, 3]


@pytest.mark.parametrize("sizes", ["3", "0", "-2", "due", "8", "2 2 4", "²"])
def test_sizes_that_make_no_groups_are_refused(sizes: str) -> None:
    with pytest.raises(FormError) as refused:
        split(standing(*"ABCDEFG"), sizes)
    assert (refused.value.word, refused.value.terms) == ("groups_bad", {"most": 7})
    with pytest.raises(FormError) as unknown:
        split([*standing("A"), Ranked(0, "B", None, None, 1, 0)], "2")
    assert unknown.value.word == "groups_unknown"


# -- the pages ---------------------------------------------------------------------------------------------------------


async def proposed(house: Any, **asked: str) -> str:
    page = await house.page("/round", "chief", params=asked)
    return html.unescape(re.search(r'<textarea id="pairs"[^>]*>([^<]*)', page)[1])  # type: ignore[index]


async def test_teams_are_proposed_started_and_told_their_rooms_and_who_sits_there(house: Any) -> None:
    house.hear()
    text = await proposed(house, movement="listed", entries="Leoni\nTigri", teams="1")
    assert text == "T3+T7 Leoni / Tigri"
    house.say("T7/state", feed.state())
    house.say("T7/status", {"state": "online"})
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs="T7+T12 Leoni / Tigri")
    told = {order["table"]: order for _, order in house.sent if order["do"] == "start-round"}
    assert (told["T12"]["room"], told["T12"]["pairs"]) == ("closed", {"NS": "Tigri", "EW": "Leoni"})
    assert "Incontri a squadre" in await house.page("/standing", "chief")


async def test_a_seating_that_is_posted_is_told_to_the_tables_where_they_sit_now(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs="T12 Rossi / Verdi\nriposa Neri")
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/post", "chief", pairs="T12 Neri / Rossi\nriposa Verdi")
    (order,) = [one for _, one in house.sent if one["do"] == "seating"]
    assert order["next"] == {
        "NS": [{"name": "Rossi", "table": "T12", "line": "EW"}], "EW": [{"name": "Verdi", "table": None, "line": None}],
    }  # fmt: skip
    assert house.book.rounds.current.posted is not None


async def test_the_direction_splits_the_field_into_groups_and_takes_it_back(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs="riposa A\nriposa B\nriposa C\nassente D")
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/groups", "chief", sizes="2")
    page = await house.page("/standing", "chief")
    assert ("Girone A" in page, "Girone B" in page) == (True, True)
    assert 'value="2"' in await house.page("/round", "chief")
    refused = await house.post("/round/groups", "chief", sizes="3")
    assert "numeri pari" in html.unescape(refused.text)
    await house.post("/round/groups", "chief", sizes="")
    assert "Girone A" not in await house.page("/standing", "chief")


def test_an_absent_pair_has_a_place_of_its_own_in_the_seating() -> None:
    assert seating_of("assente: Rossi\nabsent Verdi", PLACES) == {(ABSENT, "NS"): "Rossi", (ABSENT, "EW"): "Verdi"}
