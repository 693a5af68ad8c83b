"""Rules of a code for a tournament: who may be entered when, what an absent pair gets, teams, equal results.

What a code leaves open stays open here, and is the arbitro's to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from table_service.games.reports import ArbitroAward

Points = tuple[int, int | None]
"""Victory points, and match points where the code states them."""


@dataclass(frozen=True, slots=True)
class Room:
    """One room of a match of teams, the home team first: match points of its round, and the points of each deal.

    ``deals``: by the deal's number, as the game numbers its deals where it does. ``awards``: what arbitri have entered.
    ``named``: by that number what the table told of the deal with it.
    """

    points: tuple[int | None, int | None]
    deals: Mapping[int, tuple[int | None, int | None]] = field(default_factory=dict)
    awards: tuple[ArbitroAward, ...] = ()
    named: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TeamResult:
    """A match of teams, the home team first. ``won``: match points, or the IMPs that each has won; None: not known.

    ``lead``: by how much home leads where a knock-out goes by something of its own, negative where it trails.
    """

    won: tuple[int | None, int | None] = (None, None)
    vp: tuple[int | None, int | None] = (None, None)
    lead: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match between two entries: victory points, and match points or IMPs, of each."""

    entries: tuple[str, str]
    vp: tuple[int, int]
    won: tuple[int, int]


TeamMatch = Callable[[int, Room, Room], TeamResult]
"""By the deals of the round, the open room and the closed one."""
Ties = Callable[[Collection[str], Sequence[Encounter]], tuple[tuple[str, ...], ...]]
"""Entries with equal victory points by all matches, the first first; those who stay equal stand together."""


@dataclass(frozen=True, slots=True)
class LateEntry:
    """A pair that is entered while the first round is played, against the one that rests.

    Up to ``minutes`` after the start the two play and make up the time; later ``waiting`` is what the one that rested
    gets, ``late`` what the other gets. ``article``: where the code says so.
    """

    article: str
    minutes: float
    waiting: Points
    late: Points


@dataclass(frozen=True, slots=True)
class EventRules:
    """The rules of a code for whole tournaments.

    ``movements``: the article for each movement that the code names. ``absent``: by the deals of a round, what a pair
    gets in the first round that it misses, the second and so on; the last holds for all after it. ``joining``: the
    article by which nobody may be entered once the first ranking is made, ``returning``: the one by which who has
    left may not come back; empty where the code forbids it not. ``withdrawn``: the article by which who has left
    stands last, whatever it has. ``team_byes``: victory points and match points of a team that rests, by the deals of
    the match, 0 for any. ``team_match``: the result of a match of teams. ``ties``: what parts equal victory points
    instead of match points. ``boards``: its deals are prepared in numbered boards. ``late_entry``: a pair that
    completes the table of the one that rests in the first round.
    """

    movements: Mapping[str, str] = field(default_factory=dict)
    absent: Mapping[int, tuple[Points, ...]] = field(default_factory=dict)
    joining: str = ""
    returning: str = ""
    withdrawn: str = ""
    team_byes: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    team_match: TeamMatch | None = None
    ties: Ties | None = None
    boards: bool = False
    late_entry: LateEntry | None = None

    def missed(self, deals: int, nth: int) -> Points | None:
        """Points of a pair in the ``nth`` round (from 1) that it misses; None if the code does not say."""
        given = self.absent.get(deals)
        return None if not given else given[min(nth, len(given)) - 1]
