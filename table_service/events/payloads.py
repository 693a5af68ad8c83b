"""The ``data`` of every event type, as frozen models. A card that did not lie face up for all to see is ``??`` here."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Cards = tuple[str, ...]


class Payload(BaseModel):
    """The base of all payloads: frozen; fields that a later version added are kept.

    ``SEALED_BYTES``: the hidden part of an event of this type is filled up to a multiple of this many bytes before it
    is sealed. It has to hold all that such an event may hide, so that its length does not show how much there is.
    """

    SEALED_BYTES: ClassVar[int] = 512
    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)


class RoundStarted(Payload):
    """The arbitro has started a round.

    ``warnings``: how many each line brings from earlier rounds; ``warning_count``, ``call_at``, ``room``: what was
    announced, as in the order that starts it.
    """

    deals: int | None = None
    minutes: int | float | None = None
    warnings: dict[str, int] = {}
    warning_count: str | None = None
    call_at: int | None = None
    room: str | None = None


class NextSeat(Payload):
    """Next place of ``name``, an entry or a single player of one; without a ``table`` it rests."""

    name: str
    table: str | None = None
    line: str | None = None


class RoundSeated(Payload):
    """Entries seated here by line, their next places, and the prepared deals to be played, as the direction said."""

    pairs: dict[str, str] = {}
    next: dict[str, tuple[NextSeat, ...]] = {}
    boards: tuple[Annotated[int, Field(strict=True, ge=1, le=999)], ...] = ()


class RoundStartedByChoice(RoundStarted):
    """The same by a code that leaves questions open: its name, and every choice that holds in this round."""

    rules: str
    options: dict[str, str]


class RoundResumed(Payload):
    """The table was restarted within a round, and resumes it; ``round`` is the event that began the round.

    ``lost``: the interrupted deal; the places of its cards are unknown, and its score is reported as unknown.
    ``open``: keys of irregularities that wait for the arbitro; ``forgotten``: of those whose row the code lacks now.
    """

    round: str
    deals: int | None = None
    lost: int | None = None
    open: tuple[str, ...] = ()
    forgotten: tuple[str, ...] = ()


class Adjustment(Payload):
    """Award of a ruling to a line: ``do`` as a bonus of ``points`` on the score sheet, a win by default."""

    key: str
    row: str
    line: str
    do: str
    points: int | None = None


class RoundEnded(Payload):
    """The round is over; the match points and victory points of its lines if they are known.

    ``deductions``: changes by the round's warnings in the ranking, apart from the victory points. A ruling that
    changes the result afterwards emits it again, and ``supersedes`` names the earlier event.
    """

    deals: int
    match_points: dict[str, int | None] = {}
    victory_points: dict[str, int | None] | None = None
    deductions: dict[str, int] = {}
    adjustments: tuple[Adjustment, ...] = ()
    supersedes: str | None = None


class RoundTimeout(Payload):
    """The time of the round is up. ``last_turns`` False: the game ends at once, between two deals."""

    last_turns: bool = True


class DealStarted(Payload):
    """Cards are dealt: deal ``n`` of the round."""

    dealer: str | None
    n: int


class TurnStarted(Payload):
    """A player's time of play begins with his first act (definition of the time of play)."""


class CardExposed(Payload):
    """Cards are face up outside melds and pile; ``visible_to`` is null if it is unknown who saw them."""

    cards: Cards
    visible_to: tuple[str, ...] | None


class EventRetracted(Payload):
    """Retraction: the content of the earlier event ``event`` did not happen, by later evidence."""

    event: str
    note: str = ""


class CardNamed(Payload):
    """Cards of an earlier event, ``event`` its id, are known by now."""

    event: str
    cards: Cards


class DealEnded(Payload):
    """The deal is over."""

    manner: Literal["closed", "stock", "time-out", "stalemate", "stopped", "passed", "played"]


class SheetItem(Payload):
    """One item of a score sheet. ``part``: the sum of the printed sheet that it belongs to."""

    item: str
    title: Text
    part: str | None = None


class ScoreCounted(Payload):
    """The count of a deal: items and totals by line, as the camera and as the ledger of play have it."""

    lines: dict[str, Any]
    camera: dict[str, Any]
    ledger: dict[str, Any]
    agrees: bool
    doubtful: tuple[str, ...] = ()
    differences: tuple[dict[str, Any], ...] = ()
    supersedes: str | None = None
    match_points: dict[str, int | None] | None = None
    victory_points: dict[str, int | None] | None = None
    deductions: dict[str, int] = {}
    adjustments: tuple[Adjustment, ...] = ()
    must_call: bool = False
    """True if the lead obliges the players to call the arbitro, and none has been seen to."""
    sheet: tuple[SheetItem, ...] = ()
    """The items of a line in their order, with their titles: a page needs no list of its own."""


class SheetConfirmed(Payload):
    """A line confirms the count of ``score``, on the display or on paper; ``by``: who entered the paper's."""

    line: str
    score: str
    how: Literal["display", "paper"]
    by: str | None = None


class SheetDisputed(Payload):
    """A line does not agree with the count of a deal."""

    line: str
    score: str


class SheetWritten(Payload):
    """Figures on the paper sheet of a deal, by line: items, or the sums ``base``, ``points``, ``total``."""

    lines: dict[str, dict[str, int | None]]
    score: str
    by: str


