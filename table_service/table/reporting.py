"""Findings of any game's referee, reported as events and entered on the score sheet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from hw.seats import LINES, Line, Rotation
from table_service.referee.values import Awarded, Bonus, Ignored, Irregularity, SanctionSaid, Warned
from table_service.table import finding_payloads as payloads
from table_service.table.round_state import RoundState
from table_service.table.voice import Voice


class Doubtful(Protocol):
    """The sheets of a round, as far as a ruling can put them in doubt."""

    def doubt(self, lines: Iterable[Line], t: float) -> None:
        """Doubt the score of the newest deal for ``lines`` from ``t`` on."""

    def enter_owed(self, t: float) -> None:
        """Enter on the newest deal's sheet what was given since the table's restart."""


class Reporting:
    """Reports findings. What changes play besides, a game carries out itself."""

    def __init__(self, voice: Voice, state: RoundState, sheets: Doubtful, rotation: Rotation) -> None:
        self._voice = voice
        self._round = state
        self._sheets = sheets
        self._rotation = rotation

    def tell_all(self, findings: Iterable[object]) -> None:
        """Report ``findings`` in order."""
        for finding in findings:
            self.tell(finding)

    def tell(self, finding: object, deal: int | None = None) -> None:
        """Report ``finding`` if it is one that every game has (``referee.values``); others are not reported.

        ``deal``: the earlier one that an irregularity belongs to; None: the one that runs.
        """
        match finding:
            case Irregularity():
                self._irregularity(finding, deal)
            case SanctionSaid(what=what, sanction=one, t=t, committed_t=committed, reason=reason):
                secret = None if one.seen else payloads.secret_cards(one.cards)
                data = payloads.sanction(one, reason)
                self._voice.say(f"sanction.{what}", data, t, one.who, committed_t=committed, secret=secret)
            case Warned(line=line, t=t):
                self._voice.say("warning.given", payloads.warning(finding), t, line=line)
            case Awarded(key=key, row=row, t=t, ruling=ruling, lifted=lifted):
                self._round.rule(key, row, ruling, t, lifted=lifted)
            case Bonus(line=line, points=points, t=t):
                self._round.give_bonus(line, points)
                self._sheets.enter_owed(t)
            case Ignored(note=note, t=t, in_part=in_part):
                self._voice.ignored(note, t, in_part=in_part)

    def _irregularity(self, one: Irregularity, deal: int | None) -> None:
        self._voice.say(
            "irregularity",
            payloads.irregularity(one, self._rotation),
            one.t,
            one.offender,
            line=one.line,
            deal=deal,
            confidence=one.confidence,
            basis=one.basis,
            committed_t=one.committed_t,
            secret=None if one.seen else payloads.secret_cards(one.cards),
        )
        if (
            deal is None
            and one.earlier
            and one.ruling
            and one.row.touches_score
            and one.state in ("ruled", "dismissed")
        ):
            self._sheets.doubt(LINES if one.line is None else (one.line,), one.t)
