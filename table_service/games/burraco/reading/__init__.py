"""Movements of cards → what they mean in Burraco. The reading looks at the deal as it stands; it judges nothing.

``reader`` takes one movement in its ``situation``; by where the cards went ``taking``, ``pot_taking``, ``laying`` and
``putting`` say what it is. Where tracking names no seat the action names none either; the deal then supposes the one
whose turn it is.
"""

from table_service.games.burraco.reading.reader import read_movement, read_row, was_laid_in_play
from table_service.games.burraco.reading.situation import Situation, card_of

__all__ = ["Situation", "card_of", "read_movement", "read_row", "was_laid_in_play"]
