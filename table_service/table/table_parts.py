"""The parts of a table that every game finds there, composed once for each log."""

from __future__ import annotations

from dataclasses import dataclass

from hw.observation_log import Header
from hw.seats import Seat
from table_service.events import payloads as say
from table_service.table.deal_sheets import DealSheets
from table_service.table.reporting import Reporting
from table_service.table.round_state import CodeFacts, RoundReferee, RoundState
from table_service.table.sensor_health import SensorHealth
from table_service.table.tag_trust import TagTrust
from table_service.table.voice import Voice
from table_service.tracking import Tracker


@dataclass(frozen=True, slots=True)
class TableParts:
    """Parts of its table that a game may ask, and report through. ``referee``: the game's own, as rounds know it."""

    header: Header
    rules: CodeFacts
    referee: RoundReferee
    tracker: Tracker
    voice: Voice
    round: RoundState
    sheets: DealSheets
    health: SensorHealth
    tag_trust: TagTrust
    reporting: Reporting

    def begin_deal(self, number: int, dealer: Seat, t: float) -> None:
        """Begin deal ``number`` of the round: close the one before, and report the new one."""
        self.reporting.tell_all(self.referee.new_deal(number, t))
        self.round.enter_deal(number, dealer, counted=self.sheets.score is not None)
        self.sheets.begin_deal()
        self.voice.say("deal.started", say.DealStarted(dealer=dealer, n=number), t)


def open_table(header: Header, rules: CodeFacts, referee: RoundReferee, boot: str, first: int) -> TableParts:
    """Return the table of a log with ``header``; ``boot`` and ``first`` number its events."""
    voice = Voice(header, boot, first, rules.rotation)
    state = RoundState(header, rules, voice, referee)
    sheets = DealSheets(rules.sheet, voice, state, referee)
    health = SensorHealth(voice)
    return TableParts(
        header=header,
        rules=rules,
        referee=referee,
        tracker=Tracker(header, rules.equipment, rules.rotation),
        voice=voice,
        round=state,
        sheets=sheets,
        health=health,
        tag_trust=TagTrust(header.tags, health),
        reporting=Reporting(voice, state, sheets, rules.rotation),
    )
