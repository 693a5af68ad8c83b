"""Tarocco bolognese by its tournament rules: what is there of it so far is the count of a deal (``rules``)."""
