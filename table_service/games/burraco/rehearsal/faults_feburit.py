"""Faults by the FE.BUR.IT code, and what it orders for them (seeds 001, arts. 6, 10, 13 to 16, 21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import Expose, PushRow, PutBack, ReturnToPile, TakeFromRow, Uncover
from table_service.games.burraco.rehearsal import acts, arbitro, mending, turns
from table_service.games.burraco.rehearsal.after_fault import (
    is_calm,
    is_ruled,
    limit_next_turn,
    somebody_else,
    what_follows,
    wrong_lays,
)
from table_service.games.burraco.rehearsal.deal import Deal, Freeze, Limit
from table_service.games.burraco.rehearsal.fault import (
    Kind,
    Moment,
    caller,
    keeps_order,
    plays_of,
)
from table_service.games.burraco.rehearsal.faults_cards import SPOTS, hides
from table_service.games.burraco.rehearsal.faults_feburit_close import FEBURIT_CLOSE_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_count import FEBURIT_COUNT_KINDS, shown_after_closing
from table_service.games.burraco.rehearsal.faults_feburit_deal import FEBURIT_DEAL_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_turn import FEBURIT_TURN_KINDS
from table_service.games.burraco.rehearsal.faults_untold import cards_mixed
from table_service.games.burraco.rehearsal.faults_wild_on_top import WILD_ON_TOP_KINDS
from table_service.games.burraco.rehearsal.oracle import Meld, is_wild, meld
from table_service.games.burraco.rehearsal.players import Play, additions, choose_discard, openings

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

# -- arts. 13 and 14 ----------


def _draws_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-14a: another one than ``seat`` draws."""
    if not is_calm(deal):
        return False
    offender, card = somebody_else(director, deal, seat), deal.stock[-1]
    cue = acts.draw(deal, offender, "draw", out_of_turn=True)
    variant = what_follows(director)
    deal.inject("B-14a", offender, variant, (card,), cue)
    if is_ruled(deal, "B-14a", offender, variant):
        arbitro.rule(deal, "B-14a", offender, "return-to-stock", (card,), option="draw")
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
        limit_next_turn(deal, "B-14a", offender)
    return True


def _collects_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-14a: another one than ``seat`` takes the pile."""
    pile = deal.pile
    if not is_calm(deal) or not pile:
        return False
    offender = somebody_else(director, deal, seat)
    cue = acts.collect(deal, offender)
    deal.barred = None
    variant = what_follows(director)
    deal.inject("B-14a", offender, variant, pile, cue)
    if is_ruled(deal, "B-14a", offender, variant):
        arbitro.rule(deal, "B-14a", offender, "return-to-pile", pile, option="collect")
        director.script.do(ReturnToPile(offender, pile), deal.act("return-to-pile", offender, pile))
        limit_next_turn(deal, "B-14a", offender)
    return True


def _penalises_the_play(deal: Deal, seat: Seat, number: int, cards: tuple[str, ...], cue: int) -> None:
    """His newest play is penalised: its ``cards`` go to his side, and the row is what it was before."""
    _, _, _, before = deal.plays.pop()
    mending.lay_aside(deal, seat, number, cards)
    if before is None:
        del deal.melds[number]
    else:
        deal.melds[number] = before
    deal.owed[seat] = dict.fromkeys(cards, cue)


def _draws_and_lays(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-14b: another one than ``seat`` draws and opens a meld with the card, which is his last play."""
    if not is_calm(deal, 16):
        return False
    offender, card = somebody_else(director, deal, seat), deal.stock[-1]
    view = deal.view(offender)
    plays = [play for play in openings((*view.hand, card), view) if card in play.cards]
    plays = [play for play in plays if len(view.hand) + 1 - len(play.cards) >= deal.spare]
    if not plays:
        return False
    play = director.rng.choice(plays)
    cue = acts.draw(deal, offender, "draw", out_of_turn=True)
    number = deal.next_row
    laid = acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14b", offender, variant, play.cards, cue, laid)
    if is_ruled(deal, "B-14b", offender, variant):
        rest = tuple(one for one in play.cards if one != card)
        order = "return-to-stock;penalise;discard"
        arbitro.rule(deal, "B-14b", offender, order, rest, option="draw", meld=number, freeze="none")
        taken = deal.act("take-back", offender, (card,), meld=number)
        director.script.do(TakeFromRow(offender, number, (card,)), taken)
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
        _penalises_the_play(deal, offender, number, rest, laid)
        limit_next_turn(deal, "B-14b", offender)
    return True


