"""Zones without a scale: frames of the pile, and arms over stacks → steps like those of a scale.

A scale reports at once that a card came or went. Frames report it of the pile once they agree. No frame shows that a
card was drawn: an arm over the stack makes it likely, and so does a card that comes to the pile without one taken.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Final

from hw.equipment import Equipment
from hw.observations import Sight
from hw.seats import Rotation, Seat
from table_service.tracking.beneath_arms import DREW, NEAR_STACK, OWN_STACK, TURNED, Came, Explained, Turn, explained
from table_service.tracking.hand_intervals import Reaches
from table_service.tracking.movements import Unverified, Verified
from table_service.tracking.pile_frames import SAME, PileFrames, TurnDoubt
from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.seen_visits import TAKES, StackArm, Visits, differs_since
from table_service.tracking.sequences import Faces, agree, lies_beneath
from table_service.tracking.zone_roles import NO_ZONE, ZoneRoles

_PILE: Final = 0.97
"""Confidence that the pile grew or shrank, by frames alone."""
_DRAWN: Final = 0.7
"""Confidence of a draw if an arm was over the stack and the pile stayed as it was."""
_SUPPOSED: Final = 0.3
"""The same if no arm was seen and only the card that came to the pile later suggests it: it may not have happened."""
_CLEAR: Final = 1.2
"""Seconds after an arm has left the stack within which it may still move on to the pile."""
_BEFORE: Final = 1.4
"""Seconds before a card came to the pile at which an unseen draw is dated at the latest."""
_AFTER: Final = 0.3
"""Seconds after a card came to the pile before which the next draw is not dated."""
_RESTS: Final = 6.0
"""Seconds after which an arm over the stack holds nothing else back any longer."""
_LONG: Final = 2.5
"""Seconds for which an arm that lays or takes a card covers the pile; one that stays longer rests there."""
_TELLING: Final = 0.9
"""Confidence in whose hand moved cards beneath an arm, if it was reported to come."""
_IN_TURN: Final = 0.7
"""The same if only the order of play shows it."""
_NOBODY: Final = 0.5
"""The same if it may have been one player or another."""
_BLIND: Final = 7.5
"""Seconds without a frame, of which one comes every five at least, after which frames stand in for no scale."""
_LONGEST: Final = 60.0
"""Seconds for which an arm that rests on the pile holds back what came after it."""


class Looking:
    """The stack and the pile of a table, as far as they have no scale.

    Between two cards that come to the pile a player takes one from the stack, or takes up the cards of the pile.
    """

    def __init__(self, equipment: Equipment, roles: ZoneRoles, reaches: Reaches, rotation: Rotation) -> None:
        """Follow zones without a scale. ``reaches``: hands reported by beams or camera; ``rotation``: order of play."""
        weighed = equipment.weighed
        self._visits = Visits(reaches, rotation, equipment.lying("rows"))
        self._rotation = rotation
        self._tells_hands = bool(equipment.beamed)
        self._roles = roles
        self._stack = roles.drawn if roles.drawn not in weighed else NO_ZONE
        self._pile = roles.pile if roles.pile not in weighed else NO_ZONE
        self._frame_t = -inf
        self._stands_in: set[str] = set()
        """Zones whose scale is not heard."""
        self.forget()

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._arms: list[StackArm] = []
        self._taken = False
        """True if a player has taken a card since the pile last grew."""
        self._left = False
        """True if that player left cards in the pile, which may count as his discard."""
        self._grew = -inf
        self._hidden = -inf
        """When the pile was last covered, or shown otherwise than it is counted."""
        self._covered: float | None = None
        """Start of the time in which the pile is covered, seconds of the log; None if it is not."""
        self._last_covered = self._began = -inf
        self._clear = 0
        """Consecutive frames in which the pile was in view."""
        self._stood = Turn(taken=False, player=None)
        """State of play when the pile was covered."""
        self._took = -inf
        """When a card was last taken from the stack."""
        self._told: list[StackArm] = []
        """Arms over the stack that were reported as draws since then."""
        self._player: Seat | None = None
        """Player who has taken a card and is to lay one, or whose turn it is to take one, as far as known."""
        self._differs: float | None = None
        """First frame that shows the pile unlike its count, seconds of the log; None if they agree."""
        self._frames = PileFrames()
        self._playing = False
        self._turn_doubt = TurnDoubt()

    def doubts(self) -> list[Unverified | Verified]:
        """Return what has become uncertain of the pile, or certain again, since this was last asked."""
        return self._turn_doubt.taken()

    # Scales that fail

    def stand_in(self, zone: str, t: float) -> bool:
        """Take over from the scale of ``zone``, which is not heard: frames report it, if any came lately."""
        if t > self._frame_t + _BLIND:
            return False
        self._stands_in.add(zone)
        self._stack = zone if zone == self._roles.drawn else self._stack
        self._pile = zone if zone == self._roles.pile else self._pile
        return True

    def stand_down(self, zone: str) -> bool:
        """Stop standing in for the scale of ``zone``, which is heard again; return True if frames stood in for it."""
        stood = zone in self._stands_in
        self._stands_in.discard(zone)
        if stood and zone == self._roles.drawn:
            self._stack, self._arms = NO_ZONE, []
        if stood and zone == self._roles.pile:
            self._pile = NO_ZONE
            self._seen_again()
        return stood

    def sees(self, zone: str) -> bool:
        """Return True if frames stand in for the scale of ``zone``."""
        return zone in self._stands_in

    def weighed(self, step: ScaleStep) -> None:
        """Take a scale's step that cards came or went: the state of play from which frames may have to continue."""
        if step.zone == self._roles.pile and step.change > 0:
            self._taken, self._left, self._grew = False, False, step.first_t
            self._player = self._visits.after(self._visits.seat_at(step.zone, step.first_t, step.t))
        elif step.change < 0 and step.zone in (self._roles.pile, self._roles.drawn):
            self._taken, self._left, self._arms = True, step.zone == self._roles.pile and step.count > 0, []
            self._player = self._visits.seat_at(step.zone, step.first_t, step.t)

    @property
    def _emptied(self) -> bool:  # it showed taken up before the arm came that covered it last
        return self._covered is not None and self._began < self._covered

    @property
    def sees_pile(self) -> bool:
        """True if frames alone show how many cards are in the pile."""
        return self._pile != NO_ZONE

    def start_play(self) -> None:
        """Start play: the cards are dealt, and arms over the stack may draw from now on."""
        self._playing = True

    def pending_since(self, now: float) -> float:
        """Return the earliest time at which cards may have moved beneath an arm; infinite if none may have."""
        since = inf
        if self._playing and self._covered is not None and now < self._covered + _LONGEST:
            since = self._covered
        if (self._fresh or self._may_draw) and self._arms and now < self._arms[0].start + _RESTS:
            since = min(since, self._arms[0].start)
        return since

    @property
    def _fresh(self) -> bool:
        """True if no card has come to the pile in this deal: who takes one from the stack turns it up."""
        return self._grew == -inf

    @property
    def _may_draw(self) -> bool:
        return not self._fresh and (not self._taken or self._left)

    # Frames

    def see(self, sight: Sight) -> list[ScaleStep]:
        """Take what a frame shows to be covered; the draw that it decides."""
        t, hidden = sight.t, sight.hidden
        self._frame_t = t
        if self._pile in hidden:
            self._cover(t)
        if self._stack == NO_ZONE or not self._playing:
            return []
        last = self._arms[-1] if self._arms else None
        if self._stack in hidden:
            if last is None or last.end < inf:
                self._arms.append(StackArm(t))
            return []
        if last is not None:
            last.end = min(last.end, t)
        if not self._may_draw or last is None or t < self._clear_t(self._arms[0]):
            return []
        self._taken, self._left, arms, self._arms = True, False, self._arms, []
        self._told.append(arms[0])
        self._player = self._visits.drawer(self._stack, arms[0]) or self._player
        return [self._draw(arms[0].start, t, _DRAWN)]

    def _cover(self, t: float) -> None:
        """Cover the pile, anew if it was in view since an arm came: one that then shows taken up was by that hand."""
        self._hidden = t
        if self._covered is None or self._clear >= SAME:
            if self._covered is None or not (self._differs is not None and self._frames.show_none):
                self._began, self._stood, self._told = t, Turn(self._taken and not self._left, self._player), []
            self._covered = t
        self._last_covered, self._clear = t, 0

    def _clear_t(self, arm: StackArm) -> float:
        """Return the time from which ``arm`` is known not to have moved to the pile; another one may rest there."""
        rested = self._covered is not None and self._covered < arm.start
        return arm.end + 2 * _CLEAR if rested else max(arm.end, self._hidden) + _CLEAR

    def shown(self, seen: Faces, lies: Faces, change: int | None, t: float) -> list[ScaleStep]:
        """Take a frame that shows the pile as ``seen``; ``lies``: as it is counted; ``change``: confirmed by frames."""
        rested = self._emptied or (self._covered is not None and self._last_covered - self._covered > _LONG)
        known = self._frames.show(seen)
        self._clear += 1
        same = seen == lies or (change is None and (agree(seen, lies) or self._frames.misread(lies)))
        if same and not rested:
            steps = self._came_and_went(self._differs, self._covered, t) if not lies else []
            self._differs = self._covered = None  # what comes next begins later, whatever frames misread in the pile
            return steps
        self._hidden = t
        self._differs = differs_since(self._differs, self._covered, t, otherwise=() != known != seen)
        agreed = self._frames.agree
        if rested:
            return self._uncovered(seen, lies, t) if agreed else []
        if change is not None:
            return self._changed(change, len(lies), t)
        return self._otherwise(seen, lies, t) if agreed else []

    def _otherwise(self, seen: Faces, lies: Faces, t: float) -> list[ScaleStep]:
        """Take a change that cannot be followed card by card: the same face once more, several cards, other cards."""
        more = len(seen) - len(lies)
        if lies_beneath(lies, seen):  # several more: one hand puts back what it had taken
            return self._changed(more, len(lies), t) if more else []
        if seen and lies and not set(seen) & set(lies):
            gone = self._changed(-len(lies), len(lies), t)
            return [*gone, *(step for place in range(len(seen)) for step in self._changed(1, place, t))]
        return []

    def _changed(self, change: int, before: int, t: float) -> list[ScaleStep]:
        since = t if self._differs is None else self._differs
        first = self._visits.begun(self._pile, self._covered, since, self._grew + _AFTER)
        seat = self._visits.seat_at(self._pile, first, since)  # who came after it had shown has not done it
        own, later = self._arms_of(seat, first, since, came=change > 0)
        in_turn = self._laid_in_turn(seat, own, first, since) if change == 1 else None
        if in_turn is not None:
            seat, first = self._player, in_turn
        laid = self._laid_before(before, first, t) if before + change == 0 else None
        if laid is not None:
            before, change = before + 1, change - 1
        step = self._step(change, before + change, first, t)
        if in_turn is not None and seat is not None:
            step = replace(step, maker=(seat, _IN_TURN))
        unseen = self._unseen(own, first, t) if change == 1 else []
        steps = [*unseen, step] if laid is None else [laid, step]
        self._taken, self._left, self._arms = change < 0, change < 0 < before + change, later
        self._pass_turn(seat, first, grew=change > 0)
        self._seen_again()
        self._vouch(first, t, seen=any((seat, own, not unseen)))
        if change > 0 and later and later[0].end <= since:  # the pile has been seen since, and he has not taken it up
            self._taken, self._arms = True, []
            self._player = self._visits.drawer(self._stack, later[0]) or self._player
            steps.append(self._draw(later[0].start, t, _DRAWN))
        return steps

    def _arms_of(self, seat: Seat | None, first: float, since: float, *, came: bool) -> tuple[list[StackArm], ...]:
        """Return the arms at the stock that drew the card which ``seat`` laid, and those that came after it."""
        may_own = came and not (self._taken and (seat is None or self._player in (None, seat)))
        own = self._visits.drawn_by(self._stack, self._arms, since, seat if self._taken else None) if may_own else []
        return own, [arm for arm in self._arms if arm not in own and arm.start > first]

    def _pass_turn(self, seat: Seat | None, first: float, *, grew: bool) -> None:
        """Keep that ``seat`` was at the pile, and whose turn it is now if it ``grew`` since ``first``."""
        self._player = seat or self._player
        if grew:
            self._grew, self._player = first, self._visits.after(self._player)

    def _vouch(self, first: float, t: float, *, seen: bool) -> None:
        """Confirm whose turn it is once a hand was ``seen`` to change the pile, or if no sensor reports hands."""
        if seen or not self._tells_hands:
            self._turn_doubt.settle(t, self._pile)
        else:
            self._turn_doubt.arise(first, self._pile, "a card came to it of which neither draw nor hand was seen")

    def _laid_in_turn(self, seat: Seat | None, own: list[StackArm], first: float, since: float) -> float | None:
        """Return when the player in turn laid the card that shows ``since`` then, though another hand was told.

        None if ``seat``, whose hand was at the pile, laid it, or the order of play says nothing. The player had taken a
        card, ``seat`` none: frames are likelier to have overlooked the card of the hand that was there just before, or
        the camera a hand while another's zone was not told, than another player to have laid one.
        """
        player = self._player
        drew = any(self._visits.drawer(self._stack, arm) not in (None, player) for arm in self._arms)
        if own or drew or not self._taken or self._left or player is None or seat is player:
            return None
        came = self._visits.just_before(player, self._pile, self._took + _CLEAR, first)
        if came is not None:
            return came + TAKES
        return first if seat is None and self._visits.only_elsewhere(player, self._pile, first, since) else None

    def _laid_before(self, before: int, first: float, t: float) -> ScaleStep | None:
        """Return the card laid before the pile was taken up at ``first``, if frames had not agreed on it.

        The player who had taken one came to the pile since, and another player has taken it up.
        """
        player, taker = self._player, self._visits.seat_at(self._pile, first, t)
        if not self._taken or self._left or player is None or taker in (None, player):
            return None
        came = self._visits.last_of(player, self._pile, self._took + _CLEAR, first)
        if came is None:
            return None
        return replace(self._step(1, before + 1, came + TAKES, t), maker=(player, _TELLING))

    def _came_and_went(self, differs: float | None, covered: float | None, t: float) -> list[ScaleStep]:
        """Return the steps of a card that frames showed since ``differs``, too few to agree, and that is gone again.

        The player who was to lay one had come just before, and another player has covered the pile since.
        """
        if differs is None or covered is None or covered < differs:
            return []
        laid = self._laid_before(0, covered, t)
        if laid is None or laid.first_t < differs - _LONG:
            return []
        self._taken, self._left, self._arms, self._grew = True, False, [], laid.first_t
        self._player = self._visits.seat_at(self._pile, covered, t)
        return [laid, self._step(-1, 0, covered, t)]

    # What happened beneath an arm

    def _uncovered(self, seen: Faces, lies: Faces, t: float) -> list[ScaleStep]:
        """Return the steps that hands made beneath an arm long on the pile, which shows again as ``seen``."""
        came = self._came(start := min(self._began, t), t)
        laid = len(seen) - len(lies) if lies_beneath(lies, seen) and not self._emptied else None

        def shows(turn: Turn) -> bool:
            if laid is not None and turn.old == len(lies):
                return turn.more == laid
            return turn.old == 0 and turn.more == len(seen) and (laid is None or not lies)

        def again(turn: Turn) -> bool:
            return turn.old == 0 and 0 < turn.more == len(seen)

        at = replace(self._stood, old=len(lies), fresh=self._fresh and not lies)
        found = explained(came, at, self._rotation.next, t, shows, hands_told=self._tells_hands, again=again)
        if found is None:
            return self._otherwise(seen, lies, t)
        came_to_lay = at.taken and any(one.where == "pile" and one.seat is at.player for one in came)
        if not found.certain or (came_to_lay and not found.acts and not seen):  # laid, and taken up by an unseen hand
            self._turn_doubt.arise(start, self._pile, "several hands came to it while an arm lay on it")
        elif found.acts:
            self._turn_doubt.settle(t, self._pile)
        return self._acted(found, len(lies), t)

    def _came(self, start: float, t: float) -> list[Came]:
        """Return the hands that came to the pile and over the stack, in order of time."""
        came = [Came(arm.start, self._visits.drawer(self._stack, arm), "stack", DREW) for arm in self._told]
        came += [Came(arm.start, self._visits.drawer(self._stack, arm), "stack", self._near(arm)) for arm in self._arms]
        came += self._visits.beneath(self._pile, start, t)
        return sorted(came, key=lambda one: (one.t, one.where))

    def _near(self, arm: StackArm) -> float:
        """Return the cost of assuming that ``arm`` came over the stack and took nothing."""
        own = not self._stood.taken and self._visits.drawer(self._stack, arm) in {self._stood.player} - {None}
        return TURNED if self._fresh else OWN_STACK if own else NEAR_STACK

    def _acted(self, found: Explained, lying: int, t: float) -> list[ScaleStep]:
        """Return the steps of what was done beneath the arm."""
        steps = []
        told = {arm.start for arm in self._told}
        for act in (one for one in found.acts if one.does != "draws" or one.t not in told):
            first = min(act.t, t)
            maker = (act.seat, _TELLING if act.seen else _IN_TURN) if found.certain else (None, _NOBODY)
            if act.does == "draws":
                steps.append(replace(self._draw(first, t, _DRAWN if act.seen else _SUPPOSED), maker=maker))
                continue
            change = 1 if act.does == "lays" else -lying
            lying += change
            steps.append(replace(self._step(change, lying, first, t), maker=maker))
            self._grew = first if change > 0 else self._grew
        self._taken, self._left, self._player = found.turn.taken, False, found.turn.player
        self._arms = [arm for arm in self._arms if arm.end == inf and not steps]
        self._seen_again()
        return steps

    def _seen_again(self) -> None:
        self._differs = self._covered = None
        self._frames.forget()

    def _unseen(self, own: list[StackArm], first: float, t: float) -> list[ScaleStep]:
        """Return the step before a card came to the pile at ``first``: a draw by the arm of ``own`` if any."""
        if self._stack == NO_ZONE or (self._taken and not own):
            return []
        start = own[0].start if own else max(self._grew + _AFTER, first - _BEFORE)
        return [self._draw(min(start, first), t, _DRAWN if own else _SUPPOSED)]

    def _step(self, change: int, count: int, first: float, t: float) -> ScaleStep:
        return ScaleStep(self._pile, change, count, first, t, _PILE, first=False, swung=True, basis="sight")

    def _draw(self, start: float, t: float, sure: float) -> ScaleStep:
        self._took = start
        return ScaleStep(self._stack, -1, 0, start, t, sure, first=False, swung=True, basis="sight")
