"""What an arbitro may enter himself: the catalogue's rows that no sensor tells, and what each of them asks for.

Everything comes from the catalogue's data; a code that is added there is offered here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hw.cards import CardError, parse_card
from hw.errors import TavoloError
from table_service.console.access import Form
from table_service.console.settings import Language
from table_service.referee.catalogue import Catalogue, Row
from table_service.referee.catalogue import Words as Pair

SEATS: Final = ("N", "E", "S", "W")
LINES: Final = ("NS", "EW")


class FormError(TavoloError):
    """A field of a form that makes no sense; ``word`` names the sentence to show."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Option:
    """One way that is left open: ``key`` is what the ruling names; ``row``: it is itself a row of the catalogue."""

    key: str
    text: str
    row: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """A row to enter: what it is called, what will be done, what must be said for it."""

    row: str
    article: str
    title: str
    steps: tuple[str, ...]
    options: tuple[Option, ...]
    asks: tuple[str, ...]
    warn: bool


def _in(pair: Pair, language: Language) -> str:
    return pair.it if language == "it" else pair.en


def title_of(catalogue: Catalogue | None, row: str, language: Language) -> str:
    """What a row is called; its name where the catalogue does not hold it."""
    held = None if catalogue is None else catalogue.rows.get(row)
    return row if held is None else _in(held.title, language)


def offer(catalogue: Catalogue, row: Row, language: Language) -> Offer:
    """``row`` as a page shows it."""
    named = [Option(name, title_of(catalogue, name, language), row=True) for name in row.options]
    ways = [Option(choice.key, _in(choice.text, language)) for choice in row.choices]
    return Offer(
        row=row.id,
        article=row.article,
        title=_in(row.title, language),
        steps=tuple(_in(step.text, language) for step in row.steps),
        options=(*named, *ways),
        asks=tuple(row.form),
        warn=row.warn,
    )


def offers(
    catalogue: Catalogue | None, language: Language, wanted: str = "", *, everything: bool = False
) -> list[Offer]:
    """The rows to enter that fit ``wanted``: words of the title or the steps, an article's number, a row's name.

    ``everything``: the rows that the table senses as well, for when it has not.
    """
    if catalogue is None:
        return []
    rows = (
        catalogue.offered() if not everything else tuple(r for r in catalogue.rows.values() if r.kind == "irregularity")
    )
    found = [offer(catalogue, row, language) for row in rows]
    terms = wanted.lower().replace("art.", " ").split()
    return [one for one in found if all(_fits(one, term) for term in terms)]


def _fits(one: Offer, term: str) -> bool:
    if term.isdigit():
        return term in one.article.replace(";", " ").replace(".", " ").split()
    return term in one.title.lower() or term in one.row.lower() or any(term in step.lower() for step in one.steps)


def fields_of(row: Row, form: Form) -> dict[str, Any]:
    """The fields of ``rule`` for ``row``, from what was filled in. Raises FormError."""
    fields: dict[str, Any] = {"row": row.id}
    for ask in row.form:
        match ask:
            case "seat" | "line":
                if form.get(ask) in (SEATS if ask == "seat" else LINES):
                    fields[ask] = form[ask]
            case "lines" | "vp" | "mp":
                both = {line: number(form.get(f"{ask}-{line}", ""), whole=ask != "lines") for line in LINES}
                if any(value is not None for value in both.values()):
                    fields[ask] = {line: value for line, value in both.items() if value is not None}
            case "minutes" | "points":
                value = number(form.get(ask, ""), whole=ask == "points")
                if value is not None:
                    fields[ask] = value
            case "option":
                if form.get("option"):
                    fields["option"] = form["option"]
            case "meld":
                fields |= meld_fields(form)
            case "cards" | "added":
                cards = cards_field(form.get(ask, ""))
                if cards:
                    fields[ask] = cards["cards"]
    return fields


def meld_fields(form: Form) -> dict[str, Any]:
    """``meld`` and ``freeze`` as they were chosen; nothing where nothing was."""
    fields: dict[str, Any] = {}
    chosen = number(form.get("meld", ""), whole=True)
    if chosen is not None:
        fields["meld"] = chosen
    if form.get("freeze") in ("none", "temporary", "definitive"):
        fields["freeze"] = form["freeze"]
    return fields


def cards_field(text: str) -> dict[str, Any]:
    """``cards`` from what was typed: ``7H qs 10d JK``. Raises FormError for what is no card."""
    codes = text.replace(",", " ").upper().replace("10", "T").split()
    if not codes:
        return {}
    try:
        return {"cards": [str(parse_card(code)) for code in codes[:30]]}
    except CardError:
        raise FormError("bad_cards") from None


def number(text: str, *, whole: bool) -> int | float | None:
    """The number in ``text``; None for nothing. Raises FormError for what is none."""
    text = text.strip().replace(",", ".")
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        raise FormError("bad_number") from None
    if not -10_000 <= value <= 10_000 or (whole and value != int(value)):
        raise FormError("bad_number")
    return int(value) if value == int(value) else value


def late_row(catalogue: Catalogue | None, *, both: bool = False) -> Row | None:
    """The row for a line that comes late, or for ``both``: it asks for the minutes alone; None where there is none."""
    if catalogue is None:
        return None
    wanted = {"lines"} if both else {"line", "minutes"}
    return next((row for row in catalogue.offered() if set(row.form) == wanted), None)


Catalogues = Mapping[str, Catalogue]
