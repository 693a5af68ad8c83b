"""The standing of a bridge event over all its rounds: pairs in per cent, or teams in IMPs. Pure.

Every board counts alike, and is compared over its whole session (``compared_session``). A pair that rested has for
that round what it has made on its other boards (norm 78.4), which leaves its mean as it is. Equal pairs are parted by
norm 78.5: where each has met each other equally often by the boards between them (b), else by the boards of the
session (a2). Places of single sessions (a1) part nobody here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, groupby
from typing import Final

from table_service.games.bridge.norms.adjusted_scores import bye_of_pair
from table_service.games.bridge.norms.ties import OnBoard, by_common_boards, by_direct_boards
from table_service.games.bridge.pages.board_facts import boards_of
from table_service.games.bridge.pages.compared_session import fields_of, sessions_of
from table_service.games.bridge.pages.comparison import (
    Compared,
    by_board,
    in_imps,
    match_score,
    matches_of,
    percent_off,
    victory,
)
from table_service.games.bridge.pages.report_text import Speech
from table_service.games.bridge.pages.session_gaps import to_look_at, why_empty
from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.reports import Grid, Language, Report, RoundPlayed, Section

RESTS: Final = ""
"""The place of who rests, as the console names it."""


@dataclass(slots=True)
class PairRecord:
    """Record of a pair: per cent of each board, the same as match points by board, rounds in which it rested."""

    percent: list[Fraction] = field(default_factory=list)
    card: dict[str, OnBoard] = field(default_factory=dict)
    rested: int = 0

    @property
    def mean(self) -> Fraction | None:
        """Its per cent over all boards, rounds of rest among them (78.4); None where it has played nothing."""
        try:
            rested = [bye_of_pair(self.percent)] if self.rested else []
        except BridgeError:
            return None
        every = self.percent + rested
        return sum(every, Fraction(0)) / len(every) if every else None


@dataclass(frozen=True, slots=True)
class Place:
    """A pair in the standing. ``place`` 0: nothing is known of it; ``by``: the norm that parted equal ones."""

    place: int
    pair: str
    percent: Fraction | None
    boards: int
    rested: int
    by: str = ""


def pairs_standing(rounds: Iterable[RoundPlayed], field: Collection[str] | None = None) -> list[Place]:
    """Pairs by their per cent over ``rounds``, equal ones as norm 78.5 parts them; who stays equal shares a place.

    ``field``: of these pairs alone, where the lines are ranked apart.
    """
    pairs: dict[str, PairRecord] = {}
    met: dict[tuple[str, str], Fraction] = {}
    meetings: Counter[frozenset[str]] = Counter()
    every = list(rounds)
    for played in every:
        for (place, _), name in played.pairs.items():
            own = pairs.setdefault(name, PairRecord())
            own.rested += place == RESTS
        meetings.update(_meetings(played))
    for n, session in enumerate(sessions_of(every)):
        for number, results in session.compared().items():
            for one in results:
                _count(one, f"{n}.{number}", pairs, met)
    pairs = {name: own for name, own in pairs.items() if field is None or name in field}
    known = sorted((name for name, own in pairs.items() if own.mean is not None), key=lambda name: _key(pairs, name))
    found: list[Place] = []
    for _, equal in groupby(known, key=lambda name: pairs[name].mean):
        found += parted(tuple(equal), len(found), pairs, met, all_alike=_is_complete(meetings, pairs))
    unknown = (Place(0, name, None, 0, own.rested) for name, own in pairs.items() if own.mean is None)
    return [*found, *unknown]


def _key(pairs: Mapping[str, PairRecord], name: str) -> tuple[Fraction, str]:
    return -(pairs[name].mean or Fraction(0)), name


def _meetings(played: RoundPlayed) -> list[frozenset[str]]:
    tables = [one for one in played.places if (one, "NS") in played.pairs and (one, "EW") in played.pairs]
    return [frozenset((played.pairs[one, "NS"], played.pairs[one, "EW"])) for one in tables]


def _is_complete(meetings: Mapping[frozenset[str], int], pairs: Mapping[str, PairRecord]) -> bool:
    """Return True if each pair has met each other one equally often, and at all (78.5b)."""
    times = {meetings.get(frozenset(both), 0) for both in combinations(pairs, 2)}
    return len(times) == 1 and 0 not in times


def _count(one: Compared, key: str, pairs: dict[str, PairRecord], met: dict[tuple[str, str], Fraction]) -> None:
    """Add a table's result on one board to both pairs that were entered there."""
    names = [one.board.pairs.get(line, "") for line in ("NS", "EW")]
    if one.share is None or not all(names):
        return
    made = []
    for name, line, share in zip(names, ("NS", "EW"), (one.share.ns, one.share.ew), strict=True):
        own = pairs.setdefault(name, PairRecord())
        own.percent.append(share - percent_off(one.board, line))
        made.append(share * one.top / 100)
        own.card[key] = OnBoard(made[-1], one.top)
    both = (names[0], names[1])
    met[both] = met.get(both, Fraction(0)) + made[0] - made[1]


def parted(
    equal: tuple[str, ...],
    before: int,
    pairs: Mapping[str, PairRecord],
    met: Mapping[tuple[str, str], Fraction],
    *,
    all_alike: bool,
) -> list[Place]:
    """Pairs of one percentage with their places, after ``before`` others; ``all_alike``: all have met equally often."""
    cards = {name: pairs[name].card for name in equal}
    groups: Sequence[tuple[str, ...]] = (equal,)
    if len(equal) > 1:
        groups = by_direct_boards(equal, met, cards) if all_alike else by_common_boards(equal, cards)
    norm = "" if len(groups) == 1 else "78.5b" if all_alike else "78.5a2"
    found: list[Place] = []
    for group in groups:
        place = before + len(found) + 1
        for name in group:
            own = pairs[name]
            found.append(Place(place, name, own.mean, len(own.percent), own.rested, norm))
    return found


