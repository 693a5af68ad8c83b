"""A hall's own certificate authority: who is who at its broker and its console, on cards that bring a table in.

``authority`` makes keys, certificates and the list of what is revoked; ``hall_folder`` keeps them with the broker's and
the console's files in one folder; ``join_card`` is what a card says, ``card_page`` the card on paper, ``joining`` puts
a card's contents beside a table's configuration.
"""

from table_service.hall.errors import HallError, HallUseError

__all__ = ["HallError", "HallUseError"]
