"""The middle of a table of bridge as a page shows it: values from the public state. Pure.

Nothing is taken from the state but what is named here, so that a field that should not have been published is not
shown either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hw.seats import CLOCKWISE, Seat
from table_service.events.untrusted import as_cards, as_list, as_map, as_name, as_whole
from table_service.games.bridge.judges.ordered_leads import SUITS, WAYS
from table_service.games.bridge.rules.auction import CALLS
from table_service.games.bridge.rules.contract import TRICKS, VULNERABLE
from table_service.games.game_pages import Agreement, Document
from table_service.games.tricks.open_trick import by_seat, one_of, progress_of
from table_service.games.tricks.order import FRENCH_RANKS

_SEATS: Final = ("W", "N", "E", "S")
_LINES: Final = ("NS", "EW")
_PHASES: Final = ("auction", "playing", "over")
_SUITS: Final = "SHCD"
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "N": "SA"}


@dataclass(frozen=True, slots=True)
class OpenCards:
    """Cards of a seat that lie open; ``kind`` of a penalty card."""

    seat: str
    cards: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Middle:
    """Facts that all four may know. ``auction``: rows of four calls, West first, None before a seat's first call.

    ``trick``: by seat; ``tricks``: won, by line; None: unknown.
    """

    board: int | None
    vulnerable: str | None
    phase: str | None
    tray: str | None
    auction: tuple[tuple[str | None, ...], ...]
    contract: str | None
    declarer: str | None
    passed_out: bool
    number: int | None
    trick: dict[str, str]
    last: dict[str, str]
    last_winner: str | None
    tricks: dict[str, int | None]
    dummy: OpenCards | None
    penalty_cards: tuple[OpenCards, ...]
    claim: OpenCards | None
    lead_orders: tuple[tuple[str, str, str], ...] = ()
    """By a ruling: who is to lead (``require``) or not to lead (``forbid``) which suit."""
    stated: int | None = None
    """Declarer's tricks as they were stated; ``agreed``: who has pressed since that it agrees."""
    agreed: tuple[str, ...] = ()
    dealer: str | None = None
    due: tuple[str, ...] = ()
    """Who is to call on the tray's side, the first first; which of two has done so only that side knows."""


def middle_of(state: Document) -> Middle:
    """Return the middle of the table as ``state`` describes it."""
    trick, last, won = as_map(state.get("trick")), as_map(state.get("last_trick")), as_map(state.get("tricks"))
    return Middle(
        board=as_whole(state.get("board")),
        vulnerable=one_of(state.get("vulnerable"), VULNERABLE),
        phase=one_of(state.get("phase"), _PHASES),
        tray=one_of(state.get("tray"), ("NE", "SW")),
        auction=_auction(state),
        contract=_sign(as_name(state.get("contract"))),
        declarer=one_of(state.get("declarer"), _SEATS),
        passed_out=state.get("passed_out") is True,
        number=as_whole(trick.get("n")),
        trick=by_seat(trick.get("cards")),
        last=by_seat(last.get("cards")),
        last_winner=one_of(last.get("winner"), _SEATS),
        tricks={line: as_whole(won.get(line)) for line in _LINES},
        dummy=_by_suits(_shown(state.get("dummy"))),
        penalty_cards=tuple(
            OpenCards(one.seat, one.cards, str(given.get("kind")))
            for given in map(as_map, as_list(state.get("penalty_cards")))
            if (one := _shown({**given, "cards": [given.get("card")]})) is not None
            and given.get("kind") in ("minor", "major")
        ),
        claim=_shown(state.get("claim")),
        lead_orders=tuple(_lead_orders(state)),
        stated=_stated(state),
        agreed=_agreed(state),
        dealer=one_of(state.get("dealer"), _SEATS),
        due=_due(state),
    )


def head_of(state: Document) -> tuple[tuple[str, str], ...]:
    """Return the head's facts: which board, who dealt it, who is vulnerable, and how far it is."""
    if as_whole(state.get("deal")) is None:
        return ()
    number, dealer = as_whole(state.get("board")), one_of(state.get("dealer"), _SEATS)
    vulnerable = one_of(state.get("vulnerable"), VULNERABLE)
    return (
        ("bridge_board", "?" if number is None else str(number)),
        ("dealer", dealer or "?"),
        ("bridge_vulnerable", f"vulnerable_{vulnerable or 'unknown'}"),
        *progress_of(state, _PHASES),
    )


