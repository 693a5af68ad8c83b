"""Marks, remarks, notes, tables and the forms of tags: each fault is told with line and tag, the rest is imported."""

from typing import Any

import pytest

from table_service.games.bridge.pbn.check import check_file, is_bad
from table_service.games.bridge.pbn.reading import TABLES, read_games
from table_service.games.bridge.pbn.writing import write_games

DEAL = '[Deal "N:AKQJ.T98.765.432 T987.AKQ.T98.765 654.J765.AKQ.AT9 32.432.J432.KQJ8"]'
PLAYED = (
    '[Board "1"]', '[Dealer "N"]', '[Vulnerable "None"]', DEAL, '[Declarer "N"]', '[Contract "3NT"]', '[Play "E"]',
)  # fmt: skip
CALLED = ('[Board "1"]', '[Dealer "N"]', '[Vulnerable "None"]', '[Auction "N"]')


def answer_of(*lines: str) -> dict[str, Any]:
    """The answer for the one board of ``lines``; what is written of it reads back with the same words and values."""
    text = "\n".join(lines)
    (answer,) = check_file(text.encode(), "f.pbn")
    (game,) = read_games(text)
    written = write_games([game])
    (again,) = read_games(written)
    assert write_games([again]) == written
    for name, words in game.sections.items():
        assert [word.text for word in again.sections[name]] == [word.text for word in words]
    assert {name: value for name, value in again.values.items() if value} == {
        name: value for name, value in game.values.items() if value
    }
    return answer


def told(answer: dict[str, Any]) -> list[tuple[int, str]]:
    return [(one["line"], one["tag"]) for one in answer["errors"]]


# -- forms of tags -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Date", "2026.11.26"), ("Date", "????.??.??"), ("Date", "2024.02.29"), ("Date", "202?.??.1?"), ("Date", "?"),
        ("Date", ""), ("Date", "##2026.01.31"), ("EventDate", "1995.06.10"), ("Time", "23:59:59"), ("Time", "0?:??:??"),
        ("Round", "1"), ("Round", "1.A.2"), ("Round", "quarti_2"), ("Round", "?"), ("Board", "13"), ("Room", "Open"),
        ("Hidden", "WNE"), ("TimeControl", "4/30"), ("TimeControl", ""), ("TimeCall", "10"), ("FrenchMP", "No"),
        ("ScoreIMP", "EW -2.5"), ("ScoreIMP", "NS 10 EW 0"), ("ScorePercentage", "EW 50. NS 50.0"), ("ScoreMP", "7"),
        ("ScorePercentage", "100."), ("ScoreRubber", "EW 300/40 NS 50 / 70  "), ("OptimumScore", "NS 100"),
        ("ScoreRubberHistory", "NS 0 0 / 100 0 EW 0 0 / 0 0"), ("Description", "tutto va bene"), ("Score", "-100"),
    ],
)  # fmt: skip
def test_a_tag_in_its_form_is_no_error(name: str, value: str) -> None:
    assert told(answer_of('[Event "Prova"]', f'[{name} "{value}"]')) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Date", "26.11.2026"), ("Date", "2026.11.6"), ("Date", "2026-11-06"), ("Date", "2026.o1.06"),
        ("Date", "2023.02.29"), ("Date", "2026.13.01"), ("Date", "##26.01.31"), ("EventDate", "95.06.10"),
        ("UTCDate", "ieri"), ("Time", "24:00:00"), ("Time", "9:15"), ("UTCTime", "12.00.00"), ("Round", "&"),
        ("Round", "-1"), ("Round", "1..2"), ("Round", "finale 2"), ("Board", "0"), ("Board", "7a"), ("Board", "²"),
        ("Room", "open"), ("FrenchMP", "yes"), ("Hidden", "X"), ("TimeControl", "mezz'ora"), ("TimeCall", "-3"),
        ("TimeCard", "1m"), ("ScoreIMP", "10.a"), ("ScoreMP", "10 20"), ("ScorePercentage", "-10"),
        ("ScorePercentage", "NS 101"), ("ScoreRubber", "30"), ("ScoreRubberHistory", "NS 0 0"), ("OptimumScore", "100"),
        ("OptimumScore", "EW"), ("Event", "un\ttab"),
    ],
)  # fmt: skip
def test_a_tag_that_is_not_in_its_form_is_told_and_the_board_imported(name: str, value: str) -> None:
    answer = answer_of('[Site "Bologna"]', f'[{name} "{value}"]', DEAL)
    assert told(answer) == [(2, name)]
    assert answer["deal"] == "ok"
    assert is_bad(answer) is (name == "Event"), "what only describes the game leaves its board sound"


