"""Tricks, hands by elimination and revokes, on whole deals of tarocco and of bridge played at random."""

import random
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

import pytest

from hw.cards import FRENCH_FACES, UNKNOWN
from hw.seats import ANTICLOCKWISE, CLOCKWISE, Rotation, Seat
from table_service.games.tarocco.rules.tricks import TRICKS
from table_service.games.tricks.hands import Hands
from table_service.games.tricks.order import FRENCH_RANKS, TrickRules, by_ranks
from table_service.games.tricks.revokes import revokes
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import TrickPlay

BRIDGE: Final = TrickRules(CLOCKWISE, by_ranks("SHDC", FRENCH_RANKS), trump="H")
GAMES: Final = {"tarocco": (TRICKS, 15), "bridge": (BRIDGE, 13)}
N, E, S, W = Seat


def trick(*plays: str) -> Trick:
    """A trick of plays such as ``N:KC``."""
    return Trick(tuple((Seat(one[0]), one[2:]) for one in plays))


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (("N:9S", "W:TS", "S:AS", "E:6S"), W),  # long suits: the ten above the nine, the ace lowest
        (("N:9C", "W:TC", "S:AC", "E:6C"), S),  # round suits: the ace below the jack, then 6 to 10
        (("N:KC", "W:beg", "S:QC", "E:AC"), W),  # any trump beats a king
        (("N:m1", "W:m3", "S:beg", "E:m2"), E),  # of the Mori the last one played
        (("N:t5", "W:t20", "S:t16", "E:mat"), W),
        (("N:mat", "W:6C", "S:AC", "E:7D"), S),  # after the Matto the next card fixes the suit
        (("N:6C", "W:KD", "S:KS", "E:KB"), N),  # nobody follows
    ],
)
def test_who_wins_a_trick_of_tarocco(plays: Sequence[str], winner: Seat) -> None:
    assert trick(*plays).winner(TRICKS) is winner


def test_turn_goes_round_by_the_rotation() -> None:
    assert trick("N:KC").turn(TRICKS) is W
    assert trick("N:KC", "W:QC").turn(TRICKS) is S
    assert trick("N:KC", "S:QC").turn(TRICKS) is W  # who has played out of turn does not play again
    three = TrickRules(Rotation((N, E, S)), by_ranks("SH", "AK"))
    assert trick("E:AS", "S:KS").turn(three) is N
    assert trick("E:AS", "S:KS", "N:AH").turn(three) is None


def test_what_may_be_played() -> None:
    hand = ["KC", "7C", "t5", "mat", "9S"]
    assert TRICKS.allowed(hand, "C") == {"KC", "7C", "mat"}
    assert TRICKS.allowed(hand, "D") == {"t5", "mat"}
    assert TRICKS.allowed(["9S", "mat"], "D") == {"9S", "mat"}
    assert TRICKS.allowed(hand, None) == set(hand)
    assert BRIDGE.allowed(["AS", "2H"], "D") == {"AS", "2H"}
    with pytest.raises(ValueError, match="all of its cards"):
        TRICKS.allowed(["KC", UNKNOWN], "C")


def test_order_of_tricks_is_checked() -> None:
    with pytest.raises(ValueError, match="AS has two places"):
        TrickRules(CLOCKWISE, {"S": (("AS",), ("AS",))})
    with pytest.raises(ValueError, match="trump suit 'X'"):
        TrickRules(CLOCKWISE, by_ranks("S", "AK"), trump="X")


def deal(rules: TrickRules, size: int, chance: random.Random) -> dict[Seat, list[str]]:
    cards = sorted(rules.cards)
    chance.shuffle(cards)
    return {seat: cards[size * n : size * n + size] for n, seat in enumerate(rules.rotation.seats)}


def begin(rules: TrickRules, size: int) -> Hands:
    seats = rules.rotation.seats
    return Hands(rules.cards, dict.fromkeys(seats, size), hidden=len(rules.cards) - size * len(seats))


