"""What bridge shows and prints of boards: travellers, hand records, slow play, tempo log, forms. From events alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from hw.seats import SEATS, Seat
from table_service.events import event_to_json, public
from table_service.games.bridge.norms.time_penalties import slow_play
from table_service.games.bridge.pages import PAGES
from table_service.games.bridge.pages.board_facts import BoardFacts, facts_of
from table_service.games.bridge.pages.comparison import TeamMatch, compared, groups_of, in_imps, matches_of
from table_service.games.bridge.pages.hand_records import hand_records
from table_service.games.bridge.pages.pbn_files import event_pbn, hands_of
from table_service.games.bridge.pages.report_text import Speech
from table_service.games.bridge.pages.slow_play import paces, slow_play_report
from table_service.games.bridge.pages.traveller import traveller
from table_service.games.bridge.pbn.check import check_file, is_bad, records_of
from table_service.games.bridge.rules.contract import Contract
from table_service.games.reports import DealPlayed, Language, Report
from tests.games.bridge.hall_of_boards import BEGUN, hall, hands_of_boards, round_of
from tests.games.bridge.table_of_bridge import TableOfBridge, deal_hands, pbn_of
from tests.games.bridge.test_rows_observed import started, trick

N, E, S, W = Seat
BOTH: tuple[Language, ...] = ("it", "en")


def words(report: Report) -> Iterator[str]:
    """Every text of a report."""
    yield from (report.title, report.about)
    for section in report.sections:
        yield from (section.title, *section.lines, *section.blanks, *section.signatures)
        for grid in section.grids:
            yield from (grid.title, *grid.heads, *(cell for row in grid.rows for cell in row))


def text_of(report: Report) -> str:
    return "\n".join(words(report))


def board(place: str, points: int | None, **more: Any) -> BoardFacts:
    return BoardFacts(place, board=1, points=points, **more)


def played(table: TableOfBridge) -> DealPlayed:
    """The last deal of a table, by its public events."""
    number = max(one.deal for one in table.events if one.deal is not None)
    return DealPlayed("T1", tuple(event_to_json(public(one)) for one in table.events if one.deal == number))


def opened(table: TableOfBridge) -> dict[str, Any]:
    """What was sealed, as who has the key reads it."""
    return {one.id: dict(one.secret) for one in table.events if one.secret is not None}


# -- travellers --------------------------------------------------------------------------------------------------------


def test_a_boards_facts_are_those_that_were_played_and_its_hands_those_that_were_dealt() -> None:
    for table in hall(3, 3, 3):
        for deal in table.deals():
            facts = facts_of(deal)
            assert facts.board is not None
            dealt = hands_of_boards(3, 3)[facts.board - 1]
            if facts.passed_out:
                assert (facts.points, facts.tricks, facts.is_whole) == (0, (), False)
                continue
            assert facts.is_whole
            assert {seat: set(cards) for seat, cards in facts.shown.items()} == {s: set(c) for s, c in dealt.items()}
            assert facts.won == facts.result
            assert sum(one.winner is not None for one in facts.tricks) == 13


def test_match_points_are_two_for_each_worse_result_and_one_for_each_equal_one() -> None:
    found = compared([board("T1", 420), board("T2", 420), board("T3", -50), board("T4", 620)])
    assert [(one.board.place, one.points, one.top) for one in found] == [
        ("T4", 6, 6),
        ("T1", 3, 6),
        ("T2", 3, 6),
        ("T3", 0, 6),
    ]
    assert [one.share.ns for one in found if one.share] == [100, 50, 50, 0]
    assert all(one.share.ns + one.share.ew == 100 for one in found if one.share)


def test_a_result_that_is_not_known_leaves_the_others_by_neubergs_formula() -> None:
    found = {one.board.place: one for one in compared([board("T1", 420), board("T2", -50), board("T3", None)])}
    assert found["T3"].share is None
    assert found["T1"].points == Fraction((2 + 1) * 3, 2) - 1
    assert found["T2"].points == Fraction((0 + 1) * 3, 2) - 1
    assert found["T1"].top == 4


def test_a_board_that_one_table_alone_has_played_is_compared_with_nothing() -> None:
    (one,) = compared([board("T1", 420)])
    assert (one.share, one.points) == (None, None)


def test_tables_with_other_cards_are_a_group_of_their_own_and_a_small_one_gets_artificial_scores() -> None:
    tables = hall(5, 5, 1, ("T5", 1))
    boards = [facts_of(one.deals()[0]) for one in tables]
    played_out = [one for one in boards if not one.passed_out]
    assert [len(group) for group in groups_of(played_out)][-1] == 1
    assert groups_of(played_out)[-1][0].place == "T5"
    alone = next(one for one in compared(boards) if one.board.place == "T5")
    assert alone.share is not None
    assert (alone.share.ns, alone.share.ew) == (60, 60)  # norm 87.2
    said = text_of(traveller(round_of(tables, 1), "en"))
    assert "Different cards (norm 87), in groups" in said


def test_two_tables_are_a_match_in_imps_and_victory_points_by_the_number_of_boards() -> None:
    tables = hall(4, 2, 8)
    report = traveller(round_of(tables, 8), "en")
    boards = {n: [facts_of(one.deals()[n - 1]) for one in tables] for n in range(1, 9)}
    every = in_imps(TeamMatch("T1", "T2"), boards)
    lead = sum(one.imps or 0 for one in every)
    assert len(every) == 8
    said = next(line for line in report.sections[0].lines if "IMP" in line)
    assert f"({abs(lead)} IMP)" in said
    totals = report.sections[0].grids[0].rows[-1]
    assert int(totals[-2]) - int(totals[-1]) == lead


def test_victory_points_for_a_number_of_boards_that_the_norms_do_not_have_are_refused_with_that_reason() -> None:
    said = {language: text_of(traveller(round_of(hall(4, 2, 3), 3), language)) for language in BOTH}
    assert "The norms have no victory points for 3 boards (they have for 8, 10," in said["en"]
    assert "Le norme non hanno Victory Points per 3 board" in said["it"]


def test_tables_at_which_the_same_names_sit_crosswise_are_matches() -> None:
    pairs = {("T1", "NS"): "A", ("T1", "EW"): "B", ("T3", "NS"): "B", ("T3", "EW"): "A"}
    others = {("T2", "NS"): "C", ("T2", "EW"): "D", ("T4", "NS"): "D", ("T4", "EW"): "C"}
    assert matches_of(("T1", "T2", "T3", "T4"), pairs | others) == (TeamMatch("T1", "T3"), TeamMatch("T2", "T4"))
    assert matches_of(("T1", "T2", "T3", "T4"), pairs) == ()
    assert matches_of(("T1", "T2"), {("T1", "NS"): "A", ("T1", "EW"): "B"}) == ()


def test_a_result_other_than_the_tricks_that_were_turned_stands_out_with_both_numbers() -> None:
    table = hall(3, 3, 3)[0]
    (deal,) = [one for one in table.deals() if facts_of(one).board == 3]
    facts = facts_of(deal)
    assert facts.won == 7
    counted = next(one for one in reversed(deal.events) if one["type"] == "score.counted")
    anew = {
        **counted,
        "id": "anew",
        "data": {**counted["data"], "lines": {"NS": {"total": 120}, "EW": {"total": -120}}},
    }
    corrected = DealPlayed(deal.place, (*deal.events, anew))
    report = traveller(round_of((table,), 1, played=(corrected,), places=("T1",)), "en")
    assert "T1: result 8, tricks turned 7 (norm 79.2)." in text_of(report)


# -- hand records ------------------------------------------------------------------------------------------------------


def test_the_hand_records_of_a_round_are_sound_pbn_with_every_tables_auction_play_and_score() -> None:
    round_ = round_of(hall(3, 3, 3), 3)
    answers = list(check_file(event_pbn([round_]).encode(), "hands.pbn"))
    assert len(answers) == 9
    assert [one for one in answers if is_bad(one)] == []
    assert {one["deal"] for one in answers} == {"ok"}
    assert all(one["score"]["right"] for one in answers)
    for record in records_of(event_pbn([round_])):
        dealt = hands_of_boards(3, 3)[int(record.board) - 1]
        assert {seat: set(cards) for seat, cards in record.hands.items()} == {s: set(c) for s, c in dealt.items()}


def test_a_claim_leaves_cards_that_nobody_has_seen_and_the_record_says_how_many() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.said(N, "claim:9")
    table.press(N, "ready")
    table.press(E, "ready")
    facts = facts_of(played(table))
    assert not facts.is_whole
    assert len(facts.shown[S]) == 13, "dummy lay open"
    hands = hands_of([facts])
    assert [len(hands[seat]) for seat in SEATS] == [1, 1, 13, 1]
    report = hand_records(round_of((), 1, played=(played(table),), places=("T1",)), "en")
    assert "Cards not known: North 12, East 12, West 12." in text_of(report)
    (record,) = records_of(event_pbn([round_of((), 1, played=(played(table),), places=("T1",))]))
    assert record.deal == "none"


def event(number: int, type_: str, seat: str | None = None, **data: Any) -> dict[str, Any]:
    return {
        "id": f"T1-{number}",
        "deal": 1,
        "type": type_,
        "seat": seat,
        "data": data,
        "time": "2026-11-23T10:00:00.000Z",
    }


def test_irregular_calls_and_plays_are_marked_in_pbn_and_read_back_without_an_error() -> None:
    """South's bid out of turn is insufficient; East leads for West, who revokes and has a heart for the next trick."""
    calls = [("N", "1D"), ("S", "1C"), ("W", "P"), ("N", "P"), ("E", "P")]
    tricks = [
        ("E", {"E": "AH", "S": "3H", "W": "2C", "N": "4H"}, "E"),
        ("E", {"E": "KH", "S": "6H", "W": "7H", "N": "5H"}, "E"),
    ]
    events = [event(1, "deal.started", dealer="N"), event(2, "board.placed", board=1, vulnerable="none")]
    events += [event(10 + n, "call.made", seat, call=call) for n, (seat, call) in enumerate(calls)]
    events.append(event(20, "contract.made", "S", contract="1C", declarer="S"))
    for n, (led, cards, winner) in enumerate(tricks, start=1):
        events += [event(100 * n + k, "trick.played", seat, n=n, card=cards[seat]) for k, seat in enumerate(cards)]
        events.append(event(100 * n + 9, "trick.won", winner, n=n, led=led, cards=cards, winner=winner))
    text = event_pbn([round_of((), 1, played=(DealPlayed("T1", tuple(events)),), places=("T1",))])
    assert "1D ^S ^I 1C Pass Pass\nPass" in text
    assert "^R C2 H4 ^L HA H3\nH7 H5 HK H6\n*" in text
    (answer,) = check_file(text.encode(), "hands.pbn")
    assert answer["errors"] == []
    assert answer["auction"] == {"legal": False, "contract": "1C", "declarer": "S"}
    assert answer["play"] == {"legal": False, "revokes": [{"seat": "W", "trick": 1, "card": "2C", "established": True}]}