def test_what_is_inherited_is_told_where_it_is_written_and_a_tag_begins_with_a_capital() -> None:
    first, second = check_file(b'[Board "1"]\n[Date "##ieri"]\n[Round "x y"]\n\n[Board "2"]\n[Round "#"]\n', "f.pbn")
    assert told(first) == [(2, "Date"), (3, "Round")]
    assert told(second) == []
    assert told(answer_of('[Event "x"]', '[dealer "N"]')) == [(2, "dealer")]


# -- marks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "part"),
    [
        ("1C ^I 1D AP", "is marked (^I), and is not insufficient"),
        ("1C ^I Pass AP", "is marked (^I), and is not insufficient"),
        ("1C ^R 2D AP", "'^R' marks no call"),
        ("1C ^ 2D AP", "'^' marks no call"),
        ("1D ^I ^I 1C AP", "'^I' stands between a mark and its call"),
        ("1D ^I ^S 1C AP", "'^S' stands between a mark and its call"),
        ("1D ^I AP", "no call follows '^I'"),
        ("1D Pass Pass Pass ^S", "no call follows '^S'"),
        ("1D Pass ^S *", "no call follows '^S'"),
        ("1D + Pass", "'Pass' stands after '+'"),
        ("1D + +", "'+' stands after '+'"),
        ("1D * 2D 3D 4D", "'2D' stands after '*'"),
        ("1C ^I X AP", "is marked (^I), and is not insufficient"),
    ],
)
def test_a_mark_of_a_call_that_does_not_hold(calls: str, part: str) -> None:
    answer = answer_of(*CALLED, calls)
    assert told(answer) == [(5, "Auction")]
    assert is_bad(answer)
    assert part in answer["errors"][0]["text"]


def test_a_fault_beside_the_one_that_is_marked_is_told() -> None:
    """A double of an own bid is never accepted, whatever its mark; a skipped seat excuses no insufficient bid."""
    answer = answer_of(*CALLED, "1C Pass ^I X AP")
    assert [one["text"] for one in answer["errors"]] == [
        "X by S is marked (^I), and is not insufficient",
        "X by S is inadmissible",
    ]
    (only,) = answer_of(*CALLED, "1D ^S 1C AP")["errors"]
    assert only["text"] == "1C by S is insufficient"


def test_marks_that_hold_are_no_error_also_without_blanks() -> None:
    for calls in ("^S 1D ^I 1C Pass 2C AP", "1D ^S ^S ^I1C! Pass 1S AP", "1D^S^I1C=1= Pass Pass Pass"):
        answer = answer_of(*CALLED, calls, *(['[Note "1:forte"]'] if "=" in calls else []))
        assert answer["errors"] == []
        assert answer["auction"]["legal"] is False


@pytest.mark.parametrize(
    ("cards", "part"),
    [
        ("HA ^R H5 H2 H8 *", "5H by S is marked (^R), and is no revoke"),
        ("^R HA H5 H2 H8 *", "AH by E is marked (^R), and is no revoke"),
        ("^L HA H5 H2 H8 *", "AH is marked (^L), and it was for E to lead"),
        ("HA ^S H5 H2 H8 *", "'^S' marks no card"),
        ("HA ^R ^R DA H2 H8 *", "'^R' stands between a mark and its card"),
        ("HA H5 H2 H8 ^L *", "no card follows '^L'"),
        ("HA H5 H2 H8 ^R", "no card follows '^R'"),
        ("HA H5 H2 ^R - *", "no card follows '^R'"),
        ("HA H5 H2 H8 * C5", "'C5' stands after '*'"),
        ("HA H5 + H8", "N has played 8H, and W is to play before"),
        ("HA H5 H2 H8 + + - -", "'+' stands twice"),
        ("HA H5 H2 H8 C5 + - - HK", "after the card that is to be played next"),
    ],
)
def test_a_mark_of_a_card_that_does_not_hold(cards: str, part: str) -> None:
    answer = answer_of(*PLAYED, cards)
    assert told(answer) == [(8, "Play")]
    assert part in answer["errors"][0]["text"]


