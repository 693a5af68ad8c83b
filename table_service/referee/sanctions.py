"""What the arbitro has ruled, as state: duties, limited turns, frozen melds; and whether they are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.observations import Console
from hw.seats import Seat
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Frozen
from table_service.games.burraco.meld import discard_order
from table_service.referee.catalogue import DutyRule
from table_service.referee.values import Finding, Forgiven, Froze, Irregularity, Sanction, SanctionSaid, Thaw

_ACT_NAMES: Final[dict[type[act.Action], str]] = {
    act.Draw: "draw",
    act.Collect: "collect",
    act.Open: "play",
    act.Extend: "play",
    act.Discard: "discard",
}
_FREEZES: Final[dict[str, Frozen]] = {"none": "none", "temporary": "temporary", "definitive": "definitive"}


class SanctionBook:
    """The sanctions of one deal."""

    def __init__(self) -> None:
        self._sanctions: dict[str, Sanction] = {}
        self._thaws: dict[int, Thaw] = {}

    @property
    def in_force(self) -> tuple[Sanction, ...]:
        """What is still owed, oldest first."""
        return tuple(self._sanctions.values())

    @property
    def thaws(self) -> tuple[Thaw, ...]:
        """The melds that are frozen for a time."""
        return tuple(self._thaws.values())

    def owing(self, do: str) -> frozenset[Seat]:
        """The seats that owe ``do``."""
        return frozenset(one.who for one in self._sanctions.values() if one.duty.do == do)

    # -- imposing --------------------------------------------------------------------------------------------------

    def impose(self, ruled: Irregularity, deal: Deal, t: float) -> list[Finding]:
        """The duties of a ruled irregularity come into force."""
        if ruled.offender is None:
            return []
        said: list[Finding] = []
        chosen = dict(ruled.ruling).get("option")
        for number, duty in enumerate(ruled.row.duties, start=1):
            who = {"offender": ruled.offender, "partner": ruled.offender.partner}.get(duty.who, ruled.offender.next)
            own_turn = deal.to_play is ruled.offender
            if duty.option not in (None, chosen) or not self._applies(duty, ruled, deal):
                continue
            if own_turn is {"this-turn": False, "after-turn": True}.get(duty.when):
                continue
            now = duty.when == "this-turn"
            one = Sanction(
                key=f"{ruled.key}-s{number}",
                irregularity=ruled.key,
                row=ruled.row.id,
                duty=duty,
                who=who,
                cards=() if duty.do == "limit-turn" else ruled.cards,
                since_turn=deal.turn,
                seen=ruled.seen,
                running=now or (duty.do == "expose" and deal.to_play is who and deal.begun),
            )
            self._sanctions[one.key] = one
            said.append(SanctionSaid("imposed", one, t, t))
        return said

    def _applies(self, duty: DutyRule, ruled: Irregularity, deal: Deal) -> bool:
        """A card that is back already need not be brought back."""
        if duty.do != "return-to-stock" or ruled.offender is None:
            return True
        known = [card for card in ruled.cards if face(card) != UNKNOWN]
        held = deal.hand(ruled.offender)
        gone = [card for card in known if not any(same_face(card, one) or one == UNKNOWN for one in held)]
        return not known or len(gone) < len(known)

    def freeze(self, ruled: Irregularity, console: Console) -> list[Finding]:
        """The melds that the ruling freezes; the arbitro's ``freeze`` goes before the row's."""
        how: Frozen = _FREEZES.get(
            str(console.fields.get("freeze")), ruled.row.freeze_how if ruled.row.freezes else "none"
        )
        said: list[Finding] = []
        for row in ruled.melds:
            if how == "none":
                continue
            said.append(Froze(row, how, console.t))
            if how == "temporary" and ruled.offender is not None:
                self._thaws[row] = Thaw(row, ruled.offender, ruled.row.freeze_turns)
        return said

    def lift(self, ruled: Irregularity, t: float) -> list[Finding]:
        """What was imposed for ``ruled`` is owed no more, and the melds it froze thaw."""
        self._sanctions = {key: one for key, one in self._sanctions.items() if one.irregularity != ruled.key}
        thawed = [row for row in ruled.melds if self._thaws.pop(row, None) is not None]
        return [Froze(row, "none", t) for row in thawed]

    # -- watching --------------------------------------------------------------------------------------------------

    def carries_out(self, action: act.Action) -> bool:
        """Whether ``action`` does what a ruling ordered, so that it is no new irregularity."""
        match action:
            case act.ReturnToStock():
                return bool(self.owing("return-to-stock"))
            case act.ReturnToPile():
                return bool(self.owing("return-to-pile"))
            case act.Draw(seat=seat) | act.Collect(seat=seat):
                return seat in self.owing("draw")
            case act.Penalise() | act.Expose() | act.Shift() | act.TakeBack():
                cards = {face(card) for one in self._sanctions.values() for card in one.cards}
                return bool(cards & {face(card) for card in action.cards} - {UNKNOWN})
        return False

    def watch(self, before: Deal, action: act.Action, after: Deal) -> list[Finding]:
        """What ``action`` means for what is owed: served, broken, or a limited turn that begins."""
        said: list[Finding] = []
        who = before.actor(action.seat)
        if (after.begun and not before.begun) or after.turn != before.turn:
            said += self._turn_began(after.to_play if after.begun else who, action)
        for one in tuple(self._sanctions.values()):
            said += self._watch_one(one, before, action, who)
        return said

    def _turn_began(self, who: Seat, action: act.Action) -> list[Finding]:
        for key, one in self._sanctions.items():
            if one.who is who and one.duty.do in ("limit-turn", "expose", "discard"):
                self._sanctions[key] = replace(one, running=True)
        said: list[Finding] = []
        for row, thaw in tuple(self._thaws.items()):
            if thaw.who is not who:
                continue
            if thaw.turns > 1:
                self._thaws[row] = replace(thaw, turns=thaw.turns - 1)
            else:
                del self._thaws[row]
                said.append(Froze(row, "none", action.t))
        return said

    def _watch_one(self, one: Sanction, before: Deal, action: act.Action, who: Seat) -> list[Finding]:
        match one.duty.do:
            case "return-to-stock" | "return-to-pile":
                return self._watch_return(one, action, who)
            case "limit-turn":
                return self._watch_limit(one, before, action, who)
            case "draw":
                return self._watch_draw(one, action)
            case "take-back":
                return self._watch_take_back(one, action)
            case "expose" | "discard":
                return self._watch_cards(one, before, action, who)

    def _watch_return(self, one: Sanction, action: act.Action, who: Seat) -> list[Finding]:
        kind = act.ReturnToStock if one.duty.do == "return-to-stock" else act.ReturnToPile
        if isinstance(action, kind) and action.seat in (one.who, None):
            return self._served(one, action)
        if isinstance(action, act.Draw | act.Collect) and action.committed_t > 0:
            return self._broken(one, action, f"{who} took a card before it was done")
        return []

    def _watch_draw(self, one: Sanction, action: act.Action) -> list[Finding]:
        """A missed draw is made up for after the discard."""
        if not isinstance(action, act.Draw | act.Collect):
            return []
        if action.seat is one.who:
            return [*self._served(one, action), Forgiven(one.who)]
        return self._broken(one, action, "play went on without it")

    def _watch_take_back(self, one: Sanction, action: act.Action) -> list[Finding]:
        """The last play goes back into the hand, wholly or card by card; a card of it may go straight to the pile."""
        if isinstance(action, act.Draw | act.Collect):
            return self._broken(one, action, "play went on without it")
        if not isinstance(action, act.TakeBack):
            return []
        rest = list(one.cards)
        for card in action.cards:
            at = next((n for n, owed in enumerate(rest) if same_face(owed, card) or face(owed) == UNKNOWN), None)
            if at is not None:
                rest.pop(at)
        if not rest:
            return self._served(one, action)
        self._sanctions[one.key] = replace(one, cards=tuple(rest))
        return []

    def _watch_limit(self, one: Sanction, before: Deal, action: act.Action, who: Seat) -> list[Finding]:
        name = _ACT_NAMES.get(type(action))
        if not one.running or name is None or who is not one.who:
            return []
        if name == "discard" and not before.took and {"draw", "collect"} & set(one.duty.allow):
            return self._broken(one, action, "a card was discarded without drawing")
        if name not in one.duty.allow:
            words = {"play": "cards were laid", "collect": "the pile was picked up", "draw": "a card was drawn"}
            return self._broken(one, action, words.get(name, name))
        return self._served(one, action) if name == "discard" else []

    def _watch_cards(self, one: Sanction, before: Deal, action: act.Action, who: Seat) -> list[Finding]:
        """Exposed cards are laid in the player's own turn or discarded, the highest first."""
        if who is not one.who or not one.running or not isinstance(action, act.Open | act.Extend | act.Discard):
            return []
        rest = list(one.cards)
        for card in action.cards:
            at = next((n for n, owed in enumerate(rest) if same_face(owed, card)), None)
            if at is not None:
                rest.pop(at)
        done = len(rest) < len(one.cards)
        if not rest:
            return self._served(one, action)
        if "discard" in one.duty.allow and one.since_turn == before.turn:
            self._sanctions[one.key] = replace(one, cards=tuple(rest), running=False)
            return []
        if not isinstance(action, act.Discard):
            self._sanctions[one.key] = replace(one, cards=tuple(rest))
            return []
        if UNKNOWN in map(face, (*one.cards, *action.cards)):
            self._sanctions[one.key] = replace(one, cards=tuple(rest), running=False)
            return []
        highest = discard_order(before.book, one.cards)[0]
        if not done or not any(same_face(card, highest) for card in action.cards):
            reason = "another card was discarded" if not done else "a lower card was discarded before a higher one"
            return self._broken(one, action, reason)
        self._sanctions[one.key] = replace(one, cards=tuple(rest), running=False)
        return []

    def _served(self, one: Sanction, action: act.Action) -> list[Finding]:
        del self._sanctions[one.key]
        return [SanctionSaid("served", one, action.t, action.committed_t)]

    def _broken(self, one: Sanction, action: act.Action, reason: str) -> list[Finding]:
        del self._sanctions[one.key]
        return [SanctionSaid("broken", one, action.t, action.committed_t, reason)]
