"""Input of a judge: an action with the deal around it, open findings, sanctions in force; and new findings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import face
from hw.seats import Seat
from hw.zones import DISCARD, STOCK
from table_service.games.burraco.fault_kinds import LAID_APART, FaultKind
from table_service.games.burraco.referee.findings import Thaw
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import ActFault, Deal, Phase
from table_service.referee.catalogue import Catalogue, Found
from table_service.referee.values import Irregularity, Sanction

SURE: Final = 0.6
"""Below this confidence in who or what, a fact makes no irregularity: a guess accuses nobody."""


@dataclass(frozen=True, slots=True)
class Facts:
    """An action, what was wrong with it, the deal around it, what is open and what is in force."""

    catalogue: Catalogue
    """Which kinds of fault the code knows."""
    before: Deal
    action: act.Action
    faults: tuple[ActFault, ...]
    after: Deal
    open: tuple[Irregularity, ...]
    sanctions: tuple[Sanction, ...]
    thawed: tuple[Thaw, ...] = ()
    """The melds that have thawed at the beginning of the running turn."""
    thaws: tuple[Thaw, ...] = ()
    """The melds that are frozen for a time."""
    wrong: frozenset[int] = frozenset()
    """The rows that are known to hold a wrong meld."""

    owed: tuple[Sanction, ...] = ()
    """What was in force before the action, which may have served or broken it."""
    told: tuple[Irregularity, ...] = ()
    """All irregularities of the deal, whatever has become of them, oldest first."""
    broken: tuple[Sanction, ...] = ()
    """The duties that the action has broken."""
    called: float | None = None
    """When somebody called the arbitro, who has ordered nothing since; None where nobody has."""
    dealt: bool = False
    """Whether the arbitro has said that the cards are dealt and play may begin."""

    def moment(self) -> Found:
        """Return where play stands: before it has begun, within a turn, or between a discard and the next draw."""
        if self.before.phase is Phase.DEALT:
            return "before_play"
        return "during_turn" if self.before.begun else "after_discard_before_next_draw"

    def open_of(self, seat: Seat, kinds: Collection[str]) -> Irregularity | None:
        """Return the newest open irregularity of ``seat`` that is one of ``kinds``."""
        return next((one for one in reversed(self.open) if one.offender is seat and one.kind in kinds), None)


def new(facts: Facts, kind: FaultKind, offender: Seat | None, **more: object) -> list[Irregularity]:
    """Return a fault of ``kind`` that is based on the action of ``facts``; none if the code knows no such fault.

    Its key is given when it is entered.
    """
    row = facts.catalogue.answer(kind)
    if row is None:
        return []
    action = facts.action
    one = Irregularity(
        key="",
        row=row,
        kind=kind,
        offender=offender,
        cards=action.cards,
        t=action.t,
        committed_t=action.committed_t,
        found=facts.moment(),
        victim=facts.before.to_play,
        confidence=action.confidence,
        basis=action.basis,
        frames=action.frames,
        movements=(action.id,) if action.id else (),
    )
    return [replace(one, **more) if more else one]  # type: ignore[arg-type]


def turned_out(one: Irregularity, kind: FaultKind, catalogue: Catalogue) -> list[Irregularity]:
    """``one`` as a fault of ``kind``, which it turns out to be; none where the code knows no such fault."""
    row = catalogue.answer(kind)
    return [] if row is None else [replace(one, kind=kind, row=row)]


def joined(one: Irregularity, facts: Facts, **more: object) -> Irregularity:
    """``one`` with the action of ``facts`` added to what it rests on."""
    action = facts.action
    fresh = replace(
        one,
        t=action.t,
        cards=(*one.cards, *(card for card in action.cards if card not in one.cards)),
        frames=(*one.frames, *(frame for frame in action.frames if frame not in one.frames)),
        movements=(*one.movements, action.id),
    )
    return replace(fresh, **more) if more else fresh  # type: ignore[arg-type]


def with_row(melds: tuple[int, ...], row: int) -> tuple[int, ...]:
    """``melds`` and ``row`` among them once."""
    return melds if row in melds else (*melds, row)


def still_there(one: Irregularity, deal: Deal) -> bool:
    """Return True if cards that ``one`` is about lie in one of its melds."""
    lying = (deal.meld(row) for row in one.melds)
    return any(meld is not None and matching(one.cards, meld.cards) for meld in lying)


def gone_back(one: Irregularity, action: act.TakeBack, after: Deal) -> bool:
    """Return True if ``action`` takes out of their meld the cards that ``one`` is about, or the last of them."""
    whole = len(matching(one.cards, action.cards)) == len(one.cards)
    return action.row in one.melds and (whole or not still_there(one, after))


def take_unverified(facts: Facts) -> bool:
    """Return True if a draw or a pick-up may have gone unnoticed."""
    return bool({STOCK, DISCARD} & set(facts.before.places.unverified))


def pushed_on(facts: Facts, action: act.Open | act.Extend) -> Irregularity | None:
    """Judge the one or two cards that lay apart and are pushed on to the meld that they were meant for (art. 29)."""
    if not isinstance(action, act.Extend):
        return None
    cards = sorted(map(face, action.cards))
    apart = [one for one in facts.told if one.kind in LAID_APART and one.state in ("open", "ruled")]
    return next((one for one in reversed(apart) if sorted(map(face, one.cards)) == cards), None)
