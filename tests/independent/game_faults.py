"""Faults of melds and closings, which end the log or leave a meld that is none."""

from __future__ import annotations

from tests.independent.cards import face, lay_run, lay_set, line_of, rank, suit, wild
from tests.independent.game import NO_MELD_ROWS, Game, LogEnds


class FaultyGame(Game):
    """A deal with wrong melds and wrong closings as well."""

    def lay_all(self, seat):
        super().lay_all(seat)
        if self.manner is None and self.fault is None:
            if self.kind in ("F-25a", "F-25b") and self.turn >= self.when:
                self.wrong_meld(seat)
            elif self.kind in ("F-33", "F-34", "F-35a") and line_of(seat) in self.taken:
                self.wrong_closing(seat)

    def can_end(self, seat, play):
        left = len(self.world.hands[seat]) - len(play[0])
        closes = self.kind in ("clean", "plain") and self.has_burraco(line_of(seat)) and left == 1
        rest = [card for card in self.world.hands[seat] if card not in play[0]]
        return left >= 2 or (closes and not wild(rest[0]) and face(rest[0]) != self.sole)

    def wrong_meld(self, seat):
        """Three cards that are no meld, or a card too many in one."""
        hand = [card for card in self.world.hands[seat] if not wild(card)]
        line, choices = line_of(seat), []
        for one in hand:
            for two in hand:
                if rank(one) == rank(two) and one < two:
                    choices += [([one, two, card], None) for card in hand if rank(card) != rank(one)]
        for row, (whose, lying) in self.world.rows.items():
            own = [card for card in lying if not wild(card)]
            same = len({rank(card) for card in own}) == 1
            for card in hand if whose == line and len(own) >= 3 else []:
                if rank(card) != rank(own[-1]) and (same or suit(card) != suit(own[-1])):
                    choices.append(([card], row))
        choices = [(cards, row) for cards, row in choices if row is not None or not (lay_set(cards) or lay_run(cards))]
        if not choices or len(hand) < 6:
            return
        cards, row = self.rng.choice(sorted(choices, key=str))
        number = max(self.world.rows, default=-1) + 1 if row is None else row
        result = cards if row is None else [*self.world.rows[row][1], *cards]
        at = self.lay(seat, cards, number, result, "open" if row is None else "extend")
        self.wrong_row = number
        self.scored = False
        rows = NO_MELD_ROWS if self.kind == "F-25a" else ("F-25b",)
        self.committed(rows[0], seat, rows[1:], at)
        if self.kind == "F-25a":
            self.evident()
            self.pause(3.0, 5.0)
            return
        self.finish(seat)
        self.evident()
        self.pause(6.0, 8.0)
        raise LogEnds

    def wrong_closing(self, seat):
        """The last cards are laid where no closing is allowed; the log ends a little later."""
        hand, line = self.world.hands[seat], line_of(seat)
        keep = 0 if self.kind == "F-35a" else 1
        for play in sorted(self.plays(seat), key=str):
            rest = [card for card in hand if card not in play[0]]
            if len(rest) != keep or (self.kind == "F-35a" and play[3] != "open"):
                continue
            if self.kind == "F-34" and not wild(rest[0]):
                continue
            if self.kind == "F-33" and (wild(rest[0]) or self.has_burraco(line) or len(play[2]) >= 7):
                continue
            if keep and face(rest[0]) == self.sole:
                continue
            at = self.lay(seat, *play)
            if keep:
                at = self.discard(seat, rest[0])
            self.pause(0.3, 0.9)
            self.course.say(self.t, "shield", seat=seat, pose="over")
            self.committed(self.kind, seat, t=at)
            self.evident()
            raise LogEnds
