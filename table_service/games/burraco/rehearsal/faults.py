"""The faults that can be rehearsed, by catalogue row."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from table_service.games.burraco.rehearsal.fault import DealFaultKind, StagedFault
from table_service.games.burraco.rehearsal.faults_cards import CARD_KINDS
from table_service.games.burraco.rehearsal.faults_close import CLOSE_KINDS
from table_service.games.burraco.rehearsal.faults_foreign import FOREIGN_KINDS
from table_service.games.burraco.rehearsal.faults_limits import LIMIT_KINDS
from table_service.games.burraco.rehearsal.faults_melds import MELD_KINDS
from table_service.games.burraco.rehearsal.faults_no_beam import NO_BEAM_KINDS
from table_service.games.burraco.rehearsal.faults_on_theirs import added_to_theirs
from table_service.games.burraco.rehearsal.faults_out_of_turn import LONG_TURN_KINDS
from table_service.games.burraco.rehearsal.faults_pack import PACK_KINDS
from table_service.games.burraco.rehearsal.faults_pile import PILE_KINDS
from table_service.games.burraco.rehearsal.faults_pot_wrongly import POT_WRONGLY_KINDS
from table_service.games.burraco.rehearsal.faults_pots import POT_KINDS
from table_service.games.burraco.rehearsal.faults_second_discard import second_discard
from table_service.games.burraco.rehearsal.faults_turn import TURN_KINDS
from table_service.games.burraco.rehearsal.faults_untold import UNTOLD_KINDS
from table_service.games.burraco.rehearsal.faults_wild_alone import WILD_ALONE_KINDS
from table_service.rehearsal.game_rehearsal import rows_named

KINDS: Final[dict[str, DealFaultKind]] = {
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
        added_to_theirs("F-N1", play_goes_on=2, taken_back=1, back=2, stay=2),
        second_discard("F-N2", "back"),
    )
}
"""Every row that can be injected, each way of it apart. To add one: write how it is committed, and list it in its
module's kinds."""


def planned(rows: Sequence[str], rng: random.Random, kinds: Mapping[str, DealFaultKind] = KINDS) -> list[StagedFault]:
    """One fault of each of ``rows`` of ``kinds``, each from a turn on that is drawn. Raises UnknownFault."""
    wanted = [kinds[row] for row in rows_named(",".join(rows), kinds)]
    return [StagedFault(kind, rng.randint(*kind.turns)) for kind in wanted]
