"""A deal of tarocco as a value: whole deals at random, the Matto, revokes that can be mended, signals, claims."""

import random
from dataclasses import replace
from typing import Final

import pytest

from hw.cards import TAROCCO, UNKNOWN
from hw.seats import ANTICLOCKWISE, LINES, Line, Seat
from table_service.games.tarocco.rules.card_points import MATTO, worth
from table_service.games.tarocco.rules.deal import HAND, TaroccoDeal
from table_service.games.tarocco.rules.deal_checks import (
    accuso_faults,
    is_certainly_false,
    is_sure,
    revokes,
    scarto_faults,
    signal_fault,
    why_not,
)
from table_service.games.tarocco.rules.fault_kinds import TaroccoFault
from table_service.games.tarocco.rules.piles import last_trick, line_without_trick, piles
from table_service.games.tarocco.rules.score import LinePile, score_deal

N, E, S, W = Seat
PACK: Final = tuple(TAROCCO.copies)


def dealt(chance: random.Random, dealer: Seat) -> tuple[TaroccoDeal, dict[Seat, list[str]]]:
    cards = list(PACK)
    chance.shuffle(cards)
    hands = {seat: cards[HAND * n : HAND * n + HAND] for n, seat in enumerate(ANTICLOCKWISE.seats)}
    scarto = [card for card in (*hands[dealer], *cards[60:]) if worth(card) < 5][:2]
    hands[dealer] = [card for card in (*hands[dealer], *cards[60:]) if card not in scarto]
    return TaroccoDeal.dealt(dealer).with_scarto(2, scarto), hands


def played(seed: int, *, give: bool = True) -> TaroccoDeal:
    """A whole regular deal; ``give``: the card for the Matto was seen."""
    chance = random.Random(seed)
    deal, hands = dealt(chance, chance.choice(list(Seat)))
    while not deal.is_over:
        seat = deal.play.turn
        if seat is None:
            deal = deal.with_gathered()
            continue
        card = chance.choice(sorted(deal.play.rules.allowed(hands[seat], deal.play.open.led(deal.play.rules))))
        assert why_not(deal, seat, card) is None
        hands[seat].remove(card)
        deal = deal.with_play(seat, card)
    if give:
        before = piles(deal)
        owner = next(line for line in LINES if MATTO in before[line])
        cheap = [one.trick.card_of(owner.seats[0]) for one in deal.play.taken if one.by and one.by.line is owner]
        deal = deal.with_given(next((card for card in cheap if card and card != MATTO), UNKNOWN))
    return deal


def check_regular(seed: int) -> None:
    """A deal played by the rules: no fault, 62 cards in two piles of the right size, 87 points, 93 with the last."""
    deal = played(seed)
    both = piles(deal)
    assert revokes(deal) == scarto_faults(deal) == accuso_faults(deal) == ()
    assert sum(map(len, both.values())) == 62
    own = deal.scartatore.line
    without = line_without_trick(deal)
    if without is None:
        assert (len(both[own]) % 4, len(both[own.other]) % 4) == (2, 0)
    else:
        assert both[without] == ()
    last = last_trick(deal)
    assert last is not None
    if UNKNOWN not in (*both[Line.NS], *both[Line.EW]):
        assert sorted((*both[Line.NS], *both[Line.EW])) == sorted(PACK)
        scores = score_deal({line: LinePile(both[line], last is line) for line in LINES})
        assert sum((scores[line].items["scartini"] or 0) for line in LINES) == 87


@pytest.mark.parametrize("seed", range(40))
def test_a_regular_deal_ends_with_62_cards_in_two_piles_and_no_fault(seed: int) -> None:
    check_regular(seed)


@pytest.mark.sweep
@pytest.mark.timeout(3600)
def test_twenty_thousand_regular_deals_end_with_62_cards_in_two_piles_and_no_fault() -> None:
    for seed in range(1_000_000, 1_020_000):
        check_regular(seed)


