"""Observations → movements: a pure fold. Time is what the observations say; no rule of any game is known here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from hw.cards import UNKNOWN, face
from hw.coverage import CAMERA, covers, sensor_of
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.observations import Console, Health, Observation, Reach, Scale, Sight, Tags
from hw.seats import CLOCKWISE, Rotation
from hw.zones import BEAMS, hand
from table_service.tracking.camera_pipeline import Watching
from table_service.tracking.context import TrackingContext
from table_service.tracking.dealing_gates import Dealing
from table_service.tracking.idle_reaches import Touches
from table_service.tracking.listening import Listening, SensorChange
from table_service.tracking.movements import Counted, Notice, Track, Unverified, Verified
from table_service.tracking.row_filter import RowKey
from table_service.tracking.scale_pipeline import Weighing

_LAST: Final = float("inf")
_LATEST_LAG: Final = 2.0
_BLIND: Final = 15.0
"""Seconds without a picture, which come every five at least, after which the camera is taken to be blind."""


@dataclass(frozen=True, slots=True)
class TrackedCards:
    """Cards on the table as tracking accepts them at log time ``t``.

    ``counts``: cards on each scale. ``rows``: per meld zone and row the faces from the keeper's edge. ``pile``: the
    discard pile from the bottom up, ``??`` if unknown. ``loose``: face-up cards elsewhere by zone, sorted.
    ``places``: where physical cards that gates have named were last known to go.
    """

    t: float
    counts: dict[str, int]
    rows: dict[str, dict[int, tuple[str, ...]]]
    pile: tuple[str, ...]
    loose: dict[str, tuple[str, ...]]
    places: dict[str, str] = field(default_factory=dict)

    @property
    def lying(self) -> int:
        """Number of cards that the sensors account for on the table."""
        melded = sum(len(cards) for rows in self.rows.values() for cards in rows.values())
        return sum(self.counts.values()) + melded + sum(len(cards) for cards in self.loose.values())


class Tracker:
    """Follows the cards of one log. Feed it every observation in order of arrival; it never raises on what they say.

    ``equipment``: which zones the table has, and how each is sensed; ``rotation``: who plays there.

    >>> from hw.equipment import DRAWN_TABLE
    >>> from hw.observation_log import Header, parse_line
    >>> tracker = Tracker(Header("T12", "any"), DRAWN_TABLE)
    >>> tracker.feed(parse_line('{"t": 9.2, "kind": "button", "button": "referee", "seat": "E"}', 2))
    [Notice(t=9.2, observation=Button(t=9.2, seat=<Seat.EAST: 'E'>, button='referee'))]
    """

    def __init__(self, header: Header, equipment: Equipment, rotation: Rotation = CLOCKWISE) -> None:
        equipment = equipment.sensed_by(header.sensors)
        self._desk = TrackingContext(header, equipment, rotation)
        self.tells_hands = bool(equipment.gated or (equipment.beamed and not self._desk.sees_hands))
        """True if a sensor of the table identifies the hand that moves cards; a camera does not always see whose."""
        self._weighed = equipment.weighed
        self._weighing = Weighing(self._desk)
        self._watching = Watching(self._desk)
        self._dealing = Dealing()
        self._listening = Listening(header.nodes)
        self._touches = Touches(self._desk.roles.drawn)
        self._started = False
        """True if the order to start the play has come since the cards were dealt: given again, it changes nothing."""

    def feed(self, observation: Observation) -> list[Track]:
        """Take one observation; what tracking has to say now, in the order of ``committed_t``."""
        desk = self._desk
        if observation.t > desk.now:
            desk.now = observation.t
        if sensor_of(observation) is not None and self._listening.silence(observation.t) is not None:
            self._hear(SensorChange("reset", ("scale:", CAMERA)), observation.t, "nothing at all was heard")
        self._hear(self._listening.heard(observation), observation.t, "it is heard again")
        match observation:
            case Scale():
                self._weighing.feed(observation)
            case Sight():
                self._see(observation)
            case Reach():
                observation = desk.at_beam(observation)
                hand = desk.reaches.feed(observation)
                self._touches.reached(hand, observation, self._weighing.at_rest(self._desk.roles.drawn))
                self._watching.reached(observation)
            case Tags():
                for crossing in desk.crossings.feed(observation):
                    self._weighing.crossed(crossing)
                    if self._weighing.setting:
                        self._dealing.crossed(crossing)
            case Console():
                return self._console(observation)
            case Health():
                self._health(observation)
                desk.outbox.put(Notice(observation.t, observation))
            case _:
                desk.outbox.put(Notice(observation.t, observation))
        return self._turn()

    def _turn(self) -> list[Track]:
        if self._weighing.restless:
            self._weighing.look_at_time()
        if self._watching.restless:
            self._watching.look_at_time()
        if self._desk.now > self._watching.frame_t + _BLIND > 0.0:
            self._watching.doubt(self._desk.now, "no picture has come for long")
        outbox = self._desk.outbox
        if self._touches.waiting:
            for touched in self._touches.settled(self._desk.now, self._weighing.at_rest(self._desk.roles.drawn)):
                outbox.put(touched)
        if outbox.idle:
            return []
        now = self._desk.now
        bound = min(self._weighing.pending_since(now), self._watching.pending_since())
        return outbox.release(now, bound)

    def _see(self, sight: Sight) -> None:
        desk = self._desk
        desk.lag = max(0.95 * desk.lag, min(max(desk.now - sight.t, 0.0), _LATEST_LAG))
        self._weighing.see(sight, self._watching.see(sight))

    def _console(self, console: Console) -> list[Track]:
        desk = self._desk
        if console.do == "deal":
            said = self._flush()
            self._started = False
            desk.forget()
            self._dealing.begin()
            self._weighing.reset()
            self._watching.reset()
            self._touches.forget()
            desk.outbox.put(Notice(console.t, console))
            self._weighing.still_lost(console.t)
            if self._listening.is_lost("beam:"):
                desk.outbox.put(Unverified(console.t, BEAMS, "beams are not heard", missed=True))
            return said + self._flush()
        if console.do == "start-play" and not self._started:
            self._started = True
            if self._weighing.setting:
                for seat, count in self._dealing.counts().items():
                    desk.outbox.put(Counted(console.t, hand(seat), count, 1.0))
            self._weighing.start_play(console.t)
        elif console.do == "correct":
            self._correct(console)
        desk.outbox.put(Notice(console.t, console))
        return self._turn()

    def _correct(self, console: Console) -> None:
        zone, cards, row = console.fields.get("zone"), console.fields.get("cards"), console.fields.get("row")
        if not isinstance(zone, str):
            return
        if isinstance(cards, int) and not isinstance(cards, bool) and 0 <= cards <= 200 and zone in self._weighed:
            self._weighing.correct(zone, (UNKNOWN,) * cards, cards)
        elif isinstance(cards, list | tuple) and len(cards) <= 200:
            named = tuple(str(card) for card in cards)
            if zone in self._weighed:
                self._weighing.correct(zone, named, len(named))
            else:
                self._watching.correct(zone, row if isinstance(row, int) else None, named)

    def _health(self, health: Health) -> None:
        reason = f"{health.node} {'was lost' if health.state == 'lost' else 'started anew'}"
        change = self._listening.health(health)
        if change is not None and health.state == "reset":
            self._weighing.began_anew(zone for zone in self._weighed if covers(change.sensors, f"scale:{zone}"))
        self._hear(change, health.t, reason)

    def _hear(self, change: SensorChange | None, t: float, reason: str) -> None:
        """Sensors are heard no more, again, or had been unheard for a while."""
        if change is None:
            return
        zones = [zone for zone in self._weighed if covers(change.sensors, f"scale:{zone}")]
        self._hands_heard(change, t, reason)
        if change.state == "lost":
            self._weighing.lost(zones, t, reason)
        elif change.state == "back":
            self._weighing.back([z for z in zones if not self._listening.is_lost(f"scale:{z}")], t)
        else:
            self._weighing.missed(zones, t, reason)
        if change.state != "back" and covers(change.sensors, CAMERA):
            self._watching.doubt(t, reason)

    def _hands_heard(self, change: SensorChange, t: float, reason: str) -> None:
        """Report beams that are not heard: a hand may be taken for another that rests there; the actor is unknown."""
        if not any(sensor.startswith("beam:") for sensor in change.sensors):
            return
        if change.state != "back":
            self._desk.outbox.put(Unverified(t, BEAMS, reason, missed=True))
        if change.state != "lost" and not self._listening.is_lost("beam:"):
            self._desk.outbox.put(Verified(t, BEAMS))

    def assured(self, zone: str) -> float:
        """Log time up to which the sensors assure that no card came to ``zone`` or left it unnoticed.

        Minus infinity if they assure nothing. For the stock and the discard pile.
        """
        return self._weighing.assured(zone)

    @property
    def assured_before(self) -> float:
        """The same of the discard pile, up to its newest change."""
        return self._weighing.assured_before

    def weighs(self, zone: str) -> bool:
        """True if this table has a scale under ``zone``, working or not, for which frames do not stand in."""
        return self._weighing.weighs(zone)

    def counted(self, zone: str) -> int | None:
        """Return the number of cards on the scale of ``zone``; None while it swings, is faulty or uncertain."""
        return self._weighing.counted(zone) if self._desk.outbox.idle else None

    def steady(self, zone: str) -> tuple[str, ...] | None:
        """Return the faces that the camera steadily shows in ``zone``, outside rows; None while covered or in question.

        None too if no card was ever seen there.
        """
        rows = self._watching.steady(zone) if self._desk.outbox.idle else None
        return None if rows is None else rows.get(None, ())

    @property
    def logs_only_changes(self) -> bool:
        """True if the camera's silence means that nothing it looks at has changed."""
        return self._watching.logs_only_changes

    def is_covered(self, zone: str) -> bool:
        """True if the newest frame could not see ``zone``, as an arm lies over it, or a hand has come there since."""
        return self._watching.is_covered(zone)

    def seems_changed(self, zone: str) -> bool:
        """True if the newest frames show ``zone`` differently than accepted: more of them are needed to decide."""
        return self._watching.seems_changed(zone)

    def is_in_question(self, zone: str, row: int, cards: tuple[str, ...]) -> bool:
        """True if frames show the row of ``zone``, or have begun to, otherwise than with these faces."""
        return self._watching.is_in_question(zone, row, cards)

    def steady_rows(self, zone: str) -> dict[int, tuple[str, ...]] | None:
        """The rows that the camera steadily shows in ``zone``; None while it is covered or in question."""
        rows = self._watching.steady(zone) if self._desk.outbox.idle else None
        return None if rows is None else {row: cards for row, cards in rows.items() if row is not None}

    def _flush(self) -> list[Track]:
        return self._desk.outbox.release(_LAST, _LAST)

    def close(self) -> list[Track]:
        """The log has ended: decide what can be decided, say all that waits."""
        self._desk.now += 60.0
        self._weighing.look_at_time()
        self._watching.look_at_time()
        return self._flush()

    @property
    def pile(self) -> tuple[str, ...]:
        """The faces of the pile as it is known, from the bottom up."""
        return tuple(map(face, self._weighing.pile))

    @property
    def table(self) -> TrackedCards:
        """Cards on the table now."""
        rows: dict[str, dict[int, tuple[str, ...]]] = {}
        loose: dict[str, tuple[str, ...]] = {}
        for name, zone in self._watching.zones.items():
            here: dict[RowKey, tuple[str, ...]] = {r: f.belief for r, f in zone.rows.items() if f.belief}
            free = here.pop(None, ())
            if free:
                loose[name] = free
            if here:
                rows[name] = {row: cards for row, cards in here.items() if row is not None}
        counts = self._weighing.counts
        pile, at = self.pile, self._desk.roles.pile
        if at not in counts and pile:
            counts[at] = len(pile)
        return TrackedCards(self._desk.now, counts, rows, pile, loose, dict(self._desk.places))
