"""The referee's part that all games share: it knows no game, no article and no row by name.

- ``catalogue``: what a row of a code holds, as types, and which row answers which kind of fault.
- ``values``: the findings that every game's referee may say. ``ledger``: irregularities and their life. ``duties``:
  what is imposed and watched. ``deciding``: what the arbitro orders, ``refusing``: orders that cannot be followed,
  ``rulings``: what the console sent with one.
- ``awards``: what rulings change in a round; ``outcomes``: what a row may change in its result; ``round``: warnings,
  bonuses, results. ``chance``: a card taken at random so that anybody can work it out again.

A game composes its referee of a ``Ledger``, ``Awards``, ``Decisions`` with its own ``GameRulings``, and ``Duties`` with
its own families; its judges report kinds of faults.
"""
