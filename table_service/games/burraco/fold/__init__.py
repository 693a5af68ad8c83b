"""One table of Burraco: movements → actions → verdicts → events, behind the seam of ``table.game``.

``game`` composes the parts, and each keeps its own state of the deal that runs. ``course`` is the deal with its steps;
``playing`` acts upon movements, ``corrections`` betters what was believed, ``reconcile`` compares ledger and sensors,
``turn_doubts`` holds back what would accuse. ``pack_faults`` checks pack and deal (``deal_check``), ``surplus`` finds a
card too many. ``ending`` ends a deal, ``stalemate`` one that stands still, ``clearing`` tells cards that are gathered,
``final_count`` counts what lies there (``lying``). ``orders`` follows the console, ``signals`` what players give to
understand, ``hand_shields`` keeps it; ``reporting`` carries out what the referee says; ``public_state`` is public.
"""

from table_service.games.burraco.fold.game import Burraco, TableFold

__all__ = ["Burraco", "TableFold"]
