"""End of a deal: hands laid out, and what each line has for the score."""

from __future__ import annotations

from collections.abc import Iterator

from hw.seats import LINES, Line, Seat
from hw.twin.gestures import (
    LayOut,
)
from table_service.games.burraco.rehearsal.oracle import Side, items
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal


def ends(deal: SimulatedDeal, manner: str, seat: Seat, cue: int) -> None:
    """End the deal with cue ``cue``."""
    deal.over, deal.closed_by, deal.end_cue = manner, seat if manner == "closed" else None, cue
    undrawn = {row: freeze for row, freeze in deal.frozen.items() if freeze.undrawn and manner == "closed"}
    for row, freeze in undrawn.items():
        deal.excess[row] = freeze.undrawn
        if freeze.before is None:
            del deal.melds[row]
        else:
            deal.melds[row] = freeze.before


def lay_out(deal: SimulatedDeal) -> None:
    """Everybody lays the cards of his hand face up before him."""
    order = list(deal.seats)
    deal.rng.shuffle(order)
    for seat in order:
        if deal.world.hands[seat]:
            deal.script.do(LayOut(seat), deal.act("lay-out", seat, deal.world.hands[seat]))


def sides(deal: SimulatedDeal) -> dict[Line, Side]:
    """Return what each line has, for the score."""
    return {line: _side(deal, line) for line in LINES}


def _side(deal: SimulatedDeal, line: Line) -> Side:
    held = deal.world.hands
    unplayed = [seat for seat in deal.seats_of(line) if seat in deal.unplayed]
    return Side(
        melds=tuple(deal.rows(line).values()),
        hand=tuple(card for seat in deal.seats_of(line) if seat not in unplayed for card in held[seat]),
        took_pot=deal.pot_taken(line),
        unplayed=tuple(card for seat in unplayed for card in held[seat]),
        closed=deal.closed_by is not None and deal.line_of(deal.closed_by) is line,
        penalised=tuple(_penalised(deal, line)),
    )


def _penalised(deal: SimulatedDeal, line: Line) -> Iterator[str]:
    """Cards of ``line`` that count against it wherever they lie: aside, exposed, or too many in a row."""
    for seat in deal.seats_of(line):
        yield from deal.world.sides[seat]
    yield from (loose.card for loose in deal.world.loose if deal.line_of(loose.seat) is line)
    for row, cards in deal.excess.items():
        if deal.lines[row] is line:
            yield from cards


def score(deal: SimulatedDeal) -> dict[str, dict[str, int]]:
    """Return the oracle's score by line and item."""
    if deal.counted is not None:
        return deal.counted
    found = sides(deal)
    return {str(line): items(found[line], found[line.other].took_pot, deal.customs.scoring) for line in LINES}
