"""The sanctions of one deal: imposed by a ruling, watched with every action, served, broken or lifted."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.observations import Console
from hw.seats import Seat
from table_service.games.burraco.duties.families import FAMILIES
from table_service.games.burraco.duties.family import Broken, Kept, Lapsed, Look, Served
from table_service.games.burraco.referee.findings import Finding, Froze, Thaw
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Frozen, Phase
from table_service.games.burraco.rules.places import matching
from table_service.referee.catalogue import DutyRule
from table_service.referee.values import Irregularity, Sanction, SanctionSaid

_FREEZES: Final[dict[str, Frozen]] = {"none": "none", "temporary": "temporary", "definitive": "definitive"}


_ENDS_TURN: Final = ("expose", "discard")
"""Duties that already hold for the discard of the turn in which they are ruled."""


_OF_A_TURN: Final = ("limit-turn", "bar-closing", "draw", "collect")
"""Duties that only a further turn could serve."""


class SanctionBook:
    """The sanctions of one deal."""

    def __init__(self) -> None:
        self._sanctions: dict[str, Sanction] = {}
        self._thaws: dict[int, Thaw] = {}
        self._thawed: tuple[Thaw, ...] = ()

    @property
    def in_force(self) -> tuple[Sanction, ...]:
        """What is still owed, oldest first."""
        return tuple(self._sanctions.values())

    @property
    def thaws(self) -> tuple[Thaw, ...]:
        """The melds that are frozen for a time."""
        return tuple(self._thaws.values())

    @property
    def thawed(self) -> tuple[Thaw, ...]:
        """The melds that have thawed at the beginning of the running turn."""
        return self._thawed

    def concerns(self, row: int) -> bool:
        """Whether something is owed about meld ``row``."""
        return any(one.meld == row for one in self._sanctions.values())

    def owing(self, do: str) -> frozenset[Seat]:
        """The seats that owe ``do``."""
        return frozenset(one.who for one in self._sanctions.values() if one.duty.do == do)

    def cards_owed(self, do: str) -> dict[Seat, tuple[str, ...]]:
        """The cards that each seat owes by ``do``."""
        owed: dict[Seat, tuple[str, ...]] = {}
        for one in self._sanctions.values():
            if one.duty.do == do:
                owed[one.who] = (*owed.get(one.who, ()), *one.cards)
        return owed

    # -- imposing --------------------------------------------------------------------------------------------------

    def impose(self, ruled: Irregularity, deal: Deal, t: float) -> list[Finding]:
        """The duties of a ruled irregularity come into force."""
        if ruled.offender is None:
            return []
        said: list[Finding] = []
        chosen = ruled.option
        for number, duty in enumerate(ruled.row.duties, start=1):
            who = _who(duty, ruled.offender, deal)
            own_turn = deal.to_play is (who if duty.who == "partner" else ruled.offender)
            if duty.option not in (None, chosen) or not self._applies(duty, ruled, deal):
                continue
            if deal.phase is Phase.OVER and duty.do in _OF_A_TURN:
                continue
            if own_turn is {"this-turn": False, "after-turn": True}.get(duty.when):
                continue
            now = duty.when == "this-turn"
            ends = duty.do in _ENDS_TURN and deal.to_play is who and deal.begun
            apart = duty.do == "complete-or-penalise" and len(ruled.melds) > 1
            for row in ruled.melds if apart else ruled.melds[:1] if len(ruled.melds) == 1 else (None,):
                one = Sanction(
                    key=f"{ruled.key}-s{number}" + (f"-{row}" if apart else ""),
                    irregularity=ruled.key,
                    row=ruled.row.id,
                    duty=duty,
                    who=who,
                    cards=() if duty.do == "limit-turn" else ruled.cards,
                    since_turn=deal.turn,
                    seen=ruled.seen,
                    running=now or ends,
                    meld=row,
                    t=t,
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

    def freeze(self, ruled: Irregularity, console: Console, deal: Deal) -> list[Finding]:
        """The melds that the ruling freezes; the arbitro's ``freeze`` goes before the row's."""
        how: Frozen = _FREEZES.get(
            str(console.fields.get("freeze")), ruled.row.freeze_how if ruled.row.freezes else "none"
        )
        said: list[Finding] = []
        for row in ruled.melds:
            if how == "none":
                continue
            said.append(Froze(row, how, console.t))
            self._thaws.pop(row, None)
            if how == "temporary" and ruled.offender is not None:
                cards = _laid_to(deal, row, ruled)
                self._thaws[row] = Thaw(row, ruled.offender, ruled.row.freeze_turns, by=ruled.row.id, cards=cards)
        return said

    def lift(self, ruled: Irregularity, t: float) -> list[Finding]:
        """What was imposed for ``ruled`` is owed no more, and the melds it froze thaw."""
        self._sanctions = {key: one for key, one in self._sanctions.items() if one.irregularity != ruled.key}
        thawed = [row for row in ruled.melds if self._thaws.pop(row, None) is not None]
        return [Froze(row, "none", t) for row in thawed]

    def is_about(self, ruled: Irregularity) -> None:
        """It is known now which meld and which cards ``ruled`` concerns."""
        for key, one in self._sanctions.items():
            if one.irregularity == ruled.key and one.meld is None and one.cards:
                self._sanctions[key] = replace(one, meld=ruled.melds[0], cards=ruled.cards, seen=True)

    # -- watching --------------------------------------------------------------------------------------------------

    def carries_out(self, action: act.Action) -> bool:
        """Whether ``action`` does what a ruling ordered, so that it is no new irregularity."""
        return any(
            FAMILIES[one.duty.do].carries(one, action) for one in self._sanctions.values() if one.duty.do in FAMILIES
        )

    def watch(self, before: Deal, action: act.Action, after: Deal) -> list[Finding]:
        """What ``action`` means for what is owed: served, broken, or a limited turn that begins."""
        said: list[Finding] = []
        who = before.actor(action.seat)
        if (after.begun and not before.begun) or after.turn != before.turn:
            said += self._turn_began(after.to_play if after.begun else who, action)
        look = Look(before, action, after, who, self.in_force)
        for one in tuple(self._sanctions.values()):
            said += self._watch_one(one, look)
        return said

    def _turn_began(self, who: Seat, action: act.Action) -> list[Finding]:
        for key, one in self._sanctions.items():
            if one.who is who and one.duty.do in FAMILIES and FAMILIES[one.duty.do].by_turn:
                self._sanctions[key] = replace(one, running=True)
        said: list[Finding] = []
        self._thawed = tuple(thaw for thaw in self._thaws.values() if thaw.who is who and thaw.turns <= 1)
        for row, thaw in tuple(self._thaws.items()):
            if thaw.who is not who:
                continue
            if thaw.turns > 1:
                self._thaws[row] = replace(thaw, turns=thaw.turns - 1)
            else:
                del self._thaws[row]
                said.append(Froze(row, "none", action.t))
        return said

    def _watch_one(self, one: Sanction, look: Look) -> list[Finding]:
        family = FAMILIES.get(one.duty.do)
        if family is None:
            return []
        t, committed_t = look.action.t, look.action.committed_t
        match family.watch(one, look):
            case Kept(sanction):
                self._sanctions[one.key] = sanction
                return []
            case Served(findings):
                del self._sanctions[one.key]
                return [SanctionSaid("served", one, t, committed_t), *findings]
            case Broken() if committed_t < one.t:
                return []
            case Lapsed():
                del self._sanctions[one.key]
                return []
            case Broken(reason):
                del self._sanctions[one.key]
                return [SanctionSaid("broken", one, t, committed_t, reason)]


def _who(duty: DutyRule, offender: Seat, deal: Deal) -> Seat:
    """Who owes ``duty``."""
    match duty.who:
        case "offender":
            return offender
        case "partner":
            return offender.partner
        case "line-in-turn":
            return deal.to_play if deal.to_play.line is offender.line else deal.to_play.next
    return offender.next


def _laid_to(deal: Deal, row: int, ruled: Irregularity) -> tuple[str, ...]:
    """The cards that the fault laid to meld ``row``."""
    meld = deal.meld(row)
    if meld is None:
        return ()
    laid = matching(ruled.cards, meld.cards)
    return laid or meld.cards
