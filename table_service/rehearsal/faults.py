"""The faults that can be rehearsed, by catalogue row."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from hw.errors import TavoloError
from table_service.rehearsal.fault import Fault, Kind
from table_service.rehearsal.faults_cards import CARD_KINDS
from table_service.rehearsal.faults_close import CLOSE_KINDS
from table_service.rehearsal.faults_foreign import FOREIGN_KINDS
from table_service.rehearsal.faults_limits import LIMIT_KINDS
from table_service.rehearsal.faults_melds import MELD_KINDS
from table_service.rehearsal.faults_no_beam import NO_BEAM_KINDS
from table_service.rehearsal.faults_out_of_turn import LONG_TURN_KINDS
from table_service.rehearsal.faults_pack import PACK_KINDS
from table_service.rehearsal.faults_pile import PILE_KINDS
from table_service.rehearsal.faults_pot_wrongly import POT_WRONGLY_KINDS
from table_service.rehearsal.faults_pots import POT_KINDS
from table_service.rehearsal.faults_turn import TURN_KINDS
from table_service.rehearsal.faults_untold import UNTOLD_KINDS
from table_service.rehearsal.faults_wild_alone import WILD_ALONE_KINDS

KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        *TURN_KINDS,
        *CARD_KINDS,
        *CLOSE_KINDS,
        *LONG_TURN_KINDS,
        *MELD_KINDS,
        *PILE_KINDS,
        *POT_KINDS,
        *POT_WRONGLY_KINDS,
        *PACK_KINDS,
        *LIMIT_KINDS,
        *FOREIGN_KINDS,
        *WILD_ALONE_KINDS,
        *NO_BEAM_KINDS,
        *UNTOLD_KINDS,
    )
}
"""Every row that can be injected, each way of it apart. To add one: write how it is committed, and list it in its
module's kinds."""


class UnknownFault(TavoloError, ValueError):  # noqa: N818 - it names what was asked for
    """A row that nobody can inject; the message lists those that can be."""


def _group(kind: Kind) -> str:
    """Which of the words of ``rows_named`` stands for ``kind``."""
    if not kind.told:
        return "untold"
    return "ways" if kind.way else "all"


def rows_named(text: str) -> tuple[str, ...]:
    """The rows of a list as the command line takes it: ``F-31a,F-24a``, ``all,untold``, or nothing.

    ``all``: those that sensors tell; ``ways``: the other ways in which they are staged; ``untold``: those that are
    staged though no sensor tells them. Raises UnknownFault.
    """
    rows: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if part in ("all", "ways", "untold"):
            rows += [name for name, kind in KINDS.items() if part == _group(kind)]
        elif part in KINDS:
            rows.append(part)
        else:
            raise UnknownFault(f"no fault of row '{part}' can be rehearsed: there are {', '.join(KINDS)}")
    return tuple(rows)


def planned(rows: Sequence[str], rng: random.Random) -> list[Fault]:
    """One fault of each of ``rows``, each from a turn on that is drawn. Raises UnknownFault."""
    kinds = [KINDS[row] for row in rows_named(",".join(rows))]
    return [Fault(kind, rng.randint(*kind.turns)) for kind in kinds]
