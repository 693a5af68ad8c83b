"""Burraco: melds, play, score and victory points by a rule book that is data; reading of movements as actions."""
