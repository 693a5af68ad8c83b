"""A board of one table as its public events tell it: calls, contract, tricks, cards that all have seen, time. Pure.

What is retracted counts no more, and a card that was named later has its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Final

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, SEATS, Line, Seat, seat_or_none
from table_service.events.untrusted import as_cards, as_map, as_name, as_number, as_whole
from table_service.games.bridge.norms.entered_scores import Adjusted, Scored, adjusted_of, scored
from table_service.games.bridge.rules.contract import (
    BIDS,
    DOUBLINGS,
    TRICKS,
    VULNERABLE,
    Contract,
    Vulnerable,
    board_vulnerable,
    is_vulnerable,
)
from table_service.games.bridge.rules.match_points import Spread
from table_service.games.bridge.rules.score import score
from table_service.games.game_pages import data_of
from table_service.games.reports import ArbitroAward, DealPlayed, Document, RoundPlayed

_CONTRACTS: Final[Mapping[str, tuple[str, str]]] = {
    str(Contract(bid, Seat.NORTH, doubled)): (bid, doubled) for bid in BIDS for doubled in DOUBLINGS
}
_PACK: Final = frozenset(BRIDGE.copies)


@dataclass(frozen=True, slots=True)
class CallTold:
    """A call as all four know it; ``tray_s``: how long the tray stood on that side when it was passed."""

    seat: Seat
    call: str
    tray_s: float | None


@dataclass(frozen=True, slots=True)
class TrickTold:
    """A trick: its cards as they were played from ``led`` on; ``winner`` None: nobody knows."""

    number: int
    led: Seat | None
    cards: tuple[tuple[Seat, str], ...]
    winner: Seat | None


@dataclass(slots=True)
class BoardFacts:
    """One board of one table. ``points``: of North and South; ``shown``: the cards of each hand that all have seen.

    ``stays``: how long the tray stood where, in seconds, in order. ``began``, ``ended``: seconds since 1970.
    ``spent``: seconds of the play by line, dummy's cards being declarer's. ``rows``: irregularities as they stand last.
    ``adjusted``: the score that the arbitro has entered instead of ``points``; ``entered``: his acts about the board.
    ``round``: in which it was played there, 0 where nobody says.
    """

    place: str
    round: int = 0
    deal: int | None = None
    pairs: Mapping[str, str] = field(default_factory=dict)
    board: int | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    calls: tuple[CallTold, ...] = ()
    contract: Contract | None = None
    passed_out: bool = False
    lead: str | None = None
    tricks: tuple[TrickTold, ...] = ()
    dummy: tuple[str, ...] = ()
    claim: tuple[Seat, tuple[str, ...]] | None = None
    shown: dict[Seat, frozenset[str]] = field(default_factory=dict)
    points: int | None = None
    stays: tuple[tuple[str, float], ...] = ()
    spent: dict[Line, float] = field(default_factory=dict)
    began: float | None = None
    ended: float | None = None
    alerts: tuple[tuple[str, Seat, str], ...] = ()
    rows: tuple[Document, ...] = ()
    adjusted: Adjusted | None = None
    entered: tuple[ArbitroAward, ...] = ()

    @property
    def scored(self) -> Scored:
        """Score that counts for it: what was played, or what the arbitro has entered instead."""
        return scored(self.adjusted, self.points, self.vulnerable or _usually_vulnerable(self.board))

    @property
    def is_scored(self) -> bool:
        """True if it has points for both lines, played or assigned; an artificial score has none."""
        return self.scored.ns is not None

    def spread(self, line: Line) -> Spread | None:
        """Points of North and South that count for ``line``, each with its share; None where nobody knows any."""
        return self.scored.ns if line is Line.NS else self.scored.ew

    def mean(self, line: Line) -> Fraction | None:
        """Return the mean of ``spread``."""
        spread = self.spread(line)
        return None if spread is None else sum((points * share for points, share in spread), Fraction(0))

    @property
    def won(self) -> int | None:
        """Tricks of declarer's side as they were turned; None where not all thirteen are known."""
        if self.contract is None or len(self.tricks) != TRICKS or any(one.winner is None for one in self.tricks):
            return None
        line = self.contract.declarer.line
        return sum(one.winner is not None and one.winner.line is line for one in self.tricks)

    @property
    def result(self) -> int | None:
        """Tricks of declarer's side as the points say: there is one number of tricks for them."""
        if self.contract is None or self.points is None or self.vulnerable is None:
            return None
        line = self.contract.declarer.line
        own = self.points if line is Line.NS else -self.points
        known = is_vulnerable(line, self.vulnerable)
        return next((n for n in range(TRICKS + 1) if score(self.contract, n, vulnerable=known).total == own), None)

    @property
    def is_whole(self) -> bool:
        """True if all four hands are known."""
        return all(len(self.shown.get(seat, ())) == TRICKS for seat in SEATS)


