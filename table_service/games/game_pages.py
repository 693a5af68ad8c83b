"""Interface of a game to pages: its words and sentences, the middle of its table, a past deal folded from its events.

The console and the small screen know no game: they frame what the game of a table gives them here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from table_service.events.untrusted import as_map, as_number, as_whole
from table_service.games.reports import AwardForm, DealOrder, DealReport, EventReport, RoundReport, ScoringProtocol

Text = tuple[str, str]
"""Words for people: Italian, English."""
Document = Mapping[str, Any]
"""A JSON object: an event, its data, or the public table (topic ``state``)."""


@dataclass(frozen=True)
class Moment:
    """One event of a deal and the public table after it."""

    event: Document
    state: dict[str, Any]

    @property
    def t(self) -> float:
        """The event's time in seconds of the table's clock."""
        return as_number(self.event.get("t")) or 0.0


@dataclass(frozen=True, slots=True)
class RowOnTable:
    """A row of cards that lies face up, which a ruling may name. ``line``: whose it is; ``id``: as events name it."""

    line: str
    id: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardKey:
    """A key by which a card is picked: the ``code`` that it writes, and the ``sign`` on it, which may be typed too."""

    code: str
    sign: Text


@dataclass(frozen=True, slots=True)
class CardKeys:
    """Keys for picking a card of a pack that is not the French one: a rank, then a suit; or a card by itself.

    ``hint``: a few cards as they are written.
    """

    ranks: tuple[CardKey, ...]
    suits: tuple[CardKey, ...]
    alone: tuple[CardKey, ...]
    hint: Text


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declaration of a player that only a person hears: ``what`` as an observation ``said`` has it.

    ``cards``: True if the cards that were named may be entered with it. ``is_heard``: True if it can be made at a table
    in this public state.
    """

    what: str
    title: Text
    cards: bool = False
    is_heard: Callable[[Document], bool] = lambda _state: True


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that the arbitro states of the deal, by one touch: the field ``name`` of a correction of ``zone``.

    ``numbers``: those that there are.
    """

    zone: str
    name: str
    title: Text
    numbers: range


@dataclass(frozen=True, slots=True)
class TrickCard:
    """The card that one player gave to a trick, as the arbitro states it: a correction of a zone with that one card.

    ``zones``: the zone by seat; ``name``: the field with the trick's number, one of ``numbers``; ``newest``: the trick
    that a state's last card lies in, which the form proposes.
    """

    title: Text
    text: Text
    zones: Mapping[str, str]
    name: str
    numbers: range
    newest: Callable[[Document], int | None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Statement of people on a deal before it is counted, as a sentence, and which seats agree with it."""

    text: Text
    agreed: tuple[str, ...]
    seats: tuple[str, ...]


def turn_of(state: Document) -> tuple[tuple[str, str], ...]:
    """Return the head's fact of a game of turns: the number of the turn, nothing where none has begun."""
    number = as_whole(as_map(state.get("turn")).get("n"))
    return () if number is None else (("turn", str(number)),)


@dataclass(frozen=True, slots=True)
class GamePages:
    """One game on pages.

    ``templates``: the package whose folder ``templates`` holds the game's, reached as ``NAME/FILE``; ``middle``: the
    file for the middle of the table, which is given ``middle_of(state)`` as ``middle``. ``awaited``: from the state's
    ``turn`` the key of the word for what is awaited of who is on turn. ``head_of``: what the head of a table's page
    says beside the deal's number, each fact as a title and a value: keys of words, or a value as it is shown.

    ``words``: by key; ``sentences``: an event as a sentence, by its type, or by type and what its data has in the field
    that ``variants`` names for the type; ``cards``: where an event's data names public cards; ``moves``: the events
    that tell of cards; ``marks``: what of them stands on the line of time, and as which ``mark_`` word.

    ``card_names``: by face the names of cards that the French pack has not; pages write them, but where ``pictures``
    names a pack of ours that is drawn (``tarocco``). Empty where every card is of the French pack.

    ``summed_up``: moves that a later one tells again with more (a card of a trick, the trick), left out where a deal
    is told in few lines.

    ``article``: what its rules call an article.

    ``card_keys``: how a person picks or types a card where the pack is not the French one; None: as everywhere.
    ``declarations``: what the arbitro may enter that a player has said; ``stated_numbers``: what he states himself,
    ``trick_card`` one card of a trick.

    ``match_sheet``: the file for the head of a match's score sheet, given ``middle``; empty where deals stand alone.

    ``agreement_of``: what people have stated of a deal and who agrees, None where nothing waits for that;
    ``deal_order``: how a deal is ordered where more than a dealer is said; ``award_form``: how an arbitro enters scores
    and deductions that no table tells, None where points are given at the table; ``deal_reports``, ``round_reports``,
    ``event_reports``: what is shown and printed of one deal, of a round, and of all rounds; ``scoring_protocols``: how
    other scoring programs have the results; ``sealed_types``: the events whose sealed part a deal's report opens.

    ``rows_of``: the rows that lie on a table; ``counts_of``: the counts that the line of time draws, by word;
    ``moments``: every event of one deal, in the table's order, with the table after it.
    """

    name: str
    templates: str
    middle: str
    middle_of: Callable[[Document], object]
    rows_of: Callable[[Document], tuple[RowOnTable, ...]]
    counts_of: Callable[[Document], Mapping[str, int | None]]
    moments: Callable[[Sequence[Document]], list[Moment]]
    awaited: Callable[[Document], str] = lambda _turn: "on_turn"
    head_of: Callable[[Document], tuple[tuple[str, str], ...]] = turn_of
    words: Mapping[str, Text] = field(default_factory=dict)
    sentences: Mapping[str, Text] = field(default_factory=dict)
    variants: Mapping[str, str] = field(default_factory=dict)
    cards: Mapping[str, Callable[[Document], object]] = field(default_factory=dict)
    moves: frozenset[str] = frozenset()
    summed_up: frozenset[str] = frozenset()
    marks: Mapping[str, str] = field(default_factory=dict)
    card_names: Mapping[str, Text] = field(default_factory=dict)
    pictures: str = ""
    match_sheet: str = ""
    article: Text = ("art.", "art.")
    card_keys: CardKeys | None = None
    declarations: tuple[Declaration, ...] = ()
    stated_numbers: tuple[StatedNumber, ...] = ()
    trick_card: TrickCard | None = None
    agreement_of: Callable[[Document], Agreement | None] = lambda _state: None
    deal_order: DealOrder | None = None
    award_form: AwardForm | None = None
    deal_reports: tuple[DealReport, ...] = ()
    round_reports: tuple[RoundReport, ...] = ()
    event_reports: tuple[EventReport, ...] = ()
    scoring_protocols: tuple[ScoringProtocol, ...] = ()
    sealed_types: frozenset[str] = frozenset()


def data_of(event: Document) -> Document:
    """Return the data of ``event``."""
    return as_map(event.get("data"))
