"""Differences in the decisions of Burraco's codes, one small type for each subject; a value says what is done.

Each field names the difference between the codes that it holds (D-01 to D-58; `differences` lists them with their
articles). ``unregulated`` is a value: if a code is silent the arbitro decides, and nothing is taken from another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Unregulated = Literal["unregulated"]
BurracoClass = Literal["none", "dirty", "semi-clean", "clean", "super-clean", "over-the-top"]


EqualSets = Literal["allowed", "joined-and-frozen", "refused"]
"""A second set of a rank on one line (D-18): a meld like any, joined to the first and frozen, or no meld."""


SecondSetBan = Literal["deal", "match"] | Unregulated
"""How long a line that has opened a second set may open no further one of that rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedRules:
    """Rules for cards of a hand that were shown (D-02, D-43). None: the code knows no such cards."""

    played: Literal["any-time-in-turn", "first"]
    """When in his turn the player must lay it (D-02)."""
    one_left: Literal["penalised", "discarded-at-once"]
    """The only exposed card that fits nowhere; discarded at once it may close (D-02)."""
    several_left: Literal["penalised", "penalised-and-play-stops"]
    """Several that fit nowhere (D-02)."""
    out_of_turn: Literal["as-in-turn", "played-and-play-stops"]
    """Cards exposed out of the own turn, when that turn comes (D-02)."""
    shown_after_wrong_closing: Literal["exposed", "by-who-showed"]
    """Hands shown after a closing that was none (D-43); ``by-who-showed``: by the other line, and the closing stands;
    by the line that closed, and its cards are penalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GhostRules:
    """A card that lay hidden under another in a meld (D-24). None in a rule book: the code knows none."""

    in_turn: Literal["penalised", "seen-played-or-discarded-at-once"]
    """Found in the turn in which it was laid; by the second value one that nobody saw goes back to the hand."""
    later: Literal["next-of-the-line-discards", "offender-discards-at-once-and-stops"]
    """Found afterwards."""
    freezes: bool
    """Whether the meld in which it was found later is frozen for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingBar:
    """Bar on going out because of a fault: of whom, and until when (D-04, D-05)."""

    offender: Literal["none", "turn-after-last-penalised-discard", "last-penalised-discard"]
    partner: Literal["none", "round-of-the-fault"]


NO_BAR: Final = ClosingBar(offender="none", partner="none")


