"""Facts that an arbitro may enter himself: the catalogue's rows that no sensor detects, and the fields of each.

Everything comes from the catalogue's data; a code that is added there is offered here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from hw.cards import UNKNOWN, CardError, Pack
from hw.errors import TavoloError
from hw.seats import LINES
from hw.zones import zone_seat
from table_service.console.access import Form
from table_service.console.numbers import whole
from table_service.console.settings import Language
from table_service.events.orders import ORDERS, Order, Orders, Rule, WrongOrder, read_order
from table_service.games.definition import RuleSet
from table_service.games.game_pages import CardKeys
from table_service.referee.catalogue import Catalogue, Row
from table_service.referee.catalogue import Words as Pair
from table_service.rulesets import rule_set_or_default

SEATS: Final = ("N", "E", "S", "W")


class FormError(TavoloError):
    """A field of a form that makes no sense; ``word`` names the sentence to show, ``terms`` stand in it."""

    def __init__(self, word: str, **terms: object) -> None:
        super().__init__(word)
        self.word = word
        self.terms = terms


@dataclass(frozen=True, slots=True)
class RulingOption:
    """One way that is left open: ``key`` is what the ruling names; ``row``: it is itself a row of the catalogue.

    ``proposed``: what the table takes it for, or what the code names first; ``severity``, ``follows``: of a row, what
    its remedy is.
    """

    key: str
    text: str
    row: bool = False
    proposed: bool = False
    severity: str = ""
    follows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingOffer:
    """A row to enter: what it is called, what will be done, what must be said for it."""

    row: str
    article: str
    title: str
    steps: tuple[str, ...]
    options: tuple[RulingOption, ...]
    asks: tuple[str, ...]
    warn: bool


def _in(pair: Pair, language: Language) -> str:
    return pair.it if language == "it" else pair.en


def title_of(catalogue: Catalogue | None, row: str, language: Language) -> str:
    """Return what a row is called; its name where the catalogue does not hold it."""
    held = None if catalogue is None else catalogue.rows.get(row)
    return row if held is None else _in(held.title, language)


def option_of(catalogue: Catalogue | None, key: str, language: Language) -> RulingOption:
    """Return a way that is itself a row: its title, its severity, and what follows from it."""
    row = None if catalogue is None else catalogue.rows.get(key)
    title = title_of(catalogue, key, language)
    if row is None:
        return RulingOption(key, title, row=True)
    follows = tuple(_in(step.text, language) for step in row.steps)
    return RulingOption(key, title, row=True, severity=row.severity, follows=follows)


def offer(catalogue: Catalogue, row: Row, language: Language) -> RulingOffer:
    """``row`` as a page shows it."""
    named = [option_of(catalogue, name, language) for name in row.options]
    ways = [RulingOption(choice.key, _in(choice.text, language)) for choice in row.choices]
    return RulingOffer(
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
) -> list[RulingOffer]:
    """Return the rows to enter that fit ``wanted``: words of the title or the steps, an article's number, a row's name.

    ``everything``: the rows that the table senses as well, for when it has not; also where nothing else fits.
    """
    if catalogue is None:
        return []
    terms = wanted.lower().replace("art.", " ").split()
    every = tuple(row for row in catalogue.rows.values() if row.kind == "irregularity")
    for rows in (every,) if everything else (catalogue.offered(), every):
        made = [offer(catalogue, row, language) for row in rows]
        found = [one for one in made if all(_fits(one, term) for term in terms)]
        if found:
            return found
    return []


_ALIKE: Final = (
    (
        "telefono",
        "telefonino",
        "cellulare",
        "smartphone",
        "phone",
        "mobile",
        "fumo",
        "smoking",
        "comportamento",
        "conduct",
    ),
    ("ritardo", "tardi", "late"),
    ("parlare", "parla", "commenta", "talk", "comments"),
)
"""Words that people use for the same thing; what the codes do not name is conduct."""
_STEM: Final = 5
"""A word is found by its beginning where it is at least so long: who types ``pescata`` finds ``pesca``."""


def _fits(one: RulingOffer, term: str) -> bool:
    if term.isdigit():
        return term in one.article.replace(";", " ").replace(".", " ").replace(",", " ").split()
    text = " ".join((one.title, one.row, *one.steps)).lower()
    alike = next((words for words in _ALIKE if any(word.startswith(term) for word in words)), ())
    stem = (term[:-2],) if len(term) - 2 >= _STEM else ()
    return any(word in text for word in (term, *stem, *alike))


def entered(
    model: type[Order], form: Form, language: Language = "en", played: RuleSet | None = None,
    *, only: Collection[str] | None = None, is_count: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Return the fields of ``model`` that were filled in, read by their types, cards in the reader's letters.

    ``played``: whose cards are named; None: those of the French pack. ``only``: fields that are asked for; None: all.
    ``is_count``: plain digits, where cards or their number may be said, are the number. Raises FormError.
    """
    found: dict[str, Any] = {}
    for name, types in fields_of(model).items():
        if only is not None and name not in only:
            continue
        typed = form.get(name, "").strip()
        if "object" in types:
            by_line = ((line, number(form.get(f"{name}-{line}", ""), whole="number" not in types)) for line in LINES)
            found[name] = {line: value for line, value in by_line if value is not None}
        elif "array" in types:
            count = whole(typed) if "integer" in types and is_count else None
            found[name] = cards_of(typed, language, played) if count is None else count
        elif types & {"integer", "number"}:
            found[name] = number(typed, whole="number" not in types)
        else:
            found[name] = typed
    return {name: value for name, value in found.items() if value not in (None, "", [], {})}


