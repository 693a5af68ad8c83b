"""Melds that hold more than they can: a third twin (art. 5 NB), a run or a set that is too long (arts. 11, 12).

Such melds are rare in cards that fall as they may; here the cards are dealt so that they can come about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hw.cards import JOKER, RANKS, SUITS
from hw.seats import Seat
from hw.twin.gestures import SwapCard
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller
from table_service.games.burraco.rehearsal.oracle import OracleMeld, extend, meld
from table_service.games.burraco.rehearsal.players import MeldPlay
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_WILDS: Final = tuple(f"{JOKER}#{n}" for n in range(1, 5))
_AT_ONCE: Final = ("F-25a", "F-29d")
"""Names of the same fact as arts. 25 and 29 have them."""


def _laid_by_two(
    row: str,
    director: Director,
    deal: SimulatedDeal,
    first: Sequence[str],
    then: Sequence[str],
    extra: str,
    also: Sequence[str],
) -> None:
    """One of a line opens a meld with ``first``; its partner adds ``then`` and one card too many, ``extra``."""
    opener = director.rng.choice([deal.dealer.next, deal.dealer.next.next])
    number: list[int] = []
    deal.dealt = {opener: tuple(first), opener.partner: (*then, extra)}

    def opens(who: Seat) -> None:
        found = meld(first)
        if found is None or any(card not in deal.world.hands[who] for card in first):
            return
        number.append(deal.next_row)
        scripted_acts.lay(deal, who, MeldPlay(None, tuple(first), found))
        director.plans[who.partner] = adds

    def adds(who: Seat) -> None:
        lying: OracleMeld | None = deal.melds.get(number[0])
        if lying is None or any(card not in deal.world.hands[who] for card in (*then, extra)):
            return
        for card in then:
            after = extend(lying, (card,)) if lying else None
            if after is None:
                return
            lying = after
        if then:
            scripted_acts.lay(deal, who, MeldPlay(number[0], tuple(then), lying))
        if extend(lying, (extra,)) is not None:
            return
        cue = scripted_acts.spoil(deal, who, (extra,), number[0], (*lying.cards, extra))
        deal.excess[number[0]] = (extra,)
        deal.inject(row, who, "ruled", (extra,), cue, also=(*_AT_ONCE, *also))
        arbitro_acts.call(deal, caller(deal, who, who))
        arbitro_acts.rule(deal, row, who, "penalise", (extra,), meld=number[0])
        mending.to_side(deal, who, number[0], (extra,), cue)

    director.plans[opener] = opens


def _set_too_long(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-12: a second wild on a set that holds all eight naturals and a wild (art. 12)."""
    rng = director.rng
    rank = rng.choice(RANKS.replace("2", ""))
    cards = [f"{rank}{suit}#{copy}" for suit in SUITS for copy in (1, 2)]
    rng.shuffle(cards)
    wilds = rng.sample(_WILDS, 2)
    cut = rng.randint(3, 7)
    _laid_by_two("F-12", director, deal, (wilds[0], *cards[:cut]), cards[cut:], wilds[1], ("F-12b",))
    return True


def _run_too_long(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-11c: a second ace on a run that holds one, or a second wild on thirteen naturals and a wild (art. 11)."""
    rng = director.rng
    suit = rng.choice(SUITS)
    run = [f"{rank}{suit}#{rng.choice((1, 2))}" for rank in RANKS]
    low = rng.randint(3, 5)
    first, then = run[low - 1 : 11], [*reversed(run[1 : low - 1]), *run[11:], run[0]]
    if rng.random() < 0.6:
        other = f"A{suit}#{3 - int(run[0][-1])}"
        _laid_by_two("F-11c", director, deal, first, then, other, ("F-29d",))
    else:
        wilds = rng.sample(_WILDS, 2)
        _laid_by_two("F-11c", director, deal, first, (*then, wilds[0]), wilds[1], ("F-12b",))
    return True


def _third_twin(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-05d: the pack holds three equal cards, one of another pack, and all come into one set (art. 5 NB)."""
    rng, script = director.rng, director.script
    rank, suit = rng.choice(RANKS.replace("2", "")), rng.choice(SUITS)
    twins = [f"{rank}{suit}#{copy}" for copy in (1, 2, 3)]
    others = [f"{rank}{other}#{rng.choice((1, 2))}" for other in SUITS if other != suit]
    gone = rng.choice([card for card in script.world.box if card[0] != rank and card in script.world.box])
    came = twins[2]
    if came in script.world.box:
        return False
    script.do(SwapCard(gone, came, f"E00402{rng.getrandbits(40):010X}"))
    rng.shuffle(twins)
    _laid_by_two("F-05d", director, deal, (*twins[:2], *others[: rng.randint(1, 3)]), (), twins[2], ())
    return True


LIMIT_KINDS: Final = (
    DealFaultKind("F-05d", (DealMoment.SET_UP,), _third_twin, (0, 0)),
    DealFaultKind("F-11c", (DealMoment.SET_UP,), _run_too_long, (0, 0)),
    DealFaultKind("F-12", (DealMoment.SET_UP,), _set_too_long, (0, 0)),
)
