"""Findings of every game's referee: irregularities in their present state, sanctions, warnings, awards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from hw.seats import Line, Seat
from table_service.referee.catalogue import DutyRule, Found, Row, Words

State = Literal["open", "healed", "ruled", "dismissed"]
_SHOWN: Final = 0.75
"""Confidence below which what sensors show is likely, and no more."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One fact against the rules.

    ``victim``: whose turn it was. ``melds``: rows it concerns. ``seen``: its cards were face up for all to see.
    ``severity``: instead of the row's. ``movements``: ids of the movements it is based on. ``against``: the line it is
    against if no player in particular is. ``kind``: the one of the row's ``kinds`` that it is, empty if that has none.

    >>> from table_service.referee.catalogue import StepRule
    >>> title = ("Carta scoperta", "Exposed card")
    >>> row = Row("X-1", "1", title, "note", ("camera",), (StepRule("warn", "offender", title),))
    >>> found = Irregularity("r1d1-1", row, Seat.NORTH, ("7H",), t=12.0, committed_t=11.5, found="during_turn")
    >>> found.state, found.line, found.option
    ('open', <Line.NS: 'NS'>, None)
    >>> replace(found, state="ruled", ruling=(("option", "keep"),)).option
    'keep'
    """

    key: str
    row: Row
    offender: Seat | None
    cards: tuple[str, ...]
    t: float
    committed_t: float
    found: Found
    state: State = "open"
    victim: Seat | None = None
    melds: tuple[int, ...] = ()
    seen: bool = False
    needs_referee: bool = False
    severity: str = ""
    confidence: float = 1.0
    basis: tuple[str, ...] = ()
    frames: tuple[int | str, ...] = ()
    movements: tuple[int, ...] = ()
    confirmed: bool = False
    ruling: tuple[tuple[str, object], ...] = ()
    against: Line | None = None
    pair: Line | None = None
    """The line of the offender if it differs from the seat's: of two players each is one. The ledger enters it."""
    candidates: tuple[str, ...] = ()
    """Cards, all of them face up, of which one may be the hidden card that matters; which one is unknown."""
    needs: Words | None = None
    """Missing knowledge on which the remedy depends."""
    returned: tuple[str, ...] = ()
    """Cards that go back by the ruling, if it penalises others, which are its ``cards`` then."""
    added: tuple[str, ...] = ()
    """The cards whose laying has brought a hidden one to light: they count against the line."""
    way: str = ""
    """The one of the row's choices that the facts themselves leave; a ruling's ``option`` goes before it."""
    kind: str = ""
    side: str = ""
    """Behind screens: side that may be informed now, ``NE``, ``SW`` or ``both``; empty without screens."""
    unconfirmed: bool = False
    """True if the text of the law by which it is judged has not been read for this project."""
    trick: int | None = None
    """The trick that it is about, from 1, where a game has tricks."""
    about: Words | None = None
    """Addition to its title that distinguishes it: the suit that was not followed."""
    readings: tuple[str, ...] = ()
    """The rows, or ways of the row, between which these facts leave the choice, if that is not the row's own."""
    earlier: bool = False
    """True if found before the table's restart: the places of its cards are unknown."""

    def judged_by(self, row: Row) -> Irregularity:
        """Return the same fact judged by ``row``: of its kind if the row answers that, else of the row's."""
        kind = self.kind if self.kind in row.kinds else next(iter(row.kinds), "")
        return replace(self, row=row, kind=kind)

    @property
    def option(self) -> str | None:
        """The way that was chosen, else the one that the facts leave; None while it is open."""
        chosen = dict(self.ruling).get("option")
        return str(chosen) if chosen is not None else self.way or None

    @property
    def likely(self) -> bool:
        """True if sensors show it without proof and no person has confirmed it: then it accuses no player."""
        return self.state in ("open", "healed") and not self.confirmed and self.confidence < _SHOWN

    @property
    def line(self) -> Line | None:
        """The line that it is against; None if unknown."""
        if self.offender is None:
            return self.against
        return self.pair or self.offender.line


def situation(
    key: str, row: Row, line: Line | None, ruling: tuple[tuple[str, object], ...], t: float, *, earlier: bool = False
) -> Irregularity:
    """Return what the arbitro declared by ``row``, no irregularity, in the form in which rulings are kept."""
    return Irregularity(
        key, row, None, (), t, t, "any", "ruled", against=line, ruling=ruling, basis=("console",), earlier=earlier
    )


@dataclass(frozen=True, slots=True)
class Sanction:
    """A ruling's duty that the table watches. ``since_turn``: the turn that ran when it was imposed."""

    key: str
    irregularity: str
    row: str
    duty: DutyRule
    who: Seat
    cards: tuple[str, ...]
    since_turn: int
    seen: bool = False
    running: bool = False
    """True if the turn that it limits has begun."""
    meld: int | None = None
    """The meld that it concerns."""
    t: float = 0.0
    """Time of imposing: acts from before that which are reported later do not break it."""
    moved: tuple[str, ...] = ()
    """Cards of it that have been moved from their place since."""
    unread: int = 0
    """Number of acts with unread cards since, by which it may have been carried out."""
    laid_to: int | None = None
    """The meld to which who owes it has laid since in the same turn: a card that is owed may still join it."""
    apart: bool = False
    """True if its cards are certainly others than those that go back by the same ruling."""


@dataclass(frozen=True, slots=True)
class SanctionSaid:
    """A sanction was imposed, served or broken; ``reason`` says how it was broken."""

    what: Literal["imposed", "served", "broken"]
    sanction: Sanction
    t: float
    committed_t: float
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """A line was warned, ``count`` times in this round so far and ``total`` times in the tournament.

    ``vp``: what this warning changes in its ranking. ``withdrawn``: it is taken back.
    """

    line: Line
    count: int
    row: str | None
    t: float
    total: int = 0
    vp: int = 0
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Awarded:
    """A ruling by ``row`` changes the round's result, or with ``lifted`` changes it no more; the round book has it."""

    key: str
    row: Row
    t: float
    ruling: tuple[tuple[str, object], ...] = ()
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Bonus:
    """``line`` is given match points on its score sheet, or with a negative number they are taken back."""

    line: Line
    points: int
    t: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """The arbitro ends the deal in its present state."""

    manner: Literal["stalemate", "stopped"]
    t: float


@dataclass(frozen=True, slots=True)
class Ignored:
    """An order of the arbitro that fits nothing; ``note`` says so in one sentence.

    ``in_part``: the order itself was carried out, only what ``note`` says was not.
    """

    note: str
    t: float
    in_part: bool = False


Finding = Irregularity | SanctionSaid | Warned | Awarded | Bonus | Stopped | Ignored
"""Possible findings of the referee of any game; a game adds findings of its own."""
