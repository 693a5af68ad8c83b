"""The families of duties that the table watches, by the duty's name. A new family is added here."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.duties import (
    bars,
    exposed_cards,
    limited_turns,
    melds_apart,
    mended_melds,
    returned_pots,
    returning,
)
from table_service.games.burraco.duties.family import Family
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal

FAMILIES: Final[dict[str, Family[Deal, act.Action]]] = {
    name: family
    for module in (returning, limited_turns, exposed_cards, mended_melds, returned_pots, bars, melds_apart)
    for family in module.FAMILIES
    for name in family.names
}
"""What watches each duty; one that stands nowhere here is kept by the arbitro alone."""
