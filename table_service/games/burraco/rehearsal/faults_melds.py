"""Wrong melds (arts. 10, 25, 29), found at once, after the discard or later."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.cards import rank
from hw.seats import Seat
from hw.twin.gestures import LayGesture, PushRow, PutAside, Say, TakeFromRow
from table_service.games.burraco.rehearsal import arbitro_acts, mending, mistaken_melds, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.mistaken_melds import MistakenMeld
from table_service.games.burraco.rehearsal.oracle import OracleMeld, is_wild
from table_service.games.burraco.rehearsal.players import additions, may_discard
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, Limit, SimulatedDeal
from table_service.games.burraco.rehearsal.unseen_cards import bring_up

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_KINDS: Final = ("F-29b", "F-29c", "F-29d")
_TAKES_BACK: Final = 0.3
"""How often who has laid half a meld takes it back before he discards."""
_SAYS_SO: Final = 0.4
"""How often who goes out says so."""
_SAME_AT_ONCE: Final = ("F-25a",)
"""Art. 25, first case, is what art. 29 says of an excess card found at once."""


def _wrong_melds(hand: tuple[str, ...], own: dict[int, OracleMeld], row: str) -> list[MistakenMeld]:
    """Return what of ``hand`` could be laid wrongly as ``row`` has it, to the melds of the ``own`` line too."""
    match row:
        case "F-29b":
            return mistaken_melds.openings(hand, wild=False)
        case "F-29c":
            return mistaken_melds.openings(hand, wild=True)
        case "F-29d":
            return mistaken_melds.additions(hand, own)
        case "F-12b":
            return mistaken_melds.second_wilds(hand, own)
        case "F-25a":
            longer = [wrong for wrong in mistaken_melds.openings(hand, wild=False) if wrong.core is not None]
            return [*mistaken_melds.additions(hand, own), *longer]
        case "F-10b":
            return mistaken_melds.wilds_alone(hand)
    return mistaken_melds.halves(hand)


def _candidates(deal: SimulatedDeal, seat: Seat, row: str) -> list[MistakenMeld]:
    view = deal.view(seat)
    hand = tuple(deal.world.hands[seat])
    found = _wrong_melds(hand, dict(view.own), row)
    keeps = [wrong for wrong in found if len(hand) - len(wrong.cards) >= deal.spare]
    return keeps if view.may_open else [wrong for wrong in keeps if wrong.row is not None]


def _penalised(deal: SimulatedDeal, seat: Seat, wrong: MistakenMeld, number: int, row: str, cue: int) -> None:
    """Have the arbitro rule: the excess goes to the side of the table."""
    arbitro_acts.rule(deal, row, seat, "penalise", wrong.excess, meld=number)
    mending.to_side(deal, seat, number, wrong.excess, cue)


def _ready(deal: SimulatedDeal) -> bool:
    return settled(deal, 14)


def _at_once(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-29b/c/d, F-25a, F-12b, F-10b: a wrong opening or addition; somebody calls, or the player mends it himself."""
    rng = director.rng
    wrongs = _candidates(deal, seat, row) if _ready(deal) else []
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    mend = mistaken_melds.mended(wrong, deal.world.hands[seat]) if wrong.core is None else None
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    variant = drawn_variant(rng, ruled=3, mended=2) if mend else "ruled"
    also = _SAME_AT_ONCE if row in _KINDS else (*_KINDS, *_SAME_AT_ONCE)
    deal.inject(row, seat, variant, wrong.cards, cue, also=also)
    if mend and variant == "mended":
        director.script.wait(rng.uniform(2.5, 6.0))
        card, good = mend
        deal.excess.pop(number)
        deal.melds[number] = good
        scripted_acts.spoil(deal, seat, (card,), number, good.cards)
    else:
        arbitro_acts.call(deal, caller(deal, seat, seat))
        _penalised(deal, seat, wrong, number, row, cue)
    turns.end_turn(director, deal, seat)
    return True


