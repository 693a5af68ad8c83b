"""The play of a board: two hands of declarer, turns, revokes with their tricks, penalty cards, claims."""

import random
from collections.abc import Iterable, Mapping

import pytest

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, SEATS, Seat
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.corrected_tricks import corrected
from table_service.games.bridge.judges.penalty_cards import exposed, lead_choice, owed, without
from table_service.games.bridge.judges.revoke_tricks import RevokeCost, cost, result_after
from table_service.games.bridge.rules.contract import STRAINS, Contract
from table_service.games.tricks.revokes import Revoke
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import Taken

N, E, S, W = Seat
RANKS = "23456789TJQKA"


def play_of(
    text: str, contract: Contract | None = None, record: Mapping[Seat, frozenset[str]] | None = None
) -> CardPlay:
    """The play after ``text``: W:AS a card, -W:AS taken back, W!AS exposed."""
    play = CardPlay.begun(contract or Contract("3N", S), record)
    for t, word in enumerate(text.split(), 1):
        if word.startswith("-"):
            play = play.taken_back(Seat(word[1]), word[3:], float(t))
        elif word[1] == "!":
            play = play.showed(Seat(word[0]), [word[2:]], float(t))
        else:
            play = play.played(Seat(word[0]), word[2:], float(t))
    return play


def faults(play: CardPlay) -> list[tuple[str, Seat, str, int, bool]]:
    return [(one.row, one.seat, one.card, one.number, one.accepted) for one in play.faults]


# -- a second reading of laws 44 and 45 --------------------------------------------------------------------------------


