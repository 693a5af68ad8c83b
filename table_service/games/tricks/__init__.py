"""Base of all trick games: the order of cards, tricks, known cards of hands, revokes as they become certain.

- ``order``: a pack's suits with their cards by height, trump, what must be played, as data (``TrickRules``).
- ``trick``: one trick and whose it is, also with an unread card; ``trick_play``: the tricks of a deal.
- ``hands``: what the cards seen so far say of the others, by elimination.
- ``revokes``: duties that were not kept, once that is certain.
- ``trick_code``: a whole game as data; ``trick_deal``, ``trick_game``, ``trick_pages``, ``trick_rule_set`` play, show
  and register it. A game of its own kind (bids, declarations) is built on the parts above instead.

A game gives its ``TrickRules`` (a contract of bridge its own ones) and judges by its own code what follows.
"""
