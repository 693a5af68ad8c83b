"""Movements of cards → what they mean in Burraco. The reading looks at the deal as it stands; it judges nothing.

Where tracking names no seat the action names none either; the deal then supposes the one whose turn it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from hw.cards import UNKNOWN, CardError, face, parse_card, same_face
from hw.seats import SEATS, Line, Seat
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, TABLE, gate, hand, is_melds, melds, side, zone_line, zone_seat
from table_service.games.burraco.remedies import is_penalised, is_remedy, ruled_apart, taken_out, who_takes
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.meld import by_rank
from table_service.games.burraco.rules.places import Cards, matching
from table_service.games.burraco.rules.uncovering import Hidden, covering, hidden_card, hiders
from table_service.referee.values import Sanction
from table_service.tracking.movements import Movement, RowChanged

A = TypeVar("A", bound=act.Action)

_HANDS: Final = {**{hand(seat): seat for seat in SEATS}, **{gate(seat): seat for seat in SEATS}}
_SIDES: Final = frozenset(map(side, SEATS))
_HAND: Final = "hand"
_SUPPOSED: Final = 0.7
"""How sure the seat is where no hand was seen but the order of play leaves one."""
_UNSEEN: Final = 0.5
"""How sure a draw is that only the stock shows: a discard and the next draw, weighed as one change."""
_PICTURES: Final = 3.0
"""Seconds after a discard within which cards that nobody was seen to lay are supposed to have been laid before it."""
_GUESSED: Final = 0.4
"""How sure it is who takes a pot where those who seem to take it have had theirs."""
_STRAY: Final = 3
"""Up to so many cards seem to lie upon the pots where a hand leans on them."""
_JUST_BEFORE: Final = 1e-6
"""Seconds by which a card left lying counts as discarded before the next player acts."""
_known: dict[str, str] = {}


def card_of(text: str) -> str:
    """The card that ``text`` names; ``??`` where it names none of this game."""
    try:
        return _known[text]
    except KeyError:
        try:
            card = parse_card(text)
        except CardError:
            card = UNKNOWN
        if len(_known) < 1000:
            _known[text] = card
        return card


def _kind(zone: str | None) -> str:
    """What sort of place ``zone`` is: hand (also where nobody saw), stock, discard, pots, melds, side or table."""
    if zone is None or zone in _HANDS:
        return _HAND
    if zone in (STOCK, GATE_STOCK):
        return STOCK
    if zone in (DISCARD, POTS):
        return zone
    if is_melds(zone):
        return "melds"
    return "side" if zone in _SIDES else TABLE


class Reader:
    """Reads one movement at a time.

    ``returning``: seats that a ruling has told to put pile cards back; ``owing``: to put cards back onto the stock;
    ``back``: the cards that each is to take back; ``restoring``: the seats that put a pot together again;
    ``gates``: those whose gate is known to answer; ``over``: who has just turned his hand-shield over; ``owed``: what
    rulings have left to be done, ``named`` the cards that they were about; ``settles``: the deal is over and the
    arbitro has ruled on its last turn since, so that cards are still moved to carry that out.
    """

    def __init__(
        self,
        deal: Deal,
        returning: frozenset[Seat] = frozenset(),
        pot_sign: Seat | None = None,
        owing: frozenset[Seat] = frozenset(),
        back: Mapping[Seat, Cards] = MappingProxyType({}),
        restoring: frozenset[Seat] = frozenset(),
        gates: frozenset[Seat] = frozenset(),
        over: Seat | None = None,
        owed: tuple[Sanction, ...] = (),
        named: Cards = (),
        *,
        settles: bool = False,
    ) -> None:
        self._deal = deal
        self._owed = owed
        self._named = named
        self._settles = settles
        self._gates = gates
        self._over = over
        self._returning = returning
        self._owing = owing
        self._back = back
        self._restoring = restoring
        self._pot_sign = pot_sign

    def read(self, move: Movement) -> tuple[act.Action, ...]:
        """The actions that ``move`` amounts to, in order; none where it means nothing to the game."""
        source, target = _kind(move.source), _kind(move.target)
        if self._deal.phase is Phase.OVER:
            return self._after_the_end(move, source, target)
        return self._in_play(move, source, target)

    def _after_the_end(self, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
        """What is moved when the deal is over: a pot that was due, and what carries out a ruling before the count."""
        if (source, target) == (POTS, _HAND):
            return self._from_pots(move)
        actions = self._in_play(move, source, target) if self._settles else ()
        return tuple(action for action in actions if is_remedy(self._deal, self._owed, self._named, action))

    def _in_play(self, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
        if (source, target) == (_HAND, _HAND):
            return self._hand_to_hand(move)
        ending = self._left_behind(move, source, target)
        if target == "melds":
            return (*ending, *self._laid(move, source))
        if target == _HAND:
            return (*ending, *self._taken(move, source))
        return self._put(move, source, target)

    def _make(self, kind: type[A], move: Movement | RowChanged, cards: Cards = (), **more: Any) -> A:
        return kind(
            id=move.id,
            t=move.t,
            cards=cards,
            basis=move.basis,
            frames=move.frames,
            **{"committed_t": move.committed_t, "confidence": move.confidence, "seat": self._seat(move), **more},
        )

    def _seat(self, move: Movement | RowChanged) -> Seat | None:
        if move.seat is not None or isinstance(move, RowChanged):
            return move.seat
        return _HANDS.get(move.source or "") or _HANDS.get(move.target or "")

    @staticmethod
    def _cards(move: Movement) -> Cards:
        return tuple(map(card_of, move.cards))

    def _left_behind(self, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
        """The card that who took the pile left behind is his discard, once the next player acts (art. 9).

        Of several it is the highest in rank. A single one is so at once: then it is also for the next player's laying
        and for a draw of his own, which comes after his turn.
        """
        deal, seat = self._deal, self._seat(move)
        rest = deal.pile
        if not deal.begun or not deal.collected or not rest or deal.pile_was != len(deal.collected) + len(rest):
            return ()
        taking = target == _HAND and source in (STOCK, DISCARD)
        laying = target == "melds" and source == _HAND
        alone = len(rest) == 1 and move.seat is not None and DISCARD not in deal.places.unverified
        if seat is deal.to_play.next:
            if not (taking or (laying and alone)) or (len(rest) > 1 and move.seat is None):
                return ()
        elif not (alone and seat is deal.to_play and taking and source == STOCK and deal.seen):
            return ()
        highest = (UNKNOWN,) if UNKNOWN in map(face, rest) else by_rank(rest)[:1]
        cards = rest if len(rest) == 1 else highest
        then = move.committed_t - _JUST_BEFORE
        return (self._make(act.Discard, move, cards, seat=deal.to_play, left=True, committed_t=then),)

    def _taken(self, move: Movement, source: str) -> tuple[act.Action, ...]:
        cards = self._cards(move)
        if source == STOCK:
            return (self._make(act.Draw, move, cards),)
        if source == DISCARD:
            who = self._told_back(move)
            owed = () if who is None else self._back.get(who, ())
            if owed and len(cards) <= len(owed) and set(map(face, owed)) == {UNKNOWN}:
                return (self._make(act.TakeBack, move, (UNKNOWN,) * len(cards), zone=DISCARD, seat=who),)
            if _may_be(owed, cards) or self._restores(who, cards) or self._undoes(cards):
                return (self._make(act.TakeBack, move, cards, zone=DISCARD, seat=who),)
            return (self._make(act.Collect, move, cards, **self._collector(move)),)
        if source == POTS:
            return self._from_pots(move)
        if source == "melds":
            result = tuple(map(card_of, move.result))
            if self._reads_so(_row(move), result):
                return ()
            taker = self._out_of_row(move, cards)
            return (self._make(act.TakeBack, move, cards, zone=move.source, row=_row(move), result=result, **taker),)
        zone = self._loose(move.source)
        if not self._lies_there(cards, zone):
            return ()
        lies = self._deal.exposed(cards[0]) if zone == TABLE and cards else None
        if lies is None:
            return (self._make(act.TakeBack, move, cards, zone=zone),)
        whose = lies.seat if lies.seen else self._seat(move)
        return (self._make(act.TakeBack, move, cards, zone=zone, holder=lies.seat, seat=whose),)

    def _told_back(self, move: Movement) -> Seat | None:
        """Who takes cards of the pile that he may have been told to take back: who was seen, else the only one told."""
        seen = self._seat(move)
        if seen is not None or self._deal.begun or len(self._back) != 1:
            return seen
        return next(iter(self._back))

    def _restores(self, who: Seat | None, cards: Cards) -> bool:
        """Whether ``who``, told to put a pot together again, takes up the discard of it that he has just made."""
        return who in self._restoring and len(cards) == 1 and who is self._deal.last_out and not self._deal.begun

    def _undoes(self, cards: Cards) -> bool:
        """Whether ``cards``, taken off the pile when the deal is over, are those of a ruling and not the whole pile."""
        few = len(cards) <= len(self._named) + 1 and len(cards) < len(self._deal.pile)
        return self._settles and few and bool(matching(self._named, cards))

    def _just(self, move: Movement) -> bool:
        """Whether ``move`` was made before the last discard, or was seen no later than a picture or two after it."""
        return move.committed_t < self._deal.last_out_t + _PICTURES

    def _out_of_row(self, move: Movement, cards: Cards) -> dict[str, Any]:
        """Where no hand was seen at a meld that cards leave: who was told to take them, else one of its line."""
        deal, line = self._deal, zone_line(move.source or "")
        if self._seat(move) is not None or line is None:
            return {}
        told = who_takes(self._owed, line, cards)
        last = deal.to_play if deal.begun or deal.last_out is None else deal.last_out
        whose = told or next((seat for seat in (deal.to_play, last) if seat.line is line), None)
        return {} if whose is None else {"seat": whose, "confidence": _UNSEEN}

    def _reads_so(self, row: int, result: Cards) -> bool:
        """Whether the ledger has the cards of ``row`` gone already: frames show it later than where they went."""
        meld = self._deal.meld(row)
        return sorted(map(face, result)) == sorted(map(face, () if meld is None else meld.cards))

    def _lies_there(self, cards: Cards, zone: str = TABLE) -> bool:
        """Whether ``cards`` still lie loose; where they do not, they have been laid or discarded meanwhile."""
        lying = self._deal.at(zone)
        return len(cards) <= len(lying) and all(
            UNKNOWN in (card, *lying) or any(same_face(card, one) for one in lying) for card in cards
        )

    def _taken_up(self, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
        """Of ``cards``, that go to meld or pile, those that lay exposed or penalised: they go through their hand.

        The ledger gives them back to the hand first, so that they are not taken from the cards held in it.
        """
        seat, back = self._seat(move), []
        lying = list(self._deal.at(TABLE))
        beside = [] if seat is None else list(self._deal.at(side(seat)))
        for card in cards:
            at = next((n for n, one in enumerate(beside) if same_face(one, card)), None)
            if at is not None and seat is not None and self._is_beside(card, beside[at], seat):
                beside.pop(at)
                back.append(self._make(act.Shift, move, (card,), source=side(seat), target=hand(seat), seat=seat))
                continue
            lies = self._deal.exposed(card)
            at = next((n for n, one in enumerate(lying) if same_face(one, card)), None)
            if lies is None or at is None or (lies.seen and seat is not None and lies.seat is not seat):
                continue
            lying.pop(at)
            back.append(self._make(act.Shift, move, (card,), source=TABLE, target=hand(lies.seat), seat=lies.seat))
        return tuple(back)

    def _is_beside(self, card: str, beside: str, seat: Seat) -> bool:
        """Whether ``card`` is the one ``beside`` the player, and no other copy that he is known to hold."""
        if "#" in card and "#" in beside:
            return card == beside
        if is_penalised(self._owed, seat, card, self._deal.at(side(seat))):
            return True
        return not any(same_face(card, one) for one in self._deal.hand(seat) if face(one) != UNKNOWN)

    def _collector(self, move: Movement) -> dict[str, Any]:
        """Where no hand was seen at the pile: whose turn it is, if he has drawn nothing yet (art. 9)."""
        deal = self._deal
        if self._seat(move) is not None or deal.drawn or deal.begun or not deal.known:
            return {}
        return {"seat": deal.to_play, "supposed": True, "confidence": _SUPPOSED}

    def _in_turn(self, move: Movement, line: Line | None = None) -> dict[str, Any]:
        """Where no hand was seen: the player in turn, if he has drawn and the melds are his line's (art. 7)."""
        deal = self._deal
        if self._seat(move) is not None:
            return {}
        late = deal.last_out
        other = late is not None and late is not deal.to_play and late.line is line
        if other and self._just(move):
            return {"seat": late, "supposed": True, "confidence": _SUPPOSED}
        if not deal.drawn or not deal.known or (line is not None and line is not deal.to_play.line):
            return {}
        return {"seat": deal.to_play, "supposed": True, "confidence": _SUPPOSED}

    def _loose(self, zone: str | None) -> str:
        return zone if zone in _SIDES else TABLE

    def _laid(self, move: Movement, source: str) -> tuple[act.Action, ...]:
        cards, row = self._cards(move), _row(move)
        line = zone_line(move.target or "")
        if line is None:
            return ()
        before: tuple[act.Action, ...] = ()
        place = None
        if source == STOCK:
            before = (self._make(act.Draw, move, cards),)
        elif source == DISCARD:
            before = (self._make(act.Collect, move, cards),)
        elif source == POTS:
            before = (self._pot(move),)
        elif source == "melds":
            return ()
        elif move.source in _SIDES:
            place = move.source
        else:
            before = self._taken_up(move, cards) or self._pushed(move, line, cards)
        result = tuple(map(card_of, move.result))
        who: dict[str, Any] = {} if before and source != _HAND else self._in_turn(move, line)
        seat = self._seat(move)
        if seat is not None and seat.line is not line and "tags" not in move.basis:
            who = {"seat": None, "confidence": _UNSEEN}  # he may have pushed the melds
        hidden = None if before or place else hidden_card(self._deal, line, row, cards, result, seat, self._gates)
        if hidden is not None:
            return self._uncovered(move, hidden, line, who)
        unread = len(cards) == 1 and seat in self._gates and "#" not in cards[0]
        laid = {"row": row, "line": line, "result": result, "source": place, "unread": unread, **who}
        if self._deal.meld(row):
            return (*before, self._make(act.Extend, move, cards, **laid))
        return (*before, self._make(act.Open, move, cards, beside=move.beside, **laid))

    def _pushed(self, move: Movement, line: Line, cards: Cards) -> tuple[act.Action, ...]:
        """Cards that were ruled to lie apart and are pushed on to their meld come from where they lay (art. 29)."""
        lies = ruled_apart(self._deal, line, _row(move), self._named, cards)
        if lies is None or "tags" in move.basis:
            return ()
        return (self._make(act.TakeBack, move, lies.cards, zone=melds(line), row=lies.row, result=()),)

    def _uncovered(self, move: Movement, hidden: Hidden, line: Line, who: dict[str, Any]) -> tuple[act.Action, ...]:
        """A card comes to light in a meld (art. 26); what came beside it has been laid."""
        row, cards, result = _row(move), (hidden.card,), tuple(map(card_of, move.result))
        by = hiders(covering(self._deal, row, hidden.card, result))
        shown = self._make(act.Uncover, move, cards, row=row, line=line, result=result, by=by)
        if not hidden.laid:
            return (shown,)
        laid = {"row": row, "line": line, "result": hidden.reads, **who}
        return self._make(act.Extend, move, hidden.laid, **laid), shown

    def _put(self, move: Movement, source: str, target: str) -> tuple[act.Action, ...]:
        cards = self._cards(move)
        if target == DISCARD:
            return self._to_pile(move, source, cards)
        if source == _HAND:
            match target:
                case "stock":
                    return (self._make(act.ReturnToStock, move, cards, seat=self._owes(move)),)
                case "pots":
                    return (self._make(act.ReturnToPot, move, cards),)
                case "side":
                    return (*self._out_of_melds(move, cards), self._make(act.Penalise, move, cards, zone=move.target))
            return (self._make(act.Expose, move, cards, zone=move.target or TABLE, visible_to=move.visible_to),)
        if source in ("side", TABLE) and target in ("side", TABLE):
            zone = move.target if target == "side" else TABLE
            return (self._make(act.Shift, move, cards, source=self._loose(move.source), target=zone),)
        if source == "melds":
            return self._out_of_meld(move, cards, target)
        return (self._make(act.Shift, move, cards, source=self._stack(source), target=self._stack(target)),)

    def _out_of_melds(self, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
        """Of ``cards``, that come to lie beside a player, those that a ruling has told to take out of a meld.

        An arm may hide the melds: then frames show the card beside him first, as if it came from his hand.
        """
        whose = zone_seat(move.target or "")
        told = [] if whose is None else taken_out(self._deal, self._owed, whose, cards)
        return tuple(
            self._make(act.TakeBack, move, gone, zone=melds(lies.line), row=lies.row, result=stays, seat=whose)
            for lies, gone, stays in told
        )

    def _owes(self, move: Movement) -> Seat | None:
        """Whose card goes back onto the stock: that of who was told to, whoever's hand brings it; else who was seen."""
        seat = self._seat(move)
        if self._owing:
            return seat if seat in self._owing else next(one for one in SEATS if one in self._owing)
        return seat or (self._deal.out[0] if len(self._deal.out) == 1 else None)

    def _stack(self, kind: str) -> str:
        if kind == POTS:
            again = tuple(pot.place for pot in self._deal.second.values())
            return (*again, *self._deal.pots_left, "pot-1")[0]
        return kind if kind in (STOCK, DISCARD) else TABLE

    def _out_of_meld(self, move: Movement, cards: Cards, target: str) -> tuple[act.Action, ...]:
        result = tuple(map(card_of, move.result))
        back = self._make(act.TakeBack, move, cards, zone=move.source, row=_row(move), result=result)
        if target == "side":
            return back, self._make(act.Penalise, move, cards, zone=move.target)
        return back, self._make(act.Shift, move, cards, source=None, target=self._stack(target))

    def _to_pile(self, move: Movement, source: str, cards: Cards) -> tuple[act.Action, ...]:
        deal = self._deal
        if source == STOCK:
            if deal.phase is Phase.DEALT and not deal.turned_up:
                return (self._make(act.TurnUp, move, cards),)
            if deal.drawn and deal.known and self._seat(move) in (None, deal.to_play):
                draw = self._make(act.Draw, move, (UNKNOWN,), seat=None, confidence=_UNSEEN)
                if "sight" not in move.basis:  # the tag may be that of the card drawn, which is hidden
                    cards = (UNKNOWN,) * len(cards)
                return (*self._taken_up(move, cards), self._make(act.Discard, move, cards, **self._in_turn(move)), draw)
            return self._make(act.Draw, move, cards), self._make(act.Discard, move, cards)
        if source == POTS:
            return (self._make(act.Shift, move, cards, source=self._stack(POTS), target=DISCARD),)
        if source == "melds":
            result = tuple(map(card_of, move.result))
            back = self._make(act.TakeBack, move, cards, zone=move.source, row=_row(move), result=result)
            return back, self._make(act.Discard, move, cards)
        if source in ("side", TABLE):
            return self._loose_to_pile(move, cards)
        seat = self._seat(move)
        told = self._returns(seat, cards)
        if told is not None or self._is_pushed_back(seat, cards):
            return (self._make(act.ReturnToPile, move, cards, seat=told or seat),)
        if source == DISCARD:
            return ()
        if seat is None and deal.drawn and move.committed_t < deal.began_t:
            whose = deal.last_out or deal.to_play  # of an earlier turn, in which it was missed: it ends none now
            return (self._make(act.Shift, move, cards, source=None, target=DISCARD, seat=whose, confidence=_UNSEEN),)
        return (*self._taken_up(move, cards), self._make(act.Discard, move, cards, **self._in_turn(move)))

    def _returns(self, seat: Seat | None, cards: Cards) -> Seat | None:
        """Who brings cards back onto the pile as he was told; whose hand does it, where no beam saw one, is plain.

        A single card is his where it may be one of the pile's, or where nobody is playing who could discard.
        """
        if seat is not None:
            return seat if seat in self._returning else None
        told = next((one for one in SEATS if one in self._returning), None)
        owed = tuple(card for one in self._owed if one.duty.do == "return-to-pile" for card in one.cards)
        his = len(cards) > 1 or not self._deal.begun or bool(matching(owed, cards))
        return told if his else None

    def _is_pushed_back(self, seat: Seat | None, cards: Cards) -> bool:
        """Whether just the pile that was thought to be collected lies there again: it was only looked at (art. 9)."""
        deal = self._deal
        mine = seat in (None, deal.to_play) and deal.last_play is None and deal.collected is not None
        return mine and len(cards) > 1 and sorted(map(face, cards)) == sorted(map(face, deal.collected or ()))

    def _loose_to_pile(self, move: Movement, cards: Cards) -> tuple[act.Action, ...]:
        """A card that lay on the table is discarded: by whom it was exposed, where no hand was seen."""
        up = self._taken_up(move, cards) if move.source not in _SIDES else ()
        if up:
            seat = self._seat(move) or up[0].seat
            return (*up, self._make(act.Discard, move, cards, seat=seat))
        place = self._loose(move.source)
        if place == TABLE and not self._lies_there(cards):
            return (self._make(act.Discard, move, cards, **self._in_turn(move)),)
        return (self._make(act.Discard, move, cards, source=place),)

    def _hand_to_hand(self, move: Movement) -> tuple[act.Action, ...]:
        if move.source is None or move.target is None or _HANDS[move.source] is _HANDS[move.target]:
            return ()
        source, target = hand(_HANDS[move.source]), hand(_HANDS[move.target])
        return (self._make(act.Shift, move, self._cards(move), source=source, target=target),)

    def _from_pots(self, move: Movement) -> tuple[act.Action, ...]:
        """A pot is taken; or what had come to lie upon the pots, as where a hand leant there, goes again."""
        deal, left = self._deal, self._deal.pots_left
        over = sum(len(deal.at(place)) for place in left) - len(left) * deal.book.pot_cards
        if left and 0 < len(move.cards) <= over <= _STRAY:
            seat = self._seat(move) or deal.to_play
            return (self._make(act.Shift, move, self._cards(move), source=left[0], target=hand(seat)),)
        return (self._pot(move),)

    def _pot(self, move: Movement) -> act.TakePot:
        """Who takes a pot is the one whose hand is empty; the hand seen at the pots may be that of who serves it."""
        deal = self._deal
        by = move.seat if "reach" in move.basis else None
        empty = [seat for seat in SEATS if deal.count(seat) == 0 and deal.pot_is_open(seat.line)]
        again = [] if empty else self._once_more()
        order = [seat for seat in (deal.to_play, deal.last_out) if seat in (*empty, *again)] or empty
        sure = move.confidence
        seat: Seat | None
        if order:
            out = deal.last_out
            seat = out if out is not None and out in (*empty, *again) and not deal.begun else order[0]
        elif (seat := self._taking_on()) is None:
            told = self._pot_sign or self._seat(move)
            seat = self._entitled(told)
            sure = min(sure, 0.5 if seat is told else _GUESSED)
        running = seat is None or (seat is deal.to_play and deal.begun)
        manner: act.PotManner = "in-flight" if running else "discard"
        return self._make(act.TakePot, move, self._cards(move), manner=manner, seat=seat, confidence=sure, by=by)

    def _entitled(self, seat: Seat | None) -> Seat | None:
        """``seat``, or where its line has had its pot and nothing proves that it takes another, one who may take it."""
        deal = self._deal
        if seat is None or deal.pot_is_open(seat.line) or (seat is self._over and bool(deal.pots_left)):
            return seat  # who has turned his shield over takes it, though it is his line's second (art. 23)
        due = [one for one in (deal.to_play, deal.last_out, *SEATS) if one is not None and deal.pot_is_open(one.line)]
        return due[0] if due else seat

    def _once_more(self) -> list[Seat]:
        """Who has played out his hand although his line has had its pot, where nobody else can be meant (art. 23)."""
        deal = self._deal
        others = [seat for seat in SEATS if deal.pot_is_open(seat.line)]
        if not deal.pots_left or any(not deal.sure_of(seat) for seat in others):
            return []
        return [seat for seat in SEATS if deal.owns(seat) == 0 and deal.sure_of(seat) and seat.line in deal.pots_taken]

    def _taking_on(self) -> Seat | None:
        """Who holds a part of a pot whose rest still lies there: he is taking it in several grips."""
        deal = self._deal
        taken = (*deal.second.values(), *deal.pots_taken.values())
        return next((pot.seat for pot in taken if deal.at(pot.place) and deal.count(pot.seat)), None)


def read_row(change: RowChanged, deal: Deal) -> tuple[act.Action, ...]:
    """What a meld that reads otherwise amounts to: a re-ordering, or a better reading of what lay there."""
    line = zone_line(change.zone)
    if line is None or deal.phase is Phase.OVER:
        return ()
    return (
        act.Change(
            id=change.id,
            t=change.t,
            committed_t=change.committed_t,
            seat=change.seat,
            confidence=change.confidence,
            basis=change.basis,
            frames=change.frames,
            row=change.row,
            line=line,
            result=tuple(map(card_of, change.after)),
            why="corrected" if change.corrected else "reordered",
        ),
    )


def _row(move: Movement) -> int:
    return -1 if move.row is None else move.row


def _may_be(owed: Cards, cards: Cards) -> bool:
    """Whether ``cards``, of which some are not known, may be of those that are ``owed``."""
    known = tuple(card for card in cards if face(card) != UNKNOWN)
    return bool(owed) and len(cards) <= len(owed) and len(matching(owed, known)) == len(known)
