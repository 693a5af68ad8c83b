"""What the games and the referee know, put into the words of the events: melds, remedies, evidence, what is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import DISCARD, POTS, STOCK, hand
from table_service.events import Event
from table_service.events import payloads as say
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, MeldRow
from table_service.games.burraco.rules.meld import is_valid, points, reading_of
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import SHEET
from table_service.referee.catalogue import Choice, StepRule, Words
from table_service.referee.values import Irregularity, Sanction, Warned

SCORE_SHEET: Final = tuple(
    say.SheetItem(item=item.name, title=say.Text(it=item.title[0], en=item.title[1]), part=item.part or None)
    for item in SHEET.items
)
"""The items of a score as ``score.counted`` names them."""


_ZONES: Final = {
    "card.drawn": STOCK,
    "pile.collected": DISCARD,
    "card.discarded": DISCARD,
    "pot.taken": POTS,
    "card.turned": DISCARD,
}


def zone_of(event: Event) -> str | None:
    """Where what ``event`` tells has happened; None where it tells of no move of cards."""
    if isinstance(event.data, say.MeldOpened | say.MeldExtended | say.MeldChanged):
        return f"melds-{event.data.meld.line}"
    return _ZONES.get(event.type)


def meld(book: RuleBook, lies: MeldRow) -> say.Meld:
    """A meld as it lies, read as the book reads it."""
    reading = reading_of(book, lies.cards)
    return say.Meld(
        id=lies.row,
        line=lies.line,
        kind=reading.kind if reading else None,
        cards=tuple(map(face, lies.cards)),
        wild=say.Wild(card=reading.wild, stands_for=reading.stands_for) if reading and reading.wild else None,
        burraco=reading.burraco if reading else "none",
        points=points(book, lies.cards),
        frozen=lies.frozen,
        valid=is_valid(book, lies.cards),
    )


def veiled(cards: Iterable[str]) -> tuple[str, ...]:
    """``cards`` as the public may see them when they are hidden."""
    return (UNKNOWN,) * len(tuple(cards))


def public(cards: Iterable[str], basis: Iterable[str]) -> tuple[str, ...]:
    """``cards`` that lie face up, as the public may see them: which copy it is only where its tag was read with it.

    A copy that was guessed, or that somebody remembers, would tell of a card that lies hidden elsewhere.
    """
    known = tuple(cards)
    return known if len(known) == 1 and "tags" in tuple(basis) else tuple(map(face, known))


def secret_cards(cards: Iterable[str]) -> dict[str, Any] | None:
    """The hidden part of an event about ``cards``; None where nothing is known that could be hidden."""
    known = tuple(cards)
    return {"cards": list(known)} if any(face(card) != UNKNOWN for card in known) else None


def _text(words: Words) -> say.Text:
    return say.Text(it=words.it, en=words.en)


def _who(step: StepRule | Choice, one: Irregularity) -> str | None:
    offender = one.offender
    match step.who:
        case "offender":
            return offender
        case "partner":
            return offender.partner if offender else None
        case "player-in-turn":
            return one.victim
        case "next-opponent":
            return offender.next if offender else None
        case "opponent-in-turn":
            return _opponent_in_turn(one)
        case "line-in-turn":
            return _of_line_in_turn(one)
        case "line":
            return offender.line if offender else None
    return step.who


def _of_line_in_turn(one: Irregularity) -> str | None:
    """Whose turn it is, or else comes next, of the line that erred."""
    if one.line is None or one.victim is None:
        return None
    return one.victim if one.victim.line is one.line else one.victim.next


def _opponent_in_turn(one: Irregularity) -> str | None:
    """Whose turn it is, or else comes next, of the line that did not err."""
    if one.offender is None:
        return None
    return one.victim if one.victim is not None and one.victim.line is not one.offender.line else one.offender.next


def steps(one: Irregularity) -> tuple[say.Step, ...]:
    """The remedy of ``one`` as it applies to who did it and whose turn it was."""
    shown = public(one.cards, one.basis) if one.seen else veiled(one.cards)
    chosen = one.option
    opponent = one.victim is not None and one.offender is not None and one.victim.line is not one.offender.line
    return tuple(
        say.Step(
            do=step.do,
            who=_who(step, one),
            cards=shown if step.cards else (),
            until=step.until,
            text=_text(step.text),
            option=step.option,
        )
        for step in one.row.steps
        if (step.only == "always" or opponent) and (chosen is None or step.option in (None, chosen))
    )


def irregularity(one: Irregularity) -> say.Irregularity:
    """``one`` as an event's payload; hidden cards are ``??``."""
    row = one.row
    evidence = [say.Evidence(kind="frame", ref=frame) for frame in one.frames]
    ruling = {key: value for key, value in one.ruling if key != "cards" or one.seen}
    return say.Irregularity(
        key=one.key,
        row=row.id,
        article=row.article,
        title=_text(row.title),
        severity=one.severity or row.severity,
        offender=one.offender,
        pair=one.line,
        cards=public(one.cards, one.basis) if one.seen else veiled(one.cards),
        committed_t=round(one.committed_t, 6),
        found=one.found,
        state=one.state,
        remedy=steps(one),
        options=(*row.options, *(choice.key for choice in row.choices)),
        choices=tuple(
            say.Choice(key=choice.key, who=_who(choice, one), text=_text(choice.text)) for choice in row.choices
        ),
        needs_referee=one.needs_referee or (row.needs_referee and one.state == "open" and not one.confirmed),
        warn=row.warn and row.warn_option in (None, dict(one.ruling).get("option", row.warn_option)),
        evidence=(*evidence, say.Evidence(kind="log", ref=round(one.committed_t, 6))),
        confirmed=one.confirmed,
        candidates=one.candidates if one.state == "open" else (),
        needs=_text(one.needs) if one.needs is not None and one.state == "open" else None,
        ruling=ruling or None,
    )


