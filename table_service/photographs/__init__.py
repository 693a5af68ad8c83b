"""Photographs of the end of a deal made into a score: pictures read, put together, counted by the rules of the game."""
