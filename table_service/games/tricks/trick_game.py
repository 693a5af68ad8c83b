"""A trick-taking game at one table (``table.game_protocol.Game``): its facts written as events and irregularities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from hw.equipment import Equipment
from hw.observation_log import Header
from hw.observations import Button, Reach, Tags
from hw.seats import LINES, Seat
from hw.zones import gate
from table_service.events import payloads as say
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.orders import Confirm, Correct, Dismiss, Order, Rule, Warn
from table_service.games.tricks.trick_code import TrickCode, total
from table_service.games.tricks.trick_deal import (
    Act,
    Drawn,
    Fact,
    FoundRevoke,
    GatheredTrick,
    HandNoticed,
    LaidInTrick,
    OutOfTurn,
    TrickDeal,
    TurnedUp,
    Unproved,
    after,
    first,
)
from table_service.referee.catalogue import Catalogue
from table_service.referee.irregularity_keeper import IrregularityKeeper, PlainRulings
from table_service.referee.round import RoundBook
from table_service.referee.round_options import mark_of, opening
from table_service.referee.values import Irregularity, Sanction
from table_service.table.game_fold import GameFold
from table_service.table.game_protocol import Beginning, DealEnd, NoDoubts, Now, Revision, Sensed, Signal
from table_service.table.history import History, Reported
from table_service.table.round_state import CodeFacts
from table_service.table.score_items import ScoreSheet
from table_service.table.scores import Count
from table_service.table.table_parts import TableParts, open_table
from table_service.tracking.movements import Movement, Named, Retracted


class TrumpTurned(say.Payload):
    """``card`` was turned up for trump."""

    card: str


class PlayedToTrick(say.Payload):
    """A card was played to trick ``trick``, from 1."""

    card: str
    trick: int


class WonTrick(say.Payload):
    """Trick ``trick`` was gathered. ``cards``: in the order in which they were played; ``by``: the winner, if known."""

    trick: int
    cards: tuple[str, ...]
    by: str | None


class DrawnCard(say.Payload):
    """A card was drawn from the stock (``??``), or the trump card from under it."""

    card: str


PAYLOADS: Final[dict[str, type[say.Payload]]] = {
    **say.PLAY,
    "trump.turned": TrumpTurned,
    "trick.played": PlayedToTrick,
    "trick.won": WonTrick,
    "card.drawn": DrawnCard,
}


@dataclass(frozen=True, slots=True)
class NoSanctions:
    """The sanctions of a game that watches none after a ruling."""

    in_force: tuple[Sanction, ...] = ()


class TrickReferee(IrregularityKeeper[TrickDeal]):
    """Keeps the irregularities of one round; a ruling changes nothing but the irregularity."""

    def __init__(self, code: TrickCode, catalogue: Catalogue, book: RoundBook, mark: str = "") -> None:
        """``mark``: sets the keys of this start of the table apart from those of others."""
        super().__init__(catalogue, code.pack, PlainRulings[TrickDeal](code.pack, "no deal is running"), book, mark)
        self.sanctions = NoSanctions()


@dataclass(frozen=True, slots=True)
class DealInPlay:
    """The deal that runs, and its acts."""

    number: int
    dealer: Seat
    history: History[TrickDeal, Act, Fact]


class TrickGame:
    """One table of a trick-taking game."""

    def __init__(self, code: TrickCode, table: TableParts, referee: TrickReferee) -> None:
        self.code = code
        self.referee = referee
        self.doubts = NoDoubts()
        self._table = table
        self._running: DealInPlay | None = None
        self._reported: Reported[Fact, str] = Reported(self)
        self._counted: Count | None = None
        self._t, self._why = 0.0, ""

    @property
    def deal(self) -> TrickDeal | None:
        """The deal that runs, or has run last; None before the first."""
        return None if self._running is None else self._running.history.deal

    @property
    def in_play(self) -> bool:
        """True if a deal has begun and is not over."""
        return self._running is not None and "over" not in self._reported

    def begin(self, beginning: Beginning) -> None:
        """Begin a deal; the player after the dealer leads."""
        number, dealer = beginning.number, beginning.dealer
        self._reported.clear()
        self._running, self._counted = None, None
        if number is not None and dealer is not None:
            leader = self.code.rotation.next(dealer) if self.code.rotation.holds(dealer) else None
            self._running = DealInPlay(number, dealer, History(first(self.code, leader), after))

    def moved(self, move: Movement) -> None:
        """Take a movement of the deal that runs."""
        if self._running is not None and self.in_play:
            self._running.history.insert(move)
            self._tell(move.t)

    def revised(self, revision: Revision) -> None:
        """Take what is known better of a movement."""
        if self._running is None or not isinstance(revision, Named | Retracted):
            return
        history = self._running.history
        moves = [one for one in history if isinstance(one, Movement)]
        move = next((one for one in moves if one.id == revision.movement), None)
        if move is None:
            return
        if isinstance(revision, Named):
            history.replace(move, replace(move, cards=revision.cards))
            self._tell(revision.t)
        else:
            history.remove(move)
            self._tell(revision.t, revision.reason)

    def _tell(self, t: float, why: str = "") -> None:
        assert self._running is not None  # noqa: S101 - both callers have looked
        self._t, self._why = t, why
        deal = self._running.history.deal
        taken = sum(len(one.trick.plays) for one in deal.play.taken)
        self._table.voice.turn = taken + len(deal.play.open.plays)
        self._reported.compare(self._running.history.facts)
        if not self.in_play:
            self._count(t)

    # -- facts that are new, otherwise, or none any more (``table.history.Writer``) ----------------------------------

    def report(self, fact: Fact) -> str | None:
        """Report ``fact``; return the id of its event, or the key of its irregularity; None: nothing is reported."""
        match fact:
            case Unproved():
                return None
            case TurnedUp(move=move, card=card):
                return self._say("trump.turned", TrumpTurned(card=card), move)
            case LaidInTrick(move=move, card=card, trick=trick):
                return self._say("trick.played", PlayedToTrick(card=card, trick=trick), move)
            case GatheredTrick(move=move, taken=one):
                data = WonTrick(trick=one.number, cards=one.trick.cards, by=one.by)
                return self._say("trick.won", data, move)
            case Drawn(move=move, card=card, shown=shown):
                secret = None if shown else {"card": card}
                return self._say("card.drawn", DrawnCard(card=card if shown else "??"), move, secret)
            case say.DealEnded():
                return self._table.voice.say("deal.ended", fact, self._t).id
            case _:
                found = self.referee.enter(self._irregularity(fact))
                self._table.reporting.tell(found)
                return found.key

    def correct(self, name: str, was: Fact, fact: Fact) -> str | None:
        """Name a card of an event or of an open irregularity; what is otherwise beside its card is reported anew."""
        if isinstance(fact, Unproved):
            self.retract(name, was)
            return name
        if _without_card(was) != _without_card(fact) or isinstance(fact, GatheredTrick):
            self.retract(name, was)
            return self.report(fact)
        if isinstance(fact, OutOfTurn):
            one = self.referee.get(name)
            if one is not None and one.state == "open" and one.cards != (fact.played.card,):
                self._table.reporting.tell(self.referee.change(one, self._t, cards=(fact.played.card,)))
        elif isinstance(fact, LaidInTrick | TurnedUp | Drawn) and _card(was) != fact.card:
            self._named(name, fact)
        return name

    def _named(self, event: str, fact: LaidInTrick | TurnedUp | Drawn) -> None:
        hidden = isinstance(fact, Drawn) and not fact.shown
        cards = ("??",) if hidden else (fact.card,)
        secret = {"cards": [fact.card]} if hidden else None
        self._table.voice.say("card.named", say.CardNamed(event=event, cards=cards), self._t, secret=secret)

    def retract(self, name: str, fact: Fact) -> None:
        """Retract the event called ``name``, or dismiss the irregularity of that key while it is open."""
        if isinstance(fact, OutOfTurn | FoundRevoke):
            one = self.referee.get(name)
            if one is not None and one.state == "open":
                self._table.reporting.tell(self.referee.change(one, self._t, state="dismissed"))
            return
        self._table.voice.say("event.retracted", say.EventRetracted(event=name, note=self._why), self._t)
        if isinstance(fact, say.DealEnded):
            self._counted = None
            self._table.sheets.take_back()

    def _irregularity(self, fact: OutOfTurn | FoundRevoke) -> Irregularity:
        """Describe ``fact``; the referee gives it its key."""
        if isinstance(fact, OutOfTurn):
            move, row, trick = fact.played.move, self.code.out_of_turn, fact.played.trick
            offender, victim, cards = fact.played.seat, fact.due, (fact.played.card,)
        else:
            assert self.code.revoke is not None  # noqa: S101 - none is found without its row
            move, row, trick = fact.move, self.code.revoke, fact.revoke.number
            offender, victim, cards = fact.revoke.seat, None, (fact.revoke.card,)
        return Irregularity(
            key="",
            row=row,
            offender=offender,
            victim=victim,
            cards=cards,
            t=self._t,
            committed_t=move.committed_t,
            found="during_turn" if isinstance(fact, OutOfTurn) else "later",
            needs_referee=row.needs_referee,
            seen=True,
            confidence=move.confidence,
            basis=move.basis,
            frames=move.frames,
            movements=(move.id,),
            trick=trick,
        )

    def _say(self, type_: str, data: say.Payload, move: Movement, secret: dict[str, Any] | None = None) -> str:
        return self._table.voice.say(
            type_,
            data,
            self._t,
            move.seat,
            committed_t=move.committed_t,
            confidence=move.confidence,
            basis=move.basis,
            secret=secret,
        ).id

    # -- the count ---------------------------------------------------------------------------------------------------

    def _count(self, t: float) -> None:
        """Count the deal, or count it again where its figures have changed; None for one that was not played out."""
        deal = self.deal
        assert deal is not None  # noqa: S101 - every caller has looked
        figures = deal.figures() if deal.is_over else {line: dict.fromkeys(self._items) for line in LINES}
        lines = {str(line): {"items": dict(own), "total": total(own)} for line, own in figures.items()}
        doubtful = tuple(f"{line}.{item}" for line, own in figures.items() for item, one in own.items() if one is None)
        count = Count(lines, lines, lines, agrees=True, doubtful=doubtful, differences=())
        if count != self._counted:
            self._counted = count
            self._table.sheets.count(count, t)

    @property
    def _items(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.code.items)

    def signalled(self, signal: Signal) -> None:
        """Count a deal again that is over, when a player asks for it."""
        if isinstance(signal, Button) and signal.button == "count" and self.deal is not None and not self.in_play:
            self._counted = None
            self._count(signal.t)

    def ordered(self, order: Order) -> None:
        """Follow the arbitro's ruling; say of other orders that there are none."""
        if isinstance(order, Rule | Dismiss):
            self._table.reporting.tell_all(self.referee.order(order, self.deal, self._table.voice.chain))
        elif isinstance(order, Confirm | Warn | Correct):
            self._table.voice.ignored(f"{self.code.title} knows no order '{order.do}'", order.t)

    def at(self, now: Now) -> None:
        """Time changes nothing."""

    def sensed(self, sensed: Sensed) -> None:
        """Take note of a hand that comes and of a card at a gate: a card may have been laid unseen."""
        seen, seat = sensed.observation, None
        if isinstance(seen, Reach) and seen.phase == "in":
            seat = seen.seat
        elif isinstance(seen, Tags) and seen.tags:
            seat = next((one for one in self.code.rotation.seats if gate(one) == seen.zone), None)
        if seat is not None and self._running is not None and self.in_play:
            self._running.history.insert(HandNoticed(seat, seen.t))

    def end(self, end: DealEnd) -> None:
        """Count a deal that was not counted."""
        running = self._running
        if running is not None and self._table.sheets.score is None and end.following != running.number:
            self._count(end.t)

    def state(self) -> dict[str, Any]:
        """Return what everybody may see of the deal."""
        if self._running is None:
            return {"deal": None}
        deal = self._running.history.deal
        won = deal.won()
        return {
            "deal": self._running.number,
            "dealer": self._running.dealer,
            "phase": "playing" if self.in_play else "over",
            "turn": {"n": self._table.voice.turn, "seat": deal.play.turn if self.in_play else None},
            "trump": deal.turned or deal.code.trump,
            "trick": {
                "n": deal.play.number,
                "cards": [{"seat": seat, "card": card} for seat, card in deal.play.open.plays],
            },
            "won": {str(line): None if won is None else won[line].tricks for line in LINES},
        }