def test_the_card_given_for_the_matto_is_unknown_where_nobody_saw_it_but_no_better_card() -> None:
    for seed in range(40):
        deal = played(seed, give=False)
        both = piles(deal)
        owner = next((line for line in LINES if MATTO in both[line]), None)
        if owner is None or UNKNOWN not in both[owner.other]:
            continue
        assert sum(map(len, both.values())) == 62
        assert both[owner.other].count(UNKNOWN) == 1
        assert all(worth(card) > 1 for card in both[owner] if card not in (MATTO, UNKNOWN))
        return
    raise AssertionError("no deal in which the Matto was given for")


def test_who_has_no_scartino_gives_another_card_for_the_matto_and_nobody_knows_which() -> None:
    led = {N: "KC", W: MATTO, S: "QC", E: "CC"}  # North's; the Matto is West's, whose line takes only figures after
    figures = {N: "FD", W: "KS", S: "QS", E: "CS"}
    deal = TaroccoDeal.dealt(N).with_scarto(2, ["7D", "8D"])
    gone = {*led.values(), *figures.values(), "7D", "8D"}
    rest = [card for card in PACK if card not in gone]
    for trick, winner in ((led, N), (figures, W)):
        for seat, card in trick.items():
            deal = deal.with_play(seat, card)
        deal = replace(deal, play=deal.play.gathered(winner))
    for place in range(13):
        for seat, card in zip((N, W, S, E), rest[4 * place : 4 * place + 4], strict=True):
            deal = deal.with_play(seat, card)
        deal = replace(deal, play=deal.play.gathered(N))
    both = piles(deal)
    assert sorted(both[Line.EW]) == sorted((MATTO, *[UNKNOWN] * 3))
    assert (len(both[Line.NS]), both[Line.NS].count(UNKNOWN)) == (58, 1)


def test_a_line_without_a_trick_has_nothing_not_even_scarto_and_matto() -> None:
    deal = TaroccoDeal.dealt(E).with_scarto(2, ["7C", "8C"])
    cards = [card for card in PACK if card not in ("7C", "8C", MATTO)]
    for number in range(HAND):
        for seat in ANTICLOCKWISE.seats:
            mine = MATTO if (seat, number) == (W, 3) else cards.pop()
            deal = deal.with_play(seat, mine)
        deal = TaroccoDeal(**{**{name: getattr(deal, name) for name in deal.__slots__}, "play": deal.play.gathered(N)})
    assert line_without_trick(deal) is Line.EW
    assert len(piles(deal)[Line.NS]) == 62
    assert MATTO in piles(deal)[Line.NS]


def opened(*plays: tuple[Seat, str]) -> TaroccoDeal:
    deal = TaroccoDeal.dealt(E).with_scarto(2)
    for seat, card in plays:
        deal = deal.with_play(seat, card)
    return deal


def test_the_right_hand_of_the_dealer_leads_and_play_goes_round_anticlockwise() -> None:
    assert TaroccoDeal.dealt(E).play.turn is N
    assert opened((N, "KC")).play.turn is W
    fault = why_not(opened((N, "KC")), E, "7C")
    assert fault is not None
    assert (fault.kind, fault.seat) == (TaroccoFault.PLAYED_OUT_OF_TURN, E)


def test_a_revoke_is_known_at_once_where_the_hand_was_shown_and_mends_until_an_opponent_plays() -> None:
    deal = opened((N, "KC")).with_accuso(W, ["QC", "QD", "QS"])
    fault = why_not(deal, W, "7D")
    assert fault is not None
    assert (fault.kind, fault.suit, fault.mends) == (TaroccoFault.REVOKE, "C", True)
    wrong = deal.with_play(W, "7D")
    assert [one.mends for one in revokes(wrong)] == [True]
    assert [one.mends for one in revokes(wrong.with_play(S, "6C"))] == [False]
    assert revokes(wrong.with_replaced(W, "7D", "QC")) == ()
    last = opened((N, "KC"), (W, "9C"), (S, "8C")).with_accuso(E, ["7C"]).with_play(E, "7D")
    assert [one.mends for one in revokes(last)] == [True]
    assert [one.mends for one in revokes(last.with_gathered())] == [False]


