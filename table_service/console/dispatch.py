"""The arbitri's office: joins what the tables say with what people do. Orders go out from here, alerts are raised here.

Everything lasting is in the book; in memory are only who looks at which table now and what rings.
"""

from __future__ import annotations

import json
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

from nacl.signing import SigningKey

from table_service.console.counted import COUNTED, DAY_S, CountedEvents
from table_service.console.frame_fetcher import Fetcher
from table_service.console.intake import CALM, Intake
from table_service.console.live_tables import ConsoleStore
from table_service.console.missing_events import GapDesk
from table_service.console.reversal_preview import kept_in_answer
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import SECRET, Book, Case, Session, StoredOrder
from table_service.console.storage.sealed_messages import MOST_BYTES
from table_service.console.table_view import EVENTS_KEPT, TableView
from table_service.events import orders
from table_service.events.commands import LONGEST_LIFE, sign_command
from table_service.events.orders import Dismiss, GiveBonus, Rule, Warn
from table_service.events.sequence import Run, count
from table_service.events.topics import Topics, level

AGAIN_S: Final = 4.0
"""An order without an answer is sent again after so long, unchanged: a table takes each id once."""
GRACE_S: Final = 2.0
"""So long after its end an answer may still come."""
PRESSING: Final = frozenset({"play-stops", "score", "warning", "call"})
"""Alerts of these severities ring and are raised; a note waits quietly."""
SECOND_THOUGHT: Final = (Rule, Dismiss, Warn, GiveBonus)
"""Orders that may be undone for a moment before they go to their table."""
_SETTLES: Final = frozenset({"rule", "dismiss"})
GONE: Final = {
    "expired": {
        "it": "Il tavolo non è tornato in tempo: l’ordine non è stato dato.",
        "en": "The table did not come back in time: the order was not given.",
    },
    "no-answer": {
        "it": "Il tavolo non ha risposto: non si sa se l’ha eseguito. Guarda il tavolo prima di ripeterlo.",
        "en": "The table has not answered: whether it acted is not known. Look at the table before you repeat it.",
    },
    "secret-lost": {
        "it": "La console è ripartita e non ha più l’archivio delle smazzate: da’ di nuovo l’ordine.",
        "en": "The console has restarted and has the records no more: give the order again.",
    },
    "cancelled": {"it": "Ritirato prima che partisse.", "en": "Withdrawn before it was sent."},
}
_NOT_KNOWN: Final[dict[str, Any]] = {"ok": False, "reason": "no-answer", "text": GONE["no-answer"]}
"""The answer of a table that took an order and does not know any more what became of it."""
_UNDONE: Final[Mapping[str, Literal["expired"]]] = {"no-answer": "expired"}


@dataclass(frozen=True, slots=True)
class Bell:
    """Something to hear: ``kind`` call, alert, raised, second, order. ``person``: who caused it, or whom it is for."""

    n: int
    kind: str
    place: str
    key: str
    person: str = ""


@dataclass(frozen=True, slots=True)
class LoadedDeals:
    """Records of deals that somebody has loaded: secret, in memory alone. ``game``: whose they are."""

    game: str
    text: str
    at: float