def _going_out(deal: SimulatedDeal, seat: Seat, wrongs: list[MistakenMeld]) -> list[MistakenMeld]:
    """Keep the ``wrongs`` after which ``seat`` can go out with its last card, if a closing is staged (art. 17)."""
    if deal.end != "closing":
        return wrongs
    hand, view = deal.world.hands[seat], deal.view(seat)
    left = [(wrong, [card for card in hand if card not in wrong.cards]) for wrong in wrongs]
    return [wrong for wrong, rest in left if len(rest) == 1 and may_discard(view, rest, rest[0])]


def _ends_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> int:
    """``seat`` discards; where a closing is staged it goes out, as it thinks. The cue that shows it."""
    if deal.end != "closing":
        turns.end_turn(director, deal, seat)
        return len(director.script.cues) - 1
    if director.rng.random() < _SAYS_SO:
        director.script.do(Say(seat, "close"))
    cue = scripted_acts.discard(deal, seat, deal.world.hands[seat][0])
    scripted_acts.turn_shield(deal, seat, "over")
    return cue


def _is_called_back(_director: Director, deal: SimulatedDeal, seat: Seat) -> None:
    """Have ``seat``, left with cards by the ruling, turn its shield up again and play on (arts. 17, 25)."""
    if deal.end == "closing":
        scripted_acts.turn_shield(deal, seat, "up")


