"""Payloads of a referee's findings: remedies, sanctions, evidence, and which part of it is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hw.cards import UNKNOWN, face
from hw.seats import Rotation
from table_service.events import payloads as say
from table_service.referee.catalogue import Choice, StepRule, Words
from table_service.referee.values import Irregularity, Sanction, Warned


def veiled(cards: Iterable[str]) -> tuple[str, ...]:
    """``cards`` as the public may see them when they are hidden."""
    return (UNKNOWN,) * len(tuple(cards))


def public(cards: Iterable[str], basis: Iterable[str]) -> tuple[str, ...]:
    """Return ``cards`` that are face up, as the public may see them: the copy only if its tag was read with it.

    A copy that was guessed, or remembered by a person, would reveal a card that is hidden elsewhere.
    """
    known = tuple(cards)
    return known if len(known) == 1 and "tags" in tuple(basis) else tuple(map(face, known))


def secret_cards(cards: Iterable[str]) -> dict[str, Any] | None:
    """Return the hidden part of an event about ``cards``; None if nothing is known that could be hidden."""
    known = tuple(cards)
    return {"cards": list(known)} if any(face(card) != UNKNOWN for card in known) else None


def _text(words: Words) -> say.Text:
    return say.Text(it=words.it, en=words.en)


def _who(step: StepRule | Choice, one: Irregularity, rotation: Rotation) -> str | None:
    """Return who carries ``step`` out; None if no known player could, for example at an empty seat."""
    offender = one.offender if rotation.holds(one.offender) else None
    match step.who:
        case "offender":
            return one.offender
        case "partner":
            return rotation.partner(offender) if offender else None
        case "player-in-turn":
            return one.victim
        case "next-opponent":
            return rotation.next(offender) if offender else None
        case "opponent-in-turn":
            return _opponent_in_turn(one, rotation)
        case "line-in-turn":
            return _of_line_in_turn(one, rotation)
        case "line":
            return rotation.line(offender) if offender else None
    return step.who


def _of_line_in_turn(one: Irregularity, rotation: Rotation) -> str | None:
    """Return the player of the erring line whose turn it is, or else comes next."""
    if one.line is None or one.victim is None or not rotation.holds(one.victim):
        return None
    return one.victim if rotation.line(one.victim) is one.line else rotation.next(one.victim)


def _opponent_in_turn(one: Irregularity, rotation: Rotation) -> str | None:
    """Return the player of the other line whose turn it is, or else comes next."""
    if one.offender is None or not rotation.holds(one.offender):
        return None
    return one.victim if _are_opponents(one, rotation) else rotation.next(one.offender)


def _are_opponents(one: Irregularity, rotation: Rotation) -> bool:
    """Return True if it was the turn of an opponent of the player who erred."""
    offender, victim = one.offender, one.victim
    if offender is None or victim is None or not (rotation.holds(offender) and rotation.holds(victim)):
        return False
    return rotation.line(offender) is not rotation.line(victim)


def steps(one: Irregularity, rotation: Rotation) -> tuple[say.Step, ...]:
    """Return the remedy of ``one`` as it applies to the offender and the player whose turn it was."""
    shown = public(one.cards, one.basis) if one.seen else veiled(one.cards)
    chosen = one.option
    opponent = _are_opponents(one, rotation)
    return tuple(
        say.Step(
            do=step.do,
            who=_who(step, one, rotation),
            cards=shown if step.cards else (),
            until=step.until,
            text=_text(step.text),
            option=step.option,
        )
        for step in one.row.steps
        if (step.only == "always" or opponent) and (chosen is None or step.option in (None, chosen))
    )


def irregularity(one: Irregularity, rotation: Rotation) -> say.Irregularity:
    """``one`` as an event's payload; hidden cards are ``??``."""
    told = _irregularity(one, rotation)
    if not one.side:
        return told
    return say.IrregularityBehindScreens(**dict(told), side=one.side, unconfirmed=one.unconfirmed, trick=one.trick)


def _irregularity(one: Irregularity, rotation: Rotation) -> say.Irregularity:
    row, is_open = one.row, one.state == "open"
    frames = [say.Evidence(kind="frame", ref=frame) for frame in one.frames]
    return say.Irregularity(
        key=one.key,
        row=row.id,
        article=row.article,
        title=_title(one),
        severity="note" if one.likely else one.severity or row.severity,
        offender=one.offender,
        pair=one.line,
        cards=public(one.cards, one.basis) if one.seen else veiled(one.cards),
        committed_t=round(one.committed_t, 6),
        found=one.found,
        state=one.state,
        remedy=steps(one, rotation),
        options=_options(one),
        choices=_choices(one, rotation),
        needs_referee=one.needs_referee or (row.needs_referee and is_open and not one.confirmed),
        warn=_warns(one),
        evidence=(*frames, say.Evidence(kind="log", ref=round(one.committed_t, 6))),
        confirmed=one.confirmed,
        likely=one.likely,
        candidates=one.candidates if is_open else (),
        needs=_text(one.needs) if one.needs is not None and is_open else None,
        ruling={key: value for key, value in one.ruling if key != "cards" or one.seen} or None,
    )


def _title(one: Irregularity) -> say.Text:
    """Return the row's title, with the trick and the suit if it is about one."""
    it: tuple[str, ...] = ()
    en: tuple[str, ...] = ()
    if one.trick is not None:
        it, en = (f"presa {one.trick}",), (f"trick {one.trick}",)
    if one.about is not None:
        it, en = (*it, one.about.it), (*en, one.about.en)
    title = one.row.title
    if not it:
        return _text(title)
    return say.Text(it=f"{title.it} ({', '.join(it)})", en=f"{title.en} ({', '.join(en)})")


def _options(one: Irregularity) -> tuple[str, ...]:
    """Between what a ruling chooses: what the facts leave, else what the row does; what they show comes first."""
    ways = one.readings or (*one.row.options, *(choice.key for choice in one.row.choices))
    return tuple(sorted(ways, key=lambda way: way != one.way))


def _warns(one: Irregularity) -> bool:
    """Return True if a ruling warns the line, in the way that was chosen."""
    row = one.row
    return row.warn and row.warn_option in (None, dict(one.ruling).get("option", row.warn_option))


def _choices(one: Irregularity, rotation: Rotation) -> tuple[say.Choice, ...]:
    """Return the ways that the row leaves open, each with the party that is to choose."""
    return tuple(
        say.Choice(key=choice.key, who=_who(choice, one, rotation), text=_text(choice.text))
        for choice in one.row.choices
    )


def warning(one: Warned) -> say.WarningGiven:
    """Return a warning as an event's payload: how many there are, and what it costs in the ranking."""
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
