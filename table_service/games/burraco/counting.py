"""The count of a deal twice over: by the ledger of play and by what the camera saw; never chosen in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from hw.cards import UNKNOWN, face
from hw.seats import LINES, SEATS, Line, Seat
from hw.zones import POTS, TABLE, side
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.places import among, matching, take
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import ITEMS, LineCards, LineScore, PotState, score_deal
from table_service.games.burraco.rules.verifying import verify_closing
from table_service.games.burraco.rules.vp import NoTableError, victory_points

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The score of one deal. ``lines``: what both agree on or one alone knows, None where they differ."""

    lines: dict[str, Any]
    camera: dict[str, Any]
    ledger: dict[str, Any]
    agrees: bool
    doubtful: tuple[str, ...]
    differences: tuple[dict[str, Any], ...]


def _line_cards(
    deal: Deal,
    line: Line,
    hands: Mapping[Seat, Cards],
    bonus: int,
    against: Mapping[int, Cards],
    exposed: Mapping[Seat, Cards],
) -> LineCards:
    """What ``line`` has. A pot that the other line has taken is not charged to it (art. 23: not written)."""
    pot = deal.pots_taken.get(line)
    state: PotState = "not-taken" if pot is None else "taken" if pot.played else "taken-unplayed"
    if deal.is_robbed(line):
        state, bonus = "taken", bonus + _robbed(deal, line)
    own = [meld for meld in deal.melds if meld.line is line]
    negative = {meld.row: against.get(meld.row) or meld.negative for meld in own}
    in_pot = hands[pot.seat] if pot is not None and not pot.played else ()
    holders = [seat for seat in line.seats if not (pot is not None and not pot.played and seat is pot.seat)]
    return LineCards(
        melds=tuple(_positive(meld.cards, negative[meld.row]) for meld in own),
        hands=tuple(hands[seat] for seat in holders),
        pot=state,
        pot_cards=in_pot,
        closed=deal.manner == "closed" and deal.closer in line.seats,
        bonus=bonus,
        penalised=(
            *(card for seat in line.seats for card in deal.at(side(seat))),
            *(card for seat in line.seats for card in matching(exposed.get(seat, ()), deal.at(TABLE))),
            *(card for meld in own for card in negative[meld.row]),
        ),
    )


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
    """A meld without the cards that count against it."""
    left = list(cards)
    for card in negative:
        if card in left:
            left.remove(card)
    return tuple(left)


def _robbed(deal: Deal, line: Line) -> int:
    """What is added for who goes out where the other line has taken his pot, without a burraco (art. 23)."""
    closed = deal.manner == "closed" and deal.closer in line.seats
    return deal.book.robbed_bonus if closed and deal.has_burraco(line) is False else 0


def _faces(cards: Cards) -> Cards:
    return tuple(map(face, cards))


def _missing(less: Cards, more: Cards) -> list[str]:
    """The known cards of ``less`` that ``more`` does not hold."""
    lacking = Counter(card for card in _faces(less) if card != UNKNOWN) - Counter(_faces(more))
    return sorted(lacking.elements())


def _seen_hands(deal: Deal, shown: Mapping[Seat, Cards]) -> dict[Seat, Cards]:
    """The hands as the camera has them; one that was not laid out is unknown, as many cards as the ledger says."""
    return {seat: shown.get(seat, (UNKNOWN,) * deal.count(seat)) for seat in SEATS}


def _compare(
    deal: Deal, line: Line, camera: LineScore, ledger: LineScore, shown: Mapping[Seat, Cards]
) -> tuple[dict[str, int | None], list[str], list[dict[str, Any]]]:
    items: dict[str, int | None] = {}
    doubtful: list[str] = []
    differences: list[dict[str, Any]] = []
    for item in ITEMS:
        one, two = camera.items[item], ledger.items[item]
        items[item] = one if two is None else two if one is None else one if one == two else None
        if items[item] is None:
            doubtful.append(f"{line}.{item}")
        if one is not None and two is not None and one != two:
            differences.append({"line": line, "item": item, "cards": [], "camera": one, "ledger": two})
    for seat in line.seats:
        if seat not in shown:
            continue
        held, laid = deal.hand(seat), shown[seat]
        cards = _missing(held, laid) or (_missing(laid, held) if UNKNOWN not in _faces(held) else [])
        if not cards and len(held) == len(laid):
            continue
        pot = deal.pots_taken.get(line)
        item = "pot" if pot is not None and not pot.played and pot.seat is seat else "hand"
        items[item] = None
        if f"{line}.{item}" not in doubtful:
            doubtful.append(f"{line}.{item}")
        differences = [one for one in differences if one["item"] != item]
        differences.append(
            {
                "line": line,
                "item": item,
                "seat": seat,
                "cards": cards,
                "camera": camera.items[item],
                "ledger": ledger.items[item],
                "counts": {"camera": len(laid), "ledger": len(held)},
            }
        )
    return items, doubtful, differences


