"""The time for an action (D-51): counted from the observations, told when it is over, known to no code without one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hw.observations import Health
from tests.games.burraco.conftest import Script


def table(**options: Any) -> Script:
    script = Script(rules="online", target=2005, **options)
    script.turn_up()
    return script


def waits(script: Script, seconds: float) -> None:
    """So much time passes, and something is heard that has to do with no card."""
    script.t += seconds
    script.notice(Health(script.t, "gates", "ok", ""))


def countdown(script: Script) -> Any:
    return script.fold.state()["countdown"]


def over(script: Script) -> list[tuple[str, float]]:
    return [(str(event.seat), round(event.committed_t or 0, 1)) for event in script.of("countdown.ended")]


def test_sixty_seconds_from_each_action_for_who_is_in_turn() -> None:
    script = table()
    waits(script, 1.0)
    assert countdown(script)["seat"] == "W"
    script.draw("W")
    drawn = script.t - 0.3
    waits(script, 1.0)
    assert countdown(script) == {"seat": "W", "until": pytest.approx(drawn + 60)}
    waits(script, 58.0)
    assert over(script) == []
    script.discard("W", "4C")
    discarded = script.t - 0.3
    waits(script, 1.0)
    assert countdown(script) == {"seat": "N", "until": pytest.approx(discarded + 60)}


def test_when_it_ends_the_table_says_so_once_and_waits() -> None:
    script = table()
    script.draw("W")
    drawn = script.t - 0.3
    waits(script, 61.0)
    waits(script, 5.0)
    waits(script, 90.0)
    assert over(script) == [("W", round(drawn + 60, 1))]
    assert [(row, seat, state) for row, seat, state in script.verdicts()] == [("O-31", "W", "open")]
    assert [step["do"] for step in script.last()["remedy"]] == ["nothing", "referee"]
    assert script.fold.state()["turn"]["seat"] == "W"
    script.discard("W", "4C")
    script.draw("N")
    assert script.verdicts()[-1] == ("O-31", "W", "healed")


def test_the_minute_of_the_whole_turn_does_not_begin_anew_with_an_action() -> None:
    script = table(per_action="turn")
    waits(script, 1.0)
    until = countdown(script)["until"]
    script.draw("W")
    waits(script, 20.0)
    assert countdown(script) == {"seat": "W", "until": until}


def test_nobody_s_time_runs_while_something_waits_for_the_arbitro() -> None:
    script = table()
    script.draw("W")
    script.draw("E")
    waits(script, 100.0)
    waits(script, 100.0)
    assert over(script) == []
    assert countdown(script) is None


@pytest.mark.parametrize("rules", ["fibur2024", "feburit"])
def test_d51_a_code_without_a_time_tells_and_shows_none(rules: str) -> None:
    script = Script(rules=rules)
    script.turn_up()
    script.draw("W")
    waits(script, 100.0)
    waits(script, 100.0)
    assert script.of("countdown.ended") == []
    assert script.verdicts() == []
    assert "countdown" not in json.dumps(script.fold.state(), default=str)


def test_no_time_runs_once_the_round_has_ended() -> None:
    script = table()
    script.draw("W")
    waits(script, 1.0)
    assert countdown(script)["seat"] == "W"
    script.console("end-round")
    waits(script, 90.0)
    assert countdown(script) is None
    assert over(script) == []
