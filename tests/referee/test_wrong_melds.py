"""Arts. 5, 10 to 13, 25 and 29 of fibur2024: melds that are none as they lie."""

from __future__ import annotations

from typing import Any

import pytest


def rest(script: Any, seconds: float = 5.0) -> list[Any]:
    """Time passes and nothing moves: an observation that means nothing to the game."""
    script.t += seconds
    before = len(script.events)
    script.notice(_idle(script.t))
    return script.events[before:]


def _idle(t: float) -> Any:
    from hw.observations import Health

    return Health(t, "node-1", "ok", "")


def do(script: Any) -> list[str]:
    return [step["do"] for step in script.last()["remedy"]]


@pytest.mark.parametrize(
    ("row", "cards", "excess"),
    [
        ("F-29b", "5H 6H 8H", "5H 6H 8H"),
        ("F-29b", "7H 7D 8C", "7H 7D 8C"),
        ("F-29b", "5H 6H 7H 9H", "9H"),
        ("F-29c", "JK 5H 9H", "JK 5H 9H"),
        ("F-29c", "2S 7H 8D", "2S 7H 8D"),
        ("F-10b", "JK 2S 2H", "JK 2S 2H"),
        ("F-12b", "JK 2S 5H 6H 7H", "2S"),
        ("F-05d", "KH#1 KH#2 KH KS", "KH"),
    ],
)
def test_art29_wrong_opening_found_in_the_turn(script: Any, row: str, cards: str, excess: str) -> None:
    script.draw("W")
    script.lay("W", 0, cards)
    assert script.verdicts() == []
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [(row, "W", "open")]
    assert (verdict["severity"], verdict["found"], verdict["pair"]) == ("play-stops", "during_turn", "EW")
    assert sorted(verdict["cards"]) == sorted(card.partition("#")[0] for card in excess.split())
    assert do(script)[:2] == ["stop-play", "complete-or-penalise"]
