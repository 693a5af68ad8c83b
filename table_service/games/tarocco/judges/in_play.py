"""Signals, pauses, shown cards, revokes, claims, turns (commas 11 to 15; base rules)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.games.tarocco.fold.certainty import claim_holds, is_numbered, is_well_seen, others_were_read, span_of
from table_service.games.tarocco.fold.course import PROMPT_S, SURE, TOGETHER_S, Course, GateRead, Glimpse, Laid
from table_service.games.tarocco.judges.charge import Charge, Watched, by_laid
from table_service.games.tarocco.rules.deal import SCARTO, TRICKS_OF_A_DEAL
from table_service.games.tarocco.rules.deal_checks import revokes as breaches_of_duty
from table_service.games.tarocco.rules.deal_checks import signal_fault
from table_service.games.tarocco.rules.fault_kinds import Breach, TaroccoFault
from table_service.games.tricks.trick import Trick

PAUSE_S: Final = 5.0
"""A pause may be no longer (comma 12)."""
LAYING_S: Final = 3.0
"""No hand takes longer from its gate to leaving the card."""
PAUSE_MARGIN_S: Final = 1.0
"""A card is seen up to half a second after it came to rest, twice over: so much longer a pause must seem."""
TURN_S: Final = 2.0
"""So long after a card out of turn the one that was due may still come to light."""


def signals(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a signal in a suit whose King has not been played, while trumps are surely out.

    A knock alone may be none: it proposes. What a person has entered is told as the row has it.
    """
    deal = watched.course.deal
    for heard in watched.signals:
        if heard.number > deal.play.number or not _certain_until(watched, heard.number):
            continue
        breach = signal_fault(deal, heard.seat, heard.number)
        if breach is None or breach.kind is not TaroccoFault.SIGNAL_BEFORE_THE_KING:
            continue
        laid = next((one for one in watched.course.of_trick(heard.number) if one.seat is heard.seat), None)
        if laid is None or not is_well_seen(laid):
            continue
        basis = (*laid.move.basis, "said" if heard.is_said else "knock")
        confidence = laid.move.confidence if heard.is_said else min(laid.move.confidence, 0.9)
        yield Charge(
            breach,
            heard.t,
            "during_turn",
            (laid.move.id,),
            basis,
            laid.move.frames,
            confidence,
            note=not heard.is_said,
        )


