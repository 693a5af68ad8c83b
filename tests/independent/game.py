"""A deal of Burraco played at random but by the rules, written as a course of events with its truth, and its faults."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.independent.cards import (
    RANKS,
    SEATS,
    SUITS,
    after,
    burraco,
    face,
    lay_run,
    lay_set,
    line_of,
    pack,
    rank,
    suit,
    wild,
    worth,
)
from tests.independent.sensing import Course, Hands, scene_of

KINDS = (
    "clean",
    "plain",
    "F-31a",
    "F-24a",
    "F-08a",
    "F-30a",
    "F-25a",
    "F-25b",
    "F-27a",
    "F-32",
    "F-33",
    "F-34",
    "F-35a",
)
NO_MELD_ROWS = ("F-29b", "F-29d", "F-25a")
"""How the contract names a wrong meld until the discard (art. 25, first case, is art. 29 then)."""


@dataclass
class World:
    """Where every card is."""

    stock: list[str]
    pots: list[list[str]]
    hands: dict[str, list[str]]
    pile: list[str] = field(default_factory=list)
    rows: dict[int, tuple[str, list[str]]] = field(default_factory=dict)
    loose: list[tuple[str, float, float, str]] = field(default_factory=list)
    side: dict[str, list[str]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    shown: set[str] = field(default_factory=set)
    slots: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    crossed: set[str] = field(default_factory=set)


class LogEnds(Exception):  # noqa: N818 - no error
    """The log ends here."""


class Game:
    """One deal. ``kind``: what is staged in it."""

    def __init__(self, rng, kind, traits, tags, keepers):
        self.rng, self.kind, self.keepers = rng, kind, keepers
        self.course = Course()
        self.touch = Hands(self.course, rng, traits, tags)
        self.t, self.turn = 0.0, 0
        self.actions, self.fault = [], None
        self.taken, self.unplayed = {}, set()
        self.closed = self.manner = None
        self.calls = self.scored = True
        self.wrong_row = None
        self.when = rng.randint(1, 14)
        self.eager = rng.choice([0.95, 0.8, 0.6])
        cards = pack()
        rng.shuffle(cards)
        hands = {seat: [cards.pop() for _ in range(11)] for seat in SEATS}
        pots = [[cards.pop() for _ in range(11)] for _ in range(2)]
        self.world = World(cards, pots, hands)
        self.dealer = rng.choice(SEATS)

    # Writing down

    def pause(self, low, high):
        self.t += self.rng.uniform(low, high)

    def load(self, zone, t=None):
        count = {
            "stock": len(self.world.stock),
            "discard": len(self.world.pile),
            "pots": sum(map(len, self.world.pots)),
        }[zone]
        self.course.loads.setdefault(zone, []).append((self.t if t is None else t, count))

    def show(self):
        self.course.scenes.append((self.t, scene_of(self.world, self.keepers)))

    def act(self, kind, seat, cards=(), **more):
        self.actions.append(
            {"t": round(self.t, 3), "type": kind, "seat": seat, "turn": self.turn, "cards": list(cards), **more}
        )

    def committed(self, row, seat, also=(), t=None):
        t = self.t if t is None else t
        self.fault = {"row": row, "seat": seat, "committed_t": round(t, 3), "also": list(also), "evident_t": None}

    def evident(self):
        """The fault can be told from now on."""
        self.fault["evident_t"] = round(self.t, 3)
        self.fault["report_by"] = round(self.t + 6.0, 3)

    # The deal

    def play(self):
        """The whole deal; afterwards course, actions and score are there."""
        say = self.course.say
        say(0.0, "console", by="arbitro-1", do="start-round", deals=1, minutes=42)
        say(1.0, "console", by="arbitro-1", do="deal", deal=1, dealer=self.dealer)
        for seat in SEATS:
            say(1.0, "shield", seat=seat, pose="up")
        self.t = 30.0
        for zone in ("pots", "stock", "discard"):
            self.load(zone)
            self.pause(1.0, 2.0)
        self.pause(5.0, 9.0)
        say(self.t, "console", by="arbitro-1", do="start-play")
        self.turn_up()
        try:
            self.turns()
            self.count()
        except LogEnds:
            self.scored = False
            self.t += 9.0
        self.course.until = self.t + 4.0

    def turn_up(self):
        self.pause(1.0, 2.0)
        start = self.t
        self.pause(0.3, 0.6)
        card = self.world.stock.pop()
        self.load("stock")
        self.touch.cross("gate-stock", [card], self.t)
        self.pause(0.1, 0.4)
        self.world.pile.append(card)
        self.load("discard")
        self.touch.spot(self.world.pile, self.t)
        self.show()
        self.act("turn-up", self.dealer, [card])
        self.pause(0.4, 0.8)
        self.touch.reach(self.dealer, "stock", start, self.t)

    def turns(self):
        seat = after(self.dealer)
        while self.manner is None and self.turn < 150:
            self.between(seat)
            self.turn += 1
            self.one_turn(seat)
            seat = after(seat)

    def one_turn(self, seat):
        if self.kind == "F-08a" and self.due() and len(self.world.stock) > 12:
            self.two_cards(seat)
        elif self.kind == "F-30a" and self.due() and self.missed_draw(seat):
            return
        elif self.wants_pile(seat) or len(self.world.stock) <= 2:
            self.collect(seat)
        else:
            self.draw(seat)
        self.lay_all(seat)
        if self.manner is None:
            self.finish(seat)

    def due(self):
        return self.fault is None and self.turn >= self.when

    # What a player does

    def draw(self, seat, count=1):
        self.pause(1.2, 4.5)
        start = self.t
        self.pause(0.25, 0.6)
        cards = [self.world.stock.pop() for _ in range(count)]
        self.load("stock")
        self.touch.cross("gate-stock", cards, self.t)
        self.world.hands[seat] += cards
        self.unplayed.discard(seat)
        self.act("draw", seat, cards)
        self.pause(0.6, 0.9)
        self.touch.cross(f"gate-{seat}", cards, self.t)
        self.touch.reach(seat, "stock", start, self.t)
        return cards

    def collect(self, seat):
        self.pause(1.5, 4.5)
        start = self.t
        self.pause(0.5, 0.9)
        cards, self.world.pile = self.world.pile, []
        self.load("discard")
        self.touch.spot([], self.t) if len(cards) == 1 else None
        self.show()
        self.act("collect", seat, cards)
        self.world.hands[seat] += cards
        self.unplayed.discard(seat)
        self.pause(0.5, 0.8)
        self.touch.cross(f"gate-{seat}", cards, self.t)
        self.touch.reach(seat, "discard", start, self.t)
        self.sole = face(cards[0]) if len(cards) == 1 else None
        return cards

    sole = None

    def wants_pile(self, seat):
        pile, hand = self.world.pile, self.world.hands[seat]
        useful = sum(any(face(card)[0] == face(own)[0] for own in hand) for card in pile)
        return bool(pile) and self.rng.random() < 0.05 + 0.3 * useful / (1 + len(pile)) + 0.2 * any(map(wild, pile))

    def lay(self, seat, cards, row, result, kind):
        """``cards`` go to row ``row``, which then reads ``result``."""
        self.pause(0.6, 2.8)
        start = self.t
        self.touch.cross(f"gate-{seat}", cards, self.t)
        self.pause(0.5, 1.2)
        for card in cards:
            self.world.hands[seat].remove(card)
        line = self.world.rows[row][0] if row in self.world.rows else line_of(seat)
        self.world.rows[row] = (line, list(result))
        self.show()
        self.act(kind, seat, cards, meld=row, row=list(result))
        at = self.t
        self.pause(0.3, 0.7)
        self.touch.reach(seat, f"melds-{line}", start, self.t)
        return at

    def plays(self, seat):
        """What ``seat`` could lay: (cards, row, result, kind)."""
        hand, line = self.world.hands[seat], line_of(seat)
        naturals, wilds = [card for card in hand if not wild(card)], [card for card in hand if wild(card)]
        found = []
        for row, (whose, lying) in self.world.rows.items():
            if whose == line and row != self.wrong_row:
                found += self.additions(row, lying, naturals, wilds)
        if sum(whose == line for whose, _ in self.world.rows.values()) < 7:
            found += self.openings(naturals, wilds)
        return found

    def additions(self, row, lying, naturals, wilds):
        own = [card for card in lying if not wild(card)]
        joker = next((card for card in lying if wild(card)), None)
        found = []
        same = len({rank(card) for card in own}) == 1
        for card in naturals:
            result = lay_set([*own, card], joker) if same else self.longer(lying, own, card, joker)
            if result:
                found.append(([card], row, result, "extend"))
        for card in wilds if joker is None and len(lying) >= 6 else []:
            result = lay_set(own, card) if same else lay_run(own, card)
            if result:
                found.append(([card], row, result, "extend"))
        return found

    def longer(self, lying, own, card, joker):
        """A run with a natural more; a wild between two cards stays where it is or gives way to its own card."""
        result = lay_run([*own, card], joker)
        if result and joker and lying[0] != joker:
            place = lying.index(joker)
            left = lying[place - 1]
            if result[0] != joker and result[result.index(joker) - 1] != left:
                return None
        return result

    def openings(self, naturals, wilds):
        found, row = [], max(self.world.rows, default=-1) + 1
        by_rank = {letter: [card for card in naturals if rank(card) == letter] for letter in RANKS}
        groups = [(cards, lay_set) for cards in by_rank.values() if len(cards) >= 2]
        for letter in SUITS:
            held = {rank(card): card for card in naturals if suit(card) == letter}
            for low in range(13):
                for size in (5, 4, 3, 2):
                    names = [(RANKS + "A")[at] for at in range(low, min(low + size, 14))]
                    cards = [held[name] for name in names if name in held]
                    if len(cards) >= 2:
                        groups.append((cards, lay_run))
        for cards, make in groups:
            for joker in [None, *wilds[:1]]:
                if joker and self.rng.random() < 0.6:
                    continue
                result = make(cards, joker)
                if result:
                    found.append((list(result), row, result, "open"))
        return found

    def lay_all(self, seat):
        """Lay as long as ``seat`` likes, and take the pot in flight where it may."""
        while True:
            hand = self.world.hands[seat]
            may_empty = line_of(seat) not in self.taken
            fit = [
                play
                for play in self.plays(seat)
                if len(hand) - len(play[0]) >= (0 if may_empty else 2) and (may_empty or self.can_end(seat, play))
            ]
            if not fit or self.rng.random() > self.eager:
                return
            self.lay(seat, *self.rng.choice(sorted(fit, key=str)))
            if not self.world.hands[seat]:
                self.pot(seat, "in-flight")

    def can_end(self, seat, play):
        return len(self.world.hands[seat]) - len(play[0]) >= 2

    def pot(self, seat, manner):
        self.pause(0.5, 1.5)
        self.course.say(self.t, "shield", seat=seat, pose="over")
        giver = after(seat, self.rng.choice([1, 3]))
        self.pause(0.8, 1.6)
        start = self.t
        self.pause(0.5, 0.8)
        cards = self.world.pots.pop(0)
        self.load("pots")
        self.act("take-pot", seat, [], manner=manner)
        self.world.hands[seat] += cards
        self.pause(0.6, 1.0)
        self.touch.reach(giver, "pots", start, self.t)
        self.pause(0.8, 1.6)
        self.course.say(self.t, "shield", seat=seat, pose="up")
        self.taken[line_of(seat)] = seat
        if manner == "discard":
            self.unplayed.add(seat)

    def finish(self, seat, card=None):
        """Discard, and what comes of it."""
        hand = self.world.hands[seat]
        line = line_of(seat)
        closing = len(hand) == 1 and line in self.taken
        fresh = [one for one in hand if face(one) != self.sole] or list(hand)
        choices = [one for one in fresh if not wild(one)] or fresh
        if card is None:
            if closing and (wild(hand[0]) or not self.has_burraco(line)):
                raise LogEnds  # cannot happen by can_end; a guard for faults
            card = self.rng.choice(choices)
        self.sole = None
        at = self.discard(seat, card)
        if closing:
            self.pause(0.3, 0.9)
            self.course.say(self.t, "shield", seat=seat, pose="over")
            self.manner, self.closed = "closed", seat
        elif len(self.world.stock) <= 2:
            self.manner = "stock"
        elif not hand:
            self.pot(seat, "discard")
        return at

    def discard(self, seat, card):
        self.pause(0.9, 3.2)
        start = self.t
        self.touch.cross(f"gate-{seat}", [card], self.t)
        self.pause(0.3, 0.6)
        self.world.hands[seat].remove(card)
        self.world.pile.append(card)
        self.load("discard")
        if len(self.world.pile) <= 2:
            self.touch.spot(self.world.pile, self.t)
        self.show()
        self.act("discard", seat, [card])
        at = self.t
        self.pause(0.4, 0.7)
        self.touch.reach(seat, "discard", start, self.t)
        return at

    def has_burraco(self, line):
        return any(whose == line and burraco(cards) for whose, cards in self.world.rows.values())

    # Faults

    def between(self, seat):
        """Before ``seat`` begins its turn."""
        if not self.due() or len(self.world.stock) < 10:
            return
        rng = self.rng
        if self.kind == "F-31a":
            offender = rng.choice([other for other in SEATS if other != seat])
            self.draw(offender)
            self.actions[-1]["out_of_turn"] = True
            self.committed("F-31a", offender, t=self.actions[-1]["t"])
            self.evident()
            self.pause(3.0, 6.0)
        elif self.kind == "F-24a":
            self.exposes(rng.choice(SEATS))
        elif self.kind in ("F-32", "F-27a"):
            offender = after(seat, -1) if self.kind == "F-27a" else rng.choice([after(seat), after(seat, 2)])
            plays = [play for play in self.plays(offender) if len(self.world.hands[offender]) - len(play[0]) >= 3]
            if plays and (self.kind == "F-32" or self.turn):
                at = self.lay(offender, *rng.choice(sorted(plays, key=str)))
                self.committed(self.kind, offender, t=at)
                self.evident()
                self.pause(3.0, 6.0)

    def exposes(self, seat):
        if len(self.world.hands[seat]) < 5:
            return
        self.pause(0.8, 2.0)
        start = self.t
        card = self.rng.choice(self.world.hands[seat])
        self.touch.cross(f"gate-{seat}", [card], self.t)
        self.pause(0.2, 0.4)
        self.world.hands[seat].remove(card)
        self.world.loose.append((card, self.rng.uniform(-30, 30), self.rng.uniform(-250, -200), seat))
        self.show()
        self.committed("F-24a", seat)
        self.pause(0.3, 0.6)
        self.touch.reach(seat, "table", start, self.t)
        self.evident()
        self.pause(2.5, 4.0)
        start = self.t
        self.pause(0.4, 0.8)
        self.world.loose.clear()
        self.show()
        self.pause(0.3, 0.6)
        self.touch.cross(f"gate-{seat}", [card], self.t)
        self.world.hands[seat].append(card)
        self.touch.reach(seat, "table", start, self.t)

    def two_cards(self, seat):
        self.draw(seat, 2)
        self.committed("F-08a", seat, t=self.actions[-1]["t"])
        self.evident()
        self.pause(2.0, 4.0)

    def missed_draw(self, seat):
        """``seat`` lays and discards without having drawn; whether it could."""
        plays = [play for play in self.plays(seat) if len(self.world.hands[seat]) - len(play[0]) >= 3]
        if not plays or len(self.world.stock) < 10:
            return False
        at = self.lay(seat, *self.rng.choice(sorted(plays, key=str)))
        self.committed("F-30a", seat, t=at)
        self.evident()
        self.pause(1.0, 3.0)
        self.finish(seat)
        return True

    def count(self):
        """Hands are laid out and counted."""
        self.pause(2.0, 4.0)
        for seat in SEATS:
            if self.world.hands[seat]:
                self.pause(1.0, 2.0)
                self.world.shown.add(seat)
                self.show()
        self.pause(5.0, 7.0)
        self.course.say(self.t, "button", seat=self.rng.choice(SEATS), button="count")
        self.pause(4.0, 6.0)
        self.course.say(self.t, "console", by="arbitro-1", do="end-round")

    def score(self):
        """By line: burraco, closing, melds, pot, hand."""
        found = {}
        for line in ("NS", "EW"):
            rows = [cards for whose, cards in self.world.rows.values() if whose == line]
            seats = [seat for seat in SEATS if line_of(seat) == line]
            waiting = [seat for seat in seats if seat in self.unplayed]
            pot = -sum(worth(self.world.hands[seat]) for seat in waiting)
            if line not in self.taken and self.taken:
                pot -= 100
            found[line] = {
                "burraco": sum(map(burraco, rows)),
                "closing": 100 if self.closed and line_of(self.closed) == line else 0,
                "melds": sum(map(worth, rows)),
                "pot": pot,
                "hand": -sum(worth(self.world.hands[seat]) for seat in seats if seat not in waiting),
            }
        return found
