"""Each row that the play is judged by, from observations: row, seat, and what becomes of it."""

import pytest

from hw.seats import Seat
from tests.games.bridge.table_of_bridge import TableOfBridge, pbn_of

N, E, S, W = Seat
HANDS = {
    N: ["AS", "KS", "QS", "JS", "AH", "KH", "QH", "AD", "KD", "QD", "AC", "KC", "QC"],
    E: ["TS", "9S", "8S", "7S", "JH", "TH", "9H", "JD", "TD", "9D", "JC", "TC", "9C"],
    S: ["6S", "5S", "4S", "8H", "7H", "6H", "5H", "8D", "7D", "6D", "8C", "7C", "6C"],
    W: ["3S", "2S", "4H", "3H", "2H", "5D", "4D", "3D", "2D", "5C", "4C", "3C", "2C"],
}
"""Declarer North in no trump, East leads, South is dummy."""


def started(*, record: bool = False, lead: str = "TS") -> TableOfBridge:
    table = TableOfBridge()
    table.begin(N, vulnerable="none", **({"record": pbn_of(HANDS)} if record else {}))
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    table.lead(E, lead)
    table.open(E)
    table.show(S, HANDS[S])
    return table


def rows(table: TableOfBridge) -> list[tuple[str, str | None, str]]:
    table.wait(7.0)
    table.sight()
    return [(one["row"], one["offender"], one["state"]) for one in table.found if one["row"] != "NI-18.3"]


def trick(table: TableOfBridge, winner: Seat, *plays: tuple[Seat, str]) -> None:
    for seat, card in plays:
        table.play(seat, card)
    table.quit(winner)


def test_a_lawful_trick_accuses_nobody() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    assert rows(table) == []
    assert table.fold.state()["turn"]["seat"] == "N"
    assert table.fold.state()["tricks"] == {"NS": 1, "EW": 0}


def test_a_defenders_play_before_his_turn_is_told_once_it_has_settled() -> None:
    table = started()
    table.play(W, "3S")
    assert table.found == []
    assert rows(table) == [("law-57", "W", "open")]


def test_a_card_whose_place_was_covered_when_the_next_came_is_no_card_out_of_turn() -> None:
    table = started()
    table.wait(1.0)
    table.up[S].append("6S")
    hidden = table.up[S].pop()
    table.sight(hidden=("played-S",))
    table.wait(0.5)
    table.up[W].append("3S")
    table.sight(hidden=("played-S",))
    table.wait(0.5)
    table.up[S].append(hidden)
    table.sight()
    assert rows(table) == []
    assert [one["card"] for one in table.of("trick.played")][:1] == ["TS"]


def test_leads_out_of_turn_have_the_row_of_their_side() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(W, "4H")
    assert rows(table) == [("law-56", "W", "open")]
    other = started()
    trick(other, N, (S, "6S"), (W, "3S"), (N, "AS"))
    other.play(S, "8H")
    assert rows(other) == [("law-55", "S", "open")]


def test_a_lead_out_of_turn_that_is_taken_back_is_a_penalty_card_once_the_right_hand_leads() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.play(W, "4H")
    table.wait(2.0)
    table.sight()
    table.take_card(W, "4H")
    table.play(N, "AC")
    assert table.of("penalty-card.set") == [{"card": "4H", "seat": "W", "kind": "major"}]
    assert table.fold.state()["penalty_cards"] == [{"seat": "W", "card": "4H", "kind": "major"}]
    table.play(E, "9C")
    table.play(S, "6C")
    table.play(W, "2C")  # follows suit: nothing is owed
    assert [one[0] for one in rows(table)] == ["law-56"]


def test_a_penalty_card_that_is_kept_though_it_was_due_is_told() -> None:
    table = started()
    table.wait()
    table.aside[W] = ["KH"]
    table.sight()
    table.wait()
    table.sight()
    assert table.of("penalty-card.set") == [{"card": "KH", "seat": "W", "kind": "major"}]
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    trick(table, N, (N, "AH"), (E, "9H"), (S, "5H"), (W, "2H"))
    assert ("law-52", "W", "open") in rows(table)


