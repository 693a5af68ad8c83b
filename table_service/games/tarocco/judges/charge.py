"""A fault with what shows it, and what judges may look at."""

from __future__ import annotations

from dataclasses import dataclass, field

from hw.seats import Seat
from table_service.games.tarocco.fold.arms import Arms
from table_service.games.tarocco.fold.calling_out import CallingOut, CallVerdict
from table_service.games.tarocco.fold.course import Course, Laid
from table_service.games.tarocco.rules.deal import Signal
from table_service.games.tarocco.rules.fault_kinds import Breach
from table_service.referee.catalogue import Found


@dataclass(frozen=True, slots=True)
class SignalHeard:
    """A signal of ``seat`` with the card that it led to trick ``number``. ``is_said``: a person has entered it."""

    seat: Seat
    signal: Signal
    number: int
    t: float
    is_said: bool = False


@dataclass(frozen=True, slots=True)
class Watched:
    """A deal as it stands at log time ``t``.

    ``signals``: those that were heard with a card led; ``others_signals``: of who led none;
    ``halts``: times at which play was stopped (the arbitro called, or acting);
    ``scarto_counted``: cards that the scale counts on the scarto's plate; ``scarto_said``: it was announced;
    ``calls``: by which players have called themselves out (Ottocento), with what became of each;
    ``scarto_weighed``: what a scale that wavers little said last while nothing else lay there.
    ``arms``: when each seat's arm was over the table.
    """

    t: float
    course: Course
    signals: tuple[SignalHeard, ...] = ()
    others_signals: tuple[SignalHeard, ...] = ()
    halts: tuple[float, ...] = ()
    scarto_counted: int | None = None
    scarto_said: float | None = None
    scarto_weighed: int | None = None
    calls: tuple[tuple[CallingOut, CallVerdict], ...] = ()
    arms: Arms = field(default_factory=Arms)


@dataclass(frozen=True, slots=True)
class Charge:
    """A breach, what it rests on and when it was committed. ``note``: told as a note whatever its row says."""

    breach: Breach
    committed_t: float
    found: Found
    movements: tuple[int, ...] = ()
    basis: tuple[str, ...] = ("sight",)
    frames: tuple[int | str, ...] = ()
    confidence: float = 1.0
    victim: Seat | None = None
    seen: bool = True
    note: bool = False
    more: tuple[object, ...] = field(default=())
    """What tells it from another charge of the same kind, seat and trick."""
    fact: str = ""
    """Names the fact where it is of another kind as play goes on, so that its row changes; empty: it is its kind."""

    @property
    def key(self) -> tuple[object, ...]:
        """Identity of its fact."""
        return self.fact or self.breach.kind, self.breach.seat, self.breach.number, self.more


def by_laid(breach: Breach, laid: Laid, found: Found, *also: Laid, victim: Seat | None = None) -> Charge:
    """``breach``, committed by laying a card; ``also``: cards laid that show it."""
    moves = (laid.move, *(one.move for one in also))
    return Charge(
        breach,
        laid.move.committed_t,
        found,
        movements=tuple(move.id for move in moves),
        basis=tuple(dict.fromkeys(kind for move in moves for kind in move.basis)),
        frames=tuple(frame for move in moves for frame in move.frames),
        confidence=min(move.confidence for move in moves),
        victim=victim,
    )
