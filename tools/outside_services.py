"""A mail server and a push service on this machine, and three arbitri outside the hall who want to be told by them.

`console_load.py --away` measures with them how the console bears sending what happens out of the hall.
"""

from __future__ import annotations

import json
import ssl
import sys
import time
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from table_service.console.storage import Book, Role  # noqa: E402
from table_service.console.storage.away import Device, Wishes  # noqa: E402
from table_service.publish.broker import free_port  # noqa: E402
from tests.console.push_reader import Browser, PushService  # noqa: E402


def wish(book: Book, endpoint: str) -> None:
    """Three arbitri outside want to be told of everything, by each way."""
    for n in range(3):
        person = book.accounts.add(f"outside-{n}", Role.ARBITRO, now=time.time())
        assert person is not None  # noqa: S101 - the book is new
        ways = frozenset({"push", "mail", "mqtt"})
        every = frozenset({"call", "play-stops", "score", "warning", "note"})
        address = f"arbitro-{n}@hall.example"
        book.away.wish(Wishes(person.id, ways, every, None, address, "it", "https://hall.example", 4e9))
        keys = Browser().form(f"{endpoint}-{n}")
        book.away.add_device(person.id, Device(keys["endpoint"], keys["p256dh"], keys["auth"], time.time(), "load"))


def receive(folder: Path) -> None:
    """Run a mail server and a push service on this machine, until standard input ends; then tell what each was sent.

    Both have the same certificate, and the mail server takes nothing in the clear.
    """
    from aiosmtpd.controller import Controller

    class Box:
        mails = 0

        async def handle_DATA(self, *_: Any) -> str:  # noqa: N802 - aiosmtpd's name
            self.mails += 1
            return "250 taken"

    box, port, service = Box(), free_port(), PushService(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(service.cert, service.key)
    server = Controller(
        box, hostname="127.0.0.1", port=port, tls_context=context, require_starttls=True, enable_SMTPUTF8=False
    )
    server.start()
    print(f"{port},{service.url},{service.cert}", flush=True)
    sys.stdin.read()
    server.stop()
    service.close()
    print(json.dumps({"mails": box.mails, "pushes": len(service.heard)}), flush=True)
