"""Rehearsed deals that once accused somebody, or counted wrongly, without a fault having been made.

Each plays a whole deal: of each kind of error `make test` has one or two, `make proof` all.
"""

from __future__ import annotations

from typing import Literal

import pytest

from table_service.rehearsal.prove import ProofCase, run_case
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("seed", "habits", "why"),
    rest_in_proof(
        [
            (
                71000160,
                "tidy",
                "a discard whose gate stayed silent is picked up with the pile before its plate was weighed",
            ),
            (61000058, "lively", "an arm that rested over the melds was the only one seen there"),
            (191000079, "tidy", "a plate's zero had been moved by a few readings that strayed: a discard was missed"),
            (192000092, "lively", "two frames misread a card; those after them were not waited for"),
            (
                205000040,
                "lively",
                "a discard that nobody noticed was taken up with the pile: one card too few was known",
            ),
            (207000033, "lively", "a plate that a finger had pressed seemed to have lost a card"),
            (965000168, "lively", "a discard nobody saw, then the pile taken by an unseen hand: F-32 for who laid it"),
            (71000172, "tidy", "the same, the collector's lay taken for play out of turn"),
            (141000006, "lively", "a meld was laid card by card under an arm that stayed there"),
            (191000087, "tidy", "the same; the card that frames then showed was taken for one from the stock"),
            (141000021, "lively", "the pile's coil heard a ghost of the card that was drawn"),
            (141000045, "lively", "a frame told that a card lies between two others, another which one"),
            (201000065, "lively", "under an arm two cards came to the pile, and the first frame missed the upper one"),
            (202000008, "tidy", "a plate's zero had been moved by a few readings that strayed: a pot was misjudged"),
            (205000005, "lively", "of two hands the earlier was taken for the layer of a meld half a minute later"),
            (206000042, "tidy", "the same"),
            (207000038, "lively", "a plate that a finger had pressed seemed to have got one before play began"),
            (208000095, "tidy", "a card's own swing was forgotten, and frames told of it with the next draw"),
            (965000086, "lively", "a pot weighed as twelve left ten: who took those seemed to have gone out (F-33)"),
        ],
        3,
    ),
)
def test_nobody_is_stopped_in_a_rough_deal_without_a_fault(seed: int, habits: str, why: str) -> None:
    report = run_case(ProofCase(seed, None, "rough", habits=habits))["report"]
    assert not [one for one in report["false"] if one["severity"] in ("play-stops", "score")], why
    assert not report["score_wrong"]


@pytest.mark.sweep
def test_a_deal_that_is_played_on_after_its_end_was_told_has_no_score() -> None:
    """E closed for the table at 554 s, when he had a card left; people drew and laid for a minute more."""
    report = run_case(ProofCase(71000145, None, "rough", habits="tidy"))["report"]
    assert report["score_doubtful"] == report["score_items"] == 14


def test_a_deal_ends_by_the_closers_sign_and_three_open_hands_whatever_the_ledger_has() -> None:
    """The ledger had given the pot to the partner; gathering the cards was told as a draw of fifteen (F-08a)."""
    report = run_case(ProofCase(140500000, "F-08a", "normal"))["report"]
    assert not report["false"]
    assert not report["ends_wrong"]
    assert not report["score_wrong"]


@pytest.mark.sweep
def test_a_meld_that_an_unseen_arm_laid_is_not_the_last_known_hands() -> None:
    """S put his melds straight and left; two frames later an arm that no beam told of lay there and left a meld."""
    report = run_case(ProofCase(160000226, None, "normal"))["report"]
    assert not report["false"]
    assert report["score_right"] == report["score_items"]


@pytest.mark.parametrize(
    ("seed", "row", "why"),
    rest_in_proof(
        [
            (170000848, None, "two frames misread a joker that had long lain in a meld"),
            (171000008, "F-26a", "an arm lay over the melds for five seconds while its owner's partner laid there"),
            (170100030, "F-31a", "the stock told of the card that was turned up before the pile did"),
            (
                250000008,
                None,
                "a frame missed a card of an opening: the wild that seemed to stand for it has not moved",
            ),
            (230000175, None, "who lays a card that he cannot hold by the ledger has more cards than it knows of"),
            (801000003, None, "a card that the partner dropped and took up crossed his gate: the meld was another's"),
            (
                170000825,
                None,
                "what a gate read on its way is not laid by a hand of another seat that was there before",
            ),
            (1720000198, None, "whose arm had long rested at the pile discarded, and another's arm came to rest there"),
        ],
        2,
    ),
)
def test_normal_play_accuses_nobody_but_who_did_it(seed: int, row: str | None, why: str) -> None:
    report = run_case(ProofCase(seed, row, "normal"))["report"]
    assert not report["false"], why
    assert all(fault["found"] and fault["right_seat"] for fault in report["faults"])


def test_the_end_of_a_deal_is_never_told_by_the_stock_being_gathered() -> None:
    """N closed, slowly turned his shield over, and by the ledger held three cards too many: nobody saw the end."""
    report = run_case(ProofCase(222200048, "F-31e", "normal"))["report"]
    assert not report["false"]
    assert not report["score_wrong"]
    assert not report["ends_wrong"]


