"""The referee of Burraco: actions against rules → irregularities, their remedies, and what the arbitro has imposed.

- ``referee``: ``Referee`` takes every action (``judge``), time (``late``), order (``order``). It is composed of what
  all games share (``table_service.referee``: ledger, awards, decisions) and of this game's part: ``burraco_rulings``
  says what a ruling means and changes here, ``wrong_melds`` watches melds that are none.
- ``findings``: what this game says beside the findings that all games share (``table_service.referee.values``).
- ``games.burraco.fault_kinds``: what may be wrong with play, by no code; ``games.burraco.judges``: which kinds an
  action shows, a judge for each group of them (``facts``: what they look at; ``excess``: which cards of a meld are too
  many; ``resting_melds``: melds that are none, judged when they rest).
- ``games.burraco.duties``: duties that a ruling imposes; a module for each family watches them.
- ``games.burraco.codes``: the rows of each code, and which of them answers each kind (``answers``).

A new row: its data in ``codes/`` and the kinds that it answers; if a sensor can tell a kind that no judge reports yet,
the kind and a judge in ``judges/``; if it orders something new a family in ``duties/families``; a test named after it
in ``tests/games/burraco/referee``.
"""
