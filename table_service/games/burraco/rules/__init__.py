"""The rules of play as pure values: cards in places, melds, turns, pots, score and victory points by a rule book."""