def test_the_arbitro_lifts_a_penalty_card() -> None:
    table = started()
    table.wait()
    table.aside[W] = ["KH"]
    table.sight()
    table.wait()
    table.sight()
    table.console("correct", zone="side-W", cards=[])
    assert table.of("penalty-card.served") == [{"card": "KH", "seat": "W", "kind": "major"}]
    assert table.fold.state()["penalty_cards"] == []


def test_two_cards_of_one_hand_and_a_trick_that_lacks_one() -> None:
    table = started()
    table.play(S, "6S")
    table.play(S, "5S")
    assert rows(table) == [("law-58", "S", "open")]
    short = started()
    short.play(S, "6S")
    short.play(N, "AS")  # West has played nothing that anybody saw
    short.quit(N)
    short.play(N, "KC")
    assert ("law-67", "W", "open") in rows(short)
    lying = started()
    lying.play(S, "6S")
    lying.play(N, "AS")
    lying.play(N, "KC")  # no card was turned: the trick is still open, and that is a second card to it
    assert ("law-58", "N", "open") in rows(lying)
    assert not any(row == "law-67" for row, _, _ in rows(lying))


def test_without_a_record_a_revoke_is_told_when_a_card_proves_it_and_costs_once_it_is_ruled() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "4H"), (N, "AS"))  # West holds spades
    assert rows(table) == []
    trick(table, N, (N, "KS"), (E, "7S"), (S, "5S"), (W, "3S"))
    (found,) = rows(table)
    assert found == ("law-61", "W", "open")
    assert table.found[0]["severity"] == "score"


def test_with_a_record_a_revoke_is_known_at_once_and_so_is_a_card_of_another_hand() -> None:
    table = started(record=True)
    trick(table, N, (S, "6S"), (W, "4H"), (N, "AS"))
    assert ("law-61", "W", "open") in rows(table)
    foreign = started(record=True)
    foreign.play(S, "6S")
    foreign.play(W, "8S")
    assert ("law-44", "W", "open") in rows(foreign)


def test_an_aperture_that_closes_during_the_play_is_a_question() -> None:
    table = started()
    table.shut()
    assert rows(table) == [("A4-3c", None, "open")]


def test_a_back_in_the_wrong_direction_is_a_note_when_the_board_is_over() -> None:
    table = started()
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AS")):
        table.play(seat, card)
    table.quit(N, wrong=(W,))
    assert rows(table) == []
    table.console("end-round")
    assert rows(table) == [("law-65", "W", "open")]


def test_a_claim_ends_the_play_and_the_result_counts_once_both_lines_agree() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    table.show(N, [card for card in HANDS[N] if card != "AS"])
    (claim,) = table.of("claim.made")
    assert claim["n"] == 2
    table.said(N, "result:13")
    assert table.of("score.counted") == []
    table.press(N, "ready")
    table.press(W, "ready")
    assert table.of("deal.ended") == [{"manner": "played"}]
    assert table.of("score.counted")[-1]["lines"]["NS"]["total"] == 400 + 120
    table.press(S, "ready")
    table.press(E, "ready")
    assert {one["line"] for one in table.of("sheet.confirmed")} == {"NS", "EW"}


def test_a_claim_that_nobody_settles_leaves_the_score_unknown_and_the_arbitro_settles_it() -> None:
    table = started()
    table.said(N, "claim")
    table.console("correct", zone="result", tricks=9)
    assert table.of("score.counted")[-1]["lines"]["EW"]["total"] == -400
    other = started()
    other.said(N, "claim")
    other.console("end-round")
    assert other.of("score.counted")[-1]["lines"]["NS"]["total"] is None
    assert "NS.tricks" in other.of("score.counted")[-1]["doubtful"]


