"""Signals of one deal: a leader's knock beside his card, and what a person has heard and enters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hw.seats import Seat
from table_service.games.tarocco.fold.arms import Arms
from table_service.games.tarocco.fold.calling_out import ENTERED_S
from table_service.games.tarocco.fold.course import Course, Laid
from table_service.games.tarocco.judges.charge import SignalHeard
from table_service.games.tarocco.payloads import SignalMade
from table_service.table.voice import Voice

KNOCK_BEFORE_S: Final = 0.8
KNOCK_AFTER_S: Final = 3.0
"""A knock of the leader so long before and after his card came to rest is on that card, if his hand is over it."""
LED_SOON_S: Final = 3.0
"""A card may be told so long after a person has heard the signal with it."""


class SignalsGiven:
    """Pairs what was heard with the cards that were led, and tells each signal once."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._knocks: list[tuple[float, Seat]] = []
        self._entered: list[SignalHeard] = []
        """Those that a person has entered of who was not seen to lead yet."""
        self.of_leaders: list[SignalHeard] = []
        self.of_others: list[SignalHeard] = []
        """Signals that a person has heard of who did not lead."""

    def knocked(self, t: float, seat: Seat) -> None:
        """``seat`` has knocked at ``t``."""
        self._knocks.append((t, seat))

    def enter(self, heard: SignalHeard) -> None:
        """Enter a signal from a person; of which card it is shows when those entered are paired."""
        self._entered.append(heard)
        self._voice.awaits_evidence = True

    def pair_knocks(self, course: Course, arms: Arms) -> None:
        """Knocks of a leader beside his card are busso; a card may be told after the knock on it."""
        for t, seat in self._knocks[:]:
            led = next(
                (
                    one
                    for one in course.laid
                    if one.leads
                    and one.seat is seat
                    and one.move.committed_t - KNOCK_BEFORE_S <= t <= one.move.committed_t + KNOCK_AFTER_S
                    and arms.may_knock_on_card(seat, t)
                    and not _was_answered(course, one, t)
                ),
                None,
            )
            if led is not None:
                self._knocks.remove((t, seat))
                self._tell(SignalHeard(seat, "busso", led.number, t), 0.9)

    def pair_entered(self, course: Course, t: float) -> None:
        """Pair each entered signal with the card led last, or the one before: a person enters it a little later.

        Of who has led neither, or has taken the next card through his gate, it waits a moment: that card may not have
        been told yet.
        """
        for heard in self._entered[:]:
            leads = [one for one in course.laid if one.leads]
            near = [one for one in leads[:-3:-1] if heard.t - one.move.committed_t <= ENTERED_S]
            led = next((one for one in near if one.seat is heard.seat), None)
            if led is not None and _leads_again(course, led, heard.t):
                led = None
            if led is None and t < heard.t + LED_SOON_S:
                continue
            self._entered.remove(heard)
            if led is None:
                self._tell_of_no_leader(course, heard, leads)
                continue
            known = replace(heard, number=led.number)
            key = known.seat, known.number
            self.of_leaders = [one for one in self.of_leaders if (one.seat, one.number) != key]
            self._tell(known, 1.0)
            self._voice.decide(heard.t)

    def _tell_of_no_leader(self, course: Course, heard: SignalHeard, leads: Sequence[Laid]) -> None:
        """Answer a signal entered for a player who led neither of the last two tricks; ``leads``: the cards led."""
        gathered = (one.number for one in course.gathered if one.committed_t < heard.t)
        if not leads:
            self._voice.decide(heard.t, "a signal is given with a card that is led, and none was")
        elif leads[-1].seat is heard.seat or any(number >= leads[-1].number for number in gathered):
            self._voice.decide(heard.t, "a signal is given with a card that is led, and nobody saw which")
        else:
            self.of_others.append(replace(heard, number=leads[-1].number))
            self._voice.decide(heard.t)

    def _tell(self, heard: SignalHeard, confidence: float) -> None:
        if any((one.seat, one.number) == (heard.seat, heard.number) for one in self.of_leaders):
            return
        self.of_leaders.append(heard)
        self._voice.say(
            "signal.made",
            SignalMade(signal=heard.signal, n=heard.number),
            heard.t,
            heard.seat,
            confidence=confidence,
            basis=("said",) if heard.is_said else ("knock",),
        )


def _was_answered(course: Course, led: Laid, t: float) -> bool:
    """Return True if another player's card crossed a gate from ``led`` to ``t``: a signal comes with the card led."""
    start = led.move.committed_t - KNOCK_BEFORE_S
    start = max([start, *(one.committed_t for one in course.gathered if one.number == led.number - 1)])
    return any(one.seat is not led.seat and one.card != led.card and start < one.committed_t < t for one in course.read)


def _leads_again(course: Course, led: Laid, t: float) -> bool:
    """Return True if the trick of ``led`` was gathered before ``t``, and its leader's next card crossed his gate."""
    gathered = [one.committed_t for one in course.gathered if one.number == led.number]
    crossed = [one.committed_t for one in course.read if one.seat is led.seat and one.card != led.card]
    return any(start < crossing <= t for start in gathered for crossing in crossed)
