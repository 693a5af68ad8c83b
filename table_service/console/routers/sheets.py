"""A table's score sheets: written, ledger and camera side by side; paper entered, figures corrected by its code."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from hw.seats import LINES
from table_service.console import correction_rules, round_page
from table_service.console.access import ARBITRI, ROUND, Form, form_of, only, signed_in
from table_service.console.numbers import whole
from table_service.console.pages import AskedPages, NamedTable, Pages, Viewer
from table_service.console.routers.common import bar
from table_service.console.routers.table import desk
from table_service.console.ruling_forms import FormError, number
from table_service.console.score_sheet import TOTAL, DealSheet
from table_service.console.sheet_book import TableRound
from table_service.console.storage import Session
from table_service.console.streams import PagePart
from table_service.console.table_view import TableView
from table_service.events.orders import CorrectSheet, Rule, WriteSheet
from table_service.games.definition import Correction, SheetRules

PAPER: Final = ("delivered", "left", "lost", "found")
LONGEST_REASON: Final = 200


router = APIRouter()
"""The routes of score sheets."""


@router.get("/sheets/{name}", dependencies=[Depends(only(ROUND, "score sheets"))])
async def page(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """Serve the score sheets of a table's round."""
    return pages.live(request, "sheets.html", lambda viewer: sheet_parts(pages, view, viewer), t=view)


@router.get("/sheets/{name}/stream", dependencies=[Depends(only(ROUND))])
async def stream(request: Request, pages: AskedPages, view: NamedTable) -> Response:
    """Their changes as server-sent events."""
    return pages.stream(request, lambda viewer: sheet_parts(pages, view, viewer), at=view.name)


@router.post("/sheets/{name}/{deal}/{deed}", dependencies=[Depends(only(ARBITRI))])
async def act(request: Request, pages: AskedPages, view: NamedTable, deal: str, deed: str) -> Response:
    """Enter what was written on a deal's sheet, correct it; ``deal`` ``round``: what concerns all of them."""
    session, held = signed_in(request), pages.office.sheets.now(view.name)
    if held is None:
        return pages.missing(request, view.name)
    form = await form_of(request)
    if deal == "round":
        said = _of_round(pages, session, view, held, deed, form)
    else:
        said = _of_deal(pages, session, held, held.sheets.get(whole(deal) or 0), deed, form)
    pages.office.deed(session, f"sheet {deed}", place=view.name, detail=said)
    return pages.done(request, f"/sheets/{view.name}")


# -- deeds -------------------------------------------------------------------------------------------------------------


def _of_deal(
    pages: Pages, session: Session, held: TableRound, sheet: DealSheet | None, deed: str, form: Form
) -> dict[str, Any]:
    """One of the deeds on a deal's sheet, as an order to the table; what is said of it in the log. Raises FormError."""
    if sheet is None:
        raise FormError("bad_form")
    if form.get("score", sheet.score.get("id")) != sheet.score.get("id"):
        raise FormError("sheet_changed")
    model: type[WriteSheet | CorrectSheet] = WriteSheet
    match deed:
        case "written":
            fields = _written(sheet, form)
        case "signed":
            fields = _as_counted(sheet)
        case "correct" | "take":
            model, fields = CorrectSheet, _correction(rules_of(pages, held), sheet, deed, form)
        case _:
            raise FormError("bad_form")
    asked = model(by=session.person.name, deal=sheet.deal, score=sheet.score.get("id"), **fields)
    pages.office.give(held.place, asked)
    named = {name for figures in fields["lines"].values() for name in figures}
    titles = {name: sheet.items.title(name) for name in sorted(named)}
    return {"deal": sheet.deal, **fields, "titles": {name: title for name, title in titles.items() if title}}


def _written(sheet: DealSheet, form: Form) -> dict[str, Any]:
    """Return what was typed from the paper: the figures that stand there, and no others."""
    lines: dict[str, dict[str, int]] = {}
    for line in LINES:
        for name in sheet.figures:
            value = number(form.get(f"{line}-{name}", ""), whole=True)
            if value is not None:
                lines.setdefault(line, {})[name] = int(value)
    if not lines:
        raise FormError("sheet_nothing")
    return {"lines": lines, "signed": [line for line in LINES if form.get(f"signed-{line}")]}


def _as_counted(sheet: DealSheet) -> dict[str, Any]:
    """Return what the table has counted, as the paper says it, signed by both lines."""
    lines: dict[str, dict[str, int]] = {}
    for line in LINES:
        figures = {row.name: row.counts for row in sheet.rows(line) if row.sum}
        if None in figures.values():
            raise FormError("sheet_unclear")
        lines[line] = {name: value for name, value in figures.items() if value is not None}
    return {"lines": lines, "signed": list(LINES)}


def _correction(rules: Correction, sheet: DealSheet, deed: str, form: Form) -> dict[str, Any]:
    """Return a corrected figure, as far as the code allows it. Raises FormError with the sentence that says why not."""
    line, item = form.get("line", ""), form.get("item", "")
    if line not in LINES or item not in (*sheet.items.names, TOTAL):
        raise FormError("bad_form")
    if not rules.correct:
        raise _refused(rules)
    value: int | float | None
    reason = form.get("reason", "").strip()[:LONGEST_REASON]
    if deed == "take":
        row = next(row for row in sheet.rows(line) if row.name == item)
        value = dict(row.choices).get(form.get("column", ""))
        reason = f"{form.get('column')}: {value}"
    else:
        value = number(form.get("value", ""), whole=True)
    if value is None:
        raise FormError("bad_number")
    asked = (
        ("sheet_reason", not reason),
        ("sheet_agreed", rules.agreed and not form.get("agreed")),
        ("sheet_countersigned", rules.countersigned and not form.get("countersigned")),
    )
    for word, missing in asked:
        if missing:
            raise FormError(word)
    return {
        "lines": {line: {item: int(value)}},
        "reason": reason,
        "agreed": [one for one in LINES if one != line] if form.get("agreed") else [],
        "countersigned": bool(form.get("countersigned")),
    }