class SheetCorrected(Payload):
    """The arbitro has corrected a deal's sheet: {line, item, old, new} each; ``agreed``: the lines that confirmed it.

    ``countersigned``: he was called before it was changed and has signed it.
    """

    changes: tuple[dict[str, Any], ...]
    by: str
    reason: str
    agreed: tuple[str, ...] = ()
    countersigned: bool = False


class Text(Payload):
    """One sentence for people, in both languages."""

    it: str
    en: str


class Step(Payload):
    """One step of a remedy."""

    do: str
    who: str | None
    cards: Cards = ()
    until: str | None = None
    text: Text
    option: str | None = None
    """Required choice; None: always."""


class Choice(Payload):
    """One of the ways a remedy leaves open: a ruling names ``key`` as its ``option``; ``who`` is to choose."""

    key: str
    who: str | None
    text: Text


class Evidence(Payload):
    """Evidence for an irregularity: a camera frame, or the time of the log from which to read."""

    kind: Literal["frame", "log"]
    ref: int | float | str


class Irregularity(Payload):
    """An irregularity by the rule book, in its present state; every change is emitted again under the same key."""

    key: str
    row: str
    article: str
    title: Text
    severity: Literal["note", "warning", "play-stops", "score"]
    offender: str | None
    pair: str | None
    cards: Cards
    committed_t: float | None
    found: str
    state: Literal["open", "healed", "ruled", "dismissed"]
    remedy: tuple[Step, ...]
    options: tuple[str, ...] = ()
    choices: tuple[Choice, ...] = ()
    """Those of ``options`` that are ways of the remedy, in words."""
    needs_referee: bool = False
    candidates: Cards = ()
    """Cards, face up, of which one may be the hidden one that matters."""
    needs: Text | None = None
    """Missing knowledge without which the remedy is not plain."""
    warn: bool = False
    evidence: tuple[Evidence, ...] = ()
    confirmed: bool = False
    likely: bool = False  # the sensors of this table show it without proof: play continues
    ruling: dict[str, Any] | None = None


class IrregularityBehindScreens(Irregularity):
    """The same at a table with screens.

    ``side``: who may be informed now, ``both`` if all four may. ``unconfirmed``: the law's text was not read.
    ``trick``: the number of the trick that it is about.
    """

    side: Literal["NE", "SW", "both"]
    unconfirmed: bool = False
    trick: int | None = None


class WarningGiven(Payload):
    """A line was warned; ``count`` is how often this table has heard it this round, ``total`` in the tournament.

    ``victory_points``: what it changes in the ranking. ``withdrawn``: the warning is taken back.
    """

    line: str
    count: int
    row: str | None = None
    total: int | None = None
    victory_points: int = 0
    withdrawn: bool = False


class GivenShare(Payload):
    """Award of a ruling to a line, with the result that the line then has."""

    line: str
    do: str
    points: int | None = None
    match_points: int | None = None
    victory_points: int | None = None


class RoundRuled(Payload):
    """A ruling that concerns the round, not a card; ``lifted``: it holds no more."""

    key: str
    row: str
    article: str
    title: Text
    shares: tuple[GivenShare, ...] = ()
    ruling: dict[str, Any] = {}
    lifted: bool = False


class RulingReversed(Payload):
    """A ruling of an earlier deal is lifted. ``changes``: {what, line, old, new} and, on a sheet, its deal and item."""

    key: str
    row: str
    title: Text
    by: str
    reason: str = ""
    changes: tuple[dict[str, Any], ...] = ()


class Sanction(Payload):
    """A ruled duty that is watched; ``key`` is that of the irregularity with the number of the sanction."""

    key: str
    irregularity: str
    row: str
    do: str
    who: str | None
    cards: Cards = ()
    meld: int | None = None
    until: str | None = None
    text: Text
    reason: str | None = None


class RefereeCalled(Payload):
    """Somebody calls the arbitro."""


class TableHealth(Payload):
    """The table can no longer, or can again, rely on something: a node, a zone; or it ignored an order."""

    what: str
    state: Literal["ok", "lost", "reset", "unverified", "verified", "ignored"]
    note: str = ""


class Raw(Payload):
    """A payload of a type that this version does not know."""


ROUND: Final[dict[str, type[Payload]]] = {
    "round.started": RoundStarted,
    "round.seated": RoundSeated,
    "round.resumed": RoundResumed,
    "round.timeout": RoundTimeout,
    "round.ended": RoundEnded,
    "deal.started": DealStarted,
}
"""Events of a round, whatever is played."""
PLAY: Final[dict[str, type[Payload]]] = {
    "turn.started": TurnStarted,
    "card.exposed": CardExposed,
    "card.named": CardNamed,
    "event.retracted": EventRetracted,
}
"""Events of play in any game; a game adds its own (``RuleSet.payloads``)."""
AFTER: Final[dict[str, type[Payload]]] = {
    "deal.ended": DealEnded,
    "score.counted": ScoreCounted,
    "sheet.confirmed": SheetConfirmed,
    "sheet.disputed": SheetDisputed,
    "sheet.written": SheetWritten,
    "sheet.corrected": SheetCorrected,
    "irregularity": Irregularity,
    "round.ruled": RoundRuled,
    "ruling.reversed": RulingReversed,
    "warning.given": WarningGiven,
    "sanction.imposed": Sanction,
    "sanction.served": Sanction,
    "sanction.broken": Sanction,
    "referee.called": RefereeCalled,
    "table.health": TableHealth,
}
"""Events of counts, rulings and the table itself."""
PAYLOADS: Final[dict[str, type[Payload]]] = {**ROUND, **PLAY, **AFTER}
"""The model of the ``data`` of each event type that every game has."""
