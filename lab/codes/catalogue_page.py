"""The catalogue of a code as a page for people who read it beside the code: what the table knows of each row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from table_service.referee.catalogue import Catalogue, DutyRule, Heal, Kind, Row, StepRule
from table_service.referee.outcomes import Outcome, Share

_AT: Final = {"discard": "after the discard", "next-draw": "after the next draw", "deal-end": "at the deal's end"}
_KINDS: Final[dict[Kind, str]] = {
    "irregularity": "irregularities",
    "situation": "situations",
    "principle": "principles",
}


def slug(row: str) -> str:
    """Return how the tests of ``row`` begin: ``F-31a`` is ``f31a``."""
    return row.lower().replace("-", "")


def page(catalogue: Catalogue, tests: Mapping[str, Sequence[str]]) -> str:
    """Return the catalogue in Markdown; ``tests``: the names of the tests of each row by its ``slug``."""
    rows = catalogue.rows.values()
    lines = [
        f"# The catalogue of {catalogue.rules}",
        "",
        "Made from the code by `python tools/make_catalogue.py`; a test says when it is not up to date. Each row says",
        "what senses it, which facts of play it answers, how severe it is, what the remedy is, whose choice it leaves,",
        "what becomes of it when it is found later, what the table watches once it is ruled, what it changes in the",
        "result of the round, and which tests prove it. Situations and principles are never entered as irregularities.",
        "`person`: no sensor tells it, or not always, and the arbitro enters it as a ruling; what it asks for",
        "stands beside.",
        "",
        *_summary(catalogue),
        "",
        *_rounds(catalogue),
    ]
    for row in rows:
        lines += ["", *_row(row, tests.get(slug(row.id), ()))]
    return "\n".join(lines) + "\n"


def _summary(catalogue: Catalogue) -> list[str]:
    rows = catalogue.rows.values()
    kinds = Counter(row.kind for row in rows)
    severities = Counter(row.severity for row in rows if row.kind == "irregularity")
    told = sum(row.kind == "irregularity" and row.senses != ("person",) for row in rows)
    return [
        f"{len(rows)} rows: " + ", ".join(f"{kinds[kind]} {name}" for kind, name in _KINDS.items()) + ".",
        "Irregularities by severity: " + ", ".join(f"{severities[one]} {one}" for one in sorted(severities)) + ".",
        f"{told} irregularities can be sensed; {len(catalogue.offered())} rows are offered to the arbitro as rulings.",
    ]


_OPTIONS: Final = (
    '- `warnings`: how many each line brings from earlier rounds of the tournament, as `{"NS": 1}`;',
    "- `warning_count`: which of them cost a victory point in the ranking, `every-second` or `each-after-first`;",
    "- `call_at`: the lead in match points at which the arbitro must be called, where that was announced (800);",
    "- `room`: `open` or `closed`, in a match of teams: a bonus goes on the sheet of the open room, and one room alone",
    "  does not know the victory points of the match (null).",
)
_RESULTS: Final = (
    "A ruling gives lines what the rows list as `Result`: `bonus` and `points` match points on the score sheet,",
    "`win` and `lose` the result by default, `better` the win or what was acquired in play where that is more, `seven`",
    "seven victory points, `zero` none, `nothing` neither victory nor match points, `cap` the own victory points but",
    "seven at the most, `swap` what the other line has, `assign` what the arbitro names, `absent` no such pair.",
    "`round.ruled` tells it; `score.counted` and `round.ended` count it, and are told again with `supersedes` where it",
    "comes later. What warnings cost in the ranking stands apart in `deductions`. Match points that the code does not",
    "state are null.",
)


def _rounds(catalogue: Catalogue) -> list[str]:
    rules = catalogue.tournament
    won = [
        f"{vp} to {20 - vp} and {mp} match points in {f'rounds of {deals} deals' if deals else 'matches of teams'}"
        for deals, (vp, mp) in sorted(rules.defaults.items(), key=lambda item: item[0] or len(rules.defaults) + 9)
    ]
    if not won:
        return ["The code says nothing of rounds and tournaments."]
    return [
        "## Rounds and tournaments",
        "",
        "The log's `options`, or the order `start-round`, may say with what a round begins:",
        "",
        *(line for line in _OPTIONS if rules.call_row is not None or "`call_at`" not in line),
        "",
        f"Warnings count as `{rules.warning_count}` unless that says otherwise. A win by default: {'; '.join(won)}.",
        "",
        *_RESULTS,
    ]


def _row(row: Row, tests: Sequence[str]) -> list[str]:
    kind = row.severity if row.kind == "irregularity" else row.kind
    lines = [
        f"## {row.id} – {row.title.en}",
        "",
        f"*{row.title.it}* · art. {row.article} · **{kind}**{_silent(row)}",
        "",
    ]
    lines.append(f"- Sensed by: {', '.join(row.senses)}{_asked(row)}")
    if row.kinds:
        lines.append(f"- Answers: {', '.join(kind.replace('_', ' ') for kind in row.kinds)}")
    lines += [f"- {'Remedy' if row.kind == 'irregularity' else 'Rule'}: {_step(step)}" for step in row.steps]
    lines += [f"- Choice `{one.key}` ({one.who}): {one.text.en}" for one in row.choices]
    if row.options:
        lines.append(f"- The arbitro decides among: {', '.join(row.options)}")
    lines += [f"- Found {_AT[age.at]}: judged by {age.row}" for age in row.ages]
    lines += _effects(row)
    lines += [f"- Watched: {_duty(duty)}" for duty in row.duties]
    lines += [f"- Result: {_outcome(one)}" for one in row.outcomes]
    lines.append("- Tests: " + (", ".join(f"`{name}`" for name in tests) or "none of its own"))
    return lines


def _effects(row: Row) -> Iterator[str]:
    """Return what a ruling by ``row`` does at once, and how long the fact stays open without one."""
    if row.kind == "irregularity":
        yield f"- {_ends(row)}"
    if row.warn:
        only = "" if row.warn_option is None else f", where `{row.warn_option}` is chosen"
        yield f"- Warns: {'both lines' if row.warned == 'both' else 'the line of the offender'}{only}"
    if row.freezes:
        when = "for good" if row.freeze_how == "definitive" else f"until turn {row.freeze_turns} of the offender"
        yield f"- Freezes the melds concerned {when}"
    if row.negative:
        yield "- The cards in melds count against the line"
    if row.draws:
        yield f"- A card of the hand drawn by a chance that can be proved goes to the {row.draws}"


def _silent(row: Row) -> str:
    return " · the code is silent: a row of the table's own" if row.silent else ""


def _asked(row: Row) -> str:
    if not row.is_offered:
        return ""
    return f"; the console asks for: {', '.join(row.form) or 'nothing more'}"


_ENDS: Final[dict[Heal, str]] = {
    "opponent-draws": "Lapses when an opponent draws or picks up",
    "next-seat-draws": "Lapses when the seat after the offender draws or picks up",
    "anybody-draws": "Lapses when anybody else draws or picks up",
    "never": "Stays open until it is ruled",
}


def _ends(row: Row) -> str:
    return _ENDS[row.heals]


def _only(option: str | None) -> str:
    return "" if option is None else f"[{option}] "


def _step(step: StepRule) -> str:
    until = f" (until {step.until})" if step.until else ""
    return f"{_only(step.option)}`{step.do}` by {step.who}: {step.text.en}{until}"


def _duty(duty: DutyRule) -> str:
    allowed = f", allowed: {', '.join(duty.allow)}" if duty.allow else ""
    return f"{_only(duty.option)}`{duty.do}` by {duty.who}, {duty.when}{allowed}"


def _outcome(one: Outcome) -> str:
    minutes = "" if one.upto > 1e6 else f"[up to {one.upto:g} minutes] "
    given = [f"{side}: {_shares(shares)}" for side, shares in (("line", one.offender), ("other", one.other)) if shares]
    if one.stops:
        given.append(f"the deal ends ({one.stops})")
    return f"{_only(one.option)}{minutes}{'; '.join(given) or 'nothing changes'}"


def _shares(shares: Sequence[Share]) -> str:
    return ", ".join(f"{share.do} {share.points}" if share.points else share.do for share in shares)
