"""One table of Burraco: observations → movements → actions → verdicts → events.

A pure fold; the same log gives the same bytes. ``fold`` feeds the parts; ``round_state`` is what they share: the round,
the deal that runs, the voice that tells events. ``playing`` acts upon movements, ``corrections`` betters what was
believed, ``ending`` ends and counts deals, ``orders`` follows the console, ``signals`` what players give to understand,
``deferral`` holds back what would accuse, ``reconcile`` compares ledger and sensors, ``reporting`` tells what the
referee says, ``public_state`` is the public table.
"""

from table_service.games.burraco.fold.fold import TableFold
from table_service.games.burraco.fold.round_state import CATALOGUES

__all__ = ["CATALOGUES", "TableFold"]