def _plays_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-14c: another one than ``seat`` opens or adds, having taken nothing."""
    if not is_calm(deal):
        return False
    offender = director.rng.choice([seat.partner, seat.next])
    plays = [play for play in plays_of(deal, offender, deal.spare) if keeps_order(deal.melds, play)]
    if not plays:
        return False
    play = director.rng.choice(plays)
    number = deal.next_row if play.row is None else play.row
    cue = acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14c", offender, variant, play.cards, cue)
    if is_ruled(deal, "B-14c", offender, variant):
        arbitro.rule(deal, "B-14c", offender, "penalise;discard", play.cards, meld=number, freeze="none")
        _penalises_the_play(deal, offender, number, play.cards, cue)
        limit_next_turn(deal, "B-14c", offender)
    return True


def _plays_after_discard(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-14d: who has just discarded opens or adds."""
    if not is_calm(deal) or deal.turn == 0:
        return False
    offender = seat.previous
    plays = plays_of(deal, offender, deal.spare)
    if not plays:
        return False
    play = director.rng.choice(plays)
    number = deal.next_row if play.row is None else play.row
    cue = acts.lay(deal, offender, play)
    variant = what_follows(director)
    deal.inject("B-14d", offender, variant, play.cards, cue)
    if is_ruled(deal, "B-14d", offender, variant):
        arbitro.rule(deal, "B-14d", offender, "freeze;limit-turn", play.cards, meld=number, freeze="temporary")
        deal.frozen[number] = Freeze(seat, 2)  # for a round, until who is to play now plays again
        limit_next_turn(deal, "B-14d", offender)
    return True


