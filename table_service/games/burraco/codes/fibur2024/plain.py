"""Short ways to write rows that concern the round, the pack and the deal: no play of cards to be judged."""

from __future__ import annotations

from table_service.games.burraco.codes.row_writing import choice, situation, step

__all__ = ["WARN_LINE", "choice", "situation", "step"]

WARN_LINE = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")
"""A warning goes to the pair's account, whoever of it earned it (definition; powers, d)."""
