"""Costs of leads and plays against an order: by 61A each is a revoke, with the tricks of law 64."""

from __future__ import annotations

from collections.abc import Collection

from hw.cards import suit
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.ordered_leads import LeadOrder, broken_leads
from table_service.games.bridge.judges.ordered_plays import PlayOrder, broken_plays
from table_service.games.bridge.judges.revoke_tricks import RevokeCost, cost, is_established, result_after
from table_service.games.tricks.revokes import Revoke


def order_costs(
    play: CardPlay, leads: Collection[LeadOrder], plays: Collection[PlayOrder] = ()
) -> tuple[tuple[Revoke, RevokeCost], ...]:
    """Cost of each established lead or play against an order."""
    others = [one for one, established in play.revokes() if established]
    broken = [(one.order.leader, one.number, one.card, one.order.suit) for one in broken_leads(play, leads)]
    broken += [(one.order.player, one.order.number, one.card, one.order.suit) for one in broken_plays(play, plays)]
    found: list[tuple[Revoke, RevokeCost]] = []
    for seat, number, card, named in broken:
        revoke = Revoke("follow", number, seat, card, named or suit(card) or "", None, None)
        if is_established(revoke, play.tricks):
            of_them = [other for other in others if other.seat.line is not seat.line]
            found.append((revoke, cost(revoke, play.turned, dummy=play.dummy, before=others, others=of_them)))
    return tuple(found)


def result(play: CardPlay, leads: Collection[LeadOrder], plays: Collection[PlayOrder] = ()) -> int | None:
    """Return declarer's tricks once all thirteen are played, with what revokes and such leads and plays have moved."""
    won, line = play.result(), play.contract.declarer.line
    costs = [(one.seat.line is line, given) for one, given in order_costs(play, leads, plays)]
    return won if won is None else result_after(won, costs)
