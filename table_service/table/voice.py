"""The voice of one table: it numbers and dates events, and folds those of a deal into a chain."""

from __future__ import annotations

import math
from typing import Any

from hw.observation_log import Header
from hw.seats import CLOCKWISE, Line, Rotation, Seat
from table_service.events import Envelope, Event
from table_service.events import payloads as say
from table_service.referee.chance import BEGIN, chained


class Voice:
    """Emits the events of one table in the order in which they are said.

    ``boot`` and ``first`` number them; ``rotation`` gives the line of a seat. ``latest``: the time of the newest
    observation in seconds; events that waited for a later one when the log ended are emitted with it. ``turn``: the
    turn that runs, 0 before play, None without a deal; the game keeps it.
    """

    def __init__(self, header: Header, boot: str, first: int, rotation: Rotation = CLOCKWISE) -> None:
        self._rotation = rotation
        self.latest = 0.0
        self.turn: int | None = None
        self._deal = 0
        self._chain = BEGIN
        self._table = header.table
        self._envelope = Envelope(header.table, header.started, boot, first)
        self._told: list[Event] = []
        self.refusal = ""
        """Why the newest order that was refused was; who follows an order clears it before."""
        self.awaits_evidence = False
        """True if the order that is followed is decided later, by ``decide``; who follows an order clears it before."""
        self._decisions: list[tuple[float, str]] = []

    @property
    def chain(self) -> str:
        """Digest of all events emitted in the deal: a card drawn at random follows from it."""
        return self._chain

    def enter(self, deal: int, turn: int | None = None) -> None:
        """Date events with deal ``deal`` of the round from now on (0: none yet); its chain begins."""
        self._deal, self.turn, self._chain = deal, turn, BEGIN

    def enter_boot(self, boot: str, started: str) -> None:
        """Give events numbers from 1 as those of ``boot`` from now on; ``started``: UTC of the log's second 0."""
        self._envelope = Envelope(self._table, started, boot)

    def say(
        self,
        type_: str,
        data: say.Payload,
        t: float,
        seat: Seat | None = None,
        *,
        line: Line | None = None,
        deal: int | None = None,
        committed_t: float | None = None,
        confidence: float = 1.0,
        basis: tuple[str, ...] = (),
        secret: dict[str, Any] | None = None,
    ) -> Event:
        """Emit an event and return it with its number.

        ``t``, ``committed_t``: seconds of the log. ``deal``: the number of the deal that it is about, if that is not
        the one that runs. ``secret``: its hidden part.
        """
        t = t if math.isfinite(t) else self.latest
        self._chain = chained(self._chain, type_, t)
        event = self._envelope.make(
            type_,
            data,
            t=t,
            deal=deal or self._deal or None,
            turn=self.turn,
            seat=seat,
            line=line if line is not None or seat is None else self._line_of(seat),
            confidence=confidence,
            basis=basis,
            committed_t=committed_t,
            secret=secret,
        )
        self._told.append(event)
        return event

    def _line_of(self, seat: Seat) -> Line:
        """Return the line of ``seat``; at a seat that should be empty, that of the player opposite."""
        return self._rotation.line(seat) if self._rotation.holds(seat) else seat.line

    def ignored(self, note: str, t: float, *, in_part: bool = False) -> None:
        """Report that an order, or an observation, was kept but not acted upon, and why.

        ``in_part``: the order itself was carried out, only what ``note`` says was not.
        """
        if not in_part:
            self.refusal = note
        self.say("table.health", say.TableHealth(what="order", state="ignored", note=note), t)

    def decide(self, t: float, why: str = "") -> None:
        """Settle a person's statement of time ``t``: it is taken, or refused for the reason ``why``."""
        self._decisions.append((t, why))
        if why:
            self.ignored(why, t)

    def decisions(self) -> list[tuple[float, str]]:
        """Return the decisions since the last call: of what was stated when, and why refused (empty: it is taken)."""
        made, self._decisions = self._decisions, []
        return made

    @property
    def waiting(self) -> int:
        """Number of events said since the last call of ``drain``."""
        return len(self._told)

    def drain(self) -> list[Event]:
        """Return the events said since the last call."""
        told, self._told = self._told, []
        return told
