"""Cards, melds and points as the contract and arts. 10 to 18 state them, in as few lines as will do."""

from __future__ import annotations

RANKS = "A23456789TJQK"
SUITS = "HDCS"
SEATS = "NESW"
WORTH = {"JK": 30, "2": 20, "A": 15, **dict.fromkeys("89TJQK", 10), **dict.fromkeys("34567", 5)}


def pack():
    """108 physical cards."""
    cards = [f"{rank}{suit}#{copy}" for rank in RANKS for suit in SUITS for copy in (1, 2)]
    return cards + [f"JK#{copy}" for copy in (1, 2, 3, 4)]


def face(card):
    """The card without its copy mark."""
    return card.split("#")[0]


def rank(card):
    """A letter, or JK."""
    return "JK" if card.startswith("JK") else card[0]


def suit(card):
    """A letter; nothing for a joker."""
    return "" if card.startswith("JK") else card[1]


def wild(card):
    """Whether the card can stand for another."""
    return rank(card) in ("JK", "2")


def worth(cards):
    """Points one by one."""
    return sum(WORTH[rank(card)] for card in cards)


def line_of(seat):
    """NS or EW."""
    return "NS" if seat in "NS" else "EW"


def after(seat, steps=1):
    """The seat so many places on, clockwise."""
    return SEATS[(SEATS.index(seat) + steps) % 4]


def lay_set(naturals, joker=None):
    """The order of a set from the keeper's edge, the wild nearest to it; None where it is none."""
    whole = ([joker] if joker else []) + list(naturals)
    same = len({rank(card) for card in naturals}) == 1
    return whole if same and 2 <= len(naturals) <= 8 and len(whole) >= 3 else None


def lay_run(naturals, joker=None):
    """The order of a run from the keeper's edge (the lowest first); None where it is none. No 2 stands for itself."""
    if len({suit(card) for card in naturals}) != 1 or len({rank(card) for card in naturals}) != len(naturals):
        return None
    for high_ace in (False, True):
        places = {14 if rank(card) == "A" and high_ace else RANKS.index(rank(card)) + 1: card for card in naturals}
        span = range(min(places), max(places) + 1)
        holes = [place for place in span if place not in places]
        if len(span) + (joker is not None and not holes) < 3 or len(holes) > (joker is not None):
            continue
        row = [places.get(place, joker) for place in span]
        return row if holes or not joker else [joker, *row]
    return None


def burraco(row):
    """100, 150 or 200 for a row of seven or more cards, else 0 (art. 13)."""
    wilds = [n for n, card in enumerate(row) if wild(card) and not _in_its_place(row, n)]
    if len(row) < 7:
        return 0
    if not wilds:
        return 200
    naturals = [card for card in row if not wild(card)]
    if len({rank(card) for card in naturals}) == 1:
        return 150 if len(row) >= 8 else 100
    at = wilds[0]
    return 150 if max(at, len(row) - at - 1) >= 7 else 100


def _in_its_place(row, at):
    """Whether the card is a 2 of the run's suit below its 3: it stands for itself (art. 10)."""
    above = row[at + 1] if at + 1 < len(row) else ""
    return (
        bool(above)
        and rank(row[at]) == "2"
        and rank(above) == "3"
        and suit(above) == suit(row[at])
        and len({*map(rank, row)}) > 2
    )
