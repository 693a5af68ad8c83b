"""What all games of tricks share: the order of cards, tricks, what is known of hands, revokes as they become certain.

- ``order``: a pack's suits with their cards by height, trump, what must be played, as data (``TrickRules``).
- ``trick``: one trick and whose it is, also where a card was not read; ``play``: the tricks of a deal.
- ``hands``: what the cards seen so far say of the others, by elimination.
- ``revokes``: duties that were not kept, once that is certain.

A game gives its ``TrickRules`` (a contract of bridge its own ones) and judges by its own code what follows.
"""
