"""Observations → movements of cards: which, from where, to where, by whom, how sure. Knows no rule of any game.

``Tracker(header, equipment).feed(observation)`` gives what there is to say, ``close()`` what was still waiting when the
log ended. The values are those of ``movements``.
"""

from table_service.tracking.tracker import Table, Tracker

__all__ = ["Table", "Tracker"]
