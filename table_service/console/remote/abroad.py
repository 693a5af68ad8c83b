"""Tells people outside the hall what waits: who wishes what, by which way, when; and keeps what became of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from table_service.console.dispatch import Office
from table_service.console.remote import web_push
from table_service.console.remote.courier import Courier, SendError, SendOutcome, SendPace, problem_text
from table_service.console.remote.notice import AlertNotice, mqtt_message, notice_of, trial
from table_service.console.remote.senders import MailSender, PushSender
from table_service.console.settings import Language
from table_service.console.storage import PersonAccount, Role, Sent, Wishes
from table_service.console.vocabulary import Words
from table_service.events.topics import ROOT, level
from table_service.referee.catalogue import Catalogue

TOLD: tuple[Role, ...] = (Role.CHIEF, Role.ARBITRO)
"""Only who rules at tables is told of alerts outside the hall."""
Catalogues = Callable[[str], Catalogue | None]


class Abroad:
    """Used from the console's event loop; couriers' threads send. ``catalogues``: of what is played at a table."""

    def __init__(self, office: Office, catalogues: Catalogues, paces: Mapping[str, SendPace] | None = None) -> None:
        self._office, self._book, self._catalogues = office, office.book, catalogues
        self._settings = office.settings.remote
        self.away = office.book.away
        self._key = web_push.private_key(office.book.database.meta("vapid", web_push.new_seed()))
        hall, paces = office.settings.hall, paces or {}
        self._couriers: dict[str, Courier] = {}
        self._changed: Callable[[], None] = _nobody_looks
        if self._settings.push:
            push = PushSender(self._settings, self.away, hall, self._key, self._words, office.clock)
            self._couriers["push"] = Courier("push", push, self._became, self._still, paces.get("push"))
        if self._settings.mail is not None:
            mail = MailSender(self._settings.mail, self.away, hall, self._words, self.address)
            self._couriers["mail"] = Courier("mail", mail, self._became, self._still, paces.get("mail"))
        office.abroad = self.tell

    @property
    def public_key(self) -> str:
        """The key that a browser must know to take this console's pushes, in base64url."""
        return web_push.b64(web_push.point(self._key))

    def start(self, changed: Callable[[], None] | None = None) -> None:
        """Begin to send. ``changed`` is called from any thread whenever a message's outcome is known."""
        self._changed = changed or self._changed
        for courier in self._couriers.values():
            courier.start()

    def close(self) -> None:
        """Send nothing more."""
        for courier in self._couriers.values():
            courier.close()

    def waiting(self) -> int:
        """Return how many notices wait to be sent."""
        return sum(courier.waiting for courier in self._couriers.values())

    def tell(self, kind: str, place: str, key: str, document: Mapping[str, Any]) -> None:
        """Notify all who wish that an alert has come, was raised, or wants a second arbitro. It never waits."""
        everybody = self.away.all()
        if not everybody or not self._settings.ways:
            return
        now = self._office.clock()
        notice = notice_of(
            kind, place, key, document, self._catalogues(place), now, self._pair(place, document) if document else ""
        )
        for wishes in everybody:
            person = self._book.accounts.person(wishes.account)
            if person is not None and self._wants(wishes, person, notice, now):
                for way in wishes.ways & frozenset(self._settings.ways):
                    self._put(way, person, wishes, notice)

    def try_out(self, person: PersonAccount, way: str) -> None:
        """Send a person a test by one way, whatever his quiet hours say."""
        self._put(way, person, self.away.wishes(person.id), trial(self._office.clock()), at_once=True)

    def _wants(self, wishes: Wishes, person: PersonAccount, notice: AlertNotice, now: float) -> bool:
        local = time.localtime(now)
        return (
            not person.disabled
            and person.role in TOLD
            and now < wishes.until
            and notice.severity in wishes.severities
            and (notice.kind != "raised" or person.role is Role.CHIEF)
            and not wishes.is_quiet(local.tm_hour * 60 + local.tm_min)
        )

    def _put(
        self, way: str, person: PersonAccount, wishes: Wishes, notice: AlertNotice, *, at_once: bool = False
    ) -> None:
        if way == "mqtt":
            self._publish(person, wishes, notice)
        elif way in self._couriers:
            self._couriers[way].put(person.id, notice, at_once=at_once)

    def _publish(self, person: PersonAccount, wishes: Wishes, notice: AlertNotice) -> None:
        send, problem = self._office.send, ""
        if send is None:
            problem = SendError("away_no_broker").problem
        else:
            body = mqtt_message(notice, _language(wishes), self.address(person.id))
            send(self.topic(person), json.dumps(body, ensure_ascii=False).encode())
        self._became(SendOutcome("mqtt", person.id, (notice,), 0, problem))

    def topic(self, person: PersonAccount) -> str:
        """Return where at the broker a person's program hears what he is told."""
        name = level(person.name)
        name = name if name == person.name else f"{name}-{person.id}"  # two names never become one topic
        return f"{ROOT}/{level(self._office.settings.hall)}/~console/away/{name}"

    def address(self, account: int) -> str:
        """Return how the console is reached from outside, without a slash at its end."""
        return (self._settings.address or self.away.wishes(account).address).rstrip("/")

    def _words(self, account: int) -> Words:
        return Words(_language(self.away.wishes(account)))

    def _still(self, notice: AlertNotice) -> bool:
        """Return True if a notice is still worth sending: the alert stands, and no arbitro in the hall has it."""
        if notice.kind == "test":
            return True
        case = self._book.desk.case(notice.place, notice.key)
        if case is None:
            return False
        return case.wants_second if notice.kind == "second" else case.taken_by is None

    def _pair(self, place: str, document: Mapping[str, Any]) -> str:
        """Whom it concerns, by the names entered with the round; empty where the hall lets no names out."""
        current = self._book.rounds.current if self._settings.names else None
        line = document.get("pair")
        if current is None or not isinstance(line, str):
            return ""
        return self._book.rounds.seated(current.id).get((place, line), "")

    def _became(self, outcome: SendOutcome) -> None:
        """Keep what became of a message, on the person's page and in the log. Called from any thread."""
        person, now = self._book.accounts.person(outcome.account), self._office.clock()
        if person is None:
            return
        number = len(outcome.notices) + outcome.dropped
        ok = not outcome.problem
        self.away.note(outcome.account, Sent(outcome.way, now, number, ok, outcome.problem))
        for notice in outcome.notices:
            about = {"key": notice.key, "kind": outcome.way, "outcome": problem_text(outcome.problem, Words("en"))}
            self._book.audit.note(
                person.name, person.role, "told away" if ok else "not told away", at=now, place=notice.place,
                detail=json.dumps({name: value for name, value in about.items() if value}, ensure_ascii=False),
            )  # fmt: skip
        self._changed()


def _nobody_looks() -> None:
    """No page shows what became of messages."""


def _language(wishes: Wishes) -> Language:
    return "en" if wishes.language == "en" else "it"