# -- slow play ---------------------------------------------------------------------------------------------------------


def timed(place: str, *spans: tuple[float, float | None]) -> list[DealPlayed]:
    """Boards of a table from and to so many minutes of the round."""
    found = []
    for number, (begun, ended) in enumerate(spans, start=1):
        events = [("deal.started", begun, {"dealer": "N"}), ("board.placed", begun, {"board": number})]
        if ended is not None:
            events.append(("deal.ended", ended, {"manner": "played"}))
        found.append(
            DealPlayed(
                place,
                tuple(
                    {"id": f"{place}-{number}-{n}", "type": kind, "deal": number, "time": moment(at), "data": data}
                    for n, (kind, at, data) in enumerate(events)
                ),
            )
        )
    return found


def moment(minutes: float) -> str:
    return datetime.fromtimestamp(BEGUN + 60 * minutes, UTC).isoformat().replace("+00:00", "Z")


def test_the_clock_says_who_is_behind_and_by_how_much() -> None:
    boards = [*timed("T1", (0, 8), (8, None)), *timed("T2", (0, 12), (12, None)), *timed("T3", (0, 4), (4, 12))]
    round_ = round_of((), 4, played=tuple(boards), places=("T1", "T2", "T3"), now=BEGUN + 60 * 14, minutes=32.0)
    assert [(one.place, one.finished, one.running, one.behind) for one in paces(round_)] == [
        ("T2", 1, 2, 60.0 * (14 - 8 - 2)),
        ("T1", 1, 2, 0.0),
        ("T3", 2, None, 60.0 * (14 - 16)),
    ]


