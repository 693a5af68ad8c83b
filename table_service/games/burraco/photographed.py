"""Burraco scored from photographs: the melds of each line, the hands that are left, what is typed of pots and closing.

An item is unknown as soon as a card that it counts is: a score from pictures is right or says what is lacking.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from hw.cards import BURRACO, UNKNOWN
from hw.seats import LINES, Line
from table_service.games.burraco.rules.meld import may_grow, reading_of, readings, why_not
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import count
from table_service.games.photographed import (
    DOUBTS,
    SURE,
    Note,
    Photographed,
    PhotographRules,
    PhotoGroup,
    doubled,
    unknown_items,
    worth,
)

_MELDS: Final = ("burraco", "melds")
_POTS: Final = ("taken", "not-taken", "taken-unplayed")
_MOST_OFFERED: Final = 12
"""So many cards that would complete a meld are offered at most."""
_NEARLY_BURRACO: Final = 6
"""A meld of so many cards may be taken for a burraco, or be one that was taken for none."""


def photograph_rules(book: RuleBook) -> PhotographRules:
    """Scoring of photographs by ``book``."""
    return PhotographRules(
        lines=("melds", "hands", "pot"),
        seats=("hand",),
        score=lambda shown: score_photographs(book, shown),
        owners=_owners,
        questions=("closed", "pot"),
    )


def score_photographs(book: RuleBook, shown: Photographed) -> dict[str, Any]:
    """Return the answer of ``tavolo count`` for what pictures show, with ``melds``, ``deal`` and ``notes``.

    ``melds``: each with its line, cards in the order they lie, validity, what its wild stands for, ``doubts`` as
    sentences, and ``offers``: faces of which one may stand where ``??`` does. An item of which a card was not read, or
    about which a person said nothing, is null and named in ``doubtful``; ``notes`` say why.
    """
    notes: list[Note] = []
    many = doubled(shown.groups, BURRACO.copies)
    melds: list[dict[str, Any]] = []
    deal: dict[str, Any] = {}
    for line in LINES:
        laid, said = _melds(book, shown, line, many)
        notes += said
        melds += laid
        hands, said = _hands(shown, line, many)
        notes += [*said, *_typed(book, shown, line)]
        deal[str(line)] = {
            "melds": [one["cards"] if one["certain"] else [UNKNOWN] * len(one["cards"]) for one in laid],
            "hands": hands,
            **_facts(shown, line),
        }
    if all(one["closed"] for one in deal.values()):
        both = ("Solo una linea può avere chiuso.", "Only one line can have closed.")
        notes += [Note(both, str(line), ("closing",)) for line in LINES]
        for one in deal.values():
            one["closed"] = False
    answer = count(book, {"deal": deal})
    unknown_items(answer, notes)
    own = {line: _worth(book, one) for line, one in deal.items()}
    return {**answer, "deal": deal, "melds": melds, "worth": own, "notes": [note.as_json() for note in notes]}


def _worth(book: RuleBook, own: dict[str, Any]) -> dict[str, Any]:
    """Values of a line's cards, by item, against the line in hands; of its large melds, those of burracos."""
    scale = set(book.card_values.values())
    large = [" ".join(meld) for meld in own["melds"] if len(meld) >= _NEARLY_BURRACO]
    return {
        "burraco": worth(large, lambda meld: _bonus(book, meld), [0, *book.bonuses.values()]),
        "melds": worth([card for meld in own["melds"] for card in meld], book.value, scale),
        "hand": worth([card for hand in own["hands"] for card in hand], lambda card: -(book.value(card) or 0),
                      [-one for one in scale]),
    }  # fmt: skip


def _bonus(book: RuleBook, meld: str) -> int | None:
    found = reading_of(book, tuple(meld.split()))
    return None if found is None else found.bonus


def _facts(shown: Photographed, line: Line) -> dict[str, Any]:
    """Return what a person typed for a line, or a placeholder while an item is unknown."""
    typed = shown.facts.get(str(line), {})
    pot = typed.get("pot")
    bonus = typed.get("bonus", 0)
    cards = [card for group in shown.of(f"pot-{line}") for card in group.cards]
    return {
        "closed": typed.get("closed") is True,
        "pot": pot if pot in _POTS else "not-taken",
        "pot_cards": cards if pot == "taken-unplayed" else [],
        "bonus": bonus if isinstance(bonus, int) and not isinstance(bonus, bool) else 0,
    }


