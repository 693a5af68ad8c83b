"""What logs by another hand hold: claims, corrections until the next lead, pictures on change, backs left out."""

from __future__ import annotations

from typing import Any

import pytest

from hw.observations import Observation, Reach, Scale, Sight, SightedCard, Tray
from hw.seats import CLOCKWISE, Seat
from hw.zones import board as pocket
from table_service.games.bridge.reading.looks import CHANGES, HeldPictures
from tests.games.bridge.table_of_bridge import TableOfBridge, pbn_of
from tests.games.bridge.test_rows_observed import HANDS, E, N, S, W, rows, started, trick


def total(table: TableOfBridge) -> int | None:
    counted: list[dict[str, Any]] = table.of("score.counted")
    points: int | None = counted[-1]["lines"]["NS"]["total"]
    return points


def agree(table: TableOfBridge, what: str) -> None:
    table.said(N, what)
    table.press(N, "ready")
    table.press(E, "ready")


def held(lead: str = "TS") -> TableOfBridge:
    """The first trick, won by North; its cards lie open for some pictures, as they do."""
    table = started(lead=lead)
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AS")):
        table.play(seat, card)
    return table


# -- claims ------------------------------------------------------------------------------------------------------------


def test_law79_a_claim_that_the_tricks_deny_is_asked_about_and_leaves_the_score_unknown() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.show(N, HANDS[N][1:])
    agree(table, "claim:0")  # one trick is won already
    assert ("law-79", None, "open") in rows(table)
    assert total(table) is None
    assert table.of("deal.ended")


def test_law79_a_claim_that_the_tricks_allow_is_scored() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.show(N, HANDS[N][1:])
    agree(table, "claim:13")
    assert rows(table) == []
    assert total(table) == 520


def test_a_result_that_both_lines_agree_on_ends_the_deal_wherever_the_hand_was_laid_open() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    agree(table, "result:11")
    assert [one["manner"] for one in table.of("deal.ended")] == ["played"]
    assert total(table) == 460
    table.shut()
    assert rows(table) == [], "the aperture may come down when the play has ended"


def test_a_hand_laid_open_on_the_table_before_its_player_is_a_claim() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    cards = [
        SightedCard(card, "table", 20.0 * n - 100.0, 420.0, 0.0, "up", 0.99) for n, card in enumerate(HANDS[N][1:])
    ]
    for _ in range(3):
        table.feed(Sight(table.wait(0.5), tuple(cards)))
    assert [one["n"] for one in table.of("claim.made")] == [2]
    table.shut()
    assert rows(table) == [], "the aperture may come down after a claim"


def test_law61_a_revoke_is_proved_by_the_hand_laid_open_at_a_claim_and_names_its_trick() -> None:
    table = started()
    for seat, card in ((S, "6S"), (W, "4H"), (N, "AS")):
        at = table.t + table.step
        table.play(seat, card)
        if seat is W:
            played = at
    table.quit(N)
    table.show(W, ["3S", "2S", "3H", "2H", "5D", "4D", "3D", "2D", "5C", "4C", "3C", "2C"])
    rows(table)
    (found,) = [one for one in table.found if one["row"] == "law-61"]
    assert (found["offender"], found["trick"], found["committed_t"]) == ("W", 1, played)
    assert found["title"]["en"].endswith("(trick 1)")


def test_law64b3_dummys_revoke_is_a_note_and_costs_nothing() -> None:
    table = started(record=True, lead="TS")
    table.play(S, "8H")  # dummy has spades
    table.play(W, "3S")
    table.play(N, "AS")
    table.quit(N)
    table.play(N, "KS")
    found = [one for one in rows(table) if one[0] == "law-61"]
    assert found == [("law-61", "S", "open")]
    assert {one["severity"] for one in table.found if one["row"] == "law-61"} == {"note"}


# -- corrections -------------------------------------------------------------------------------------------------------


def looks(table: TableOfBridge, count: int = 4) -> None:
    for _ in range(count):
        table.wait(0.5)
        table.sight()