def _after_discard(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-25b: a wrong meld that is noticed when its player has discarded and nobody has drawn (art. 25)."""
    rng = director.rng
    wrongs = [wrong for row in _KINDS for wrong in _candidates(deal, seat, row)] if _ready(deal) else []
    wrongs = _going_out(deal, seat, wrongs)
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    shown = _ends_turn(director, deal, seat)
    deal.inject("F-25b", seat, "ruled", wrong.excess, cue, shown)
    arbitro_acts.call(deal, caller(deal, seat))
    _penalised(deal, seat, wrong, number, "F-25b", cue)
    _is_called_back(director, deal, seat)
    return True


def _later(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-25c: a wrong meld that is noticed only when the opponents have played on (art. 25)."""
    rng = director.rng
    wrongs = [wrong for row in _KINDS for wrong in _candidates(deal, seat, row)] if _ready(deal) else []
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    turns.end_turn(director, deal, seat)

    def opponent_took(_who: Seat, taken: int) -> bool:
        def ruled(_next: Seat) -> None:
            deal.inject("F-25c", seat, "ruled", wrong.excess, cue, taken)
            arbitro_acts.call(deal, caller(deal, seat))
            arbitro_acts.rule(deal, "F-25c", seat, "freeze;score", wrong.excess, meld=number, freeze="definitive")
            deal.frozen[number] = Freeze(None)

        director.put_off(deal, deal.turn + rng.randint(0, 3), ruled)
        return True

    deal.on_take.append(opponent_took)
    return True


def _half_a_meld(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-29a: one or two cards are laid to open and nothing follows but the discard (art. 29)."""
    rng = director.rng
    wrongs = _going_out(deal, seat, _candidates(deal, seat, "F-29a") if _ready(deal) else [])
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    director.script.wait(rng.uniform(2.0, 6.0))
    if rng.random() < _TAKES_BACK and deal.end != "closing":
        return _half_a_meld_taken_back(director, deal, seat, wrong, cue, number)
    shown = _ends_turn(director, deal, seat)
    deal.inject("F-29a", seat, "ruled", wrong.cards, cue, shown, also=("F-25b",))
    arbitro_acts.call(deal, caller(deal, seat))
    _penalised(deal, seat, wrong, number, "F-29a", cue)
    _is_called_back(director, deal, seat)
    return True


def _half_a_meld_taken_back(
    director: Director, deal: SimulatedDeal, seat: Seat, wrong: MistakenMeld, cue: int, number: int
) -> bool:
    """F-29a: ``seat`` takes the cards back into its hand: they have been played all the same (art. 29)."""
    deal.script.do(TakeFromRow(seat, number, wrong.cards), deal.act("take-back", seat, wrong.cards, meld=number))
    deal.excess.pop(number)
    hand = [card for card in deal.world.hands[seat] if card not in wrong.cards]
    view = deal.view(seat)
    legal = [card for card in hand if may_discard(view, view.hand, card) and not is_wild(card)]
    turns.finish_with(director, deal, seat, director.rng.choice(legal or hand))
    deal.inject("F-29a", seat, "ruled, taken back", wrong.cards, cue, len(director.script.cues) - 1)
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "F-29a", seat, "penalise", wrong.cards)
    deal.script.do(PutAside(seat, wrong.cards), deal.act("penalise", seat, wrong.cards))
    deal.owed[seat] = dict.fromkeys(wrong.cards, cue)
    return True


def _with_a_gap(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-29e: a card is laid towards a meld without touching it, and nobody has said where it goes (art. 29)."""
    rng = director.rng
    if not _ready(deal):
        return False
    plays = [
        play
        for play in plays_of(deal, seat, deal.spare)
        if play.row is not None and len(deal.melds[play.row].cards) <= 4 and len(play.cards) == 1
    ]
    if not plays:
        return False
    play = rng.choice(plays)
    onto = play.row or 0
    number = deal.next_row
    deal.next_row += 1
    action = deal.act("lay-beside", seat, play.cards)
    cue = director.script.do(LayGesture(seat, number, play.cards, beside=onto), action)
    deal.excess[onto] = ()
    turns.end_turn(director, deal, seat)
    variant = drawn_variant(rng, ruled=3, play_goes_on=1)
    deal.inject("F-29e", seat, variant, play.cards, cue, len(director.script.cues) - 1, also=("F-29a", "F-28b"))
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-29e", seat, "freeze", play.cards, meld=onto, freeze="temporary")
        deal.frozen[onto] = Freeze(seat)
    pushed = deal.act("push", seat, play.cards)
    director.script.do(PushRow(seat, number, onto, play.result.cards), pushed)
    deal.excess.pop(onto)
    deal.melds[onto] = play.result
    return True


def _lays_before_penalised(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-27b: a wrong meld is ruled on, and its player lays another one before he discards (art. 27)."""
    rng = director.rng
    wrongs = _candidates(deal, seat, "F-29b") if _ready(deal) else []
    plays = plays_of(deal, seat, deal.spare + 2)
    pairs = [(wrong, play) for wrong in wrongs for play in plays if not set(wrong.cards) & set(play.cards)]
    if not pairs:
        return False
    wrong, play = rng.choice(pairs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    deal.inject("F-29b", seat, "ruled", wrong.cards, cue, also=_SAME_AT_ONCE)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    _penalised(deal, seat, wrong, number, "F-29b", cue)
    row = deal.next_row if play.row is None else play.row
    laid = scripted_acts.lay(deal, seat, play)
    deal.inject("F-27b", seat, "ruled", play.cards, laid)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "F-27b", seat, "freeze", play.cards, meld=row, freeze="temporary")
    deal.frozen[row] = Freeze(seat)
    frozen = dict(deal.frozen)
    turns.end_turn(director, deal, seat)
    deal.frozen = frozen
    return True


def _adds_to_frozen(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-27c: cards laid after the discard are frozen, and the partner adds to them all the same (art. 27)."""
    rng = director.rng
    offender, partner = seat.previous, seat.next
    if not _ready(deal) or deal.turn == 0:
        return False
    pairs = [
        (play, more)
        for play in plays_of(deal, offender, 3)
        for more in additions(deal.world.hands[partner], {0: play.result})
    ]
    if not pairs or len(deal.world.hands[partner]) < 5:
        return False
    play, more = rng.choice(pairs)
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, offender, play)
    deal.inject("F-27a", offender, "ruled", play.cards, cue)
    arbitro_acts.call(deal, caller(deal, offender))
    arbitro_acts.rule(deal, "F-27a", offender, "freeze", play.cards, meld=number, freeze="temporary")
    deal.frozen[number] = Freeze(offender)

    def adds(who: Seat) -> None:
        if more.cards[0] not in deal.world.hands[who] or len(deal.world.hands[who]) < 3:
            return
        laid = scripted_acts.spoil(deal, who, more.cards, number, more.result.cards)
        deal.inject("F-27c", who, "ruled", more.cards, laid)
        arbitro_acts.call(deal, caller(deal, who, who))
        arbitro_acts.rule(deal, "F-27c", who, "penalise", more.cards, meld=number)
        mending.to_side(deal, who, number, more.cards, laid)

    director.plans[partner] = adds
    return True


def _virtually_empty(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-27d: the last cards, laid after the discard, are frozen; their player draws a wild, no card to go out with."""
    rng = director.rng
    hand = deal.world.hands[seat]
    line_ready = deal.pot_taken(seat.line) and seat not in deal.unplayed and deal.has_burraco(seat.line)
    if not _ready(deal) or not line_ready or len(hand) > 6 or len(hand) != len(deal.hand(seat)):
        return False
    view = deal.view(seat)
    pairs = [
        (play, rest[0])
        for play in plays_of(deal, seat, 1)
        if len(rest := [card for card in hand if card not in play.cards]) == 1
        and may_discard(view, hand, rest[0])
        and not is_wild(rest[0])
    ]
    if not pairs:
        return False
    play, card = rng.choice(pairs)
    turn = deal.turn
    scripted_acts.discard(deal, seat, card)
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    deal.inject("F-27a", seat, "ruled", play.cards, cue, demanded=False)
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "F-27a", seat, "freeze", play.cards, meld=number, freeze="temporary")
    deal.frozen[number] = Freeze(seat)
    deal.turn_open = False

    def his_turn(who: Seat) -> None:
        if who is seat and not deal.hand(seat) and bring_up(deal.script, lambda one: rank(one) == "2"):
            deal.limits[seat] = Limit("draw")
            director.plans[seat] = discards

    def discards(who: Seat) -> None:
        (wild,) = deal.world.hands[who]
        shown = scripted_acts.discard(deal, who, wild)
        deal.inject("F-27d", who, "ruled", (), shown)
        arbitro_acts.call(deal, caller(deal, who))
        arbitro_acts.rule(deal, "F-27d", who, "freeze", (), meld=number, freeze="temporary")
        deal.frozen[number] = Freeze(seat, 2)
        deal.turn_open = False
        director.later.append((turn + 7, goes_on))

    def goes_on(who: Seat) -> None:
        if who is seat:
            bring_up(deal.script, lambda one: not is_wild(one))
            deal.limits[seat] = Limit("draw")

    director.later.append((turn + 3, his_turn))
    return True


MELD_KINDS: Final = (
    *(DealFaultKind(row, (DealMoment.BEFORE_DISCARD,), partial(_at_once, row), (0, 16), own=True) for row in _KINDS),
    DealFaultKind("F-25a", (DealMoment.BEFORE_DISCARD,), partial(_at_once, "F-25a"), (0, 16), own=True),
    DealFaultKind("F-12b", (DealMoment.BEFORE_DISCARD,), partial(_at_once, "F-12b"), (2, 16), own=True),
    DealFaultKind("F-10b", (DealMoment.BEFORE_DISCARD,), partial(_at_once, "F-10b"), (0, 6)),
    DealFaultKind("F-25b", (DealMoment.BEFORE_DISCARD,), _after_discard, (0, 16), own=True),
    DealFaultKind("F-25c", (DealMoment.BEFORE_DISCARD,), _later, (0, 14), late=True),
    DealFaultKind("F-29a", (DealMoment.BEFORE_DISCARD,), _half_a_meld, (0, 16), own=True),
    DealFaultKind("F-29e", (DealMoment.BEFORE_DISCARD,), _with_a_gap, (2, 16)),
    DealFaultKind("F-27b", (DealMoment.BEFORE_DISCARD,), _lays_before_penalised, (0, 12)),
    DealFaultKind("F-27d", (DealMoment.BEFORE_DISCARD,), _virtually_empty, (0, 0)),
    DealFaultKind("F-27c", (DealMoment.BEFORE_TURN,), _adds_to_frozen, (1, 14), lead=1),
)
