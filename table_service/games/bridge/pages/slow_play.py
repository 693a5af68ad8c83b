"""The clock of slow play for the arbitro: where each table is, what it owes by norm 8.2, and which side was slow.

In the auction the tray tells the sides of the screen apart; in the play the cards tell the lines apart. Never shown on
a page for everybody. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from hw.seats import Line
from table_service.games.bridge.norms.time_penalties import TOLERANCE, Penalty, Reading, minutes_of, slow_play
from table_service.games.bridge.pages.board_facts import BoardFacts, facts_of, newest_of_each
from table_service.games.bridge.pages.comparison import TeamMatch, matches_of
from table_service.games.bridge.pages.report_text import Speech
from table_service.games.reports import Grid, Language, Report, RoundPlayed, RoundReport, Section

_WIDTHS: Final = (14.0, 20.0, 16.0, 18.0, 18.0, 46.0)
_EARLY_S: Final = 3600.0
"""A board that began so long before the round was begun by a clock that is not set."""
_READINGS: Final[tuple[Reading, ...]] = ("from-tolerance", "after-five-more")


@dataclass(frozen=True, slots=True)
class TablePace:
    """One table's time, in seconds. ``finished``: boards; ``running``: the number of the one in play, its time so far.

    ``behind``: what it is late by at this moment, less than nothing where it is early. ``tray``: by side of the screen
    ``play``: by line. ``over``: past the end of the round, while boards are still to be played or after the last.
    Both are None where the table's clock tells times from before the round: it is not set.
    """

    place: str
    finished: int
    running: int | None
    behind: float | None
    over: float | None
    tray: dict[str, float]
    play: dict[Line, float]
    longest: tuple[int, float] | None


def paces(played: RoundPlayed) -> list[TablePace]:
    """Every table's time, the latest first."""
    boards = newest_of_each(map(facts_of, played.played))
    found = [_pace(place, [one for one in boards if one.place == place], played) for place in played.places]
    return sorted(found, key=lambda one: (-(one.behind or 0.0), one.place))


def _pace(place: str, boards: Sequence[BoardFacts], played: RoundPlayed) -> TablePace:
    each = 60 * played.minutes / max(1, played.deals)
    done = [one for one in boards if one.ended is not None]
    is_done = len(done) >= played.deals
    last = max((one.ended for one in done if one.ended is not None), default=played.begun)
    until = min(played.now, last) if is_done else played.now
    running = None if is_done else next((one for one in reversed(boards) if one.ended is None), None)
    spent = _spent(running, until)
    elapsed = until - played.begun
    is_set = _is_set(boards, played.begun)
    return TablePace(
        place=place,
        finished=len(done),
        running=_number(running),
        behind=elapsed - each * len(done) - min(each, spent) if is_set else None,
        over=max(0.0, elapsed - 60 * played.minutes) if is_set else None,
        tray=_at_tray(boards),
        play={line: sum(one.spent.get(line, 0.0) for one in boards) for line in Line},
        longest=_longest(done),
    )


def _number(running: BoardFacts | None) -> int | None:
    return None if running is None else running.board or running.deal


def _spent(running: BoardFacts | None, until: float) -> float:
    """Seconds that the board that runs has taken up to ``until``."""
    return 0.0 if running is None or running.began is None else max(0.0, until - running.began)


def _is_set(boards: Sequence[BoardFacts], begun: float) -> bool:
    """Return True if no board was begun long before the round was said to begin."""
    return all(one.began is None or one.began >= begun - _EARLY_S for one in boards)


def _at_tray(boards: Sequence[BoardFacts]) -> dict[str, float]:
    """Seconds of the tray on each side of the screen."""
    stays = [stay for one in boards for stay in one.stays]
    return {side: sum(seconds for at, seconds in stays if at == side) for side in _SIDES}


def _longest(done: Sequence[BoardFacts]) -> tuple[int, float] | None:
    """Return the board that took longest, by its number, and its seconds; None before one is done."""
    times = [(one.board or one.deal or 0, one.ended - one.began) for one in done if one.ended and one.began]
    return max(times, key=lambda one: one[1], default=None)


_SIDES: Final = ("NE", "SW")


def slow_play_report(played: RoundPlayed, language: Language) -> Report:
    """Return where each table is, and what tempo says of its sides."""
    say = Speech(language)
    matches = matches_of(played.places, played.pairs)
    teams = bool(matches)
    every = paces(played)
    sections = (
        Section(say("Orologio", "Clock"), tuple(_clock(played, say, teams=teams)), (_tables(every, played, say),)),
        Section(
            say("Tempo per parte", "Time by side"),
            (
                say(
                    "Carrello: quanto è rimasto da ogni parte dello schermo. Gioco: dalla carta precedente a quella "
                    "giocata; le carte del morto sono del dichiarante.",
                    "Tray: how long it stood on each side of the screen. Play: from the card before to the one played; "
                    "dummy's cards are declarer's.",
                ),
            ),
            (_sides(every, say),),
        ),
        Section(
            say("Che cosa è dovuto (norma 8.2)", "What is due (norm 8.2)"), tuple(_due(every, played, say, matches))
        ),
    )
    about = f"{say('Turno', 'Round')} {played.number} · {say('solo per l’arbitro', 'for the arbitro alone')}"
    return Report(say("Gioco lento", "Slow play"), about, sections)


