"""Two machines with the name of one table are told, a table that is started again is not taken for two."""

from __future__ import annotations

from typing import Any

import pytest

from table_service.console.twins import WITHIN_S, Twins

SAID = "due macchine parlano con il nome di questo tavolo"


class Hearing:
    def __init__(self) -> None:
        self.now = 0.0
        self.twins = Twins(lambda: self.now)

    def hear(self, boots: str) -> list[bool]:
        told = []
        for boot in boots:
            self.now += 1.0
            told.append(self.twins.heard(boot))
        return told


@pytest.mark.parametrize("boots", ["aaaa", "aaabbb", "abcdefg", "aaaba"])
def test_one_machine_however_often_it_is_started_is_one(boots: str) -> None:
    hearing = Hearing()
    assert not any(hearing.hear(boots)), "a message may overtake another where a table was started again"
    assert not hearing.twins.are_two


@pytest.mark.parametrize("boots", ["abab", "aabbaabb", "abcabc"])
def test_two_that_take_turns_are_two_and_told_once(boots: str) -> None:
    hearing = Hearing()
    assert sum(hearing.hear(boots)) == 1
    assert hearing.twins.are_two


def test_once_one_of_them_is_silent_it_is_said_no_more() -> None:
    hearing = Hearing()
    hearing.hear("abab")
    hearing.now += WITHIN_S
    assert not hearing.twins.are_two
    assert hearing.hear("bbb") == [False] * 3


async def test_the_page_and_the_tile_say_that_two_machines_speak(house: Any) -> None:
    import console_feed as feed

    house.hear()
    boots = ("000a3f", "000b00")
    for seq in range(70, 74):
        event = {**feed.event(seq, "turn.started", "N"), "boot": boots[seq % 2]}
        house.say("T12/event/turn.started", {**event, "id": f"T12-{boots[seq % 2]}-{seq:06}"})
        if seq == 71:
            assert SAID not in await house.page()
    assert SAID in await house.page()


async def test_what_a_journal_tells_later_of_an_earlier_start_makes_no_second_machine(house: Any) -> None:
    import console_feed as feed

    house.hear()
    boots = ("000a3f", "000b00")
    for seq in range(70, 78):
        boot = boots[seq % 2]
        event = {**feed.event(seq, "turn.started", "N"), "boot": boot, "late": boot == boots[0]}
        house.say("T12/event/turn.started", {**event, "id": f"T12-{boot}-{seq:06}"})
    assert SAID not in await house.page()


async def test_two_machines_with_one_card_have_the_same_boots_and_are_told_with_their_addresses(house: Any) -> None:
    house.hear()
    for n in range(4):
        status = {"state": "ready", "boot": "000a3f", "instance": f"p{n % 2}", "address": f"192.168.1.{7 + n % 2}"}
        house.say("T12/status", status)
        house.say("T12/status", {**status, "state": "lost"})
        assert (SAID in await house.page()) == (n == 3)
    assert "192.168.1.7, 192.168.1.8" in await house.page()


async def test_a_table_whose_connection_another_takes_again_and_again_says_so_in_its_health(house: Any) -> None:
    house.hear()
    for count in (1, 2):
        house.say("T12/health", {"mqtt": {"connected": True, "taken_over": count}})
        assert (SAID in await house.page()) == (count == 2)
