"""Observations → movements of cards: which, from where, to where, by whom, with what confidence. Knows no game's rules.

``Tracker(header, equipment).feed(observation)`` returns the movements known now, ``close()`` those still waiting when
the log ended. The values are those of ``movements``.
"""

from table_service.tracking.tracker import TrackedCards, Tracker

__all__ = ["TrackedCards", "Tracker"]
