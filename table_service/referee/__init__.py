"""The referee's part that all games share.

- ``catalogue``: what a row of a code holds, as types; ``catalogue_page`` writes ``docs/catalogue.md`` of it.
- ``outcomes``: what a row changes in the result of a round; ``round``: warnings, bonuses, results of a round.
- ``rulings``: what the console sent with a ruling. ``chance``: a card taken at random so that anybody can work it out
  again. ``values``: the findings that every game's referee may say.
"""
