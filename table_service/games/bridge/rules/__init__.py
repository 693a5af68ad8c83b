"""The rules of bridge as pure functions.

- ``contract``: bids, contracts, who is vulnerable. ``auction``: calls in any order, which are lawful, what follows.
- ``score``: a board's points (law 77), item by item; ``document``: what ``tavolo count`` reads and answers.
- ``match_points``: IMPs, victory points of teams (FIGB norms, app. 7), Neuberg's formula.

Laws are cited by number, of the Code of 2007; norms by their article.
"""
