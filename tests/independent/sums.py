"""Melds and counts drawn by chance, valued by arts. 10 to 13 and 18: every reading is tried."""

from __future__ import annotations

from tests.independent.cards import RANKS, SUITS, face, pack, rank, worth

PLACES = 14  # ace low is 1, ace high 14


def classes(cards):
    """Every burraco class ("" below seven cards) that some reading of ``cards`` gives; none where it is no meld."""
    return _set_classes(cards) | _run_classes(cards)


def _set_classes(cards):
    naturals = [card for card in cards if rank(card) not in ("JK", "2")]
    wilds = len(cards) - len(naturals)
    faces = [face(card) for card in naturals]
    fit = (
        len(cards) >= 3
        and wilds <= 1
        and len(naturals) >= 2
        and len({rank(card) for card in naturals}) == 1
        and max(map(faces.count, faces)) <= 2
    )
    if not fit:
        return set()
    if len(cards) < 7:
        return {"none"}
    return {"clean"} if not wilds else {"semi-clean"} if len(cards) >= 8 else {"dirty"}


def _run_classes(cards):
    """The run is laid on every stretch of places; what has no place of its own must be the one wild."""
    found, many = set(), len(cards)
    if not 3 <= many <= 14:
        return found
    for letter in SUITS:
        for low in range(1, PLACES + 2 - many + 1):
            stretch = list(range(low, low + many))
            for wild_at in [None, *stretch]:
                if _lies(cards, letter, stretch, wild_at):
                    found.add(_class(stretch, wild_at))
    return found


def _lies(cards, letter, stretch, wild_at):
    left = [face(card) for card in cards]
    if {1, 14} <= {place for place in stretch if place != wild_at}:  # one ace only (art. 11: thirteen cards)
        return False
    for place in stretch:
        if place == wild_at:
            continue
        if not 1 <= place <= PLACES:
            return False
        name = (RANKS + "A")[place - 1] + letter
        if name not in left:
            return False
        if place == 2 and 3 not in stretch:  # art. 10: the natural 2 lies below the 3
            return False
        left.remove(name)
    if wild_at is None:
        return not left
    return len(left) == 1 and rank(left[0]) in ("JK", "2")


def _class(stretch, wild_at):
    if len(stretch) < 7:
        return "none"
    if wild_at is None:
        return "clean"
    below, above = wild_at - stretch[0], stretch[-1] - wild_at
    return "semi-clean" if max(below, above) >= 7 else "dirty"


BONUS = {"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200}


def drawn(rng):
    """Cards that are nearly always nearly a meld."""
    deck = pack()
    if rng.random() < 0.4:
        letter, many = rng.choice(RANKS), rng.randint(2, 9)
        pool = [card for card in deck if rank(card) == letter]
        cards = rng.sample(pool, min(many, len(pool)))
    else:
        letter, many = rng.choice(SUITS), rng.randint(2, 14)
        low = rng.randint(0, 13 - min(many, 13))
        cards = [f"{(RANKS + 'A')[place % 14]}{letter}#1" for place in range(low, min(low + many, 14))]
        if len(cards) > 3 and rng.random() < 0.5:
            cards.pop(rng.randrange(len(cards)))
    for chance in (0.5, 0.1):
        if rng.random() < chance:
            cards.append(rng.choice([card for card in deck if rank(card) in ("JK", "2") and card not in cards]))
    if rng.random() < 0.12:
        cards.append(rng.choice([card for card in deck if card not in cards]))
    rng.shuffle(cards)
    return [face(card) for card in cards]


def valued(cards):
    """What ``tavolo meld`` must say of ``cards``: valid, bonus, points."""
    readings = classes(cards)
    best = max((BONUS[name] for name in readings), default=0)
    return {"valid": bool(readings), "bonus": best, "points": worth(cards)}


def sheet(rng):
    """A deal for ``tavolo count``, and what it must say of each line."""
    deck = pack()
    rng.shuffle(deck)
    lines, truth = {}, {}
    taken = {"NS": rng.choice(["taken", "not-taken", "taken-unplayed"]), "EW": rng.choice(["taken", "not-taken"])}
    for line in ("NS", "EW"):
        melds = []
        for _ in range(rng.randint(0, 5)):
            while True:
                cards = drawn(rng)
                if classes(cards):
                    break
            melds.append(cards)
        hands = [[face(deck.pop()) for _ in range(rng.randint(0, 6))] for _ in range(2)]
        pot = [face(deck.pop()) for _ in range(11)] if taken[line] == "taken-unplayed" else []
        penalised = [face(deck.pop()) for _ in range(rng.choice([0, 0, 2]))]
        bonus = rng.choice([0, 0, 150])
        lines[line] = {
            "melds": melds,
            "hands": hands,
            "pot": taken[line],
            "pot_cards": pot,
            "closed": False,
            "bonus": bonus,
            "penalised": penalised,
        }
        untaken = (
            -100 if taken[line] == "not-taken" and "taken" in "".join(taken.values()).replace("not-taken", "") else 0
        )
        truth[line] = {
            "burraco": sum(valued(cards)["bonus"] for cards in melds),
            "closing": 0,
            "melds": sum(worth(cards) for cards in melds),
            "pot": untaken - worth(pot),
            "hand": -sum(map(worth, hands)),
            "penalised": -worth(penalised),
            "bonus": bonus,
        }
    closer = rng.choice(["", "NS", "EW"])
    if closer and taken[closer] == "taken":
        lines[closer]["closed"] = True
        lines[closer]["hands"][0] = []
        truth[closer]["closing"] = 100
        truth[closer]["hand"] = -worth(lines[closer]["hands"][1])
        if not truth[closer]["burraco"]:
            lines[closer]["closed"], truth[closer]["closing"] = False, 0
    return {"rules": "fibur2024", "deal": lines}, truth


__all__ = ["classes", "drawn", "sheet", "valued"]
