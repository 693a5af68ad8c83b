"""A Burraco code as data: its figures and its choices. No function asks which code is played; it asks the book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from hw.cards import JOKER, UNKNOWN, rank
from table_service.games.burraco.rules.options import CodeOption
from table_service.games.burraco.rules.policies import (
    BurracoClass,
    EqualSets,
    ExposedRules,
    GhostRules,
    MatchEnd,
    MendingRules,
    MissedDrawRules,
    OutOfTurnRules,
    PenalisedRules,
    PotRules,
    SecondSetBan,
    TableRules,
    TakingRules,
    TimeRules,
    WarningAccount,
    WrongClosingRules,
)

__all__ = ["NEVER", "BurracoClass", "RuleBook", "VpTable"]

VpTable = tuple[int, ...]
"""The highest difference in match points for 10-10, 11-9 … 19-1; above the last it is 20-0."""
NEVER: Final = 1_000_000
"""More turns than any deal has: of a code that knows no stalemate."""

ART_1_VALUES: Final[Mapping[str, int]] = MappingProxyType(
    {JOKER: 30, "2": 20, "A": 15, **dict.fromkeys("KQJT98", 10), **dict.fromkeys("76543", 5)}
)
"""The values that all three codes give the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook:
    """Figures and choices of one edition of one Burraco code.

    What is the same in every code known has a default; every figure and choice in which codes differ must be named,
    so that no code takes one from another by silence. The comments name the article of ``fibur2024``; `differences`
    has those of the others.
    """

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
    wilds_per_meld: int = 1
    """Wild cards in a meld, the natural 2 not among them (arts. 10 to 12)."""
    burraco_length: int = 7
    """Cards that make a burraco (art. 13)."""
    semi_clean_run: int = 7
    """Cards on one side of its wild that make a run's burraco semi-clean (art. 13)."""
    semi_clean_set: int = 8
    """Cards, the wild among them, that make a set's burraco semi-clean (art. 13)."""
    card_values: Mapping[str, int] = field(default_factory=lambda: ART_1_VALUES)
    closing_bonus: int = 100
    """For going out with pot, burraco and a discard (art. 17)."""
    closing_needs_burraco: bool = True
    closing_discard_may_be_wild: bool = False
    """Art. 14."""
    pot_malus: int = 100
    """For a pot not taken (art. 18)."""
    run_naturals: int = 13
    """The most natural cards in a run (art. 11)."""
    aces_per_run: int = 1

    # -- figures in which codes differ -----------------------------------------------------------------------------

    set_naturals: int
    """The most natural cards in a set (art. 12)."""
    set_cards: int
    """The most cards in a set, its wild among them (art. 12)."""
    same_face_per_set: int
    """Copies of one face in one set (art. 5, note)."""
    bonuses: Mapping[BurracoClass, int]
    """Points of each class of burraco; a class that is not named here is none of the code's (art. 13)."""
    inner_wild: Literal["semi-clean", "dirty"]
    """A run with seven cards on one side of a wild that stands between two of its cards (art. 13)."""
    equal_sets: EqualSets
    """A second set of a rank on one line."""
    second_set_ban: SecondSetBan
    """For how long its line opens no further one; a match ends at a table with the round that is played there."""
    stalemate_row: str
    """The row of the catalogue by whose name the arbitro says that he watches, or declares, a stalemate (art. 16)."""
    stalemate_turns: int
    """Turns in a row, nothing but a card exchanged in each, that make a stalemate (art. 16)."""
    robbed_bonus: int
    """For going out without a burraco where the other line has taken one's pot, besides the closing (art. 23)."""
    pot_malus_when_neither_took: bool
    """Whether the malus counts where no line took a pot (art. 18)."""
    exposed_to: Literal["partner", "anyone", "nobody"]
    """Who must have been able to see a card for it to be exposed (art. 24); ``nobody``: there are no such cards."""
    round_minutes: Mapping[int, int]
    """Minutes for a round of so many deals (art. 6); empty: rounds have no time."""
    vp_tables: Mapping[int, VpTable]
    """Victory points by deals of the round (art. 18); empty: the code has none."""
    vp_teams: Mapping[int, VpTable]
    """Victory points of teams by deals of the round; key 0 where the table is one for all."""

    # -- choices ---------------------------------------------------------------------------------------------------

    table: TableRules
    time: TimeRules
    taking: TakingRules
    pot: PotRules
    mending: MendingRules | None
    exposed: ExposedRules | None
    ghosts: GhostRules | None
    penalised: PenalisedRules | None
    missed_draw: MissedDrawRules
    out_of_turn: OutOfTurnRules
    wrong_closing: WrongClosingRules
    warnings: tuple[WarningAccount, ...]
    match: MatchEnd | None
    options: tuple[CodeOption, ...] = ()
    """What the text leaves open (`options.chosen`)."""
    variant: str = ""
    """Which options were chosen otherwise than by default."""

    def stock_of(self, players: int) -> int:
        """Cards in the stock before the first is turned up where ``players`` are served."""
        return self.pack_size - players * self.hand_cards - self.pots * self.pot_cards

    def value(self, card: str) -> int | None:
        """Return the points of ``card`` (art. 1); None for an unknown one."""
        return None if rank(card) == UNKNOWN else self.card_values[rank(card)]

    def is_wild(self, card: str) -> bool:
        """Return True if ``card`` is a joker or a 2 (art. 10), wherever it lies."""
        return rank(card) in (JOKER, "2")
