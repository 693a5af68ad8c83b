"""A deal with a chosen pack and a script of gestures: the stage on which a row of the code is played."""

from __future__ import annotations

from tests.independent.cards import SEATS, after, face, line_of, pack, wild, worth
from tests.independent.game import Game, LogEnds, World
from tests.independent.sensing import Course, Hands

PLENTY = 11


class Stage(Game):
    """Seats are numbered from the first to play: 0 and 2 are one line, 1 and 3 the other.

    ``hands``: what each number holds at least; ``stock`` from its top after the turn-up, ``up`` the turn-up, ``pots``
    what lies in each from the top. What is not asked for comes at random, without wilds and without cards asked for.
    """

    def __init__(
        self, rng, traits, tags, keepers, *, hands=(), up="", stock="", pots=("", ""), sizes=None, swapped=None
    ):
        super().__init__(rng, "clean", traits, tags, keepers)
        self.course = Course()
        self.touch = Hands(self.course, rng, traits, tags)
        self.expected, self.told, self.extras, self.minutes, self.deals = [], [], [], 42, 1
        self.header, self.counted, self.bonus = {}, [], {}
        self.result, self.event, self.minus_melds = None, "pairs", {}
        self.never, self.lax = [], ""
        self._whole = pack()
        for new, old in (swapped or {}).items():  # a pack that is not right
            self._whole[self._whole.index(old)] = new
        self.stack(hands=hands, up=up, stock=stock, pots=pots, sizes=sizes)

    def stack(self, *, hands=(), up="", stock="", pots=("", ""), sizes=None):
        """The pack is stacked for a deal of ``self.dealer``."""
        self.order = [after(self.dealer, steps) for steps in (1, 2, 3, 4)]
        self._left = list(self._whole)
        self.rng.shuffle(self._left)
        wanted = [self._find(text) for text in [*hands, *[""] * (4 - len(hands)), up, stock, *pots]]
        sizes = {"hand": [11] * 4, "pot": [11, 11], **(sizes or {})}
        plain = [card for card in self._left if not wild(card)]
        wilds = [card for card in self._left if wild(card)]
        named = {face(card) for cards in wanted for card in cards}
        plain.sort(key=lambda card: face(card) in named)  # no second copy of what the script needs
        fill = plain + wilds  # wilds go to the bottom of the stock

        def filled(cards, size):
            return cards + [fill.pop(0) for _ in range(size - len(cards))]

        held = {seat: filled(wanted[number], sizes["hand"][number]) for number, seat in enumerate(self.order)}
        piles = [filled(wanted[6], sizes["pot"][0]), filled(wanted[7], sizes["pot"][1])]
        top = [*filled(wanted[4], 1), *wanted[5]]
        self.world = World([*reversed(fill), *reversed(top)], piles, held)
        self.reserved = {card for cards in wanted for card in cards}
        self.taken, self.unplayed, self.closed, self.manner, self.rows_used = {}, set(), None, None, -1

    def next_deal(self, number, **cards):
        """The cards are gathered, the next dealer deals."""
        self.wait(3.0)
        self.world = World([], [[], []], {seat: [] for seat in SEATS})
        self.show()
        for zone in ("stock", "pots", "discard"):
            self.load(zone)
            self.pause(1.0, 2.0)
        self.dealer = after(self.dealer)
        self.stack(**cards)
        self.wait(4.0)
        self.deal_out(self.t, number)

    def _find(self, text):
        found = []
        for name in text.split():
            card = next(card for card in self._left if face(card) == name)
            self._left.remove(card)
            found.append(card)
        return found

    def __getitem__(self, number):
        return self.order[number % 4]

    def card_held(self, seat, name):
        """The card of that face in hand."""
        for card in self.world.hands[seat]:
            if face(card) == name or card == name:
                return card
        raise LookupError(f"{seat} holds no {name}: {self.world.hands[seat]}")

    # The beginning

    def begin(self, played=True, cover="up"):
        """Round, deal, the packets, start of play, the turn-up."""
        say = self.course.say
        say(0.0, "console", by="arbitro-1", do="start-round", deals=self.deals, minutes=self.minutes)
        self.deal_out(1.0, 1, played, cover)

    def deal_out(self, t, number, played=True, cover="up"):
        say = self.course.say
        say(t, "console", by="arbitro-1", do="deal", deal=number, dealer=self.dealer)
        for seat in SEATS:
            say(t, "shield", seat=seat, pose=cover)
        self.t = t + 29.0
        for zone in ("pots", "stock", "discard"):
            self.load(zone)
            self.pause(1.0, 2.0)
        self.pause(5.0, 9.0)
        if played:
            say(self.t, "console", by="arbitro-1", do="start-play")
            self.turn_up()

    # What one hand does

    def down(self, number, text, row=None, result=None):
        """Lays cards: a new row, or onto ``row``; ``result`` the row afterwards (faces, from the keeper's edge).

        Each card is only counted once; the row's number comes back.
        """
        seat = self[number]
        cards = []
        for name in text.split():
            card = next(c for c in self.world.hands[seat] if (face(c) == name or c == name) and c not in cards)
            cards.append(card)
        lying = list(self.world.rows[row][1]) if row is not None else []
        pool = [*lying, *cards]
        if result is None:
            final = pool
        else:
            final = []
            for name in result.split():
                card = next(c for c in pool if (face(c) == name or c == name) and c not in final)
                final.append(card)
        target = row if row is not None else self.next_row()
        self.lay(seat, cards, target, final, "open" if row is None else "extend")
        self.last_at = self.actions[-1]["t"]
        return target

    def next_row(self):
        self.rows_used = max(self.rows_used, *self.world.rows, -1) + 1
        return self.rows_used

    def reorder(self, number, row, result):
        """``number`` moves cards in a row of the table without laying any."""
        seat = self[number]
        self.pause(0.6, 2.0)
        start = self.t
        self.pause(0.6, 1.2)
        line, lying = self.world.rows[row]
        final = []
        for name in result.split():
            final.append(next(c for c in lying if face(c) == name and c not in final))
        self.world.rows[row] = (line, final)
        self.show()
        self.last_at = self.t
        self.pause(0.4, 0.8)
        self.touch.reach(seat, f"melds-{line}", start, self.t)

    def take_up(self, number, text, row):
        """``number`` takes cards of a row back into the hand."""
        seat = self[number]
        self.pause(0.8, 2.0)
        start = self.t
        self.pause(0.4, 0.8)
        line, lying = self.world.rows[row]
        rest, cards = list(lying), []
        for name in text.split():
            card = next(c for c in rest if face(c) == name)
            rest.remove(card)
            cards.append(card)
        if rest:
            self.world.rows[row] = (line, rest)
        else:
            del self.world.rows[row]
        self.show()
        self.last_at = self.t
        self.pause(0.4, 0.8)
        self.touch.cross(f"gate-{seat}", cards, self.t)
        self.world.hands[seat] += cards
        self.touch.reach(seat, f"melds-{line}", start, self.t)

    def aside(self, number, text, row=None):
        """Cards go face up to the side of ``number`` (penalised), from a row or from the hand."""
        seat = self[number]
        self.pause(1.0, 2.0)
        start = self.t
        self.pause(0.4, 0.8)
        for name in text.split():
            if row is None:
                card = self.card_held(seat, name)
                self.world.hands[seat].remove(card)
            else:
                line, lying = self.world.rows[row]
                card = next(c for c in lying if face(c) == name)
                rest = [c for c in lying if c is not card]
                if rest:
                    self.world.rows[row] = (line, rest)
                else:
                    del self.world.rows[row]
            self.world.side[seat].append(card)
        self.show()
        self.pause(0.4, 0.8)
        zone = f"melds-{line_of(seat)}" if row is not None else f"side-{seat}"
        self.touch.reach(seat, zone, start, self.t)

    def throw_penalised(self, number, name):
        """Discards a penalised card from the side."""
        seat = self[number]
        card = next(c for c in self.world.side[seat] if face(c) == name)
        self.pause(0.9, 2.5)
        start = self.t
        self.pause(0.5, 0.9)
        self.world.side[seat].remove(card)
        self.world.pile.append(card)
        self.load("discard")
        if len(self.world.pile) <= 2:
            self.touch.spot(self.world.pile, self.t)
        self.show()
        self.act("discard", seat, [card])
        self.pause(0.4, 0.7)
        self.touch.reach(seat, "discard", start, self.t)

    def back_to_stock(self, number, card=None):
        """Puts a card of the hand back onto the stock."""
        seat = self[number]
        self.pause(1.0, 2.0)
        start = self.t
        card = self.card_held(seat, card) if card else self.world.hands[seat][-1]
        self.touch.cross(f"gate-{seat}", [card], self.t)
        self.pause(0.5, 0.9)
        self.world.hands[seat].remove(card)
        self.world.stock.append(card)
        self.load("stock")
        self.touch.cross("gate-stock", [card], self.t)
        self.pause(0.4, 0.7)
        self.touch.reach(seat, "stock", start, self.t)

    def back_to_pile(self, number, cards):
        """Puts cards of the hand back onto the pile, as they lay."""
        seat = self[number]
        self.pause(1.0, 2.0)
        start = self.t
        self.pause(0.5, 0.9)
        for card in cards:
            self.world.hands[seat].remove(card)
            self.world.pile.append(card)
        self.load("discard")
        self.touch.spot(self.world.pile, self.t) if len(cards) == 1 else None
        self.show()
        self.pause(0.5, 0.8)
        self.touch.reach(seat, "discard", start, self.t)

    def from_pile(self, number, name):
        """Takes the upmost pile card of that face back into the hand."""
        seat = self[number]
        self.pause(1.0, 2.0)
        start = self.t
        self.pause(0.5, 0.9)
        card = next(c for c in reversed(self.world.pile) if face(c) == name)
        self.world.pile.remove(card)
        self.load("discard")
        self.show()
        self.pause(0.5, 0.8)
        self.touch.cross(f"gate-{seat}", [card], self.t)
        self.world.hands[seat].append(card)
        self.touch.reach(seat, "discard", start, self.t)

    def shield(self, number, pose):
        self.pause(0.3, 0.8)
        self.course.say(self.t, "shield", seat=self[number], pose=pose)

    def pot_for(self, number, manner, giver=None, turn_over=True):
        """``number`` is given the upper pot; by the opponent after him unless ``giver`` says another number."""
        seat = self[number]
        if turn_over:
            self.shield(number, "over")
        self.pause(0.8, 1.6)
        start = self.t
        self.pause(0.5, 0.8)
        cards = self.world.pots.pop(0)
        self.load("pots")
        self.act("take-pot", seat, [], manner=manner)
        self.last_at = self.t
        self.world.hands[seat] += cards
        self.pause(0.6, 1.0)
        self.touch.reach(self[number + 1 if giver is None else giver], "pots", start, self.t)
        self.pause(0.8, 1.6)
        if turn_over:
            self.course.say(self.t, "shield", seat=seat, pose="up")
        self.taken[line_of(seat)] = seat
        if manner == "discard":
            self.unplayed.add(seat)

    def pot_back(self, number, cards):
        """Cards of the hand go back as a pot."""
        seat = self[number]
        self.pause(1.0, 2.0)
        start = self.t
        self.pause(0.5, 0.9)
        for card in cards:
            self.world.hands[seat].remove(card)
        self.world.pots.insert(0, list(cards))
        self.load("pots")
        self.pause(0.5, 0.9)
        self.touch.reach(seat, "pots", start, self.t)

    def hand_over(self, number, zone, span):
        """A hand rests at a zone for so many seconds, and nothing moves."""
        self.pause(0.8, 1.4)
        start = self.t
        self.t += span
        self.last_at = self.t
        self.touch.reach(self[number], zone, start, self.t)

    def open_on_table(self, number, names, back=True):
        """Cards of the hand lie face up on the open table before ``number``, then (``back``) go into the hand again."""
        seat = self[number]
        self.pause(0.8, 1.6)
        start = self.t
        cards = [self.card_held(seat, name) for name in names.split()]
        if len(cards) == 1:
            self.touch.cross(f"gate-{seat}", cards, self.t)
        self.pause(0.3, 0.5)
        x, y = {"N": (0, 240), "S": (0, -240), "E": (240, 0), "W": (-240, 0)}[seat]
        for n, card in enumerate(cards):
            self.world.hands[seat].remove(card)
            self.world.loose.append((card, x + (25 * n if y else 0), y + (25 * n if x else 0), seat))
        self.show()
        self.last_at = self.t
        self.pause(0.4, 0.7)
        self.touch.reach(seat, "table", start, self.t)
        self.pause(3.5, 5.0)
        if not back:
            return
        start = self.t
        self.pause(0.4, 0.7)
        self.world.loose.clear()
        self.show()
        self.pause(0.3, 0.6)
        if len(cards) == 1:
            self.touch.cross(f"gate-{seat}", cards, self.t)
        self.world.hands[seat] += cards
        self.touch.reach(seat, "table", start, self.t)

    # People

    def console(self, do, **more):
        self.pause(1.0, 2.0)
        self.course.say(self.t, "console", by="arbitro-1", do=do, **more)
        self.pause(0.5, 1.0)

    def rule(self, row, number=None, **more):
        seat = {} if number is None else {"seat": self[number]}
        self.console("rule", row=row, **seat, **more)

    def button(self, number, button):
        self.pause(0.5, 1.0)
        self.course.say(self.t, "button", seat=self[number], button=button)
        self.pause(0.5, 1.0)

    def said(self, number, what):
        self.pause(0.3, 0.6)
        self.course.say(self.t, "said", seat=self[number], what=what)

    def wait(self, seconds):
        self.t += seconds

    # What is expected

    def expect(self, rows, number, *, within=6.0, t=None, state=None, same=None, do=(), **data):
        """From ``within`` seconds after now on the table has told it.

        rows: one or several, any of which will do; number: the offender, None for nobody; same: an earlier expectation
        that must stand under the same key; do: steps that the remedy must hold; data: other fields of the event.
        """
        rows = rows.split() if isinstance(rows, str) else list(rows)
        found = {
            "rows": rows,
            "seat": number if number is None or isinstance(number, str) else self[number],
            "committed": getattr(self, "last_at", None) if t is None else t,
            "by": self.t + within,
            "state": state,
            "same": same,
            "do": list(do),
            "data": data,
        }
        self.expected.append(found)
        self.wait(within)
        return len(self.expected) - 1

    def tells(self, kind, seat=None, **data):
        """An event of that type must come, some time."""
        self.told.append((kind, None if seat is None else self[seat], data))

    def allow(self, *rows):
        """Rows that may be told besides, and need not."""
        self.extras += rows

    def over(self):
        """The log ends soon."""
        self.wait(9.0)
        self.course.until = self.t + 4.0

    def score_now(self, last=True):
        """Hands are laid out and counted, and what the text makes of it is kept; after the last deal the round ends."""
        self.pause(2.0, 4.0)
        for seat in SEATS:
            if self.world.hands[seat]:
                self.pause(1.0, 2.0)
                self.world.shown.add(seat)
                self.show()
        self.pause(6.0, 8.0)
        self.course.say(self.t, "button", seat=self.rng.choice(SEATS), button="count")
        self.pause(4.0, 6.0)
        self.counted.append(self.score())
        if last:
            self.console("end-round")
            self.course.until = self.t + 6.0

    def score(self):
        """Art. 18: what the cards give, penalised cards and bonuses too."""
        found = super().score()
        for line, items in found.items():
            items["penalised"] = -sum(worth(self.world.side[seat]) for seat in SEATS if line_of(seat) == line)
            items["bonus"] = self.bonus.pop(line, 0)
            items["melds"] -= self.minus_melds.get(line, 0)  # art. 30: what is frozen counts negative
            items["penalised"] -= self.minus_melds.get(line, 0)
        return found


__all__ = ["LogEnds", "Stage"]