def test_a_revoke_and_a_lead_out_of_turn_that_are_marked_are_told_and_no_error() -> None:
    """West discards a club on hearts; after East's trick West leads the next one out of turn."""
    answer = answer_of(*PLAYED, "HA H5 ^R CK H8", "C5 C9 ^L C8 C2", "*")
    assert answer["errors"] == []
    assert answer["play"] == {
        "legal": False,
        "revokes": [{"seat": "W", "trick": 1, "card": "KC", "established": True}],
    }
    led = answer_of(*PLAYED, "HA H5 H2 H8", "C5 C9 ^L C8 C2", "*")
    assert (led["errors"], led["play"]["legal"]) == ([], False)


def test_a_revoke_that_nobody_can_know_may_be_marked() -> None:
    blind = [line for line in PLAYED if line != DEAL]
    assert answer_of(*blind, "HA H5 ^R CK H8", "*")["errors"] == []


@pytest.mark.parametrize("cards", ["HA H5 H2 +", "HA H5 H2 H8 + - - -", "HA H5 H2 H8 C5 CA + -", "+ - - -", "+"])
def test_the_card_to_be_played_next_may_stand_where_its_turn_is(cards: str) -> None:
    answer = answer_of(*PLAYED, cards)
    assert (answer["errors"], answer["play"]["legal"]) == ([], True)


def test_cards_before_the_next_one_stand_in_their_columns() -> None:
    """South leads to the third trick: West and North stand before East, whose column is the first."""
    for row in ("+ S6 - -", "+ S6 S2 SA", "- S6 + -"):
        assert answer_of(*PLAYED, "HA H5 H2 H8", "C5 CA C8 C2", row, "*")["errors"] == []
    (only,) = answer_of(*PLAYED, "HA H5 H2 H8", "C5 CA C8 C2", "S7 + S2 -", "*")["errors"]
    assert (only["line"], only["tag"]) == (10, "Play")


def test_more_than_thirteen_tricks_are_told_once() -> None:
    rows = ["- - - -"] * 13
    answer = answer_of(*PLAYED, *rows, "SA SK SQ SJ")
    assert told(answer)[0] == (21, "Play")


def test_declarer_and_result_that_are_marked_and_regular_are_told() -> None:
    auction = ['[Board "1"]', '[Dealer "N"]', '[Contract "1C"]', '[Auction "N"]', "1C AP"]
    assert answer_of('[Declarer "^S"]', *auction)["errors"] == []
    for seat in ("N", "E"):
        assert [one["tag"] for one in answer_of(f'[Declarer "^{seat}"]', *auction)["errors"]] == ["Declarer"]


# -- remarks and notes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "part"),
    [
        ("1C !!! AP", "'!!!' is no suffix"),
        ("1C ! ? AP", "only one suffix"),
        ("1C=1= =2= AP", "only one note"),
        ("1C =a= AP", "refers to no note"),
        ("1C =0= AP", "refers to no note"),
        ("1C =33= AP", "refers to no note"),
        ("1C =1 AP", "refers to no note"),
        ("1C $7 AP", "'$7' says something of a card"),
        ("1C $256 AP", "'$256' is no glyph"),
        ("1C $a AP", "'$a' is no glyph"),
        ("1C =3= AP", "there is no note 3"),
    ],
)
def test_a_remark_that_does_not_hold(calls: str, part: str) -> None:
    noted = "=1=" in calls
    answer = answer_of(*CALLED, calls, *(['[Note "1:a"]', '[Note "2:b"]'] if noted else []))
    assert (5, "Auction") in told(answer)
    assert part in answer["errors"][0]["text"]
    assert answer["auction"]["contract"] == "1C"


