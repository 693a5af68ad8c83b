"""A gap in sensing of which it shows afterwards that nothing was done in it: the turn is known again as it was before.

Stock, pile and pots that hold what they held, with the pile of more than one card, can have been left so by no act that
is in order: every turn takes cards from the stock or the whole pile, and who has taken some lays one. Cards that came
to melds or to the table would be seen there. What a fault would undo is left to who asks (`fold.corrections`).
"""

from __future__ import annotations

from typing import Final

from hw.zones import BEAMS, DISCARD, POTS, STOCK, TABLE, is_melds
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import Phase, TurnBeforeGap

WEIGHED: Final = (STOCK, DISCARD, POTS)
"""Where only a count tells that nothing has come or gone."""
_SENSED: Final = frozenset({*WEIGHED, BEAMS, TABLE})


def lose_sight(deal: Deal, zone: str) -> Deal:
    """``zone`` is not sensed, so that cards may come and go there unnoticed: a gap begins, or goes on."""
    gap = deal.gap
    if gap is None and not deal.clouded and not {*WEIGHED, BEAMS} & set(deal.places.unverified):
        gap = TurnBeforeGap(deal.known, deal.whole)
    if gap is not None and zone in WEIGHED and zone not in gap.lost:
        gap = replace(gap, lost=(*gap.lost, zone))
    after = deal.doubt(zone) if zone == POTS else deal.doubt(zone).cloud()
    return after if after.gap == gap else replace(after, gap=gap)


def found_unmoved(deal: Deal, zone: str, t: float) -> Deal:
    """Stock, pile or pots hold at ``t`` what they held before the gap.

    One card on the pile says nothing: players may have exchanged it for another, turn after turn (art. 16). Nor does
    none: it may have been laid and taken.
    """
    if zone == DISCARD and len(deal.pile) <= 1:
        return deal
    gap = deal.gap
    if gap is not None:
        gap = replace(gap, lost=tuple(one for one in gap.lost if one != zone), t=max(gap.t, t))
    unmoved = deal.unmoved if zone in deal.unmoved else (*deal.unmoved, zone)
    same = unmoved is deal.unmoved and gap == deal.gap
    return deal if same else replace(deal, unmoved=unmoved, gap=gap)


def as_before(deal: Deal) -> Deal:
    """``deal`` as before the gap, where everything was counted or seen again as it was and nothing done meanwhile.

    ``deal`` itself where that is not so, or not known yet.
    """
    gap = deal.gap
    if gap is None or gap.lost or deal.phase is Phase.OVER:
        return deal
    if any(place in _SENSED or is_melds(place) for place in deal.places.unverified):
        return deal
    if not deal.clouded:
        return replace(deal, gap=None)
    resumed_t = max(gap.t, deal.seen_again_t)
    return replace(deal, known=gap.known, whole=gap.whole, clouded=False, gap=None, resumed_t=resumed_t)


def met_by(deal: Deal, committed_t: float) -> Deal:
    """``deal`` as an act of ``committed_t`` meets it: one that was done in a gap, and told now, leaves all open again.

    After any act a gap is no longer one in which nothing was done.
    """
    if not deal.clouded and committed_t <= deal.resumed_t:
        return deal.cloud()
    return deal if deal.gap is None else replace(deal, gap=None)
