"""The boards of an event as LIN, as online tables and viewers read it, and a link that shows a board in a viewer. Pure.

LIN is fields ``name|value|``: players, dealer with the hands from South on, title, vulnerability, calls, cards, claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import quote

from hw.cards import UNKNOWN
from hw.seats import CLOCKWISE, SEATS, Seat
from table_service.games.bridge.pages.board_facts import BoardFacts, CallTold
from table_service.games.bridge.pages.comparison import groups_of
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pages.event_results import results_of
from table_service.games.bridge.pages.pbn_files import hands_of
from table_service.games.bridge.pages.report_text import seat_order
from table_service.games.bridge.rules.auction import NO_BID
from table_service.games.bridge.rules.contract import TRICKS, board_dealer, board_vulnerable
from table_service.games.reports import RoundPlayed

VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="
"""The public viewer of Bridge Base Online; whoever opens a link gives it the deal, and no name."""
_FROM_SOUTH: Final = tuple(Seat(one) for one in "SWNE")
_VULNERABLE: Final = {"none": "o", "NS": "n", "EW": "e", "both": "b"}
_CALLS: Final = {NO_BID: "p", "X": "d", "XX": "r"}


def event_lin(rounds: Sequence[RoundPlayed]) -> str:
    """Every table's boards, a line each; a board of which not all hands are known is left out."""
    lines = [
        _board_lin(number, one, hands)
        for number, every in results_of(rounds).boards
        for group in groups_of([one.board for one in every])
        if is_whole(hands := hands_of(group))
        for one in group
    ]
    return "".join(f"{line}\n" for line in lines)


def is_whole(hands: Mapping[Seat, frozenset[str]]) -> bool:
    """Return True if all four hands are known."""
    return all(len(hands.get(seat, ())) == TRICKS for seat in SEATS)


def viewer_link(number: int, board: BoardFacts, hands: Mapping[Seat, frozenset[str]]) -> str:
    """Return an address that shows the four hands of a board in a viewer; no player's name is in it."""
    return VIEWER + quote(_deal_lin(number, board, hands))


def _deal_lin(number: int, board: BoardFacts, hands: Mapping[Seat, frozenset[str]]) -> str:
    dealer = _FROM_SOUTH.index(board.dealer or board_dealer(number)) + 1
    told = ",".join(_hand(hands[seat]) for seat in _FROM_SOUTH)
    vulnerable = _VULNERABLE[board.vulnerable or board_vulnerable(number)]
    return f"md|{dealer}{told}|rh||ah|Board {number}|sv|{vulnerable}|"


def _hand(cards: frozenset[str]) -> str:
    return "".join(suit + ranks for suit, ranks in zip("SHDC", pbn_hand(sorted(cards)).split("."), strict=True))


def _board_lin(number: int, board: BoardFacts, hands: Mapping[Seat, frozenset[str]]) -> str:
    ns, ew = (_plain(board.pairs.get(line, "")) for line in ("NS", "EW"))
    told = f"pn|{ns},{ew},{ns},{ew}|st||{_deal_lin(number, board, hands)}"
    told += "".join(f"mb|{_CALLS.get(one.call, one.call)}|" for one in _lawful(board)) + "pg||"
    told += "".join(f"{''.join(f'pc|{card[1]}{card[0]}|' for card in trick)}pg||" for trick in _tricks(board))
    if board.result is not None and board.contract is not None:
        told += f"mc|{board.result}|"  # after thirteen tricks too: endplay counts them for the wrong side
    return told


def _plain(name: str) -> str:
    """Return a name without the signs that part fields and players."""
    return name.replace("|", "/").replace(",", " ")


def _lawful(board: BoardFacts) -> Sequence[CallTold]:
    """Return the calls, as far as they came in turn and all were read: LIN knows no call out of turn."""
    order = seat_order(board.dealer) if board.dealer is not None else ()
    is_told = order and all(one.call != "?" and one.seat is order[n % 4] for n, one in enumerate(board.calls))
    return board.calls if is_told else ()


def _tricks(board: BoardFacts) -> list[list[str]]:
    """Return the cards in the order of play, up to the first that was not read."""
    found: list[list[str]] = []
    for trick in board.tricks:
        laid = dict(trick.cards)
        if trick.led is None:
            break
        cards = [laid.get(seat, UNKNOWN) for seat in (trick.led, *_after(trick.led))]
        known = [*cards, UNKNOWN].index(UNKNOWN)
        if known:
            found.append(cards[:known])
        if known < len(cards):
            break
    return found


def _after(seat: Seat) -> list[Seat]:
    second = CLOCKWISE.next(seat)
    third = CLOCKWISE.next(second)
    return [second, third, CLOCKWISE.next(third)]