def test_remarks_of_cards_have_their_own_glyphs() -> None:
    assert answer_of(*PLAYED, "HA!! $14 $200 =1= H5?! H2 H8", "*", '[Note "1:perché"]')["errors"] == []
    assert told(answer_of(*PLAYED, "HA $1 H5 H2 H8", "*")) == [(8, "Play")]


@pytest.mark.parametrize(
    ("notes", "lines"),
    [
        (['[Note "1:forte"]'], []),
        (['[Note "1:forte"]', '[Note "2:mai detta"]'], [7]),
        (['[Note "1:forte"]', '[Note "1:debole"]'], [7]),
        (['[Note "1:forte"]', '[Note "33:fuori"]'], [7]),
        (['[Note "1:forte"]', '[Note "0: fuori"]', '[Note "a:"]', '[Note ""]'], [7, 8, 9]),
        (['[Note "1 forte"]'], [5, 6]),
        (['[Site "Roma"]', '[Note "1:forte"]'], [5, 7]),
    ],
)
def test_notes_are_numbered_told_once_and_used(notes: list[str], lines: list[int]) -> None:
    answer = answer_of(*CALLED, "1C =1= AP", *notes)
    assert [line for line, _ in told(answer)] == lines


def test_notes_of_auction_and_play_are_apart() -> None:
    text = [*CALLED, "1C =1= AP", '[Note "1:forte"]', DEAL, '[Play "E"]', "HA =1= - - -", "*"]
    assert told(answer_of(*text)) == [(9, "Play")]
    assert told(answer_of(*text, '[Note "1:attacco"]')) == []


# -- tables ------------------------------------------------------------------------------------------------------------


def table(name: str, columns: str, *rows: str) -> dict[str, Any]:
    return answer_of('[Board "1"]', '[Vulnerable "None"]', f'[{name} "{columns}"]', *rows)


def test_a_sound_table_is_no_error_and_keeps_its_widths() -> None:
    columns = "-Rank\\3R;Names_NS\\12L;Contract\\4;Declarer;Result;+Score_NS\\5R;Percentage_NS;Osservazioni"
    rows = ['1 "Rossi;Bianchi" 3NT N 9 400 87.5 -', "- ? Pass - - 0 50 ok", '3 "Neri" 4SX E 10 -590 ^12.5 "[x]"']
    assert table("ScoreTable", columns, *rows)["errors"] == []
    (game,) = read_games(f'[Event "x"]\n[ScoreTable "{columns}"]\n')
    assert game.values["ScoreTable"] == columns
    assert f'[ScoreTable "{columns}"]' in write_games([game])


@pytest.mark.parametrize("columns", ["", "Rank;", "Rank\\;Names", "Rank\\3X", "Rank\\L;Names", "+\\3R"])
def test_a_column_that_is_none(columns: str) -> None:
    assert told(table("TotalScoreTable", columns, "1 2")) == [(3, "TotalScoreTable")]


@pytest.mark.parametrize(
    ("columns", "rows", "line", "part"),
    [
        ("Rank;PairId", ["1 2", "3", "4 5"], 5, "no whole rows of 2"),
        ("Rank;PairId", ["1 2", "3 % "], 5, "only stand in quotes"),
        ("Rank;NrBoards", ["1 tanti"], 4, "'tanti' in the column NrBoards"),
        ("Rank;MeanPercentage", ["1 101"], 4, "no per cent"),
        ("Rank;TotalIMP", ["1 x"], 4, "no number"),
        ("-Rank", ["1", "3", "2", "1"], 6, "the lowest first"),
        ("Rank;+TotalMP", ["1 10.5", "2 9", "3 9.5"], 6, "the highest first"),
    ],
)
def test_a_table_whose_elements_do_not_hold(columns: str, rows: list[str], line: int, part: str) -> None:
    answer = table("TotalScoreTable", columns, *rows)
    assert told(answer) == [(line, "TotalScoreTable")]
    assert part in answer["errors"][0]["text"]


