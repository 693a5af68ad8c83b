"""A round of boards at the twin of a table with screens, and what anybody at the table could know at each moment."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from hw.cards import BRIDGE, face
from hw.observation_log import Header
from hw.observations import Console, Observation, Said, Screen, Sight, Tray
from hw.seats import SEATS
from hw.twin.gestures import ClearTable, ConsoleGesture, PlayGesture, Press, SetTable, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import CallGesture, ClearTray, FaceCards, PushTray, ReturnHand
from hw.twin.timed_events import Performed
from table_service.games.bridge.rehearsal import SCREENED
from tests.games.bridge.boards_at_the_twin import HEADER, scripted

PACK = frozenset(BRIDGE.copies)


@dataclass
class RoundOfBoards:
    """``deals`` boards of ``seed``, every second one with a record of its deal; as ``rehearsal.rehearse.Rehearsal``."""

    seed: int
    deals: int
    noise: str = "normal"
    performed: list[tuple[int, Performed]] = field(default_factory=list)
    records: list[str] = field(default_factory=list)

    @property
    def header(self) -> Header:
        """The header of its log."""
        return HEADER

    def observations(self) -> Iterator[Observation]:
        """Play the round: what the sensors say."""
        self.performed.clear()
        self.records.clear()
        chance = random.Random(self.seed)
        observer = Observer(HEADER.tags, load_noise(self.noise), random.Random(self.seed), SCREENED)
        yield from observer.perform(ConsoleGesture("start-round", fields={"deals": self.deals}))[0]
        for deal in range(1, self.deals + 1):
            one = scripted(chance, deal, record=deal % 2 == 1)
            ends = [Wait(2.0), *(ClearTray(seat) for seat in SEATS), *(ReturnHand(seat) for seat in SEATS), Wait(2.0)]
            for gesture in (*one.gestures, *ends):
                if isinstance(gesture, ReturnHand) and one.play is None:
                    continue
                if isinstance(gesture, ConsoleGesture) and "record" in gesture.fields:
                    self.records.append(gesture.fields["record"])
                if isinstance(gesture, SetTable) and deal > 1:
                    yield from observer.perform(ClearTable())[0]
                lines, done = observer.perform(gesture)
                self.performed.append((deal, done))
                yield from lines
                if isinstance(gesture, CallGesture):  # so that something is sealed while the tray still stands
                    yield from observer.perform(Press(gesture.seat, "referee"))[0]
        yield from observer.perform(ConsoleGesture("end-round"))[0]
        yield from observer.finish()

    def truth(self) -> Any:
        """The cards that lay open in truth, from when on: a lead only once it was faced."""
        actions: list[dict[str, Any]] = []
        for deal, one in self.performed:
            if isinstance(one.gesture, PlayGesture | FaceCards):
                actions.append({"type": "play", "deal": deal, "t": one.committed, "cards": list(one.cards)})
        return SimpleNamespace(actions=actions)

    @property
    def calls_over_records(self) -> int:
        """The calls of all boards of which the table was told the deal: at each of them nobody has seen a card."""
        told = {
            deal
            for deal, one in self.performed
            if isinstance(one.gesture, ConsoleGesture) and "record" in one.gesture.fields
        }
        return sum(deal in told and isinstance(one.gesture, CallGesture) for deal, one in self.performed)

    def calls_passed(self, deal: int | None, t: float) -> list[str]:
        """The calls of ``deal`` that lay on the tray when it was passed for the last time by ``t``."""
        calls, passed = list[str](), list[str]()
        for number, one in self.performed:
            if number == deal and round(one.committed, 6) <= t:
                if isinstance(one.gesture, CallGesture):
                    calls.append(one.gesture.call)
                passed = list(calls) if isinstance(one.gesture, PushTray) else passed
        return passed


class EyesAcrossTheScreen:
    """What all four may know: calls once their tray was passed, cards once the aperture is open, and what is said."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A board begins: nobody knows anything of it."""
        self.known: set[str] = set()
        self.calls: set[str] = set()
        self._on_tray: set[str] = set()
        self._lead: set[str] = set()
        self._is_open = False

    def see(self, observation: Observation) -> None:
        """Take one observation into account."""
        match observation:
            case Console(do="deal"):
                self.begin()
            case Screen(part="aperture", pose=pose):
                self._is_open = pose == "open"
                self.known |= self._lead if self._is_open else set()
            case Tray(side="moving"):
                self.calls |= self._on_tray
            case Sight():
                up = {face(one.card) for one in observation.cards if one.face == "up" and one.zone != "tray"} & PACK
                self._lead |= up
                self.known |= up if self._is_open else set()
                self._on_tray |= {one.card for one in observation.cards if one.zone == "tray"}
            case Said(what=what):
                self.known |= {one for one in PACK if one in what}
            case _:
                pass