def _typed(book: RuleBook, shown: Photographed, line: Line) -> Iterator[Note]:
    """List what a picture cannot show and no person typed: closing and pot."""
    typed = {str(one): shown.facts.get(str(one), {}) for one in LINES}
    mine, other = typed[str(line)], typed[str(line.other)]
    if not isinstance(mine.get("closed"), bool) and other.get("closed") is not True:
        yield Note(("Manca chi ha chiuso.", "Who has closed is not said."), str(line), ("closing",))
    pot = mine.get("pot")
    open_end = not book.pot_malus_when_neither_took and pot == "not-taken" and other.get("pot") not in _POTS
    if pot not in _POTS or open_end:
        yield Note(
            ("Manca se il pozzetto è stato preso.", "Whether the pot was taken is not said."), str(line), ("pot",)
        )
    elif pot == "taken-unplayed" and not shown.of(f"pot-{line}"):
        yield Note(("Mancano le carte del pozzetto.", "The cards of the pot are not shown."), str(line), ("pot",))
    elif pot == "taken-unplayed":
        yield from _doubts_of(shown, f"pot-{line}", line, "pot", {})


def _as_read(book: RuleBook, cards: tuple[str, ...]) -> dict[str, Any]:
    """Return ``cards`` read as a meld; ``valid`` is None if a card was not read, and the rest is then empty."""
    found = reading_of(book, cards) if UNKNOWN not in cards else None
    if found is None:
        valid = None if UNKNOWN in cards else False
        return {"valid": valid, "kind": None, "burraco": "none", "bonus": 0, "wild": None, "reading": None}
    return {
        "valid": True,
        "kind": found.kind,
        "burraco": found.burraco,
        "bonus": found.bonus,
        "wild": {"card": found.wild, "stands_for": found.stands_for} if found.wild else None,
        "reading": list(found.cards),
    }


def _melds(
    book: RuleBook, shown: Photographed, line: Line, many: dict[str, int]
) -> tuple[list[dict[str, Any]], list[Note]]:
    """Return the melds of a line as JSON values, and what is uncertain of them."""
    name = f"melds-{line}"
    if name not in shown.shown:
        return [], [Note(("Manca la fotografia delle combinazioni.", "No picture shows its melds."), str(line), _MELDS)]
    notes: list[Note] = []
    if name in shown.clouded:
        notes.append(Note(_cloud(shown.clouded[name]), str(line), _MELDS))
    out = []
    for number, seen in enumerate(shown.groups):
        if seen.shows != name:
            continue
        group = settled(book, seen)
        said = [*_against(book, shown, group, many)]
        offers = offered(book, group.cards)
        out.append(
            {
                "line": str(line),
                "group": number,
                "picture": group.picture,
                "box": [round(v, 1) for v in group.box],
                "cards": list(group.cards),
                "certain": not said,
                **_as_read(book, group.cards),
                "doubts": [{"it": it, "en": en} for it, en in said],
                **({"offers": offers} if offers else {}),
            }
        )
        cards = " ".join(group.cards)
        notes += [Note((f"{cards}: {it}.", f"{cards}: {en}."), str(line), _MELDS, number) for it, en in said]
    return out, notes


def settled(book: RuleBook, group: PhotoGroup) -> PhotoGroup:
    """Return the group without supposed gaps if its cards are a run as they lie: none can be between.

    Before a wild card at its end there can be one, for it may stand for any card there.

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
    >>> settled(BOOK, PhotoGroup("melds-NS", ("4H", "5H", "??", "6H"), gaps=(2,))).cards
    ('4H', '5H', '6H')
    """
    if not group.gaps and "spacing" not in group.doubts:
        return group
    gaps = _impossible(book, group)
    kept = [n for n in range(len(group.cards)) if n not in gaps]
    cards = tuple(group.cards[n] for n in kept)
    if UNKNOWN in cards:
        return group
    found = reading_of(book, cards)
    if found is None or found.kind != "run" or cards not in (found.cards, found.cards[::-1]):
        return group
    if found.wild and "spacing" in group.doubts:
        return group
    sure = tuple(group.sure_of(n) for n in kept)
    doubts = tuple(one for one in group.doubts if one != "spacing")
    return replace(group, cards=cards, confidence=sure, doubts=doubts, gaps=())


def _impossible(book: RuleBook, group: PhotoGroup) -> set[int]:
    """Return the supposed gaps of a run in which no card can be: all but those beside a wild card at its end."""
    known = [n for n, card in enumerate(group.cards) if card != UNKNOWN]
    ends = {n for n in (known[:1] + known[-1:]) if book.is_wild(group.cards[n])}
    left = {n: max((k for k in known if k < n), default=-1) for n in group.gaps}
    right = {n: min((k for k in known if k > n), default=-1) for n in group.gaps}
    return {n for n in group.gaps if not {left[n], right[n]} & ends}


