"""What the arbitro has ruled, as state: duties, limited turns, frozen melds; and whether they are kept.

``book`` holds the sanctions of one deal and which melds thaw when. ``family`` is what a kind of duty answers to; each
family of duties stands in a module of its own (``returning``, ``turns``, ``cards``) and is listed in ``families``.
"""

from table_service.games.burraco.duties.book import SanctionBook

__all__ = ["SanctionBook"]