def _due(state: Document) -> tuple[str, ...]:
    """Seats that may call now, as everybody may know it: by the passed calls, on the side where the tray is."""
    side = one_of(state.get("tray"), ("NE", "SW"))
    calls = [one_of(as_map(one).get("seat"), _SEATS) for one in as_list(state.get("auction"))]
    last, dealer = calls[-1] if calls else None, one_of(state.get("dealer"), _SEATS)
    first = dealer if not calls else None if last is None else str(CLOCKWISE.next(Seat(last)))
    if state.get("phase") != "auction" or side is None or first is None or first not in side:
        return ()
    second = str(CLOCKWISE.next(Seat(first)))
    return (first, second) if second in side else (first,)


def _stated(state: Document) -> int | None:
    tricks = as_whole(as_map(state.get("result")).get("tricks"))
    return tricks if tricks is not None and 0 <= tricks <= TRICKS else None


def _agreed(state: Document) -> tuple[str, ...]:
    named = [str(one) for one in as_list(as_map(state.get("result")).get("agreed"))]
    return tuple(seat for seat in ("N", "E", "S", "W") if seat in named)


def agreement_of(state: Document) -> Agreement | None:
    """Return the result that waits for both lines to agree; None if none was stated or the score is reported."""
    tricks, deal = _stated(state), str(state.get("deal"))
    if tricks is None or deal in as_map(state.get("sheets")):
        return None
    by_arbitro = as_map(state.get("result")).get("by_arbitro") is True
    text = (f"Prese del dichiarante: {tricks}", f"Declarer’s tricks: {tricks}")
    if by_arbitro:
        text = (f"{text[0]} (arbitro)", f"{text[1]} (arbitro)")
    return Agreement(text, _agreed(state), ("N", "E", "S", "W"))


def _lead_orders(state: Document) -> Iterator[tuple[str, str, str]]:
    for one in map(as_map, as_list(state.get("lead_orders"))):
        seat, way, suit = (
            one_of(one.get("seat"), _SEATS),
            one_of(one.get("way"), WAYS),
            one_of(one.get("suit"), tuple(SUITS)),
        )
        if seat is not None and way is not None and suit is not None:
            yield seat, way, _SIGNS[suit]


def _auction(state: Document) -> tuple[tuple[str | None, ...], ...]:
    """Return the calls in rows of four from West on; what was called out of turn is under its caller."""
    rows: list[list[str | None]] = []
    place = len(_SEATS)
    for one in map(as_map, as_list(state.get("auction"))):
        seat, call = one_of(one.get("seat"), _SEATS), as_name(one.get("call"))
        if seat is None:
            continue
        column = _SEATS.index(seat)
        if column <= place or not rows:
            rows.append([None] * len(_SEATS))
        place = column
        rows[-1][column] = _sign(call) if call in CALLS else "?"
    return tuple(map(tuple, rows))


def _sign(call: str | None) -> str | None:
    """Return a call or a contract as people write it, with the sign of its suit."""
    if call is None or call[:1] not in "1234567":
        return call
    strain = call[1:2]
    rest = call[2:].removeprefix("T") if strain == "N" else call[2:]
    return f"{call[0]}{_SIGNS.get(strain, strain)}{rest}"


def _shown(value: object) -> OpenCards | None:
    told = as_map(value)
    seat, cards = one_of(told.get("seat"), _SEATS), as_cards(told.get("cards"))
    return OpenCards(seat, cards) if seat is not None and cards else None


def _by_suits(shown: OpenCards | None) -> OpenCards | None:
    """Return a hand as it is laid out: by suits, the highest card first."""
    if shown is None:
        return None
    cards = sorted(shown.cards, key=lambda card: (_order(_SUITS, card[-1:]), _order(FRENCH_RANKS, card[:1])))
    return OpenCards(shown.seat, tuple(cards))


def _order(known: str, sign: str) -> int:
    return known.index(sign) if sign and sign in known else len(known)
