"""Burraco: all that is only this game's, from the reading of movements to its board on pages.

``rules`` are pure values: cards in places, melds, turns, pots, score; ``codes`` the editions as data. ``reading`` makes
actions of movements, ``judges`` find what is wrong with them, ``referee`` and ``duties`` keep irregularities and
rulings, ``fold`` puts it together for one table. ``pages`` is what the console shows, ``rule_sets``
what the registry takes.
"""