def facts_of(played: DealPlayed) -> BoardFacts:
    """Return the facts of one board."""
    found = BoardFacts(played.place, pairs=played.pairs)
    gone = {str(data_of(one).get("event")) for one in played.events if one.get("type") == "event.retracted"}
    events = [one for one in played.events if str(one.get("id")) not in gone]
    _auction(found, events)
    _play(found, events)
    _times(found, events)
    _spent(found, events)
    _points(found, events)
    latest = {str(data_of(one).get("key")): data_of(one) for one in events if one.get("type") == "irregularity"}
    found.rows = tuple(latest.values())
    return with_awards(found, played.awards)


def with_awards(board: BoardFacts, awards: Iterable[ArbitroAward]) -> BoardFacts:
    """``board`` with what arbitri have entered of it; of several adjusted scores the last counts."""
    if board.board is None:
        return board
    board.entered = tuple(one for one in awards if (one.place, one.number) == (board.place, board.board))
    told = [found for one in board.entered if (found := adjusted_of(one.fields)) is not None]
    board.adjusted = told[-1] if told else None
    return board


def boards_of(played: RoundPlayed) -> list[BoardFacts]:
    """Return the boards of a round: those that tables reported, and those with only a score that an arbitro entered."""
    found = [with_awards(facts_of(one), played.awards) for one in played.played]
    there = {(one.place, one.board) for one in found}
    for one in played.awards:
        where = one.place, one.number
        if one.number is not None and where not in there and adjusted_of(one.fields) is not None:
            there.add(where)
            pairs = {line: name for (place, line), name in played.pairs.items() if place == one.place}
            bare = BoardFacts(one.place, board=one.number, pairs=pairs, vulnerable=_usually_vulnerable(one.number))
            found.append(with_awards(bare, played.awards))
    for board in found:
        board.round = played.number
    return found


def _auction(found: BoardFacts, events: Sequence[Document]) -> None:
    calls, stays, alerts = list[CallTold](), list[tuple[str, float]](), list[tuple[str, Seat, str]]()
    for event in events:
        data, seat = data_of(event), seat_or_none(event.get("seat"))
        match event.get("type"):
            case "deal.started":
                found.deal, found.dealer = as_whole(event.get("deal")), seat_or_none(data.get("dealer"))
            case "board.placed":
                found.board = as_whole(data.get("board"))
                found.vulnerable = next((one for one in VULNERABLE if one == data.get("vulnerable")), None)
            case "call.made" if seat is not None:
                calls.append(CallTold(seat, as_name(data.get("call")) or "?", _seconds(data.get("tray_ms"))))
            case "tray.passed" if data.get("side") in ("NE", "SW"):
                stood = "SW" if data.get("side") == "NE" else "NE"
                stays.append((stood, _seconds(data.get("tray_ms")) or 0.0))
            case "contract.made":
                found.passed_out = data.get("contract") is None
                found.contract = _contract(data)
            case "alert.shown" | "alert.returned" as what if seat is not None:
                alerts.append((what.removeprefix("alert."), seat, as_name(data.get("side")) or "?"))
    found.vulnerable = found.vulnerable or _usually_vulnerable(found.board)
    found.calls, found.stays, found.alerts = tuple(calls), tuple(stays), tuple(alerts)


def _usually_vulnerable(board: int | None) -> Vulnerable | None:
    """Return who is vulnerable on a board of this number (law 2); None where it has none."""
    return board_vulnerable(board) if board is not None and board > 0 else None


def _seconds(milliseconds: object) -> float | None:
    number = as_number(milliseconds)
    return None if number is None else number / 1000


def _contract(data: Document) -> Contract | None:
    made, declarer = _CONTRACTS.get(str(data.get("contract"))), seat_or_none(data.get("declarer"))
    if made is None or declarer is None:
        return None
    bid, doubled = made
    return Contract(bid, declarer, next(one for one in DOUBLINGS if one == doubled))


