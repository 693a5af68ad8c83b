"""The same gestures under each code: what differs is told differently (D-01 to D-58), and nothing else decides it."""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.rules import pots
from tests.games.burraco.conftest import Script

OPTIONS: Final[dict[str, dict[str, Any]]] = {"online": {"target": 1000}}


def table(rules: str, **more: Any) -> Script:
    """A table at which the first card lies on the discard spot: W is to play, S has dealt."""
    script = Script(rules=rules, **OPTIONS.get(rules, {}), **more)
    script.turn_up()
    return script


def told(script: Script) -> list[tuple[str, str | None]]:
    """Row and offender of every irregularity as it was told last."""
    newest = {event.data.key: (event.data.row, event.seat) for event in script.of("irregularity")}  # type: ignore[attr-defined]
    return list(newest.values())


def states(script: Script) -> list[str]:
    newest = {event.data.key: event.data.state for event in script.of("irregularity")}  # type: ignore[attr-defined]
    return list(newest.values())


@pytest.mark.parametrize(
    ("rules", "visible_to", "row"),
    [
        ("fibur2024", "NESW", "F-24a"),
        ("fibur2024", "NS", None),
        ("feburit", "NESW", "B-10h"),
        ("feburit", "NS", "B-10h"),
        ("online", "NESW", None),
    ],
)
def test_d01_a_card_of_the_partner_of_who_plays(rules: str, visible_to: str, row: str | None) -> None:
    script = table(rules)
    script.draw("W")
    script.expose("E", "4H", visible_to)
    assert told(script) == ([(row, "E")] if row else [])


@pytest.mark.parametrize(("rules", "row"), [("fibur2024", "F-24a"), ("feburit", "B-10a"), ("online", None)])
def test_d02_a_card_of_who_plays(rules: str, row: str | None) -> None:
    script = table(rules)
    script.draw("W")
    script.expose("W", "4H")
    assert told(script) == ([(row, "W")] if row else [])


@pytest.mark.parametrize(("rules", "row"), [("fibur2024", "F-30a"), ("feburit", "B-13a"), ("online", "O-22")])
def test_d08_a_meld_before_the_draw(rules: str, row: str) -> None:
    script = table(rules)
    script.lay("W", 1, "8H 8S 8C")
    assert told(script) == [(row, "W")]


@pytest.mark.parametrize(
    ("rules", "row", "steps"),
    [
        ("fibur2024", "F-31a", ["stop-play", "return-to-stock", "limit-turn"]),
        ("feburit", "B-14a", ["stop-play", "return-to-stock", "return-to-pile", "limit-turn", "bar-closing"]),
        ("online", "O-20", ["stop-play", "take-back", "referee"]),
    ],
)
def test_d09_a_draw_out_of_turn(rules: str, row: str, steps: list[str]) -> None:
    script = table(rules)
    script.turn("W")
    script.draw("W")
    assert told(script) == [(row, "W")]
    assert [step["do"] for step in script.last()["remedy"] if step["do"] != "show"] == steps


@pytest.mark.parametrize(
    ("rules", "after_south", "after_west"),
    [
        ("fibur2024", "healed", "healed"),
        ("feburit", "open", "healed"),
        ("online", "healed", "healed"),
    ],
)
def test_d56_a_draw_out_of_turn_is_past_with_another_s_draw(rules: str, after_south: str, after_west: str) -> None:
    """S draws in N's turn; N, his partner, plays, then E, an opponent; S himself, and W, the seat after him."""
    script = table(rules)
    script.turn("W")
    script.draw("S")
    assert states(script) == ["open"]
    script.turn("N")
    script.draw("E")
    assert states(script)[0] == after_south
    script.discard("E", "4S")
    script.turn("S", "5S")
    script.draw("W")
    assert states(script)[0] == after_west


@pytest.mark.parametrize(("rules", "by"), [("fibur2024", "S"), ("feburit", "N")])
def test_d14_the_last_round_after_a_time_out_in_the_turn_of_the_second(rules: str, by: str) -> None:
    """S has dealt and W has played; the time-out comes while N plays."""
    script = table(rules)
    script.turn("W")
    script.draw("N")
    script.console("time-out")
    script.discard("N", "5S")
    for seat in "ESWNESW":
        if script.of("deal.ended"):
            break
        script.turn(seat)
    ends = script.of("deal.ended")
    assert [(event.data.manner, event.seat) for event in ends] == [("time-out", by)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("rules", "swaps"), [("fibur2024", 4), ("feburit", 9)])
def test_d26_so_many_exchanges_in_a_row_are_a_stalemate(rules: str, swaps: int) -> None:
    script = table(rules)
    row = {"fibur2024": "F-16", "feburit": "B-20b"}[rules]
    script.console("rule", row=row)
    card, seats = "TD", "WNES" * 3
    for number, seat in enumerate(seats, start=1):
        script.collect(seat, card)
        card = f"{'3456789'[number % 7]}{'HDCS'[number % 4]}"
        script.discard(seat, card)
        if script.of("deal.ended"):
            break
    assert number == swaps
    assert [event.data.manner for event in script.of("deal.ended")] == ["stalemate"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rules", "row", "cards"),
    [("fibur2024", "F-33", ["9C"]), ("feburit", "B-21a", ["8C", "9C"]), ("online", "O-29", ["8C", "9C"])],
)
def test_d46_what_is_the_last_play_of_who_goes_out_without_a_burraco(rules: str, row: str, cards: list[str]) -> None:
    script = table(rules)
    script.hands(W="5C 6C 7C 8C 9C")
    script.suppose(lambda deal: pots.take_pot(deal, deal.dealer.previous, "discard").correct("hand-E", ()))
    script.hands(W="5C 6C 7C 8C 9C")
    script.draw("W", "KD")
    script.lay("W", 1, "5C 6C 7C")
    script.lay("W", 1, "8C 9C", before="5C 6C 7C")
    script.discard("W", "KD")
    assert told(script) == [(row, "W")]
    assert script.last()["cards"] == cards