def second_winner(trick: list[tuple[int, int]], trump: int | None) -> int:
    """The hand, 0 to 3, that wins ``trick``: cards are numbers, suit times thirteen plus height."""
    led = trick[0][1] // 13
    return max(trick, key=lambda one: (one[1] // 13 == trump) * 200 + (one[1] // 13 == led) * 100 + one[1] % 13)[0]


def as_card(number: int) -> str:
    return RANKS[number % 13] + "CDHS"[number // 13]


def played_by_second_reading(seed: int) -> tuple[Contract, list[tuple[Seat, str]], int, list[set[int]]]:
    """A contract, the cards of a random lawful play in order, declarer's tricks, and the hands."""
    chance = random.Random(seed)
    pack = list(range(52))
    chance.shuffle(pack)
    hands = [set(pack[13 * n : 13 * n + 13]) for n in range(4)]
    dealt = [set(hand) for hand in hands]
    declarer, strain = chance.randrange(4), chance.choice(STRAINS)
    trump = "CDHS".find(strain) if strain != "N" else None
    leader, won, cards = (declarer + 1) % 4, 0, []
    for _ in range(13):
        trick: list[tuple[int, int]] = []
        for turn in range(4):
            who = (leader + turn) % 4
            follow = [card for card in sorted(hands[who]) if trick and card // 13 == trick[0][1] // 13]
            card = chance.choice(follow or sorted(hands[who]))
            hands[who].remove(card)
            trick.append((who, card))
            cards.append((SEATS[who], as_card(card)))
        leader = second_winner(trick, trump)
        won += leader % 2 == declarer % 2
    return Contract(f"{chance.randint(1, 7)}{strain}", SEATS[declarer]), cards, won, dealt


def follow(
    contract: Contract, cards: Iterable[tuple[Seat, str]], record: Mapping[Seat, frozenset[str]] | None
) -> CardPlay:
    play = CardPlay.begun(contract, record)
    for t, (seat, card) in enumerate(cards):
        assert play.turn() is seat
        play = play.played(seat, card, float(t))
    return play


def deals_agree(seeds: Iterable[int]) -> None:
    for seed in seeds:
        contract, cards, won, dealt = played_by_second_reading(seed)
        record = {SEATS[n]: frozenset(map(as_card, hand)) for n, hand in enumerate(dealt)}
        play = follow(contract, cards, record if seed % 2 else None)
        assert play.result() == won
        assert play.faults == ()
        assert play.revokes() == ()
        assert play.is_over


def test_random_plays_agree_with_a_second_reading_and_nobody_is_accused() -> None:
    deals_agree(range(30))


@pytest.mark.sweep
def test_twenty_thousand_plays_agree_with_a_second_reading() -> None:
    deals_agree(range(20_000))


# -- turns -------------------------------------------------------------------------------------------------------------


def test_declarer_plays_two_hands_in_turn() -> None:
    play = play_of("W:4S N:2S E:AS S:3S")
    assert play.dummy is N
    assert play.turn() is E
    assert faults(play) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("N:2S", [("law-55", N, "2S", 1, False)]),
        ("E:2S", [("law-56", E, "2S", 1, False)]),
        ("E:2S S:3S", [("law-56", E, "2S", 1, True)]),
        ("W:4S E:2S", [("law-57", E, "2S", 1, False)]),
        ("W:4S N:2S E:AS S:3S S:4H", [("law-55", S, "4H", 2, False)]),
        ("W:4S N:2S E:AS S:3S S:4H W:5H", [("law-55", S, "4H", 2, True)]),
        ("W:4S W:5S", [("law-58", W, "5S", 1, False)]),
        ("W:AS N:2S E:3S W:KS", [("law-67", S, "??", 1, False)]),
    ],
)
def test_what_is_wrong_with_a_card(text: str, expected: list[tuple[str, Seat, str, int, bool]]) -> None:
    assert faults(play_of(text)) == expected


def test_a_lead_after_a_trick_that_nobody_could_read_accuses_nobody() -> None:
    assert faults(play_of("W:4S N:?? E:5S S:3S N:2H")) == []


# -- revokes -----------------------------------------------------------------------------------------------------------

REVOKE = "W:4S N:2S E:5H S:KS"  # E does not follow


def test_without_a_record_a_revoke_is_certain_only_when_the_suit_comes_from_that_hand() -> None:
    assert play_of(REVOKE).revokes() == ()
    later = play_of(f"{REVOKE} S:3H W:2H N:4H E:6S")
    ((one, established),) = later.revokes()
    assert (one.seat, one.number, one.card, one.proof, established) == (E, 1, "5H", "6S", True)


def hands_with(seat: Seat, *cards: str) -> dict[Seat, frozenset[str]]:
    """A record in which ``seat`` holds ``cards``; those of ``REVOKE`` lie with who plays them."""
    fixed = {W: {"4S", "2H"}, N: {"2S", "4H"}, E: {"5H", *cards}, S: {"KS", "3H"}}
    fixed[seat] |= set(cards)
    rest = iter(sorted(set(BRIDGE.copies) - set().union(*fixed.values())))
    return {who: frozenset(held | {next(rest) for _ in range(13 - len(held))}) for who, held in fixed.items()}


def test_with_a_record_a_revoke_is_known_at_once_and_established_by_the_next_card_of_its_side() -> None:
    record = hands_with(E, "6S")
    at_once = play_of(REVOKE, record=record)
    assert [(one.seat, established) for one, established in at_once.revokes()] == [(E, False)]
    assert not play_of(f"{REVOKE} S:3H", record=record).revokes()[0][1]
    assert play_of(f"{REVOKE} S:3H W:2H", record=record).revokes()[0][1]
    claimed = at_once.claim(W, 9.0)
    assert claimed.revokes()[0][1]
    assert not at_once.claim(S, 9.0).revokes()[0][1]


def test_a_revoke_that_is_corrected_in_time_is_none_and_leaves_a_major_penalty_card() -> None:
    play = play_of(f"{REVOKE} -E:5H E:6S", record=hands_with(E, "6S"))
    assert play.revokes() == ()
    assert [(one.seat, one.card, one.kind) for one in play.penalty_cards] == [(E, "5H", "major")]
    declarer = play_of("W:4S N:2S E:6S S:3H -S:3H S:KS", record=hands_with(E, "6S"))
    assert declarer.penalty_cards == ()


def taken(*winners: Seat) -> list[Taken]:
    return [Taken(number, Trick(), by) for number, by in enumerate(winners, 1)]


def revoke(number: int = 1, seat: Seat = E, suit: str = "S") -> Revoke:
    return Revoke("follow", number, seat, "5H", suit, "6S", None)


@pytest.mark.parametrize(
    ("winners", "number", "tricks", "article"),
    [
        ((E, E, S), 1, 2, "64A1"),  # he won it, and one more
        ((E, W, S), 1, 2, "64A1"),
        ((E, S, S), 1, 1, "64A1"),  # he won it, none after
        ((W, E, S), 1, 1, "64A2"),  # his side won it: one alone
        ((S, W, W), 1, 1, "64A2"),  # one after
        ((S, S, S), 1, 0, "64A2"),
        ((E, E, S), 3, 0, "64A2"),  # tricks before it never
    ],
)
def test_the_tricks_of_law_64(winners: tuple[Seat, ...], number: int, tricks: int, article: str) -> None:
    found = cost(revoke(number), taken(*winners), dummy=N)
    assert (found.tricks, found.article, found.exempt) == (tricks, article, "")


def test_what_law_64b_takes_no_trick_for() -> None:
    won = taken(*[E] * 13)
    assert cost(revoke(seat=N), won, dummy=N).exempt == "dummy"
    assert cost(revoke(4), won, dummy=N, before=[revoke(2)]).exempt == "same-suit-again"
    assert cost(revoke(4), won, dummy=N, before=[revoke(2, suit="H")]).exempt == ""
    assert cost(revoke(12), won, dummy=N).exempt == "twelfth-trick"
    assert cost(revoke(), won, dummy=N, too_late=True).exempt == "too-late"
    assert cost(revoke(), won, dummy=N, faced=["7S"]).exempt == "faced-card"
    assert cost(revoke(), won, dummy=N, faced=["7H"]).exempt == ""
    both = cost(revoke(), won, dummy=N, others=[revoke(2, seat=S)])
    assert (both.exempt, both.tricks) == ("both-sides", None)


def test_where_nobody_knows_who_won_a_trick_the_cost_is_unknown() -> None:
    unknown = [Taken(1, Trick(), E), Taken(2, Trick(), None)]
    assert cost(revoke(), unknown, dummy=N) == RevokeCost(None)
    assert result_after(9, [(False, RevokeCost(None))]) is None
    assert result_after(12, [(False, RevokeCost(2))]) == 13


def test_an_established_revoke_moves_tricks_in_the_result() -> None:
    """Random plays in which one defender once does not follow though he can: the tricks agree with a second count."""
    tried = 0
    for seed in range(150):
        contract, cards, _, dealt = played_by_second_reading(seed)
        revoked = with_a_revoke(contract, dealt, seed)
        if revoked is None:
            continue
        cards, seat, number, expected = revoked
        play = CardPlay.begun(contract, {SEATS[n]: frozenset(map(as_card, hand)) for n, hand in enumerate(dealt)})
        for t, (who, card) in enumerate(cards):
            play = play.played(who, card, float(t))
        assert [(one.seat, one.number) for one, _ in play.revokes()] == [(seat, number)]
        assert play.result() == expected
        tried += 1
    assert tried > 40


def with_a_revoke(
    contract: Contract, dealt: list[set[int]], seed: int
) -> tuple[list[tuple[Seat, str]], Seat, int, int] | None:
    """A play with one revoke by a defender before trick 12: cards, who, in which trick, declarer's tricks after 64."""
    chance = random.Random(-seed)
    hands = [set(hand) for hand in dealt]
    declarer = SEATS.index(contract.declarer)
    trump = None if contract.strain == "N" else "CDHS".index(contract.strain)
    leader, cards, winners = (declarer + 1) % 4, [], []
    done: tuple[int, int] | None = None
    for number in range(1, 14):
        trick: list[tuple[int, int]] = []
        for turn in range(4):
            who = (leader + turn) % 4
            led = trick[0][1] // 13 if trick else None
            same = [card for card in sorted(hands[who]) if card // 13 == led]
            other = [card for card in sorted(hands[who]) if card // 13 != led]
            wrong = done is None and same and other and (who - declarer) % 2 and number < 12 and chance.random() < 0.2
            card = chance.choice(other if wrong else same or sorted(hands[who]))
            if wrong:
                done = who, number
            hands[who].remove(card)
            trick.append((who, card))
            cards.append((SEATS[who], as_card(card)))
        leader = second_winner(trick, trump)
        winners.append(leader)
    if done is None:
        return None
    who, number = done
    side = [winner % 2 == who % 2 for winner in winners[number - 1 :]]
    moved = 1 + any(side[1:]) if winners[number - 1] == who else int(any(side))
    own = sum(winner % 2 == declarer % 2 for winner in winners)
    return cards, SEATS[who], number, own + moved


# -- penalty cards -----------------------------------------------------------------------------------------------------


def test_which_exposed_cards_are_minor_and_which_major() -> None:
    def kinds(*cards: str, deliberate: bool = False) -> list[str]:
        return [one.kind for one in exposed((), W, cards, 1.0, deliberate=deliberate)]

    assert kinds("9S") == ["minor"]
    assert kinds("TS") == ["major"]
    assert kinds("9S", deliberate=True) == ["major"]
    assert kinds("9S", "2H") == ["major", "major"]
    first = exposed((), W, ["9S"], 1.0, deliberate=False)
    assert [one.kind for one in exposed(first, W, ["3S"], 2.0, deliberate=False)] == ["major", "major"]
    assert [one.kind for one in exposed(first, E, ["3S"], 2.0, deliberate=False)] == ["minor", "minor"]


@pytest.mark.parametrize(
    ("lying", "card", "led", "owes"),
    [
        (["AS"], "2H", None, ["AS"]),  # leads another
        (["AS"], "AS", None, []),
        (["AS"], "2S", "S", ["AS"]),  # follows with another
        (["AS"], "2H", "H", []),  # follows a suit in which it has none
        (["AS"], "2D", "H", ["AS"]),  # discards another
        (["9S"], "2S", "S", ["9S"]),  # minor: a small one of the suit before it
        (["9S"], "KS", "S", []),  # an honour may be played before it
        (["9S"], "2D", "H", []),  # and it need not be discarded
        (["9S"], "??", "S", []),  # a card that nobody read accuses nobody
    ],
)
def test_what_a_penalty_card_asks_for(lying: list[str], card: str, led: str | None, owes: list[str]) -> None:
    cards = exposed((), W, lying, 1.0, deliberate=False)
    assert [one.card for one in owed(cards, W, card, led)] == owes
    assert owed(cards, E, card, led) == ()


def test_declarer_s_choice_while_the_partner_is_to_lead() -> None:
    cards = exposed((), W, ["AS", "3H"], 1.0, deliberate=False)
    choice = lead_choice(cards, E)
    assert choice is not None
    assert (choice.suits, choice.options) == (("S", "H"), ("require", "forbid", "neither"))
    assert lead_choice(cards, W) is None
    assert lead_choice(without(without(cards, W, "AS"), W, "3H"), E) is None


def test_a_penalty_card_that_is_not_played_is_told_and_one_that_is_played_is_gone() -> None:
    kept = play_of("W!KS W:4S")
    assert [(one.row, one.seat, one.owes[0].card) for one in kept.faults] == [("law-52", W, "KS")]
    served = play_of("W!KS W:KS")
    assert (served.faults, served.penalty_cards) == ((), ())
    assert play_of("W!KS").released(W, "KS").penalty_cards == ()
    assert play_of("S!KS").penalty_cards == ()  # declarer's side has none


def test_a_card_that_the_record_gives_to_another_hand_is_told() -> None:
    play = play_of("W:KS", record=hands_with(E, "6S"))
    assert [(one.row, one.wrong) for one in play.faults] == [("law-44", "not-held")]


def test_nothing_raises_whatever_cards_come() -> None:
    chance = random.Random(44)
    pack = [*BRIDGE.copies, "??"]
    for _ in range(200):
        play = CardPlay.begun(Contract(f"{chance.randint(1, 7)}{chance.choice(STRAINS)}", chance.choice(SEATS)))
        for t in range(chance.randint(1, 30)):
            seat, card = chance.choice(SEATS), chance.choice(pack)
            roll = chance.random()
            if roll < 0.1:
                play = play.taken_back(seat, card, float(t))
            elif roll < 0.2:
                play = play.showed(seat, [card, "??"], float(t))
            elif roll < 0.22:
                play = play.claim(seat, float(t))
            else:
                play = play.played(seat, card, float(t))
        assert play.revokes() is not None
        assert play.result() is None or 0 <= (play.result() or 0) <= 13
        assert play.spread(["AS"]).turn() in (None, *CLOCKWISE.seats)


def test_a_card_that_was_played_before_is_a_misreading_that_proves_nothing_and_leaves_open_who_has_won() -> None:
    for seed in range(60):
        contract, cards, won, _ = played_by_second_reading(seed)
        play = follow(contract, cards[:-1], None)
        seat, card = cards[-1]
        assert play.played(seat, card, 60.0).tricks_won() == won
        for _, again in random.Random(seed).sample(cards[:-1], 8):
            wrong = play.played(seat, again, 60.0)
            assert wrong.revokes() == ()
            assert wrong.tricks_won() in (None, won)


def _late(clear: float | None) -> CardPlay:
    """East leads to the second trick, seen after South, nobody having looked before ``clear``."""
    play = play_of("W:3H N:?? E:KH S:JH")
    for seat, card, t, seen_from in (
        (S, "AS", 10.0, 9.0), (E, "QD", 10.5, clear), (W, "4C", 14.0, 13.0), (N, "KD", 18.0, 17.0),
        (N, "2S", 22.0, 21.0), (E, "3S", 26.0, 25.0), (S, "5S", 30.0, 29.0), (W, "TS", 34.0, 33.0),
    ):  # fmt: skip
        play = play.played(seat, card, t, clear=seen_from)
    return play


def test_a_card_that_may_have_lain_there_before_may_have_led_and_nobody_has_revoked_against_what_did_not() -> None:
    play = _late(clear=None)
    assert [one.seat for one, _ in play.revokes()] == []
    assert play.tricks[1].leader is None
    assert play.turned[1].by is None
    assert play.faults == ()


def test_a_card_that_surely_came_later_has_not_led() -> None:
    play = _late(clear=10.2)
    assert play.tricks[1].leader is S
    assert {one.seat for one, _ in play.revokes()} == {E, W, N}


def test_once_it_is_known_who_won_it_is_known_who_led_and_who_won_then() -> None:
    play = play_of("W:3H N:?? E:KH S:JH")
    for seat, card, t in ((S, "AS", 10.0), (E, "QD", 10.5), (W, "4D", 14.0), (N, "KD", 18.0)):
        play = play.played(seat, card, t)
    assert [one.by for one in play.turned] == [None, None]
    known = corrected(play, 1, N, "2H")
    assert known.tricks[1].leader is E
    assert [one.by for one in known.turned] == [E, N]
    assert known.turn() is N