def _play(found: BoardFacts, events: Sequence[Document]) -> None:
    named = {
        str(data_of(one).get("event")): as_cards(data_of(one).get("cards"))
        for one in events
        if one.get("type") == "card.named"
    }
    laid: dict[int, dict[Seat, str]] = {}
    won: dict[int, TrickTold] = {}
    for event in events:
        data, seat = data_of(event), seat_or_none(event.get("seat"))
        match event.get("type"):
            case "lead.made":
                found.lead = next(iter(as_cards([data.get("card")])), None)
            case "dummy.spread":
                found.dummy = as_cards(data.get("cards"))
            case "claim.made" if seat is not None:
                found.claim = seat, as_cards(data.get("cards"))
            case "trick.played" if seat is not None:
                card = named.get(str(event.get("id"))) or as_cards([data.get("card")])
                laid.setdefault(as_whole(data.get("n")) or 0, {}).setdefault(seat, card[0] if card else "??")
            case "trick.won":
                one = _trick(data)
                won[one.number] = one
    for number, cards in laid.items():
        if number not in won:
            won[number] = TrickTold(number, next(iter(cards), None), tuple(cards.items()), None)
    found.tricks = tuple(won[number] for number in sorted(won))
    found.shown = _shown(found)


def _trick(data: Document) -> TrickTold:
    led, cards = seat_or_none(data.get("led")), as_map(data.get("cards"))
    first = led or Seat.NORTH
    turns = (CLOCKWISE.after(first, turns) for turns in range(len(SEATS)))
    laid = tuple((seat, str(cards[seat.value])) for seat in turns if seat.value in cards)
    return TrickTold(as_whole(data.get("n")) or 0, led, laid, seat_or_none(data.get("winner")))


def _shown(found: BoardFacts) -> dict[Seat, frozenset[str]]:
    """Return the cards of each hand that lay open; a fact about two hands belongs to neither, three give the fourth."""
    seen: dict[Seat, set[str]] = {seat: set() for seat in SEATS}
    for trick in found.tricks:
        for seat, card in trick.cards:
            seen[seat].add(card)
    if found.contract is not None:
        seen[CLOCKWISE.after(found.contract.declarer, 2)] |= set(found.dummy)
    if found.claim is not None:
        seen[found.claim[0]] |= set(found.claim[1])
    return completed({seat: cards & _PACK for seat, cards in seen.items()})


def completed(seen: Mapping[Seat, Iterable[str]]) -> dict[Seat, frozenset[str]]:
    """Hands without the cards that two of them have; where three are whole, the fourth is what they leave."""
    often = Counter(card for cards in seen.values() for card in set(cards))
    hands = {seat: frozenset(card for card in seen.get(seat, ()) if often[card] == 1) for seat in SEATS}
    whole = [seat for seat in SEATS if len(hands[seat]) == TRICKS]
    if len(whole) == len(SEATS) - 1:
        last = next(seat for seat in SEATS if seat not in whole)
        rest = _PACK - frozenset(card for seat in whole for card in hands[seat])
        if hands[last] <= rest:
            hands[last] = rest
    return hands


def _times(found: BoardFacts, events: Sequence[Document]) -> None:
    moments = [(str(one.get("type")), since_1970(one.get("time"))) for one in events]
    found.began = next((at for what, at in moments if what == "deal.started"), None)
    found.ended = next((at for what, at in moments if what == "deal.ended"), None)


def since_1970(time: object) -> float | None:
    """Return the moment that an event names, in seconds; None if it names none."""
    try:
        return datetime.fromisoformat(str(time)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _spent(found: BoardFacts, events: Sequence[Document]) -> None:
    """Seconds from each card to the next, of whose line it was to play: from the dummy's being spread on."""
    spent, last = dict.fromkeys(Line, 0.0), None
    for event in events:
        at = as_number(event.get("committed_t")) or as_number(event.get("t"))
        if at is None or event.get("type") not in ("lead.made", "trick.played", "dummy.spread"):
            continue
        seat = seat_or_none(event.get("seat"))
        if last is not None and at > last and event.get("type") == "trick.played" and seat is not None:
            spent[seat.line] += at - last
        last = at if last is None else max(last, at)
    found.spent = spent


def _points(found: BoardFacts, events: Sequence[Document]) -> None:
    """Set the points as they were counted last: a corrected sheet is counted anew."""
    for event in events:
        if event.get("type") == "score.counted":
            lines = as_map(data_of(event).get("lines"))
            found.points = as_whole(as_map(lines.get(Line.NS.value)).get("total"))


def newest_of_each(boards: Iterable[BoardFacts]) -> list[BoardFacts]:
    """Keep one of several boards begun by one table in a round: the last that was counted, else the last."""
    kept: dict[tuple[int, str, int], BoardFacts] = {}
    for one in boards:
        key = one.round, one.place, one.board if one.board is not None else -(one.deal or 0)
        before = kept.get(key)
        if before is None or one.points is not None or before.points is None or one.adjusted is not None:
            kept[key] = one
    return list(kept.values())