def signals_by_others(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a signal, heard by a person, of a surely not leading player (comma 11): the Giuria judges."""
    for heard in watched.others_signals:
        led = next((one for one in watched.course.of_trick(heard.number) if one.leads), None)
        if led is not None and is_well_seen(led) and led.seat is not heard.seat:
            breach = Breach(TaroccoFault.SIGNAL_BY_ANOTHER, heard.seat, heard.number)
            yield Charge(breach, heard.t, "during_turn", basis=("said",), note=True, more=(heard.signal,))


def pauses(watched: Watched) -> Iterator[Charge]:
    """More than five seconds before his card, by a player who could follow (comma 12); not in the first trick."""
    course = watched.course
    rules = course.deal.play.rules
    gathered = {one.number: max(one.committed_t, one.piled_t) for one in course.gathered}
    for last, laid in pairwise(course.laid):
        if laid.number == 1 or not _is_timed(last, laid):
            continue
        start = gathered.get(laid.number - 1) if laid.leads else last.move.committed_t
        if start is None or not _waited(watched, laid, start) or not _came_before_others(watched, laid):
            continue
        own, led = rules.suit(laid.card), _led(watched, laid)
        if own is None or (not laid.leads and own != led):
            continue  # who could not follow may think; of an unread card, or the Matto, nobody knows
        yield by_laid(Breach(TaroccoFault.PAUSE, laid.seat, laid.number, (laid.card,)), laid, "during_turn")


def _is_timed(last: Laid, laid: Laid) -> bool:
    """Return True if the time before ``laid`` is its player's: all in turn, and no card between was taken back.

    After a card out of turn everybody stops; the Matto is taken back by its owner.
    """
    if not (_is_in_turn(laid) and is_well_seen(laid)):
        return False
    return laid.leads or (_is_in_turn(last) and (last.number, last.place + 1) == (laid.number, laid.place))


def _is_in_turn(laid: Laid) -> bool:
    """Return True if it was seen as it was laid, by the player whose turn it was."""
    return laid.is_prompt and laid.due is laid.seat


def _came_before_others(watched: Watched, laid: Laid) -> bool:
    """Return True if no card of the trick laid after ``laid`` was seen before or with it: else it lay unseen."""
    later = (one.move for one in watched.course.of_trick(laid.number) if one.place > laid.place)
    return all(one.t > laid.move.t and one.committed_t > laid.move.committed_t for one in later)


def _waited(watched: Watched, laid: Laid, start: float) -> bool:
    """Return True if ``laid`` came too late after ``start`` or the signal on the trick, nothing having stopped play."""
    start = max([start, *(one.t for one in watched.signals if one.number == laid.number)])
    end = _hand_came(watched, laid)
    course = watched.course
    halts = [*watched.halts, *(one.move.committed_t for one in course.shown), *(one.t for one in course.lifted)]
    return end - start > PAUSE_S + PAUSE_MARGIN_S and not any(start <= halt <= end for halt in halts)


def _hand_came(watched: Watched, laid: Laid) -> float:
    """Return when the player had ended his pause: his card crossed his gate before the hand that laid it went away."""
    laid_t = laid.move.committed_t
    read = (one.committed_t for one in watched.course.read if (one.seat, one.card) == (laid.seat, laid.card))
    return min([laid_t, *(t for t in read if laid_t - LAYING_S <= t)])


def shown(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a card that a player let the others see when it was not his turn."""
    for one in watched.course.shown:
        if one.before_scarto or one.in_turn is not False or one.what not in ("lying", "cards"):
            continue
        if one.move.confidence < SURE or UNKNOWN in one.cards or len(one.cards) > 2:
            continue
        breach = Breach(TaroccoFault.SHOWN_OUT_OF_TURN, one.seat, one.number, one.cards)
        move = one.move
        yield Charge(
            breach,
            move.committed_t,
            "during_turn",
            (move.id,),
            move.basis,
            move.frames,
            move.confidence,
            victim=one.turn,
            more=(move.id,),
        )


def revokes(watched: Watched) -> Iterator[Charge]:
    """Suits not followed and trumps owed, once a card that was held comes to light; never from a card badly seen."""
    course = watched.course
    for breach in breaches_of_duty(course.deal):
        own = [one for one in course.laid if one.seat is breach.seat]
        laid = [one for one in own if one.number == breach.number][:1]
        proof = [one for one in own if one.card in breach.cards[1:]][:1]
        if not proof and not _was_shown(watched, breach, laid):
            continue  # known of his hand by a card alone that was taken back, which may have been misread
        if laid and _is_shown_by(watched, laid[0], proof):
            yield by_laid(breach, laid[0], "during_turn" if breach.mends else "later", *proof)
        elif not laid and _is_known(watched, breach.number, proof):
            yield from _by_witness(watched, breach, proof)


def _was_shown(watched: Watched, breach: Breach, laid: list[Laid]) -> bool:
    """Return True if the card that proves ``breach`` was shown by its player, or follows from where all others are.

    One that his gate or a picture of the trick has shown since, before the lay that is the breach (``laid``),
    may have been played to a trick that nobody noticed. What comes to light later he still held then.
    """
    course, seat = watched.course, breach.seat
    laid_t = laid[0].move.committed_t if laid else math.inf
    shown = _cards_shown(course, seat)
    held = {card for card, since in shown if not _came_to_light(course, seat, face(card), since, laid_t)}
    return set(breach.cards[1:]) <= held


def _cards_shown(course: Course, seat: Seat | None) -> Iterator[tuple[str, float]]:
    """Yield the cards that ``seat`` has surely shown, or that a person has named, and from when on he had them back."""
    for one in course.shown:
        if one.seat is seat and one.move.confidence >= SURE:
            since = one.move.committed_t if one.until is None else one.until
            yield from ((card, since) for card in one.cards)
    begun = min((one.move.committed_t for one in course.laid), default=0.0)
    for accuso in course.deal.accusi:
        if accuso.seat in course.named & {seat}:
            yield from ((card, begun) for card in accuso.cards)


def _came_to_light(course: Course, seat: Seat | None, card: str, since: float, until: float) -> bool:
    seen: tuple[GateRead | Glimpse, ...] = (*course.read, *course.glimpsed)
    return any((one.seat, one.card) == (seat, card) and since < one.committed_t < until for one in seen)


def _by_witness(watched: Watched, breach: Breach, proof: list[Laid]) -> Iterator[Charge]:
    """``breach`` by a card that only its player's gate has read, or one picture has shown, before it was gathered."""
    start, end = span_of(watched.course, breach.number)
    course = watched.course
    for witnesses, basis in ((course.read, "tags"), (course.glimpsed, "sight")):
        seen = [one.committed_t for one in witnesses if (one.seat, one.card) == (breach.seat, breach.cards[0])]
        when = next((t for t in seen if start < t < end), None)
        if when is not None:
            moves = tuple(one.move.id for one in proof)
            yield Charge(breach, when, "later", moves, (basis, "scale"), confidence=SURE)
            return


def _is_shown_by(watched: Watched, laid: Laid, proof: list[Laid]) -> bool:
    """Return True if all that makes ``laid`` a breach is sure: its trick, the card led, and the card that shows it.

    Where gates have read other cards since that card was led, a trick may have passed that no picture showed; his own
    gate may have read the one that he did lay until ``laid`` came.
    """
    if not is_well_seen(laid) or not _is_known(watched, laid.number, proof):
        return False
    course, t = watched.course, laid.move.committed_t
    passed = others_were_read(course, laid.number, t - LAYING_S)
    return not passed and not others_were_read(course, laid.number, t, by=laid.seat)


def _is_known(watched: Watched, number: int, proof: list[Laid]) -> bool:
    known = _lead_is_known(watched, number) and _is_whole(watched, number)
    return known and all(is_well_seen(one) and _is_known_to(watched, one) for one in proof)


def _lead_is_known(watched: Watched, number: int) -> bool:
    """Return True if the card seen first in trick ``number`` was led: read well, and none came before unseen."""
    first = next((one for one in watched.course.of_trick(number) if one.leads), None)
    play = watched.course.deal.play
    trick = play.open if number > len(play.taken) else play.taken[number - 1].trick
    if first is None or first.seat is not trick.leader:
        return False  # the trick was put in another order, for who was due to lead
    return first.move.confidence >= SURE and (first.is_prompt or first.due is first.seat)


def claims(watched: Watched) -> Iterator[Charge]:
    """All cards laid out although somebody else surely takes a trick (comma 15)."""
    course = watched.course
    for one in course.shown:
        if one.what != "claim" or not course.deal.claims:
            continue
        claim = course.deal.claims[-1]
        if claim.seat is one.seat and one.move.confidence >= SURE and claim_holds(course) is False:
            move = one.move
            breach = Breach(TaroccoFault.FALSE_CLAIM, one.seat, claim.number, claim.cards)
            yield Charge(breach, move.committed_t, "during_turn", (move.id,), move.basis, move.frames, move.confidence)


def out_of_turn(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a card laid by a seat that was not due, once the one that was may no longer come to light."""
    course = watched.course
    for laid in course.laid:
        move = laid.move
        if laid.due is None or laid.due is laid.seat or not is_well_seen(laid) or _is_second(watched, laid):
            continue
        if watched.t < move.committed_t + TURN_S and not course.is_over:
            continue
        if laid.number >= TRICKS_OF_A_DEAL and all(one.seat is not laid.due for one in course.of_trick(laid.number)):
            continue  # he may have none left: he was dealt too few, or has discarded too many
        if _may_have_laid(watched, laid.due, laid) or (laid.leads and not _certain_until(watched, laid.number)):
            continue
        breach = Breach(TaroccoFault.PLAYED_OUT_OF_TURN, laid.seat, laid.number, (laid.card,))
        yield by_laid(breach, laid, "during_turn", victim=laid.due)


def _is_second(watched: Watched, laid: Laid) -> bool:
    """Return True if its player has a card in that trick already: it replaces that one, or is another's."""
    trick = watched.course.of_trick(laid.number)
    return any(one.seat is laid.seat and one.place < laid.place for one in trick)


def numbers(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a seat out of cards early, or with one left after the last trick (comma 7 is silent)."""
    course = watched.course
    explained = course.deal.scarto is not None and len(course.deal.scarto) != SCARTO
    excused = course.deal.scartatore if explained else None
    yield from _short_tricks(watched, excused)
    if any(UNKNOWN in one.trick.cards for one in course.deal.play.taken):
        return  # a trick may have been told that was none
    for seat, number, move in course.numbers_wrong:
        if excused is None or seat is not excused:
            breach = Breach(TaroccoFault.NUMBERS_WRONG_IN_PLAY, seat, number)
            yield Charge(breach, move.committed_t, "later", (move.id,), move.basis, move.frames, move.confidence)


def _short_tricks(watched: Watched, excused: Seat | None) -> Iterator[Charge]:
    """Yield a charge for a gathered trick that lacks the card of one seat, which is not ``excused``."""
    play = watched.course.deal.play
    for one in watched.course.gathered:
        trick = play.taken[one.number - 1].trick if one.number <= len(play.taken) else None
        if trick is None or trick.is_full(play.rules) or one.cards != len(trick.plays):
            continue
        who = _who_has_none(watched, trick)
        if who is None or who is excused or _has_laid_unseen(watched, who, one.number):
            continue
        breach = Breach(TaroccoFault.NUMBERS_WRONG_IN_PLAY, who, one.number)
        yield Charge(breach, one.committed_t, "later", basis=("scale", "sight"), more=("short",))


def _who_has_none(watched: Watched, trick: Trick) -> Seat | None:
    """Seat whose card a short ``trick`` lacks; None if several lack it, or the unread card has no owner."""
    missing = [seat for seat in watched.course.deal.play.rules.rotation.seats if trick.card_of(seat) is None]
    return missing[0] if len(missing) == 1 and UNKNOWN not in trick.cards else None


def _has_laid_unseen(watched: Watched, seat: Seat, number: int) -> bool:
    """Return True if ``seat`` may have laid a card to trick ``number`` that no picture showed, by his gate or beam."""
    start, end = span_of(watched.course, number)
    read = any(one.seat is seat and start < one.committed_t < end for one in watched.course.read)
    return read or watched.arms.came_between(seat, start, end)


def called_out(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a call out of order, or left short by what was shown (Ottocento); a note without a rule."""
    for call, verdict in watched.calls:
        if verdict.valid is False or verdict.jury:
            breach = Breach(TaroccoFault.CALLED_OUT_WRONGLY, call.seat)
            yield Charge(breach, call.t, "during_turn", basis=("said",), note=verdict.jury)


def _is_whole(watched: Watched, number: int) -> bool:
    """Return True if trick ``number`` is known: the open one as far as it lies, another with a sure card of every seat.

    A card that only a gate or one picture has shown is known too where so many cards were gathered.
    """
    course = watched.course
    trick = course.of_trick(number)
    if number in course.unwatched or not all(one.is_sure and one.card != UNKNOWN for one in trick):
        return False
    seats = course.deal.play.rules.rotation.seats
    if number == course.deal.play.number:
        return number not in course.disturbed and len({one.seat for one in trick}) == len(trick)
    if sorted(one.seat for one in trick) == sorted(seats):
        return True
    cards = course.deal.play.taken[number - 1].trick.cards
    weighed = next((one.cards for one in course.gathered if one.number == number), None)
    return weighed == len(cards) == len(seats) and UNKNOWN not in cards and not others_were_read(watched.course, number)


def _is_known_to(watched: Watched, laid: Laid) -> bool:
    """Return True if its trick was known when ``laid`` was laid: what comes to it later does not change whose it is."""
    trick = watched.course.of_trick(laid.number)
    return all(one.is_sure and one.card != UNKNOWN for one in trick if one.place <= laid.place)


def _may_have_laid(watched: Watched, seat: Seat, before: Laid) -> bool:
    """Return True if ``seat`` may have laid its card before that one: seen about then or unseen, by gate or beam."""
    trick = watched.course.of_trick(before.number)
    own = [one.move.committed_t for one in trick if one.seat is seat]
    if own and own[0] <= before.move.committed_t + TOGETHER_S:
        return True
    patience = 2 * PROMPT_S if watched.arms.over.get(seat) else PROMPT_S  # his beam has spoken: it would tell of him
    if not before.is_prompt or not all(_is_seen_by(one, patience) for one in trick if one.place <= before.place):
        return True
    start, end = span_of(watched.course, before.number)[0], before.move.committed_t
    if watched.arms.came_between(seat, start, end):
        return True
    return _has_crossed(watched, seat, before, start)


def _has_crossed(watched: Watched, seat: Seat, before: Laid, start: float) -> bool:
    """Return True if the gate of ``seat`` has read a card of his between ``start`` and ``before``.

    A coil beside reads for a moment the card that crosses its neighbour.
    """
    read = [one for one in watched.course.read if start < one.committed_t <= before.move.committed_t]
    crossed = any((one.seat, one.card) == (before.seat, before.card) for one in read)
    return any(one.seat is seat and not (crossed and one.card == before.card) for one in read)


def _is_seen_by(laid: Laid, patience: float) -> bool:
    """Return True if it is sure who laid it, and pictures showed it so soon after it was laid."""
    return laid.is_sure and laid.is_dated and laid.move.t - laid.move.committed_t <= patience


def _led(watched: Watched, laid: Laid) -> str | None:
    rules = watched.course.deal.play.rules
    for one in watched.course.of_trick(laid.number):
        if not rules.is_excused(one.card):
            return rules.suit(one.card)
    return None


def _certain_until(watched: Watched, number: int) -> bool:
    """Return True if no trick before ``number`` is missing, every card of them was read, and each winner is known."""
    taken = watched.course.deal.play.taken[: number - 1]
    if not is_numbered(watched.course, number):
        return False
    return all(one.by is not None and UNKNOWN not in map(face, one.trick.cards) for one in taken)