def test_scarto_of_another_number_can_be_put_right_before_the_first_card() -> None:
    three = TaroccoDeal.dealt(E).with_scarto(3)
    (fault,) = scarto_faults(three)
    assert (fault.kind, fault.seat, fault.mends) == (TaroccoFault.SCARTO_OF_OTHER_NUMBER, E, True)
    assert scarto_faults(three.with_scarto(2)) == ()
    assert three.with_scarto(2).hands.left[E] == HAND
    (late,) = scarto_faults(three.with_play(N, "KC"))
    assert (late.kind, late.mends) == (TaroccoFault.SCARTO_OF_OTHER_NUMBER_IN_PLAY, False)


def test_a_king_in_the_scarto_is_told_once_it_is_seen() -> None:
    assert scarto_faults(TaroccoDeal.dealt(E).with_scarto(2, [UNKNOWN, "7C"])) == ()
    (fault,) = scarto_faults(TaroccoDeal.dealt(E).with_scarto(2, ["KS", "7C"]))
    assert (fault.kind, fault.cards) == (TaroccoFault.SCARTO_HOLDS_A_FIVE, ("KS",))


def test_an_accuso_after_the_own_first_card_is_late() -> None:
    deal = opened((N, "KC")).with_accuso(W, ["KD", "KS", "KB"]).with_accuso(N, ["QC", "QD", "QS"])
    (fault,) = accuso_faults(deal)
    assert (fault.kind, fault.seat) == (TaroccoFault.ACCUSO_LATE, N)


def test_signals_in_a_suit_wait_for_its_king() -> None:
    early = signal_fault(opened((N, "7C")).with_signal(N, "busso"), N, 1)
    assert early is not None
    assert (early.kind, early.suit) == (TaroccoFault.SIGNAL_BEFORE_THE_KING, "C")
    assert signal_fault(opened((N, "t9")), N, 1) is None  # trumps: any lead
    assert signal_fault(opened((N, "KC")), N, 1) is None  # with the king itself it is not told
    other = signal_fault(opened((N, "KC"), (W, "7C")), W, 1)
    assert other is not None
    assert other.kind is TaroccoFault.SIGNAL_BY_ANOTHER
    after = opened((N, "KC"), (W, "7C"), (S, "8C"), (E, "9C")).with_gathered().with_play(N, "QC")
    assert signal_fault(after, N, 2) is None
    unread = opened((N, UNKNOWN), (W, "7C"), (S, "8C"), (E, "9C")).with_gathered(N).with_play(N, "QC")
    assert signal_fault(unread, N, 2) is None  # it may have been the king


def test_no_trump_is_surely_out_while_the_last_ones_may_lie_in_the_scarto() -> None:
    trumps = sorted(TaroccoDeal.dealt(E).play.rules.of_suit("trumps"))
    cards = [*trumps[:19], *(card for card in PACK if card[0] in "6789" and len(card) == 2)]
    deal = TaroccoDeal.dealt(E).with_scarto(2)
    for number in range(7):
        for place, seat in enumerate(ANTICLOCKWISE.seats):
            deal = deal.with_play(seat, cards[4 * number + place])
        deal = deal.with_gathered(N)
    lead = deal.play.turn
    assert lead is not None
    assert signal_fault(deal.with_play(lead, "QB"), lead, 8) is None