def _of_round(
    pages: Pages, session: Session, view: TableView, held: TableRound, deed: str, form: Form
) -> dict[str, Any]:
    """Return what concerns the whole sheet of a round. Raises FormError."""
    rules, person, now = rules_of(pages, held), session.person.name, pages.office.clock()
    line = form.get("line", "")
    if form.get("first", f"{held.boot}-{held.first}") != f"{held.boot}-{held.first}":
        raise FormError("sheet_changed")
    if deed in PAPER:
        if deed == "left" and line not in LINES:
            raise FormError("bad_form")
        ruled = _paper_ruling(pages, view, held, deed, line)
        if ruled is not None:
            pages.office.give(view.name, Rule(by=person, **ruled))
        pages.book.rounds.paper(view.name, held.boot, held.first, deed, person, now=now)
    elif (deed == "swap" and rules.swap) or (deed == "void" and rules.void):
        if line not in LINES or (deed == "swap" and not form.get("agreed")):
            raise FormError("sheet_agreed" if line in LINES else "bad_form")
        code = sheet_rules(pages, held.place)
        pages.office.give(view.name, Rule(by=person, line=line, **(code.swap if deed == "swap" else code.void)))
    else:
        raise _refused(rules)
    return {"line": line}


def _refused(rules: Correction) -> FormError:
    italian, english = rules.why
    return FormError("as_game_says", it=italian, en=english)


def _paper_ruling(pages: Pages, view: TableView, held: TableRound, deed: str, line: str) -> dict[str, Any] | None:
    """Return what is ruled for a sheet that was left, lost or found again; None where nothing is.

    Raises FormError where the code has no row about it.
    """
    if deed not in ("left", "lost", "found"):
        return None
    round_, rows = pages.book.rounds.current, sheet_rules(pages, view.name)
    if not (rows.left if deed == "left" else rows.lost):
        raise FormError("bad_form")
    match deed:
        case "left":
            return {"row": rows.left, "line": line}
        case "lost":
            return {"row": rows.lost, "option": "lost"}
        case "found" if (key := held.by_row(rows.lost)) is not None:
            merit = round_ is not None and round_.kind == "groups"
            return {"row": rows.lost, "key": key, "option": "found-in-merit-groups" if merit else "found"}
    return None


# -- what is shown ----------------------------------------------------------------------------------------------------


def paper_of(pages: Pages, held: TableRound) -> tuple[str, str, float]:
    """Return what became of the paper: state, who entered it, when; empty where nobody has said."""
    return pages.book.rounds.papers().get((held.place, held.boot, held.first), ("", "", 0.0))


def sheet_rules(pages: Pages, place: str) -> SheetRules:
    """Return what the code that is played at a table says about score sheets."""
    played = pages.rule_set(pages.store.tables.get(place))
    return SheetRules() if played is None else played.paper


def rules_of(pages: Pages, held: TableRound) -> Correction:
    """Return what is left open for a table's sheets now."""
    rules, paper = sheet_rules(pages, held.place), paper_of(pages, held)[0]
    return correction_rules.allowed(rules, pages.book.rounds.current, held, paper, pages.office.clock())


def sheet_parts(pages: Pages, table: TableView, viewer: Viewer) -> Sequence[PagePart]:
    """Return the parts of a table's score sheets."""
    book, office = pages.book, pages.office
    game = pages.words(viewer.language, table).game

    def version() -> Hashable:
        match = repr((table.state or {}).get("match")) if game.match_sheet else ""
        return (office.sheets.version, book.rounds.version, book.orders.version, table.versions["alerts"], match)

    def html() -> str:
        held = office.sheets.now(table.name)
        names = pairs_of(pages, table)
        paper = ("", "", 0.0) if held is None else paper_of(pages, held)
        rules = None if held is None else rules_of(pages, held)
        sheets = [] if held is None else [held.sheets[n] for n in sorted(held.sheets)]
        winner = None if held is None else _winner(held)
        head = f"{game.name}/{game.match_sheet}"
        match = game.middle_of(table.state or {}) if game.match_sheet else None
        by_all = {line: all(s.how(line).how in ("display", "paper") for s in sheets) for line in LINES}
        return pages.render(
            "part_sheets.html", viewer, t=table, held=held, sheets=sheets, names=names, paper=paper, rules=rules,
            winner=winner, code=sheet_rules(pages, table.name), match=match, head=head, by_all=by_all,
            round=book.rounds.current, **desk(pages, table, viewer),
        )  # fmt: skip

    return [PagePart("sheets", version, html), *bar(pages, viewer)]


def pairs_of(pages: Pages, table: TableView) -> dict[str, str]:
    """Return the pairs at a table by line, if the club has entered them."""
    current = pages.book.rounds.current
    seated = {} if current is None else pages.book.rounds.seated(current.id)
    return {line: seated.get((table.name, line)) or round_page.pair(table, line) for line in LINES}


def _winner(held: TableRound) -> str | None:
    """Return the line that has won so far, which hands the sheet in; None if that is not known, or none has."""
    points = held.running()
    if None in points or points[0] == points[1]:
        return None
    return LINES[points.index(max(one for one in points if one is not None))]
