"""The results of an event for other programs: PBN in lines that all read, USEBIO both ways, percentages."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from table_service.games.bridge.pages.bridgemate import bridgemate_json
from table_service.games.bridge.pages.event_files import percentages_csv, percentages_json, usebio
from table_service.games.bridge.pages.event_results import results_of
from table_service.games.bridge.pages.event_standing import pairs_standing
from table_service.games.bridge.pages.pbn_files import event_pbn
from table_service.games.bridge.pbn.check import check_file, is_bad
from table_service.games.bridge.pbn.reading import read_games
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.reports import ArbitroAward, RoundPlayed
from tests.games.bridge.test_compared_session import TABLES, evening


def session() -> list[RoundPlayed]:
    """An evening in one ranking, with an artificial score, and with names that files have to quote."""
    return list(_session())


@cache
def _session() -> tuple[RoundPlayed, ...]:
    rename = {(number, "N1"): 'O"Hara & <Rossi>' for number in range(1, TABLES + 1)}
    rounds = [
        replace(one, event="Coppa d’Autunno", site="Circolo", day="2026-11-27")
        for one in evening(switch=True, rename=rename)
    ]
    award = ArbitroAward("T3", 4, {"kind": "artificial", "NS": "60", "EW": "40"})
    rounds[1] = replace(rounds[1], awards=(award,))
    return tuple(rounds)


def test_pbn_has_one_trick_and_four_calls_a_line_and_what_the_event_was() -> None:
    games = list(read_games(event_pbn(session())))
    assert len(games) == TABLES * TABLES
    for game in games:
        assert (game.values["Event"], game.values["Site"], game.values["Date"], game.values["Scoring"]) == (
            "Coppa d’Autunno", "Circolo", "2026.11.27", "MP",
        )  # fmt: skip
        for name in ("Auction", "Play"):
            lines: dict[int, int] = {}
            for word in game.sections.get(name, ()):
                lines[word.line] = lines.get(word.line, 0) + (word.text != "*")
            counts = [count for count in lines.values() if count]
            assert all(count == 4 for count in counts[:-1])
            assert all(count <= 4 for count in counts)


def test_pbn_has_the_scores_of_all_tables_and_the_ranking_and_nothing_in_it_is_wrong() -> None:
    rounds = session()
    text = event_pbn(rounds)
    assert [one["errors"] for one in check_file(text.encode(), "f.pbn") if is_bad(one)] == []
    games = list(read_games(text))
    tables = [game for game in games if "ScoreTable" in game.values]
    assert [game.values["Board"] for game in tables] == [str(n) for n in range(1, TABLES + 1)]
    for game in tables:
        width = game.values["ScoreTable"].count(";") + 1
        assert len(game.sections["ScoreTable"]) == width * TABLES
    words = [word.text for word in games[0].sections["TotalScoreTable"]]
    told = {row[4].strip('"'): (row[0], row[2], row[3]) for row in (words[n : n + 5] for n in range(0, len(words), 5))}
    for one in pairs_standing(rounds):
        assert one.percent is not None
        assert told[one.pair.replace('"', "'")] == (str(one.place), f"{float(one.percent):.2f}", str(one.boards))


def test_calls_with_marks_and_notes_stay_four_a_line() -> None:
    lines = ("1C =1= Pass 1S ! $1 Pass", "^I 1C Pass ^S Pass", "*")
    (game,) = read_games('[Board "1"]\n[Auction "N"]\n' + "\n".join(lines) + '\n[Note "1:x"]\n')
    written = write_games([game])
    assert "\n1C =1= Pass 1S ! $1 Pass\n^I 1C Pass ^S Pass *\n" in written
    (again,) = read_games(written)
    assert [word.text for word in again.sections["Auction"]] == [word.text for word in game.sections["Auction"]]


def test_usebio_reads_back_as_the_same_results_deals_and_names() -> None:
    rounds = session()
    text = usebio(rounds)
    answers = list(check_file(text.encode(), "f.xml"))
    assert [one for one in answers if is_bad(one)] == []
    told = [(one["board"], one["auction"]["contract"], one["tricks"], one["score"]["NS"]) for one in answers]
    own = sorted(
        (
            str(number),
            "pass" if one.board.passed_out else str(one.board.contract),
            one.board.result,
            one.board.points,
        )
        for number, every in results_of(rounds).boards
        for one in every
        if one.board.adjusted is None
    )
    artificial = [one for one in told if one[1] is None]
    assert sorted(one for one in told if one[1] is not None) == own
    assert len(artificial) == 1
    assert all(one["score"]["right"] for one in answers if one["auction"]["contract"] is not None)
    root = ET.fromstring(text)  # noqa: S314 - our own
    named = {pair.findtext("PAIR_NUMBER"): pair.findtext("PERCENTAGE") for pair in root.iter("PAIR")}
    assert named == {str(one.number): f"{float(one.percent or 0):.2f}" for one in results_of(rounds).pairs}
    assert root.findtext("EVENT/DATE") == "27/11/2026"
    (lines,) = [one for one in root.iter("BOARD") if one.findtext("BOARD_NUMBER") == "4" and one.find("TRAVELLER_LINE")]
    assert "A6040" in [line.findtext("SCORE") for line in lines.iter("TRAVELLER_LINE")]


def test_usebio_writes_an_artificial_score_in_two_digits_a_line_and_never_more() -> None:
    rounds, top = session(), TABLES * 2 - 2
    for ns, ew, score in (("60", "40", "A6040"), ("0", "60", "A0060"), ("5", "9.4", "A0509"), ("100", "0", "")):
        award = ArbitroAward("T3", 4, {"kind": "artificial", "NS": ns, "EW": ew})
        awarded = [rounds[0], replace(rounds[1], awards=(award,)), *rounds[2:]]
        lines = list(ET.fromstring(usebio(awarded)).iter("TRAVELLER_LINE"))  # noqa: S314 - our own
        (told,) = [line for line in lines if not (line.findtext("SCORE") or "").lstrip("-").isdecimal()]
        assert told.findtext("SCORE") == score
        assert float(told.findtext("NS_MATCH_POINTS", "")) == pytest.approx(float(ns) / 100 * top, abs=0.01)
        assert {tuple(one.tag for one in line) for line in lines} == {tuple(one.tag for one in told)}, "one shape"


def test_usebio_names_both_players_of_a_pair_however_they_are_joined() -> None:
    joined = {"N1": "Rossi–Bianchi", "N2": "Anna + Bea", "N3": "Neri & Verdi", "N4": "Gallo - Re", "N5": "De-Rosa"}
    rename = {(number, line): name for number in range(1, TABLES + 1) for line, name in joined.items()}
    root = ET.fromstring(usebio(evening(rename=rename)))  # noqa: S314 - our own
    named = {tuple(str(one.text) for one in pair.iter("PLAYER_NAME")) for pair in root.iter("PAIR")}
    assert {
        ("Rossi", "Bianchi"), ("Anna", "Bea"), ("Neri", "Verdi"), ("Gallo", "Re"), ("De-Rosa", "De-Rosa"),
    } <= named  # fmt: skip


@pytest.mark.parametrize(
    ("line", "contract", "tricks", "points"),
    [
        ("<CONTRACT>4 H</CONTRACT><PLAYED_BY>S</PLAYED_BY><TRICKS>10</TRICKS><SCORE>420</SCORE>", "4H", 10, 420),
        ("<CONTRACT>3NT*</CONTRACT><PLAYED_BY>E</PLAYED_BY><TRICKS>-2</TRICKS><SCORE>300</SCORE>", "3NTX", 7, 300),
        ("<CONTRACT>2sxx</CONTRACT><PLAYED_BY>N</PLAYED_BY><TRICKS>=</TRICKS><SCORE>640</SCORE>", "2SXX", 8, 640),
        ("<CONTRACT>Passed out</CONTRACT><SCORE>0</SCORE>", "pass", None, 0),
        ("<CONTRACT/><PLAYED_BY/><TRICKS/><SCORE>A6040</SCORE>", None, None, None),
    ],
)
def test_results_of_other_programs_are_read(line: str, contract: str, tricks: int, points: int) -> None:
    head = '<?xml version="1.0"?>\n<!DOCTYPE USEBIO SYSTEM "usebio_v1_2.dtd">\n<USEBIO Version="1.2"><EVENT><BOARD>'
    text = f"{head}<BOARD_NUMBER>1</BOARD_NUMBER><TRAVELLER_LINE>{line}</TRAVELLER_LINE></BOARD></EVENT></USEBIO>"
    (answer,) = check_file(text.encode(), "f.xml")
    assert (answer["auction"]["contract"], answer["tricks"], answer["score"]["NS"]) == (contract, tricks, points)
    assert not is_bad(answer)
    wrong = text.replace("<SCORE>420", "<SCORE>450")
    if wrong != text:
        assert [one["score"]["right"] for one in check_file(wrong.encode(), "f.xml")] == [False]


def test_a_broken_document_and_one_with_entities_are_no_results() -> None:
    assert all(is_bad(one) for one in check_file(b"<USEBIO><EVENT></USEBIO>", "f.xml"))
    entities = b'<!DOCTYPE USEBIO [<!ENTITY a "b">]><USEBIO>&a;</USEBIO>'
    assert not any(one["board"] for one in check_file(entities, "f.xml"))


def test_pairs_are_numbered_as_they_sit_first_tables_in_their_own_order() -> None:
    places = tuple(f"T{number}" for number in range(1, 12))
    pairs = {(place, line): f"{line}{place}" for place in reversed(places) for line in ("EW", "NS")}
    one = replace(evening(rounds=1)[0], places=places, pairs=pairs | {("", "NS"): "rests"})
    numbers = results_of([one]).numbers
    assert sorted(numbers, key=numbers.__getitem__) == [
        *(f"NS{p}" for p in places),
        "rests",
        *(f"EW{p}" for p in places),
    ]


def test_bridgemates_objects_have_artificial_scores_as_averages_and_the_leads() -> None:
    document = json.loads(bridgemate_json(session()))
    assert document["left_out"] == []
    (artificial,) = [one for one in document["Results"] if one["Level"] < 0]
    assert (artificial["Level"], artificial["TableNumber"], artificial["BoardNumber"]) == (-7, 3, 4), "60 and 40 %"
    leads = {one.board.lead for _, every in results_of(session()).boards for one in every if one.board.contract}
    ranks, suits = "..23456789TJQKA", ".CDHS"
    told = {
        ranks[one["LeadCardRank"]] + suits[one["LeadCardSuit"]] if one["LeadCardRank"] else None
        for one in document["Results"]
        if one["Level"] > 0
    }
    assert told <= leads
    odd = session()
    odd[1] = replace(odd[1], awards=(ArbitroAward("T3", 4, {"kind": "artificial", "NS": "70", "EW": "40"}),))
    assert len(json.loads(bridgemate_json(odd))["left_out"]) == 1


def test_percentages_are_a_table_and_an_object() -> None:
    rounds = session()
    rows = list(csv.DictReader(percentages_csv(rounds).splitlines()))
    told = json.loads(percentages_json(rounds))
    for one, row, pair in zip(pairs_standing(rounds), rows, told["pairs"], strict=True):
        assert (row["pair"], row["percent"]) == (one.pair, f"{float(one.percent or 0):.2f}")
        assert (pair["place"], pair["percent"], pair["boards"]) == (one.place, round(float(one.percent or 0), 2), 5)
    assert len(told["boards"]) == TABLES
    lines = {row["line"] for row in csv.DictReader(percentages_csv(evening()).splitlines())}
    assert lines == {"NS", "EW"}
