"""The FIGB norms of 2010 about the event around the boards: pure functions, each cited by its article.

- ``time_penalties``: how long a round lasts (8.1), slow play (8.2). ``entered_scores``: artificial, split and weighted
  scores (12, 16). ``adjusted_scores``: the margin of a knock-out (78.2b), byes (78.3, 78.4).
- ``altered_boards``: boards whose cards differ from the original (87). ``ties``: 78.5, 78.6. ``protests``: 92, 93.
- ``events``: matches of teams and equal teams (78.3, 78.6), withdrawals (4.4), as a tournament asks for them.
"""
