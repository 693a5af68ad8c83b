"""Cards seen that should not be: exposed to the partner (art. 24), hidden in a meld or by a discard (art. 26)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import SEATS, Seat
from hw.twin.gestures import DiscardGesture, ExposeGesture, LayGesture, TakeFromPile, UncoverGesture
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import extend, is_wild
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, choose_discard, may_discard
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

SPOTS: Final[tuple[tuple[float, float], ...]] = (
    (-255.0, -200.0),
    (-230.0, -230.0),
    (-200.0, -250.0),
    (-185.0, -215.0),
    (-250.0, -260.0),
)
"""Open table: three cards side by side lie clear of every zone there (``hw.layout.DEFAULT_LAYOUT``)."""


def _falls_face_up(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-24a: cards of somebody's hand fall face up onto the open table (art. 24)."""
    rng = director.rng
    offender = rng.choice(SEATS)
    hand = deal.world.hands[offender]
    begun = deal.turn > 0 or deal.taking  # a card seen before play begins is a misdeal (F-04d)
    if len(hand) < 5 or not settled(deal) or not begun:
        return False
    cards = tuple(rng.sample(hand, rng.choices([1, 2, 3], weights=[7, 2, 1], k=1)[0]))
    x, y = rng.choice(SPOTS)
    cue = director.script.do(ExposeGesture(offender, cards, x, y), deal.act("expose", offender, cards))
    left = rng.random() < 0.4
    variant = drawn_variant(rng, played_or_discarded=5, kept=2, ruled=3, dismissed=1)
    deal.inject("F-24a", offender, f"{variant}{', left lying' if left else ''}", cards, cue)
    director.script.wait(rng.uniform(0.8, 3.0))
    if not left:
        scripted_acts.take_up(deal, offender, cards)
    if variant in ("ruled", "dismissed"):
        arbitro_acts.call(deal, caller(deal, offender, seat if deal.taking else None))
        if variant == "ruled":
            arbitro_acts.rule(deal, "F-24a", offender, "play-or-discard", cards)
        else:
            arbitro_acts.dismiss(deal, "F-24a", offender)
    if variant in ("played-or-discarded", "ruled"):
        deal.owed[offender] = dict.fromkeys(cards, cue)
    elif left:
        director.script.wait(rng.uniform(0.5, 2.0))
        scripted_acts.take_up(deal, offender, cards)
    return True


def _shows_all(director: Director, deal: SimulatedDeal, _seat: Seat) -> bool:
    """F-24d: somebody thinks that the deal is over and shows his whole hand (art. 24).

    The hand areas are masked during play: the camera sees it as it lies on the open table, two or three cards at most.
    """
    rng = director.rng
    small = [who for who in SEATS if 2 <= len(deal.world.hands[who]) <= 3]
    if not small or not settled(deal):
        return False
    offender = rng.choice(small)
    cards = deal.world.hands[offender]
    x, y = rng.choice(SPOTS)
    cue = director.script.do(ExposeGesture(offender, cards, x, y), deal.act("expose", offender, cards))
    deal.inject("F-24d", offender, "ruled", cards, cue, also=("F-24a",))
    director.script.wait(rng.uniform(0.8, 3.0))
    arbitro_acts.call(deal, caller(deal, offender, None))
    arbitro_acts.rule(deal, "F-24d", offender, "play-or-discard", cards)
    scripted_acts.take_up(deal, offender, cards)
    deal.owed[offender] = dict.fromkeys(cards, cue)
    return True


