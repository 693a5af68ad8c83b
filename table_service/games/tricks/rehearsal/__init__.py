"""Simulated players of trick-taking games: those of any ``TrickCode``, and what games with their own players share."""
