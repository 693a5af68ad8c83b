"""Carries notices out of the hall: a thread for each way, so that nothing slow out there holds up anything in here.

What comes for one person within a moment goes as one message; there is a least time between two messages; what fails
is tried again a few times, then told. What waits is bounded: of too much the oldest is dropped, and counted.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from hw.errors import TavoloError
from table_service.console.remote.notice import AlertNotice
from table_service.console.vocabulary import Words

log = logging.getLogger(__name__)
WAITING_MOST: Final = 100
"""Notices that wait for one person by one way."""
PEOPLE_MOST: Final = 500


class SendError(TavoloError):
    """A message did not go out. ``word``: why, as a word of the catalogue, with its ``terms``.

    ``again``: it may go later; ``after``: not before so many seconds.
    """

    def __init__(self, word: str, *, again: bool = False, after: float = 0.0, **terms: object) -> None:
        super().__init__(Words("en").say(word, **terms))
        self.problem = json.dumps({"word": word, "terms": {name: str(value) for name, value in terms.items()}})
        self.again = again
        self.after = after


def problem_text(problem: str, words: Words) -> str:
    """Why a message did not go out, in the reader's language; ``problem`` as ``SendError`` has it, or plain text."""
    try:
        held = json.loads(problem)
        return words.say(held["word"], **held["terms"])
    except (ValueError, TypeError, KeyError, IndexError):
        return problem


class Sender(Protocol):
    """Sends one person some notices as one message. Raises SendError."""

    def __call__(self, account: int, notices: Sequence[AlertNotice]) -> None:
        """Send them now, or raise; it may take some seconds."""


@dataclass(frozen=True, slots=True)
class SendPace:
    """Seconds: ``gather``: so long more is waited for; ``least``: between two messages; ``retries``: before each."""

    gather: float
    least: float
    retries: tuple[float, ...] = (5.0, 30.0, 120.0)


PACES: Final = {"push": SendPace(1.0, 5.0), "mail": SendPace(15.0, 60.0)}


@dataclass(frozen=True, slots=True)
class SendOutcome:
    """Outcome of a message. ``problem``: as ``SendError`` has it; empty if it went out."""

    way: str
    account: int
    notices: tuple[AlertNotice, ...]
    dropped: int
    problem: str = ""


@dataclass(slots=True)
class _Box:
    """Queue of one person. ``due``: time of the next attempt (monotonic seconds); ``tries`` that have failed."""

    notices: deque[AlertNotice] = field(default_factory=lambda: deque(maxlen=WAITING_MOST))
    due: float = 0.0
    tries: int = 0
    dropped: int = 0


class Courier:
    """One way out of the hall. ``still``: whether a notice is still true when it goes. ``report`` hears what became."""

    def __init__(
        self,
        way: str,
        send: Sender,
        report: Callable[[SendOutcome], None],
        still: Callable[[AlertNotice], bool] = lambda _notice: True,
        pace: SendPace | None = None,
    ) -> None:
        self.way = way
        self._send, self._report, self._still = send, report, still
        self._pace = pace or PACES[way]
        self._boxes: dict[int, _Box] = {}
        self._last: dict[int, float] = {}
        self._wake = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"console-{way}", daemon=True)

    def start(self) -> None:
        """Begin to carry."""
        self._thread.start()

    def close(self) -> None:
        """End; what waits is not sent any more. What is being sent is not waited for."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()

    @property
    def waiting(self) -> int:
        """Number of notices that wait."""
        with self._wake:
            return sum(len(box.notices) for box in self._boxes.values())

    def put(self, account: int, notice: AlertNotice, *, at_once: bool = False) -> None:
        """Let a notice go to a person; it never waits. ``at_once``: without gathering (a test)."""
        with self._wake:
            box = self._boxes.get(account)
            if box is None:
                if len(self._boxes) >= PEOPLE_MOST:
                    return
                box = self._boxes[account] = _Box(due=self._first_due(account))
            box.dropped += len(box.notices) == WAITING_MOST
            box.notices.append(notice)
            if at_once:
                box.due = time.monotonic()
            self._wake.notify_all()

    def _first_due(self, account: int) -> float:
        now = time.monotonic()
        return max(now + self._pace.gather, self._last.get(account, -1e9) + self._pace.least)

    def _run(self) -> None:
        while (taken := self._next()) is not None:
            account, box = taken
            try:
                self._carry(account, box)
            except Exception:
                log.exception("a message by %s stumbled", self.way)

    def _next(self) -> tuple[int, _Box] | None:
        """Wait for the box that is due; None where it is over."""
        with self._wake:
            while not self._closed:
                first = min(self._boxes.items(), key=lambda one: one[1].due, default=None)
                left = None if first is None else first[1].due - time.monotonic()
                if first is not None and left is not None and left <= 0:
                    del self._boxes[first[0]]
                    return first
                self._wake.wait(left)
        return None

    def _carry(self, account: int, box: _Box) -> None:
        notices = tuple(one for one in box.notices if self._still(one))
        if not notices:
            return
        self._last[account] = time.monotonic()
        problem = ""
        try:
            self._send(account, notices)
        except SendError as error:
            if error.again and box.tries < len(self._pace.retries):
                self._again(account, box, notices, max(error.after, self._pace.retries[box.tries]))
                return
            problem = error.problem
        self._report(SendOutcome(self.way, account, notices, box.dropped, problem))

    def _again(self, account: int, box: _Box, notices: Sequence[AlertNotice], wait: float) -> None:
        """Put a message back; what has come for that person meanwhile goes with it."""
        with self._wake:
            newer = self._boxes.pop(account, None)
            whole = _Box(due=time.monotonic() + wait, tries=box.tries + 1, dropped=box.dropped)
            later = [] if newer is None else list(newer.notices)
            whole.dropped += (0 if newer is None else newer.dropped) + max(0, len(notices) + len(later) - WAITING_MOST)
            whole.notices.extend([*notices, *later])
            self._boxes[account] = whole
