"""The games, a folder each: rules, reading of movements, fold, judges, score, codes as data, and what pages show.

``definition`` says what a game must give to be played (a ``RuleSet``), ``pages`` what it gives to pages.
"""
