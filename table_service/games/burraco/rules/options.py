"""The choices that a code leaves open, as data: what a log's header may say, and the rule book that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hw import table_options
from hw.errors import TavoloError
from hw.table_options import COMMON_OPTIONS, word_of

if TYPE_CHECKING:
    from table_service.games.burraco.rules.rulebook import RuleBook
    from table_service.referee.catalogue import Catalogue, Row


class OptionError(TavoloError, ValueError):
    """A choice that the code does not have, or one that must be made and was not; the message says what there is."""


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """One way to choose. ``changes``: fields of the rule book by their paths (``penalised.left_at_end``) and values.

    ``rows``: rows of the catalogue as they read by this choice. Both empty where the code as written says it already.
    """

    value: str
    it: str
    en: str
    changes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeOption:
    """A question that the text leaves open. ``default``: the choice where nobody says otherwise, None: it must be said.

    ``choices`` empty: any whole number above zero, which goes to the field ``number``.
    """

    name: str
    article: str
    it: str
    en: str
    choices: tuple[OptionChoice, ...] = ()
    default: str | None = None
    number: str = ""

    def choice(self, value: object) -> OptionChoice:
        """Return the choice named ``value``. Raises OptionError, which names those there are."""
        if not self.choices:
            if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
                raise OptionError(f"option {self.name} must be a whole number above zero, not {value!r}")
            return OptionChoice(str(value), str(value), str(value), {self.number: value})
        known = next((one for one in self.choices if one.value == word_of(value)), None)
        if known is None:
            there = ", ".join(one.value for one in self.choices)
            raise OptionError(f"option {self.name} must be one of {there}, not {value!r}")
        return known


def chosen(book: RuleBook, options: Mapping[str, Any]) -> RuleBook:
    """``book`` as ``options`` (of a log's header) choose; those that are none of the code's are left to their readers.

    Raises OptionError where a choice does not exist, or where one is missing that must be made.
    """
    for option in book.options:
        if option.name not in options and option.default is None:
            raise OptionError(f"{book.name} needs the option {option.name}: {option.en}")
    made = [(option.name, option.choice(options[option.name])) for option in book.options if option.name in options]
    for _, choice in made:
        for path, value in choice.changes.items():
            book = _changed(book, path, value)
    variant = ",".join(f"{name}={choice.value}" for name, choice in made)
    return replace(book, variant=variant) if variant else book


def chosen_rows(book: RuleBook, catalogue: Catalogue, options: Mapping[str, Any]) -> Catalogue:
    """``catalogue``, that of ``book``, with the rows as ``options`` choose. Raises OptionError as ``chosen`` does."""
    made = [one.choice(options[one.name]) for one in book.options if one.name in options]
    rows = {row.id: replace(row, kinds=catalogue.row(row.id).kinds) for choice in made for row in choice.rows}
    return replace(catalogue, rows={**catalogue.rows, **rows}) if rows else catalogue


def described_choices(book: RuleBook, options: Mapping[str, Any]) -> dict[str, str]:
    """Every question that the code leaves open with the choice that holds by ``options``, named or by default."""
    said = ((option, options.get(option.name, option.default)) for option in book.options)
    return {option.name: option.choice(value).value for option, value in said if value is not None}


def table_options_of(book: RuleBook) -> dict[str, table_options.Option]:
    """Choices of a table's ``[options]`` by ``book``: the common ones, and those that this code leaves open."""
    own = {
        one.name: table_options.Option(tuple(choice.value for choice in one.choices), needed=one.default is None)
        if one.choices
        else table_options.Option(least=1, needed=one.default is None)
        for one in book.options
    }
    return {**COMMON_OPTIONS, **own}


def _changed(book: RuleBook, path: str, value: object) -> RuleBook:
    name, _, inner = path.partition(".")
    changes: dict[str, Any] = {name: replace(getattr(book, name), **{inner: value}) if inner else value}
    return replace(book, **changes)