def _adds_exposed(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-24c: an exposed card is added to a meld that the partner has changed since (art. 24)."""
    rng = director.rng
    offender = seat.partner
    if not settled(deal, 16) or min(len(deal.world.hands[seat]), len(deal.world.hands[offender])) < 5:
        return False
    own = dict(deal.view(seat).own)
    found = []
    for play in additions(deal.world.hands[seat], own):
        after = {play.row or 0: play.result}
        found += [(play, more) for more in additions(deal.world.hands[offender], after) if not is_wild(more.cards[0])]
    if not found:
        return False
    play, more = rng.choice(found)
    number, card = play.row or 0, more.cards[0]
    x, y = rng.choice(SPOTS)
    cue = director.script.do(ExposeGesture(offender, (card,), x, y), deal.act("expose", offender, (card,)))
    deal.inject("F-24a", offender, "ruled", (card,), cue)
    director.script.wait(rng.uniform(0.8, 2.0))
    scripted_acts.take_up(deal, offender, (card,))
    arbitro_acts.call(deal, caller(deal, offender))
    arbitro_acts.rule(deal, "F-24a", offender, "play-or-discard", (card,))
    deal.owed[offender] = {card: cue}

    def changes(who: Seat) -> None:
        if play.cards[0] in deal.world.hands[who] and deal.melds[number].cards == own[number].cards:
            scripted_acts.lay(deal, who, play)
            director.plans[offender] = adds

    def adds(who: Seat) -> None:
        result = extend(deal.melds[number], (card,))
        if result is None or card not in deal.world.hands[who] or deal.last_change[number][0] is not who.partner:
            return
        laid = scripted_acts.spoil(deal, who, (card,), number, result.cards)
        deal.inject("F-24c", who, "ruled", (card,), laid)
        arbitro_acts.call(deal, caller(deal, who, who))
        arbitro_acts.rule(deal, "F-24c", who, "penalise", (card,), meld=number)
        mending.to_side(deal, who, number, (card,), laid)

    director.plans[seat] = changes
    return True


def _two_discarded(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-26e: a second card sticks to the discard and goes onto the pile with it (art. 26, fifth case)."""
    rng = director.rng
    hand = deal.world.hands[seat]
    if not settled(deal, 10) or len(hand) <= deal.spare:
        return False
    view = deal.view(seat)
    top = choose_discard(view, director.styles[seat], rng)
    others = [card for card in hand if card != top and may_discard(view, hand, top)]
    if not others:
        return False
    below = rng.choice(others)
    cue = director.script.do(DiscardGesture(seat, top, below), deal.act("discard", seat, (top,), under=below))
    deal.barred = None
    variant = "ruled" if deal.end == "closing" else drawn_variant(rng, ruled=3, play_goes_on=1)
    deal.inject("F-26e", seat, variant, (below,), cue)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-26e", seat, "take-back;expose", (below,))
        director.script.do(TakeFromPile(seat, (below,)), deal.act("take-up", seat, (below,)))
        deal.owed[seat] = {below: cue}
    else:
        director.script.wait(rng.uniform(2.0, 5.0))
    return True


def _hidden_under(deal: SimulatedDeal, seat: Seat, *, goes_out: bool) -> list[tuple[MeldPlay, str]]:
    """Return the melds that ``seat`` could open, each with a card that could lie hidden under it and not fit it."""
    pairs = [
        (play, card)
        for play in plays_of(deal, seat, 2 if goes_out else deal.spare + 2)
        if play.row is None
        for card in deal.world.hands[seat]
        if card not in play.cards and not is_wild(card) and extend(play.result, (card,)) is None
    ]
    if not goes_out:
        return pairs
    view, hand = deal.view(seat), deal.world.hands[seat]
    return [
        (play, card)
        for play, card in pairs
        if len(rest := [one for one in hand if one not in (*play.cards, card)]) == 1
        and may_discard(view, rest, rest[0])
    ]


def hides(
    director: Director, deal: SimulatedDeal, seat: Seat, *, goes_out: bool = False
) -> tuple[int, str, int] | None:
    """``seat`` opens a meld under which a card lies hidden: its row, the card, the cue; None where it cannot.

    ``goes_out``: it is to have one card left then, with which it goes out, as it thinks.
    """
    pairs = _hidden_under(deal, seat, goes_out=goes_out)
    if not settled(deal, 14) or not pairs:
        return None
    play, ghost = director.rng.choice(pairs)
    number = deal.next_row
    deal.next_row += 1
    action = replace(deal.act("open", seat, play.cards), meld=number, row=play.result.cards)
    laid = director.script.do(LayGesture(seat, number, play.result.cards, under=ghost), action)
    deal.melds[number], deal.lines[number], deal.excess[number] = play.result, seat.line, (ghost,)
    deal.last_change[number] = (seat, laid)
    return number, ghost, laid


def _shown_by_addition(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-26d: a card hidden in a meld comes to light as the partner adds to it (art. 26, fourth case)."""
    hidden = hides(director, deal, seat)
    if hidden is None:
        return False
    number, ghost, laid = hidden
    turns.end_turn(director, deal, seat)

    def adds(who: Seat) -> None:
        lying = deal.melds[number]
        fitting = additions(deal.world.hands[who], {number: lying})
        fitting = [more for more in fitting if more.result.cards[: len(lying.cards)] == lying.cards]
        if not fitting or len(deal.world.hands[who]) < 4:
            return
        more = fitting[0]
        reads = list(deal.world.rows[number].cards)
        reads.append(more.cards[0])
        scripted_acts.spoil(deal, who, more.cards, number, reads, seen=more.result.cards)
        cue = director.script.do(UncoverGesture(who, ghost))
        deal.inject("F-26d", seat, "ruled", (ghost, *more.cards), laid, cue)
        arbitro_acts.call(deal, caller(deal, who, who))
        arbitro_acts.rule(deal, "F-26d", seat, "freeze;score;discard", (ghost,), meld=number, freeze="definitive")
        mending.to_side(deal, who, number, (ghost,), cue)
        deal.frozen[number] = Freeze(None)
        deal.excess[number] = more.cards

    director.plans[seat.partner] = adds
    return True


def _ghost(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-26a/b/c: a card lies hidden in a meld and comes to light during the turn, after it, or later (art. 26)."""
    rng = director.rng
    goes_out = row == "F-26b" and deal.end == "closing"
    hidden = hides(director, deal, seat, goes_out=goes_out)
    if hidden is None:
        return False
    number, ghost, laid = hidden

    def comes_to_light(who: Seat, playing: Seat | None) -> None:
        cue = director.script.do(UncoverGesture(who, ghost))
        also = ("F-29b", "F-29c", "F-29d") if row == "F-26a" else ()
        deal.inject(row, seat, "ruled", (ghost,), laid, cue, also=also)
        arbitro_acts.call(deal, caller(deal, seat, playing))
        arbitro_acts.rule(deal, row, seat, "penalise", (ghost,), meld=number)
        # Found later, it falls to the player of the line who plays next, whoever erred (third case).
        duty = seat if row != "F-26c" else who if who.line is seat.line else who.next
        if row == "F-26c":
            deal.frozen[number] = Freeze(None)
        mending.to_side(deal, duty, number, (ghost,), cue)

    director.script.wait(rng.uniform(1.0, 3.0))
    if row == "F-26a":
        comes_to_light(seat, seat)
        turns.end_turn(director, deal, seat)
        return True
    if goes_out:
        scripted_acts.discard(deal, seat, deal.world.hands[seat][0])
        scripted_acts.turn_shield(deal, seat, "over")
    else:
        turns.end_turn(director, deal, seat)
    if row == "F-26b":
        comes_to_light(rng.choice(seat.line.other.seats), None)
        if goes_out:
            scripted_acts.turn_shield(deal, seat, "up")
    else:
        wait = deal.turn + rng.choice([1, 3])
        director.put_off(deal, wait, lambda who: comes_to_light(who, None))
    return True


CARD_KINDS: Final = (
    DealFaultKind("F-24a", (DealMoment.BEFORE_TURN, DealMoment.AFTER_DRAW), _falls_face_up),
    DealFaultKind("F-24c", (DealMoment.BEFORE_TURN,), _adds_exposed, (3, 16), lead=2),
    DealFaultKind("F-24d", (DealMoment.BEFORE_TURN,), _shows_all, (6, 20)),
    DealFaultKind("F-26a", (DealMoment.BEFORE_DISCARD,), partial(_ghost, "F-26a"), (0, 12), own=True),
    DealFaultKind("F-26b", (DealMoment.BEFORE_DISCARD,), partial(_ghost, "F-26b"), (0, 12), own=True),
    DealFaultKind("F-26c", (DealMoment.BEFORE_DISCARD,), partial(_ghost, "F-26c"), (0, 12), late=True),
    DealFaultKind("F-26d", (DealMoment.BEFORE_DISCARD,), _shown_by_addition, (0, 12), lead=2),
    DealFaultKind("F-26e", (DealMoment.BEFORE_DISCARD,), _two_discarded, (0, 16), own=True),
)
