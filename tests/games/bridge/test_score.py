"""Scores of bridge: law 77 against another way of counting, tables of IMPs and victory points, documents."""

from itertools import product
from typing import Any

import pytest

from hw.seats import Line, Seat
from table_service.games.bridge.rules.contract import (
    BIDS,
    DOUBLINGS,
    BridgeError,
    Contract,
    Doubling,
    board_dealer,
    board_vulnerable,
)
from table_service.games.bridge.rules.document import count
from table_service.games.bridge.rules.match_points import (
    IMP_BOUNDS,
    VP_BOUNDS,
    imps,
    match_points,
    neuberg,
    victory_points,
)
from table_service.games.bridge.rules.score import score


def another_count(bid: str, doubled: Doubling, vulnerable: bool, tricks: int) -> int:
    """Law 77 read once more, by tables: the points of the declaring side."""
    level, strain, made = int(bid[0]), bid[1], tricks - 6
    if made < level:
        down = level - made
        if doubled == "":
            return -down * (100 if vulnerable else 50)
        table = [200, 500, 800] if vulnerable else [100, 300, 500]
        points = table[down - 1] if down <= 3 else table[2] + 300 * (down - 3)
        return -points * (2 if doubled == "XX" else 1)
    each = {"C": 20, "D": 20, "H": 30, "S": 30, "N": 30}[strain]
    factor = {"": 1, "X": 2, "XX": 4}[doubled]
    won = (each * level + (10 if strain == "N" else 0)) * factor
    total = won + (50 if won < 100 else 500 if vulnerable else 300)
    if level == 6:
        total += 750 if vulnerable else 500
    if level == 7:
        total += 1500 if vulnerable else 1000
    total += {"": 0, "X": 50, "XX": 100}[doubled]
    over = {"": each, "X": 200 if vulnerable else 100, "XX": 400 if vulnerable else 200}[doubled]
    return total + over * (made - level)


def test_all_2940_combinations_of_law_77() -> None:
    combinations = list(product(BIDS, DOUBLINGS, (False, True), range(14)))
    assert len(combinations) == 2940
    for bid, doubled, vulnerable, tricks in combinations:
        counted = score(Contract(bid, Seat.NORTH, doubled), tricks, vulnerable=vulnerable).total
        assert counted == another_count(bid, doubled, vulnerable, tricks), (bid, doubled, vulnerable, tricks)


@pytest.mark.parametrize(
    ("contract", "doubled", "vulnerable", "tricks", "points"),
    [
        ("1N", "", False, 7, 90), ("2S", "", True, 10, 170), ("3N", "", True, 12, 690), ("4H", "", False, 10, 420),
        ("5C", "X", True, 11, 750), ("6S", "", True, 12, 1430), ("7N", "", True, 13, 2220), ("2H", "X", False, 8, 470),
        ("1C", "XX", True, 7, 230), ("4S", "X", False, 9, -100), ("4S", "X", True, 7, -800), ("3D", "", True, 6, -300),
        ("7N", "XX", True, 0, -7600), ("4S", "X", False, 6, -800),
    ],
)  # fmt: skip
def test_well_known_scores(contract: str, doubled: Doubling, vulnerable: bool, tricks: int, points: int) -> None:
    assert score(Contract(contract, Seat.EAST, doubled), tricks, vulnerable=vulnerable).total == points


def test_imps_change_at_their_bounds_only() -> None:
    assert imps(0) == imps(10) == 0
    for place, bound in enumerate(IMP_BOUNDS, 1):
        assert (imps(bound - 10), imps(bound), imps(-bound)) == (place - 1, place, -place)
    assert imps(7600) == 24


@pytest.mark.parametrize("boards", VP_BOUNDS)
def test_every_edge_of_the_victory_points(boards: int) -> None:
    bounds = VP_BOUNDS[boards]
    assert list(bounds) == sorted(set(bounds))
    steps = [(15, 15), *((15 + n, 15 - n) for n in range(1, 11)), *((25, 5 - n) for n in range(1, 6))]
    for step, bound in enumerate(bounds):
        assert victory_points(boards, bound) == steps[step]
        assert victory_points(boards, bound + 1) == steps[step + 1]
        assert victory_points(boards, -bound - 1) == steps[step + 1][::-1]


def test_boards_without_a_column_are_refused_with_the_reason() -> None:
    with pytest.raises(BridgeError, match="no victory points for 18 boards"):
        victory_points(18, 5)


def test_fifteen_and_no_sixteen_at_the_sample_of_figb_2() -> None:
    assert (imps(-890), imps(0)) == (-13, 0)  # two scores of one board need not add up (law 12C1f)


def test_neuberg_leaves_a_whole_field_as_it_is_and_raises_the_middle_of_none() -> None:
    assert match_points((620, 170, 620, -100)) == (5, 2, 5, 0)
    assert neuberg(5, 4, 4) == 5
    assert neuberg(3, 4, 8) == 7  # the middle of 6 is the middle of 14
    with pytest.raises(BridgeError, match="at least one"):
        neuberg(0, 0, 8)


def test_dealer_and_vulnerability_follow_the_number_of_the_board() -> None:
    assert [board_dealer(number) for number in (1, 2, 5, 16)] == [Seat.NORTH, Seat.EAST, Seat.NORTH, Seat.WEST]
    assert [board_vulnerable(number) for number in range(1, 17)] == [
        "none", "NS", "EW", "both", "NS", "EW", "both", "none", "EW", "both", "none", "NS", "both", "none", "NS", "EW",
    ]  # fmt: skip


