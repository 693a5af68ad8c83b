"""The rules of the tarocco bolognese as pure functions.

- ``cards``: the pack's groups, the trumps' names, the points of a card.
- ``combinations``: cricche and sequences of a pile or of an accuso, each with why it counts what it counts.
- ``tricks``: the order of the cards in tricks. ``deal``: a deal as a value, whatever happens at the table; ``checks``:
  what is wrong with it, as ``faults``; ``piles``: what each line has won. ``match``: who wins a match.
- ``score``: a line's deal, item by item; ``document``: the JSON that ``tavolo count`` reads and answers.

Sources: the tournament rules (regolamento applicato ai tornei, cited by comma) and the base rules of M. Barilli,
cited as the facts file cites them.
"""
