"""Bridge by the FIGB norms of 2010 on the Code of 2007: what is pure of it; no table plays it yet.

``rules``: contracts, auctions, scores; ``norms``: the event around the boards; ``pbn``: records of boards;
``judges``: calls and leads behind screens, the play; ``codes``: the catalogue of rows.
"""
