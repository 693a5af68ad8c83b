"""Construction of one table: its parts, its wiring as data, the camera over it, its coils, drawings of them.

``parts.toml`` lists what to buy, ``kinds.toml`` each part's pins by its data sheet, ``wiring.toml`` every part and net;
the controllers' pins come from ``hw/node/pins.json``, which the firmware reads too. ``wiring_checks.problems`` proves
them against one another. ``python -m lab.board DIR`` draws everything. Nothing of this has been built.
"""

from lab.board.wiring import Wiring, load_wiring
from lab.board.wiring_checks import problems

__all__ = ["Wiring", "load_wiring", "problems"]
