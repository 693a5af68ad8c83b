"""The public table at any moment of a deal, folded from its events, in the shape of the topic ``state``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.cards import UNKNOWN
from hw.seats import ANTICLOCKWISE, Seat, seat_or_none
from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.games.game_pages import Document, Moment, data_of
from table_service.games.past_deal import State, moments_of, waiting_after
from table_service.games.tarocco.rules.deal import HAND, SCARTO

SEATS: Final = ("N", "E", "S", "W")
LINE_OF: Final = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}


def moments(events: Sequence[Document]) -> list[Moment]:
    """Every event of one deal, in the table's order, with the table after it."""
    return moments_of(events, _empty, _apply)


def _empty() -> State:
    return {
        "game": "tarocco",
        "phase": "dealt",
        "hands": dict.fromkeys(SEATS, HAND),
        "trick": {"n": 1, "cards": []},
        "last_trick": None,
        "tricks": {"NS": 0, "EW": 0},
        "turn": {"n": 0, "seat": None},
        "accusi": [],
        "claims": [],
        "scarto": None,
        "open": {},
    }


def _apply(state: State, event: Document, card: str | None) -> None:
    data, seat = data_of(event), event.get("seat")
    state["deal"] = event.get("deal")
    match event.get("type"):
        case "deal.started":
            dealer = seat_or_none(data.get("dealer"))
            state |= {"dealer": data.get("dealer"), "scartatore": data.get("dealer")}
            if dealer is not None:
                state["hands"][str(dealer)] = HAND + SCARTO
                state["turn"] = {"n": 0, "seat": str(ANTICLOCKWISE.next(dealer))}
        case "scarto.made":
            state |= {"phase": "scarto", "scarto": as_whole(data.get("cards")), "scartatore": seat}
            if seat in SEATS:
                state["hands"][seat] -= SCARTO if data.get("cards") is None else as_whole(data.get("cards")) or 0
        case "trick.played":
            _played(state, data, seat, card)
        case "trick.won":
            _won(state, data)
        case "accuso.shown":
            shown = {"seat": seat, "cards": as_list(data.get("cards")), "late": data.get("late") is True}
            state["accusi"] = [*state["accusi"], shown]
        case "claim.made":
            state["claims"] = [*state["claims"], {"seat": seat, "cards": as_list(data.get("cards"))}]
            state["phase"] = "over"
        case "deal.ended":
            state["phase"] = "over"
        case "irregularity":
            state["open"] = waiting_after(state["open"], data)
    state["turn"] = {**state["turn"], "n": event.get("turn")}


def _played(state: State, data: Document, seat: object, card: str | None) -> None:
    state["phase"] = "playing"
    number = as_whole(data.get("n")) or state["trick"]["n"]
    cards = dict(as_map(data.get("cards")))
    if card is not None and seat in cards:
        cards[str(seat)] = card
    state["trick"] = {"n": number, "cards": [{"seat": one, "card": laid} for one, laid in cards.items()]}
    who = seat if seat in SEATS else next(reversed(cards), None)
    if who in SEATS:
        state["hands"][who] = max(0, state["hands"][who] - 1)
        after = ANTICLOCKWISE.next(Seat(str(who)))
        state["turn"] = {"n": None, "seat": None if str(after) in cards else str(after)}


def _won(state: State, data: Document) -> None:
    number, winner = as_whole(data.get("n")) or 0, data.get("winner")
    cards = [{"seat": one, "card": card or UNKNOWN} for one, card in as_map(data.get("cards")).items()]
    again = data.get("corrected") is True
    state["last_trick"] = {"n": number, "cards": cards, "winner": winner}
    if again:
        return
    # A card of it may have been told by no event of its own, or of nobody: who has one in it has played so many.
    hands = state["hands"]
    hands |= {one["seat"]: min(hands[one["seat"]], max(0, HAND - number)) for one in cards if one["seat"] in SEATS}
    state["trick"] = {"n": min(number + 1, HAND), "cards": []}
    line = LINE_OF.get(str(winner))
    if line is None:
        state["tricks"] = {"NS": None, "EW": None}
    elif state["tricks"][line] is not None:
        state["tricks"] = {**state["tricks"], line: state["tricks"][line] + 1}
    state["turn"] = {"n": None, "seat": winner}
