"""A stage whose script is written in whole turns, as a case is told: who draws, lays and discards, and out of turn."""

from __future__ import annotations

from tests.independent.cards import wild
from tests.independent.stage import Stage


class Script(Stage):
    """Seats are numbered as on the stage. What lays cards returns the number of the row."""

    # Whole turns

    def harmless(self, seat):
        """A natural in hand that the script does not need."""
        free = [card for card in self.world.hands[seat] if card not in self.reserved and not wild(card)]
        return (free or [card for card in self.world.hands[seat] if not wild(card)])[0]

    def draw_as(self, number, count=1):
        seat = self[number]
        self.turn += 1
        return self.draw(seat, count)

    def collect_as(self, number):
        self.turn += 1
        return self.collect(self[number])

    def plain_turn(self, number, card=None):
        """Draws and discards something harmless."""
        self.draw_as(number)
        self.throw(number, card)

    def throw(self, number, card=None):
        """Discards the card of that face (anything harmless without a name)."""
        seat = self[number]
        return self.discard(seat, self.card_held(seat, card) if card else self.harmless(seat))

    def plain_turns(self, *numbers):
        for number in numbers:
            self.plain_turn(number)

    def burraco_turns(self):
        """A whole turn of all four that changes nothing."""
        self.plain_turns(0, 1, 2, 3)

    def draw_and_lay(self, number, text, row=None, result=None):
        """Draws and lays cards; the turn goes on."""
        self.draw_as(number)
        return self.down(number, text, row, result)

    def laying_turn(self, number, text, row=None, result=None):
        """Draws, lays cards and discards something harmless."""
        row = self.draw_and_lay(number, text, row, result)
        self.throw(number)
        return row

    # Turns that are not as they should be

    def stray_draw(self, number):
        """Draws from the stock although that is not for him now; what is expected was committed then."""
        self.draw(self[number])
        self.last_at = self.actions[-1]["t"]

    def stray_collect(self, number):
        """Picks up the pile although that is not for him now; what is expected was committed then."""
        self.collect(self[number])
        self.last_at = self.actions[-1]["t"]

    def grip_of_two(self, number):
        """Draws two cards at once in his turn; what is expected was committed then."""
        self.draw_as(number, 2)
        self.last_at = self.actions[-1]["t"]

    def lay_undrawn(self, number, text):
        """In his turn lays cards without having drawn."""
        self.turn += 1
        return self.down(number, text)

    def four_sets(self, number=0):
        """Draws and lays twelve cards in four sets of sevens to tens, which are all he holds: no card is left."""
        self.draw_as(number)
        for letter in "789T":
            self.down(number, " ".join(letter + suit for suit in "HDC"))