def test_elements_by_the_columns_that_the_standard_names() -> None:
    assert [one["text"] for one in table("ScoreTable", "Contract;Declarer;Result", "8N X 14")["errors"]] == [
        "'8N' in the column Contract is no contract, as 3NTX",
        "'X' in the column Declarer is no seat: N, E, S or W",
        "'14' in the column Result is no number of tricks, 0 to 13",
    ]
    par = "Declarer;Denomination\\2R;Result\\2R"
    assert table("OptimumResultTable", par, "N NT 9", "E  C 3")["errors"] == []
    assert told(table("OptimumResultTable", par, "N NS 9")) == [(4, "OptimumResultTable")]
    instant = table("InstantScoreTable", "ScoreRange_NS;IMP_NS", "*,-50 -3", "-50 0", "-50,400 2", "400,* 5")
    assert instant["errors"] == []
    assert told(table("InstantScoreTable", "ScoreRange_NS", "400-500")) == [(4, "InstantScoreTable")]


def test_points_of_a_traveller_are_those_of_contract_and_tricks() -> None:
    columns = "Contract;Declarer;Result;Score_NS;Score_EW"
    good = ["4S N 10 420 -420", "4SX E 8 300 -300", "Pass - - 0 0", "3NT W ? -400 400", "4S N 10 ^400 -"]
    assert table("ScoreTable", columns, *good)["errors"] == []
    (first, second) = table("ScoreTable", columns, "4S N 10 420 -420", "4S N 10 450 420")["errors"]
    assert first["text"] == "4S by N with 10 tricks gives NS 420 points, not 450"
    assert second["text"] == "4S by N with 10 tricks gives EW -420 points, not 420"
    assert (first["line"], first["tag"]) == (5, "ScoreTable")


@pytest.mark.parametrize("calls", ["1C Pass Pass Pass", "1C AP", "- 1C AP"])
def test_times_of_calls_are_as_many_as_calls(calls: str) -> None:
    first = "W" if calls.startswith("-") else "N"
    head = ['[Board "1"]', '[Dealer "N"]', f'[Auction "{first}"]', calls]
    assert (
        answer_of(*head, '[AuctionTimeTable "Time;TotalTime"]', "3 3", "12 15", "1:00 1:15", "00:00:02 ?")["errors"]
        == []
    )
    (wrong,) = answer_of(*head, '[AuctionTimeTable "Time"]', "3 12 60 2 7 7")["errors"]
    assert (wrong["line"], wrong["tag"], wrong["text"]) == (5, "AuctionTimeTable", "6 times for 4 calls")
    (late,) = answer_of(*head, '[AuctionTimeTable "Time"]', "3 12 1:75 2")["errors"]
    assert (late["line"], "no time" in late["text"]) == (6, True)


def test_times_of_cards_are_as_many_as_cards_and_none_without_them() -> None:
    times = '[PlayTimeTable "Time\\3R"]'
    assert answer_of(*PLAYED, "HA H5 H2 H8", "C5", "*", times, "1 2 3 4 5")["errors"] == []
    assert answer_of(*PLAYED, "HA H5 H2 H8", "C5 - - -", "*", times, "1 2 3 4 5 - - -")["errors"] == []
    assert told(answer_of(*PLAYED, "HA H5 H2 H8", "*", times, "1 2 3")) == [(10, "PlayTimeTable")]
    assert told(answer_of('[Board "1"]', times, "1 2 3")) == [(2, "PlayTimeTable")]


def test_a_comment_follows_the_tag_of_a_table_and_no_element() -> None:
    assert table("TotalScoreTable", "Rank", "{ i primi }", "1", "2")["errors"] == []
    for comment in ("; no", "{ no }"):
        assert told(table("TotalScoreTable", "Rank", "1", f"2 {comment}")) == [(5, "TotalScoreTable")]


def test_columns_may_be_inherited() -> None:
    text = '[Board "1"]\n[TotalScoreTable "Rank;PairId"]\n1 2\n\n[Board "2"]\n[TotalScoreTable "#"]\n1 2 3\n'
    first, second = check_file(text.encode(), "f.pbn")
    assert told(first) == []
    assert told(second) == [(7, "TotalScoreTable")]