@pytest.mark.parametrize("wrong", ["4H", "5D"])
def test_law62a_the_fourth_hand_corrects_its_card_before_the_next_lead(wrong: str) -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    table.lead(E, "TS")
    table.open(E)
    table.show(S, HANDS[S])
    table.play(S, "6S")
    table.play(N, "AS")  # West is the fourth hand here: North plays before his turn, which West accepts
    table.play(W, wrong)
    looks(table)
    table.take_card(W, wrong)
    looks(table)
    table.play(W, "3S")
    looks(table)
    table.quit(N)
    table.play(N, "KS")
    found = {one[0] for one in rows(table)}
    assert not found & {"law-55", "law-56", "law-61", "law-67"}, found
    assert [one["winner"] for one in table.of("trick.won")][-1] == "N"
    assert table.fold.state()["trick"]["n"] == 2
    if wrong == "4H":
        assert table.of("penalty-card.set")[0]["card"] == "4H"


@pytest.mark.parametrize("record", [False, True])
def test_law62a_the_fourth_hand_corrects_its_card_though_another_has_turned_his(*, record: bool) -> None:
    table = started(record=record)
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AH")):
        table.play(seat, card)
    looks(table, 1)
    table.wait()
    table.up[E].pop()
    table.backs[E].append(90.0)
    table.sight()
    table.take_card(N, "AH")
    table.play(N, "AS")
    looks(table)
    table.wait()
    for seat in (S, W, N):
        table.up[seat].pop(0)
        table.backs[seat].append(0.0)
    table.sight()
    table.play(N, "KS")
    assert {state for _, _, state in rows(table)} <= {"healed"}, "the correction is no lead out of turn"
    assert table.of("trick.won")[-1]["winner"] == "N"
    assert table.fold.state()["trick"]["n"] == 2


def turn(table: TableOfBridge, *seats: Seat) -> None:
    """These turn the card that lies before them."""
    table.wait()
    for seat in seats:
        table.backs[seat].append(0.0 if seat.line is N.line else 90.0)
        table.up[seat].pop(0)
    table.sight()
    looks(table, 2)


def turn_up(table: TableOfBridge, seat: Seat, card: str) -> None:
    """``seat`` turns the card up again that it has turned last."""
    table.wait()
    table.backs[seat].pop()
    table.up[seat].append(card)
    table.sight()
    looks(table, 2)


@pytest.mark.parametrize("slowly", [False, True])
@pytest.mark.parametrize(
    ("contract", "seat", "wrong", "right", "winner"),
    [("3N", N, "AH", "AS", N), ("3N", W, "4H", "3S", N), ("3H", N, "AH", "AS", N), ("3H", W, "4H", "3S", N)],
)
def test_law62a_who_has_turned_his_card_turns_it_up_again_and_corrects_it(
    *, contract: str, seat: Seat, wrong: str, right: str, winner: Seat, slowly: bool
) -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, f"{contract} P P P")
    table.clear()
    table.shut()
    table.lead(E, "TS")
    table.open(E)
    table.show(S, HANDS[S])
    for one, card in ((S, "6S"), (W, "3S"), (N, "AS")):
        table.play(one, wrong if one is seat else card)
    looks(table, 1)
    turn(table, *Seat)
    turn_up(table, seat, wrong)
    table.take_card(seat, wrong)
    looks(table, 4 if slowly else 0)
    table.play(seat, right)
    looks(table)
    turn(table, seat)
    table.play(winner, "KS")
    looks(table)
    turn(table, winner)
    told = {row for row, _, state in rows(table) if state == "open"}
    assert told <= {"law-50D2"}, told
    assert [one["card"] for one in table.of("penalty-card.set")] == ([wrong] if seat is W else [])
    assert table.of("trick.won")[-1]["winner"] == str(winner)
    assert (table.fold.state()["trick"]["n"], len(table.fold.state()["trick"]["cards"])) == (2, 1)


def test_who_looks_at_his_turned_card_again_and_turns_it_back_has_not_led() -> None:
    table = started()
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AS")):
        table.play(seat, card)
    turn(table, *Seat)
    turn_up(table, N, "AS")
    turn(table, N)
    table.play(N, "KS")
    looks(table)
    assert rows(table) == []
    assert [one["card"] for one in table.fold.state()["trick"]["cards"]] == ["KS"]


