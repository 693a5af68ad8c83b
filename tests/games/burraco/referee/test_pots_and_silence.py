"""Art. 23 of fibur2024: a pot looked at too early, a partner reminded of the draw: what only a person can tell."""

from __future__ import annotations

from typing import Any


def test_f23f_art23_a_pot_looked_at_before_the_partners_discard_is_a_warning(script: Any) -> None:
    script.console("rule", row="F-23f", seat="N")
    verdict = script.last()
    assert (verdict["severity"], verdict["state"], verdict["pair"]) == ("warning", "ruled", "NS")
    assert [step["do"] for step in verdict["remedy"]] == ["warn"]
    assert [(e.data.line, e.data.row) for e in script.of("warning.given")] == [("NS", "F-23f")]


def test_f23g_art23_who_was_reminded_draws_and_discards_and_the_pair_is_warned(script: Any) -> None:
    script.hands(W="")
    script.console("rule", row="F-23g", seat="E")
    assert [(e.data.do, e.data.who) for e in script.of("sanction.imposed")] == [("limit-turn", "W")]
    assert [e.data.line for e in script.of("warning.given")] == ["EW"]
    script.draw("W")
    script.discard("W", "3S")
    assert [(e.data.do, e.data.who) for e in script.of("sanction.served")] == [("limit-turn", "W")]


def test_f23g_art23_cards_laid_after_the_reminder_break_the_ruling(script: Any) -> None:
    script.hands(W="")
    script.console("rule", row="F-23g", seat="E")
    script.draw("W")
    script.lay("W", 0, "4C 5C 6C")
    assert [e.data.reason for e in script.of("sanction.broken")] == ["cards were laid"]
    assert script.verdicts() == [("F-23g", "E", "ruled")]
