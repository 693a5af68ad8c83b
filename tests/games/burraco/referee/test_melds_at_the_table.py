"""Arts. 10, 11 and 25 to 31 of fibur2024 played as gestures: through the twin's sensors, tracking and the fold."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hw.cards import BURRACO
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    DiscardGesture,
    DrawGesture,
    Gesture,
    LayGesture,
    Press,
    PushRow,
    PutAside,
    PutBack,
    TakeFromRow,
    TakeUp,
    TurnShield,
    TurnUpGesture,
    Wait,
)
from table_service.games.burraco.rehearsal.burraco_gestures import set_table, take_pot
from tests.games.burraco.twin_table import HAND, TwinTable

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST


def table(stock: str = "", **wanted: str) -> TwinTable:
    """A deal, dealer S, the first card turned up: ``wanted`` cards by seat, ``stock`` the next draws in order."""
    cards = list(BURRACO.cards())
    named = {Seat(seat): tuple(one.split()) for seat, one in wanted.items()}
    draws = tuple(stock.split())
    for card in (*draws, *(card for some in named.values() for card in some)):
        cards.remove(card)
    random.Random(3).shuffle(cards)
    rest = iter(cards)
    hands = {
        seat: (*named.get(seat, ()), *(next(rest) for _ in range(HAND - len(named.get(seat, ()))))) for seat in SEATS
    }
    first, second = (tuple(next(rest) for _ in range(HAND)) for _ in range(2))
    left = list(rest)
    top = left.pop()
    twin = TwinTable(set_table(hands, (first, second), (*left, *reversed(draws), top)))
    twin.do(TurnUpGesture(S), Wait(1.5))
    return twin


def played(twin: TwinTable, *gestures: Gesture) -> list[tuple[str, str | None, str]]:
    """What the table has said of irregularities once ``gestures`` were made and it has rested."""
    twin.do(*gestures, Wait(6.5))
    return twin.verdicts()


def rows(twin: TwinTable) -> list[str]:
    return list(dict.fromkeys(row for row, _, _ in twin.verdicts()))


def dos(twin: TwinTable) -> list[str]:
    return [step["do"] for step in twin.last()["remedy"]]


WRONG = [
    ("F-29b", "5H#1 6H#1 8H#1"),
    ("F-29b", "7H#1 7D#1 8C#1"),
    ("F-29c", "JK#1 5H#1 9H#1"),
    ("F-10b", "JK#1 2S#1 2H#1"),
]


@pytest.mark.parametrize(("row", "cards"), WRONG)
def test_f29b_f29c_f10b_art29_a_wrong_opening(row: str, cards: str) -> None:
    twin = table(W=cards)
    said = played(twin, DrawGesture(W), LayGesture(W, 0, tuple(cards.split())))
    verdict = twin.last()
    assert said == [(row, "W", "open")]
    assert (verdict["severity"], verdict["found"]) == ("play-stops", "during_turn")
    assert sorted(verdict["cards"]) == sorted(card.partition("#")[0] for card in cards.split())
    assert dos(twin)[:2] == ["stop-play", "complete-or-penalise"]


@pytest.mark.parametrize(("row", "added"), [("F-29d", "KD#1"), ("F-12b", "2C#1")])
def test_f29d_f12b_art29_a_wrong_addition(row: str, added: str) -> None:
    twin = table(W=f"JK#1 6H#1 7H#1 8H#1 {added}")
    run = ("JK#1", "6H#1", "7H#1", "8H#1")
    said = played(twin, DrawGesture(W), LayGesture(W, 0, run), Wait(1.0), LayGesture(W, 0, (*run, added)))
    assert said == [(row, "W", "open")]
    assert twin.last()["cards"] == [added.partition("#")[0]] or twin.last()["cards"] == [added]


def test_f29b_art29_penalised_cards_are_laid_aside_and_discarded_one_a_turn() -> None:
    twin = table(W="5H#1 6H#1 8H#1")
    played(twin, DrawGesture(W), LayGesture(W, 0, ("5H#1", "6H#1", "8H#1")))
    twin.do(ConsoleGesture("rule", fields={"row": "F-29b", "seat": "W", "option": "penalise", "meld": 0}), Wait(1.0))
    twin.do(TakeFromRow(W, 0, ("5H#1", "6H#1", "8H#1")), Wait(1.0), PutAside(W, ("5H#1", "6H#1", "8H#1")), Wait(1.0))
    twin.do(TakeUp(W, ("8H#1",)), Wait(1.0), DiscardGesture(W, "8H#1"), Wait(2.0))
    for seat in (N, E, S):
        twin.do(DrawGesture(seat), Wait(1.0), DiscardGesture(seat, twin.hand(seat)[0]), Wait(1.0))
    twin.do(DrawGesture(W), Wait(1.0), TakeUp(W, ("6H#1",)), Wait(1.0), DiscardGesture(W, "6H#1"), Wait(2.0))
    assert [e.data.do for e in twin.of("sanction.served")] == ["limit-turn"]
    assert twin.of("sanction.broken") == []
    assert twin.verdicts() == [("F-29b", "W", "open"), ("F-29b", "W", "ruled")]


def test_f25b_f25c_art25_after_the_discard_and_later() -> None:
    twin = table(W="5H#1 6H#1 8H#1")
    played(
        twin,
        DrawGesture(W),
        LayGesture(W, 0, ("5H#1", "6H#1", "8H#1")),
        Wait(1.0),
        DiscardGesture(W, twin.hand("W")[-1]),
    )
    assert twin.verdicts()[-1] == ("F-25b", "W", "open")
    assert twin.last()["found"] == "after_discard_before_next_draw"
    played(twin, DrawGesture(N))
    assert twin.verdicts()[-1] == ("F-25c", "W", "open")
    assert len({event.data.key for event in twin.of("irregularity")}) == 1
    assert (twin.last()["severity"], twin.last()["found"]) == ("score", "later")


def test_f29a_art29_half_a_meld_and_a_discard() -> None:
    twin = table(W="KH#1 KD#1")
    played(twin, DrawGesture(W), LayGesture(W, 0, ("KH#1", "KD#1")))
    assert twin.verdicts() == []
    played(twin, DiscardGesture(W, twin.hand("W")[-1]))
    assert twin.verdicts() == [("F-29a", "W", "open")]
    assert dos(twin) == ["stop-play", "penalise", "discard", "limit-turn"]


def test_f29e_art29_a_card_laid_towards_a_meld_is_valid_and_freezes_it() -> None:
    twin = table(W="KH#1 KD#1 KC#1 KS#1")
    three = ("KH#1", "KD#1", "KC#1")
    played(
        twin,
        DrawGesture(W),
        LayGesture(W, 0, three),
        Wait(1.0),
        LayGesture(W, 1, ("KS#1",), beside=0),
        DiscardGesture(W, twin.hand("W")[-1]),
    )
    assert twin.verdicts() == [("F-29e", "W", "open")]
    assert dos(twin) == ["stop-play", "nothing", "freeze", "limit-turn"]
    twin.do(ConsoleGesture("rule", fields={"row": "F-29e", "seat": "W"}), Wait(1.0))
    played(twin, PushRow(W, 1, 0, (*three, "KS#1")))
    assert rows(twin) == ["F-29e"]
    meld = twin.fold.deal.meld(0) if twin.fold.deal else None
    assert meld is not None
    assert (len(meld.cards), meld.frozen) == (4, "temporary")


def test_f10a_art10_another_wild_in_the_place_of_one_that_stands_for_a_card() -> None:
    twin = table(W="8H#1 9H#1 JK#1 JH#1 2S#1")
    twin.do(DrawGesture(W), LayGesture(W, 0, ("8H#1", "9H#1", "JK#1", "JH#1")), Wait(2.0))
    said = played(twin, TakeFromRow(W, 0, ("JK#1",)), Wait(1.0), LayGesture(W, 0, ("8H#1", "9H#1", "2S#1", "JH#1")))
    assert said == [("F-10a", "W", "open")]
    assert dos(twin)[:2] == ["stop-play", "take-back"]


def test_f11b_art11_the_partner_puts_a_run_in_order() -> None:
    twin = table(W="5H#1 6H#1 7H#1")
    twin.do(
        DrawGesture(W),
        LayGesture(W, 0, ("6H#1", "5H#1", "7H#1")),
        Wait(2.0),
        DiscardGesture(W, twin.hand("W")[-1]),
        Wait(2.0),
    )
    twin.do(DrawGesture(N), Wait(1.0), DiscardGesture(N, twin.hand("N")[0]), Wait(2.0), DrawGesture(E), Wait(1.0))
    assert twin.verdicts() == []
    said = played(twin, LayGesture(W, 0, ("5H#1", "6H#1", "7H#1")))
    assert said == [("F-11b", "W", "open")]
    assert dos(twin) == ["stop-play", "warn", "limit-turn"]


def test_f26e_xf10_art26_two_cards_discarded_together() -> None:
    twin = table(W="7H#1 TS#1")
    said = played(twin, DrawGesture(W), Wait(1.0), DiscardGesture(W, "7H#1", under="TS#1"))
    assert said == [("F-26e", "W", "open")]
    assert twin.last()["cards"] == ["??"]
    assert dos(twin) == ["stop-play", "nothing", "take-back", "expose"]
    assert "TS" not in str([event.data for event in twin.of("irregularity")])


def test_f27c_art27_the_partner_adds_to_a_frozen_meld() -> None:
    twin = table(W="KH#1 KD#1 KC#1", E="KS#1")
    twin.do(DrawGesture(W), Wait(1.0), DiscardGesture(W, twin.hand("W")[-1]), Wait(2.0))
    played(twin, LayGesture(W, 0, ("KH#1", "KD#1", "KC#1")))
    twin.do(ConsoleGesture("rule", fields={"row": "F-27a", "seat": "W"}), Wait(1.0))
    twin.do(DrawGesture(N), Wait(1.0), DiscardGesture(N, twin.hand("N")[0]), Wait(2.0), DrawGesture(E), Wait(1.0))
    played(twin, LayGesture(E, 0, ("KH#1", "KD#1", "KC#1", "KS#1")))
    assert rows(twin) == ["F-27a", "F-27c"]
    assert twin.last()["offender"] == "E"


def test_f27b_art27_another_meld_before_the_penalised_card_is_discarded() -> None:
    twin = table(W="5H#1 6H#1 8H#1 KH#1 KD#1 KC#1")
    wrong = ("5H#1", "6H#1", "8H#1")
    played(twin, DrawGesture(W), LayGesture(W, 0, wrong))
    twin.do(ConsoleGesture("rule", fields={"row": "F-29b", "seat": "W", "meld": 0}), Wait(1.0))
    twin.do(TakeFromRow(W, 0, wrong), Wait(1.0), PutAside(W, wrong), Wait(2.0))
    played(twin, LayGesture(W, 1, ("KH#1", "KD#1", "KC#1")))
    assert rows(twin) == ["F-29b", "F-27b"]
    assert dos(twin) == ["stop-play", "freeze"]


def flown() -> TwinTable:
    """W lays a run of twelve in its first turn and takes the pot in flight."""
    run = tuple(f"{rank}H#1" for rank in "A23456789TJQ")
    twin = table(stock="QH#1", W=" ".join(run[:11]))
    twin.do(DrawGesture(W), Wait(1.0), LayGesture(W, 0, run), Wait(3.0), TurnShield(W, "over"), Wait(1.0))
    twin.do(take_pot(W, giver=N), Wait(2.0), TurnShield(W, "up"), Wait(2.0))
    assert [e.data.manner for e in twin.of("pot.taken")] == ["in-flight"]
    return twin


@pytest.mark.parametrize("gesture", [DrawGesture(W), CollectGesture(W)])
def test_f31f_art31_a_pot_in_flight_and_another_draw(gesture: Gesture) -> None:
    twin = flown()
    said = played(twin, gesture)
    assert said == [("F-31f", "W", "open")]
    back = "return-to-stock" if isinstance(gesture, DrawGesture) else "return-to-pile"
    assert back in dos(twin)


def test_f31c_xf14_art31_a_card_drawn_out_of_turn_and_added() -> None:
    twin = table(stock="9C#2 7S#1", W="4S#1 5S#1 6S#1 8S#1")
    twin.do(
        DrawGesture(W),
        LayGesture(W, 0, ("4S#1", "5S#1", "6S#1")),
        Wait(2.0),
        DiscardGesture(W, twin.hand("W")[-1]),
        Wait(2.0),
    )
    played(twin, DrawGesture(W), Wait(1.0), LayGesture(W, 0, ("4S#1", "5S#1", "6S#1", "7S#1", "8S#1")))
    assert rows(twin) == ["F-31a", "F-31c"]
    assert len({event.data.key for event in twin.of("irregularity")}) == 1
    twin.do(ConsoleGesture("rule", fields={"row": "F-31c", "seat": "W", "option": "drawn-card"}), Wait(1.0))
    twin.do(TakeFromRow(W, 0, ("7S#1", "8S#1")), Wait(1.0), PutBack(W, "7S#1"), Wait(2.0))
    assert "return-to-stock" in [e.data.do for e in twin.of("sanction.served")]
    assert twin.of("sanction.broken") == []


def test_fg03_the_arbitro_is_called_and_the_wrong_meld_is_told_at_once() -> None:
    twin = table(W="5H#1 6H#1 8H#1")
    twin.do(DrawGesture(W), LayGesture(W, 0, ("5H#1", "6H#1", "8H#1")), Wait(1.2), Press(N, "referee"))
    assert twin.verdicts() == [("F-29b", "W", "open")]


def test_art10_art12_melds_in_order_accuse_nobody() -> None:
    melds: list[tuple[str, ...]] = [
        ("2D#1", "2S#1", "3D#1"),
        ("9C#1", "7C#1", "8C#1"),
        ("KH#1", "KH#2", "KD#1"),
    ]
    twin = table(W=" ".join(card for one in melds for card in one))
    gestures: list[Any] = [DrawGesture(W)]
    for row, cards in enumerate(melds):
        gestures += [LayGesture(W, row, cards), Wait(1.0)]
    played(twin, *gestures)
    played(twin, DiscardGesture(W, twin.hand("W")[-1]))
    assert twin.verdicts() == []