def _against(book: RuleBook, shown: Photographed, group: PhotoGroup, many: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Why a group of melds cannot be counted, as sentences in Italian and English."""
    for doubt in group.doubts:
        yield DOUBTS[doubt]
    unread = group.cards.count(UNKNOWN)
    if unread:
        yield (f"{unread} carte non lette" if unread > 1 else "una carta non letta", f"{unread} not read")
    elif reading_of(book, group.cards) is None:
        yield ("non è una combinazione valida", f"is no meld ({why_not(book, group.cards)})")
    else:
        yield from _doubted_wild(book, group)
    for card in dict.fromkeys(group.cards):
        if card in many:
            yield (f"{card} si vede {many[card]} volte", f"{card} is seen {many[card]} times")
    for place in group.beside:
        other = shown.groups[place]
        if may_grow(book, [card for card in (*group.cards, *other.cards) if card != UNKNOWN]):
            yield ("continua forse nella combinazione accanto", "may go on in the meld beside it")


def _doubted_wild(book: RuleBook, group: PhotoGroup) -> Iterator[tuple[str, str]]:
    """Yield each wild card not read surely: another face in its place would count otherwise, and be no fault."""
    for place, card in enumerate(group.cards):
        if book.is_wild(card) and group.sure_of(place) < SURE:
            yield (f"{card} è letto con incertezza", f"{card} was read with doubt")


def _hands(shown: Photographed, line: Line, many: dict[str, int]) -> tuple[list[list[str]], list[Note]]:
    """Return the hands of a line, typed or in pictures, and what is uncertain of them."""
    typed = shown.facts.get(str(line), {}).get("hands", {})
    hands: list[list[str]] = []
    notes: list[Note] = []
    both = f"hands-{line}"
    if both in shown.shown:
        hands.append([card for group in shown.of(both) for card in group.cards])
        return hands, list(_doubts_of(shown, both, line, "hand", many))
    for seat in str(line):
        name = f"hand-{seat}"
        if name in shown.shown:
            hands.append([card for group in shown.of(name) for card in group.cards])
            notes += _doubts_of(shown, name, line, "hand", many)
        elif isinstance(typed, dict) and seat in typed:
            hands.append(list(typed[seat]))
        else:
            notes.append(Note((f"Manca la mano di {seat}.", f"No picture shows {seat}'s hand."), str(line), ("hand",)))
    return hands, notes


def _doubts_of(shown: Photographed, name: str, line: Line, item: str, many: dict[str, int]) -> Iterator[Note]:
    """Why what counts card by card, with no rule to check it, is uncertain: an unread card, a doubted face, a rim."""
    if name in shown.clouded:
        yield Note(_cloud(shown.clouded[name]), str(line), (item,))
    elif not shown.of(name):
        yield Note((f"{name}: non si legge nessuna carta.", f"{name}: no card could be read."), str(line), (item,))
    for number, group in enumerate(shown.groups):
        if group.shows != name:
            continue
        cards = " ".join(group.cards)
        for doubt in group.doubts:
            it, en = DOUBTS[doubt]
            yield Note((f"{cards}: {it}.", f"{cards}: {en}."), str(line), (item,), number)
        for place, card in enumerate(group.cards):
            if card == UNKNOWN or group.sure_of(place) < SURE:
                text = (f"{cards}: {card} non è certa.", f"{cards}: {card} is not certain.")
                yield Note(text, str(line), (item,), number)
            elif card in many:
                text = (f"{card} si vede {many[card]} volte.", f"{card} is seen {many[card]} times.")
                yield Note(text, str(line), (item,), number)


def _cloud(reason: str) -> tuple[str, str]:
    return {
        "ground": (
            "Il tavolo è chiaro come le carte: controllate che non ne manchi una.",
            "The table is as light as the cards: check that none is missing.",
        ),
        "loose": (
            "Nella fotografia c’è una carta lontana dalle altre che non si legge.",
            "The picture shows a card apart from the others that could not be read.",
        ),
    }.get(reason, (reason, reason))


def offered(book: RuleBook, cards: tuple[str, ...]) -> list[str]:
    """Return the faces that would make a meld of cards with one ``??``: those of the suit or rank first, wilds last.

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
    >>> offered(BOOK, ("4H", "??", "6H"))
    ['5H', 'JK', '2H', '2D', '2C', '2S']
    """
    if cards.count(UNKNOWN) != 1:
        return []
    place = cards.index(UNKNOWN)
    faces = [r + s for r in "A3456789TJQK" for s in "HDCS"] + ["JK", *(f"2{s}" for s in "HDCS")]
    fit = []
    for face in faces:
        whole = (*cards[:place], face, *cards[place + 1 :])
        if any(book.is_wild(face) or found.kind == "set" or whole in (found.cards, found.cards[::-1])
               for found in readings(book, whole)):  # fmt: skip
            fit.append(face)
    return fit[:_MOST_OFFERED]


def _owners(groups: list[PhotoGroup]) -> list[str]:
    """Return the owners of the groups of one picture: NS if they face the camera, EW if they face another side.

    Melds lie before the player who keeps them, to be read from there.
    """
    if not groups:
        return []
    turned = [abs((group.facing + 180.0) % 360.0 - 180.0) > 45.0 for group in groups]
    if all(turned):
        return ["melds-NS"] * len(groups)
    return ["melds-EW" if away else "melds-NS" for away in turned]