def test_a_table_whose_clock_is_not_set_is_not_called_early() -> None:
    round_ = round_of((), 2, played=tuple(timed("T1", (-3000, -2990))), places=("T1",), now=BEGUN + 600)
    (pace,) = paces(round_)
    assert (pace.finished, pace.behind, pace.over) == (1, None, None)
    assert slow_play_report(round_, "en").sections[0].grids[0].rows[0][3:5] == ("?", "?")


@pytest.mark.parametrize("late", [3.0, 5.0, 7.0, 11.0])
def test_what_a_slow_match_owes_is_told_by_both_readings_of_the_norm(late: float) -> None:
    boards = [*timed("T1", (0, 8 + late)), *timed("T2", (0, 7.0))]
    round_ = round_of((), 1, played=tuple(boards), places=("T1", "T2"), now=BEGUN + 3600, minutes=8.0)
    section = slow_play_report(round_, "en").sections[-1]
    (said, both) = section.lines
    assert said.startswith(f"T1, {late:.0f}'00\" over: ")
    assert "both owe it" in both
    plain = slow_play(late, warned=False)
    assert ("nothing" in said) == plain.is_nothing
    for reading in ("from-tolerance", "after-five-more"):
        for warned in (False, True):
            due = slow_play(late, warned=warned, reading=reading)
            assert not due.victory_points or f"{due.victory_points} V.P." in said


