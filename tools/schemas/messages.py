"""What travels over MQTT besides events: one model for each message."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hw.seats import Line, Seat
from table_service.events.payloads import Irregularity, Sanction
from table_service.games.burraco.payloads import Meld


class Message(BaseModel):
    """A message; fields that a later version added may stand in it."""

    model_config = ConfigDict(extra="allow")


class Status(Message):
    """Whether the table is there; also the last will.

    ``instance``: which process says it; ``address``: its machine's own on the way to the broker, not in the last will.
    """

    state: Literal["ready", "init", "lost", "stopped"]
    boot: str
    version: str
    instance: str = ""
    address: str = ""


class Round(Message):
    """The round that is being played. ``started``: the arbitro has said that the play of the deal may begin.

    ``given``: points that the arbitro gave and that are yet to be counted; absent if there are none.
    """

    running: bool
    deals: int | None
    started: bool
    given: dict[Line, int] | None = None


class Score(Message):
    """Points by line: of the whole round, and of each deal by its number; null where not known."""

    running: dict[Line, int | None]
    deals: dict[str, dict[Line, int | None]]


class DisputeSince(Message):
    """When a line disputed a sheet."""

    t: float
    time: str


class SheetState(Message):
    """A deal's score sheet: the event that told its count, who has confirmed it and how, what was corrected on it."""

    score: str
    confirmed: dict[Line, Literal["display", "paper"]]
    disputed: dict[Line, DisputeSince]
    corrected: tuple[str, ...]


class Turn(Message):
    """Whose turn it is; ``n`` counts from 0 before play."""

    n: int
    seat: Seat | None
    begun: bool
    drawn: bool


class TakenPot(Message):
    """A pot as it was taken: ``by`` whose hand was seen to lift it, ``played`` whether its taker has played since."""

    seat: Seat
    manner: Literal["discard", "in-flight"]
    by: Seat | None
    cards: int
    played: bool


class Pots(Message):
    """Pots that still lie there with the cards in each, and who took one for which line, and how.

    ``second``: a pot that a line has taken beyond its own, until it is put back.
    """

    left: int
    cards: tuple[int, ...]
    taken: dict[Line, Seat | None]
    how: dict[Line, TakenPot]
    second: dict[Line, TakenPot]


class State(Message):
    """The public table: nothing in it that did not lie face up for all to see. Without a deal, ``deal`` is null."""

    table: str
    rules: str
    boot: str
    seq: int
    seats: dict[str, str]
    keepers: dict[Line, Seat]
    round: Round
    score: Score
    sheets: dict[str, SheetState] = Field(description="score sheets of the round, by deal")
    warnings: dict[Line, int]
    irregularities: tuple[Irregularity, ...]
    alerts: tuple[str, ...] = Field(
        default=(), description="keys of the alerts that stand, where the table signs; a later state lacks an ended one"
    )
    sanctions: tuple[Sanction, ...]
    unverified: dict[str, str] = Field(description="zones that cannot be relied on, and why")
    nodes: dict[str, str]
    deal: int | None
    dealer: Seat | None = None
    phase: str | None = None
    manner: str | None = None
    turn: Turn | None = None
    hands: dict[Seat, int | None] | None = None
    stock: int | None = None
    pile: tuple[str, ...] | None = None
    pots: Pots | None = None
    melds: dict[Line, tuple[Meld, ...]] | None = None
    sides: dict[Seat, tuple[str, ...]] | None = None


class Call(Message):
    """A player calls the arbitro, or a line disputes the score sheet of deal ``sheet``."""

    key: str
    call: Literal[True]
    offender: Seat | None
    sheet: int | None = None
    line: Line | None = None
    t: float
    time: str


class Frame(Message):
    """A frame painted into a picture: a card or zone, and its box [x0, y0, x1, y1] in parts of the picture's side.

    ``unsure``: one of several such cards, and it is not known which one is meant.
    """

    kind: Literal["card", "unsure", "zone"]
    name: str
    box: tuple[float, float, float, float]


class Picture(Message):
    """A kept picture of an irregularity; in an alert it stands among the ``evidence``.

    ``dt``: seconds from the fact, ``t``: its moment at the table, ``frame``: the camera's frame as sights number it,
    ``covered``: something covers the place in it, ``marked``: whether the public cards it concerns are marked,
    ``frames``: what is framed in it and where. It is asked for with the order ``evidence`` {``ref``}.
    """

    kind: Literal["frame"]
    ref: str
    key: str
    moment: Literal["before", "at", "after"]
    dt: float
    t: float
    frame: str
    covered: bool
    marked: Literal["yes", "unsure", "no", "none"]
    frames: tuple[Frame, ...] = ()
    sha256: str
    bytes: int


class MissingPicture(Message):
    """Why there is no picture of a moment."""

    moment: Literal["before", "at", "after"]
    why: Literal["no-camera", "camera-lost", "too-late", "no-frame", "no-moment", "disk"]