# -- teams -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamTotal:
    """A team over all its matches. ``imps``: its leads together; ``vp``: victory points; None: not known."""

    team: str
    matches: int
    imps: Fraction | None
    vp: Fraction | None


def teams_standing(rounds: Iterable[RoundPlayed]) -> list[TeamTotal]:
    """Teams by victory points, then IMPs, of the matches of two tables; those of which something is unknown last."""
    told: dict[str, list[tuple[Fraction | None, Fraction | None]]] = {}
    for played in rounds:
        boards = by_board(boards_of(played))
        for match in matches_of(played.places, played.pairs):
            score = match_score(match, in_imps(match, boards), played)
            whole = score.known == played.deals
            points = victory(played.deals, score) if whole else (None, None)
            for line, lead, vp in zip(("NS", "EW"), (score.home, score.away), points, strict=True):
                name = played.pairs.get((match.open, line)) or f"{line} {match.open}"
                told.setdefault(name, []).append((lead if whole else None, vp))
    totals = [
        TeamTotal(name, len(own), _sum(imps for imps, _ in own), _sum(vp for _, vp in own))
        for name, own in told.items()
    ]
    lowest = Fraction(-(10**9))
    return sorted(totals, key=lambda one: (-(lowest if one.vp is None else one.vp), -(one.imps or lowest), one.team))


def _sum(values: Iterable[Fraction | None]) -> Fraction | None:
    total = Fraction(0)
    for one in values:
        if one is None:
            return None
        total += one
    return total


# -- the report --------------------------------------------------------------------------------------------------------


def event_standing(rounds: Sequence[RoundPlayed], language: Language) -> Report:
    """Return the standing after the rounds that are over."""
    say = Speech(language)
    over = [one for one in rounds if one.is_over]
    teams = [one for one in over if matches_of(one.places, one.pairs)]
    pairs = [one for one in over if one not in teams]
    sections = []
    if teams:
        sections.append(_teams(teams, say))
    if pairs:
        sections += _pair_sections(pairs, say)
    if not sections:
        sections.append(Section(lines=(say("Nessun turno è finito.", "No round is over."),)))
    about = say(f"Turni finiti: {len(over)}", f"Rounds that are over: {len(over)}")
    return Report(say("Classifica della gara", "Standing of the event"), about, tuple(sections))


def _pair_sections(rounds: Sequence[RoundPlayed], say: Speech) -> list[Section]:
    """Return the pairs in one ranking, or one a line if none sat in both; what to look at, and why it is missing."""
    sessions, fields = sessions_of(rounds), fields_of(rounds)
    lines = [line for one in sessions for line in to_look_at(one, say)]
    standings = [pairs_standing(rounds, field) for field in fields]
    if not any(one.place for places in standings for one in places):
        lines[:0] = why_empty(rounds, sessions, say)
    found = [Section(say("Da guardare", "To look at"), tuple(lines))] if lines else []
    title = say("Coppie, in percentuale", "Pairs, in per cent")
    if len(fields) == 1:
        return [*found, _pairs(standings[0], title, say)]
    text = say(
        "Nessuna coppia ha giocato su entrambe le linee: le due classifiche non si confrontano.",
        "No pair has sat in both lines: the two rankings are not compared.",
    )
    named = [f"{title}: {say.line(line)}" for line in ("NS", "EW")]
    both = [_pairs(places, name, say) for places, name in zip(standings, named, strict=True)]
    return [*found, replace(both[0], lines=(text, *both[0].lines)), both[1]]


def _pairs(places: Sequence[Place], title: str, say: Speech) -> Section:
    rows = tuple(
        (
            str(one.place) if one.place else "–",
            one.pair,
            "?" if one.percent is None else f"{say.decimal(one.percent, 2)} %",
            str(one.boards),
            str(one.rested) if one.rested else "",
            one.by,
        )
        for one in places
    )
    heads = ("", say("Coppia", "Pair"), "%", "Board", say("Riposi", "Rests"), say("Spareggio", "Tie"))
    lines = []
    if any(one.rested for one in places):
        lines.append(
            say(
                "Chi ha riposato ha per quel turno la sua media (norma 78.4).",
                "Who rested has for that round its own mean (norm 78.4).",
            )
        )
    if any(one.by for one in places):
        lines.append(
            say(
                "A pari percentuale decide la norma 78.5; per i premi le coppie pari li dividono.",
                "Equal percentages are parted by norm 78.5; equal pairs divide the prizes.",
            )
        )
    grid = Grid(heads, rows, widths=(8.0, 76.0, 24.0, 18.0, 18.0, 22.0))
    return Section(title, tuple(lines), (grid,))


def _teams(rounds: Sequence[RoundPlayed], say: Speech) -> Section:
    rows = tuple(
        (
            str(n),
            one.team,
            str(one.matches),
            "?" if one.imps is None else say.decimal(one.imps),
            "?" if one.vp is None else say.decimal(one.vp),
        )
        for n, one in enumerate(teams_standing(rounds), start=1)
    )
    heads = ("", say("Squadra", "Team"), say("Incontri", "Matches"), "IMP", "V.P.")
    grid = Grid(heads, rows, widths=(8.0, 84.0, 22.0, 26.0, 26.0))
    title = say("Squadre, in IMP e Victory Points", "Teams, in IMPs and victory points")
    return Section(title, (), (grid,))
