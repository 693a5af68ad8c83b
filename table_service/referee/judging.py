"""Which irregularities an action shows, by article. Pure functions of the deal before and after it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, STOCK, TABLE, side
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Deal, Fault, LastPlay, Phase
from table_service.games.burraco.meld import discard_order, reading_of
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Found, Irregularity, Sanction

SURE: Final = 0.6
"""Below this confidence in who or what, a fact makes no irregularity: a guess accuses nobody."""
AT_THE_PILE: Final = 1.0
"""Seconds for which the hand that has discarded may still be at the pile."""
_MISSED: Final = ("F-30a", "F-30b")
_OUT_OF_TURN_DRAWS: Final = ("F-31a", "F-31b", "F-31c", "F-31d", "F-31e")


@dataclass(frozen=True, slots=True)
class Facts:
    """An action, what was wrong with it, the deal around it, what is open and what is in force."""

    before: Deal
    action: act.Action
    faults: tuple[Fault, ...]
    after: Deal
    open: tuple[Irregularity, ...]
    sanctions: tuple[Sanction, ...]

    def moment(self) -> Found:
        """Where play stands: before it has begun, within a turn, or between a discard and the next draw."""
        if self.before.phase is Phase.DEALT:
            return "before_play"
        return "during_turn" if self.before.begun else "after_discard_before_next_draw"

    def open_of(self, seat: Seat, rows: tuple[str, ...]) -> Irregularity | None:
        """The newest open irregularity of ``seat`` in one of ``rows``."""
        return next((one for one in reversed(self.open) if one.offender is seat and one.row.id in rows), None)


def new(catalogue: Catalogue, facts: Facts, row: str, offender: Seat | None, **more: object) -> Irregularity:
    """An irregularity by ``row`` that rests on the action of ``facts``; its key is given when it is entered."""
    action = facts.action
    one = Irregularity(
        key="",
        row=catalogue.row(row),
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
    return replace(one, **more) if more else one  # type: ignore[arg-type]


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


def judge_action(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """The irregularities that the action shows, or that it makes another of; those with a key were open before."""
    action = facts.action
    if action.confidence < SURE or action.supposed or facts.before.phase is Phase.OVER:
        return []
    match action:
        case act.Draw() | act.Collect():
            return [*_taking(catalogue, facts, action), *_taking_too_much(catalogue, facts, action)]
        case act.Open() | act.Extend():
            return [
                *_laying(catalogue, facts, action),
                *_laying_in_turn(catalogue, facts, action),
                *_closing_without_discard(catalogue, facts, action),
            ]
        case act.Discard():
            return [*_missed_draw(catalogue, facts, action), *_closing(catalogue, facts, action)]
        case act.Expose() | act.Declare():
            return _exposing(catalogue, facts, action)
    return []


def _taking(catalogue: Catalogue, facts: Facts, action: act.Draw | act.Collect) -> list[Irregularity]:
    """Art. 31: who draws or picks up when it is not his turn."""
    if action.seat is None or Fault.OUT_OF_TURN not in facts.faults:
        return []
    open_one = facts.open_of(action.seat, _OUT_OF_TURN_DRAWS)
    if open_one is not None:
        return [joined(open_one, facts)]
    if isinstance(action, act.Collect) and _just_discarded(facts, action):
        return []
    row = "F-31a" if isinstance(action, act.Draw) else "F-31d"
    return [new(catalogue, facts, row, action.seat, seen=row == "F-31d")]


def _just_discarded(facts: Facts, action: act.Collect) -> bool:
    """Whether the hand that has just discarded is still at the pile: the scale trembles, and nobody picks up."""
    before = facts.before
    since = action.committed_t - before.last_out_t
    return action.seat is before.last_out and not before.begun and len(action.cards) == 1 and since < AT_THE_PILE


def _laying(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 31 and 32: who lays cards when it is not his turn, with or without having drawn."""
    if action.seat is None or Fault.OUT_OF_TURN not in facts.faults:
        return []
    open_one = facts.open_of(action.seat, _OUT_OF_TURN_DRAWS)
    if open_one is not None:
        row = _after_playing(open_one.row.id, action)
        return [joined(open_one, facts, row=catalogue.row(row), melds=_with(open_one.melds, action.row))]
    again = facts.open_of(action.seat, ("F-32",))
    if again is not None:
        return [joined(again, facts, melds=_with(again.melds, action.row))]
    return [new(catalogue, facts, "F-32", action.seat, melds=(action.row,), seen=True)]


def _with(melds: tuple[int, ...], row: int) -> tuple[int, ...]:
    return melds if row in melds else (*melds, row)


def _after_playing(row: str, action: act.Open | act.Extend) -> str:
    if row in ("F-31d", "F-31e"):
        return "F-31e"
    return "F-31b" if isinstance(action, act.Open) or row == "F-31b" else "F-31c"


def _taking_too_much(catalogue: Catalogue, facts: Facts, action: act.Draw | act.Collect) -> list[Irregularity]:
    """Art. 8: two cards at one draw, or a second draw in the same turn."""
    seat = action.seat
    if seat is None or isinstance(action, act.Collect) or Fault.OUT_OF_TURN in facts.faults:
        return []
    before = facts.before
    second = Fault.ALREADY_DRAWN in facts.faults and before.collected is None and before.seen
    if not second and Fault.SEVERAL not in facts.faults:
        return []
    over = action.cards if second else action.cards[1:]
    again = facts.open_of(seat, ("F-08a",))
    if again is not None:
        return [joined(again, facts)]
    unclear = second and before.last_play is not None
    return [new(catalogue, facts, "F-08a", seat, cards=over, found="during_turn", needs_referee=unclear)]


