"""All that the sensors of one board show, as acts in the order in which it came to light."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hw.cards import face
from hw.observations import Observation, Reach, Scale, Screen, Sight, Tray
from hw.seats import SEATS, Seat
from hw.zones import TABLE
from table_service.games.bridge.judges.sides import Side
from table_service.games.bridge.reading.acts import (
    Act,
    ApertureClosed,
    ApertureOpened,
    PanelRemoved,
    PanelStood,
)
from table_service.games.bridge.reading.cards import CardsReader
from table_service.games.bridge.reading.hands_there import HandsThere
from table_service.games.bridge.reading.looks import HeldPictures
from table_service.games.bridge.reading.tray import TrayReader

APERTURE: Final = ("aperture", TABLE)
"""The zones in which a beam names the hand that moves the aperture."""
LATE_S: Final = 2.0
"""A picture may be logged so late; until then nobody knows that the one before it is still true."""


class BoardReader:
    """Reads one board. ``dealer_side``: where the tray stands until a contact says otherwise; ``grams``: of a card."""

    def __init__(self, dealer_side: Side | None = None, grams: float = 1.8) -> None:
        self.tray = TrayReader(dealer_side)
        self._cards = CardsReader(grams)
        self._at_aperture = HandsThere(APERTURE)
        self._pose: str | None = None
        self._panel: str | None = None
        self._held = HeldPictures()
        self._best: dict[tuple[Seat | None, str], float] = {}

    def for_next_board(self, dealer_side: Side) -> BoardReader:
        """Return the reader of the board that begins. What still lies on tray and table belongs to the one before."""
        fresh = BoardReader(dealer_side)
        fresh.tray, fresh._cards = self.tray, self._cards.for_next_board()
        fresh._at_aperture, fresh._pose, fresh._panel = self._at_aperture, self._pose, self._panel
        fresh._held = self._held
        fresh.tray.side = fresh.tray.side or dealer_side
        fresh.tray.begin_board()
        return fresh

    def surety(self, seat: Seat | None, name: str) -> float:
        """Best confidence of a reading of ``name`` on this board, from 0 to 1, by itself; 1 if no picture has shown it.

        ``seat``: of a bidding card, by its compartment; None: a card of the pack.
        """
        return self._best.get((seat, name), 1.0)

    @property
    def cards(self) -> CardsReader:
        """Reader of the cards before the players, with its confidence."""
        return self._cards

    def wait(self, t: float) -> tuple[Act, ...]:
        """Return the acts that show by ``t`` without a new picture: the newest one is true until the next."""
        self.tray.wait(t)
        self._cards.wait(t)
        return tuple(self._seen_on(t - LATE_S))

    def _seen_on(self, t: float) -> Iterator[Act]:
        for sight in self._held.before(t):
            yield from self._picture(sight)

    def _picture(self, sight: Sight) -> Iterator[Act]:
        for card in sight.cards:
            key = card.seat, face(card.card)
            self._best[key] = max(card.confidence, self._best.get(key, 0.0))
        yield from self.tray.sight(sight)
        yield from self._cards.sight(sight)

    def feed(self, observation: Observation) -> tuple[Act, ...]:
        """Return the acts that ``observation`` shows; nothing that sensors say raises."""
        return tuple(self._acts(observation))

    def _acts(self, observation: Observation) -> Iterator[Act]:
        match observation:
            case Sight():
                yield from self._seen_on(observation.t)
                self._held.come(observation)
                yield from self._picture(observation)
            case Tray():
                yield from self._seen_on(observation.t)
                yield from self.tray.contact(observation)
            case Screen(part="aperture"):
                yield from self._aperture(observation)
            case Screen(part="panel"):
                yield from self._moved(observation)
            case Reach():
                self.tray.reach(observation)
                self._at_aperture.hear(observation)
            case Scale():
                yield from self._cards.scale(observation)

    def _moved(self, screen: Screen) -> Iterator[Act]:
        """Yield the panel as standing or removed; its contact is closed while it stands (``up``)."""
        before, self._panel = self._panel, "up" if screen.pose in ("up", "closed") else "down"
        if self._panel != before and (before is not None or self._panel == "down"):
            yield PanelStood(screen.t) if self._panel == "up" else PanelRemoved(screen.t)

    def _aperture(self, screen: Screen) -> Iterator[Act]:
        pose = "closed" if screen.pose in ("closed", "down") else "open"
        before, self._pose = self._pose, pose
        if pose == before or (before is None and pose == "closed"):
            return
        by: Seat | None = screen.seat or self._at_aperture.only(screen.t, SEATS)
        yield ApertureOpened(screen.t, by) if pose == "open" else ApertureClosed(screen.t, by)