def test_the_tempo_of_each_side_is_what_the_tray_stood_there_and_of_each_line_what_its_cards_took() -> None:
    table = TableOfBridge(step=1.0)
    table.begin(N, vulnerable="none")
    table.wait(40.0)
    table.call(N, "1N")
    table.call(E, "P")
    table.push()
    table.call(S, "P")
    table.call(W, "P")
    table.push()
    stays = facts_of(played(table)).stays
    assert [side for side, _ in stays] == ["NE", "SW"]
    assert stays[0][1] > 40.0
    assert stays[1][1] < 10.0
    round_ = round_of((), 1, played=(played(table),), places=("T1",), now=BEGUN + 60)
    (pace,) = paces(round_)
    assert pace.tray == {"NE": stays[0][1], "SW": stays[1][1]}


# -- one board ---------------------------------------------------------------------------------------------------------


def deal_report(name: str) -> Any:
    return next(one for one in PAGES.deal_reports if one.name == name)


def hesitant() -> TableOfBridge:
    """North thinks long, changes a call and alerts one; then the tray passes."""
    table = TableOfBridge()
    table.begin(N, vulnerable="none", record=pbn_of(deal_hands(random.Random(3))))
    table.wait(25.0)
    table.call(N, "1S")
    table.take_call(N)
    table.call(N, "1H")
    table.tray[E].append("alert")
    table.wait(1.0)
    table.sight()
    table.tray[E].pop()
    table.call(E, "P")
    return table


def test_the_tempo_log_is_made_of_what_was_sealed_last_and_names_for_whom_a_long_stay_is_evidence() -> None:
    table = hesitant()
    table.press(E, "referee")
    table.push()
    for language, side, changed in (
        ("it", "Sud e Ovest", "Chiamate cambiate"),
        ("en", "South and West", "Changed calls"),
    ):
        report = deal_report("tempo").make(played(table), opened(table), language)
        stays = report.sections[0].grids[0]
        assert stays.marks == frozenset({0})
        assert stays.rows[0][3] == side
        titles = [one.title for one in report.sections]
        assert changed in titles
        assert "Alert" in titles
    hands = deal_report("tempo").make(played(table), opened(table), "en").sections[-1]
    assert hands.title == "The four hands (by the record of the deal)"
    assert hands.lines == ()