@pytest.mark.parametrize("seed", rest_in_proof([221400015, 221400029]))
def test_f26e_a_card_nobody_could_read_is_taken_back_by_order_and_not_collected(seed: int) -> None:
    """The arbitro named the card beneath the discard; what was taken from the pile showed its back."""
    report = run_case(ProofCase(seed, "F-26e", "normal"))["report"]
    assert not report["false"]


@pytest.mark.sweep
def test_f35b_an_arm_that_rested_over_the_melds_has_not_gone_out() -> None:
    """S laid a king under his partner's resting arm, who by the ledger held one card."""
    report = run_case(ProofCase(222900043, "F-12b", "normal"))["report"]
    assert not report["false"]


@pytest.mark.parametrize(
    ("seed", "gaps", "why"),
    rest_in_proof(
        [
            (880000051, "silent", "the pile was picked up while its scale was not heard; who then laid had not drawn"),
            (881000203, "declared", "the pots were counted anew while somebody held their score sheet up"),
            (880000055, "silent", "the same, with all scales"),
            (
                880000244,
                "silent",
                "a scale that was heard again spoke between two counts: the discard before was missed",
            ),
        ],
        1,
    ),
)
def test_nobody_is_stopped_after_a_gap_in_sensing(seed: int, gaps: Literal["silent", "declared"], why: str) -> None:
    report = run_case(ProofCase(seed, None, "normal", gaps=gaps))["report"]
    assert not [one for one in report["false"] if one["severity"] in ("play-stops", "score")], why
    assert not report["score_wrong"]


def test_a_card_that_came_to_the_pile_unheard_and_has_gone_again_leaves_hands_unsure() -> None:
    """The pile has as many cards as before: one player is a card poorer, another a card richer."""
    report = run_case(ProofCase(1400000049, None, "normal", rules="online", habits="lively", gaps="silent"))["report"]
    assert report["false"] == []
    assert report["score_wrong"] == []


def test_a_hand_that_leans_on_the_pots_as_heavily_as_a_pot_brings_and_takes_none() -> None:
    """N leaned on the other line's pot with 20 grams for two seconds: told as put back and taken, and counted so."""
    report = run_case(ProofCase(884300016, "F-26d", "normal", stage="mid"))["report"]
    assert not report["score_wrong"]
    assert not report["wrong"]


@pytest.mark.parametrize(
    ("row", "seed", "stage", "why"),
    rest_in_proof(
        [
            ("F-26c", 884200024, "mid", "a ghost came to light under the arm of a player who had not drawn"),
            ("F-27a", 883603016, "time-out", "an opening begun before the discard was gone on with after it"),
            ("F-25b", 886100004, "mid", "nobody read the discard of the highest penalised card"),
            (
                "F-24a",
                1001700005,
                "mid",
                "the twin of an exposed card that lay on the table was taken up with the pile",
            ),
            ("F-26b", 884101026, "closing", "a ghost came to light after the end, which the ruling took back"),
            (
                "F-10b",
                886003004,
                "time-out",
                "of two jokers at the side one was discarded, and the other seemed to go too",
            ),
            ("F-29c", 1003600003, "mid", "an arm hid the pile at the discard of the highest card, which left his side"),
            ("F-27b", 1004500002, "mid", "the same; the pile was taken up before anybody had read the card"),
            ("F-26d", 1002300005, "mid", "a ghost card told as its partner's wrong addition was ruled as what it was"),
        ],
        2,
    ),
)
def test_a_ruled_fault_accuses_nobody_of_another_and_the_score_is_right(
    row: str, seed: int, stage: str, why: str
) -> None:
    report = run_case(ProofCase(seed, row, "normal", stage=stage))["report"]
    assert not [one for one in report["false"] if one["severity"] in ("play-stops", "score")], why
    assert not report["score_wrong"], why
    assert not report["broken_wrongly"], why


