"""Hand-shields turned over, and who has said that he takes the pot (arts. 22, 23)."""

from __future__ import annotations

from typing import Final

from hw.seats import Seat

_SIGN: Final = 30.0
"""Seconds before a pot is taken within which its taker has turned his hand-shield over."""


class HandShields:
    """Keeps the signs of one deal. ``asked``: the code asks for a shield turned over before a pot is taken.

    ``pot_sign``: who gave the newest sign that he takes a pot.
    """

    def __init__(self, *, asked: bool) -> None:
        self._asked = asked
        self._heard: set[Seat] = set()
        self._turned: dict[Seat, float] = {}
        self.pot_sign: Seat | None = None

    def begin(self) -> None:
        """Begin a deal."""
        self._turned.clear()
        self.pot_sign = None

    def upright(self, seat: Seat) -> None:
        """Record that the shield of ``seat`` stands."""
        self._heard.add(seat)

    def over(self, seat: Seat, t: float) -> None:
        """``seat`` has turned his shield over at ``t``."""
        self._heard.add(seat)
        self._turned[seat] = t
        self.pot_sign = seat

    def says_pot(self, seat: Seat | None) -> None:
        """Somebody says that he takes the pot."""
        self.pot_sign = seat or self.pot_sign

    def just_over(self, t: float) -> Seat | None:
        """Return who has just turned his hand-shield over by ``t``, the last who did."""
        sign = self.pot_sign
        if sign is None or t - self._turned.get(sign, -_SIGN) >= _SIGN:
            return None
        return sign

    def declared(self, seat: Seat | None, t: float) -> bool | None:
        """Return True if ``seat``, who takes a pot at ``t``, had turned his hand-shield over.

        None where nobody asks for it or can tell. That he said so is not enough, and that he did not cannot be known.
        """
        if not self._asked or seat is None or seat not in self._heard:
            return None
        own, other = (t - self._turned.get(one, -_SIGN) < _SIGN for one in (seat, seat.partner))
        return None if other and not own else own  # the other one's shield is over: who takes it is not that plain
