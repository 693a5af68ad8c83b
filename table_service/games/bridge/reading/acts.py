"""The acts of players behind screens. ``t``: seconds of the log at which the act was first seen."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Line, Seat
from table_service.games.bridge.judges.sides import Side

UNREAD = "??"
"""A bidding card, or a playing card, that nobody has read yet."""


@dataclass(frozen=True, slots=True)
class CallLaid:
    """A bidding card lies in the compartment of ``seat``; ``call`` ``??`` while it was not read.

    ``shown``: it is held up or lies beside the tray, which counts as made (18.2).
    """

    t: float
    seat: Seat
    call: str
    shown: bool = False


@dataclass(frozen=True, slots=True)
class CallTakenBack:
    """The last ``call`` of ``seat`` has left the tray."""

    t: float
    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class CallNamed:
    """The call of ``seat`` that was read as ``old`` is ``new``: nothing was moved."""

    t: float
    seat: Seat
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class CallWasNone:
    """Correction: what was read as ``call`` of ``seat`` is the stop or the alert card, no call; nothing was moved."""

    t: float
    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class StopShown:
    """The stop card lies in the compartment of ``seat``."""

    t: float
    seat: Seat


@dataclass(frozen=True, slots=True)
class AlertLaid:
    """The alert card lies over the call of ``seat`` while the tray stands on ``side`` (None: nobody knows)."""

    t: float
    seat: Seat
    side: Side | None


@dataclass(frozen=True, slots=True)
class AlertGivenBack:
    """The alert card that lay over the call of ``seat`` has left the tray."""

    t: float
    seat: Seat
    side: Side | None


@dataclass(frozen=True, slots=True)
class TrayMoved:
    """The tray has gone to the side ``to``; ``by`` None: no sensor names one hand."""

    t: float
    by: Seat | None
    to: Side


@dataclass(frozen=True, slots=True)
class ApertureOpened:
    """The aperture went up; ``by`` None: no sensor names one hand."""

    t: float
    by: Seat | None


@dataclass(frozen=True, slots=True)
class ApertureClosed:
    """The aperture came down."""

    t: float
    by: Seat | None


@dataclass(frozen=True, slots=True)
class PanelRemoved:
    """The panel of the screen no longer stands between the players."""

    t: float


@dataclass(frozen=True, slots=True)
class PanelStood:
    """The panel of the screen stands in its place again."""

    t: float


@dataclass(frozen=True, slots=True)
class LaidFaceDown:
    """A card lies face down before ``seat``, who has shown none yet."""

    t: float
    seat: Seat


@dataclass(frozen=True, slots=True)
class Faced:
    """The card that lay face down before ``seat`` is turned up."""

    t: float
    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card lies face up before ``seat``.

    ``clear``: since when enough looks at the whole place have shown that it was not there: it may have come at any time
    after that. None: it may have lain there all along.
    """

    t: float
    seat: Seat
    card: str
    clear: float | None = None


@dataclass(frozen=True, slots=True)
class CardRenamed:
    """The card before ``seat`` that was read as ``old`` is ``new``: nothing was moved."""

    t: float
    seat: Seat
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class CardGone:
    """``card`` no longer lies face up before ``seat``, and no back came instead: taken back, or turned unseen.

    ``is_sure``: it was read so more than once; else it may never have lain there. ``may_be_turned``: the log shows no
    backs at all, so that nobody knows whether the card was turned or taken back. ``was_turned``: it had been turned,
    was turned up again, and its back is missing too: it is no longer on the table.
    """

    t: float
    seat: Seat
    card: str
    is_sure: bool = True
    may_be_turned: bool = False
    was_turned: bool = False


@dataclass(frozen=True, slots=True)
class CardQuitted:
    """``card`` of ``seat`` was turned face down; ``points_to``: the line along which it lies, None: nobody can say."""

    t: float
    seat: Seat
    card: str
    points_to: Line | None

    @property
    def lengthwise(self) -> bool | None:
        """True if it points to its player's own line, as a won trick does."""
        return None if self.points_to is None else self.points_to is self.seat.line


@dataclass(frozen=True, slots=True)
class TurnedUnseen:
    """A back lies before ``seat`` of a card that no picture has shown face up.

    ``points_to`` as in ``CardQuitted``, ``clear`` as in ``CardPlayed``.
    """

    t: float
    seat: Seat
    points_to: Line | None
    clear: float | None = None


@dataclass(frozen=True, slots=True)
class HandSpread:
    """``cards`` of the hand of ``seat`` lie face up: all that could be read of it so far."""

    t: float
    seat: Seat
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardFaced:
    """``card`` lies face up at the side of ``seat``; ``on_table``: on the table before that seat."""

    t: float
    seat: Seat
    card: str
    on_table: bool = False


@dataclass(frozen=True, slots=True)
class PocketWeighed:
    """The pocket of ``seat`` in the board holds so many ``cards``; None: the weight fits no number.

    ``taken``: how many it held before, if it is empty now; None: unknown, or it is not empty.
    """

    t: float
    seat: Seat
    cards: int | None
    taken: int | None = None


Act = (
    CallLaid
    | CallTakenBack
    | CallNamed
    | CallWasNone
    | StopShown
    | AlertLaid
    | AlertGivenBack
    | TrayMoved
    | ApertureOpened
    | ApertureClosed
    | PanelRemoved
    | PanelStood
    | LaidFaceDown
    | Faced
    | CardPlayed
    | CardRenamed
    | CardGone
    | CardQuitted
    | TurnedUnseen
    | HandSpread
    | CardFaced
    | PocketWeighed
)