def _clock(played: RoundPlayed, say: Speech, *, teams: bool) -> list[str]:
    left = played.begun + 60 * played.minutes - played.now
    norm = minutes_of(max(1, played.deals), screens=True, teams=teams)
    given = say.decimal(Fraction(played.minutes).limit_denominator(60))
    return [
        say(
            f"Tempo dato: {given} minuti; secondo la norma 8.1, con sipari: {say.decimal(norm)} minuti.",
            f"Time given: {given} minutes; by norm 8.1, with screens: {say.decimal(norm)} minutes.",
        ),
        say(f"Restano {say.minutes(left)}.", f"{say.minutes(left)} left.")
        if left >= 0
        else say(
            f"Oltre la fine: {say.minutes(-left)} (tolleranza nelle squadre {TOLERANCE}').",
            f"Past the end: {say.minutes(-left)} (tolerance for teams {TOLERANCE}').",
        ),
    ]


def _tables(every: Sequence[TablePace], played: RoundPlayed, say: Speech) -> Grid:
    heads = (
        say("Tavolo", "Table"), say("Board finiti", "Boards done"), say("In gioco", "In play"),
        say("Ritardo", "Behind"), say("Oltre la fine", "Past the end"), say("Il board più lungo", "Longest board"),
    )  # fmt: skip
    each = 60 * played.minutes / max(1, played.deals)
    rows = tuple(
        (
            one.place,
            f"{one.finished} / {played.deals}",
            "–" if one.running is None else str(one.running),
            "?" if one.behind is None else say.minutes(one.behind),
            "?" if one.over is None else say.minutes(one.over) if one.over else "–",
            "–" if one.longest is None else f"{one.longest[0]}: {say.minutes(one.longest[1])}",
        )
        for one in every
    )
    late = frozenset(place for place, one in enumerate(every) if (one.over or 0) > 0 or (one.behind or 0) > each)
    return Grid(heads, rows, widths=_WIDTHS, marks=late)


def _sides(every: Sequence[TablePace], say: Speech) -> Grid:
    heads = (
        say("Tavolo", "Table"), say.side("NE"), say.side("SW"), say.line("NS"), say.line("EW"),
    )  # fmt: skip
    rows = tuple(
        (one.place, *(say.minutes(one.tray[side]) for side in _SIDES), *(say.minutes(one.play[line]) for line in Line))
        for one in every
    )
    title = say("Carrello: parti dello schermo; gioco: linee", "Tray: sides of the screen; play: lines")
    return Grid(heads, rows, title=title)


def _due(every: Sequence[TablePace], played: RoundPlayed, say: Speech, matches: Sequence[TeamMatch]) -> list[str]:
    if not matches:
        return [
            say(
                "Coppie: chi gioca troppo lentamente può essere penalizzato per ogni board; decide l’arbitro (8.2a).",
                "Pairs: a pair that plays too slowly may be penalised for every board; the arbitro decides (8.2a).",
            )
        ]
    lines = [line for one in every if one.over for line in _of_match(one.place, one.over, played, say, matches)]
    nothing = say("Nessun tavolo è oltre la fine del turno.", "No table is past the end of the round.")
    both = say(
        "Se non si può dire quale squadra è stata lenta, si applica a entrambe (8.2b).",
        "Where nobody can tell which team was slow, both owe it (8.2b).",
    )
    return [*lines, both] if lines else [nothing]


def _of_match(place: str, over: float, played: RoundPlayed, say: Speech, matches: Sequence[TeamMatch]) -> list[str]:
    """Penalties of the two teams at ``place``, by earlier warnings or penalties; both cases if unknown.

    A warning of an earlier round is known of a team whose name was entered alone.
    """
    match = next((one for one in matches if place in (one.open, one.closed)), None)
    known: dict[Line, bool | None] = {}
    for line in Line:
        other = "" if match is None else match.closed if place == match.open else match.open
        warned = bool({(place, str(line)), (other, str(line.other))} & played.warned)
        known[line] = warned or (False if played.pairs.get((place, str(line))) else None)
    past = say(f"{place}, {say.minutes(over)} oltre", f"{place}, {say.minutes(over)} over")
    if known[Line.NS] is known[Line.EW] is None:
        return [f"{past}: {_owed(over, None, say)}."]
    teams = ((played.pairs.get((place, str(line))) or say.line(line), warned) for line, warned in known.items())
    return [f"{past}, {team}: {_owed(over, warned, say)}." for team, warned in teams]


def _owed(over: float, warned: bool | None, say: Speech) -> str:
    first, second = (
        " / ".join(dict.fromkeys(_penalty(slow_play(over / 60, warned=one, reading=how), say) for how in _READINGS))
        for one in (False, True)
    )
    if warned is None:
        return say(
            f"{first}; se già ammonita o penalizzata: {second}", f"{first}; if warned or penalised before: {second}"
        )
    if warned:
        return say(f"{second} (già ammonita o penalizzata)", f"{second} (warned or penalised before)")
    return say(f"{first} (mai ammonita né penalizzata)", f"{first} (never warned or penalised)")


def _penalty(due: Penalty, say: Speech) -> str:
    if due.is_nothing:
        return say("nulla", "nothing")
    parts = [say("ammonizione", "warning")] if due.warning else []
    parts += [f"{due.victory_points} V.P."] if due.victory_points else []
    return say(" e ", " and ").join(parts)


SLOW_PLAY: Final = RoundReport(
    "pace", ("Gioco lento", "Slow play"), slow_play_report, once_over=False, arbitri_only=True
)
