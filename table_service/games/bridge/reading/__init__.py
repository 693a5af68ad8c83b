"""Acts of a board, read from sensors: calls on the tray, its passing, the aperture, cards before the players.

- ``acts``: the values. ``hands_there``: whose hand was at the tray or the aperture. ``tray``: bidding cards and the
  tray's way. ``cards``: played and quitted cards, hands laid open, pockets. ``reader``: all of it together.

Nothing here knows whose turn it is, or a rule: a fold says what an act means (``games.bridge.fold``).
"""

from table_service.games.bridge.reading.reader import BoardReader

__all__ = ["BoardReader"]
