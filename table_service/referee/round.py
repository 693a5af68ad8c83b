"""A round and its tournament beside the cards: warnings that add up, results that are assigned, the duty to call.

Pairs move from table to table: the warnings that they bring come with the beginning of the round. A ruling gives shares
(``outcomes``) to lines; ``result`` says what they make of the points that were played. Values, no clock, no I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hw.seats import LINES, Line
from table_service.referee.catalogue import Row
from table_service.referee.outcomes import Outcome, Share, TournamentRules

VpOf = Callable[[int], tuple[int, int] | None]
"""Victory points of a line with a lead in points, and of the other; None if the code has no table."""

_ASSIGNS: Final = frozenset({"win", "better", "lose", "seven", "zero", "nothing", "absent", "cap", "swap", "assign"})
_BEFORE_OTHERS: Final = ("nothing", "zero", "lose")
"""Awards that go before a win if one ruling gives a line both: two pairs that are both missing both lose."""


@dataclass(frozen=True, slots=True)
class Given:
    """A warning in this round: to which line, by which row, for which irregularity (empty: none in particular)."""

    line: Line
    row: str | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """Award of a ruling to a line. ``vp``, ``mp``: figures that the arbitro named, for ``assign`` and ``better``."""

    key: str
    row: str
    line: Line
    share: Share
    vp: int | None = None
    mp: int | None = None


@dataclass(frozen=True, slots=True)
class LineResult:
    """Match points and victory points of one line; None: not known, or not stated by the code."""

    mp: int | None
    vp: int | None


_FIXED: Final[Mapping[str, LineResult]] = {
    "absent": LineResult(None, None),
    "zero": LineResult(None, 0),
    "nothing": LineResult(0, 0),
}
"""The results that hang neither on play nor on the code's figures."""


