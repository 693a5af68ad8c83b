"""Choice of movements that a field of pairs may play in an evening, with the cost of each. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from table_service.tournament.board_movements import (
    LEAST_TABLES,
    MOST_TABLES,
    BoardMovement,
    arrow_switched,
    bumped,
    howell_movement,
    mitchell,
    relay_mitchell,
    skip_mitchell,
    without,
)
from table_service.tournament.seating import NoSeatingError

MOST_PAIRS: Final = 60
MOST_BOARDS: Final = 60
_EACH: Final = (2, 3, 4, 5, 6, 7, 8, 1)
"""Boards that a table plays in a round: of those that fill the evening the first, so that many pairs meet."""
_ENOUGH: Final = 0.8
_TOO_MANY: Final = 1.1
"""A movement plays so great a part of the boards that are wanted, at least and at most."""
_NAMES: Final = {
    "mitchell": ("Mitchell", "Mitchell"),
    "skip": ("Mitchell con salto", "Skip Mitchell"),
    "relay": ("Mitchell con scambio e posto di riposo", "Share and relay Mitchell"),
    "hesitation": ("Mitchell con esitazione", "Hesitation Mitchell"),
    "howell": ("Howell", "Howell"),
    "three-quarter": ("Howell ridotto (3/4)", "Three-quarter Howell"),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """A movement with its boards: ``each`` of them are a set. ``cost``: what it asks of the field, Italian, English."""

    movement: BoardMovement
    each: int
    cost: tuple[str, str]

    @property
    def name(self) -> tuple[str, str]:
        """Name of the movement, Italian, English."""
        return _NAMES[self.movement.kind]

    def boards(self, set_: int) -> tuple[int, ...]:
        """Return the numbers of the boards of a set."""
        return tuple(range((set_ - 1) * self.each + 1, set_ * self.each + 1))

    def as_json(self) -> dict[str, Any]:
        """All of it for a program: by round each table's pairs and boards, and who rests."""
        movement = self.movement
        return {
            "kind": movement.kind,
            "bumped": movement.bumped,
            "tables": movement.tables,
            "pairs": movement.pairs,
            "boards": movement.sets * self.each,
            "rankings": 2 if movement.has_two_rankings else 1,
            "cost": {"it": self.cost[0], "en": self.cost[1]},
            "rounds": [
                {
                    "tables": [
                        {"table": one.table, "NS": one.ns, "EW": one.ew, "boards": list(self.boards(one.set))}
                        for one in sittings
                    ],
                    "resting": list(movement.resting(number)),
                }
                for number, sittings in enumerate(movement.rounds, start=1)
            ],
        }


def offers(pairs: int, boards: int = 24, *, one_ranking: bool = False) -> list[Offer]:
    """Return the movements of ``pairs`` in which each plays about ``boards``, the most boards first.

    ``one_ranking``: a Mitchell has its lines exchanged in its last rounds. Raises NoSeatingError if there is none.

    >>> [(one.movement.kind, len(one.movement.rounds), one.each) for one in offers(18, 27)[:2]]
    [('mitchell', 9, 3), ('three-quarter', 13, 2)]
    """
    if not 2 * LEAST_TABLES - 1 <= pairs <= MOST_PAIRS or not 1 <= boards <= MOST_BOARDS:
        raise NoSeatingError(
            "no_movement",
            f"{pairs} pairs and {boards} boards: there are movements of {2 * LEAST_TABLES - 1} to {MOST_PAIRS} pairs"
            f" and of up to {MOST_BOARDS} boards",
        )
    found = [one for made in _movements(pairs) if (one := _offer(made, boards, one_ranking=one_ranking)) is not None]
    if not found:
        raise NoSeatingError(
            "no_movement", f"{pairs} pairs and {boards} boards: ask for more boards, or for fewer rounds"
        )
    return sorted(found, key=lambda one: -len(one.movement.rounds) * one.each)  # boards of a pair that never rests


def _movements(pairs: int) -> Iterator[BoardMovement]:
    """Every movement of ``pairs``, whole: of an odd field with half a table, and with a pair that bumps."""
    tables = (pairs + 1) // 2
    whole = [*_mitchells(tables), *_howells(tables)]
    if pairs % 2 == 0:
        yield from whole
        return
    yield from (without(one, one.pairs) for one in whole)
    for one in _mitchells(tables - 1) if tables > LEAST_TABLES else ():
        if (longer := bumped(one)) is not None:
            yield longer