def test_a_claim_is_sure_only_where_nothing_can_beat_it() -> None:
    deal = TaroccoDeal.dealt(E).with_scarto(2)
    high = ["t20", "t19", "t18"]
    assert not is_sure(deal.with_claim(N, high), deal.with_claim(N, high).claims[0])
    last = [card for card in PACK if card not in ("t20", "t19", "KC", "QC", "6C", "7C", "8D", "9D", "TD", "6S")]
    for number in range(13):
        for place, seat in enumerate(ANTICLOCKWISE.seats):
            deal = deal.with_play(seat, last[4 * number + place])
        deal = TaroccoDeal(**{**{name: getattr(deal, name) for name in deal.__slots__}, "play": deal.play.gathered(N)})
    assert is_sure(deal.with_claim(N, ["t20", "t19"]), deal.with_claim(N, ["t20", "t19"]).claims[0])
    assert is_sure(deal.with_claim(N, ["t20", "KC"]), deal.with_claim(N, ["t20", "KC"]).claims[0])
    assert not is_sure(deal.with_claim(N, ["KC", "7C"]), deal.with_claim(N, ["KC", "7C"]).claims[0])
    assert not is_sure(deal.with_claim(W, ["t20", "KC"]), deal.with_claim(W, ["t20", "KC"]).claims[0])


def test_the_highest_trumps_alone_take_every_trick_however_many_lower_ones_are_out_and_whoever_leads() -> None:
    deal = TaroccoDeal.dealt(E).with_scarto(2)
    last = [card for card in PACK if card not in ("t20", "t19", "t18", "t17", "t5", "t6", "t7", "6S", "7S", "8S")]
    for number in range(13):
        for place, seat in enumerate(ANTICLOCKWISE.seats):
            deal = deal.with_play(seat, last[4 * number + place])
        deal = TaroccoDeal(**{**{name: getattr(deal, name) for name in deal.__slots__}, "play": deal.play.gathered(N)})
    for seat in (N, W):
        assert is_sure(deal.with_claim(seat, ["t20", "t19"]), deal.with_claim(seat, ["t20", "t19"]).claims[0])
        assert not is_sure(deal.with_claim(seat, ["t20", "6S"]), deal.with_claim(seat, ["t20", "6S"]).claims[0])
    beaten = deal.with_play(N, "t20").with_claim(W, ["t19", "t18"])
    assert not is_sure(beaten, beaten.claims[0])


def test_t15_angelo_and_mondo_do_not_lie_in_the_scarto() -> None:
    """A card worth five may not be discarded: it is in a hand, unless it is one of those that nobody read."""
    deal = TaroccoDeal.dealt(E).with_scarto(2)
    claim = deal.with_claim(N, ["t19", "t18", "KC"])
    assert is_certainly_false(claim, claim.claims[0])
    low = deal.with_claim(N, ["t20", "t19", "t17", "KC"])
    assert not is_certainly_false(low, low.claims[0])  # t18 may lie there
    unread = deal.with_play(N, UNKNOWN).with_claim(N, ["t19", "t18", "KC"])
    assert not is_certainly_false(unread, unread.claims[0])


def test_anything_may_happen_in_any_order() -> None:
    chance = random.Random(3)
    for _ in range(200):
        deal = TaroccoDeal.dealt(chance.choice(list(Seat)))
        for _ in range(40):
            seat, card = chance.choice(list(Seat)), chance.choice([*PACK, UNKNOWN, UNKNOWN])
            deal = chance.choice(
                [
                    lambda d, s=seat, c=card: d.with_play(s, c),
                    lambda d, s=seat, c=card: d.with_play(s, c),
                    lambda d, s=seat, c=card: d.with_taken_back(s, c),
                    lambda d, s=seat: d.with_gathered(s),
                    lambda d, s=seat, c=card: d.with_accuso(s, [c]),
                    lambda d, s=seat, c=card: d.with_claim(s, [c]),
                    lambda d, s=seat: d.with_signal(s, "busso"),
                    lambda d, c=card: d.with_scarto(3, [c]),
                    lambda d, c=card: d.with_given(c),
                ]
            )(deal)
            revokes(deal)
            scarto_faults(deal)
            signal_fault(deal, seat, deal.play.number)
            laid = sum(len(one.trick.plays) for one in deal.play.taken if one.by is not None)
            assert sum(map(len, piles(deal).values())) == laid + len(deal.scarto or ())
