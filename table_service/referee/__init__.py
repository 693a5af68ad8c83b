"""The referee: actions against rules → irregularities, their remedies, and the sanctions the arbitro has imposed.

Where to look:

- ``catalogue``: what a row holds, as types; ``fibur2024/``: the rows of that code, a module for a group of articles
  (``steps``, ``laying``, ``making``, ``plain`` hold wordings and short ways that rows share); ``outcomes``: what a row
  changes in the result of a round; ``catalogue_page`` writes ``docs/catalogue.md`` of it.
- ``referee``: ``Referee`` takes every action (``judge``), time (``late``), order (``order``); ``ledger`` holds what has
  been found, under keys; ``deciding`` follows the arbitro; ``rulings`` reads what his console sent.
- ``judging/``: which rows an action shows, a judge for each group of articles, all pure (``facts``: what they look at;
  ``excess``: which cards of a meld are too many). ``melding``: melds that are none, judged when they have come to rest.
- ``sanctions/``: duties that a ruling imposes: ``book`` holds them, a module for each family watches them.
- ``chance``: a card taken at random so that anybody can work it out again. ``round``: warnings, bonuses, results.
- ``values``: all that the referee says. ``table/reporting`` tells it as events and carries it out on the deal.

A new row: its data in ``fibur2024/``; if a sensor can tell it a judge in ``judging/``; if it orders something new a
family in ``sanctions/families``; a test named after it in ``tests/referee``.
"""
