"""A card too many: more cards of one face lie open than the pack holds of it, which the pack alone explains (art. 5).

One frame may misread any card, and one reader may err again and again where its reading is low. So what counts are
frames that show all those cards at once, each by the reading of which the frame is least sure.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.observations import Observation, Sight, Tags
from hw.zones import TABLE, gate, hand, side
from table_service.games.burraco.fold.playing import Parts
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.tracking.movements import FrameRef, Movement

_PROVEN: Final = 2.4
"""The weight of frames that proves it: three in which no reading is low."""
_LASTS: Final = 1.0
"""Seconds for which the cards must have been seen at the least."""
_LOW: Final = 0.5
"""A reading no surer than this weighs nothing; one that is quite sure weighs 1."""
_SILENT: Final = 2.5
"""Seconds without a frame after which a camera that logs only what changes has looked again and seen the same."""
_AGAIN: Final = 2.0
"""The looks that such a silence stands for."""
_ON_ITS_WAY: Final = (1.5, 0.5)
"""Seconds before and after a card is seen laid in which it crossed its player's gate."""
_FEWEST_BEARABLE: Final = min(BURRACO.copies.values()) - 1
"""So many cards of any face may lie open, also where a strange tag is on one of them."""
_HELD: Final = 0.035
"""Seconds for which a coil must hear a tag that is no neighbour's ghost."""


@dataclass(slots=True)
class _Proof:
    """Frames that showed too many cards of a face: since when, how much they weigh together, some of their numbers."""

    first_t: float
    last_t: float
    weight: float = 0.0
    newest: float = 0.0
    frames: list[FrameRef] = field(default_factory=list)


@dataclass(slots=True)
class _Strange:
    """A tag that the header does not name, at ``zone`` from ``t`` until ``end`` (None: it answers still)."""

    zone: str
    uid: str
    t: float
    end: float | None = None


def _in_plain_view(sight: Sight) -> Mapping[str, list[float]]:
    """Face → confidence of each reading of the cards that are face up outside hands."""
    readings: defaultdict[str, list[float]] = defaultdict(list)
    for one in sight.cards:
        if one.face == "up" and not one.zone.startswith("hand-"):
            readings[face(one.card)].append(one.confidence)
    return readings


