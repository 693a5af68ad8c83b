"""Irregular calls behind screens (app. 4, 2 and 4): who passed the tray decides what follows."""

from __future__ import annotations

from typing import Final, Literal

from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.judges.sides import Told, screen_mate, side_of
from table_service.games.bridge.judges.tray import Faulty, TrayAuction
from table_service.games.bridge.judges.verdict import Procedure, Verdict, Watch
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID, REDOUBLE, CallFault

When = Literal["right", "partner", "left"]
"""At whose turn somebody called, as the one who called sees them."""
_PASS_LAWS: Final[dict[When, str]] = {"right": "30B1", "partner": "30B2", "left": "30B3"}
NEVER: Final = frozenset({CallFault.INADMISSIBLE, CallFault.AFTER_THE_END, CallFault.SILENCED, CallFault.UNREADABLE})
"""Faults of calls that are corrected even when they were passed (law 35; app. 4, 4a i)."""
_LAW_OF_NEVER: Final = {
    CallFault.INADMISSIBLE: "36",
    CallFault.SILENCED: "37",
    CallFault.UNREADABLE: "38",
    CallFault.AFTER_THE_END: "39",
}
_UNREAD: Final = frozenset({"38", "39"})
_ACCEPTED_ROWS: Final = {"right": "FIGB-9", "left": "FIGB-11", "partner": "FIGB-15"}
_CODE_ROWS: Final = {"right": "FIGB-10", "left": "FIGB-12", "partner": "FIGB-16"}


def judge_calls(tray: TrayAuction) -> tuple[Verdict, ...]:
    """Verdicts on every irregular call on the tray, in order; none on those that were mended in time."""
    return tuple(judge_call(one) for one in tray.faulty())


def judge_call(one: Faulty) -> Verdict:
    """Verdict on one irregular call."""
    never = [fault for fault in one.faults if fault in NEVER]
    if never:
        return _never(one, _LAW_OF_NEVER[never[0]])
    if one.passed is None:
        return _on_its_side(one)
    by = one.passed.by
    if by is None:
        return _verdict(
            one,
            _law_row(one),
            Procedure.ASK_WHO_PASSED,
            ("app4 4a",),
            needs_referee=True,
            options=_readings(one),
        )
    if by.line is not one.seat.line:
        return _accepted(one, by)
    return _both(one) if one.called_over else _by_the_code(one)


def _verdict(
    one: Faulty,
    row: str,
    procedure: Procedure,
    articles: tuple[str, ...],
    *,
    part: str = "",
    needs_referee: bool = False,
    options: tuple[str, ...] = (),
    unconfirmed: bool = False,
    watch_23: Watch | None = None,
) -> Verdict:
    told: Told = side_of(one.seat) if one.passed is None else "both"
    return Verdict(
        row,
        procedure,
        articles,
        one.seat,
        one.call,
        one.t,
        told,
        part=part,
        needs_referee=needs_referee,
        watch_23=watch_23,
        options=options,
        unconfirmed=unconfirmed,
    )


def _law_row(one: Faulty) -> str:
    return f"law-{_law(one)}"


def _law(one: Faulty) -> str:
    """Return the law about the call itself: a pass, a double, a bid out of turn, or one that is not enough."""
    if CallFault.OUT_OF_TURN not in one.faults:
        return "27"
    if one.call == NO_BID:
        return "30"
    return "32" if one.call in (DOUBLE, REDOUBLE) else "31"


def _never(one: Faulty, law: str) -> Verdict:
    return _verdict(
        one,
        f"law-{law}",
        Procedure.CORRECT_ALWAYS if one.passed is not None else Procedure.CORRECT_UNTOLD,
        ("app4 4a(i)" if one.passed is not None else "app4 2a", "35", law),
        unconfirmed=law in _UNREAD,
    )


def _on_its_side(one: Faulty) -> Verdict:
    """Judge a call that was not passed: changed, and no player across the screen is told (app. 4, 2a and 4b)."""
    return _verdict(one, "A4-2a", Procedure.CORRECT_UNTOLD, ("app4 2a", "app4 4b"))


