"""Hands of bridge from photographs: who holds which card, as a hand record in PBN; the score where contract is typed.

A board has each card once, in hands of thirteen. A card that is missing, seen twice or read with doubt is named; the
record is written only once all 52 are there.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from hw.cards import BRIDGE, UNKNOWN
from hw.seats import LINES, SEATS
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pbn.reading import PbnGame
from table_service.games.bridge.pbn.writing import write_games
from table_service.games.bridge.rules.contract import (
    TRICKS,
    VULNERABLE,
    BridgeError,
    board_dealer,
    board_vulnerable,
)
from table_service.games.bridge.rules.document import count
from table_service.games.bridge.rules.score import SHEET
from table_service.games.photographed import DOUBTS, SURE, Note, Photographed, PhotographRules, PhotoGroup

_PBN_VULNERABLE: Final[dict[str, str]] = dict(zip(map(str, VULNERABLE), ("None", "NS", "EW", "All"), strict=True))
_TYPED: Final = ("contract", "doubled", "declarer", "vulnerable", "tricks", "board")


def _doubt_numbers(hands: dict[str, list[str]], notes: list[Note], doubtful: list[str]) -> None:
    """Add to ``doubtful`` each card that was read more than once, and each hand that has not thirteen."""
    every = Counter(card for hand in hands.values() for card in hand)
    for seat, hand in hands.items():
        doubtful += [f"{seat}.{card}" for card in hand if every[card] > 1]
        if len(hand) != TRICKS:
            doubtful.append(f"{seat}.{UNKNOWN}")
            notes.append(_of_thirteen(seat, hand))


def _is_whole(hands: dict[str, list[str]]) -> bool:
    """Return True if every hand has thirteen cards, and each card of the pack is in one of them."""
    cards = sorted(card for hand in hands.values() for card in hand)
    return cards == sorted(BRIDGE.copies) and all(len(hand) == TRICKS for hand in hands.values())


def score_photographs(shown: Photographed) -> dict[str, Any]:
    """``{"rules","hands","pbn","missing","doubtful","notes",…}``; with a typed contract also what ``count`` answers.

    ``hands``: the cards read of each seat; ``missing``: those read nowhere; ``doubtful``: ``N.7H`` for a card whose
    reading or place is uncertain, and ``N.??`` for a hand that has not thirteen; ``pbn``: the record, null while a card
    is missing or twice. ``deduced``: the one card that was missing, given to the one hand that lacked one: look at it.
    """
    notes: list[Note] = []
    doubtful: list[str] = []
    hands = {str(seat): _hand(shown, str(seat), notes, doubtful) for seat in SEATS}
    _doubt_numbers(hands, notes, doubtful)
    missing = [card for card in BRIDGE.copies if not any(card in hand for hand in hands.values())]
    deduced = _deduced(hands, missing)
    if deduced is not None:
        missing = []
        seat, card = deduced
        hands[seat] = [*hands[seat], card]
        doubtful = [one for one in doubtful if one != f"{seat}.{UNKNOWN}"] + [f"{seat}.{card}"]
        text = (f"{card} non si legge: manca solo a {seat}.", f"{card} was not read: {seat} alone lacks a card.")
        notes.append(Note(text))
    answer: dict[str, Any] = {
        "rules": "bridge",
        "hands": {seat: sorted(hand, key=_order) for seat, hand in hands.items()},
        "missing": missing,
        "deduced": [] if deduced is None else [".".join(deduced)],
        "pbn": _record(shown, hands) if _is_whole(hands) else None,
        "lines": {str(line): {"items": dict.fromkeys(SHEET.names), "total": None} for line in LINES},
        "doubtful": sorted(set(doubtful)),
        "warnings": [],
    }
    return {**answer, **_scored(shown, answer, notes), "notes": [note.as_json() for note in notes]}


def _order(card: str) -> tuple[int, int]:
    return "SHDC".index(card[1]), "AKQJT98765432".index(card[0])


def _hand(shown: Photographed, seat: str, notes: list[Note], doubtful: list[str]) -> list[str]:
    """Return the cards read of a seat's hand, those in doubt named in ``doubtful``."""
    name = f"hand-{seat}"
    if name not in shown.shown:
        notes.append(Note((f"Manca la mano di {seat}.", f"No picture shows {seat}'s hand.")))
    cards: list[str] = []
    for number, group in enumerate(shown.groups):
        if group.shows != name:
            continue
        notes += [Note(DOUBTS[doubt], group=number) for doubt in group.doubts]
        for place, card in enumerate(group.cards):
            if card == UNKNOWN:
                continue
            cards.append(card)
            if group.sure_of(place) < SURE:
                doubtful.append(f"{seat}.{card}")
    return cards