def test_law61_a_ruff_and_a_lead_of_the_suit_that_was_ruffed_is_no_correction() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "3H P P P")
    table.clear()
    table.shut()
    table.lead(E, "TS")
    table.open(E)
    table.show(S, HANDS[S])
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AH")):
        table.play(seat, card)
    looks(table, 2)
    table.wait()
    for seat in (E, S, W):
        table.up[seat].pop()
        table.backs[seat].append(0.0)
    table.sight()
    table.take_card(N, "AH")  # turned too; the pictures miss its back
    table.play(N, "KS")
    looks(table)
    found = {row for row, _, state in rows(table) if state == "open"}
    assert "law-61" in found
    assert table.fold.state()["trick"]["n"] == 2


def test_a_quick_lead_to_the_next_trick_is_no_correction() -> None:
    table = held()
    looks(table)
    table.quit(N)
    table.play(N, "KS")
    looks(table)
    assert rows(table) == []
    assert table.fold.state()["trick"]["n"] == 2


def test_law58_two_cards_of_the_fourth_hand_are_no_lead() -> None:
    table = started()
    table.play(S, "6S")
    table.play(W, "3S")
    table.wait()
    table.up[N] += ["AS", "AH"]
    table.sight()
    looks(table, 6)
    assert ("law-58", "N", "open") in rows(table)
    assert not {one[0] for one in rows(table)} & {"law-55", "law-61"}
    table.take_card(N, "AH")
    looks(table)
    table.quit(N)
    table.play(N, "KS")
    assert table.fold.state()["trick"]["n"] == 2


def test_law58_is_withdrawn_if_the_others_play_to_the_second_card() -> None:
    table = started()
    table.play(S, "6S")
    table.play(W, "3S")
    table.wait()
    table.up[N] += ["AS", "KS"]
    table.sight()
    table.wait(0.4)
    table.up[E].append("9S")
    table.sight()
    assert table.fold.state()["trick"]["n"] == 2
    assert "law-58" not in {one[0] for one in rows(table)}


# -- the tray ----------------------------------------------------------------------------------------------------------


def pictures(table: TableOfBridge, count: int = 3) -> None:
    for _ in range(count):
        table.wait(0.5)
        table.sight()


def test_a_double_taken_back_before_the_tray_goes_stays_on_its_side_though_its_seat_had_doubled_before() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    for seat, call in ((N, "1C"), (E, "P")):
        table.call(seat, call)
        pictures(table)
    table.push()
    for seat, call in ((S, "P"), (W, "X")):
        table.call(seat, call)
        pictures(table)
    table.push()
    for seat, call in ((N, "2C"), (E, "P")):
        table.call(seat, call)
        pictures(table)
    table.push()
    table.call(S, "P")
    pictures(table)
    table.call(W, "X")
    pictures(table)
    table.wait()
    table.tray[W].pop()
    pictures(table, 2)  # two clear pictures without it, and the next card is there
    table.wait()
    table.tray[W].append("P")
    table.sight()
    table.push()
    pictures(table, 6)
    calls = [one["call"] for one in table.of("call.made") if one["seat"] == "W"]
    assert calls == ["X", "P"]
    assert table.of("event.retracted") == []
    assert not {one["row"] for one in table.found} & {"law-36", "law-25"}


def test_one_misread_picture_is_no_call() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "1D")
    pictures(table)
    table.step = 0.4
    table.call(E, "X")  # read so once, just before the tray goes
    table.push()
    table.tray[E] = ["P"]
    pictures(table, 6)
    assert [one["call"] for one in table.of("call.made")] == ["1D", "P"]
    assert table.of("event.retracted") == []


@pytest.mark.parametrize("is_beneath", [True, False])
@pytest.mark.parametrize(("misread", "calls"), [(3, ["P"]), (9, ["P", "X"])])
def test_a_call_that_nobody_can_change_any_more_is_another_only_by_most_looks(
    misread: int, calls: list[str], *, is_beneath: bool
) -> None:
    table = TableOfBridge()
    table.begin(S, vulnerable="none")
    table.call(S, "P")
    pictures(table, 6)
    table.call(W, "P")
    table.push()
    pictures(table, 6)
    if is_beneath:
        table.call(N, "1N")
        table.call(E, "P")
        table.push()
        table.call(S, "2N")
        pictures(table)
    table.tray[S][0] = "X"
    pictures(table, misread)
    table.tray[S][0] = "P"
    table.wait()
    table.sight()
    assert [one["call"] for one in table.of("call.made") if one["seat"] == "S"][: len(calls)] == calls
    assert (len([one for one in table.of("call.made") if one["call"] == "X"]) > 0) is (misread > 3)