def _card(fact: Fact) -> str | None:
    """Return the card of a fact that has just one."""
    return fact.card if isinstance(fact, LaidInTrick | TurnedUp | Drawn) else None


def _without_card(fact: Fact) -> tuple[object, ...]:
    """Return what ``fact`` is beside its card and its movement, which evidence may name and better."""
    match fact:
        case LaidInTrick(seat=seat, trick=trick):
            return "played", seat, trick
        case OutOfTurn(played=played, due=due):
            return "turn", played.seat, played.trick, due
        case Drawn(shown=shown):
            return "drawn", shown
        case TurnedUp():
            return ("turned",)
        case _:
            return (fact,)


class OpenTrickFold:
    """Opens folds of tables at which one code is played (``games.definition.FoldMaker``)."""

    def __init__(self, code: TrickCode, equipment: Equipment, catalogue: Catalogue) -> None:
        self._code, self._catalogue = code, catalogue
        self._rules = CodeFacts(equipment, ScoreSheet(code.items), catalogue.tournament, rotation=code.rotation)

    def __call__(self, header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> GameFold[TrickGame]:
        """Open the fold of the table of ``header``."""
        book = opening(header, self._catalogue.tournament, {})
        referee = TrickReferee(self._code, self._catalogue, book, mark_of(header))
        table = open_table(header, self._rules, referee, boot, first)
        return GameFold(table, TrickGame(self._code, table, referee))