def _mitchells(tables: int) -> Iterator[BoardMovement]:
    if tables % 2:
        yield mitchell(tables)
    else:
        yield skip_mitchell(tables)
        yield relay_mitchell(tables)


def _howells(tables: int) -> Iterator[BoardMovement]:
    """Yield the whole Howell, and the shortest and a longer one in which some pairs stay."""
    if tables > MOST_TABLES:
        return
    for rounds in sorted({2 * tables - 1, tables + 1, tables + 2, (3 * tables) // 2}):
        if (found := howell_movement(tables, rounds)) is not None:
            yield found


def _offer(movement: BoardMovement, boards: int, *, one_ranking: bool) -> Offer | None:
    """Return the movement with enough boards a round to give about ``boards``; None if it gives far fewer.

    A Mitchell may end after any round; a Howell is played to its end.
    """
    rounds, is_open = len(movement.rounds), movement.kind in ("mitchell", "skip", "relay")
    most = boards if is_open else _TOO_MANY * boards
    each = next(
        (one for one in _EACH if _ENOUGH * boards <= one * (min(rounds, boards // one) if is_open else rounds) <= most),
        None,
    )
    if each is None:
        return None
    played = min(rounds, boards // each) if is_open else rounds
    shorter = replace(movement, rounds=movement.rounds[:played], half=movement.half[:played])
    if is_open:
        used = sorted({one.set for sittings in shorter.rounds for one in sittings})
        shorter = replace(shorter, sets=max(used))
        if one_ranking and played > 1:
            shorter = arrow_switched(shorter)
    return Offer(shorter, each, _cost(shorter, each))


def _cost(movement: BoardMovement, each: int) -> tuple[str, str]:
    """Describe what a movement asks of the field, in one sentence each, Italian, English."""
    italian, english = zip(*_meetings(movement, each), *_peculiar(movement), strict=True)
    return "; ".join(italian) + ".", "; ".join(english) + "."


def _meetings(movement: BoardMovement, each: int) -> Iterator[tuple[str, str]]:
    """Tables, rounds, boards and pairs that each pair meets, and who rests; Italian, English."""
    rounds = len(movement.rounds)
    yield (
        f"{movement.tables} tavoli, {rounds} turni da {each} board",
        f"{movement.tables} tables, {rounds} rounds of {each} boards",
    )
    total, played = (
        movement.sets * each,
        _range(*_span([len({one.set for one in own}) * each for own in _own(movement)])),
    )
    yield f"ognuna gioca {played} board su {total}", f"each plays {played} of {total} boards"
    others, met = movement.pairs - 1, _range(*_span([len(own) for own in _own(movement)]))
    yield f"incontra {met} coppie su {others}", f"meets {met} of {others} pairs"
    resting = [pair for number in range(1, rounds + 1) for pair in movement.resting(number)]
    if resting:
        longest = max(map(resting.count, resting))
        yield (
            f"riposa una coppia a turno, la stessa al più {longest} volt{'a' if longest == 1 else 'e'}",
            f"one pair rests in each round, the same one at most {longest} time{'s' * (longest > 1)}",
        )


def _peculiar(movement: BoardMovement) -> Iterator[tuple[str, str]]:
    """Return the remarks for the people at the tables on this movement and its rankings; Italian, English."""
    if movement.bumped:
        yield (
            f"la coppia {movement.pairs} prende a ogni turno il posto di un’altra in Nord-Sud",
            f"pair {movement.pairs} takes another North-South's place in each round",
        )
    if movement.kind == "relay":
        yield (
            f"i tavoli 1 e {movement.tables} si passano i board nel turno, una serie aspetta a metà sala",
            f"tables 1 and {movement.tables} share boards in each round, one set waits halfway",
        )
    elif movement.is_shared:
        yield "due tavoli si passano i board nel turno", "two tables share boards in each round"
    half = movement.tables // 2
    if movement.kind == "skip" and len(movement.rounds) >= half:
        yield f"dopo il turno {half} Est-Ovest salta un tavolo", f"after round {half} East-West skip a table"
    yield ("due classifiche", "two rankings") if movement.has_two_rankings else ("una classifica", "one ranking")


def _own(movement: BoardMovement) -> Iterator[list[Any]]:
    """Yield the sittings of each pair."""
    for pair in range(1, movement.pairs + 1):
        yield [one for sittings in movement.rounds for one in sittings if pair in (one.ns, one.ew)]


def _span(numbers: list[int]) -> tuple[int, int]:
    return min(numbers), max(numbers)


def _range(least: int, most: int) -> str:
    return str(most) if least == most else f"{least}-{most}"
