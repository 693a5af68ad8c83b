"""The public table at any moment of a board, folded from its events, in the shape of the topic ``state``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.seats import CLOCKWISE, Seat
from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.game_pages import Document, Moment, data_of
from table_service.games.past_deal import State, moments_of, waiting_after

SEATS: Final = ("N", "E", "S", "W")


def moments(events: Sequence[Document]) -> list[Moment]:
    """Every event of one board, in the table's order, with the table after it."""
    return moments_of(events, _empty, _apply)


def _empty() -> State:
    return {
        "game": "bridge",
        "phase": "auction",
        "hands": dict.fromkeys(SEATS, TRICKS),
        "auction": [],
        "trick": {"n": 1, "cards": []},
        "last_trick": None,
        "tricks": {"NS": 0, "EW": 0},
        "turn": {"n": 0, "seat": None},
        "penalty_cards": [],
        "open": {},
    }


def _apply(state: State, event: Document, card: str | None) -> None:
    data, seat = data_of(event), event.get("seat")
    state["deal"] = event.get("deal")
    match event.get("type"):
        case "deal.started":
            state["dealer"] = data.get("dealer")
        case "board.placed":
            state |= {"board": as_whole(data.get("board")), "vulnerable": data.get("vulnerable")}
        case "tray.passed":
            state["tray"] = data.get("side")
        case "call.made":
            state["auction"] = [*state["auction"], {"seat": seat, "call": data.get("call")}]
        case "contract.made":
            state |= {"contract": data.get("contract"), "declarer": data.get("declarer")}
            state["passed_out"] = data.get("contract") is None
        case "dummy.spread":
            state["dummy"] = {"seat": seat, "cards": as_list(data.get("cards"))}
        case "trick.played":
            _played(state, data, seat, card)
        case "trick.won":
            _won(state, data)
        case _:
            _else(state, event, data)
    state["turn"] = {**state["turn"], "n": event.get("turn")}


def _else(state: State, event: Document, data: Document) -> None:
    """Penalty cards, a claim, the end, what waits for the arbitro."""
    seat = event.get("seat")
    match event.get("type"):
        case "penalty-card.set" | "penalty-card.served" as what:
            others = [one for one in state["penalty_cards"] if one["card"] != data.get("card")]
            lying = [{"seat": seat, "card": data.get("card"), "kind": data.get("kind")}]
            state["penalty_cards"] = others + (lying if what.endswith("set") else [])
        case "claim.made":
            state["claim"] = {"seat": seat, "cards": as_list(data.get("cards"))}
        case "deal.ended":
            state["phase"] = "over"
        case "irregularity":
            state["open"] = waiting_after(state["open"], data)


def _played(state: State, data: Document, seat: object, card: str | None) -> None:
    state["phase"] = "playing"
    cards = dict(as_map(data.get("cards")))
    if card is not None and seat in cards:
        cards[str(seat)] = card
    number = as_whole(data.get("n")) or state["trick"]["n"]
    state["trick"] = {"n": number, "cards": [{"seat": one, "card": laid} for one, laid in cards.items()]}
    dummy = state.get("dummy")
    if dummy is not None and dummy["seat"] == seat:
        state["dummy"] = {**dummy, "cards": [one for one in dummy["cards"] if one != data.get("card")]}
    if seat in SEATS:
        state["hands"] = {**state["hands"], str(seat): max(0, state["hands"][str(seat)] - 1)}
        after = CLOCKWISE.next(Seat(str(seat)))
        state["turn"] = {"n": None, "seat": None if str(after) in cards else str(after)}


def _won(state: State, data: Document) -> None:
    number, winner = as_whole(data.get("n")) or 0, data.get("winner")
    cards = [{"seat": one, "card": card} for one, card in as_map(data.get("cards")).items()]
    state["last_trick"] = {"n": number, "cards": cards, "winner": winner}
    if data.get("corrected") is True:
        return
    line = str(Seat(str(winner)).line) if winner in SEATS else None
    state["tricks"] = (
        {"NS": None, "EW": None}
        if line is None or state["tricks"][line] is None
        else {**state["tricks"], line: state["tricks"][line] + 1}
    )
    state["turn"] = {"n": None, "seat": winner}
