"""A Burraco code as data: its figures and its choices. No function asks which code is played; it asks the book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from hw.cards import JOKER, UNKNOWN, rank
from table_service.games.definition import UnknownRulesError

BurracoClass = Literal["none", "dirty", "semi-clean", "clean", "super-clean", "over-the-top"]
VpTable = tuple[int, ...]
"""The highest difference in match points for 10-10, 11-9 … 19-1; above the last it is 20-0."""

_ART_1_VALUES: Final[Mapping[str, int]] = MappingProxyType(
    {JOKER: 30, "2": 20, "A": 15, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}
)


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Figures and choices of one edition of one Burraco code; the comments name the article of ``fibur2024``."""

    name: str
    edition: str
    prefix: str
    """What the rows of its catalogue begin with: ``F``, ``B``, ``O``."""
    pack_size: int = 108
    hand_cards: int = 11
    """Cards dealt to a seat (art. 4)."""
    pots: int = 2
    pot_cards: int = 11
    """Cards in each pot (art. 4)."""
    unplayable_stock: int = 2
    """The last cards of the stock that nobody may draw (art. 17)."""
    meld_min: int = 3
    set_naturals: int = 8
    """The most natural cards in a set (art. 12)."""
    run_naturals: int = 13
    """The most natural cards in a run (art. 11)."""
    wilds_per_meld: int = 1
    """Wild cards in a meld, the natural 2 not among them (arts. 10 to 12)."""
    same_face_per_set: int = 2
    """Copies of one face in one set (art. 5, note)."""
    burraco_length: int = 7
    """Cards that make a burraco (art. 13)."""
    semi_clean_run: int = 7
    """Cards on one side of its wild that make a run's burraco semi-clean (art. 13)."""
    semi_clean_set: int = 8
    """Cards, the wild among them, that make a set's burraco semi-clean (art. 13)."""
    bonuses: Mapping[BurracoClass, int] = field(
        default_factory=lambda: MappingProxyType({"none": 0, "dirty": 100, "semi-clean": 150, "clean": 200})
    )
    card_values: Mapping[str, int] = field(default_factory=lambda: _ART_1_VALUES)
    closing_bonus: int = 100
    """For going out with pot, burraco and a discard (art. 17)."""
    closing_needs_burraco: bool = True
    closing_discard_may_be_wild: bool = False
    """Art. 14."""
    stalemate_row: str = "F-16"
    """The row of the catalogue by whose name the arbitro says that he watches, or declares, a stalemate (art. 16)."""
    stalemate_turns: int = 4
    """Turns in a row, nothing but a card exchanged in each, that make a stalemate (art. 16)."""
    robbed_bonus: int = 100
    """For going out without a burraco where the other line has taken one's pot, besides the closing (art. 23)."""
    pot_malus: int = 100
    """For a pot not taken (art. 18)."""
    pot_malus_when_neither_took: bool = False
    """Whether the malus counts where no line took a pot (art. 18)."""
    exposed_to: Literal["partner", "anyone"] = "partner"
    """Who must have been able to see a card for it to be exposed (art. 24)."""
    round_minutes: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({2: 25, 3: 32, 4: 42}))
    """Minutes for a round of so many deals (art. 6)."""
    vp_tables: Mapping[int, VpTable] = field(default_factory=lambda: MappingProxyType({}))
    """Victory points by deals of the round (art. 18)."""
    vp_teams: Mapping[int, VpTable] = field(default_factory=lambda: MappingProxyType({}))
    """Victory points of teams by deals of the round; key 0 where the table is one for all."""

    @property
    def stock_cards(self) -> int:
        """Cards in the stock before the first is turned up."""
        return self.pack_size - 4 * self.hand_cards - self.pots * self.pot_cards

    def value(self, card: str) -> int | None:
        """The points of ``card`` (art. 1); None for an unknown one."""
        return None if rank(card) == UNKNOWN else self.card_values[rank(card)]

    def is_wild(self, card: str) -> bool:
        """Whether ``card`` is a joker or a 2 (art. 10), wherever it lies."""
        return rank(card) in (JOKER, "2")


FIBUR2024: Final = RuleBook(
    name="fibur2024",
    edition="F.I.Bur., April 2024",
    prefix="F",
    vp_tables=MappingProxyType(
        {
            2: (40, 120, 200, 300, 400, 500, 620, 740, 870, 1000),
            3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
            4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
        }
    ),
    vp_teams=MappingProxyType({0: (150, 350, 550, 800, 1050, 1300, 1600, 1900, 2200, 2500)}),
)
"""The race code of the Federazione Italiana Burraco, edition of April 2024."""

RULE_BOOKS: Final[Mapping[str, RuleBook]] = MappingProxyType({FIBUR2024.name: FIBUR2024})


def rule_book(name: str) -> RuleBook:
    """The rule book called ``name``. Raises UnknownRulesError, which names those there are."""
    try:
        return RULE_BOOKS[name]
    except KeyError:
        raise UnknownRulesError(f"no Burraco rules are called '{name}': there is {', '.join(RULE_BOOKS)}") from None
