"""The faults that rehearsed players commit, each the way a person would: what is done, and when it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hw.cards import face
from hw.seats import ANTICLOCKWISE, Seat
from hw.twin.gestures import ClearTable, ExposeGesture, PlayGesture, PutAside, PutDown, TakeHeap, TakeUp, Tap
from hw.zones import tricks
from table_service.games.tarocco.rehearsal.fault import TrickFaultKind, TrickMoment, rules
from table_service.games.tarocco.rehearsal.table_deal import FIVE, TRICK, TableDeal, is_suit
from table_service.games.tarocco.rules.card_points import KING, MATTO, worth
from table_service.games.tarocco.rules.combinations import cricche, sequences
from table_service.games.tarocco.rules.score import accuso_points
from table_service.games.tarocco.rules.tricks import TRICKS, TRUMPS

LAST: Final = len(ANTICLOCKWISE.seats) - 1
"""So many cards lie when the last player of a trick is on turn."""
_AT: Final = {Seat.NORTH: (0.0, 250.0), Seat.EAST: (250.0, 0.0), Seat.SOUTH: (0.0, -250.0), Seat.WEST: (-250.0, 0.0)}
"""Where a card comes to lie that a seat lets fall before itself, in mm."""


# -- before play -------------------------------------------------------------------------------------------------------


def _turned_up(deal: TableDeal, dealer: Seat) -> bool:
    seat = deal.rng.choice([one for one in ANTICLOCKWISE.seats if one is not dealer])
    card = deal.rng.choice(deal.hand(seat))
    x, y = _AT[seat]
    cue = deal.script.do(ExposeGesture(seat, (card,), x, y), deal.act("turned-up", seat, (card,)))
    deal.script.wait(3.0)
    deal.inject("T08", dealer, "turned up while dealing", (card,), cue, cue)
    rules(deal, "T08", dealer)
    deal.script.do(TakeUp(seat, (card,)))
    deal.script.do(ClearTable())
    return True


def _wrong_numbers(deal: TableDeal, dealer: Seat) -> bool:
    """Somebody counts his cards and calls: no sensor tells how many are in a hand."""
    cue = deal.script.mark().cues - 1
    rules(deal, "T07", dealer)
    deal.inject("T07", dealer, "wrong numbers dealt", (), cue, deal.script.mark().cues - 1, demanded=False)
    deal.script.do(ClearTable())
    return True


MISDEALS: Final = {"T07": _wrong_numbers, "T08": _turned_up}
"""How cards come to be dealt anew (commas 7, 8), by row."""


def _misdealt(_deal: TableDeal, _dealer: Seat) -> bool:
    raise AssertionError("the director has the cards dealt anew after each of ``misdeals``")


def _scarto_of(number: int) -> Callable[[TableDeal, Seat], bool]:
    def commit(deal: TableDeal, dealer: Seat) -> bool:
        cheap = sorted(card for card in deal.hand(dealer) if worth(face(card)) != FIVE)
        cards = tuple(deal.rng.sample(cheap, number))
        cue = deal.script.do(PutDown(dealer, cards, tricks(dealer.line)), deal.act("scarto", dealer, cards))
        deal.scarto = cards
        deal.script.wait(0.6)
        first = ANTICLOCKWISE.next(deal.dealer)
        led = deal.lay(first, deal.rng.choice(deal.allowed(first)))
        deal.inject("T09", dealer, f"{number} cards in the scarto", (), cue, led)
        deal.counts = False  # a pile of another number cannot be paired: the Giuria says what it counts
        deal.script.wait(2.0)
        rules(deal, "T09", dealer)
        deal.only_scartini.add(dealer.line)
        return True

    return commit


def _scarto_put_right(deal: TableDeal, dealer: Seat) -> bool:
    cheap = sorted(card for card in deal.hand(dealer) if worth(face(card)) != FIVE)
    cards = tuple(deal.rng.sample(cheap, 3))
    deal.script.do(PutDown(dealer, cards, tricks(dealer.line)), deal.act("scarto", dealer, cards))
    cue = deal.script.do(Tap(dealer))
    deal.inject("T09c", dealer, "three cards, put right in time", (), cue - 1, cue)
    deal.script.wait(11.0)
    deal.script.do(TakeHeap(dealer, tricks(dealer.line), count=1))
    deal.scarto = cards[:-1]
    deal.script.do(Tap(dealer))
    return True


def _five_in_scarto(deal: TableDeal, dealer: Seat) -> bool:
    fives = sorted(card for card in deal.hand(dealer) if worth(face(card)) == FIVE and face(card) != MATTO)
    cheap = sorted(card for card in deal.hand(dealer) if worth(face(card)) != FIVE)
    if not fives:
        return False
    cards = (deal.rng.choice(fives), deal.rng.choice(cheap))
    cue = deal.script.do(PutDown(dealer, cards, tricks(dealer.line)), deal.act("scarto", dealer, cards))
    deal.script.do(Tap(dealer))
    deal.scarto = cards
    deal.rulings.append(lambda end: deal.inject("T09b", dealer, "a five discarded", cards[:1], cue, end))
    return True


# -- in play -----------------------------------------------------------------------------------------------------------


def _late_accuso(deal: TableDeal, seat: Seat) -> bool:
    cards = deal.faces(seat)
    shown = tuple(sorted({c for one in (*cricche(cards).found, *sequences(cards).found) for c in one.cards}))
    if accuso_points(shown) == 0 or len(shown) >= len(cards) or _has_shown(deal, seat, shown):
        return False
    physical = tuple(deal.physical(seat, printed) for printed in shown)
    cue = deal.script.do(PutAside(seat, physical), deal.act("accuso", seat, physical))
    deal.script.wait(2.5)
    up = deal.script.do(TakeUp(seat, physical))
    deal.inject("T10", seat, "shown after the own first card", physical, cue, up)
    rules(deal, "T10", seat)
    return True


def _has_shown(deal: TableDeal, seat: Seat, cards: tuple[str, ...]) -> bool:
    """Return True if the line of ``seat`` counts an accuso with one of ``cards``: showing it again changes nothing."""
    return any(set(one) & set(cards) for one in deal.accusi[seat.line])


def _knock_too_early(deal: TableDeal, seat: Seat) -> bool:
    if deal.play.open.plays:
        return False
    ready = [
        card
        for card in deal.allowed(seat)
        if is_suit(card) and card[0] != KING and not deal.king_played(TRICKS.suit(card) or "")
    ]
    held = sum(TRICKS.suit(card) == TRUMPS for one in ANTICLOCKWISE.seats for card in deal.faces(one))
    if not ready or held <= 2:
        return False
    printed = deal.rng.choice(ready)
    laid = deal.lay(seat, printed)
    cue = deal.script.do(Tap(seat, TRICK), deal.act("signal", seat, signal="busso"))
    deal.inject("T11a", seat, "busso before the King", (printed,), laid, cue)
    rules(deal, "T11a", seat)
    deal.only_scartini.add(seat.line)
    return True


def _pauses(deal: TableDeal, seat: Seat) -> bool:
    own = [card for card in deal.allowed(seat) if deal.led is None or TRICKS.suit(card) == deal.led]
    if not own or own == [MATTO]:
        return False
    printed = deal.rng.choice([card for card in own if card != MATTO] or own)
    if TRICKS.suit(printed) is None:
        return False
    deal.script.wait(7.0)
    cue = deal.lay(seat, printed)
    deal.inject("T12", seat, "seven seconds", (printed,), cue, cue)
    rules(deal, "T12", seat, option="caution")
    return True


def _shows_a_card(deal: TableDeal, seat: Seat) -> bool:
    other = deal.rng.choice([one for one in ANTICLOCKWISE.seats if one is not seat])
    if len(deal.hand(other)) < 3:
        return False
    card = deal.rng.choice(deal.hand(other))
    x, y = _AT[other]
    cue = deal.script.do(ExposeGesture(other, (card,), x, y), deal.act("expose", other, (card,)))
    deal.script.wait(2.5)
    deal.script.do(TakeUp(other, (card,)))
    deal.inject("T13b", other, "fell before him", (card,), cue, cue)
    return True


def _wrong_card(deal: TableDeal, seat: Seat) -> str | None:
    """Return a card of ``seat`` that does not follow though it holds the suit led; None if it has no choice."""
    led = deal.led
    if led is None or led == TRUMPS or len(deal.play.taken) > 10:
        return None
    own = [card for card in deal.faces(seat) if TRICKS.suit(card) == led]
    others = sorted(card for card in deal.faces(seat) if TRICKS.suit(card) not in (led, None))
    return deal.rng.choice(others) if own and others else None


def _revokes(deal: TableDeal, seat: Seat) -> bool:
    printed = _wrong_card(deal, seat)
    if printed is None or deal.led is None:
        return False
    cue = deal.lay(seat, printed)
    deal.waiting.append((seat, deal.led, "T14", printed, cue))
    return True


def _mends_a_revoke(*, last: bool) -> Callable[[TableDeal, Seat], bool]:
    """Comma 14: the wrong card is replaced before an opponent plays; ``last``: before the trick is gathered."""

    def commit(deal: TableDeal, seat: Seat) -> bool:
        printed = _wrong_card(deal, seat)
        if printed is None or last is not (len(deal.play.open.plays) == LAST):
            return False
        card = deal.physical(seat, printed)
        cue = deal.script.do(PlayGesture(seat, card))
        deal.script.wait(deal.rng.uniform(0.3, 2.0))
        deal.script.do(TakeUp(seat, (card,)))
        deal.inject("T14", seat, "replaced at once", (printed,), cue, cue, demanded=False)
        deal.lay(seat, deal.rng.choice(deal.allowed(seat)))
        return True

    return commit


def _keeps_his_trumps(deal: TableDeal, seat: Seat) -> bool:
    led = deal.led
    if led is None or led == TRUMPS:
        return False
    hand = deal.faces(seat)
    own = [card for card in hand if TRICKS.suit(card) == led]
    owed = [card for card in hand if TRICKS.suit(card) == TRUMPS]
    third = sorted(card for card in hand if TRICKS.suit(card) not in (led, TRUMPS, None))
    if own or not owed or not third:
        return False
    printed = deal.rng.choice(third)
    cue = deal.lay(seat, printed)
    deal.rulings.append(lambda end: deal.inject("T14b", seat, "trump kept", (printed,), cue, end))
    return True


def _lays_all_down(deal: TableDeal, seat: Seat) -> bool:
    if deal.play.open.plays or not 3 <= len(deal.hand(seat)) <= 6:
        return False
    best = max((TRICKS.height(card) for card in deal.faces(seat) if TRICKS.suit(card) == TRUMPS), default=0)
    higher = [
        card
        for one in ANTICLOCKWISE.seats
        if one is not seat
        for card in deal.faces(one)
        if TRICKS.suit(card) == TRUMPS and TRICKS.height(card) > best
    ]
    if len(higher) < 3:
        return False
    cards = deal.hand(seat)
    x, y = _AT[seat]
    cue = deal.script.do(ExposeGesture(seat, cards, x, y), deal.act("claim", seat, cards))
    deal.script.wait(2.0)
    deal.inject("T15", seat, "higher trumps are out", cards, cue, cue)
    rules(deal, "T15", seat)
    deal.over, deal.counts = True, False  # whose the others' cards are the Giuria says
    deal.end_cue = cue
    return True


def _out_of_turn(*, taken_back: bool) -> Callable[[TableDeal, Seat], bool]:
    def commit(deal: TableDeal, seat: Seat) -> bool:
        early = ANTICLOCKWISE.next(seat)
        if not deal.play.open.plays or deal.play.open.card_of(early) is not None:
            return False
        printed = deal.rng.choice(deal.allowed(early))
        card = deal.physical(early, printed)
        cue = deal.script.do(PlayGesture(early, card)) if taken_back else deal.lay(early, printed)
        deal.script.wait(3.0)
        if taken_back:
            deal.script.do(TakeUp(early, (card,)))
            deal.script.wait(deal.rng.uniform(0.5, 2.0))
        deal.inject("T18", early, "before the player on turn", (printed,), cue, cue, demanded=not taken_back)
        deal.lay(seat, deal.rng.choice(deal.allowed(seat)))
        return True

    return commit


def _by_a_person(row: str, what: str) -> Callable[[TableDeal, Seat], bool]:
    """Commit a fault that only a person sees or hears: the Giudice enters it, and the table accuses no other."""

    def commit(deal: TableDeal, seat: Seat) -> bool:
        cue = deal.script.mark().cues - 1
        deal.script.wait(0.2)
        deal.inject(row, seat, what, (), cue, cue, demanded=False)
        rules(deal, row, seat)
        return True

    return commit


def _changes_scarto(deal: TableDeal, seat: Seat) -> bool:
    """Let the scartatore take a card of his scarto for another one, be seen to, and have to put it back (comma 6)."""
    who, pile = deal.scartatore, tricks(deal.scartatore.line)
    others = [card for card in deal.hand(who) if worth(face(card)) != FIVE]
    if deal.play.taken or not deal.play.open.plays or seat is who or not others:
        return False
    cue = deal.script.do(TakeHeap(who, pile, count=1))
    taken = next(card for card in deal.scarto if card in deal.hand(who))
    other = deal.rng.choice(sorted(others))
    deal.script.do(PutDown(who, (other,), pile))
    deal.inject("T06b", who, "another card for one of the scarto", (), cue, cue, demanded=False)
    rules(deal, "T06b", who)
    deal.script.do(TakeHeap(who, pile, count=1))
    deal.script.do(PutDown(who, (taken,), pile))
    return True


def _one_too_few(deal: TableDeal, _seat: Seat) -> bool:
    """Inject the fault of hands dealt fourteen and sixteen cards: it shows in the last trick (commas 7 and 17)."""
    if deal.misdealt is None:
        return False
    short, long = deal.misdealt
    deal.counts = False  # what the deal counts the Giuria says
    deal.inject("T07b", short, "fourteen cards", (), deal.end_cue, deal.end_cue)
    deal.inject("T07b", long, "sixteen cards", (), deal.end_cue, deal.end_cue, demanded=False)
    return True


def _wrong_talk(deal: TableDeal, seat: Seat) -> bool:
    cue = deal.script.mark().cues - 1
    deal.script.wait(0.2)
    deal.inject("T03", seat, "talked", (), cue, cue, demanded=False)
    return True


_KINDS: Final = (
    TrickFaultKind("T08", TrickMoment.DEALT, _misdealt, misdeals=("T08",)),
    TrickFaultKind("T08", TrickMoment.DEALT, _misdealt, way="twice", misdeals=("T08", "T08"), loses=True),
    TrickFaultKind("T08", TrickMoment.DEALT, _misdealt, way="apart", misdeals=("T07", "T08")),
    TrickFaultKind(
        "T08",
        TrickMoment.DEALT,
        _misdealt,
        way="together",
        misdeals=("T07", "T08"),
        loses=True,
        options={"misdeals_together": True},
    ),
    TrickFaultKind("T09", TrickMoment.SCARTO, _scarto_of(3)),
    TrickFaultKind("T09", TrickMoment.SCARTO, _scarto_of(1), way="one"),
    TrickFaultKind("T09c", TrickMoment.SCARTO, _scarto_put_right),
    TrickFaultKind("T09b", TrickMoment.SCARTO, _five_in_scarto),
    TrickFaultKind("T10", TrickMoment.TURN, _late_accuso, (2, 4)),
    TrickFaultKind("T11a", TrickMoment.TURN, _knock_too_early, (1, 6)),
    TrickFaultKind("T12", TrickMoment.TURN, _pauses, (2, 12)),
    TrickFaultKind("T13b", TrickMoment.TURN, _shows_a_card, (2, 10)),
    TrickFaultKind("T14", TrickMoment.TURN, _revokes, (1, 8)),
    TrickFaultKind("T14", TrickMoment.TURN, _mends_a_revoke(last=False), (1, 8), told=False, way="mended"),
    TrickFaultKind("T14", TrickMoment.TURN, _mends_a_revoke(last=True), (1, 8), told=False, way="mended-by-the-last"),
    TrickFaultKind("T14b", TrickMoment.TURN, _keeps_his_trumps, (2, 12)),
    TrickFaultKind("T15", TrickMoment.TURN, _lays_all_down, (10, 12)),
    TrickFaultKind("T18", TrickMoment.TURN, _out_of_turn(taken_back=False), (2, 12)),
    TrickFaultKind("T18", TrickMoment.TURN, _out_of_turn(taken_back=True), (2, 12), told=False, way="taken-back"),
    TrickFaultKind("T03", TrickMoment.TURN, _wrong_talk, (2, 10), told=False),
    TrickFaultKind("T02", TrickMoment.TURN, _by_a_person("T02", "a sign to his partner"), (2, 10), told=False),
    TrickFaultKind("T05", TrickMoment.TURN, _by_a_person("T05", "dealt out of order"), (1, 1), told=False),
    TrickFaultKind(
        "T06", TrickMoment.TURN, _by_a_person("T06", "looked at his cards before the scarto"), (1, 1), told=False
    ),
    TrickFaultKind("T06b", TrickMoment.TURN, _changes_scarto, (1, 1), told=False),
    TrickFaultKind("T07b", TrickMoment.END, _one_too_few, misdealt=True),
)
KINDS: Final = {kind.name: kind for kind in _KINDS}
"""Every fault that can be staged, by name."""