def _unlaid(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Whether ``line`` laid out another number of cards than the ledger gives it: its melds may be as much off."""
    return any(len(shown[seat]) != deal.count(seat) for seat in line.seats if seat in shown)


def _unheld(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Whether the ledger gives ``line`` cards in a hand that cannot hold them, or that nobody laid out or counted.

    Who has closed holds none; and of a number that was never sure, some may lie in melds nobody knows of. Who has not
    closed holds cards: of one who by a number that is not sure has none, and laid none out, nobody knows what he has.
    """
    unseen = [seat for seat in line.seats if seat not in shown]
    closer = deal.closer if deal.manner == "closed" else None
    return any(deal.count(seat) if seat is closer else not deal.sure_of(seat) for seat in unseen)


def _may_have_closed(deal: Deal, line: Line, shown: Mapping[Seat, Cards]) -> bool:
    """Whether the last discard of a deal that ended otherwise may have been a closing: nobody knows what was left.

    So it is where the number of his cards was never sure and he laid none out, though others did.
    """
    out = deal.last_out
    if deal.manner not in ("stock", "time-out") or out is None or out.line is not line or deal.pot_is_open(line):
        return False
    held = deal.sure_of(out) or bool(shown.get(out)) or not any(shown.values())
    return not held and not verify_closing(deal, out, (deal.pile or (UNKNOWN,))[-1])


def _pot_is_open(deal: Deal, line: Line, *, hand_known: bool) -> bool:
    """Whether nobody can vouch for what the pot of ``line`` costs it.

    It may have been taken unnoticed; or a part of it alone was seen to go; or, the hands of the line not being known,
    the other of the two may have taken it and not played since. ``hand_known``: whether those hands are known.
    """
    pot = deal.pots_taken.get(line)
    if pot is None:
        return POTS in deal.places.unverified and not deal.is_robbed(line)
    if deal.at(pot.place) and pot.cards < deal.book.pot_cards - 1:
        return True
    return not hand_known and deal.turn - pot.turn < len(SEATS)


def _lies_loose(deal: Deal, line: Line, exposed: Mapping[Seat, Cards]) -> bool:
    """Whether cards on which nobody has ruled still lie loose, for which ``line`` may have to pay (art. 24)."""
    lies = deal.at(TABLE)
    lies = take(lies, tuple(card for cards in exposed.values() for card in matching(cards, lies)))[0]
    owners = [one.seat for one in deal.loose if among(one.card, lies)]
    return bool(lies) and (not owners or any(seat is None or seat.line is line for seat in owners))


def _total(items: Mapping[str, int | None]) -> int | None:
    values = list(items.values())
    return None if any(value is None for value in values) else sum(value or 0 for value in values)


def _table(items: Mapping[str, int | None]) -> dict[str, Any]:
    return {"items": dict(items), "total": _total(items)}


def count_deal(
    deal: Deal,
    shown: Mapping[Seat, Cards],
    bonus: Mapping[Line, int],
    unverified: Collection[Line] = (),
    against: Mapping[int, Cards] | None = None,
    *,
    ended: bool = True,
    disputed: Collection[Line] = (),
    exposed: Mapping[Seat, Cards] = MappingProxyType({}),
    seen: Deal | None = None,
) -> Count:
    """The count of ``deal``: ``shown`` the hands laid out as the camera read them, ``bonus`` what the arbitro gave.

    ``unverified``: the lines whose melds cannot be vouched for: their melds and burraco are doubtful. All 108 cards
    must be accounted for: where a line laid out fewer cards than it should hold, its melds, its burraco and its hand
    could hold the missing ones, and are doubtful too. No total hides cards that are missing.
    Of a deal whose end was not seen, or of which ``ended`` says that nobody can vouch for its end, no item is
    known; nor where who is said to have closed lays out cards: he had not, and what was played since is in no ledger.
    ``disputed``: the lines of a wrong meld on which the arbitro has not ruled: what it costs is doubtful as well.
    ``exposed``: by seat the cards that a ruling has told to play or to discard: those that still lie on the table are
    penalised (arts. 24, 25). ``seen``: ``deal`` with what lies on the table as the camera shows it, if it does.
    ``against``: cards that by a ruling count against the line of the meld where they lie, besides those that the deal
    knows.
    """
    ended = ended and not (deal.manner == "closed" and deal.closer is not None and shown.get(deal.closer))
    ledger_hands = {seat: deal.hand(seat) for seat in SEATS}
    seen_hands = _seen_hands(deal, shown)
    ledger = _score(deal, ledger_hands, bonus, against or {}, exposed)
    camera = _score(seen or deal, seen_hands, bonus, against or {}, exposed)
    lines: dict[str, Any] = {}
    doubtful: list[str] = []
    differences: list[dict[str, Any]] = []
    for line in LINES:
        items, doubts, differs = _compare(deal, line, camera[line], ledger[line], shown)
        missing = _unheld(deal, line, shown)
        if missing or line in unverified or _unlaid(deal, line, shown):
            for item in ("burraco", "melds", "hand") if missing else ("burraco", "melds"):
                items[item] = None
                doubts += [] if f"{line}.{item}" in doubts else [f"{line}.{item}"]
        if _may_have_closed(deal, line, shown):
            items["closing"] = None
            doubts.append(f"{line}.closing")
        if _pot_is_open(deal, line, hand_known=items["hand"] is not None):
            items["pot"] = None
            doubts += [] if f"{line}.pot" in doubts else [f"{line}.pot"]
        if line in disputed or _lies_loose(deal, line, exposed):
            items["penalised"] = None
            doubts += [] if f"{line}.penalised" in doubts else [f"{line}.penalised"]
        if deal.phase is not Phase.OVER or not ended:
            items, doubts = dict.fromkeys(ITEMS), [f"{line}.{item}" for item in ITEMS]
        lines[str(line)] = _table(items)
        doubtful += doubts
        differences += differs
    return Count(
        lines=lines,
        camera={str(line): _table(camera[line].items) for line in LINES},
        ledger={str(line): _table(ledger[line].items) for line in LINES},
        agrees=not differences,
        doubtful=tuple(doubtful),
        differences=tuple(differences),
    )


@dataclass(slots=True)
class Scores:
    """The running score of a round: totals by deal, None where a deal's total is not known."""

    book: RuleBook
    teams: bool = False
    deals: int | None = None
    totals: dict[int, dict[Line, int | None]] = field(default_factory=dict)

    def enter(self, number: int, count: Count) -> dict[Line, int | None]:
        """Deal ``number`` counts so; the running totals after it."""
        self.totals[number] = {line: count.lines[line]["total"] for line in LINES}
        return self.running

    @property
    def running(self) -> dict[Line, int | None]:
        """The totals of all deals so far."""
        sums: dict[Line, int | None] = dict.fromkeys(LINES, 0)
        for total in self.totals.values():
            for line in LINES:
                before, more = sums[line], total[line]
                sums[line] = None if before is None or more is None else before + more
        return sums

    def match_points(self) -> dict[str, int | None]:
        """The difference in points that each line leads or trails by."""
        ns, ew = self.running[Line.NS], self.running[Line.EW]
        lead = None if ns is None or ew is None else ns - ew
        return {"NS": lead, "EW": None if lead is None else -lead}

    def victory_points(self) -> dict[str, int] | None:
        """The victory points of the round; None where a total is not known or the code has no table for it."""
        lead = self.match_points()["NS"]
        if lead is None or self.deals is None:
            return None
        try:
            ns, ew = victory_points(self.book, self.deals, lead, teams=self.teams)
        except NoTableError:
            return None
        return {"NS": ns, "EW": ew}