@dataclass(frozen=True, slots=True)
class RoundBook:
    """The state of a round.

    ``deals``: in the round, None if unknown. ``teams``: two tables make a match, in the ``room`` ``open`` or
    ``closed``. ``before``: warnings that the pairs bring from earlier rounds of the tournament. ``reached``: the lead
    came to ``rules.call_at``; ``called``: the arbitro has been at the table in that deal or since.
    """

    rules: TournamentRules = field(default_factory=TournamentRules)
    deals: int | None = None
    teams: bool = False
    room: str | None = None
    before: Mapping[Line, int] = field(default_factory=dict)
    warnings: tuple[Given, ...] = ()
    awards: tuple[Award, ...] = ()
    reached: bool = False
    called: bool = False

    # -- warnings ----------------------------------------------------------------------------------------------------

    def warn(self, line: Line, row: str | None = None, key: str = "") -> RoundBook:
        """``line`` is warned."""
        return replace(self, warnings=(*self.warnings, Given(line, row, key)))

    def is_warned(self, line: Line, key: str) -> bool:
        """Return True if ``line`` was warned for the irregularity ``key``."""
        return any(one.line is line and one.key == key for one in self.warnings)

    def warned(self, line: Line) -> int:
        """Warnings of ``line`` in this round."""
        return sum(one.line is line for one in self.warnings)

    def total(self, line: Line) -> int:
        """Warnings of ``line`` in the tournament so far."""
        return self.before.get(line, 0) + self.warned(line)

    def ranked(self, line: Line) -> int:
        """Warnings of ``line`` in the tournament so far that count in the ranking."""
        return self.before.get(line, 0) + sum(
            one.line is line and one.row not in self.rules.unranked for one in self.warnings
        )

    def latest_cost(self, line: Line, row: str | None) -> int:
        """Return the effect of the newest warning of ``line``, by ``row``, on its victory points in the ranking."""
        return 0 if row in self.rules.unranked else self.cost(self.ranked(line))

    def cost(self, number: int) -> int:
        """Return the effect of the pair's ranked warning ``number`` on its victory points in the ranking.

        A code that takes one at the second may be silent about the third: ``warning_count`` says how it is read.
        """
        if number < 2:
            return 0
        return -1 if self.rules.warning_count == "each-after-first" or number % 2 == 0 else 0

    def deductions(self) -> dict[Line, int]:
        """Return what the warnings of this round change in the ranking of each line."""
        return {
            line: sum(self.cost(number) for number in range(self.before.get(line, 0) + 1, self.ranked(line) + 1))
            for line in LINES
        }

    # -- rulings -----------------------------------------------------------------------------------------------------

    def award(self, key: str, row: Row, shares: Mapping[Line, tuple[Share, ...]], ruling: object = ()) -> RoundBook:
        """Give ``shares`` by a ruling under ``key``; what the same ruling gave before is no more."""
        named = dict(ruling) if isinstance(ruling, tuple) else {}
        fresh = tuple(
            Award(key, row.id, line, share, _of_line(named.get("vp"), line), _of_line(named.get("mp"), line))
            for line, some in shares.items()
            for share in (_in_points(one, named.get("points")) for one in some)
            if share is not None
        )
        return replace(self, awards=(*self.without(key).awards, *fresh))

    def without(self, key: str) -> RoundBook:
        """Lift the ruling under ``key``, and the warnings for it with it."""
        return replace(
            self,
            awards=tuple(one for one in self.awards if one.key != key),
            warnings=tuple(one for one in self.warnings if not key or one.key != key),
        )

    def bonuses(self, key: str) -> dict[Line, int]:
        """Return the match points on the score sheet by the ruling under ``key``."""
        return {
            line: sum(one.share.points for one in self.awards if one.key == key and _bonus(one, line)) for line in LINES
        }

    # -- the duty to call --------------------------------------------------------------------------------------------

    def counted(self, lead: int | None) -> RoundBook:
        """Take a counted deal with the difference ``lead``; an unknown one obliges no line to call."""
        at = self.rules.call_at
        return replace(self, reached=True) if at is not None and lead is not None and abs(lead) >= at else self

    def visited(self) -> RoundBook:
        """Record that the arbitro was called, or has acted at this table."""
        return replace(self, called=True)

    def next_deal(self) -> RoundBook:
        """Begin a deal; a call before the difference was reached is no call for it."""
        return self if self.reached else replace(self, called=False)

    @property
    def must_call(self) -> bool:
        """True if the players have to call the arbitro, and none has been seen to."""
        return self.reached and not self.called

    # -- the result --------------------------------------------------------------------------------------------------

    def result(self, lead: int | None, vp_of: VpOf) -> dict[Line, LineResult]:
        """Return match points and victory points by line.

        ``lead``: the first line's lead in points of play, None if it is not known.
        """
        vp = None if lead is None else vp_of(lead)
        leads = (None, None) if lead is None else (lead, -lead)
        points = (None, None) if vp is None else vp
        result = {line: LineResult(*one) for line, *one in zip(LINES, leads, points, strict=True)}
        played = dict(result)
        for key in dict.fromkeys(one.key for one in self.awards):
            before = dict(result)
            for line in LINES:
                one = self._award_of(key, line)
                if one is not None:
                    result[line] = self._assigned(one, before, played, vp_of)
        return result

    def _award_of(self, key: str, line: Line) -> Award | None:
        """Return the award of the ruling under ``key`` that decides the result of ``line``."""
        mine = [one for one in self.awards if one.key == key and one.line is line and one.share.do in _ASSIGNS]
        first = [one for one in mine if one.share.do in _BEFORE_OTHERS]
        return next(iter(first or mine), None)

    def _assigned(
        self, one: Award, before: Mapping[Line, LineResult], played: Mapping[Line, LineResult], vp_of: VpOf
    ) -> LineResult:
        so_far = before[one.line]
        fixed = _FIXED.get(one.share.do)
        if fixed is not None:
            return fixed
        match one.share.do:
            case "swap":
                return before[one.line.other]
            case "win":
                return self._default()
            case "lose":
                return self._lost_by_default()
            case "seven":
                return LineResult(None, self.rules.assigned_vp)
            case "better":
                return self._better(played[one.line].mp if one.mp is None else one.mp, vp_of)
            case "cap":
                most = self.rules.assigned_vp
                return LineResult(None, so_far.vp if so_far.vp is None or most is None else min(most, so_far.vp))
            case "assign":
                return LineResult(so_far.mp if one.mp is None else one.mp, so_far.vp if one.vp is None else one.vp)
        return so_far

    def _default(self) -> LineResult:
        won = self.rules.default(self.deals, teams=self.teams)
        return LineResult(None, None) if won is None else LineResult(won[1], won[0])

    def _lost_by_default(self) -> LineResult:
        won, total = self._default(), self.rules.total_vp
        left = None if won.vp is None or total is None else total - won.vp
        return LineResult(None if won.mp is None else -won.mp, left)

    def _better(self, lead: int | None, vp_of: VpOf) -> LineResult:
        """Return the present pair's own result, if more than the win by default; an unknown lead stays unknown."""
        won = self._default()
        if lead is None or won.mp is None:
            return LineResult(None, None)
        own = vp_of(lead)
        return won if lead <= won.mp or own is None else LineResult(lead, own[0])


def outcome_of(row: Row, option: str | None, minutes: float | None) -> Outcome | None:
    """Return the awards of ``row`` for a chosen ``option``, or a delay of ``minutes``; None if there are none.

    The exact limit belongs to the lower step.
    """
    always = next((one for one in row.outcomes if one.option is None), None)
    if option is not None:
        return next((one for one in row.outcomes if one.option == option), always)
    if all(one.upto == float("inf") for one in row.outcomes):
        return always
    return None if minutes is None else next((one for one in row.outcomes if minutes <= one.upto), None)


def shares_of(outcome: Outcome, line: Line | None) -> dict[Line, tuple[Share, ...]]:
    """Return each line's share of ``outcome``, which is against ``line``; None: what both lines get alike."""
    if line is None:
        return {one: tuple(share for share in outcome.offender if share in outcome.other) for one in LINES}
    return {line: outcome.offender, line.other: outcome.other}


def _bonus(one: Award, line: Line) -> bool:
    return one.line is line and one.share.do == "bonus"


def _in_points(share: Share, points: object) -> Share | None:
    """Return ``share`` to be booked: a bonus of the points that the ruling names; None if there is none to book."""
    if share.do == "points":
        known = isinstance(points, int) and not isinstance(points, bool)
        return Share("bonus", int(points)) if known else None  # type: ignore[call-overload]
    return None if share.do == "warn" else share


def _of_line(named: object, line: Line) -> int | None:
    """Return what the ruling names for ``line``: a figure by line."""
    value = named.get(str(line)) if isinstance(named, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