def _of_thirteen(seat: str, hand: list[str]) -> Note:
    return Note(
        (f"{seat}: si leggono {len(hand)} carte, non {TRICKS}.", f"{seat}: {len(hand)} cards are read, not {TRICKS}.")
    )


def _deduced(hands: dict[str, list[str]], missing: list[str]) -> tuple[str, str] | None:
    """Return the seat and its thirteenth card if 51 distinct cards lie, and one hand has twelve."""
    short = [seat for seat, hand in hands.items() if len(hand) == TRICKS - 1]
    if len(missing) != 1 or len(short) != 1 or sum(map(len, hands.values())) != len(SEATS) * TRICKS - 1:
        return None
    return short[0], missing[0]


def _record(shown: Photographed, hands: dict[str, list[str]]) -> str:
    """Return the board as PBN: hands, and what was typed of board, contract and tricks."""
    facts = shown.facts
    typed = facts.get("board")
    number = typed if isinstance(typed, int) and not isinstance(typed, bool) and typed > 0 else None
    vulnerable = str(facts.get("vulnerable") or ("" if number is None else board_vulnerable(number)))
    contract = facts.get("contract")
    return write_games(
        [
            PbnGame(
                1,
                values={
                    "Board": "" if number is None else str(number),
                    "Dealer": "" if number is None else str(board_dealer(number)),
                    "Vulnerable": _PBN_VULNERABLE.get(vulnerable, ""),
                    "Deal": "N:" + " ".join(pbn_hand(hands[str(seat)]) for seat in SEATS),
                    "Declarer": str(facts.get("declarer") or ""),
                    "Contract": f"{contract}{facts.get('doubled') or ''}" if contract else "",
                    "Result": "" if facts.get("tricks") is None else str(facts["tricks"]),
                },
            )
        ]
    )


def _scored(shown: Photographed, answer: dict[str, Any], notes: list[Note]) -> dict[str, Any]:
    """Return the answer of ``count`` for the typed contract and tricks; empty if none were typed."""
    typed = {name: shown.facts[name] for name in _TYPED if shown.facts.get(name) is not None}
    if "contract" not in typed:
        answer["doubtful"] += [f"{line}.{item}" for line in LINES for item in SHEET.names]
        notes.append(
            Note(("Contratto e prese non si vedono: scriveteli.", "Contract and tricks are not seen: type them."))
        )
        return {}
    try:
        counted = count(typed)
    except BridgeError as error:
        answer["doubtful"] += [f"{line}.{item}" for line in LINES for item in SHEET.names]
        notes.append(Note((f"Il punteggio non si calcola: {error}.", f"The score cannot be counted: {error}.")))
        return {}
    return {**counted, "doubtful": answer["doubtful"]}


def _owners(groups: list[PhotoGroup]) -> list[str]:
    """Return the owner of each fan of one picture by its side of the picture: N above, then clockwise."""
    boxes = [group.box for group in groups]
    if not boxes:
        return []
    x = (min(box[0] for box in boxes) + max(box[2] for box in boxes)) / 2
    y = (min(box[1] for box in boxes) + max(box[3] for box in boxes)) / 2
    out = []
    for x0, y0, x1, y1 in boxes:
        across, down = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
        if abs(across) > abs(down):
            out.append("hand-E" if across > 0 else "hand-W")
        else:
            out.append("hand-S" if down > 0 else "hand-N")
    return out


PHOTOGRAPHS: Final = PhotographRules(
    lines=(),
    seats=("hand",),
    score=score_photographs,
    owners=_owners,
    questions=("contract", "doubled", "declarer", "vulnerable", "tricks", "board"),
)
"""How pictures of bridge hands are read."""