def test_marks_need_no_order_and_change_no_call() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "P")
    pictures(table)
    table.call(E, "1S")
    pictures(table)
    for first in (True, False, True, False):
        cards = [SightedCard("P", "tray", 0.0, 0.0, 0.0, "up", 0.99, None, 0, N)]
        cards.insert(0 if first else 1, SightedCard("alert", "tray", 0.0, 0.0, 0.0, "up", 0.99, None, None, N))
        cards.append(SightedCard("1S", "tray", 0.0, 0.0, 0.0, "up", 0.99, None, 0, E))
        table.feed(Sight(table.wait(0.5), tuple(cards)))
    pictures(table, 6)
    table.push()
    assert [(one["seat"], one["call"]) for one in table.of("call.made")] == [("N", "P"), ("E", "1S")]
    assert not {one[0] for one in rows(table)} & {"law-30", "law-25"}


def test_a_hand_at_the_table_of_no_zone_names_who_pushed_the_tray() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "1D")
    pictures(table)
    table.call(E, "P")
    pictures(table)
    table.feed(Reach(table.wait(), N, None, "in"))
    table.feed(Tray(table.wait(0.2), "moving", None))
    told = table.feed(Tray(table.wait(0.6), "SW", None))
    (passed,) = [one for one in told if one.type == "tray.passed"]
    assert passed.secret is not None
    assert passed.secret["by"] == "N"


def on_change(log: list[Observation]) -> list[Observation]:
    """Return ``log`` without pictures that show what the one before shows."""
    kept: list[Observation] = []
    last: object = None
    for one in log:
        if isinstance(one, Sight):
            shown = (one.cards, one.hidden)
            if shown == last:
                continue
            last = shown
        kept.append(one)
    return kept


def test_a_log_on_change_gives_the_calls_of_one_that_repeats_its_pictures() -> None:
    table = TableOfBridge(step=0.7)
    table.begin(N, vulnerable="none")
    table.sight()
    seat = N
    for call in ("1D", "P", "1H", "P", "1N", "P", "3N", "P", "P", "P"):
        if (seat in (N, E)) != (table.side == "NE"):
            table.push()
        for hidden in (("tray",), ()):
            table.wait(0.5)
            table.sight(hidden)
        table.tray[seat].append("alert")
        pictures(table, 4)
        table.tray[seat].pop()
        pictures(table, 4)
        table.tray[seat].append(call)
        pictures(table, 4)
        seat = CLOCKWISE.next(seat)
    table.push()
    again = TableOfBridge()
    for one in on_change(table.log):
        again.feed(one)
    calls = [(one["seat"], one["call"]) for one in again.of("call.made")]
    assert calls == [(one["seat"], one["call"]) for one in table.of("call.made")]
    assert len(calls) == 10
    assert {one["row"] for one in again.found} <= {"NI-18.3"}


def test_only_a_log_on_change_has_its_pictures_repeated() -> None:
    held_still, repeating = HeldPictures(), HeldPictures()
    for n in range(2 * CHANGES):
        cards = (SightedCard("P", "tray", 0.0, 0.0, 0.0, "up", 0.99, None, n, N),) * n
        held_still.come(Sight(float(n), cards))
        repeating.come(Sight(float(n), cards))
        repeating.come(Sight(n + 0.5, cards))
    assert len(list(held_still.before(2 * CHANGES + 1.6))) == 5
    assert list(repeating.before(2 * CHANGES + 1.6)) == []


# -- cards and boards --------------------------------------------------------------------------------------------------


def test_where_backs_are_left_out_no_card_is_taken_for_taken_back() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "3N P P P")
    table.clear()
    table.open(None)
    table.lead(E, "TS", covered=False)
    table.show(S, HANDS[S])
    for number, (lead, plays) in enumerate(
        ((E, ((S, "6S"), (W, "3S"), (N, "AS"))), (N, ((N, "KS"), (E, "9S"), (S, "5S"), (W, "2S")))), 1
    ):
        for seat, card in plays:
            table.play(seat, card)
        looks(table, 2)
        table.wait(0.5)
        table.sight(hidden=tuple(f"played-{seat}" for seat in Seat))
        table.up = {seat: [] for seat in Seat}  # turned: nothing is shown any more
        looks(table, 4)
        assert table.fold.state()["tricks"]["NS"] == number, lead
    table.play(N, "QS")
    assert rows(table) == []
    assert table.of("penalty-card.set") == []