def board(**fields: Any) -> dict[str, Any]:
    whole = {"rules": "bridge", "contract": "3NT", "doubled": "", "declarer": "N", "vulnerable": "both", "tricks": 12}
    return {**whole, **fields}


def test_the_contract_s_example() -> None:
    answer = count(board())
    assert answer["lines"]["NS"]["items"] == {
        "tricks": 100, "overtricks": 90, "bonus": 500, "slam": 0, "insult": 0, "undertricks": 0,
    }  # fmt: skip
    assert (answer["lines"]["NS"]["total"], answer["lines"]["EW"]["total"], answer["score"]) == (690, -690, 690)


@pytest.mark.parametrize(("line", "declarer"), [(Line.NS, "S"), (Line.EW, "W")])
def test_who_is_vulnerable_is_the_declaring_side(line: Line, declarer: str) -> None:
    answer = count(board(declarer=declarer, vulnerable="NS"))
    assert answer["lines"][line]["total"] == (690 if line is Line.NS else 490)
    assert answer["score"] == (690 if line is Line.NS else -490)


def test_a_board_that_was_passed_out_counts_nothing() -> None:
    answer = count({"rules": "bridge", "contract": "pass", "vulnerable": "EW"})
    assert answer["score"] == answer["lines"]["EW"]["total"] == 0


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"contract": "8NT", "tricks": 14}, ("'8NT' is no bid", "from 0 to 13, not 14")),
        ({"declarer": "Q", "vulnerable": "all"}, ("declarer must be N, E, S or W", "vulnerable must be")),
        ({"contract": "pass", "doubled": "X"}, ("has no doubled, not 'X'", "has no declarer, not 'N'", "no tricks")),
        ({"contract": "3NTX", "doubled": "XX"}, ("the contract says X, doubled says 'XX'",)),
        ({"contract": 3, "trix": 1}, ("contract must be a text", "no field 'trix'")),
        ({"tricks": True}, ("tricks must be a whole number",)),
        ({"tricks": None, "doubled": "XXX"}, ("tricks must be a whole number", "doubled must be")),
    ],
)
def test_every_fault_of_a_board_is_named_at_once(fields: dict[str, Any], parts: tuple[str, ...]) -> None:
    with pytest.raises(BridgeError) as told:
        count(board(**fields))
    for part in parts:
        assert part in str(told.value)


@pytest.mark.parametrize("written", ["3NTX", "3nt", "3N", " 3SA "])
def test_contracts_are_read_as_people_write_them(written: str) -> None:
    assert count(board(contract=written))["contract"] == ("3NTX" if written.endswith("X") else "3NT")


def test_the_number_of_the_board_gives_the_vulnerability_and_contradicts_another() -> None:
    document = board(board=2)
    del document["vulnerable"]
    assert count(document)["vulnerable"] == "NS"
    assert count(document)["score"] == 690
    assert count(board(board=4))["score"] == 690
    with pytest.raises(BridgeError, match="on board 1 none is vulnerable, not both"):
        count(board(board=1))
    with pytest.raises(BridgeError, match="whole number from 1, not 0"):
        count(board(board=0))


RECORD = """[Board "2"]
[Declarer "N"]
[Contract "3NT"]
[Result "12"]
"""


def test_a_board_is_counted_from_its_record() -> None:
    assert count({"rules": "bridge", "record": RECORD}) == count(board(vulnerable="NS"))
    passed = count({"rules": "bridge", "record": "md|3,,,|ah|Board 3|mb|p|mb|p|mb|p|mb|p|"})
    assert (passed["contract"], passed["score"]) == ("pass", 0)


@pytest.mark.parametrize(
    ("record", "parts"),
    [
        (RECORD.replace("3NT", "8NT").replace('"12"', '"14"'), ("line 3 [Contract]", "line 4 [Result]")),
        (RECORD.replace('[Result "12"]\n', ""), ("tells no tricks",)),
        ("", ("one board", "not of 0")),
        (RECORD + "\n" + RECORD, ("not of 2",)),
        (7, ("one board",)),
        (RECORD.replace('[Board "2"]', '[Event "x"]'), ("who is vulnerable",)),
        (RECORD + '[Deal "N:AK - - -"]\n', ("[Deal]", "is not four suits")),
    ],
)
def test_every_fault_of_a_record_is_named(record: object, parts: tuple[str, ...]) -> None:
    with pytest.raises(BridgeError) as told:
        count({"rules": "bridge", "record": record})
    for part in parts:
        assert part in str(told.value)


def test_a_date_in_another_form_is_a_warning_and_the_board_is_counted() -> None:
    answer = count({"rules": "bridge", "record": f'[Date "ieri"]\n{RECORD}'})
    assert answer == {**count(board(vulnerable="NS")), "warnings": answer["warnings"]}
    assert answer["warnings"] == ["line 1 [Date]: 'ieri' is no date: YYYY.MM.DD, with ? for a digit that is not known"]


def test_beside_a_record_nothing_else_is_taken() -> None:
    with pytest.raises(BridgeError, match="no field 'tricks'"):
        count({"rules": "bridge", "record": RECORD, "tricks": 3})
