"""What the parts of one table share: the round that is played, the deal that runs, and the voice that tells events."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from hw.observation_log import Header
from hw.seats import LINES, Line, Seat
from table_service.events import Envelope, Event
from table_service.events import payloads as say
from table_service.games.burraco.codes import fibur2024
from table_service.games.burraco.counting import Scores
from table_service.games.burraco.fold.gates import Gates
from table_service.games.burraco.fold.lying import Lying
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.play import apply
from table_service.games.burraco.rules.rulebook import rule_book
from table_service.games.burraco.rules.turning import TurnUp
from table_service.referee.catalogue import Catalogue, catalogue_of
from table_service.referee.chance import BEGIN, chained
from table_service.referee.round_options import opening
from table_service.tracking.movements import Movement

_PLAYED_ON: Final = 2
"""Players who draw after the end that was told: one may want to see what he would have drawn."""
CATALOGUES: Final[dict[str, Catalogue]] = {"fibur2024": fibur2024.FIBUR2024}
"""The catalogue of irregularities of each rule set."""


Change = Callable[[Deal], Deal]
"""What an order, a count or a doubt does to a deal; a pure function, done again where play is played through again."""


@dataclass(slots=True)
class Step:
    """One step of a deal and the deal before it: an action, or what was ordered, counted or doubted.

    ``action`` with the ``movement`` it was read from and the ``event`` that told it, or the ``change``.
    """

    before: Deal
    action: act.Action | None = None
    movement: int | None = None
    event: str | None = None
    change: Change | None = None

    def done(self, deal: Deal) -> Deal:
        """``deal`` after this step."""
        if self.action is not None:
            return apply(deal, self.action)
        return deal if self.change is None else self.change(deal)


@dataclass(slots=True)
class DealBook:
    """What belongs to one deal besides its state."""

    counts: dict[str, int | None] = field(default_factory=dict)
    checked: bool = False
    started: bool = False
    pack_fault: str | None = None
    spare_pot: bool = False
    """Whether the counts are those of a pot that was forgotten from the deal before (art. 4)."""
    steps: list[Step] = field(default_factory=list)
    """All that made the deal what it is, from its beginning on."""
    turn_up: TurnUp = field(default_factory=TurnUp)
    shown: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    shown_t: float = 0.0
    """When a hand was last seen laid out otherwise than before."""
    early: dict[Seat, tuple[str, ...]] = field(default_factory=dict)
    early_t: float = -1.0
    """When a hand was last seen laid out before the end was told."""
    signs: dict[Seat, float] = field(default_factory=dict)
    """When each seat last turned its hand-shield over."""
    bonus: dict[Line, int] = field(default_factory=lambda: dict.fromkeys(LINES, 0))
    score_id: str | None = None
    score_key: object = None
    counted_t: float | None = None
    """When the deal was first counted: from then on its cards are gathered, and what goes away tells nothing."""
    doubted: frozenset[Line] = frozenset()
    """The lines whose melds could not be vouched for when the deal was first counted."""
    over: bool = False
    end_id: str | None = None
    """The event that told the end."""
    drawn_after: set[Seat | None] = field(default_factory=set)
    """Who drew from the stock after the end that was told: people do not go on playing a deal that is over."""
    watched_from: int | None = None
    """The number of the first turn that the arbitro, called for a stalemate, sees from its beginning."""
    reopened: int = 0
    """How many steps there were when a closing had just been taken back; 0: none was."""
    chain: str = BEGIN
    """What has been told of the deal, folded to a digest: a card drawn at random follows from it."""
    closing: tuple[Seat, float] | None = None
    """Who said that he closes, and when."""

    after_end: list[Movement] = field(default_factory=list)
    """What has moved since the end of the deal, as long as the arbitro has not ruled."""
    lying: Lying = field(default_factory=Lying)
    """What the camera showed otherwise than the ledger had it when the deal was first counted."""
    ruled_t: float | None = None
    """When the arbitro last ruled on this deal."""
    lifted: tuple[float, int] = (-1.0, 0)
    """How many whole melds were taken up at once last, and when."""
    cleared_t: float | None = None
    """When the cards began to be gathered although no end had been told."""

    def is_gathered(self, t: float) -> bool:
        """Whether what happens to cards at ``t`` comes after the count, or as the table is cleared."""
        if self.cleared_t is not None and t >= self.cleared_t:
            return True
        return self.over and self.counted_t is not None and t > self.counted_t

    @property
    def is_played_on(self) -> bool:
        """Whether play went on after the end that was told, so that nobody can vouch for that end."""
        return len(self.drawn_after) >= _PLAYED_ON

    @property
    def is_reopened(self) -> bool:
        """Whether a closing was taken back and nothing has been done since."""
        return self.reopened > 0 and self.reopened == len(self.steps)


class Sitting:
    """One round at one table: the parts read and change it, each in its own matters, and tell events through it.

    ``deal``: the deal as it stands, None before the first; ``this``: what else belongs to it; ``number``: its number in
    the round. ``unverified``: the zones that cannot be vouched for, and why. Raises UnknownRulesError for rules that
    are not Burraco's.
    """

    def __init__(self, header: Header, boot: str, first: int) -> None:
        self.header = header
        self.book = rule_book(header.rules)
        self.catalogue = CATALOGUES.get(header.rules) or catalogue_of(header.rules, ())
        self.referee = Referee(self.catalogue, opening(header, self.catalogue.tournament, {}))
        self.scores = Scores(self.book, teams=header.options.get("event") == "teams")
        self.deals: int | None = None
        self.running = False
        self.deal: Deal | None = None
        self.number = 0
        self.this = DealBook()
        self.unverified: dict[str, str] = {}
        self.nodes: dict[str, str] = {}
        self.sheets: dict[int, Any] = {}
        """The score sheets of the round by deal (``sheets.Sheet``)."""
        self.pot_sign: Seat | None = None
        self.shields: set[Seat] = set()
        """The seats whose hand-shield has been heard of."""
        self.gates = Gates(tagged=bool(header.tags))
        self.owed = dict.fromkeys(LINES, 0)
        """Bonuses given before the first deal of the round."""
        self.latest = 0.0
        """The time of the newest observation; what waited for a later one when the log ended is told with it."""
        self.round_end: tuple[str, object] | None = None
        """The event that told the end of the round, and what it said."""
        self._envelope = Envelope(header.table, header.started, boot, first)
        self._told: list[Event] = []

    @property
    def is_settling(self) -> bool:
        """Whether the deal is over and not counted, and the arbitro has ruled since its last turn began.

        Then cards are still moved to carry that out, and what lies there at the count counts.
        """
        deal, this = self.deal, self.this
        if deal is None or deal.phase is not Phase.OVER or this.counted_t is not None or this.ruled_t is None:
            return False
        return len(deal.outs) < 2 or this.ruled_t > deal.outs[-2][1]

    def new_book(self, number: int) -> DealBook:
        """The book of deal ``number``; bonuses given before it, or before its cards were dealt anew, stand in it."""
        anew = number == self.number and self.this.score_id is None
        given, self.owed = self.this.bonus if anew else self.owed, dict.fromkeys(LINES, 0)
        return DealBook(bonus=given)

    def give_bonus(self, line: Line, points: int) -> None:
        """``line`` has points more on the score sheet of the deal that runs; before the first one on that one's."""
        if self.deal is None:
            self.owed[line] += points
        else:
            self.this.bonus[line] += points

    def change(self, change: Change) -> None:
        """Do ``change`` to the deal that runs; it is a step of the deal as a movement is."""
        if self.deal is None:
            return
        before, self.deal = self.deal, change(self.deal)
        if self.deal is not before:
            self.this.steps.append(Step(before, change=change))

    def say(
        self,
        type_: str,
        data: say.Payload,
        t: float,
        seat: Seat | None = None,
        *,
        action: act.Action | None = None,
        line: Line | None = None,
        deal: int | None = None,
        committed_t: float | None = None,
        confidence: float = 1.0,
        basis: tuple[str, ...] = (),
        secret: dict[str, Any] | None = None,
    ) -> Event:
        """Tell an event; one that ``action`` is takes its time, confidence and basis from it. The event is returned.

        ``deal``: the number of the deal that it is about, where that is not the one that runs.
        """
        runs, t = self.deal, t if math.isfinite(t) else self.latest
        self.this.chain = chained(self.this.chain, type_, t)
        event = self._envelope.make(
            type_,
            data,
            t=t,
            deal=deal or self.number or None,
            turn=None if runs is None else runs.turn,
            seat=seat,
            line=line,
            confidence=confidence if action is None else action.confidence,
            basis=basis if action is None else action.basis,
            committed_t=committed_t if action is None else action.committed_t,
            secret=secret,
        )
        self._told.append(event)
        return event

    def ignored(self, note: str, t: float) -> None:
        """Tell that an order, or an observation, was kept but not acted upon, and why."""
        self.say("table.health", say.TableHealth(what="order", state="ignored", note=note), t)

    def told(self) -> list[Event]:
        """The events since this was last asked."""
        told, self._told = self._told, []
        return told
