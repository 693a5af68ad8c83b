"""The editions of the rules as data: a folder a code, with its rule book and its catalogue of irregularities."""

from __future__ import annotations

from table_service.games.burraco.codes.editions import CATALOGUES, EDITIONS, edition

__all__ = ["CATALOGUES", "EDITIONS", "edition"]