def play_deal(
    rules: TrickRules, size: int, seed: int, wrong: float = 0.0
) -> tuple[list[Trick], list[tuple[int, Seat, str]], list[Hands], list[dict[Seat, list[str]]]]:
    """The tricks of a deal, every card that was not allowed, and after each trick the knowledge and the true hands."""
    chance = random.Random(seed)
    hands = deal(rules, size, chance)
    known = begin(rules, size)
    play = TrickPlay(rules, chance.choice(rules.rotation.seats))
    breaches, after, truth = [], [], []
    for number in range(1, size + 1):
        while (seat := play.turn) is not None:
            hand = hands[seat]
            allowed = rules.allowed(hand, play.open.led(rules))
            card = chance.choice(sorted(hand) if chance.random() < wrong else sorted(allowed))
            if card not in allowed:
                breaches.append((number, seat, card))
            hand.remove(card)
            known = known.played(seat, card)
            play = play.played(seat, card)
        play = play.gathered(play.open.winner(rules))
        after.append(known)
        truth.append({seat: list(cards) for seat, cards in hands.items()})
    assert sum(one.by is not None for one in play.taken) == size
    return [one.trick for one in play.taken], breaches, after, truth


@pytest.mark.parametrize("game", GAMES)
def test_regular_play_has_no_revoke(game: str) -> None:
    rules, size = GAMES[game]
    for seed in range(60):
        tricks, breaches, after, _ = play_deal(rules, size, seed)
        assert breaches == []
        for number in range(1, size + 1):
            assert revokes(rules, tricks[:number], after[number - 1].eliminated()) == ()


@pytest.mark.parametrize("game", GAMES)
def test_every_breach_is_certain_in_the_end_and_none_is_told_that_is_not_one(game: str) -> None:
    rules, size = GAMES[game]
    found_early = 0
    for seed in range(60):
        tricks, breaches, after, _ = play_deal(rules, size, seed, wrong=0.15)
        real = {(number, seat) for number, seat, _ in breaches}
        for number in range(1, size + 1):
            told = {(one.number, one.seat) for one in revokes(rules, tricks[:number], after[number - 1].eliminated())}
            assert told <= real
            found_early += number < size and bool(told)
        assert {(one.number, one.seat) for one in revokes(rules, tricks, after[-1])} == real
    assert found_early


def test_a_revoke_is_told_with_its_proof_when_the_suit_is_played_later() -> None:
    tricks = [trick("N:KC", "W:7D", "S:6C", "E:AC"), trick("N:KD", "W:8C", "S:6D", "E:AD")]
    hands = begin(TRICKS, 15)
    assert revokes(TRICKS, tricks[:1], hands) == ()
    (found,) = revokes(TRICKS, tricks, hands)
    assert (found.duty, found.number, found.seat, found.card, found.proof, found.proved_in) == (
        "follow", 1, W, "7D", "8C", 2,
    )  # fmt: skip


def test_a_revoke_is_told_when_the_hand_is_laid_out() -> None:
    tricks = [trick("N:KC", "W:7D", "S:6C", "E:AC")]
    hands = begin(TRICKS, 15).shown(W, ["8C", "9S"])
    (found,) = revokes(TRICKS, tricks, hands)
    assert (found.seat, found.proof, found.proved_in) == (W, "8C", None)


def test_a_trump_that_was_owed_is_told_only_when_he_surely_could_not_follow() -> None:
    tricks = [trick("N:KC", "W:7D", "S:6C", "E:AC"), trick("N:KD", "W:t5", "S:6D", "E:AD")]
    hands = begin(TRICKS, 15)
    for seat, card in (*tricks[0].plays, *tricks[1].plays):
        hands = hands.played(seat, card)
    assert revokes(TRICKS, tricks, hands) == ()  # he may still hold a cup
    (found,) = revokes(TRICKS, tricks, hands.shown(S, TRICKS.of_suit("C")))
    assert (found.duty, found.number, found.seat, found.proof) == ("trump", 1, W, "t5")


def test_the_matto_is_no_revoke_and_opens_the_suit_to_the_next() -> None:
    tricks = [trick("N:mat", "W:KC", "S:7D", "E:AC"), trick("W:QC", "S:8D", "E:6C", "N:KD")]
    told = {(one.number, one.seat) for one in revokes(TRICKS, tricks, begin(TRICKS, 15).shown(N, ["7C"]))}
    assert told == {(2, N)}  # to the first trick he led the Matto