def test_without_a_key_the_tempo_log_says_that_there_is_nothing() -> None:
    table = hesitant()
    table.push()
    said = text_of(deal_report("tempo").make(played(table), {}, "en"))
    assert "Nothing of this board is sealed." in said
    assert "1♥" not in said


def test_the_form_of_protest_shows_both_clocks_of_the_appeal_and_when_they_end() -> None:
    table = hall(3, 3, 3)[0]
    for language in BOTH:
        said = text_of(deal_report("protest").make(table.deals()[0], {}, language))
        for part in ("24 h", "48 h", "93.2", "93.4", "15'", "30'"):
            assert part in said
        assert {"it": "Il testo si contraddice", "en": "The text contradicts itself"}[language] in said


def test_the_arbitros_report_leaves_room_for_his_own_words_and_a_signature() -> None:
    report = deal_report("report").make(hall(3, 3, 3)[0].deals()[0], {}, "it")
    assert len(report.sections[-1].blanks) == 4
    assert report.sections[-1].signatures
    assert "norma 74" in text_of(report)


def test_every_report_says_everything_in_both_languages_and_none_shows_a_value_of_the_program() -> None:
    tables = hall(3, 3, 3)
    round_, deal = round_of(tables, 3), tables[0].deals()[0]
    for language in BOTH:
        made = [one.make(round_, language) for one in PAGES.round_reports]
        made += [one.make(deal, {}, language) for one in PAGES.deal_reports]
        for report in made:
            said = text_of(report)
            assert not any(word in said for word in ("None", "Seat.", "Line.", "frozenset", "{", "}")), said
            assert report.title


# -- nothing across the screen -----------------------------------------------------------------------------------------


def public_reports(table: TableOfBridge) -> str:
    """Every byte of every report that is made without the arbitro's key."""
    deal = played(table)
    round_ = round_of((), 8, played=(deal,), places=("T1",), is_over=False)
    made = [one.make(round_, language) for one in PAGES.round_reports for language in BOTH]
    made += [one.make(deal, {}, language) for one in PAGES.deal_reports for language in BOTH]
    texts = [one.text[1](round_) for one in PAGES.round_reports if one.text is not None]
    return "\n".join([*map(text_of, made), *texts])


def test_reports_of_auctions_that_differ_on_one_side_only_are_the_same_bytes_until_the_tray_passes() -> None:
    outputs = []
    for call, alert, late in (("1S", True, 25.0), ("4N", False, 0.0), ("P", True, 3.0)):
        table = TableOfBridge()
        table.begin(N)
        table.t = 10.0
        table.call(N, call)
        if alert:
            table.tray[N].append("alert")
            table.wait(late)
            table.sight()
        table.call(E, "P")
        outputs.append(public_reports(table))
        before = len(outputs[-1])
        table.push()
        assert len(public_reports(table)) != before, "once it has passed the call is told"
    assert outputs[0] == outputs[1] == outputs[2]


def test_no_report_without_the_key_names_a_time_of_a_call_a_changed_call_or_a_card_of_the_record() -> None:
    table = hesitant()
    table.push()
    said = public_reports(table)
    running = table.fold.game.running
    assert running is not None
    assert running.board.record is not None
    assert "1♠" not in said, "it was taken back before the tray passed"
    assert "Alert di" not in said
    assert json.dumps(sorted(map(str, running.board.record))) not in said
    secret = next(one.secret for one in reversed(table.events) if one.type == "tray.passed")
    assert secret is not None
    for stay in secret["tempo"]:
        for part in stay["thought"]:
            assert f"{part['seconds']:.1f}" not in said


def test_a_contract_names_its_doubling_and_its_strain() -> None:
    assert Speech("it").of_contract(Contract("3N", N, "XX")) == "3 SA XX"
    assert Speech("en").of_contract(Contract("3N", N)) == "3NT"
