"""The points of a board (law 77), item by item."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table_service.games.bridge.rules.contract import TRICKS, Contract, Doubling
from table_service.table.score_items import ScoreItem, ScoreSheet

SHEET: Final = ScoreSheet(
    (
        ScoreItem("tricks", ("Prese del contratto", "Contract tricks")),
        ScoreItem("overtricks", ("Surlevées", "Overtricks")),
        ScoreItem("bonus", ("Premio parziale o manche", "Part score or game")),
        ScoreItem("slam", ("Slam", "Slam")),
        ScoreItem("insult", ("Contratto contrato mantenuto", "Doubled contract made")),
        ScoreItem("undertricks", ("Down", "Undertricks")),
    )
)
GAME: Final = 100
"""Points of contract tricks that make a game."""
PART_BONUS: Final = 50
GAME_BONUS: Final = (300, 500)
"""Not vulnerable, vulnerable."""
SMALL_SLAM: Final = (500, 750)
GRAND_SLAM: Final = (1000, 1500)
INSULT: Final = {"": 0, "X": 50, "XX": 100}
_TIMES: Final = {"": 1, "X": 2, "XX": 4}
_DOWN: Final = (50, 100)
_DOWN_DOUBLED: Final = ((100, 200, 200), (200, 300, 300))
"""The first three tricks of a doubled contract, each; from the fourth on 300."""
_DOWN_FURTHER: Final = 300


@dataclass(frozen=True, slots=True)
class BoardScore:
    """The points of the declaring side: positive where the contract was made, negative where it was not."""

    tricks: int = 0
    overtricks: int = 0
    bonus: int = 0
    slam: int = 0
    insult: int = 0
    undertricks: int = 0

    @property
    def total(self) -> int:
        """All of them together."""
        return self.tricks + self.overtricks + self.bonus + self.slam + self.insult + self.undertricks


def trick_value(strain: str, place: int) -> int:
    """Return the points of the ``place``-th trick of a contract, from 1, undoubled."""
    if strain == "N":
        return 40 if place == 1 else 30
    return 20 if strain in "CD" else 30


def score(contract: Contract, tricks: int, *, vulnerable: bool) -> BoardScore:
    """Return the points of the declaring side for ``tricks`` won, from 0 to 13. Raises ValueError for another number.

    >>> from hw.seats import Seat
    >>> score(Contract("3N", Seat.NORTH), 12, vulnerable=True).total
    690
    """
    if not 0 <= tricks <= TRICKS:
        raise ValueError(f"a board has {TRICKS} tricks, not {tricks}")
    over = tricks - contract.needed
    if over < 0:
        return BoardScore(undertricks=-_down(-over, contract.doubled, vulnerable=vulnerable))
    times = _TIMES[contract.doubled]
    won = times * sum(trick_value(contract.strain, place) for place in range(1, contract.level + 1))
    each = trick_value(contract.strain, 2) if not contract.doubled else (100, 200)[vulnerable] * times // 2
    slams = {6: SMALL_SLAM, 7: GRAND_SLAM}
    return BoardScore(
        tricks=won,
        overtricks=over * each,
        bonus=GAME_BONUS[vulnerable] if won >= GAME else PART_BONUS,
        slam=slams[contract.level][vulnerable] if contract.level in slams else 0,
        insult=INSULT[contract.doubled],
    )


def _down(tricks: int, doubled: Doubling, *, vulnerable: bool) -> int:
    if not doubled:
        return tricks * _DOWN[vulnerable]
    first = _DOWN_DOUBLED[vulnerable]
    return (sum(first[:tricks]) + max(0, tricks - len(first)) * _DOWN_FURTHER) * _TIMES[doubled] // 2
