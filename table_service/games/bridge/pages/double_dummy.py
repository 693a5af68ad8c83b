"""Double-dummy tricks and par of a board, where the solver is installed (``pip install tavolo[double-dummy]``). Pure.

The solver is Bo Haglund's DDS (Apache-2.0) in endplay (MIT), which has wheels for x86-64 and aarch64; without it a
board has neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

from hw.seats import SEATS, Seat
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.rules.contract import Vulnerable

STRAINS: Final = "CDHSN"
_DENOMS: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "N": "nt"}
_PLAYERS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
_VULNERABLE: Final[Mapping[str, str]] = {"none": "none", "NS": "ns", "EW": "ew", "both": "both"}


@dataclass(frozen=True, slots=True)
class DoubleDummy:
    """Result of a board with all cards known. ``tricks``: by declarer and strain; ``par``: the score of North-South.

    ``contracts``: those of par, as ``4SX N -2``: contract, declarer, tricks over or under.
    """

    tricks: Mapping[tuple[str, str], int]
    par: int
    contracts: tuple[str, ...]


def is_there() -> bool:
    """Return True if the solver is installed."""
    return find_spec("endplay") is not None


def double_dummy(hands: Mapping[Seat, frozenset[str]], dealer: Seat, vulnerable: Vulnerable) -> DoubleDummy | None:
    """Solve a board whose four hands are known; None without the solver."""
    if not is_there():
        return None
    return _solved("N:" + " ".join(pbn_hand(sorted(hands[seat])) for seat in SEATS), str(dealer), vulnerable)


@lru_cache(maxsize=256)
def _solved(deal: str, dealer: str, vulnerable: Vulnerable) -> DoubleDummy:
    from endplay.dds import calc_dd_table, par
    from endplay.types import Deal, Denom, Player, Vul

    board: Any = Deal(deal)
    table = calc_dd_table(board)
    tricks = {
        (str(seat), strain): int(table[getattr(Denom, _DENOMS[strain]), getattr(Player, _PLAYERS[seat])])
        for seat in SEATS
        for strain in STRAINS
    }
    best = par(board, getattr(Vul, _VULNERABLE[vulnerable]), getattr(Player, _PLAYERS[dealer]))
    contracts = tuple(_contract(one) for one in best)
    return DoubleDummy(tricks, int(best.score), contracts)


def _contract(one: Any) -> str:
    """Return a contract of par: ``4SX N -2`` for four spades doubled by North, two down."""
    strain = one.denom.abbr[0].upper()
    doubled = {0: "", 1: "", 2: "X", 3: "XX"}.get(int(one.penalty), "")
    made = "=" if not one.result else f"{one.result:+d}"
    return f"{one.level}{strain}{doubled} {one.declarer.abbr} {made}"