@dataclass(frozen=True, slots=True, kw_only=True)
class PenalisedRules:
    """Penalised cards (D-03, D-04). None in a rule book: the code penalises no card."""

    order: Literal["highest-first", "lowest-first"]
    """In which order they are discarded: by value, suit and rank; or by value alone, the player's choice among
    equals (D-03)."""
    melds_before_them: Literal["frozen-in-turn-of-the-fault", "free"]
    """Melds laid while such cards wait to be discarded (D-04)."""
    bar: ClosingBar
    left_at_end: Literal["negative", "as-hand"] = "negative"
    """Those not yet discarded when a deal ends by stock or time; where somebody closes they count negative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongClosingRules:
    """Fate of the last plays of a player who goes out and may not (D-05 to D-07, D-46)."""

    last_play: Literal["last-card-linked", "all-linked-together"] | Unregulated
    """What the last play is where no meld was opened (D-46)."""
    without_burraco: Literal["penalised", "taken-back"]
    with_wild: Literal["back-to-hand", "penalised", "taken-back"]
    """``back-to-hand``, ``penalised``: the wild stays discarded; ``taken-back``: it goes back to the hand too."""
    without_discard: Literal["new-meld-gives-discard", "single-card-and-play-before", "taken-back"]
    """``new-meld-gives-discard``: a card of the meld opened last is discarded and the rest exposed, of an addition the
    card that was added last. ``single-card-and-play-before``: a last play of one card is discarded and the play before
    it penalised, one of several cards is penalised and gives the discards."""
    bar: ClosingBar


@dataclass(frozen=True, slots=True, kw_only=True)
class MissedDrawRules:
    """Play without having drawn (D-08)."""

    takes: Literal["draw-or-collect", "draw"]
    """What he must do then."""
    after_discard: Literal["as-in-turn", "draws-and-next-turn-limited", "taken-back"]
    """Found after his discard and before anybody has drawn."""
    counts_against: Literal["anybody-closes", "opponents-close"] | None
    """Whose closing makes the melds count negative that are frozen for it; None: none are frozen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfTurnRules:
    """Draws, pick-ups and melds out of turn (D-09, D-34, D-35, D-56)."""

    with_melds: Literal["mended-and-frozen", "last-penalised-others-frozen", "taken-back"]
    """Melds laid after a draw or pick-up out of turn (D-09)."""
    without_draw: Literal["frozen", "last-penalised-others-frozen", "taken-back"]
    """Melds laid out of turn without one (D-35)."""
    unknown_card: Literal["random", "highest-value"] | Unregulated
    """Which card goes back where nobody knows which was drawn (D-09)."""
    next_turn: Literal["same-act", "draw-or-collect"] | Unregulated
    """How he takes a card in the limited turn that follows."""
    after_discard: Literal["frozen", "frozen-and-next-turn-limited", "taken-back"]
    """Melds laid after the own discard (D-34)."""
    past: Literal["next-opponent-draws", "seat-after-offender-draws", "anybody-draws"]
    """With whose draw or pick-up the fault is past (D-56)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingRules:
    """Drawing, and taking the discard pile (D-10 to D-12, D-42, D-50)."""

    pile_drawn_near: Literal["inspection", "taken"] | Unregulated
    """The pile drawn towards the player without lifting a card (D-10)."""
    several_left: Literal["highest-rank-is-discard", "lowest-collected-is-discarded", "taken-back"]
    """More than one card of the pile left lying at a pick-up (D-11)."""
    second_card: Literal["shown-to-next-opponent", "shown-if-seen", "taken-back"]
    """A second card drawn by mistake, once it is back on the stock (D-12)."""
    sole_card_discarded: Literal["one-card-of-last-play", "last-play-penalised", "taken-back"]
    """The only card of the pile picked up and discarded again, where no other card is left (D-42)."""
    stock_inspected: Literal["player-in-turn", "nobody"] | Unregulated
    """Who may look how many cards the stock has left (D-50)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MendingRules:
    """Repair of a wrong meld with cards of the hand (D-37, D-38). None: it is taken back."""

    opened_without_wild: int | None
    """Cards that may be added to a wrong opening without a wild; None: as many as it needs."""
    opened_with_wild: int | None
    one_of_several: bool
    """Whether only one of several wrong melds may be put right."""
    added_to_set: bool
    """Whether a wrong addition to a set may be."""
    after_other_play: bool
    """Whether an addition may be once something else was played."""
    after_discard: Literal["discards-to-come", "frozen-for-good"]
    """The excess cards of a meld found between the discard and the next draw (D-38)."""
    at_the_count: Literal["as-after-the-discard", "by-itself"]
    """A wrong meld of the last turn found when the deal is over: as if play went on, or by what the code has for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotRules:
    """Pots that are handed over, repaired, wrongly taken (D-20, D-21, D-32, D-49)."""

    handed_by: Literal["opponent"] | Unregulated
    """Who must count and hand it over (D-20)."""
    repaired: Literal["first-when-handed", "either-unseen"] | Unregulated
    """Which pot with a wrong number of cards is put right, no card having been seen (D-21)."""
    wrongly_taken: Literal["put-back-and-judged-as-closing", "judged-as-closing", "taken-back"]
    """A pot taken by a line that has had its own (D-49); ``judged-as-closing``: only where it serves one."""
    robbed_line: Literal["goes-out-for-its-pot"] | Unregulated
    """What the line may do whose pot the other has taken and played (D-49)."""
    flight_by_fault: Literal["stands-after-next-draw", "lost"] | Unregulated
    """A pot reached in flight by a faulty play (D-32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Countdown:
    """Time for an action that this code wants shown (D-51).

    ``seconds`` for each ``per``; ``in_flight`` more once a pot was taken in flight.
    """

    seconds: int
    in_flight: int
    per: Literal["action", "turn"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRules:
    """The end of the time of a round, and the time of an action (D-14, D-51)."""

    last_round: Literal["first-served-to-dealer", "still-to-draw-to-playing"] | Unregulated
    """Which turns are still played after the time-out (D-14)."""
    left: Literal["hidden", "shown"] | Unregulated
    """Whether players may be told how much time is left (D-51)."""
    countdown: Countdown | None
    """None: a turn has no time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules:
    """Rules for who does what at the table (D-13, D-22, D-25, D-29, D-36, D-45, D-47, D-48, D-52, D-58)."""

    seats: tuple[int, ...]
    """How many may play at a table."""
    begins: Literal["first-draw", "turn-up"] | Unregulated
    """From what on a misdeal is no longer dealt again (D-22)."""
    points_out: Literal["opponents-and-partner-after-discard", "anyone"] | Unregulated
    """Who may point out a fault (D-25)."""
    free_wild_on_top: Literal["counts-as-low", "binds-to-go-on"] | Unregulated
    """A wild laid at the upper end of a meld (D-29)."""
    card_is_played: Literal["released", "touches-the-table"] | Unregulated
    """When a card is played (D-36)."""
    right_lapses: Literal["next-opponent-draws", "not-restorable", "anybody-draws"]
    """When the right to a penalty is lost (D-45)."""
    temporary_freeze: Literal["offenders-next-turn", "one-round"] | Unregulated
    """How long a meld is frozen that is frozen for now (D-47)."""
    keepers: Literal["named", "first-to-open", "owner"]
    """Before whom the melds of a line lie (D-48)."""
    hand_counts: Literal["own-turn", "forbidden"] | Unregulated
    """When a player may ask how many cards others hold (D-13)."""
    hand_shields: bool
    """Whether a hand-shield turned over says that a hand is empty (D-52)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarningAccount:
    """Warnings that are counted together, and what they cost the pair (D-31).

    ``rows``: the catalogue's rows that are booked to it, each apart where ``each_row``; empty: every row that is in no
    other account. ``scope``: how long they count; ``costly``: which of them cost something.
    """

    name: str
    scope: Literal["round", "tournament"]
    costly: Literal["every-second", "each-after-first"] = "each-after-first"
    victory_points: int = 0
    match_points: int = 0
    rows: tuple[str, ...] = ()
    each_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnd:
    """End of a match to a target score. None in a rule book: a round has a number of deals."""

    target: int | None = None
    """The total that ends it, which must be named for every match; None: not named yet."""
    drawn_by_stock: bool
    """Whether it is drawn where the stock ends a deal and no total is above zero."""