@cache
def fields_of(model: type[Order]) -> Mapping[str, frozenset[str]]:
    """Return the fields of an order, each with the JSON types that it, or what it holds by line, may have.

    >>> from table_service.events.orders import Correct
    >>> sorted(fields_of(Correct)["cards"])
    ['array', 'integer', 'null']
    """
    fields = model.model_json_schema()["properties"]
    return {name: frozenset(_types(one)) for name, one in fields.items() if name not in Order.model_fields}


def _types(schema: Mapping[str, Any]) -> Iterator[str]:
    if "anyOf" not in schema:
        yield str(schema.get("type", "string"))
    for one in (*schema.get("anyOf", ()), *([schema["additionalProperties"]] if "propertyNames" in schema else ())):
        yield from _types(one)


def order_of(known: Orders, do: str, person: str, fields: Mapping[str, Any]) -> Order:
    """Return the order that ``person`` gives, one of those ``known``. Raises FormError for wrong ``fields``."""
    read = read_order({**fields, "do": do, "by": person}, known)
    if isinstance(read, WrongOrder):
        raise FormError("field_wrong", field=read.field)
    return read


def ruling_of(row: Row, form: Form, language: Language = "en", played: RuleSet | None = None) -> dict[str, Any]:
    """Return the fields of a ruling by ``row``, from what was filled in. Raises FormError."""
    asked = {*row.form, *(("freeze",) if "meld" in row.form else ())}
    return {"row": row.id, **entered(Rule, form, language, played, only=asked)}


def orders_of(played: RuleSet | None) -> Orders:
    """Return the orders of a table's game; those of every table if it is unknown."""
    return ORDERS if played is None else played.orders


def has_melds(played: RuleSet | None) -> bool:
    """Return True if cards lie in a line's rows, which a ruling may name and freeze, or if the game is unknown."""
    return played is None or any(zone_seat(zone) is None for zone in played.equipment.lying("rows"))


_SUITS: Final = {"♥": "H", "♦": "D", "♣": "C", "♠": "S", "\ufe0f": ""}
_ITALIAN_SUITS: Final = {"C": "H", "Q": "D", "F": "C", "P": "S"}
"""Cuori, quadri, fiori, picche; the letters H, D and S of the English names are no Italian ones, and stay theirs."""
_ITALIAN_RANKS: Final = {"F": "J", "D": "Q", "R": "K"}


MOST_CARDS: Final = 120
"""Nobody names more cards at once than the largest pack has."""


def cards_of(typed: str, language: Language = "en", played: RuleSet | None = None) -> list[str]:
    """Return the cards that were typed, in the reader's letters. Raises FormError for what is no card of the pack.

    ``played``: the rule set whose pack is asked; None where nobody knows it: then the French one with jokers.

    >>> cards_of("7H qs 10d JK")
    ['7H', 'QS', 'TD', 'JK']
    >>> cards_of("7C dp 10q 2♣", "it")
    ['7H', 'QS', 'TD', '2C']
    """
    codes = typed.replace(",", " ").split()
    pack = (played or rule_set_or_default(None)).pack
    keys = None if played is None else played.pages.card_keys
    if len(codes) > MOST_CARDS:
        raise FormError("too_many_cards")
    try:
        if keys is not None:
            return [_by_keys(code, language, keys, pack) for code in codes]
        return [pack.parse(_international(code.upper().replace("10", "T"), language)) for code in codes]
    except CardError:
        raise FormError("bad_cards" if keys is None else "bad_cards_of_pack") from None


def _by_keys(code: str, language: Language, keys: CardKeys, pack: Pack) -> str:
    """Return a card as its keys write it: by its code, by its name, or by the reader's letters of rank and suit."""
    column, typed = (0 if language == "it" else 1), _plain(code)
    for key in keys.alone:
        if typed == _plain(key.sign[column]):
            return pack.parse(key.code)
    for rank in keys.ranks:
        for suit in keys.suits:
            names = (suit.code, suit.sign[column])
            if any(typed == _plain(rank.sign[column] + name) for name in names):
                return pack.parse(rank.code + suit.code)
    return pack.parse(code)


def _plain(text: str) -> str:
    """``text`` without accents, blanks and the size of its letters, for comparing."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(sign for sign in plain if sign.isalnum() or sign == UNKNOWN[0]).casefold()


def _international(code: str, language: Language) -> str:
    """Return a card as codes have it: rank, suit, and perhaps the mark of its copy."""
    face, mark, copy = code.partition("#")
    written = any(sign in face for sign in _SUITS)
    for sign, letter in _SUITS.items():
        face = face.replace(sign, letter)
    if face in ("JK", "★", "??") or len(face) != 2:
        return ("JK" if face == "★" else face) + mark + copy
    rank, suit = face[0], face[1]
    if language == "it":
        rank = _ITALIAN_RANKS.get(rank, rank)
        suit = suit if written else _ITALIAN_SUITS.get(suit, suit)
    return rank + suit + mark + copy


def number(text: str, *, whole: bool) -> int | float | None:
    """Return the number in ``text``; None for an empty text. Raises FormError if it is no number."""
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
    """Return the row for a line, or for ``both``, coming late: it asks for minutes alone; None if absent."""
    if catalogue is None:
        return None
    wanted = {"lines"} if both else {"line", "minutes"}
    return next((row for row in catalogue.offered() if set(row.form) == wanted), None)