class Surplus:
    """Watches the frames of one table for cards that the pack cannot hold. Feed it all that is sensed, in order."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._course = parts.course
        self._known = parts.table.header.tags
        self._proofs: dict[str, _Proof] = {}
        self._told: set[str] = set()
        self._frame_t = -1e9
        self._silence_counted = True
        self._strange: deque[_Strange] = deque(maxlen=24)
        self._named: deque[tuple[float, str, str]] = deque(maxlen=24)
        self._foreign: dict[str, tuple[str, str]] = {}
        """By unknown tag the face of the card that bears it (empty where it was seen on two faces), and the gate."""

    def hear(self, observation: Observation) -> None:
        """Hear one observation, after tracking has."""
        match observation:
            case Tags():
                self._hear(observation)
            case Sight():
                self._see(observation)
        self._look_at_time(observation.t)

    def begin(self) -> None:
        """Begin a deal."""
        self._proofs.clear()
        self._told.clear()

    # -- tags that the pack does not know ------------------------------------------------------------------------------

    def _hear(self, tags: Tags) -> None:
        for one in self._strange:
            if one.zone == tags.zone and one.end is None and one.uid not in tags.tags:
                one.end = tags.t
        answering = {one.uid for one in self._strange if one.zone == tags.zone and one.end is None}
        for uid in tags.tags:
            if uid in self._known:
                self._named.append((tags.t, tags.zone, face(self._known[uid])))
            elif uid not in answering:
                self._strange.append(_Strange(tags.zone, uid, tags.t))

    def moved(self, move: Movement) -> None:
        """Give a card that was laid alone the tag that its player's gate heard, if the pack does not know it."""
        if move.seat is None or len(move.cards) != 1 or move.source != hand(move.seat):
            return
        card = face(card_of(move.cards[0]))
        if card == UNKNOWN:
            return
        named, uids = self._crossed_with(move, gate(move.seat))
        if card not in named and len(uids) == 1:
            uid = uids.pop()
            seen, _ = self._foreign.get(uid, (card, ""))
            self._foreign[uid] = (card if seen == card else "", gate(move.seat))

    def _crossed_with(self, move: Movement, zone: str) -> tuple[set[str], set[str]]:
        """Return readings of gate ``zone`` during ``move``: faces that it named, and tags that are not the pack's."""
        first, last = move.committed_t - _ON_ITS_WAY[0], move.committed_t + _ON_ITS_WAY[1]
        named = {card for t, at, card in self._named if at == zone and first <= t <= last}
        here = (one for one in self._strange if one.zone == zone and first <= one.t <= last)
        return named, {one.uid for one in here if (one.end or move.t) - one.t > _HELD}

    # -- faces in plain view -------------------------------------------------------------------------------------------

    def _bearable(self, card: str) -> int:
        """Return how many cards of this face may be open: those of the pack, one less if a strange tag is on one."""
        trust = self._parts.table.tag_trust
        borne = any(face_of == card and trust.is_credible(at) for face_of, at in self._foreign.values())
        return BURRACO.copies.get(card, 0) - borne

    def _see(self, sight: Sight) -> None:
        deal = self._course.deal
        if sight.t <= self._frame_t:
            return
        self._frame_t, self._silence_counted = sight.t, False
        if deal is None or not self._is_played(deal):
            return
        readings = _in_plain_view(sight)
        for card in tuple(self._proofs):
            if len(readings.get(card, ())) <= self._bearable(card) and not sight.hidden:
                self._fade(card)
        for card, sure in readings.items():
            if len(sure) <= _FEWEST_BEARABLE or card not in BURRACO.copies or len(sure) <= self._bearable(card):
                continue
            most = self._bearable(card)
            sure.sort(reverse=True)
            proof = self._proofs.setdefault(card, _Proof(sight.t, sight.t))
            proof.newest = max(0.0, (sure[most] - _LOW) / (1.0 - _LOW))
            proof.weight += proof.newest
            proof.last_t = sight.t
            if sight.frame is not None and len(proof.frames) < 4:
                proof.frames.append(sight.frame)

    def _fade(self, card: str) -> None:
        """Fade the proof of cards that a frame of everything did not show: they have gone, or were misread."""
        proof = self._proofs[card]
        proof.weight -= 1.0
        if proof.weight <= 0.0:
            del self._proofs[card]

    def _is_played(self, deal: Deal) -> bool:
        """Return True if the deal is under way: what is found before it, or after the count, is another matter."""
        return deal.phase is not Phase.DEALT and self._parts.count.counted_t is None

    def _look_at_time(self, t: float) -> None:
        deal = self._course.deal
        if deal is None or not self._proofs or not self._is_played(deal):
            return
        if not self._silence_counted and t > self._frame_t + _SILENT and self._parts.table.tracker.logs_only_changes:
            self._silence_counted = True
            for proof in self._proofs.values():
                if proof.last_t == self._frame_t:
                    proof.weight += _AGAIN * proof.newest
        for card, proof in tuple(self._proofs.items()):
            lasting = t - proof.first_t >= _LASTS
            if lasting and proof.weight >= _PROVEN and card not in self._told and self._is_believed(card, deal):
                self._told.add(card)
                self._tell(card, proof, deal, t)

    def _is_believed(self, card: str, deal: Deal) -> bool:
        """Return True if play as followed has come to the same: so many cards of the face lie open by the ledger."""
        lying = [one for meld in deal.melds for one in meld.cards]
        lying += [*deal.pile, *deal.at(TABLE), *(one for seat in deal.seats for one in deal.at(side(seat)))]
        return [face(one) for one in lying].count(card) > self._bearable(card)

    def _tell(self, card: str, proof: _Proof, deal: Deal, t: float) -> None:
        if self._is_twin(card, deal):
            return
        self._parts.pack.surplus(card, t, proof.first_t, tuple(proof.frames))

    def _is_twin(self, card: str, deal: Deal) -> bool:
        """Return True if the third card came into the set of the two others: that is the matter of a row of its own."""
        most = deal.book.same_face_per_set
        return any([face(one) for one in meld.cards].count(card) > most for meld in deal.melds)
