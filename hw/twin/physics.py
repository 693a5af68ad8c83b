"""Readings of each sensor of the twin: beats become signals, cards become grams, with the assumed errors.

A coil powers one card that lies alone over it. Two stacked, a pile, a fan, a stack never answer, at any level of
noise: that is physics and no error rate. A single card on the spot of a pile keeps answering.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hw.observation_log import CARD_GRAMS
from hw.seats import Seat
from hw.twin.noise import Noise
from hw.twin.raw import RawValue
from hw.twin.timed_events import Act, ArmIn, ArmOut, Blow, Contact, OffGate, OverGate, Pose, Push
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import World

KNOCK_MILLI_G: Final = 900
"""The peak of a knock, in the twin's units; the node's threshold must lie below it."""
_BOUNCE_S: Final = (0.03, 0.08)
"""Seconds between the edges of a bounce."""
_SETTLED_PART: Final = 3.2
"""A load cell closes in by e to the minus this within its settling time: 60, 93, then all but 4 % of the step."""


SHIFT_ALL_MM: Final = 20.0
SHIFT_SOME_MM: Final = 16.0
_SILENT_AT_SOME: Final = 3.5 / 11
"""Computed for eleven cards in a column at 3 A/m: shifted by 20 mm all are powered, by 16 mm three or four are not."""


def powered(cards: Sequence[str], shift_mm: float, rng: random.Random) -> tuple[str, ...]:
    """Select the ``cards`` that a coil can power when each lies ``shift_mm`` beside the one below it.

    One card alone always is. Two or more upon each other, or shifted by less than 16 mm, none is: nothing between was
    ever computed or measured, so nothing is promised. From 16 to 20 mm fewer and fewer are left out.
    """
    if len(cards) <= 1 or shift_mm >= SHIFT_ALL_MM:
        return tuple(cards)
    if shift_mm < SHIFT_SOME_MM:
        return ()
    silent = _SILENT_AT_SOME * (SHIFT_ALL_MM - shift_mm) / (SHIFT_ALL_MM - SHIFT_SOME_MM)
    return tuple(card for card in cards if rng.random() >= silent)


@dataclass(frozen=True, slots=True)
class Signal:
    """The value of one sensor from ``t`` on; names and values as in ``hw.twin.raw``."""

    t: float
    name: str
    value: RawValue


class Sensors:
    """Turns acts into signals, errors included. Every draw comes from ``rng``: the same acts give the same signals."""

    def __init__(self, tags: Mapping[str, str], noise: Noise, rng: random.Random, table: TableKind = DRAWN) -> None:
        """``tags``: the UID of each physical card."""
        self._table = table
        self._knocked = tuple(seat for seat in table.rotation.seats if table.has(f"knock:{seat}"))
        self._tags = dict(tags)
        self._noise = noise
        self._rng = rng
        self._spots: dict[str, list[str]] = {zone: [] for zone in table.answering}
        self._crossing: set[str] = set()
        self._unseen_arms: set[tuple[Seat | None, str]] = set()

    def sense(self, t: float, act: Act, duration: float | None = None) -> list[Signal]:
        """Return the signals that ``act`` at ``t`` causes, now or a moment later; world changes go to ``spot``.

        ``duration``: how long a card stays over the gate, where the act is OverGate and it is known.
        """
        match act:
            case OverGate(zone, cards):
                return self._over(t, zone, cards, duration or 0.0)
            case OffGate(zone):
                return self._off(t, zone)
            case ArmIn(seat, zone, beam=True):
                return self._arm_in(t, seat, zone)
            case ArmOut(seat, zone, beam=True):
                return self._arm_out(t, seat, zone)
            case Pose(seat, pose) if self._table.has(f"shield:{seat}"):
                return self._contact(t, f"shield:{seat}", int(pose == "up"))
            case Push(seat, button, down) if self._table.has(f"button:{seat}:{button}"):
                return self._contact(t, f"button:{seat}:{button}", int(down))
            case Contact(sensor, closed) if self._table.has(sensor):
                return self._contact(t, sensor, int(closed))
            case Blow(seat) if self._table.has(f"knock:{seat}"):
                missed = self._rng.random() < self._noise.knock_miss
                return [] if missed else [Signal(t, f"knock:{seat}", KNOCK_MILLI_G)]
            case _:
                return []

    def enrol(self, card: str, uid: str) -> None:
        """``card``, which was not in the pack, carries the tag ``uid``."""
        self._tags[card] = uid

    def spot(self, t: float, world: World) -> list[Signal]:
        """Return the signals of spots' coils once the cards of ``world`` lie: a lone card answers, a pile does not."""
        signals = []
        for zone, before in self._spots.items():
            lying = world.heap(zone)
            answering = [self._tags[lying[0]]] if len(lying) == 1 else []
            if answering != before:
                self._spots[zone] = answering
                signals.append(Signal(t, f"coil:{zone}", answering))
        return signals

    def false_knocks(self, start: float, end: float) -> Iterator[Signal]:
        """Yield false knocks between ``start`` and ``end``."""
        rate = self._noise.knock_false_per_min / 60
        t = start
        while rate > 0 and self._knocked:
            t += self._rng.expovariate(rate)
            if t >= end:
                return
            yield Signal(t, f"knock:{self._rng.choice(self._knocked)}", KNOCK_MILLI_G)

    def _over(self, t: float, zone: str, cards: tuple[str, ...], duration: float) -> list[Signal]:
        apart = len(cards) == 2 and self._rng.random() >= self._noise.gate_double
        readable = cards if apart else powered(cards, 0.0, self._rng)
        if not readable or self._rng.random() < self._noise.gate_miss:
            return []
        uid = self._tags[cards[0]]
        self._crossing.add(zone)
        signals = [Signal(t, f"coil:{zone}", [self._tags[card] for card in cards])]
        scans = max(1, int(duration / self._noise.gate_scan_s))
        for other in self._table.hearing(zone):
            if self._rng.random() < 1 - (1 - self._noise.gate_ghost) ** scans:
                heard = t + self._rng.randrange(scans) * self._noise.gate_scan_s
                rest = self._spots.get(other, [])
                signals.append(Signal(heard, f"coil:{other}", [*rest, uid]))
                signals.append(Signal(heard + self._noise.gate_scan_s, f"coil:{other}", list(rest)))
        return signals

    def _off(self, t: float, zone: str) -> list[Signal]:
        if zone not in self._crossing:
            return []
        self._crossing.discard(zone)
        return [Signal(t, f"coil:{zone}", [])]

    def _arm_in(self, t: float, seat: Seat | None, zone: str) -> list[Signal]:
        if self._rng.random() < self._noise.beam_miss:
            self._unseen_arms.add((seat, zone))
            return []
        name = f"beam:{seat or '-'}:{self._table.beam_zone(zone)}"
        return [Signal(t, name, 1), *self._bounced(t, name, 1, self._noise.beam_bounce)]

    def _arm_out(self, t: float, seat: Seat | None, zone: str) -> list[Signal]:
        if (seat, zone) in self._unseen_arms:
            self._unseen_arms.discard((seat, zone))
            return []
        return [Signal(t, f"beam:{seat or '-'}:{self._table.beam_zone(zone)}", 0)]

    def _contact(self, t: float, name: str, value: int) -> list[Signal]:
        if self._rng.random() < self._noise.contact_miss:
            return []
        return [Signal(t, name, value), *self._bounced(t, name, value, self._noise.contact_bounce)]

    def _bounced(self, t: float, name: str, value: int, rate: float) -> list[Signal]:
        if self._rng.random() >= rate:
            return []
        first = t + self._rng.uniform(*_BOUNCE_S)
        return [Signal(first, name, 1 - value), Signal(first + self._rng.uniform(*_BOUNCE_S), name, value)]


