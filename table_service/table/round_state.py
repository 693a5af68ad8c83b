"""A round at one table: what it begins with, and its result in match points and victory points, rulings included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from hw.equipment import Equipment
from hw.observation_log import Header
from hw.seats import CLOCKWISE, LINES, Line, Rotation, Seat
from table_service.events import payloads as say
from table_service.events.orders import ORDERS, Orders, SeatingOrder, StartDeal, StartRound
from table_service.referee.catalogue import Row
from table_service.referee.outcomes import TournamentRules
from table_service.referee.past import Past
from table_service.referee.round import LineResult, RoundBook
from table_service.referee.round_options import opening
from table_service.referee.values import Irregularity, Sanction
from table_service.table.score_items import ScoreSheet
from table_service.table.scores import Scores
from table_service.table.voice import Voice

ByLine = dict[str, int | None]
VictoryPoints = Callable[[int, int, bool], tuple[int, int] | None]
"""By deals of the round, lead in match points and whether teams play: what the leader has and the other; None if
the code has no table for such a round."""


MatchStands = Callable[[Mapping[Line, int | None], str | None], dict[str, Any]]
"""State of a match, by the totals of all its deals and the end of the last one: part of ``score.counted``."""


def no_victory_points(_deals: int, _lead: int, _teams: bool) -> None:
    """Give no victory points: the code knows none."""


@dataclass(frozen=True, slots=True)
class CodeFacts:
    """Facts about a code that the fold of a table needs.

    ``equipment``: the zones of its table; ``sheet``: the items of a score; ``tournament``: warnings and results by
    default; ``rotation``: who plays after whom; ``choices``: how the questions are answered that the code leaves open;
    ``match``: how a match stands that goes to a target score, None where rounds have a number of deals.
    ``no_points``: why the arbitro gives no points to a line at the table, in a sentence; empty where he does.
    ``words``: what players declare in this game, before a colon; empty: anything may be entered.
    ``orders``: what the arbitro may order.
    """

    equipment: Equipment
    sheet: ScoreSheet
    tournament: TournamentRules = field(default_factory=TournamentRules)
    victory_points: VictoryPoints = no_victory_points
    rotation: Rotation = CLOCKWISE
    choices: Mapping[str, str] = field(default_factory=dict)
    match: MatchStands | None = None
    no_points: str = ""
    words: frozenset[str] = frozenset()
    orders: Orders = field(default_factory=lambda: ORDERS)


class Imposed(Protocol):
    """The sanctions of one deal."""

    @property
    def in_force(self) -> tuple[Sanction, ...]:
        """The sanctions that are watched."""
        ...


class RoundReferee(Protocol):
    """Interface of a game's referee for a round. Each answer is its findings, for ``reporting``."""

    book: RoundBook

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        ...

    @property
    def sanctions(self) -> Imposed:
        """Sanctions that have been imposed and are watched."""
        ...

    @property
    def warnings(self) -> Mapping[Line, int]:
        """Warnings by line in this round."""
        ...

    def new_round(self, book: RoundBook | None = None) -> None:
        """Begin a round with ``book``."""

    def end_round(self, t: float) -> Iterable[object]:
        """End the round at ``t``."""
        ...

    def new_deal(self, number: int, t: float) -> Iterable[object]:
        """Deal ``number`` begins."""
        ...

    @property
    def liftable(self) -> tuple[Irregularity, ...]:
        """Irregularities that were ruled in the deal and can be lifted."""
        ...

    def earlier(self, key: str) -> tuple[int, Irregularity] | None:
        """Deal and irregularity under ``key`` if it was ruled in an earlier deal of the round."""
        ...

    def is_of_another_round(self, key: str) -> bool:
        """Return True if ``key`` was given in another round than the one that is played."""
        ...

    def reverse(self, key: str, t: float) -> Iterable[object]:
        """Lift a ruling of an earlier deal of the round. Raises KeyError if there is none under ``key``."""
        ...

    def take_up(self, irregularities: Iterable[Past], sanctions: Iterable[Past], deal: int) -> Iterable[str]:
        """Take up reports from before the table's restart; return the keys that the code does not know any more.

        ``deal``: the newest one.
        """
        ...

    def counted(self, lead: int | None) -> None:
        """Record that a deal was counted; the first line leads by ``lead`` points in the round."""

    def visited(self) -> None:
        """Record that the arbitro was called, or has acted at this table."""


