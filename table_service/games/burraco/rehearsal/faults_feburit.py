"""Faults by the FE.BUR.IT code, and what it orders for them (seeds 001, arts. 6, 10, 13 to 16, 21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import PushRow, PutBack
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import (
    is_calm,
    is_ruled,
    what_follows,
)
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    keeps_order,
    plays_of,
)
from table_service.games.burraco.rehearsal.faults_feburit_close import FEBURIT_CLOSE_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_count import FEBURIT_COUNT_KINDS, shown_after_closing
from table_service.games.burraco.rehearsal.faults_feburit_deal import FEBURIT_DEAL_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_exposed import FEBURIT_EXPOSED_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_out_of_turn import FEBURIT_OUT_OF_TURN_KINDS
from table_service.games.burraco.rehearsal.faults_feburit_turn import FEBURIT_TURN_KINDS
from table_service.games.burraco.rehearsal.faults_on_theirs import added_to_theirs
from table_service.games.burraco.rehearsal.faults_untold import cards_mixed
from table_service.games.burraco.rehearsal.faults_wild_on_top import WILD_ON_TOP_KINDS
from table_service.games.burraco.rehearsal.oracle import OracleMeld, is_wild, meld
from table_service.games.burraco.rehearsal.players import MeldPlay
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

# -- art. 6 ----------


def _draws_again(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-06a: ``seat`` draws a second card."""
    if not is_calm(deal):
        return False
    scripted_acts.took(deal, seat, scripted_acts.draw(deal, seat))
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, seat, "draw", again=True)
    variant = what_follows(director)
    deal.inject("B-06a", seat, variant, (card,), cue)
    if is_ruled(deal, "B-06a", seat, variant, seat):
        seen = director.rng.choice(["seen", "unseen"])
        arbitro_acts.rule(deal, "B-06a", seat, "return-to-stock", (card,), option=seen)
        director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


# -- art. 15 ----------


def _sets_to_repeat(deal: SimulatedDeal, seat: Seat) -> list[tuple[int, OracleMeld, OracleMeld]]:
    """Return the sets of the line that ``seat`` can open once more: the row that lies, the new set, and both as one."""
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


def _second_set(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-15a, b: ``seat`` opens a set of which its line has one; told at once, or after the discard."""
    found = _sets_to_repeat(deal, seat)
    if not found or not is_calm(deal, 16):
        return False
    onto, fresh, whole = director.rng.choice(found)
    number = deal.next_row
    cue = scripted_acts.spoil(deal, seat, fresh.cards, None, fresh.cards)
    deal.melds[number] = fresh
    if row == "B-15b":
        turns.end_turn(director, deal, seat)
    deal.inject(row, seat, "ruled", fresh.cards, cue, len(director.script.cues) - 1, also=("B-15a",))
    arbitro_acts.call(deal, caller(deal, seat, None if row == "B-15b" else seat))
    arbitro_acts.rule(deal, row, seat, "freeze", fresh.cards, meld=onto, option="plain", freeze="definitive")
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


def _may_go_out(row: str, deal: SimulatedDeal, seat: Seat) -> bool:
    """Return True if ``seat`` has what B-21a, b are about: a pot taken, no burraco (a) or one (b), and nothing open."""
    is_open = any(deal.owed.values()) or deal.limits or deal.frozen or deal.last_turn is not None
    if is_open or len(deal.stock) < 8 or not deal.pot_taken(seat.line):
        return False
    return (row == "B-21a") is not deal.has_burraco(seat.line)


def _last_plays(row: str, deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[MeldPlay, str]]:
    """Plays after which ``seat`` holds the one card that it must discard: a wild in B-21b, no burraco made in B-21a."""
    for play in plays_of(deal, seat, 0):
        rest = [card for card in deal.world.hands[seat] if card not in play.cards]
        if len(rest) != 1 or is_wild(rest[0]) is not (row == "B-21b") or rest[0][:2] == deal.view(seat).barred:
            continue
        if keeps_order(deal.melds, play) and (row == "B-21b" or play.result.burraco == "none"):
            yield play, rest[0]


def _closes(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-21a, b: ``seat`` goes out without a burraco, or with a wild; its last play is penalised, the discard stays."""
    last = next(_last_plays(row, deal, seat), None) if _may_go_out(row, deal, seat) else None
    if last is None:
        return False
    play, card = last
    laid = scripted_acts.lay(deal, seat, play)
    cue = scripted_acts.discard(deal, seat, card)
    deal.inject(row, seat, "ruled", (*play.cards, card), cue)
    arbitro_acts.call(deal, director.rng.choice(seat.line.other.seats))
    arbitro_acts.rule(deal, row, seat, "penalise", play.cards)
    cards = mending.take_aside(deal, seat)
    deal.owed[seat] = dict.fromkeys(cards, laid)
    deal.may_not_close |= {seat.partner}
    return True


def _last_without_burraco(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[MeldPlay, str]]:
    """Return what ``seat`` could lay and discard to go out without a burraco, where nothing else is open."""
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
        DealFaultKind("B-06a", (DealMoment.INSTEAD_OF_TAKING,), _draws_again, (1, 16)),
        *FEBURIT_EXPOSED_KINDS,
        *FEBURIT_OUT_OF_TURN_KINDS,
        DealFaultKind("B-15a", (DealMoment.BEFORE_DISCARD,), partial(_second_set, "B-15a"), (0, 14)),
        DealFaultKind("B-15b", (DealMoment.BEFORE_DISCARD,), partial(_second_set, "B-15b"), (0, 14)),
        DealFaultKind("B-21a", (DealMoment.BEFORE_DISCARD,), partial(_closes, "B-21a"), (0, 0)),
        DealFaultKind("B-21b", (DealMoment.BEFORE_DISCARD,), partial(_closes, "B-21b"), (0, 0)),
        added_to_theirs("B-N1", play_goes_on=2, taken_back=1, back=2, stay=2),
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
    "B-N1": ("referee",),  # no sentence speaks of it
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
