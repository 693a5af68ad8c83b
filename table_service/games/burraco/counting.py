"""The count of a deal twice over: by the ledger of play and by what the camera saw; never chosen in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.seats import LINES, SEATS, Line, Seat
from hw.zones import TABLE, hand, side
from table_service.games.burraco.count_doubts import (
    AtTheCount,
    has_closed,
    is_unheld,
    is_unlaid,
    lies_loose,
    may_have_closed,
    may_not_have_closed,
    pot_is_open,
    unregulated,
)
from table_service.games.burraco.rules import pots
from table_service.games.burraco.rules.card_ledger import Places, matching
from table_service.games.burraco.rules.copying import replace
from table_service.games.burraco.rules.deal import Deal, Phase, Pot
from table_service.games.burraco.rules.score import ITEMS, LineCards, LineScore, PotState, score_deal
from table_service.table.scores import Count

Cards = tuple[str, ...]

_OPEN: Final = (TABLE, *map(side, SEATS))


def _line_cards(
    deal: Deal,
    line: Line,
    hands: Mapping[Seat, Cards],
    bonus: int,
    against: Mapping[int, Cards],
    exposed: Mapping[Seat, Cards],
) -> LineCards:
    """Return what ``line`` has. A pot that the other line has taken is not charged to it (art. 23: not written)."""
    unplayed = _unplayed_pot(deal, line)
    own = [meld for meld in deal.melds if meld.line is line]
    negative = {meld.row: against.get(meld.row) or meld.negative for meld in own}
    as_hand, beside = _beside(deal, line)
    holders = [seat for seat in deal.seats_of(line) if unplayed is None or seat is not unplayed.seat]
    return LineCards(
        melds=tuple(_positive(meld.cards, negative[meld.row]) for meld in own),
        hands=(*(hands[seat] for seat in holders), *as_hand),
        pot=_pot_state(deal, line),
        pot_cards=() if unplayed is None else hands[unplayed.seat],
        closed=has_closed(deal, line),
        bonus=bonus + (_robbed(deal, line) if pots.is_robbed(deal, line) else 0),
        penalised=(
            *beside,
            *chain.from_iterable(matching(exposed.get(seat, ()), deal.at(TABLE)) for seat in deal.seats_of(line)),
            *chain.from_iterable(negative.values()),
        ),
    )


def _unplayed_pot(deal: Deal, line: Line) -> Pot | None:
    pot = deal.pots_taken.get(line)
    return pot if pot is not None and not pot.played else None


def _pot_state(deal: Deal, line: Line) -> PotState:
    if pots.is_robbed(deal, line):
        return "taken"
    if deal.pots_taken.get(line) is None:
        return "not-taken"
    return "taken" if _unplayed_pot(deal, line) is None else "taken-unplayed"


def _beside(deal: Deal, line: Line) -> tuple[tuple[Cards, ...], Cards]:
    """Return the cards put aside by ``line`` as hands, if the code counts them so, and else as penalised cards."""
    lies = tuple(deal.at(side(seat)) for seat in deal.seats_of(line))
    rules = deal.book.penalised
    if deal.manner != "closed" and rules is not None and rules.left_at_end == "as-hand":
        return lies, ()
    return (), tuple(card for cards in lies for card in cards)


def _score(
    deal: Deal,
    hands: Mapping[Seat, Cards],
    bonus: Mapping[Line, int],
    against: Mapping[int, Cards],
    exposed: Mapping[Seat, Cards],
) -> dict[Line, LineScore]:
    lines = {line: _line_cards(deal, line, hands, bonus[line], against, exposed) for line in LINES}
    return score_deal(deal.book, lines)


def _positive(cards: Cards, negative: Cards) -> Cards:
    """Return a meld without the cards that count against it."""
    left = list(cards)
    for card in negative:
        if card in left:
            left.remove(card)
    return tuple(left)


def _robbed(deal: Deal, line: Line) -> int:
    """Return what is added for who goes out where the other line has taken his pot, without a burraco (art. 23)."""
    return deal.book.robbed_bonus if has_closed(deal, line) and deal.has_burraco(line) is False else 0


def _faces(cards: Cards) -> Cards:
    return tuple(map(face, cards))


def _missing(less: Cards, more: Cards) -> list[str]:
    """Return the known cards of ``less`` that ``more`` does not hold."""
    lacking = Counter(card for card in _faces(less) if card != UNKNOWN) - Counter(_faces(more))
    return sorted(lacking.elements())


def _seen_hands(deal: Deal, shown: Mapping[Seat, Cards]) -> dict[Seat, Cards]:
    """Return the hands as the camera has them; one not laid out is unknown, as many cards as the ledger says."""
    return {seat: shown.get(seat, (UNKNOWN,) * deal.count(seat)) for seat in deal.seats}


@dataclass(slots=True)
class _LineCount:
    """The count of one line: what its two counts agree on, which items nobody can vouch for, in what they differ."""

    line: Line
    items: dict[str, int | None] = field(default_factory=dict)
    doubtful: list[str] = field(default_factory=list)
    differences: list[dict[str, Any]] = field(default_factory=list)

    def doubt(self, *items: str) -> None:
        """Mark ``items`` as doubtful."""
        for item in items:
            self.items[item] = None
            name = f"{self.line}.{item}"
            self.doubtful += [] if name in self.doubtful else [name]

    def compare(self, item: str, camera: int | None, ledger: int | None) -> None:
        """Take ``item`` as both counts have it, or as one alone knows it."""
        self.items[item] = camera if ledger is None else ledger
        if camera is not None and ledger is not None and camera != ledger:
            self.differences.append({"line": self.line, "item": item, "cards": [], "camera": camera, "ledger": ledger})
            self.items[item] = None
        if self.items[item] is None:
            self.doubt(item)

    def differ(self, item: str, **facts: Any) -> None:
        """Record that the hands that make ``item`` differ, by these ``facts``; it is doubtful."""
        self.doubt(item)
        self.differences = [one for one in self.differences if one["item"] != item]
        self.differences.append({"line": self.line, "item": item, **facts})


def _compare(deal: Deal, line: Line, camera: LineScore, ledger: LineScore, shown: Mapping[Seat, Cards]) -> _LineCount:
    count = _LineCount(line)
    for item in ITEMS:
        count.compare(item, camera.items[item], ledger.items[item])
    pot = deal.pots_taken.get(line)
    for seat in deal.seats_of(line):
        if seat not in shown:
            continue
        held, laid = deal.hand(seat), shown[seat]
        cards = _missing(held, laid) or (_missing(laid, held) if UNKNOWN not in _faces(held) else [])
        if not cards and len(held) == len(laid):
            continue
        item = "pot" if pot is not None and not pot.played and pot.seat is seat else "hand"
        count.differ(
            item,
            seat=seat,
            cards=cards,
            camera=camera.items[item],
            ledger=ledger.items[item],
            counts={"camera": len(laid), "ledger": len(held)},
        )
    return count


def _total(items: Mapping[str, int | None]) -> int | None:
    values = list(items.values())
    return None if any(value is None for value in values) else sum(value or 0 for value in values)


def _table(items: Mapping[str, int | None]) -> dict[str, Any]:
    return {"items": dict(items), "total": _total(items)}


def _as_laid_out(deal: Deal, shown: Mapping[Seat, Cards]) -> Deal:
    """``deal`` with cards that came to light taken from the hand that lacks them, of the two that may have hidden them.

    The ledger had to suppose one: where both players lay out their hands, and the one has as many cards too many as
    the other too few, they show which it was. Who has closed holds none, and lays none out.
    """
    if deal.manner == "closed" and deal.closer is not None:
        shown = {deal.closer: (), **shown}
    for seat in dict.fromkeys(deal.unplaced):
        partner = deal.rotation.partner(seat)
        if partner is None or not shown.keys() >= {seat, partner}:
            continue
        lacks, spare = len(shown[seat]) - deal.count(seat), deal.count(partner) - len(shown[partner])
        if 0 < lacks == spare <= deal.unplaced.count(seat):
            deal = deal.shift((UNKNOWN,) * lacks, hand(partner), hand(seat))
    return deal


def is_complete(deal: Deal, shown: Mapping[Seat, Cards], outside_hands: int | None) -> bool:
    """Return True if each card of ``deal`` is in view: in a ``shown`` hand, or where sensors show it elsewhere."""
    return outside_hands is not None and outside_hands + sum(map(len, shown.values())) == deal.size


def _accounted_for(deal: Deal, seen: Deal, shown: Mapping[Seat, Cards], outside_hands: int | None) -> Deal:
    """``deal`` with the hands that were never sure as they are laid out, if with them every card is in view.

    A player who laid out none then holds none. A card that the ledger knows in such a hand and the camera does not show
    there stays in question, unless as many cards have left it unseen, or all copies of it lie open.
    """
    if not is_complete(deal, shown, outside_hands):
        return deal
    open_cards = Counter(
        map(face, chain(*(meld.cards for meld in seen.melds), *shown.values(), deal.pile, *map(seen.at, _OPEN)))
    )
    places = deal.places
    for seat in deal.seats:
        held, laid = deal.hand(seat), shown.get(seat, ())
        settled = deal.sure_of(seat) and (seat in shown or not held)
        lacks = _missing(held, laid)
        left = len(lacks) <= len(held) - len(laid) or all(open_cards[card] == BURRACO.copies[card] for card in lacks)
        if settled or not left:
            continue
        places = Places({**places.cards, hand(seat): laid}, tuple(n for n in places.unverified if n != hand(seat)))
    return deal if places is deal.places else replace(deal, places=places)


def _laid_out_by_closer(deal: Deal, shown: Mapping[Seat, Cards]) -> bool:
    """Return True if the player said to have closed lays out cards for the count."""
    return deal.manner == "closed" and deal.closer is not None and bool(shown.get(deal.closer))


def count_deal(
    deal: Deal,
    shown: Mapping[Seat, Cards],
    bonus: Mapping[Line, int],
    unverified: Collection[Line] = (),
    against: Mapping[int, Cards] = MappingProxyType({}),
    *,
    ended: bool = True,
    disputed: Collection[Line] = (),
    exposed: Mapping[Seat, Cards] = MappingProxyType({}),
    seen: Deal | None = None,
    outside_hands: int | None = None,
) -> Count:
    """Return the count of ``deal``: ``shown`` the hands laid out as the camera read them, ``bonus`` the arbitro's.

    ``unverified``: the lines whose melds cannot be vouched for: their melds and burraco are doubtful. All 108 cards
    must be accounted for: where a line laid out fewer cards than it should hold, its melds, its burraco and its hand
    could hold the missing ones, and are doubtful too. No total hides cards that are missing.
    Of a deal whose end was not seen, or of which ``ended`` says that nobody can vouch for its end, no item is
    known; nor where who is said to have closed lays out cards: he had not, and what was played since is in no ledger.
    ``disputed``: the lines of a wrong meld on which the arbitro has not ruled: what it costs is doubtful as well.
    ``exposed``: by seat the cards that a ruling has told to play or to discard: those that still lie on the table are
    penalised (arts. 24, 25). ``seen``: ``deal`` with what lies on the table as the camera shows it, if it does.
    ``outside_hands``: cards that sensors show outside hands, if all of them are counted: with the hands laid out they
    may account for every card.
    ``against``: cards that by a ruling count against the line of the meld where they lie, besides those of the deal.
    """
    in_view, misplaced = is_complete(deal, shown, outside_hands), pots.went_elsewhere(deal, shown)
    deal = _accounted_for(_as_laid_out(deal, shown), seen or deal, shown, outside_hands)
    ended = ended and deal.phase is Phase.OVER and not _laid_out_by_closer(deal, shown)
    ledger_hands = {seat: deal.hand(seat) for seat in deal.seats}
    seen_hands = _seen_hands(deal, shown)
    ledger = _score(deal, ledger_hands, bonus, against, exposed)
    camera = _score(seen or deal, seen_hands, bonus, against, exposed)
    facts = AtTheCount(shown, unverified, disputed, exposed, ended, in_view, misplaced)
    counts = [_count_line(deal, line, camera[line], ledger[line], facts) for line in LINES]
    return Count(
        lines={str(one.line): _table(one.items) for one in counts},
        camera={str(line): _table(camera[line].items) for line in LINES},
        ledger={str(line): _table(ledger[line].items) for line in LINES},
        agrees=not any(one.differences for one in counts),
        doubtful=tuple(name for one in counts for name in one.doubtful),
        differences=tuple(differs for one in counts for differs in one.differences),
    )


def _count_line(deal: Deal, line: Line, camera: LineScore, ledger: LineScore, facts: AtTheCount) -> _LineCount:
    count = _compare(deal, line, camera, ledger, facts.shown)
    if not facts.is_over:
        unknown = _LineCount(line, differences=count.differences)
        unknown.doubt(*ITEMS)
        return unknown
    _doubt_cards(deal, count, facts.shown, unverified=line in facts.unverified)
    if pot_is_open(deal, line, facts, hand_known=count.items["hand"] is not None):
        count.doubt("pot")
    count.doubt(*unregulated(deal, line), *(("pot", "hand") if facts.is_complete and facts.is_misplaced else ()))
    if line in facts.disputed or lies_loose(deal, line, facts.exposed):
        count.doubt("penalised")
    return count


def _doubt_cards(deal: Deal, count: _LineCount, shown: Mapping[Seat, Cards], *, unverified: bool) -> None:
    """Doubt the items in which cards may lie that nobody accounts for. ``unverified``: so are the melds."""
    missing, pot = is_unheld(deal, count.line, shown), deal.pots_taken.get(count.line)
    if missing or unverified or is_unlaid(deal, count.line, shown):
        count.doubt("burraco", "melds")
    still_holds = may_not_have_closed(deal, count.line)
    if missing or still_holds or (pot is not None and pot.supposed):
        count.doubt("hand")
    if may_have_closed(deal, count.line, shown) or still_holds:
        count.doubt("closing")