def _plays_without_drawing(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-13a: ``seat`` plays before it has drawn, and is told so in its turn."""
    plays = plays_of(deal, seat, deal.spare) if is_calm(deal) else []
    if not plays:
        return False
    play = director.rng.choice(plays)
    row = deal.next_row if play.row is None else play.row
    cue = acts.lay(deal, seat, play)
    deal.inject("B-13a", seat, "ruled", play.cards, cue)
    arbitro.call(deal, caller(deal, seat))
    arbitro.rule(deal, "B-13a", seat, "draw;discard;freeze", play.cards, meld=row, freeze="temporary")
    mending.freeze_undrawn(deal, seat, row, play.cards)
    frozen = dict(deal.frozen)
    deal.may_not_close |= {seat, seat.partner}
    turns.take(director, deal, seat, Limit("draw"))
    turns.end_turn(director, deal, seat)
    deal.frozen = frozen
    return True


def _discards_without_drawing(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-13b, B-13c: ``seat`` has played, or not, and discards without having drawn; told before the next draws."""
    if not is_calm(deal):
        return False
    if row == "B-13b":
        plays = plays_of(deal, seat, deal.spare)
        if not plays:
            return False
        acts.lay(deal, seat, director.rng.choice(plays))
    cue = len(director.script.cues) - 1
    card = choose_discard(deal.view(seat), director.styles[seat], director.rng)
    discarded = acts.discard(deal, seat, card)
    variant = what_follows(director)
    deal.inject(row, seat, variant, (), cue if row == "B-13b" else discarded, discarded, also=("B-13a",))
    if is_ruled(deal, row, seat, variant):
        arbitro.rule(deal, row, seat, "draw;limit-turn")
        acts.draw(deal, seat, "draw", made_up=True)
        deal.limits[seat] = Limit("draw", row)
        deal.may_not_close |= {seat, seat.partner}
    return True


# -- art. 6 ----------


def _draws_again(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-06a: ``seat`` draws a second card."""
    if not is_calm(deal):
        return False
    acts.took(deal, seat, acts.draw(deal, seat))
    card = deal.stock[-1]
    cue = acts.draw(deal, seat, "draw", again=True)
    variant = what_follows(director)
    deal.inject("B-06a", seat, variant, (card,), cue)
    if is_ruled(deal, "B-06a", seat, variant, seat):
        seen = director.rng.choice(["seen", "unseen"])
        arbitro.rule(deal, "B-06a", seat, "return-to-stock", (card,), option=seen)
        director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


# -- art. 10 ----------


def _exposes(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-10a, e, h: a card of who is in turn, of an opponent or of his partner falls face up in the turn of ``seat``."""
    rng = director.rng
    offender = {"B-10a": seat, "B-10e": rng.choice([seat.next, seat.previous]), "B-10h": seat.partner}[row]
    if not is_calm(deal):
        return False
    card = rng.choice(deal.world.hands[offender])
    x, y = rng.choice(SPOTS)
    cue = director.script.do(Expose(offender, (card,), x, y), deal.act("expose", offender, (card,)))
    variant = what_follows(director)
    deal.inject(row, offender, variant, (card,), cue)
    director.script.wait(rng.uniform(0.8, 2.0))
    acts.take_up(deal, offender, (card,))
    ruled = is_ruled(deal, row, offender, variant, seat)
    if row == "B-10a":
        _plays_first(director, deal, seat, card, ruled=ruled)
        return True
    if ruled:
        arbitro.rule(deal, row, offender, "expose", (card,))
        deal.owed[offender] = {card: cue}
        deal.may_not_close |= {seat, offender, offender.partner}
        director.plans[offender] = partial(_lays_alone, deal, card)
    turns.end_turn(director, deal, seat)
    return True


def _plays_first(director: Director, deal: Deal, seat: Seat, card: str, *, ruled: bool) -> None:
    """Who exposed ``card`` in his turn lays it at once, or discards it at once where it fits nowhere."""
    if not ruled:
        turns.end_turn(director, deal, seat)
        return
    play = _play_with(deal, seat, card)
    arbitro.rule(deal, "B-10a", seat, "expose", (card,), option="laid" if play else "one-left")
    if play is None:
        turns.finish_with(director, deal, seat, card)
        return
    acts.lay(deal, seat, play)
    turns.end_turn(director, deal, seat)


def _play_with(deal: Deal, seat: Seat, card: str) -> Play | None:
    """A play by which ``seat`` lays ``card``, no meld of which its partner has touched since; None: there is none."""
    view = deal.view(seat)
    plays = [*additions((card,), view.own), *openings(view.hand, view)]
    fits = [play for play in plays if card in play.cards and play.row not in view.closed_to_owed]
    return next((play for play in fits if len(view.hand) - len(play.cards) >= 2), None)


def _lays_alone(deal: Deal, card: str, seat: Seat) -> None:
    """In his next turn he lays the exposed ``card`` and no more, or discards it; his partner leaves that meld be."""
    play = _play_with(deal, seat, card)
    if play is not None:
        number = deal.next_row if play.row is None else play.row
        acts.lay(deal, seat, play)
        deal.frozen[number] = Freeze(seat.partner)


def _lays_wrongly(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-10j, k, l: a wrong meld or addition; somebody calls, the excess is penalised and his play ends."""
    wrongs = wrong_lays(row, deal, seat) if is_calm(deal, 20) else []
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = acts.lay_wrongly(deal, seat, wrong)
    also = {"B-10j", "B-10k", "B-10l"} - {row}
    deal.inject(row, seat, "ruled", wrong.cards, cue, also=sorted(also))
    arbitro.call(deal, caller(deal, seat, seat))
    way = {} if row == "B-10l" else {"option": "penalise"}
    arbitro.rule(deal, row, seat, "penalise", wrong.excess, meld=number, **way)
    mending.to_side(deal, seat, number, wrong.excess, cue)
    deal.may_not_close |= {seat, seat.partner}
    turns.end_turn(director, deal, seat)
    return True


def _found_later(director: Director, deal: Deal, seat: Seat) -> bool:
    """B-10m: a wrong meld that is noticed after the discard, or when others have played on."""
    wrongs = (
        [one for row in ("B-10j", "B-10k", "B-10l") for one in wrong_lays(row, deal, seat)] if is_calm(deal, 20) else []
    )
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = acts.lay_wrongly(deal, seat, wrong)
    turns.end_turn(director, deal, seat)
    shown = len(director.script.cues) - 1

    def ruled(_who: Seat) -> None:
        deal.inject("B-10m", seat, "ruled", wrong.excess, cue, shown)
        arbitro.call(deal, caller(deal, seat))
        arbitro.rule(deal, "B-10m", seat, "freeze;score", wrong.excess, meld=number, freeze="definitive")
        deal.frozen[number] = Freeze(None)

    director.put_off(deal, deal.turn + director.rng.randint(0, 3), ruled)
    return True


def _ghost(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-10c, f: a card lies hidden in a meld and comes to light in the turn, or later; it is discarded at once."""
    hidden = hides(director, deal, seat) if is_calm(deal, 20) else None
    if hidden is None:
        return False
    number, ghost, laid = hidden

    def comes_to_light(who: Seat, playing: Seat | None) -> None:
        cue = director.script.do(Uncover(who, ghost))
        deal.inject(row, seat, "ruled", (ghost,), laid, cue, also=("B-10j",))
        arbitro.call(deal, caller(deal, seat, playing))
        way = {"option": "offender-known"} if row == "B-10f" else {}
        arbitro.rule(deal, row, seat, "discard", (ghost,), meld=number, **way)
        taken = deal.act("take-back", seat, (ghost,), meld=number)
        director.script.do(TakeFromRow(seat, number, (ghost,)), taken)
        deal.excess.pop(number)

    director.script.wait(director.rng.uniform(1.0, 3.0))
    if row == "B-10c":
        comes_to_light(seat, seat)
        turns.finish_with(director, deal, seat, ghost)
        return True
    turns.end_turn(director, deal, seat)

    def later(who: Seat) -> None:
        comes_to_light(who, None)
        deal.owed[seat] = {ghost: len(director.script.cues) - 1}
        director.plans[seat] = lambda _who: None  # he discards it without any play

    director.put_off(deal, deal.turn + director.rng.choice([0, 1]), later)
    return True


# -- art. 15 ----------


def _sets_to_repeat(deal: Deal, seat: Seat) -> list[tuple[int, Meld, Meld]]:
    """Sets of the line that ``seat`` can open once more: the row that lies, the new set, and both as one."""
    hand = deal.world.hands[seat]
    found = []
    for number, lying in deal.rows(seat.line).items():
        if lying.kind != "set" or number in deal.frozen:
            continue
        same = [card for card in hand if card[0] == lying.cards[-1][0] and not is_wild(card)]
        fresh = meld(same) if len(same) >= 3 else None
        whole = meld((*lying.cards, *same)) if fresh else None
        if fresh and whole and len(hand) - len(same) >= deal.spare:
            found.append((number, fresh, whole))
    return found


def _second_set(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-15a, b: ``seat`` opens a set of which its line has one; told at once, or after the discard."""
    found = _sets_to_repeat(deal, seat)
    if not found or not is_calm(deal, 16):
        return False
    onto, fresh, whole = director.rng.choice(found)
    number = deal.next_row
    cue = acts.spoil(deal, seat, fresh.cards, None, fresh.cards)
    deal.melds[number] = fresh
    if row == "B-15b":
        turns.end_turn(director, deal, seat)
    deal.inject(row, seat, "ruled", fresh.cards, cue, len(director.script.cues) - 1, also=("B-15a",))
    arbitro.call(deal, caller(deal, seat, None if row == "B-15b" else seat))
    arbitro.rule(deal, row, seat, "freeze", fresh.cards, meld=onto, option="plain", freeze="definitive")
    pushed = replace(deal.act("extend", seat, fresh.cards), meld=onto, row=whole.cards)
    director.script.do(PushRow(seat, number, onto, whole.cards), pushed)
    del deal.melds[number]
    deal.melds[onto] = whole
    deal.frozen[onto] = Freeze(None)
    deal.may_not_close |= {seat, seat.partner}
    if row == "B-15b":
        deal.limits[seat] = Limit("any", row)
    else:
        turns.end_turn(director, deal, seat)
    return True


# -- art. 21 ----------


def _may_go_out(row: str, deal: Deal, seat: Seat) -> bool:
    """Whether ``seat`` has what B-21a, b are about: a pot taken, no burraco (a) or one (b), and nothing open."""
    is_open = any(deal.owed.values()) or deal.limits or deal.frozen or deal.last_turn is not None
    if is_open or len(deal.stock) < 8 or not deal.pot_taken(seat.line):
        return False
    return (row == "B-21a") is not deal.has_burraco(seat.line)


def _last_plays(row: str, deal: Deal, seat: Seat) -> Iterator[tuple[Play, str]]:
    """Plays after which ``seat`` holds the one card that it must discard: a wild in B-21b, no burraco made in B-21a."""
    for play in plays_of(deal, seat, 0):
        rest = [card for card in deal.world.hands[seat] if card not in play.cards]
        if len(rest) != 1 or is_wild(rest[0]) is not (row == "B-21b") or rest[0][:2] == deal.view(seat).barred:
            continue
        if keeps_order(deal.melds, play) and (row == "B-21b" or play.result.burraco == "none"):
            yield play, rest[0]


def _closes(row: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """B-21a, b: ``seat`` goes out without a burraco, or with a wild; its last play is penalised, the discard stays."""
    last = next(_last_plays(row, deal, seat), None) if _may_go_out(row, deal, seat) else None
    if last is None:
        return False
    play, card = last
    laid = acts.lay(deal, seat, play)
    cue = acts.discard(deal, seat, card)
    deal.inject(row, seat, "ruled", (*play.cards, card), cue)
    arbitro.call(deal, director.rng.choice(seat.line.other.seats))
    arbitro.rule(deal, row, seat, "penalise", play.cards)
    cards = mending.take_aside(deal, seat)
    deal.owed[seat] = dict.fromkeys(cards, laid)
    deal.may_not_close |= {seat.partner}
    return True


def _last_without_burraco(deal: Deal, seat: Seat) -> Iterator[tuple[Play, str]]:
    """What ``seat`` could lay and discard to go out without a burraco, where nothing else is open."""
    return _last_plays("B-21a", deal, seat) if _may_go_out("B-21a", deal, seat) else iter(())


FEBURIT_KINDS: Final = {
    kind.name: kind
    for kind in (
        *FEBURIT_DEAL_KINDS,
        *FEBURIT_TURN_KINDS,
        *WILD_ON_TOP_KINDS,
        *FEBURIT_CLOSE_KINDS,
        *FEBURIT_COUNT_KINDS,
        shown_after_closing(_last_without_burraco),
        cards_mixed("B-23c"),
        Kind("B-06a", (Moment.INSTEAD_OF_TAKING,), _draws_again, (1, 16)),
        Kind("B-10a", (Moment.BEFORE_DISCARD,), partial(_exposes, "B-10a"), (0, 14)),
        Kind("B-10c", (Moment.BEFORE_DISCARD,), partial(_ghost, "B-10c"), (0, 12)),
        Kind("B-10e", (Moment.BEFORE_DISCARD,), partial(_exposes, "B-10e"), (0, 14)),
        Kind("B-10f", (Moment.BEFORE_DISCARD,), partial(_ghost, "B-10f"), (0, 12)),
        Kind("B-10h", (Moment.BEFORE_DISCARD,), partial(_exposes, "B-10h"), (0, 14)),
        Kind("B-10j", (Moment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10j"), (0, 14)),
        Kind("B-10k", (Moment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10k"), (0, 14)),
        Kind("B-10l", (Moment.BEFORE_DISCARD,), partial(_lays_wrongly, "B-10l"), (0, 14)),
        Kind("B-10m", (Moment.BEFORE_DISCARD,), _found_later, (0, 14), late=True),
        Kind("B-13a", (Moment.INSTEAD_OF_TAKING,), _plays_without_drawing, (1, 14)),
        Kind("B-13b", (Moment.INSTEAD_OF_TAKING,), partial(_discards_without_drawing, "B-13b"), (1, 14)),
        Kind("B-13c", (Moment.INSTEAD_OF_TAKING,), partial(_discards_without_drawing, "B-13c"), (1, 14)),
        Kind("B-14a", (Moment.BEFORE_TURN,), _draws_out_of_turn),
        Kind("B-14a", (Moment.BEFORE_TURN,), _collects_out_of_turn, way="collects"),
        Kind("B-14b", (Moment.BEFORE_TURN,), _draws_and_lays, (0, 14)),
        Kind("B-14c", (Moment.BEFORE_TURN,), _plays_out_of_turn, (0, 14)),
        Kind("B-14d", (Moment.BEFORE_TURN,), _plays_after_discard, (1, 14)),
        Kind("B-15a", (Moment.BEFORE_DISCARD,), partial(_second_set, "B-15a"), (0, 14)),
        Kind("B-15b", (Moment.BEFORE_DISCARD,), partial(_second_set, "B-15b"), (0, 14)),
        Kind("B-21a", (Moment.BEFORE_DISCARD,), partial(_closes, "B-21a"), (0, 0)),
        Kind("B-21b", (Moment.BEFORE_DISCARD,), partial(_closes, "B-21b"), (0, 0)),
    )
}
"""The rows that are staged under this code."""

FEBURIT_REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "B-03": ("replace-pack",),
    "B-04a": ("redeal",),
    "B-04b": ("redeal",),
    "B-04c": ("warn",),
    "B-04d": ("nothing",),
    "B-06g": ("referee",),
    "B-06h": ("take-back",),
    "B-07b": ("take-back",),
    "B-10i": ("score",),
    "B-10n": ("penalise", "limit-turn"),
    "B-11a": ("take-back", "discard"),
    "B-11e": ("referee",),
    "B-14e": ("penalise", "discard", "bar-closing"),
    "B-14f": ("return-to-stock|return-to-pile", "limit-turn", "bar-closing"),
    "B-14g": ("return-to-stock", "freeze|penalise", "limit-turn"),
    "B-16b": ("discard", "limit-turn"),
    "B-16e": ("take-back|penalise",),
    "B-17a": ("correct-count",),
    "B-17b": ("correct-count",),
    "B-18": ("nothing",),
    "B-23a": ("score",),
    "B-23b": ("nothing|penalise",),
    "B-23c": ("score",),
    "B-21c": ("penalise", "discard", "bar-closing"),
    "B-06a": ("return-to-stock",),
    "B-10a": ("expose", "discard"),
    "B-10c": ("expose",),
    "B-10e": ("expose", "limit-turn"),
    "B-10f": ("discard",),
    "B-10h": ("expose", "bar-closing"),
    "B-10j": ("complete-or-penalise|penalise", "discard", "limit-turn"),
    "B-10k": ("complete-or-penalise|penalise", "discard", "limit-turn"),
    "B-10l": ("penalise", "discard", "limit-turn"),
    "B-10m": ("freeze", "score"),
    "B-13a": ("draw", "freeze"),
    "B-13b": ("draw", "limit-turn"),
    "B-13c": ("draw", "limit-turn"),
    "B-14a": ("return-to-stock|return-to-pile", "limit-turn", "bar-closing"),
    "B-14b": ("return-to-stock", "penalise", "limit-turn"),
    "B-14c": ("penalise", "limit-turn"),
    "B-14d": ("freeze", "limit-turn"),
    "B-15a": ("freeze",),
    "B-15b": ("freeze", "limit-turn"),
    "B-21a": ("penalise", "discard", "bar-closing"),
    "B-21b": ("penalise", "discard", "bar-closing"),
}
"""What the code orders for each, read from its text for the truth alone."""
