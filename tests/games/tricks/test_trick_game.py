"""A trick-taking game from its data: what movements make of a deal, and what is told when they turn out otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hw.cards import Pack
from hw.observation_log import Header
from hw.observations import Console
from hw.seats import ANTICLOCKWISE, HEADS_UP, Line, Seat
from hw.zones import hand
from table_service.games.tricks.order import by_ranks
from table_service.games.tricks.trick_code import TrickCode, Winnings, card_points, out_of_turn, revoke, total
from table_service.games.tricks.trick_deal import FoundRevoke, HandNoticed, OutOfTurn, TrickDeal, after, first
from table_service.games.tricks.trick_rule_set import count_of, rule_set
from table_service.table.score_items import ScoreItem
from table_service.tracking.movements import Movement, Named, Retracted

N, W, S, E = ANTICLOCKWISE.seats
CODE = TrickCode(
    name="four",
    title="Four",
    edition="First",
    pack=Pack("four", {rank + suit: 1 for suit in "HSDC" for rank in "AKQJ"}, "AKQJ then HSDC"),
    rotation=ANTICLOCKWISE,
    suits=by_ranks("HSDC", "AKQJ"),
    hand=4,
    out_of_turn=out_of_turn("X-1", "1"),
    revoke=revoke("X-2", "2"),
)
TURNED = replace(CODE, name="turned", turned_up=True, revoke=None, hand=3)


def move(number: int, card: str, source: str | None, target: str | None, seat: Seat | None = None) -> Movement:
    cards = tuple(card.split())
    return Movement(number, float(number), float(number), cards, source, target, seat, 0.99, ("sight",))


def plays(cards: str, *seats: Seat, start: int = 1) -> list[Movement]:
    """The ``seats`` play ``cards``, one after the other."""
    pairs = zip(seats, cards.split(), strict=True)
    return [move(start + n, card, hand(seat), "trick", seat) for n, (seat, card) in enumerate(pairs)]


def gathered(number: int, cards: str, seat: Seat) -> Movement:
    return move(number, cards, "trick", hand(seat), seat)


def folded(code: TrickCode, *moves: Any) -> tuple[TrickDeal, dict[Any, Any]]:
    deal, facts = first(code, N), {}
    for one in moves:
        deal, more = after(deal, one)
        facts |= more
    return deal, facts


@pytest.mark.parametrize(
    ("turned", "cards", "winner"),
    [("JD", "KH AH QD JH", S), ("??", "KH AH QD JH", None), ("??", "KH AH QH JH", W), ("JC", "KH AH QD JH", W)],
)
def test_a_trump_that_was_not_read_leaves_open_what_it_decides(turned: str, cards: str, winner: Seat | None) -> None:
    deal, _ = folded(TURNED, move(1, turned, hand(E), "trump", E), *plays(cards, N, W, S, E, start=2))
    assert deal.winner is winner


def test_a_suit_that_was_not_followed_is_a_revoke_once_a_card_of_it_is_played() -> None:
    one = [*plays("AH KS QH JH", N, W, S, E), gathered(5, "AH KS QH JH", N)]
    _, facts = folded(CODE, *one)
    assert not [fact for fact in facts.values() if isinstance(fact, FoundRevoke)]
    _, facts = folded(CODE, *one, *plays("AD KH", N, W, start=6))
    (found,) = [fact.revoke for fact in facts.values() if isinstance(fact, FoundRevoke)]
    assert (found.seat, found.number, found.card, found.proof) == (W, 1, "KS", "KH")


def test_who_played_a_card_that_nobody_was_seen_to_play_is_who_was_to_play_and_accused_of_nothing() -> None:
    deal, facts = folded(CODE, *plays("AH", N), move(2, "KH", None, "trick"), *plays("QH", S, start=3))
    assert [seat for seat, _ in deal.play.open.plays] == [N, W, S]
    assert not [key for key in facts if key[0] == "turn"]


def test_of_a_trick_with_a_card_of_nobody_the_winner_is_not_known_nor_what_it_counts() -> None:
    deal, _ = after(first(CODE, None), move(1, "AH", None, "trick"))
    assert deal.doubtful
    for one in (*plays("KH QH JH", W, S, E, start=2), gathered(5, "AH KH QH JH", N)):
        deal, _ = after(deal, one)
    assert deal.play.taken[0].by is None
    assert deal.won() is None


def noticed(seat: Seat, t: float) -> HandNoticed:
    return HandNoticed(seat, t)


SHORT = [*plays("AH", N), *plays("QH JH", S, E, start=20)]
"""West was not seen to play."""


@pytest.mark.parametrize(
    ("also", "accused"),
    [
        ([], True),
        ([noticed(W, 10.0)], False),
        ([noticed(W, 10.0), move(11, "AC", "stock", hand(W), W)], True),
        ([noticed(N, 10.0)], True),
    ],
)
def test_who_plays_after_one_that_may_have_played_unseen_is_accused_of_nothing(also: list[Any], accused: bool) -> None:
    _, facts = folded(CODE, *sorted([*SHORT, *also], key=lambda one: one.committed_t))
    assert [fact.due for fact in facts.values() if isinstance(fact, OutOfTurn)] == [W] * accused


def test_a_trick_that_the_scale_has_whole_takes_a_charge_back_and_has_no_winner_but_a_pile() -> None:
    piled = move(30, "?? ?? ?? ??", hand(N), "tricks-NS", N)
    swept = gathered(31, "AH QH JH", N)
    deal, facts = folded(CODE, *SHORT, piled, swept)
    assert not [fact for fact in facts.values() if isinstance(fact, OutOfTurn)]
    (taken,) = deal.play.taken
    assert [card for _, card in taken.trick.plays] == ["AH", "??", "QH", "JH"]
    assert (taken.by, taken.pile) == (N, Line.NS)  # the ace of the suit led, whatever West has played
    assert deal.play.open.plays == ()


def test_a_trick_of_which_nothing_was_seen_counts_for_the_line_whose_scale_has_it() -> None:
    deal, _ = folded(CODE, move(1, "?? ?? ?? ??", hand(N), "tricks-EW", E))
    won = deal.won()
    assert won is not None
    assert (won[Line.EW].tricks, won[Line.NS].tricks) == (1, 0)
    assert card_points({"A": 1})(won[Line.EW]) == {"points": None}
    assert deal.play.leader is None


@pytest.mark.parametrize(("cards", "winner"), [("KS AH QH JH", None), ("KH AH QH JH", W)])
def test_where_it_is_not_known_who_led_a_trick_is_won_only_by_who_wins_it_anyhow(
    cards: str, winner: Seat | None
) -> None:
    north, *rest = plays(cards, N, W, S, E)
    deal, _ = after(first(CODE, None), replace(north, since=0.0))
    for one in rest:
        deal, _ = after(deal, one)
    assert deal.winner is winner


def test_a_revoke_is_not_found_in_a_trick_of_which_a_card_was_not_well_seen() -> None:
    unseen = move(2, "KS", None, "trick")
    one = [*plays("AH", N), unseen, *plays("QH JH", S, E, start=3), gathered(5, "AH KS QH JH", N)]
    _, facts = folded(CODE, *one, *plays("AD KH", N, W, start=6))
    assert not [fact for fact in facts.values() if isinstance(fact, FoundRevoke)]


def test_a_card_laid_to_a_full_trick_opens_the_next_and_one_that_was_misread_twice_counts_nothing() -> None:
    deal, _ = folded(CODE, *plays("AH KH QH JH AH", N, W, S, E, N))
    assert (deal.play.number, deal.play.open.plays) == (2, ((N, "AH"),))
    for one in (*plays("KS QS JS", W, S, E, start=6), gathered(9, "AH KS QS JS", N)):
        deal, _ = after(deal, one)
    assert {own["tricks"] for own in deal.figures().values()} == {None}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"draws": True}, "no revoke is judged"),
        ({"hand": 5}, "do not make whole tricks"),
        ({"suits": by_ranks("HSD", "AKQJ")}, "every card of the pack"),
        ({"turned_up": True}, "no card is left to be turned up"),
        ({"turned_up": True, "trump": "H", "hand": 3}, "fixed or turned up"),
    ],
)
def test_a_code_whose_parts_contradict_each_other_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(CODE, **changes)


class Spoken:
    """A table of ``CODE`` in a deal of dealer East, and the events of each act."""

    def __init__(self, code: TrickCode = CODE) -> None:
        self.fold: Any = rule_set(code).open_fold(Header("T1", code.name, seats=dict.fromkeys("NESW", "somebody")))
        self.fold.feed(Console(0.1, "a", "start-round", {"deals": 1}))
        self.fold.feed(Console(0.2, "a", "deal", {"deal": 1, "dealer": "E"}))

    def of(self, *acts: Any) -> list[tuple[str, Any]]:
        for act in acts:
            (self.fold.game.moved if isinstance(act, Movement) else self.fold.game.revised)(act)
        return [(event.type, event.data) for event in self.fold.drain()]


def test_a_card_out_of_turn_that_moved_otherwise_is_dismissed_and_its_event_retracted() -> None:
    table = Spoken()
    told = table.of(*plays("AH KH", N, S))
    assert [type_ for type_, _ in told] == ["trick.played", "trick.played", "irregularity"]
    told = table.of(Named(3.0, 2, ("QH",), 0.99, ("sight",)))
    assert [(type_, getattr(data, "cards", None)) for type_, data in told] == [
        ("card.named", ("QH",)),
        ("irregularity", ("QH",)),
    ]
    told = table.of(Retracted(4.0, 2, "it was pushed"))
    assert sorted(type_ for type_, _ in told) == ["event.retracted", "irregularity"]
    assert [data.state for type_, data in told if type_ == "irregularity"] == ["dismissed"]


def test_a_card_named_after_the_deal_is_over_changes_its_count() -> None:
    values = {"A": 11, "K": 4}
    code = replace(CODE, revoke=None, count=card_points(values), items=(ScoreItem("points", ("punti", "points")),))
    table = Spoken(code)
    acts: list[Movement] = []
    for trick, (suit, led) in enumerate(zip("HSDC", "AAA?", strict=True)):
        cards = " ".join(("??" if led == "?" else f"A{suit}", f"K{suit}", f"Q{suit}", f"J{suit}"))
        acts += plays(cards, N, W, S, E, start=5 * trick + 1)
        acts.append(gathered(5 * trick + 5, cards, N))
    told = table.of(*acts)
    assert [data.lines["NS"]["total"] for type_, data in told if type_ == "score.counted"] == [None]
    told = table.of(Named(30.0, 16, ("AC",), 0.99, ("sight",)))
    assert [data.lines["NS"]["total"] for type_, data in told if type_ == "score.counted"][-1] == 60


def test_two_players_are_a_line_each() -> None:
    code = replace(CODE, rotation=HEADS_UP, revoke=None, hand=3, draws=True)
    deal, _ = folded(code, *plays("AH KH", N, S), gathered(3, "AH KH", N))
    won = deal.won()
    assert won is not None
    assert {str(line): one.tricks for line, one in won.items()} == {"NS": 1, "EW": 0}
    assert deal.code.tricks == 8


def test_a_count_says_what_is_odd_about_its_document() -> None:
    document = {"deal": {"NS": {"cards": ["AH", "AH", "??", "KS"]}, "EW": {"cards": ["QD"]}}}
    answer = count_of(CODE, document)
    assert answer["lines"]["NS"] == {"items": {"tricks": 1}, "total": 1}
    assert answer["warnings"] == ["EW: 1 cards are no whole tricks", "AH is there twice"]
    assert total(card_points({"A": 1})(Winnings(("??",)))) is None