def _laying_in_turn(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Arts. 27 and 30: cards laid after the own discard, or before the draw."""
    seat = action.seat
    if seat is None:
        return []
    if Fault.AFTER_DISCARD in facts.faults:
        row, found = "F-27a", facts.moment()
    elif Fault.NOT_DRAWN in facts.faults:
        row, found = "F-30a", "during_turn"
    else:
        return []
    again = facts.open_of(seat, _MISSED if row == "F-30a" else (row,))
    if again is not None:
        return [joined(again, facts, melds=_with(again.melds, action.row))]
    doubt = row == "F-30a" and _take_unverified(facts)
    return [
        new(
            catalogue,
            facts,
            row,
            seat,
            melds=(action.row,),
            seen=True,
            found=found,
            needs_referee=doubt,
            severity="note" if doubt else "",
        )
    ]


def _missed_draw(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Art. 30: who discards without having drawn; what then follows the code does not say."""
    seat = action.seat
    if seat is None or seat is not facts.before.to_play or Fault.NOT_DRAWN not in facts.faults:
        return []
    if facts.open_of(seat, _MISSED) is not None:
        return []
    found = "after_discard_before_next_draw"
    severity = "note" if _take_unverified(facts) else ""
    return [new(catalogue, facts, "F-30a", seat, seen=True, found=found, needs_referee=True, severity=severity)]


def _take_unverified(facts: Facts) -> bool:
    """Whether a draw or a pick-up may have gone unnoticed."""
    return bool({STOCK, DISCARD} & set(facts.before.places.unverified))


def last_play_cards(deal: Deal, play: LastPlay | None) -> tuple[tuple[str, ...], bool]:
    """The cards of the last play by its definition, and whether they are certain.

    A meld opened last counts whole. Of cards added together it is one: in a set that of the highest rank, a wild before
    all; in a run the outermost on the side where they were laid, uncertain where they lie on both.
    """
    if play is None:
        return (), False
    if play.opened or len(play.cards) == 1:
        return play.cards, True
    meld = deal.meld(play.row)
    reading = None if meld is None else reading_of(deal.book, meld.cards)
    if reading is None or any(face(card) == UNKNOWN for card in play.cards):
        return play.cards, False
    if reading.kind == "set":
        wild = [card for card in play.cards if deal.book.is_wild(card)]
        return ((wild or discard_order(deal.book, play.cards))[0],), True
    added = {face(card) for card in play.cards}
    low, high = reading.cards[0] in added, reading.cards[-1] in added
    if low == high:
        return play.cards, False
    end = reading.cards[0] if low else reading.cards[-1]
    return tuple(card for card in play.cards if face(card) == end)[:1], True


def _closing(catalogue: Catalogue, facts: Facts, action: act.Discard) -> list[Irregularity]:
    """Arts. 33 and 34: going out without a burraco, or by discarding a wild."""
    seat = facts.before.actor(action.seat)
    wrong = {Fault.NO_BURRACO: "F-33", Fault.WILD_DISCARD: "F-34"}
    row = next((wrong[fault] for fault in facts.faults if fault in wrong), None)
    if row is None or facts.after.owns(seat) or seat is not facts.before.to_play:
        return []
    if not (facts.before.sure_of(seat) and facts.after.sure_of(seat)):
        return []
    cards, sure = last_play_cards(facts.after, facts.before.last_play)
    found = "after_discard_before_next_draw"
    melds = () if facts.before.last_play is None else (facts.before.last_play.row,)
    one = new(catalogue, facts, row, seat, cards=cards, melds=melds, seen=True, found=found)
    return [replace(one, needs_referee=not sure)]


def _closing_without_discard(catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend) -> list[Irregularity]:
    """Art. 35: the hand is empty, no pot is left to take, and nothing is there to discard.

    A penalised or exposed card that lies on the table can still be discarded.
    """
    seat, after = facts.before.actor(action.seat), facts.after
    if seat is not facts.before.to_play or not facts.before.count(seat) or after.count(seat):
        return []
    if after.at(side(seat)) or after.at(TABLE):
        return []
    if after.pot_is_open(seat.line) or not (facts.before.sure_of(seat) and after.sure_of(seat)):
        return []
    row = "F-35a" if isinstance(action, act.Open) else "F-35b"
    cards, sure = last_play_cards(after, after.last_play)
    return [
        new(
            catalogue,
            facts,
            row,
            seat,
            cards=cards,
            melds=(action.row,),
            seen=True,
            found="during_turn",
            needs_referee=not sure,
        )
    ]


def _exposing(catalogue: Catalogue, facts: Facts, action: act.Expose | act.Declare) -> list[Irregularity]:
    """Art. 24: cards of a hand that the partner could see, or that were named aloud."""
    seat = action.seat
    if isinstance(action, act.Declare):
        return [] if not action.cards else [new(catalogue, facts, "F-24a", seat, needs_referee=seat is None)]
    if seat is None:
        unsure = new(catalogue, facts, "F-24a", None, severity="note", needs_referee=True)
        return [replace(unsure, seen=_all_saw(action.visible_to))]
    known = action.visible_to is not None
    if not (facts.before.book.exposed_to == "anyone" or action.visible_to is None or seat.partner in action.visible_to):
        return []
    again = facts.open_of(seat, ("F-24a",))
    if again is not None and set(again.cards) & set(action.cards):
        return []
    return [
        new(
            catalogue,
            facts,
            "F-24a",
            seat,
            seen=_all_saw(action.visible_to),
            needs_referee=not known,
            severity="" if known else "note",
        )
    ]


def _all_saw(visible_to: tuple[Seat, ...] | None) -> bool:
    return visible_to is not None and set(visible_to) >= set(Seat)
