"""The arbitro's rulings as state: duties, limited turns, frozen melds; and their observance.

``book`` holds the sanctions of one deal: duties, which ``table_service.referee.duties`` watches, and ``freezing``: the
melds that thaw at a turn. Each family of duties is in a module of its own (``returning``, ``turns``, ``cards``,
``mending``, ``pots``) and is listed in ``families``.
"""

from table_service.games.burraco.duties.sanctions import SanctionBook

__all__ = ["SanctionBook"]
