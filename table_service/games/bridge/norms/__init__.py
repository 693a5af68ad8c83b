"""The FIGB norms of 2010 about the event around the boards: pure functions, each cited by its article.

- ``times``: how long a round lasts (8.1), slow play (8.2), lateness and forfeits (8.3).
- ``awards``: artificial, split and weighted scores (12, 16), byes (78.3, 78.4), what a forfeit gives (8.3b3).
- ``altered_boards``: boards whose cards differ from the original (87). ``ties``: 78.5, 78.6. ``protests``: 92, 93.
- ``events``: matches of teams and equal teams (78.3, 78.6), withdrawals (4.4), as a tournament asks for them.
"""