@pytest.mark.parametrize(
    ("row", "seed", "stage", "why"),
    rest_in_proof(
        [
            (
                "F-31e",
                885202005,
                "stock",
                "a meld put right by order is no turn, and a scale that wavers has lost none",
            ),
            ("F-12b", 7200010, "mid", "a joker taken out by order goes to the side once: the other stays in the meld"),
            ("F-24c", 7703000, "time-out", "the partner holds a twin of the card that goes from the meld to the side"),
            ("F-26c", 942201003, "closing", "who has closed holds nothing: the card came from his hand"),
            ("F-26c", 942203003, "time-out", "a node started anew: the card more on the pile is his who had drawn"),
            (
                "F-31e",
                885202001,
                "stock",
                "no beam saw who took the pile; a card of it that he laid was read at his gate",
            ),
            ("F-26c", 7202005, "stock", "nobody was seen to take out the ghost card that the partner laid aside"),
            ("F-24c", 7202010, "stock", "of two twins in a meld the one that was laid last is taken out of it"),
            ("F-24a", 941702001, "stock", "of two equal exposed cards the one that was taken up is discarded"),
            (
                "F-12b",
                7802003,
                "stock",
                "of two twins in a hand, one of them unread, either may be the one that is laid",
            ),
            (
                "F-26a",
                942003003,
                "time-out",
                "the partner holds a twin of the card that goes from the meld to the side",
            ),
            ("F-26e", 942400001, "mid", "a card was taken from beneath, and a frame missed another of the pile"),
            ("F-26c", 7202007, "stock", "either partner may have hidden the card: their hands at the count tell who"),
        ],
        2,
    ),
)
def test_a_ruled_fault_leaves_every_item_of_the_score_known_and_right(
    row: str, seed: int, stage: str, why: str
) -> None:
    report = run_case(ProofCase(seed, row, "normal", stage=stage))["report"]
    assert not [one for one in report["false"] if one["severity"] in ("play-stops", "score")], why
    assert report["score_right"] == report["score_items"], why
    assert not report["broken_wrongly"], why
    assert not report["ends_wrong"], why


@pytest.mark.sweep
def test_who_surely_holds_fewer_cards_than_were_laid_has_not_laid_them() -> None:
    """No beam saw N lay three cards; his partner's arm, which was over the melds, belongs to one who held one card."""
    report = run_case(ProofCase(800300013, "F-35a:no-beam", "normal"))["report"]
    assert not report["false"]
    assert report["score_right"] == report["score_items"]
    assert all(fault["found"] for fault in report["faults"])


@pytest.mark.sweep
def test_who_was_taken_to_have_gone_out_and_lays_out_cards_has_not() -> None:
    """The stock was used up; three hands lay open five seconds before the fourth, who was told to have closed."""
    report = run_case(ProofCase(965000162, None, "rough"))["report"]
    assert not report["ends_wrong"]
    assert not report["score_wrong"]
    assert report["score_doubtful"] == 0


def test_a_gap_that_began_in_mid_turn_leaves_hands_unsure_though_stock_and_pile_agree() -> None:
    """Three draws and three discards went unseen after a draw: E seemed to close with a card in his hand."""
    report = run_case(ProofCase(963000147, None, "normal", gaps="silent"))["report"]
    assert not report["ends_wrong"]
    assert not report["score_wrong"]


@pytest.mark.sweep
def test_cards_of_the_pot_that_an_unseen_hand_lays_after_its_discard_make_it_a_played_pot() -> None:
    """W took the pot with his discard and laid three cards of it at once, unseen (F-27a): 70 points had moved."""
    report = run_case(ProofCase(969701002, "F-27a:no-beam", "normal", stage="closing"))["report"]
    assert not report["score_wrong"]
    assert report["score_doubtful"] == 0


@pytest.mark.sweep
def test_a_second_pot_that_an_unseen_hand_puts_back_as_ruled_is_there_again() -> None:
    """F-23n in the last turn of the time-out: the other line's missing pot was not charged, silently."""
    report = run_case(ProofCase(970703000, "F-23n", "normal", stage="time-out"))["report"]
    assert not report["score_wrong"]
    assert report["score_doubtful"] == 0


@pytest.mark.parametrize(
    ("rules", "row", "seed", "why"),
    rest_in_proof(
        [
            (
                "feburit",
                "B-13b",
                1303200031,
                "the meld laid without a draw came to light after the discard: row B-13c before",
            ),
            (
                "feburit",
                "B-13c",
                1303300027,
                "the card that was left of the pile was the discard, and the next player only discards",
            ),
            ("feburit", "B-14b", 1303500010, "one reading of the pile had strayed, while frames showed it as it was"),
            (
                "online",
                "O-29",
                1600600015,
                "the discard that was taken back as ruled has its twin beneath it in the pile",
            ),
        ],
        2,
    ),
)
def test_a_fault_that_was_missed_once_is_told_with_row_and_seat(rules: str, row: str, seed: int, why: str) -> None:
    report = run_case(ProofCase(seed, row, "normal", rules=rules, habits="lively"))["report"]
    assert report["false"] == []
    assert [(one["right_row"], one["right_seat"]) for one in report["faults"]] == [(True, True)], why


def test_a_penalised_card_that_has_left_the_side_went_with_the_discard_that_nobody_read() -> None:
    """E discarded three penalised cards, the second of them unread: a turn later B-11a stopped play."""
    report = run_case(ProofCase(3823000, "B-10j", "normal", rules="feburit", stage="mid"))["report"]
    assert not report["false"]
    assert not report["broken_wrongly"]


def test_a_pot_lifted_and_let_go_is_not_the_one_whose_cards_are_played() -> None:
    """A player who has played his pot leans on the other one: what comes back is that, and his line keeps its own."""
    report = run_case(ProofCase(15, None, "none", rules="online"))["report"]
    assert report["false"] == report["ends_wrong"] == report["score_wrong"] == []
    assert report["score_right"] == report["score_items"] > 0