@pytest.mark.parametrize("game", GAMES)
def test_what_is_known_of_hands_is_true(game: str) -> None:
    rules, size = GAMES[game]
    chance = random.Random(5)
    for seed in range(40):
        _, _, after, truth = play_deal(rules, size, seed, wrong=0.1)
        for known, hands in zip(after, truth, strict=True):
            shown = known
            for seat, cards in hands.items():
                if cards and chance.random() < 0.5:
                    shown = shown.shown(seat, chance.sample(cards, chance.randint(1, len(cards))))
            shown = shown.eliminated()
            for seat, cards in hands.items():
                assert shown.held.get(seat, frozenset()) <= set(cards) <= shown.possible(seat)
                some = set(chance.sample(sorted(rules.cards), 8))
                if shown.holds_one_of(seat, some):
                    assert some & set(cards)
                if shown.has_none_of(seat, some):
                    assert not some & set(cards)


def test_the_last_unseen_cards_have_one_place() -> None:
    pack = frozenset(FRENCH_FACES)
    cards = sorted(pack)
    hands = Hands(pack, dict.fromkeys(CLOCKWISE.seats, 13))
    for n, seat in enumerate((N, E, S)):
        hands = hands.shown(seat, cards[13 * n : 13 * n + 13])
    assert hands.held.get(W) is None
    assert hands.eliminated().held[W] == set(cards[39:])


def test_a_card_that_was_not_read_makes_what_was_known_of_the_hand_unsure() -> None:
    hands = begin(TRICKS, 15).shown(N, ["KC"]).played(N, UNKNOWN)
    assert hands.held[N] == frozenset()
    assert (hands.hidden, hands.left[N]) == (3, 14)
    assert not hands.holds_one_of(N, ["KC"])


def winners(rules: TrickRules, read: Trick, may_be: Mapping[Seat, Sequence[str]]) -> set[Seat | None]:
    """Who wins for every card that the unread ones may be."""
    seen = set(read.cards)
    places = [n for n, (_, card) in enumerate(read.plays) if card == UNKNOWN]
    found = set()
    for chosen in product(*(sorted(set(may_be[read.plays[n][0]]) - seen) for n in places)):
        if len(set(chosen)) == len(chosen):
            plays = list(read.plays)
            for n, card in zip(places, chosen, strict=True):
                plays[n] = plays[n][0], card
            found.add(Trick(tuple(plays)).winner(rules))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_an_unread_card_leaves_the_winner_open_only_where_it_matters(game: str) -> None:
    rules, _ = GAMES[game]
    chance = random.Random(9)
    sure = 0
    for _ in range(150):
        cards = chance.sample(sorted(rules.cards), 4)
        seat = chance.choice(rules.rotation.seats)
        order = [rules.rotation.after(seat, n) for n in range(4)]
        unread = set(chance.sample(range(4), chance.randint(1, 2)))
        read = Trick(tuple((who, UNKNOWN if n in unread else cards[n]) for n, who in enumerate(order)))
        may_be = {who: chance.sample(sorted(rules.cards), chance.randint(3, 12)) for who in order}
        if any(not set(may_be[who]) - set(read.cards) for n, who in enumerate(order) if n in unread):
            continue
        said, real = read.winner(rules, may_be), winners(rules, read, may_be)
        if said is not None:
            sure += 1
            assert real == {said}
        elif len(unread) == 1:
            assert len(real) > 1 or real == {None}
    assert sure > 5


def test_any_card_in_any_order_is_taken() -> None:
    play = TrickPlay(TRICKS, None)
    assert play.turn is None
    play = play.played(E, UNKNOWN).played(E, "KC").played(N, "nonsense").taken_back(S, "KC")
    assert play.open.winner(TRICKS) is E  # nobody else has played a card that could win
    assert play.played(S, "QS").open.winner(TRICKS) is None
    assert play.named(1, E, "QC").open.cards == ("QC", "KC", "nonsense")
    lines = {seat: seat.line for seat in ANTICLOCKWISE.seats}
    assert set(play.gathered(None).tricks_of(lines).values()) == {None}
    assert play.gathered(E).tricks_of(lines)[E.line] == 1
    assert play.gathered(E).named(1, E, "QC").taken[0].trick.cards[0] == "QC"