def test_a_result_before_there_is_a_contract_is_refused_with_a_sentence() -> None:
    table = TableOfBridge()
    table.begin(N)
    refusal = "a result needs a contract: the auction of this board has made none yet"
    table.console("correct", zone="result", tricks=9)
    table.call(N, "3N")
    table.call(E, "P")
    table.push()
    table.call(S, "P")
    table.call(W, "P")
    table.console("correct", zone="result", tricks=9)  # the last pass still lies behind the screen
    assert [one["note"] for one in table.of("table.health")] == [refusal, refusal]
    table.push()
    table.console("correct", zone="result", tricks=9)
    assert table.of("score.counted")[-1]["lines"]["NS"]["total"] is not None


def whole(table: TableOfBridge, *, revoke: bool = False) -> None:
    """All thirteen tricks; North wins every one. ``revoke``: West discards a heart in the first trick."""
    left = {seat: list(cards) for seat, cards in HANDS.items()}
    for seat in (E, S, W, N):
        left[seat].sort(key=lambda card: "SHDC".index(card[1]))
    first = {E: "TS", S: "6S", W: "4H" if revoke else "3S", N: "AS"}
    for seat, card in first.items():
        left[seat].remove(card)
        if seat is not E:
            table.play(seat, card)
    table.quit(N)
    while left[N]:
        lead = left[N].pop(0)
        table.play(N, lead)
        for seat in (E, S, W):
            card = next((card for card in left[seat] if card[1] == lead[1]), left[seat][0])
            left[seat].remove(card)
            table.play(seat, card)
        table.quit(N)


def test_an_established_revoke_that_costs_no_trick_leaves_the_score_known() -> None:
    table = started()
    whole(table, revoke=True)
    (found,) = [one for one in table.found if one["row"] == "law-61"]
    assert found["offender"] == "W"
    assert table.of("score.counted")[-1]["lines"]["NS"]["total"] == 520  # all tricks were lost: it costs none
    assert found["remedy"][0]["do"] == "score"


def test_a_stated_result_that_differs_from_the_tricks_is_asked_about_and_the_tricks_count() -> None:
    table = started()
    whole(table)
    table.said(W, "result:12")
    assert ("law-79", None, "open") in rows(table)
    assert table.of("score.counted")[-1]["lines"]["NS"]["total"] == 520
    table.said(W, "result:13")
    assert ("law-79", None, "dismissed") in rows(table)


def test_without_vulnerability_nobody_knows_the_score() -> None:
    table = TableOfBridge()
    table.console("start-round", deals=2)
    table.console("deal", deal=1, dealer="N")
    table.side = "NE"
    table.auction(N, "3N P P P")
    table.clear()
    table.lead(E, "TS")
    table.open(E)
    whole(table)
    assert table.of("score.counted")[-1]["lines"]["NS"]["total"] is None


@pytest.mark.parametrize("option", ["27B2"])
def test_a_partner_who_must_pass_by_a_ruling_is_told_when_he_bids(option: str) -> None:
    table = TableOfBridge()
    table.begin(S, vulnerable="none", side="SW")
    table.call(S, "1S")
    table.call(W, "1H")
    table.push(W)
    (one,) = table.found
    table.console("rule", key=one["key"], option=option)
    table.side = "NE"
    table.call(N, "P")
    table.call(E, "2C")
    table.push()
    assert ("law-37", "E", "open") in rows(table)


def test_the_public_table_tells_a_stated_result_and_who_has_agreed_with_it_since() -> None:
    table = started()
    trick(table, N, (S, "6S"), (W, "3S"), (N, "AS"))
    assert table.fold.state()["result"] is None
    table.press(E, "ready")
    table.said(N, "claim:9")
    assert table.fold.state()["result"] == {"tricks": 9, "by_arbitro": False, "agreed": []}
    table.press(W, "ready")
    assert table.fold.state()["result"]["agreed"] == ["W"]
    table.said(N, "claim:10")
    assert table.fold.state()["result"] == {"tricks": 10, "by_arbitro": False, "agreed": []}