def _accepted(one: Faulty, by: Seat) -> Verdict:
    """Judge a call that an opponent passed: accepted if the left-hand one may accept; law 23 watches that side."""
    law = _law(one)
    articles: tuple[str, ...]
    if law == "27":
        row, articles = "FIGB-6", ("app4 4a(ii)", "29A", "27A")
    elif law == "31":
        row = "FIGB-14" if one.called_over else _ACCEPTED_ROWS[when_of(one.seat, one.due)]
        articles = ("app4 4a(ii)", "29A")
    else:
        row, articles = f"law-{law}", ("app4 4a(ii)", "29A")
    return _verdict(one, row, Procedure.ACCEPTED_BY_PASSING, articles, watch_23=by.line)


def _both(one: Faulty) -> Verdict:
    """Judge a call the offender passed, an opponent called over: not covered, the auction goes on (examples 8, 13)."""
    row = "FIGB-8" if _law(one) == "27" else "FIGB-13"
    return _verdict(
        one,
        row,
        Procedure.CONTINUE_BOTH_AT_FAULT,
        ("app4 4a", "app4 4b"),
        needs_referee=True,
        watch_23="both",
    )


def _by_the_code(one: Faulty) -> Verdict:
    """Judge a call that the offender alone passed: by the Code, as if there were no screen."""
    law, when = _law(one), when_of(one.seat, one.due)
    if one.answered:
        row = "FIGB-7" if law == "27" else _CODE_ROWS[when] if law == "31" else f"law-{law}"
        return _verdict(one, row, Procedure.ACCEPTED_BY_CALLING, ("app4 4a", "27A1" if law == "27" else "29A"))
    if law == "27":
        return _verdict(one, "FIGB-7", Procedure.LAW_27, ("app4 4a", "27"), options=("27A", "27B1a", "27B1b", "27B2"))
    if law == "31":
        part = "31A" if when == "right" else "31B"
        ways: tuple[str, ...] = ("31A1", "31A2a", "31A2b") if when == "right" else ("31B",)
        return _verdict(
            one, _CODE_ROWS[when], Procedure.LAW_31, ("app4 4a", part, "29A"), part=part, options=("29A", *ways)
        )
    if law == "30":
        ways = ("29A", pass_law(when, anybody_bid=one.over is not None))
        return _verdict(one, "law-30", Procedure.LAW_30, ("app4 4a", "30", "29A"), options=ways)
    ways = ("32A1", "32A2") if when == "right" else ("32B",)
    return _verdict(
        one,
        "law-32",
        Procedure.LAW_32,
        ("app4 4a", "32", "29A"),
        options=("29A", *ways),
        unconfirmed=when == "left",
    )


def _readings(one: Faulty) -> tuple[str, ...]:
    """Return the rows among which knowing who passed the tray decides, that of N or S first, whose task it is."""
    mates = (one.seat, screen_mate(one.seat))
    ordered = sorted(mates, key=lambda seat: seat not in (Seat.NORTH, Seat.SOUTH))
    rows = []
    for by in ordered:
        if by.line is not one.seat.line:
            rows.append(_accepted(one, by).row)
        else:
            rows.append((_both(one) if one.called_over else _by_the_code(one)).row)
    return tuple(dict.fromkeys(rows))


def when_of(seat: Seat, due: Seat | None) -> When:
    """At whose turn ``seat`` has called while ``due`` was to call; after the end as at the left-hand opponent's."""
    if due is CLOCKWISE.previous(seat):
        return "right"
    return "partner" if due is CLOCKWISE.partner(seat) else "left"


def pass_law(when: When, *, anybody_bid: bool) -> str:
    """Return the part of law 30 (Code of 2007) for a pass out of turn that was not accepted.

    >>> pass_law("left", anybody_bid=False), pass_law("partner", anybody_bid=True)
    ('30A', '30B2')
    """
    return _PASS_LAWS[when] if anybody_bid else "30A"
