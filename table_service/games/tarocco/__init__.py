"""Tarocco bolognese by its tournament rules: played, judged and counted at one table.

``rules`` are pure (cards, tricks, combinations, a deal as a value); ``fold`` makes a deal of movements; ``judges`` say
what was wrong in it, ``codes`` what the rules answer; ``pages`` show it; ``rehearsal`` plays it without people.
"""
