"""What the referee says, told as events and carried out where it changes the deal: frozen melds, forgiven draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from hw.seats import Seat
from table_service.events import payloads as say
from table_service.games.burraco import event_payloads
from table_service.games.burraco.fold import rounds
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.referee.findings import Against, Finding, Forgiven, Froze, Passed
from table_service.games.burraco.rules.parts import Frozen, Manner, Phase
from table_service.referee.values import Awarded, Bonus, Ignored, Irregularity, SanctionSaid, Stopped, Warned


def report(sitting: Sitting, findings: Iterable[Finding]) -> None:
    """Tell ``findings`` in order."""
    for finding in findings:
        match finding:
            case Irregularity():
                _irregularity(sitting, finding)
            case SanctionSaid(what=what, sanction=one, t=t, committed_t=committed, reason=reason):
                secret = None if one.seen else event_payloads.secret_cards(one.cards)
                data = event_payloads.sanction(one, reason)
                sitting.say(f"sanction.{what}", data, t, one.who, committed_t=committed, secret=secret)
                if what == "imposed" and one.duty.do == "bar-closing":
                    _bar(sitting, one.who)
            case Froze(row=row, how=how, t=t):
                _froze(sitting, row, how, t)
            case Against(row=row, cards=cards):
                _against(sitting, row, cards)
            case Passed(giver=giver, taker=taker, count=count):
                _pass(sitting, giver, taker, count)
            case Forgiven(seat=seat):
                _forgive(sitting, seat)
            case Warned(line=line, t=t):
                sitting.say("warning.given", event_payloads.warning(finding), t, line=line)
            case Awarded(key=key, row=ruled_by, t=t, ruling=ruling, lifted=lifted):
                rounds.ruled(sitting, key, ruled_by, ruling, t, lifted=lifted)
            case Bonus(line=line, points=points):
                sitting.give_bonus(line, points)
            case Stopped(manner=manner):
                _stop(sitting, manner)
            case Ignored(note=note, t=t):
                sitting.ignored(note, t)


def _pass(sitting: Sitting, giver: Seat, taker: Seat, count: int) -> None:
    sitting.change(lambda deal: deal.pass_over(giver, taker, count))


def _forgive(sitting: Sitting, seat: Seat) -> None:
    sitting.change(lambda deal: deal.forgive(seat))


def _against(sitting: Sitting, row: int, cards: tuple[str, ...]) -> None:
    sitting.change(lambda deal: deal.count_against(row, cards))


def _stop(sitting: Sitting, manner: Manner) -> None:
    sitting.change(lambda deal: deal if deal.phase is Phase.OVER else deal.over(manner))


def _bar(sitting: Sitting, seat: Seat) -> None:
    sitting.change(lambda deal: deal.bar_closing(seat))


def _irregularity(sitting: Sitting, one: Irregularity) -> None:
    sitting.say(
        "irregularity",
        event_payloads.irregularity(one),
        one.t,
        one.offender,
        line=one.line,
        confidence=one.confidence,
        basis=one.basis,
        committed_t=one.committed_t,
        secret=None if one.seen else event_payloads.secret_cards(one.cards),
    )


def _froze(sitting: Sitting, row: int, how: str, t: float) -> None:
    if sitting.deal is None or sitting.deal.meld(row) is None or how not in ("none", "temporary", "definitive"):
        return
    frozen = cast("Frozen", how)
    sitting.change(lambda deal: deal.freeze(row, frozen))
    lies = sitting.deal.meld(row)
    if lies is not None:
        data = say.MeldChanged(
            meld=event_payloads.meld(sitting.book, lies), why="thawed" if how == "none" else "frozen"
        )
        sitting.say("meld.changed", data, t, line=lies.line)
