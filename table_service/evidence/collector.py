"""Evidence of one table: when a fact is reported, its pictures are chosen, marked up and kept, and that is reported.

A thread of its own does the work, so that an event is never late for a picture: the event goes out first, the pictures
follow. No failure here reaches the table: a fact without a picture has the reason.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import structlog

from hw.errors import place_of
from table_service.events import Event
from table_service.evidence.choice import APART_S, AROUND_S, MOMENTS, Moment, Want, choose, covered, marks, settled
from table_service.evidence.film import FILM_S, film_of
from table_service.evidence.picture import Picture
from table_service.evidence.ring import Ring
from table_service.journal import JournalError

if TYPE_CHECKING:
    from vision.kept_pictures import Marks

log = structlog.get_logger("tavolo")
Why = Literal["no-camera", "camera-lost", "too-late", "no-frame", "no-moment", "disk"]
LATEST_S: Final = AROUND_S + 4.0
"""Seconds after its report at which a fact's pictures are decided, whatever the camera has given."""
COMING: Final = {"why": "coming"}
AGAIN: Final = 3
"""Times that a changing fact gets new pictures."""
TOLD_MOST: Final = 400
_SAME_FACT_S: Final = 0.5


class Store(Protocol):
    """Store of pictures."""

    def keep(self, jpeg: bytes, *, ref: str, at: float, about: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Keep one. Raises JournalError if the disk refuses."""
        ...


@dataclass(slots=True)
class _PictureCase:
    """One fact and its pictures so far."""

    want: Want
    told: float
    edition: int = 1
    done: bool = False
    shown: dict[Moment, dict[str, Any]] = field(default_factory=dict)
    chosen: dict[Moment, str] = field(default_factory=dict)
    missing: dict[Moment, Why] = field(default_factory=dict)
    film: dict[str, Any] = field(default_factory=lambda: dict(COMING))
    """The note of the film of the seconds around the fact, or ``why`` there is none."""

    @property
    def over(self) -> bool:
        """True if nothing more is kept of it: its pictures are decided, and its film."""
        return self.done and self.film != COMING

    @property
    def deadline(self) -> float:
        """Latest time of the choice, in the table's seconds."""
        return max(self.told, self.want.fact) + LATEST_S


class EvidenceDesk:
    """The evidence of one table. Every method may be called from any thread and returns at once, but ``close``."""

    def __init__(
        self,
        boot: str,
        ring: Ring,
        store: Store,
        tell: Callable[[str, dict[str, Any]], None],
        trouble: Callable[[str], None],
        clock: Callable[[], float],
        wall: Callable[[], float],
        name: Callable[[float], str],
        zone_of: Callable[[Event], str | None],
    ) -> None:
        """Make a desk. ``tell`` gets a fact's key and its pictures; ``trouble`` a sentence if the disk refuses.

        ``trouble`` gets an empty one when the disk takes pictures again. Both are called from the desk's thread.
        ``clock``: the table's seconds; ``wall``: seconds since 1970; ``name``: a moment as it is painted in a picture;
        ``zone_of``: the place of an event, None if it has none.
        """
        self._boot, self._ring, self._store = boot, ring, store
        self._tell, self._trouble = tell, trouble
        self._clock, self._wall, self._name = clock, wall, name
        self._zone_of = zone_of
        self._lock = threading.Lock()
        self._cases: OrderedDict[str, _PictureCase] = OrderedDict()
        self._open: dict[str, _PictureCase] = {}
        self._places: list[tuple[float, str | None, str]] = []
        self._camera: list[tuple[float, bool]] = []
        self._broken = False
        self._wake = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None

    # --- what the service says ----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="tavolo-evidence", daemon=True)
        self._thread.start()

    def frame(self, picture: Picture) -> None:
        """Take a picture of the table, hand areas masked."""
        self._ring.add(picture)
        if self._open:
            self._wake.set()

    def on_event(self, event: Event) -> None:
        """Take an event of the table: pictures of an irregularity are wanted."""
        data = event.data
        if event.type == "irregularity":
            self._want(event)
        elif event.type == "table.health" and getattr(data, "what", "") == "camera":
            with self._lock:
                self._camera.append((event.t, getattr(data, "state", "") == "ok"))
        elif (zone := self._zone_of(event)) is not None:
            with self._lock:
                at = event.t if event.committed_t is None else event.committed_t
                self._places = [*self._places[-60:], (at, event.seat, zone)]

    def tick(self) -> None:
        """Time has passed at the table."""
        if self._open:
            with self._lock:
                due = any(self._clock() > case.deadline for case in self._open.values())
            if due:
                self._wake.set()

    def about(self, key: str) -> dict[str, Any] | None:
        """Return the pictures of a fact: ``pictures`` and ``missing``; None if nothing is known of it."""
        with self._lock:
            case = self._cases.get(key)
            return None if case is None else _document(key, self._boot, case)

    def close(self) -> None:
        """Decide with the pictures at hand what is still open, and end."""
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(10)
            self._thread = None
        self.work(last=True)

    # --- the work -----------------------------------------------------------------------------------------------------

    def _want(self, event: Event) -> None:
        data = event.data.model_dump(mode="json")
        key, fact = str(data["key"]), data["committed_t"]
        with self._lock:
            if fact is None:
                if key not in self._cases:
                    missing: dict[Moment, Why] = dict.fromkeys(MOMENTS, "no-moment")
                    none = {"why": "no-moment"}
                    self._cases[key] = _PictureCase(Want(key, event.t), event.t, done=True, missing=missing, film=none)
                return
            zones = tuple(
                dict.fromkeys(
                    zone
                    for at, seat, zone in self._places
                    if abs(at - fact) <= _SAME_FACT_S and (seat is None or seat == data.get("offender"))
                )
            )
            want = Want(key, fact, tuple(data.get("cards") or ()), zones, str(data.get("row") or ""))
            held = self._cases.get(key)
            if held is None:
                self._cases[key] = self._open[key] = _PictureCase(want, event.t)
                while len(self._cases) > TOLD_MOST:
                    self._open.pop(self._cases.popitem(last=False)[0], None)
            elif _other(held.want, want) and data.get("state") == "open" and held.edition < AGAIN and self._has(fact):
                again = replace(
                    held, want=want, told=event.t, edition=held.edition + 1, done=False, chosen={}, film=dict(COMING)
                )
                self._cases[key] = self._open[key] = again
        self._wake.set()

    def _has(self, fact: float) -> bool:
        """Return True if the ring reaches back to that moment."""
        span = self._ring.span
        return span is not None and span[0] <= fact

    def _run(self) -> None:
        while not self._stopping:
            self._wake.wait()
            self._wake.clear()
            try:
                self.work()
            except Exception as error:  # noqa: BLE001 - whatever it was: it is said, and the next picture has its turn
                log.error("evidence", problem=place_of(error))  # noqa: TRY400 - a trace would show cards and pictures

    def work(self, *, last: bool = False) -> None:
        """Choose and keep what can be chosen now; ``last``: nothing more will come."""
        with self._lock:
            open_now = list(self._open.items())
        for key, case in open_now:
            changed = not case.done and self._attend(case, last=last)
            changed |= self._film(case, last=last)
            with self._lock:
                current = self._open.get(key) is case
                if current and case.over:
                    del self._open[key]
            if changed and current:
                self._tell(key, _document(key, self._boot, case))

    def _attend(self, case: _PictureCase, *, last: bool) -> bool:
        want = case.want
        span = self._ring.span
        newest = span[1] if span else -1e9
        late = last or self._clock() > case.deadline
        pictures = self._ring.between(want.fact - AROUND_S, want.fact + AROUND_S)
        chosen = choose(pictures, want, last=late)
        over = late or settled(newest, want, chosen)
        changed = False
        for moment, picture in chosen.items():
            # the picture after is worth the wait for one in which no arm covers the place
            if case.chosen.get(moment) == picture.ref or (moment != "at" and not over):
                continue
            changed |= self._keep(case, moment, picture)
        if over:
            case.done = True
            for moment in MOMENTS:
                if moment not in case.shown and moment not in case.missing:
                    case.missing[moment] = self._why(want, moment, case.told)
                    changed = True
        return changed

    def _keep(self, case: _PictureCase, moment: Moment, picture: Picture) -> bool:
        want = case.want
        from vision.kept_pictures import frames_of, marked, to_jpeg  # a table without a camera loads none of it

        offset = round(picture.t - want.fact, 2)
        caption = f"{self._name(picture.t)}  {offset:+.1f} s  {want.row}".rstrip()
        painted = marks(picture, want, caption)
        about = {
            "key": want.key,
            "moment": moment,
            "dt": offset,
            "t": round(picture.t, 6),
            "frame": picture.ref,
            "covered": covered(picture, want),
            "marked": _marked(want, painted),
            "frames": frames_of(painted, picture.layout),
        }
        case.chosen[moment] = picture.ref
        note = self._stored(case, moment, about, lambda: to_jpeg(marked(picture.pixels(), painted, picture.layout)))
        if note is None:
            if moment not in case.shown:
                case.missing[moment] = "disk"
            return True
        case.missing.pop(moment, None)
        case.shown[moment] = {"kind": "frame", **{k: note[k] for k in ("ref", *about, "sha256", "bytes")}}
        return True

    def _film(self, case: _PictureCase, *, last: bool) -> bool:
        """Keep the film of the seconds around a fact once they are over. True if it is new, or why there is none."""
        fact, span = case.want.fact, self._ring.span
        over = last or self._clock() > case.deadline or (span is not None and span[1] >= fact + FILM_S)
        if case.film != COMING or not over:
            return False
        film = film_of(self._ring.between(fact - FILM_S, fact + FILM_S), fact)
        if film is None:
            case.film = {"why": "no-frame"}
            return True
        about = {"key": case.want.key, "moment": "film", "columns": film.columns, "moments": list(film.moments)}
        note = self._stored(case, "film", about, lambda: film.jpeg)
        case.film = {"why": "disk"} if note is None else {k: note[k] for k in ("ref", *about, "sha256", "bytes")}
        return True

    def _stored(
        self, case: _PictureCase, name: str, about: dict[str, Any], jpeg: Callable[[], bytes]
    ) -> dict[str, Any] | None:
        """Return the note of what is kept of a case under ``name``; None if the disk refuses (reported once)."""
        edition = "" if case.edition == 1 else f"-{case.edition}"
        ref = f"{self._boot}-{case.want.key}{edition}-{name}"
        try:
            note = self._store.keep(jpeg(), ref=ref, at=self._wall(), about=about)
        except (JournalError, ValueError) as error:
            if not self._broken:
                self._broken = True
                log.error("evidence", problem=str(error))  # noqa: TRY400 - said in one sentence
                self._trouble(str(error))
            return None
        if self._broken:
            self._broken = False
            self._trouble("")
        return note

    def _why(self, want: Want, moment: Moment, told: float) -> Why:
        span = self._ring.span
        if span is None:
            return "camera-lost" if self._camera else "no-camera"
        if span[0] > want.fact - (APART_S if moment == "before" else 0.0) and told - want.fact > AROUND_S:
            return "too-late"
        state = True
        for t, well in self._camera:
            if t <= want.fact + AROUND_S:
                state = well
        return "no-frame" if state else "camera-lost"


def _marked(want: Want, painted: Marks) -> str:
    """Return whether the cards it concerns are marked in a picture: yes, unsure which, no, or none visible to all."""
    if all(card.startswith("??") for card in want.cards):
        return "none"
    return "unsure" if painted.unsure else "yes" if painted.accused else "no"


def _other(held: Want, want: Want) -> bool:
    """Return True if the present report of a fact asks for other pictures."""
    return (held.fact, held.cards) != (want.fact, want.cards)


def _document(key: str, boot: str, case: _PictureCase) -> dict[str, Any]:
    return {
        "key": key,
        "boot": boot,
        "done": case.done,
        "pictures": [case.shown[moment] for moment in MOMENTS if moment in case.shown],
        "missing": [{"moment": moment, "why": case.missing[moment]} for moment in MOMENTS if moment in case.missing],
        "film": case.film,
    }
