"""Orders that come over MQTT: verified, taken once, noted, then handed to the table as observations.

An order is answered when the table has carried it out or refused it. Until then, while what was sensed before it is
still being decided, the answer is ``accepted``; the last one follows by itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hw.errors import TavoloError
from hw.observations import Console
from table_service.events.commands import Command, Refusal, read_command
from table_service.events.orders import ORDERS, LetTimePass, Orders, SendEvidence


class CommandBook(Protocol):
    """Record of taken orders, so that none is taken twice (the journal)."""

    def note(self, kind: str, body: Mapping[str, Any], key: str | None = None) -> bool:
        """Note an order, or its answer, under its id; False if it was noted before."""
        ...

    def noted(self, kind: str, key: str) -> dict[str, Any] | None:
        """Return what was noted under ``key``, or None."""
        ...


@dataclass(slots=True)
class _Given:
    """An order that the table has been given at ``since``, wall time. ``is_awaited``: it was answered ``accepted``.

    ``looked``: when the table was last informed that time has passed since.
    """

    id: str
    order: Console
    since: float
    looked: float
    result: dict[str, Any] | None = None
    is_awaited: bool = False


WAIT_S: Final = 2.0
"""Seconds between reminders to a table that has not decided an order: its sensors may be silent."""
ANSWER: Final = "answer"
"""The kind of the note that keeps what an order was answered."""

_NO_PICTURE: Final = {
    "pruned": (
        "L’immagine non c’è più: è stata tolta per età o per spazio.",
        "The picture is no longer there: it was removed for age or space.",
    ),
    "gone": ("Il file dell’immagine manca al tavolo.", "The picture's file is missing at the table."),
    "changed": (
        "L’immagine al tavolo non è quella registrata nel giornale.",
        "The picture at the table is not the one that the journal noted.",
    ),
    "unknown": ("Il tavolo non conosce questa immagine.", "The table does not know this picture."),
}


class CommandGate:
    """Gate between the topic ``command`` and the table."""

    def __init__(
        self,
        table: str,
        keys: Mapping[str, str],
        book: CommandBook,
        hand_over: Callable[[Console], object],
        table_time: Callable[[], float],
        *,
        clock: Callable[[], float] = time.time,
        standing: Callable[[str], str] = lambda _ref: "unknown",
        orders: Orders = ORDERS,
    ) -> None:
        """Make a gate. ``keys``: who may order and their Ed25519 public keys in hexadecimal.

        ``hand_over`` gets each order once; its outcome is reported by ``decided``, meanwhile or later.

        ``standing`` says whether a picture is there: ``kept``, or why it is not (pruned, gone, changed, unknown).

        ``table_time`` gives the table's seconds, which date the observation; ``clock`` is the wall clock.
        """
        self._table = table
        self._keys = dict(keys)
        self._book = book
        self._hand_over = hand_over
        self._table_time = table_time
        self._clock = clock
        self._standing = standing
        self._orders = orders
        self._lock = threading.Lock()
        self._given: list[_Given] = []
        self._late: list[dict[str, Any]] = []

    def receive(self, payload: bytes, *, retained: bool = False) -> dict[str, Any]:
        """Take an order or refuse it. Returns the answer: ``id``, ``result``, ``ok``, ``reason``, ``text``.

        ``result``: ``ok`` (it took effect), ``refused``, or ``accepted`` while that is not decided (``ok`` is null).

        A retained message is one left behind, never an order given now. A request for a picture is noted with its
        person, like an order; the result names it as ``ref`` if it is there.
        """
        read = read_command(payload, table=self._table, keys=self._keys, now=self._clock(), known=self._orders)
        if isinstance(read, Command) and retained:
            text = ("Il comando era rimasto nel broker.", "The command was left behind in the broker.")
            read = Refusal(read.id, "stale", *text)
        if isinstance(read, Refusal):
            return _result(read.id, read.reason, read.it, read.en)
        order = read.order
        body = {"id": read.id, "by": order.by, "do": order.do, "fields": order.fields}
        try:
            is_new = self._book.note("command", body, read.id)
        except TavoloError:
            # Not taken: an order that could not be noted might be taken twice.
            return _result(
                read.id,
                "disk",
                "Il disco del tavolo non accetta nulla: il comando non è stato eseguito.",
                "The table's disk takes nothing: the command was not carried out.",
            )
        if not is_new:
            return self._repeated(read.id)
        if isinstance(order, SendEvidence):
            return self._picture(read.id, order.ref)
        now = self._clock()
        console = order.model_copy(update={"t": self._table_time()}).as_console()
        given = _Given(read.id, console, now, now)
        with self._lock:
            self._given.append(given)
        self._hand_over(given.order)
        with self._lock:
            given.is_awaited = given.result is None
            return given.result or _accepted(read.id)

    def decided(self, order: Console, why: str, foreseen: Mapping[str, Any] | None = None) -> None:
        """Note the answer to ``order``, then give it: the table has carried it out, or refused it for reason ``why``.

        ``foreseen``: what it would change, where the order only asked that.
        """
        with self._lock:
            given = next((one for one in self._given if one.order is order), None)
            if given is None:
                return
            self._given.remove(given)
            given.result = _decided(given.id, why) | ({} if foreseen is None else {"foreseen": dict(foreseen)})
            with suppress(TavoloError):  # asked again, it is then said that the answer is not known
                self._book.note(ANSWER, given.result, given.id)
            if given.is_awaited:
                self._late.append(given.result)

    def late_answers(self) -> list[dict[str, Any]]:
        """Return the results of orders decided since the last call, after they had been answered ``accepted``."""
        self._let_time_pass()
        with self._lock:
            late, self._late = self._late, []
        return late

    def _let_time_pass(self) -> None:
        """Pass the time to the table, if an order waits: while nothing is sensed, time alone decides."""
        now = self._clock()
        with self._lock:
            late = [one for one in self._given if one.is_awaited and now - one.looked >= WAIT_S]
            for one in late:
                one.looked = now
        if late:
            t = max(self._table_time(), late[0].order.t + now - late[0].since)
            with suppress(TavoloError):  # the table has been stopped
                self._hand_over(LetTimePass(t=round(t, 6)).as_console())

    def _repeated(self, name: str) -> dict[str, Any]:
        """Return the answer to an order given before; it is not carried out again. ``first``: the first answer.

        Without ``first`` the outcome is unknown: the table has restarted since, before it was decided.
        """
        text = ("Il comando era già stato ricevuto.", "The command was received before.")
        with self._lock:
            is_open = any(one.id == name for one in self._given)
            first = _accepted(name) if is_open else self._book.noted(ANSWER, name)
        known = {} if first is None else {"first": first}
        return {**_result(name, "repeated", *text), **known}

    def _picture(self, name: str, ref: str) -> dict[str, Any]:
        standing = self._standing(ref)
        if standing != "kept":
            return {**_result(name, standing, *_NO_PICTURE.get(standing, _NO_PICTURE["unknown"])), "about": ref}
        return {**_result(name, None, "Il tavolo manda l’immagine.", "The table sends the picture."), "ref": ref}


def _result(name: str | None, reason: str | None, it: str, en: str) -> dict[str, Any]:
    result = "ok" if reason is None else "refused"
    return {"id": name, "result": result, "ok": reason is None, "reason": reason, "text": {"it": it, "en": en}}


def _accepted(name: str) -> dict[str, Any]:
    it = "Il tavolo ha ricevuto il comando e lo esegue appena ha deciso ciò che è successo prima."
    en = "The table has the command, and carries it out once it has decided what happened before."
    return {**_result(name, None, it, en), "result": "accepted", "ok": None}


def _decided(name: str, why: str) -> dict[str, Any]:
    if not why:
        return _result(name, None, "Il tavolo ha eseguito il comando.", "The table has carried out the command.")
    text = ("Il comando non ha avuto effetto al tavolo.", "The command had no effect at the table.")
    return {**_result(name, "ignored", *text), "note": why}