@pytest.mark.parametrize("name", sorted(TABLES))
def test_nothing_raises_on_a_table_of_anything(name: str) -> None:
    columns = [
        "Rank",
        ";;",
        "\\",
        "+",
        "Time;TotalTime",
        "Score_NS;Contract;Declarer;Result",
        "a\\9R;-b\\1L",
        "#",
        "##x",
    ]
    rows = ["", "1", "x y z 1e9", '"', '"a" "b', "^ ^ ^ ^", "- ? - ?", "5C N 11 x", "[", "}", "%", "²²", "9" * 5000]
    for value in columns:
        for row in rows:
            for answer in check_file(f'[Board "1"]\n[{name} "{value}"]\n{row}\n'.encode(), "f.pbn"):
                is_bad(answer)


# -- what a section needs, and every fault of one ----------------------------------------------------------------------


def test_every_word_of_a_section_that_is_none_is_told_and_what_follows_the_first_is_not_judged() -> None:
    calls = answer_of(*CALLED, "1C Psas 2Z 1C =40= AP", '[Note "1:x"]')
    assert told(calls) == [(5, "Auction"), (5, "Auction"), (5, "Auction"), (6, "Note")]
    assert calls["auction"] == {"legal": None, "contract": None, "declarer": None}
    cards = answer_of(*PLAYED, "S1 H5 HHT KT", "SA SA SA SA", "*")
    assert [one["text"] for one in cards["errors"]] == [
        f"'{text}' is no card, as SA or H7" for text in ("S1", "HHT", "KT")
    ]


def test_calls_need_a_dealer_and_cards_a_contract() -> None:
    assert told(answer_of('[Event "x"]', '[Auction "?"]', "1C AP")) == [(2, "Auction")]
    assert told(answer_of('[Event "x"]', '[Auction "N"]', "1C AP")) == []  # who calls first has dealt (3.5)
    for missing in ('[Declarer "N"]', '[Contract "3NT"]'):
        lines = [line for line in PLAYED if line != missing]
        assert (7, "Play") in told(answer_of(*lines, "HA H5 H2 H8", "*"))
    ending = ['[Deal "N:.6.AK.A A8.K..Q J.J9..K T.A.J.8"]', '[Contract "H"]', '[Play "N"]', "H6 HK HJ HA"]
    assert told(answer_of(*ending)) == []


def test_notes_of_an_empty_section_or_of_none_are_told() -> None:
    assert told(answer_of(*PLAYED, '[Note "1:x"]', '[Note "a"]')) == [(8, "Note"), (9, "Note")]
    (answer,) = check_file(b'[Note "1:x"]\n', "f.pbn")
    assert told(answer) == [(1, "Note")]


def test_both_sides_have_thirteen_tricks_also_where_nobody_knows_who_declares() -> None:
    assert told(answer_of('[Event "x"]', '[Result "NS 9 EW 2"]')) == [(2, "Result")]
    assert told(answer_of('[Event "x"]', '[Result "NS 9 EW 4"]')) == []


# -- what people's files have ------------------------------------------------------------------------------------------


def test_an_auction_that_has_not_ended_and_does_not_say_so_is_an_error() -> None:
    for calls in ("1NT Pass 3NT", "1NT Pass 3NT Pass", "1NT Pass 3NT Pass Pass", "Pass Pass", "Pass Pass Pass"):
        answer = answer_of(*CALLED, calls)
        assert told(answer) == [(5, "Auction")]
        assert answer["auction"]["legal"] is False
        assert is_bad(answer)
        assert told(answer_of(*CALLED, calls, "*")) == []


@pytest.mark.parametrize(
    ("contract", "calls", "is_found"),
    [
        ("6NT", "7NT Pass Pass", True),
        ("6NT", "7NT Pass Pass *", True),
        ("Pass", "1C Pass *", True),
        ("4S", "1S Pass *", False),
        ("1S", "1S Pass *", False),
        ("1C", "Pass *", False),
        ("6NT", "7NT AP", True),
    ],
)
def test_a_contract_that_the_bids_have_passed_is_an_error(contract: str, calls: str, *, is_found: bool) -> None:
    answer = answer_of(f'[Contract "{contract}"]', *CALLED, calls)
    assert ("Contract" in {tag for _, tag in told(answer)}) is is_found