class RoundState:
    """The round that is played at one table.

    ``number``: of the deal that runs or ran last, 0 before the first; ``dealer``: who dealt it; ``is_dealt``: cards of
    this round have been dealt since the table started. ``bonus``: points that the arbitro gave in that deal.
    """

    def __init__(self, header: Header, rules: CodeFacts, voice: Voice, referee: RoundReferee) -> None:
        self._header = header
        self._rules = rules
        self._voice = voice
        self._referee = referee
        self._owed = dict.fromkeys(LINES, 0)
        self._end: tuple[str, object] | None = None
        self.scores = Scores(teams=header.options.get("event") == "teams")
        self.running = False
        self.number = 0
        self.dealer: Seat | None = None
        self.is_dealt = False
        self._is_played = False
        self.bonus = dict.fromkeys(LINES, 0)
        self.seated = say.RoundSeated()
        """Players seated here, and where they go next."""
        self.manner: str | None = None
        """Manner in which the last counted deal ended."""
        self._due: StartDeal | None = None

    @property
    def deals(self) -> int | None:
        """Number of deals of the round; None if unknown."""
        return self.scores.deals

    @property
    def given(self) -> dict[Line, int]:
        """Points by line that the arbitro gave and that are in no count yet."""
        return {
            line: self._owed[line] + (0 if self.number in self.scores.totals else self.bonus[line]) for line in LINES
        }

    @property
    def is_ended(self) -> bool:
        """True if its end was reported."""
        return self._end is not None

    # -- its course --------------------------------------------------------------------------------------------------

    def open(self, fields: Mapping[str, Any]) -> None:
        """Begin a round by the ``fields`` of an order, without reporting it."""
        self._referee.new_round(opening(self._header, self._rules.tournament, fields))
        self.scores = Scores(self._referee.book.teams, self._referee.book.deals)
        self.seated = say.RoundSeated()
        self.number, self.dealer, self.is_dealt, self.running = 0, None, False, True
        self.bonus, self._owed, self._end = dict.fromkeys(LINES, 0), dict.fromkeys(LINES, 0), None
        self._due = None
        self._voice.enter(0)

    def start(self, order: StartRound) -> None:
        """Begin a round as the arbitro has ordered, and report it."""
        self.open(order.fields)
        book = self._referee.book
        started = say.RoundStarted(
            deals=self.deals,
            minutes=order.minutes,
            warnings={str(line): count for line, count in book.before.items()},
            warning_count=book.rules.warning_count,
            call_at=book.rules.call_at,
            room=book.room,
        )
        if self._rules.choices:
            chosen = {"rules": self._header.rules, "options": dict(self._rules.choices)}
            started = say.RoundStartedByChoice(**started.model_dump(), **chosen)
        self._voice.say("round.started", started, order.t)
        if order.pairs or order.next or order.boards:
            self.seat(order)

    def seat(self, order: SeatingOrder) -> None:
        """Take the seating, or players' next places, from an order, and report it; omitted fields keep their values."""
        given = {name: value for name, value in order.fields.items() if name in say.RoundSeated.model_fields}
        if not given:
            self._voice.ignored("a seating must name the entry of each line, or where each goes next", order.t)
            return
        told = say.RoundSeated.model_validate({**self.seated.model_dump(), **given})
        if told != self.seated:
            self.seated = told
            self._voice.say("round.seated", told, order.t)

    def enter_deal(self, number: int, dealer: Seat, *, counted: bool) -> None:
        """Begin deal ``number``; ``counted``: the one before was counted.

        Bonuses given before it, or before its cards were dealt anew, are entered in it.
        """
        anew = number == self.number and not counted
        owed = self.take_owed()
        given = {line: self.bonus[line] + owed[line] for line in LINES} if anew else owed
        self.bonus, self.number, self.dealer, self.is_dealt = given, number, dealer, True
        self._is_played, self._due = False, None
        self._voice.enter(number, turn=0)

    def ask_for_deal(self, order: StartDeal) -> None:
        """Ask for the next deal to begin by ``order``: the game knows it from its prepared deals."""
        self._due = order

    def take_due(self) -> StartDeal | None:
        """Return the fields of the order by which the next deal is to begin, once; None if the game asks for none."""
        due, self._due = self._due, None
        return due

    @property
    def is_started(self) -> bool:
        """True if the arbitro has said that the play of the deal may begin."""
        return self._is_played

    def begin_play(self) -> str:
        """Play of the deal begins, as the arbitro says. Returns why it can't, in a sentence; empty if it does."""
        if not self.number:
            return "there is no deal whose play could begin"
        if self._is_played:
            return f"the play of deal {self.number} has begun already"
        self._is_played = True
        return ""

    def go_on(self, number: int) -> None:
        """Deal ``number`` was the newest before the table's restart."""
        self.number = number
        self._voice.enter(number)

    def give_bonus(self, line: Line, points: int) -> None:
        """``line`` has points more on the score sheet of the deal that runs; before the first one on that one's."""
        if self.is_dealt:
            self.bonus[line] += points
        else:
            self._owed[line] += points

    def take_owed(self) -> dict[Line, int]:
        """Return by line the points that were given and are on no sheet yet; they are owed no more."""
        owed, self._owed = self._owed, dict.fromkeys(LINES, 0)
        return owed

    def tell_end(self, t: float) -> None:
        """Report the end of the round, or report it again if a ruling has changed it since."""
        before = self._end
        told = say.RoundEnded(
            deals=len(self.scores.totals),
            supersedes=None if before is None else before[0],
            **self.standing(),
        )
        shown = told.model_dump(exclude={"supersedes"})
        if before is None or before[1] != shown:
            event = self._voice.say("round.ended", told, t)
            self._end = (event.id, shown)

    def tell_end_again(self, t: float) -> None:
        """Report the end again if the result of a round whose end was reported may have changed."""
        if self.is_ended:
            self.tell_end(t)

    def ended_before(self, event: str, said: say.RoundEnded) -> None:
        """Take up the end that ``event`` reported before the table's restart."""
        self._end = (event, said.model_dump(exclude={"supersedes"}))
        self.running = False

    # -- its result --------------------------------------------------------------------------------------------------

    def standing(self) -> dict[str, Any]:
        """Return the present result: match points and victory points by line, cost of warnings, awards of rulings."""
        book, result = self._referee.book, self.results()
        points: ByLine = {str(line): result[line].vp for line in LINES}
        return {
            "match_points": {str(line): result[line].mp for line in LINES},
            "victory_points": None if set(points.values()) == {None} else points,
            "deductions": {str(line): lost for line, lost in book.deductions().items()},
            "adjustments": tuple(
                say.Adjustment(
                    key=one.key, row=one.row, line=one.line, do=one.share.do, points=one.share.points or None
                )
                for one in book.awards
            ),
            **self.match(),
        }

    def match(self) -> dict[str, Any]:
        """Return the state of the match, as ``match``; empty if the code has none."""
        stands = self._rules.match
        return {} if stands is None else {"match": stands(self.scores.running, self.manner)}

    def results(self) -> dict[Line, LineResult]:
        """Match points and victory points of each line, rulings included."""
        return self.results_of(self._referee.book, self.scores.lead)

    def results_of(self, book: RoundBook, lead: int | None) -> dict[Line, LineResult]:
        """Return the results with another ``book`` of the round, and another ``lead`` of the first line in play."""
        return book.result(lead, self._victory_points)

    def _victory_points(self, lead: int) -> tuple[int, int] | None:
        """Return victory points for a lead; None if one table cannot know them, as in one room of a match of teams."""
        if self.deals is None or self._referee.book.room is not None:
            return None
        return self._rules.victory_points(self.deals, lead, self.scores.teams)

    def rule(self, key: str, row: Row, ruling: tuple[tuple[str, object], ...], t: float, *, lifted: bool) -> None:
        """Report what the ruling under ``key`` gives to each line, or that it gives it no more."""
        given = [] if lifted else [one for one in self._referee.book.awards if one.key == key]
        result = self.results()
        shares = tuple(
            say.GivenShare(
                line=one.line,
                do=one.share.do,
                points=one.share.points or None,
                match_points=None if one.share.do == "bonus" else result[one.line].mp,
                victory_points=None if one.share.do == "bonus" else result[one.line].vp,
            )
            for one in given
        )
        data = say.RoundRuled(
            key=key,
            row=row.id,
            article=row.article,
            title=say.Text(it=row.title.it, en=row.title.en),
            shares=shares,
            ruling=dict(ruling),
            lifted=lifted,
        )
        self._voice.say("round.ruled", data, t)
