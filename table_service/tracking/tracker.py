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
from table_service.tracking.camera_pipeline import CameraPipeline
from table_service.tracking.context import TrackingContext
from table_service.tracking.dealing_gates import Dealing
from table_service.tracking.idle_reaches import IdleReaches
from table_service.tracking.listening import Listening, SensorChange
from table_service.tracking.movements import Counted, Notice, Track, Unverified, Verified
from table_service.tracking.row_filter import RowKey
from table_service.tracking.scale_pipeline import ScalePipeline

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
        self._context = TrackingContext(header, equipment, rotation)
        self.tells_hands = bool(equipment.gated or (equipment.beamed and not self._context.sees_hands))
        """True if a sensor of the table identifies the hand that moves cards; a camera does not always see whose."""
        self._weighed = equipment.weighed
        self._scale_pipeline = ScalePipeline(self._context)
        self._camera_pipeline = CameraPipeline(self._context)
        self._dealing = Dealing()
        self._listening = Listening(header.nodes)
        self._idle_reaches = IdleReaches(self._context.roles.drawn)
        self._started = False
        """True if the order to start the play has come since the cards were dealt: given again, it changes nothing."""

    def feed(self, observation: Observation) -> list[Track]:
        """Take one observation; what tracking has to say now, in the order of ``committed_t``."""
        context = self._context
        if observation.t > context.now:
            context.now = observation.t
        if sensor_of(observation) is not None and self._listening.silence(observation.t) is not None:
            self._hear(SensorChange("reset", ("scale:", CAMERA)), observation.t, "nothing at all was heard")
        self._hear(self._listening.heard(observation), observation.t, "it is heard again")
        match observation:
            case Scale():
                self._scale_pipeline.feed(observation)
            case Sight():
                self._see(observation)
            case Reach():
                observation = context.at_beam(observation)
                hand = context.reaches.feed(observation)
                self._idle_reaches.reached(hand, observation, self._scale_pipeline.at_rest(self._context.roles.drawn))
                self._camera_pipeline.reached(observation)
            case Tags():
                for crossing in context.crossings.feed(observation):
                    self._scale_pipeline.crossed(crossing)
                    if self._scale_pipeline.setting:
                        self._dealing.crossed(crossing)
            case Console():
                return self._console(observation)
            case Health():
                self._health(observation)
                context.outbox.put(Notice(observation.t, observation))
            case _:
                context.outbox.put(Notice(observation.t, observation))
        return self._turn()

    def _turn(self) -> list[Track]:
        if self._scale_pipeline.restless:
            self._scale_pipeline.look_at_time()
        if self._camera_pipeline.restless:
            self._camera_pipeline.look_at_time()
        if self._context.now > self._camera_pipeline.frame_t + _BLIND > 0.0:
            self._camera_pipeline.doubt(self._context.now, "no picture has come for long")
        outbox = self._context.outbox
        if self._idle_reaches.waiting:
            for touched in self._idle_reaches.settled(
                self._context.now, self._scale_pipeline.at_rest(self._context.roles.drawn)
            ):
                outbox.put(touched)
        if outbox.idle:
            return []
        now = self._context.now
        bound = min(self._scale_pipeline.pending_since(now), self._camera_pipeline.pending_since())
        return outbox.release(now, bound)

    def _see(self, sight: Sight) -> None:
        context = self._context
        context.lag = max(0.95 * context.lag, min(max(context.now - sight.t, 0.0), _LATEST_LAG))
        self._scale_pipeline.see(sight, self._camera_pipeline.see(sight))

    def _console(self, console: Console) -> list[Track]:
        context = self._context
        if console.do == "deal":
            said = self._flush()
            self._started = False
            context.forget()
            self._dealing.begin()
            self._scale_pipeline.reset()
            self._camera_pipeline.reset()
            self._idle_reaches.forget()
            context.outbox.put(Notice(console.t, console))
            self._scale_pipeline.still_lost(console.t)
            if self._listening.is_lost("beam:"):
                context.outbox.put(Unverified(console.t, BEAMS, "beams are not heard", missed=True))
            return said + self._flush()
        if console.do == "start-play" and not self._started:
            self._started = True
            if self._scale_pipeline.setting:
                for seat, count in self._dealing.counts().items():
                    context.outbox.put(Counted(console.t, hand(seat), count, 1.0))
            self._scale_pipeline.start_play(console.t)
        elif console.do == "correct":
            self._correct(console)
        context.outbox.put(Notice(console.t, console))
        return self._turn()

    def _correct(self, console: Console) -> None:
        zone, cards, row = console.fields.get("zone"), console.fields.get("cards"), console.fields.get("row")
        if not isinstance(zone, str):
            return
        if isinstance(cards, int) and not isinstance(cards, bool) and 0 <= cards <= 200 and zone in self._weighed:
            self._scale_pipeline.correct(zone, (UNKNOWN,) * cards, cards)
        elif isinstance(cards, list | tuple) and len(cards) <= 200:
            named = tuple(str(card) for card in cards)
            if zone in self._weighed:
                self._scale_pipeline.correct(zone, named, len(named))
            else:
                self._camera_pipeline.correct(zone, row if isinstance(row, int) else None, named)

    def _health(self, health: Health) -> None:
        reason = f"{health.node} {'was lost' if health.state == 'lost' else 'started anew'}"
        change = self._listening.health(health)
        if change is not None and health.state == "reset":
            self._scale_pipeline.began_anew(zone for zone in self._weighed if covers(change.sensors, f"scale:{zone}"))
        self._hear(change, health.t, reason)

    def _hear(self, change: SensorChange | None, t: float, reason: str) -> None:
        """Sensors are heard no more, again, or had been unheard for a while."""
        if change is None:
            return
        zones = [zone for zone in self._weighed if covers(change.sensors, f"scale:{zone}")]
        self._hands_heard(change, t, reason)
        if change.state == "lost":
            self._scale_pipeline.lost(zones, t, reason)
        elif change.state == "back":
            self._scale_pipeline.back([z for z in zones if not self._listening.is_lost(f"scale:{z}")], t)
        else:
            self._scale_pipeline.missed(zones, t, reason)
        if change.state != "back" and covers(change.sensors, CAMERA):
            self._camera_pipeline.doubt(t, reason)

    def _hands_heard(self, change: SensorChange, t: float, reason: str) -> None:
        """Report beams that are not heard: a hand may be taken for another that rests there; the actor is unknown."""
        if not any(sensor.startswith("beam:") for sensor in change.sensors):
            return
        if change.state != "back":
            self._context.outbox.put(Unverified(t, BEAMS, reason, missed=True))
        if change.state != "lost" and not self._listening.is_lost("beam:"):
            self._context.outbox.put(Verified(t, BEAMS))

    def assured(self, zone: str) -> float:
        """Log time up to which the sensors assure that no card came to ``zone`` or left it unnoticed.

        Minus infinity if they assure nothing. For the stock and the discard pile.
        """
        return self._scale_pipeline.assured(zone)

    @property
    def assured_before(self) -> float:
        """The same of the discard pile, up to its newest change."""
        return self._scale_pipeline.assured_before

    def is_zero_known(self, zone: str) -> bool:
        """Return False while the scale of ``zone`` may have lost its zero and nothing vouches for what it counts."""
        return self._scale_pipeline.is_zero_known(zone)

    def weighs(self, zone: str) -> bool:
        """Return True if this table has a scale under ``zone``, working or not, for which frames do not stand in."""
        return self._scale_pipeline.weighs(zone)

    def went_to(self, zone: str, start: float, end: float) -> bool:
        """Return True if a hand was reported in ``zone`` between the log times ``start`` and ``end``."""
        return bool(self._context.reaches.between(zone, start, end))

    def counted(self, zone: str) -> int | None:
        """Return the number of cards on the scale of ``zone``; None while it swings, is faulty or uncertain."""
        return self._scale_pipeline.counted(zone) if self._context.outbox.idle else None

    def steady(self, zone: str) -> tuple[str, ...] | None:
        """Return the faces that the camera steadily shows in ``zone``, outside rows; None while covered or in question.

        None too if no card was ever seen there.
        """
        rows = self._camera_pipeline.steady(zone) if self._context.outbox.idle else None
        return None if rows is None else rows.get(None, ())

    @property
    def logs_only_changes(self) -> bool:
        """True if the camera's silence means that nothing it looks at has changed."""
        return self._camera_pipeline.logs_only_changes

    def is_covered(self, zone: str) -> bool:
        """Return True if the newest frame could not see ``zone``, as an arm lies over it, or a hand has come since."""
        return self._camera_pipeline.is_covered(zone)

    def seems_changed(self, zone: str) -> bool:
        """Return True if the newest frames show ``zone`` differently than accepted: more are needed to decide."""
        return self._camera_pipeline.seems_changed(zone)

    def is_in_question(self, zone: str, row: int, cards: tuple[str, ...]) -> bool:
        """Return True if frames show the row of ``zone``, or have begun to, otherwise than with these faces."""
        return self._camera_pipeline.is_in_question(zone, row, cards)

    def steady_rows(self, zone: str) -> dict[int, tuple[str, ...]] | None:
        """Return the rows that the camera steadily shows in ``zone``; None while it is covered or in question."""
        rows = self._camera_pipeline.steady(zone) if self._context.outbox.idle else None
        return None if rows is None else {row: cards for row, cards in rows.items() if row is not None}

    def _flush(self) -> list[Track]:
        return self._context.outbox.release(_LAST, _LAST)

    def close(self) -> list[Track]:
        """End the log: decide what can be decided, emit all that waits."""
        self._context.now += 60.0
        self._scale_pipeline.look_at_time()
        self._camera_pipeline.look_at_time()
        return self._flush()

    @property
    def pile(self) -> tuple[str, ...]:
        """The faces of the pile as it is known, from the bottom up."""
        return tuple(map(face, self._scale_pipeline.pile))

    @property
    def table(self) -> TrackedCards:
        """Cards on the table now."""
        rows: dict[str, dict[int, tuple[str, ...]]] = {}
        loose: dict[str, tuple[str, ...]] = {}
        for name, zone in self._camera_pipeline.zones.items():
            here: dict[RowKey, tuple[str, ...]] = {r: f.belief for r, f in zone.rows.items() if f.belief}
            free = here.pop(None, ())
            if free:
                loose[name] = free
            if here:
                rows[name] = {row: cards for row, cards in here.items() if row is not None}
        counts = self._scale_pipeline.counts
        pile, at = self.pile, self._context.roles.pile
        if at not in counts and pile:
            counts[at] = len(pile)
        return TrackedCards(self._context.now, counts, rows, pile, loose, dict(self._context.places))