def test_an_empty_line_ends_a_game_and_one_of_players_alone_is_another_table_of_the_board() -> None:
    players = '[West "a"]\n[North "b"]\n[East "c"]\n[South "d"]\n'
    result = '[Declarer "N"]\n[Contract "{}"]\n[Result "9"]\n'
    board = f'[Event "x"]\n[Board "2"]\n[Dealer "E"]\n[Vulnerable "NS"]\n{DEAL}\n'
    text = board + players + result.format("3NT") + "\n" + players + result.format("4S")
    text += '\n[Date "2026.11.27"]\n' + board.replace('"2"', '"18"') + players + result.format("2NT")
    first, second, third = check_file(text.encode(), "f.pbn")
    assert [one["board"] for one in (first, second, third)] == ["2", "2", "18"]
    assert [one["score"]["NS"] for one in (first, second, third)] == [600, -100, 150]
    assert [one["errors"] for one in (first, second, third)] == [[], [], []]
    assert len(list(check_file(b'[Round "1"]\n\n[Round "2"]\n \n[Auction "N"]\n1C AP\n\n[Note "1:x"]\n', "f"))) == 3


def test_a_tag_without_a_blank_suits_by_their_signs_and_by_their_letters_are_read() -> None:
    answer = answer_of('[Event"x"]', *CALLED[:3], DEAL, '[Contract"4\u2660"]', '[Auction"N"]', "1♦ X 4♠\ufe0f AP")
    assert (answer["errors"], answer["auction"]["contract"]) == ([], "4S")
    assert answer["deal"] == "ok"
    named = "N:♠AKQJ.♥T98.♦765.♣432 ST987.HAKQ.DT98.C765 C♣AT9.S654.HJ765.DAKQ S32.H432.DJ432.CKQJ8"
    assert answer_of(f'[Deal "{named.replace("C♣", "♣")}"]')["deal"] == "ok"


@pytest.mark.parametrize("cards", ["S1 H5 H2 H8", "SA HZ H2 H8"])
def test_a_card_that_no_pack_has_was_not_lawfully_played(cards: str) -> None:
    assert answer_of(*PLAYED, cards, "*")["play"]["legal"] is False


def test_a_second_card_of_a_seat_in_a_trick_of_lin_was_not_lawfully_played() -> None:
    hands = "3S765H765D9876C765,S432H432D5432C432,SAKQJHAKQDAKCAKQJ,"
    text = f"qx|o1|md|{hands}|sv|o|mb|7N|mb|p|mb|p|mb|p|pc|S8|pc|S9|pc|S2|pc|SA|mc|13|"
    (answer,) = check_file(text.encode(), "f.lin")
    assert answer["play"]["legal"] is False


@pytest.mark.parametrize(
    ("number", "told_so", "is_found"),
    [("1", "NS", True), ("5", "NS", False), ("21", "None", True), ("101", "NS", False)],
)
def test_a_vulnerability_that_is_not_the_boards_is_an_error(number: str, told_so: str, *, is_found: bool) -> None:
    tags = (f'[Board "{number}"]', f'[Vulnerable "{told_so}"]')
    assert told(answer_of(*tags)) == ([(2, "Vulnerable")] if is_found else [])
    assert told(answer_of(*tags, '[Scoring "Rubber"]')) == []


def test_notes_of_the_auction_after_the_play_are_those_of_the_auction() -> None:
    lines = (*PLAYED[:6], '[Auction "N"]', "3NT =1= AP", '[Play "E"]', "HA =2= H5 H2 H8", "*")
    assert told(answer_of(*lines, '[Note "1:x"]', '[Note "2:y"]')) == []
    assert told(answer_of(*lines, '[Note "1:x"]')) == [(10, "Play")]


def test_a_board_that_was_passed_out_may_name_a_declarer_as_some_programs_do() -> None:
    answer = answer_of(*CALLED[:3], '[Declarer "N"]', '[Contract "Pass"]', '[Auction "N"]', "Pass Pass Pass Pass")
    assert (answer["errors"], answer["auction"]) == ([], {"legal": True, "contract": "pass", "declarer": None})