class Office:
    """One hall's office. Used from the console's event loop; ``send`` publishes, set while the broker is reached."""

    def __init__(
        self, settings: ConsoleSettings, store: ConsoleStore, book: Book, clock: Callable[[], float] = time.time
    ) -> None:
        self.settings = settings
        self.store = store
        self.book = book
        self.clock = clock
        self.send: Callable[[str, bytes], None] | None = None
        self.keep: Callable[[str, bytes], None] | None = None
        """Publishes what the broker is to retain; set while it is reached."""
        self.intakes: Mapping[str, Intake] = {}
        """What has come and is not yet taken in, by connection; set by who listens."""
        self.ticked = time.monotonic()
        """When the console's clock ticked last: it stands still where the pages do."""
        self.abroad: Callable[[str, str, str, Mapping[str, Any]], None] = _nobody_abroad
        """Tells those outside the hall: kind, table, key, and the alert."""
        self.unsent = 0
        """Messages that did not go out because too many were on their way."""
        self.bells: deque[Bell] = deque(maxlen=50)
        self.bell = 0
        self._key = SigningKey(settings.signing_seed or book.signing_seed)
        self.fetcher = Fetcher(settings.hall, store, book, self._key, lambda: self.clock())  # noqa: PLW0108 - a later clock counts
        self._secrets: dict[str, dict[str, Any]] = {}
        self._messages: dict[str, str] = {}
        """What of orders must be in no file, and their signed messages: gone with the console, or once answered."""
        self.table_keys: dict[str, str] = {}
        """The public keys of tables by which sealed messages were opened, hexadecimal."""
        self.deal_file: LoadedDeals | None = None
        """The records that were loaded last, for more than one deal; in no file of the console."""
        self._looking: dict[str, Counter[str]] = {}
        self._shown: dict[str, str] = {}
        counted = CountedEvents()
        self.counted, self.sheets, self.noted = counted, counted.sheets, counted.noted
        """The score sheets and warnings of the tournament."""
        self.gaps = GapDesk(
            lambda: {name: view.gaps for name, view in self.store.tables.items()},
            self._gap_changed,
        )
        """Asks the tables for what was not heard."""
        store.sink = self
        self._recall()

    def keep_deals(self, game: str, text: str) -> None:
        """Keep records of deals for the deals to come, in memory alone."""
        self.deal_file = LoadedDeals(game, text, self.clock())

    @property
    def public_key(self) -> str:
        """Key that the tables need to accept this console's orders, in hexadecimal."""
        return bytes(self._key.verify_key).hex()

    def _recall(self) -> None:
        """Restore the state before the console's start: the evening's events, the open alerts."""
        for place in self.book.kept.places():
            self.store.remember(place, self.book.kept.newest(place, EVENTS_KEPT))
        for place in self.book.kept.places(given_up=True):
            self._recall_gaps(place)
        for place in self.book.pictures.places():
            view = self.store.tables.setdefault(place, TableView(place))
            view.kept_frames = self.book.pictures.refs(place)
            for key, document in self.book.pictures.latest(place).items():
                view.tell_pictures(key, document)
        for place, event, heard in self.book.kept.of_types(*COUNTED, since=self._counts_since()):
            self.counted.record(place, event, heard)
        for deal in self.book.photographed.since(self._counts_since()):
            self.sheets.photographed(deal)
        for case in self.book.desk.live():
            table = self.store.tables.get(case.place)
            if table is not None:
                table.alerts.setdefault(case.key, case.document)

    def _counts_since(self) -> float:
        """From when on sheets and warnings count: the tournament that goes on, else the last day."""
        going_on = self.book.tournaments.current
        return self.clock() - DAY_S if going_on is None else going_on.begun

    def _gap_changed(self, place: str) -> None:
        self.store.tables[place].changed("head")
        self.store.tell(urgent=False)

    def _recall_gaps(self, place: str) -> None:
        """Restore a table's kept runs and the events given up; all others are missing."""
        gaps = self.store.tables.setdefault(place, TableView(place)).gaps
        for run in self.book.kept.runs(place):
            gaps.received.add(*run)
        for run, why in self.book.kept.given_up(place):
            gaps.received.add(*run)
            gaps.gone += count([run]) if why == "gone" else 0
        gaps.known = gaps.received.boots()

    # -- what the tables say (store.Sink) ----------------------------------------------------------------------------

    def all_heard(self, now: float) -> None:
        """End the cases that the broker did not list: they ended while the console was not connected."""
        for case in self.book.desk.live():
            table = self.store.tables.get(case.place)
            if table is None:
                self.book.desk.ended(case.place, case.key, now=now)
            elif case.key not in table.alerts:
                self.store.emptied(table, case.key, now=now)
        self._deliver()

    def alert(self, place: str, key: str, document: dict[str, Any] | None, now: float) -> None:
        """Record that an alert stands, or has gone."""
        if document is None:
            self.book.desk.ended(place, key, now=now)
            return
        known = self.book.desk.case(place, key)
        case = self.book.desk.came(place, key, document, now=now)
        if (known is not None and known.id == case.id) or case.taken_by is not None:
            return
        kind = "call" if "row" not in document else "alert"
        self.abroad(kind, place, key, document)
        if _severity(document) in PRESSING:
            self.ring(kind, place, key)

    def event(self, place: str, event: dict[str, Any], body: str) -> None:
        """Keep a new event."""
        self.book.kept.event(place, event, body, now=self.clock())
        self.counted.record(place, event, self.clock())
        data = event["data"]
        if event["type"] == "irregularity" and isinstance(data.get("key"), str) and data.get("state") != "open":
            self.book.desk.decided(place, level(data["key"]), data)

    def frame(self, place: str, ref: str, jpeg: bytes | None, now: float) -> None:
        """Take a picture that was asked for; None if it is not the one in the table's journal."""
        if jpeg is None:
            self.fetcher.wrong(place, ref)
        else:
            self.fetcher.arrived(place, ref, jpeg, now)

    def pictured(self, place: str, key: str, document: dict[str, Any], now: float) -> None:
        """Keep the list of pictures of an irregularity."""
        self.book.pictures.keep_listing(place, key, document, now=now)

    def status(self, place: str, state: str | None) -> None:
        """Record that a table has come or gone, and send what waits for it."""
        if state == "ready":
            self.store.tables[place].gaps.is_there()
            self._deliver(place)
            self.fetcher.retry(place)

    def sealed(self, place: str, document: dict[str, Any], body: str) -> None:
        """Keep a sealed message as it is if the table's game has reports that need it; it cannot be read here."""
        state = self.store.tables[place].state
        played = None if state is None else self.settings.rule_sets.get(str(state.get("rules")))
        if state is not None and (played is None or not played.pages.sealed_types):
            return  # what a table says before its state is kept: nobody knows yet what it plays
        event, deal = document.get("event"), document.get("deal")
        if not isinstance(event, str) or len(body) > MOST_BYTES:
            return
        if document.keys() >= {"sealed", "signature"} and isinstance(deal, int):
            self.book.sealed.keep(place, event, deal, body, now=self.clock())

    def gone(self, place: str, runs: list[Run], now: float) -> None:
        """Events that were lacking and that nobody has any more: it is kept, and said."""
        self.book.kept.gone(place, runs, "gone", now=now)

    def _ask_again(self, place: str, message: dict[str, object]) -> None:
        if self.send is not None:
            self.send(Topics(self.settings.hall, place).resend, json.dumps(message).encode())

    def result(self, place: str, name: str, document: dict[str, Any], now: float) -> None:
        """Take a table's answer to an order; only with it the order is done."""
        order = self.book.orders.order(name)
        if order is None or order.place != place:
            self.fetcher.answered(place, name, document)
            return
        # "repeated" about an id that only we use: the table took it before, and names the answer that was lost.
        if document.get("reason") == "repeated" and order.sent is not None:
            first = document.get("first")
            document = dict(first) if isinstance(first, Mapping) else _NOT_KNOWN
        if document.get("result") == "accepted":
            if self.book.orders.accepted(name, _answer(document)) is not None:
                self.changed(place)
            return
        done, reason = document.get("ok") is True, document.get("reason")
        became: Literal["done", "refused", "expired"] = "done" if done else _UNDONE.get(str(reason), "refused")
        settled = self.book.orders.settled(
            name, became, now=now, reason=None if done else str(reason), answer=_answer(document)
        )
        if settled is None:
            return
        if done and order.do in _SETTLES and order.about:
            self.book.desk.resolve(place, order.about, order.person, now=now)
        self._settled(order, now, became)
        if not done:
            self.ring("order", place, name, order.person)

    # -- orders --------------------------------------------------------------------------------------------------------

    def reachable(self, place: str) -> bool:
        """Return True if an order to this table can go out now."""
        table = self.store.tables.get(place)
        return self.store.connected and self.send is not None and table is not None and table.status == "ready"

    def give(
        self,
        place: str,
        asked: orders.Order,
        *,
        about: str | None = None,
        secret: Collection[str] = (),
    ) -> StoredOrder:
        """Give an order in the name of who orders. To a table out of reach it waits, and is given up in the end.

        A ruling goes out when the time to undo it is over. ``secret``: fields that no file of the console has:
        if it ends before they went out, the order is given up.
        """
        now = self.clock()
        held = now + self.settings.undo if isinstance(asked, SECOND_THOUGHT) and self.settings.undo > 0 else None
        until = (held or now) + min(self.settings.order_life, LONGEST_LIFE - 1)
        name, fields = uuid.uuid4().hex, asked.fields
        hidden = {one: value for one, value in fields.items() if one in secret}
        shown = {**fields, **dict.fromkeys(hidden, SECRET)}
        if hidden:
            self._secrets[name] = hidden
        order = self.book.orders.give(name, place, asked.by, asked.do, shown, about, now=now, until=until, held=held)
        if self.reachable(place) and held is None:
            order = self._send(order, now)
        self.changed(place)
        return order

    def cancel(self, name: str) -> StoredOrder | None:
        """Withdraw an order that has not gone out."""
        order = self.book.orders.order(name)
        if order is None or order.state != "waiting":
            return None
        now = self.clock()
        gone = self.book.orders.settled(name, "cancelled", now=now, reason="cancelled", answer=GONE["cancelled"])
        self._secrets.pop(name, None)
        self.changed(order.place)
        return gone

    def notice(self, name: str) -> None:
        """Somebody has seen that an order went wrong."""
        order = self.book.orders.order(name)
        if order is not None and order.state in ("refused", "expired"):
            self.book.orders.noticed(name)
            self.changed(order.place)

    def _send(self, order: StoredOrder, now: float) -> StoredOrder:
        hidden = [name for name, value in order.fields.items() if value == SECRET]
        if hidden and order.id not in self._secrets:
            if order.state == "waiting":  # one that was sent may still be answered
                self._give_up(order, "secret-lost", now)
            return order
        message = (
            order.message
            or self._messages.get(order.id)
            or json.dumps(
                sign_command(
                    self._key,
                    id=order.id,
                    by=order.person,
                    table=order.place,
                    do=order.do,
                    issued=now,
                    life=max(1.0, order.until - now),
                    fields={**order.fields, **self._secrets.get(order.id, {})},
                ),
                ensure_ascii=False,
            )
        )
        if self.send is None:
            return order
        if hidden:
            self._messages[order.id] = message
        # Written down before it goes out: after a crash it is sent again, and the table takes it once.
        sent = self.book.orders.sent(order.id, None if hidden else message, now=now)
        self.send(Topics(self.settings.hall, order.place).command, message.encode())
        return sent

    def _deliver(self, place: str | None = None) -> None:
        now = self.clock()
        for order in self.book.orders.open():
            here = (place is None or order.place == place) and self.reachable(order.place)
            if here and now < order.until and not order.may_be_undone(now):
                self._send(order, now)
                self.changed(order.place)

    def _settled(self, order: StoredOrder, now: float, how: str) -> None:
        self._secrets.pop(order.id, None)
        self._messages.pop(order.id, None)
        key = {} if order.about is None else {"key": order.about}
        became = json.dumps({"do": order.do, **key, "became": how, "id": order.id})
        self.book.audit.note(order.person, "", "order", at=now, place=order.place, detail=became)
        self.changed(order.place)

    # -- time -------------------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """Twice a second: orders that wait too long, alerts that nobody takes, alerts whose putting off is over."""
        self.ticked = time.monotonic()
        now = self.clock()
        self.counted.forget(self._counts_since, now, self.gaps.clock())
        if sum(intake.qsize() for intake in self.intakes.values()) <= CALM:
            self.gaps.tick(self.reachable, self._ask_again)
        for order in self.book.orders.open():
            self._attend(order, now)
        shown = {order.id: order.place for order in self.book.orders.shown(now=now)}
        for gone in self._shown.keys() - shown.keys():
            self.changed(self._shown[gone], urgent=False)
        self._shown = shown
        for case in self.book.desk.live():
            since = max(case.seen, case.put_off_until or 0.0)
            if case.put_off_until is not None and case.put_off_until <= now and case.taken_by is None:
                self.book.desk.put_off_ended(case.place, case.key)
                self.ring("alert", case.place, case.key)
                self.changed(case.place)
            elif since + self.settings.raise_after <= now and _unattended(case, now):
                self.book.desk.raise_it(case.place, case.key, now=now)
                self.book.audit.note(
                    "console", "", "raised", at=now, place=case.place, detail=json.dumps({"key": case.key})
                )
                self.ring("raised", case.place, case.key)
                self.abroad("raised", case.place, case.key, case.document)
                self.changed(case.place)

    def _attend(self, order: StoredOrder, now: float) -> None:
        if order.state == "waiting":
            if now >= order.until:
                self._give_up(order, "expired", now)
            elif self.reachable(order.place) and not order.may_be_undone(now):
                self._send(order, now)
                self.changed(order.place)
        elif now >= order.until + GRACE_S:
            self._give_up(order, "no-answer", now)
        elif now < order.until and self.reachable(order.place) and now - (order.sent or 0) >= AGAIN_S:
            self._send(order, now)

    def _give_up(self, order: StoredOrder, why: str, now: float) -> None:
        self.book.orders.settled(order.id, "expired", now=now, reason=why, answer=GONE[why])
        self._settled(order, now, why)
        self.ring("order", order.place, order.id, order.person)

    # -- who looks, what rings -----------------------------------------------------------------------------------------

    @contextmanager
    def looking(self, place: str, person: str) -> Iterator[None]:
        """``person`` has a table's page open while this lasts."""
        there = self._looking.setdefault(place, Counter())
        there[person] += 1
        self.changed(place, urgent=False)
        try:
            yield
        finally:
            there[person] -= 1
            if there[person] <= 0:
                del there[person]
            self.changed(place, urgent=False)

    def present(self, place: str) -> tuple[str, ...]:
        """Return who has this table's page open now."""
        return tuple(sorted(self._looking.get(place, ())))

    def ring(self, kind: str, place: str, key: str, person: str = "") -> None:
        """Let it be heard at every console that it concerns."""
        self.bell += 1
        self.bells.append(Bell(self.bell, kind, place, key, person))

    def changed(self, place: str, *, urgent: bool = True) -> None:
        """Mark the pages of a table as changed."""
        table = self.store.tables.get(place)
        if table is not None:
            table.changed("alerts")
        self.store.tell(urgent=urgent)

    def deed(self, session: Session, what: str, *, place: str = "", detail: str | Mapping[str, Any] = "") -> None:
        """Somebody did something: it is in the audit, and pages are told. ``detail``: with what, by name."""
        person = session.person
        text = detail if isinstance(detail, str) else json.dumps(dict(detail), ensure_ascii=False)
        self.book.audit.note(person.name, person.role, what, at=self.clock(), place=place, detail=text)
        if place:
            self.changed(place)
        else:
            self.store.tell()


def _nobody_abroad(_kind: str, _place: str, _key: str, _document: Mapping[str, Any]) -> None:
    """Ignore an alert: no one outside the hall is notified."""


def _answer(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the sentences with which a table answers an order, by language, and its note."""
    text, note = document.get("text"), document.get("note")
    answer = {k: str(v) for k, v in text.items()} if isinstance(text, Mapping) else {}
    return answer | ({"note": note} if isinstance(note, str) else {}) | kept_in_answer(document)


def _unattended(case: Case, now: float) -> bool:
    return case.raised is None and case.resolved is None and case.waits(now) and _severity(case.document) in PRESSING


def _severity(document: Mapping[str, Any]) -> str:
    return "call" if "row" not in document else str(document.get("severity", "note"))
