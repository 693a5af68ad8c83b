"""One board as it stands: auction, leads, play, and what people have said of its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hw.seats import Line, Seat
from table_service.games.bridge.fold.heard import Agreed, ResultStated
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.judges.opening_lead import Opening
from table_service.games.bridge.judges.ordered_leads import LeadOrder
from table_service.games.bridge.judges.ordered_passes import OrderedPass
from table_service.games.bridge.judges.ordered_plays import PlayOrder
from table_service.games.bridge.judges.tempo import CallAlert
from table_service.games.bridge.judges.tray import TrayAuction
from table_service.games.bridge.judges.verdict import Watch
from table_service.games.bridge.reading.acts import CardGone
from table_service.games.bridge.rules.contract import TRICKS, Contract, Vulnerable

REOPENS_S: Final = 10.0
"""Who takes his last pass from the tray and calls again so soon has changed it; else the tray is being cleared."""


JUST_BEFORE_S: Final = 1e-6
"""An act that must have come before another one, and nobody saw when, is dated so much before it."""
BOUNCE_S: Final = 1.0
"""An aperture that is open again after less was not closed: its contact bounced."""


@dataclass(frozen=True, slots=True)
class Quit:
    """``card`` of ``seat``, of trick ``number``, was turned and lies along ``points_to``."""

    seat: Seat
    number: int
    card: str
    points_to: Line | None
    t: float


@dataclass(frozen=True, slots=True)
class Claim:
    """``seat`` has laid its hand open, or is said to have claimed. ``cards``: those that could be read."""

    seat: Seat
    cards: tuple[str, ...]
    t: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A ruling against ``seat`` at ``t`` leaves it to be asked after the play whether ``watch`` has gained (law 23).

    ``is_lead``: it was about the opening lead, and not about a call.
    """

    seat: Seat
    is_lead: bool
    watch: Watch
    t: float


@dataclass(frozen=True, slots=True)
class Gap:
    """From ``t`` ``until`` (None: still) a ``part`` of the screen was open; ``steps`` of the auction came after."""

    part: str
    t: float
    until: float | None = None
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """``known``: the tray as all four know it, as it was last passed.

    ``number``: of the board, as it is printed; None: nobody said. ``record``: the four hands where one tells them.

    ``is_elsewhere``: it is none of those that the direction has sent to this table.

    ``unread``: calls on the tray that nobody could read. ``cleared``: calls that left it after the auction.
    ``unseen``: calls that no picture shows though nobody is there who could have taken them. ``over_t``:
    when the last pass came, ``contract`` what it made. ``gone``: cards of the open trick that no picture shows any
    more.
    ``newest``: whose card came to a trick last, and when; ``played_at``: when each seat's came, by trick.
    ``again``: cards that lie face up and were played before: looked at, or misread.
    ``laid_early``: cards that lay open before a player while no auction had ended: an exposed card if somebody calls
    later, else a lead after a pass that nobody saw.
    ``exposed``: cards that lay open beside a player while the auction ran; ``exposures_ruled``: of whom the arbitro has
    ruled on that. ``ordered_passes``, ``lead_orders``, ``play_orders``: what players owe by his rulings; ``asked``:
    what they leave to be asked after the play. ``supplied``: of whom a back is still to appear, as a card was missing
    in a trick and the arbitro has had it added.
    ``shut``: when the aperture came down during the play. ``pockets``: cards in the board by seat; ``taken_out``: those
    that were in a pocket before it was emptied, until the first call. ``gaps``: when the screen was open before the
    auction was over.
    """

    dealer: Seat
    since: float
    tray: TrayAuction
    known: TrayAuction | None = None
    number: int | None = None
    vulnerable: Vulnerable | None = None
    is_elsewhere: bool = False
    record: Mapping[Seat, frozenset[str]] | None = None
    stops: tuple[tuple[Seat, float], ...] = ()
    alerts: tuple[CallAlert, ...] = ()
    unread: tuple[tuple[Seat, float], ...] = ()
    cleared: tuple[tuple[Seat, str, float], ...] = ()
    unseen: tuple[tuple[Seat, str], ...] = ()
    over_t: float | None = None
    contract: Contract | None = None
    opening: Opening | None = None
    play: CardPlay | None = None
    gone: tuple[CardGone, ...] = ()
    newest: tuple[Seat, float] | None = None
    played_at: Mapping[tuple[Seat, int], float] = field(default_factory=dict)
    again: tuple[tuple[Seat, str], ...] = ()
    spread: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    shut: tuple[float, ...] = ()
    quits: tuple[Quit, ...] = ()
    claim: Claim | None = None
    stated: ResultStated | None = None
    agreed: tuple[Agreed, ...] = ()
    pockets: Mapping[Seat, int | None] = field(default_factory=dict)
    taken_out: Mapping[Seat, int] = field(default_factory=dict)
    exposed: tuple[tuple[Seat, str, float], ...] = ()
    laid_early: tuple[tuple[Seat, str, float], ...] = ()
    exposures_ruled: frozenset[Seat] = frozenset()
    ordered_passes: tuple[OrderedPass, ...] = ()
    lead_orders: tuple[LeadOrder, ...] = ()
    play_orders: tuple[PlayOrder, ...] = ()
    asked: tuple[Asked, ...] = ()
    supplied: tuple[Seat, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def is_passed_out(self) -> bool:
        """True if all four have passed."""
        return self.over_t is not None and self.contract is None

    @property
    def is_revealed(self) -> bool:
        """True if all four may know the calls and the lead: the aperture is open, or cards are played."""
        opened = self.opening is not None and self.opening.opened is not None
        return opened or (self.play is not None and bool(self.play.tricks))

    @property
    def are_all_agreed(self) -> bool:
        """True if a player of each line agrees with the result that was stated last."""
        if self.stated is None:
            return False
        since = self.stated.t
        return {one.seat.line for one in self.agreed if one.t >= since} == set(Line)

    @property
    def tricks(self) -> int | None:
        """Tricks of declarer's side as the arbitro or the cards settled them, else as both lines agreed; None: unknown.

        Where a hand was laid open for a claim does not matter: a result that both lines agree on ends the play.
        """
        if self.stated is not None and self.stated.by_arbitro:
            return self.stated.tricks
        won = self.play.tricks_won() if self.play is not None and self.play.count == TRICKS else None
        return self.stated.tricks if won is None and self.stated is not None and self.are_all_agreed else won

    @property
    def is_over(self) -> bool:
        """True if nothing more is to be played, as all four may know."""
        if self.is_passed_out:
            return self.known is not None and self.known.lawful_part.is_over
        return self.play is not None and (self.play.count == TRICKS or self.tricks is not None)
