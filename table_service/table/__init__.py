"""One table: observations → movements → actions → verdicts → events. A pure fold; the same log gives the same bytes.

``fold`` feeds the parts; ``sitting`` is what they share: the round, the deal that runs, the voice that tells events.
``playing`` acts upon movements, ``knowing`` betters what was believed, ``ending`` ends and counts deals, ``orders``
follows the console, ``signs`` what players give to understand, ``reporting`` tells what the referee says, ``state`` is
the public table.
"""

from table_service.table.fold import TableFold
from table_service.table.sitting import CATALOGUES

__all__ = ["CATALOGUES", "TableFold"]
