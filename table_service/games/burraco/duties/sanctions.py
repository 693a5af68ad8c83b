"""The sanctions of one deal: what a ruling imposes at Burraco, duties and frozen melds, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, same_face
from hw.seats import Seat
from hw.zones import hand
from table_service.games.burraco.duties.bars import still_barred
from table_service.games.burraco.duties.families import FAMILIES
from table_service.games.burraco.duties.freezing import Freezes
from table_service.games.burraco.duties.returning import BACK
from table_service.games.burraco.fault_kinds import TAKEN_OUT_OF_TURN
from table_service.games.burraco.referee.findings import Barred, Finding, Forgiven
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.referee.catalogue import DutyRule
from table_service.referee.duties import Duties, who_owes
from table_service.referee.values import Irregularity, Sanction

_ENDS_TURN: Final = ("expose", "discard")
"""Duties that already hold for the discard of the turn in which they are ruled."""
_OF_A_TURN: Final = ("limit-turn", "bar-closing", "draw", "collect")
"""Duties that only a further turn could serve."""
_OF_PENALISED: Final = ("penalise", "discard")
_WHEN_ALL_GONE: Final = "turn-after-last-penalised"
"""How long a bar lasts that hangs on penalised cards, as those duties do."""


class SanctionBook:
    """The sanctions of one deal: ``duties`` in force, ``freezes`` of melds."""

    def __init__(self) -> None:
        self.duties: Duties[Deal, act.Action] = Duties(FAMILIES)
        self.freezes = Freezes()

    # -- imposing --------------------------------------------------------------------------------------------------

    def impose(self, ruled: Irregularity, deal: Deal, t: float) -> list[Finding]:
        """Impose the duties of a ruled irregularity."""
        return [self.duties.impose(one) for one in _sanctions(ruled, deal, t)]

    def lift(self, ruled: Irregularity, t: float) -> list[Finding]:
        """Lift what was imposed for ``ruled``, and thaw the melds that it froze."""
        self.duties.lift(ruled.key)
        return [*self.freezes.lift(ruled, t)]

    # -- watching --------------------------------------------------------------------------------------------------

    def watch(self, before: Deal, action: act.Action, after: Deal) -> list[Finding]:
        """Return what ``action`` means for what is owed: served, broken, or a limited turn that begins."""
        said: list[Finding] = []
        who = before.actor(action.seat)
        if (after.begun and not before.begun) or after.turn != before.turn:
            whose = after.to_play if after.begun else who
            self.duties.turn_began(whose)
            said += self.freezes.turn_began(whose, action.t)
        for one in self.duties.watch(before, action, after, who):
            if one.what == "broken" and _may_be_kept(before, one.sanction.who):
                continue
            said.append(one)
            if one.what == "served" and one.sanction.duty.do == "draw":
                said.append(Forgiven(one.sanction.who))  # the missed draw is made up for
        barred = dict.fromkeys(one.who for one in self.duties.in_force if still_barred(one, after))
        return [*said, *(Barred(seat) for seat in barred)]


def _may_be_kept(deal: Deal, who: Seat) -> bool:
    """Return True if ``who`` may have done his duty unwatched: then it is unknown that he broke it."""
    return deal.clouded or hand(who) in deal.places.unverified


def _sanctions(ruled: Irregularity, deal: Deal, t: float) -> Iterator[Sanction]:
    """Return what ``ruled`` imposes; a wrong meld to be mended is a duty for each of its rows."""
    if ruled.offender is None:
        return
    for number, written in enumerate(ruled.row.duties, start=1):
        duty = _as_in_the_fault(written, ruled, deal)
        who = who_owes(duty, ruled.offender, deal.to_play, deal.rotation)
        if not _applies(duty, ruled, ruled.offender, deal):
            continue
        apart = duty.do == "complete-or-penalise" and len(ruled.melds) > 1
        ends = duty.do in _ENDS_TURN and deal.to_play is who and deal.begun
        goes_back = duty.do in BACK and bool(ruled.returned)
        cards = ruled.returned if goes_back else ruled.cards
        for row in ruled.melds if apart else (_only(ruled.melds),):
            yield Sanction(
                key=f"{ruled.key}-s{number}" + (f"-{row}" if apart else ""),
                irregularity=ruled.key,
                row=ruled.row.id,
                duty=duty,
                who=who,
                cards=() if duty.do == "limit-turn" else cards,
                since_turn=deal.turn,
                seen=duty.do == "return-to-pile" if goes_back else ruled.seen,
                running=duty.when == "this-turn" or ends,
                meld=row,
                t=t,
                apart=bool(ruled.returned),
            )


def _as_in_the_fault(duty: DutyRule, ruled: Irregularity, deal: Deal) -> DutyRule:
    """``duty``, or where the code has him take cards as he did out of turn (D-09), only that of its two ways."""
    both = duty.do == "limit-turn" and {"draw", "collect"} <= set(duty.allow)
    same = both and ruled.kind in TAKEN_OUT_OF_TURN and deal.book.out_of_turn.next_turn == "same-act"
    if not same or ruled.option not in ("draw", "collect"):
        return duty
    other = {"draw": "collect", "collect": "draw"}[ruled.option]
    return replace(duty, allow=tuple(one for one in duty.allow if one != other))


def _only(melds: tuple[int, ...]) -> int | None:
    return melds[0] if len(melds) == 1 else None


def _applies(duty: DutyRule, ruled: Irregularity, offender: Seat, deal: Deal) -> bool:
    """Return True if ``duty`` holds by the way chosen, by whose turn runs, and as something is left to do."""
    if duty.option not in (None, ruled.option) or (deal.phase is Phase.OVER and duty.do in _OF_A_TURN):
        return False
    whose = who_owes(duty, offender, deal.to_play, deal.rotation) if duty.who == "partner" else offender
    own_turn = deal.to_play is whose
    if own_turn is {"this-turn": False, "after-turn": True}.get(duty.when):
        return False
    if ruled.returned and not ruled.cards and (duty.do in _OF_PENALISED or duty.until == _WHEN_ALL_GONE):
        return False
    return duty.do != "return-to-stock" or not _is_back(ruled.returned or ruled.cards, deal.hand(offender))


def _is_back(cards: tuple[str, ...], hand: tuple[str, ...]) -> bool:
    """Return True if none of the ``cards`` that are known is held any more, so that nothing need be brought back."""
    known = [card for card in cards if face(card) != UNKNOWN]
    gone = [card for card in known if not any(same_face(card, one) or one == UNKNOWN for one in hand)]
    return bool(known) and len(gone) == len(known)
