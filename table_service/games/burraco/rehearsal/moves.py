"""Truth against movements alone: what tracking saw of the cards, before any rule has judged it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from hw.cards import face
from hw.zones import DISCARD, POTS, STOCK, is_melds, zone_seat
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction, TruthReport, align
from table_service.tracking.movements import Movement, Named, Notice, Retracted, RowChanged, Track

_TRUE_TYPES: Final = {
    "turn-up": "turn-up",
    "draw": "draw",
    "collect": "collect",
    "open": "lay",
    "extend": "lay",
    "discard": "discard",
    "take-pot": "pot",
    "expose": "expose",
    "take-up": "take-up",
    "take-back": "take-up",
    "return-to-stock": "return",
    "return-to-pile": "discard",
    "slide-off": "draw",
    "penalise": "penalise",
}


def compare_moves(truth: Truth, tracks: Sequence[Track]) -> TruthReport:
    """``truth`` against what a Tracker said of its log, later namings and retractions taken in."""
    report = TruthReport(deals=len(truth.deals))
    align(_true_steps(truth), _seen_steps(tracks), report)
    return report


def _true_steps(truth: Truth) -> list[TruthAction]:
    steps = []
    for action in truth.actions:
        kind = _TRUE_TYPES.get(action["type"])
        if kind is None or action.get("left"):
            continue
        cards = action.get("row") or action.get("cards") or ()
        seat = action["seat"]
        if kind == "pot":
            cards, seat = (), None  # the movement is the giver's
        if kind in ("expose", "take-up", "collect"):
            cards = sorted(cards)
        faces = tuple(map(face, cards))
        steps.append(TruthAction(action["t"], action["deal"], kind, seat, faces, action.get("meld"), _by(kind)))
    return steps


def _by(kind: str) -> Literal["order", "apart"]:
    return "apart" if kind == "draw" else "order"


def _kind(move: Movement) -> str:
    source, target = move.source or "?", move.target or "?"
    if source == POTS:
        return "pot"
    if target == DISCARD:
        return "turn-up" if source == STOCK else "discard"
    if is_melds(target):
        return "lay"
    if target == STOCK:
        return "return"
    if target.startswith("side-"):
        return "penalise"
    if zone_seat(target) is not None:
        named = {STOCK: "draw", DISCARD: "collect"}
        return named.get(source, "take-up")
    return "expose"


def _seen_steps(tracks: Iterable[Track]) -> list[TruthAction]:
    cards: dict[int, tuple[str, ...]] = {}
    results: dict[tuple[object, ...], list[int]] = {}
    order: list[tuple[Movement, int]] = []
    gone: set[int] = set()
    laid: dict[int, tuple[str, ...]] = {}
    deal = 0
    for track in tracks:
        match track:
            case Movement():
                cards[track.id] = track.cards
                order.append((track, deal))
                if track.row is not None:
                    laid[track.id] = track.result
                    results[deal, track.target, track.row] = [track.id]
            case Named():
                cards[track.movement] = track.cards
            case Retracted():
                gone.add(track.movement)
            case RowChanged(corrected=True):
                for number in results.get((deal, track.zone, track.row), []):
                    laid[number] = track.after
            case Notice(observation=observation):
                fields: Any = getattr(observation, "fields", {})
                if getattr(observation, "do", "") == "deal":
                    deal = int(fields.get("deal", deal + 1))
            case _:
                pass
    return [_seen_step(move, number, cards, laid) for move, number in order if move.id not in gone]


def _seen_step(
    move: Movement, deal: int, cards: dict[int, tuple[str, ...]], laid: dict[int, tuple[str, ...]]
) -> TruthAction:
    kind = _kind(move)
    shown = laid.get(move.id, ()) if kind == "lay" else cards[move.id]
    faces = tuple(map(face, shown))
    if kind in ("expose", "take-up", "collect"):
        faces = tuple(sorted(faces))
    if kind == "pot":
        return TruthAction(move.committed_t, deal, kind, None)
    seat = None if move.seat is None else str(move.seat)
    return TruthAction(move.committed_t, deal, kind, seat, faces, move.row, _by(kind))
