"""Ottetto, a made-up trick game of eight cards: two each, counter-clockwise, follow suit, a point a trick.

It lies outside the project and stands on its public seam alone; no file of the project knows it.
"""

from __future__ import annotations

from typing import Final

from hw.seats import ANTICLOCKWISE
from ottetto.pages import PAGES
from ottetto.payloads import PAYLOADS
from ottetto.playing import open_fold, zone_of
from ottetto.rules import CALCULATORS, CATALOGUE, EDITION, EQUIPMENT, NAME, PACK, SHEET
from table_service.games.definition import RuleSet

RULE_SETS: Final = (
    RuleSet(
        name=NAME,
        edition=EDITION,
        game="ottetto",
        title="Ottetto",
        pack=PACK,
        equipment=EQUIPMENT,
        rotation=ANTICLOCKWISE,
        catalogue=CATALOGUE,
        sheet=SHEET,
        calculators=CALCULATORS,
        open_fold=open_fold,
        pages=PAGES,
        zone_of=zone_of,
        payloads=PAYLOADS,
    ),
)