def warning(one: Warned) -> say.WarningGiven:
    """A warning as an event's payload: how many there are, and what it costs in the ranking."""
    return say.WarningGiven(
        line=one.line,
        count=one.count,
        row=one.row,
        total=one.total,
        victory_points=one.vp,
        withdrawn=one.withdrawn,
    )


def sanction(one: Sanction, reason: str | None = None) -> say.Sanction:
    """``one`` as an event's payload; hidden cards are ``??``."""
    return say.Sanction(
        key=one.key,
        irregularity=one.irregularity,
        row=one.row,
        do=one.duty.do,
        who=one.who,
        cards=public(one.cards, ()) if one.seen else veiled(one.cards),
        meld=one.meld,
        until=one.duty.until,
        text=_text(one.duty.text),
        reason=reason,
    )


def hand_counts(deal: Deal) -> dict[str, int | None]:
    """How many cards each seat holds by the ledger; None where that number is not sure."""
    return {str(seat): deal.count(seat) if deal.sure_of(seat) else None for seat in Seat}


Told = tuple[str, say.Payload, dict[str, Any] | None]
"""The type of an event, its public payload and what of it is hidden."""


def acted(action: act.Action, before: Deal, after: Deal) -> Told | None:
    """The event that ``action`` is, ``before`` and ``after`` being the deal around it; None where it is none."""
    cards = public(action.cards, action.basis)
    match action:
        case act.TurnUp():
            return "card.turned", say.CardTurned(card=_first(public(after.pile, action.basis))), None
        case act.Draw():
            secret = secret_cards(action.cards)
            if secret is not None and len(cards) == 1:
                secret = {"card": action.cards[0]}
            return "card.drawn", say.CardDrawn(count=max(1, len(cards))), secret
        case act.Collect():
            taken = (after.collected or cards) if after.to_play is after.actor(action.seat) else cards
            return (
                "pile.collected",
                say.PileCollected(cards=public(taken[-len(cards) :], ()), left=len(after.pile)),
                None,
            )
        case act.Open(row=row) | act.Extend(row=row) | act.Uncover(row=row) | act.Change(row=row):
            return _melded(action, row, after)
        case act.Discard(left=left):
            return (
                "card.discarded",
                say.CardDiscarded(card=_first(cards[::-1]), left=left, count=max(1, len(cards))),
                None,
            )
        case act.TakePot(manner=manner):
            if len(after.pots_taken) + len(after.second) == len(before.pots_taken) + len(before.second):
                return None
            return "pot.taken", say.PotTaken(manner=manner, cards=len(cards) or None), None
        case act.Expose(visible_to=visible):
            return _exposed(action, visible)
    return _returned(action, after)


def _first(cards: tuple[str, ...]) -> str:
    return cards[0] if cards else UNKNOWN


def _melded(action: act.Open | act.Extend | act.Uncover | act.Change, row: int, after: Deal) -> Told | None:
    lies = after.meld(row)
    if lies is None:
        return None
    told = meld(after.book, lies)
    match action:
        case act.Open():
            return "meld.opened", say.MeldOpened(meld=told), None
        case act.Extend(cards=cards):
            return "meld.extended", say.MeldExtended(meld=told, added=public(cards, action.basis)), None
        case act.Uncover(cards=cards):
            return "meld.changed", say.MeldChanged(meld=told, why="uncovered", added=tuple(map(face, cards))), None
        case act.Change(why=why):
            return "meld.changed", say.MeldChanged(meld=told, why=why), None


def _exposed(action: act.Expose, visible: tuple[Seat, ...] | None) -> Told:
    cards = public(action.cards, action.basis)
    open_to_all = visible is not None and set(visible) >= set(Seat)
    data = say.CardExposed(cards=cards if open_to_all else veiled(cards), visible_to=visible)
    return "card.exposed", data, None if open_to_all else secret_cards(action.cards)


def _returned(action: act.Action, after: Deal) -> Told | None:
    """Cards that went back somewhere: named only where they lay or lie face up."""
    cards = public(action.cards, action.basis)
    own = None if action.seat is None else hand(action.seat)
    match action:
        case act.ReturnToStock():
            data = say.CardReturned(cards=veiled(cards), from_=own, to=STOCK)
            return "card.returned", data, secret_cards(action.cards)
        case act.ReturnToPot():
            data = say.CardReturned(cards=veiled(cards), from_=own, to=POTS)
            return "card.returned", data, secret_cards(action.cards)
        case act.ReturnToPile():
            return "card.returned", say.CardReturned(cards=cards, from_=own, to=DISCARD), None
        case act.Penalise(zone=zone):
            return "card.returned", say.CardReturned(cards=cards, from_=own, to=zone), None
        case act.TakeBack(zone=zone, row=row):
            lies = None if row is None else after.meld(row)
            rest = () if lies is None else tuple(map(face, lies.cards))
            return "card.returned", say.CardReturned(cards=cards, from_=zone, to=own, meld=row, rest=rest), None
    return None
