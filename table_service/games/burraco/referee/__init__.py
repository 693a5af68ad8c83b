"""The referee of Burraco: actions against rules → irregularities, their remedies, and what the arbitro has imposed.

- ``referee``: ``Referee`` takes every action (``judge``), time (``late``), order (``order``); ``ledger`` holds what has
  been found, under keys; ``deciding`` follows the arbitro, ``refusing`` says which orders name what does not exist.
- ``findings``: what this game says beside the findings that all games share (``table_service.referee.values``).
- ``games.burraco.judges``: which rows an action shows, a judge for each group of articles (``facts``: what they look
  at; ``excess``: which cards of a meld are too many; ``resting_melds``: melds that are none, judged when they rest).
- ``games.burraco.duties``: duties that a ruling imposes; a module for each family watches them.
- ``games.burraco.codes``: the rows of each code.

A new row: its data in ``codes/``; if a sensor can tell it a judge in ``judges/``; if it orders something new a family
in ``duties/families``; a test named after it in ``tests/referee``.
"""