class Film(Message):
    """The film of an irregularity: the table some seconds before and after the fact, small pictures on one sheet.

    It is asked for as a picture is. ``columns``: pictures in a row of the sheet; ``moments``: seconds from the fact of
    each, row by row. ``why`` alone: there is none, or it is ``coming``.
    """

    ref: str = ""
    key: str = ""
    moment: Literal["film"] = "film"
    columns: int = 0
    moments: tuple[float, ...] = ()
    sha256: str = ""
    bytes: int = 0
    why: Literal["coming", "no-moment", "no-frame", "disk"] | None = None


class Pictures(Message):
    """What came of the pictures of an irregularity. An open one's alert has this too (``pictures``, ``evidence``)."""

    key: str
    boot: str
    done: bool = Field(description="no further picture will come")
    pictures: tuple[Picture, ...]
    missing: tuple[MissingPicture, ...]
    film: Film = Film()


class BootContents(Message):
    """What there is of one boot."""

    boot: str
    first: int = Field(description="number of the first event that is to be had")
    last: int = Field(description="number of the last one that a broker has had")
    began: str = Field(description="when the boot began by the table's wall clock of then (UTC); may be wrong")


class JournalContents(Message):
    """Which events there are to be had: who lacks some of them asks on ``resend``."""

    boot: str = Field(description="the boot that goes on")
    boots: tuple[BootContents, ...] = Field(description="the newest 32, the oldest first")


class Identity(Message):
    """The certificates whose keys the table signs with; those of before are needed for what its journal still tells."""

    v: Literal[1]
    table: str
    certificates: tuple[str, ...] = Field(description="PEM, at most four, the newest last")


class Resend(Message):
    """A question for events that the asker lacks: at most 50 runs and 1000 events, more are left out. Not signed.

    What is asked for is public.
    """

    id: str = Field(description="the asker's own word for it, which names the topic of the answer", max_length=64)
    want: tuple[tuple[str, int, int], ...] = Field(description="runs: boot, first and last number")


class Resent(Message):
    """A part of an answer: at most 40 events. ``late`` is true in each."""

    id: str
    events: tuple[dict[str, Any], ...] = Field(description="events as they were published (see Event)")
    gone: tuple[tuple[str, int, int], ...] = Field(description="runs that the journal does not have any more")
    last: bool = Field(description="no further part will come")


class Sealed(Message):
    """Hidden cards of one event (base64): XChaCha20-Poly1305 with the deal's key, bound to topic, table, deal, event.

    ``key`` is the deal's key in a libsodium sealed box for the arbitro; the table's Ed25519 key signs all of it.
    Version 1, of older journals, has neither ``topic``, ``deal`` nor ``key``: ``sealed`` is a sealed box itself.
    """

    v: Literal[1, 2]
    table: str
    topic: str = ""
    deal: int = 0
    event: str
    key: str = ""
    sealed: str
    signature: str


class AwayNotice(Message):
    """What one person outside the hall is told. No card, seat or person stands in it, but the pair where so set."""

    kind: Literal["call", "alert", "raised", "second", "test"]
    table: str = Field(description="empty in a trial")
    title: str = Field(description="of the row, as the code has it, in the person's language")
    severity: Literal["call", "play-stops", "score", "warning", "note"]
    at: float = Field(description="seconds since 1970")
    link: str = Field(description="the alert's page, as the console is reached from outside")
    pair: str | None = Field(default=None, description="only where the hall says that messages name the pair")


class HomeState(Message):
    """What Home Assistant is told of a table; which entity shows which field stands in its discovery messages."""

    there: Literal["ON", "OFF"]
    waits: Literal["ON", "OFF"] = Field(description="whether something waits for the arbitro")
    waiting: int
    deal: int | None


class Command(Message):
    """An order of the arbitro, and the fields of its ``do``.

    The signature is Ed25519 over the JSON without ``signature``: keys sorted, no spaces, UTF-8.
    """

    id: str
    by: str
    table: str
    do: str
    issued: float
    expires: float
    signature: str


class Texts(Message):
    """One sentence in both languages."""

    it: str
    en: str


class Answered(Message):
    """What became of an order: ``ok`` (it took effect), ``refused``, or ``accepted`` while that is not decided.

    ``ok``: the same as true, false and null. ``reason`` is null unless it is refused; ``note``: why, in one sentence.
    """

    id: str | None
    result: Literal["ok", "refused", "accepted"]
    ok: bool | None
    reason: str | None
    text: Texts
    note: str | None = None
    foreseen: dict[str, Any] | None = None
    """Of the order ``foresee``: what reversing the ruling would change, as the event ``ruling.reversed`` reports it."""


class Result(Answered):
    """What became of an order. An order may be answered twice: ``accepted`` first, then ``ok`` or ``refused``.

    ``ref``: the picture that is sent. ``first``, of an order that is repeated: what it was answered before; absent if
    the table has restarted since, before that was decided.
    """

    boot: str
    ref: str | None = None
    about: str | None = None
    first: Answered | None = None


class Mqtt(Message):
    """How the table stands with its broker."""

    connected: bool
    connections: int
    failures: int
    acknowledged: int
    in_flight: int
    refused: int
    retrying: str | None


class Entries(Message):
    """The journal's last entry and its hash."""

    entries: int
    head: str


class Health(Message):
    """Counters of the table's parts."""

    mqtt: Mqtt
    journal: Entries
    nodes: dict[str, dict[str, Any]] | None = None