def test_a_board_laid_turned_is_one_fact() -> None:
    turned = {CLOCKWISE.next(seat): cards for seat, cards in HANDS.items()}
    table = TableOfBridge()
    table.begin(N, vulnerable="none", record=pbn_of(turned))
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    table.lead(E, "TS")
    table.open(E)
    table.show(S, HANDS[S])
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    trick(table, N, (N, "KS"), (E, "9S"), (S, "5S"), (W, "2S"))
    assert rows(table) == [("law-15", None, "open")]


def test_one_card_that_its_player_did_not_hold_by_the_record_is_still_that() -> None:
    table = started(record=True)
    trick(table, N, (S, "6S"), (W, "3C"), (N, "AS"))
    trick(table, N, (N, "KS"), (E, "JC"), (S, "5S"), (W, "TC"))
    found = {one[0] for one in rows(table)}
    assert "law-15" not in found
    assert "law-44" in found


def weigh(table: TableOfBridge, cards: dict[Seat, int]) -> None:
    for seat, count in cards.items():
        table.feed(Scale(table.wait(0.2), pocket(seat), count * 1.8, settled=True))


@pytest.mark.parametrize("is_before", [True, False], ids=["laid before the order", "after it"])
def test_hands_of_twelve_and_fourteen_are_reported_before_the_first_call(*, is_before: bool) -> None:
    table = TableOfBridge()
    table.console("start-round", deals=2)
    if is_before:
        weigh(table, {N: 12, E: 14, S: 13, W: 13})
    table.begin(N, vulnerable="none")
    if not is_before:
        weigh(table, {N: 12, E: 14, S: 13, W: 13})
    assert table.found == []
    weigh(table, dict.fromkeys(Seat, 0))
    table.sight()
    assert [(one["row"], one["offender"]) for one in table.found] == [("law-13", None)]
    assert table.of("board.checked")[-1]["complete"] is False


def test_a_card_too_few_in_one_pocket_alone_accuses_nobody() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    weigh(table, {N: 12, E: 13, S: 13, W: 13})
    weigh(table, dict.fromkeys(Seat, 0))
    table.sight()
    assert table.found == []
    assert table.of("board.checked")[-1]["complete"] is False


@pytest.mark.parametrize("zone", ["table", "played"])
def test_law24_a_card_open_in_the_auction_before_its_player_is_exposed(zone: str) -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "1D")
    pictures(table)
    place = (-420.0, 100.0) if zone == "table" else (-290.0, 200.0)
    card = SightedCard("4S", "table" if zone == "table" else "played-W", *place, 90.0, "up", 0.99)
    calls = (SightedCard("1D", "tray", 0.0, 0.0, 0.0, "up", 0.99, None, 0, N),)
    for _ in range(4):
        table.feed(Sight(table.wait(0.5), (*calls, card)))
    pictures(table, 4)
    table.call(E, "P")
    pictures(table)
    table.push()
    told = table.press(W, "referee")
    (sealed,) = [one for one in told if one.type == "screen.sealed"]
    assert sealed.secret is not None
    assert [(one["row"], one["offender"], one["side"]) for one in sealed.secret["irregularities"]] == [
        ("law-24-auction", "W", "SW")
    ]
    assert table.found == [], "across the screen nothing is known of it"
    table.console("end-round")
    assert ("law-24-auction", "W") in {(one["row"], one["offender"]) for one in table.found}


def test_figb1_the_arbitro_who_is_called_gets_row_and_remedy_sealed_for_his_side() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    table.lead(W, "3S")  # East was to lead
    told = table.press(W, "referee")
    (sealed,) = [one for one in told if one.type == "screen.sealed"]
    assert sealed.secret is not None
    (found,) = sealed.secret["irregularities"]
    assert (found["row"], found["offender"], found["side"]) == ("FIGB-1", "W", "SW")
    assert [step["do"] for step in found["remedy"]] == ["take-back", "nothing"]