class LoadCell:
    """One scale: it swings for the settling time after a change, drifts slowly and is never quite still."""

    def __init__(self, noise: Noise, rng: random.Random, card_grams: float = CARD_GRAMS) -> None:
        self._noise = noise
        self._rng = rng
        self._card_grams = card_grams
        self._from = 0.0
        self._to = 0.0
        self._pressure = 0.0
        self._changed = -math.inf
        self._tared = 0.0
        self._drift = self._drift_rate()

    def _drift_rate(self) -> float:
        """Grams per second; which way and how much of what is assumed differs from deal to deal."""
        return self._rng.uniform(-1, 1) * self._noise.scale_drift_g_per_min / 60

    def tare(self, t: float) -> None:
        """Make the reading of the present load right again."""
        self._tared = t
        self._drift = self._drift_rate()

    def load(self, t: float, cards: int) -> None:
        """Put ``cards`` cards on the plate from ``t`` on."""
        self._from = self._true(t)
        self._to = cards * self._card_grams + self._pressure
        self._changed = t

    def lean(self, t: float, grams: float) -> None:
        """Put ``grams`` on the plate beside the cards from ``t`` on."""
        self._from = self._true(t)
        self._to += grams - self._pressure
        self._pressure = grams
        self._changed = t

    def _true(self, t: float) -> float:
        since = t - self._changed
        if since >= self._noise.scale_settle_s:
            return self._to
        return self._to + (self._from - self._to) * math.exp(-_SETTLED_PART * since / self._noise.scale_settle_s)

    def settled(self, t: float) -> bool:
        """Return True if the plate has come to rest."""
        return t - self._changed >= self._noise.scale_settle_s

    def read(self, t: float) -> float:
        """One reading at ``t`` in grams."""
        error = self._rng.gauss(0.0, self._noise.scale_sigma_g) if self._noise.scale_sigma_g else 0.0
        return self._true(t) + self._drift * (t - self._tared) + error
