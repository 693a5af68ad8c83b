"""Orders that come over MQTT: verified, taken once, noted, then handed to the table as observations."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from hw.errors import TavoloError
from hw.observations import Console
from table_service.events.commands import EVIDENCE, Command, Refusal, read_command


class CommandBook(Protocol):
    """Where taken orders are noted, so that none is taken twice (the journal)."""

    def note(self, kind: str, body: Mapping[str, Any], key: str | None = None) -> bool:
        """Note an order under its id; False where it was noted before."""
        ...


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
    """What stands between the topic ``command`` and the table."""

    def __init__(
        self,
        table: str,
        keys: Mapping[str, str],
        book: CommandBook,
        hand_over: Callable[[Console], str | None],
        table_time: Callable[[], float],
        *,
        clock: Callable[[], float] = time.time,
        standing: Callable[[str], str] = lambda _ref: "unknown",
    ) -> None:
        """``keys``: who may order and their Ed25519 public keys in hexadecimal.

        ``hand_over`` gets each order once and answers with one sentence where it had no effect at the table.

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

    def receive(self, payload: bytes, *, retained: bool = False) -> dict[str, Any]:
        """Take an order or refuse it. Returns the result that goes back: ``id``, ``ok``, ``reason``, ``text``.

        A retained message is one left behind, never an order given now. Who asked for a picture is noted like who gave
        an order; the result names it as ``ref`` where it is there.
        """
        order = read_command(payload, table=self._table, keys=self._keys, now=self._clock())
        if isinstance(order, Command) and retained:
            text = ("Il comando era rimasto nel broker.", "The command was left behind in the broker.")
            order = Refusal(order.id, "stale", *text)
        if isinstance(order, Refusal):
            return _result(order.id, order.reason, order.it, order.en)
        body = {"id": order.id, "by": order.by, "do": order.do, "fields": order.fields}
        try:
            is_new = self._book.note("command", body, order.id)
        except TavoloError:
            # Not taken: an order that could not be noted might be taken twice.
            return _result(
                order.id,
                "disk",
                "Il disco del tavolo non accetta nulla: il comando non è stato eseguito.",
                "The table's disk takes nothing: the command was not carried out.",
            )
        if not is_new:
            return _result(
                order.id, "repeated", "Il comando era già stato ricevuto.", "The command was received before."
            )
        if order.do == EVIDENCE:
            return self._picture(order.id, str(order.fields.get("ref", "")))
        note = self._hand_over(Console(t=self._table_time(), by=order.by, do=order.do, fields=order.fields))
        if note:
            text = ("Il comando non ha avuto effetto al tavolo.", "The command had no effect at the table.")
            return {**_result(order.id, "ignored", *text), "note": note}
        return _result(order.id, None, "Il tavolo ha ricevuto il comando.", "The table has taken the command.")

    def _picture(self, name: str, ref: str) -> dict[str, Any]:
        standing = self._standing(ref)
        if standing != "kept":
            return {**_result(name, standing, *_NO_PICTURE.get(standing, _NO_PICTURE["unknown"])), "about": ref}
        return {**_result(name, None, "Il tavolo manda l’immagine.", "The table sends the picture."), "ref": ref}


def _result(name: str | None, reason: str | None, it: str, en: str) -> dict[str, Any]:
    return {"id": name, "ok": reason is None, "reason": reason, "text": {"it": it, "en": en}}
