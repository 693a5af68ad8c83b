"""The form of protest of norms 92 and 93, filled in with what the table knows of the board. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.bridge.norms.protests import TO_CHIEF, TO_CHIEF_AT_ONCE, Deadline, deadlines
from table_service.games.bridge.pages.board_facts import facts_of, since_1970
from table_service.games.bridge.pages.board_reports import about, auction_grid, play_lines
from table_service.games.bridge.pages.report_text import Speech, clock_text
from table_service.games.game_pages import data_of
from table_service.games.reports import DealPlayed, DealReport, Document, Grid, Language, Report, Section


def protest_form(played: DealPlayed, _opened: Mapping[str, Document], language: Language) -> Report:
    """Return a protest form (norms 92, 93) with its clocks; the text gives two times for one right: both are shown."""
    say, board = Speech(language), facts_of(played)
    decided = [(one, _clock_of(played, one)) for one in board.rows if one.get("state") in ("ruled", "dismissed")]
    scored = _time_of(played, "score.counted")
    lines = [_limit(played, say("Score reso", "Score given"), scored, TO_CHIEF, say)]
    lines += [
        _limit(
            played, f"{say('Decisione', 'Decision')} {one.get('row')} ({one.get('article')})", at, TO_CHIEF_AT_ONCE, say
        )
        for one, at in decided
    ]
    heads = (say("Che cosa", "What"), say("Entro", "Within"), say("Da quando", "From"), say("Articolo", "Article"))
    each = {*deadlines(evident=True), *deadlines(evident=False)}
    rows = tuple(_deadline(one, say) for one in sorted(each, key=lambda one: (one.minutes, one.article, one.since)))
    sections = (
        Section(say("Il board", "The board"), (*lines, *play_lines(board, say)), (auction_grid(board, say),)),
        Section(
            say("I termini", "The clocks"),
            (
                say(
                    "Il testo si contraddice: per il ricorso al C.N.G. dà 24 ore (93.2) e 48 ore (93.4). Chi vuole "
                    "essere sicuro osserva il termine più breve.",
                    "The text contradicts itself: for an appeal to the C.N.G. it gives 24 hours (93.2) and 48 hours "
                    "(93.4). Who wants to be sure keeps the shorter one.",
                ),
            ),
            (Grid(heads, rows, widths=(80.0, 24.0, 46.0, 28.0)),),
        ),
        Section(
            say("Il reclamo", "The protest"),
            (),
            blanks=(
                say(
                    "Chi reclama (componente della coppia, capitano o delegato)",
                    "Who protests (player, captain, delegate)",
                ),
                say("Contro quale decisione", "Against which decision"),
                say("Motivi", "Reasons"),
                say("Presentato alle ore", "Handed in at"),
            ),
            signatures=(
                say("Chi reclama", "Who protests"),
                say("Arbitro del tavolo", "Arbitro of the table"),
                say("Arbitro responsabile", "Chief arbitro"),
            ),
        ),
    )
    return Report(say("Reclamo (norme 92 e 93)", "Protest (norms 92 and 93)"), about(board, say), sections)


def _deadline(one: Deadline, say: Speech) -> tuple[str, ...]:
    since = {
        "official-score": say("score ufficiale reso", "the official score was given"),
        "decision": say("decisione resa", "the decision was given"),
        "end-of-event": say("fine della competizione", "the end of the event"),
    }[one.since]
    time = f"{one.minutes // 60} h" if one.minutes >= 120 else f"{one.minutes}'"
    return say(one.it, one.en), time, since, one.article


def _limit(played: DealPlayed, what: str, at: float | None, until: Deadline, say: Speech) -> str:
    """Return when something was, and until when a protest that it begins the clock of is in time."""
    end = None if at is None else at + 60 * until.minutes
    within = say("reclamo entro le", "protest until")
    return f"{what}: {clock_text(played, at)}; {within} {clock_text(played, end)} ({until.minutes}', {until.article})"


def _clock_of(played: DealPlayed, one: Document) -> float | None:
    told = [event for event in played.events if event.get("type") == "irregularity" and data_of(event) == one]
    return since_1970(told[-1].get("time")) if told else None


def _time_of(played: DealPlayed, kind: str) -> float | None:
    told = [event for event in played.events if event.get("type") == kind]
    return since_1970(told[-1].get("time")) if told else None


PROTEST_FORM: Final = DealReport("protest", ("Modulo di reclamo (92, 93)", "Form of protest (92, 93)"), protest_form)
